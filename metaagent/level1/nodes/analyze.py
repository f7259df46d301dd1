"""The analysing and clarifying phases: understand the question, or ask the person one thing about it."""

from __future__ import annotations

from typing import Any

from langgraph.types import interrupt

from metaagent.global_state import GlobalSessionState
from metaagent.level1.budget import with_model_use
from metaagent.level1.memory.remembering import own_analysis, read_for_memory, with_memories, with_requests
from metaagent.level1.requested import with_requested_kinds
from metaagent.level1.turn_context import Desk
from metaagent.memory.recall import filled_in, preferences_of
from metaagent.ports import AnalysisInput


async def analyze(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
    before = state.get("query_analyzer_state") or {}
    answers = list(before.get("clarification_answers") or ())
    desk.journal.emit("planning_start", str(len(answers)), question=desk.turn.question)
    asked = {"by": desk.turn.user.user_id, "question": desk.redactor.redact_text(desk.turn.question)}
    desk.journal.audit("question.asked", pii=asked)
    history = state.get("conversation_history") or []
    memories = await desk.recall()
    context = AnalysisInput(
        now=desk.clock.now(),
        timezone=desk.settings.timezone,
        language=desk.turn.language,
        user=desk.turn.user,
        capabilities=desk.registry.capabilities(),
        answers=tuple(answers),
        previous=history[-1].get("analysis") if history else None,
        artifacts=tuple(ref.as_json() for ref in await desk.artifacts()),
        memories=tuple(memories),
    )
    reading = read_for_memory(desk.turn.question, memories, desk)
    if reading.nothing_else:
        analysis = own_analysis(reading, state, desk)
    else:
        asked, used = filled_in(reading.rest, memories)
        analysis = {**await desk.reasoner.analyze(asked, context), "raw_query": desk.turn.question}
        analysis = with_requested_kinds(analysis, asked, context.capabilities)
        analysis = with_memories(with_requests(analysis, reading, state), memories, used, asked, desk)
    desk.journal.audit(
        "analysis.done",
        str(len(answers)),
        data={
            "intents": [intent["intent"] for intent in analysis.get("parsed_intents") or ()],
            "capabilities": list(analysis.get("required_capabilities") or ()),
            "kinds": list(analysis.get("requested_kinds") or ()),
            "clarification_needed": bool(analysis.get("clarification_needed")),
        },
    )
    if answers:
        # Before this, a crash makes the turn begin anew and tell everything again.
        await desk.journal.flush()
    return {
        "query_analyzer_state": {**analysis, "clarification_answers": answers},
        "iteration_count": (state.get("iteration_count") or 0) + 1,
        "loaded_memories": memories,
        "user_preferences": preferences_of(memories),
        "warnings": desk.take_warnings(),
        **with_model_use(state, desk.budget),
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
