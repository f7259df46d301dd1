"""Meanings of one figure and of its parts: totals, restrictions, breakdowns, rankings, comparisons of values."""

from __future__ import annotations

import math

from evals.generator import gold, periods
from evals.generator.amounts import COUNTED, ORDINALS
from evals.generator.draw import Draw, Json, Meaning, derived, period
from evals.generator.gold import Where
from evals.generator.wording import Slot
from evals.generator.world import Dim, Metric, Value


def total(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    if metric is None:
        return None
    value = gold.figure(metric, d.rows(metric, span))
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    return Meaning("total", slots, d.answer([(value,)]), {"metrics": [metric.name], "period": period(span)})


def year_to_date(d: Draw) -> Meaning | None:
    metric, span = d.metric(), periods.to_date(d.world.now)
    if metric is None:
        return None
    value = gold.figure(metric, d.rows(metric, span))
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    return Meaning(
        "year_to_date", slots, d.answer([(value,)]), {"metrics": [metric.name], "period": period(span)}
    )


def filter1(d: Draw) -> Meaning | None:
    return _filtered(d, 1)


def filter2(d: Draw) -> Meaning | None:
    return _filtered(d, 2)


def filter3(d: Draw) -> Meaning | None:
    return _filtered(d, 3)


def _filtered(d: Draw, count: int) -> Meaning | None:
    metric, span = d.metric(), d.span()
    if metric is None:
        return None
    parts: list[tuple[Dim, Value]] = []
    rows = d.rows(metric, span)
    for _ in range(count):
        dim = d.dim(metric, never=[one.name for one, _ in parts])
        value = d.value(dim, rows) if dim else None
        if dim is None or value is None:
            return None
        parts.append((dim, value))
        rows = [row for row in rows if row[f"@{dim.name}"] == value.key]
    words = [value.label for _, value in parts]
    if any(a != b and a in b for a in words for b in words):
        return None
    where = [Where(dim.name, (value.key,)) for dim, value in parts]
    figure = gold.figure(metric, d.rows(metric, span, where))
    if figure == gold.figure(metric, d.rows(metric, span)):
        return None  # nobody could tell whether the restriction was heard
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "F": d.phrases(parts)}
    request: Json = {"metrics": [metric.name], "period": period(span), "filters": d.filters(*where)}
    return Meaning(f"filter{count}", slots, d.answer([(figure,)]), request)


def exclusion(d: Draw) -> Meaning | None:
    return _excluded(d, 1)


def exclusion_two(d: Draw) -> Meaning | None:
    return _excluded(d, 2)


def _pair(
    d: Draw, metric: Metric, span: periods.Span, *, entity: bool | None = None
) -> tuple[Dim, Value, Value] | None:
    dim = d.dim(metric, entity=entity)
    rows = d.rows(metric, span)
    one = d.value(dim, rows) if dim else None
    if dim is None or one is None:
        return None
    two = d.value(dim, rows, never=[one.key])
    return None if two is None or one.label in two.label or two.label in one.label else (dim, one, two)


def _excluded(d: Draw, count: int) -> Meaning | None:
    metric, span = d.metric(), d.span()
    pair = _pair(d, metric, span) if metric else None
    if metric is None or pair is None or len(pair[0].values) < 4:
        return None
    dim, one, two = pair
    keys = (one.key,) if count == 1 else (one.key, two.key)
    where = Where(dim.name, keys, exclude=True)
    figure = gold.figure(metric, d.rows(metric, span, [where]))
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim)}
    named = {"V": one} if count == 1 else {"V1": one, "V2": two}
    slots |= {name: d.value_words(value) for name, value in named.items()}
    request: Json = {"metrics": [metric.name], "period": period(span), "filters": d.filters(where)}
    return Meaning("exclusion" if count == 1 else "exclusion_two", slots, d.answer([(figure,)]), request)


def _two_values(d: Draw, cls: str) -> tuple[Meaning, float, float] | None:
    """Two values of one dimension with their figures; the gold is each on its own, the request has both as parts."""
    metric, span = d.metric(), d.span()
    pair = _pair(d, metric, span) if metric else None
    if metric is None or pair is None or len(pair[0].values) < 3:
        return None
    dim, one, two = pair
    a = gold.figure(metric, d.rows(metric, span, [Where(dim.name, (one.key,))]))
    b = gold.figure(metric, d.rows(metric, span, [Where(dim.name, (two.key,))]))
    if not a or not b or a == b:
        return None
    slots = {
        "P": d.span_slot(span),
        "M": d.metric_slot(metric),
        "V1": d.value_words(one),
        "V2": d.value_words(two),
    }
    both = d.filters(Where(dim.name, (one.key, two.key)))
    left, right = (
        {"metric": metric.name, "filters": d.filters(Where(dim.name, (value.key,)))} for value in (one, two)
    )
    request: Json = {"metrics": [metric.name], "period": period(span), "filters": both}
    if cls == "value_compare":
        request["dimensions"] = [dim.name]
    elif cls != "or_sum":
        kind = "times" if cls == "ratio" else "difference"
        request = derived(kind, left, span, denominator=right)
    table: gold.Table = [(one.label, a), (two.label, b)]
    return Meaning(cls, slots, d.answer(table, dims=[dim]), request), a, b


def value_compare(d: Draw) -> Meaning | None:
    made = _two_values(d, "value_compare")
    return made[0] if made else None


def or_sum(d: Draw) -> Meaning | None:
    made = _two_values(d, "or_sum")
    return (
        Meaning("or_sum", made[0].slots, d.answer([(made[1] + made[2],)]), made[0].request) if made else None
    )


def difference(d: Draw) -> Meaning | None:
    made = _two_values(d, "difference")
    if made is None or made[1] <= made[2]:
        return None
    gap = made[1] - made[2]
    return Meaning("difference", made[0].slots, d.answer([(gap,)], [(-gap,)]), made[0].request)


def ratio(d: Draw) -> Meaning | None:
    made = _two_values(d, "ratio")
    return (
        Meaning("ratio", made[0].slots, d.answer([(made[1] / made[2],)]), made[0].request) if made else None
    )


def share(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric) if metric else None
    value = d.value(dim, d.rows(metric, span)) if metric and dim else None
    if metric is None or dim is None or value is None:
        return None
    part = gold.figure(metric, d.rows(metric, span, [Where(dim.name, (value.key,))]))
    whole = gold.figure(metric, d.rows(metric, span))
    if not part or not whole or part == whole:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "V": d.value_words(value)}
    part_of: Json = {"metric": metric.name, "filters": d.filters(Where(dim.name, (value.key,)))}
    request = derived("share", part_of, span, denominator={"metric": metric.name, "everything": True})
    return Meaning("share", slots, d.answer([(part / whole,)]), request)


def by_dimension(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric) if metric else None
    if metric is None or dim is None:
        return None
    table = gold.labelled(dim, gold.grouped(metric, d.rows(metric, span), dim.name).items())
    if len(table) < 2:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim)}
    request: Json = {"metrics": [metric.name], "dimensions": [dim.name], "period": period(span)}
    return Meaning("by_dimension", slots, d.answer(table, dims=[dim]), request)


def two_dimensions(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    one = d.dim(metric, entity=False) if metric else None
    two = d.dim(metric, entity=False, never=[one.name]) if metric and one else None
    if metric is None or one is None or two is None:
        return None
    parts: dict[tuple[object, object], list[gold.Row]] = {}
    for row in d.rows(metric, span):
        parts.setdefault((row[f"@{one.name}"], row[f"@{two.name}"]), []).append(row)
    table = [
        (one.values[a].label, two.values[b].label, gold.figure(metric, rows))
        for (a, b), rows in parts.items()
        if a is not None and b is not None
    ]
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(two, "E"), **d.dim_slots(one)}
    request: Json = {"metrics": [metric.name], "dimensions": [one.name, two.name], "period": period(span)}
    return Meaning("two_dimensions", slots, d.answer(table, dims=[one, two]), request)


def two_metrics(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric, entity=False) if metric else None
    other = d.other_metric(metric, dim) if metric and dim else None
    if metric is None or dim is None or other is None:
        return None
    a = gold.grouped(metric, d.rows(metric, span), dim.name)
    b = gold.grouped(other, d.rows(other, span), dim.name)
    table = [(dim.values[key].label, a.get(key, 0), b.get(key, 0)) for key in sorted({*a, *b}, key=str)]
    if len(table) < 2:
        return None
    slots = {
        "P": d.span_slot(span),
        "M": d.metric_slot(metric),
        "L": d.metric_slot(other),
        **d.dim_slots(dim),
    }
    request: Json = {"metrics": [metric.name, other.name], "dimensions": [dim.name], "period": period(span)}
    return Meaning("two_metrics", slots, d.answer(table, dims=[dim]), request)


def two_totals(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    other = d.other_metric(metric) if metric else None
    if metric is None or other is None:
        return None
    a, b = gold.figure(metric, d.rows(metric, span)), gold.figure(other, d.rows(other, span))
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "L": d.metric_slot(other)}
    request: Json = {"metrics": [metric.name, other.name], "period": period(span)}
    return Meaning("two_totals", slots, d.answer([(a, b)]), request)


def _ranking(
    d: Draw, *, top: bool, most: int
) -> tuple[Metric, Dim, periods.Span, list[tuple[object, float]]] | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric) if metric else None
    if metric is None or dim is None:
        return None
    values = gold.grouped(metric, d.rows(metric, span), dim.name)
    if len(values) <= most or (not top and len(values) < len(dim.values)):
        return None
    return metric, dim, span, gold.ranked(values, top=top)


def rank_top(d: Draw) -> Meaning | None:
    return _ranked(d, "rank_top", top=True, n=d.rng.randint(2, 7))


def rank_bottom(d: Draw) -> Meaning | None:
    return _ranked(d, "rank_bottom", top=False, n=d.rng.randint(2, 5))


def superlative(d: Draw) -> Meaning | None:
    return _ranked(d, "superlative", top=True, n=1)


def _ranked(d: Draw, cls: str, *, top: bool, n: int) -> Meaning | None:
    found = _ranking(d, top=top, most=n)
    if found is None or not gold.cut_is_clear(found[3], n):
        return None
    metric, dim, span, order = found
    table = gold.labelled(dim, order[:n])
    slots = {
        "P": d.span_slot(span),
        "M": d.metric_slot(metric),
        **d.dim_slots(dim),
        "N": Slot([str(n)], [str(n)]),
    }
    request: Json = {"metrics": [metric.name], "dimensions": [dim.name], "period": period(span)}
    request["top"] = {"n": n, "direction": "top" if top else "bottom"}
    return Meaning(cls, slots, d.answer(table, dims=[dim]), request)


def nth(d: Draw) -> Meaning | None:
    n = d.rng.randint(2, 5)
    found = _ranking(d, top=True, most=n)
    if found is None or not (gold.cut_is_clear(found[3], n) and gold.cut_is_clear(found[3], n - 1)):
        return None
    metric, dim, span, order = found
    table = gold.labelled(dim, order[n - 1 : n])
    slots = {
        "P": d.span_slot(span),
        "M": d.metric_slot(metric),
        **d.dim_slots(dim),
        "N": Slot([str(n)], [str(n)]),
    }
    slots |= {"K": Slot([COUNTED[n - 1]], [""]), "O": Slot([""], [ORDINALS[n - 1]])}
    request: Json = {
        "metrics": [metric.name],
        "dimensions": [dim.name],
        "period": period(span),
        "top": {"nth": n},
    }
    return Meaning("nth", slots, d.answer(table, dims=[dim]), request)


def top_percent(d: Draw) -> Meaning | None:
    percent = d.rng.choice([10, 20, 25, 30])
    found = _ranking(d, top=True, most=8)
    if found is None:
        return None
    metric, dim, span, order = found
    n = math.ceil(len(order) * percent / 100)
    if not dim.entity or not gold.cut_is_clear(order, n):
        return None
    # The whole may also be all things, those without a row included.
    of_all = math.ceil(len(dim.values) * percent / 100)
    tables = [gold.labelled(dim, order[:count]) for count in dict.fromkeys([n, of_all])]
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim)}
    slots["N"] = Slot([str(percent)], [str(percent)])
    request: Json = {
        "metrics": [metric.name],
        "dimensions": [dim.name],
        "period": period(span),
        "top": {"percent": percent},
    }
    return Meaning("top_percent", slots, d.answer(*tables, dims=[dim]), request)
