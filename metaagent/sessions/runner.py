"""Runs turns in this process. Workers on other machines can take its place behind the same protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from metaagent.errors import Text, TurnAbandoned
from metaagent.journal import Journal
from metaagent.ports import ENDED, Claim, Clock, Json, Turn, TurnStatus
from metaagent.storage.locks import is_locked, lock_session
from metaagent.storage.session_store import SqlStore

POLL_SECONDS = 0.2
"""How often a turn that runs in another process is looked at."""

_ABANDONED = Text(
    en="Nobody works on this question of session {session_id} any more: the process that did has ended. What it had told "
    "is stored; `metaagent resume {session_id}` finishes it.",
    ko="세션 {session_id}의 이 질문을 처리하던 프로세스가 끝나 지금은 아무도 처리하지 않습니다. 그때까지의 내용은 저장되어 있으며 "
    "`metaagent resume {session_id}`로 마칠 수 있습니다.",
)

RunTurn = Callable[[Turn, Journal], Awaitable[Turn]]


@dataclass
class _Live:
    journal: Journal
    task: asyncio.Task[Turn]
    cancelled: bool = False


class TurnRunner:
    def __init__(
        self,
        store: SqlStore,
        locks: Path,
        run: RunTurn,
        drop: RunTurn,
        clock: Clock,
        running: int,
        before_publishing: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._locks = locks
        self._run = run
        self._drop = drop
        self._clock = clock
        self._before_publishing = before_publishing
        self._slots = asyncio.Semaphore(running)
        self._live: dict[str, _Live] = {}

    def claim(self, session_id: str) -> Claim:
        """The right to run a turn of this session; raises TurnRunning if another has it."""
        return lock_session(self._locks, session_id)

    async def submit(self, turn: Turn, claim: Claim, *, fresh: bool = False) -> None:
        journal = await self._journal(turn, fresh=fresh)
        task = asyncio.get_running_loop().create_task(self._work(turn, journal, claim))
        self._live[turn.turn_id] = _Live(journal, task)

    async def finish(self, turn: Turn) -> None:
        """Run what nobody works on any more to its end, or to where it waits. Under the caller's claim."""
        await self._run(turn, await self._journal(turn))

    async def drop(self, turn: Turn) -> None:
        """End what nobody works on. Under the caller's claim."""
        await self._drop(turn, await self._journal(turn))

    async def cancel(self, turn_id: str) -> bool:
        """True if it was running here and has stopped."""
        live = self._live.get(turn_id)
        if live is None:
            return False
        if not live.cancelled:
            live.cancelled = True
            live.task.cancel()
        await asyncio.wait([live.task])
        return True

    async def status(self, turn_id: str) -> TurnStatus:
        turn = await self._store.turn(turn_id)
        return turn.status if turn else "failed"

    def is_at_work(self, session_id: str) -> bool:
        """Whether this process or another works on the session."""
        return is_locked(self._locks, session_id)

    async def wait(self, turn_id: str) -> Turn | None:
        """The turn once it has ended or waits for a person; raises what ended it if that could not be stored."""
        live = self._live.get(turn_id)
        return await asyncio.shield(live.task) if live is not None else await self._store.turn(turn_id)

    async def events(self, turn_id: str, after: int = 0) -> AsyncIterator[Json]:
        """Committed events from `after` on, until the turn has ended or waits for a person. Raises TurnAbandoned after
        the last one if whoever ran the turn is gone."""
        live = self._live.get(turn_id)
        left_alone = False
        while True:
            turn = await self._store.turn(turn_id)
            for event in await self._store.events(turn_id, after):
                after = event["seq"]
                yield event
            if live is not None:
                async for event in live.journal.follow(after):
                    yield event
                await asyncio.shield(live.task)
                return
            if turn is None or turn.status in {*ENDED, "waiting"}:
                return
            # Seen twice, with a look at the turn in between: one that ends or is taken up meanwhile is not abandoned.
            nobody = not self.is_at_work(turn.session_id)
            if left_alone and nobody:
                raise TurnAbandoned(_ABANDONED, session_id=turn.session_id)
            left_alone = nobody
            await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """Stop without ending: what was running is resumed the next time."""
        for live in list(self._live.values()):
            live.task.cancel()
        await asyncio.gather(*(live.task for live in self._live.values()), return_exceptions=True)

    def was_cancelled(self, turn_id: str) -> bool:
        live = self._live.get(turn_id)
        return live is not None and live.cancelled

    async def _journal(self, turn: Turn, *, fresh: bool = False) -> Journal:
        written = None if fresh else await self._store.event_keys(turn.turn_id)
        return Journal(self._store, turn, self._clock, written, self._before_publishing)

    async def _work(self, turn: Turn, journal: Journal, claim: Claim) -> Turn:
        try:
            async with self._slots:
                return await self._run(turn, journal)
        except asyncio.CancelledError:
            # Cancelled while it waited for its turn to come: nobody else would end it.
            if not self.was_cancelled(turn.turn_id):
                raise
            return await self._drop(turn, journal)
        finally:
            self._live.pop(turn.turn_id, None)
            claim.release()
            journal.close()
