"""The engine of the library: puts, moves and removes documents, keeps SQL and vectors together, and rebuilds an index.

A document is parsed and embedded first, without any lock. Then, with every other writer waiting: its id is noted as a
leftover, its vectors go to Chroma, and one transaction commits its texts, chunks and terms, raises the generation and takes
the note back. A kill in between leaves vectors that the note names and the next writer removes. Removal is the other way
round: one transaction removes the rows and notes the vectors, which then go.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, TypeVar

from metaagent.errors import InputRefused, Text
from metaagent.knowledge.chunks import searched_text
from metaagent.knowledge.korean import Analyser
from metaagent.knowledge.terms import terms, tokenizer
from metaagent.ports import Clock, Embedder, Json
from metaagent.storage.chroma import ChromaFolder
from metaagent.storage.library import postings
from metaagent.storage.library.collection_rows import Collection, Document, Shelf
from metaagent.storage.library.database import LibraryDatabase, RetiredKey, next_generation
from metaagent.storage.library.embedders import EmbedderSource
from metaagent.storage.library.vectors import ChromaVectors, RowVectors, split_chunk_id
from metaagent.storage.vault import Owner, Vault
from metaagent.values import iso

SERVING, BUILDING = "serving", "building"
T = TypeVar("T")

_OTHER_LABEL = Text(
    en="The collection {name!r} has the label {label!r}, not {wanted!r}. Leave --label out, or choose another collection.",
    ko="컬렉션 {name!r}의 등급은 {wanted!r}이(가) 아니라 {label!r}입니다. --label을 빼거나 다른 컬렉션을 고르세요.",
)
_GONE = Text(
    en="The collection {name!r} was removed meanwhile.", ko="컬렉션 {name!r}이(가) 그동안 삭제되었습니다."
)


@dataclass(frozen=True)
class Index:
    """One way to search a collection: the terms and vectors that a tokenizer and an embedder made of its chunks."""

    no: int
    tokenizer: str
    embedder: str
    vectors: str
    state: str
    documents: int
    chunks: int
    length: int


@dataclass(frozen=True)
class Prepared:
    """A document that waits to be added: its text and chunks, and what each index of its collection makes of them."""

    document: Document
    text: str
    chunks: Sequence[Json]


@dataclass(frozen=True)
class Made:
    """Terms and vectors of one document for one index."""

    rows: dict[int, bytes]
    length: int
    vectors: Sequence[Sequence[float]]


class Engine:
    """Everything that changes the library. `folder` has the vectors of companies' collections."""

    def __init__(
        self,
        database: LibraryDatabase,
        folder: ChromaFolder,
        vault: Vault,
        embedders: EmbedderSource,
        clock: Clock,
        analyser: Analyser = "mecab",
    ) -> None:
        self.tokenizer = tokenizer(analyser)
        self._analyser: Analyser = analyser
        self.database = database
        self.shelf = Shelf(vault)
        self.chroma = ChromaVectors(folder)
        self.rows = RowVectors(vault)
        self.terms = postings.TermSearch()
        self._vault = vault
        self._embedders = embedders
        self._clock = clock

    # --- collections ------------------------------------------------------------------------------------

    async def collection(self, owner: Owner, name: str, label: str, session: str = "") -> Collection:
        """The collection of this name, made with this label if there is none. Refused where it has another label."""

        def work() -> Collection:
            with self.database.writing() as connection:
                found = self.shelf.collection(connection, owner, name, session)
                if found is None:
                    made = Collection("", owner, name, label, session)
                    found = self.shelf.make_collection(connection, made)
                    self._new_index(connection, found, SERVING)
                return found

        found = await self._with_current_key(work)
        if found.label != label:
            raise InputRefused(_OTHER_LABEL, name=name, label=found.label, wanted=label)
        return found

    def keys(self, collection: Collection) -> tuple[bytes, bytes]:
        """The keys of a collection's terms and of its vectors."""
        ring, owner = self._vault.ring, collection.owner
        return ring.term_key(owner.tenant, owner.person), ring.feature_key(owner.tenant, owner.person)

    def embedder(self, collection: Collection) -> Embedder:
        return self._embedders.for_key(self.keys(collection)[1])

    @property
    def embedder_name(self) -> str:
        return self._embedders.name

    def indexes(self, connection: sqlite3.Connection, collection: Collection) -> list[Index]:
        rows = connection.execute(
            "SELECT no, tokenizer, embedder, vectors, state, documents, chunks, length FROM indexes "
            "WHERE collection = ? ORDER BY no",
            (collection.id,),
        )
        return [Index(*row) for row in rows.fetchall()]

    def _new_index(self, connection: sqlite3.Connection, collection: Collection, state: str) -> Index:
        named = f"library-{token_hex(12)}"
        connection.execute(
            "INSERT INTO indexes (collection, tokenizer, embedder, vectors, state) VALUES (?, ?, ?, ?, ?)",
            (collection.id, self.tokenizer, self._embedders.name, named, state),
        )
        return self.indexes(connection, collection)[-1]

    # --- putting ----------------------------------------------------------------------------------------

    async def put(self, collection: Collection, prepared: Prepared) -> Document | None:
        """Add a document in the place of the one that its source had. None where the same content is there already."""
        made = {
            index.no: await self._made(collection, index, prepared.chunks)
            for index in await self._current(collection)
        }
        return await self._with_current_key(lambda: self._put(collection, prepared, made))

    async def _current(self, collection: Collection) -> list[Index]:
        def work() -> list[Index]:
            with self.database.reading() as connection:
                return self.indexes(connection, collection)

        found = await asyncio.to_thread(work)
        if not found:
            raise InputRefused(_GONE, name=collection.name)
        return [index for index in found if self.is_ours(index)]

    def is_ours(self, index: Index) -> bool:
        """Tells whether this program makes the terms and vectors that the index holds. Others are rebuilt, not mixed."""
        return index.tokenizer == self.tokenizer and index.embedder == self._embedders.name

    async def _made(self, collection: Collection, index: Index, chunks: Sequence[Json]) -> Made:
        key = index_key(self.keys(collection)[0], index)
        searched = [searched_text(chunk) for chunk in chunks]
        vectors = await self.embedder(collection).batch(searched)
        rows, length = await asyncio.to_thread(
            lambda: postings.packed_terms([terms(text, self._analyser) for text in searched], key)
        )
        return Made(rows, length, vectors)

    def _put(self, collection: Collection, prepared: Prepared, made: dict[int, Made]) -> Document | None:
        document = prepared.document
        company = collection.owner.person is None
        with self._writing(collection) as client:
            with self.database.reading() as connection:
                indexes = {index.no: index for index in self.indexes(connection, collection)}
                before = self.shelf.at_source(connection, collection, document.source)
            if before is not None and before.sha256 == document.sha256:
                return None
            wanted = {no: each for no, each in made.items() if no in indexes}
            if company:
                self._note_leftovers(
                    [(indexes[no].vectors, document.id, len(prepared.chunks)) for no in wanted]
                )
                for no, each in wanted.items():
                    self.chroma.put(client, indexes[no].vectors, document.id, each.vectors)
            with self.database.writing() as connection:
                if before is not None:
                    self._remove_rows(connection, collection, before)
                added = self.shelf.add(connection, collection, document, prepared.text, prepared.chunks)
                for no, each in wanted.items():
                    self._index_rows(connection, collection, indexes[no], added, each)
                seen = self._next_generations(connection, indexes.values())
            self._wrote(seen)
            self._settle(client)
        return added

    def _index_rows(
        self,
        connection: sqlite3.Connection,
        collection: Collection,
        index: Index,
        document: Document,
        made: Made,
    ) -> None:
        postings.insert(connection, index.no, document.no, made.rows)
        if collection.owner.person is not None:
            self.rows.put(connection, collection, index.no, (document.no, document.id), made.vectors)
        values = (index.no, document.no, document.chunks, made.length)
        connection.execute("INSERT INTO indexed VALUES (?, ?, ?, ?)", values)
        connection.execute(
            "UPDATE indexes SET documents = documents + 1, chunks = chunks + ?, length = length + ? WHERE no = ?",
            (document.chunks, made.length, index.no),
        )
        self._forget_leftover(connection, index, document)

    def _forget_leftover(self, connection: sqlite3.Connection, index: Index, document: Document) -> None:
        named = (index.vectors, document.id)
        connection.execute("DELETE FROM leftovers WHERE vectors = ? AND document = ?", named)

    # --- moving and removing ----------------------------------------------------------------------------

    async def move(self, collection: Collection, document_id: str, source: str) -> Document | None:
        """Give a document another source; nothing is read or embedded again."""

        def work() -> Document | None:
            with self.database.writing() as connection:
                found = self.shelf.document(connection, collection, document_id)
                return None if found is None else self.shelf.move(connection, collection, found, source)

        return await self._with_current_key(work)

    async def remove(self, collection: Collection, document_ids: Iterable[str]) -> int:
        """Remove documents with their texts, terms and vectors; how many there were."""
        ids = list(document_ids)
        return await asyncio.to_thread(self._remove, collection, ids) if ids else 0

    def _remove(self, collection: Collection, ids: list[str]) -> int:
        with self._writing(collection) as client:
            with self.database.writing() as connection:
                found = [self.shelf.document(connection, collection, each) for each in ids]
                there = [each for each in found if each is not None]
                for document in there:
                    self._remove_rows(connection, collection, document)
                seen = self._next_generations(connection, self.indexes(connection, collection))
            self._wrote(seen)
            self._settle(client)
        return len(there)

    def _remove_rows(
        self, connection: sqlite3.Connection, collection: Collection, document: Document
    ) -> None:
        indexes = self.indexes(connection, collection)
        if collection.owner.person is None:
            gone = ((index.vectors, document.id, document.chunks) for index in indexes)
            connection.executemany("INSERT OR REPLACE INTO leftovers VALUES (?, ?, ?)", gone)
        connection.execute(
            "UPDATE indexes SET documents = documents - 1, chunks = indexes.chunks - i.chunks, "
            "length = indexes.length - i.length FROM indexed i WHERE i.idx = indexes.no AND i.document = ?",
            (document.no,),
        )
        connection.execute("DELETE FROM documents WHERE no = ?", (document.no,))

    async def drop(self, collection: Collection) -> int:
        """Remove a collection with everything in it; how many documents there were."""
        return await asyncio.to_thread(self._drop, collection)

    def _drop(self, collection: Collection) -> int:
        with self._writing(collection) as client:
            with self.database.writing() as connection:
                indexes = self.indexes(connection, collection)
                (count,) = connection.execute(
                    "SELECT count(*) FROM documents WHERE collection = ?", (collection.id,)
                ).fetchone()
                connection.execute("DELETE FROM documents WHERE collection = ?", (collection.id,))
                connection.execute("DELETE FROM collections WHERE id = ?", (collection.id,))
                seen = self._next_generations(connection, indexes)
            self._wrote(seen)
            self._settle(client)
        self.database.emptied()
        return count

    # --- people -----------------------------------------------------------------------------------------

    async def erase(self, owner: Owner) -> dict[str, int]:
        """Remove a person's collections, and the person as author of the company's documents; how many of each."""

        def mine() -> list[Collection]:
            with self.database.reading() as connection:
                return self.shelf.collections(connection, [owner])

        def unsign() -> int:
            alias = self.shelf.alias(owner)
            with self.database.writing() as connection:
                return connection.execute(
                    "UPDATE documents SET author = NULL WHERE author = ?", (alias,)
                ).rowcount

        removed = 0
        for collection in await asyncio.to_thread(mine):
            removed += await self.drop(collection)
        return {"documents": removed, "authored": await asyncio.to_thread(unsign)}

    async def forget_session(self, session: str) -> int:
        """Remove what was attached to a conversation; how many documents."""

        def work() -> int:
            where = "collection IN (SELECT id FROM collections WHERE session = ?)"
            with self.database.writing() as connection:
                (count,) = connection.execute(
                    f"SELECT count(*) FROM documents WHERE {where}",  # noqa: S608
                    (session,),
                ).fetchone()
                connection.execute(f"DELETE FROM documents WHERE {where}", (session,))  # noqa: S608
                connection.execute("DELETE FROM collections WHERE session = ?", (session,))
            return count

        return await asyncio.to_thread(work)

    # --- rebuilding -------------------------------------------------------------------------------------

    async def rebuild(
        self, collection: Collection, tell: Callable[[int, int], None] = lambda _done, _all: None
    ) -> bool:
        """Make the terms and vectors anew beside those that serve, then swap. A killed rebuild is gone on with. False
        where the collection was removed meanwhile."""
        index = await self._with_current_key(lambda: self._begun(collection))
        while True:
            waiting = await asyncio.to_thread(self._unindexed, collection, index)
            if not waiting:
                if await asyncio.to_thread(self._swapped, collection, index):
                    return True
                if not await self._still_there(collection):
                    return False
                continue
            for done, document in enumerate(waiting):
                tell(done, len(waiting))
                await self._index_again(collection, index, document)

    async def _still_there(self, collection: Collection) -> bool:
        def work() -> bool:
            with self.database.reading() as connection:
                return bool(self.indexes(connection, collection))

        return await asyncio.to_thread(work)

    def _begun(self, collection: Collection) -> Index:
        """The index that is being built; one that another program began with other terms or vectors is given up."""
        with self._writing(collection) as client:
            with self.database.writing() as connection:
                building = [each for each in self.indexes(connection, collection) if each.state == BUILDING]
                foreign = [each for each in building if not self.is_ours(each)]
                for index in foreign:
                    connection.execute("DELETE FROM indexes WHERE no = ?", (index.no,))
                own = [each for each in building if self.is_ours(each)]
                begun = own[0] if own else self._new_index(connection, collection, BUILDING)
            self._settle(client)
        return begun

    def _unindexed(self, collection: Collection, index: Index) -> list[Document]:
        with self.database.reading() as connection:
            there = connection.execute("SELECT document FROM indexed WHERE idx = ?", (index.no,)).fetchall()
            known = {no for (no,) in there}
            return [each for each in self.shelf.documents(connection, collection) if each.no not in known]

    async def _index_again(self, collection: Collection, index: Index, document: Document) -> None:
        def read() -> list[Json]:
            with self.database.reading() as connection:
                found = self.shelf.chunks(connection, collection, document)
            return [{**chunk, "title": document.title} for _, chunk in sorted(found.items())]

        made = await self._made(collection, index, await asyncio.to_thread(read))

        def write() -> None:
            with self._writing(collection) as client:
                with self.database.reading() as connection:
                    if self.shelf.document(connection, collection, document.id) is None:
                        return
                if client is not None:
                    self._note_leftovers([(index.vectors, document.id, document.chunks)])
                    self.chroma.put(client, index.vectors, document.id, made.vectors)
                with self.database.writing() as connection:
                    there = connection.execute(
                        "SELECT 1 FROM indexed WHERE idx = ? AND document = ?", (index.no, document.no)
                    ).fetchone()
                    kept = self.shelf.document(connection, collection, document.id) is not None
                    if kept and there is None:
                        self._index_rows(connection, collection, index, document, made)
                    elif there is not None:  # by another rebuild, meanwhile: these are the vectors that count
                        self._forget_leftover(connection, index, document)
                    seen = self._next_generations(connection, [index])
                self._wrote(seen)

        await self._with_current_key(write)

    def _swapped(self, collection: Collection, index: Index) -> bool:
        """Let the new index serve if it has every document; what served before is dropped."""
        with self._writing(collection) as client:
            with self.database.writing() as connection:
                (missing,) = connection.execute(
                    "SELECT count(*) FROM documents WHERE collection = ? AND no NOT IN "
                    "(SELECT document FROM indexed WHERE idx = ?)",
                    (collection.id, index.no),
                ).fetchone()
                all_of_it = self.indexes(connection, collection)
                if missing or index.no not in {each.no for each in all_of_it}:
                    return False
                old = [each for each in all_of_it if each.no != index.no]
                connection.execute("UPDATE indexes SET state = ? WHERE no = ?", (SERVING, index.no))
                connection.executemany("DELETE FROM indexes WHERE no = ?", [(each.no,) for each in old])
                seen = self._next_generations(connection, [*old, index])
            self._wrote(seen)
            self._settle(client)
        return True

    # --- verifying --------------------------------------------------------------------------------------

    async def verify(self, collection: Collection) -> list[Json]:
        """Problems of a collection, each as {kind, what}; none if texts, chunks, terms and vectors belong together."""
        return await asyncio.to_thread(lambda: list(self._problems(collection)))

    def _problems(self, collection: Collection) -> Iterator[Json]:
        with self.database.reading() as connection:
            documents = list(self.shelf.documents(connection, collection))
            indexes = self.indexes(connection, collection)
            for document in documents:
                chunks = self.shelf.chunks(connection, collection, document)
                if sorted(chunks) != list(range(document.chunks)):
                    yield {"kind": "chunks", "what": document.id}
                text = self.shelf.text(connection, collection, document, 0, None)
                if any(not 0 <= chunk["start"] <= chunk["end"] <= len(text) for chunk in chunks.values()):
                    yield {"kind": "text", "what": document.id}
            serving = [index for index in indexes if index.state == SERVING]
            if len(serving) != 1:
                yield {"kind": "index", "what": f"{len(serving)} serve"}
            for index in serving:
                yield from self._index_problems(connection, index, documents)
            wanted = {
                f"{document.id}-{number}" for document in documents for number in range(document.chunks)
            }
        if collection.owner.person is None:
            for index in serving:
                yield from self._vector_problems(index, wanted)

    def _index_problems(
        self, connection: sqlite3.Connection, index: Index, documents: Sequence[Document]
    ) -> Iterator[Json]:
        rows = connection.execute(
            "SELECT document, chunks FROM indexed WHERE idx = ?", (index.no,)
        ).fetchall()
        known, expected = dict(rows), {document.no: document.chunks for document in documents}
        names = {document.no: document.id for document in documents}
        for no in known.keys() ^ expected.keys() | {no for no in known if known[no] != expected.get(no)}:
            yield {"kind": "terms", "what": names.get(no, str(no))}
        if (index.documents, index.chunks) != (len(known), sum(known.values())):
            yield {"kind": "counts", "what": str(index.no)}
        posted = {
            no
            for (no,) in connection.execute(
                "SELECT DISTINCT document FROM postings WHERE idx = ?", (index.no,)
            )
        }
        for no in posted - known.keys():
            yield {"kind": "terms", "what": names.get(no, str(no))}
        if not self.is_ours(index):
            yield {"kind": "outdated", "what": f"{index.tokenizer} {index.embedder}"}

    def _vector_problems(self, index: Index, wanted: set[str]) -> Iterator[Json]:
        there = set(self.chroma.ids(index.vectors))
        with self.database.reading() as connection:
            left = connection.execute(
                "SELECT document FROM leftovers WHERE vectors = ?", (index.vectors,)
            ).fetchall()
        noted = {document for (document,) in left}
        for document in sorted({split_chunk_id(key)[0] for key in wanted - there}):
            yield {"kind": "vectors", "what": document}
        for document in sorted({split_chunk_id(key)[0] for key in there - wanted} - noted):
            yield {"kind": "leftover", "what": document}

    # --- inside -----------------------------------------------------------------------------------------

    @contextmanager
    def _writing(self, collection: Collection) -> Generator[Any]:
        """Be the one writer of companies' vectors, with a client that knows every change; None for a person's collection."""
        if collection.owner.person is not None:
            yield None
            return
        with self.chroma.folder.writing() as client:
            yield client

    def _note_leftovers(self, gone: Iterable[tuple[str, str, int]]) -> None:
        with self.database.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO leftovers VALUES (?, ?, ?)", list(gone))

    def _settle(self, client: Any) -> None:
        """Remove vectors whose documents or indexes are gone, or never came, and take the notes of them back."""
        if client is None:
            return
        with self.database.reading() as connection:
            rows = connection.execute("SELECT vectors, document, chunks FROM leftovers").fetchall()
            known = {name for (name,) in connection.execute("SELECT vectors FROM indexes")}
        for each in client.list_collections():
            if each.name not in known:
                self.chroma.drop(client, each.name)
        by_name: dict[str, list[tuple[str, int]]] = {}
        for vectors, document, chunks in rows:
            by_name.setdefault(vectors, []).append((document, chunks))
        for vectors, documents in by_name.items():
            self.chroma.remove(client, vectors, documents)
        if rows:
            with self.database.writing() as connection:
                connection.executemany(
                    "DELETE FROM leftovers WHERE vectors = ? AND document = ?", [row[:2] for row in rows]
                )
                seen = {vectors: next_generation(connection, vectors) for vectors in by_name}
            self._wrote(seen)

    def _next_generations(self, connection: sqlite3.Connection, indexes: Iterable[Index]) -> dict[str, int]:
        return {index.vectors: next_generation(connection, index.vectors) for index in indexes}

    def _wrote(self, seen: dict[str, int]) -> None:
        for name, value in seen.items():
            self.chroma.folder.wrote(name, value)

    async def _with_current_key(self, work: Callable[[], T]) -> T:
        """Do it in a thread, again with the new key where the one that sealed was retired meanwhile."""

        def repeated() -> T:
            while True:
                try:
                    return work()
                except RetiredKey:
                    self._vault.ring.reload_if_changed()

        return await asyncio.to_thread(repeated)

    def new_document(self, **given: Any) -> Document:
        return Document(id=f"d{token_hex(12)}", added_at=iso(self._clock.now()), chunks=0, **given)


def index_key(key: bytes, index: Index) -> bytes:
    """Terms of two indexes have nothing in common, so that nobody can compare their rows."""
    return postings.keyed(key, index.vectors)
