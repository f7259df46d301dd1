"""Questions that leave out what the one before named: its figure, or the things it was about, are put into them and read as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from metaagent.level1.query_analyzer.grammar.chart import parse
from metaagent.level1.query_analyzer.grammar.conservation import lost
from metaagent.level1.query_analyzer.grammar.meaning import Node, Span, replace
from metaagent.level1.query_analyzer.grammar.request import Request, Scope, requests
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms
from metaagent.level1.query_analyzer.grammar.tokens import Piece

Plain = dict[str, Any]
MOST_PIECES = 6
"""Content words of a question that may leave something out."""
_SUMS = frozenset({"TOTAL", "MUCH", "ALSO"})
"""Words that add up what was listed, and ask nothing of one figure."""
_FIGURES = frozenset({"M", "V", "ACHIEVED", "MISSED"})


def names_figure(path: Sequence[Piece]) -> bool:
    """Tell whether a word of the question itself names a figure, or counts."""
    said = [node for p in path for node in p.nodes]
    return any(n.cat == "COUNT" or (n.cat in _FIGURES and not n.flags & {"usual", "implied"}) for n in said)


def left_out(
    previous: Plain, path: Sequence[Piece], scope: Scope, *, by: Sequence[str] = ()
) -> Request | None:
    """The question with the figure of the one before, its things, or both, put where they can be read; the cheapest.
    `by`: fields of a request of which it must have one."""
    said = [p.nodes for p in path if p.nodes]
    while said and all(node.cat in ("AND", "OR", "ALSO") for node in said[0]):
        said = said[1:]
    if not said or len(said) > MOST_PIECES or all(node.cat in _SUMS for nodes in said for node in nodes):
        return None
    for more in _missing(previous, path, scope):
        found = [
            one
            for pieces in _placed(said, more)
            for language in scope.orders or (scope.language,)
            for node in parse(scope.terms, pieces, language)
            for one in requests(node, scope)
            if "usual" not in one.assumed
            and (not by or any(one.query.get(key) for key in by))
            and not lost(path, one, scope.terms)
        ]
        if found:
            return min(
                found,
                key=lambda one: (
                    one.query["metrics"] != previous.get("metrics") and not one.query.get("derived"),
                    one.cost,
                ),
            )
    return None


def _missing(previous: Plain, path: Sequence[Piece], scope: Scope) -> Iterator[list[Node]]:
    metrics = [str(m) for m in previous.get("metrics") or () if m in scope.terms.metrics]
    things = [str(name) for name in previous.get("dimensions") or () if name not in TIMES]
    if previous.get("count_groups"):
        things = [str(previous["count_groups"])]
    things = _rows_of(things, metrics, scope.terms)
    figure = [Node("M", metrics=(metrics[0],))] if len(metrics) == 1 and not previous.get("derived") else []
    thing = [Node("T", dim=things[0])] if len(things) == 1 and things[0] in scope.terms.dimensions else []
    if figure and not names_figure(path):
        yield figure
    if thing:
        yield thing
        if figure and not names_figure(path):
            yield [*figure, *thing]


def _rows_of(things: list[str], metrics: Sequence[str], terms: Terms) -> list[str]:
    """The things of a list, which are its rows where each has a name: seminars with their day and hospital."""
    rows = [row for m in metrics if (count := terms.count_of(m)) and (row := terms.row_of(count)) in things]
    return rows[:1] or things


def _placed(said: Sequence[tuple[Node, ...]], more: Sequence[Node]) -> Iterator[list[tuple[Node, ...]]]:
    """The words with the others put in, at every place; two stand side by side."""
    extra = [(node,) for node in more]
    for at in range(len(said) + 1):
        yield [*said[:at], *extra, *said[at:]]
        if len(extra) > 1:
            yield [*said[:at], *reversed(extra), *said[at:]]


def completed(previous: Plain, own: Request, scope: Scope) -> tuple[Plain, list[str]]:
    """The request with the filters and the period of the one before, as far as it has none of its own."""
    held, taken = previous.get("period") or {}, ["metrics"]
    if own.node.period is None and held.get("start") and not held.get("whole"):
        span = Span(date.fromisoformat(str(held["start"])), date.fromisoformat(str(held["end"])))
        own = next(iter(requests(replace(own.node, period=span), scope)), own)
        taken.append("period")
    query = dict(own.query)
    parts = [
        f
        for one in query.get("derived") or ()
        for side in ("numerator", "denominator")
        for f in (one.get(side) or {}).get("filters") or ()
    ]
    named = {str(f["dimension"]) for f in (*query.get("filters", ()), *parts)}
    figures = [m for m in query.get("metrics") or () if m in scope.terms.metrics]
    kept = [
        f
        for f in previous.get("filters") or ()
        if str(f["dimension"]) not in named
        and all(scope.terms.splits(str(m), str(f["dimension"])) for m in figures)
    ]
    query["filters"] = [*query.get("filters", ()), *kept]
    if previous.get("among") and not query.get("among") and not _lists(query, previous["among"]):
        query |= {key: previous[key] for key in ("among", "among_others") if previous.get(key)}
        taken.append("among")
    return query, [*taken, *(["filters"] if kept else [])]


def _lists(query: Plain, chosen: Plain) -> bool:
    """Tell whether a request is about things of the kind that were chosen, and so asks of others than those."""
    kinds = {*(query.get("dimensions") or ()), query.get("count_groups")}
    return bool(kinds & {*(chosen.get("dimensions") or ())})
