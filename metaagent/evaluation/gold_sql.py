"""Questions with gold SQL: reading them, their periods, and whether two results are the same.

The whole way counts: the question is read, made into a semantic query, compiled, run, and its rows are compared with
those of the SQL that a person wrote.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import yaml

from metaagent.demo.rows import months_back
from metaagent.errors import DataUnavailable, Text

Rows = list[tuple[Any, ...]]
Span = tuple[date, date]


@dataclass(frozen=True)
class Question:
    id: str
    split: str
    language: str
    question: str
    sql: str
    resolved: dict[str, Any] = field(default_factory=dict[str, Any])
    period: str | None = None
    against: str | None = None
    ordered: bool = False
    params: dict[str, str] = field(default_factory=dict[str, str])


def spans(now: date) -> dict[str, Span]:
    """The parts of time that questions name, seen from `now`: apart from the code under test."""
    month, quarter = months_back(now, 0), months_back(now, (now.month - 1) % 3)
    monday = now - timedelta(days=now.weekday())
    year = now.year

    def months(first: date, count: int) -> Span:
        return first, months_back(first, -count) - timedelta(days=1)

    return {
        "yesterday": (now - timedelta(days=1), now - timedelta(days=1)),
        "last_week": (monday - timedelta(days=7), monday - timedelta(days=1)),
        "week_before_last": (monday - timedelta(days=14), monday - timedelta(days=8)),
        "last_month": months(months_back(month, 1), 1),
        "month_before_last": months(months_back(month, 2), 1),
        "last_month_year_ago": months(months_back(month, 13), 1),
        "last_quarter": months(months_back(quarter, 3), 3),
        "quarter_before_last": months(months_back(quarter, 6), 3),
        "last_quarter_year_ago": months(months_back(quarter, 15), 3),
        "this_year": (date(year, 1, 1), date(year, 12, 31)),
        "last_year": (date(year - 1, 1, 1), date(year - 1, 12, 31)),
        "first_half_last_year": (date(year - 1, 1, 1), date(year - 1, 6, 30)),
        "march_last_year": (date(year - 1, 3, 1), date(year - 1, 3, 31)),
    }


def questions(file: Path, now: date) -> list[Question]:
    """The questions as asked on `now`, with the values of the parameters of their SQL."""
    known = spans(now)
    found: list[Question] = []
    for raw in yaml.safe_load(file.read_text(encoding="utf-8"))["questions"]:
        one = Question(**raw)
        params: dict[str, str] = {}
        resolved = dict(one.resolved)
        for name, prefix in ((one.period, ""), (one.against, "prev_")):
            if name is not None:
                start, end = known[name]
                params |= {f"{prefix}start": start.isoformat(), f"{prefix}end": end.isoformat()}
        if one.period is not None:
            resolved["period"] = {"start": params["start"], "end": params["end"]}
        text = one.question.format(ly=now.year - 1)
        found.append(replace(one, question=text, resolved=resolved, params=params))
    return found


def gold(connection: sqlite3.Connection, one: Question, tenant: str | None) -> Rows:
    return connection.execute(one.sql, {"tenant": tenant, **one.params}).fetchall()


def same(got: Rows, expected: Rows, *, ordered: bool = False) -> bool:
    """The same values: floats within rounding, order only where it was asked for."""
    if len(got) != len(expected):
        return False
    if not ordered:
        got, expected = sorted(got, key=_sortable), sorted(expected, key=_sortable)
    return all(
        len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=True))
        for a, b in zip(got, expected, strict=True)
    )


Read = Callable[[Question], Awaitable[dict[str, Any]]]
_ASKED = Text(en="it asked back: {question}", ko="되물음: {question}")


async def score_questions(
    asked: Iterable[Question],
    expected: Callable[[Question], Rows],
    read: Read,
    answer: Callable[[dict[str, Any]], Awaitable[Rows]],
) -> list[tuple[Question, str]]:
    """The questions whose text did not lead to the gold rows, with what happened."""
    wrong: list[tuple[Question, str]] = []
    for one in asked:
        try:
            reading = await read(one)
            if reading["clarification_needed"]:
                raise DataUnavailable(_ASKED, question=reading["ambiguities"][0]["question"])
            got = await answer(reading)
        except Exception as error:  # noqa: BLE001 - whatever happens is a wrong answer, told with its reason
            wrong.append((one, f"{type(error).__name__}: {error}"))
            continue
        truth = expected(one)
        if not same(got, truth, ordered=one.ordered):
            wrong.append((one, f"got {got[:3]}, expected {truth[:3]}"))
    return wrong


def _sortable(row: tuple[Any, ...]) -> list[tuple[int, str, float]]:
    return [
        (0, "", 0.0) if v is None else (1, v, 0.0) if isinstance(v, str) else (2, "", round(float(v), 6))
        for v in row
    ]


def _equal(a: Any, b: Any) -> bool:
    if a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return a == b
    return math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-9)


def score(
    asked: Iterable[Question], expected: Callable[[Question], Rows], answer: Callable[[Question], Rows]
) -> list[tuple[Question, str]]:
    """The questions that went wrong, with what happened. An error is a wrong answer."""
    wrong: list[tuple[Question, str]] = []
    for one in asked:
        try:
            got = answer(one)
        except Exception as error:  # noqa: BLE001 - whatever happens is a wrong answer, told with its reason
            wrong.append((one, f"{type(error).__name__}: {error}"))
            continue
        truth = expected(one)
        if not same(got, truth, ordered=one.ordered):
            wrong.append((one, f"got {got[:3]}, expected {truth[:3]}"))
    return wrong
