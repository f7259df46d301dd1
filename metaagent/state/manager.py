"""Creating states and changing them one event at a time. Pure: times come in, new states come out."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

from metaagent.global_state import (
    BaseAgentState,
    GlobalSessionState,
    Json,
    Language,
    SharedState,
    StepStatus,
    merge_records,
)
from metaagent.state.migrations import STATES
from metaagent.state.progress import progress_of
from metaagent.state.validation import Problem, StateValidator, is_time
from metaagent.values import content, mapping, number, rows, seconds_between, text

__all__ = ["Problem", "StateManager", "StateTransition", "StateValidator"]

_log = logging.getLogger(__name__)

_NEXT: dict[str, frozenset[str]] = {
    # A step whose input can never exist is skipped without having started.
    "pending": frozenset({"in_progress", "skipped"}),
    "in_progress": frozenset({"in_progress", "completed", "failed", "skipped"}),
    "completed": frozenset(),
    "failed": frozenset(),
    "skipped": frozenset(),
}


class StateTransition:
    """The rules for which status may follow which. Every change, and every change refused, is logged."""

    def __init__(self, log: logging.Logger = _log) -> None:
        self.log = log

    def allowed(self, now: object, then: object) -> bool:
        """A status that is missing or unknown counts as pending."""
        return text(then) in _NEXT.get(text(now), _NEXT["pending"])

    def apply(self, step: Mapping[str, Any], status: StepStatus, at: str) -> Json | None:
        """The step in its new status, with the times that follow from it; None if the change is refused."""
        step_id, now = text(step.get("step_id")), text(step.get("status"))
        if status == now and not _NEXT.get(now, True):
            self.log.debug("step %r: is %r already", step_id, now)
            return None
        if not self.allowed(now, status):
            self.log.warning("step %r: %r may not follow %r; left as it was", step_id, status, now)
            return None
        self.log.info("step %r: %r -> %r", step_id, now, status)
        changed: Json = {**step, "status": status}
        if status == "in_progress":
            return {**changed, "started_at": text(step.get("started_at")) or at}
        return {**changed, "completed_at": at}


class StateManager:
    """Holds the rules for status changes; everything else is given to it."""

    def __init__(self, transition: StateTransition | None = None) -> None:
        self.transition = transition or StateTransition()

    def create_shared_state(
        self,
        user_query: str,
        session_id: str,
        at: str,
        *,
        user_id: str | None = None,
        company_id: str | None = None,
        language: Language = "ko",
    ) -> SharedState:
        return {
            "user_query": user_query,
            "session_id": session_id,
            "user_id": user_id,
            "company_id": company_id,
            "timestamp": at,
            "language": language,
            "status": "pending",
            "error_message": None,
        }

    def create_session_state(
        self, session_id: str, user_id: str, company_id: str, turn_id: str = ""
    ) -> GlobalSessionState:
        return {
            "session_id": session_id,
            "turn_id": turn_id,
            "user_id": user_id,
            "company_id": company_id,
            "schema_version": STATES.newest,
            "messages": [],
            "conversation_history": [],
            "current_phase": "analyzing",
            "current_agent": None,
            "workflow_status": "initialized",
            "iteration_count": 0,
            "execution_steps": [],
            "progress_percentage": 0,
            "total_tokens_used": 0,
            "api_calls_made": {},
            "db_queries_executed": 0,
            "query_analyzer_state": None,
            "planning_state": None,
            "execution_manager_state": None,
            "agent_states": {},
            "loaded_memories": [],
            "user_preferences": {},
            "final_response": None,
            "response_metadata": {},
            "errors": [],
            "warnings": [],
            "audit_trail": [],
        }

    def create_agent_state(
        self,
        agent: str,
        task_id: str,
        task: Mapping[str, Any],
        at: str,
        context: Mapping[str, Any] | None = None,
    ) -> BaseAgentState:
        """Make the state that every agent starts with; an agent adds the fields of its own type."""
        return {
            "task_id": task_id,
            "assigned_task": dict(task),
            "execution_context": {**(context or {}), "agent": agent},
            "result": None,
            "confidence_score": 0.0,
            "execution_time": 0.0,
            "error_message": None,
            "error_type": None,
            "recovery_attempted": False,
            "start_time": at,
            "end_time": None,
            "resource_usage": {},
        }

    def update_step(
        self,
        step: Mapping[str, Any],
        status: StepStatus,
        at: str,
        *,
        progress: float | None = None,
    ) -> Json | None:
        """The step in its new status; times and progress follow. None if the change is refused."""
        changed = self.transition.apply(step, status, at)
        if changed is None:
            return None
        known = step.get("progress_percentage") if progress is None else progress
        reached = 100 if status == "completed" else int(min(100, max(0, number(known))))
        return {**changed, "progress_percentage": reached}

    def record_error(
        self,
        state: object,
        message: str,
        at: str,
        *,
        code: str = "error",
        agent: str | None = None,
        key: str = "",
    ) -> Json:
        """Add an error. One with the same key is one record, however often it is recorded; without a key the same
        error of the same moment is."""
        record: Json = {"code": code, "agent": agent, "message": message, "timestamp": at}
        record["id"] = key or hashlib.sha256(content(record).encode()).hexdigest()[:16]
        session = dict(mapping(state))
        return {**session, "errors": merge_records(session.get("errors"), [record])}

    def mark_completed(self, state: object, at: str, *, since: str = "", whole: bool = False) -> Json:
        """End the turn with what it achieved: unless everything wanted is there (`whole`), steps that failed or never
        ran show in the progress, which never goes back.

        The time taken runs from `since`, or else from the question, or else from the first step that started.
        """
        session = dict(mapping(state))
        steps = rows(session.get("execution_steps"))
        taken = _taken(session, since, at)
        reached = int(min(100, max(0, number(session.get("progress_percentage")))))
        return {
            **session,
            "current_phase": "completed",
            "workflow_status": "completed",
            "current_agent": None,
            "progress_percentage": 100 if whole or not steps else max(reached, progress_of(steps)),
            "response_metadata": {**mapping(session.get("response_metadata")), "total_execution_time": taken},
        }


def _taken(session: Json, since: str, at: str) -> float:
    """Compute the seconds taken; 0 where no beginning is known or the clock went back."""
    asked = text(mapping(session.get("query_analyzer_state")).get("query_timestamp"))
    started = [text(step.get("started_at")) for step in rows(session.get("execution_steps"))]
    begin = next(filter(is_time, (since, asked, *sorted(started))), None)
    if begin is None or not is_time(at):
        return 0.0
    return max(0.0, seconds_between(begin, at))
