"""Conservation: every date, value, number and operator of the question leaves its trace in the request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from metaagent.level1.query_analyzer.grammar.meaning import LEFT_OUT, Node, Span
from metaagent.level1.query_analyzer.grammar.request import Request
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.grammar.tokens import Piece

Plain = dict[str, Any]


def _has(query: Plain, *names: str) -> bool:
    inner = query.get("among") or {}
    parts = [one.get("numerator") or {} for one in query.get("derived") or ()]
    return any(part.get(name) for part in (query, inner, *parts) for name in names)


def operators_kept(request: Request, text: str, terms: Terms) -> dict[str, bool]:
    """Tell for each type of operator whether it can be seen in the request."""
    query = request.query
    derived = [str(item["kind"]) for item in query.get("derived") or ()]
    none = '"exists": false' in text
    return {
        "EXCEPT": "not_in" in text
        or none
        or "__less__" in text
        or bool(request.node.flags & {"replaced", "instead", "other_days"})
        or any(flag.startswith(LEFT_OUT) for flag in request.node.flags),
        "RATHER": bool(request.node.flags & {"replaced", "instead"}),
        "NONE": none or _has(query, "having"),
        "NOT": none
        or _has(query, "having")
        or "not_in" in text
        or '"bottom"' in text
        or "replaced" in request.node.flags,
        "EVER": '"exists": true' in text or _has(query, "having"),
        "NEVER": none or _has(query, "having"),
        "BEAT": _has(query, "having", "order") or "difference" in derived,
        "AGAINST": bool(query.get("dimensions")) or bool(derived) or request.compared is not None,
        "SUP": _has(query, "top", "order", "having") or _extreme(query) or "difference" in derived,
        "SUPQ": _has(query, "top", "order", "having") or _extreme(query),
        "TOP": _has(query, "top", "order"),
        "NTH": _has(query, "top"),
        "ORDER": _has(query, "top", "order"),
        "CMP": _has(query, "having", "rows"),
        "CMPR": _has(query, "having", "rows"),
        "C": _has(query, "having", "rows"),
        "COUNT": (request.counts and "listed" not in request.node.flags) or bool(derived),
        "GROW": request.compared is not None or "steady" in request.assumed or _periods_apart(query),
        "RATE": request.compared is not None or "course" in request.node.flags or _periods_apart(query),
        "SHARE": bool(query.get("share")) or bool({"share", "ratio"} & set(derived)) or _quotient(request),
        "ESHARE": bool(query.get("share")),
        "PCT": bool(query.get("share"))
        or bool(derived)
        or request.compared is not None
        or _ratio_metric(request, terms),
        "BASIS": _has(query, "top", "order", "having") or "instead" in request.node.flags,
        "AVG": bool(derived) or _averaged(request, terms) or '"relative"' in text,
        "TIMES": "times" in derived,
        "DIVIDE": bool(derived) or _quotient(request),
        "RATIO": bool(derived) or _ratio_metric(request, terms),
        "DIFF": bool({"difference", "times"} & set(derived))
        or request.compared is not None
        or "gap" in request.node.flags,
        "PERD": bool(derived) or bool(query.get("dimensions")) or _ratio_metric(request, terms),
        "PERHEAD": bool(derived)
        or bool(query.get("dimensions"))
        or _ratio_metric(request, terms)
        or any(one.get("per") for one in query.get("rows") or ()),
        "PER": bool(derived) or bool(query.get("dimensions")) or _ratio_metric(request, terms),
        "G": bool(query.get("dimensions")) or "steady" in request.assumed,
        "BY": bool(query.get("dimensions")) or _has(query, "top", "order") or "agent" in request.node.flags,
        "EVERYD": bool(query.get("dimensions")) or bool(derived),
        "FOREACH": bool(query.get("dimensions")) or bool(derived) or _ratio_metric(request, terms),
        "EACH": bool(query.get("dimensions"))
        or len(query.get("metrics") or ()) > 1
        or bool(derived)
        or request.compared is not None
        or _has(query, "rows", "among"),
        "ACHIEVED": _has(query, "having") or "__less__" in text,
        "MISSED": _has(query, "having") or "__less__" in text,
        "DAYOF": '"day"' in text,
        "TOGO": "__less__" in text,
        "FARTHEST": _has(query, "top"),
        "DAYS": "weekdays" in text or '"weekend"' in text or "weekday_day" in text or "weekend_day" in text,
    }


def _in_money(request: Request, terms: Terms) -> bool:
    named = [name for name in _all_names(request.query) if name in terms.metrics]
    return any(terms.is_money(name) for name in named)


def _periods_apart(query: Plain) -> bool:
    """Tell whether a figure of one period is set against that of another."""
    return any(
        one["kind"] == "difference" and one["numerator"].get("period") for one in query.get("derived") or ()
    )


def _averaged(request: Request, terms: Terms) -> bool:
    named = [name for name in _all_names(request.query) if name in terms.metrics]
    means = any(terms.metrics[name].aggregate not in ("sum", "count", "count_distinct") for name in named)
    return means or bool(request.query.get("moving_average"))


def _extreme(query: Plain) -> bool:
    return bool(query.get("metrics")) and not query.get("dimensions")


def _ratio_metric(request: Request, terms: Terms) -> bool:
    """Tell whether a figure of the model is one per something, or a mean."""
    named = [str(m) for m in request.query.get("metrics") or () if m in terms.metrics]
    ratio = any(terms.metrics[m].sides or not terms.adds(m) for m in named)
    return not request.query.get("derived") and ratio


def _quotient(request: Request) -> bool:
    return str(request.node.per).startswith("metric:")


def _spans_kept(node: Node, request: Request, text: str) -> bool:
    dates = {
        span.first.isoformat()
        for span in (node.period, node.base)
        if isinstance(span, Span) and not span.shift
    }
    whole = request.node.period
    if whole and "joined" in request.node.flags:  # 2025 and 2026 combined: both lie within
        dates = {day for day in dates if not whole.first.isoformat() <= day <= whole.last.isoformat()}
    other = {request.compared.other.first.isoformat()} if request.compared else set[str]()
    other |= {
        flag.split(":")[1] for flag in request.node.flags if flag.startswith(LEFT_OUT)
    }  # gone because it is said
    return all(day in text or day in other for day in dates)


def _values_kept(node: Node, text: str) -> bool:
    return all(json.dumps(value, ensure_ascii=False) in text for f in node.filters for value in f.values)


def _number_kept(node: Node, query: Plain) -> bool:
    """A number stands in the request as it was said, as a fraction, turned round, or as a place."""
    if node.cat not in ("N", "C", "FACTOR") and not (node.cat in ("TOP", "NTH") and node.rank):
        return True
    said = {abs(v) for v in node.numbers} | {abs(v) for h in node.having for v in h.values}
    if node.rank is not None:
        said = {float(node.rank.n)} - {0.0, 1.0}
    held = set(_all_numbers(query)) | (
        {0.0} if query.get("existence") else set[float]()
    )  # 0건인: without any
    if node.unit == "%":  # 20 % above or below the target
        held |= {abs(1.0 - value) for value in held}
    scales = (1, 100) if node.unit else (1, 100, *(10.0**-k for k in range(1, 10)))
    return all(any(abs(v / scale - h) < 1e-6 for scale in scales for h in held) for v in said)


def _all_numbers(value: Any) -> list[float]:
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [abs(float(value))]
    if isinstance(value, dict):
        return [n for item in value.values() for n in _all_numbers(item)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [n for item in value for n in _all_numbers(item)]  # pyright: ignore[reportUnknownVariableType]
    return []


def _figure_kept(node: Node, request: Request, terms: Terms) -> bool:
    """The figure itself, or another of the same rows: an amount that became a count, a sum that became its mean."""
    if node.cat not in ("M", "V") or not node.metrics:
        return True
    names = {name for name in _all_names(request.query) if name in terms.metrics}
    if "price" in request.node.flags and all(map(terms.is_pieces, node.metrics)):  # won per unit
        return True
    if "instead" in request.node.flags and names:  # 수량 말고 매출로: it is gone because the question says so
        return True
    facts = {table for name in names for table in _tables(terms, name)}
    if not all(name in names or _part_kept(terms, name, names, request) for name in node.metrics):
        return False
    return all(
        name in names
        or (node.cat == "V" and any(terms.table(name) in terms.metrics[n].tables for n in names))
        or set(_tables(terms, name)) & facts
        or _counts_dimension(terms, name, request)
        or any(
            terms.metrics[n].filtered and (terms.named_after(name, terms.metrics[n]) or terms.echoes(n, name))
            for n in names
        )
        for name in node.metrics
    )


def _part_kept(terms: Terms, name: str, names: set[str], request: Request) -> bool:
    """Meals that became expenses are still limited to meals."""
    own = terms.metrics[name]
    if not own.only or any(terms.metrics[n].only == own.only for n in names):
        return True
    dimension, values = own.only
    text = json.dumps(request.query, ensure_ascii=False)
    return f'"{dimension}"' in text and all(json.dumps(v, ensure_ascii=False) in text for v in values)


def _thing_kept(node: Node, request: Request, terms: Terms, text: str) -> bool:
    """A kind of thing that is named is what is split by, counted, chosen or limited."""
    if node != Node("T", dim=node.dim) or node.dim is None or f'"{node.dim}"' in text:
        return True
    if request.compared is not None and node.dim in TIMES:  # which of the two months
        return True
    if node.dim == "day" and '"weekday"' in text:  # which of two weekdays
        return True
    own = terms.dimensions.get(node.dim)
    tables = {name for name in _all_names(request.query) if name in terms.metrics}
    return (
        f"count:{node.dim}" in text
        or own is None
        or (terms.is_sold(node.dim) and _of_trade(request, terms))
        or any(f'"{terms.nearer(node.dim, name)}"' in text for name in tables)
        or terms.counted_by(node.dim) in tables
        or any(_limits(terms, node.dim, name) for name in _limited(request.query))
        or any(terms.dated(str(one["column"])) == node.dim for one in request.query.get("rows") or ())
        or any(terms.distinct(node.dim, name) in tables for name in tables)
    )


def _of_trade(request: Request, terms: Terms) -> bool:
    """Tell whether things are counted or listed by what they bought or sold, which is whatever is sold."""
    facts = [str(one["fact_metric"]) for one in request.query.get("existence") or ()]
    return any(terms.is_trade(fact) for fact in facts if fact in terms.metrics)


def _limited(value: Any) -> list[str]:
    """The dimensions of all filters of a request."""
    if isinstance(value, dict):
        own = (
            [str(value["dimension"])] if "dimension" in value and "op" in value and "values" in value else []
        )
        return [*own, *(n for item in value.values() for n in _limited(item))]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [n for item in value for n in _limited(item)]  # pyright: ignore[reportUnknownVariableType]
    return []


def _limits(terms: Terms, kind: str, dimension: str) -> bool:
    """Tell whether a filter may be what a kind of thing is named beside: Seoul hospitals, the region of Seoul."""
    if kind == dimension:
        return True
    term = terms.dimensions.get(kind)
    return (
        term is not None
        and term.subtype != "boolean"
        and (
            terms.belongs(dimension, kind)
            or terms.same_table(dimension, kind)
            or terms.repeats(dimension, kind)
        )
    )


def _tables(terms: Terms, name: str) -> list[str]:
    term = terms.metrics[name]
    sides = [terms.table(side) for side in term.sides if side in terms.metrics]
    return [table for table in (term.table, *sides) if table]


def _counts_dimension(terms: Terms, name: str, request: Request) -> bool:
    counted = request.query.get("count_groups")
    return counted is not None and terms.counted_by(str(counted)) == name


def _all_names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value, value.partition("__")[0]]
    if isinstance(value, dict):
        return [n for item in value.values() for n in _all_names(item)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [n for item in value for n in _all_names(item)]  # pyright: ignore[reportUnknownVariableType]
    return []


def kept(node: Node, request: Request, terms: Terms, text: str, operators: dict[str, bool]) -> bool:
    values = not node.filters or _values_kept(node, text) or _negated_away(node, request)
    in_units = node.cat == "COUNT" and node.unit is not None  # 몇 분: how many minutes
    paid = (
        node.cat == "MUCH" and node.unit == "money"
    )  # how many won: money, where the model says which figures are
    if in_units and not _in_units(str(node.unit), request, terms, text):
        return False
    if paid and any(map(terms.is_money, terms.metrics)) and not _in_money(request, terms):
        return False
    ranked = node.cat == "TOP" or (node.cat == "N" and bool(request.query.get("top")))
    if ranked and node.op == "rows" and not _ranks_rows(request.query):
        return False
    return (
        (in_units or operators.get(node.cat, True))
        and _figure_kept(node, request, terms)
        and _thing_kept(node, request, terms, text)
        and values
        and _spans_kept(node, request, text)
        and _number_kept(node, request.query)
    )


def _in_units(unit: str, request: Request, terms: Terms, text: str) -> bool:
    """Tell whether people or minutes come out of it, where the model says which figures are so: 몇 명, 몇 분."""
    named = [name for name in _all_names(request.query) if name in terms.metrics]
    said = any(term.unit == unit for term in terms.metrics.values())
    things = bool(request.query.get("count_groups") or request.query.get("having"))
    things = things or f'"count:{terms.person}"' in text
    return not said or things or any(terms.metrics[name].unit == unit for name in named)


def _ranks_rows(query: Plain) -> bool:
    """Tell whether the highest of 건 are rows or things, and no days: 지출 상위 3건."""
    return bool(query.get("limit")) or bool({*(query.get("dimensions") or ())} - TIMES)


def _negated_away(node: Node, request: Request) -> bool:
    """서울 말고 부산: Seoul is gone because the question says so."""
    dimensions = {f.dimension for f in node.filters}
    return (
        node.cat == "F"
        and "replaced" in request.node.flags
        and bool(dimensions & {f.dimension for f in request.node.filters})
    )


def lost(path: Sequence[Piece], request: Request, terms: Terms) -> list[tuple[int, int]]:
    """The pieces of which nothing is left, whatever the rules did with them."""
    text = json.dumps(request.query, ensure_ascii=False)
    operators = operators_kept(request, text, terms)
    cats = {node.cat for p in path for node in p.nodes if node.cat != "COUNT" or node.op == "rows"}
    if {"COUNT", "MUCH"} <= cats:  # 몇 건에 얼마: both
        operators["MUCH"] = _in_money(request, terms)
    return [
        (p.start, p.end)
        for p in path
        if p.nodes and not any(kept(node, request, terms, text, operators) for node in p.nodes)
    ]
