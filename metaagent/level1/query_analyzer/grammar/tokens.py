"""The cheapest ways to cut a question into pieces: names, operators, numbers, periods, words that say nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from metaagent.level1.query_analyzer.grammar.meaning import Node

UNREAD = 100.0
KEPT = 10
"""Ways to cut that are kept at each place."""


@dataclass(frozen=True)
class Piece:
    start: int
    end: int
    nodes: tuple[Node, ...]
    """Alternative meanings; empty: says nothing."""
    cost: float
    kind: str
    """said, light, ending, guess or unread"""
    event: str = ""
    """The date of the rows that a verb speaks of: repairs that were finished; with a minus before it, that they lack it."""


Path = tuple[float, tuple[Piece, ...]]


def paths(text: str, at: Callable[[int], Iterable[Piece]]) -> list[Path]:
    """Ways through the whole text, cheapest first; equal in meaning counts once."""
    best: dict[int, list[Path]] = defaultdict(list)
    best[0] = [(0.0, ())]
    for place in range(len(text)):
        here = best.pop(place, None)
        if not here:
            continue
        here.sort(key=lambda path: path[0])
        if text[place].isspace():
            best[place + 1].extend(here)
            continue
        options = list(at(place))
        for cost, path in _distinct(here):
            for piece in options:
                best[piece.end].append((cost + piece.cost, (*path, piece)))
    return _distinct(sorted(best.get(len(text), ()), key=lambda path: path[0]))


def _distinct(found: list[Path]) -> list[Path]:
    """Paths that mean the same differ only in how words that say nothing are cut."""
    kept: list[Path] = []
    seen: set[tuple[tuple[int, int, bool, str], ...]] = set()
    for cost, path in found:
        said = tuple(
            (p.start, p.end, bool(p.nodes), p.event)
            for p in path
            if p.nodes or p.event or (p.kind == "unread" and p.cost)
        )
        if said not in seen:
            seen.add(said)
            kept.append((cost, path))
            if len(kept) == KEPT:
                break
    return kept
