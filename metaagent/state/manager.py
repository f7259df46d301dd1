"""Creating states and changing them one event at a time. Pure: times come in, new states come out."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from datetime import datetime
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
from metaagent.values import content, mapping, number, rows, text

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

    def update_step_status(
        self,
        state: object,
        step_id: str,
        status: StepStatus,
        at: str,
        *,
        progress: float | None = None,
        result: str | None = None,
        error: str | None = None,
    ) -> Json:
        """The session with one step changed. A refused change or an unknown step changes nothing."""
        session = dict(mapping(state))
        steps = rows(session.get("execution_steps"))
        for index, step in enumerate(steps):
            if text(step.get("step_id")) == step_id:
                changed = self.transition.apply(step, status, at)
                if changed is None:
                    return session
                said = {"result": result, "error": error}
                changed |= {name: value for name, value in said.items() if value is not None}
                changed["progress_percentage"] = _step_progress(changed, progress)
                steps[index] = changed
                return {**session, "execution_steps": steps, "progress_percentage": progress_of(steps)}
        self.transition.log.warning("step %r is not in the to-do list: nothing to change", step_id)
        return session

    def record_error(
        self, state: object, message: str, at: str, *, error_type: str = "error", step_id: str | None = None
    ) -> Json:
        """Add an error. The same error of the same moment is one record, however often it is recorded."""
        record: Json = {"timestamp": at, "error_type": error_type, "message": message, "step_id": step_id}
        record["id"] = hashlib.sha256(content(record).encode()).hexdigest()[:16]
        session = dict(mapping(state))
        return {**session, "errors": merge_records(session.get("errors"), [record])}

    def mark_completed(self, state: object, at: str) -> Json:
        """The turn has ended with what it achieved: steps that failed or never ran show in the progress.

        The time taken runs from the question, or where that has no time, from the first step that started.
        """
        session = dict(mapping(state))
        steps = rows(session.get("execution_steps"))
        metadata = {**mapping(session.get("response_metadata")), "total_execution_time": _taken(session, at)}
        return {
            **session,
            "current_phase": "completed",
            "workflow_status": "completed",
            "current_agent": None,
            "progress_percentage": progress_of(steps) if steps else 100,
            "response_metadata": metadata,
        }


def _step_progress(step: Json, progress: float | None) -> int:
    """A step that is settled without success keeps the progress it had made."""
    if step["status"] == "completed":
        return 100
    known = step.get("progress_percentage") if progress is None else progress
    return int(min(100, max(0, number(known))))


def _taken(session: Json, at: str) -> float:
    """Compute the seconds taken; 0 where no beginning is known or the clock went back."""
    asked = text(mapping(session.get("query_analyzer_state")).get("query_timestamp"))
    started = [text(step.get("started_at")) for step in rows(session.get("execution_steps"))]
    begin = next(filter(is_time, (asked, *sorted(started))), None)
    if begin is None or not is_time(at):
        return 0.0
    return max(0.0, (datetime.fromisoformat(at) - datetime.fromisoformat(begin)).total_seconds())
