"""Findings of detectors: this span is of that type."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TYPES = (
    "RRN",
    "FRN",
    "BRN",
    "PHONE",
    "CARD",
    "ACCOUNT",
    "PASSPORT",
    "DRIVER",
    "EMAIL",
    "IP",
    "ADDRESS",
    "SECRET",
    "SSN",
    "IBAN",
    "NAME",
    "BIRTH",
    "VEHICLE",
    "ID",
)


class Finding(NamedTuple):
    """A span of the text as it was given, its type and what stands there."""

    type: str
    start: int
    end: int
    value: str


class Hit(NamedTuple):
    """A detector's candidate in the plain text. The higher `weight`, the harder its evidence."""

    type: str
    start: int
    end: int
    weight: int


_START = attrgetter("start")


class Detector(NamedTuple):
    """A search of its own in the plain text, and the condition for it.

    `needs` is an RE2 pattern that fits every text in which the search finds something: those of all detectors are looked
    for in one reading, and what is not needed is not run.
    """

    needs: str
    hits: Callable[[str], Iterator[Hit]]
    local: bool = False
    """All that it finds, and all that it looks at, stands within a few lines of what fits `needs`: of a long text only these
    are searched."""


class WordDetector(NamedTuple):
    """A search that begins at Hangul words. `may_begin` tells by the word alone whether something may be found there; `hits` looks
    at the places (start and end) where such words stand, in the order of the text."""

    may_begin: Callable[[str], bool]
    hits: Callable[[str, Sequence[tuple[int, int]]], Iterator[Hit]]


def best_of(hits: Iterable[Hit]) -> list[Hit]:
    """Merge hits, in the order of the text: hits that overlap become one, of the best proven type.

    It spans them all: were only the winner kept, what the others cover beside it would be shown.
    """
    kept: list[Hit] = []
    for hit in sorted(hits, key=_START):
        if kept and hit.start < kept[-1].end:
            kept[-1] = _joined(kept[-1], hit)
        else:
            kept.append(hit)
    return kept


def _joined(one: Hit, other: Hit) -> Hit:
    best = max(one, other, key=lambda hit: (hit.weight, hit.end - hit.start))
    return Hit(best.type, one.start, max(one.end, other.end), best.weight)
