"""The `library` port of one turn: the collections that one person may search, and no others."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from metaagent.errors import Failed
from metaagent.knowledge.terms import terms as terms_of
from metaagent.memory.embedding import nearness, pieces
from metaagent.ports import Json, Match, User
from metaagent.storage.library import postings
from metaagent.storage.library.collection_rows import Collection, Document
from metaagent.storage.library.database import generation
from metaagent.storage.library.embedders import NGRAMS, NgramEmbedder
from metaagent.storage.library.engine import SERVING, Engine, Index, index_key
from metaagent.storage.library.postings import Hit
from metaagent.storage.library.vectors import chunk_id, split_chunk_id
from metaagent.storage.vault import Owner

CANDIDATES = 50
"""Chunks whose headings are looked at where nothing was found."""

T = TypeVar("T")
Allowed = Callable[[str, str], bool]
"""Tells whether a company's collection of this name and label may be searched."""


@dataclass(frozen=True)
class Visible:
    """A collection that may be seen, and the index that serves it."""

    collection: Collection
    index: Index
    generation: int


class LibraryOfPerson:
    """The `library` port: bound to a person, to what their roles allow, and to a conversation."""

    def __init__(self, engine: Engine, user: User, allowed: Allowed, session: str = "") -> None:
        self._engine = engine
        self._user = user
        self._allowed = allowed
        self._session = session

    async def collections(self) -> list[Json]:
        return [_told(each) for each in await self._read(self._visible)]

    async def lexical(self, terms: Sequence[str], *, limit: int = 50) -> list[Match]:
        return await self._read(lambda connection: self._lexical(connection, terms, limit)) if terms else []

    async def nearest(self, text: str, *, limit: int = 50) -> list[Match]:
        """Compare vectors of embedders that are at hand, each with the text's vector by the same one; leave others out."""
        found: list[Match] = []
        for visible in await self._read(self._visible):
            vector = await self._vector(visible, text)
            if vector is not None and visible.index.chunks:
                found += await asyncio.to_thread(self._near, visible, vector, limit)
        return sorted(found, key=lambda match: (-match.score, match.id))[:limit]

    async def chunks(self, ids: Sequence[str]) -> list[Json]:
        return await self._read(lambda connection: self._chunks(connection, list(ids)))

    async def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        def work(connection: sqlite3.Connection) -> str:
            collection, document = self._document(connection, document_id)
            return self._engine.shelf.text(connection, collection, document, max(0, start), end)

        return await self._read(work)

    async def headings(self, terms: Sequence[str], *, limit: int = 5) -> list[Json]:
        wanted, said = set(terms), pieces(" ".join(terms))
        found = [
            *await self.lexical(terms, limit=CANDIDATES),
            *await self.nearest(" ".join(terms), limit=CANDIDATES),
        ]
        best: dict[tuple[str, ...], Json] = {}
        for chunk in await self.chunks(list(dict.fromkeys(match.id for match in found))):
            named = (chunk["title"], *chunk["heading"])
            words = " ".join(named)
            shared = len(wanted & set(terms_of(words))) / max(1, len(wanted))
            told = {name: chunk[name] for name in ("document_id", "title", "heading", "place")}
            best.setdefault(named, {**told, "score": shared + nearness(said, pieces(words))})
        return sorted(best.values(), key=lambda each: -each["score"])[:limit]

    async def documents(self, collection: str | None = None) -> list[Json]:
        """Documents of every collection that may be seen, or of one."""

        def work(connection: sqlite3.Connection) -> list[Json]:
            return [
                {**document.as_json(), "collection": each.collection.name, "label": each.collection.label}
                for each in self._visible(connection)
                if collection in (None, each.collection.name, each.collection.id)
                for document in self._engine.shelf.documents(connection, each.collection)
            ]

        return await self._read(work)

    async def document(self, document_id: str) -> tuple[Collection, Document]:
        return await self._read(lambda connection: self._document(connection, document_id))

    # --- inside -----------------------------------------------------------------------------------------

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def in_thread() -> T:
            with self._engine.database.reading() as connection:
                return work(connection)

        return await asyncio.to_thread(in_thread)

    def _visible(self, connection: sqlite3.Connection) -> list[Visible]:
        """Collections that may be searched: one that may not be seen is never searched, rather than left out afterwards."""
        company = Owner(self._user.company_id)
        found = [
            each
            for each in self._engine.shelf.collections(connection, [company, Owner.of(self._user)])
            if (each.owner != company or self._allowed(each.name, each.label))
            and each.session in ("", self._session)
        ]
        return [
            Visible(each, index, generation(connection, index.vectors))
            for each in found
            for index in self._engine.indexes(connection, each)
            if index.state == SERVING
        ]

    def _lexical(self, connection: sqlite3.Connection, terms: Sequence[str], limit: int) -> list[Match]:
        visible = {each.index.no: each for each in self._visible(connection)}
        searched = [
            postings.Searched(
                no,
                index_key(self._engine.keys(each.collection)[0], each.index),
                each.index.chunks,
                each.index.length,
                each.generation,
            )
            for no, each in visible.items()
        ]
        hits = self._engine.terms.search(connection, searched, terms, limit)
        return self._matches(connection, visible, hits)

    def _matches(
        self, connection: sqlite3.Connection, visible: Mapping[int, Visible], hits: Sequence[Hit]
    ) -> list[Match]:
        numbers = ",".join(str(no) for no in {hit.document for hit in hits})
        rows = connection.execute(f"SELECT no, id, collection FROM documents WHERE no IN ({numbers})")  # noqa: S608 - numbers
        known = {no: (key, collection) for no, key, collection in rows.fetchall()}
        seen = {each.collection.id for each in visible.values()}
        return [
            Match(
                chunk_id(known[hit.document][0], hit.chunk),
                "",
                hit.score,
                {"collection": known[hit.document][1]},
            )
            for hit in hits
            if hit.document in known and known[hit.document][1] in seen
        ]

    async def _vector(self, visible: Visible, text: str) -> Sequence[float] | None:
        engine = self._engine
        if visible.index.embedder == engine.embedder_name:
            embedder = engine.embedder(visible.collection)
        elif visible.index.embedder == NGRAMS:
            embedder = NgramEmbedder(engine.keys(visible.collection)[1])
        else:
            return None
        (vector,) = await embedder.batch([text])
        return vector if any(vector) else None

    def _near(self, visible: Visible, vector: Sequence[float], limit: int) -> list[Match]:
        engine, index = self._engine, visible.index
        if visible.collection.owner.person is not None:
            with engine.database.reading() as connection:
                hits = engine.rows.nearest(connection, visible.collection, index.no, vector, limit)
                return self._matches(connection, {index.no: visible}, hits)
        found = engine.chroma.nearest(index.vectors, vector, limit)
        documents = {split_chunk_id(key)[0] for key, _ in found}
        with engine.database.reading() as connection:
            there = self._indexed(connection, visible, documents)
        return [
            Match(key, "", score, {"collection": visible.collection.id})
            for key, score in found
            if split_chunk_id(key)[0] in there
        ]

    def _indexed(self, connection: sqlite3.Connection, visible: Visible, documents: set[str]) -> set[str]:
        """Documents that are still there: a vector may be older or newer than what is committed."""
        marks = ",".join("?" * len(documents))
        rows = connection.execute(
            f"SELECT id FROM documents WHERE collection = ? AND id IN ({marks})",  # noqa: S608 - marks
            (visible.collection.id, *documents),
        )
        return {key for (key,) in rows.fetchall()}

    def _document(self, connection: sqlite3.Connection, document_id: str) -> tuple[Collection, Document]:
        row = connection.execute("SELECT collection FROM documents WHERE id = ?", (document_id,)).fetchone()
        for visible in self._visible(connection) if row else ():
            if visible.collection.id == row[0]:
                found = self._engine.shelf.document(connection, visible.collection, document_id)
                if found is not None:
                    return visible.collection, found
        raise Failed(f"there is no document {document_id!r}")

    def _chunks(self, connection: sqlite3.Connection, ids: list[str]) -> list[Json]:
        wanted: dict[str, list[int]] = {}
        for key in ids:
            document, number = split_chunk_id(key)
            wanted.setdefault(document, []).append(number)
        visible = {each.collection.id: each.collection for each in self._visible(connection)}
        by_place: dict[str, list[tuple[Document, list[int]]]] = {}
        for each in self._engine.shelf.named(connection, visible, list(wanted)):
            by_place.setdefault(each.collection, []).append((each, wanted[each.id]))
        found: dict[str, Json] = {}
        for place, documents in by_place.items():
            collection = visible[place]
            opened = self._engine.shelf.chosen_chunks(connection, collection, documents)
            for document, numbers in documents:
                about, chunks = _about(collection, document), opened.get(document.id, {})
                for number in chunks.keys() & set(numbers):
                    key = chunk_id(document.id, number)
                    found[key] = {"id": key, **chunks[number], **about}
        return [found[key] for key in ids if key in found]


def _about(collection: Collection, document: Document) -> Json:
    """The part of a chunk that all chunks of its document share."""
    return {
        "document_id": document.id,
        "collection": collection.id,
        "label": collection.label,
        "title": document.title,
        "source": document.source,
        "media_type": document.media_type,
        "valid_from": document.facts.get("valid_from"),
        "valid_to": document.facts.get("valid_to"),
    }


def _told(visible: Visible) -> Json:
    collection, index = visible.collection, visible.index
    return {
        "id": collection.id,
        "name": collection.name,
        "label": collection.label,
        "owner": "company" if collection.owner.person is None else "person",
        "embedder": index.embedder,
        "tokenizer": index.tokenizer,
        "documents": index.documents,
        "chunks": index.chunks,
        "generation": visible.generation,
    }
