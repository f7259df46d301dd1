"""Dialogues: a question and what people say next, each turn with its answer by plain Python over the rows.

A follow-up belongs to one class of meaning (another value, narrower, the second one, both together, …) and changes the state
of the talk as a person means it. Each class has wordings that rules may be written for, and others that are scored apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from evals.generator import gold, periods
from evals.generator.draw import Draw
from evals.generator.gold import Where
from evals.generator.periods import Span
from evals.generator.wording import Slot
from evals.generator.world import Dim, Metric, Own, Value
from evals.judge import Gold

FILE = Path(__file__).with_name("talk_wordings.yaml")
GRAMMAR = Path(__file__).with_name("talk_grammar.yaml")
Slots = Mapping[str, Slot]
NEVER = ("tier", "is_public", "seminar_status")
"""Dimensions whose values say too little on their own."""


@dataclass(frozen=True)
class State:
    """What the talk is about after a turn."""

    metric: Metric
    span: Span
    where: tuple[Where, ...] = ()
    by: Dim | None = None
    top: int = 0
    """So many of the list, best first; 0: all of them."""
    descending: bool = True
    place: int = 0
    """One place of the ranking."""
    share: bool = False
    """The share of the last restriction in the whole."""
    above: float | None = None
    """Only things whose figure is larger."""
    counted: bool = False
    """How many there are."""
    shape: str = ""
    """mean (of one row), months (each by itself), lacking (the things without any row); empty: a figure or a list."""
    before: tuple[Where | Span, ...] = ()
    """The value or the period that the turn before had in the place of this one's."""


@dataclass(frozen=True)
class Turn:
    cls: str
    slots: Slots
    gold: Gold
    state: State | None
    """None: what was said leaves the talk where it was."""


@cache
def wordings() -> dict[str, Any]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


@cache
def grammar() -> dict[str, Any]:
    return yaml.safe_load(GRAMMAR.read_text(encoding="utf-8"))


def grown(template: str, language: str, rng: Random) -> str:
    """The template with its parts drawn from the grammar."""
    parts = grammar()["parts"][language]
    return re.sub(r"<([a-z]+)>", lambda found: rng.choice(parts[found[1]]), template)


def figure(d: Draw, s: State) -> float | None:
    return gold.figure(s.metric, d.rows(s.metric, s.span, s.where))


def listed(d: Draw, s: State) -> list[tuple[Any, Any]] | None:
    """The things with their figures; None where a tie leaves open which ones belong to it."""
    assert s.by is not None
    order = gold.ranked(
        gold.grouped(s.metric, d.rows(s.metric, s.span, s.where), s.by.name), top=s.descending
    )
    order = [pair for pair in order if pair[0] in s.by.values]
    if s.above is not None:
        order = [pair for pair in order if pair[1] > s.above]
    if s.place:
        clear = gold.cut_is_clear(order, s.place) and order[s.place - 2][1] != order[s.place - 1][1]
        return [order[s.place - 1]] if clear else None
    if s.top:
        return order[: s.top] if gold.cut_is_clear(order, s.top) else None
    return order


def month_parts(d: Draw, s: State) -> dict[str, float | int]:
    return gold.bucketed(s.metric, d.rows(s.metric, s.span, s.where), lambda day: f"{day:%Y-%m}")


def kinds_of(d: Draw, s: State, name: str) -> dict[object, object]:
    """Of each thing the value that it has of the dimension, as far as any row shows it."""
    assert s.by is not None
    return {
        row[f"@{s.by.name}"]: row[f"@{name}"]
        for rows in d.world.facts.values()
        for row in rows
        if f"@{s.by.name}" in row and f"@{name}" in row
    }


def lacking_keys(d: Draw, s: State) -> list[object] | None:
    assert s.by is not None
    keys = gold.without(d.world, s.by.name, d.rows(s.metric, s.span))
    for one in s.where:
        kinds = kinds_of(d, s, one.dim)
        if any(key not in kinds for key in keys):
            return None
        keys = [key for key in keys if kinds[key] in one.keys]
    return keys if 0 < len(keys) < len(s.by.values) else None


def _shaped(d: Draw, s: State) -> Gold | None:
    """The answer of a state that is neither one figure nor a list of figures."""
    if s.shape == "mean":
        rows = d.rows(s.metric, s.span, s.where)
        value = gold.mean(s.metric, rows)
        return d.answer([(value,)]) if value and len(rows) > 1 else None
    if s.shape == "months":
        parts = month_parts(d, s)
        return d.answer(list(parts.items())) if len(parts) == 3 else None
    keys = lacking_keys(d, s)
    if keys is None or s.by is None or len(keys) > 60:
        return None
    labels = [s.by.values[key].label for key in keys]
    if s.counted or len(set(labels)) < len(labels):
        return d.answer([(len(keys),)]) if s.counted else None
    return d.answer([(label,) for label in labels], dims=[s.by])


def answer(d: Draw, s: State) -> Gold | None:
    if s.shape:
        return _shaped(d, s)
    if s.by is None:
        own = figure(d, s)
        if own is None or not s.share:
            return d.answer([(own,)]) if own else None
        whole = figure(d, replace(s, where=s.where[:-1]))
        return d.answer([(own / whole,)]) if whole and own != whole else None
    pairs = listed(d, s)
    if not pairs or len(pairs) > 60:
        return None
    if s.counted:
        return d.answer([(len(pairs),)])
    labels = [s.by.values[key].label for key, _ in pairs]
    if len(set(labels)) < len(labels):
        return None
    return d.answer(gold.labelled(s.by, pairs), dims=[s.by])


def turn_of(d: Draw, cls: str, slots: Slots, s: State) -> Turn | None:
    found = answer(d, s)
    return Turn(cls, slots, found, s) if found else None


def figure_turn(d: Draw, cls: str, slots: Slots, s: State, *values: float | None) -> Turn | None:
    """A figure that the talk does not go on with."""
    if any(value is None for value in values):
        return None
    return Turn(cls, slots, d.answer(*[[(value,)] for value in values]), replace(s, before=()))


def _known(slot: Slot) -> Slot:
    """The words of the model alone: unknown ones are measured on single questions."""
    ko = [word for word in slot.ko if not isinstance(word, Own)]
    en = [word for word in slot.en if not isinstance(word, Own)]
    return replace(slot, ko=ko, en=en)


def metric_slot(d: Draw, metric: Metric) -> Slot:
    return _known(d.metric_slot(metric))


def dim_slots(d: Draw, dim: Dim) -> dict[str, Slot]:
    return {name: _known(slot) for name, slot in d.dim_slots(dim).items()}


def span_slots(span: Span) -> dict[str, Slot]:
    return {"P": Slot(span.words.ko, span.words.en), "N": Slot(span.names.ko, span.names.en)}


def some_month(d: Draw, never: Span | None = None) -> Span:
    held = [periods.named_month(d.world.now, back) for back in range(1, 7)]
    return d.rng.choice([one for one in held if never is None or one.start != never.start])


def some_value(d: Draw, s: State, dim: Dim, never: tuple[Any, ...] = ()) -> Value | None:
    rows = d.rows(s.metric, s.span, [one for one in s.where if one.dim != dim.name])
    return d.value(dim, rows, never=never)


def side_dim(d: Draw, s: State, *, never: tuple[str, ...] = (), entity: bool | None = False) -> Dim | None:
    return d.dim(s.metric, entity=entity, never=[*NEVER, *never])


def last_value(d: Draw, s: State) -> tuple[Dim, Value] | None:
    """The restriction that was named last, where it is one value."""
    if not s.where or s.where[-1].exclude or len(s.where[-1].keys) != 1:
        return None
    dim = d.world.dims[s.where[-1].dim]
    return dim, dim.values[s.where[-1].keys[0]]


def is_plain(s: State) -> bool:
    return s.by is None and not s.share and not s.counted and not s.shape


def start_total(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    return turn_of(d, "start_total", {"M": metric_slot(d, metric), **span_slots(span)}, State(metric, span))


def start_part(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    s = State(metric, span)
    dim = side_dim(d, s)
    value = some_value(d, s, dim) if dim else None
    if dim is None or value is None:
        return None
    slots = {"M": metric_slot(d, metric), "F": d.phrase(dim, value), **span_slots(span)}
    return turn_of(d, "start_part", slots, replace(s, where=(Where(dim.name, (value.key,)),)))


def start_list(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.month_or_quarter()
    dim = d.dim(metric, never=("hospital", "rep")) if metric else None
    if metric is None or dim is None:
        return None
    slots = {"M": metric_slot(d, metric), **dim_slots(d, dim), **span_slots(span)}
    return turn_of(d, "start_list", slots, State(metric, span, by=dim))


def start_top(d: Draw) -> Turn | None:
    metric, span, n = d.metric(), d.month_or_quarter(), d.rng.choice([3, 5])
    dim = d.dim(metric, entity=True) if metric else None
    if metric is None or dim is None:
        return None
    slots = {
        "M": metric_slot(d, metric),
        **dim_slots(d, dim),
        **span_slots(span),
        "K": Slot([str(n)], [str(n)]),
    }
    return turn_of(d, "start_top", slots, State(metric, span, by=dim, top=n))


def start_share(d: Draw) -> Turn | None:
    begun = start_part(d)
    if begun is None or begun.state is None:
        return None
    last = last_value(d, begun.state)
    assert last is not None
    slots = {**begun.slots, "V": d.value_words(last[1])}
    return turn_of(d, "start_share", slots, replace(begun.state, share=True))


STARTS: tuple[Callable[[Draw], Turn | None], ...] = (
    start_total,
    start_part,
    start_part,
    start_list,
    start_top,
    start_top,
    start_share,
)
