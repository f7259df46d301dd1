"""Decides where a turn goes next. Pure and total: a state in, a phase out, whatever the state looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from metaagent.global_state import Phase
from metaagent.values import mapping, rows, sequence, text


@dataclass(frozen=True)
class Limits:
    max_iterations: int = 12
    max_replans: int = 2
    max_clarifications: int = 3
    max_reanalyses: int = 1


DEFAULT = Limits()

POSSIBLE: dict[Phase, tuple[Phase, ...]] = {
    "analyzing": ("clarifying", "planning", "completed"),
    "clarifying": ("analyzing", "completed"),
    "planning": ("analyzing", "executing", "completed"),
    "executing": ("planning", "executing", "completed"),
}
"""The phases that each phase may lead to: what `determine_next_phase` says is always among them."""


def determine_next_phase(state: object, limits: Limits = DEFAULT) -> Phase:
    """The phase that follows from what the state holds; a turn that reached a bound is completed with what it achieved."""
    return "completed" if bound_reached(state, limits) else _wanted(mapping(state))


def bound_reached(state: object, limits: Limits = DEFAULT) -> str | None:
    """The name of the limit that ends the turn here, for its warning; None where the turn goes on or ends by
    itself. Ask with the state that `determine_next_phase` is asked with, before its phase is changed.

    The counts: `iteration_count`; the answers in `clarification_answers` that filled no field of a form;
    `reanalysis_attempts` (how often the planner already sent this turn back); `replan_attempts`.
    """
    session = mapping(state)
    wanted = _wanted(session)
    if wanted == "completed":
        return None
    if _spent(session.get("iteration_count"), limits.max_iterations):
        return "max_iterations"
    match session["current_phase"], wanted:
        case "analyzing", "clarifying":
            answers = _part(session, "query_analyzer_state").get("clarification_answers")
            asked = _asked_in_vain(answers) if isinstance(answers, list | tuple) else answers
            return "max_clarifications" if _spent(asked, limits.max_clarifications) else None
        case "planning", "analyzing":
            made = _part(session, "planning_state").get("reanalysis_attempts")
            return "max_reanalyses" if _spent(made, limits.max_reanalyses) else None
        case "executing", "planning":
            made = _part(session, "execution_manager_state").get("replan_attempts")
            return "max_replans" if _spent(made, limits.max_replans) else None
        case _:
            return None


def _asked_in_vain(answers: object) -> int:
    return sum(mapping(answer).get("filled") is not True for answer in sequence(answers))


def _wanted(session: Mapping[str, Any]) -> Phase:
    """The table alone, as if nothing were bounded. A flag is set only by `True` itself."""
    match text(session.get("current_phase")):
        case "analyzing":
            unclear = _part(session, "query_analyzer_state").get("clarification_needed") is True
            return "clarifying" if unclear else "planning"
        case "clarifying":
            return "analyzing" if _answered(_part(session, "query_analyzer_state")) else "completed"
        case "planning":
            planning = _part(session, "planning_state")
            again = planning.get("reanalysis_may_help") is True and not rows(planning.get("execution_plan"))
            return "analyzing" if again else "executing"
        case "executing":
            return _after_execution(_part(session, "execution_manager_state"))
        case _:
            return "completed"


def _after_execution(execution: Mapping[str, Any]) -> Phase:
    if execution.get("need_replan") is True:
        return "planning"
    return "completed" if text(execution.get("execution_status")) in {"completed", "failed"} else "executing"


def _answered(analysis: Mapping[str, Any]) -> bool:
    """The pending question is the first ambiguity. It is answered when `clarification_answers` holds an entry
    with the same `field`; which answer that is, and whether it is usable, is for the analysis to judge. One that the
    person left is never answered."""
    if analysis.get("left") is True:
        return False
    pending = text(mapping(next(iter(sequence(analysis.get("ambiguities"))), None)).get("field"))
    answers = rows(analysis.get("clarification_answers"))
    return pending != "" and any(text(answer.get("field")) == pending for answer in answers)


def _part(session: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return mapping(session.get(name))


def _spent(count: object, limit: int) -> bool:
    """A counter that is missing stands at 0. One that cannot be read is spent, or a loop might never end."""
    if count is None:
        return limit <= 0
    return isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < limit
