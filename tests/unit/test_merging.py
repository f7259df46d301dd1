from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from metaagent.state.merging import merge_agent_results
from metaagent.values import content
from tests.support.states import agent_runs, anything, names, oddities, tried

DONE = {"task_id": "s1", "result": {"rows": 3}, "execution_time": 1.5, "confidence_score": 0.9}
BROKEN = {
    "task_id": "s2",
    "error_message": "no table",
    "error_type": "Failed",
    "resource_usage": {"attempts": 3},
}


def planned(*step_ids: str, version: int = 1, **execution: Any) -> dict[str, Any]:
    plan = [{"step_id": step_id} for step_id in step_ids]
    return {
        "session_id": "S",
        "planning_state": {"execution_plan": plan, "plan_version": version},
        "execution_manager_state": execution,
    }


def test_a_result_is_stored_listed_and_counted():
    state = planned("s1", "s2", pending_tasks=["s1", "s2"], active_steps=["s1"], execution_status="running")
    merged = merge_agent_results(state, DONE, "analysis")
    assert merged["session_id"] == "S"
    assert merged["agent_states"] == {"analysis": DONE}
    assert merged["progress_percentage"] == 50
    assert merged["execution_manager_state"] == {
        "execution_status": "running",
        "execution_progress": 0.5,
        "completed_tasks": [
            {
                "task_id": "s1",
                "agent": "analysis",
                "result": {"rows": 3},
                "execution_time": 1.5,
                "quality_score": 0.9,
            }
        ],
        "failed_tasks": [],
        "pending_tasks": ["s2"],
        "active_steps": [],
    }


def test_a_failure_is_listed_and_is_no_progress():
    merged = merge_agent_results(planned("s1", "s2"), BROKEN, "analysis")
    execution = merged["execution_manager_state"]
    assert execution["failed_tasks"] == [
        {"task_id": "s2", "agent": "analysis", "error": "no table", "error_type": "Failed", "attempts": 3}
    ]
    assert execution["completed_tasks"] == []
    assert execution["execution_progress"] == merged["progress_percentage"] == 0


@pytest.mark.parametrize("run", [{"error_type": "Timeout"}, {"error_message": {"why": 1}, "result": {}}])
def test_any_kind_of_error_is_a_failure(run: dict[str, Any]):
    execution = merge_agent_results({}, run, "analysis")["execution_manager_state"]
    assert [task["task_id"] for task in execution["failed_tasks"]] == ["analysis"]
    assert execution["failed_tasks"][0]["attempts"] == 1


def test_a_run_under_way_is_only_stored():
    merged = merge_agent_results(planned("s1"), {"task_id": "s1", "result": None}, "analysis")
    assert merged["agent_states"]["analysis"] == {"task_id": "s1", "result": None}
    assert merged["execution_manager_state"]["completed_tasks"] == []
    assert merged["execution_manager_state"]["failed_tasks"] == []


def test_measured_quality_wins_over_the_agents_confidence():
    merged = merge_agent_results(planned("s1", quality_scores={"s1": 0.4}), DONE, "analysis")
    assert merged["execution_manager_state"]["completed_tasks"][0]["quality_score"] == 0.4


def test_a_task_that_failed_and_then_succeeded_is_completed_only():
    failed = merge_agent_results(planned("s1"), {**BROKEN, "task_id": "s1"}, "analysis")
    merged = merge_agent_results(failed, DONE, "fallback")["execution_manager_state"]
    assert [task["agent"] for task in merged["completed_tasks"]] == ["fallback"]
    assert merged["failed_tasks"] == []


def test_a_completed_task_stays_completed():
    done = merge_agent_results(planned("s1"), DONE, "analysis")
    merged = merge_agent_results(done, {**BROKEN, "task_id": "s1"}, "analysis")["execution_manager_state"]
    assert [task["task_id"] for task in merged["completed_tasks"]] == ["s1"]
    assert merged["failed_tasks"] == []


def test_steps_completed_before_a_replan_count_as_progress():
    first = merge_agent_results(planned("s1", "s2"), DONE, "analysis")
    again = {**first, "planning_state": planned("s3", "s4", version=2)["planning_state"]}
    merged = merge_agent_results(again, {**DONE, "task_id": "s3"}, "retrieval")
    assert merged["progress_percentage"] == 66


@pytest.mark.parametrize("plan", [{}, {"planning_state": None}, planned(), planned(version=3)])
def test_without_a_plan_there_is_no_progress_and_no_division(plan: dict[str, Any]):
    merged = merge_agent_results(plan, DONE, "analysis")
    assert merged["execution_manager_state"]["execution_progress"] == merged["progress_percentage"] == 0


def test_more_results_than_steps_are_no_more_than_all():
    state = planned("s1")
    for task_id in ("s1", "x", "y"):
        state = merge_agent_results(state, {**DONE, "task_id": task_id}, "analysis")
    assert state["progress_percentage"] == 100
    assert state["execution_manager_state"]["execution_progress"] == 1


def test_an_agent_that_returned_no_state_changes_nothing():
    assert merge_agent_results(planned("s1"), None, "analysis") == planned("s1")


@tried
@given(oddities.filter(lambda value: not isinstance(value, dict)))
def test_value_that_is_no_agent_state_changes_nothing(run: object):
    assert merge_agent_results(planned("s1"), run, "analysis") == planned("s1")


@tried
@given(anything, agent_runs | oddities, names)
def test_merging_never_raises_never_mutates_and_is_repeatable(state: object, run: object, agent: str):
    before = content([state, run])
    once = merge_agent_results(state, run, agent)
    twice = merge_agent_results(once, run, agent)
    assert content([state, run]) == before
    assert content(twice) == content(once)
    if isinstance(run, dict):
        assert 0 <= once["progress_percentage"] <= 100
        assert 0 <= once["execution_manager_state"]["execution_progress"] <= 1


def test_a_merged_state_survives_the_checkpoint():
    merged = merge_agent_results(planned("s1", "s2"), DONE, "analysis")
    serde = JsonPlusSerializer()
    assert serde.loads_typed(serde.dumps_typed(merged)) == merged
