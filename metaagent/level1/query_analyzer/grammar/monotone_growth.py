"""Things whose figure rose, or fell, in every month: each month of the period is set against the one before it."""

from __future__ import annotations

from datetime import date
from typing import Any

from metaagent.language import calendar as cal
from metaagent.language.calendar import Range
from metaagent.level1.query_analyzer.grammar.meaning import Condition, Node, Span, replace

Plain = dict[str, Any]
UNITS = ("week", "month", "quarter", "year")
MARK = "steady:"
MOST = 10
"""Steps of one question; a request holds no more figures."""


def growth(unit: str, times: int = 0) -> str:
    """The growth of a condition that holds for every unit; `times`: for so many of them, one after the other."""
    return f"{MARK}{unit}:{times}"


def condition(node: Node) -> Condition | None:
    return next((one for one in node.having if one.growth.startswith(MARK)), None)


def spanned(node: Node, today: date) -> Node:
    """The phrase with the whole stretch as its period: from July to October, or the year so far."""
    held = condition(node)
    assert held is not None
    _, unit, times = held.growth.split(":")
    if isinstance(node.base, Span) and node.period is not None:  # from July to October
        first, last = sorted((node.base, node.period), key=lambda span: span.first)
        node = replace(node, base=None, period=Span(first.first, last.last, node.period.label))
    if node.period is not None and node.base is None:
        return replace(node, period=_with_one_before(node.period, unit, int(times)))
    if node.period is not None or node.base is not None:
        return node
    if int(times):
        return replace(node, period=_back(unit, int(times) + 1, today))
    year = cal.relative_range("year", 0, today)
    return replace(node, period=Span(year.first, today))


def _with_one_before(span: Span, unit: str, times: int) -> Span:
    """September and October, two months in a row: each against the one before, so that August belongs to them."""
    first, last = cal.relative_range(unit, 0, span.first), cal.relative_range(unit, 0, span.last)
    whole = first.first == span.first and last.last == span.last
    named = whole and cal.relative_range(unit, -(times - 1), span.last).first == span.first
    return replace(span, first=cal.relative_range(unit, -1, span.first).first) if times and named else span


def _back(unit: str, count: int, today: date) -> Span:
    """So many finished units up to now."""
    last = cal.relative_range(unit, -1, today)
    return Span(cal.relative_range(unit, -count, today).first, last.last)


def steps(span: Span, unit: str, until: date) -> list[tuple[Range, Range]]:
    """Each finished unit of the period with the one before it, which lies in the period too."""
    units: list[Range] = []
    day = span.first
    while day <= min(span.last, until) and len(units) <= MOST + 1:
        one = cal.relative_range(unit, 0, day)
        if one.first >= span.first and one.last <= min(span.last, until):
            units.append(one)
        day = cal.add_days(one.last, 1)
    return list(zip(units[1:], units, strict=False))


def as_figures(held: Condition, node: Node, until: date) -> tuple[list[Plain], list[Plain]] | None:
    """The differences of one unit from the one before, and the conditions on them; None where there are none, or too many."""
    _, unit, _ = held.growth.split(":")
    found = steps(node.period, unit, until) if node.period else []
    if not found or len(found) > MOST:
        return None
    derived = [
        {
            "name": f"{held.column}__difference__{own.first:%Y%m%d}",
            "kind": "difference",
            "numerator": {"metric": held.column, "period": _period(own)},
            "denominator": {"metric": held.column, "period": _period(before)},
        }
        for own, before in found
    ]
    return derived, [{"column": one["name"], "op": held.op, "values": [0.0]} for one in derived]


def _period(span: Range) -> Plain:
    return {"start": span.first.isoformat(), "end": span.last.isoformat()}
