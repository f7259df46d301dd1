"""Memories of people in SQL, sealed; from a certain number on, found through vectors that hold no text."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import sqlalchemy as sa

from metaagent.config import Memory as MemorySettings
from metaagent.errors import InputRefused, Text
from metaagent.memory.conclusions import learned
from metaagent.memory.recall import (
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
from metaagent.protection.sealing import refused
from metaagent.storage.holds import HoldCheck
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import UNREADABLE
from metaagent.storage.tables import memories, sessions
from metaagent.storage.turn_records import Write
from metaagent.storage.vault import Owner, Vault
from metaagent.values import iso

if TYPE_CHECKING:
    from metaagent.storage.chroma import ChromaFolder, Generations

logger = logging.getLogger(__name__)

FOUND = 50
"""Memories that are asked of the vector index for one question."""

# Statements that every turn runs are built once: that costs more than running them.
_MINE = (memories.c.company_id == sa.bindparam("the_company")) & (
    memories.c.owner == sa.bindparam("the_owner")
)
_AT: sa.BindParameter[str] = sa.bindparam("at")
_ALIVE = (
    sa.select(memories)
    .where(_MINE & (memories.c.expires_at.is_(None) | (memories.c.expires_at > _AT)))
    .order_by(memories.c.updated_at.desc(), memories.c.memory_id)
)
_NEWEST = _ALIVE.limit(sa.bindparam("most", type_=sa.Integer))
_TAUGHT_BY_TURNS = _ALIVE.where(memories.c.kind.in_(("conclusion", "preference")))
_REPLACED = memories.c.memory_id.in_(sa.bindparam("replaced", expanding=True))
_REMOVE = memories.delete().where(_MINE & (_REPLACED | (memories.c.expires_at <= _AT)))

_FULL = Text(
    en="{count} memories are kept already (memory.items). Forget some first: `metaagent memory list` shows them.",
    ko="이미 {count}개를 기억하고 있습니다(memory.items). `metaagent memory list`를 보고 먼저 몇 개를 잊게 하세요.",
)


class _Stored(NamedTuple):
    """A row as the driver gives it: the columns in their order."""

    memory_id: str
    company_id: str
    owner: str
    kind: str
    created_at: str
    updated_at: str
    expires_at: str | None
    indexed: bool
    body: bytes


class MemoryStore:
    """Everything is asked for one person of one tenant; there is no way to ask for more."""

    def __init__(
        self,
        store: SqlStore,
        settings: MemorySettings,
        clock: Clock,
        index_for: Callable[[User], MemoryIndex],
        holds: HoldCheck | None = None,
    ) -> None:
        self._holds = holds
        self._store = store
        self._settings = settings
        self._clock = clock
        self._index_for = index_for
        self._writing = asyncio.Lock()
        self._newest = store.prepared(_NEWEST)
        store.delete_too("conclusions", self._remove_drawn_from)

    async def all(self, user: User) -> list[Memory]:
        """The newest first; what has expired is gone."""
        return await self._read(user)

    async def recall(self, user: User, question: str) -> list[Json]:
        """Memories that this question calls for, within the budget."""
        if not self._settings.enabled:
            return []
        above = self._settings.index_above
        given = {**self._of(user), "most": above + 1 + self._settings.conclusions}
        found = await self._store.at_hand(self._newest, **given)
        rows = self._readable(map(_Stored._make, found))
        if sum(not memory.by_rule for memory in rows) <= above:
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
            if sum(not memory.by_rule for memory in known) > self._settings.items:
                raise InputRefused(_FULL, count=self._settings.items)
            changed = {made.id: self._values(user, made) for made, old in done if made is not old}
            await self._store.transaction(lambda connection: self._write(connection, user, changed, at))
        await self._index(user)
        return done

    def learning(self, turn: Turn, note: Mapping[str, Any]) -> Write:
        """Writes what the turn leaves by rule, in the transaction that ends the turn."""
        user, settings = turn.user, self._settings
        source = {"session_id": turn.session_id, "turn_id": turn.turn_id}

        def write(connection: sa.Connection) -> None:
            now = self._clock.now()
            known = self._readable(connection.execute(_TAUGHT_BY_TURNS, self._of(user)))
            result = learned(
                known,
                note,
                new_id=_new_id,
                at=iso(now),
                expires_at=iso(now + timedelta(days=settings.conclusion_days)),
                source=source,
                most=settings.conclusions,
            )
            put = {m.id: self._values(user, m) for m in result.put}
            self._write(connection, user, put, iso(now), result.drop)

        return write

    def _write(
        self,
        connection: sa.Connection,
        user: User,
        changed: Mapping[str, Json],
        at: str,
        gone: Sequence[str] = (),
    ) -> None:
        connection.execute(_REMOVE, {**self._of(user), "at": at, "replaced": [*changed, *gone]})
        if changed:
            connection.execute(memories.insert(), list(changed.values()))

    async def find(self, user: User, about: str) -> list[Memory]:
        return matching(await self.all(user), about)

    async def forget(self, user: User, ids: Sequence[str]) -> int:
        """Vectors go first: if this is cut short, it can be asked for again. Refused under a legal hold."""
        if self._holds is not None:
            await self._holds.refuse(user)
        wanted = _MINE & memories.c.memory_id.in_(list(ids))
        indexed = await self._ids(user, wanted & memories.c.indexed)
        if indexed:
            await self._index_for(user).remove(indexed)
        return await self._change(user, memories.delete().where(wanted))

    async def erase(self, user: User) -> int:
        """Everything of this person, expired or not."""
        indexed = bool(await self._ids(user, _MINE & memories.c.indexed))
        count = await self.forget(user, await self._ids(user, _MINE))
        if indexed:
            await self._index_for(user).erase()
        return count

    # --- inside -----------------------------------------------------------------------------------------

    async def _read(self, user: User, query: sa.Select[Any] = _ALIVE) -> list[Memory]:
        values = self._of(user)
        rows = await self._store.transaction(lambda connection: connection.execute(query, values).all())
        return self._readable(rows)

    async def _ids(self, user: User, wanted: sa.ColumnElement[bool]) -> list[str]:
        query, values = sa.select(memories.c.memory_id).where(wanted), self._of(user)
        rows = await self._store.transaction(lambda connection: connection.execute(query, values).all())
        return [row.memory_id for row in rows]

    async def _change(self, user: User, statement: sa.Delete | sa.Update) -> int:
        values = self._of(user)
        return await self._store.transaction(
            lambda connection: connection.execute(statement, values).rowcount
        )

    def _readable(self, rows: Iterable[sa.Row[Any] | _Stored]) -> list[Memory]:
        """A damaged memory must not cost the person the answer: it is left out, and the log names it."""
        found: list[Memory] = []
        for row in rows:
            try:
                found.append(self._memory(row))
            except UNREADABLE as error:
                logger.error("memory %s was left out: %s", row.memory_id, error)
        return found

    def _remove_drawn_from(self, connection: sa.Connection, session_id: str) -> int:
        """Conclusions that this session left by rule; what the person asked to be remembered stays."""
        owner = sa.select(sessions.c.company_id, sessions.c.owner).where(sessions.c.session_id == session_id)
        whose = sa.tuple_(memories.c.company_id, memories.c.owner).in_(owner)
        by_rule = (memories.c.kind == "conclusion") & memories.c.expires_at.is_not(None)
        known = self._readable(connection.execute(sa.select(memories).where(whose & by_rule)))
        drawn = [m.id for m in known if m.by_rule and m.source.get("session_id") == session_id]
        return connection.execute(memories.delete().where(memories.c.memory_id.in_(drawn))).rowcount

    async def _through_index(self, user: User, question: str) -> list[tuple[Memory, float]]:
        """Preferences and what is not indexed yet are compared here; the rest comes from the index."""
        near = {match.id: match.score for match in await self._index_for(user).search(question, limit=FOUND)}
        loose = (memories.c.kind == "preference") | ~memories.c.indexed
        rows = await self._read(user, _ALIVE.where(memories.c.memory_id.in_(list(near)) | loose))
        found = [(m, relevance(m, question, near[m.id])) for m in rows if m.id in near]
        return [*found, *by_nearness([m for m in rows if m.id not in near], question)]

    async def _index(self, user: User) -> None:
        """Vectors of what has none yet, once there are many. Repeating it changes nothing."""
        asked_for = (memories.c.kind != "conclusion") | memories.c.expires_at.is_(None)
        if len(await self._ids(user, _MINE & asked_for)) <= self._settings.index_above:
            return
        # What rules wrote comes and goes with the turns, few at a time: it stays out of the index.
        loose = await self._read(user, _ALIVE.where(~memories.c.indexed))
        rows = [memory for memory in loose if not memory.by_rule]
        await self._index_for(user).add({memory.id: words(memory) for memory in rows})
        added = _MINE & memories.c.memory_id.in_([memory.id for memory in rows])
        await self._change(user, memories.update().where(added).values(indexed=True))

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

    def _memory(self, row: sa.Row[Any] | _Stored) -> Memory:
        body = self._store.unseal(row.body, row.company_id, "memories", row.memory_id)
        if not self._store.belongs_to(row.body, row.owner):
            raise refused(f"{row.company_id}/store/memories/{row.memory_id}", "changed")
        return Memory(
            id=row.memory_id,
            kind=row.kind,
            created_at=row.created_at,
            updated_at=row.updated_at,
            expires_at=row.expires_at,
            **body,
        )

    def _of(self, user: User) -> Json:
        """Parameters of every statement: whose memories, and when."""
        at = iso(self._clock.now())
        return {"the_company": user.company_id, "the_owner": self._store.alias(user), "at": at}


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


class MemoryIndex(VectorIndex, Protocol):
    async def erase(self) -> int: ...


def index_opener(folder: Path, vault: Vault, generations: Generations) -> Callable[[User], MemoryIndex]:
    """Chroma is imported and opened when the first person has enough memories to need it."""
    opened: ChromaFolder | None = None

    def index_for(user: User) -> MemoryIndex:
        nonlocal opened
        from metaagent.storage.chroma import ChromaFolder, ChromaIndex

        opened = opened or ChromaFolder(folder, generations)
        return ChromaIndex(opened, vault, Owner.of(user), memories=True)

    return index_for


def _new_id() -> str:
    return f"m{secrets.token_hex(12)}"
