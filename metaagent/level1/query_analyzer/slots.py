"""Slots that an intent or a document needs: filled from the question, answers and earlier turns, checked, asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from metaagent.errors import Text
from metaagent.language import amounts
from metaagent.language.days import days_in
from metaagent.language.open_answers import leaves_open
from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.domain import Domain, Lexicon, SemanticVocabulary, Slot
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.words.lexicon import misspelt, phrasebook
from metaagent.level1.query_analyzer.words.source import Source, key_of, read

Plain = dict[str, Any]
FindName = Callable[[str, str], str | None]
"""(type, text) → the known name of that type in the text."""

_MISSING = Text(en="'{slot}' is needed and not known yet", ko="필요한 값({slot})을 아직 모릅니다")
_OUT_OF_RANGE = Text(
    en="{value} is outside the allowed range {low} to {high}",
    ko="{value}은(는) 허용 범위 {low}~{high}을(를) 벗어납니다",
)
_NOT_UNDERSTOOD = Text(
    en="'{answer}' could not be read as {wanted}", ko="'{answer}'을(를) {wanted}(으)로 읽을 수 없습니다"
)
_WANTED = {
    "date": Text(en="a date, such as 3 December", ko="날짜(예: 12월 3일)"),
    "integer": Text(en="a count, such as 30", ko="수(예: 30{unit})"),
    "number": Text(en="a number, such as 30", ko="숫자(예: 30{unit})"),
    "money": Text(en="an amount, such as 3,000,000 won", ko="금액(예: 300만 원)"),
    "choice": Text(en="one of the options", ko="보기 중 하나"),
    "text": Text(en="an answer", ko="답"),
}
LONGEST_SHOWN = 80


@dataclass(frozen=True)
class SlotProblem:
    slot: Slot
    reason: str
    value: Any = None


def _number(slot: Slot, text: str) -> float | int | None:
    """The last number of a text that counts in the slot's own unit, or in none."""
    kinds = ("money", "quantity", "number") if slot.type == "money" else ("quantity", "number")
    found = [
        amount
        for amount in amounts.find(text, bare=True)
        if amount.kind in kinds and isinstance(amount.value, (int, float)) and _counts(slot, amount)
    ]
    fitting = [amount for amount in found if amount.unit is not None] or found
    value = fitting[-1].value if fitting else None
    return value if isinstance(value, (int, float)) else None


def _counts(slot: Slot, amount: amounts.Amount) -> bool:
    if slot.type == "money":
        return amount.kind == "money" or amount.unit is None
    return amount.unit is None or not slot.units or amount.unit in slot.units


def _choice(slot: Slot, text: str) -> str | None:
    key = key_of(text)
    for value, option_words in slot.options.items():
        if any(key_of(word) in key for word in option_words):
            return value
    if key.isdigit() and 1 <= int(key) <= len(slot.options):
        return list(slot.options)[int(key) - 1]
    book = (
        phrasebook(Domain(name="", intents=(), slots={slot.name: slot}), SemanticVocabulary(), Lexicon())
        if slot.options
        else None
    )
    near = misspelt(book, key) if book else None
    return str(near[0][0].normalized) if near else None


_TAIL = regex(r"(?:으로|로|에서|에|을|를|은|는)?(?:이요|요|이에요|에요|예요|입니다|이야|야)?\Z")


def _phrase(text: str) -> str | None:
    """The noun of a short answer: 오사카로 갈래요 → 오사카. Endings that may belong to the noun (하와이) stay."""
    words = text.strip(" .!?~\n\t").split()
    if not words:
        return None
    if words[0].isascii() or len(words) > 3:
        return " ".join(words)[:200]
    return (_TAIL.sub("", words[0]) or words[0])[:200]


def read_answer(slot: Slot, answer: str, today: date) -> Any:
    """An answer to the slot's own question as a value, or None."""
    text = read(answer).text
    if slot.type in ("integer", "number", "money"):
        value = _number(slot, text)
        return int(value) if slot.type == "integer" and value is not None and value == int(value) else value
    if slot.type == "date":
        found = days_in(text, today, ahead=True)
        return found[-1].day.isoformat() if found else None
    if slot.type == "choice":
        return _choice(slot, text)
    return _phrase(answer)


def fits(slot: Slot, entity: Entity) -> Any:
    """The part that an entity of the question says about the slot, or None."""
    if entity.extra.get("replaced") or entity.normalized is None:
        return None
    if slot.type == "money":
        return (
            entity.normalized if entity.type == "money" and not isinstance(entity.normalized, list) else None
        )
    if slot.type in ("integer", "number"):
        fits = entity.type == "quantity" and entity.extra.get("unit") in slot.units
        return entity.normalized if fits and not isinstance(entity.normalized, list) else None
    if slot.type == "date":
        return entity.extra["start"] if entity.type == "period" and entity.extra["unit"] == "day" else None
    if slot.type == "choice":
        return entity.normalized if entity.extra.get("slot") == slot.name else None
    return entity.extra.get("name", entity.normalized) if slot.entity and entity.type == slot.entity else None


_MINUS = regex(r"(?:마이너스|minus)\s?\Z")


def _day_ahead(entities: Sequence[Entity], source: Source, today: date) -> str | None:
    """The day of a thing to come that these entities name: 12월 첫째 주 금요일."""
    spans = [(e.start, e.end) for e in entities if e.type == "period" and not e.extra.get("replaced")]
    found = [
        each.day.isoformat()
        for each in days_in(source.text, today, ahead=True)
        if not each.deadline
        and (
            any(start < each.end and each.start < end for start, end in spans)
            if spans
            else each.day >= today and re.search(r"\d", source.text[each.start : each.end])  # 12.3
        )
    ]
    return found[0] if found else None


_EACH_BEFORE = regex(r"(?:인당|1인|명당|per person|per head)\s?\Z")
_EACH_BEHIND = regex(r"\s?(?:씩|per person|per head|a head|each|apiece)")


def _for_each(slot: Slot, entity: Entity, source: Source) -> bool:
    """Say whether an amount of money is for each person: 인당 8만 원 is no budget."""
    if slot.type != "money":
        return False
    before, behind = source.text[: entity.start], source.text[entity.end :]
    return _EACH_BEFORE.search(before) is not None or _EACH_BEHIND.match(behind) is not None


def _signed(value: Any, entity: Entity, source: Source) -> Any:
    below = isinstance(value, int | float) and _MINUS.search(source.text[: entity.start])
    return -value if below else value


def _labelled(slot: Slot, source: Source) -> Any:
    """`목적지는 제주`, `Attendees: 32`: a slot by its label."""
    if slot.type in ("integer", "money"):
        return _labelled_number(slot, source.text)
    if slot.type != "text":
        return None
    for label in slot.labels:
        at = source.text.find(label.lower())
        if at >= 0:
            rest = source.raw[source.span(at, at + len(label))[1] :].lstrip(" :은는이가")
            return _phrase(rest.split(",")[0]) if rest else None
    return None


def _labelled_number(slot: Slot, text: str) -> float | int | None:
    """The number right behind the slot's label."""
    names = "|".join(re.escape(label.lower()) for label in sorted(slot.labels, key=len, reverse=True))
    behind = rf"(?<![가-힣\w])(?:{names})(?:은|는|이|가|수)?\s?(?:[:=-]|is|are)?\s?(?:약|총|about|around)?\s?(?=[₩\dk])"
    found = re.search(behind, text) if names else None
    return (
        _number(slot, re.split(r"\n|,(?!\d)|\s/|[.;](?=\s|$)", text[found.end() : found.end() + 20])[0])
        if found
        else None
    )


def _problem(slot: Slot, value: Any, language: str) -> str | None:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    low, high = slot.low, slot.high
    if (low is not None and value < low) or (high is not None and value > high):
        unit = slot.units[0] if slot.units and language == "ko" else ""
        shown = {
            name: f"{bound:,}{unit}" if bound is not None else "-"
            for name, bound in (("low", low), ("high", high))
        }
        return _OUT_OF_RANGE.say(language, value=f"{value:,}{unit}", **shown)
    return None


def _not_understood(slot: Slot, answer: str, language: str) -> str:
    unit = slot.units[0] if slot.units else ""
    wanted = _WANTED.get(slot.type, _WANTED["text"]).say(language, unit=unit)
    return _NOT_UNDERSTOOD.say(language, answer=answer[:LONGEST_SHOWN], wanted=wanted)


def collect(
    wanted: Sequence[tuple[Slot, Sequence[Entity]]],
    source: Source,
    answers: Mapping[str, str],
    earlier: Mapping[str, Any],
    today: date,
    language: str,
    find_name: FindName,
) -> tuple[dict[str, Plain], SlotProblem | None]:
    """Values of the slots (newest wins: answer, question, earlier turn) and the first thing to ask for. Each slot comes with
    the entities that can fill it."""
    values: dict[str, Plain] = {}
    problem: SlotProblem | None = None
    for slot, entities in wanted:
        if leaves_open(answers.get(slot.name, "")):
            values[slot.name] = {"value": None, "source": "left"}
            continue
        value, origin, reason = _value(slot, entities, source, answers, earlier, today, language, find_name)
        if value is None:
            reason = reason or (_MISSING.say(language, slot=slot.name) if slot.required else None)
        else:
            out = _problem(slot, value, language)
            if out is None:
                values[slot.name] = {"value": value, "source": origin}
            reason = out or reason
        if reason and slot.name not in values and problem is None:
            problem = SlotProblem(slot, reason, value)
    return values, problem


def _value(
    slot: Slot,
    entities: Sequence[Entity],
    source: Source,
    answers: Mapping[str, str],
    earlier: Mapping[str, Any],
    today: date,
    language: str,
    find_name: FindName,
) -> tuple[Any, str, str | None]:
    if slot.name in answers:
        named = find_name(slot.entity, answers[slot.name]) if slot.entity else None
        value = named or read_answer(slot, answers[slot.name], today)
        missing = _not_understood(slot, answers[slot.name], language) if value is None else None
        return value, "answer", missing
    if slot.type == "date" and (day := _day_ahead(entities, source, today)):
        return day, "question", None
    said = [
        _signed(value, entity, source)
        for entity in entities
        if (value := fits(slot, entity)) is not None and not _for_each(slot, entity, source)
    ]
    value = said[-1] if said else _labelled(slot, source)
    if value is not None:
        return value, "question", None
    before = earlier.get(slot.name)
    return (before["value"], "previous", None) if before else (None, "", None)
