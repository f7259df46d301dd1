"""The ordered stream of a turn: gapless, complete for whoever comes late, never ahead of what is stored."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import StorageError, Text, TurnAbandoned, UnknownSession
from metaagent.journal import EVENT_TYPES, Journal
from metaagent.level1.turn_context import TurnContext
from metaagent.ports import ArtifactRef, NewVersion, Turn, User
from metaagent.sessions import runner as engine
from metaagent.testing import FakeClock
from tests.support.agents import Runs, asking, drawing, figures, gate, opened
from tests.support.processes import exit_code


async def test_the_events_of_a_turn_are_gapless_ordered_and_complete(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:
        events = [event async for event in app.stream("drawing")]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert {event["type"] for event in events} <= set(EVENT_TYPES)
        types = [event["type"] for event in events]
        assert types[:3] == ["planning_start", "plan_ready", "execution_start"]
        assert (types.count("artifact_ready"), types[-1]) == (2, "response")
        assert len({(event["session_id"], event["turn_id"]) for event in events}) == 1
        assert [event["timestamp"] for event in events] == sorted(event["timestamp"] for event in events)
        ready = events[1]
        assert ready["intents"] == [{"intent": "drawing", "confidence": 1.0}]
        assert (ready["strategy"], len(ready["steps"]), ready["estimated_time"]) == ("sequential", 2, 2.0)
        last_todo = next(event for event in reversed(events) if event["type"] == "todo_updated")
        assert {step["status"] for step in last_todo["steps"]} == {"completed"}
        assert last_todo["progress_percentage"] == 100


async def test_first_event_is_stored_with_the_question(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        begun = await app.begin("figures")
        stored = await app._store.events(begun.turn_id)  # pyright: ignore[reportPrivateUsage]
        assert [event["type"] for event in stored] == ["planning_start"], "nothing else had time to happen"
        told = [event async for event in app.events(begun.turn_id)]
        assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
        assert [event["type"] for event in told].count("planning_start") == 1


async def test_keyed_reads_do_not_wait_for_a_writer(data: Path, runs: Runs):
    """Whoever asks how a turn stands is not held up by what is being stored."""
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures")
        store = app._store  # pyright: ignore[reportPrivateUsage]
        written = threading.Event()
        writing = asyncio.create_task(store.transaction(lambda _connection: written.wait(30)))
        try:
            await asyncio.sleep(0)
            found = await asyncio.wait_for(app.answer(answer.turn_id), 10)
            events = await asyncio.wait_for(_all(app.events(answer.turn_id), []), 10)
        finally:
            written.set()
            await writing
        assert (found.text, events[-1]["type"]) == ("figures done", "response")


async def test_late_and_reconnecting_readers_miss_no_event(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:
        events = [event async for event in app.stream("drawing")]
        turn_id = events[0]["turn_id"]
        assert [event async for event in app.events(turn_id)] == events
    async with opened(data) as app:
        for after in range(len(events) + 1):
            assert [event async for event in app.events(turn_id, after=after)] == events[after:]


async def test_question_can_be_answered_the_moment_it_is_told(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, figures(runs, before=hold), asking(runs)) as app:
        answering: asyncio.Task[Any] | None = None
        async for event in app.stream("asking figures"):
            if event["type"] == "clarification_needed":
                answering = asyncio.create_task(app.resume(event["session_id"], "left"))
                await asyncio.sleep(0)
                hold.opened.set()
        assert answering is not None
        assert (await answering).status == "completed"


async def test_readers_that_join_while_the_turn_runs_see_the_same(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, figures(runs), drawing(runs, before=hold)) as app:
        stream = app.stream("drawing")
        first = await anext(stream)
        await hold.arrived.wait()

        async def read(after: int) -> list[Any]:
            return [event async for event in app.events(first["turn_id"], after=after)]

        readers = [asyncio.create_task(read(after)) for after in (0, 1, 3)]
        rest = [await anext(stream) for _ in range(2)]
        hold.opened.set()
        rest += [event async for event in stream]
        whole = [first, *rest]
        assert [await reader for reader in readers] == [whole, whole[1:], whole[3:]]


async def test_leaving_the_stream_does_not_stop_the_turn(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        stream = app.stream("figures")
        turn_id = (await anext(stream))["turn_id"]
        assert [event["type"] async for event in app.events(turn_id)][-1] == "response"
        assert (await app.answer(turn_id)).text == "figures done"


class Failing:
    """A store whose disk is full at one of its commits, the second if nothing is said."""

    def __init__(self, full_at: int = 2) -> None:
        self.full_at = full_at
        self.commits = 0
        self.rows: list[Any] = []

    def keyed_hash(self, company_id: str, value: bytes) -> str:
        return value.hex()

    def event_row(self, event: dict[str, Any], key: str, user: User) -> Any:
        return event

    def artifact_row(self, ref: ArtifactRef, content: bytes, turn: Turn, at: str) -> Any:
        return ref

    def version_row(self, made: NewVersion, user: User, session_id: str, turn_id: str, at: str) -> Any:
        return made

    async def events(self, turn_id: str, after: int = 0) -> list[dict[str, Any]]:
        return []

    async def commit(self, rows: Any) -> None:
        self.commits += 1
        if self.commits == self.full_at:
            raise StorageError(Text(en="the disk is full", ko="디스크가 가득 찼습니다"))
        self.rows += rows


async def test_recovery_is_stored_before_the_first_event():
    store, story = Failing(full_at=0), list[str]()
    turn = Turn("t", "s", 1, "running", "q", "en", User(), "2025-01-10T03:00:00.000Z")

    async def settle() -> None:
        story.append(f"settled, {len(store.rows)} rows, told: {journal.published}")

    journal = Journal(store, turn, FakeClock(), None, settle)
    assert not journal.published
    for name in ("planning_start", "plan_ready"):
        journal.emit(name)
        await journal.flush()
    assert story == ["settled, 0 rows, told: True"], "once, and from then on it counts as told"
    resumed = Journal(store, turn, FakeClock(), ["planning_start:"], settle)
    resumed.emit("plan_ready")
    await resumed.flush()
    assert len(story) == 1, "a turn that was told of before has nothing to settle"


async def test_failed_commit_leaves_no_gap_in_the_events():
    store = Failing()
    turn = Turn("t", "s", 1, "running", "q", "en", User(), "2025-01-10T03:00:00.000Z")
    journal = Journal(store, turn, FakeClock(), [])
    journal.emit("planning_start")
    await journal.flush()
    journal.emit("plan_ready")
    with pytest.raises(StorageError, match="full"):
        await journal.flush()
    journal.emit("response")
    with pytest.raises(StorageError, match="full"):
        await journal.flush()
    assert [row["seq"] for row in store.rows] == [1]
    assert [event["seq"] for event in journal.committed] == [1]


def _die_in_the_middle(data: Path, runs: Runs) -> None:
    async def die(task: Any, ctx: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async def work() -> None:
        async with opened(data, figures(runs), drawing(runs, before=die)) as app:
            await app.ask("drawing")

    asyncio.run(work())


async def test_events_of_a_killed_process_end_with_a_note(data: Path, runs: Runs):
    assert exit_code(_die_in_the_middle, data, runs) == -signal.SIGKILL
    async with opened(data, figures(runs), drawing(runs)) as app:
        (info,) = await app.sessions()
        assert info.status == "interrupted"
        (turn,) = await app.turns(info.session_id)
        told: list[Any] = []
        with pytest.raises(TurnAbandoned, match=f"metaagent resume {info.session_id}"):
            await _all(app.events(turn.turn_id), told)
        assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
        assert told[0]["type"] == "planning_start"
        answer = await app.resume(info.session_id)
        assert answer.text == "figures done\ndrawing done"
        rest = [event async for event in app.events(turn.turn_id, after=len(told))]
        assert rest[0]["seq"] == len(told) + 1
        assert rest[-1]["type"] == "response"
        assert (await app.sessions())[0].status == "completed"


async def test_turn_of_another_process_is_not_taken_over(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    hold, looks, looked = gate(), [0], asyncio.Event()
    is_locked = engine.is_locked

    def counted(*where: Any) -> bool:
        looks[0] += 1
        if looks[0] == 5:
            looked.set()
        return is_locked(*where)

    monkeypatch.setattr(engine, "is_locked", counted)
    monkeypatch.setattr(engine, "POLL_SECONDS", 0.0)
    async with (
        opened(data, figures(runs), drawing(runs, before=hold)) as runner,
        opened(data, figures(runs)) as other,
    ):
        asked = asyncio.create_task(runner.ask("drawing"))
        await hold.arrived.wait()
        (info,) = await other.sessions()
        assert info.status == "running"
        (turn,) = await other.turns(info.session_id)
        reading = asyncio.create_task(_all(other.events(turn.turn_id)))
        await looked.wait()
        assert not reading.done(), "it is followed while someone works on it"
        hold.opened.set()
        await asked
        assert (await reading)[-1]["type"] == "response"


async def _all(events: AsyncIterator[Any], read: list[Any] | None = None) -> list[Any]:
    """`read` has what came, even if it ends with an error."""
    found = [] if read is None else read
    async for event in events:
        found.append(event)
    return found


async def test_nobody_has_heard_of_a_turn_until_its_events_are_due(monkeypatch: pytest.MonkeyPatch):
    turn = Turn("t", "s", 1, "running", "q", "en", User(), "2025-01-10T03:00:00.000Z")

    def begun() -> tuple[Failing, Journal]:
        store = Failing(full_at=0)
        return store, Journal(store, turn, FakeClock(), None)

    store, journal = begun()
    journal.emit("plan_ready")
    await journal.secure()
    assert (journal.unheard, store.commits) == (True, 0), "young: a crash would make it begin anew"
    await journal.flush()
    assert (journal.unheard, store.commits) == (False, 1)
    monkeypatch.setattr("metaagent.journal.LINGER_SECONDS", 0)
    store, late = begun()
    late.emit("plan_ready")
    assert not late.unheard, "the loop was held up, and its timer has not gone off yet"
    await late.secure()
    assert store.commits == 1


async def test_an_ended_turn_is_not_kept_in_memory(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.ask("figures")
        gc.collect()
        gc.disable()
        try:
            others = _of_turns()  # what other tests left behind is none of this turn's
            await app.ask("figures")
            for _ in range(10):
                await asyncio.sleep(0)
            await app.sessions()  # whatever the threads of the stores held has been let go
            left = [each for each in _of_turns() if not any(each is other for other in others)]
        finally:
            gc.enable()
        assert left == []


def _of_turns() -> list[Journal | TurnContext]:
    return [each for each in gc.get_objects() if isinstance(each, Journal | TurnContext)]


async def test_a_running_turn_is_read_by_whoever_asked_alone(data: Path, runs: Runs):
    hold = gate()
    kim, lee = User("kim"), User("lee")
    async with opened(data, figures(runs, before=hold)) as app:
        turn = await app.begin("figures", user=kim)
        await hold.arrived.wait()
        with pytest.raises(UnknownSession):
            await anext(app.events(turn.turn_id, user=lee))
        first = await anext(app.events(turn.turn_id, user=kim))
        assert (first["type"], first["seq"]) == ("planning_start", 1)
        hold.opened.set()
