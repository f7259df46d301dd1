"""Figures computed from folded facts: values, comparisons, shares, running totals and derived figures."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.dialects import DOUBLE, INTEGER, Quotient
from metaagent.data.semantic.compiling.outputs import derived_kinds
from metaagent.data.semantic.compiling.periods import (
    common_span,
    compared_periods,
    days_of,
    label_of,
    shift_of,
    weight,
)
from metaagent.data.semantic.compiling.plan import PREVIOUS, WEEKDAYS, WEEKEND
from metaagent.data.semantic.model import GRAINS, TIME_DIMENSIONS
from metaagent.data.semantic.query import Period
from metaagent.errors import SemanticInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metaagent.data.semantic.compiling.aggregate import Aggregator, Folded
    from metaagent.data.semantic.compiling.dialects import Expression
    from metaagent.data.semantic.compiling.periods import Span
    from metaagent.data.semantic.query import Derived

_OF_ONE_ROW = {"value", "previous", "difference", "change", "target", "achievement"}


class Figures:
    """Expressions over one folded layer, by the names of their columns."""

    def __init__(self, aggregator: Aggregator, folded: Folded, covered: Mapping[str, Span] | None) -> None:
        self._query = aggregator.query
        self._model = aggregator.model
        self._plan = aggregator.plan
        self._catalog = aggregator.catalog
        self._folded = folded
        self._covered = covered
        self._derived = {one.name: one for one in self._query.derived}

    def all(self) -> dict[str, Expression]:
        made: dict[str, Expression] = {}
        for name in [*self._query.metrics, *self._derived]:
            made[name] = self._figure(name, "value")
            for kind in derived_kinds(self._model, self._query, name):
                made[f"{name}__{kind}"] = self._figure(name, kind)
        return made

    def _figure(self, name: str, kind: str) -> Expression:
        def make() -> Expression:
            return getattr(self, f"_{kind}")(name)

        if not self._folded.layered or kind not in _OF_ONE_ROW or name in self._derived:
            return make()
        return self._catalog.text_once(("figure", name, kind), make)

    def _value(self, name: str, suffix: str = "") -> Expression:
        if name in self._derived:
            return self._formed(self._derived[name], suffix)
        metric, columns = self._model.metrics[name], self._folded.columns
        if metric.type != "ratio":
            return columns[name + suffix]
        return Quotient(columns[f"{metric.numerator}{suffix}"], columns[f"{metric.denominator}{suffix}"])

    def _formed(self, one: Derived, suffix: str) -> Expression:
        above = self._part(one.name, "numerator", suffix)
        if one.kind == "per_period":
            return Quotient(above, self._units(one, suffix))
        below = self._part(one.name, "denominator", suffix)
        if one.kind == "sum":  # a side without rows adds nothing
            return sa.func.coalesce(above + below, above, below)
        if one.kind == "difference":
            apart = above - below
            return Quotient(apart, self._part(one.name, "whole", suffix)) if one.whole else apart
        divided = Quotient(above, below)
        return Quotient(divided, self._units(one, suffix)) if one.per else divided

    def _part(self, name: str, side: str, suffix: str) -> Expression:
        cells = [self._folded.columns[cell] for cell in self._plan.parts[name, side, suffix]]
        return cells[0] if len(cells) == 1 else Quotient(cells[0], cells[1])

    def _units(self, one: Derived, suffix: str) -> Expression:
        """Count the days, weeks or months that the figure is spread over, for each part of time that it is split by."""
        assert one.per is not None
        timed = [name for name in self._query.dimensions if name in TIME_DIMENSIONS]
        finer = [name for name in timed if name in GRAINS and one.per in GRAINS]
        for name in finer:
            if GRAINS.index(name) > GRAINS.index(one.per):
                raise SemanticInvalid(texts.PER_TOO_FINE, unit=one.per, grain=name)
        shift = shift_of(self._query) if suffix else None
        allowed = self._weekdays(one)
        counted: dict[tuple[str | int, ...], float] = defaultdict(float)
        for day in days_of(self._period(one, suffix), common_span(self._query, self._covered)):
            if day.isoweekday() in allowed:
                labels = tuple(label_of(day, name, shift) for name in timed)
                counted[labels] += weight(day, one.per, self._model.holidays)
        if not timed:
            return _number(counted[()])
        columns = [self._folded.columns[name] for name in timed]
        cases = [
            (sa.and_(*(column == _constant(label) for column, label in zip(columns, labels, strict=True))), n)
            for labels, n in ((labels, _number(units)) for labels, units in counted.items())
        ]
        return sa.case(*cases) if cases else _number(0)

    def _weekdays(self, one: Derived) -> set[int]:
        """The days on which rows count: others are no units either."""
        part = one.numerator
        days = part.weekdays or ([] if part.everything else self._query.weekdays)
        own = {"weekday_day": WEEKDAYS, "weekend_day": WEEKEND}.get(str(one.per))
        return set(own or days or range(1, 8))

    def _period(self, one: Derived, suffix: str) -> Period:
        if one.numerator.period is not None:
            return one.numerator.period
        periods = compared_periods(self._query, self._covered)
        return periods[1 if suffix else 0] or Period()

    def _previous(self, name: str) -> Expression:
        return self._value(name, PREVIOUS)

    def _difference(self, name: str) -> Expression:
        return self._value(name) - self._previous(name)

    def _change(self, name: str) -> Expression:
        return Quotient(self._difference(name), sa.func.abs(self._previous(name)))

    def _share(self, name: str) -> Expression:
        value = self._value(name)
        within = [self._folded.columns[one] for one in self._query.share_within]
        return Quotient(value, sa.func.sum(value).over(partition_by=within or None))

    def _along_time(self) -> dict[str, Any]:
        columns = self._folded.columns
        time = [columns[name] for name in self._query.dimensions if name in TIME_DIMENSIONS]
        rest = [columns[name] for name in self._folded.grouping if name not in TIME_DIMENSIONS]
        return {"partition_by": rest or None, "order_by": time}

    def _running_total(self, name: str) -> Expression:
        return sa.func.sum(self._value(name)).over(**self._along_time(), rows=(None, 0))

    def _moving_average(self, name: str) -> Expression:
        assert self._query.moving_average is not None
        rows = (1 - self._query.moving_average, 0)
        average = sa.func.avg(self._value(name)).over(**self._along_time(), rows=rows)
        return sa.cast(average, DOUBLE)

    def _target(self, name: str) -> Expression:
        target = self._model.metrics[name].target
        assert target is not None
        return self._value(target)

    def _achievement(self, name: str) -> Expression:
        return Quotient(self._value(name), self._target(name))


def _number(value: float) -> Expression:
    """A constant of the calendar, written into the SQL."""
    return sa.literal_column(repr(round(value, 9)), DOUBLE)


def _constant(label: str | int) -> Expression:
    """A part of time as the calendar writes it: digits, '-' and 'Q' only."""
    return (
        sa.literal_column(str(label), INTEGER) if isinstance(label, int) else sa.literal_column(f"'{label}'")
    )
