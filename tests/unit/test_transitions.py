from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.global_state import Phase
from metaagent.state.transitions import DEFAULT, Limits, bound_reached, determine_next_phase
from tests.support.states import anything, oddities, tried

ASKING = {"clarification_needed": True, "ambiguities": [{"field": "region"}, {"field": "period"}]}
EMPTY_PLAN = {"execution_plan": [], "reanalysis_may_help": True}


def analyzing(**analysis: Any) -> dict[str, Any]:
    return {"current_phase": "analyzing", "query_analyzer_state": analysis}


def clarifying(**analysis: Any) -> dict[str, Any]:
    return {"current_phase": "clarifying", "query_analyzer_state": analysis}


def planning(**plan: Any) -> dict[str, Any]:
    return {"current_phase": "planning", "planning_state": plan}


def executing(**execution: Any) -> dict[str, Any]:
    return {"current_phase": "executing", "execution_manager_state": execution}


@pytest.mark.parametrize(
    ("state", "then"),
    [
        (analyzing(**ASKING), "clarifying"),
        (analyzing(**ASKING, clarification_answers=[{"field": "period"}] * 2), "clarifying"),
        (analyzing(clarification_needed=False), "planning"),
        (analyzing(clarification_needed="no"), "planning"),
        (analyzing(), "planning"),
        ({"current_phase": "analyzing"}, "planning"),
        (clarifying(**ASKING, clarification_answers=[{"field": "region", "answer": "서울"}]), "analyzing"),
        (clarifying(**ASKING, clarification_answers=[{"field": "period"}, {"field": "region"}]), "analyzing"),
        (clarifying(**ASKING, clarification_answers=[{"field": "period"}]), "completed"),
        (clarifying(**ASKING), "completed"),
        (clarifying(ambiguities=[{}], clarification_answers=[{}]), "completed"),
        (clarifying(ambiguities=["region"], clarification_answers=["region"]), "completed"),
        (clarifying(ambiguities=[], clarification_answers=[{"field": "region"}]), "completed"),
        (planning(**EMPTY_PLAN), "analyzing"),
        (planning(reanalysis_may_help=True), "analyzing"),
        (planning(execution_plan=[{"step_id": "s1"}], reanalysis_may_help=True), "executing"),
        (planning(execution_plan=[], reanalysis_may_help=False), "executing"),
        (planning(), "executing"),
        (executing(need_replan=True, execution_status="failed"), "planning"),
        (executing(need_replan=True, replan_attempts=1), "planning"),
        (executing(execution_status="completed"), "completed"),
        (executing(execution_status="failed"), "completed"),
        (executing(execution_status="running"), "executing"),
        (executing(execution_status="paused", need_replan=False), "executing"),
        (executing(), "executing"),
        ({"current_phase": "completed"}, "completed"),
        ({"current_phase": "resting"}, "completed"),
        ({}, "completed"),
        (None, "completed"),
        ("analyzing", "completed"),
    ],
)
def test_the_next_phase_is_as_in_the_table(state: object, then: Phase):
    assert determine_next_phase(state) == then
    assert bound_reached(state) is None


@pytest.mark.parametrize(
    ("state", "bound"),
    [
        ({"current_phase": "analyzing", "iteration_count": 12}, "max_iterations"),
        ({"current_phase": "planning", "iteration_count": 13}, "max_iterations"),
        ({"current_phase": "executing", "iteration_count": 12}, "max_iterations"),
        (
            {**clarifying(**ASKING, clarification_answers=[{"field": "region"}]), "iteration_count": 12},
            "max_iterations",
        ),
        (analyzing(**ASKING, clarification_answers=[{"field": "period"}] * 3), "max_clarifications"),
        (planning(**EMPTY_PLAN, reanalysis_attempts=1), "max_reanalyses"),
        (executing(need_replan=True, replan_attempts=2), "max_replans"),
        (executing(need_replan=True, replan_attempts=2, execution_status="failed"), "max_replans"),
    ],
)
def test_a_bound_ends_the_turn_and_is_named(state: object, bound: str):
    assert bound_reached(state) == bound
    assert determine_next_phase(state) == "completed"


@pytest.mark.parametrize("count", ["3", 1.0, True, -1, [], float("nan")])
def test_a_counter_that_cannot_be_read_is_spent(count: object):
    assert bound_reached({"current_phase": "executing", "iteration_count": count}) == "max_iterations"


def test_answers_that_cannot_be_counted_end_the_asking():
    assert bound_reached(analyzing(**ASKING, clarification_answers="서울")) == "max_clarifications"


def test_a_turn_that_ends_by_itself_names_no_bound():
    state = {**executing(execution_status="completed"), "iteration_count": 99}
    assert bound_reached(state) is None
    assert determine_next_phase(state) == "completed"


def test_the_limits_are_the_callers():
    none = Limits(max_replans=0)
    assert bound_reached(executing(need_replan=True), none) == "max_replans"
    assert (
        determine_next_phase(executing(need_replan=True, replan_attempts=4), Limits(max_replans=5))
        == "planning"
    )
    assert Limits(12, 2, 3, 1) == DEFAULT


@tried
@given(anything)
def test_every_state_has_a_next_phase(state: object):
    assert determine_next_phase(state) in get_args(Phase)


@tried
@given(
    st.sampled_from(get_args(Phase)),
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("iteration_count", "query_analyzer_state", "planning_state", "execution_manager_state"), oddities
        ),
    ),
)
def test_garbage_in_the_parts_never_raises(phase: str, parts: dict[str, Any]):
    assert determine_next_phase({"current_phase": phase, **parts}) in get_args(Phase)


@tried
@given(anything)
def test_a_named_bound_means_completed(state: object):
    if bound_reached(state):
        assert determine_next_phase(state) == "completed"


@tried
@given(anything, st.integers(0, 5))
def test_every_turn_ends_when_its_iterations_are_counted(state: object, spare: int):
    session: dict[str, Any] = {**state, "iteration_count": 12 - spare} if isinstance(state, dict) else {}
    for _ in range(spare + 1):
        session = {**session, "current_phase": determine_next_phase(session)}
        session["iteration_count"] = session.get("iteration_count", 0) + 1
    assert determine_next_phase(session) == "completed"
