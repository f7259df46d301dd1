"""What comes next in a dialogue beside another value or figure: each of both, one more figure, those in another month, the rest."""

from __future__ import annotations

from dataclasses import replace

from evals.generator import gold
from evals.generator.draw import Draw
from evals.generator.gold import Where
from evals.generator.talks import (
    State,
    Turn,
    dim_slots,
    figure,
    figure_turn,
    is_plain,
    last_value,
    listed,
    metric_slot,
    some_month,
    some_value,
    span_slots,
)
from evals.generator.wording import Slot


def _of_both(d: Draw, s: State, cls: str, *, alone: bool) -> Turn | None:
    """The value spoken of and another one, each by itself; `alone`: the other one by itself will do."""
    last = last_value(d, s)
    new = some_value(d, s, last[0], (last[1].key,)) if last and is_plain(s) else None
    if last is None or new is None or last[1].label == new.label:
        return None
    dim = last[0]
    own, other = figure(d, s), figure(d, replace(s, where=(*s.where[:-1], Where(dim.name, (new.key,)))))
    if not own or not other:
        return None
    each = [(last[1].label, own), (new.label, other)]
    tables = (each, [(other,)]) if alone else (each,)
    slots = {"V": d.value_words(new), "F": d.phrase(dim, new)}
    return Turn(cls, slots, d.answer(*tables, dims=[dim]), replace(s, before=()))


def add_value(d: Draw, s: State) -> Turn | None:
    return _of_both(d, s, "add_value", alone=True)


def compare_value(d: Draw, s: State) -> Turn | None:
    return _of_both(d, s, "compare_value", alone=False)


def the_rest(d: Draw, s: State) -> Turn | None:
    """All but the value that was named last."""
    last = last_value(d, s)
    if last is None or not is_plain(s) or len(s.where) != 1 or len(last[0].values) < 3:
        return None
    value = figure(d, replace(s, where=(replace(s.where[-1], exclude=True),)))
    return figure_turn(d, "the_rest", {"M": metric_slot(d, s.metric)}, s, value) if value else None


def add_figure(d: Draw, s: State) -> Turn | None:
    """One more figure of the things that were listed, beside the first."""
    order = listed(d, s) if s.by is not None and s.top >= 3 and s.descending and not s.counted else None
    other = d.other_metric(s.metric, s.by) if order and s.by else None
    if not order or s.by is None or other is None:
        return None
    if any(one.dim not in d.world.reach[other.fact] for one in s.where):
        return None
    parts = gold.grouped(other, d.rows(other, s.span, s.where), s.by.name)
    labels = [s.by.values[key].label for key, _ in order]
    if any(not parts.get(key) for key, _ in order) or len(set(labels)) < len(labels):
        return None
    table = [(s.by.values[key].label, value, parts[key]) for key, value in order]
    return Turn(
        "add_figure", {"M": metric_slot(d, other), **dim_slots(d, s.by)}, d.answer(table, dims=[s.by]), s
    )


def those_then(d: Draw, s: State) -> Turn | None:
    """The same things in another month, whoever was best then."""
    order = listed(d, s) if s.by is not None and s.top >= 3 and not s.counted else None
    if not order or s.by is None or s.span.unit != "month":
        return None
    span = some_month(d, s.span)
    keys = tuple(key for key, _ in order)
    rows = d.rows(s.metric, span, (*s.where, Where(s.by.name, keys)))
    parts = gold.grouped(s.metric, rows, s.by.name)
    labels = [s.by.values[key].label for key in keys]
    if set(parts) != set(keys) or len(set(labels)) < len(labels):
        return None
    slots = {**span_slots(span), **dim_slots(d, s.by), "K": Slot([str(s.top)], [str(s.top)])}
    return Turn("those_then", slots, d.answer(gold.labelled(s.by, parts.items()), dims=[s.by]), s)
