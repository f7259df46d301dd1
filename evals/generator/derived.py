"""Meanings of derived figures: per something, averages, growth, weekdays, running totals, figures among the best."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from evals.generator import gold, periods
from evals.generator.draw import Draw, Json, Meaning, derived, period
from evals.generator.periods import MONTHS, Span, month_of
from evals.generator.wording import Slot
from evals.generator.world import Metric


def per_thing(d: Draw) -> Meaning | None:
    """Per hospital, per head: over the things that have rows, or over all there are, as both are said so."""
    metric, span = d.metric(), d.span()
    dim = d.dim(metric, entity=True) if metric else None
    if metric is None or dim is None:
        return None
    rows = d.rows(metric, span)
    whole, having = gold.figure(metric, rows), len(gold.grouped(metric, rows, dim.name))
    if not whole or having < 2:
        return None
    tables: list[gold.Table] = [[(whole / count,)] for count in dict.fromkeys([having, len(dim.values)])]
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim)}
    things: Json = {"metric": f"count:{dim.name}", "of": metric.name}
    request = derived("ratio", {"metric": metric.name}, span, denominator=things)
    return Meaning("per_thing", slots, d.answer(*tables), request)


def per_row(d: Draw) -> Meaning | None:
    """A figure of one table per row of another: sales per visit."""
    metric, span = d.money(), d.span()
    other = d.metric(lambda one: one.kind == "count" and metric is not None and one.fact != metric.fact)
    if metric is None or other is None:
        return None
    a, b = gold.figure(metric, d.rows(metric, span)), gold.figure(other, d.rows(other, span))
    if not a or not b or b < 2:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "R": Slot(other.rows.ko[:1], other.rows.en)}
    slots["R1"] = Slot(other.rows.ko, [word.rstrip("s") for word in other.rows.en])
    request = derived("ratio", {"metric": metric.name}, span, denominator={"metric": other.name})
    return Meaning("per_row", slots, d.answer([(a / b,)]), request)


def row_average(d: Draw) -> Meaning | None:
    metric, span = d.metric(lambda one: one.kind == "sum" and one.unit != "" and bool(one.rows.ko)), d.span()
    if metric is None:
        return None
    rows = d.rows(metric, span)
    value = gold.mean(metric, rows)
    if value is None or len(rows) < 2:
        return None
    slots = {
        "P": d.span_slot(span),
        "M": d.metric_slot(metric),
        "R": Slot(metric.rows.ko[:1], metric.rows.en),
    }
    slots["R1"] = Slot(metric.rows.ko, [word.rstrip("s") for word in metric.rows.en])
    request = derived("ratio", {"metric": metric.name}, span, denominator={"metric": d.counted(metric.fact)})
    return Meaning("row_average", slots, d.answer([(value,)]), request)


def per_period(d: Draw) -> Meaning | None:
    metric, span = d.metric(), periods.long_finished(d.world.now, d.rng)
    value = gold.figure(metric, d.rows(metric, span)) if metric else None
    if metric is None or not value or span.start < d.first:
        return None
    months = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month + 1
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    request = derived("per_period", {"metric": metric.name}, span, per="month")
    return Meaning("per_period", slots, d.answer([(value / months,)]), request)


def per_day(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.month_or_quarter()
    value = gold.figure(metric, d.rows(metric, span)) if metric else None
    if metric is None or not value:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    request = derived("per_period", {"metric": metric.name}, span, per="day")
    return Meaning("per_day", slots, d.answer([(value / len(span.days),)]), request)


def per_working_day(d: Draw) -> Meaning | None:
    """Over Monday to Friday: all that happened, or what happened on those days."""
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    rows = d.rows(metric, span)
    whole = gold.figure(metric, rows)
    inside = gold.figure(metric, [row for row in rows if row["date"].weekday() < 5])
    days = len([day for day in span.days if day.weekday() < 5])
    if not whole or not inside:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    request = derived("per_period", {"metric": metric.name}, span, per="working_day")
    tables: list[gold.Table] = [[(whole / days,)], [(inside / days,)]]
    return Meaning("per_working_day", slots, d.answer(*tables), request)


# --- change -------------------------------------------------------------------------------------------------

_NEIGHBOUR = {
    "month": (["전월", "전달", "그 전달"], ["the previous month", "the month before"]),
    "quarter": (["전분기", "직전 분기", "그 전 분기"], ["the previous quarter", "the quarter before"]),
}


def _other(span: Span) -> Slot:
    ko, en = _NEIGHBOUR[span.unit]
    start = periods.before(span)[0]
    if span.unit == "month" and start.year == span.start.year:
        return Slot([*ko, f"{start.month}월"], [*en, MONTHS[start.month - 1]])
    return Slot(ko, en)


def _changed(
    d: Draw, cls: str, metric: Metric, span: Span, thens: Sequence[tuple[date, date]], slots: dict[str, Slot]
) -> Meaning | None:
    """How much it changed since any of the given stretches: as a share, an amount, or both figures side by side."""
    now_value = gold.figure(metric, d.rows(metric, span))
    tables: list[gold.Table] = []
    for then in dict.fromkeys(thens):
        before = gold.figure(metric, d.rows(metric, then))
        rate = gold.change(now_value, before)
        if rate is None or now_value is None or before is None or then[0] < d.first:
            return None
        tables += [[(rate,)], [(now_value, before)], [(now_value - before,)], [(now_value,), (before,)]]
    request: Json = {"metrics": [metric.name], "period": period(span)}
    request["comparison"] = "same_period_last_year" if cls == "growth_year" else "previous"
    if cls == "unfinished":
        request["period"]["grain"] = span.unit
    return Meaning(cls, slots, d.answer(*tables), request)


def growth_previous(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "Q": _other(span)}
    return _changed(d, "growth_previous", metric, span, [periods.before(span)], slots)


def growth_year(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    return _changed(d, "growth_year", metric, span, [periods.year_before(span)], slots)


def unfinished(d: Draw) -> Meaning | None:
    """A period that still runs is set against as many days of the one before, or as far into its months."""
    metric, unit = d.metric(), d.rng.choice(["month", "month", "quarter", "year"])
    span = periods.running(d.world.now, unit)
    if metric is None or span.end < span.start:
        return None
    start = periods.before(Span(span.start, span.start, unit, span.words, span.names))[0]
    days = (span.end - span.start).days
    same = start + timedelta(days=days) if unit != "year" else span.end.replace(year=span.end.year - 1)
    aligned = periods.aligned(span, start)
    names = {
        "month": (["지난달", "전월", "저번 달"], ["last month"]), "quarter": (["지난 분기", "전분기"], ["last quarter"]),
        "year": (["작년", "지난해"], ["last year"]),
    }[unit]  # fmt: skip
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric), "Q": Slot(*names)}
    return _changed(d, "unfinished", metric, span, [(start, same), (start, aligned)], slots)


def growth_ranking(d: Draw) -> Meaning | None:
    metric, span = d.metric(lambda one: one.kind == "sum"), d.month_or_quarter()
    dim = d.dim(metric) if metric else None
    if metric is None or dim is None:
        return None
    now = gold.grouped(metric, d.rows(metric, span), dim.name)
    then = gold.grouped(metric, d.rows(metric, periods.before(span)), dim.name)
    rates = {key: (now.get(key, 0) - value) / value for key, value in then.items() if value and key in now}
    n = d.rng.randint(1, 5)
    order = gold.ranked(rates)
    if len(now) != len(then) or not gold.cut_is_clear(order, n):
        return None
    slots = {
        "P": d.span_slot(span), "M": d.metric_slot(metric), **d.dim_slots(dim), "Q": _other(span),
        "N": Slot([str(n)], [str(n)]),
    }  # fmt: skip
    request: Json = {"metrics": [metric.name], "dimensions": [dim.name], "period": period(span)}
    request |= {"comparison": "previous", "top": {"n": n, "by": f"{metric.name}__change"}}
    return Meaning("growth_ranking", slots, d.answer(gold.labelled(dim, order[:n]), dims=[dim]), request)


# --- days and months ----------------------------------------------------------------------------------------


def weekend(d: Draw) -> Meaning | None:
    metric, span, free = d.metric(), d.span(), d.rng.random() < 0.6
    if metric is None or len(span.days) < 7:
        return None
    rows = d.rows(metric, span)
    value = gold.figure(metric, [row for row in rows if (row["date"].weekday() > 4) == free])
    if value == gold.figure(metric, rows):
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    slots["W"] = Slot(
        ["주말", "토요일과 일요일"] if free else ["평일", "주중"], ["weekends" if free else "weekdays"]
    )
    slots["W1"] = Slot(["주말"], ["weekend" if free else "weekday"])
    request = {
        "metrics": [metric.name],
        "period": period(span),
        "weekdays": [6, 7] if free else [1, 2, 3, 4, 5],
    }
    return Meaning("weekend", slots, d.answer([(value,)]), request) if value else None


_DAYS = (
    ("월", "Mon"),
    ("화", "Tue"),
    ("수", "Wed"),
    ("목", "Thu"),
    ("금", "Fri"),
    ("토", "Sat"),
    ("일", "Sun"),
)


def by_weekday(d: Draw) -> Meaning | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    values = gold.bucketed(metric, d.rows(metric, span), lambda day: str(day.isoweekday()))
    table: gold.Table = [(f"weekday {key}", value) for key, value in values.items()]
    names = {
        f"weekday {n}": frozenset({str(n), str(n % 7), ko, f"{ko}요일", en, *(full for full in _FULL if full.startswith(en))})
        for n, (ko, en) in enumerate(_DAYS, 1)
    }  # fmt: skip
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    answer = d.answer(table)
    request = {"metrics": [metric.name], "dimensions": ["weekday"], "period": period(span)}
    return Meaning("by_weekday", slots, type(answer)(answer.tables, names=names), request)


_FULL = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def trend(d: Draw) -> Meaning | None:
    return _monthly(d, "trend", running=False)


def cumulative(d: Draw) -> Meaning | None:
    return _monthly(d, "cumulative", running=True)


def month_run(d: Draw) -> Meaning | None:
    """Three months in a row, each by itself."""
    run = _three_months(d)
    if run is None:
        return None
    metric, spans, slots = run
    rows = [(gold.figure(metric, d.rows(metric, span)),) for span in spans]
    request: Json = {
        "metrics": [metric.name],
        "dimensions": ["month"],
        "period": {"start": spans[0][0].isoformat(), "end": spans[-1][1].isoformat()},
    }
    return Meaning("month_run", slots, d.answer(rows), request)


def month_run_sum(d: Draw) -> Meaning | None:
    """Three months in a row as one."""
    run = _three_months(d)
    if run is None:
        return None
    metric, spans, slots = run
    whole = (spans[0][0], spans[-1][1])
    value = gold.figure(metric, d.rows(metric, whole))
    span = {"start": whole[0].isoformat(), "end": whole[1].isoformat()}
    return Meaning("month_run_sum", slots, d.answer([(value,)]), {"metrics": [metric.name], "period": span})


def _three_months(d: Draw) -> tuple[Metric, list[tuple[date, date]], dict[str, Slot]] | None:
    now, last = d.world.now, d.rng.randint(1, 4)
    metric = d.metric(lambda one: one.kind in ("sum", "count"))
    spans = [month_of(now.year, now.month - back) for back in (last + 2, last + 1, last)]
    if metric is None or any(start.year != now.year for start, _ in spans):
        return None
    if not all(gold.figure(metric, d.rows(metric, span)) for span in spans):
        return None
    names = {
        name: Slot([f"{start.month}월"], [MONTHS[start.month - 1]])
        for name, (start, _) in zip("ABC", spans, strict=True)
    }
    return metric, spans, {**names, "M": d.metric_slot(metric)}


def _monthly(d: Draw, cls: str, *, running: bool) -> Meaning | None:
    metric, now = d.metric(), d.world.now
    span = d.rng.choice([periods.last_year(now), periods.quarter(now, 1), periods.half(now, first=False)])
    if metric is None or span.start < d.first:
        return None
    values = gold.bucketed(metric, d.rows(metric, span), lambda day: f"{day:%Y-%m}")
    table: list[tuple[Any, ...]] = []
    held = 0.0
    for month, value in values.items():
        held += value
        table.append((month, held if running else value))
    months = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month + 1
    if len(table) != months:
        return None
    slots = {"P": d.span_slot(span), "M": d.metric_slot(metric)}
    request = {
        "metrics": [metric.name],
        "dimensions": ["month"],
        "period": period(span),
        "running_total": running,
    }
    return Meaning(cls, slots, d.answer(table), request)


def among(d: Draw) -> Meaning | None:
    """A figure of the things that lead in another: the visits of the five hospitals with the most sales."""
    metric, span, n = d.metric(), d.span(), d.rng.randint(2, 6)
    dim = d.dim(metric, entity=True) if metric else None
    other = d.other_metric(metric, dim) if metric and dim else None
    if metric is None or dim is None or other is None:
        return None
    order = gold.ranked(gold.grouped(metric, d.rows(metric, span), dim.name))
    if not gold.cut_is_clear(order, n):
        return None
    best = [key for key, _ in order[:n]]
    parts = gold.grouped(other, [row for row in d.rows(other, span) if row[f"@{dim.name}"] in best], dim.name)
    if not parts:
        return None
    split = gold.labelled(dim, parts.items())
    slots = {
        "P": d.span_slot(span), "M": d.metric_slot(metric), "L": d.metric_slot(other), **d.dim_slots(dim),
        "N": Slot([str(n)], [str(n)]),
    }  # fmt: skip
    request: Json = {"metrics": [other.name], "period": period(span)}
    best_by: Json = {"metrics": [metric.name], "dimensions": [dim.name], "top": {"n": n}}
    request["among"] = {**best_by, "period": period(span)}
    return Meaning("among", slots, d.answer([(sum(parts.values()),)], split, dims=[dim]), request)
