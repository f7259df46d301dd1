"""The compared periods of a question: equal days, as far as there is data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from metaagent.language import calendar as cal
from metaagent.language.calendar import Range
from metaagent.language.periods import moved
from metaagent.level1.query_analyzer.grammar.meaning import Span

_UNITS = ("year", "half", "quarter", "month", "week", "day")
_GRAINS = ("year", "quarter", "month", "week")


@dataclass(frozen=True)
class Compared:
    period: Range
    other: Range
    shift: str | None
    """The unit by which the other is moved back; None: two periods that stand apart."""
    unfinished: bool = False
    assumed: bool = False
    """No period was named."""

    @property
    def comparison(self) -> str | None:
        if self.shift is None:
            return None
        return "same_period_last_year" if self.shift == "year" else "previous"

    @property
    def grain(self) -> str | None:
        """The unit that an unfinished period is a part of."""
        return self.shift if self.unfinished and self.shift in _GRAINS else None


def compared(span: Span | None, base: Span | str, today: date, last: date | None) -> Compared:
    """`last`: the last day that has data."""
    until = min(today, last) if last else today
    assumed = span is None
    whole = Range(span.first, span.last) if span else _running(base, today)
    if span is None and isinstance(base, Span) and not base.shift:
        whole = _this_year(base, today) or whole
    shift = _so_far(whole, until) if base == "previous" else None
    shift = shift or _shift(whole, base)
    unfinished = whole.first <= until < whole.last and whole.last >= today
    period = Range(whole.first, until) if unfinished else whole
    if shift is not None:
        begun = shift in _GRAINS and cal.relative_range(shift, 0, whole.first).first == whole.first
        part = begun and cal.relative_range(str(shift), 0, whole.first).last > period.last
        whole_unit = shift == cal.grain_of(whole) and not unfinished
        unfinished = unfinished or part
        kept = shift in ("year", "period") or part or whole_unit
        return Compared(period, moved(period, shift), shift if kept else None, unfinished, assumed)
    assert isinstance(base, Span)
    other = Range(base.first, base.last)
    if unfinished and other.days > period.days:
        other = Range(other.first, other.first + timedelta(days=period.days - 1))
    return Compared(period, other, None, unfinished, assumed)


def _so_far(whole: Range, until: date) -> str | None:
    """올해 들어: the running unit up to now, which is set against the one before it."""
    if not until <= whole.last <= until + timedelta(days=1):
        return None
    units = [(unit, cal.relative_range(unit, 0, whole.first)) for unit in reversed(_GRAINS)]
    return next((u for u, own in units if own.first == whole.first and own.last > whole.last), None)


def _running(base: Span | str, today: date) -> Range:
    """Fills in the first side where the other alone was named: the running unit of its kind."""
    if isinstance(base, str):
        return cal.relative_range(base if base in _UNITS else "month", 0, today)
    if base.shift:
        return cal.relative_range(base.shift if base.shift in _UNITS else "month", 0, today)
    grain = cal.grain_of(Range(base.first, base.last))
    return cal.relative_range(grain if grain in _UNITS else "month", 0, today)


def _this_year(base: Span, today: date) -> Range | None:
    """작년 3분기에 비해: the same part of this year, where it has begun."""
    named = Range(base.first, base.last)
    if base.first.year != today.year - 1 or cal.grain_of(named) not in ("month", "quarter", "half"):
        return None
    same = _next_year(named)
    return same if same.first <= today else None


def _next_year(span: Range) -> Range:
    last = span.last + timedelta(days=1)
    moved_end = date(last.year + 1, last.month, last.day) - timedelta(days=1)
    return Range(date(span.first.year + 1, span.first.month, span.first.day), moved_end)


def _shift(whole: Range, base: Span | str) -> str | None:
    grain = cal.grain_of(whole)
    if isinstance(base, str):
        return base if base != "previous" else grain if grain in _UNITS else "period"
    other = Range(base.first, base.last)
    for unit in _UNITS:  # this month so far, against the whole last month
        own = cal.relative_range(unit, 0, whole.first)
        if (
            own.first == whole.first
            and own.last > whole.last
            and cal.relative_range(unit, -1, whole.first) == other
        ):
            return unit
    for unit in (*([base.shift] if base.shift else []), *([grain] if grain in _UNITS else []), *_UNITS):
        if cal.shift(whole, unit) == other:
            return unit
    if base.shift and base.shift in _UNITS:
        return base.shift
    return "period" if cal.preceding(whole) == other else None


def without(held: Range, out: Range, today: date) -> Range | None:
    """A period up to a part of it that is left out, or from behind it: this year without November, which still runs."""
    until = min(held.last, today)
    if held.first < out.first <= until <= out.last:
        return Range(held.first, out.first - timedelta(days=1))
    if out.first <= held.first <= out.last < until:
        return Range(out.last + timedelta(days=1), held.last)
    return None
