"""Which period a comparison is made with. Pure calendar arithmetic."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

from metaagent.data.semantic import texts
from metaagent.data.semantic.dialects import Shift
from metaagent.data.semantic.model import GRAINS
from metaagent.data.semantic.query import Period, SemanticQuery
from metaagent.errors import SemanticInvalid

_MONTHS = {"year": 12, "quarter": 3, "month": 1}
_DAYS = {"week": 7, "day": 1}


@dataclass(frozen=True)
class Compared:
    period: Period
    shift: Shift


def finest(query: SemanticQuery) -> str | None:
    """The finest part of time that a result is split by, if any."""
    grains = [name for name in query.dimensions if name in GRAINS]
    return max(grains, key=GRAINS.index) if grains else None


def _comparison(query: SemanticQuery) -> Compared | None:
    period, grain = query.period or Period(), finest(query)
    if query.comparison is None:
        return None
    if grain is None and (period.start is None or period.end is None):
        raise SemanticInvalid(texts.NEEDS_PERIOD)
    return compared(period, query.comparison, grain)


def compared_periods(query: SemanticQuery) -> tuple[Period | None, ...]:
    """The asked period, and the one that it is compared with, if it is."""
    before = _comparison(query)
    return (query.period,) if before is None else (query.period, before.period)


def shift_of(query: SemanticQuery) -> Shift | None:
    before = _comparison(query)
    return None if before is None else before.shift


def compared(period: Period, comparison: str, grain: str | None) -> Compared:
    """The period before `period`. `grain` is the finest part of time that the result is split by, if any."""
    shift = _shift(period, comparison, grain)
    start = None if period.start is None else back(period.start, shift)
    end = None if period.end is None else back_end(period.end, shift)
    return Compared(Period(start=start, end=end), shift)


def _shift(period: Period, comparison: str, grain: str | None) -> Shift:
    if comparison == "same_period_last_year":
        return Shift(days=364) if grain == "week" else Shift(months=12)
    unit = grain or _own_grain(period)
    if unit in _MONTHS:
        return Shift(months=_MONTHS[unit])
    if unit in _DAYS:
        return Shift(days=_DAYS[unit])
    months = whole_months(period)
    if months:
        return Shift(months=months)
    assert period.start is not None
    assert period.end is not None
    return Shift(days=(period.end - period.start).days + 1)


def _own_grain(period: Period) -> str | None:
    """'This month so far' goes with the month before; two whole months go with the two before."""
    if period.grain is None or whole_months(period):
        return None
    assert period.start is not None
    assert period.end is not None
    span = {"week": 7, "month": 31, "quarter": 92, "year": 366, "day": 1}[period.grain]
    return period.grain if (period.end - period.start).days < span else None


def whole_months(period: Period) -> int:
    """How many, if the period is made of whole months, else 0."""
    start, end = period.start, period.end
    if start is None or end is None or start.day != 1 or (end + timedelta(days=1)).day != 1:
        return 0
    return (end.year - start.year) * 12 + end.month - start.month + 1


def back(day: date, shift: Shift) -> date:
    if shift.days:
        return day - timedelta(days=shift.days)
    month = day.year * 12 + day.month - 1 - shift.months
    year, month = month // 12, month % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def back_end(day: date, shift: Shift) -> date:
    """The end of a month goes to the end of a month: 30 April and 28 February to 31 March and 31 January."""
    moved = back(day, shift)
    if shift.months and (day + timedelta(days=1)).day == 1:
        return moved.replace(day=calendar.monthrange(moved.year, moved.month)[1])
    return moved
