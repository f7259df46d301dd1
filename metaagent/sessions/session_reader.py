"""Looking at past sessions: needs the stores and the rights, no graph and no agent, so that it starts at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from metaagent.config import Settings
from metaagent.governance.config_audit import note_configuration
from metaagent.input_checks import admit_question
from metaagent.ports import Json, SessionInfo, Turn, User
from metaagent.protection.keys import KeyRing
from metaagent.sessions.guard import SessionGuard, without_memories
from metaagent.sessions.opening import open_stores
from metaagent.storage.locks import is_locked
from metaagent.storage.session_marks import MOST_PINS, SessionMarks
from metaagent.storage.session_store import SqlStore

READ = "session.read"
"""The operation (see `metaagent.access.rights`) that every look needs."""


class SessionReader:
    """The sessions of a person, their turns and what was said in them."""

    def __init__(self, settings: Settings, store: SqlStore, guard: SessionGuard, ring: KeyRing) -> None:
        self.settings = settings
        self.ring = ring
        self._store = store
        self._marks = SessionMarks(store)
        self._guard = guard

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings) -> AsyncGenerator[SessionReader]:
        async with open_stores(settings) as opened:
            await note_configuration(settings, opened.vault.ring, opened.store, opened.audit)
            guard = SessionGuard(opened.store, opened.vault, opened.gatekeeper, _reads_no_less(settings))
            yield cls(settings, opened.store, guard, opened.vault.ring)

    async def sessions(
        self, *, user: User | None = None, limit: int = 100, before: str | None = None
    ) -> list[SessionInfo]:
        who = await self._guard.admitted(READ, user)
        return await self.marked(await self._store.list_sessions(who, limit=limit, before=before), who)

    async def session(self, session_id: str, *, user: User | None = None) -> SessionInfo:
        who = user or User()
        (info,) = await self.marked([await self._guard.session(session_id, who, READ)], who)
        return info

    async def turns(
        self,
        session_id: str,
        *,
        user: User | None = None,
        limit: int = 100,
        before: int | None = None,
    ) -> list[Turn]:
        """The newest first; `before` pages on from a turn's number. One that cannot be read has no question, and its
        refusal among its errors."""
        who = user or User()
        info = await self._guard.session(session_id, who, READ)
        found = await self._store.show_turns(session_id, limit=limit, before=before)
        if self._guard.is_owner(info, who):
            return found
        return [replace(turn, outcome=without_memories(turn.outcome)) for turn in found]

    async def history(
        self, session_id: str, *, before: int | None = None, limit: int = 50, user: User | None = None
    ) -> list[Json]:
        """Everything that was said, the newest first; `before` pages on from a message's position."""
        await self._guard.session(session_id, user or User(), READ)
        return await self._store.history(session_id, before=before, limit=limit)

    async def search_history(
        self,
        session_id: str,
        text: str,
        *,
        before: int | None = None,
        limit: int = 50,
        user: User | None = None,
    ) -> list[Json]:
        """Find messages that hold the text, the newest first."""
        await self._guard.session(session_id, user or User(), READ)
        admit_question(text, self.settings.limits.question_bytes)
        return await self._store.search_history(session_id, text, before=before, limit=limit)

    async def search_sessions(
        self, text: str, *, limit: int = 100, user: User | None = None
    ) -> list[SessionInfo]:
        """Sessions that began with a question which holds the text."""
        admit_question(text, self.settings.limits.question_bytes)
        who = await self._guard.admitted(READ, user)
        return await self.marked(await self._store.search_sessions(who, text, limit=limit), who)

    async def marked(self, found: Sequence[SessionInfo], user: User) -> list[SessionInfo]:
        """Say which of them the person pinned, and which colleagues may read."""
        pinned = {*await self._marks.pinned(user, MOST_PINS)}
        shared = await self._marks.shared_by(user)
        return [
            replace(info, pinned=info.session_id in pinned, shared=info.session_id in shared)
            for info in self._with_status(found)
        ]

    def _with_status(self, found: Sequence[SessionInfo]) -> list[SessionInfo]:
        """A turn that runs, but that no process works on, was cut off."""
        locks: Path = self.settings.data_dir / "locks"
        return [
            replace(info, status="interrupted")
            if info.status in {"queued", "running"} and not is_locked(locks, info.session_id)
            else info
            for info in found
        ]


def _reads_no_less(settings: Settings) -> Callable[[User, User], bool]:
    """The domain is opened where a share asks for it alone: most looks at sessions need none."""

    def told(reader: User, other: User) -> bool:
        from metaagent.sessions.domain import OpenDomain

        return OpenDomain(settings).reads_no_less(reader, other)

    return told
