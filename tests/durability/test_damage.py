"""One damaged row of a session is refused by name; everything else of it can be read, used and deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from metaagent.errors import RowRefused
from metaagent.runtime import MetaAgent
from metaagent.sessions.turn_service import COLLECT_EVERY
from tests.support.agents import Runs, drawing, figures, opened


def damage(data: Path, statement: str) -> None:
    """As a bad disk does."""
    with closing(sqlite3.connect(data / "metaagent.db")) as connection:
        assert connection.execute(statement).rowcount > 0
        connection.commit()


async def talked(app: MetaAgent, *questions: str) -> str:
    session_id = None
    for question in questions:
        session_id = (await app.ask(question, session_id=session_id)).session_id
    assert session_id is not None
    return session_id


async def test_session_with_unreadable_owner_can_be_deleted(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        other, session_id = await talked(app, "figures one"), await talked(app, "figures two")
        damage(data, f"UPDATE sessions SET body = zeroblob(60) WHERE session_id = '{session_id}'")
        listed = {info.session_id: info for info in await app.sessions()}
        assert (listed[session_id].title, listed[other].title) == ("", "figures one")
        assert f"sessions/{session_id}" in listed[session_id].refused
        assert [info.session_id for info in await app.search_sessions("figures")] == [other]
        for call in (app.ask("figures", session_id=session_id), app.history(session_id)):
            with pytest.raises(RowRefused, match=f"sessions/{session_id}"):
                await call
        assert (await app.delete_session(session_id))["turns"] == 1
        assert [info.session_id for info in await app.sessions()] == [other]


async def test_a_damaged_turn_is_shown_as_such_and_the_session_goes_on(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await talked(app, "figures 1", "figures 2", "figures 3")
        damage(data, "UPDATE turns SET body = substr(body, 1, 70) WHERE number = 2")
        shown = {turn.number: turn for turn in await app.turns(session_id)}
        assert [shown[number].question for number in (1, 2, 3)] == ["figures 1", "", "figures 3"]
        (problem,) = shown[2].outcome["errors"]
        assert shown[2].turn_id in problem["message"]
        assert shown[2].turn_id in problem["message_ko"]
        assert (await app.ask("figures 4", session_id=session_id)).status == "completed"


async def test_session_with_damaged_newest_turn_can_be_deleted(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await talked(app, "figures 1", "figures 2")
        (last, _) = await app.turns(session_id)
        damage(data, "UPDATE turns SET body = zeroblob(60) WHERE number = 2")
        for work in (app.ask("figures", session_id=session_id), app.prune_session(session_id)):
            with pytest.raises(RowRefused, match=last.turn_id):
                await work
        assert (await app.delete_session(session_id))["turns"] == 2
        assert await app.sessions() == []


async def test_damaged_message_is_skipped_by_search_but_in_history(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session_id = await talked(app, "figures 1", "figures 2", "figures 3")
        damage(data, "UPDATE messages SET body = zeroblob(60) WHERE position = 3")
        said = {one["position"]: one for one in await app.history(session_id)}
        assert len(said) == 6
        assert said[3]["content"] == ""
        assert session_id in said[3]["refused"]
        found = await app.search_history(session_id, "figures")
        assert [one["position"] for one in found] == [6, 5, 4, 2, 1]


async def test_damaged_artifacts_block_no_answer_and_stop_collection(
    data: Path, runs: Runs, caplog: pytest.LogCaptureFixture
):
    async with opened(data, figures(runs), drawing(runs), retention={"artifact_turns": 1}) as app:
        session_id = await talked(app, *["drawing"] * COLLECT_EVERY)
        damage(data, "UPDATE artifacts SET ref = zeroblob(60) WHERE kind = 'chart'")
        answer = await app.ask("drawing", session_id=session_id)
        assert (answer.status, answer.content["errors"]) == ("completed", [])
        assert "were not collected" in caplog.text
        with pytest.raises(RowRefused, match="artifact_refs"):
            await app.prune_session(session_id)
