"""A meaning as a semantic request: the fields of `SemanticQuery`, and what was assumed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from metaagent.level1.query_analyzer import calendar as cal
from metaagent.level1.query_analyzer.calendar import Range
from metaagent.level1.query_analyzer.grammar.meaning import (
    EVERY,
    Existing,
    Node,
    Rank,
    Restriction,
    RowLimit,
    Span,
)
from metaagent.level1.query_analyzer.grammar.periods import Compared, compared
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]
_UNITS = frozenset({"day", "week", "month", "quarter", "year", "working_day", "weekday_day", "weekend_day"})
FEW = 5
"""Words that ask for some, not one: which products sold best."""
_TREND = ((45, "day"), (200, "week"), (1200, "month"), (4000, "quarter"))


@dataclass(frozen=True)
class Scope:
    """Everything that a request depends on beside the words."""

    terms: Terms
    today: date
    language: str
    last: date | None = None
    """The last day that has data of any kind."""


@dataclass(frozen=True)
class Request:
    """One complete reading."""

    query: Plain
    node: Node
    cost: float
    counts: bool = False
    """The answer is a number of things or rows."""
    compared: Compared | None = None
    assumed: tuple[str, ...] = ()
    """usual (figure), previous (period compared with), each, ordered, unfinished."""


@dataclass
class _Draft:
    scope: Scope
    node: Node
    query: Plain = field(default_factory=dict[str, Any])
    compared: Compared | None = None
    assumed: list[str] = field(default_factory=list[str])


def requests(node: Node, scope: Scope) -> list[Request]:
    """The phrase as whole questions; none where a part of it is still open."""
    found: list[Request] = []
    for whole in _whole(node, scope.terms):
        draft = _Draft(scope, whole)
        if _filled(draft):
            draft.query["language"] = scope.language
            counts = bool(draft.query.get("count_groups")) or any(
                scope.terms.rows_of(m) == m for m in draft.query["metrics"] if m in scope.terms.metrics
            )
            found.append(
                Request(draft.query, whole, whole.cost, counts, draft.compared, tuple(draft.assumed))
            )
    return found


def _whole(node: Node, terms: Terms) -> list[Node]:
    if node.cat == "V":
        return [replace(node, cat="M", cost=node.cost + 0.5)]
    if node.cat == "R":
        return _extreme(node, terms)
    if node.cat == "PAIR":
        ratio = node.metrics != node.other[0].metrics
        if ratio and "versus" in node.flags:  # sales vs expenses: both figures
            both = (*node.metrics, *node.other[0].metrics)
            return [replace(node, cat="M", metrics=both, other=(), flags=node.flags - {"versus"})]
        return [replace(node, cat="Q", kind="ratio", cost=node.cost + 0.2)] if ratio else []
    if node.cat not in ("M", "GM", "Q", "T"):
        return []
    if node.cat == "GM" and node.base is None and not node.growth:
        return []
    return _each_or_together(node)


def _extreme(node: Node, terms: Terms) -> list[Node]:
    """The largest expense: no thing is named, so the figure itself is asked for."""
    rank = node.rank
    if rank is None or rank.n != 1 or rank.nth or rank.growth or not rank.by or node.groups:
        return []
    own, wanted = terms.metrics[rank.by], "max" if rank.descending else "min"
    twin = [
        t.name
        for t in terms.metrics.values()
        if t.aggregate == wanted and own.column and t.column == own.column and t.filtered == own.filtered
    ]
    return [replace(node, cat="M", rank=None, metrics=(twin[0],), cost=node.cost + 0.2)] if twin else []


def _each_or_together(node: Node) -> list[Node]:
    listed = [
        f for f in node.filters if f.listed and f.dimension not in node.groups and f.dimension != node.dim
    ]
    if not listed or node.kind or "difference" in node.flags or node.cat == "T" or node.split is False:
        return [node]
    each = replace(node, groups=(*node.groups, listed[0].dimension))
    if node.split:
        return [each]
    if node.groups:
        return [node]
    return [replace(each, cost=each.cost + 0.1), replace(node, cost=node.cost + 0.1)]


def _filled(draft: _Draft) -> bool:
    node = draft.node
    _scope_of(draft)
    steps = {"T": _things, "Q": _special}.get(node.cat, _figures)
    return steps(draft) and _compare(draft) and _flags(draft)


def as_filter(restriction: Restriction) -> Plain:
    op = "not_in" if restriction.negated else "in"
    made: Plain = {"dimension": restriction.dimension, "op": op, "values": list(restriction.values)}
    return {**made, "by_key": True} if restriction.by_key else made


def as_period(span: Span | Range) -> Plain:
    return {"start": span.first.isoformat(), "end": span.last.isoformat()}


def _row(limit: RowLimit) -> Plain:
    return {"column": limit.column, "op": limit.op, "values": list(limit.values)}


def _scope_of(draft: _Draft) -> None:
    node, query = draft.node, draft.query
    query["metrics"] = list(node.metrics)
    query["dimensions"] = list(node.groups)
    query["filters"] = [as_filter(f) for f in node.filters]
    query["period"] = as_period(node.period) if node.period else None
    if node.rows:
        query["rows"] = [_row(limit) for limit in node.rows]
    if node.weekdays and node.kind != "share":
        query["weekdays"] = list(node.weekdays)
    if node.among:
        _limited_to(draft, node.among[0])


def _limited_to(draft: _Draft, t: Node) -> None:
    if t.existing and not t.rank and not t.having:
        draft.query["existence"] = [_existence(e, str(t.dim), draft.node.period) for e in t.existing]
        return
    period = t.period or draft.node.period
    inner = requests(replace(t, cat="T", metrics=(), period=period), draft.scope)
    draft.query["among"] = inner[0].query if inner else None


def _existence(one: Existing, dimension: str, period: Span | None) -> Plain:
    """Its own period only where it is not the query's."""
    made: Plain = {"dimension": dimension, "fact_metric": one.metric, "exists": one.exists}
    if one.restrictions:
        made["filters"] = [as_filter(f) for f in one.restrictions]
    if one.period and one.period != period:
        made["period"] = as_period(one.period)
    return made


def _ratio(name: str, kind: str, numerator: Plain, denominator: Plain) -> Plain:
    return {"name": name, "kind": kind, "numerator": numerator, "denominator": denominator}


def per_figure(terms: Terms, metric: str, per: str) -> tuple[str | None, Plain | None]:
    """(metric of the model, None) where it has that ratio, else (None, derived figure)."""
    if per in _UNITS:
        return None, {
            "name": f"{metric}__per__{per}",
            "kind": "per_period",
            "numerator": {"metric": metric},
            "per": per,
        }
    kind, _, name = per.partition(":")
    if kind == "metric":
        known = next((t.name for t in terms.metrics.values() if t.sides == (metric, name)), None)
        if known:
            return known, None
        return None, _ratio(f"{metric}__per__{name}", "ratio", {"metric": metric}, {"metric": name})
    below = {"metric": f"count:{name}", "of": metric}
    return None, _ratio(f"{metric}__per__{name}", "ratio", {"metric": metric}, below)


def _figures(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    if node.having or (node.existing and not node.among) or node.numbers or not node.metrics:
        return False
    if node.average and not node.per and node.kind != "average":
        return False
    if node.per:
        _per(draft, node.per)
    if node.cat == "M" and node.rank is not None and node.rank.by:
        query["order"] = [{"column": node.rank.by, "descending": node.rank.descending}]
    return node.cat != "GM" or node.rank is None or "moved" in node.flags or bool(node.growth)


def _per(draft: _Draft, per: str) -> str:
    """The column of the figure."""
    query, node = draft.query, draft.node
    columns: list[str] = []
    metrics: list[str] = query["metrics"]
    query["metrics"] = []
    for metric in metrics:
        known, derived = per_figure(draft.scope.terms, metric, per)
        if known:
            query["metrics"].append(known)
        elif derived:
            query.setdefault("derived", []).append(derived)
        columns.append(known or str((derived or {})["name"]))
    if per in ("weekday_day", "weekend_day") and node.weekdays:
        query.pop("weekdays", None)
    return columns[0]


def _things(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    if node.dim is None or node.growth:
        return False
    query["dimensions"] = [*node.groups, node.dim]
    if node.rank is not None:
        return _ranking(draft, node.dim)
    if node.numbers or (node.per and not node.having) or node.average:
        return False
    if node.having or node.existing:
        return _conditions(draft, node.dim)
    draft.node = replace(node, cost=node.cost + 1.0)
    return bool(
        not node.period and not node.base and not node.metrics and node.dim not in TIMES and not node.weekdays
    )


def _conditions(draft: _Draft, dim: str) -> bool:
    node, query, terms = draft.node, draft.query, draft.scope.terms
    having: list[Plain] = []
    for one in node.having:
        if not terms.splits(one.column, dim):
            return False
        column = f"{one.column}__{one.growth}" if one.growth else one.column
        if node.per and not one.growth:
            query["metrics"] = [one.column]
            column = _per(draft, node.per)
        elif one.column not in query["metrics"]:
            query["metrics"].append(one.column)
        made: Plain = {"column": column, "op": one.op}
        if one.relative:
            made["relative"] = _part(terms, one.relative[0], dim)
        else:
            made["values"] = list(one.values)
        if one.values == (0.0,) and one.op in ("=", "<="):
            query["include_empty"] = True
        having.append(made)
    if having:
        query["having"] = having
    moved = next((one for one in node.having if one.growth), None)
    if moved and node.rank is None and node.kind != "count":  # those that fell, worst first
        column = f"{moved.column}__{moved.growth}"
        query["order"] = [{"column": column, "descending": moved.op.startswith(">")}]
    if node.existing:
        query["existence"] = [_existence(e, dim, node.period) for e in node.existing]
    return True


def _part(terms: Terms, node: Node, dim: str) -> Plain:
    metric = node.metrics[0]
    if node.per:
        return _ratio(
            f"{metric}__per__{dim}", "ratio", {"metric": metric}, {"metric": f"count:{dim}", "of": metric}
        )
    return {"metric": metric, "filters": [as_filter(f) for f in node.filters]}


def _ranking(draft: _Draft, dim: str) -> bool:
    node, query, terms = draft.node, draft.query, draft.scope.terms
    rank = node.rank
    assert rank is not None
    by = rank.by or terms.usual
    if by is None or not terms.splits(by, dim) or node.existing:
        return False
    if rank.by is None:
        draft.assumed.append("usual")
    query["metrics"] = list(dict.fromkeys([by, *query["metrics"]]))
    column = by
    if node.per:
        query["metrics"] = [by]
        column = _per(draft, node.per)
    elif rank.growth:
        column = f"{by}__{rank.growth}"
    if node.having:
        kept = list(query["metrics"])
        if not _conditions(draft, dim):
            return False
        query["metrics"] = list(dict.fromkeys([*kept, *query["metrics"]]))
    return _placed(draft, rank, column, dim)


def _placed(draft: _Draft, rank: Rank, column: str, dim: str) -> bool:
    """The number of places of the ranking, or the one place of it."""
    node, query = draft.node, draft.query
    n = int(node.numbers[0]) if node.numbers else rank.n
    if node.numbers and ((rank.n > 1 and rank.n != EVERY and rank.n != n) or rank.nth):
        return False
    if n == 1 and not rank.nth and not rank.percent and "several" in node.flags:
        n = FEW
    direction = "top" if rank.descending else "bottom"
    if n in (0, EVERY) and not rank.percent:
        query["order"] = [{"column": column, "descending": rank.descending}]
        return True
    place: Plain = (
        {"percent": float(rank.n)} if rank.percent else {"nth": n} if rank.nth and n > 1 else {"n": n}
    )
    query["top"] = {**place, "direction": direction, "by": column}
    if node.groups:
        query["top"] |= {"dimension": dim, "within": list(node.groups)}
    return True


def _special(draft: _Draft) -> bool:
    node = draft.node
    if node.kind == "count":
        draft.query["count_groups"] = node.dim
        if not node.having and not node.existing:
            return False
        return _conditions(draft, str(node.dim))
    if node.kind == "share":
        return _share(draft)
    return _two_sides(draft)


def _share(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    metric = node.metrics[0]
    if node.groups:
        query["share"] = True
        return not node.part
    if not node.part and not node.weekdays:
        return False
    above: Plain = {"metric": metric, "filters": [as_filter(f) for f in node.part]}
    if node.weekdays:
        above["weekdays"] = list(node.weekdays)
    query["metrics"] = []
    query["derived"] = [_ratio(f"{metric}__share", "share", above, {"metric": metric})]
    return True


def _two_sides(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    other = node.other[0]
    above: Plain = {"metric": node.metrics[0], "filters": [as_filter(f) for f in node.filters]}
    below: Plain = {"metric": other.metrics[0], "filters": [as_filter(f) for f in other.filters]}
    if node.metrics != other.metrics and not other.filters:
        below["filters"] = above["filters"]
    query["metrics"], query["filters"] = [], []
    query["derived"] = [
        _ratio(f"{node.metrics[0]}__{node.kind}__{other.metrics[0]}", node.kind, above, below)
    ]
    return True


def _compare(draft: _Draft) -> bool:
    node, query, scope = draft.node, draft.query, draft.scope
    base = node.base
    grown = bool(node.growth or (node.rank and node.rank.growth) or any(h.growth for h in node.having))
    lonely = (
        "compare" in node.flags and not node.groups and len(node.metrics) == 1 and not node.filters_listed
    )
    if base is None and (grown or lonely):
        base = "previous"
        draft.assumed.append("previous")
    if base is None:
        return True
    if node.kind in ("share", "ratio", "times", "difference", "count") or (node.existing and not node.having):
        return False
    made = compared(node.period, base, scope.today, scope.last)
    draft.compared = made
    if made.assumed:
        draft.assumed.append("current")
    if made.unfinished:
        draft.assumed.append("unfinished")
    query["period"] = as_period(made.period) | ({"grain": made.grain} if made.grain else {})
    query["comparison"] = made.comparison
    apart = made.comparison is None
    return not (
        apart and (query.get("top") or query.get("having") or query.get("order") or query.get("derived"))
    )


def _flags(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    for flag in node.flags:
        name, _, size = flag.partition(":")
        if name == "moving_average":
            query[name] = int(size)
        elif name in ("running_total", "target"):
            query[name] = True
    if ("running_total" in query or "moving_average" in query) and not set(query["dimensions"]) & TIMES:
        query["dimensions"] = [*query["dimensions"], "month"]
    if "difference" in node.flags:
        return _difference(draft)
    if "trend" in node.flags and not set(query["dimensions"]) & TIMES and not query.get("comparison"):
        span = node.period
        days = (span.last - span.first).days + 1 if span else 10_000
        query["dimensions"] = [*query["dimensions"], next((g for most, g in _TREND if days <= most), "month")]
    return True


def _difference(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    if draft.compared is not None:
        return True
    listed = [f for f in node.filters if f.listed]
    if len(listed) != 1 or len(listed[0].values) != 2 or len(node.metrics) != 1 or node.groups or node.per:
        return False
    one = listed[0]
    sides = [as_filter(replace(one, values=(value,))) for value in one.values]
    parts = [{"metric": node.metrics[0], "filters": [side]} for side in sides]
    query["filters"] = [as_filter(f) for f in node.filters if f is not one]
    query["metrics"] = []
    query["derived"] = [
        _ratio(f"{node.metrics[0]}__difference__{node.metrics[0]}", "difference", parts[0], parts[1])
    ]
    return True


def grain(span: Span) -> str:
    return cal.grain_of(Range(span.first, span.last))
