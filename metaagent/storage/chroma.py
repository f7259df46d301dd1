"""Vectors in embedded Chroma, one collection per tenant. Never its server, never its own embedding model.

Chroma gets the vectors, the ids and an alias of the owner. Texts and metadata are sealed before they go in, and the
vectors are made with a key. What is removed goes from its queue, too.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from metaagent.memory.embedding import embed
from metaagent.ports import Json, Match, User
from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.protection.sealing import refused
from metaagent.storage.files import held
from metaagent.storage.vault import Vault

DOCUMENTS, MEMORIES = "documents", "memory"
KEYED = {"features": 2}
"""Marks a collection whose vectors were made with a key."""
PAGE = 200


def open_chroma(path: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return chromadb.PersistentClient(str(path), settings=Settings(anonymized_telemetry=False))


class ChromaIndex:
    """The vectors of a company's documents, with their texts sealed; or with `personal` those of one person's memories,
    whose texts are kept elsewhere."""

    def __init__(self, client: Any, vault: Vault, user: User, *, personal: bool = False) -> None:
        self._client = client
        self._vault = vault
        self._user = user
        self._sealed_by = None if personal else (vault, user)
        if personal:
            owner = vault.ring.company_hash(user.tenant, f"collection\0{user.user_id}".encode())
            self._name = f"{MEMORIES}-{owner[:32]}"
        else:
            # Tenants are hashed: names in Chroma are restricted, ours are not.
            self._name = f"{DOCUMENTS}-{hashlib.sha256(user.company_id.encode()).hexdigest()[:32]}"
        self._key = vault.ring.feature_key(user.tenant, user.user_id if personal else None)

    async def add(self, texts: Mapping[str, str], metadata: Mapping[str, Json] | None = None) -> None:
        if texts:
            await asyncio.to_thread(self._add, dict(texts), metadata or {})

    async def search(self, text: str, *, limit: int = 10) -> list[Match]:
        return await asyncio.to_thread(self._search, text, limit)

    async def remove(self, ids: Sequence[str]) -> None:
        if ids:
            await asyncio.to_thread(self._remove, list(ids))

    async def drop(self) -> None:
        """Remove the whole collection: nothing of it is left in any file."""
        await asyncio.to_thread(self._drop)

    async def erase(self, alias: str) -> int:
        """Removes what this person put in; how much that was."""
        return await asyncio.to_thread(self._erase, alias)

    def _collection(self) -> Any:
        space = {"hnsw": {"space": "cosine"}}
        found = self._client.get_or_create_collection(
            self._name, embedding_function=None, configuration=space, metadata=KEYED
        )
        if (found.metadata or {}).get("features") != KEYED["features"]:
            self._rebuild(found)
        return found

    def _rebuild(self, collection: Any) -> None:
        """Make the vectors of an earlier version anew, with the key."""
        with held(_folder(self._client)):
            for offset in range(0, collection.count(), PAGE):
                page = collection.get(limit=PAGE, offset=offset, include=["metadatas"])
                rows = zip(page["ids"], page["metadatas"], strict=True)
                texts = [self._open(key, (kept or {}).get("sealed"))[0] for key, kept in rows]
                collection.update(ids=page["ids"], embeddings=[embed(text, self._key) for text in texts])
            collection.modify(metadata=KEYED)
        _scrub(_folder(self._client))

    def _remove(self, ids: list[str]) -> None:
        self._collection().delete(ids=ids)
        _scrub(_folder(self._client), ids)

    def _drop(self) -> None:
        if self._name in {each.name for each in self._client.list_collections()}:
            ids = self._client.get_collection(self._name, embedding_function=None).get(include=[])["ids"]
            self._client.delete_collection(self._name)
            _scrub(_folder(self._client), ids)

    def _add(self, texts: dict[str, str], metadata: Mapping[str, Json]) -> None:
        vectors = [embed(text, self._key) for text in texts.values()]
        if self._sealed_by is None:
            self._collection().upsert(ids=list(texts), embeddings=vectors)
            return
        vault, user = self._sealed_by
        with held(_folder(self._client)):
            while True:
                sealed = {
                    key: self._seal(key, [text, metadata.get(key) or {}]) for key, text in texts.items()
                }
                kept = [
                    {"owner": vault.alias(user), "sealed": b64encode(value).decode("ascii")}
                    for value in sealed.values()
                ]
                self._collection().upsert(ids=list(texts), embeddings=vectors, metadatas=kept)
                if all(map(vault.holds, sealed.values())):
                    return  # else the key was retired meanwhile, and nobody sealed these again

    def _search(self, text: str, limit: int) -> list[Match]:
        found = self._collection().query(
            query_embeddings=[embed(text, self._key)], n_results=limit, include=["distances", "metadatas"]
        )
        rows = zip(found["ids"][0], found["distances"][0], found["metadatas"][0], strict=True)
        matches: list[Match] = []
        for key, distance, more in rows:
            known, metadata = self._open(key, (more or {}).get("sealed"))
            matches.append(Match(key, known, 1.0 - distance, metadata))
        return matches

    def _erase(self, alias: str) -> int:
        collection = self._collection()
        theirs: list[str] = collection.get(where={"owner": alias}, include=[])["ids"]
        if theirs:
            self._remove(theirs)
        return len(theirs)

    def _seal(self, key: str, value: object) -> bytes:
        assert self._sealed_by is not None
        vault, user = self._sealed_by
        return vault.seal(user, orjson.dumps(value), ("vectors", self._name, key))

    def _open(self, key: str, sealed: object) -> tuple[str, Json]:
        if self._sealed_by is None:
            return "", {}
        vault, user = self._sealed_by
        row = ("vectors", self._name, key)
        try:
            raw = b64decode(str(sealed), validate=True)
        except ValueError:
            raise refused("/".join(row), "unsealed") from None
        text, metadata = orjson.loads(vault.open(user.company_id, raw, row))
        return text, metadata


class SealedVectors:
    """The texts beside all tenants' vectors, so that they can be counted by key and sealed again. `client` opens
    Chroma, if there is anything in it."""

    parts: Sequence[str] = ("vectors",)

    def __init__(self, client: Callable[[], Any]) -> None:
        self._open = client

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(self._kids)

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, renewal, after or ("", 0))

    async def refuse(self, kids: Collection[str]) -> None:
        """Remove an added text again unless its key is still there."""

    async def scrub(self) -> None:
        client = self._open()
        if client is not None:
            await asyncio.to_thread(_scrub, _folder(client))

    def _kids(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for collection, offset in self._pages(("", 0)):
            heads = (value[:HEAD] for _, value in _sealed(collection, offset))
            found.update(filter(None, map(claimed_kid, heads)))
        return found

    def _renew(self, renewal: Renewal, after: tuple[str, int]) -> Batch:
        """One page; nobody else writes meanwhile."""
        page = next(self._pages(after), None)
        if page is None:
            return Batch(0)
        collection, offset = page
        with held(_folder(self._open())):
            old = {key: value for key, value in _sealed(collection, offset) if renewal.wants(value[:HEAD])}
            again = {
                key: renewal.again("store", value, ("vectors", collection.name, key))
                for key, value in old.items()
            }
            new = {key: value for key, value in again.items() if value is not None}
            if new:
                changed = [{"sealed": b64encode(value).decode("ascii")} for value in new.values()]
                collection.update(ids=list(new), metadatas=changed)
        lost = tuple(f"vectors/{collection.name}/{key}" for key in again.keys() - new.keys())
        return Batch(len(new), lost, (collection.name, offset + PAGE))

    def _pages(self, after: tuple[str, int]) -> Iterator[tuple[Any, int]]:
        """Collections in the order of their names, so many of their texts at a time."""
        client = self._open()
        found: list[Any] = [] if client is None else client.list_collections()
        mine = {each.name: each for each in found if each.name.startswith(f"{DOCUMENTS}-")}
        for collection in (mine[name] for name in sorted(mine) if name >= after[0]):
            first = after[1] if collection.name == after[0] else 0
            yield from ((collection, offset) for offset in range(first, collection.count(), PAGE))


def _sealed(collection: Any, offset: int) -> Iterator[tuple[str, bytes]]:
    found = collection.get(limit=PAGE, offset=offset, include=["metadatas"])
    for key, kept in zip(found["ids"], found["metadatas"], strict=True):
        try:
            yield key, b64decode(str((kept or {}).get("sealed")), validate=True)
        except ValueError:
            continue  # not sealed: its reader refuses it


def _folder(client: Any) -> Path:
    return Path(client.get_settings().persist_directory)


def _scrub(folder: Path, removed: Sequence[str] = ()) -> None:
    """Chroma keeps what it was given in a queue, for vectors that are not in its index file yet. The texts beside them
    are applied by then: they are taken out of it, and whatever was removed with its vectors; nothing overwritten is
    left in the file."""
    applied = """SELECT min(m.seq_id) FROM max_seq_id m JOIN segments s ON s.id = m.segment_id
                 WHERE s.scope = 'METADATA' AND embeddings_queue.topic LIKE '%' || s.collection"""
    with closing(sqlite3.connect(folder / "chroma.sqlite3", timeout=30, isolation_level=None)) as connection:
        connection.execute(f"UPDATE embeddings_queue SET metadata = NULL WHERE seq_id <= ({applied})")  # noqa: S608
        for at in range(0, len(removed), PAGE):
            some = list(removed[at : at + PAGE])
            marks = ",".join("?" * len(some))
            connection.execute(f"DELETE FROM embeddings_queue WHERE id IN ({marks})", some)  # noqa: S608
        connection.execute("VACUUM")
