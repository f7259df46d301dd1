"""The columns of a result, with what a person needs to read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from metaagent.data.semantic.compiling.derived_names import formed_label, formed_look
from metaagent.data.semantic.model import TIME_DIMENSIONS, Format, Label, Model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from metaagent.data.semantic.query import Derived, SemanticQuery

Kind = Literal[
    "dimension", "time", "metric", "previous", "difference", "change", "share", "running_total",
    "moving_average", "target", "achievement", "derived", "count", "key",
]  # fmt: skip


@dataclass(frozen=True)
class OutputColumn:
    name: str
    kind: Kind
    source: str  # the metric, derived figure or dimension
    label: Label
    unit: Label | None = None
    format: Format = "text"
    decimals: int = 0
    values: dict[str, Label] = field(default_factory=dict[str, Label])  # how to show coded values
    additive: bool = False  # whether its figures may be added up
    hidden: bool = False  # serves to tell rows apart and is not shown


_SUFFIXES: dict[Kind, tuple[str, str]] = {
    "previous": (" (비교 기간)", " (compared period)"),
    "difference": (" 증감", " difference"),
    "change": (" 증감률", " change"),
    "share": (" 비중", " share"),
    "running_total": (" 누계", " running total"),
    "moving_average": (" 이동 평균", " moving average"),
    "target": (" 목표", " target"),
    "achievement": (" 달성률", " achievement"),
}
_FRACTIONS = {"change", "share", "achievement"}
_SUMS = {"previous", "difference", "target"}


def dimension_column(model: Model, name: str) -> OutputColumn:
    if name in TIME_DIMENSIONS:
        return OutputColumn(name, "time", name, model.time_dimensions[name].label, format="date")
    dimension = model.dimensions[name]
    shown = {value: words.label for value, words in dimension.values.items() if words.label}
    kind: Format = "integer" if dimension.kind == "number" else "date" if dimension.kind == "date" else "text"
    return OutputColumn(name, "dimension", name, dimension.label, format=kind, values=shown)


def derived_kinds(model: Model, query: SemanticQuery, name: str) -> list[Kind]:
    """The columns beside a figure, in order."""
    kinds: list[Kind] = []
    formed = next((one for one in query.derived if one.name == name), None)
    if query.comparison and not (formed and _has_own_period(formed)):
        kinds.extend(("previous", "difference", "change"))
    if formed is not None:
        return kinds
    if query.share:
        kinds.append("share")
    if query.running_total:
        kinds.append("running_total")
    if query.moving_average:
        kinds.append("moving_average")
    if query.target and model.metrics[name].target:
        kinds.extend(("target", "achievement"))
    return kinds


def _has_own_period(one: Derived) -> bool:
    return any(
        side is not None and side.period is not None for side in (one.numerator, one.denominator, one.whole)
    )


def figure_of(model: Model, query: SemanticQuery, column: str) -> str:
    """The metric or derived figure that a column of the result shows: its change, its share or itself."""
    for name in [*(one.name for one in query.derived), *model.metrics]:
        if column == name or (
            column.startswith(f"{name}__") and column.removeprefix(f"{name}__") in _SUFFIXES
        ):
            return name
    return column


def metric_column(model: Model, name: str) -> OutputColumn:
    metric = model.metrics[name]
    return OutputColumn(
        name,
        "metric",
        source=name,
        label=metric.label,
        unit=metric.unit,
        format=metric.format,
        decimals=metric.decimals,
        additive=metric.additive,
    )


def beside_column(of: OutputColumn, kind: Kind) -> OutputColumn:
    """A comparison, share or total of the figure in another column."""
    ko, en = _SUFFIXES[kind]
    label = Label(ko=of.label.ko + ko, en=of.label.en + en)
    full = f"{of.name}__{kind}"
    if kind in _FRACTIONS:
        added = of.additive and kind == "share"
        return OutputColumn(
            full, kind, source=of.source, label=label, unit=None, format="percent", decimals=1, additive=added
        )
    averaged = kind == "moving_average"
    decimals = max(of.decimals, 1) if averaged else of.decimals
    shown: Format = "decimal" if averaged and of.format == "integer" else of.format
    added = of.additive and kind in _SUMS
    return OutputColumn(
        full,
        kind,
        source=of.source,
        label=label,
        unit=of.unit,
        format=shown,
        decimals=decimals,
        additive=added,
    )


def formed_column(model: Model, one: Derived) -> OutputColumn:
    unit, look, decimals = formed_look(model, one)
    return OutputColumn(
        one.name,
        "derived",
        source=one.name,
        label=formed_label(model, one),
        unit=unit,
        format=look,
        decimals=decimals,
    )


def key_column(model: Model, name: str) -> OutputColumn:
    """Stands last in a row and tells things of one name apart."""
    label = model.dimensions[name].label
    return OutputColumn(f"{name}__key", "key", name, label, hidden=True)


def count_column(model: Model, name: str) -> OutputColumn:
    label = model.dimensions[name].label if name in model.dimensions else model.time_dimensions[name].label
    said = Label(ko=f"{label.ko} 수", en=f"Number of {label.en}")
    return OutputColumn(f"{name}__count", "count", source=name, label=said, unit=None, format="integer")


def output_columns(model: Model, query: SemanticQuery, keys: Sequence[str]) -> list[OutputColumn]:
    """The columns of a result in their order: dimensions, figures, keys."""
    columns = [_once(model, dimension_column, name) for name in query.dimensions]
    if query.count_groups is not None:
        columns.append(_once(model, count_column, query.count_groups))
    else:
        for name in query.metrics:
            columns.append(_once(model, metric_column, name))
            kinds = derived_kinds(model, query, name)
            columns.extend(_once(model, _beside_metric, name, kind) for kind in kinds)
        for one in query.derived:
            made = formed_column(model, one)
            columns.append(made)
            columns.extend(beside_column(made, kind) for kind in derived_kinds(model, query, one.name))
    columns.extend(_once(model, key_column, name.removesuffix("__key")) for name in keys)
    return columns


def _beside_metric(model: Model, name: str, kind: Kind) -> OutputColumn:
    return beside_column(_once(model, metric_column, name), kind)


def _once(model: Model, make: Callable[..., OutputColumn], *of: str) -> OutputColumn:
    key = make, *of
    found = model.cache.get(key)
    if found is None:
        found = model.cache[key] = make(model, *of)
    return found
