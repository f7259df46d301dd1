"""Terms of chunks as hashes with a key, and BM25 over them.

One row holds the chunks of one document that have one term: their numbers, how often they have it, and how long they are. A
search reads the rows of its terms in the collections that it may see, keeps them in memory, and computes with arrays.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from metaagent.knowledge.ranking import bm25, rarity

_POSTING = np.dtype([("chunk", "<u4"), ("count", "<u2"), ("length", "<u2")])
_PACKED = Struct("<IHH")
"""The same, for writing one at a time."""
_MOST = np.iinfo(np.uint16).max
T = TypeVar("T")


class Hit(NamedTuple):
    """A chunk that was found: the number of its document, its own, and its score."""

    document: int
    chunk: int
    score: float


@dataclass(frozen=True)
class Searched:
    """An index as a search sees it: its number, the key of its terms, how much it holds, and at which generation."""

    no: int
    key: bytes
    chunks: int
    length: int
    generation: int


def hashed(term: str, key: bytes) -> int:
    """A term as it is stored: nobody without the key can try words out."""
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest()
    return int.from_bytes(digest, "big", signed=True)


def keyed(key: bytes, name: str) -> bytes:
    """The key of the terms of one index."""
    return blake2b(name.encode(), key=key, digest_size=32).digest()


def packed_terms(chunks: Sequence[Sequence[str]], key: bytes) -> tuple[dict[int, bytes], int]:
    """Rows of one document by hashed term, and the number of terms of all its chunks."""
    found: dict[str, bytearray] = {}
    for number, terms in enumerate(chunks):
        length = min(len(terms), _MOST)
        for term, count in Counter(terms).items():
            found.setdefault(term, bytearray()).extend(_PACKED.pack(number, min(count, _MOST), length))
    rows = {hashed(term, key): bytes(places) for term, places in found.items()}
    return rows, sum(map(len, chunks))


def insert(connection: sqlite3.Connection, index: int, document: int, rows: Mapping[int, bytes]) -> None:
    values = ((index, term, document, body) for term, body in sorted(rows.items()))
    connection.executemany("INSERT OR REPLACE INTO postings VALUES (?, ?, ?, ?)", values)


@dataclass(frozen=True)
class _Layout:
    """Places of an index's chunks in one array: each document has as many, from its `first` on, as it has chunks."""

    documents: npt.NDArray[np.int64]
    chunks: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    size: int


class _Postings(NamedTuple):
    """Chunks that have a term: how many, their places in the layout, and the part of its weight that each earns. Without
    places, the parts of all chunks of the layout: adding those is faster where most have the term."""

    having: int
    places: npt.NDArray[np.int32] | None
    earned: npt.NDArray[np.float32]


class TermSearch:
    """BM25 over stored terms. Postings that were read last stay in memory, with the generation of their index: after any
    change they are read anew. So do layouts; both together take at most `most` bytes."""

    def __init__(self, most: int = 64_000_000) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[object, ...], tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def search(
        self, connection: sqlite3.Connection, indexes: Sequence[Searched], terms: Iterable[str], limit: int
    ) -> list[Hit]:
        """The best chunks of these indexes together: rarity and mean length are those of all that may be seen."""
        total = sum(index.chunks for index in indexes)
        mean = sum(index.length for index in indexes) / max(1, total)
        wanted = list(dict.fromkeys(terms))
        found = [
            [self._postings(connection, index, hashed(term, index.key), mean) for term in wanted]
            for index in indexes
        ]
        weights = [
            rarity(sum(each.having for each in of_term), total) for of_term in zip(*found, strict=True)
        ]
        hits = [
            hit
            for index, postings in zip(indexes, found, strict=True)
            if any(each.having for each in postings)
            for hit in _best(self._layout(connection, index), postings, weights, limit)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document, hit.chunk))[:limit]

    def _postings(self, connection: sqlite3.Connection, index: Searched, term: int, mean: float) -> _Postings:
        def read() -> tuple[_Postings, int]:
            query = "SELECT document, body FROM postings WHERE idx = ? AND term = ?"
            rows = connection.execute(query, (index.no, term)).fetchall()
            found = _placed(rows, self._layout(connection, index), mean) if rows else _NO_POSTINGS
            return found, found.earned.nbytes * (1 if found.places is None else 2)

        return self._remembered((index.no, index.generation, term, mean), read)

    def _layout(self, connection: sqlite3.Connection, index: Searched) -> _Layout:
        def read() -> tuple[_Layout, int]:
            query = "SELECT document, chunks FROM indexed WHERE idx = ? ORDER BY document"
            rows = connection.execute(query, (index.no,)).fetchall()
            documents, chunks = np.array(rows, np.int64).reshape(-1, 2).T
            ends = np.cumsum(chunks)
            made = _Layout(documents, chunks, ends - chunks, int(chunks.sum()))
            return made, 3 * documents.nbytes

        return self._remembered((index.no, index.generation), read)

    def _remembered(self, key: tuple[object, ...], read: Callable[[], tuple[T, int]]) -> T:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        found, size = read()
        self._kept[key] = found, size + _ENTRY
        self._bytes += size + _ENTRY
        while self._bytes > self._most and len(self._kept) > 1:
            _, (_, gone) = self._kept.popitem(last=False)
            self._bytes -= gone
        return found


def _placed(rows: Sequence[tuple[int, bytes]], layout: _Layout, mean: float) -> _Postings:
    """Rows of one term by the places of their chunks; what belongs to no document of the index is left out."""
    read = np.frombuffer(b"".join(body for _, body in rows), _POSTING)
    counts = np.array([len(body) // _POSTING.itemsize for _, body in rows])
    named = np.array([document for document, _ in rows], np.int64)
    which = np.minimum(np.searchsorted(layout.documents, named), len(layout.documents) - 1)
    room = np.where(layout.documents[which] == named, layout.chunks[which], 0)
    known = read["chunk"] < np.repeat(room, counts)
    places = np.repeat(layout.first[which], counts) + read["chunk"]
    lengths, often = read["length"].astype(np.float32), read["count"].astype(np.float32)
    earned = np.asarray(bm25(often, lengths, np.float32(mean)), np.float32)  # pyright: ignore[reportArgumentType] - works by element
    places, earned = places[known].astype(np.int32), earned[known]
    if _DENSE * len(places) < layout.size:
        return _Postings(len(places), places, earned)
    every = np.zeros(layout.size, np.float32)
    every[places] = earned
    return _Postings(len(places), None, every)


def _best(
    layout: _Layout, postings: Sequence[_Postings], weights: Sequence[float], limit: int
) -> Iterator[Hit]:
    """Add up the scores of each chunk in one dense array: sorting all postings would cost ten times as much."""
    sums = np.zeros(layout.size, np.float32)
    for each, weight in zip(postings, weights, strict=True):
        more = np.float32(weight) * each.earned
        if each.places is None:
            sums += more
        else:
            sums[each.places] += more
    most = min(limit, layout.size)
    chosen = np.argpartition(sums, layout.size - most)[layout.size - most :]
    chosen = chosen[sums[chosen] > 0]
    owners = np.searchsorted(layout.first, chosen, "right") - 1
    for place, owner in zip(chosen, owners, strict=True):
        document, first = int(layout.documents[owner]), int(layout.first[owner])
        yield Hit(document, int(place) - first, float(sums[place]))


_NO_POSTINGS = _Postings(0, np.zeros(0, np.int32), np.zeros(0, np.float32))
_DENSE = 3
"""A term that every third chunk has, or more, is kept for all of them."""
_ENTRY = 500
"""Bytes that one entry takes beside its arrays."""
