"""Figures by another date than their own: what was charged for repairs that were finished in October."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.data.semantic.compiling.catalog import fact_of, reachable
from metaagent.data.semantic.model import Condition, split

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Metric, Model


def dated(model: Model, name: str | None) -> Model:
    """The model whose figures go by the date of this dimension, where their rows have it."""
    if name is None:
        return model
    place = "dated", name
    if place not in model.cache:
        column = model.dimensions[name].column[0]
        metrics = {key: _by(model, metric, column) for key, metric in model.metrics.items()}
        model.cache[place] = model.model_copy(update={"metrics": metrics})
    return model.cache[place]


def _by(model: Model, metric: Metric, column: str) -> Metric:
    if metric.type == "ratio" or metric.time == column:
        return metric
    if split(column)[0] not in reachable(model, fact_of(model, metric)):
        return metric
    given = Condition(column=column, op="not_null")
    return metric.model_copy(update={"time": column, "where": [*metric.where, given], "snapshot": False})
