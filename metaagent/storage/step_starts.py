"""Starts of steps on record: counted before an agent runs, so that a step that takes its process down is known."""

from __future__ import annotations

import asyncio

from metaagent.ports import Turn
from metaagent.storage.session_store import SqlStore


class StartsOfTurn:
    """The starts of one turn's steps. A row counts the starts of one agent that nobody saw the end of."""

    def __init__(self, store: SqlStore, turn: Turn) -> None:
        self._store = store
        self._turn = turn
        self._counted: set[tuple[str, str]] = set()
        self._waiting: set[tuple[str, str]] = set()
        self._writing = asyncio.Lock()

    async def begin(self, step_id: str, agent: str) -> None:
        """Count the start of an agent durably, once for each process: its second try ends with the same process. Steps
        that start together are written together."""
        place = (step_id, agent)
        if place in self._counted:
            return
        self._waiting.add(place)
        await asyncio.sleep(0)
        async with self._writing:
            if place in self._counted:
                return
            places = set(self._waiting)
            await self._store.count_starts(self._turn, sorted(places))
            self._counted |= places
            self._waiting -= places

    async def crashes(self) -> dict[tuple[str, str], int]:
        """The processes that ended while a step's agent ran in them, by step and agent."""
        found = await self._store.starts(self._turn.turn_id)
        return {place: unended for place, unended in found.items() if unended}
