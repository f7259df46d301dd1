"""Answers by plain Python over the rows of a world: the figures that questions must lead to.

Deliberately simple loops: nothing is shared with the semantic layer, so that both can only agree by being right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from evals.generator.world import Dim, Metric, Row, World

Table = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Where:
    """Restricts rows by the values of one dimension."""

    dim: str
    keys: tuple[Any, ...]
    exclude: bool = False

    def holds(self, row: Row) -> bool:
        return (row[f"@{self.dim}"] in self.keys) != self.exclude


def rows_of(
    world: World,
    metric: Metric,
    span: tuple[date, date] | None,
    where: Sequence[Where] = (),
    keep: Callable[[Row], bool] | None = None,
) -> list[Row]:
    made: list[Row] = []
    for row in world.facts[metric.fact]:
        if span is not None and not span[0] <= row["date"] <= span[1]:
            continue
        if metric.where is not None and row[metric.where[0]] not in metric.where[1]:
            continue
        if all(one.holds(row) for one in where) and (keep is None or keep(row)):
            made.append(row)
    return made


def figure(metric: Metric, rows: Iterable[Row]) -> float | int | None:
    """The metric over the rows; a sum or an average of nothing is nothing."""
    held = list(rows)
    if metric.kind == "count":
        return len(held)
    assert metric.column is not None
    values = [row[metric.column] for row in held if row[metric.column] is not None]
    if metric.kind == "distinct":
        return len(set(values))
    if not values:
        return None
    return sum(values) / len(values) if metric.kind == "average" else sum(values)


def mean(metric: Metric, rows: Sequence[Row]) -> float | None:
    """The average of a row of the metric's table."""
    values = [row[metric.column] for row in rows if metric.column and row[metric.column] is not None]
    return sum(values) / len(values) if values else None


def grouped(metric: Metric, rows: Iterable[Row], dim: str) -> dict[Any, float | int]:
    parts: dict[Any, list[Row]] = {}
    for row in rows:
        parts.setdefault(row[f"@{dim}"], []).append(row)
    made = {key: figure(metric, part) for key, part in parts.items() if key is not None}
    return {key: value for key, value in made.items() if value is not None}


def bucketed(metric: Metric, rows: Iterable[Row], bucket: Callable[[date], str]) -> dict[str, float | int]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(bucket(row["date"]), []).append(row)
    return {key: value for key, part in sorted(parts.items()) if (value := figure(metric, part)) is not None}


def ranked(values: Mapping[Any, float | int], *, top: bool = True) -> list[tuple[Any, float | int]]:
    return sorted(values.items(), key=lambda item: (-item[1] if top else item[1], str(item[0])))


def cut_is_clear(order: Sequence[tuple[Any, float | int]], n: int) -> bool:
    """Whether the n-th and the next differ, so that there is one right list."""
    return len(order) > n and order[n - 1][1] != order[n][1]


def labelled(dim: Dim, pairs: Iterable[tuple[Any, Any]]) -> Table:
    return [(dim.values[key].label, value) for key, value in pairs if key in dim.values]


def without(world: World, dim: str, rows: Iterable[Row]) -> list[Any]:
    """The things of the dimension that none of the rows belongs to."""
    seen = {row[f"@{dim}"] for row in rows}
    return [key for key in world.dims[dim].values if key not in seen]


def change(now: float | None, then: float | None) -> float | None:
    return None if now is None or not then else (now - then) / then
