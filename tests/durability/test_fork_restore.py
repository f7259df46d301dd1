"""A session goes back or goes on elsewhere; a kill in between leaves the old or the new; a damaged row is passed over."""

from __future__ import annotations

import shutil
import signal
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.errors import InputRefused, RowRefused, SessionError, TurnWaiting, UnknownSession
from metaagent.ports import Turn, User
from metaagent.runtime import MetaAgent
from metaagent.storage.session_store import SqlStore, line_of
from tests.support.agents import Runs, asking, drawing, figures, opened
from tests.support.artifacts import stray
from tests.support.killing import kill_before
from tests.support.processes import exit_code

OPERATIONS = ("restore", "fork", "delete", "import", "prune")


async def conversation(app: MetaAgent, *questions: str) -> str:
    session_id = (await app.ask(questions[0])).session_id
    for question in questions[1:]:
        await app.ask(question, session_id=session_id)
    return session_id


async def said(app: MetaAgent, session_id: str) -> list[str]:
    messages = (await app.state(session_id)).get("messages", [])
    return [message.text for message in messages if message.type == "human"]


async def statuses(app: MetaAgent, session_id: str) -> dict[int, str]:
    return {turn.number: turn.status for turn in await app.turns(session_id)}


async def test_restored_session_continues_and_keeps_its_messages(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:
        session_id = await conversation(app, "figures one", "figures two", "figures three")
        assert await app.restore(session_id, turn=1) == 2
        assert await said(app, session_id) == ["figures one"]
        assert await statuses(app, session_id) == {1: "completed", 2: "undone", 3: "undone"}
        answer = await app.ask("figures four", session_id=session_id)
        assert await said(app, session_id) == ["figures one", "figures four"]
        turns = {turn.number: turn for turn in await app.turns(session_id)}
        assert (turns[4].turn_id, turns[4].follows) == (answer.turn_id, 1)
        assert turns[3].question == "figures three"
        assert turns[3].outcome["answer"] == "figures done"
        assert [event async for event in app.events(turns[3].turn_id)][-1]["type"] == "response"
        assert (await app.history(session_id, limit=100))[0]["content"] == "figures done"


async def test_restore_can_be_undone_until_the_next_turn(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await conversation(app, "figures 1", "figures 2", "figures 3")
        await app.restore(session_id, turn=1)
        assert await app.restore(session_id, turn=3) == 0
        assert set((await statuses(app, session_id)).values()) == {"completed"}
        await app.restore(session_id, turn=1)
        await app.ask("figures 4", session_id=session_id)
        with pytest.raises(SessionError, match="turn 3"):
            await app.restore(session_id, turn=3)


async def test_named_state_can_be_restored_after_later_turns(data: Path, runs: Runs):
    async with opened(data, figures(runs), storage={"checkpoints": 1, "turn_ends": 1}) as app:
        session_id = await conversation(app, "figures 1", "figures 2", "figures 3")
        await app.save_checkpoint(session_id, "good")
        with pytest.raises(SessionError, match="turn 1"):
            await app.restore(session_id, turn=1)
        for number in range(4, 7):
            await app.ask(f"figures {number}", session_id=session_id)
        assert await app.restore(session_id, name="good") == 3
        assert await said(app, session_id) == ["figures 1", "figures 2", "figures 3"]
        await app.ask("figures 7", session_id=session_id)
        assert await said(app, session_id) == ["figures 1", "figures 2", "figures 3", "figures 7"]
        assert [
            number for number, status in (await statuses(app, session_id)).items() if status == "undone"
        ] == [6, 5, 4]


async def test_a_fork_is_a_session_of_its_own(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:
        session_id = await conversation(app, "drawing", "figures 2", "figures 3")
        before = await app.turns(session_id)
        new = (await app.fork(session_id, turn=2)).session_id
        assert await said(app, new) == ["drawing", "figures 2"]
        state = await app.state(new)
        assert state.get("session_id") == new
        turns = await app.turns(new)
        assert [turn.number for turn in turns] == [2, 1]
        assert not {turn.turn_id for turn in turns} & {turn.turn_id for turn in before}
        assert session_id not in str([turn.outcome for turn in turns])
        for ref in turns[-1].outcome["artifacts"]:
            assert await app.artifact(new, ref["id"]) == await app.artifact(session_id, ref["id"])
        events = [event async for event in app.events(turns[-1].turn_id)]
        assert {event["session_id"] for event in events} == {new}
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        await app.ask("figures 4", session_id=new)
        assert await said(app, new) == ["drawing", "figures 2", "figures 4"]
        assert await said(app, session_id) == ["drawing", "figures 2", "figures 3"]
        assert len(await app.history(new, limit=100)) == 6
        await app.delete_session(session_id)
        assert await app.artifact(new, turns[-1].outcome["artifacts"][0]["id"])
        assert (await app.restore(new, turn=2)) == 1


async def test_a_fork_of_a_turn_leaves_out_what_was_undone_on_the_way(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await conversation(app, "figures 1", "figures 2")
        await app.restore(session_id, turn=1)
        await app.ask("figures 3", session_id=session_id)
        new = await app.fork(session_id, turn=3)
        assert await statuses(app, new.session_id) == {1: "completed", 3: "completed"}
        await app.restore(session_id, turn=1)
        again = await app.fork(session_id, turn=3)
        assert await statuses(app, again.session_id) == {1: "completed", 3: "completed"}


async def test_artifacts_of_undone_turns_are_not_offered(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:
        session_id = await conversation(app, "figures", "drawing")
        chart = (await app.turns(session_id))[0].outcome["artifacts"][-1]["id"]
        await app.restore(session_id, turn=1)
        store: SqlStore = app._store  # pyright: ignore[reportPrivateUsage]
        assert chart not in {ref.id for ref in await store.artifact_refs(session_id)}
        assert await app.artifact(session_id, chart), "what was acknowledged is still there"
        again = await app.ask("drawing", session_id=session_id)
        assert chart in {ref["id"] for ref in again.content["artifacts"]}
        assert chart in {ref.id for ref in await store.artifact_refs(session_id)}


async def test_a_question_that_waits_is_not_dropped_unasked(data: Path, runs: Runs):
    async with opened(data, figures(runs), asking(runs)) as app:
        session_id = await conversation(app, "figures", "asking")
        with pytest.raises(TurnWaiting):
            await app.restore(session_id, turn=1)
        assert await statuses(app, session_id) == {1: "completed", 2: "waiting"}
        fork = await app.fork(session_id, turn=1)
        assert await statuses(app, fork.session_id) == {1: "completed"}
        assert await app.restore(session_id, turn=1, on_waiting="discard") == 1
        assert await statuses(app, session_id) == {1: "completed", 2: "undone"}
        assert (await app.ask("figures", session_id=session_id)).status == "completed"


async def test_missing_or_foreign_restore_point_is_refused(data: Path, runs: Runs):
    other = User("someone", "local")
    async with opened(data, figures(runs)) as app:
        session_id = await conversation(app, "figures")
        for call in (app.restore, app.fork):
            with pytest.raises(SessionError, match="turn 9"):
                await call(session_id, turn=9)
            with pytest.raises(SessionError, match="'nothing'"):
                await call(session_id, name="nothing")
            with pytest.raises(InputRefused):
                await call(session_id)
            with pytest.raises(InputRefused):
                await call(session_id, turn=1, name="x")
            with pytest.raises(UnknownSession):
                await call(session_id, turn=1, user=other)
        for read in (app.checkpoints, app.export_session, app.prune_session, app.delete_session):
            with pytest.raises(UnknownSession):
                await read(session_id, user=other)
        with pytest.raises(InputRefused):
            await app.save_checkpoint(session_id, "../up")


def damage(data: Path, session_id: str, newest: int) -> None:
    """The newest checkpoints' bodies, as a bad disk would."""
    with closing(sqlite3.connect(data / "checkpoints.db")) as connection:
        found = connection.execute(
            "SELECT checkpoint_id FROM checkpoints WHERE thread_id=? AND checkpoint_ns='' ORDER BY 1 DESC LIMIT ?",
            (session_id, newest),
        ).fetchall()
        connection.executemany("UPDATE checkpoints SET body = zeroblob(20) WHERE checkpoint_id=?", found)
        connection.commit()


async def test_session_opens_at_the_newest_sound_checkpoint(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await conversation(app, "figures 1", "figures 2")
        (last, _) = await app.checkpoints(session_id)
    damage(data, session_id, 1)
    async with opened(data, figures(runs)) as app:
        state = await app.state(session_id)
        warning = state.get("warnings", [])[-1]
        assert warning["code"] == "checkpoint_refused"
        assert last.checkpoint_id in warning["text"]
        with pytest.raises(RowRefused, match=last.checkpoint_id):
            await app.restore(session_id, turn=2)
        assert set((await statuses(app, session_id)).values()) == {"completed"}, (
            "a refused restore changes nothing"
        )
        answer = await app.ask("figures 3", session_id=session_id)
        assert answer.status == "completed"
        events = [event async for event in app.events(answer.turn_id)]
        told = next(event for event in events if event.get("code") == "checkpoint_refused")
        assert session_id in told["message"]
        assert (await said(app, session_id))[-1] == "figures 3"
        assert [turn.question for turn in await app.turns(session_id)] == [
            "figures 3",
            "figures 2",
            "figures 1",
        ]


async def test_a_session_without_a_sound_checkpoint_keeps_its_history(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await conversation(app, "figures 1", "figures 2")
    damage(data, session_id, 1000)
    async with opened(data, figures(runs)) as app:
        with pytest.raises(Exception, match="backup"):
            await app.state(session_id)
        turns = await app.turns(session_id)
        assert [turn.outcome["answer"] for turn in turns] == ["figures done"] * 2


async def test_a_deleted_session_is_gone_from_every_store(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        kept = await conversation(app, "figures 1")
        session_id = await conversation(app, "figures 1", "figures 2")
        await app.save_checkpoint(session_id, "named")
        assert (await app.delete_session(session_id))["turns"] == 2
        with pytest.raises(UnknownSession):
            await app.state(session_id)
        assert await said(app, kept) == ["figures 1"]
    for name in ("metaagent.db", "checkpoints.db"):
        assert rows_about(data / name, session_id) == {}


def rows_about(path: Path, session_id: str) -> dict[str, int]:
    """In every table that has a column for it; the audit trail is meant to outlive the session."""
    found: dict[str, int] = {}
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in tables:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for column in {"session_id", "thread_id", "key"} & set(columns):
                if table.startswith("audit"):
                    continue
                query = f"SELECT count(*) FROM {table} WHERE {column} LIKE ?"
                (count,) = connection.execute(query, (f"%{session_id}%",)).fetchone()
                if count:
                    found[f"{table}.{column}"] = count
    return found


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(0, 14))
def test_ancestors_of_a_turn_are_ordered_and_end_at_it(follows: list[int], number: int):
    past = [
        Turn(f"t{n}", "s", n, "completed", "q", "en", User(), "", follows=before)
        for n, before in enumerate(follows, 1)
    ]
    led = line_of(past, number)
    numbers = [turn.number for turn in led]
    assert numbers == sorted(set(numbers))
    assert numbers[-1:] == ([number] if 1 <= number <= len(past) else [])
    for earlier, later in pairwise(led):
        assert earlier.number == min(later.follows or 0, later.number - 1)


# --- killed -------------------------------------------------------------------------------------------------


def operate(data: Path, runs: Runs, session_id: str, operation: str, at: int) -> None:
    """Killed before its n-th transaction, in either database."""
    import asyncio

    async def work() -> None:
        async with opened(data, figures(runs), retention={"artifact_turns": 1}) as app:
            archive = (data / "archive").read_bytes()
            calls: dict[str, Any] = {
                "restore": lambda: app.restore(session_id, turn=1),
                "fork": lambda: app.fork(session_id, turn=1),
                "delete": lambda: app.delete_session(session_id),
                "import": lambda: app.import_session(archive),
                "prune": lambda: app.prune_session(session_id),
            }
            go_on = kill_before(at)
            await calls[operation]()
            go_on()

    asyncio.run(work())


async def picture(data: Path, runs: Runs) -> list[Any]:
    """What a person sees of every session, and what is stored of none."""
    async with opened(data, figures(runs)) as app:
        known = [info.session_id for info in await app.sessions()]
        seen: list[Any] = [(await said(app, name), await statuses(app, name)) for name in known]
    with closing(sqlite3.connect(data / "checkpoints.db")) as connection:
        threads = {name for (name,) in connection.execute("SELECT DISTINCT thread_id FROM checkpoints")}
        threads |= {name for (name,) in connection.execute("SELECT DISTINCT thread_id FROM blobs")}
    with closing(sqlite3.connect(data / "metaagent.db")) as connection:
        pending = connection.execute("SELECT key FROM meta WHERE key LIKE 'pending:%'").fetchall()
        made = connection.execute("SELECT count(*) FROM artifacts").fetchone()
    assert threads == set(known), "no checkpoints without a session, no session without checkpoints"
    assert pending == []
    return [*sorted(seen, key=str), made]


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_kill_before_any_transaction_leaves_the_old_or_the_new(
    data: Path, tmp_path: Path, runs: Runs, operation: str
):
    async with opened(data, figures(runs)) as app:
        session_id = await conversation(app, "figures 1", "figures 2", "figures 3")
        (data / "archive").write_bytes(await app.export_session(session_id, full=True))
        for name in ("one", "two"):
            await stray(app, session_id, name)  # for pruning to collect
    old = await picture(data, runs)
    finished, ends = False, list[Any]()
    for at in range(1, 40):
        copy = tmp_path / f"{operation}-{at}"
        shutil.copytree(data, copy)
        code = exit_code(operate, copy, runs, session_id, operation, at)
        assert code in {0, -signal.SIGKILL}
        ends.append(await picture(copy, runs))
        if code == 0:
            finished = True
            break
    assert finished, "the kills cover the whole operation"
    new = ends[-1]
    assert all(each in (old, new) for each in ends)
    assert old != new
