"""A query is checked against its model before any SQL is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.data.semantic.compiling import texts
from metaagent.data.semantic.compiling.values import canonical
from metaagent.data.semantic.model import GRAINS, TIME_DIMENSIONS
from metaagent.data.semantic.query import Derived
from metaagent.errors import SemanticInvalid, Text
from metaagent.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from metaagent.data.semantic.model import Model
    from metaagent.data.semantic.query import Existence, Filter, Having, Part, SemanticQuery

_SUMMABLE = {"sum", "count"}
_COUNTABLE = {*_SUMMABLE, "count_distinct"}


def admitted(model: Model, query: SemanticQuery) -> SemanticQuery:
    """The query with canonical values; raises SemanticInvalid when it does not fit the model."""
    for name in query.metrics:
        _known(name, model.metrics, texts.UNKNOWN_METRIC)
    _check_dimensions(model, _dimensions(query))
    _fits(model, query)
    _ranking(query)
    update = {
        "metrics": list(dict.fromkeys(query.metrics)),
        "dimensions": [name for name in dict.fromkeys(query.dimensions) if name != query.count_groups],
        "filters": _canonical(model, query.filters),
    }
    if query.derived or query.existence or query.among or query.having or query.count_groups:
        update |= _nested(model, query)
    return query.model_copy(update=update)


def _nested(model: Model, query: SemanticQuery) -> dict[str, object]:
    names = {*model.metrics, *model.dimensions, *TIME_DIMENSIONS}
    for one in query.derived:
        if one.name in names:
            raise SemanticInvalid(texts.NAME_TAKEN, name=one.name)
        names.add(one.name)
    _counting(query)
    among = query.among
    return {
        "derived": [_derived(model, query, one) for one in query.derived],
        "existence": [_existence(model, one) for one in query.existence],
        "having": [_having(model, query, one) for one in query.having],
        "among": None if among is None else admitted(model, among),
    }


def _dimensions(query: SemanticQuery) -> Iterator[str]:
    yield from (*query.dimensions, *query.share_within, *(one.dimension for one in query.filters))
    if query.top is not None:
        yield from (*query.top.within, *([query.top.dimension] if query.top.dimension else []))
    yield from (name for name in (query.count_groups, query.dated_by) if name is not None)


def _check_dimensions(model: Model, names: Iterable[str]) -> None:
    known = [*model.dimensions, *TIME_DIMENSIONS]
    for name in names:
        _known(name, known, texts.UNKNOWN_DIMENSION)


def _canonical(model: Model, filters: Sequence[Filter]) -> list[Filter]:
    return [
        one
        if one.by_key
        else one.model_copy(update={"values": [canonical(model, one.dimension, v) for v in one.values]})
        for one in filters
    ]


def _derived(model: Model, query: SemanticQuery, one: Derived) -> Derived:
    """A figure whose parts may be divided, or set against each other, at all."""
    update: dict[str, object] = {}
    for side in ("numerator", "denominator", "whole"):
        part: Part | None = getattr(one, side)
        if part is None:
            continue
        update[side] = _part(model, query, part)
        kind = "count_distinct" if part.thing else model.metrics[part.metric].type
        allowed = {"per_period": _SUMMABLE, "ratio": _COUNTABLE, "share": _COUNTABLE, "sum": _SUMMABLE}.get(
            one.kind
        )
        allowed = _COUNTABLE if one.whole is not None else allowed
        if one.per is not None and side == "numerator":
            allowed = _SUMMABLE
        if allowed is not None and kind not in allowed:
            raise SemanticInvalid(
                texts.NO_RATIO,
                metric=part.metric,
                kind=texts.KINDS.get(kind, kind),
                what=texts.WHAT.get(one.kind, one.kind),
            )
    return one.model_copy(update=update)


def _part(model: Model, query: SemanticQuery, part: Part) -> Part:
    if part.thing is None:
        _known(part.metric, model.metrics, texts.UNKNOWN_METRIC)
    else:
        _known(part.thing, model.dimensions, texts.UNKNOWN_DIMENSION)
    if part.of is not None:
        _known(part.of, model.metrics, texts.UNKNOWN_METRIC)
    _check_dimensions(model, (one.dimension for one in part.filters))
    grain = next((name for name in query.dimensions if name in GRAINS), None)
    if part.period is not None and grain is not None:
        raise SemanticInvalid(texts.PART_PERIOD, grain=grain)
    return part.model_copy(update={"filters": _canonical(model, part.filters)})


def _existence(model: Model, one: Existence) -> Existence:
    _known(one.fact_metric, model.metrics, texts.UNKNOWN_METRIC)
    _known(one.dimension, model.dimensions, texts.UNKNOWN_DIMENSION)
    _check_dimensions(model, (single.dimension for single in one.filters))
    return one.model_copy(update={"filters": _canonical(model, one.filters)})


def _having(model: Model, query: SemanticQuery, one: Having) -> Having:
    """The figure that groups are compared with stands alone: no part of time splits it."""
    if one.relative is None:
        return one
    total = query.model_copy(update={"dimensions": []})
    if isinstance(one.relative, Derived):
        return one.model_copy(update={"relative": _derived(model, total, one.relative)})
    if one.relative.thing and not one.relative.of and not query.metrics:
        raise SemanticInvalid(texts.COUNT_OF_WHAT, dimension=one.relative.thing)
    return one.model_copy(update={"relative": _part(model, total, one.relative)})


def _counting(query: SemanticQuery) -> None:
    counted = query.count_groups
    if counted is None:
        return
    by_change = any(one.column.endswith(("__difference", "__change")) for one in query.having)
    asked = {
        "comparison": query.comparison and not by_change,  # how many sold less than before
        "share": query.share,
        "running total": query.running_total,
        "moving average": query.moving_average,
        "target": query.target,
    }
    for what, value in asked.items():
        if value:
            raise SemanticInvalid(texts.COUNT_ALONE, dimension=counted, what=what)


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
        formed = [one.name for one in query.derived]
        for name in [*query.metrics, *formed] if asked else []:
            if name in formed or not model.metrics[name].additive:
                raise SemanticInvalid(texts.NOT_ADDITIVE, metric=name, what=what)
    with_target = [name for name, metric in model.metrics.items() if metric.target]
    if query.target and not set(with_target) & set(query.metrics):
        raise SemanticInvalid(
            texts.NO_TARGET, metrics=", ".join(query.metrics), known=", ".join(with_target) or "-"
        )
    outside = [name for name in query.share_within if name not in query.dimensions]
    if outside:
        raise SemanticInvalid(texts.UNKNOWN_COLUMN, name=outside[0], known=", ".join(query.dimensions))


def _ranking(query: SemanticQuery) -> None:
    """A ranking has something to rank and a figure to rank by. Things that are counted may be ranked before."""
    if query.top is None:
        return
    split = [*query.dimensions, *([query.count_groups] if query.count_groups else [])]
    if not split or not (query.metrics or query.derived or query.top.by in query.dimensions):
        raise SemanticInvalid(texts.TOP_NEEDS_DIMENSION)
    for name in [*query.top.within, *([query.top.dimension] if query.top.dimension else [])]:
        if name not in split:
            raise SemanticInvalid(texts.UNKNOWN_COLUMN, name=name, known=", ".join(split))
    if set(split) <= set(query.top.within):
        raise SemanticInvalid(texts.TOP_NEEDS_DIMENSION)
