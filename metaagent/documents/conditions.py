"""Reports that are only wanted if the figures are so: "지난달 매출이 9월보다 줄었으면 보고서 써줘". Pure.

A condition is judged by the dataset that the report would be made of: by the sign of its difference to the compared period, or
by its one figure beside an amount. Where the dataset cannot say, nobody guesses: the report is written and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from metaagent.documents.fields import read_amount
from metaagent.values import rows, sequence

_FELL = r"줄었|줄어들었|감소했|감소하였|떨어졌|하락했|적었|낮았|부진했"
_ROSE = r"늘었|늘어났|증가했|증가하였|올랐|상승했|많았|높았|성장했"
_IF_KO = r"(?:으면|다면|을\s?(?:때|경우)|거든)"
_AMOUNT = r"(\d[\d,.]*\s?(?:천만|백만|[천만억조])?(?:\s?\d[\d,]*\s?(?:천만|백만|[천만]))?)\s?원?(?:을|를|이|가|보다)?\s?"
_KOREAN = re.compile(
    rf"(?P<down>{_FELL}){_IF_KO}|(?P<up>{_ROSE}){_IF_KO}"
    rf"|{_AMOUNT}(?:(?P<above>넘었?으?면|넘었다면|넘[기겼](?:으면|다면|면)|넘는다면|웃돌(?:면|았으면|았다면)|초과하?면|초과했으면|이상이?면|이상이었으면|(?:초과|이상)(?:일|인)\s?(?:때|경우)|넘[을는]\s?(?:때|경우))|(?P<below>미만이?면|이하이?면|(?:미만|이하)(?:일|인)\s?(?:때|경우)|밑돌(?:면|았으면|았다면)|미달이?면|안\s?(?:되면|됐으면|됐다면)|못\s?(?:미치면|미쳤으면|넘[기겼]?(?:으면|면)|넘었으면)))"
)
_IF_EN = (
    r"\b(?:if|in case|provided|only when|when|unless(?=[^.;\n]*\b(?:no need|no report|don't|do not)\b))\b"
)
"""Begins of a condition; a report that is not wanted unless it is so is wanted if it is."""
_ENGLISH = re.compile(
    rf"{_IF_EN}[^.;\n]{{2,100}}?\b(?:"
    r"(?P<down>lower|less|smaller|fell|fall|falls|dropped|down|declined|decreased|shrank|worse)"
    r"|(?P<up>higher|greater|rose|grew|up|increased|better|bigger))\b"
    r"(?!\s(?:than\s)?(?:krw\s?|₩\s?)?\d)"
    rf"|{_IF_EN}[^.;\n]{{2,100}}?\b"
    r"(?:(?P<above>above|over|exceed|exceeds|exceeded|more than|greater than|higher than)"
    r"|(?P<below>below|under|less than|lower than))\s(?:krw\s?|₩\s?)?(\d[\d,.]*\s?(?:thousand|million|billion)?)",
    re.IGNORECASE,
)
Side = Literal["down", "up", "above", "below"]


@dataclass(frozen=True)
class Condition:
    """A side on which the figure must be: of the compared period, or of an amount."""

    side: Side
    amount: float | None
    text: str


def condition_of(question: str) -> Condition | None:
    """The condition under which a report is asked for."""
    question = turned(question)
    found = _KOREAN.search(question) or _ENGLISH.search(question)
    if found is None:
        return None
    sides: tuple[Side, ...] = ("down", "up", "above", "below")
    side: Side = next(each for each in sides if found[each])
    said = next((each for each in reversed(found.groups()) if each and each[0].isdigit()), None)
    amount = read_amount(said) if said and side in ("above", "below") else None
    return Condition(side, amount, found[0].strip())


_OTHERWISE_KO = re.compile(
    r"(?:고|[,.;])\s*(?:그게\s|만약\s)?(?:(?:안|못)\s?[가-힣]+면|아니면|아니라면|그렇지\s?않(?:으면|다면)|[^,.;]{0,30}?[가-힣]면)\s"
)
_OTHERWISE_EN = re.compile(
    r"[,;.]?\s+(?:but\s|and\s)?(?:otherwise|if not|or else|if it (?:didn't|wasn't))\b,?\s+", re.IGNORECASE
)
FIGURE = re.compile(
    r"금액|수치|숫자|값만|결과만|액수|건수|\b(?:figures?|numbers?|amounts?|totals?|sum)\b", re.IGNORECASE
)
MAKES = re.compile(
    r"보고서|리포트|문서|저장|보관|작성|점검|\b(?:report|document|memo|stor\w*|sav\w*|archiv\w*|fil(?:e|ing)|check|write)\b",
    re.IGNORECASE,
)
_TURNED_KO = {"down": "늘었으면", "up": "줄었으면", "above": "이하이면", "below": "이상이면"}
_TURNED_EN = {"down": "higher", "up": "lower", "above": "below", "below": "above"}


def turned(question: str) -> str:
    """The question with its branches the other way round where the first one wants no more than the figure: "the figure if it is
    above 10, otherwise a report" is "if it is below 10, a report"."""
    korean = _KOREAN.search(question)
    found = korean or _ENGLISH.search(question)
    if found is None:
        return question
    side = next(each for each in _TURNED_EN if found[each])
    other = (_OTHERWISE_KO if korean else _OTHERWISE_EN).search(question, found.end())
    if other is None:
        return question
    first = question[found.end() : other.start()] + ("" if korean else question[: found.start()])
    rest = question[other.end() :]
    if MAKES.search(first) or not FIGURE.search(first) or not MAKES.search(rest):
        return question
    if korean:
        return f"{question[: found.start(side)]}{_TURNED_KO[side]} {rest}"
    condition = f"{question[found.start() : found.start(side)]}{_TURNED_EN[side]}{question[found.end(side) : other.start()]}"
    return f"{condition.split(',')[0]}, {rest}"


def is_met(condition: Condition, data: Mapping[str, Any]) -> bool | None:
    """Say whether the figures are so; None where they do not tell."""
    table = [sequence(row) for row in sequence(data.get("rows"))]
    wanted = "difference" if condition.amount is None else "metric"
    places = [at for at, column in enumerate(rows(data.get("columns"))) if column.get("kind") == wanted]
    if len(table) != 1 or len(places) != 1:
        return None
    return _beside(condition, table[0], places[0])


def _beside(condition: Condition, row: Sequence[Any], place: int) -> bool | None:
    value = row[place] if place < len(row) else None
    if not isinstance(value, int | float):
        return None
    beside = condition.amount or 0
    return value > beside if condition.side in ("up", "above") else value < beside
