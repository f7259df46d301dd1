from __future__ import annotations

import logging
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from metaagent import level1, level2
from metaagent.global_state import (
    BaseAgentState,
    DataAnalysisAgentState,
    ExecutionStepState,
    PlanningState,
    QueryAnalyzerState,
    SharedState,
    StepStatus,
)
from metaagent.state.manager import Problem, StateManager, StateTransition, StateValidator
from metaagent.state.progress import progress_of
from metaagent.values import content, mapping, rows
from tests.support.states import KINDS, anything, nested, oddities, plain, tried

T0, T1, T2 = "2025-01-10T09:00:00.000Z", "2025-01-10T09:00:01.250Z", "2025-01-10T09:00:04.000Z"
STATUSES: list[StepStatus] = ["pending", "in_progress", "completed", "failed", "skipped"]

manager = StateManager()


def todo(*statuses: str) -> dict[str, Any]:
    steps = [{"step_id": f"s{n}", "status": status} for n, status in enumerate(statuses, 1)]
    return {"session_id": "S", "execution_steps": steps}


def problems(state: object, kind: Any = None) -> dict[str, str]:
    found = (StateValidator(kind) if kind else StateValidator()).validate(state)
    assert len({problem["path"] for problem in found}) == len(found)
    return {problem["path"]: problem["problem"] for problem in found}


# --- creating -------------------------------------------------------------------------------------------


def test_created_states_are_valid_and_survive_a_checkpoint():
    shared = manager.create_shared_state("서울 매출?", "S", T0, user_id="u", company_id="c", language="ko")
    session = manager.create_session_state("S", "u", "c")
    agent = manager.create_agent_state("analysis", "s1", {"task": "sum"}, T0, {"plan_version": 1})
    assert problems(shared, SharedState) == problems(session) == problems(agent, BaseAgentState) == {}
    assert agent.get("execution_context") == {"plan_version": 1, "agent": "analysis"}
    assert session.get("current_phase") == "analyzing"
    assert all(survives(state) for state in (shared, session, agent))


def test_a_created_session_has_every_field_of_its_type():
    assert set(manager.create_session_state("S", "u", "c")) == set(KINDS[-1].__annotations__)
    assert set(manager.create_shared_state("q", "S", T0)) == set(SharedState.__annotations__)
    assert set(manager.create_agent_state("a", "s1", {}, T0)) == set(BaseAgentState.__annotations__)


def test_two_sessions_share_nothing():
    first, second = manager.create_session_state("S", "u", "c"), manager.create_session_state("S", "u", "c")
    assert first == second
    assert first.get("errors") is not second.get("errors")


# --- one step's status ----------------------------------------------------------------------------------


def test_times_and_progress_follow_the_status():
    pending = todo("pending")["execution_steps"][0]
    started = manager.update_step(pending, "in_progress", T0, progress=30)
    assert started is not None
    assert started == {
        "step_id": "s1",
        "status": "in_progress",
        "started_at": T0,
        "progress_percentage": 30,
    }
    assert started is not None
    further = manager.update_step(started, "in_progress", T1, progress=250)
    assert further == {**started, "progress_percentage": 100}
    done = manager.update_step(started, "completed", T2)
    assert done == {**started, "status": "completed", "completed_at": T2, "progress_percentage": 100}
    assert pending["status"] == "pending"


def test_failed_step_keeps_its_progress_unless_told():
    started = manager.update_step({"step_id": "s1", "status": "pending"}, "in_progress", T0, progress=40)
    assert started is not None
    kept, told = (manager.update_step(started, "failed", T1, progress=given) for given in (None, 0))
    assert kept is not None
    assert told is not None
    assert (kept["progress_percentage"], told["progress_percentage"]) == (40, 0)
    assert progress_of([kept]) == 0


def test_step_that_can_never_run_is_skipped_unstarted():
    skipped = manager.update_step({"step_id": "s1", "status": "pending"}, "skipped", T0)
    assert skipped is not None
    assert "started_at" not in skipped
    assert progress_of([skipped]) == 100


@pytest.mark.parametrize("end", ["completed", "failed", "skipped"])
@pytest.mark.parametrize("then", STATUSES)
def test_a_terminal_status_never_changes(end: str, then: StepStatus):
    assert manager.update_step({"step_id": "s1", "status": end}, then, T0) is None


def test_the_allowed_changes_are_these():
    allowed = {(a, b) for a in STATUSES for b in STATUSES if StateTransition().allowed(a, b)}
    assert allowed == {
        ("pending", "in_progress"),
        ("pending", "skipped"),
        ("in_progress", "in_progress"),
        ("in_progress", "completed"),
        ("in_progress", "failed"),
        ("in_progress", "skipped"),
    }
    assert StateTransition().allowed(None, "in_progress")
    assert not StateTransition().allowed("pending", "done")


def test_changes_and_refusals_are_logged(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    manager.update_step({"step_id": "s1", "status": "pending"}, "in_progress", T0)
    manager.update_step({"step_id": "s1", "status": "completed"}, "completed", T0)
    manager.update_step({"step_id": "s1", "status": "completed"}, "failed", T0)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("INFO", "step 's1': 'pending' -> 'in_progress'"),
        ("DEBUG", "step 's1': is 'completed' already"),
        ("WARNING", "step 's1': 'failed' may not follow 'completed'; left as it was"),
    ]


# --- errors and the end ---------------------------------------------------------------------------------


def test_an_error_recorded_again_is_one_record():
    once = manager.record_error({}, "no table", T0, code="Failed", agent="a")
    assert manager.record_error(once, "no table", T0, code="Failed", agent="a") == once
    [record] = once["errors"]
    assert {**record, "id": ""} == {
        "id": "",
        "timestamp": T0,
        "code": "Failed",
        "message": "no table",
        "agent": "a",
    }
    assert len(manager.record_error(once, "no table", T1)["errors"]) == 2


def test_an_error_with_a_key_is_one_record():
    once = manager.record_error({}, "no table", T0, key="t1-s1")
    assert [e["timestamp"] for e in manager.record_error(once, "no table", T1, key="t1-s1")["errors"]] == [T1]


@pytest.mark.parametrize(
    ("state", "seconds"),
    [
        ({"query_analyzer_state": {"query_timestamp": T0}}, 4.0),
        ({"execution_steps": [{"started_at": T2}, {"started_at": T1}, {}]}, 2.75),
        ({"query_analyzer_state": {"query_timestamp": "2026-01-01T00:00:00.000Z"}}, 0.0),
        ({}, 0.0),
    ],
)
def test_completed_says_the_time_taken(state: dict[str, Any], seconds: float):
    assert manager.mark_completed(state, T2)["response_metadata"] == {"total_execution_time": seconds}
    assert manager.mark_completed(state, "soon")["response_metadata"] == {"total_execution_time": 0.0}


def test_completed_does_not_hide_what_was_not_achieved():
    ended = manager.mark_completed({**todo("completed", "failed"), "response_metadata": {"type": "x"}}, T2)
    assert ended["progress_percentage"] == 50
    assert (ended["current_phase"], ended["workflow_status"]) == ("completed", "completed")
    assert ended["response_metadata"]["type"] == "x"
    assert manager.mark_completed({}, T2)["progress_percentage"] == 100


def test_completed_progress_never_goes_back_unless_whole():
    state = {**todo("completed", "failed"), "progress_percentage": 80}
    assert manager.mark_completed(state, T2)["progress_percentage"] == 80
    assert manager.mark_completed(state, T2, whole=True)["progress_percentage"] == 100


def test_completed_counts_from_the_given_moment():
    ended = manager.mark_completed({"query_analyzer_state": {"query_timestamp": T0}}, T2, since=T1)
    assert ended["response_metadata"]["total_execution_time"] == 2.75


@tried
@given(anything, st.sampled_from(STATUSES), oddities)
def test_no_state_makes_the_manager_raise_and_none_is_mutated(
    state: object, status: StepStatus, progress: Any
):
    before = content(state)
    for step in rows(mapping(state).get("execution_steps")):
        manager.update_step(step, status, T0, progress=progress)
    manager.record_error(state, "boom \ud800", T0)
    manager.mark_completed(state, T0)
    assert content(state) == before


# --- validating -----------------------------------------------------------------------------------------


def test_every_problem_is_found_with_its_place_and_remedy():
    session: dict[str, Any] = {
        **manager.create_session_state("S", "u", "c"),
        "current_phase": "thinking",
        "progress_percentage": 101,
        "iteration_count": True,
        "colour": "red",
        "messages": [HumanMessage("hi"), "hi"],
        "execution_steps": [{"step_id": "s1", "status": "done"}, {"status": "failed", "started_at": "today"}],
        "query_analyzer_state": {
            "raw_query": "q",
            "parsed_intents": [{"intent": "rank", "confidence": 1.5}],
            "extracted_entities": [{"span": [4, 2]}, {"span": [1]}, {"span": [0, 3], "normalized": {"a": 1}}],
        },
        "agent_states": {"analysis": {"task_id": "s1", "own_field": 1, "confidence_score": -1}},
        "execution_manager_state": {"quality_scores": {"s1": 2.0}},
        "errors": [{"message": "no id"}],
        "user_preferences": ["ko"],
    }
    assert problems(session) == {
        "colour": "is no field of GlobalSessionState",
        "current_phase": "should be one of 'analyzing', 'clarifying', 'planning', 'executing', 'completed'",
        "progress_percentage": "is outside 0..100",
        "iteration_count": "should be int",
        "messages[1]": problems(session)["messages[1]"],
        "execution_steps[0].status": "should be one of " + ", ".join(map(repr, STATUSES)),
        "execution_steps[1]": "has no step_id",
        "execution_steps[1].started_at": "is not a time in UTC with milliseconds",
        "query_analyzer_state.parsed_intents[0].confidence": "is outside 0..1",
        "query_analyzer_state.extracted_entities[0].span": "is not a span",
        "query_analyzer_state.extracted_entities[1].span": "is not a span",
        "agent_states.analysis.confidence_score": "is outside 0..1",
        "execution_manager_state.quality_scores": "has a score outside 0..1",
        "errors": "holds a record without an id",
        "user_preferences": "should be dict",
    }
    assert problems(session)["messages[1]"].startswith("should be AIMessage or HumanMessage or ")


def test_a_problem_says_what_where_and_what_to_do():
    assert StateValidator(ExecutionStepState).validate({"step_id": 3}) == [
        Problem(
            path="step_id",
            problem="should be str",
            value_type="int",
            remedy="Write str, or leave the field out.",
        )
    ]


def test_optional_fields_may_be_none_and_others_may_not():
    assert problems({"task_id": "s1", "result": None, "end_time": None}, BaseAgentState) == {}
    assert problems({"task_id": None}, BaseAgentState) == {"task_id": "should be str"}
    assert problems({"task_id": "s1", "result": 3}, BaseAgentState) == {"result": "should be dict or None"}


def test_an_int_is_a_float_and_a_bool_is_neither():
    assert problems({"task_id": "s1", "execution_time": 1}, BaseAgentState) == {}
    wrong = {"task_id": "s1", "execution_time": True}
    assert problems(wrong, BaseAgentState) == {"execution_time": "should be float"}
    assert problems({"task_id": "s1", "execution_time": -1}, BaseAgentState) == {
        "execution_time": "is not 0 or more"
    }
    nan = {"task_id": "s1", "confidence_score": float("nan")}
    assert problems(nan, BaseAgentState) == {"confidence_score": "is outside 0..1"}


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (datetime(2025, 1, 10, tzinfo=UTC), "is not plain data"),
        ({1, 2}, "is not plain data"),
        ((1, 2), "is not plain data"),
        (b"x", "is not plain data"),
        (print, "is not plain data"),
        (Colour.RED, "is not plain data"),
        (2**64, "is an integer of more than 64 bits"),
        ("\ud83d", "holds half of a surrogate pair"),
        ({1: "a"}, "has a key that is not clean text"),
        ({"\ud83d": "a"}, "has a key that is not clean text"),
    ],
)
def test_value_lost_by_a_checkpoint_is_found_at_any_depth(value: object, problem: str):
    state = {"task_id": "s1", "result": {"a": [value]}}
    assert problems(state, BaseAgentState) == {"result.a[0]": problem}


@pytest.mark.parametrize("value", ["😀 서울", "plain", 2**64 - 1, -(2**63), 0.5, None, True, {"a": [1]}])
def test_plain_data_is_no_problem(value: object):
    assert problems({"task_id": "s1", "result": {"a": value}}, BaseAgentState) == {}


def test_nesting_ends_at_64():
    assert problems({"task_id": "s1", "result": {"a": nested(62)}}, BaseAgentState) == {}
    [(path, problem)] = problems({"task_id": "s1", "result": {"a": nested(5000)}}, BaseAgentState).items()
    assert path == "result.a" + 62 * "[0]"
    assert problem == "is nested deeper than 64"


def test_a_value_inside_itself_is_found():
    loop: dict[str, Any] = {}
    loop["again"] = [loop, loop]
    found = problems({"task_id": "s1", "result": loop}, BaseAgentState)
    assert found == {"result.again[0]": "contains itself", "result.again[1]": "contains itself"}


def test_messages_are_allowed_and_looked_into():
    session: dict[str, Any] = {**manager.create_session_state("S", "u", "c")}
    session["messages"] = [AIMessage("ok"), HumanMessage("a\ud800", additional_kwargs={"at": {1}})]
    assert problems(session) == {
        "messages[1].content": "holds half of a surrogate pair",
        "messages[1].additional_kwargs.at": "is not plain data",
    }


@pytest.mark.parametrize("time", [T0, "2024-02-29T23:59:59.999+00:00"])
def test_times_in_utc_with_milliseconds_are_times(time: str):
    assert problems({"raw_query": "q", "query_timestamp": time}, QueryAnalyzerState) == {}


@pytest.mark.parametrize(
    "time",
    [
        "",
        "2025-01-10",
        "2025-01-10T09:00:00Z",
        "2025-01-10T09:00:00.000",
        "2025-01-10T09:00:00.000+09:00",
        "2025-02-30T09:00:00.000Z",
        "2025-01-10T09:00:00.000Z\n",
        "٢025-01-10T09:00:00.000Z",
    ],
)
def test_other_times_are_refused(time: str):
    assert list(problems({"raw_query": "q", "query_timestamp": time}, QueryAnalyzerState)) == [
        "query_timestamp"
    ]


@pytest.mark.parametrize("state", [None, "state", 3, [], ()])
def test_value_that_is_no_state_is_one_problem(state: object):
    assert list(problems(state)) == ["."]


def test_a_plugins_own_state_is_validated_by_its_own_type():
    class WeatherState(BaseAgentState, total=False):
        sky: str

    assert problems({"task_id": "s1", "sky": "blue"}, WeatherState) == {}
    assert problems({"task_id": "s1", "sky": 3}, WeatherState) == {"sky": "should be str"}
    assert problems({"sky": "blue"}, BaseAgentState | None) == {".": "has no task_id"}


def test_nested_parts_of_a_plan_are_validated():
    plan = {"execution_plan": [{"step_id": "s1", "timeout": "soon"}], "task_dependencies": {"s1": ["s0", 3]}}
    assert problems(plan, PlanningState) == {
        "execution_plan[0].timeout": "should be float",
        "task_dependencies.s1[1]": "should be str",
    }
    sources = {"task_id": "s1", "cache_hit": "yes", "visualizations": [{"type": "bar", "data": {}}]}
    assert problems(sources, DataAnalysisAgentState) == {
        "cache_hit": "should be bool",
        "visualizations[0].data": "should be list",
    }


@pytest.mark.parametrize("kind", KINDS)
@tried
@given(state=anything)
def test_no_state_makes_the_validator_raise(kind: Any, state: object):
    for problem in StateValidator(kind).validate(state):
        assert all(problem[key] for key in ("path", "problem", "value_type", "remedy"))


def survives(state: object) -> bool:
    serde = JsonPlusSerializer()
    return serde.loads_typed(serde.dumps_typed(state)) == state


@tried
@given(plain | st.integers(-(2**63), 2**64 - 1) | st.text())
def test_session_of_plain_data_survives_a_checkpoint(value: object):
    session = {**manager.create_session_state("S", "u", "c"), "user_preferences": {"any": value}}
    assert problems(session) == {}
    assert survives(session)


def test_deepest_valid_state_survives_the_checkpoint():
    session = {
        **manager.create_session_state("S", "u", "c"),
        "user_preferences": {"deep": nested(62)},
        "messages": [HumanMessage("서울 매출?", id="1"), AIMessage("네", id="2")],
    }
    assert problems(session) == {}
    assert survives(session)


def test_a_value_under_a_wrong_key_is_looked_at_too():
    state = {"task_id": "s1", "result": {3: {1}}}
    assert problems(state, BaseAgentState) == {
        "result": "has a key that is not clean text",
        "result[?]": "is not plain data",
    }


def test_the_levels_show_their_states():
    assert level1.QueryAnalyzerState is QueryAnalyzerState
    assert set(level1.__all__) | set(level2.__all__) == {kind.__name__ for kind in KINDS[:9]}
