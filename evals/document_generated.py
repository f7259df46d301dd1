"""Generated talks about documents: facts, one wording for each part, and the fields that must come out.

`python -m evals.document_generated [--n 60] [--seed 1] [--held-out] [--form visit_report] [--list]`
With --held-out about half of the parts are in the other wordings of the file.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from evals.document_talks import judge_all
from metaagent.language.particles import filled
from metaagent.yaml_lines import parse

Json = dict[str, Any]
FILE = Path(__file__).parent / "document_wordings.yaml"
TODAY = date(2026, 11, 16)
_SLOT = re.compile(r"\{(\w+)\}")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_WEEKDAYS = ("월", "화", "수", "목", "금", "토", "일")
_MEALS = {"ko": {"점심": "lunch", "저녁": "dinner"}, "en": {"lunch": "lunch", "dinner": "dinner"}}
Drawn = tuple[str, Any]
"""A value as it is said, and as the field must hold it."""


def talks(seed: int, count: int, *, held_out: bool, only: str = "") -> Iterator[Json]:
    """Talks of every form, language and style in turn."""
    data = parse(FILE.read_text(encoding="utf-8")).data
    styles = [
        (form, language, style)
        for form, spec in data["forms"].items()
        for language in ("ko", "en")
        for style in spec[language]
        if not only or form == only
    ]
    for number in range(count):
        form, language, style = styles[number % len(styles)]
        draw = random.Random(f"{seed}/{number}")  # noqa: S311 - talks, no secrets
        yield {
            "id": f"{form}.{language}.{style}.{number}",
            **_talk(data, form, language, style, draw, held_out),
        }


def _talk(data: Json, form: str, language: str, style: str, draw: random.Random, held_out: bool) -> Json:
    spec = data["forms"][form]
    worded = spec[language][style]
    known, kept_back = worded["parts"], worded["held_out"]
    chosen = [
        draw.choice(kept_back[at] if held_out and draw.random() < 0.6 else known[at])
        for at in range(len(known))
    ]
    chosen = [
        part for at, part in enumerate(chosen) if at == 0 or form != "visit_report" or draw.random() < 0.8
    ]
    values = _values(data["pools"][language], language, draw)
    said = [filled(part, {name: value for name, (value, _) in values.items()}) for part in chosen]
    ask = draw.choice(worded["ask"])
    text = worded["join"].join([ask, *said] if draw.random() < 0.35 and style != "hasty" else [*said, ask])
    named: set[str] = {_FIELDS.get(str(slot), str(slot)) for part in chosen for slot in _SLOT.findall(part)}
    wanted: Json = {
        "template": form,
        "language": language,
        "fields": {name: values[name][1] for name in spec["exact"] if name in named},
        "holds": {
            field: [
                values[slot][1] for slot, other in spec["holds"].items() if other == field and slot in named
            ]
            for slot, field in dict(spec["holds"]).items()
            if slot in named
        },
        "free": spec["free"],
    }
    other = _values(data["pools"][language], language, draw)
    then = [each for each in spec.get("then", {}).get(language, ()) if _changes(each, wanted, other)]
    if not then or draw.random() < 0.5:
        return {"turns": [text], "documents": [wanted]}
    return _changed(text, wanted, draw.choice(then), other)


def _changes(each: Json, wanted: Json, other: dict[str, Drawn]) -> bool:
    """Say whether a change is about a field that was told, and gives it another value."""
    told = {**wanted["fields"], **wanted["holds"]}
    if "drops" in each:
        return each["drops"] in told
    return all(
        name in told and told[name] not in (other[slot][1], [other[slot][1]])
        for name, slot in each["sets"].items()
    )


def _changed(text: str, wanted: Json, then: Json, values: dict[str, Drawn]) -> Json:
    """The talk with a second turn that gives a field another value, or takes it out."""
    turn = filled(then["turn"], {f"new_{name}": value for name, (value, _) in values.items()})
    fields, holds = dict(wanted["fields"]), dict(wanted["holds"])
    if "drops" in then:
        fields.pop(then["drops"], None)
        holds.pop(then["drops"], None)
    for name, slot in then.get("sets", {}).items():
        given = values[slot][1]
        fields, holds = (
            (fields, {**holds, name: [given]}) if name in holds else ({**fields, name: given}, holds)
        )
    return {"turns": [text, turn], "documents": [{**wanted, "fields": fields, "holds": holds, "version": 2}]}


_FIELDS = {
    "on_visited": "visited_on",
    "On_visited": "visited_on",
    "on_spent": "spent_on",
    "On_spent": "spent_on",
}


def _values(pools: Json, language: str, draw: random.Random) -> dict[str, Drawn]:
    ko = language == "ko"
    made: dict[str, Drawn] = {name: ((value := draw.choice(pool)), value) for name, pool in pools.items()}
    made["customer"] = made["hospital"]
    if not ko and made["todo"][0].startswith(("the ", "a ", "two ")):
        made["todo"] = (made["todo"][0], made["todo"][0].split(" ", 1)[1])
        made["matter"] = (made["matter"][0], made["matter"][0].removeprefix("the "))
    made["contact_only"] = made["contact"]
    behind, ahead = _day(language, draw, -1), _day(language, draw, 1)
    time = _time(language, draw)
    made["visited_on"] = made["spent_on"] = behind
    for name in ("visited", "spent"):
        on = behind[0] if behind[0].startswith(("last", "yesterday", "this")) else f"on {behind[0]}"
        made[f"on_{name}"], made[f"On_{name}"] = (on, behind[1]), (on[0].upper() + on[1:], behind[1])
    made["held_on"], made["held_at"] = ahead, time
    made["next_visit"] = (f"{ahead[0]} {'' if ko else 'at '}{time[0]}", f"{ahead[1]}T{time[1]}")
    people = draw.choice((4, 6, 8, 12, 24, 28, 35, 40))
    made["attendees"], made["participants"] = (str(people), people), (str(people), people)
    made["budget"] = _money(
        language, draw.choice((4_200_000, 5_400_000, 6_500_000, 10_000_000, 15_000_000)), draw
    )
    made["amount"] = _money(language, draw.choice((62_000, 115_000, 234_000, 175_000, 96_000)), draw)
    made["unit_price"] = _money(language, draw.choice((320, 450, 880, 1_250, 1_600)), draw)
    quantity = draw.choice((2_000, 4_500, 600, 12_000))
    made["quantity"] = (f"{quantity:,}", quantity)
    made["category"] = draw.choice(list(_MEALS[language].items()))
    return made


def _day(language: str, draw: random.Random, sign: int) -> Drawn:
    day = TODAY + timedelta(days=sign * draw.randint(2, 13) + (8 if sign > 0 else 0))
    weekday = _WEEKDAYS[day.weekday()]
    if language == "en":
        month = _MONTHS[day.month - 1]
        shown = [
            f"{day.day} {month}",
            f"{month} {day.day}",
            f"{day:%A} {day.day} {month}",
            f"{day:%a}, {month[:3]} {day.day}",
        ]
        return draw.choice(shown), day.isoformat()
    shown = [f"{day.month}월 {day.day}일", f"{day.month}/{day.day}", f"{day.month}월 {day.day}일({weekday})",
             f"{day.month}월 {day.day}일 {weekday}요일", f"{day.month}.{day.day}"]  # fmt: skip
    return draw.choice(shown), day.isoformat()


def _time(language: str, draw: random.Random) -> Drawn:
    hour, minute = draw.choice(((9, 30), (11, 0), (14, 0), (16, 0), (18, 30), (19, 0)))
    iso, half = f"{hour:02}:{minute:02}", hour - 12 if hour > 12 else hour
    if language == "en":
        end = "am" if hour < 12 else "pm"
        return draw.choice(
            [f"{half}:{minute:02} {end}", iso] + ([f"{half} {end}"] if not minute else [])
        ), iso
    part = "오전" if hour < 12 else "저녁" if hour > 17 else "오후"
    short = f"{part} {half}시" + (draw.choice((" 30분", " 반")) if minute else "")
    return draw.choice((short, f"{hour}시" + (f" {minute}분" if minute else ""), iso)), iso


def _money(language: str, amount: int, draw: random.Random) -> Drawn:
    shown = [f"{amount:,}원"] if language == "ko" else [f"{amount:,} won", f"KRW {amount:,}"]
    if language == "ko" and amount >= 10_000:
        high, low = divmod(amount, 10_000)
        tail = f" {low // 1000}천" if low and low % 1000 == 0 else ""
        shown += [f"{high:,}만{tail} 원", f"{high:,}만{tail}원"] if not low or tail else []
    if language == "en" and amount >= 1_000_000:
        shown += [f"{amount / 1_000_000:g} million won", f"KRW {amount / 1_000_000:g} million"]
    return draw.choice(shown), amount


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--form", default="")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args(argv)
    made = list(talks(asked.seed, asked.n, held_out=asked.held_out, only=asked.form))
    if asked.list:
        sys.stdout.writelines(
            f"{each['id']}\n{' ⏎ '.join(each['turns'])}\n{each['documents'][0]}\n" for each in made
        )
        return 0
    return asyncio.run(judge_all(made, TODAY))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
