"""Dialogues: a question and what people say next, each turn with its answer by plain Python over the rows.

A follow-up belongs to one class of meaning (another value, narrower, the second one, both together, …) and changes the state
of the talk as a person means it. Each class has wordings that rules may be written for, and others that are scored apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
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
Slots = Mapping[str, Slot]
_NEVER = ("tier", "is_public", "seminar_status")
"""Dimensions whose values say too little on their own."""
_NUMBERS = {3: "three", 5: "five", 7: "seven", 10: "ten"}


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


# --- answers -------------------------------------------------------------------------------------------------


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


def answer(d: Draw, s: State) -> Gold | None:
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


def _turn(d: Draw, cls: str, slots: Slots, s: State) -> Turn | None:
    found = answer(d, s)
    return Turn(cls, slots, found, s) if found else None


def _figure_turn(d: Draw, cls: str, slots: Slots, s: State, *values: float | None) -> Turn | None:
    """A figure that the talk does not go on with."""
    if any(value is None for value in values):
        return None
    return Turn(cls, slots, d.answer(*[[(value,)] for value in values]), replace(s, before=()))


# --- slots ---------------------------------------------------------------------------------------------------


def _known(slot: Slot) -> Slot:
    """The words of the model alone: unknown ones are measured on single questions."""
    ko = [word for word in slot.ko if not isinstance(word, Own)]
    en = [word for word in slot.en if not isinstance(word, Own)]
    return replace(slot, ko=ko, en=en)


def _metric(d: Draw, metric: Metric) -> Slot:
    return _known(d.metric_slot(metric))


def _dim(d: Draw, dim: Dim) -> dict[str, Slot]:
    return {name: _known(slot) for name, slot in d.dim_slots(dim).items()}


def _span(span: Span) -> dict[str, Slot]:
    return {"P": Slot(span.words.ko, span.words.en), "N": Slot(span.names.ko, span.names.en)}


def _month(d: Draw, never: Span | None = None) -> Span:
    held = [periods.named_month(d.world.now, back) for back in range(1, 7)]
    return d.rng.choice([one for one in held if never is None or one.start != never.start])


def _value(d: Draw, s: State, dim: Dim, never: tuple[Any, ...] = ()) -> Value | None:
    rows = d.rows(s.metric, s.span, [one for one in s.where if one.dim != dim.name])
    return d.value(dim, rows, never=never)


def _side(d: Draw, s: State, *, never: tuple[str, ...] = (), entity: bool | None = False) -> Dim | None:
    return d.dim(s.metric, entity=entity, never=[*_NEVER, *never])


def _last(d: Draw, s: State) -> tuple[Dim, Value] | None:
    """The restriction that was named last, where it is one value."""
    if not s.where or s.where[-1].exclude or len(s.where[-1].keys) != 1:
        return None
    dim = d.world.dims[s.where[-1].dim]
    return dim, dim.values[s.where[-1].keys[0]]


def _plain(s: State) -> bool:
    return s.by is None and not s.share and not s.counted


# --- how a talk begins ---------------------------------------------------------------------------------------


def start_total(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    return _turn(d, "start_total", {"M": _metric(d, metric), **_span(span)}, State(metric, span))


def start_part(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.month_or_quarter()
    if metric is None:
        return None
    s = State(metric, span)
    dim = _side(d, s)
    value = _value(d, s, dim) if dim else None
    if dim is None or value is None:
        return None
    slots = {"M": _metric(d, metric), "F": d.phrase(dim, value), **_span(span)}
    return _turn(d, "start_part", slots, replace(s, where=(Where(dim.name, (value.key,)),)))


def start_list(d: Draw) -> Turn | None:
    metric, span = d.metric(), d.month_or_quarter()
    dim = d.dim(metric, never=("hospital", "rep")) if metric else None
    if metric is None or dim is None:
        return None
    slots = {"M": _metric(d, metric), **_dim(d, dim), **_span(span)}
    return _turn(d, "start_list", slots, State(metric, span, by=dim))


def start_top(d: Draw) -> Turn | None:
    metric, span, n = d.metric(), d.month_or_quarter(), d.rng.choice([3, 5])
    dim = d.dim(metric, entity=True) if metric else None
    if metric is None or dim is None:
        return None
    slots = {"M": _metric(d, metric), **_dim(d, dim), **_span(span), "K": Slot([str(n)], [str(n)])}
    return _turn(d, "start_top", slots, State(metric, span, by=dim, top=n))


def start_share(d: Draw) -> Turn | None:
    begun = start_part(d)
    if begun is None or begun.state is None:
        return None
    last = _last(d, begun.state)
    assert last is not None
    slots = {**begun.slots, "V": d.value_words(last[1])}
    return _turn(d, "start_share", slots, replace(begun.state, share=True))


STARTS: tuple[Callable[[Draw], Turn | None], ...] = (
    start_total,
    start_part,
    start_part,
    start_list,
    start_top,
    start_top,
    start_share,
)


# --- what comes next -----------------------------------------------------------------------------------------


def replace_value(d: Draw, s: State) -> Turn | None:
    last = _last(d, s)
    new = _value(d, s, last[0], (last[1].key,)) if last else None
    if last is None or new is None or s.by is not None:
        return None
    where = (*s.where[:-1], Where(last[0].name, (new.key,)))
    slots = {"V": d.value_words(new), "F": d.phrase(last[0], new), "W": d.value_words(last[1])}
    return _turn(d, "replace_value", slots, replace(s, where=where, before=(s.where[-1],)))


def correct_value(d: Draw, s: State) -> Turn | None:
    made = replace_value(d, s)
    return (
        replace(made, cls="correct_value", state=replace(made.state, before=()))
        if made and made.state
        else None
    )


def replace_period(d: Draw, s: State) -> Turn | None:
    span = _month(d, s.span)
    if s.place or s.counted:
        return None
    return _turn(d, "replace_period", _span(span), replace(s, span=span, before=(s.span,)))


def correct_period(d: Draw, s: State) -> Turn | None:
    made = replace_period(d, s)
    return (
        replace(made, cls="correct_period", state=replace(made.state, before=()))
        if made and made.state
        else None
    )


def replace_metric(d: Draw, s: State) -> Turn | None:
    held = {one.dim for one in s.where} | ({s.by.name} if s.by else set[str]())
    other = d.metric(
        lambda one: (
            one.name != s.metric.name
            and held <= d.world.reach[one.fact]
            and not set(one.words.ko) & set(s.metric.words.ko)
        )
    )
    if other is None or s.by is not None or s.share:
        return None
    slots = {"M": _metric(d, other)}
    return _turn(d, "replace_metric", slots, replace(s, metric=other, before=()))


def narrow(d: Draw, s: State) -> Turn | None:
    dim = _side(d, s, never=tuple(one.dim for one in s.where))
    value = _value(d, s, dim) if dim else None
    if dim is None or value is None or not _plain(s) or len(s.where) > 1:
        return None
    where = (*s.where, Where(dim.name, (value.key,)))
    slots = {"V": d.value_words(value), "F": d.phrase(dim, value)}
    return _turn(d, "narrow", slots, replace(s, where=where, before=()))


def count_within(d: Draw, s: State) -> Turn | None:
    made = narrow(d, s) if s.metric.kind == "count" else None
    return (
        replace(made, cls="count_within", slots={**made.slots, "M": _metric(d, s.metric)}) if made else None
    )


def exclude(d: Draw, s: State) -> Turn | None:
    dim = s.by if s.by and not s.top else _side(d, s, never=tuple(one.dim for one in s.where))
    value = _value(d, s, dim) if dim else None
    if dim is None or value is None or len(dim.values) < 3 or s.share or s.place or s.counted or s.top:
        return None
    where = (*s.where, Where(dim.name, (value.key,), exclude=True))
    return _turn(d, "exclude", {"V": d.value_words(value)}, replace(s, where=where, before=()))


def whole_again(d: Draw, s: State) -> Turn | None:
    if not _plain(s) or len(s.where) != 1:
        return None
    return _turn(d, "whole_again", {}, replace(s, where=(), before=()))


def split(d: Draw, s: State) -> Turn | None:
    dim = d.dim(s.metric, never=[*_NEVER, *(one.dim for one in s.where), "hospital", "rep"])
    if dim is None or not _plain(s):
        return None
    return _turn(d, "split", _dim(d, dim), replace(s, by=dim, before=()))


def best_of(d: Draw, s: State) -> Turn | None:
    """Which team had the most? after a figure."""
    dim = d.dim(s.metric, entity=True, never=[one.dim for one in s.where])
    if dim is None or not _plain(s):
        return None
    slots = {**_dim(d, dim), "M": _metric(d, s.metric)}
    return _turn(d, "best_of", slots, replace(s, by=dim, top=1, before=()))


def best_listed(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.top or s.place or s.counted or s.above is not None:
        return None
    return _turn(d, "best_listed", _dim(d, s.by), replace(s, top=1, before=()))


def worst_listed(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.top or s.place or s.counted or s.above is not None:
        return None
    return _turn(d, "worst_listed", _dim(d, s.by), replace(s, top=1, descending=False, before=()))


def nth(d: Draw, s: State) -> Turn | None:
    n = d.rng.choice([2, 3])
    if s.by is None or s.top < n or s.counted:
        return None
    told = {"K": Slot([str(n)], [str(n)]), "O": Slot([{2: "두", 3: "세"}[n]], [{2: "second", 3: "third"}[n]])}
    return _turn(d, "nth", {**told, **_dim(d, s.by)}, replace(s, top=0, place=n, before=()))


def nth_figure(d: Draw, s: State) -> Turn | None:
    """The second hospital's visits, after the best five by sales."""
    order = listed(d, s) if s.by is not None and s.top >= 3 and not s.counted else None
    other = d.other_metric(s.metric, s.by) if order and s.by else None
    if (
        not order
        or s.by is None
        or other is None
        or any(one.dim not in d.world.reach[other.fact] for one in s.where)
    ):
        return None
    if any(a[1] == b[1] for a, b in itertools.pairwise(order)):
        return None
    where = (*s.where, Where(s.by.name, (order[1][0],)))
    value = gold.figure(other, d.rows(other, s.span, where))
    told = {"O": Slot(["두"], ["second"]), "M": _metric(d, other), **_dim(d, s.by)}
    return _figure_turn(d, "nth_figure", told, s, value) if value else None


def of_the_one(d: Draw, s: State) -> Turn | None:
    """Its visits, after the best one by sales."""
    order = listed(d, s) if s.by is not None and s.top == 1 and s.descending and not s.counted else None
    other = d.other_metric(s.metric, s.by) if order else None
    if (
        not order
        or s.by is None
        or other is None
        or any(one.dim not in d.world.reach[other.fact] for one in s.where)
    ):
        return None
    value = gold.figure(other, d.rows(other, s.span, (*s.where, Where(s.by.name, (order[0][0],)))))
    return (
        _figure_turn(d, "of_the_one", {"M": _metric(d, other), **_dim(d, s.by)}, s, value) if value else None
    )


def of_those(d: Draw, s: State) -> Turn | None:
    """Their visits, after the best three by sales."""
    order = listed(d, s) if s.by is not None and s.top >= 3 and not s.counted else None
    other = d.other_metric(s.metric, s.by) if order else None
    if (
        not order
        or s.by is None
        or other is None
        or any(one.dim not in d.world.reach[other.fact] for one in s.where)
    ):
        return None
    keys = tuple(key for key, _ in order)
    rows = d.rows(other, s.span, (*s.where, Where(s.by.name, keys)))
    parts = gold.grouped(other, rows, s.by.name)
    labels = [s.by.values[key].label for key in keys]
    if set(parts) != set(keys) or len(set(labels)) < len(labels):
        return None
    table = gold.labelled(s.by, parts.items())
    slots = {"M": _metric(d, other), **_dim(d, s.by), "K": Slot([str(s.top)], [_NUMBERS[s.top]])}
    return Turn("of_those", slots, d.answer(table, dims=[s.by]), s)


def sum_of_those(d: Draw, s: State) -> Turn | None:
    order = listed(d, s) if s.by is not None and s.top >= 3 and s.metric.additive and not s.counted else None
    if not order or s.by is None:
        return None
    slots = {"K": Slot([str(s.top)], [_NUMBERS[s.top]]), **_dim(d, s.by)}
    return _figure_turn(d, "sum_of_those", slots, s, sum(value for _, value in order))


def other_end(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.top < 3 or not s.descending:
        return None
    order = listed(d, replace(s, top=0))
    if not order or order[-1][1] in (0, None) or len(order) < 2 * s.top:
        return None
    slots = {"K": Slot([str(s.top)], [str(s.top)]), **_dim(d, s.by)}
    return _turn(d, "other_end", slots, replace(s, descending=False, before=()))


def more_of_them(d: Draw, s: State) -> Turn | None:
    n = d.rng.choice([7, 10])
    if s.by is None or s.top < 3 or len(s.by.values) <= n:
        return None
    return _turn(
        d, "more_of_them", {"K": Slot([str(n)], [str(n)]), **_dim(d, s.by)}, replace(s, top=n, before=())
    )


def _amount(d: Draw, s: State) -> tuple[float, Slot] | None:
    """A round limit that some of the list pass and some do not."""
    order = listed(d, replace(s, top=0, above=None)) if s.by is not None else None
    if not order or len(order) < 4:
        return None
    size = 10 ** (len(str(int(order[1][1]))) - 1)
    limit = float(int(order[1][1]) // size * size)
    passed = sum(1 for _, value in order if value > limit)
    if limit <= 0 or passed in (0, len(order)) or any(value == limit for _, value in order):
        return None
    if s.metric.unit == "KRW":
        man = int(limit) // 10_000
        if man < 1 or int(limit) % 10_000:
            return None
        ko = f"{man // 10_000}억 원" if man >= 10_000 and man % 10_000 == 0 else f"{man:,}만 원"
        en = (
            f"{int(limit) // 1_000_000} million won"
            if limit >= 1_000_000 and limit % 1_000_000 == 0
            else f"{int(limit):,} won"
        )
        return limit, Slot([ko], [en])
    unit = s.metric.counter
    return limit, Slot([f"{int(limit):,}{unit}"], [f"{int(limit):,}"])


def count_above(d: Draw, s: State) -> Turn | None:
    told = _amount(d, s) if s.by is not None and not s.top and s.above is None else None
    if told is None or s.by is None:
        return None
    slots = {"X": told[1], **_dim(d, s.by)}
    return _turn(d, "count_above", slots, replace(s, above=told[0], counted=True, before=()))


def list_above(d: Draw, s: State) -> Turn | None:
    made = count_above(d, s)
    state = replace(made.state, counted=False) if made and made.state else None
    return _turn(d, "list_above", made.slots, state) if made and state else None


def how_many(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.above is None or s.counted:
        return None
    return _turn(d, "how_many", _dim(d, s.by), replace(s, counted=True, before=()))


def which_ones(d: Draw, s: State) -> Turn | None:
    if s.by is None or not s.counted:
        return None
    return _turn(d, "which_ones", _dim(d, s.by), replace(s, counted=False, before=()))


def _both(d: Draw, s: State) -> tuple[float, float] | None:
    """The figure before and that of this turn, of two values or of two periods."""
    if len(s.before) != 1 or not (s.by is None and not s.counted):
        return None
    other = s.before[0]
    held = replace(s, span=other) if isinstance(other, Span) else replace(s, where=(*s.where[:-1], other))
    a, b = figure(d, held), figure(d, s)
    return (a, b) if a and b and a != b else None


def combine_values(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if both is None or isinstance(s.before[0], Span) or s.share:
        return None
    return _figure_turn(d, "combine_values", {}, s, both[0] + both[1])


def combine_periods(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if (
        both is None
        or not isinstance(s.before[0], Span)
        or s.share
        or not s.span.unit == s.before[0].unit == "month"
    ):
        return None
    return _figure_turn(d, "combine_periods", {}, s, both[0] + both[1])


def difference_values(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if both is None or isinstance(s.before[0], Span) or s.share:
        return None
    return _figure_turn(d, "difference_values", {}, s, both[0] - both[1], both[1] - both[0])


def difference_periods(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if (
        both is None
        or not isinstance(s.before[0], Span)
        or s.share
        or not s.span.unit == s.before[0].unit == "month"
    ):
        return None
    return _figure_turn(d, "difference_periods", {}, s, both[0] - both[1], both[1] - both[0])


def difference_shares(d: Draw, s: State) -> Turn | None:
    both = _both(d, s) if s.share else None
    whole = figure(d, replace(s, where=s.where[:-1])) if both else None
    if both is None or not whole or isinstance(s.before[0], Span):
        return None
    gap = (both[0] - both[1]) / whole
    return _figure_turn(d, "difference_shares", {}, s, gap, -gap)


def times(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if both is None or isinstance(s.before[0], Span) or s.share:
        return None
    return _figure_turn(d, "times", {}, s, both[0] / both[1], both[1] / both[0])


def share_of_it(d: Draw, s: State) -> Turn | None:
    if not _plain(s) or len(s.where) != 1 or s.where[0].exclude:
        return None
    return _turn(d, "share_of_it", {"M": _metric(d, s.metric)}, replace(s, share=True, before=()))


def per_thing(d: Draw, s: State) -> Turn | None:
    dim = d.dim(s.metric, entity=True, never=[one.dim for one in s.where])
    own = figure(d, s) if _plain(s) and dim else None
    if dim is None or not own or not s.metric.additive:
        return None
    things = {row[f"@{dim.name}"] for row in d.rows(s.metric, s.span, s.where)}
    return _figure_turn(d, "per_thing", _dim(d, dim), s, own / len(things))


def change(d: Draw, s: State) -> Turn | None:
    """How much more than the month before?"""
    if not _plain(s) or s.span.unit != "month":
        return None
    then = gold.figure(s.metric, d.rows(s.metric, periods.before(s.span), s.where))
    now = figure(d, s)
    if not then or not now or then == now:
        return None
    return _figure_turn(d, "change", {}, s, now - then, (now - then) / then)


def chart(d: Draw, s: State) -> Turn | None:
    return _turn(d, "chart", {}, s) if s.by is not None and not s.counted and not s.place else None


def thanks(d: Draw, s: State) -> Turn | None:
    return Turn("thanks", {}, Gold(expect="chat"), None)


def topic(d: Draw, s: State) -> Turn | None:
    made = start_part(d)
    if made is None or made.state is None or made.state.metric.fact == s.metric.fact:
        return None
    return replace(made, cls="topic")


NEXT: tuple[Callable[[Draw, State], Turn | None], ...] = (
    replace_value, correct_value, replace_period, correct_period, replace_metric, narrow, count_within, exclude,
    whole_again, split, best_of, best_listed, worst_listed, nth, nth_figure, of_the_one, of_those, sum_of_those,
    other_end, more_of_them, count_above, list_above, how_many, which_ones, combine_values, combine_periods,
    difference_values, difference_periods, difference_shares, times, share_of_it, per_thing, change, chart, thanks, topic,
)  # fmt: skip
CLASSES = tuple(one.__name__ for one in NEXT)


_LAST = (
    "per_thing",
    "times",
    "change",
    "of_those",
    "nth_figure",
    "of_the_one",
    "sum_of_those",
    "combine_values",
    "combine_periods",
)
"""Classes after which people may mean the list before or the figure just given."""


def talk(d: Draw, aim: str) -> list[Turn] | None:
    """A dialogue that ends with a turn of the class: a start, and steps until the class fits; None where it does not."""
    goal = next(one for one in NEXT if one.__name__ == aim)
    begun = d.rng.choice(STARTS)(d)
    if begun is None or begun.state is None:
        return None
    turns, state = [begun], begun.state
    for _ in range(2):
        made = goal(d, state)
        if made is not None and d.rng.random() < 0.8:
            return [*turns, made]
        step = d.rng.choice(NEXT)(d, state)
        if step is not None and step.cls not in ("topic", aim, *_LAST):
            turns.append(step)
            state = step.state or state
    made = goal(d, state)
    return [*turns, made] if made else None
