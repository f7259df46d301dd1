"""Merges an agent's result into the session. Pure and total; the states that come in are left as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.global_state import CompletedTask, FailedTask, Json
from metaagent.state.progress import progress_of
from metaagent.values import content, mapping, number, rows, sequence, text


def merge_agent_results(global_state: object, agent_state: object, agent_name: str) -> Json:
    """The whole session with the agent's state, its task among the completed or failed, and the progress.

    A run with an error has failed; one with a result and no error is completed; one with neither is still
    under way and is only stored. A task is listed once: the newer entry takes the older one's place, and a
    completed task stays completed. Without a `task_id`, the agent's name stands for it.
    """
    session = dict(mapping(global_state))
    if not isinstance(agent_state, Mapping):
        return session
    run = dict(mapping(agent_state))
    name = text(agent_name)
    execution = _with_task(mapping(session.get("execution_manager_state")), run, name)
    progress = _progress(mapping(session.get("planning_state")), _ids(execution["completed_tasks"]))
    execution["execution_progress"] = progress / 100
    session["agent_states"] = {**mapping(session.get("agent_states")), name: run}
    session["execution_manager_state"] = execution
    session["progress_percentage"] = progress
    return session


def _with_task(execution: Mapping[str, Any], run: Json, agent: str) -> Json:
    task_id = text(run.get("task_id")) or agent
    completed, failed = rows(execution.get("completed_tasks")), rows(execution.get("failed_tasks"))
    if _said(run.get("error_message")) or _said(run.get("error_type")):
        if task_id not in _ids(completed):
            failed = _put(failed, task_id, _failed(run, task_id, agent))
    elif run.get("result") is not None:
        failed = [task for task in failed if task.get("task_id") != task_id]
        completed = _put(completed, task_id, _completed(execution, run, task_id, agent))
    settled = _ids(completed) | _ids(failed)
    return {
        **execution,
        "completed_tasks": completed,
        "failed_tasks": failed,
        "pending_tasks": _without(execution.get("pending_tasks"), settled),
        "active_steps": _without(execution.get("active_steps"), settled),
    }


def _completed(execution: Mapping[str, Any], run: Json, task_id: str, agent: str) -> CompletedTask:
    """The quality is what the execution manager measured; until it has, the agent's own confidence."""
    measured = mapping(execution.get("quality_scores")).get(task_id)
    return {
        "task_id": task_id,
        "agent": agent,
        "result": run["result"],
        "execution_time": number(run.get("execution_time")),
        "quality_score": number(run.get("confidence_score") if measured is None else measured),
    }


def _failed(run: Json, task_id: str, agent: str) -> FailedTask:
    """The attempts are those that `resource_usage` counted; a run is at least one."""
    return {
        "task_id": task_id,
        "agent": agent,
        "error": _said(run.get("error_message")),
        "error_type": _said(run.get("error_type")),
        "attempts": max(1, int(number(mapping(run.get("resource_usage")).get("attempts")))),
    }


def _progress(planning: Mapping[str, Any], completed: set[str]) -> int:
    """Count what the plan has completed; after a replan, what earlier versions completed is part of the whole."""
    planned = [text(step.get("step_id")) for step in rows(planning.get("execution_plan"))]
    if planned and number(planning.get("plan_version")) > 1:
        planned += completed.difference(planned)
    return progress_of({"status": "completed" if name in completed else "pending"} for name in planned)


def _said(error: object) -> str:
    """The error as text; an agent that put something else there has failed all the same."""
    return error if isinstance(error, str) else "" if error is None else content(error)


def _put(tasks: list[Json], task_id: str, task: Any) -> list[Json]:
    return [*(other for other in tasks if other.get("task_id") != task_id), task]


def _ids(tasks: list[Json]) -> set[str]:
    return {text(task.get("task_id")) for task in tasks} - {""}


def _without(task_ids: object, gone: set[str]) -> list[Any]:
    return [task_id for task_id in sequence(task_ids) if text(task_id) not in gone]
