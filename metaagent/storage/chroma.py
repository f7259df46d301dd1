"""Vectors in embedded Chroma, one collection per owner and name. Never its server, never its own embedding model.

Chroma gets the vectors, the ids and a keyed name of the owner. Texts and metadata are sealed before they go in, and the
vectors are made with a key. What is removed goes from its queue, too.

An open client never sees what another process adds. So each collection has a generation in SQL, raised with each change: a
client that is behind is opened anew before it is asked or written to.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import sqlite3
import threading
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar
from uuid import UUID

import orjson

from metaagent.errors import StorageError, Text
from metaagent.input_checks import admit_id
from metaagent.memory.embedding import embed
from metaagent.ports import OWN_TEXTS, Json, Match
from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.protection.sealing import refused
from metaagent.storage.files import held
from metaagent.storage.vault import Owner, Vault

DOCUMENTS, MEMORIES = "documents", "memory"
_UNUSABLE = Text(
    en="The vectors in {path} cannot be changed: {problem}. What was added before is still there. Check permissions and free "
    "space, then try again.",
    ko="{path}의 벡터를 바꿀 수 없습니다: {problem}. 이미 추가된 것은 그대로입니다. 권한과 남은 공간을 확인하고 다시 시도하세요.",
)
KEYED = {"features": 2}
"""Marks a collection whose vectors were made with a key."""
SPACE = {"hnsw": {"space": "cosine"}}
PAGE = 200
_DELETE = 3
"""The operation of Chroma's queue that removes a vector."""
T = TypeVar("T")


class Generations(Protocol):
    """Counters of changes by the name of a collection, as every process sees them."""

    def generations(self) -> dict[str, int]: ...
    def raise_generation(self, name: str) -> int: ...


def open_chroma(path: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return chromadb.PersistentClient(str(path), settings=Settings(anonymized_telemetry=False))


class ChromaFolder:
    """One folder of embedded Chroma, opened at first use and again when another process has changed what is asked for."""

    def __init__(self, path: Path, generations: Generations) -> None:
        self.path = path
        self._generations = generations
        self._opening = threading.Lock()
        self._client: Any = None
        self._seen: dict[str, int] = {}
        self.taken_over: set[Owner] = set()
        """Owners whose texts are where they belong, as far as this process has looked."""

    @property
    def exists(self) -> bool:
        return (self.path / "chroma.sqlite3").exists()

    def close(self) -> None:
        self._client = None

    @contextmanager
    def reading(self, name: str) -> Generator[Any]:
        """A client that knows every change of this collection, while nobody writes to the folder."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            yield self._fresh(name)
        finally:
            os.close(handle)

    @contextmanager
    def writing(self) -> Generator[Any]:
        """A client for the one writer, which knows every change of the folder. Whoever commits the change raises the
        generation, and says so by `wrote`."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with held(self.path):
            client = self._fresh()
            from chromadb.errors import ChromaError

            try:
                yield client
            except (ChromaError, sqlite3.OperationalError) as error:
                self._client = None  # it may hold what could not be written
                raise StorageError(_UNUSABLE, path=self.path, problem=error) from error

    def wrote(self, name: str, generation: int) -> None:
        self._seen[name] = generation

    def raise_generation(self, name: str) -> None:
        self.wrote(name, self._generations.raise_generation(name))

    def _fresh(self, name: str | None = None) -> Any:
        """Open anew where this collection, or without a name any, has changed elsewhere."""
        with self._opening:
            seen = self._generations.generations()
            behind = seen != self._seen if name is None else seen.get(name) != self._seen.get(name)
            if self._client is None or behind:
                if self._client is not None:
                    self._client.clear_system_cache()
                self._client = open_chroma(self.path)
                self._seen = seen
            return self._client


class ChromaIndex:
    """Vectors of one person's texts, with the texts sealed; or with `memories` those of their memories, whose texts are
    kept elsewhere. Nobody else's texts are in these collections."""

    def __init__(self, folder: ChromaFolder, vault: Vault, owner: Owner, *, memories: bool = False) -> None:
        self._folder = folder
        self._vault = vault
        self._owner = owner
        self._memories = memories
        self._key = vault.ring.feature_key(owner.tenant, owner.person)

    async def add(
        self,
        texts: Mapping[str, str],
        metadata: Mapping[str, Json] | None = None,
        *,
        collection: str = OWN_TEXTS,
    ) -> None:
        if texts:
            await self._run(self._add, collection, dict(texts), metadata or {})

    async def search(self, text: str, *, limit: int = 10, collection: str = OWN_TEXTS) -> list[Match]:
        return await self._run(self._search, collection, text, limit)

    async def get(self, ids: Sequence[str], *, collection: str = OWN_TEXTS) -> list[Match]:
        return await self._run(self._get, collection, list(ids)) if ids else []

    async def ids(self, *, collection: str = OWN_TEXTS) -> list[str]:
        return await self._run(self._ids, collection)

    async def count(self, *, collection: str = OWN_TEXTS) -> int:
        return await self._run(self._count, collection)

    async def remove(self, ids: Sequence[str], *, collection: str = OWN_TEXTS) -> None:
        if ids:
            await self._run(self._remove, collection, list(ids))

    async def erase(self) -> int:
        """Remove every collection of this owner: nothing of them is left in any file. Returns how many texts there were."""
        return await self._run(self._erase, OWN_TEXTS) if self._folder.exists else 0

    async def _run(self, work: Callable[..., T], collection: str, *given: Any) -> T:
        name = self._name(collection)

        def in_thread() -> T:
            if self._owner not in self._folder.taken_over and not self._memories:
                self._take_over()
                self._folder.taken_over.add(self._owner)
            return work(name, *given)

        return await asyncio.to_thread(in_thread)

    def _name(self, collection: str) -> str:
        if self._memories:
            named = f"collection\0{self._owner.person}".encode("utf-8", "surrogatepass")
            return f"{MEMORIES}-{self._vault.ring.company_hash(self._owner.tenant, named)[:32]}"
        owner = self._vault.owner_name(self._owner, f"vectors/{admit_id(collection, 'collection')}")
        return f"{DOCUMENTS}-{owner}"

    @property
    def _mark(self) -> str:
        return self._vault.owner_name(self._owner, "vectors")

    def _collection(self, client: Any, name: str) -> Any:
        return client.get_or_create_collection(
            name, embedding_function=None, configuration=SPACE, metadata={**KEYED, "of": self._mark}
        )

    def _add(self, name: str, texts: dict[str, str], metadata: Mapping[str, Json]) -> None:
        vectors = [embed(text, self._key) for text in texts.values()]
        sealer = self._vault.sealer(self._owner)
        with self._folder.writing() as client:
            while True:
                sealed = {
                    key: sealer.seal(orjson.dumps([text, metadata.get(key) or {}]), ("vectors", name, key))
                    for key, text in texts.items()
                }
                kept = [{"sealed": b64encode(value).decode("ascii")} for value in sealed.values()]
                more = {} if self._memories else {"metadatas": kept}
                self._collection(client, name).upsert(ids=list(texts), embeddings=vectors, **more)
                if self._memories or all(map(self._vault.holds, sealed.values())):
                    break  # else the key was retired meanwhile, and nobody sealed these again
            self._folder.raise_generation(name)

    def _search(self, name: str, text: str, limit: int) -> list[Match]:
        with self._folder.reading(name) as client:
            found = self._collection(client, name).query(
                query_embeddings=[embed(text, self._key)],
                n_results=limit,
                include=["distances", "metadatas"],
            )
        rows = zip(found["ids"][0], found["distances"][0], found["metadatas"][0], strict=True)
        return [self._match(name, key, more, 1.0 - distance) for key, distance, more in rows]

    def _get(self, name: str, ids: list[str]) -> list[Match]:
        with self._folder.reading(name) as client:
            found = self._collection(client, name).get(ids=ids, include=["metadatas"])
        known = dict(zip(found["ids"], found["metadatas"], strict=True))
        return [self._match(name, key, known[key], 1.0) for key in ids if key in known]

    def _ids(self, name: str) -> list[str]:
        with self._folder.reading(name) as client:
            return sorted(self._collection(client, name).get(include=[])["ids"])

    def _count(self, name: str) -> int:
        with self._folder.reading(name) as client:
            return self._collection(client, name).count()

    def _remove(self, name: str, ids: list[str]) -> None:
        with self._folder.writing() as client:
            kept = self._collection(client, name)
            kept.delete(ids=ids)
            scrub(self._folder.path, kept, ids)
            self._folder.raise_generation(name)

    def _erase(self, mine: str) -> int:
        erased = 0
        with self._folder.writing() as client:
            for each in client.list_collections():
                if each.name == mine or (each.metadata or {}).get("of") == self._mark:
                    erased += drop_collection(self._folder.path, client, each.name)
                    self._folder.raise_generation(each.name)
        return erased

    def _take_over(self) -> None:
        """Move this person's texts out of the one collection that a whole company had in earlier versions."""
        if self._owner.person is None or not self._folder.exists:
            return
        shared = f"{DOCUMENTS}-{hashlib.sha256(self._owner.company_id.encode()).hexdigest()[:32]}"
        with self._folder.reading(shared) as client:
            if shared not in {each.name for each in client.list_collections()}:
                return
            alias = self._vault.ring.alias(self._owner.tenant, self._owner.person)
            old = client.get_collection(shared, embedding_function=None)
            found = old.get(where={"owner": alias}, include=["metadatas"])
        rows = dict(zip(found["ids"], found["metadatas"], strict=True))
        opened = [self._match(shared, key, kept, 1.0) for key, kept in rows.items()]
        if opened:
            texts = {match.id: match.text for match in opened}
            self._add(self._name(OWN_TEXTS), texts, {match.id: match.metadata for match in opened})
            self._remove(shared, list(texts))

    def _match(self, name: str, key: str, kept: Mapping[str, Any] | None, score: float) -> Match:
        if self._memories:
            return Match(key, "", score)
        row = ("vectors", name, key)
        try:
            raw = b64decode(str((kept or {}).get("sealed")), validate=True)
        except ValueError:
            raise refused("/".join(row), "unsealed") from None
        text, metadata = orjson.loads(self._vault.sealer(self._owner).open(raw, row))
        return Match(key, text, score, metadata)


class SealedVectors:
    """The texts beside all owners' vectors, so that they can be counted by key and sealed again."""

    parts: Sequence[str] = ("vectors",)

    def __init__(self, folder: ChromaFolder) -> None:
        self._folder = folder

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(self._kids)

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, renewal, after or ("", 0))

    async def refuse(self, kids: Collection[str]) -> None:
        """Remove an added text again unless its key is still there."""

    async def scrub(self) -> None:
        if self._folder.exists:
            await asyncio.to_thread(scrub, self._folder.path)

    def _kids(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for name, offset in self._pages(("", 0)):
            with self._folder.reading(name) as client:
                heads = [value[:HEAD] for _, value in _sealed(client, name, offset)]
            found.update(filter(None, map(claimed_kid, heads)))
        return found

    def _renew(self, renewal: Renewal, after: tuple[str, int]) -> Batch:
        """One page; nobody else writes meanwhile."""
        page = next(self._pages(after), None)
        if page is None:
            return Batch(0)
        name, offset = page
        with self._folder.writing() as client:
            old = {k: value for k, value in _sealed(client, name, offset) if renewal.wants(value[:HEAD])}
            again = {key: renewal.again("store", value, ("vectors", name, key)) for key, value in old.items()}
            new = {key: value for key, value in again.items() if value is not None}
            if new:
                changed = [{"sealed": b64encode(value).decode("ascii")} for value in new.values()]
                found = client.get_collection(name, embedding_function=None)
                found.update(ids=list(new), metadatas=changed)
                self._folder.raise_generation(name)
        lost = tuple(f"vectors/{name}/{key}" for key in again.keys() - new.keys())
        return Batch(len(new), lost, (name, offset + PAGE))

    def _pages(self, after: tuple[str, int]) -> Iterator[tuple[str, int]]:
        """Collections in the order of their names, so many of their texts at a time."""
        if not self._folder.exists:
            return
        with self._folder.reading("") as client:
            counts = {each.name: each.count() for each in client.list_collections()}
        names = sorted(name for name in counts if name.startswith(f"{DOCUMENTS}-"))
        for name in (each for each in names if each >= after[0]):
            first = after[1] if name == after[0] else 0
            yield from ((name, offset) for offset in range(first, counts[name], PAGE))


def _sealed(client: Any, name: str, offset: int) -> Iterator[tuple[str, bytes]]:
    found = client.get_collection(name, embedding_function=None).get(
        limit=PAGE, offset=offset, include=["metadatas"]
    )
    for key, kept in zip(found["ids"], found["metadatas"], strict=True):
        try:
            yield key, b64decode(str((kept or {}).get("sealed")), validate=True)
        except ValueError:
            continue  # not sealed: its reader refuses it


def drop_collection(folder: Path, client: Any, name: str) -> int:
    """Remove a collection with the folder of its vectors, which Chroma leaves where it had not opened it. Nothing of it is
    left in any file; returns how many vectors there were."""
    found = client.get_collection(name, embedding_function=None)
    count: int = found.count()
    with closing(sqlite3.connect(folder / "chroma.sqlite3", timeout=30)) as connection:
        query = "SELECT id FROM segments WHERE collection = ? AND scope = 'VECTOR'"
        segments = connection.execute(query, (str(found.id),)).fetchall()
    client.delete_collection(name)
    for (segment,) in segments:
        shutil.rmtree(folder / str(UUID(segment)), ignore_errors=True)
    scrub(folder)
    return count


def scrub(folder: Path, collection: Any = None, removed: Sequence[str] = ()) -> None:
    """Take out of Chroma's queue the texts that are applied by then, and vectors that were removed from a collection;
    nothing overwritten is left in the file."""
    applied = """SELECT min(m.seq_id) FROM max_seq_id m JOIN segments s ON s.id = m.segment_id
                 WHERE s.scope = 'METADATA' AND embeddings_queue.topic LIKE '%' || s.collection"""
    with closing(sqlite3.connect(folder / "chroma.sqlite3", timeout=30, isolation_level=None)) as connection:
        connection.execute(f"UPDATE embeddings_queue SET metadata = NULL WHERE seq_id <= ({applied})")  # noqa: S608
        _unqueue(connection, collection, removed)
        connection.execute("VACUUM")


def scrub_queue(folder: Path, collection: Any, removed: Sequence[str]) -> None:
    """Overwrite what Chroma's queue still holds of vectors that were removed from a collection."""
    with closing(sqlite3.connect(folder / "chroma.sqlite3", timeout=30, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        _unqueue(connection, collection, removed)


def _unqueue(connection: sqlite3.Connection, collection: Any, removed: Sequence[str]) -> None:
    """Delete what was added, and leave that it was removed: an index file may not know yet, and Chroma would give the number
    of a collection's last row to the next one, and take that for applied."""
    for at in range(0, len(removed), PAGE):
        some = list(removed[at : at + PAGE])
        marks = ",".join("?" * len(some))
        connection.execute(
            f"DELETE FROM embeddings_queue WHERE topic LIKE ? AND id IN ({marks}) AND operation != {_DELETE}",  # noqa: S608
            (f"%{collection.id}", *some),
        )
