"""Memories of people in SQL, sealed; from a certain number on, found through vectors that hold no text."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from metaagent.adapters.sql_store import SqlStore
from metaagent.adapters.tables import memories
from metaagent.config import Memory as MemorySettings
from metaagent.errors import InputRefused, Text
from metaagent.memory import (
    Memory,
    as_changed,
    by_nearness,
    choose,
    matching,
    noted,
    relevance,
    shown,
    words,
)
from metaagent.ports import Clock, Json, Turn, User, VectorIndex
from metaagent.sealing import refused
from metaagent.times import iso

FOUND = 50
"""Memories that are asked of the vector index for one question."""

_FULL = Text(
    en="{count} memories are kept already (memory.items). Forget some first: `metaagent memory list` shows them.",
    ko="이미 {count}개를 기억하고 있습니다(memory.items). `metaagent memory list`를 보고 먼저 몇 개를 잊게 하세요.",
)


class MemoryStore:
    """Everything is asked for one person of one tenant; there is no way to ask for more."""

    def __init__(
        self,
        store: SqlStore,
        settings: MemorySettings,
        clock: Clock,
        index_for: Callable[[User], VectorIndex],
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._index_for = index_for
        self._writing = asyncio.Lock()

    async def all(self, user: User) -> list[Memory]:
        """The newest first; what has expired is gone."""
        return await self._read(user)

    async def recall(self, user: User, question: str) -> list[Json]:
        """What this question calls for, within the budget."""
        if not self._settings.enabled:
            return []
        above = self._settings.index_above
        rows = await self._read(user, limit=above + 1)
        if len(rows) <= above:
            scored = by_nearness(rows, question) if rows else []
        else:
            scored = await self._through_index(user, question)
        return [memory.as_json() for memory in choose(scored, self._settings.bytes)]

    async def remember(
        self, user: User, notes: Sequence[Mapping[str, Any]], source: Mapping[str, str]
    ) -> list[tuple[Memory, Memory | None]]:
        """Each as it is known now, and as it was before. A note about something known replaces it; the same note
        again changes nothing."""
        async with self._writing:
            at = iso(self._clock.now())
            known = await self.all(user)
            done: list[tuple[Memory, Memory | None]] = []
            for note in notes:
                made, old = noted(known, note, new_id=_new_id, at=at, source=source)
                known = [made, *(memory for memory in known if memory.id != made.id)]
                done.append((made, old))
            if len(known) > self._settings.items:
                raise InputRefused(_FULL, count=self._settings.items)
            changed = {made.id: self._values(user, made) for made, old in done if made is not old}
            await self._store.transaction(lambda connection: self._write(connection, user, changed, at))
        await self._index(user)
        return done

    def _write(self, connection: sa.Connection, user: User, changed: Mapping[str, Json], at: str) -> None:
        stale = memories.c.memory_id.in_(list(changed)) | (memories.c.expires_at <= at)
        connection.execute(memories.delete().where(self._of(user) & stale))
        for values in changed.values():
            connection.execute(memories.insert().values(values))

    async def find(self, user: User, about: str) -> list[Memory]:
        return matching(await self.all(user), about)

    async def forget(self, user: User, ids: Sequence[str]) -> int:
        """Vectors go first: if this is cut short, it can be asked for again."""
        wanted = self._of(user) & memories.c.memory_id.in_(list(ids))
        query = sa.select(memories.c.memory_id).where(wanted & memories.c.indexed)
        indexed = await self._store.transaction(
            lambda connection: [row.memory_id for row in connection.execute(query)]
        )
        if indexed:
            await self._index_for(user).remove(indexed)
        return await self._store.transaction(
            lambda connection: connection.execute(memories.delete().where(wanted)).rowcount
        )

    async def erase(self, user: User) -> int:
        """Everything of this person, expired or not."""
        query = sa.select(memories.c.memory_id).where(self._of(user))
        ids = await self._store.transaction(
            lambda connection: [row.memory_id for row in connection.execute(query)]
        )
        return await self.forget(user, ids)

    # --- inside -----------------------------------------------------------------------------------------

    async def _read(
        self, user: User, *, where: sa.ColumnElement[bool] | None = None, limit: int | None = None
    ) -> list[Memory]:
        at = iso(self._clock.now())
        alive = self._of(user) & (memories.c.expires_at.is_(None) | (memories.c.expires_at > at))
        query = sa.select(memories).where(alive if where is None else alive & where)
        newest = query.order_by(memories.c.updated_at.desc(), memories.c.memory_id).limit(limit)
        rows = await self._store.transaction(lambda connection: connection.execute(newest).all())
        return [self._memory(row, user) for row in rows]

    async def _through_index(self, user: User, question: str) -> list[tuple[Memory, float]]:
        """Preferences and what is not indexed yet are compared here; the rest comes from the index."""
        near = {match.id: match.score for match in await self._index_for(user).search(question, limit=FOUND)}
        loose = (memories.c.kind == "preference") | ~memories.c.indexed
        rows = await self._read(user, where=memories.c.memory_id.in_(list(near)) | loose)
        found = [(m, relevance(m, question, near[m.id])) for m in rows if m.id in near]
        return [*found, *by_nearness([m for m in rows if m.id not in near], question)]

    async def _index(self, user: User) -> None:
        """Vectors of what has none yet, once there are many. Repeating it changes nothing."""
        many = sa.select(sa.func.count()).select_from(memories).where(self._of(user))
        count = await self._store.transaction(lambda connection: connection.execute(many).scalar_one())
        if count <= self._settings.index_above:
            return
        rows = await self._read(user, where=~memories.c.indexed)
        await self._index_for(user).add({memory.id: words(memory) for memory in rows})
        added = self._of(user) & memories.c.memory_id.in_([memory.id for memory in rows])
        marked = memories.update().where(added).values(indexed=True)
        await self._store.transaction(lambda connection: connection.execute(marked).rowcount)

    def _values(self, user: User, memory: Memory) -> Json:
        body = {
            "key": memory.key,
            "value": memory.value,
            "text": memory.text,
            "confidence": memory.confidence,
            "source": dict(memory.source),
        }
        return {
            "memory_id": memory.id,
            "company_id": user.company_id,
            "owner": self._store.alias(user),
            "kind": memory.kind,
            "created_at": memory.created_at,
            "updated_at": memory.updated_at,
            "expires_at": memory.expires_at,
            "indexed": False,
            "body": self._store.seal(body, user, "memories", memory.id),
        }

    def _memory(self, row: sa.Row[Any], user: User) -> Memory:
        body = self._store.unseal(row.body, row.company_id, "memories", row.memory_id)
        if not self._store.belongs_to(row.body, user):
            raise refused(f"{row.company_id}/store/memories/{row.memory_id}", "changed")
        return Memory(
            id=row.memory_id,
            kind=row.kind,
            created_at=row.created_at,
            updated_at=row.updated_at,
            expires_at=row.expires_at,
            **body,
        )

    def _of(self, user: User) -> sa.ColumnElement[bool]:
        return (memories.c.company_id == user.company_id) & (memories.c.owner == self._store.alias(user))


class MemoryOfTurn:
    """The port that agents are given: bound to who asks, and to the turn as the source of what is learned."""

    def __init__(self, store: MemoryStore, turn: Turn) -> None:
        self._store = store
        self._user = turn.user
        self._source = {"session_id": turn.session_id, "turn_id": turn.turn_id}
        self._language = turn.language

    async def remember(self, notes: Sequence[Json]) -> list[Json]:
        done = await self._store.remember(self._user, notes, self._source)
        return [as_changed(made, old, self._language) for made, old in done]

    async def find(self, about: str) -> list[Json]:
        return [self._told(memory) for memory in await self._store.find(self._user, about)]

    async def forget(self, ids: Sequence[str]) -> int:
        return await self._store.forget(self._user, ids)

    async def all(self) -> list[Json]:
        return [self._told(memory) for memory in await self._store.all(self._user)]

    def _told(self, memory: Memory) -> Json:
        return {**memory.as_json(), "shown": shown(memory, self._language)}


def index_opener(folder: Path) -> Callable[[User], VectorIndex]:
    """Chroma is imported and opened when the first person has enough memories to need it."""
    client: Any = None

    def index_for(user: User) -> VectorIndex:
        nonlocal client
        from metaagent.adapters.chroma import ChromaIndex, open_chroma

        client = client or open_chroma(folder)
        return ChromaIndex(client, f"{user.company_id}\0{user.user_id}", "memory")

    return index_for


def _new_id() -> str:
    return f"m{secrets.token_hex(12)}"
