"""Words that change the request before by themselves: a number, a figure to go by, how many, a limit, a sum, a place."""

from __future__ import annotations

from datetime import date
from typing import Any

from metaagent.language.calendar import Range, grain_of
from metaagent.language.periods import moved
from metaagent.level1.query_analyzer.grammar import combined_follow_ups
from metaagent.level1.query_analyzer.grammar.meaning import SAME_DAYS, Node, Span
from metaagent.level1.query_analyzer.grammar.periods import compared, without
from metaagent.level1.query_analyzer.grammar.request import Scope, as_filter, as_period
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]


def _most_changed(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """Rank by change (which grew the most?) the things that the turn before listed."""
    metrics = previous.get("metrics") or []
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    against = Node("BG", base=node.base or "previous", flags=frozenset({"versus"}))
    own = compared_with(previous, against, scope)
    if own is None or node.rank is None or len(metrics) != 1 or len(things) != 1 or previous.get("derived"):
        return None
    kept = {k: v for k, v in previous.items() if k not in ("top", "order", "limit", "share", "running_total")}
    direction = "top" if node.rank.descending else "bottom"
    top = {"n": max(1, node.rank.n), "direction": direction, "by": f"{metrics[0]}__{node.rank.growth}"}
    own.pop("filters")
    made = {**kept, **own, "dimensions": things, "top": top, "language": scope.language}
    return made, [k for k in kept if made[k] == previous[k] and k != "language"]


def _counted(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """몇 곳이야? after a list: how many there are; 몇 건이야? after a sum: of how many rows it is."""
    if node.having:
        return _rows_within(previous, node, scope) or _passing(previous, node, scope)
    if node.filters and (within := _counted_within(previous, node, scope)):
        return within
    if node.op == "rows" and (rows := _row_count(previous, scope.terms)):
        made = {**previous, "metrics": [rows], "language": scope.language}
        return made, [key for key in previous if key not in ("metrics", "language")]
    if node.unit == "명" and (people := _people(previous, scope.terms)):
        made = {**previous, "metrics": [people], "language": scope.language}
        return made, [key for key in previous if key not in ("metrics", "language")]
    held = [str(previous["count_groups"])] if previous.get("count_groups") else []
    things = held or [name for name in previous.get("dimensions") or () if name not in TIMES]
    if len(things) != 1 or node.op == "rows" or previous.get("top") or previous.get("derived"):
        return None
    kept = {key: value for key, value in previous.items() if key not in ("order", "dimensions", "limit")}
    filters = merged_filters(previous.get("filters") or [], [as_filter(f) for f in node.filters], adds=False)
    made = {
        **kept,
        "filters": filters,
        "dimensions": [n for n in previous.get("dimensions") or () if n in TIMES],
        "count_groups": things[0],
    }
    if node.period:
        made["period"] = as_period(node.period)
    taken = [key for key in kept if key != "language" and made[key] == previous[key]]
    return {**made, "language": scope.language}, taken


def _counted_within(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """So many of them, after a number of visits: how many of those were product presentations?"""
    metrics = [str(m) for m in previous.get("metrics") or () if m in scope.terms.metrics]
    fixed = any(
        previous.get(key) for key in ("derived", "having", "count_groups", "existence", "top", "comparison")
    )
    if len(metrics) != 1 or fixed or not scope.terms.counts(metrics[0]):
        return None
    if not all(scope.terms.splits(metrics[0], f.dimension) for f in node.filters):
        return None
    filters = merged_filters(previous.get("filters") or [], [as_filter(f) for f in node.filters], adds=False)
    made = {**previous, "filters": filters, "language": scope.language}
    made |= {"period": as_period(node.period)} if node.period else {}
    if scope.terms.row_of(metrics[0]) in (
        previous.get("dimensions") or ()
    ):  # how many, after a list of them by name
        made |= {"dimensions": [], "order": [], "limit": None}
    return made, [key for key in previous if made[key] == previous[key] and key != "language"]


def _passing(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """100% 넘은 팀은 몇 개야? after a list: how many of its things pass the limit."""
    made = _limited(previous, node, scope)
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    if made is None or len(things) > 1 or previous.get("count_groups"):
        return made
    kept = {key: value for key, value in made[0].items() if key not in ("order", "share")}
    rest = [name for name in previous["dimensions"] if name in TIMES]
    return {**kept, "count_groups": things[0], "dimensions": rest}, made[1]


def _rows_within(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """그중 50만 원 넘는 건 몇 건?: of the rows that the turn before added up."""
    parts = [one["numerator"] for one in previous.get("derived") or ()]
    named = [*(previous.get("metrics") or ()), *(str(one["metric"]) for one in parts)]
    fixed = any(previous.get(key) for key in ("dimensions", "count_groups", "top", "comparison", "existence"))
    metric = named[0] if len(named) == 1 and named[0] in scope.terms.metrics else None
    own = scope.terms.count_of(metric) if metric else None
    limits = scope.terms.limits_of(metric) if metric else None
    column = scope.terms.on_rows(metric, node.unit) if metric else None
    if own is None or limits is None or column is None or fixed:
        return None
    rows = [{"column": column, "op": one.op, "values": list(one.values)} for one in node.having]
    more = [*(f for one in parts for f in one.get("filters") or ()), *map(as_filter, limits)]
    filters = merged_filters(
        merged_filters(previous.get("filters") or [], more, adds=False),
        [as_filter(f) for f in node.filters],
        adds=False,
    )
    kept = {key: value for key, value in previous.items() if key not in ("derived", "order", "share")}
    made = {**kept, "metrics": [own], "filters": filters, "rows": rows, "language": scope.language}
    return made, [key for key in ("period", "filters") if previous.get(key)]


def _people(previous: Plain, terms: Terms) -> str | None:
    """몇 명이나 왔어? after a number of events: those who were there."""
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    fixed = any(previous.get(key) for key in ("derived", "having", "count_groups", "top", "comparison"))
    return terms.people_of(metrics[0]) if len(metrics) == 1 and not fixed else None


def _row_count(previous: Plain, terms: Terms) -> str | None:
    """The figure that counts the rows of a plain sum."""
    metrics = [m for m in previous.get("metrics") or () if m in terms.metrics]
    fixed = any(
        previous.get(key) for key in ("derived", "having", "count_groups", "top", "order", "comparison")
    )
    if (
        len(metrics) != 1
        or fixed
        or terms.metrics[metrics[0]].aggregate != "sum"
        or terms.limits_of(metrics[0])
    ):
        return None
    return terms.count_of(metrics[0])


def part_of(metric: str, filters: list[Plain]) -> list[Plain]:
    above = {"metric": metric, "filters": filters}
    return [
        {"name": f"{metric}__share", "kind": "share", "numerator": above, "denominator": {"metric": metric}}
    ]


def share_of_part(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """비중은? after the figure of one part: its share in the whole."""
    metrics, filters = previous.get("metrics") or [], previous.get("filters") or []
    if len(metrics) != 1 or previous.get("derived") or previous.get("comparison"):
        return None
    if limits := scope.terms.limits_of(metrics[0]):  # meals: of all expenses, limited as they are
        whole = next(iter(scope.terms.plain_of(metrics[0])), None)
        if whole is None:
            return None
        part = part_of(whole, [as_filter(f) for f in limits])
        return {**previous, "metrics": [], "derived": part, "language": scope.language}, ["period", "filters"]
    whole = "whole" in node.flags
    if (
        not metrics
        or not filters
        or (len(filters) != 1 and not whole)
        or any(f["op"] != "in" for f in filters)
    ):
        return None
    made = {**previous, "metrics": [], "filters": [], "derived": part_of(str(metrics[0]), filters)}
    return {**made, "language": scope.language}, ["period"]


def adjusted(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """10개로 늘려줘, by quantity: the number of the ranking, or the figure it goes by; all else stays."""
    made = {**previous, "language": scope.language}
    top = previous.get("top") or {}
    limited = _other_limit(previous, node, scope) if node.cat == "N" else None
    if limited is not None:
        made["having"] = limited
    elif node.cat == "N":
        whole = (
            node.unit in (None, "count") and node.numbers[0] == int(node.numbers[0]) and node.numbers[0] >= 1
        )
        if not top.get("n") or not whole or top["n"] == node.numbers[0]:
            return None
        made["top"] = {**top, "n": int(node.numbers[0])}
    else:
        new = node.metrics[0]
        groups = [name for name in previous.get("dimensions") or () if not scope.terms.splits(new, name)]
        if (
            len(previous.get("metrics") or ()) != 1
            or previous.get("derived")
            or groups
            or node.filters
            or node.growth
        ):
            return None
        old = previous["metrics"][0]
        made["metrics"] = [new]
        if top:
            made["top"] = {**top, "by": new}
        if previous.get("order"):
            made["order"] = [{**o, "column": str(o["column"]).replace(old, new)} for o in previous["order"]]
        if previous.get("having") or previous.get("rows") or node.period:
            return None
    return made, [key for key in made if key in previous and made[key] == previous[key] and key != "language"]


def _other_limit(previous: Plain, node: Node, scope: Scope) -> list[Plain] | None:
    """5천만 원 기준으로 하면?: another number in the condition of the turn before."""
    held = previous.get("having") or []
    if len(held) != 1 or previous.get("top") or len(held[0].get("values") or ()) != 1:
        return None
    column = str(held[0]["column"])
    if column not in scope.terms.metrics or not scope.terms.fits(column, node.unit):
        return None
    percent = scope.terms.metrics[column].unit == "%"
    return [{**held[0], "values": [node.numbers[0] / 100 if percent else node.numbers[0]]}]


def _limited(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """A condition on the figure that the turn before listed: which of them fell short of 100 %?"""
    metrics = previous.get("metrics") or []
    counted = [str(previous["count_groups"])] if previous.get("count_groups") else []
    things = counted or [name for name in previous.get("dimensions") or () if name not in TIMES]
    if len(metrics) != 1 or len(things) != 1 or previous.get("derived") or previous.get("comparison"):
        return None
    if metrics[0] not in scope.terms.metrics or not scope.terms.fits(metrics[0], node.unit):
        return None
    if node.dim not in (None, things[0]):
        return None
    scale = 100 if scope.terms.metrics[metrics[0]].unit == "%" else 1
    having = [
        {"column": metrics[0], "op": one.op, "values": [v / scale for v in one.values]} for one in node.having
    ]
    kept = {key: value for key, value in previous.items() if key not in ("top", "limit", "having")}
    return {**kept, "having": having, "language": scope.language}, [key for key in kept if key != "language"]


def _summed(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """합치면? after groups, several values or two periods: one sum of them."""
    previous = combined_follow_ups.rejoined(previous)  # and combined? after their difference
    if rows := _worth_of_rows(previous, scope.terms):
        return {**rows, "language": scope.language}, ["rows", "filters", "period"]
    if whole := _both_periods(previous):
        return {**whole, "language": scope.language}, ["metrics", "filters"]
    held = {str(f["dimension"]) for f in previous.get("filters") or () if len(f["values"]) > 1}
    groups = [str(name) for name in previous.get("dimensions") or ()]
    if not (held or groups) or not set(groups) <= (held or set(groups)) or previous.get("comparison"):
        return None
    metrics = previous.get("metrics") or []
    if previous.get("derived") or previous.get("having") or not all(scope.terms.adds(m) for m in metrics):
        return None
    if not metrics:  # 합쳐서, of a list of names: all of them
        return None
    kept = {k: v for k, v in previous.items() if k not in ("dimensions", "order", "share", "top")}
    if node.filters or node.period:
        filters = merged_filters(
            previous.get("filters") or [], [as_filter(f) for f in node.filters], adds=False
        )
        period = as_period(node.period) if node.period else previous.get("period")
        kept = {**kept, "filters": filters, "period": period}
    if previous.get("top"):
        kept["among"] = {k: v for k, v in previous.items() if v not in (None, [], {}, False)}
    return {**kept, "dimensions": [], "language": scope.language}, [k for k in kept if k != "language"]


def _worth_of_rows(previous: Plain, terms: Terms) -> Plain | None:
    """합치면 얼마야? after a number of single rows: what those rows are worth."""
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    fixed = any(
        previous.get(key) for key in ("dimensions", "derived", "having", "count_groups", "comparison")
    )
    if len(metrics) != 1 or fixed or not previous.get("rows") or not terms.counts(metrics[0]):
        return None
    money = terms.money_of(metrics[0])
    return {**previous, "metrics": [money]} if money else None


def _both_periods(previous: Plain) -> Plain | None:
    """7월과 8월 각각, then 둘 합치면?: both months as one stretch."""
    held = previous.get("period") or {}
    plain = not any(previous.get(key) for key in ("dimensions", "derived", "having", "top", "count_groups"))
    if previous.get("comparison") != "previous" or not held.get("start") or held.get("grain") or not plain:
        return None
    span = Range(date.fromisoformat(str(held["start"])), date.fromisoformat(str(held["end"])))
    before = moved(span, grain_of(span))
    kept = {key: value for key, value in previous.items() if key != "comparison"}
    return {**kept, "period": {"start": before.first.isoformat(), "end": span.last.isoformat()}}


def _apart(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """차이는?, 몇 배야? after two values: the first less the second, or how many times the second it is."""
    metrics, filters = previous.get("metrics") or [], previous.get("filters") or []
    two = [f for f in filters if f["op"] == "in" and len(f["values"]) == 2]
    if node.cat == "DIFF" and (short := _from_target(previous, scope)):
        return short
    if node.cat == "DIFF" and previous.get("comparison") and not two:  # 금액으로는 얼마 차이?: it is shown
        return {**previous, "language": scope.language}, [key for key in previous if key != "language"]
    if len(metrics) != 1 or len(two) != 1 or previous.get("derived") or previous.get("comparison"):
        return None
    sides = [{"metric": metrics[0], "filters": [{**two[0], "values": [v]}]} for v in two[0]["values"]]
    kind = "difference" if node.cat == "DIFF" else "times"
    name = f"{metrics[0]}__{kind}__{metrics[0]}"
    derived = [{"name": name, "kind": kind, "numerator": sides[0], "denominator": sides[1]}]
    kept = {k: v for k, v in previous.items() if k not in ("dimensions", "order", "share", "top", "metrics")}
    rest = [f for f in filters if f is not two[0]]
    return {**kept, "metrics": [], "filters": rest, "derived": derived, "language": scope.language}, [
        "period"
    ]


def _from_target(previous: Plain, scope: Scope) -> tuple[Plain, list[str]] | None:
    """The distance from the target (by how much each?) of those who missed it, or of the place spoken of."""
    pair, metrics = scope.terms.with_target(), previous.get("metrics") or []
    if not pair or metrics != [scope.terms.achievement(pair[1])] or previous.get("derived"):
        return None
    if any(previous.get(key) for key in ("count_groups", "comparison", "share", "order")):
        return None
    missed = any(one["op"] in ("<", "<=") for one in previous.get("having") or ())
    above, below = (pair[1], pair[0]) if missed else (pair[0], pair[1])
    name = f"{above}__less__{below}"
    sides = {"numerator": {"metric": above}, "denominator": {"metric": below}}
    chosen = previous.get("having") or previous.get("top")
    kept = {
        k: v
        for k, v in previous.items()
        if k not in ("having", "top", "limit") and v not in (None, [], {}, False)
    }
    made = {**kept, "metrics": [], "derived": [{"name": name, "kind": "difference", **sides}]}
    if chosen:
        made["among"] = {k: v for k, v in previous.items() if v not in (None, [], {}, False)}
    return {**made, "language": scope.language}, ["filters", "period", *(["among"] if chosen else [])]


def _the_rest(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """나머지는? after a part: everything but what was named last; after a ranking: all others, added up."""
    filters = previous.get("filters") or []
    if previous.get("top"):
        return _others(previous, node, scope)
    if node.metrics and list(node.metrics) != previous.get("metrics"):
        return None
    if whole := _whole_of_part(previous, scope.terms):  # 나머지는?, after meals: all other expenses
        previous, filters = whole, whole["filters"]
    if not filters or filters[-1]["op"] != "in" or previous.get("derived") or previous.get("top"):
        return None
    turned = [*filters[:-1], {**filters[-1], "op": "not_in"}]
    groups = [name for name in previous.get("dimensions") or () if name != filters[-1]["dimension"]]
    groups = list(node.groups) or groups
    if not all(scope.terms.splits(str(m), name) for m in previous.get("metrics") or () for name in groups):
        return None
    made = {**previous, "filters": turned, "dimensions": groups, "language": scope.language}
    return made, [key for key in previous if key not in ("filters", "dimensions", "language")]


def _whole_of_part(previous: Plain, terms: Terms) -> Plain | None:
    """A figure of some rows as that of all of them, limited to these."""
    metrics = [str(m) for m in previous.get("metrics") or () if m in terms.metrics]
    limits = terms.limits_of(metrics[0]) if len(metrics) == 1 else None
    plain = terms.plain_of(metrics[0]) if limits else []
    if not limits or len(limits) != 1 or not plain:
        return None
    filters = [*(previous.get("filters") or ()), as_filter(next(iter(limits)))]
    return {**previous, "metrics": [next(iter(plain))], "filters": filters}


def _others(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """The sum of all others, after the best five."""
    metrics = list(node.metrics) or [str(name) for name in previous.get("metrics") or ()]
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    fixed = any(previous.get(key) for key in ("derived", "among", "comparison", "having"))
    fixed = fixed or not all(scope.terms.splits(name, things[0]) for name in metrics if things)
    if (
        len(things) != 1
        or len(previous["dimensions"]) != 1
        or fixed
        or not all(map(scope.terms.adds, metrics))
    ):
        return None
    inner = {key: value for key, value in previous.items() if value not in (None, [], {}, False)}
    kept = {k: v for k, v in previous.items() if k not in ("top", "order", "limit", "share", "dimensions")}
    made = {**kept, "metrics": metrics, "dimensions": list(node.groups), "among": inner, "among_others": True}
    made["language"] = scope.language
    return made, ["metrics", "filters", "period"]


_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}


def _turned(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """The things (how many didn't?) that do not fulfil the one condition of the turn before."""
    having, events = previous.get("having") or [], previous.get("existence") or []
    fixed = any(previous.get(key) for key in ("top", "among", "derived", "comparison"))
    if len(having) + len(events) != 1 or fixed or any(one.get("op") not in _OPPOSITE for one in having):
        return None
    made = {
        **previous,
        "having": [{**one, "op": _OPPOSITE[str(one["op"])]} for one in having],
        "existence": [{**one, "exists": not one["exists"]} for one in events],
        "language": scope.language,
    }
    things = [name for name in previous.get("dimensions") or () if name not in TIMES]
    if "count" in node.flags and not previous.get("count_groups"):
        if len(things) != 1:
            return None
        made |= {"count_groups": things[0], "dimensions": [], "order": []}
    return made, [key for key in previous if made.get(key) == previous[key] and key != "language"]


def _in_place(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """2등은 어디야?, who was second?: the one in that place of the list before."""
    metrics, things = previous.get("metrics") or [], previous.get("dimensions") or []
    top = previous.get("top") or {}
    fixed = any(previous.get(key) for key in ("among", "derived", "comparison", "count_groups"))
    if (
        node.rank is None
        or len(things) != 1
        or previous.get("among")
        or not (top.get("by") or len(metrics) == 1)
    ):
        return None
    if not top and (fixed or things[0] in TIMES):
        return None
    order = (previous.get("order") or [{}])[0]
    down = top.get("direction", "top" if order.get("descending", True) else "bottom")
    by = top.get("by") or order.get("column") or metrics[0]
    place = {"nth": node.rank.n} if node.rank.n > 1 else {"n": 1}
    kept = {key: value for key, value in previous.items() if key not in ("top", "order", "limit")}
    made = {**kept, "top": {**place, "by": by, "direction": down}, "language": scope.language}
    return made, [key for key in kept if key != "language"]


def _in_money(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """The worth (in won?) of what the turn before counted."""
    metrics = [str(m) for m in previous.get("metrics") or () if m in scope.terms.metrics]
    if node.unit != "money" or len(metrics) != 1 or previous.get("derived") or previous.get("having"):
        return None
    if previous.get("share") and scope.terms.is_money(metrics[0]):  # back to won, after the shares
        kept = {key: value for key, value in previous.items() if key != "share"}
        return {**kept, "language": scope.language}, [key for key in kept if key != "language"]
    money = scope.terms.money_of(metrics[0])
    groups = [str(name) for name in previous.get("dimensions") or ()]
    if money is None or not all(scope.terms.splits(money, name) for name in groups):
        return None
    made = {**previous, "metrics": [money], "language": scope.language}
    if top := previous.get("top"):
        made["top"] = {**top, "by": money}
    return made, [key for key in previous if made[key] == previous[key] and key != "language"]


def _did(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """And the ones that did?, after those that did not."""
    denied = any(one["op"] in ("<", "<=") for one in previous.get("having") or ())
    denied = denied or any(not one["exists"] for one in previous.get("existence") or ())
    return _turned(previous, node, scope) if denied else None


def _without_time(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """Leave out November, after the months of this year: the period up to it, or from behind it."""
    held, out = previous.get("period") or {}, node.period
    if out is None or not held.get("start") or previous.get("comparison") or held.get("whole"):
        return None
    first, last = (date.fromisoformat(str(held[end])) for end in ("start", "end"))
    span = without(Range(first, last), Range(out.first, out.last), scope.today)
    if span is None:
        return None
    made = {**previous, "period": as_period(span), "language": scope.language}
    return made, [key for key in previous if key not in ("period", "language")]


def _shares(previous: Plain, node: Node, scope: Scope) -> tuple[Plain, list[str]] | None:
    """The share of each in the total, after the best three: beside each of them."""
    metrics = [str(m) for m in previous.get("metrics") or () if m in scope.terms.metrics]
    fixed = any(previous.get(key) for key in ("derived", "having", "count_groups", "comparison", "among"))
    if fixed or len(metrics) != 1 or not previous.get("dimensions") or not scope.terms.adds(metrics[0]):
        return None
    made = {**previous, "share": True, "language": scope.language}
    return made, [key for key in previous if key != "language"]


ALONE = {
    "ESHARE": _shares,
    "NP": _without_time,
    "DID": _did,
    "MUCH": _in_money,
    "NTH": _in_place,
    "NOT": _turned,
    "REST": _the_rest,
    "GS": _most_changed,
    "N": adjusted,
    "BYM": adjusted,
    "COUNT": _counted,
    "C": _limited,
    "TOTAL": _summed,
    "DIFF": _apart,
    "TIMES": _apart,
    "RATIO": _apart,
}
"""A number, a figure to go by, how many, a limit, a sum: what such a phrase changes by itself."""


def compared_with(previous: Plain, node: Node, scope: Scope) -> Plain | None:
    """그럼 전년 대비로: the period of the turn before, set against another."""
    held, base = previous.get("period") or {}, node.base
    if base is None:
        return None
    span = node.period
    if span is None and held.get("start"):
        span = Span(date.fromisoformat(str(held["start"])), date.fromisoformat(str(held["end"])))
    runs = span is not None and (span.last > scope.today or previous.get("comparison"))
    against = "versus" in node.flags or (
        runs and node.flags >= SAME_DAYS
    )  # 작년 같은 기간은?, of what still runs
    if span is not None and isinstance(base, str) and node.cat in ("B", "F") and not against:
        before = Range(span.first, span.last)  # 그 전 달은?: that period instead
        other = as_period(moved(before, "period" if base == "previous" else base))
        return {"period": other, "filters": [as_filter(f) for f in node.filters]}
    made = compared(span, base, scope.today, scope.last)
    period = as_period(made.period) | ({"grain": made.grain} if made.grain else {})
    if made.comparison is None:
        return None
    return {"period": period, "comparison": made.comparison, "filters": [as_filter(f) for f in node.filters]}


def merged_filters(old: list[Plain], new: list[Plain], *, adds: bool) -> list[Plain]:
    result = [dict(item) for item in old]
    for item in new:
        same = next((o for o in result if o["dimension"] == item["dimension"]), None)
        if same is None:
            result.append(item)
        elif adds and (same["op"], item["op"]) == (
            "not_in",
            "in",
        ):  # and including meals: nothing is left out
            same["values"] = [value for value in same["values"] if value not in item["values"]]
        elif same["op"] == item["op"] and (
            adds or item["op"] == "not_in"
        ):  # 경기도 빼고: and what was left out before
            same["values"] = list(dict.fromkeys([*same["values"], *item["values"]]))
        elif left := _less(same, item):  # 대구 빼고, of three places: the other two
            same["values"] = left
        else:
            result[result.index(same)] = item
    return [item for item in result if item["values"]]


def _less(held: Plain, item: Plain) -> list[Any]:
    """The values that stay when some of those asked for, or of those left out, are named with the opposite."""
    opposite = {held["op"], item["op"]} == {"in", "not_in"}
    left = [value for value in held["values"] if value not in item["values"]]
    return left if opposite and len(left) < len(held["values"]) else []
