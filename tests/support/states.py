"""Strategies for states: sound, incomplete, and wrong in every way."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from metaagent import global_state as g

KINDS: list[Any] = [
    g.QueryAnalyzerState,
    g.PlanningState,
    g.ExecutionManagerState,
    g.BaseAgentState,
    g.DataAnalysisAgentState,
    g.InformationRetrievalAgentState,
    g.DocumentGenerationAgentState,
    g.ComplianceValidationAgentState,
    g.StorageDecisionAgentState,
    g.SharedState,
    g.ExecutionStepState,
    g.GlobalSessionState,
]

tried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no reason to fail."""

scalars: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(-5, 120) | st.floats(allow_nan=False) | st.text(max_size=4)
)
plain: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
oddities: st.SearchStrategy[Any] = (
    plain
    | st.just(float("nan"))
    | st.just(10**5000)
    | st.just("\ud800")
    | st.builds(object)
    | st.just(datetime(2025, 1, 10, tzinfo=UTC))
    | st.binary(max_size=3)
    | st.tuples(plain)
    | st.dictionaries(st.integers(), plain, max_size=2)
)


def _dicts(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Each field is missing, right or wrong, on its own."""
    wrong_too = {name: values | oddities for name, values in fields.items()}
    return st.fixed_dictionaries({}, optional=wrong_too)


names = st.sampled_from(["a", "b", "s1", "s2", "s10", ""])
times = st.sampled_from(["2025-01-10T09:00:00.000Z", "2025-01-10T09:00:01.500+00:00"])
steps = _dicts(
    step_id=names,
    status=st.sampled_from(["pending", "in_progress", "completed", "failed", "skipped"]),
    progress_percentage=st.integers(0, 100),
    started_at=times,
)
records = _dicts(id=names, timestamp=times, message=names)
agent_runs = _dicts(
    task_id=names,
    result=plain,
    error_message=names,
    error_type=names,
    execution_time=st.floats(0, 9),
    confidence_score=st.floats(0, 1),
    resource_usage=_dicts(attempts=st.integers(0, 4)),
    start_time=times,
    end_time=times,
)
tasks = _dicts(task_id=names, agent=names)
sessions = _dicts(
    session_id=names,
    current_phase=st.sampled_from(["analyzing", "clarifying", "planning", "executing", "completed"]),
    iteration_count=st.integers(0, 14),
    query_analyzer_state=_dicts(
        clarification_needed=st.booleans(),
        ambiguities=st.lists(_dicts(field=names), max_size=2),
        clarification_answers=st.lists(_dicts(field=names), max_size=5),
        query_timestamp=times,
    ),
    planning_state=_dicts(
        execution_plan=st.lists(_dicts(step_id=names), max_size=3),
        reanalysis_may_help=st.booleans(),
        reanalysis_attempts=st.integers(0, 2),
        plan_version=st.integers(0, 3),
    ),
    execution_manager_state=_dicts(
        need_replan=st.booleans(),
        replan_attempts=st.integers(0, 3),
        execution_status=st.sampled_from(["initializing", "running", "paused", "completed", "failed"]),
        completed_tasks=st.lists(tasks, max_size=3),
        failed_tasks=st.lists(tasks, max_size=3),
        pending_tasks=st.lists(names, max_size=3),
        active_steps=st.lists(names, max_size=3),
        quality_scores=st.dictionaries(names, st.floats(0, 1), max_size=2),
    ),
    execution_steps=st.lists(steps, max_size=4),
    agent_states=st.dictionaries(names, agent_runs, max_size=2),
    errors=st.lists(records, max_size=3),
    response_metadata=_dicts(type=names),
)
anything = sessions | oddities


def nested(depth: int) -> Any:
    """So many lists in one another, innermost empty."""
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value
