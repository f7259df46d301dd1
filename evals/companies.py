"""Asks questions about drawn small companies, each with SQL of its own, with models inferred from their databases.

`python -m evals.companies --seeds 0-6 [--class NAME] [--lang ko|en] [--misses N]`

A meaning is a class with one SQL and several wordings in each language; one wording of each is drawn for a database.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from evals.judge import RIGHT, SAID
from evals.scores import Scored
from evals.strangers import Place, ask_file, dialogues_of
from evals.worlds.companies import Company, drawn, make

WORDINGS = Path(__file__).with_name("worlds") / "company_questions.yaml"
_NAME = re.compile(r"\[(\w+)(?:\.(\w+))?(?:!(\w+))?\]")


def questions(company: Company) -> Iterator[dict[str, Any]]:
    """Draw a wording in each language for every meaning, with the SQL in this database's names."""
    draw = random.Random(company.seed + 2)  # noqa: S311
    for name, one in yaml.safe_load(WORDINGS.read_text(encoding="utf-8")).items():
        golds = one["sql"] if isinstance(one["sql"], list) else [one["sql"]]
        for lang in ("ko", "en"):
            text = filled(draw.choice(one[lang]), company, lang)
            yield {
                "id": f"{company.seed}_{name}_{lang}", "lang": lang, "class": name, "question": text,
                "sql_alternatives": [sql_of(gold, company) for gold in golds], **({"ordered": True} if one.get("ordered") else {}),
            }  # fmt: skip


def sql_of(text: str, company: Company) -> str:
    """[job] is a table, [job.amount] a column, [job.done!day] its ISO date, [done!state] a stored state."""

    def named(found: re.Match[str]) -> str:
        first, part, how = found.groups()
        if how == "state":
            return f"'{company.state(int(first[-1]))}'"
        if how == "method":
            place = int(first[-1])
            return f"'M{place}'" if company.coded else f"'{company.values['method'][place]}'"
        if how == "value":
            return f"'{company.values[first[:-1]][int(first[-1])]}'"
        if part is None:
            return f'"{company.table(first)}"'
        column = f'{first}."{company.column(first, part)}"'
        if how == "named" and company.coded:
            return _named_codes(column, company)
        return company.day(column) if how == "day" else column

    aliased = re.sub(r"(?<=(?:FROM|JOIN) )\[(\w+)\]", lambda m: f"{m[0]} {m[1]}", text)
    return _NAME.sub(named, aliased)


def _named_codes(column: str, company: Company) -> str:
    """SQL of what the list of codes calls the code in a column."""
    return f'(SELECT code_name FROM "{company.table("codes")}" WHERE code = {column})'  # noqa: S608


def filled(text: str, company: Company, lang: str) -> str:
    """{job} is the word for it, {jobs} several, {done} what is said of its date, {kind0} a value, {state2} a state's name."""
    place = 0 if lang == "en" else 1
    said: dict[str, str] = {part: company.words[part][place] for part in company.words}
    said |= {
        f"{part}s": plural(company.words[part][0]) if lang == "en" else company.words[part][1]
        for part in company.words
    }
    for part in ("first", "done"):
        said[part] = company.columns[part][f"said_{lang}"][0]
        said[f"{part}_date"] = _date_words(company.columns[part], lang)
    said["due_date"] = _date_words(company.columns["due"], lang)
    said["amount"] = company.columns["amount"]["ko" if lang == "ko" else "en"].replace("_", " ")
    said["minutes"] = company.columns["minutes"][f"said_{lang}"]
    for part, values in company.values.items():
        said |= {f"{part}{n}": value for n, value in enumerate(values)}
    said |= {
        f"state{n}": company.states[lang][n] if not company.is_korean else company.states["ko"][n]
        for n in range(4)
    }
    return with_particles(text.format(**said))


def _date_words(column: dict[str, Any], lang: str) -> str:
    return str(column["ko"]) if lang == "ko" else re.sub(r"_(on|at|date)$", " date", column["en"])


def plural(word: str) -> str:
    return word if word in ("staff", "equipment") else re.sub(r"y$", "ie", word) + "s"


def with_particles(text: str) -> str:
    """은(는), 이(가), 을(를) by the sound before them."""

    def fitting(found: re.Match[str]) -> str:
        before, closed, open_ = found.groups()
        code = ord(before) - 0xAC00
        return before + (closed if 0 <= code < 11172 and code % 28 else open_)

    return re.sub(r"(.)(은|이|을)\((는|가|를)\)", fitting, text)


async def asked(seed: int, kept: str | None, lang: str | None) -> list[Scored]:
    company = drawn(seed)
    chosen = [
        one for one in questions(company) if kept in (None, one["class"]) and lang in (None, one["lang"])
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = make(seed, Path(folder))
        listed = Path(folder) / "questions.yaml"
        listed.write_text(yaml.safe_dump(chosen, allow_unicode=True), encoding="utf-8")
        return await ask_file(dialogues_of(listed), Place(file, "hanbit", date(2026, 11, 16), "infer"))


def table(rows: Sequence[tuple[str, list[Scored]]]) -> str:
    lines = ["| group | n | right | said | silently wrong |", "|---|---|---|---|---|"]
    for name, scored in rows:
        right, told = (sum(one.verdict == kind for one in scored) for kind in (RIGHT, SAID))
        n = len(scored)
        lines.append(f"| {name} | {n} | {right / n:.1%} | {told / n:.1%} | {(n - right - told) / n:.1%} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.companies", description=__doc__)
    parser.add_argument("--seeds", default="0-6", help="3, or 0-6")
    parser.add_argument("--class", dest="kept")
    parser.add_argument("--lang", choices=["ko", "en"])
    parser.add_argument("--misses", type=int, default=0)
    given = parser.parse_args(arguments)
    first, _, last = given.seeds.partition("-")
    found = [
        (drawn(seed).style, one)
        for seed in range(int(first), int(last or first) + 1)
        for one in asyncio.run(asked(seed, given.kept, given.lang))
    ]
    groups: dict[str, list[Scored]] = {"all": [one for _, one in found]}
    for style, one in found:
        for name in (f"language {one.language}", f"names {style}", one.cls):
            groups.setdefault(name, []).append(one)
    print(table(list(groups.items())))  # noqa: T201
    for style, one in [two for two in found if two[1].verdict != RIGHT][: given.misses]:
        print(f"- {one.verdict} {one.id} {style} «{one.question}» {one.why}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
