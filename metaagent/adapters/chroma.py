"""Vectors in embedded Chroma, one collection per tenant. Never its server, never its own embedding model.

Chroma gets the vectors, the ids and an alias of the owner. Texts and metadata are sealed before they go in.
"""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from metaagent.adapters.vault import Vault
from metaagent.embedding import embed
from metaagent.ports import Json, Match, User
from metaagent.sealing import refused


def open_chroma(path: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return chromadb.PersistentClient(str(path), settings=Settings(anonymized_telemetry=False))


class ChromaIndex:
    def __init__(self, client: Any, vault: Vault, user: User, purpose: str = "documents") -> None:
        self._client = client
        self._vault = vault
        self._user = user
        # Tenants are hashed: names in Chroma are restricted, ours are not.
        self._name = f"{purpose}-{hashlib.sha256(user.company_id.encode()).hexdigest()[:32]}"

    async def add(self, texts: Mapping[str, str], metadata: Mapping[str, Json] | None = None) -> None:
        if texts:
            await asyncio.to_thread(self._add, dict(texts), metadata or {})

    async def search(self, text: str, *, limit: int = 10) -> list[Match]:
        return await asyncio.to_thread(self._search, text, limit)

    async def remove(self, ids: Sequence[str]) -> None:
        if ids:
            await asyncio.to_thread(lambda: self._collection().delete(ids=list(ids)))

    async def erase(self, alias: str) -> int:
        """Removes what this person put in; how much that was."""
        return await asyncio.to_thread(self._erase, alias)

    def _collection(self) -> Any:
        space = {"hnsw": {"space": "cosine"}}
        return self._client.get_or_create_collection(self._name, embedding_function=None, configuration=space)

    def _add(self, texts: dict[str, str], metadata: Mapping[str, Json]) -> None:
        owner = self._vault.alias(self._user)
        self._collection().upsert(
            ids=list(texts),
            embeddings=[embed(text) for text in texts.values()],
            metadatas=[
                {"owner": owner, "sealed": self._seal(key, [text, metadata.get(key) or {}])}
                for key, text in texts.items()
            ],
        )

    def _search(self, text: str, limit: int) -> list[Match]:
        found = self._collection().query(
            query_embeddings=[embed(text)], n_results=limit, include=["distances", "metadatas"]
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
            collection.delete(ids=theirs)
        return len(theirs)

    def _seal(self, key: str, value: object) -> str:
        sealed = self._vault.seal(self._user, orjson.dumps(value), ("vectors", self._name, key))
        return b64encode(sealed).decode("ascii")

    def _open(self, key: str, sealed: object) -> tuple[str, Json]:
        row = ("vectors", self._name, key)
        try:
            raw = b64decode(str(sealed), validate=True)
        except ValueError:
            raise refused("/".join(row), "unsealed") from None
        text, metadata = orjson.loads(self._vault.open(self._user.company_id, raw, row))
        return text, metadata
