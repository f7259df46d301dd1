"""The plain figures that a query needs from its facts: which metric, over which rows, in which column."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.catalog import fact_of
from metaagent.data.semantic.compiling.periods import compared_periods, shift_of
from metaagent.data.semantic.model import Metric
from metaagent.errors import SemanticInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metaagent.data.semantic.compiling.dialects import Shift
    from metaagent.data.semantic.compiling.periods import Span
    from metaagent.data.semantic.model import Condition, Model
    from metaagent.data.semantic.query import Derived, Filter, Part, Period, RowCondition, SemanticQuery

WEEKDAYS, WEEKEND = (1, 2, 3, 4, 5), (6, 7)
PREVIOUS = "__previous"


@dataclass(frozen=True)
class BoundFilter:
    """A filter and the name of its parameters. Filters of the asked query take their values from each question."""

    name: str
    filter: Filter
    index: int | None = None


@dataclass(frozen=True, eq=False)
class View:
    """The rows that figures are added up from."""

    name: str  # starts the names of its parameters; empty for the query's own rows
    period: Period | None
    index: int = 0  # which of the query's periods, if it is one of these
    shift: Shift | None = None
    filters: tuple[BoundFilter, ...] = ()
    rows: tuple[RowCondition, ...] = ()
    weekdays: tuple[int, ...] = ()
    everything: bool = False

    @property
    def suffix(self) -> str:
        return PREVIOUS if self.index == 1 else ""

    @property
    def own_period(self) -> bool:
        """Tell whether the period is the query's: its days then come with each question."""
        return self.index >= 0


@dataclass(frozen=True)
class Cell:
    """One plain figure, to be aggregated and laid beside the others."""

    name: str
    metric: Metric
    subject: str  # the metric's name, for messages
    view: View
    thing: str | None = None  # the dimension whose values are counted

    @property
    def counted(self) -> bool:
        """Tell whether the absence of rows means 0."""
        return self.thing is not None or self.metric.type in {"sum", "count", "count_distinct"}


@dataclass
class Plan:
    """The cells of a query, and which of them each part of a derived figure is made of."""

    cells: dict[str, Cell] = field(default_factory=dict[str, Cell])
    parts: dict[tuple[str, str, str], tuple[str, ...]] = field(
        default_factory=dict[tuple[str, str, str], tuple[str, ...]]
    )

    def add(self, cell: Cell) -> str:
        self.cells.setdefault(cell.name, cell)
        return cell.name


def plan(
    model: Model, query: SemanticQuery, covered: Mapping[str, Span] | None, *, prefix: str, fixed: bool
) -> Plan:
    """`fixed`: the query stands inside another, so its values are part of the SQL's shape."""
    made = Plan()
    shift = shift_of(query)
    filters = tuple(
        BoundFilter(f"{prefix}filter_{i}" if fixed else f"filter_{i}", one, None if fixed else i)
        for i, one in enumerate(query.filters)
    )
    periods = compared_periods(query, covered)
    views = [
        View(
            "",
            one,
            index=i,
            shift=shift if i else None,
            filters=filters,
            rows=tuple(query.rows),
            weekdays=tuple(query.weekdays),
        )
        for i, one in enumerate(periods)
    ]
    for view in views:
        for name in query.metrics:
            metric = model.metrics[name]
            _add_metric(made, model, name, view, name)
            if query.target and metric.target:
                _add_metric(made, model, metric.target, view, metric.target)
    for number, one in enumerate(query.derived):
        _add_derived(made, model, query, one, views, f"{prefix}part{number}")
    return made


def _add_metric(made: Plan, model: Model, name: str, view: View, column: str) -> tuple[str, ...]:
    """The cells of a metric: two for a ratio. `column` is the metric's name where it is the query's own value."""
    metric = model.metrics[name]
    if metric.type != "ratio":
        return (made.add(Cell(column + view.suffix, metric, name, view)),)
    sides = [str(metric.numerator), str(metric.denominator)]
    columns = sides if column == name else [f"{column}_above", f"{column}_below"]
    pairs = zip(sides, columns, strict=True)
    return tuple(made.add(Cell(one + view.suffix, model.metrics[side], side, view)) for side, one in pairs)


def _add_derived(
    made: Plan, model: Model, query: SemanticQuery, one: Derived, views: list[View], prefix: str
) -> None:
    for side in ("numerator", "denominator", "whole"):
        part: Part | None = getattr(one, side)
        if part is None:
            continue
        other = one.denominator if side == "numerator" else one.numerator
        name = f"{prefix}_{side}"
        for view in views[:1] if part.period else views:
            rows = _view_of(part, query, view, name, _days_of(one, part))
            limits = _limits_above(model, one) if side == "denominator" else []
            made.parts[one.name, side, view.suffix] = (
                _add_limited(made, model, part, rows, name, limits)
                if limits
                else _add_part(made, model, query, part, other, rows, name)
            )


def _limits_above(model: Model, one: Derived) -> list[Condition]:
    """The rows that the upper figure of a ratio is limited to, where the lower one is another column of the same table: what
    seminar meals cost for each guest is divided by the guests of seminars. A part of a whole is not divided so."""
    below = one.denominator
    if one.kind != "ratio" or below is None or below.thing or one.numerator.thing or below.everything:
        return []
    upper, lower = model.metrics[one.numerator.metric], model.metrics[below.metric]
    alike = {upper.type, lower.type} <= {"sum", "count"} and fact_of(model, upper) == fact_of(model, lower)
    if not alike or upper.column == lower.column:
        return []
    return [limit for limit in upper.where if limit not in lower.where]


def _add_limited(
    made: Plan, model: Model, part: Part, view: View, name: str, limits: list[Condition]
) -> tuple[str, ...]:
    plain = model.metrics[part.metric]
    metric = plain.model_copy(update={"where": [*plain.where, *limits]})
    return (made.add(Cell(name + view.suffix, metric, part.metric, view)),)


def _days_of(one: Derived, part: Part) -> tuple[int, ...]:
    if one.per == "weekday_day":
        return WEEKDAYS
    return WEEKEND if one.per == "weekend_day" else tuple(part.weekdays)


def _view_of(part: Part, query: SemanticQuery, view: View, name: str, days: tuple[int, ...]) -> View:
    if not part.restricted and not days:
        return view
    own = {one.dimension for one in part.filters}
    kept = [] if part.everything else [one for one in view.filters if one.filter.dimension not in own]
    added = [BoundFilter(f"{name}_filter_{i}", one) for i, one in enumerate(part.filters)]
    whole = part.everything
    return View(
        f"{name}_",
        part.period or view.period,
        index=-1 if part.period else view.index,
        shift=view.shift,
        filters=(*kept, *added),
        rows=(*(() if whole else query.rows), *part.rows),
        weekdays=days or (() if whole else tuple(query.weekdays)),
        everything=whole,
    )


def _add_part(
    made: Plan,
    model: Model,
    query: SemanticQuery,
    part: Part,
    other: Part | None,
    view: View,
    name: str,
) -> tuple[str, ...]:
    if part.thing is None:
        return _add_metric(made, model, part.metric, view, part.metric if not view.name else name)
    of = (
        part.of
        or (other.metric if other and other.thing is None else None)
        or next(iter(query.metrics), None)
    )
    if of is None:
        raise SemanticInvalid(texts.COUNT_OF_WHAT, dimension=part.thing)
    looked_at = plain_metric(model, of)
    return (made.add(Cell(name + view.suffix, looked_at, of, view, part.thing)),)


def plain_metric(model: Model, name: str) -> Metric:
    """The metric whose rows stand for `name`: the upper one of a ratio."""
    metric = model.metrics[name]
    return model.metrics[str(metric.numerator)] if metric.type == "ratio" else metric
