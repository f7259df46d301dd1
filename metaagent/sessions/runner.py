"""Runs turns in this process: one task each, admitted in fair order, and their events for who follows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from metaagent.errors import StorageError, Text, TooBusy, TurnAbandoned, TurnRunning
from metaagent.journal import FIRST, PLANNING, QUEUED, Journal
from metaagent.ports import ENDED, Claim, Json, Turn, User
from metaagent.sessions.admission import Admission, Ticket
from metaagent.sessions.assembly import Parts
from metaagent.sessions.pace import Pace
from metaagent.sessions.turn import Cancellation, TurnWorker
from metaagent.storage.locks import is_locked
from metaagent.storage.session_store import set_status
from metaagent.storage.turn_records import Row
from metaagent.telemetry.spans import turn_ends, turn_span

logger = logging.getLogger(__name__)

QUEUE_SECONDS = 0.5
"""The pause between two looks at who waits for the start of a turn and is to be told of it."""
POLL_SECONDS = 0.2
"""The pause between two looks at a turn that runs in another process."""
STOP_SECONDS, STOP_POLL_SECONDS = 10.0, 0.02
"""The time that a turn gets to let go of its session after it told a question or its answer, and the pause between two
looks."""
STOPS = frozenset({"clarification_needed", "approval_needed", "gate_closed", "response"})
"""The events after which a person may answer or ask: the turn is about to stop."""

_ABANDONED = Text(
    en="Nobody works on this question of session {session_id} any more: the process that did has ended. What it had told "
    "is stored; `metaagent resume {session_id}` finishes it.",
    ko="세션 {session_id}의 이 질문을 처리하던 프로세스가 끝나 지금은 아무도 처리하지 않습니다. 그때까지의 내용은 저장되어 있으며 "
    "`metaagent resume {session_id}`로 마칠 수 있습니다.",
)


@dataclass(frozen=True)
class Place:
    """The right to work on a session, and a place among the turns that run or wait."""

    session_id: str
    claim: Claim
    ticket: Ticket

    def release(self) -> None:
        self.ticket.leave()
        self.claim.release()


@dataclass(frozen=True)
class _Live:
    turn: Turn
    journal: Journal
    task: asyncio.Task[Turn]
    cancellation: Cancellation
    ticket: Ticket


class TurnRunner:
    def __init__(
        self, parts: Parts, worker: TurnWorker, tell: Callable[[Turn, Sequence[Json]], None] | None = None
    ) -> None:
        """`tell` is given the events of turns that run here as they are committed."""
        self._parts = parts
        self._store = parts.store
        self._worker = worker
        self._tell = tell
        self._admission = Admission(parts.settings.limits)
        self._pace = Pace()
        self._live: dict[str, _Live] = {}
        self._places: dict[str, int] = {}
        self._telling: asyncio.Task[None] | None = None
        self._tells = asyncio.Lock()

    async def take_place(self, session_id: str, user: User) -> Place:
        """A place for a turn of this session, in this person's share; raises TurnRunning or TooBusy. Whoever takes it
        submits a turn with it, or releases it."""
        claim = await self._claim(session_id)
        try:
            return Place(session_id, claim, self._admission.enter(user))
        except TooBusy:
            claim.release()
            raise

    async def _claim(self, session_id: str) -> Claim:
        """The right to work on the session. A turn that is about to stop is waited for: a reader may answer the moment the
        question is told, which is before the turn has laid itself down."""
        for _ in range(round(STOP_SECONDS / STOP_POLL_SECONDS)):
            try:
                return self._parts.claim(session_id)
            except TurnRunning:
                if not await self._is_stopping(session_id):
                    raise
            await asyncio.sleep(STOP_POLL_SECONDS)
        return self._parts.claim(session_id)

    async def _is_stopping(self, session_id: str) -> bool:
        for live in self._live.values():
            if live.turn.session_id == session_id:
                return any(event["type"] in STOPS for event in live.journal.committed)
        newest = await self._store.newest_event(session_id)
        return newest is not None and newest[1]["type"] in STOPS

    async def announce(
        self, turn: Turn, place: Place, store: Callable[[Sequence[Row]], Awaitable[None]]
    ) -> Journal:
        """The journal of a new turn. `store` stores the turn, and the event that it begins with: whoever follows it hears at
        once that it was taken in."""
        journal = self._journal(turn, None)
        if place.ticket.begun.is_set():
            journal.emit(PLANNING, FIRST, question=turn.question)
        told = await journal.take()
        await store([row for row, _ in told])
        journal.written(told)
        return journal

    def start(self, turn: Turn, journal: Journal, place: Place, recalled: list[Json] | None = None) -> None:
        """Let a turn run; a new one with the memories that it begins with."""
        cancellation = Cancellation()
        work = self._work(turn, journal, place, cancellation, recalled)
        task = asyncio.get_running_loop().create_task(work)
        self._live[turn.turn_id] = _Live(turn, journal, task, cancellation, place.ticket)
        if self._telling is None and not place.ticket.begun.is_set():
            self._telling = asyncio.get_running_loop().create_task(self._tell_places())

    async def go_on(self, turn: Turn, place: Place) -> None:
        """Let a turn run that has run before."""
        self.start(turn, await self._journal_so_far(turn), place)

    def place_of(self, turn_id: str) -> int | None:
        """The place of a turn that waits here for its start, from 1 on; None if it does not."""
        live = self._live.get(turn_id)
        if live is None or live.ticket.begun.is_set():
            return None
        return self._admission.in_order().index(live.ticket) + 1

    async def finish(self, turn: Turn, place: Place) -> None:
        """Run what nobody works on any more to its end, or to where it waits. In the caller's place."""
        journal = await self._journal_so_far(turn)
        await place.ticket.begun.wait()
        with turn_span(self._parts.telemetry, turn) as note:
            note(turn_ends(await self._worker.run(turn, journal, Cancellation())))

    async def drop(self, turn: Turn) -> None:
        """End what nobody works on. Under the caller's claim."""
        await self._worker.cancel(turn, await self._journal_so_far(turn))

    async def cancel(self, turn_id: str) -> bool:
        """True if it was running here and has stopped."""
        task = self.request_cancel(turn_id)
        if task is not None:
            await asyncio.wait([task])
        return task is not None

    def request_cancel(self, turn_id: str) -> asyncio.Task[Turn] | None:
        """Begin to stop a turn that runs here; None if it does not."""
        live = self._live.get(turn_id)
        if live is None:
            return None
        if not live.cancellation.requested:
            live.cancellation.requested = True
            live.task.cancel()
        return live.task

    def running(self, turn_id: str) -> Turn | None:
        """The turn if it runs here, as it began."""
        live = self._live.get(turn_id)
        return None if live is None else live.turn

    def runs(self, turn_id: str) -> bool:
        return turn_id in self._live

    def is_at_work(self, session_id: str) -> bool:
        """Say whether this process or another works on the session."""
        return is_locked(self._parts.locks, session_id)

    def wait(self, turn_id: str) -> Awaitable[Turn | None]:
        """The turn once it has ended or waits for a person; raises what ended it if that could not be stored."""
        live = self._live.get(turn_id)
        return asyncio.shield(live.task) if live is not None else self._store.turn(turn_id)

    def events(self, turn_id: str, after: int = 0) -> AsyncIterator[Json]:
        """Committed events from `after` on, until the turn has ended or waits for a person. Raises TurnAbandoned after
        the last one if whoever ran the turn is gone."""
        live = self._live.get(turn_id)
        return self._stored_events(turn_id, after) if live is None else live.journal.follow(after, live.task)

    async def _stored_events(self, turn_id: str, after: int) -> AsyncIterator[Json]:
        left_alone = False
        while True:
            turn = await self._store.turn(turn_id)
            for event in await self._store.events(turn_id, after):
                after = event["seq"]
                yield event
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
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)

    async def _journal_so_far(self, turn: Turn) -> Journal:
        return self._journal(turn, await self._store.event_keys(turn.turn_id))

    def _journal(self, turn: Turn, written: Sequence[str] | None) -> Journal:
        landed = partial(self._parts.saver.landed, turn.session_id, turn.user)
        return Journal(
            self._store,
            turn,
            clock=self._parts.clock,
            written=written,
            before_publishing=landed,
            tell=self._tell,
        )

    async def _work(
        self,
        turn: Turn,
        journal: Journal,
        place: Place,
        cancellation: Cancellation,
        recalled: list[Json] | None,
    ) -> Turn:
        try:
            if not place.ticket.begun.is_set():
                await self._wait_for_start(turn, place.ticket)
            async with self._pace.kept(place.ticket.person):
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
            self._places.pop(turn.turn_id, None)
            place.release()
            journal.close()

    # --- waiting for a start ----------------------------------------------------------------------------

    async def _wait_for_start(self, turn: Turn, ticket: Ticket) -> None:
        try:
            await ticket.begun.wait()
        finally:
            async with self._tells:
                was_told = (
                    turn.turn_id in self._places
                )  # and that is committed: the seq of its events has no gap
        if was_told:
            await self._store.commit([], set_status([turn.turn_id], "running"))

    async def _tell_places(self) -> None:
        try:
            waits = True
            while waits:
                await asyncio.sleep(QUEUE_SECONDS)
                async with self._tells:
                    waits = await self._tell_news()
        finally:
            self._telling = None

    async def _tell_news(self) -> bool:
        """Tell those who wait of their places, in one transaction for all. False if nobody waits."""
        waiting = {live.ticket: live for live in self._live.values() if not live.ticket.begun.is_set()}
        told: list[_Live] = []
        for place, ticket in enumerate(self._admission.in_order(), 1):
            live = waiting.get(ticket)
            if live is not None and _is_news(place, self._places.get(live.turn.turn_id)):
                self._places[live.turn.turn_id] = place
                live.journal.emit(QUEUED, f"{live.journal.first_seq}.{place}", place=place)
                told.append(live)
        taken = [await live.journal.take() for live in told]
        rows = [row for each in taken for row, _ in each]
        try:
            await self._store.commit(rows, set_status([live.turn.turn_id for live in told], "queued"))
        except StorageError as error:
            logger.error("places in the queue could not be told: %s", error)
            for live in told:
                live.journal.break_off(error)
        else:
            for live, each in zip(told, taken, strict=True):
                live.journal.written(each)
        return bool(waiting)


def _is_news(place: int, told: int | None) -> bool:
    """The first place, one half as far away as the last that was told, and the very next."""
    return told is None or place <= told // 2
