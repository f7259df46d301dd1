"""Terms of chunks as hashes with a key, and BM25 over them.

One row holds the chunks of one document that have one term: their numbers, how often they have it, and how long they are. A
search reads the rows of its terms in the collections that it may see, and computes with arrays.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from metaagent.knowledge.ranking import bm25, rarity

_POSTING = np.dtype([("chunk", "<u4"), ("count", "<u2"), ("length", "<u2")])
_PACKED = Struct("<IHH")
"""The same, for writing one at a time."""
_MOST = np.iinfo(np.uint16).max


class Hit(NamedTuple):
    """A chunk that was found: the number of its document, its own, and its score."""

    document: int
    chunk: int
    score: float


@dataclass(frozen=True)
class Searched:
    """An index as a search sees it: its number, the key of its terms, and how much it holds."""

    no: int
    key: bytes
    chunks: int
    length: int


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


def search(
    connection: sqlite3.Connection, indexes: Sequence[Searched], terms: Iterable[str], limit: int
) -> list[Hit]:
    """The best chunks of these indexes together: rarity and mean length are those of all that may be seen."""
    total = sum(index.chunks for index in indexes)
    mean = sum(index.length for index in indexes) / max(1, total)
    rows: list[tuple[int, bytes]] = []
    scores: list[npt.NDArray[np.float64]] = []
    for term in dict.fromkeys(terms):
        found = [row for index in indexes for row in _rows(connection, index.no, hashed(term, index.key))]
        postings = np.frombuffer(b"".join(body for _, body in found), _POSTING)
        earned = bm25(postings["count"].astype(float), postings["length"].astype(float), mean)  # pyright: ignore[reportArgumentType] - works by element
        scores.append(rarity(len(postings), total) * np.asarray(earned))
        rows += found
    return _best(rows, np.concatenate(scores), limit) if rows else []


def _rows(connection: sqlite3.Connection, index: int, term: int) -> list[tuple[int, bytes]]:
    query = "SELECT document, body FROM postings WHERE idx = ? AND term = ?"
    return connection.execute(query, (index, term)).fetchall()


def _best(rows: Sequence[tuple[int, bytes]], scores: npt.NDArray[np.float64], limit: int) -> list[Hit]:
    """Add up the scores of each chunk in one dense array: every document that was found gets as many places as the highest
    number of its chunks needs. Sorting all postings would cost ten times as much."""
    chunks = np.frombuffer(b"".join(body for _, body in rows), _POSTING)["chunk"].astype(np.int64)
    counts = np.array([len(body) // _POSTING.itemsize for _, body in rows])
    documents, which = np.unique(np.array([document for document, _ in rows]), return_inverse=True)
    needed = np.zeros(len(documents), np.int64)
    np.maximum.at(needed, which, chunks[np.cumsum(counts) - 1] + 1)
    first = np.cumsum(needed) - needed
    sums = np.bincount(np.repeat(first[which], counts) + chunks, scores)
    most = min(limit, len(sums))
    chosen = np.argpartition(-sums, most - 1)[:most]
    chosen = chosen[sums[chosen] > 0]
    owners = np.searchsorted(first, chosen, "right") - 1
    hits = [
        Hit(int(documents[owner]), int(place - first[owner]), float(sums[place]))
        for place, owner in zip(chosen, owners, strict=True)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.document, hit.chunk))
