"""A step that takes its process down is counted, set aside, and can be dropped with its turn."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from metaagent.runtime import MetaAgent
from tests.support import poison
from tests.support.agents import Runs, asking, gate, opened, worker
from tests.support.processes import processes


def asked(data: Path, runs: Runs, question: str, **options: Any) -> bool:
    """Ask in a process of its own; False if that died of it."""
    process = processes.Process(target=poison.ask, args=(data, runs, question, options))
    process.start()
    process.join(60)
    if process.is_alive():
        process.kill()
        process.join(10)
        pytest.fail("the turn hung")
    return process.exitcode == 0


async def last_of(app: MetaAgent) -> tuple[str, Any]:
    (info,) = await app.sessions()
    turns = await app.turns(info.session_id)
    return info.session_id, await app.answer(turns[-1].turn_id)


def starts(data: Path) -> dict[tuple[str, str], int]:
    with closing(sqlite3.connect(data / "metaagent.db")) as connection:
        rows = connection.execute("SELECT step_id, agent, unended FROM step_starts").fetchall()
    return {(step, agent): count for step, agent, count in rows}


@pytest.mark.parametrize("name", ["poison", "leaving"])
async def test_step_that_kills_three_processes_is_failed(data: Path, runs: Runs, name: str):
    questions = (f"{name} and other", "other", "other", "other")
    assert [asked(data, runs, question) for question in questions] == [False, False, False, True]
    async with opened(data, *poison.agents(runs)) as app:
        _, first = await last_of(app)
    assert runs.of(name) == 3
    assert runs.of("other") >= 1
    assert {step["agent_name"]: step["status"] for step in first.content["steps"]} == {
        name: "failed",
        "other": "completed",
    }
    assert [error["code"] for error in first.content["errors"]] == ["crashed"]
    assert "limits.crashes" in first.text
    assert "other done" in first.text
    assert starts(data) == {}, "an ended turn leaves no count"


async def test_start_is_on_record_before_the_agent_runs(data: Path, runs: Runs):
    assert not asked(data, runs, "poison")
    assert starts(data) == {("s1", "poison"): 1}
    assert not asked(data, runs, "poison")
    assert starts(data) == {("s1", "poison"): 2}


async def test_innocent_step_beside_a_deadly_one_is_not_failed(data: Path, runs: Runs):
    """Both run at once the first time; from then on, one by one."""
    died = [not asked(data, runs, "late and beside")]
    while len(died) < 6 and died[-1]:
        died.append(not asked(data, runs, "other"))
    async with opened(data, *poison.agents(runs)) as app:
        _, first = await last_of(app)
    assert {step["agent_name"]: step["status"] for step in first.content["steps"]} == {
        "late": "failed",
        "beside": "completed",
    }


async def test_the_number_of_crashes_is_a_setting(data: Path, runs: Runs):
    assert not asked(data, runs, "poison")
    async with opened(data, *poison.agents(runs), limits={"crashes": 1}) as app:
        session_id, _ = await last_of(app)
        answer = await app.resume(session_id)
        assert [error["code"] for error in answer.content["errors"]] == ["crashed"]
        assert (await app.ask("other", session_id=session_id)).text == "other done"
    assert runs.of("poison") == 1


async def test_discarding_names_what_may_have_happened(data: Path, runs: Runs):
    assert not asked(data, runs, "poison", side_effects=True)
    async with opened(data, *poison.agents(runs, side_effects=True)) as app:
        session_id, _ = await last_of(app)
        assert await app.cancel(session_id)
        _, dropped = await last_of(app)
        assert dropped.status == "cancelled"
        assert "s1 poison" in dropped.text
        answer = await app.ask("other", session_id=session_id)
        assert answer.text == "other done"
    assert runs.of("poison") == 1


async def test_a_new_question_can_discard_the_deadly_one(data: Path, runs: Runs):
    assert not asked(data, runs, "poison")
    async with opened(data, *poison.agents(runs)) as app:
        session_id, _ = await last_of(app)
        answer = await app.ask("other", session_id=session_id, on_waiting="discard")
        assert answer.text == "other done"
        assert [turn.status for turn in await app.turns(session_id)] == ["completed", "cancelled"]
    assert runs.of("poison") == 1


async def test_effects_of_a_failed_step_are_named(data: Path, runs: Runs):
    assert not asked(data, runs, "poison", side_effects=True)
    async with opened(data, *poison.agents(runs, side_effects=True), limits={"crashes": 1}) as app:
        session_id, _ = await last_of(app)
        answer = await app.resume(session_id)
    assert runs.of("poison") == 1
    assert "may have happened outside already: poison (poison)" in answer.text


async def test_closing_in_good_order_counts_no_crash(data: Path, runs: Runs):
    """Three orderly ends in the middle of a step are no crashes."""
    session_id = None
    for _ in range(4):
        held = gate()
        async with opened(data, worker(runs, "slow", before=held)) as app:
            if session_id is None:
                stream = app.stream("slow")
                async for event in stream:
                    session_id = event["session_id"]
                    break
            else:
                async for _ in app.stream_resume(session_id):
                    break
            await asyncio.wait_for(held.arrived.wait(), 30)
        assert starts(data) == {("s1", "slow"): 0}
    async with opened(data, worker(runs, "slow")) as app:
        assert session_id is not None
        assert (await app.resume(session_id)).text == "slow done"


async def test_waiting_for_a_person_counts_no_crash(data: Path, runs: Runs):
    async with opened(data, asking(runs, questions=3), limits={"crashes": 1}) as app:
        answer = await app.ask("asking")
        while answer.status == "waiting":
            answer = await app.resume(answer.session_id, "left")
        assert answer.text == "asking done"
