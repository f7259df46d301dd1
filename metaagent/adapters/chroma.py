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
    """Without `sealed_by` nothing but vectors and ids is stored; the texts are kept elsewhere, sealed."""

    def __init__(
        self,
        client: Any,
        company_id: str,
        purpose: str = "documents",
        *,
        sealed_by: tuple[Vault, User] | None = None,
    ) -> None:
        self._client = client
        self._sealed_by = sealed_by
        # Tenants are hashed: names in Chroma are restricted, ours are not.
        self._name = f"{purpose}-{hashlib.sha256(company_id.encode()).hexdigest()[:32]}"

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
        kept: dict[str, Any] = {}
        if self._sealed_by is not None:
            vault, user = self._sealed_by
            kept["metadatas"] = [
                {"owner": vault.alias(user), "sealed": self._seal(key, [text, metadata.get(key) or {}])}
                for key, text in texts.items()
            ]
        self._collection().upsert(
            ids=list(texts), embeddings=[embed(text) for text in texts.values()], **kept
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
        assert self._sealed_by is not None
        vault, user = self._sealed_by
        return b64encode(vault.seal(user, orjson.dumps(value), ("vectors", self._name, key))).decode("ascii")

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
