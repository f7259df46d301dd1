"""The analysing and clarifying phases: understand the question, or ask the person one thing about it."""

from __future__ import annotations

from typing import Any

from langgraph.types import interrupt

from metaagent.global_state import GlobalSessionState
from metaagent.level1.desk import Desk
from metaagent.ports import AnalysisInput


async def analyze(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
    before = state.get("query_analyzer_state") or {}
    answers = list(before.get("clarification_answers") or ())
    desk.journal.emit("planning_start", str(len(answers)), question=desk.turn.question)
    asked = {"by": desk.turn.user.user_id, "question": desk.redactor.redact_text(desk.turn.question)}
    desk.journal.audit("question.asked", pii=asked)
    history = state.get("conversation_history") or []
    context = AnalysisInput(
        now=desk.clock.now(),
        timezone=desk.settings.timezone,
        language=desk.turn.language,
        user=desk.turn.user,
        capabilities=desk.registry.capabilities(),
        answers=tuple(answers),
        previous=history[-1].get("analysis") if history else None,
        artifacts=tuple(ref.as_json() for ref in await desk.artifacts()),
        memories=tuple(state.get("loaded_memories") or ()),
    )
    analysis = await desk.reasoner.analyze(desk.turn.question, context)
    desk.journal.audit(
        "analysis.done",
        str(len(answers)),
        data={
            "intents": [intent["intent"] for intent in analysis.get("parsed_intents") or ()],
            "capabilities": list(analysis.get("required_capabilities") or ()),
            "clarification_needed": bool(analysis.get("clarification_needed")),
        },
    )
    return {
        "query_analyzer_state": {**analysis, "clarification_answers": answers},
        "iteration_count": (state.get("iteration_count") or 0) + 1,
    }


async def clarify(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
    """Ask about the first ambiguity and wait. The answer goes back into the analysis."""
    analysis = state.get("query_analyzer_state") or {}
    ambiguities = analysis.get("ambiguities") or [{}]
    first = ambiguities[0]
    answers = list(analysis.get("clarification_answers") or ())
    question = {
        "kind": "clarification",
        "field": first.get("field", ""),
        "question": first.get("question", ""),
        "options": list(first.get("options") or ()),
        "reason": first.get("reason", ""),
    }
    desk.journal.emit("clarification_needed", str(len(answers)), **question)
    await desk.journal.flush()
    answer = interrupt(question)
    return {
        "query_analyzer_state": {
            **analysis,
            "clarification_answers": [*answers, {"field": question["field"], "answer": answer}],
        }
    }
