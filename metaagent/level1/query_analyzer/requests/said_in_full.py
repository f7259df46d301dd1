"""Requests that take a condition or a period from the turn before, with both said in full: "the same rule for Busan, with a
threshold of 90 million", "put the visits of that month into a report". Pure.

Such a request is read as the one that it stands for, so that whoever writes the report judges the condition by the new figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.entities import NAMED
from metaagent.level1.query_analyzer.requests.moods import KOREAN
from metaagent.values import mapping

Plain = dict[str, Any]
Edit = tuple[int, int, str]
_SAME_RULE = regex(
    r"\b(?:the )?(?:same|identical) (?:rule|condition|criterion|criteria|test|logic|deal|terms|procedure|instructions?)\b"
    r"|(?:같은|똑같은|동일한)\s?(?:조건|기준|규칙|원칙|방식)|(?:조건|기준|규칙)(?:은|는)?\s?(?:같|똑같|동일|그대로)"
)
_AMOUNT = regex(
    r"(?:(?i:krw)\s?|₩\s?)?\d[\d,.]*\s?(?:(?:(?i:thousand|million|billion|m|bn|k)\b|[천백]만|[천만억조])\s?)+(?:(?i:won)\b|원)?"
)
_UNIT = regex(r"\s?(?:won|원)\Z")
_THAT_TIME = regex(
    r"(?:(?:(?<=of )|(?<=for )|(?<=in )|(?<=during ))?\b(?:that|the same) (?:month|quarter|period|week)(?:'s|’s)?)"
    r"|(?<![가-힣])(?:그|같은)\s?(?:달|분기|기간|주)(?=에는|에|의|엔|\s)"
)
_REPORT = regex(r"보고서|리포트|문서|\b(?:report|document|memo|write-?up)\b")


def in_full(question: str, previous: Mapping[str, Any] | None, read: Callable[[str], Plain]) -> str:
    """The request with what it takes from the turn before; as it is where it takes nothing that is known."""
    if previous is None or len(question.lower()) != len(question):
        return question
    text = question.lower()
    if _SAME_RULE.search(text):
        return _of_rule(question, previous, read) or question
    found = _THAT_TIME.search(text) if _REPORT.search(text) else None
    period = mapping(mapping(previous.get("resolved")).get("period"))
    if found is None or not period.get("start") or period.get("whole"):
        return question
    korean = KOREAN.search(found[0]) is not None
    named = _named(date.fromisoformat(str(period["start"])), date.fromisoformat(str(period["end"])), korean)
    owned = "'s" if found[0].endswith(("'s", "’s")) else ""
    return f"{question[: found.start()]}{named}{owned}{question[found.end() :]}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def _named(first: date, last: date, korean: bool) -> str:
    whole = first.day == 1 and (last.year, last.month) == (first.year, first.month) and last.day >= 28
    if not whole:
        return f"{first}~{last}"
    return f"{first.year}년 {first.month}월" if korean else f"{_MONTHS[first.month - 1]} {first.year}"


_OF = regex(r"(?:of|for|in|at|from|by)\s")


def _named_as(before: str, place: tuple[int, int], said: str) -> Edit:
    """A name in the place of another one, without the word that joins them to the rest."""
    old, new = _OF.match(before.lower(), *place), _OF.match(said.lower())
    start = old.end() if old else place[0]
    return start, place[1], said[new.end() if new else 0 :]


def _of_rule(question: str, previous: Mapping[str, Any], read: Callable[[str], Plain]) -> str | None:
    """The request before under a condition, with the names, the period and the amount that are new; None where one of them has
    no place in it."""
    # A request without a condition needs nothing of documents.
    from metaagent.documents.conditions import condition_of

    before = str(previous.get("in_full") or previous.get("raw_query") or "")
    condition = condition_of(before)
    if condition is None:
        return None
    at = before.find(condition.text)
    old = [read(before), read(" " * at + condition.text)] if at >= 0 else [read(before)]
    edits: list[Edit] = []
    for each in read(question)["extracted_entities"]:
        if each["type"] not in (*NAMED, "period"):
            continue
        places = {
            (int(one["span"][0]), int(one["span"][1]))
            for reading in old
            for one in reading["extracted_entities"]
            if one["type"] == each["type"]
        }
        if len(places) != 1:
            return None
        edits += [_named_as(before, place, question[slice(*each["span"])]) for place in places]
    amounts = [match[0] for match in _AMOUNT.finditer(question)]
    set_against = _AMOUNT.search(before, at) if at >= 0 and condition.amount is not None else None
    if amounts and (set_against is None or len(amounts) > 1):
        return None
    if amounts and set_against is not None:
        unit = _UNIT.search(set_against[0].rstrip())
        said = amounts[0].strip()
        edits.append(
            (
                set_against.start(),
                set_against.start() + len(set_against[0].rstrip()),
                said if unit is None or _UNIT.search(said) else f"{said}{unit[0]}",
            )
        )
    for start, end, said in sorted(edits, reverse=True):
        before = f"{before[:start]}{said}{before[end:]}"
    return before if edits else None
