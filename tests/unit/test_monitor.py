"""What the monitor sees between two states, and when it warns."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from metaagent.config import load_settings
from metaagent.level1.turn_warnings import with_turn_warnings
from metaagent.monitor import (
    RECENT_RUNS,
    Run,
    StateMonitor,
    Thresholds,
    TrackRecord,
    chance_of,
    failing_warning,
    run_warnings,
    say_bytes,
    size_warning,
    slow_warning,
)
from metaagent.ports import Turn, User
from metaagent.sessions.key_ring import open_ring
from metaagent.storage.artifact_files import ArtifactFiles
from metaagent.storage.checkpoints.serde import default_serde
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.tables import agent_records, metadata
from metaagent.storage.vault import Vault
from metaagent.testing import FakeClock
from tests.support.watched_world import World

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2025-01-10T03:00:00.000Z"
LIMITS = Thresholds()

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "current_phase",
    "agent_states",
    "progress_percentage",
    "errors",
    "execution_manager_state",
    "messages",
)
GARBAGE = PLAIN | st.dictionaries(st.sampled_from(FIELDS), PLAIN)


def session(**fields: Any) -> dict[str, Any]:
    return {
        "current_phase": "analyzing",
        "progress_percentage": 0,
        "agent_states": {},
        "errors": [],
        **fields,
    }


def record(*runs: Run) -> TrackRecord:
    return reduce(TrackRecord.plus, runs, TrackRecord())


def took(*seconds: float) -> TrackRecord:
    return record(*(Run("a", True, 0.9, each) for each in seconds))


def ran(*succeeded: bool) -> TrackRecord:
    return record(*(Run("a", each, 0.9, 1.0) for each in succeeded))


def stored(folder: Path, name: str) -> SqlStore:
    ring = open_ring(load_settings(env={}, overrides={"data_dir": folder}))
    vault = Vault(ring)
    return SqlStore(sqlite_url(folder / name), vault, ArtifactFiles(folder / "artifacts", vault))


# --- changes --------------------------------------------------------------------------------------------


def test_a_change_has_the_fields_of_the_specification():
    change = StateMonitor().track_state_changes(session(), session(), NOW)
    assert set(change) == {
        "timestamp",
        "phase_transition",
        "agent_changes",
        "progress_delta",
        "new_errors",
        "completed_tasks",
        "size",
    }
    assert change["timestamp"] == NOW
    assert change["phase_transition"] is None
    assert (change["agent_changes"], change["progress_delta"]) == ([], 0)


def test_without_a_time_the_clock_of_the_monitor_is_used():
    change = StateMonitor(now=FakeClock().now).track_state_changes({}, {})
    assert change["timestamp"] == NOW


def test_everything_that_happened_in_between_is_named():
    done = {"task_id": "s1", "agent": "figures", "result": {"summary": "ok"}}
    error = {"id": "e2", "message": "no"}
    old = session(
        agent_states={"gone": {"result": 1}, "same": {"result": 1}, "slow": {"start_time": NOW}},
        errors=[{"id": "e1"}],
        progress_percentage=10,
    )
    new = session(
        current_phase="executing",
        agent_states={
            "same": {"result": 1},
            "slow": {"start_time": NOW, "error_type": "timeout"},
            "figures": {"result": {}},
        },
        errors=[{"id": "e1"}, error],
        progress_percentage=60,
        execution_manager_state={"completed_tasks": [done]},
    )
    change = StateMonitor().track_state_changes(old, new, NOW)
    assert change["phase_transition"] == {"from": "analyzing", "to": "executing"}
    assert [(c["agent"], c["from"], c["to"]) for c in change["agent_changes"]] == [
        ("slow", "running", "failed"),
        ("figures", None, "completed"),
        ("gone", "completed", None),
    ]
    assert change["agent_changes"][0]["fields"] == ["error_type"]
    assert change["progress_delta"] == 50
    assert change["new_errors"] == [error]
    assert change["completed_tasks"] == [done]


@given(GARBAGE, GARBAGE)
def test_tracking_is_total_and_leaves_both_states_as_they_were(old: Any, new: Any):
    before = repr((old, new))
    change = StateMonitor().track_state_changes(old, new, NOW)
    assert change["size"] >= 0
    assert repr((old, new)) == before


def nested(depth: int) -> dict[str, Any]:
    return {"deeper": nested(depth - 1)} if depth else {}


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, lambda: None, nested(700), "\ud800", 10**400, {(1, 2): object()}, b"\x00"]
)
@pytest.mark.parametrize("field", FIELDS)
def test_size_of_an_unstorable_value_is_measured(field: str, value: Any):
    change = StateMonitor(default_serde()).track_state_changes({}, {field: value, "x": [value]}, NOW)
    assert change["size"] > 0


@given(GARBAGE)
def test_a_state_does_not_differ_from_itself(state: Any):
    change = StateMonitor().track_state_changes(state, state, NOW)
    assert change["phase_transition"] is None
    assert change["agent_changes"] == change["new_errors"] == change["completed_tasks"] == []
    assert change["progress_delta"] == 0


def test_the_size_is_what_the_saver_writes():
    serde = default_serde()
    state = session(final_response="가" * 50_000, messages=[HumanMessage("hello", id="m1")])
    expected = sum(len(serde.dumps_typed(value)[1]) for value in state.values())
    assert StateMonitor(serde).size(state) == expected
    assert expected < 5_000 < StateMonitor().size(state), "the saver deflates, the plain serializer does not"


@pytest.mark.parametrize(
    ("size", "said"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 KB"), (250_000, "250 KB"), (3 * 10**9, "3.0 GB")],
)
def test_sizes_are_said_in_the_largest_fitting_unit(size: int, said: str):
    assert say_bytes(size) == said


# --- warnings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "past", "code"),
    [
        (400_000, [100_000] * 3, "state_grew"),
        (400_000, [100_000] * 2, None),
        (300_000, [100_000] * 3, None),
        (90_000, [1_000] * 3, None),
        (400_000, [350_000, 1_000, 380_000], None),
    ],
    ids=["four times", "too little past", "just the factor", "still small", "one small turn is no past"],
)
def test_growth_is_judged_by_the_sessions_own_past(size: int, past: list[int], code: str | None):
    warning = size_warning(size, past, LIMITS, "ko")
    assert (warning and warning["code"]) == code


def test_a_step_far_beyond_its_spread_is_slow():
    past = took(*[1.0, 1.2, 0.9, 1.1, 1.0] * 4)
    warning = slow_warning("s2", Run("a", True, 0.9, 9.0), past, LIMITS, "en")
    assert warning is not None
    assert warning["code"] == "step_slow"
    assert "9.0 s" in warning["text"]
    assert "1.0 s" in warning["text"]
    assert "20 runs" in warning["text"]


@pytest.mark.parametrize(
    ("run", "past"),
    [
        (Run("a", True, 0.9, 9.0), took(*[1.0] * 9)),
        (Run("a", True, 0.9, 9.0), took(*[0.2, 1.0, 30.0, 4.0, 0.5] * 4)),
        (Run("a", True, 0.9, 0.9), took(*[0.01] * 20)),
        (Run("a", True, 0.9, 110.0), took(*[100.0] * 20)),
        (Run("a", False, 0.0, 90.0), took(*[1.0] * 20)),
        (Run("a", True, 0.9, 0.0), took(*[0.0] * 20)),
    ],
    ids=["too few runs", "always varies", "nobody notices", "a tenth more", "failed", "no time at all"],
)
def test_a_step_within_its_own_past_is_not_slow(run: Run, past: TrackRecord):
    assert slow_warning("s1", run, past, LIMITS, "en") is None


@given(st.lists(st.floats(0.001, 1000), min_size=10, max_size=60))
def test_no_run_as_fast_as_the_fastest_so_far_is_slow(seconds: list[float]):
    assert slow_warning("s1", Run("a", True, 1.0, min(seconds)), took(*seconds), LIMITS, "en") is None


def test_an_agent_that_begins_to_fail_is_noticed():
    warning = failing_warning("a", ran(*[True] * 100, *[True, False] * 10), LIMITS, "ko")
    assert warning is not None
    assert warning["code"] == "agent_failing"
    assert "20회 중 10회" in warning["text"]


@pytest.mark.parametrize(
    "outcomes",
    [
        [True] * 119 + [False],
        [True, False] * 60,
        [True] * 15 + [False] * 10,
        [False] * 100 + [True] * 20,
        [],
    ],
    ids=["one failure", "as often as ever", "no past yet", "it got better", "never ran"],
)
def test_an_agent_that_fails_as_before_is_not_warned_of(outcomes: list[bool]):
    assert failing_warning("a", ran(*outcomes), LIMITS, "en") is None


@given(st.integers(0, 20), st.floats(0.01, 0.99))
def test_the_chance_of_more_is_never_greater(hits: int, rate: float):
    assert chance_of(0, 20, rate) == pytest.approx(1.0)
    assert chance_of(hits + 1, 20, rate) <= chance_of(hits, 20, rate) <= 1.0 + 1e-9


@given(st.lists(st.booleans(), max_size=60))
def test_the_last_runs_are_counted_exactly(outcomes: list[bool]):
    assert ran(*outcomes).recent_failures == outcomes[-RECENT_RUNS:].count(False)


def test_agents_that_did_not_fail_in_this_turn_are_left_in_peace():
    bad = ran(*[True] * 100, *[True, False] * 10)
    assert run_warnings([("s1", Run("a", True, 1.0, 1.0))], {"a": bad}, LIMITS, "en") == []
    found = run_warnings([("s1", Run("a", False, 0.0, 1.0))], {"a": bad}, LIMITS, "en")
    assert [warning["code"] for warning in found] == ["agent_failing"]


def test_thresholds_and_settings_are_the_same():
    assert Thresholds(**load_settings(env={}).monitor.model_dump()) == Thresholds()


# --- in a turn ------------------------------------------------------------------------------------------


async def test_slow_step_is_a_warning_in_the_users_language(tmp_path: Path):
    world = World()
    async with world.open(tmp_path) as app:
        for _ in range(10):
            await app.ask("그림")
        world.seconds = 60
        answer = await app.ask("그림")
        state = await app.state(answer.session_id)
    (warning,) = [each for each in state.get("warnings", []) if each.get("agent") == "figures"]
    assert warning["code"] == "step_slow"
    assert "평소에는 약 1.0초" in warning["text"]
    assert warning in answer.content["warnings"]


async def test_agent_that_begins_to_fail_is_in_the_warnings(tmp_path: Path):
    world = World()
    store = stored(tmp_path, "metaagent.db")
    await store.open()
    turn = Turn("t1", "s1", 1, "completed", "q", "en", User(), NOW)
    await store.save_turn(turn, (), [Run("figures", True, 0.9, 1.0)] * 100)
    await store.close()
    world.failing = True
    codes: list[list[str]] = []
    async with world.open(tmp_path, {"limits": {"replans": 0}}) as app:
        for _ in range(6):
            answer = await app.ask("drawing")
            codes.append([warning["code"] for warning in answer.content["warnings"]])
    assert codes[0] == []
    assert codes[-1] == ["agent_failing"]


async def test_a_state_that_grew_is_in_the_warnings(tmp_path: Path):
    world = World()
    async with world.open(tmp_path, {"monitor": {"growth_floor": 0, "growth_factor": 1.5}}) as app:
        session_id = None
        for _ in range(4):
            answer = await app.ask("drawing", session_id=session_id)
            session_id = answer.session_id
        world.summary = "".join(chr(0xAC00 + place * 7 % 11172) for place in range(20_000))
        world.data = {"total": 43}
        answer = await app.ask("drawing " + world.summary, session_id=session_id)
        state = await app.state(answer.session_id)
    assert [warning["code"] for warning in answer.content["warnings"]] == ["state_grew"]
    sizes = [turn["state_bytes"] for turn in state.get("conversation_history", [])]
    assert len(sizes) == 5
    assert max(sizes[:4]) < sizes[4]


async def test_warnings_of_one_turn_are_not_those_of_the_next(tmp_path: Path):
    world = World()
    world.failing = True
    store = stored(tmp_path, "metaagent.db")
    await store.open()
    turn = Turn("t1", "s1", 1, "completed", "q", "en", User(), NOW)
    await store.save_turn(
        turn, (), [Run("figures", True, 0.9, 1.0)] * 100 + [Run("figures", False, 0.0, 1.0)] * 9
    )
    await store.close()
    async with world.open(tmp_path) as app:
        first = await app.ask("drawing")
        world.failing = False
        second = await app.ask("drawing", session_id=first.session_id)
        state = await app.state(first.session_id)
    assert [w["id"] for w in first.content["warnings"]] == [f"{first.turn_id}-failing-figures"]
    assert second.content["warnings"] == state.get("warnings") == []


@pytest.mark.parametrize("replaced", [False, True], ids=["added", "replaced"])
async def test_warnings_join_those_of_the_turn_itself(replaced: bool):
    warning = {"id": "w1", "text": "bound"}

    async def answered(state: Any, context: Any) -> dict[str, Any]:
        given: Any = {"__overwrite__": [warning]} if replaced else [warning]
        sizes = (10, 10, 10, 900)
        return {"warnings": given, "conversation_history": [{"state_bytes": size} for size in sizes]}

    class TurnContext:
        turn = Turn("t1", "s1", 1, "running", "q", "ko", User(), NOW)
        settings = load_settings(env={}, overrides={"monitor": {"growth_floor": 0, "growth_factor": 1.1}})
        clock = FakeClock()
        records: ClassVar[dict[str, TrackRecord]] = {}

    context: Any = TurnContext()
    update = await with_turn_warnings(answered)({}, context)
    found = update["warnings"]["__overwrite__"] if replaced else update["warnings"]
    assert [one["id"] for one in found] == ["w1", "t1-state_size"]


# --- track records --------------------------------------------------------------------------------------


async def test_records_are_the_same_in_memory_and_in_the_store(tmp_path: Path):
    runs = [Run("a", place % 3 > 0, 0.5, place / 7) for place in range(30)]
    store = stored(tmp_path, "m.db")
    await store.open()
    turn = Turn("t1", "s1", 1, "running", "q", "en", User(), NOW)
    for run in runs:
        await store.save_turn(turn, (), [run])
    found = (await store.records())["a"]
    await store.close()
    expected = record(*runs)
    assert replace(found, log_sum=0, log_squares=0) == replace(expected, log_sum=0, log_squares=0)
    assert found.log_sum == pytest.approx(expected.log_sum)
    assert found.log_squares == pytest.approx(expected.log_squares)


async def test_store_without_spread_values_opens_and_learns(tmp_path: Path):
    url = sqlite_url(tmp_path / "m.db")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        metadata.create_all(connection)
        connection.execute(sa.text("INSERT INTO meta VALUES ('format', '1')"))
        for name in ("timed", "log_sum", "log_squares", "recent"):
            connection.execute(sa.text(f"ALTER TABLE agent_records DROP COLUMN {name}"))
        connection.execute(sa.text("INSERT INTO agent_records VALUES ('a', 7, 5, 4.0, 10.0)"))
    engine.dispose()
    store = stored(tmp_path, "m.db")
    await store.open()
    await store.save_turn(
        Turn("t1", "s1", 1, "running", "q", "en", User(), NOW), (), [Run("a", False, 0.0, 1.0)]
    )
    found = (await store.records())["a"]
    await store.close()
    assert found == TrackRecord(8, 5, 4.0, 10.0, 0, 0.0, 0.0, 1)
    assert [column.name for column in agent_records.columns][1:] == list(vars(found))
