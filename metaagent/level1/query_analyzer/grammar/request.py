"""A meaning as a semantic request: the fields of `SemanticQuery`, and what was assumed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any

from metaagent.language.calendar import Range, relative_range
from metaagent.language.periods import moved
from metaagent.level1.query_analyzer.grammar import monotone_growth
from metaagent.level1.query_analyzer.grammar.meaning import (
    EVERY,
    LEFT_OUT,
    Condition,
    Existing,
    Node,
    Rank,
    Restriction,
    RowLimit,
    Span,
)
from metaagent.level1.query_analyzer.grammar.periods import Compared, compared, without
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]
_UNITS = frozenset({"day", "week", "month", "quarter", "year", "working_day", "weekday_day", "weekend_day"})
FEW = 5
"""Words that ask for some, not one: which products sold best."""
_LONG = ("week", "month", "quarter", "year")
_GRAINS = ("year", "quarter", "month", "week", "day")
_TREND = ((45, "day"), (200, "week"), (1200, "month"), (4000, "quarter"))


@dataclass(frozen=True)
class Scope:
    """Everything that a request depends on beside the words."""

    terms: Terms
    today: date
    language: str
    last: date | None = None
    """The last day that has data of any kind."""
    orders: tuple[str, ...] = ()
    """The languages whose word order the question may have; that of the answer, where it is not said."""


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
    if monotone_growth.condition(node) is not None:
        node = monotone_growth.spanned(node, scope.today)
    trimmed = _without_part(_of_its_rows(node, scope.terms), scope.today)
    for whole in _whole(trimmed, scope.terms) if trimmed else ():
        draft = _Draft(scope, whole)
        filled = _filled(draft)
        _finished_units(draft)
        if filled and not _contradicts_itself(draft.query) and _possible(draft.query, scope.terms):
            draft.query["language"] = scope.language
            counts = bool(draft.query.get("count_groups")) or any(
                scope.terms.rows_of(m) == m for m in draft.query["metrics"] if m in scope.terms.metrics
            )
            found.append(
                Request(draft.query, whole, whole.cost, counts, draft.compared, tuple(draft.assumed))
            )
    return found


def _of_its_rows(node: Node, terms: Terms) -> Node:
    """방문 한 번에 평균 몇 분: the mean of the rows, asked for one of them, is that mean."""
    kind, _, name = str(node.per).partition(":")
    own = terms.metrics[node.metrics[0]] if len(node.metrics) == 1 else None
    if kind != "metric" or own is None or own.aggregate != "average" or terms.count_of(own.name) != name:
        return node
    return replace(node, per=None, average=True, kind=node.kind or "average")


def _without_part(node: Node, today: date) -> Node | None:
    """The phrase with its period cut by the part that is left out; none where that lies in the midst of it."""
    out = next((flag for flag in node.flags if flag.startswith(LEFT_OUT)), None)
    if out is None:
        return node
    first, last = (date.fromisoformat(day) for day in out.removeprefix(LEFT_OUT).split(":"))
    held = node.period
    span = without(Range(held.first, held.last), Range(first, last), today) if held else None
    return replace(node, period=Span(span.first, span.last)) if span else None


def _finished_units(draft: _Draft) -> None:
    """올해 월평균: over the months that are over; the running one would count as a whole one."""
    span, query, scope = draft.node.period, draft.query, draft.scope
    unit = next((str(one["per"]) for one in query.get("derived") or () if one.get("per") in _LONG), None)
    if unit is None or span is None or set(query.get("dimensions") or ()) & TIMES or query.get("comparison"):
        return
    until = min(scope.today, scope.last) if scope.last else scope.today
    running = relative_range(unit, 0, until)
    begun = relative_range(unit, 0, span.first).first == span.first
    if begun and span.first < running.first <= until <= span.last and until < running.last:
        last = running.first - timedelta(days=1)
        query["period"] = {**query["period"], "end": last.isoformat()}
        draft.assumed.append(f"finished:{unit}")


def _contradicts_itself(query: Plain) -> bool:
    """방문을 못 간: what is denied of a thing is not asked of it as well."""
    asked = [{**one, "exists": True} for one in query.get("existence") or () if not one["exists"]]
    return any(one in asked for one in query.get("existence") or ())


def _possible(query: Plain, terms: Terms) -> bool:
    """Tell whether the events of a thing are events that it can have."""
    return all(
        terms.splits(str(one["fact_metric"]), str(one["dimension"])) for one in query.get("existence") or ()
    )


def _whole(node: Node, terms: Terms) -> list[Node]:
    if node.cat == "V":
        plain = len(node.metrics) == 1 and not node.kind and not node.per and not node.average
        worth = (terms.worth_of(node.metrics[0]),) if plain else node.metrics  # what did we sell: its worth
        return _each_or_together(replace(node, cat="M", metrics=worth, cost=node.cost + 0.5), terms)
    if node.cat == "R":
        return _extreme(node, terms)
    if node.cat == "PAIR":
        ratio = node.metrics != node.other[0].metrics
        if ratio and "versus" in node.flags:  # sales vs expenses: both figures
            both = (*node.metrics, *node.other[0].metrics)
            return [replace(node, cat="M", metrics=both, other=(), flags=node.flags - {"versus"})]
        if ratio:
            return [_quotient(node)]
        return _side_by_side(node, terms) if "versus" in node.flags else []
    if node.cat not in ("M", "GM", "Q", "T") or "instead" in node.flags:
        return []
    node = _changed_so(node) if node.cat == "T" else node
    if "each" in node.flags:  # visits per rep for each team: one figure for each team is the likelier meaning
        inner = [g for g in node.groups if any(o != g and terms.belongs(o, g) for o in node.groups)]
        node = replace(node, cost=node.cost + 1.5) if inner else node
    if "who" in node.flags and node.filters_listed and node.rank and node.rank.n == 0:
        node = replace(node, cost=node.cost + 0.6)  # Busan or Daegu, who sold more: one of the two
    if node.cat == "GM" and (
        (node.base is None and not node.growth) or node.growth.startswith(monotone_growth.MARK)
    ):
        return []
    return _each_or_together(node, terms)


def _changed_so(node: Node) -> Node:
    """8월보다 9월에 덜 팔린 제품: those whose figure fell between both periods, rather than all in that order."""
    rank = node.rank
    if (
        rank is None
        or rank.n != 0
        or rank.growth
        or not rank.by
        or node.base is None
        or node.having
        or node.per
    ):
        return node
    grown = Condition(rank.by, ">" if rank.descending else "<", (0.0,), growth="difference")
    return replace(node, rank=None, having=(grown,))


def _quotient(node: Node) -> Node:
    """방문 대비 매출: the first per the second, whose filters are those of both."""
    other = node.other[0]
    if other.filters:
        return replace(node, cat="Q", kind="ratio", cost=node.cost + 0.2)
    return replace(node, cat="M", other=(), per=f"metric:{other.metrics[0]}", cost=node.cost + 0.2)


def _side_by_side(node: Node, terms: Terms) -> list[Node]:
    """Is Daegu selling more than Incheon: each of both, the larger first."""
    one, other = node.filters, node.other[0].filters
    if len(one) != 1 or len(other) != 1 or one[0].negated or other[0].negated or node.groups:
        return []
    labels = (*(one[0].labels or one[0].values), *(other[0].labels or other[0].values))
    both = replace(one[0], values=(*one[0].values, *other[0].values), listed=True, labels=labels)
    rank = Rank(n=EVERY, by=node.metrics[0])
    made = replace(node, cat="M", filters=(both,), other=(), split=True, rank=rank, cost=node.cost + 0.4)
    return _each_or_together(replace(made, flags=made.flags - {"versus"}), terms)


def _extreme(node: Node, terms: Terms) -> list[Node]:
    """The largest expense: no thing is named, so the figure itself is asked for."""
    rank = node.rank
    if (
        rank is not None
        and rank.by
        and rank.n == 0
        and not rank.growth
        and node.groups
        and set(node.groups) <= {"weekend", "weekday"}
    ):
        # 주말이 평일보다 매출이 많아: both, the larger first
        by = terms.worth_of(rank.by) if "moved" in node.flags else rank.by
        rank = replace(rank, n=EVERY, by=by)
        return [replace(node, cat="M", metrics=(by,), rank=rank, flags=node.flags - {"moved"})]
    moved_on = rank is not None and rank.by and rank.n == 0 and node.base is not None
    if moved_on and rank is not None and not rank.growth and not node.groups:
        by = terms.worth_of(str(rank.by)) if "moved" in node.flags else str(rank.by)
        flags = node.flags - {"moved"}
        return [
            replace(node, cat="M", metrics=(by,), rank=None, flags=flags)
        ]  # 지난달과 이번 달 중 언제가 높아
    if (
        rank is not None
        and rank.by
        and node.filters_listed
        and not node.groups
        and not rank.nth
        and not rank.growth
    ):
        by = (
            terms.money_of(rank.by) if "moved" in node.flags else None
        ) or rank.by  # 어디가 더 팔았어: each of them
        rank = replace(rank, n=EVERY, by=by)
        each = replace(node, cat="M", metrics=(by,), split=True, rank=rank, flags=node.flags - {"moved"})
        return _each_or_together(each, terms)
    if rank is None or rank.nth or rank.growth or not rank.by or node.groups:
        return []
    twin = terms.extreme_of(rank.by, largest=rank.descending)
    if twin is None or rank.n < 1:
        return []
    if "row" in node.flags:
        return [_single_rows(node, twin, terms)]
    said = "attributive" in node.flags and terms.is_named_extreme(twin, rank.by)
    return (
        [replace(node, cat="M", rank=None, metrics=(twin,), cost=node.cost + 0.2)]
        if said and rank.n == 1
        else []
    )


def _single_rows(node: Node, twin: str, terms: Terms) -> Node:
    """The largest rows with what tells them apart: day, kind, and whose they are."""
    assert node.rank is not None
    *before, last = ("day", *terms.details(twin))
    rank = replace(node.rank, by=twin)
    return replace(
        node, cat="T", dim=last, groups=tuple(before), metrics=(), rank=rank, flags=node.flags - {"moved"}
    )


def _each_or_together(node: Node, terms: Terms) -> list[Node]:
    listed = [
        f for f in node.filters if f.listed and f.dimension not in node.groups and f.dimension != node.dim
    ]
    if not listed or node.kind or "difference" in node.flags or node.cat == "T" or node.split is False:
        return [node]
    each = replace(node, groups=(*node.groups, listed[0].dimension))
    if node.split:
        return [each]
    if node.groups and set(node.groups) <= TIMES:  # 서울과 부산 월별 매출: a course for each
        return [each, replace(node, cost=node.cost + 0.4)]
    if node.groups:
        return [node]
    kinds = (
        terms.kind_of_money(listed[0].dimension) in node.metrics
    )  # lecture fees and venue costs: two figures
    return [replace(each, cost=each.cost + 0.1), replace(node, cost=node.cost + (0.6 if kinds else 0.5))]


def _filled(draft: _Draft) -> bool:
    node = draft.node
    if "percent" in node.flags:  # only the share of the turn before can answer it
        return False
    if (
        node.kind == "share"
        and node.among
        and node.period
        and not draft.scope.terms.metrics[node.metrics[0]].time
    ):
        draft.node = _within_choice(node)
    _scope_of(draft)
    steps = {"T": _things, "Q": _special}.get(node.cat, _figures)
    return steps(draft) and _compare(draft) and _flags(draft)


def _within_choice(node: Node) -> Node:
    """The share of hospitals that bought in October: the period is that of what chose them."""
    chosen = node.among[0]
    existing = tuple(replace(e, period=e.period or node.period) for e in chosen.existing)
    return replace(
        node, period=None, among=(replace(chosen, period=chosen.period or node.period, existing=existing),)
    )


def as_filter(restriction: Restriction) -> Plain:
    op = "not_in" if restriction.negated else "in"
    made: Plain = {"dimension": restriction.dimension, "op": op, "values": list(restriction.values)}
    return {**made, "by_key": True} if restriction.by_key else made


def as_period(span: Span | Range) -> Plain:
    return {"start": span.first.isoformat(), "end": span.last.isoformat()}


def _row(limit: RowLimit) -> Plain:
    values = [value.isoformat() if isinstance(value, date) else value for value in limit.values]
    made: Plain = {"column": limit.column, "op": limit.op, "values": values}
    return {**made, "per": limit.per} if limit.per else made


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
    thing, _, unit = per.partition("@")
    if unit:  # visits per rep per month
        kind, _, name = thing.partition(":")
        below = {"metric": name} if kind == "metric" else {"metric": f"count:{name}", "of": metric}
        made = _ratio(f"{metric}__per__{name}__per__{unit}", "ratio", {"metric": metric}, below)
        return None, {**made, "per": unit}
    kind, _, name = per.partition(":")
    if kind == "less":  # what is missing of a target
        return None, _ratio(f"{metric}__less__{name}", "difference", {"metric": metric}, {"metric": name})
    if kind == "metric":
        known = next((t.name for t in terms.metrics.values() if t.sides == (metric, name)), None)
        if known:
            return known, None
        return None, _ratio(f"{metric}__per__{name}", "ratio", {"metric": metric}, {"metric": name})
    below = {"metric": f"count:{name}", "of": metric}
    return None, _ratio(f"{metric}__per__{name}", "ratio", {"metric": metric}, below)


def sided(query: Plain, terms: Terms) -> Plain:
    """The request with filters that only one side of a ratio has moved there: travel costs per visit are of all visits."""
    derived = query.get("derived") or []
    if len(derived) != 1 or derived[0]["kind"] != "ratio" or not query.get("filters"):
        return query
    above, below = derived[0]["numerator"], derived[0]["denominator"]
    if above["metric"] not in terms.metrics or below["metric"] not in terms.metrics:
        return query
    own, other = terms.table(above["metric"]), terms.table(below["metric"])
    moved_to = [f for f in query["filters"] if own != other and terms.is_own(str(f["dimension"]), str(own))]
    if not moved_to:
        return query
    part = {**above, "filters": [*(above.get("filters") or ()), *moved_to]}
    rest = [f for f in query["filters"] if f not in moved_to]
    return {**query, "filters": rest, "derived": [{**derived[0], "numerator": part}]}


_MOST_LISTED = 8
"""Columns that a request may have; rows of wide tables are listed by the first of theirs and those asked for."""


def _figures(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    if node.having or (node.existing and not node.among) or node.numbers or not node.metrics:
        return False
    if node.average and not node.per and node.kind != "average":
        return False
    if node.per:
        _per(draft, node.per)
    if "listed" in node.flags:
        named = draft.scope.terms.listing(node.metrics[0])
        others = [name for name in named if name not in node.groups][
            : max(0, _MOST_LISTED - len(node.groups))
        ]
        every = dict.fromkeys((*named, *node.groups))
        query["dimensions"] = [name for name in every if name in node.groups or name in others]
        query["order"] = [{"column": "day", "descending": False}]
    if node.cat == "M" and node.rank is not None and node.rank.by:
        query["order"] = [{"column": node.rank.by, "descending": node.rank.descending}]
        if "edge" in node.flags:  # the last day alone
            query["limit"] = 1
    return node.cat != "GM" or node.rank is None or "moved" in node.flags or bool(node.growth)


def _per(draft: _Draft, per: str) -> str:
    """The column of the figure."""
    query, node = draft.query, draft.node
    columns: list[str] = []
    metrics: list[str] = query["metrics"]
    query["metrics"] = []
    money = "head" in node.flags and not draft.scope.terms.counts(metrics[0])
    guests = draft.scope.terms.guests_of(metrics[0], node.filters) if money else None
    per = f"metric:{guests}" if guests else per
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
    query, dim = draft.query, draft.node.dim
    if dim is None or draft.node.growth:
        return False
    two = dim == "day" and 1 < len(draft.node.weekdays) < 5 and draft.node.rank and draft.node.rank.n == 0
    if two:  # 월요일과 금요일 중 방문이 더 많은 날: which of the weekdays
        dim = "weekday"
    node = draft.node = replace(draft.node, groups=tuple(name for name in draft.node.groups if name != dim))
    owner = draft.scope.terms.dated(dim) if not node.rank and not node.having else None
    own = [name for name in node.groups if draft.scope.terms.owner(name) == dim and not node.having]
    others = [name for name in node.groups if name not in own]
    query["dimensions"] = list(dict.fromkeys([*others, *([owner] if owner else []), dim, *own]))
    if node.rank is not None:
        return _ranking(draft, dim)
    if node.numbers or (node.per and not node.having) or node.average:
        return False
    if node.having or node.existing:
        return _conditions(draft, dim)
    draft.node = replace(node, cost=node.cost + 1.0)
    if (count := draft.scope.terms.events_of(dim)) and not (node.base or node.metrics or node.weekdays):
        listed_rows(query, count, draft.scope.terms)
        return True
    return bool(
        not node.period and not node.base and not node.metrics and node.dim not in TIMES and not node.weekdays
    )


def listed_rows(query: Plain, count: str, terms: Terms) -> None:
    """Events by their names, days and kinds: a list of seminars without their dates tells little."""
    query["metrics"] = list(dict.fromkeys([*(query.get("metrics") or ()), count]))
    query["dimensions"] = list(dict.fromkeys((*terms.listing(count), *query["dimensions"])))
    query["order"] = [{"column": "day", "descending": False}]


def _conditions(draft: _Draft, dim: str) -> bool:
    node, query, terms = draft.node, draft.query, draft.scope.terms
    having: list[Plain] = []
    if (held := monotone_growth.condition(node)) is not None:
        return len(node.having) == 1 and _steadily(draft, held, dim)
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
    _events(draft, dim)
    return True


def _steadily(draft: _Draft, held: Condition, dim: str) -> bool:
    """매달 늘어난 병원: those of which every step of the period is one up."""
    node, query, scope = draft.node, draft.query, draft.scope
    until = min(scope.today, scope.last) if scope.last else scope.today
    made = monotone_growth.as_figures(held, node, until) if scope.terms.splits(held.column, dim) else None
    if made is None or node.existing or node.per:
        return False
    query["derived"], query["having"] = made
    query["metrics"] = list(dict.fromkeys([*query["metrics"], held.column]))
    draft.assumed.append("steady")
    return True


def _events(draft: _Draft, dim: str) -> None:
    """Events that the things have or lack; 재고가 하나도 없는 부품: a column of the thing itself is 0."""
    node, query, terms = draft.node, draft.query, draft.scope.terms
    existing = [e for e in node.existing if not _implied(terms, e, node)]
    empty = [e for e in existing if not e.exists and _is_column(terms, e.metric, dim) and not e.restrictions]
    for one in empty:
        query["metrics"] = list(dict.fromkeys([*query["metrics"], one.metric]))
        query["having"] = [*query.get("having", []), {"column": one.metric, "op": "=", "values": [0.0]}]
    if others := [e for e in existing if e not in empty]:
        query["existence"] = [_existence(e, dim, node.period) for e in others]


def _is_column(terms: Terms, metric: str, dim: str) -> bool:
    return (
        terms.metrics[metric].aggregate == "sum"
        and terms.is_event(dim, metric)
        and not terms.metrics[metric].time
    )


def _implied(terms: Terms, one: Existing, node: Node) -> bool:
    """식대로 백만 원 이상 쓴, 다섯 번도 안 간: the verb says again what the condition is about."""
    plain = one.exists and not one.restrictions and one.period in (None, node.period)
    return plain and any(
        h.op in (">", ">=", "<", "<=")
        and h.values
        and h.values[0] > 0
        and not h.growth
        and terms.same_fact(h.column, one.metric)
        for h in node.having
    )


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
    if rank.by is None and by is not None and not terms.splits(by, dim):
        by = terms.kind_of_money(dim)
    if by is None or not terms.splits(by, dim) or node.existing:
        return False
    if by in terms.dimensions:  # the newest: by a date of its own
        query["dimensions"] = [*query["dimensions"], by]
        return not (node.period or node.having or node.per or node.metrics) and _placed(draft, rank, by, dim)
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
    if "row" in node.flags:
        query["order"] = [{"column": column, "descending": rank.descending}]
        query["limit"] = n
        return 0 < n < EVERY
    if n in (0, EVERY) and not rank.percent:
        query["order"] = [{"column": column, "descending": rank.descending}]
        return True
    place: Plain = (
        {"percent": float(rank.n)} if rank.percent else {"nth": n} if rank.nth and n > 1 else {"n": n}
    )
    query["top"] = {**place, "direction": direction, "by": column, **ranked_in(node, dim, draft.scope.terms)}
    return True


def ranked_in(node: Node, dim: str, terms: Terms) -> Plain:
    """The groups in each of which things are ranked anew: those that are said to be, and those that are no property of the
    things, since a price beside a product tells no group."""
    groups = [g for g in node.groups if "in_each" in node.flags or terms.owner(g) != dim]
    return {"dimension": dim, "within": groups} if groups else {}


def _special(draft: _Draft) -> bool:
    node = draft.node
    if node.kind == "count":
        draft.query["count_groups"] = node.dim
        if not node.having and not node.existing:
            return False
        own = [e for e in node.existing if e.exists and draft.scope.terms.is_event(str(node.dim), e.metric)]
        if own and not node.having:  # seminars that were held: the figure that counts them
            return False
        return _conditions(draft, str(node.dim))
    if node.kind == "share":
        return _share(draft)
    return _two_sides(draft)


def _share(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    if node.existing:
        return _share_of_things(draft)
    metric = node.metrics[0]
    if node.groups and not node.part:
        query["share"] = True
        return True
    if node.among:
        whole: Plain = {"metric": metric, "everything": True, "filters": list(query["filters"])}
        query["metrics"] = []
        query["derived"] = [_ratio(f"{metric}__share", "share", {"metric": metric}, whole)]
        return not node.part and not node.weekdays
    limited = bool(node.rows) and not node.part
    if not (node.part or node.weekdays or limited) or not set(node.groups) <= TIMES:
        return False
    above: Plain = {"metric": metric, "filters": [as_filter(f) for f in node.part]}
    if limited:
        above["rows"] = query.pop("rows")
    if node.weekdays:
        above["weekdays"] = list(node.weekdays)
    query["metrics"] = []
    query["derived"] = [_ratio(f"{metric}__share", "share", above, {"metric": metric})]
    return True


def _share_of_things(draft: _Draft) -> bool:
    """The part of all hospitals that were visited."""
    node, query = draft.node, draft.query
    own = draft.scope.terms.counted_by(str(node.dim))
    above = {"metric": f"count:{node.dim}", "of": node.existing[0].metric}
    query["metrics"] = []
    query["derived"] = [_ratio(f"{node.dim}__share", "ratio", above, {"metric": own})]
    return own is not None and not node.groups


def _two_sides(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    other = node.other[0]
    above: Plain = {"metric": node.metrics[0], "filters": [as_filter(f) for f in node.filters]}
    below: Plain = {"metric": other.metrics[0], "filters": [as_filter(f) for f in other.filters]}
    if node.metrics != other.metrics and not other.filters:
        below["filters"] = above["filters"]
    if node.weekdays and other.weekdays:
        above["weekdays"], below["weekdays"] = list(node.weekdays), list(other.weekdays)
        query.pop("weekdays", None)
    query["metrics"], query["filters"] = [], []
    query["derived"] = [
        _ratio(f"{node.metrics[0]}__{node.kind}__{other.metrics[0]}", node.kind, above, below)
    ]
    return True


def _compare(draft: _Draft) -> bool:
    node, query, scope = draft.node, draft.query, draft.scope
    base = node.base
    if "joined" in node.flags and (base is not None or "compare" in node.flags):
        return False
    if monotone_growth.condition(node) is not None:
        return base is None
    grown = bool(node.growth or (node.rank and node.rank.growth) or any(h.growth for h in node.having))
    lonely = (
        "compare" in node.flags and not node.groups and len(node.metrics) == 1 and not node.filters_listed
    )
    if base is None and (grown or lonely):
        base = "previous"
        draft.assumed.append("previous")
    if base is None:
        return True
    node = _in_its_unit(draft)
    if _stands_alone(node):
        return False
    steps = [g for g in query["dimensions"] if g in _GRAINS]
    unit = _step_of(base)
    if not steps and unit and _covers_several(node.period, unit) and not query.get("top") and not node.having:
        query["dimensions"] = [*query["dimensions"], unit]  # month over month, in 2026: each month
        steps, base = [unit], unit
    if steps and base in ("previous", steps[-1]) and node.period and not query.get("top"):
        return _step_by_step(draft, steps[-1])
    made = compared(node.period, base, scope.today, scope.last)
    draft.compared = made
    if made.assumed:
        draft.assumed.append("current")
    if made.unfinished:
        draft.assumed.append("unfinished")
    query["period"] = as_period(made.period) | ({"grain": made.grain} if made.grain else {})
    query["comparison"] = made.comparison
    # The growth of each month cannot be that over one other period.
    return made.comparison is not None or (not steps and _may_stand_apart(draft, made))


def _may_stand_apart(draft: _Draft, made: Compared) -> bool:
    if made.period == made.other:  # a period set against itself tells nothing
        return False
    fixed = (draft.query.get(key) for key in ("top", "having", "order", "derived"))
    return _set_apart(draft, made) or not any(fixed)


def _set_apart(draft: _Draft, made: Compared) -> bool:
    """작년 4분기보다 올해 3분기에 늘어난 지역: two periods that do not touch, one less the other."""
    query, node = draft.query, draft.node
    by = f"{query['metrics'][0]}__difference" if len(query["metrics"]) == 1 else None
    named = [
        *(query.get("having") or ()),
        *(query.get("order") or ()),
        *([query["top"]] if query.get("top") else []),
    ]
    if (
        by is None
        or not named
        or query.get("derived")
        or query.get("count_groups")
        or node.per
        or node.existing
    ):
        return False
    if any(one.get("column", one.get("by")) != by for one in named):
        return False
    metric, name = query["metrics"][0], f"{by}__{made.period.first:%Y%m%d}"
    sides = ({"metric": metric, "period": as_period(span)} for span in (made.period, made.other))
    query["derived"] = [_ratio(name, "difference", *sides)]
    query["metrics"] = []
    for one in named:
        one["column" if "column" in one else "by"] = name
    first, last = sorted((made.period, made.other), key=lambda span: span.first)
    query["period"] = as_period(Range(first.first, last.last))
    draft.compared = None
    draft.assumed.append("apart")
    return True


def _stands_alone(node: Node) -> bool:
    """Tell whether a figure cannot be set against another period; a number of things can, where they are chosen by it."""
    by_change = any(h.growth for h in node.having) and not set(node.groups) & TIMES
    return (
        node.kind in ("share", "ratio", "times", "difference")
        or (node.kind == "count" and not by_change)
        or (bool(node.existing) and not node.having)
    )


def _in_its_unit(draft: _Draft) -> Node:
    """작년 같은 달보다: the month that runs, where no period is named."""
    unit = _unit_said(draft.node) if draft.node.period is None else None
    if unit:
        draft.node = replace(draft.node, period=_of_today(unit, draft.scope.today))
        draft.assumed.append("current")
    return draft.node


def _unit_said(node: Node) -> str | None:
    """The unit of the period that is compared with, where it is named alone: the same month last year."""
    return next((flag.removeprefix("unit:") for flag in node.flags if flag.startswith("unit:")), None)


def _of_today(unit: str, today: date) -> Span:
    """The unit of time that runs."""
    held = relative_range(unit, 0, today)
    return Span(held.first, held.last)


def _step_of(base: Span | str) -> str | None:
    """The unit of which each is set against the one before: month over month, 전월 대비."""
    if isinstance(base, Span):
        return (
            base.shift
            if base.shift in ("week", "month", "quarter")
            and base.label.lower().removeprefix("the ").startswith(("전", "직전", "previous", "prior"))
            else None
        )
    return base if base in ("week", "month", "quarter") else None


def _covers_several(span: Span | None, unit: str) -> bool:
    """Tell whether such a unit stands several times in the period."""
    if span is None:
        return False
    return relative_range(unit, 0, span.first).last < min(span.last, span.first + timedelta(days=366))


def _step_by_step(draft: _Draft, unit: str) -> bool:
    """Month-over-month growth for each month: every one against the one before it."""
    span = draft.node.period
    assert span is not None
    until = min(span.last, draft.scope.last or span.last)
    period = Range(span.first, max(until, span.first))
    draft.compared = Compared(period, moved(period, unit), unit, assumed=False)
    draft.query["period"] = as_period(period)
    draft.query["comparison"] = "previous"
    return True


def _flags(draft: _Draft) -> bool:
    node, query = draft.node, draft.query
    for flag in node.flags:
        name, _, size = flag.partition(":")
        if name == "moving_average":
            query[name] = int(size)
        elif name == "shares":
            query["share"] = True
        elif name == "running_total" or (name == "target" and not _is_achievement(draft)):
            query[name] = True
    if "running_total" in query and _only_total(draft):
        query.pop("running_total")
    if ("running_total" in query or "moving_average" in query) and not set(query["dimensions"]) & TIMES:
        query["dimensions"] = [*query["dimensions"], "month"]
    if "difference" in node.flags:
        return _difference(draft)
    if "trend" in node.flags and not set(query["dimensions"]) & TIMES and not query.get("comparison"):
        span = node.period
        days = (span.last - span.first).days + 1 if span else 10_000
        query["dimensions"] = [*query["dimensions"], next((g for most, g in _TREND if days <= most), "month")]
    return True


def _is_achievement(draft: _Draft) -> bool:
    """목표 대비 달성률: the figure is set against its target already."""
    terms, metrics = draft.scope.terms, draft.query["metrics"]
    return bool(metrics) and all(m in terms.metrics and terms.achievement(m) == m for m in metrics)


def _only_total(draft: _Draft) -> bool:
    """연초부터 지금까지 누적 매출: one sum; a course of sums is asked for by its steps, or by a trend."""
    node = draft.node
    return (
        not set(draft.query["dimensions"]) & TIMES and "trend" not in node.flags and node.period is not None
    )


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
    query.pop("order", None)  # by how much one outsold the other: one figure
    query["derived"] = [
        _ratio(f"{node.metrics[0]}__difference__{node.metrics[0]}", "difference", parts[0], parts[1])
    ]
    return True
