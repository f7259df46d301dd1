"""The changes that a short question makes in the one before it: a name, a period, a figure, a split, a limit."""

from __future__ import annotations

from datetime import date
from typing import Any

from metaagent.level1.query_analyzer.calendar import Range
from metaagent.level1.query_analyzer.grammar.meaning import EVERY, Node, Span
from metaagent.level1.query_analyzer.grammar.periods import compared
from metaagent.level1.query_analyzer.grammar.request import Scope, as_filter, as_period, requests
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.periods import moved

Plain = dict[str, Any]
FIGURES = ("metrics", "derived", "count_groups", "existence", "having", "rows", "among", "share", "target")
RANKED = ("top", "order", "limit")


def follow(previous: Plain, node: Node, scope: Scope, *, adds: bool) -> tuple[Plain, list[str]] | None:
    """The earlier request with what the phrase says in its place, and the fields that were taken over."""
    own = (
        _compared(previous, node, scope) if node.base is not None and not node.metrics else _own(node, scope)
    )
    if own is None:
        return None
    made = {key: value for key, value in previous.items() if value not in (None, [], {}, False)}
    made = _with_figure(made, own, scope.terms)
    made["filters"] = _filters(made.get("filters") or [], own.get("filters") or [], adds=adds)
    said = {key for key, value in own.items() if value not in (None, [], {}, False)}
    for key in said - {"filters", "dimensions", "metrics", "language"}:
        made[key] = own[key]
    if "period" in said and "comparison" not in said:
        made.pop("comparison", None)
    if own.get("dimensions"):
        made["dimensions"] = _dimensions(made.get("dimensions") or [], own["dimensions"], node)
    made = _fitting(made, scope.terms)
    taken = [key for key in made if key in previous and made[key] == previous[key] and key != "language"]
    return {**made, "language": scope.language}, taken


def _compared(previous: Plain, node: Node, scope: Scope) -> Plain | None:
    """그럼 전년 대비로: the period of the turn before, set against another."""
    held, base = previous.get("period") or {}, node.base
    if base is None:
        return None
    span = node.period
    if span is None and held.get("start"):
        span = Span(date.fromisoformat(str(held["start"])), date.fromisoformat(str(held["end"])))
    if span is not None and isinstance(base, str) and node.cat == "B" and "versus" not in node.flags:
        before = Range(span.first, span.last)  # 그 전 달은?: that period instead
        return {"period": as_period(moved(before, "period" if base == "previous" else base)), "filters": []}
    made = compared(span, base, scope.today, scope.last)
    period = as_period(made.period) | ({"grain": made.grain} if made.grain else {})
    if made.comparison is None:
        return None
    return {"period": period, "comparison": made.comparison, "filters": [as_filter(f) for f in node.filters]}


def _own(node: Node, scope: Scope) -> Plain | None:
    """The phrase as the part of a request that it is."""
    whole = node.metrics or (node.rank and node.rank.by) or node.having or node.existing
    found = requests(node, scope) if whole and node.cat in ("M", "GM", "Q", "T") else []
    if found:
        return found[0].query
    made: Plain = {"filters": [as_filter(f) for f in node.filters]}
    if node.period:
        made["period"] = as_period(node.period)
    if node.base is not None:
        return None
    if node.weekdays:
        made["weekdays"] = list(node.weekdays)
    groups = [*node.groups, *([node.dim] if node.cat == "T" and node.dim and not node.filters else [])]
    made["dimensions"] = groups
    if node.rank is not None:
        made |= _rank(node)
    made |= _flags(node, groups)
    if node.per or node.having:
        return None
    return made if any(made.values()) else None


def _flags(node: Node, groups: list[str]) -> Plain:
    made: Plain = {"share": True} if node.cat == "SHARE" else {}
    for flag in node.flags:
        name, _, size = flag.partition(":")
        if name in ("running_total", "target"):
            made[name] = True
        elif name == "moving_average":
            made[name] = int(size)
        elif name == "trend" and not set(groups) & TIMES:
            made["dimensions"] = [*groups, "month"]
    return made


def _rank(node: Node) -> Plain:
    rank = node.rank
    assert rank is not None
    n = int(node.numbers[0]) if node.numbers else rank.n
    direction = "top" if rank.descending else "bottom"
    if rank.percent:
        return {"top": {"percent": float(rank.n), "direction": direction}}
    if n in (0, EVERY):
        return {}
    return {"top": {("nth" if rank.nth and n > 1 else "n"): n, "direction": direction}}


def _with_figure(made: Plain, own: Plain, terms: Terms) -> Plain:
    """A new figure takes the place of the old one, with everything that was said of it alone."""
    if not any(own.get(key) for key in FIGURES):
        return made
    dropped = (
        {*FIGURES, *RANKED}
        if own.get("metrics") or own.get("derived") or own.get("count_groups")
        else set[str]()
    )
    kept = {key: value for key, value in made.items() if key not in dropped}
    return {**kept, "metrics": own.get("metrics") or ([] if dropped else made.get("metrics") or [])}


def _filters(old: list[Plain], new: list[Plain], *, adds: bool) -> list[Plain]:
    result = [dict(item) for item in old]
    for item in new:
        same = next((o for o in result if o["dimension"] == item["dimension"]), None)
        if same is None:
            result.append(item)
        elif adds and same["op"] == item["op"]:
            same["values"] = list(dict.fromkeys([*same["values"], *item["values"]]))
        else:
            result[result.index(same)] = item
    return result


def _dimensions(old: list[str], new: list[str], node: Node) -> list[str]:
    """Joins the splits of two questions: by month after by region is both, by product after by region is the new one."""
    times = [name for name in old if name in TIMES]
    if set(new) <= TIMES:
        return [*(name for name in old if name not in TIMES), *new]
    return [*new, *(name for name in times if name not in new)]


def _fitting(made: Plain, terms: Terms) -> Plain:
    """Filters and splits that the new figure cannot have fall away."""
    metrics = [m for m in made.get("metrics") or () if m in terms.metrics]

    def fits(dimension: str) -> bool:
        return all(terms.splits(metric, dimension) for metric in metrics)

    filters = [item for item in made.get("filters") or () if fits(item["dimension"])]
    dimensions = [name for name in made.get("dimensions") or () if fits(name)]
    top = made.get("top")
    if top and not dimensions:
        made = {key: value for key, value in made.items() if key != "top"}
    elif top and not top.get("by") and metrics:
        made = {**made, "top": {**top, "by": metrics[0]}}
    return {**made, "filters": filters, "dimensions": dimensions}
