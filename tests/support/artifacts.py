"""Artifacts as an interrupted attempt leaves them."""

from __future__ import annotations

import orjson

from metaagent.ports import ArtifactRef
from metaagent.runtime import MetaAgent
from metaagent.storage.session_store import SqlStore


async def stray(app: MetaAgent, session_id: str, name: str = "stray") -> str:
    """Leaves a file as an attempt does that was killed before its step was done."""
    store: SqlStore = app._store  # pyright: ignore[reportPrivateUsage]
    turn = (await app.turns(session_id))[0]
    content = orjson.dumps({"by": name})
    ref = ArtifactRef("a" + name.encode().hex().ljust(31, "0")[:31], "dataset", name, len(content), "0" * 64)
    await store.commit([store.artifact_row(ref, content, turn, turn.started_at)])
    return ref.id
