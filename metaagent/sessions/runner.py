"""Runs turns in this process: one task each, a bound on how many at once, and their events for who follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from metaagent.errors import Text, TurnAbandoned
from metaagent.journal import Journal
from metaagent.ports import ENDED, Claim, Json, Turn
from metaagent.sessions.assembly import Parts
from metaagent.sessions.turn import Cancellation, TurnWorker
from metaagent.storage.locks import is_locked
from metaagent.telemetry.spans import turn_ends, turn_span

POLL_SECONDS = 0.2
"""The pause between two looks at a turn that runs in another process."""

_ABANDONED = Text(
    en="Nobody works on this question of session {session_id} any more: the process that did has ended. What it had told "
    "is stored; `metaagent resume {session_id}` finishes it.",
    ko="세션 {session_id}의 이 질문을 처리하던 프로세스가 끝나 지금은 아무도 처리하지 않습니다. 그때까지의 내용은 저장되어 있으며 "
    "`metaagent resume {session_id}`로 마칠 수 있습니다.",
)


@dataclass(frozen=True)
class _Live:
    journal: Journal
    task: asyncio.Task[Turn]
    cancellation: Cancellation


class TurnRunner:
    def __init__(self, parts: Parts, worker: TurnWorker) -> None:
        self._parts = parts
        self._store = parts.store
        self._worker = worker
        self._slots = asyncio.Semaphore(parts.settings.limits.running_turns)
        self._live: dict[str, _Live] = {}

    async def submit(self, turn: Turn, claim: Claim, recalled: list[Json] | None = None) -> None:
        """Let a turn run. `recalled` are the memories that a new one begins with; None for one that goes on."""
        journal = await self._journal(turn, fresh=recalled is not None)
        cancellation = Cancellation()
        work = self._work(turn, journal, claim, cancellation, recalled)
        task = asyncio.get_running_loop().create_task(work)
        self._live[turn.turn_id] = _Live(journal, task, cancellation)

    async def finish(self, turn: Turn) -> None:
        """Run what nobody works on any more to its end, or to where it waits. Under the caller's claim."""
        journal = await self._journal(turn)
        with turn_span(self._parts.telemetry, turn) as note:
            note(turn_ends(await self._worker.run(turn, journal, Cancellation())))

    async def drop(self, turn: Turn) -> None:
        """End what nobody works on. Under the caller's claim."""
        await self._worker.cancel(turn, await self._journal(turn))

    async def cancel(self, turn_id: str) -> bool:
        """True if it was running here and has stopped."""
        live = self._live.get(turn_id)
        if live is None:
            return False
        if not live.cancellation.requested:
            live.cancellation.requested = True
            live.task.cancel()
        await asyncio.wait([live.task])
        return True

    def is_at_work(self, session_id: str) -> bool:
        """Say whether this process or another works on the session."""
        return is_locked(self._parts.locks, session_id)

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

    async def drain(self, seconds: float) -> None:
        """Wait until what runs here has ended or waits for a person, so long at most."""
        tasks = [live.task for live in self._live.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    async def close(self) -> None:
        """Stop without ending: what was running is resumed the next time."""
        for live in list(self._live.values()):
            live.task.cancel()
        await asyncio.gather(*(live.task for live in self._live.values()), return_exceptions=True)

    async def _journal(self, turn: Turn, *, fresh: bool = False) -> Journal:
        written = None if fresh else await self._store.event_keys(turn.turn_id)
        return Journal(self._store, turn, self._parts.clock, written, self._parts.saver.writer.landed)

    async def _work(
        self,
        turn: Turn,
        journal: Journal,
        claim: Claim,
        cancellation: Cancellation,
        recalled: list[Json] | None,
    ) -> Turn:
        try:
            async with self._slots:
                with turn_span(self._parts.telemetry, turn) as note:
                    ended = await self._worker.run(turn, journal, cancellation, recalled)
                    note(turn_ends(ended))
                return ended
        except asyncio.CancelledError:
            # Cancelled while it waited for its turn to come: nobody else would end it.
            if not cancellation.requested:
                raise
            return await self._worker.cancel(turn, journal)
        finally:
            self._live.pop(turn.turn_id, None)
            claim.release()
            journal.close()
