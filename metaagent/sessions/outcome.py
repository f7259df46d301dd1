"""The outcome of a turn as every door gives it back: made here, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.ports import Json, Turn
from metaagent.values import seconds_between

EMPTY_OUTCOME: Json = {
    "session_id": None,
    "turn_id": None,
    "status": None,
    "phase": None,
    "answer": None,
    "analysis": None,
    "plan": None,
    "steps": [],
    "artifacts": [],
    "citations": [],
    "sources": [],
    "confidence": None,
    "warnings": [],
    "errors": [],
    "clarification": None,
    "approval": None,
    "blocked": [],
    "timings": {},
    "usage": {},
}
"""The outcome of a call that never became a turn; its keys are those that `--json` prints."""


def outcome_of(turn: Turn, values: Mapping[str, Any], waiting: tuple[Json, ...] = ()) -> Json:
    """Make what `ask` returns and `--json` prints, from the state that the graph left."""
    metadata = values.get("response_metadata") or {}
    steps = _with_attempts(values)
    questions = [q for q in waiting if q["kind"] not in {"approval", "override"}]
    approvals = [q for q in waiting if q["kind"] == "approval"]
    return {
        "session_id": turn.session_id,
        "turn_id": turn.turn_id,
        "phase": values.get("current_phase", "analyzing"),
        "answer": values.get("final_response"),
        "analysis": values.get("query_analyzer_state"),
        "plan": values.get("planning_state"),
        "steps": steps,
        "artifacts": metadata.get("artifacts", []),
        "citations": metadata.get("citations", []),
        "sources": metadata.get("sources", []),
        "confidence": metadata.get("confidence"),
        "warnings": values.get("warnings") or [],
        "errors": values.get("errors") or [],
        "clarification": questions[0] if questions else None,
        "approval": approvals[0] if approvals else None,
        "blocked": _blocked(values, waiting),
        "waiting": list(waiting),
        "timings": {
            "steps": {
                step["step_id"]: seconds_between(step.get("started_at") or ended, ended)
                for step in steps
                if (ended := step.get("completed_at"))
            }
        },
        "usage": turn.outcome.get("usage") or {},
    }


def _with_attempts(values: Mapping[str, Any]) -> list[Json]:
    """The steps, each with how often it was tried where it was tried again."""
    results = (values.get("execution_manager_state") or {}).get("final_results") or {}
    tried = {name: result.get("attempts") or 1 for name, result in results.items()}
    steps: list[Json] = values.get("execution_steps") or []
    return [
        {**step, "attempts": tried[step["step_id"]]} if tried.get(step["step_id"], 1) > 1 else step
        for step in steps
    ]


def _blocked(values: Mapping[str, Any], waiting: tuple[Json, ...]) -> list[Json]:
    """List what a closed gate holds back, or held back to the end."""
    from metaagent.level1.planning.gate import BLOCKED, UNGATED  # heavy, and `--help` needs none of it

    held = [
        {key: question[key] for key in ("step_id", "agent", "reason", "rules", "findings", "opened_by")}
        | {"text": question["question"]}
        for question in waiting
        if question["kind"] == "override"
    ]
    results = (values.get("execution_manager_state") or {}).get("final_results") or {}
    stopped = [
        {"step_id": step_id, "capability": result["capability"], "text": result["error"]}
        for step_id, result in results.items()
        if result.get("error_type") == BLOCKED and "superseded_by" not in result
    ]
    planning = values.get("planning_state") or {}
    unmet = [
        {"step_id": "", "capability": part["capability"], "text": ""}
        for part in planning.get("unmet") or ()
        if part["reason"] == UNGATED
    ]
    never = [
        {"step_id": problem["step"], "agent": problem["value"], "text": problem["text"]}
        for problem in planning.get("validation_errors") or ()
        if problem["code"] == UNGATED
    ]
    return [*held, *stopped, *unmet, *never]


def ended_outcome(turn: Turn, error: Json, known: Mapping[str, Any] | None = None) -> Json:
    """Make the outcome of a turn that an error or a cancellation ended, with what was `known` by then."""
    asked = {"waiting": [], "clarification": None, "approval": None, "blocked": []}
    ended = {"phase": "completed", "answer": error["message"], "errors": [error]}
    return {**outcome_of(turn, {}), **(known or {}), **asked, **ended}
