"""The ranking of terms over chunks in memory: what stored terms are compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from metaagent.knowledge.ranking import bm25, rarity
from metaagent.ports import Match


class TermIndex:
    """BM25 over chunks in memory."""

    def __init__(self, chunks: Mapping[str, Sequence[str]]) -> None:
        """Take the terms of each chunk by its id."""
        self._bags = {key: Counter(found) for key, found in chunks.items()}
        self._lengths = {key: len(found) for key, found in chunks.items()}
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))
        self._having: dict[str, list[str]] = {}
        for key, bag in self._bags.items():
            for term in bag:
                self._having.setdefault(term, []).append(key)

    def search(self, terms: Iterable[str], limit: int = 50) -> list[Match]:
        scores: dict[str, float] = {}
        for term in dict.fromkeys(terms):
            having = self._having.get(term, ())
            weight = rarity(len(having), len(self._bags))
            for key in having:
                earned = weight * bm25(self._bags[key][term], self._lengths[key], self._mean)
                scores[key] = scores.get(key, 0.0) + earned
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [Match(key, "", score) for key, score in best]
