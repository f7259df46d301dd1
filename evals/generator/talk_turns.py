"""What comes next in a dialogue: one function for each class of follow-up."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from evals.generator import gold, periods
from evals.generator.draw import Draw
from evals.generator.gold import Where
from evals.generator.periods import Span
from evals.generator.talk_more import add_figure, add_value, compare_value, the_rest, those_then
from evals.generator.talk_shapes import FITTING, SHAPED, SHAPED_STARTS
from evals.generator.talks import (
    NEVER,
    STARTS,
    State,
    Turn,
    dim_slots,
    figure,
    figure_turn,
    is_plain,
    last_value,
    listed,
    metric_slot,
    side_dim,
    some_month,
    some_value,
    span_slots,
    start_part,
    turn_of,
)
from evals.generator.wording import Slot
from evals.judge import Gold

_NUMBERS = {3: "three", 5: "five", 7: "seven", 10: "ten"}


def replace_value(d: Draw, s: State) -> Turn | None:
    last = last_value(d, s)
    new = some_value(d, s, last[0], (last[1].key,)) if last else None
    if last is None or new is None or s.by is not None:
        return None
    where = (*s.where[:-1], Where(last[0].name, (new.key,)))
    slots = {"V": d.value_words(new), "F": d.phrase(last[0], new), "W": d.value_words(last[1])}
    return turn_of(d, "replace_value", slots, replace(s, where=where, before=(s.where[-1],)))


def correct_value(d: Draw, s: State) -> Turn | None:
    made = replace_value(d, s)
    return (
        replace(made, cls="correct_value", state=replace(made.state, before=()))
        if made and made.state
        else None
    )


def replace_period(d: Draw, s: State) -> Turn | None:
    span = some_month(d, s.span)
    if s.place or s.counted:
        return None
    return turn_of(d, "replace_period", span_slots(span), replace(s, span=span, before=(s.span,)))


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
    slots = {"M": metric_slot(d, other)}
    return turn_of(d, "replace_metric", slots, replace(s, metric=other, before=()))


def narrow(d: Draw, s: State) -> Turn | None:
    dim = side_dim(d, s, never=tuple(one.dim for one in s.where))
    value = some_value(d, s, dim) if dim else None
    if dim is None or value is None or not is_plain(s) or len(s.where) > 1:
        return None
    where = (*s.where, Where(dim.name, (value.key,)))
    slots = {"V": d.value_words(value), "F": d.phrase(dim, value)}
    return turn_of(d, "narrow", slots, replace(s, where=where, before=()))


def count_within(d: Draw, s: State) -> Turn | None:
    made = narrow(d, s) if s.metric.kind == "count" else None
    return (
        replace(made, cls="count_within", slots={**made.slots, "M": metric_slot(d, s.metric)})
        if made
        else None
    )


def exclude(d: Draw, s: State) -> Turn | None:
    dim = s.by if s.by and not s.top else side_dim(d, s, never=tuple(one.dim for one in s.where))
    value = some_value(d, s, dim) if dim else None
    if dim is None or value is None or len(dim.values) < 3 or s.share or s.place or s.counted or s.top:
        return None
    where = (*s.where, Where(dim.name, (value.key,), exclude=True))
    return turn_of(d, "exclude", {"V": d.value_words(value)}, replace(s, where=where, before=()))


def whole_again(d: Draw, s: State) -> Turn | None:
    if not is_plain(s) or len(s.where) != 1:
        return None
    return turn_of(d, "whole_again", {}, replace(s, where=(), before=()))


def split(d: Draw, s: State) -> Turn | None:
    dim = d.dim(s.metric, never=[*NEVER, *(one.dim for one in s.where), "hospital", "rep"])
    if dim is None or not is_plain(s):
        return None
    return turn_of(d, "split", dim_slots(d, dim), replace(s, by=dim, before=()))


def best_of(d: Draw, s: State) -> Turn | None:
    """Which team had the most? after a figure."""
    dim = d.dim(s.metric, entity=True, never=[one.dim for one in s.where])
    if dim is None or not is_plain(s):
        return None
    slots = {**dim_slots(d, dim), "M": metric_slot(d, s.metric)}
    return turn_of(d, "best_of", slots, replace(s, by=dim, top=1, before=()))


def best_listed(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.top or s.place or s.counted or s.above is not None:
        return None
    return turn_of(d, "best_listed", dim_slots(d, s.by), replace(s, top=1, before=()))


def worst_listed(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.top or s.place or s.counted or s.above is not None:
        return None
    return turn_of(d, "worst_listed", dim_slots(d, s.by), replace(s, top=1, descending=False, before=()))


def nth(d: Draw, s: State) -> Turn | None:
    n = d.rng.choice([2, 3])
    if s.by is None or s.top < n or s.counted:
        return None
    told = {"K": Slot([str(n)], [str(n)]), "O": Slot([{2: "두", 3: "세"}[n]], [{2: "second", 3: "third"}[n]])}
    return turn_of(d, "nth", {**told, **dim_slots(d, s.by)}, replace(s, top=0, place=n, before=()))


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
    told = {"O": Slot(["두"], ["second"]), "M": metric_slot(d, other), **dim_slots(d, s.by)}
    return figure_turn(d, "nth_figure", told, s, value) if value else None


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
        figure_turn(d, "of_the_one", {"M": metric_slot(d, other), **dim_slots(d, s.by)}, s, value)
        if value
        else None
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
    slots = {"M": metric_slot(d, other), **dim_slots(d, s.by), "K": Slot([str(s.top)], [_NUMBERS[s.top]])}
    return Turn("of_those", slots, d.answer(table, dims=[s.by]), s)


def sum_of_those(d: Draw, s: State) -> Turn | None:
    order = listed(d, s) if s.by is not None and s.top >= 3 and s.metric.additive and not s.counted else None
    if not order or s.by is None:
        return None
    slots = {"K": Slot([str(s.top)], [_NUMBERS[s.top]]), **dim_slots(d, s.by)}
    return figure_turn(d, "sum_of_those", slots, s, sum(value for _, value in order))


def other_end(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.top < 3 or not s.descending:
        return None
    order = listed(d, replace(s, top=0))
    if not order or order[-1][1] in (0, None) or len(order) < 2 * s.top:
        return None
    slots = {"K": Slot([str(s.top)], [str(s.top)]), **dim_slots(d, s.by)}
    return turn_of(d, "other_end", slots, replace(s, descending=False, before=()))


def more_of_them(d: Draw, s: State) -> Turn | None:
    n = d.rng.choice([7, 10])
    if s.by is None or s.top < 3 or len(s.by.values) <= n:
        return None
    return turn_of(
        d, "more_of_them", {"K": Slot([str(n)], [str(n)]), **dim_slots(d, s.by)}, replace(s, top=n, before=())
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
    slots = {"X": told[1], **dim_slots(d, s.by)}
    return turn_of(d, "count_above", slots, replace(s, above=told[0], counted=True, before=()))


def list_above(d: Draw, s: State) -> Turn | None:
    made = count_above(d, s)
    state = replace(made.state, counted=False) if made and made.state else None
    return turn_of(d, "list_above", made.slots, state) if made and state else None


def how_many(d: Draw, s: State) -> Turn | None:
    if s.by is None or s.above is None or s.counted:
        return None
    return turn_of(d, "how_many", dim_slots(d, s.by), replace(s, counted=True, before=()))


def which_ones(d: Draw, s: State) -> Turn | None:
    if s.by is None or not s.counted:
        return None
    return turn_of(d, "which_ones", dim_slots(d, s.by), replace(s, counted=False, before=()))


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
    return figure_turn(d, "combine_values", {}, s, both[0] + both[1])


def combine_periods(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if (
        both is None
        or not isinstance(s.before[0], Span)
        or s.share
        or not s.span.unit == s.before[0].unit == "month"
    ):
        return None
    return figure_turn(d, "combine_periods", {}, s, both[0] + both[1])


def difference_values(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if both is None or isinstance(s.before[0], Span) or s.share:
        return None
    return figure_turn(d, "difference_values", {}, s, both[0] - both[1], both[1] - both[0])


def difference_periods(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if (
        both is None
        or not isinstance(s.before[0], Span)
        or s.share
        or not s.span.unit == s.before[0].unit == "month"
    ):
        return None
    return figure_turn(d, "difference_periods", {}, s, both[0] - both[1], both[1] - both[0])


def difference_shares(d: Draw, s: State) -> Turn | None:
    both = _both(d, s) if s.share else None
    whole = figure(d, replace(s, where=s.where[:-1])) if both else None
    if both is None or not whole or isinstance(s.before[0], Span):
        return None
    gap = (both[0] - both[1]) / whole
    return figure_turn(d, "difference_shares", {}, s, gap, -gap)


def times(d: Draw, s: State) -> Turn | None:
    both = _both(d, s)
    if both is None or isinstance(s.before[0], Span) or s.share:
        return None
    return figure_turn(d, "times", {}, s, both[0] / both[1], both[1] / both[0])


def share_of_it(d: Draw, s: State) -> Turn | None:
    if not is_plain(s) or len(s.where) != 1 or s.where[0].exclude:
        return None
    return turn_of(d, "share_of_it", {"M": metric_slot(d, s.metric)}, replace(s, share=True, before=()))


def per_thing(d: Draw, s: State) -> Turn | None:
    dim = d.dim(s.metric, entity=True, never=[one.dim for one in s.where])
    own = figure(d, s) if is_plain(s) and dim else None
    if dim is None or not own or not s.metric.additive:
        return None
    things = {row[f"@{dim.name}"] for row in d.rows(s.metric, s.span, s.where)}
    return figure_turn(d, "per_thing", dim_slots(d, dim), s, own / len(things))


def change(d: Draw, s: State) -> Turn | None:
    """How much more than the month before?"""
    if not is_plain(s) or s.span.unit != "month":
        return None
    then = gold.figure(s.metric, d.rows(s.metric, periods.before(s.span), s.where))
    now = figure(d, s)
    if not then or not now or then == now:
        return None
    return figure_turn(d, "change", {}, s, now - then, (now - then) / then)


def chart(d: Draw, s: State) -> Turn | None:
    return turn_of(d, "chart", {}, s) if s.by is not None and not s.counted and not s.place else None


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
    add_value, compare_value, the_rest, add_figure, those_then, *SHAPED,
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
    "add_value",
    "compare_value",
    "the_rest",
    "add_figure",
    "those_then",
    "year_ago",
    "list_share",
    "list_order",
    "list_mean",
    "list_gap",
    "share_of_listed",
    "best_month",
    "month_mean",
    "figure_of_lacking",
)
"""Classes after which people may mean the list before or the figure just given."""


def talk(d: Draw, aim: str) -> list[Turn] | None:
    """A dialogue that ends with a turn of the class: a start, and steps until the class fits; None where it does not."""
    goal = next(one for one in NEXT if one.__name__ == aim)
    begun = d.rng.choice((*STARTS, *SHAPED_STARTS))(d)
    if begun is None or begun.state is None:
        return None
    turns, state = [begun], begun.state
    for _ in range(2):
        made = _next(goal, d, state)
        if made is not None and d.rng.random() < 0.8:
            return [*turns, made]
        step = _next(d.rng.choice(NEXT), d, state)
        if step is not None and step.cls not in ("topic", aim, *_LAST):
            turns.append(step)
            state = step.state or state
    made = _next(goal, d, state)
    return [*turns, made] if made else None


def _next(way: Callable[[Draw, State], Turn | None], d: Draw, s: State) -> Turn | None:
    fits = not s.shape or way.__name__ in FITTING[s.shape] or way.__name__ in ("thanks", "topic")
    return way(d, s) if fits else None
