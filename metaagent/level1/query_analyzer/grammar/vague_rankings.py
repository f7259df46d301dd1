"""A ranking that names neither figure nor thing, or only who: what could be meant is offered, none is guessed."""

from __future__ import annotations

from dataclasses import replace

from metaagent.level1.query_analyzer.grammar.meaning import Node, Rank
from metaagent.level1.query_analyzer.grammar.reading import Composed
from metaagent.level1.query_analyzer.grammar.request import Request, Scope, requests
from metaagent.level1.query_analyzer.grammar.terms import Terms

_RANKS = frozenset({"SUP", "SUPQ", "TOP", "MOST", "NTH"})
_CLEAR = frozenset(
    {"M", "V", "GM", "GROW", "RATE", "G", "D", "ADJ", "FAST", "CMP", "SHARE", "PERD", "N", "COUNT"}
)
_OFFERED = 4


def _said(found: Composed) -> list[Node]:
    return [node for piece in found.path for node in piece.nodes]


def unclear(found: Composed) -> bool:
    """어디가 제일 잘했어?, the top 5: a rank, and no word that says of what."""
    said = _said(found)
    kinds = {node.cat for node in said}
    named = any(node.cat == "T" and not node.filters and "who" not in node.flags for node in said)
    return bool(kinds & _RANKS) and not kinds & _CLEAR and not named and not found.unread


def offered(found: Composed, scope: Scope) -> Composed:
    """Rankings of the same place and period, each as likely as the other."""
    said, terms = _said(found), scope.terms
    rank = next((n.rank for n in said if n.rank is not None), None) or Rank()
    rank = replace(rank, n=rank.n or 1)
    period = next((n.period for n in said if n.period is not None), None)
    filters = tuple(f for n in said if n.cat == "F" for f in n.filters)
    base = Node("T", rank=rank, period=period, filters=filters)
    made: list[Request] = []
    for dim, by in _candidates(terms, next((n.dim for n in said if n.cat == "T" and not n.filters), None)):
        whole = requests(replace(base, dim=dim, rank=replace(rank, by=by)), scope)
        made += [replace(one, cost=0.0) for one in whole[:1]]
    return replace(found, requests=tuple(made[:_OFFERED])) if len(made) > 1 else found


def _candidates(terms: Terms, dim: str | None) -> list[tuple[str, str]]:
    if dim is not None:
        figures = [
            n
            for n in terms.metrics
            if terms.adds(n) and terms.splits(n, dim) and not terms.metrics[n].filtered
        ]
        first = [terms.usual] if terms.usual in figures else []
        return [(dim, name) for name in dict.fromkeys([*filter(None, first), *figures])]
    by = terms.usual
    things = [name for name, term in terms.dimensions.items() if term.is_thing or term.subtype == "location"]
    return [(name, by) for name in things if by and terms.splits(by, name)]
