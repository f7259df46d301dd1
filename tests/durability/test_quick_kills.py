"""SIGKILL in a turn that nobody has heard of yet: it begins anew, from the state before it, and leaves one of everything."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from metaagent.runtime import MetaAgent
from tests.support import killing, quick_kills
from tests.support.agents import Runs, opened
from tests.support.processes import exit_code

MOMENTS = 12
"""More transactions and commits of checkpoints than such a turn has."""


def killed_at(moment: int | str, data: Path, runs: Runs) -> bool:
    code = exit_code(quick_kills.run, data, runs, moment)
    assert code in {0, -signal.SIGKILL}, code
    return code != 0


def _audited(data: Path) -> list[str]:
    """The names of the entries of the trail that tell of a turn."""
    with contextlib.closing(sqlite3.connect(data / "metaagent.db")) as connection:
        return [
            name for (name,) in connection.execute("SELECT event FROM audit_entries WHERE turn IS NOT NULL")
        ]


async def _left(app: MetaAgent, session_id: str) -> dict[str, Any]:
    """All that a session of finished turns consists of."""
    turns = [await app.answer(turn.turn_id) for turn in reversed(await app.turns(session_id))]
    told = [[event async for event in app.events(turn.turn_id)] for turn in turns]
    made = [[each["artifact"]["id"] for each in of if each["type"] == "artifact_ready"] for of in told]
    state = await app.state(session_id)
    return {
        "answers": [(turn.status, turn.text) for turn in turns],
        "seqs in order": [[each["seq"] for each in of] == list(range(1, len(of) + 1)) for of in told],
        "responses": [[each["type"] for each in of].count("response") for of in told],
        "artifacts": [sorted([(await app.artifact(session_id, one))["by"] for one in of]) for of in made],
        "messages": [message.type for message in state.get("messages", [])],
        "history": len(state.get("conversation_history", [])),
        "calls": state.get("api_calls_made"),
    }


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("moment", [*range(1, MOMENTS), "settling"])
async def test_a_quick_turn_leaves_what_it_would_without_the_kill(
    tmp_path: Path, runs: Runs, moment: int | str, turn: int
):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    for _ in range(turn - 1):
        assert not killed_at(MOMENTS, killed, runs)
    killed_at(moment, killed, runs)
    async with (
        opened(killed, *quick_kills.agents(runs)) as app,
        opened(whole, *quick_kills.agents(runs)) as other,
    ):
        sessions = await app.sessions()
        taken_in = sessions[0].turns if sessions else 0
        if not taken_in:
            return  # killed before the question was acknowledged
        await killing.finish(app, sessions[0].session_id)
        for _ in range(taken_in):
            await quick_kills.asked(other)
        expected = await _left(other, (await other.sessions())[0].session_id)
        assert await _left(app, sessions[0].session_id) == expected
        assert sorted(_audited(killed)) == sorted(_audited(whole))


async def test_the_moments_cover_the_quick_turn(data: Path, runs: Runs):
    assert not killed_at(MOMENTS, data, runs)
    assert {name: runs.of(name) for name in quick_kills.NAMES} == dict.fromkeys(quick_kills.NAMES, 1)
