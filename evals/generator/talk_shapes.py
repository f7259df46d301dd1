"""Dialogues about other shapes than a figure or a list of figures: means, months, things without any, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evals.generator import gold, periods
from evals.generator.draw import Draw
from evals.generator.gold import Where
from evals.generator.periods import Span
from evals.generator.talks import (
    NEVER,
    State,
    Turn,
    dim_slots,
    figure,
    figure_turn,
    is_plain,
    kinds_of,
    lacking_keys,
    last_value,
    listed,
    metric_slot,
    month_parts,
    side_dim,
    some_month,
    some_value,
    span_slots,
    turn_of,
)
from evals.generator.wording import Slot
from evals.generator.world import Dim, Value


def start_mean(d: Draw) -> Turn | None:
    """The average of one row, of a part or of all."""
    metric = d.metric(lambda one: one.kind == "sum" and one.unit != "" and bool(one.rows.en))
    if metric is None:
        return None
    s = State(metric, d.month_or_quarter(), shape="mean")
    dim = side_dim(d, s)
    value = some_value(d, s, dim) if dim else None
    if dim is None or value is None:
        return None
    rows = {
        "R": Slot(metric.rows.ko[:1], metric.rows.en),
        "R1": Slot(metric.rows.ko[:1], [word.rstrip("s") for word in metric.rows.en]),
    }
    slots = {"M": metric_slot(d, metric), "F": d.phrase(dim, value), **rows, **span_slots(s.span)}
    return turn_of(d, "start_mean", slots, replace(s, where=(Where(dim.name, (value.key,)),)))


def start_months(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.rng.choice([periods.quarter(d.world.now, back) for back in (1, 2)])
    if metric is None:
        return None
    s = State(metric, span, shape="months")
    return turn_of(d, "start_months", {"M": metric_slot(d, metric), **span_slots(span)}, s)


def start_lacking(d: Draw) -> Turn | None:
    """The things that have no row of a kind."""
    metric = d.metric(lambda one: one.kind == "count" and bool(one.rows.en))
    dim = d.dim(metric, entity=True) if metric else None
    if metric is None or dim is None:
        return None
    s = State(metric, some_month(d), by=dim, shape="lacking")
    return turn_of(d, "start_lacking", {**_row_slots(s), **dim_slots(d, dim), **span_slots(s.span)}, s)


def _row_slots(s: State) -> dict[str, Slot]:
    return {"R": Slot(s.metric.rows.ko, s.metric.rows.en)}


SHAPED_STARTS: tuple[Callable[[Draw], Turn | None], ...] = (start_mean, start_months, start_lacking)


# --- of any shape -------------------------------------------------------------------------------------------


def shift_period(d: Draw, s: State) -> Turn | None:
    """And the month before?"""
    if s.place or s.counted or s.span.unit not in ("month", "quarter"):
        return None
    start, end = periods.before(s.span)
    unit = {"month": ("달", "month"), "quarter": ("분기", "quarter")}[s.span.unit]
    span = Span(start, end, s.span.unit, s.span.words, s.span.names)
    slots = {"U": Slot([unit[0]], [unit[1]])}
    return turn_of(d, "shift_period", slots, replace(s, span=span, before=(s.span,)))


def back_to(d: Draw, s: State) -> Turn | None:
    """Go back to Seoul, after Seoul and then Busan."""
    if len(s.before) != 1:
        return None
    other = s.before[0]
    if isinstance(other, Span):
        if "in " not in " ".join(other.words.en):
            return None
        names = Slot(other.names.ko[:1], other.names.en)
        return turn_of(d, "back_to", {"V": names}, replace(s, span=other, before=()))
    value = d.world.dims[other.dim].values[other.keys[0]]
    return turn_of(
        d, "back_to", {"V": d.value_words(value)}, replace(s, where=(*s.where[:-1], other), before=())
    )


def same_but(d: Draw, s: State) -> Turn | None:
    """Another value and another month at once."""
    last = last_value(d, s)
    if last is None or s.by is not None or s.shape == "months" or s.share:
        return None
    span = some_month(d, s.span)
    moved = replace(s, span=span)
    new = some_value(d, moved, last[0], (last[1].key,))
    if new is None:
        return None
    where = (*s.where[:-1], Where(last[0].name, (new.key,)))
    slots = {"V": d.value_words(new), "F": d.phrase(last[0], new), **span_slots(span)}
    return turn_of(d, "same_but", slots, replace(moved, where=where, before=()))


def year_ago(d: Draw, s: State) -> Turn | None:
    """How does that compare with a year earlier?"""
    if not is_plain(s) or s.shape or s.span.unit != "month":
        return None
    then = gold.figure(s.metric, d.rows(s.metric, periods.year_before(s.span), s.where))
    now = figure(d, s)
    if not then or not now or then == now:
        return None
    return figure_turn(d, "year_ago", {}, s, now - then, (now - then) / then, then)


# --- lists ----------------------------------------------------------------------------------------------------


def _whole_list(s: State) -> bool:
    return s.by is not None and not (s.top or s.place or s.counted or s.shape or s.above is not None)


def list_narrow(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.place or s.counted or len(s.where) > 1 or s.shape == "months":
        return None
    dim = side_dim(d, s, never=(s.by.name, *(one.dim for one in s.where)))
    value = some_value(d, s, dim) if dim and s.shape != "lacking" else None
    if s.shape == "lacking":
        dim, value = _property(d, s)
    if dim is None or value is None:
        return None
    slots = {"V": d.value_words(value), "F": d.phrase(dim, value), **dim_slots(d, s.by)}
    return turn_of(
        d, "list_narrow", slots, replace(s, where=(*s.where, Where(dim.name, (value.key,))), before=())
    )


def _property(d: Draw, s: State) -> tuple[Dim | None, Value | None]:
    """A place or a kind that some of the things without any have."""
    assert s.by is not None
    names = [
        one for one in ("region", "hospital_type") if one in d.world.reach[s.metric.fact] and one != s.by.name
    ]
    if s.by.name != "hospital" or not names or s.where:
        return None, None
    dim = d.world.dims[d.rng.choice(names)]
    held = [one for one in dim.values.values() if one.key in set(kinds_of(d, s, dim.name).values())]
    return (dim, d.rng.choice(held)) if held else (None, None)


def list_metric(d: Draw, s: State) -> Turn | None:
    if not _whole_list(s) or s.by is None:
        return None
    held = {s.by.name, *(one.dim for one in s.where)}
    other = d.other_metric(s.metric, s.by)
    if other is None or not held <= d.world.reach[other.fact]:
        return None
    return turn_of(d, "list_metric", {"M": metric_slot(d, other)}, replace(s, metric=other, before=()))


def list_share(d: Draw, s: State) -> Turn | None:
    order = listed(d, s) if _whole_list(s) else None
    if not order or s.by is None or len(order) < 2:
        return None
    whole = sum(value for _, value in order)
    table = [(s.by.values[key].label, value / whole) for key, value in order]
    if not whole or len({label for label, _ in table}) < len(table):
        return None
    return Turn("list_share", {"M": metric_slot(d, s.metric)}, d.answer(table, dims=[s.by]), s)


def list_order(d: Draw, s: State) -> Turn | None:
    order = listed(d, s) if _whole_list(s) else None
    if not order or s.by is None or len({value for _, value in order}) < len(order):
        return None
    up = d.rng.random() < 0.5
    table = gold.labelled(s.by, sorted(order, key=lambda pair: pair[1] if up else -pair[1]))
    words = (
        Slot(["낮은", "적은"], ["lowest", "smallest"])
        if up
        else Slot(["높은", "많은"], ["highest", "largest"])
    )
    return Turn("list_order", {"E": words}, d.answer(table, dims=[s.by], ordered=True), s)


def list_mean(d: Draw, s: State) -> Turn | None:
    order = listed(d, s) if _whole_list(s) else None
    if not order or s.by is None or len(order) < 2 or not s.metric.additive:
        return None
    value = sum(value for _, value in order) / len(order)
    return figure_turn(d, "list_mean", dim_slots(d, s.by), s, value)


def list_gap(d: Draw, s: State) -> Turn | None:
    order = listed(d, s) if s.by is not None and not (s.place or s.counted or s.shape) else None
    if not order or len(order) < 3 or s.top == 1:
        return None
    gap = order[0][1] - order[-1][1]
    return figure_turn(d, "list_gap", {}, s, gap, -gap) if gap else None


def resplit(d: Draw, s: State) -> Turn | None:
    if not _whole_list(s) or s.by is None:
        return None
    dim = d.dim(s.metric, never=[*NEVER, s.by.name, *(one.dim for one in s.where), "hospital", "rep"])
    return turn_of(d, "resplit", dim_slots(d, dim), replace(s, by=dim, before=())) if dim else None


def split_then(d: Draw, s: State) -> Turn | None:
    """By region for September: another month and a split at once."""
    if not is_plain(s) or s.shape:
        return None
    dim = d.dim(s.metric, never=[*NEVER, *(one.dim for one in s.where), "hospital", "rep"])
    span = some_month(d, s.span)
    if dim is None:
        return None
    slots = {**dim_slots(d, dim), **span_slots(span)}
    return turn_of(d, "split_then", slots, replace(s, by=dim, span=span, before=()))


def share_of_listed(d: Draw, s: State) -> Turn | None:
    """What share of the total do these five make up?"""
    order = (
        listed(d, s) if s.by is not None and (s.top >= 3 or s.above is not None) and not s.counted else None
    )
    whole = figure(d, replace(s, by=None)) if order else None
    if not order or s.by is None or not whole or s.place or len(order) < 2 or not s.metric.additive:
        return None
    slots = {
        "K": Slot([str(len(order))], [str(len(order))]),
        "M": metric_slot(d, s.metric),
        **dim_slots(d, s.by),
    }
    return figure_turn(d, "share_of_listed", slots, s, sum(value for _, value in order) / whole)


# --- months -----------------------------------------------------------------------------------------------------


def by_month(d: Draw, s: State) -> Turn | None:
    if not is_plain(s) or s.shape or s.span.unit != "quarter":
        return None
    return turn_of(d, "by_month", {"M": metric_slot(d, s.metric)}, replace(s, shape="months", before=()))


def best_month(d: Draw, s: State) -> Turn | None:
    parts = month_parts(d, s) if s.shape == "months" else {}
    low = d.rng.random() < 0.4
    order = gold.ranked(parts, top=not low)
    if len(order) < 3 or order[0][1] == order[1][1]:
        return None
    words = (
        Slot(["적은", "낮은"], ["lowest", "worst"]) if low else Slot(["많은", "높은"], ["highest", "best"])
    )
    return Turn("best_month", {"E": words}, d.answer([order[0]]), s)


def month_mean(d: Draw, s: State) -> Turn | None:
    whole = figure(d, replace(s, shape="")) if s.shape in ("", "months") and s.by is None else None
    if not whole or s.share or s.counted or s.span.unit != "quarter" or not s.metric.additive:
        return None
    return figure_turn(d, "month_mean", {}, s, whole / 3)


# --- things without any -------------------------------------------------------------------------------------------


def how_many_lack(d: Draw, s: State) -> Turn | None:
    if s.shape != "lacking" or s.by is None or s.counted:
        return None
    return turn_of(d, "how_many_lack", dim_slots(d, s.by), replace(s, counted=True, before=()))


def figure_of_lacking(d: Draw, s: State) -> Turn | None:
    """How much did they sell altogether?, of those without a visit."""
    keys = lacking_keys(d, s) if s.shape == "lacking" and not s.counted else None
    other = d.other_metric(s.metric, s.by) if keys and s.by else None
    if not keys or other is None or s.by is None:
        return None
    value = gold.figure(other, d.rows(other, s.span, [Where(s.by.name, tuple(keys))]))
    slots = {"M": metric_slot(d, other), **dim_slots(d, s.by)}
    return figure_turn(d, "figure_of_lacking", slots, s, value) if value else None


SHAPED: tuple[Callable[[Draw, State], Turn | None], ...] = (
    shift_period, back_to, same_but, year_ago, list_narrow, list_metric, list_share, list_order, list_mean, list_gap, resplit,
    split_then, share_of_listed, by_month, best_month, month_mean, how_many_lack, figure_of_lacking,
)  # fmt: skip
FITTING = {
    "mean": {"replace_value", "correct_value", "replace_period", "correct_period", "shift_period", "back_to", "same_but"},
    "months": {"best_month", "month_mean", "shift_period", "chart"},
    "lacking": {
        "replace_period", "correct_period", "shift_period", "how_many_lack", "list_narrow", "figure_of_lacking", "which_ones",
    },
}  # fmt: skip
"""The classes that go on with a shape of its own; any class goes on with a figure or a list."""
