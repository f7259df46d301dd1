"""Vectors in embedded Chroma, one collection per tenant. Never its server, never its own embedding model."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metaagent.embedding import DIMENSIONS, embed
from metaagent.ports import Json, Match


def open_chroma(path: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return chromadb.PersistentClient(str(path), settings=Settings(anonymized_telemetry=False))


class ChromaIndex:
    """With `keep_texts` off nothing but vectors and ids is stored; the texts are kept elsewhere, sealed."""

    def __init__(
        self, client: Any, company_id: str, purpose: str = "documents", *, keep_texts: bool = True
    ) -> None:
        self._client = client
        self._keep_texts = keep_texts
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

    def _collection(self) -> Any:
        space = {"hnsw": {"space": "cosine"}}
        return self._client.get_or_create_collection(self._name, embedding_function=None, configuration=space)

    def _add(self, texts: dict[str, str], metadata: Mapping[str, Json]) -> None:
        kept: dict[str, Any] = {
            "documents": list(texts.values()),
            "metadatas": [metadata.get(key) or {"dimensions": DIMENSIONS} for key in texts],
        }
        self._collection().upsert(
            ids=list(texts),
            embeddings=[embed(text) for text in texts.values()],
            **(kept if self._keep_texts else {}),
        )

    def _search(self, text: str, limit: int) -> list[Match]:
        found = self._collection().query(query_embeddings=[embed(text)], n_results=limit)
        rows = zip(
            found["ids"][0], found["documents"][0], found["distances"][0], found["metadatas"][0], strict=True
        )
        return [
            Match(key, document or "", 1.0 - distance, dict(more or {}))
            for key, document, distance, more in rows
        ]
