"""Vectors of chunks: of a company's collections in embedded Chroma, of a person's few in sealed rows beside their texts.

A vector's id is the chunk's. A hit counts only if SQL knows its document: what was removed, or added and never committed, is
nobody's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from metaagent.storage.chroma import SPACE, ChromaFolder, drop_collection, scrub_queue
from metaagent.storage.library.collection_rows import Collection
from metaagent.storage.library.postings import Hit
from metaagent.storage.vault import Vault

BATCH = 2_000


def chunk_id(document: str, number: int) -> str:
    return f"{document}-{number}"


def split_chunk_id(key: str) -> tuple[str, int]:
    document, _, number = key.rpartition("-")
    return document, int(number) if number.isdecimal() and len(number) < 10 else -1


class ChromaVectors:
    """Collections of Chroma, by the name that an index has for its own."""

    def __init__(self, folder: ChromaFolder) -> None:
        self.folder = folder
        self._handles: tuple[Any, dict[str, Any]] = (None, {})
        """The client that was asked last, and the collections that it has opened: opening one costs more than asking it."""

    def put(self, client: Any, name: str, document: str, vectors: Sequence[Sequence[float]]) -> None:
        kept = client.get_or_create_collection(name, embedding_function=None, configuration=SPACE)
        for at in range(0, len(vectors), BATCH):
            some = vectors[at : at + BATCH]
            ids = [chunk_id(document, number) for number in range(at, at + len(some))]
            kept.upsert(ids=ids, embeddings=list(some))

    def remove(self, client: Any, name: str, documents: Iterable[tuple[str, int]]) -> None:
        """Remove the vectors of documents, each with the number of its chunks; those that are not there are no trouble."""
        if name not in {each.name for each in client.list_collections()}:
            return
        kept = client.get_collection(name, embedding_function=None)
        ids = [chunk_id(document, number) for document, chunks in documents for number in range(chunks)]
        for at in range(0, len(ids), BATCH):
            kept.delete(ids=ids[at : at + BATCH])
        scrub_queue(self.folder.path, kept, ids)

    def drop(self, client: Any, name: str) -> None:
        if name in {each.name for each in client.list_collections()}:
            drop_collection(self.folder.path, client, name)

    def ids(self, name: str) -> list[str]:
        if not self.folder.exists:
            return []
        with self.folder.reading(name) as client:
            if name not in {each.name for each in client.list_collections()}:
                return []
            return client.get_collection(name, embedding_function=None).get(include=[])["ids"]

    def nearest(self, name: str, vector: Sequence[float], limit: int) -> list[tuple[str, float]]:
        if not self.folder.exists:
            return []
        with self.folder.reading(name) as client:
            from chromadb.errors import NotFoundError

            try:
                found = self._handle(client, name).query(
                    query_embeddings=[list(vector)], n_results=limit, include=["distances"]
                )
            except NotFoundError:  # nothing was put there yet, or all of it was dropped
                self._handles = (None, {})
                return []
        return [
            (key, 1.0 - distance)
            for key, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        ]

    def _handle(self, client: Any, name: str) -> Any:
        asked, known = self._handles
        if asked is not client:
            self._handles = (client, known := {})
        if name not in known:
            known[name] = client.get_collection(name, embedding_function=None)
        return known[name]


class RowVectors:
    """Vectors of a person's collection: one sealed row a document, compared one by one."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def put(
        self,
        connection: sqlite3.Connection,
        collection: Collection,
        index: int,
        document: tuple[int, str],
        vectors: Sequence[Sequence[float]],
    ) -> None:
        no, key = document
        body = np.array(vectors, "<f4").tobytes()
        sealed = self._vault.sealer(collection.owner).seal(body, _row(index, key))
        connection.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", (index, no, sealed))

    def nearest(
        self,
        connection: sqlite3.Connection,
        collection: Collection,
        index: int,
        vector: Sequence[float],
        limit: int,
    ) -> list[Hit]:
        wanted = np.array(vector, "<f4")
        sealer, hits = self._vault.sealer(collection.owner), list[Hit]()
        rows = connection.execute(
            "SELECT v.document, d.id, v.body FROM vectors v JOIN documents d ON d.no = v.document WHERE v.idx = ?",
            (index,),
        )
        for no, key, body in rows.fetchall():
            known = np.frombuffer(sealer.open(body, _row(index, key)), "<f4").reshape(-1, len(wanted))
            near: npt.NDArray[np.float32] = known @ wanted
            hits += [Hit(no, number, float(score)) for number, score in enumerate(near)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document, hit.chunk))[:limit]


def _row(index: int, document: str) -> tuple[str, ...]:
    return ("library", "vectors", str(index), document)
