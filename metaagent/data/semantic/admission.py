"""A query is checked against its model before any SQL is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.data.semantic import texts
from metaagent.data.semantic.model import GRAINS, TIME_DIMENSIONS
from metaagent.data.semantic.values import canonical
from metaagent.errors import SemanticInvalid, Text
from metaagent.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metaagent.data.semantic.model import Model
    from metaagent.data.semantic.query import SemanticQuery


def admitted(model: Model, query: SemanticQuery) -> SemanticQuery:
    """The query with canonical values; raises SemanticInvalid when it does not fit the model."""
    for name in query.metrics:
        _known(name, model.metrics, texts.UNKNOWN_METRIC)
    dimensions = [*model.dimensions, *TIME_DIMENSIONS]
    asked = [*query.dimensions, *query.share_within, *(one.dimension for one in query.filters)]
    if query.top is not None:
        asked += [*query.top.within, *([query.top.dimension] if query.top.dimension else [])]
    for name in asked:
        _known(name, dimensions, texts.UNKNOWN_DIMENSION)
    _fits(model, query)
    return query.model_copy(
        update={
            "metrics": list(dict.fromkeys(query.metrics)),
            "dimensions": list(dict.fromkeys(query.dimensions)),
            "filters": [
                one
                if one.by_key
                else one.model_copy(
                    update={"values": [canonical(model, one.dimension, v) for v in one.values]}
                )
                for one in query.filters
            ],
        }
    )


def _known(name: str, known: Iterable[str], text: Text) -> None:
    known = list(known)
    if name in known:
        return
    near = nearest(name, known)
    raise SemanticInvalid(text, name=name, hint=f"→ '{near}'?" if near else f"→ {', '.join(known)}")


def _fits(model: Model, query: SemanticQuery) -> None:
    timed = any(name in GRAINS for name in query.dimensions)
    if (query.running_total or query.moving_average) and not timed:
        raise SemanticInvalid(texts.NEEDS_TIME)
    for asked, what in ((query.share, "share"), (query.running_total, "running total")):
        for name in query.metrics if asked else []:
            if not model.metrics[name].additive:
                raise SemanticInvalid(texts.NOT_ADDITIVE, metric=name, what=what)
    with_target = [name for name, metric in model.metrics.items() if metric.target]
    if query.target and not set(with_target) & set(query.metrics):
        raise SemanticInvalid(
            texts.NO_TARGET, metrics=", ".join(query.metrics), known=", ".join(with_target) or "-"
        )
    _ranking(query)
    outside = [name for name in query.share_within if name not in query.dimensions]
    if outside:
        raise SemanticInvalid(texts.UNKNOWN_COLUMN, name=outside[0], known=", ".join(query.dimensions))


def _ranking(query: SemanticQuery) -> None:
    if query.top is None:
        return
    if not query.dimensions or not query.metrics:
        raise SemanticInvalid(texts.TOP_NEEDS_DIMENSION)
    for name in [*query.top.within, *([query.top.dimension] if query.top.dimension else [])]:
        if name not in query.dimensions:
            raise SemanticInvalid(texts.UNKNOWN_COLUMN, name=name, known=", ".join(query.dimensions))
    if set(query.dimensions) <= set(query.top.within):
        raise SemanticInvalid(texts.TOP_NEEDS_DIMENSION)
