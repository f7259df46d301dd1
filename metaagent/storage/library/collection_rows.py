"""Rows of collections and documents: who they belong to, texts and chunks, all sealed for their owner.

A document's text is kept in parts and its chunks in pages, so that opening one citation of a long document opens little.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

import orjson

from metaagent.ports import Json
from metaagent.protection.sealing import Sealer
from metaagent.storage.sql_base import packed, unpacked
from metaagent.storage.vault import Owner, Vault

PART = 32_768
"""Characters of text in one sealed row."""
PAGE = 4
"""Chunks in one sealed row, which is opened as a whole for one of them. A document keeps the number that it was added with."""


@dataclass(frozen=True)
class Collection:
    """Documents of one owner under one name and one sensitivity label; `session` where they belong to one conversation."""

    id: str
    owner: Owner
    name: str
    label: str
    session: str = ""


@dataclass(frozen=True)
class Document:
    """A document as it is kept. `source` says where it came from; `facts` what its extraction said."""

    id: str
    collection: str
    source: str
    title: str
    media_type: str
    sha256: str
    size: int
    chunks: int
    added_at: str
    facts: Mapping[str, Any]
    no: int = 0
    author: str | None = None
    page_size: int = PAGE

    def as_json(self) -> Json:
        named = {name: getattr(self, name) for name in ("id", "collection", "source", "title", "media_type")}
        counted = {name: getattr(self, name) for name in ("sha256", "size", "chunks", "added_at")}
        return {**named, **counted, **self.facts}


class Shelf:
    """Reads and writes rows within a transaction of its caller."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    # --- collections ------------------------------------------------------------------------------------

    def collections(self, connection: sqlite3.Connection, owners: Iterable[Owner]) -> list[Collection]:
        """All collections of these owners, by name."""
        found: list[Collection] = []
        for owner in owners:
            where = "tenant = ? AND owner = ?"
            rows = connection.execute(
                f"SELECT id, session, body FROM collections WHERE {where}",  # noqa: S608
                (owner.tenant, self.alias(owner)),
            )
            found += [self._collection(owner, *row) for row in rows.fetchall()]
        return sorted(found, key=lambda each: (each.name, each.id))

    def collection(
        self, connection: sqlite3.Connection, owner: Owner, name: str, session: str = ""
    ) -> Collection | None:
        row = connection.execute(
            "SELECT id, session, body FROM collections WHERE tenant = ? AND owner = ? AND session = ? AND named = ?",
            (owner.tenant, self.alias(owner), session, self._hashed(owner, "name", name)),
        ).fetchone()
        return None if row is None else self._collection(owner, *row)

    def make_collection(self, connection: sqlite3.Connection, made: Collection) -> Collection:
        made = replace(made, id=f"c{token_hex(12)}")
        body = orjson.dumps({"name": made.name, "label": made.label})
        sealed = self._vault.sealer(made.owner).seal(body, _row("collections", made.id, made.session))
        named = self._hashed(made.owner, "name", made.name)
        values = (made.id, made.owner.tenant, self.alias(made.owner), made.session, named, sealed)
        connection.execute("INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?)", values)
        return made

    def alias(self, owner: Owner) -> str:
        """The owner as a column names it; nothing for the company."""
        return "" if owner.person is None else self._vault.ring.alias(owner.tenant, owner.person)

    def _collection(self, owner: Owner, key: str, session: str, body: bytes) -> Collection:
        opened = orjson.loads(self._vault.sealer(owner).open(body, _row("collections", key, session)))
        return Collection(key, owner, opened["name"], opened["label"], session)

    # --- documents --------------------------------------------------------------------------------------

    def documents(self, connection: sqlite3.Connection, collection: Collection) -> Iterator[Document]:
        rows = connection.execute(
            f"{_DOCUMENT} WHERE collection = ? ORDER BY no", (collection.id,)
        ).fetchall()
        yield from (self._document(collection, row) for row in rows)

    def document(
        self, connection: sqlite3.Connection, collection: Collection, document_id: str
    ) -> Document | None:
        where = f"{_DOCUMENT} WHERE collection = ? AND id = ?"
        row = connection.execute(where, (collection.id, document_id)).fetchone()
        return None if row is None else self._document(collection, row)

    def named(
        self, connection: sqlite3.Connection, collections: Mapping[str, Collection], ids: Sequence[str]
    ) -> list[Document]:
        """List the documents with these ids that belong to one of the collections, which are given by their ids."""
        marks = ",".join("?" * len(ids))
        rows = connection.execute(f"{_DOCUMENT} WHERE id IN ({marks})", tuple(ids)).fetchall()
        return [self._document(collections[row[-1]], row) for row in rows if row[-1] in collections]

    def at_source(
        self, connection: sqlite3.Connection, collection: Collection, source: str
    ) -> Document | None:
        where = f"{_DOCUMENT} WHERE collection = ? AND source = ?"
        hashed = self._hashed(collection.owner, "source", source)
        row = connection.execute(where, (collection.id, hashed)).fetchone()
        return None if row is None else self._document(collection, row)

    def add(
        self,
        connection: sqlite3.Connection,
        collection: Collection,
        document: Document,
        text: str,
        chunks: Sequence[Json],
    ) -> Document:
        """The document with its number; its text in parts, its chunks in pages."""
        content = self._hashed(collection.owner, "content", document.sha256)
        source = self._hashed(collection.owner, "source", document.source)
        sealer = self._vault.sealer(collection.owner)
        values = (
            document.id,
            collection.id,
            source,
            content,
            document.author,
            len(chunks),
            document.added_at,
        )
        (no,) = connection.execute(
            "INSERT INTO documents (id, collection, source, content, author, chunks, added_at, page_size, body) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING no",
            (*values, PAGE, _sealed_document(sealer, document)),
        ).fetchone()
        parts = [text[at : at + PART] for at in range(0, len(text), PART)]
        pages = [chunks[at : at + PAGE] for at in range(0, len(chunks), PAGE)]
        _insert_sealed(connection, sealer, "texts", document.id, no, parts)
        _insert_sealed(connection, sealer, "chunks", document.id, no, pages)
        return replace(document, no=no, chunks=len(chunks), page_size=PAGE)

    def move(
        self, connection: sqlite3.Connection, collection: Collection, document: Document, source: str
    ) -> Document:
        moved = replace(document, source=source)
        hashed = self._hashed(collection.owner, "source", source)
        sealed = _sealed_document(self._vault.sealer(collection.owner), moved)
        connection.execute(
            "UPDATE documents SET source = ?, body = ? WHERE no = ?", (hashed, sealed, document.no)
        )
        return moved

    def text(
        self,
        connection: sqlite3.Connection,
        collection: Collection,
        document: Document,
        start: int,
        end: int | None,
    ) -> str:
        first, start = start // PART, max(0, start)
        last = len(document.facts) + 2**31 if end is None else max(0, end - 1) // PART
        rows = connection.execute(
            "SELECT part, body FROM texts WHERE document = ? AND part BETWEEN ? AND ? ORDER BY part",
            (document.no, first, last),
        ).fetchall()
        sealer = self._vault.sealer(collection.owner)
        whole = "".join(
            orjson.loads(unpacked(sealer.open(body, _row("texts", document.id, part)))) for part, body in rows
        )
        offset = first * PART
        return whole[start - offset : None if end is None else max(start, end) - offset]

    def chunks(
        self, connection: sqlite3.Connection, collection: Collection, document: Document
    ) -> dict[int, Json]:
        """All chunks of a document by their numbers."""
        rows = connection.execute(f"{_PAGE} WHERE document = ? ORDER BY page", (document.no,)).fetchall()
        return self._opened_pages(collection, {document.no: document}, rows).get(document.id, {})

    def chosen_chunks(
        self,
        connection: sqlite3.Connection,
        collection: Collection,
        wanted: Sequence[tuple[Document, Iterable[int]]],
    ) -> dict[str, dict[int, Json]]:
        """Chunks of documents of one collection by the ids of the documents and their numbers: those that are wanted, and
        those on the same page."""
        places = sorted({(each.no, number // each.page_size) for each, some in wanted for number in some})
        rows: list[tuple[int, int, bytes]] = []
        for at in range(0, len(places), _AT_ONCE):
            values = ",".join(f"({no},{page})" for no, page in places[at : at + _AT_ONCE])
            rows += connection.execute(f"WITH wanted (d, p) AS (VALUES {values}) {_WANTED_PAGE}").fetchall()
        return self._opened_pages(collection, {each.no: each for each, _ in wanted}, rows)

    def _opened_pages(
        self,
        collection: Collection,
        documents: Mapping[int, Document],
        rows: Sequence[tuple[int, int, bytes]],
    ) -> dict[str, dict[int, Json]]:
        sealed = ((body, _row("chunks", documents[no].id, page)) for no, page, body in rows)
        opened = self._vault.sealer(collection.owner).open_many(sealed)
        found: dict[str, dict[int, Json]] = {}
        for (no, page, _), body in zip(rows, opened, strict=True):
            document = documents[no]
            first = page * document.page_size
            found.setdefault(document.id, {}).update(enumerate(orjson.loads(unpacked(body)), first))
        return found

    def _document(self, collection: Collection, row: Sequence[Any]) -> Document:
        no, key, author, chunks, added_at, page_size, body, _ = row
        opened = orjson.loads(
            unpacked(self._vault.sealer(collection.owner).open(body, _row("documents", collection.id, key)))
        )
        return Document(
            id=key,
            collection=collection.id,
            no=no,
            author=author,
            chunks=chunks,
            added_at=added_at,
            page_size=page_size,
            **opened,
        )

    def _hashed(self, owner: Owner, what: str, value: str) -> str:
        named = f"library\0{what}\0{owner.person or ''}\0{value}"
        return self._vault.ring.company_hash(owner.tenant, named.encode("utf-8", "surrogatepass"))[:40]


_DOCUMENT = "SELECT no, id, author, chunks, added_at, page_size, body, collection FROM documents"
_PAGE = "SELECT document, page, body FROM chunks"
_WANTED_PAGE = "SELECT document, page, body FROM wanted CROSS JOIN chunks ON document = d AND page = p"
"""SQLite looks pages up one by one in a cross join; for `IN (VALUES …)` it reads the whole table."""
_AT_ONCE = 1_000
"""Pages that one statement names."""


def _row(table: str, *key: object) -> tuple[str, ...]:
    return ("library", table, *map(str, key))


def _sealed_document(sealer: Sealer, document: Document) -> bytes:
    said = ("source", "title", "media_type", "sha256", "size", "facts")
    body = orjson.dumps({name: getattr(document, name) for name in said})
    return sealer.seal(packed(body), _row("documents", document.collection, document.id))


def _insert_sealed(
    connection: sqlite3.Connection, sealer: Sealer, table: str, document: str, no: int, bodies: Sequence[Any]
) -> None:
    rows = (
        (no, at, sealer.seal(packed(orjson.dumps(body)), _row(table, document, at)))
        for at, body in enumerate(bodies)
    )
    connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608 - our own tables
