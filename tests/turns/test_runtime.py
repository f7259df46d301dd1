"""Asking, going on, stopping, forgetting: what a person with a session relies on."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from metaagent.config import load_settings
from metaagent.errors import NothingToResume, TurnRunning, TurnWaiting, UnknownSession
from metaagent.plugin import AgentSpec
from metaagent.ports import User
from metaagent.runtime import MetaAgent, SyncMetaAgent
from metaagent.state.manager import StateValidator
from metaagent.testing import FakeClock
from tests.support.agents import Runs, asking, drawing, figures, gate, opened, worker

ANN, BOB = User("ann", "acme"), User("bob", "acme")


def pair(runs: Runs) -> tuple[AgentSpec, AgentSpec]:
    return figures(runs), drawing(runs)


async def test_a_question_is_planned_run_and_answered(data: Path, runs: Runs):
    async with opened(data, *pair(runs)) as app:
        answer = await app.ask("a drawing, please")
        assert answer.status == "completed"
        assert answer.text == "figures done\ndrawing done"
        assert [step["agent_name"] for step in answer.content["steps"]] == ["figures", "drawing"]
        assert answer.content["plan"]["task_dependencies"] == {"s1": [], "s2": ["s1"]}
        chart = next(ref for ref in answer.content["artifacts"] if ref["kind"] == "chart")
        made = await app.artifact(answer.session_id, chart["id"])
        assert made == {"by": "drawing", "from": ["figures"], "answers": []}
        assert answer.content["sources"] == [{"title": "figures"}]
        assert 0 < answer.content["confidence"] <= 1


async def test_the_state_after_a_turn_is_valid_and_filled(data: Path, runs: Runs):
    async with opened(data, *pair(runs)) as app:
        answer = await app.ask("drawing")
        state = await app.state(answer.session_id)
        assert StateValidator().validate(state) == []
        assert state.get("current_phase") == state.get("workflow_status") == "completed"
        assert state.get("progress_percentage") == 100
        assert set(state.get("agent_states", {})) == {"figures", "drawing"}
        assert state.get("api_calls_made") == {"figures": 1, "drawing": 1}
        assert [m.type for m in state.get("messages", [])] == ["human", "ai"]
        assert state.get("response_metadata", {}).get("agents_used") == ["drawing", "figures"]


async def test_the_conversation_goes_on_in_the_same_directory(data: Path, runs: Runs):
    async with opened(data, *pair(runs)) as app:
        first = await app.ask("figures")
    async with opened(data, *pair(runs)) as app:
        second = await app.ask("drawing", session_id=first.session_id)
        assert second.text == "drawing done"
        assert runs.of("figures") == 1, "the dataset of the first question is used, not made again"
        state = await app.state(first.session_id)
        assert [turn["question"] for turn in state.get("conversation_history", [])] == ["figures", "drawing"]
        assert [m.content for m in state.get("messages", [])][::2] == ["figures", "drawing"]
        assert [turn.number for turn in await app.turns(first.session_id)] == [2, 1]
        assert [step["agent_name"] for step in second.content["steps"]] == ["drawing"]


async def test_second_question_while_one_runs_is_refused(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, worker(runs, "slow", before=hold), figures(runs)) as app:
        events = app.stream("slow")
        session_id = (await anext(events))["session_id"]
        await hold.arrived.wait()
        with pytest.raises(TurnRunning, match=session_id):
            await app.ask("figures", session_id=session_id)
        with pytest.raises(TurnRunning):
            await app.resume(session_id, "yes")
        with pytest.raises(TurnRunning):
            await app.delete_session(session_id)
        hold.opened.set()
        assert [event async for event in events][-1]["answer"] == "slow done"
        assert (await app.ask("figures", session_id=session_id)).text == "figures done"
        assert [turn.question for turn in await app.turns(session_id)] == ["figures", "slow"]


async def test_another_process_with_the_same_directory_is_refused_too(data: Path, runs: Runs):
    hold = gate()
    slow = worker(runs, "slow", before=hold)
    async with opened(data, slow) as app, opened(data, slow) as other:
        events = app.stream("slow")
        first = await anext(events)
        with pytest.raises(TurnRunning):
            await other.ask("slow", session_id=first["session_id"])
        hold.opened.set()
        seen = [event["seq"] async for event in other.events(first["turn_id"])]
        assert seen == list(range(1, len(seen) + 1))
        assert (await other.answer(first["turn_id"])).text == "slow done"


async def test_sessions_run_in_parallel(data: Path, runs: Runs):
    together = asyncio.Barrier(3)

    async def meet(_task: Any, _ctx: Any) -> None:
        await together.wait()

    async with opened(data, worker(runs, "meeting", before=meet)) as app:
        answers = await asyncio.gather(*(app.ask("meeting") for _ in range(3)))
    assert {answer.status for answer in answers} == {"completed"}
    assert len({answer.session_id for answer in answers}) == 3


async def test_more_turns_than_allowed_at_once_wait_in_order(data: Path, runs: Runs):
    async with opened(data, figures(runs), limits={"running_turns": 1}) as app:
        answers = await asyncio.gather(*(app.ask("figures") for _ in range(3)))
    assert [answer.text for answer in answers] == ["figures done"] * 3


async def test_cancelling_keeps_finished_work_and_a_usable_session(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, figures(runs), drawing(runs, before=hold)) as app:
        events = app.stream("drawing")
        session_id = (await anext(events))["session_id"]
        await hold.arrived.wait()
        assert await app.cancel(session_id)
        rest = [event async for event in events]
        assert (rest[-1]["type"], rest[-1]["code"]) == ("error", "cancelled")
        turn = (await app.turns(session_id))[0]
        assert turn.status == "cancelled"
        kept = next(event["artifact"] for event in rest if event["type"] == "artifact_ready")
        assert (await app.artifact(session_id, kept["id"]))["by"] == "figures"
        assert not await app.cancel(session_id), "there is nothing left to cancel"
        hold.opened.set()
        again = await app.ask("drawing", session_id=session_id)
        assert again.text == "drawing done"
        assert runs.of("figures") == 1


async def test_cancelled_turn_answers_in_the_language_of_the_question(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, worker(runs, "slow", before=hold)) as app:
        events = app.stream("slow 작업을 해 주세요")
        session_id = (await anext(events))["session_id"]
        await hold.arrived.wait()
        await app.cancel(session_id)
        assert "취소" in [event async for event in events][-1]["message"]


async def test_closing_while_a_turn_runs_leaves_it_to_be_resumed(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, figures(runs), drawing(runs, before=hold)) as app:
        session_id = (await anext(app.stream("drawing")))["session_id"]
        await hold.arrived.wait()
    async with opened(data, *pair(runs)) as app:
        answer = await app.resume(session_id)
        assert answer.text == "figures done\ndrawing done"
        assert (runs.of("figures"), runs.of("drawing")) == (1, 2)
        with pytest.raises(NothingToResume, match="nothing to resume"):
            await app.resume(session_id)


async def test_unfinished_turn_is_finished_before_the_next_question(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, figures(runs), worker(runs, "slow", before=hold)) as app:
        session_id = (await anext(app.stream("slow")))["session_id"]
        await hold.arrived.wait()
    async with opened(data, figures(runs), worker(runs, "slow")) as app:
        answer = await app.ask("figures", session_id=session_id)
        assert answer.text == "figures done"
        second, first = await app.turns(session_id)
        assert (first.status, first.outcome["answer"]) == ("completed", "slow done")
        assert second.outcome["answer"] == "figures done"
        state = await app.state(session_id)
        assert [m.content for m in state.get("messages", [])] == [
            "slow",
            "slow done",
            "figures",
            "figures done",
        ]


async def test_a_waiting_turn_is_not_overrun_but_can_be_discarded(data: Path, runs: Runs):
    async with opened(data, asking(runs), figures(runs)) as app:
        waiting = await app.ask("asking")
        with pytest.raises(TurnWaiting, match="asking: question 1"):
            await app.ask("figures", session_id=waiting.session_id)
        assert (await app.answer(waiting.turn_id)).status == "waiting"
        answer = await app.ask("figures", session_id=waiting.session_id, on_waiting="discard")
        assert answer.text == "figures done"
        dropped = await app.answer(waiting.turn_id)
        assert (dropped.status, dropped.question) == ("cancelled", None)
        events = [event async for event in app.events(waiting.turn_id)]
        assert (events[-1]["type"], events[-1]["code"]) == ("error", "cancelled")
        state = await app.state(waiting.session_id)
        assert [m.content for m in state.get("messages", []) if m.type == "ai"] == ["figures done"]


async def test_a_waiting_turn_can_be_cancelled(data: Path, runs: Runs):
    async with opened(data, asking(runs)) as app:
        waiting = await app.ask("asking")
        assert await app.cancel(waiting.session_id)
        with pytest.raises(NothingToResume, match="nothing to resume"):
            await app.resume(waiting.session_id, "left")


async def test_a_turn_that_waits_for_a_free_place_can_be_cancelled(data: Path, runs: Runs):
    hold = gate()
    agents = (worker(runs, "slow", before=hold), figures(runs))
    async with opened(data, *agents, limits={"running_turns": 1}) as app:
        busy = asyncio.create_task(app.ask("slow"))
        await hold.arrived.wait()
        queued = asyncio.create_task(app.ask("figures"))
        while len(found := await app.sessions()) < 2 or min(info.turns for info in found) < 1:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        session_id = next(info.session_id for info in found if info.title == "figures")
        while not await app.cancel(session_id):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        assert (await queued).status == "cancelled"
        hold.opened.set()
        assert (await busy).text == "slow done"
        assert (await app.ask("figures", session_id=session_id)).text == "figures done"


async def test_a_turn_that_a_crash_left_behind_can_be_cancelled(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, worker(runs, "slow", before=hold), figures(runs)) as app:
        session_id = (await anext(app.stream("slow")))["session_id"]
        await hold.arrived.wait()
    async with opened(data, worker(runs, "slow", before=hold), figures(runs)) as app:
        assert await app.cancel(session_id)
        assert (await app.ask("figures", session_id=session_id)).text == "figures done"
        assert [turn.status for turn in await app.turns(session_id)] == ["completed", "cancelled"]


async def test_cancelling_twice_at_once_is_the_same_as_once(data: Path, runs: Runs):
    hold = gate()
    async with opened(data, worker(runs, "slow", before=hold)) as app:
        asked = asyncio.create_task(app.ask("slow"))
        await hold.arrived.wait()
        session_id = (await app.sessions())[0].session_id
        await asyncio.gather(*(app.cancel(session_id) for _ in range(3)))
        assert (await asked).status == "cancelled"


async def test_a_foreign_session_looks_like_one_that_does_not_exist(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        mine = await app.ask("figures", user=ANN)
        artifact_id = mine.content["artifacts"][0]["id"]

        async def refusals(session_id: str, turn_id: str) -> list[str]:
            texts: list[str] = []
            for attempt in (
                app.ask("figures", session_id=session_id, user=BOB),
                app.resume(session_id, "x", user=BOB),
                app.state(session_id, user=BOB),
                app.turns(session_id, user=BOB),
                app.cancel(session_id, user=BOB),
                app.delete_session(session_id, user=BOB),
                app.artifact(session_id, artifact_id, user=BOB),
                app.answer(turn_id, user=BOB),
                anext(app.events(turn_id, user=BOB)),
                anext(app.stream("figures", session_id=session_id, user=BOB)),
            ):
                with pytest.raises(UnknownSession) as refused:
                    await attempt
                texts.append(str(refused.value).replace(session_id, "…").replace(turn_id, "…"))
            return texts

        foreign = await refusals(mine.session_id, mine.turn_id)
        unknown = await refusals("s0000", "t0000")
        assert foreign == unknown
        assert len(set(foreign)) == 2, "only who asks can begin a new one"
        assert await app.sessions(user=BOB) == []
        assert await app.sessions(user=User("ann", "other")) == []
        assert [info.title for info in await app.sessions(user=ANN)] == ["figures"]


async def test_an_artifact_is_found_only_in_its_own_session(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        first, second = await app.ask("figures"), await app.ask("figures please")
        with pytest.raises(UnknownSession):
            await app.artifact(second.session_id, first.content["artifacts"][0]["id"])


def rows_of(data: Path, session_id: str) -> dict[str, int]:
    """In every table of every database that has a column for the session."""
    found: dict[str, int] = {}
    for path in data.glob("*.db"):
        connection = sqlite3.connect(path)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in tables:
            columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            for column in columns & {"session_id", "thread_id"}:
                query = f"SELECT count(*) FROM {table} WHERE {column} = ?"
                found[f"{path.stem}.{table}"] = connection.execute(query, (session_id,)).fetchone()[0]
        connection.close()
    return found


async def test_deleting_a_session_removes_exactly_its_rows(data: Path, runs: Runs):
    async with opened(data, *pair(runs)) as app:
        gone, kept = await app.ask("drawing"), await app.ask("drawing again")
        before = rows_of(data, kept.session_id)
        assert len(before) >= 6
        assert sum(count > 0 for count in rows_of(data, gone.session_id).values()) >= 6
    async with opened(data, *pair(runs)) as app:
        removed = await app.delete_session(gone.session_id)
        assert (removed["sessions"], removed["turns"], removed["artifacts"]) == (1, 1, 2)
        assert set(rows_of(data, gone.session_id).values()) == {0}
        assert rows_of(data, kept.session_id) == before
        with pytest.raises(UnknownSession):
            await app.state(gone.session_id)


async def test_a_waiting_session_can_be_deleted(data: Path, runs: Runs):
    async with opened(data, asking(runs)) as app:
        waiting = await app.ask("asking")
        await app.delete_session(waiting.session_id)
        assert set(rows_of(data, waiting.session_id).values()) == {0}
        assert await app.sessions() == []
    assert list((data / "locks").iterdir()) == []


async def test_sessions_are_listed_with_the_most_recent_first(data: Path, runs: Runs):
    clock = FakeClock()
    async with opened(data, figures(runs), asking(runs), clock=clock) as app:
        first = await app.ask("figures one")
        clock.advance(1)
        second = await app.ask("asking two")
        clock.advance(1)
        await app.ask("figures three", session_id=first.session_id)
        listed = await app.sessions()
        assert [(i.session_id, i.turns, i.status) for i in listed] == [
            (first.session_id, 2, "completed"),
            (second.session_id, 1, "waiting"),
        ]
        assert [i.title for i in await app.sessions(before=listed[0].updated_at)] == ["asking two"]


def test_the_synchronous_front_does_the_same(data: Path, runs: Runs):
    settings = load_settings(env={}, overrides={"data_dir": data, "agents": {"allow": []}})
    with SyncMetaAgent(settings, agents=[asking(runs)]) as app:
        waiting = app.ask("asking")
        answer = app.resume(waiting.session_id, "left")
        assert answer.text == "asking done"
        assert app.state(waiting.session_id).get("final_response") == "asking done"


async def test_two_programs_may_open_a_new_directory_at_once(data: Path, runs: Runs):
    async def use(name: str) -> str:
        async with opened(data, figures(runs)) as app:
            return (await app.ask(f"figures {name}")).text

    assert await asyncio.gather(*(use(str(n)) for n in range(4))) == ["figures done"] * 4


async def test_settings_may_be_given_as_a_mapping_or_a_file(tmp_path: Path, runs: Runs):
    file = tmp_path / "settings.yaml"
    file.write_text(f"data_dir: {tmp_path / 'here'}\nagents: {{allow: []}}\n")
    for config in (file, str(file), {"data_dir": tmp_path / "there", "agents": {"allow": []}}):
        async with MetaAgent.open(config, agents=[figures(runs)]) as app:
            assert (await app.ask("figures")).text == "figures done"
    assert (tmp_path / "here").is_dir()
    assert (tmp_path / "there").is_dir()
