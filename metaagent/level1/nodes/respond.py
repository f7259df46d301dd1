"""Puts together what the turn achieved, and says what is missing and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.messages import AIMessage

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState
from metaagent.level1.agent_sentences import taken_alone
from metaagent.level1.budget import with_model_use
from metaagent.level1.citations import numbered
from metaagent.level1.dropped_question import LEFT, left_text
from metaagent.level1.memories import concluded, earlier_finding, memories_used
from metaagent.level1.receipt_answers import kept_text
from metaagent.level1.trim import trimmed, with_warnings
from metaagent.level1.turn_context import TurnContext
from metaagent.state.manager import StateManager
from metaagent.values import copied, iso, mapping

HISTORY_IN_STATE = 10
"""Turns whose gist stays in the state for follow-up questions; the whole conversation is in the store."""

NOT_WANTED = frozenset({"rejected", "plan_rejected"})
"""Reasons for which a part that nobody did is not missing: the person said so."""

ENDED = ("response_metadata", "workflow_status", "current_agent", "progress_percentage")
"""Fields of the state that the end of a turn sets; the phase follows from them."""

_UNSURE = Text(
    en="I am not sure that I understood the question ({percent} %); please check what was looked up.",
    ko="질문을 제대로 이해했는지 확실하지 않으니({percent}%) 조회한 조건을 확인해 주세요.",
)
EARLIER = 160
"""Characters of questions and answers before the last turn."""


async def respond(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    now = iso(context.clock.now())
    results, cited = numbered(_results(state))
    unmet = _unmet(state, results)
    metadata: dict[str, Any] = {
        **_metadata(state, results, unmet, now, context),
        "citations": cited,
    }
    facts = {
        "language": context.turn.language,
        "question": context.turn.question,
        "results": results,
        "citations": cited,
        "unmet": unmet,
        "problems": (state.get("planning_state") or {}).get("validation_errors") or [],
        "assumptions": [*((state.get("query_analyzer_state") or {}).get("assumptions") or ())],
        "small_talk": (state.get("query_analyzer_state") or {}).get("small_talk"),
        "topics": (state.get("query_analyzer_state") or {}).get("topics"),
        "doubts": _doubts(state, results, context),
        "earlier": earlier_finding(metadata["conclusion"], state, context),
        "feasibility": (state.get("query_analyzer_state") or {}).get("feasibility_check") or {},
        "warnings": [warning["text"] for warning in state.get("warnings") or ()],
        "preferences": ((state.get("query_analyzer_state") or {}).get("user_context") or {}).get(
            "preferences"
        )
        or {},
    }
    analysis = state.get("query_analyzer_state") or {}
    if analysis.get("left"):
        answer = left_text(analysis, context.turn.language)
    elif analysis.get("small_talk") == "kept":
        turn = context.turn
        now_here = context.clock.now().astimezone(ZoneInfo(context.settings.timezone))
        answer = kept_text(await context.receipts(), turn.question, now_here, turn.language)
    else:
        # It words them; it cannot change them.
        known = context.capabilities()
        answer = await context.reasoner.respond({**copied(facts), "capabilities": known})
    update: dict[str, Any] = {
        "final_response": answer,
        **_end(state, metadata, results, now, context),
        "messages": [_message(answer, metadata, context)],
        "conversation_history": _history(state, answer, results, context),
        "audit_trail": list(context.journal.audited),
    }
    trimmed_update = await trimmed(state, update, context)
    told = {"warnings": with_warnings(trimmed_update.get("warnings"), context.take_warnings())}
    return {**trimmed_update, **told, **with_model_use(state, context.budget)}


def _doubts(state: GlobalSessionState, results: list[dict[str, Any]], context: TurnContext) -> list[str]:
    """List what is uncertain about an answer from data: words that were not read, or a confidence below
    `analysis.doubt_below`."""
    analysis = state.get("query_analyzer_state") or {}
    said: list[str] = [*(analysis.get("doubts") or ())]
    good = [result for result in results if result["status"] == "completed"]
    if said or not good or (analysis.get("reading") or {}).get("confidence") is None:
        return said
    sure = confidence_of(state, good, len(good))
    if sure >= context.settings.analysis.doubt_below:
        return []
    return [_UNSURE.say(context.turn.language, percent=round(sure * 100))]


def _message(answer: str, metadata: Mapping[str, Any], context: TurnContext) -> AIMessage:
    """A question that could not be answered is marked: it stays open when the conversation is summed up."""
    open_still = {"answered": False} if metadata["type"] == "unable" else {}
    return AIMessage(content=answer, id=f"{context.turn.turn_id}-a", additional_kwargs=open_still)


def _results(state: GlobalSessionState) -> list[dict[str, Any]]:
    """List the results in the order of the steps, without those that others have replaced."""
    results = (state.get("execution_manager_state") or {}).get("final_results") or {}
    ordered = sorted(results.items(), key=lambda item: (len(item[0]), item[0]))
    return [{"step_id": step_id, **result} for step_id, result in ordered if "superseded_by" not in result]


def _unmet(state: GlobalSessionState, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """List the parts that nobody took on. One that was tried and failed says itself why it is missing, though a later
    plan has nobody left for it."""
    tried = {result["capability"] for result in results if result["status"] != "completed"}
    unmet = (state.get("planning_state") or {}).get("unmet") or []
    return [
        part
        for part in unmet
        if part["reason"] not in ("no_agent", "switched_off", "no_input") or part["capability"] not in tried
    ]


def _metadata(
    state: GlobalSessionState,
    results: list[dict[str, Any]],
    unmet: list[dict[str, Any]],
    now: str,
    context: TurnContext,
) -> dict[str, Any]:
    good = [result for result in results if result["status"] == "completed"]
    wanted = [result for result in results if result["status"] == "completed" or not result.get("optional")]
    missing = [part for part in unmet if not part.get("optional") and part["reason"] not in NOT_WANTED]
    parts = len(wanted) + len(missing)
    # What was found is as certain as it is, whatever else was asked for.
    conclusion = concluded(state, good, confidence_of(state, good, len(wanted)), context)
    return {
        "type": "answer" if len(good) == parts and good else ("partial" if good else "unable"),
        "confidence": confidence_of(state, good, parts),
        "sources": [source for result in good for source in result["sources"]],
        "sections": [{"title": r["agent"], "text": r["summary"], "step_id": r["step_id"]} for r in good],
        "agents_used": sorted({r["agent"] for r in results if r["agent"]}),
        "artifacts": [ref for result in good for ref in result["artifacts"]],
        "memories": memories_used(state, conclusion),
        "conclusion": conclusion,
    }


def confidence_of(state: GlobalSessionState, good: list[dict[str, Any]], parts: int) -> float:
    """Best intent's confidence × mean confidence of the steps that succeeded × their share of all parts: the steps, and
    what nobody could take on. What was optional and left out, or dropped by the person, is no part."""
    if not good:
        return 0.0
    intents = (state.get("query_analyzer_state") or {}).get("parsed_intents") or []
    understood = max((intent.get("confidence", 0.0) for intent in intents), default=1.0)
    mean = sum(result["confidence"] for result in good) / len(good)
    return round(understood * mean * len(good) / parts, 3)


def _end(
    state: GlobalSessionState,
    metadata: dict[str, Any],
    results: list[dict[str, Any]],
    now: str,
    context: TurnContext,
) -> dict[str, Any]:
    """Mark the turn as completed and record the errors of the steps that failed."""
    manager = StateManager()
    whole = all(result["status"] == "completed" for result in results)
    said = {**state, "response_metadata": metadata}
    ended = manager.mark_completed(said, now, since=context.turn.started_at, whole=whole)
    noted: dict[str, Any] = {"errors": []}
    for result in results:
        if result["status"] == "failed":
            noted = manager.record_error(
                noted,
                result["error"],
                now,
                code=result["error_type"],
                agent=result["agent"],
                key=f"{context.turn.turn_id}-{result['step_id']}",
            )
    return {name: ended[name] for name in ENDED} | noted


def _history(
    state: GlobalSessionState, answer: str, results: list[dict[str, Any]], context: TurnContext
) -> list[dict[str, Any]]:
    said = state.get("query_analyzer_state") or {}
    before = (state.get("conversation_history") or [{}])[-1].get("analysis")
    gist: Mapping[str, Any] = {
        "turn": context.turn.number,
        "turn_id": context.turn.turn_id,
        "question": context.turn.question[:500],
        "answer": answer[:500],
        # Thanks in between change nothing: the next question leans on the one before them.
        "analysis": before if said.get("small_talk") and before else gist_of(said, results, state),
        "artifacts": [ref["id"] for result in results for ref in result["artifacts"]],
    }
    if taken_alone(said):
        gist = {**gist, "taken": True}
    earlier = [_shortened(turn) for turn in state.get("conversation_history") or ()]
    return [*earlier, dict(gist)][-HISTORY_IN_STATE:]


def _shortened(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Follow-up questions lean on the last turn; of those before it, the beginnings are enough."""
    kept = {key: value for key, value in turn.items() if key != "analysis"}
    return {
        **kept,
        "question": str(turn.get("question"))[:EARLIER],
        "answer": str(turn.get("answer"))[:EARLIER],
    }


def gist_of(
    analysis: Mapping[str, Any], results: list[dict[str, Any]], state: GlobalSessionState
) -> dict[str, Any]:
    """The part of a turn's reading that the next question may lean on, with the things that its data showed."""
    left = analysis.get("left") or any(result["error_type"] == LEFT for result in results)
    keys = (
        "raw_query",
        "in_full",
        "parsed_intents",
        "required_capabilities",
        "extracted_entities",
        "resolved",
        "language",
        "slots",
        "semantic_request",
        "replaced",
        "pointed",
        "earlier",
        "unread",
    )
    # The next question may point at the things that the data of this turn showed.
    agents = [result["agent"] for result in results if result["status"] == "completed"]
    states = [mapping((state.get("agent_states") or {}).get(agent)) for agent in agents]
    shown = [thing for own in states for thing in mapping(own.get("processed_data")).get("things") or ()]
    gist = {key: analysis[key] for key in keys if key in analysis} | {"shown": shown}
    unanswerable = any(result["error_type"] == _NO_REQUEST for result in results)
    if unanswerable and analysis.get("earlier") and not analysis.get("pointed"):
        gist = {key: value for key, value in gist.items() if key not in _READ}
    return {**gist, "left": True} if left else gist


_NO_REQUEST = "semantic_invalid"
_READ = ("semantic_request", "parsed_intents", "resolved", "replaced", "unread")
"""The reading of a question. One that the data cannot answer is forgotten, unless it chose the thing that is spoken of: the
next goes on with the turn before it."""
