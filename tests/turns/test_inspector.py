"""Looking into a turn: states per node, one field's history, two turns compared, the commands that show them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from metaagent.cli.main import app as commands
from metaagent.errors import InputRefused, SessionError, UnknownSession
from metaagent.inspection.inspector import (
    ABSENT,
    StateInspector,
    differences,
    last_node,
    phases_by_event,
    picture_of,
    value_at,
)
from metaagent.monitor import StateMonitor
from metaagent.ports import Turn, User
from metaagent.storage.checkpoints.serde import default_serde
from tests.support.checkpoints import change
from tests.support.watched_world import World

if TYPE_CHECKING:
    from pathlib import Path

    from metaagent.runtime import MetaAgent

NODES = ["start", "query_analyzer", "planning", "execution_manager", "responder"]
STARTED = "2025-01-10T03:00:00.000Z"
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=15,
)


async def asked(app: MetaAgent, *questions: str) -> StateInspector:
    session_id = None
    for question in questions:
        session_id = (await app.ask(question, session_id=session_id)).session_id
    assert session_id is not None
    return await app.inspect(session_id)


# --- snapshots ------------------------------------------------------------------------------------------


async def test_a_turn_stores_only_checkpoints_that_a_crash_needs(tmp_path: Path):
    async with World().open(tmp_path, {"storage": {"checkpoints": 20}}) as app:
        first = await app.ask("drawing")
        await app.ask("drawing again", session_id=first.session_id)
    with sqlite3.connect(tmp_path / "checkpoints.db") as database:
        query = "SELECT checkpoint_id, parent_id FROM checkpoints ORDER BY checkpoint_id"
        stored = database.execute(query).fetchall()
    # The plan and the answer; and what was understood, if that took so long that something was told before.
    assert 2 * 2 <= len(stored) <= 2 * 3
    assert [parent for _, parent in stored] == [None, *(checkpoint for checkpoint, _ in stored[:-1])]


async def test_a_turn_has_one_snapshot_per_node_in_order(tmp_path: Path):
    async with World().open(tmp_path, {"storage": {"checkpoints": 20}}) as app:
        inspector = await asked(app, "drawing", "drawing again")
        for number in (1, 2):
            snapshots = await inspector.snapshots(number)
            assert [snapshot.node for snapshot in snapshots] == NODES
            assert [snapshot.phase for snapshot in snapshots] == [
                "analyzing",
                "planning",
                "executing",
                "completed",
                "completed",
            ]
            turn_id = (await inspector.turn(number)).turn_id
            assert {snapshot.values["turn_id"] for snapshot in snapshots} == {turn_id}
            assert snapshots == sorted(snapshots, key=lambda snapshot: snapshot.checkpoint_id)


async def test_end_of_an_older_turn_is_kept(tmp_path: Path):
    async with World().open(tmp_path, {"storage": {"checkpoints": 1}}) as app:
        inspector = await asked(app, "drawing", "drawing again")
        assert [snapshot.node for snapshot in await inspector.snapshots(1)] == ["responder"]
        assert await inspector.diff(1, 2) != []


async def test_the_sizes_of_snapshots_are_measured_as_stored(tmp_path: Path):
    async with World().open(tmp_path) as app:
        snapshots = await (await asked(app, "drawing")).snapshots()
    monitor = StateMonitor(default_serde())
    assert [snapshot.size for snapshot in snapshots] == [monitor.size(s.values) for s in snapshots]
    assert snapshots[0].size < snapshots[-1].size


async def test_a_turn_that_waits_shows_how_far_it_came(tmp_path: Path):
    settings = {"approval": {"mode": "always"}}
    async with World().open(tmp_path, settings) as app:
        inspector = await asked(app, "drawing")
        assert [snapshot.node for snapshot in await inspector.snapshots()] == NODES[:3]
        picture = await inspector.picture()
        assert picture.turn.status == "waiting"
        await app.resume(inspector.session_id, "approve")
        assert "approval" in [snapshot.node for snapshot in await inspector.snapshots()]


async def test_unreadable_checkpoint_is_counted_and_others_are_shown(tmp_path: Path):
    async with World().open(tmp_path) as app:
        inspector = await asked(app, "drawing")
        snapshots = await inspector.snapshots()
    lost = snapshots[-1]
    change(
        tmp_path / "checkpoints.db",
        "UPDATE checkpoints SET body = x'00' WHERE checkpoint_id = ?",
        lost.checkpoint_id,
    )
    async with World().open(tmp_path) as app:
        picture = await (await app.inspect(inspector.session_id)).picture()
    assert picture.unreadable == 1
    sound = [snapshot.node for snapshot in snapshots if snapshot.checkpoint_id != lost.checkpoint_id]
    assert [mark.node for mark in picture.nodes] == sound == NODES[:3]


async def test_turns_that_are_not_there_or_not_kept_say_so(tmp_path: Path):
    async with World().open(tmp_path) as app:
        inspector = await asked(app, "drawing")
        with pytest.raises(SessionError, match="no turn 7"):
            await inspector.picture(7)
    for table in ("checkpoints", "blobs", "writes"):
        change(tmp_path / "checkpoints.db", f"DELETE FROM {table}")
    async with World().open(tmp_path) as app:
        inspector = await app.inspect(inspector.session_id)
        with pytest.raises(SessionError, match="no longer kept"):
            await inspector.field_history("warnings")
        picture = await inspector.picture()
    assert picture.nodes == []
    assert [span.phase for span in picture.phases] == ["planning", "executing", "completed"]
    assert len(picture.steps) == len(picture.artifacts) == 3, "what is in the store is still shown"


async def test_nobody_looks_into_another_persons_session(tmp_path: Path):
    async with World().open(tmp_path) as app:
        inspector = await asked(app, "drawing")
        with pytest.raises(UnknownSession):
            await app.inspect(inspector.session_id, user=User("eve"))


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(1, 9), min_size=1))
def test_the_node_that_saw_the_newest_version_ran_last(seen: dict[str, int]):
    versions = {node: {"branch": version} for node, version in seen.items()}
    newest = max(seen.values())
    assert last_node(versions) == ", ".join(sorted(n.strip("_") for n, v in seen.items() if v == newest))


# --- one field, two turns -------------------------------------------------------------------------------


async def test_the_history_of_a_field_lists_its_changes_only(tmp_path: Path):
    async with World().open(tmp_path) as app:
        inspector = await asked(app, "drawing")
        progress = await inspector.field_history("progress_percentage")
        assert [(value.node, value.value) for value in progress] == [("execution_manager", 100)]
        deep = await inspector.field_history("planning_state.execution_plan.0.agents.0")
        assert [(value.node, value.value) for value in deep] == [("planning", "figures")]
        said = await inspector.field_history("messages.1.content")
        assert [value.value for value in said] == ["sales rose\nnoted\ndrawn"]
        assert await inspector.field_history("loaded_memories.0") == []
        with pytest.raises(InputRefused, match=r"no field 'plannig_state'.*planning_state"):
            await inspector.field_history("plannig_state")


async def test_two_turns_are_compared_at_their_ends(tmp_path: Path):
    async with World().open(tmp_path) as app:
        inspector = await asked(app, "drawing", "그림")
        found = {one.path: (one.before, one.after) for one in await inspector.diff(1, 2)}
        assert found["query_analyzer_state.raw_query"] == ("drawing", "그림")
        assert found["api_calls_made.drawing"] == (1, 2)
        assert found["agent_states.figures"][1] is ABSENT
        assert "session_id" not in found
        assert await inspector.diff(2, 2) == []


@given(PLAIN, PLAIN)
def test_differences_are_symmetric_and_never_invented(left: Any, right: Any):
    forth = list(differences(left, right))
    back = list(differences(right, left))
    assert [(one.path, one.before, one.after) for one in forth] == [
        (one.path, one.after, one.before) for one in back
    ]
    assert bool(forth) == (repr(left) != repr(right) and _unordered(left) != _unordered(right))
    assert list(differences(left, left)) == []


def _unordered(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize(("left", "right"), [(True, 1), (0, False), (None, ""), ([], {}), (1, 1.0)])
def test_values_of_another_type_differ(left: Any, right: Any):
    assert len(list(differences({"x": left}, {"x": right}))) == 1


@given(PLAIN, st.text())
def test_looking_up_a_path_never_raises(value: Any, path: str):
    value_at(value, path)


# --- the whole turn -------------------------------------------------------------------------------------


async def test_a_picture_holds_the_whole_turn(tmp_path: Path):
    async with World().open(tmp_path) as app:
        picture = await (await asked(app, "drawing")).picture()
    assert picture.seconds == 1.5
    assert [span.phase for span in picture.phases] == ["analyzing", "planning", "executing", "completed"]
    starts = [span.start for span in picture.phases]
    assert starts == sorted(starts)
    assert [mark.node for mark in picture.nodes] == NODES
    ran = next(mark.change for mark in picture.nodes if mark.node == "execution_manager")
    assert [task["task_id"] for task in ran["completed_tasks"]] == ["s1", "s2", "s3"]
    assert {agent["agent"]: agent["to"] for agent in ran["agent_changes"]} == dict.fromkeys(
        ("figures", "extra", "drawing"), "completed"
    )
    assert picture.dependencies == {"s1": [], "s2": [], "s3": ["s1"]}
    assert [event["seq"] for event in picture.events] == list(range(1, len(picture.events) + 1))
    assert {ref["kind"] for ref in picture.artifacts} == {"dataset", "chart", "note"}


async def test_a_failed_step_is_in_the_picture_with_its_error(tmp_path: Path):
    world = World()
    world.failing = True
    async with world.open(tmp_path) as app:
        picture = await (await asked(app, "drawing")).picture()
    assert {step["step_id"]: step["status"] for step in picture.steps} == {
        "s1": "failed",
        "s2": "completed",
        "s3": "skipped",
    }
    assert [error["message"] for error in picture.errors] == ["no figures today"]


def test_a_turn_that_has_only_begun_has_a_picture():
    turn = Turn("t1", "s1", 1, "running", "q", "en", User(), STARTED)
    picture = picture_of(turn, [], [], StateMonitor())
    assert (picture.seconds, picture.phases, picture.steps) == (0.0, [], [])


def test_phases_come_from_events_where_checkpoints_are_gone():
    turn = Turn("t1", "s1", 1, "completed", "q", "en", User(), STARTED)
    times = {
        "planning_start": 0,
        "plan_ready": 1,
        "execution_start": 2,
        "clarification_needed": 3,
        "response": 9,
    }
    events = [
        {"type": kind, "kind": "input", "timestamp": f"2025-01-10T03:00:0{second}.000Z"}
        for kind, second in times.items()
    ]
    spans = phases_by_event(turn, events, "2025-01-10T03:00:09.500Z")
    assert [(span.phase, span.start, span.seconds) for span in spans] == [
        ("planning", 0.0, 2.0),
        ("executing", 2.0, 7.0),
        ("completed", 9.0, 0.5),
    ]


# --- commands -------------------------------------------------------------------------------------------


def prepared(tmp_path: Path, world: World) -> str:
    async def ask() -> str:
        async with world.open(tmp_path) as app:
            return (await asked(app, "drawing", "그림 \x1b[31m빨강")).session_id

    return asyncio.run(ask())


def shown(tmp_path: Path, *arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(commands, ["sessions", *arguments, "--data-dir", str(tmp_path)])
    assert result.exit_code == code, result.output
    return result.output


def test_show_looks_inside_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "200")
    session = prepared(tmp_path, World())
    whole = shown(tmp_path, "show", session, "--turn", "2")
    assert [line.split()[0] for line in whole.splitlines()[3:8]] == NODES
    assert "drawing" in whole
    history = json.loads(
        shown(tmp_path, "show", session, "--field", "current_phase", "--turn", "2", "--json")
    )
    assert [value["value"] for value in history["history"]] == [
        "analyzing",
        "planning",
        "executing",
        "completed",
    ]
    compared = json.loads(shown(tmp_path, "show", session, "--diff", "1", "2", "--json"))
    paths = {one["path"]: one for one in compared["changes"]}
    assert paths["api_calls_made.extra"] == {"path": "api_calls_made.extra", "before": 1, "after": 2}
    assert "after" not in paths["agent_states.figures"]
    assert "api_calls_made.extra" in shown(tmp_path, "show", session, "--diff", "1", "2")
    picture = json.loads(shown(tmp_path, "show", session, "--turn", "2", "--json"))
    assert [node["node"] for node in picture["nodes"]] == NODES


def test_control_sequences_in_a_state_are_shown_not_obeyed(tmp_path: Path):
    session = prepared(tmp_path, World())
    assert "\x1b[31m" not in shown(tmp_path, "show", session, "--field", "query_analyzer_state.raw_query")
    assert "\x1b[31m" not in shown(tmp_path, "show", session, "--turn", "2")


def test_unknown_turn_or_field_is_refused_with_a_reason(tmp_path: Path):
    session = prepared(tmp_path, World())
    assert "no turn 9" in shown(tmp_path, "show", session, "--turn", "9", code=1)
    assert "leave out" in shown(tmp_path, "show", session, "--diff", "1", "2", "--turn", "1", code=2)
    assert "no field" in shown(tmp_path, "show", session, "--field", "x", code=2)
    assert "no session" in shown(tmp_path, "show", session, "--turn", "1", "--user", "eve", code=1)
