"""SIGKILL at every moment of a turn: whoever opens the directory next finishes it, and nothing happens twice."""

from __future__ import annotations

import signal
import sqlite3
from pathlib import Path

import pytest

from tests.support import killing
from tests.support.agents import Runs, opened
from tests.support.processes import exit_code

AGENTS = ("figures", "drawing", "other", "asking")
PHASES = ("analyzing", "clarifying", "planning", "executing", "completed")
TRANSACTIONS = 24
COMMITS = 14
"""More than one turn has, of either database."""
"""More than a whole turn needs; `test_the_moments_cover_the_whole_turn` would fail otherwise."""


def killed_at(moment: str, data: Path, runs: Runs) -> bool:
    code = exit_code(killing.run, data, runs, moment)
    assert code in {0, -signal.SIGKILL}, code
    return code != 0


def stored_keys(data: Path) -> list[str]:
    with sqlite3.connect(data / "metaagent.db") as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM events ORDER BY seq")]
    connection.close()
    return keys


async def check_it_finishes(data: Path, runs: Runs, finished_before: dict[str, int]) -> None:
    async with opened(data, *killing.agents(runs), reasoner=killing.reasoner()) as app:
        sessions = await app.sessions()
        if not sessions or sessions[0].turns == 0:
            return  # killed before the question was acknowledged
        session_id = sessions[0].session_id
        answer = await killing.finish(app, session_id)
        assert (answer.status, answer.content["errors"]) == ("completed", [])
        assert {s["agent_name"]: s["status"] for s in answer.content["steps"]} == dict.fromkeys(
            AGENTS, "completed"
        )
        events = [event async for event in app.events(answer.turn_id)]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert [event["type"] for event in events].count("response") == 1
        assert [event["type"] for event in events][-1] == "response"
        made = [event["artifact"]["id"] for event in events if event["type"] == "artifact_ready"]
        assert len(made) == len(set(made)) == len(AGENTS)
        state = await app.state(session_id)
        assert [m.type for m in state.get("messages", [])] == ["human", "ai"]
        assert len(state.get("conversation_history", [])) == 1
    keys = stored_keys(data)
    assert len(keys) == len(set(keys))
    for name, count in finished_before.items():
        assert runs.of(name) == count, f"{name} had finished and ran again"


async def finished_steps(data: Path, runs: Runs) -> dict[str, int]:
    """Steps whose end was told before the kill must never run again."""
    if not (data / "metaagent.db").exists():
        return {}
    try:
        keys = stored_keys(data)
    except sqlite3.OperationalError:  # killed before there were tables
        return {}
    told = [key.removeprefix("todo_updated:").split("+") for key in keys if key.startswith("todo_updated:")]
    done = {change.split(":")[0] for each in told for change in each if change.endswith(":completed")}
    names = await killing.names_of(data)
    return {names[step_id]: runs.of(names[step_id]) for step_id in done}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("side", ["before", "after"])
async def test_turn_killed_in_a_node_repeats_no_finished_step(data: Path, runs: Runs, side: str, phase: str):
    assert killed_at(f"{side} {phase}", data, runs)
    await check_it_finishes(data, runs, await finished_steps(data, runs))


@pytest.mark.parametrize("name", AGENTS)
async def test_turn_killed_in_a_step_repeats_no_finished_step(data: Path, runs: Runs, name: str):
    assert killed_at(f"step {name}", data, runs)
    await check_it_finishes(data, runs, await finished_steps(data, runs))


async def test_turn_killed_after_its_last_checkpoint_finishes(data: Path, runs: Runs):
    assert killed_at("settling", data, runs)
    await check_it_finishes(data, runs, await finished_steps(data, runs))


@pytest.mark.parametrize("number", range(1, TRANSACTIONS))
async def test_killed_before_any_transaction_the_turn_finishes(data: Path, runs: Runs, number: int):
    killed_at(f"write {number}", data, runs)
    await check_it_finishes(data, runs, await finished_steps(data, runs))


@pytest.mark.parametrize("number", range(1, COMMITS))
async def test_turn_killed_before_its_first_checkpoint_finishes(data: Path, runs: Runs, number: int):
    killed_at(f"checkpoint {number}", data, runs)
    await check_it_finishes(data, runs, await finished_steps(data, runs))


@pytest.mark.parametrize("moment", [f"write {TRANSACTIONS}", f"checkpoint {COMMITS}"])
async def test_the_moments_cover_the_whole_turn(data: Path, runs: Runs, moment: str):
    assert not killed_at(moment, data, runs)
    assert {name: runs.of(name) for name in AGENTS[:3]} == dict.fromkeys(AGENTS[:3], 1)


async def test_killed_again_and_again_it_still_finishes(data: Path, runs: Runs):
    for moment in ("after analyzing", "before planning", "step figures", "after executing", "settling"):
        assert killed_at(moment, data, runs)
    before = await finished_steps(data, runs)
    assert set(before) == set(AGENTS)
    await check_it_finishes(data, runs, before)
