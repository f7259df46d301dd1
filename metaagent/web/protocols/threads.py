"""Conversations of clients that send their whole history each time: which session each of them is.

A keyed digest of what was said so far stands for it, so nothing of the conversation is kept here. A client that goes on from
an earlier place, or two that began alike, go on in a copy of the session as it was there.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from metaagent.acting import Acting
from metaagent.errors import MetaAgentError
from metaagent.ports import ENDED, User
from metaagent.protection.keys import KeyRing

MOST = 100_000
"""Places that are known; the oldest go first. A conversation that is forgotten begins a new session."""
PRUNE_EVERY = 1_000

Said = tuple[str, str]
"""A role and what it said."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS threads (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL
)
"""


class _Place(NamedTuple):
    session_id: str
    turn_id: str


class Threads:
    def __init__(self, folder: Path, ring: KeyRing) -> None:
        self._path = folder / "conversations.db"
        self._ring = ring
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    async def session_of(self, app: Acting, history: Sequence[Said]) -> str | None:
        """The session that this history belongs to; None where there is none, or none to go on from."""
        if not history:
            return None
        place = await asyncio.to_thread(self._find, self._digest(app.user, history))
        if place is None:
            return None
        try:
            return await _continued(app, place)
        except MetaAgentError:  # deleted, expired or restored since: the conversation begins anew
            return None

    async def named(self, app: Acting, name: str) -> str | None:
        """The session that a client of this person knows by a name of its own."""
        place = await asyncio.to_thread(self._find, self._digest(app.user, [("name", name)]))
        return place.session_id if place else None

    async def keep_named(self, app: Acting, name: str, session_id: str) -> None:
        digest = self._digest(app.user, [("name", name)])
        await asyncio.to_thread(self._keep, digest, _Place(session_id, ""))

    async def keep(self, app: Acting, history: Sequence[Said], session_id: str, turn_id: str) -> None:
        """Note that this history, its last answer included, ends with this turn."""
        digest = self._digest(app.user, history)
        await asyncio.to_thread(self._keep, digest, _Place(session_id, turn_id))

    def _digest(self, user: User, history: Sequence[Said]) -> str:
        said = [[role, text.strip()] for role, text in history]
        return self._ring.company_hash(user.tenant, orjson.dumps(["thread", user.user_id, said]))

    def _connect(self) -> sqlite3.Connection:
        """The connection, opened with the first use. A place that a power cut takes back begins a new session: nothing is
        waited for."""
        if self._connection is None:
            self._connection = sqlite3.connect(
                self._path, timeout=30, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(_SCHEMA)
        return self._connection

    def _find(self, digest: str) -> _Place | None:
        with self._lock:
            found = self._connect().execute(
                "SELECT session_id, turn_id FROM threads WHERE digest = ?", (digest,)
            )
            row = found.fetchone()
        return _Place(*row) if row else None

    def _keep(self, digest: str, place: _Place) -> None:
        with self._lock:
            connection = self._connect()
            added = connection.execute(
                "INSERT OR REPLACE INTO threads (digest, session_id, turn_id) VALUES (?, ?, ?)",
                (digest, *place),
            ).lastrowid
            if added and added % PRUNE_EVERY == 0:
                connection.execute("DELETE FROM threads WHERE place <= ?", (added - MOST,))

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


async def _continued(app: Acting, place: _Place) -> str | None:
    (last,) = await app.turns(place.session_id, limit=1)
    if last.turn_id == place.turn_id:
        return place.session_id
    turns = await app.turns(place.session_id)
    there = next((turn for turn in turns if turn.turn_id == place.turn_id), None)
    if there is None or there.status not in ENDED:
        return None
    return (await app.fork(place.session_id, turn=there.number)).session_id
