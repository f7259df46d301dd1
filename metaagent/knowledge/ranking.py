"""Ranking of chunks for a question. Pure: scores in, order out.

    BM25        how well terms fit a chunk: rare terms count more, repeated ones less and less, long chunks are marked down
    fused       scores of several searches, each divided by its best, added by the weights of the question's language
    relevance   0..1: the share of the question's words that a passage has, each weighted by how rare it is among the passages
                that were found. A word is had if the passage has it whole or a synonym of it; of a compound, the parts count.

A passage below `ENOUGH` does not answer: less than that much of the question is in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from metaagent.ports import Match

SATURATION, LENGTH = 1.2, 0.75
"""Constants of BM25: how soon a repeated term counts no more, and how much a long chunk is marked down."""
ENOUGH = 0.5
"""The relevance below which a passage is not taken for an answer."""
SYNONYM = 0.9
"""The part of a word that a synonym counts for."""
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "ko": {"lexical": 0.5, "expanded": 0.3, "nearest": 0.2},
    "en": {"lexical": 0.5, "expanded": 0.35, "nearest": 0.15},
}
"""The weight of each search by the language of the question."""
FEWEST = 30
"""Passages that words are weighed by at least: among a few, a word that none has would count for everything."""
ABSENT = 2.4
"""The weight of a word that no passage has, in parts of the mean weight of the others."""
ABSENT_LIGHT = 0.4
"""The same for a verb, an adjective, or a word for the kind of fact that is asked for."""
SAME = 0.9
"""The share of common terms from which two chunks are one text."""


def rarity(having: int, total: int) -> float:
    """The weight of a term that `having` of `total` chunks have."""
    return log(1 + (total - having + 0.5) / (having + 0.5))


def bm25(count: int, length: int, mean_length: float) -> float:
    """The part of a term's weight that a chunk of this length earns by having it `count` times."""
    long = 1 - LENGTH + LENGTH * length / (mean_length or 1)
    return count * (SATURATION + 1) / (count + SATURATION * long)


def fused(searches: Mapping[str, Sequence[Match]], language: str) -> list[tuple[str, float]]:
    """Add up the scores of several searches, each divided by its best one. Ids with their sums, the best first."""
    weights = WEIGHTS.get(language, WEIGHTS["en"])
    sums: dict[str, float] = {}
    for name, matches in searches.items():
        best = max((match.score for match in matches), default=0.0)
        for match in matches:
            if best > 0 and match.score > 0:
                sums[match.id] = sums.get(match.id, 0.0) + weights[name] * match.score / best
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True)
class Word:
    """A word of the question: its terms, the whole last, and other words for it, each as terms."""

    terms: tuple[str, ...]
    synonyms: tuple[tuple[str, ...], ...] = ()
    asks: bool = False
    """It names the kind of fact that is asked for, such as a limit: a passage that says "at most 50,000" need not have it."""

    @cached_property
    def exact(self) -> bool:
        """Say whether it is an article number, a code or a figure: no other word will do."""
        return any(char.isdigit() for char in self.terms[-1])

    @cached_property
    def acts(self) -> bool:
        """Say whether it is a verb or an adjective: people have many for one thing, while a noun names what is asked about."""
        return self.terms[-1].endswith("다") and len(self.terms[-1]) > 1

    def had_by(self, bag: Collection[str]) -> float:
        """The part of the word that a passage has."""
        own = _had(self.terms, bag)
        if own == 1 or self.exact:
            return own
        return max([own, *(SYNONYM * _had(other, bag) for other in self.synonyms)])


def _had(terms: Sequence[str], bag: Collection[str]) -> float:
    """1 if the whole is there; else the share of the parts."""
    if terms[-1] in bag:
        return 1.0
    parts = terms[:-1]
    return sum(part in bag for part in parts) / len(parts) * 0.9 if parts else 0.0


def relevances(words: Sequence[Word], bags: Sequence[Collection[str]]) -> list[float]:
    """The relevance of each passage, given as its terms, for the words of a question."""
    if not bags:
        return []
    had = [[word.had_by(bag) for word in words] for bag in bags]
    weights = word_weights(had, words=words)
    total = sum(weights)
    return [sum(w * h for w, h in zip(weights, row, strict=True)) / total if total else 0.0 for row in had]


def share(weights: Sequence[float], had: Sequence[float]) -> float:
    """The part of all weight that is had."""
    return sum(w * h for w, h in zip(weights, had, strict=True)) / (sum(weights) or 1.0)


def word_weights(had: Sequence[Sequence[float]], total: int = 0, words: Sequence[Word] = ()) -> list[float]:
    """Weigh each word by how few of the passages have most of it, as parts of `total` chunks that were searched. A noun that
    none has weighs much more than the others do on average: it is what is asked about. A verb, and a word for the kind of fact
    that is asked for, weighs less: documents say it otherwise."""
    chunks = max(len(had), total, FEWEST)
    counts = [sum(value >= 0.5 for value in column) for column in zip(*had, strict=True)]
    found = [rarity(count, chunks) for count in counts if count]
    absent = sum(found) / len(found) if found else 1.0
    light = [word.acts or word.asks for word in words] or [False] * len(counts)
    return [
        rarity(count, chunks) if count else (ABSENT_LIGHT if little else ABSENT) * absent
        for count, little in zip(counts, light, strict=True)
    ]


def same_text(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two chunks are near-duplicates: nine of ten terms are in both, and every figure is."""
    if min(len(one), len(other)) < SAME * max(len(one), len(other)):
        return False
    shared = len(one & other)
    if shared < SAME * (len(one) + len(other) - shared):
        return False
    return not any(char.isdigit() for term in one ^ other for char in term)
