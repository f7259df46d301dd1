"""Pure calendar arithmetic: the period that a comparison is made with, and how many days or months a period has."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.dialects import Shift, start_of
from metaagent.data.semantic.model import GRAINS
from metaagent.data.semantic.query import Period, SemanticQuery
from metaagent.errors import SemanticInvalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from metaagent.data.semantic.query import Unit

Span = tuple[date, date]
"""The first and the last day that have data."""

QUIET_DAYS = 7
_QUIET_SHARE = 0.03
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


def compared_periods(
    query: SemanticQuery, covered: Mapping[str, Span] | None = None
) -> tuple[Period | None, ...]:
    """The asked period and, if any, the one that it is compared with: equal days, all of which can have data."""
    before = _comparison(query)
    if before is None:
        return (query.period,)
    span = common_span(query, covered)
    if query.period is None or span is None:
        return query.period, before.period
    return _clipped(query.period, before, span)


def common_span(query: SemanticQuery, covered: Mapping[str, Span] | None) -> Span | None:
    """The days for which every figure of the query has data, if these are known."""
    sides = [side for one in query.derived for side in (one.numerator, one.denominator, one.whole) if side]
    names = [*query.metrics, *(name for side in sides for name in (side.of, side.metric) if name)]
    spans = [covered[name] for name in names if name in covered] if covered else []
    if not spans:
        return None
    first, last = max(one[0] for one in spans), min(one[1] for one in spans)
    return (first, last) if first <= last else None


def _is_quiet(start: date, last: date, end: date) -> bool:
    """Tell whether the days after the last row are few: a month that ended on a Sunday without a visit is a whole one."""
    return (end - last).days <= max(QUIET_DAYS, (end - start).days * _QUIET_SHARE)


def _clipped(period: Period, before: Compared, span: Span) -> tuple[Period, Period]:
    """An unfinished period ends where its data ends, and so does the compared one; likewise at the beginning."""
    first, last = span
    start, end = period.start, period.end
    if start and end and start <= last < end and not _is_quiet(start, last, end):
        end = last
    if start and end and before.period.start and before.period.start < first:
        # The first days of the compared period have no data: leave the same days out of the asked one.
        late = start + (first - before.period.start)
        start = late if first <= _back_to(end, before.shift) and late <= end else start
    if (start, end) == (period.start, period.end):
        return period, before.period
    asked = period.model_copy(update={"start": start, "end": end})
    return asked, Period(
        start=None if start is None else back(start, before.shift),
        end=None if end is None else _back_to(end, before.shift),
    )


def shift_of(query: SemanticQuery) -> Shift | None:
    before = _comparison(query)
    return None if before is None else before.shift


def compared(period: Period, comparison: str, grain: str | None) -> Compared:
    """The period before `period`. `grain` is the finest part of time that the result is split by, if any."""
    shift = _shift(period, comparison, grain)
    start = None if period.start is None else back(period.start, shift)
    end = None if period.end is None else _back_to(period.end, shift)
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
    """Count the months, if the period is made of whole ones, else 0."""
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


def _back_to(day: date, shift: Shift) -> date:
    """The end of a month goes to the end of a month: 30 April and 28 February to 31 March and 31 January."""
    moved = back(day, shift)
    if shift.months and (day + timedelta(days=1)).day == 1:
        return moved.replace(day=calendar.monthrange(moved.year, moved.month)[1])
    return moved


def days_of(period: Period, span: Span | None) -> Iterator[date]:
    """The days of a period that can have data; raises SemanticInvalid if it has no end."""
    first = max((day for day in (period.start, span and span[0]) if day), default=None)
    last = min((day for day in (period.end, span and span[1]) if day), default=None)
    if first is None or last is None:
        raise SemanticInvalid(texts.PER_NEEDS_PERIOD)
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def weight(day: date, unit: Unit, holidays: Sequence[date] = ()) -> float:
    """The part of a unit that one day is: 1/30 of a month in June, 1 of a working day on a Tuesday."""
    match unit:
        case "day":
            return 1
        case "working_day":
            return float(day.isoweekday() <= 5 and day not in holidays)
        case "weekday_day":
            return float(day.isoweekday() <= 5)
        case "weekend_day":
            return float(day.isoweekday() > 5)
        case "week":
            return 1 / 7
        case _:
            months = _MONTHS[unit]
            first = start_of(day, unit)
            return 1 / (back(first, Shift(months=-months)) - first).days


def label_of(day: date, grain: str, shift: Shift | None = None) -> str | int:
    """The part of time of a day, written as the database writes it; of a compared day, the one that it stands beside."""
    if grain == "weekday":
        return day.isoweekday()
    if grain == "weekend":
        return int(day.isoweekday() > 5)
    if shift is not None:
        day = _forward(day, grain, shift)
    match grain:
        case "year":
            return f"{day.year:04}"
        case "quarter":
            return f"{day.year:04}-Q{(day.month + 2) // 3}"
        case "month":
            return f"{day:%Y-%m}"
        case _:
            return start_of(day, grain).isoformat()


def _forward(day: date, grain: str, shift: Shift) -> date:
    if shift.months and grain in _MONTHS:
        return back(day.replace(day=1), Shift(months=-shift.months))
    if shift.months == 12 and grain == "day" and (day.month, day.day) != (2, 29):
        return day.replace(year=day.year + 1)
    return day + timedelta(days=shift.days or (364 if shift.months == 12 else 30 * shift.months))
