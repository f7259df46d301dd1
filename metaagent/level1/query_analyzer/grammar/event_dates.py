"""Verbs that speak of a date of the rows: repairs that were finished in October, 완료된 수리, jobs not finished yet.

Such a verb stands anywhere beside the figure; it says by which date the figure goes, or that its rows lack that date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.tokens import Piece

if TYPE_CHECKING:
    from metaagent.level1.query_analyzer.grammar.request import Request
    from metaagent.level1.query_analyzer.grammar.terms import Terms
    from metaagent.level1.query_analyzer.grammar.verbs import Verb

_COST = 0.3
_STATE = 0.8
"""Makes a state of the same name the likelier one, where no period is asked for."""
_FAR = 0.4
_NOT_YET = regex(
    r"(?:(?:that|which) )?(?:still )?(?:(?:have|has|had|are|is|were|was)(?: not|n['’]?t)|not|haven['’]?t|yet to be|yet to"
    r"|(?:(?:have|has|had|were|was) )?never)"
    r" (?:(?:yet|been|being|even|actually|fully|still) )*"
    r"|(?:아직\s?(?:도\s)?)?(?:안|못)\s"
)
_YET = regex(r"(?: yet| so far)?(?![a-z])")
_NOT_KO = regex(r"(?:하|되)?지\s?(?:는\s?)?(?:않|못)[가-힣]*|(?:이|가|은|는)?\s?(?:안|못)\s?[가-힣]+")
_STILL = regex(r"아직(?:도|까지)?\s")


def dates_of_rows(terms: Terms) -> frozenset[str]:
    """The dates of events: of rows that are counted by a date."""
    counted = {
        t.table for t in terms.metrics.values() if t.aggregate == "count" and t.time and not t.filtered
    }
    return frozenset(
        name
        for name, t in terms.dimensions.items()
        if t.subtype == "date" and t.column and t.table in counted
    )


def piece(text: str, start: int, end: int, date: str) -> Piece:
    """A verb of a date; one that is denied says that rows lack it: 완료되지 않은."""
    denied = _NOT_KO.match(text, end) if "가" <= text[start] <= "힣" else None
    return Piece(start, denied.end() if denied else end, (), _COST, "said", f"-{date}" if denied else date)


def counted(terms: Terms, start: int, end: int, date: str) -> Iterator[Piece]:
    """The rows themselves, where the verb or noun of the event says it all: 발인 몇 건, how many were received?"""
    table = terms.dimensions[date].table
    for name, term in terms.metrics.items():
        if term.aggregate == "count" and not term.filtered and term.table == table:
            yield Piece(start, end, (Node("M", metrics=(name,), cost=1.0),), 1.0, "said", date)


def missing(
    text: str, place: int, verbs: Mapping[str, tuple[Verb, ...]], events: frozenset[str], terms: Terms
) -> Iterator[Piece]:
    """Not finished yet, 아직 안 끝난: a verb behind its denial. Products that were never ordered have no such row at all."""
    found = _NOT_YET.match(text, place) if events and text[place] in "thayisnwe아안못" else None
    if found is None or (place and text[place - 1].isalnum()):
        return
    for verb in verbs.get(text[found.end() : found.end() + 1], ()):
        end = verb.end(text, found.end()) if verb.node.cat == "DV" and verb.node.dim in events else None
        if end is not None:
            yet = _YET.match(text, end)
            last = yet.end() if yet else end
            yield Piece(place, last, (), _COST, "said", f"-{verb.node.dim}")
            for piece in counted(terms, place, last, str(verb.node.dim)):
                undone = tuple(replace(node, cat="NV", cost=0.6) for node in piece.nodes)
                yield replace(piece, nodes=undone, event="")


def dated(request: Request, path: Sequence[Piece], terms: Terms) -> Request | None:
    """The request by the date that its verb speaks of; None where its figures have no such date, or verbs speak of several."""
    events = {p.event for p in path if p.event}
    if not events:
        return request
    done = [one for one in events if not one.startswith("-")]
    lacking = sorted(one[1:] for one in events if one.startswith("-"))
    if len(done) > 1 or not all(_has_date(request, one.lstrip("-"), terms) for one in events):
        return None
    query, cost = dict(request.query), request.cost
    if things := [one for one in done if _are_things(request, one, terms)]:
        return (
            replace(request, query=_limited(query, things[0]))
            if query.get("period") and not lacking
            else None
        )
    for one in lacking:
        query["filters"] = [*(query.get("filters") or ()), {"dimension": one, "op": "is_null", "values": []}]
    for one in done:
        own = {terms.metrics[name].time for name in _figures(request, terms)}
        if own != {terms.dimensions[one].column}:
            query["dated_by"] = one
            query |= {"among": {**query["among"], "dated_by": one}} if query.get("among") else {}
        tables = {terms.table(name) for name in _figures(request, terms)}
        cost += _FAR if terms.dimensions[one].table not in tables else 0.0
        cost += _STATE if not query.get("period") else 0.0
    return replace(request, query=query, cost=cost)


def _are_things(request: Request, date: str, terms: Terms) -> bool:
    """Tell whether the things have the date, and not their deeds: contracts signed last year without a payment."""
    query, own = request.query, terms.dimensions[date].table
    things = [str(one["dimension"]) for one in query.get("existence") or ()]
    return any(name in terms.dimensions and terms.dimensions[name].table == own for name in things)


def _limited(query: dict[str, Any], date: str) -> dict[str, Any]:
    """The period as a limit on the things themselves, whenever their deeds were."""
    period = query["period"]
    limit = {"column": date, "op": "between", "values": [period["start"], period["end"]]}
    return {**query, "period": None, "rows": [*(query.get("rows") or ()), limit]}


def _has_date(request: Request, date: str, terms: Terms) -> bool:
    """Tell whether the rows of every figure have this date."""
    own, figures = terms.dimensions[date].table, _figures(request, terms)
    having = [own in terms.metrics[name].tables for name in figures]
    by_deeds = bool(request.query.get("existence") or request.query.get("count_groups"))
    return any(having) if by_deeds else bool(having) and all(having)


def _figures(request: Request, terms: Terms) -> list[str]:
    query = request.query
    parts = [
        one.get(side) or {} for one in query.get("derived") or () for side in ("numerator", "denominator")
    ]
    named = [
        *(query.get("metrics") or ()),
        *(name for part in parts for name in (part.get("metric"), part.get("of"))),
    ]
    named += [one.get("fact_metric") for one in query.get("existence") or ()]
    return [str(name) for name in named if name in terms.metrics]
