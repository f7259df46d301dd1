"""Meanings with a condition: on rows, on groups, on things that have something or nothing, on targets."""

from __future__ import annotations

from typing import Any

from evals.generator import gold, periods
from evals.generator.amounts import OPERATORS, holds, limit_between, money_words
from evals.generator.draw import Draw, Json, Meaning, period
from evals.generator.gold import Where
from evals.generator.wording import Slot
from evals.generator.world import Dim, Metric, World


def _operator(op: str) -> Slot:
    return Slot(OPERATORS[op].ko, OPERATORS[op].en)


def _row_limit(d: Draw) -> tuple[Metric, periods.Span, list[float], float, str] | None:
    """A limit for single rows: the metric, the period, what its rows hold, the limit and how it is meant."""
    metric, span = d.metric(lambda one: one.kind == "sum" and bool(one.rows.ko) and one.unit != ""), d.span()
    if metric is None or metric.column is None:
        return None
    held = [row[metric.column] for row in d.rows(metric, span)]
    limit = limit_between(held, d.rng, metric)
    return None if limit is None else (metric, span, held, limit, d.rng.choice([">", ">=", "<", "<="]))


def row_threshold_count(d: Draw) -> Meaning | None:
    return _rows_beyond(d, "row_threshold_count")


def row_threshold_sum(d: Draw) -> Meaning | None:
    return _rows_beyond(d, "row_threshold_sum")


def _rows_beyond(d: Draw, cls: str) -> Meaning | None:
    found = _row_limit(d)
    if found is None:
        return None
    metric, span, held, limit, op = found
    kept = [one for one in held if holds(one, op, limit)]
    if not kept or len(kept) == len(held):
        return None
    value = len(kept) if cls.endswith("count") else sum(kept)
    words = money_words(limit, metric)
    slots = {
        "P": d.span_slot(span), "T": Slot(words.ko, words.en), "O": _operator(op),
        "R": Slot(metric.rows.ko, metric.rows.en), "C": Slot(["건"], [""]),
    }  # fmt: skip
    asked = d.counted(metric.fact) if cls.endswith("count") else metric.name
    request: Json = {"metrics": [asked], "period": period(span)}
    request["rows"] = [{"column": metric.name, "op": op, "values": [limit]}]
    return Meaning(cls, slots, d.answer([(value,)]), request)


def band(d: Draw) -> Meaning | None:
    found = _row_limit(d)
    if found is None:
        return None
    metric, span, held, one, _ = found
    other = limit_between(held, d.rng, metric)
    if other is None or other == one:
        return None
    low, high = sorted((one, other))
    value = len([each for each in held if low <= each <= high])
    a, b = money_words(low, metric), money_words(high, metric)
    slots = {
        "P": d.span_slot(span), "T": Slot(a.ko, a.en), "U": Slot(b.ko, b.en),
        "R": Slot(metric.rows.ko, metric.rows.en), "C": Slot(["건"], [""]),
    }  # fmt: skip
    request: Json = {"metrics": [d.counted(metric.fact)], "period": period(span)}
    request["rows"] = [{"column": metric.name, "op": "between", "values": [low, high]}]
    return Meaning("band", slots, d.answer([(value,)]), request) if value else None


def _group_limit(d: Draw) -> tuple[Metric, Dim, periods.Span, dict[Any, float], float, str] | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric) if metric else None
    if metric is None or dim is None:
        return None
    values = gold.grouped(metric, d.rows(metric, span), dim.name)
    limit = limit_between([float(one) for one in values.values()], d.rng, metric)
    op = d.rng.choice([">", ">", ">=", "<", "<="])
    return None if limit is None else (metric, dim, span, values, limit, op)


def group_threshold_list(d: Draw) -> Meaning | None:
    return _groups_beyond(d, "group_threshold_list")


def group_threshold_count(d: Draw) -> Meaning | None:
    return _groups_beyond(d, "group_threshold_count")


def _groups_beyond(d: Draw, cls: str) -> Meaning | None:
    found = _group_limit(d)
    if found is None:
        return None
    metric, dim, span, values, limit, op = found
    kept = {key: value for key, value in values.items() if holds(value, op, limit)}
    tables = [gold.labelled(dim, kept.items())]
    missing = [key for key in dim.values if key not in values]
    if missing and op in {"<", "<="}:  # whether things without any row are meant is open
        tables.append(tables[0] + [(dim.values[key].label, 0) for key in missing])
    if cls.endswith("count"):
        tables = [[(len(table),)] for table in tables]
    words = money_words(limit, metric)
    slots = {
        "P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim), "T": Slot(words.ko, words.en),
        "O": _operator(op),
    }  # fmt: skip
    request: Json = {"metrics": [metric.name], "dimensions": [dim.name], "period": period(span)}
    request["having"] = [{"column": metric.name, "op": op, "values": [limit]}]
    if cls.endswith("count"):
        request |= {"dimensions": [], "count_groups": dim.name}
    return Meaning(cls, slots, d.answer(*tables, dims=[dim]), request)


def relative_threshold(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.span()
    dim = d.dim(metric) if metric else None
    value = d.value(dim, d.rows(metric, span)) if metric and dim else None
    if metric is None or dim is None or value is None:
        return None
    values = gold.grouped(metric, d.rows(metric, span), dim.name)
    kept = {key: one for key, one in values.items() if one > values[value.key]}
    if not 0 < len(kept) < len(values) - 1:
        return None
    slots = {
        "P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim), "V": d.value_words(value),
    }  # fmt: skip
    request: Json = {"metrics": [metric.name], "dimensions": [dim.name], "period": period(span)}
    other: Json = {"metric": metric.name, "filters": d.filters(Where(dim.name, (value.key,)))}
    request["having"] = [{"column": metric.name, "op": ">", "relative": other}]
    return Meaning(
        "relative_threshold", slots, d.answer(gold.labelled(dim, kept.items()), dims=[dim]), request
    )


def _counted(d: Draw) -> tuple[Metric, Dim, periods.Span] | None:
    metric = d.metric(lambda one: one.kind == "count" and bool(one.rows.ko))
    dim = d.dim(metric, entity=True) if metric else None
    return None if metric is None or dim is None else (metric, dim, d.span())


# Whose deed a row is: products do not visit, and customers do not get enrolled by others.
_DOERS = {
    "order_count": {"hospital": ("거래한", "bought something")},
    "visit_count": {"rep": ("방문한", "made a visit")},
    "seminar_count": {"hospital": ("세미나를 연", "held a seminar")},
    "sale_count": {"customer": ("구매한", "bought something")},
    "return_count": {"customer": ("반품한", "returned something")},
    "shipment_count": {
        "driver": ("배송한", "made a shipment"),
        "client": ("배송을 맡긴", "shipped something"),
    },
    "claim_count": {"client": ("파손 신고한", "filed a damage claim")},
    "enrolment_count": {"student": ("등록한", "enrolled")},
    "consult_count": {"student": ("상담받은", "had a consultation")},
}


def count_things(d: Draw) -> Meaning | None:
    found = _counted(d)
    deed = _DOERS.get(found[0].name, {}).get(found[1].name) if found else None
    if found is None or deed is None:
        return None
    metric, dim, span = found
    value = len(gold.grouped(metric, d.rows(metric, span), dim.name))
    slots = {"P": d.span_slot(span), **d.dim_slots(dim), "B": Slot([deed[0]], [deed[1]])}
    request: Json = {"count_groups": dim.name, "period": period(span)}
    request["existence"] = [{"dimension": dim.name, "fact_metric": metric.name}]
    if not 0 < value < len(dim.values):
        return None  # nobody could tell it from the number of all
    return Meaning("count_things", slots, d.answer([(value,)]), request)


def without_any(d: Draw) -> Meaning | None:
    return _without(d, "without_any")


def without_any_count(d: Draw) -> Meaning | None:
    return _without(d, "without_any_count")


def _without(d: Draw, cls: str) -> Meaning | None:
    found = _counted(d)
    if found is None:
        return None
    metric, dim, span = found
    keys = gold.without(d.world, dim.name, d.rows(metric, span))
    if not 0 < len(keys) < len(dim.values):
        return None
    table: gold.Table = [(dim.values[key].label,) for key in keys]
    slots = {"P": d.span_slot(span), **d.dim_slots(dim), "R": Slot(metric.rows.ko, metric.rows.en)}
    request: Json = {"period": period(span)}
    request |= {"count_groups": dim.name} if cls.endswith("count") else {"dimensions": [dim.name]}
    request["existence"] = [{"dimension": dim.name, "fact_metric": metric.name, "exists": False}]
    return Meaning(
        cls, slots, d.answer([(len(keys),)] if cls.endswith("count") else table, dims=[dim]), request
    )


# --- targets ------------------------------------------------------------------------------------------------


def target_missed(d: Draw) -> Meaning | None:
    return _targets(d, "target_missed", met=False)


def target_met(d: Draw) -> Meaning | None:
    return _targets(d, "target_met", met=True)


def target_count(d: Draw) -> Meaning | None:
    return _targets(d, "target_count", met=True)


def _targets(d: Draw, cls: str, *, met: bool) -> Meaning | None:
    given = d.world.extra.get("targets")
    if not given:
        return None
    metric, dim, span = d.world.metrics["sales_amount"], d.world.dims["rep"], d.month_or_quarter()
    kept = reached(d.world, metric, span, met=met)
    if not kept:
        return None
    slots = {"P": d.span_slot(span), **d.dim_slots(dim)}
    request: Json = {"metrics": ["achievement"], "period": period(span)}
    request |= {"count_groups": "rep"} if cls == "target_count" else {"dimensions": ["rep"]}
    request["having"] = [{"column": "achievement", "op": ">=" if met else "<", "values": [1.0]}]
    table: gold.Table = [(dim.values[key].label,) for key in kept]
    if cls == "target_count":
        table = [(len(kept),)]
    return Meaning(cls, slots, d.answer(table, dims=[dim]), request)


def reached(world: World, metric: Metric, span: periods.Span, *, met: bool) -> list[Any]:
    """The people whose sales of the period met, or missed, the sum of their monthly targets."""
    wanted: dict[Any, float] = {}
    for row in world.extra["targets"]:
        if span.start <= row["month"] <= span.end:
            wanted[row["rep_id"]] = wanted.get(row["rep_id"], 0) + row["target_amount"]
    sold = gold.grouped(metric, gold.rows_of(world, metric, (span.start, span.end)), "rep")
    return [key for key, amount in wanted.items() if (sold.get(key, 0) >= amount) == met]


def part_threshold_count(d: Draw) -> Meaning | None:
    """Rows of one value beyond a limit, named twice: of the meals, payments over 300,000 won."""
    found = _row_limit(d)
    if found is None:
        return None
    metric, span, _, limit, op = found
    dim = d.dim(metric, entity=False)
    value = d.value(dim, d.rows(metric, span)) if dim else None
    if metric.column is None or dim is None or value is None:
        return None
    held = [row[metric.column] for row in d.rows(metric, span, [Where(dim.name, (value.key,))])]
    kept = [one for one in held if holds(one, op, limit)]
    if not kept or len(kept) == len(held):
        return None
    words = money_words(limit, metric)
    slots = {
        "P": d.span_slot(span), "T": Slot(words.ko, words.en), "O": _operator(op), "F": d.phrase(dim, value),
        "R": Slot(metric.rows.ko, metric.rows.en), "C": Slot(["건"], [""]),
    }  # fmt: skip
    request: Json = {"metrics": [d.counted(metric.fact)], "period": period(span)}
    request["rows"] = [{"column": metric.name, "op": op, "values": [limit]}]
    request["filters"] = d.filters(Where(dim.name, (value.key,)))
    return Meaning("part_threshold_count", slots, d.answer([(len(kept),)]), request)


def per_guest_count(d: Draw) -> Meaning | None:
    """Meals that cost each guest more than a limit; only the demonstration company counts guests."""
    metric, span = d.world.metrics.get("expense_amount"), d.span()
    if metric is None or metric.column is None:
        return None
    meals = [row for row in d.rows(metric, span) if row["category"] == "meal" and row["attendees"]]
    each = [row[metric.column] / row["attendees"] for row in meals]
    limit = limit_between(each, d.rng, metric)
    if limit is None:
        return None
    op = d.rng.choice([">", ">=", "<", "<="])
    kept = [one for one in each if holds(one, op, limit)]
    words = money_words(limit, metric)
    slots = {"P": d.span_slot(span), "T": Slot(words.ko, words.en), "O": _operator(op)}
    meal: Json = {"dimension": "expense_category", "op": "in", "values": ["meal"]}
    request: Json = {"metrics": ["expense_count"], "period": period(span), "filters": [meal]}
    request["rows"] = [{"column": metric.name, "op": op, "values": [limit], "per": "meal_attendees"}]
    return Meaning("per_guest_count", slots, d.answer([(len(kept),)]), request) if kept else None


def largest_rows(d: Draw) -> Meaning | None:
    """The largest rows themselves, the largest first; only the demonstration company has a figure for them."""
    metric, span = d.world.metrics.get("expense_amount"), d.span()
    if metric is None or metric.column is None:
        return None
    order = sorted((row[metric.column] for row in d.rows(metric, span)), reverse=True)
    n = d.rng.choice([2, 3, 4, 5, 7, 10])
    if len(order) <= n or order[n - 1] == order[n] or len({*order[:n]}) < n:
        return None
    slots = {"P": d.span_slot(span), "N": Slot([str(n)], [str(n)]), "R": Slot(["지출", "비용"], ["expenses"])}
    request: Json = {"metrics": ["largest_expense"], "period": period(span), "limit": n}
    request["dimensions"] = ["day", "expense_category", "expense_item", "hospital", "rep"]
    request["order"] = [{"column": "largest_expense", "descending": True}]
    return Meaning("largest_rows", slots, d.answer([(one,) for one in order[:n]], ordered=True), request)
