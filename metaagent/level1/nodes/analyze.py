"""The analysing and clarifying phases: understand the question, or ask the person one thing about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from langgraph.types import interrupt

from metaagent.global_state import GlobalSessionState
from metaagent.journal import PLANNING
from metaagent.level1.agent_sentences import analysis_of_taken, take_sentences, with_taken
from metaagent.level1.budget import with_model_use
from metaagent.level1.dropped_question import LEFT, leaves, with_unanswered
from metaagent.level1.memories import with_memories
from metaagent.level1.query_analyzer.requests import small_talk
from metaagent.level1.query_analyzer.requests.writing import with_subject
from metaagent.level1.quoted import with_quoted
from metaagent.level1.reasoner import apart_if_long
from metaagent.level1.requested_kinds import with_requested_kinds
from metaagent.level1.search_before_asking import read_again
from metaagent.level1.turn_context import TurnContext
from metaagent.memory.recall import filled_in, preferences_of
from metaagent.ports import AnalysisInput
from metaagent.values import mapping


async def analyze(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    before = state.get("query_analyzer_state") or {}
    answers = list(before.get("clarification_answers") or ())
    context.journal.emit(PLANNING, str(len(answers)), question=context.turn.question)
    redact = partial(context.redactor.redact_text, context.turn.question)
    redacted = await apart_if_long(context.turn.question, redact)
    asked = {"by": context.turn.user.user_id, "question": redacted}
    context.journal.audit("question.asked", pii=asked)
    history = state.get("conversation_history") or []
    memories = await context.recall()
    analysis_input = AnalysisInput(
        now=context.clock.now(),
        timezone=context.settings.timezone,
        language=context.turn.language,
        user=context.turn.user,
        capabilities=context.capabilities(),
        answers=tuple(answers),
        previous=history[-1].get("analysis") if history else None,
        artifacts=tuple(
            {**ref.as_json(), "attached": ref.id in context.turn.attached}
            for ref in await context.artifacts()
        ),
        memories=tuple(memories),
    )
    question = with_subject(context.turn.question, answers)
    taken, rest = take_sentences(question, analysis_input, state, context)
    if taken and not any(char.isalnum() for char in rest):
        analysis = analysis_of_taken(taken, analysis_input, context)
    else:
        asked, used = filled_in(rest, memories)
        read = await context.reasoner.analyze(asked, analysis_input)
        read = await read_again(asked, read, analysis_input, context)
        analysis = {**read, "raw_query": question}
        analysis = with_requested_kinds(analysis, asked, analysis_input.capabilities)
        analysis = with_memories(with_taken(analysis, taken), memories, used, asked, context)
        analysis = with_quoted(analysis, asked, context)
        analysis = with_unanswered(analysis, state.get("messages") or [], context.turn.language)
    answers = _with_filled(answers, analysis)
    context.journal.audit(
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
        await context.journal.flush()
    return {
        "query_analyzer_state": {**analysis, "clarification_answers": answers},
        "iteration_count": (state.get("iteration_count") or 0) + 1,
        "loaded_memories": memories,
        "user_preferences": preferences_of(memories),
        "warnings": context.take_warnings(),
        **with_model_use(state, context.budget),
    }


def _with_filled(answers: list[dict[str, Any]], analysis: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Mark the newest answer if it filled the field of a form that it was asked for."""
    if not answers or answers[-1].get("field") not in mapping(analysis.get("slots")):
        return answers
    return [*answers[:-1], {**answers[-1], "filled": True}]


async def clarify(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    """Ask about the first ambiguity and wait. The answer goes back into the analysis; after a greeting or thanks the
    question still waits, and one that the person leaves ends the turn."""
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
    answer, again = await _asked(question, str(len(answers)), context), 0
    while (said := _small_talk(answer)) not in (None, "parting"):
        again += 1
        text = " ".join((small_talk.REPLIES[said].say(context.turn.language), str(question["question"])))
        answer = await _asked({**question, "question": text}, f"{len(answers)}:{again}", context)
    if leaves(answer) or (question["options"] and said == "parting"):
        return {"query_analyzer_state": {**analysis, LEFT: True}}
    return {
        "query_analyzer_state": {
            **analysis,
            "clarification_answers": [*answers, {"field": question["field"], "answer": answer}],
        }
    }


def _small_talk(answer: Any) -> str | None:
    return small_talk.kind(answer.casefold()) if isinstance(answer, str) else None


async def _asked(question: dict[str, Any], key: str, context: TurnContext) -> Any:
    context.journal.emit("clarification_needed", key, **question)
    await context.journal.flush()
    return interrupt(question)
