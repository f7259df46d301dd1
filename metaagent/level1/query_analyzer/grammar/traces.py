"""Conservation across turns: every word of a follow-up leaves its trace in the request that it makes of the one before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from metaagent.language.calendar import Range, grain_of
from metaagent.language.periods import moved
from metaagent.level1.query_analyzer.grammar.conservation import kept, operators_kept
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.periods import Compared
from metaagent.level1.query_analyzer.grammar.request import Request
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.grammar.tokens import Piece

Plain = dict[str, Any]
_UNITS = ("year", "half", "quarter", "month", "week", "day")
_RANKED = frozenset({"SUP", "SUPQ", "TOP", "NTH"})


def untraced(
    path: Sequence[Piece], query: Plain, node: Node, previous: Plain, terms: Terms
) -> list[tuple[int, int]]:
    """The words that changed nothing and stand for nothing in the request."""
    if node.cat == "NP":  # a part of the time is gone because the question says so
        return []
    request = _as_request(query, node, terms)
    text = json.dumps(query, ensure_ascii=False, default=str)
    operators = operators_kept(request, text, terms)
    if not _has_extreme(query, terms):  # 제일 많아: is ranked, not only named
        ranked = any(
            part.get(key) for part in (query, query.get("among") or {}) for key in ("top", "order", "having")
        )
        operators |= {"SUP": ranked or operators["DIFF"], "SUPQ": ranked}
    if not query.get("dimensions") and not query.get("among"):  # 적은 순으로, of one figure
        operators |= {"ORDER": False, "TOP": operators["TOP"] and bool(query.get("count_groups"))}
    operators |= {"EXCEPT": operators["EXCEPT"] or _without(query, previous), "COUNT": request.counts}
    changed = any(one.cat in _CHANGING for p in path for one in p.nodes)
    turned = any(one.cat in ("GROW", "RATE") for p in path for one in p.nodes)  # 제일 많이 줄었어: the lowest
    said = [
        p
        for p in path
        if p.nodes
        and not any(
            _settled(one, query, previous) or _given_up(one, node) or _left_out(one, query, terms)
            for one in p.nodes
        )
    ]
    return [
        (p.start, p.end)
        for p in said
        if not any(
            kept(one, request, terms, text, operators)
            and _moves(one, query, previous)
            and _set_against_plan(one, query)
            and (turned or _same_direction(one, query))
            and (changed or _figure_named(one, query, terms))
            for one in p.nodes
        )
    ]


_CHANGING = frozenset(
    {
        "AVG",
        "COUNT",
        "PER",
        "PERD",
        "PERT",
        "SHARE",
        "RATIO",
        "DIVIDE",
        "ONEROW",
        "PERROW",
        "PERHEAD",
        "PERPLACE",
        "MUCH",
    }
)
"""Words that make another figure of one that is named."""


def _has_extreme(query: Plain, terms: Terms) -> bool:
    """Tell whether a figure is itself the largest or smallest of its rows."""
    metrics = [str(m) for m in query.get("metrics") or () if m in terms.metrics]
    return any(terms.metrics[m].aggregate in ("max", "min") for m in metrics)


def _figure_named(node: Node, query: Plain, terms: Terms) -> bool:
    """A figure that is named stands in the request itself, not another of the same rows."""
    if node.cat != "M":
        return True
    text = json.dumps(query, ensure_ascii=False, default=str)
    named = [name for name in node.metrics if name in terms.metrics]
    return all(
        f'"{name}"' in text or f'"{name}__' in text or any(f'"{n}"' in text for n in _parts_of(name, terms))
        for name in named
    )


def _parts_of(name: str, terms: Terms) -> list[str]:
    """Figures that are this one of some rows only: the money spent on meals."""
    return [n for n in terms.metrics if terms.metrics[n].filtered and name in terms.plain_of(n)]


def _as_request(query: Plain, node: Node, terms: Terms) -> Request:
    metrics = [m for m in query.get("metrics") or () if m in terms.metrics]
    sides = [str(one["numerator"]["metric"]) for one in query.get("derived") or ()]  # 몇 건 차이
    figures = [*metrics, *(name for name in sides if name in terms.metrics)]
    counts = bool(query.get("count_groups")) or any(
        terms.counts(str(m)) or terms.is_pieces(str(m)) for m in figures
    )
    period = query.get("period") or {}
    against = None
    if query.get("comparison") and period.get("start"):
        span = Range(date.fromisoformat(str(period["start"])), date.fromisoformat(str(period["end"])))
        year = query["comparison"] == "same_period_last_year"
        unit = "year" if year else str(period.get("grain") or grain_of(span))
        against = Compared(span, moved(span, unit if unit in _UNITS else "period"), None)
    return Request(query, node, 0.0, counts, against)


def _without(query: Plain, previous: Plain) -> bool:
    """Tell whether a value that the turn before asked for is gone."""
    return _values(previous) - _values(query) != set()


def _values(query: Mapping[str, Any]) -> set[tuple[str, str]]:
    return {(str(f["dimension"]), str(v)) for f in query.get("filters") or () for v in f["values"]}


def _settled(node: Node, query: Plain, previous: Plain) -> bool:
    """부산 빼고 of a list of places: the value is gone because the question says so."""
    if "usual" in node.flags:  # 어땠어?: names no figure
        return True
    own = {(f.dimension, value) for f in node.filters for value in f.values}
    return bool(own) and own <= _values(previous) - _values(query)


def _moves(node: Node, query: Plain, previous: Plain) -> bool:
    """전월엔: a period before another is asked for instead of it, or set against it."""
    if node.cat != "B" or not isinstance(node.base, str):
        return True
    held = [one["numerator"] for one in query.get("derived") or ()]
    apart = any(part.get("period") for part in held)
    return bool(query.get("comparison")) or apart or query.get("period") != previous.get("period")


def _set_against_plan(node: Node, query: Plain) -> bool:
    """Tell whether a word that sets a figure against its target did so."""
    return node.cat != "FLAG" or "target" not in node.flags or bool(query.get("target"))


def _left_out(node: Node, query: Plain, terms: Terms) -> bool:
    """식대 빼고: the rows of which the figure is made are left out of the one that is asked for."""
    plain = len(node.metrics) == 1 and node == Node("M", metrics=node.metrics)
    limits = (terms.limits_of(node.metrics[0]) if plain else None) or ()
    gone = [f for f in query.get("filters") or () if f["op"] == "not_in"]
    out = {(str(f["dimension"]), str(value)) for f in gone for value in f["values"]}
    return bool(limits) and {(f.dimension, str(value)) for f in limits for value in f.values} <= out


def _given_up(node: Node, made: Node) -> bool:
    """수량 말고 매출로: the figure is gone because the question says so."""
    return "instead" in made.flags and node.cat == "M" and node.metrics != made.metrics


def _same_direction(node: Node, query: Plain) -> bool:
    """The lowest ones are not traced by the highest."""
    if node.cat not in _RANKED or node.rank is None or node.rank.growth:
        return True
    inner = query.get("among") or {}
    tops = [one for one in (query.get("top"), inner.get("top")) if one]
    orders = [one for part in (query, inner) for one in part.get("order") or ()]
    down = {one.get("direction", "top") == "top" for one in tops} | {bool(o["descending"]) for o in orders}
    return not down or node.rank.descending in down
