"""The columns of a result, with what a person needs to read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from metaagent.data.semantic.model import TIME_DIMENSIONS, Format, Label, Model

if TYPE_CHECKING:
    from collections.abc import Callable

    from metaagent.data.semantic.query import SemanticQuery

Kind = Literal[
    "dimension", "time", "metric", "previous", "difference", "change", "share", "running_total",
    "moving_average", "target", "achievement",
]  # fmt: skip


@dataclass(frozen=True)
class OutputColumn:
    name: str
    kind: Kind
    source: str  # the metric or dimension
    label: Label
    unit: Label | None = None
    format: Format = "text"
    decimals: int = 0
    values: dict[str, Label] = field(default_factory=dict[str, Label])  # how to show coded values


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


def dimension_column(model: Model, name: str) -> OutputColumn:
    if name in TIME_DIMENSIONS:
        return OutputColumn(name, "time", name, model.time_dimensions[name].label, format="date")
    dimension = model.dimensions[name]
    shown = {value: words.label for value, words in dimension.values.items() if words.label}
    kind: Format = "integer" if dimension.kind == "number" else "date" if dimension.kind == "date" else "text"
    return OutputColumn(name, "dimension", name, dimension.label, format=kind, values=shown)


def derived_kinds(model: Model, query: SemanticQuery, metric: str) -> list[Kind]:
    """What stands beside a metric, in order."""
    kinds: list[Kind] = []
    if query.comparison:
        kinds.extend(("previous", "difference", "change"))
    if query.share:
        kinds.append("share")
    if query.running_total:
        kinds.append("running_total")
    if query.moving_average:
        kinds.append("moving_average")
    if query.target and model.metrics[metric].target:
        kinds.extend(("target", "achievement"))
    return kinds


def metric_column(model: Model, name: str) -> OutputColumn:
    metric = model.metrics[name]
    return OutputColumn(name, "metric", name, metric.label, metric.unit, metric.format, metric.decimals)


def derived_column(model: Model, name: str, kind: Kind) -> OutputColumn:
    metric = model.metrics[name]
    ko, en = _SUFFIXES[kind]
    label = Label(ko=metric.label.ko + ko, en=metric.label.en + en)
    full = f"{name}__{kind}"
    if kind in {"change", "share", "achievement"}:
        return OutputColumn(full, kind, name, label, None, "percent", 1)
    decimals = max(metric.decimals, 1) if kind == "moving_average" else metric.decimals
    shown: Format = "decimal" if kind == "moving_average" and metric.format == "integer" else metric.format
    return OutputColumn(full, kind, name, label, metric.unit, shown, decimals)


def output_columns(model: Model, query: SemanticQuery) -> list[OutputColumn]:
    columns = [_once(model, dimension_column, name) for name in query.dimensions]
    for name in query.metrics:
        columns.append(_once(model, metric_column, name))
        kinds = derived_kinds(model, query, name)
        columns.extend(_once(model, derived_column, name, kind) for kind in kinds)
    return columns


def _once(model: Model, make: Callable[..., OutputColumn], *of: str) -> OutputColumn:
    key = make, *of
    found = model.cache.get(key)
    if found is None:
        found = model.cache[key] = make(model, *of)
    return found
