"""Memories in a turn: what they change in its analysis, and what the turn leaves behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState
from metaagent.language.patterns import regex
from metaagent.level1.reasoner import detect_language
from metaagent.level1.turn_context import TurnContext
from metaagent.memory.conclusions import conclusion_of, earlier_of
from metaagent.memory.recall import name_of, preferences_of, value_of
from metaagent.ports import Json

_FILLED = Text(en="your {key}: {value} (remembered)", ko="{key}: {value} (기억한 내용)")
_ANSWER_IN = Text(
    en="answered in English, as you prefer (remembered)",
    ko="기억한 선호에 따라 한국어로 답합니다",
)
_FORM = Text(
    en="the answer is {form}, as you prefer (remembered)",
    ko="기억한 선호에 따라 {form} 답합니다",
)
_UNITS = Text(
    en="amounts are in {units}, as you prefer (remembered)",
    ko="기억한 선호에 따라 금액을 {units} 단위로 적습니다",
)
_SIZE = regex(r"[천만억조]|thousands|millions|billions")
_FORMS = {
    "table": Text(en="a table", ko="표로"),
    "bullets": Text(en="a list", ko="목록으로"),
    "brief": Text(en="brief", ko="짧게"),
    "detailed": Text(en="detailed", ko="자세히"),
}


_BEFORE = Text(
    en="The same question on {date} found: {what}",
    ko="같은 질문의 {date} 답: {what}",
)


def with_memories(
    analysis: Json, memories: Sequence[Json], used: Sequence[Json], asked: str, context: TurnContext
) -> Json:
    """The analysis with what memory changed in it, said where the person sees it."""
    language = context.turn.language
    preferences = preferences_of(memories)
    applied = [
        m for m in memories if m["kind"] == "preference" and _applies(m, preferences, analysis, context)
    ]
    if not (used or preferences):
        return analysis
    assumed = [_FILLED.say(language, key=name_of(m["key"], language), value=m["value"]) for m in used]
    assumed += [_said(m, language) for m in applied]
    evidence = [
        {"conclusion": m["key"], "reason": "memory", "evidence": m["id"], "source": m["source"]}
        for m in (*used, *applied)
    ]
    return {
        **analysis,
        "raw_query": context.turn.question,
        "user_context": {**(analysis.get("user_context") or {}), "preferences": preferences},
        "assumptions": [*(analysis.get("assumptions") or ()), *assumed],
        "explanations": [*(analysis.get("explanations") or ()), *evidence],
        "resolved": {**(analysis.get("resolved") or {}), **({"question": asked} if used else {})},
        "memories_used": [_mentioned(m) for m in (*used, *applied)],
    }


def concluded(
    state: GlobalSessionState, results: Sequence[Mapping[str, Any]], confidence: float, context: TurnContext
) -> Json | None:
    """The conclusion that the turn leaves in the person's memory by rule."""
    settings = context.settings.memory
    if not (settings.enabled and settings.conclusions and context.rights.may("memory.change")):
        return None
    analysis = state.get("query_analyzer_state") or {}
    # An answer that begins with a doubt is told, and settles nothing.
    if analysis.get("doubts") or confidence < context.settings.analysis.doubt_below:
        return None
    return conclusion_of(context.turn.question, analysis, results, confidence, context.redactor.redact_text)


def earlier_finding(
    conclusion: Mapping[str, Any] | None, state: GlobalSessionState, context: TurnContext
) -> str:
    """Say what the same question found before, where that was something else."""
    earlier = _earlier(conclusion, state)
    if earlier is None:
        return ""
    moment = datetime.fromisoformat(earlier["updated_at"]).astimezone(context.settings.zone)
    return _BEFORE.say(context.turn.language, date=moment.date().isoformat(), what=earlier["value"])


def memories_used(state: GlobalSessionState, conclusion: Mapping[str, Any] | None) -> list[Json]:
    used = (state.get("query_analyzer_state") or {}).get("memories_used") or []
    earlier = _earlier(conclusion, state)
    return [*used, *([_mentioned(earlier)] if earlier else [])]


def _earlier(conclusion: Mapping[str, Any] | None, state: GlobalSessionState) -> Json | None:
    return earlier_of(conclusion, state.get("loaded_memories") or ()) if conclusion else None


def _mentioned(memory: Mapping[str, Any]) -> Json:
    return {key: memory[key] for key in ("id", "kind", "key", "value", "source")}


def _applies(
    memory: Mapping[str, Any],
    preferences: Mapping[str, str],
    analysis: Mapping[str, Any],
    context: TurnContext,
) -> bool:
    """Language where it differs from the question's own, units where money is asked for, form always."""
    if preferences.get(memory["key"]) != memory["value"]:
        return False
    if memory["key"] == "language":
        return memory["value"] == context.turn.language != detect_language(context.turn.question)
    if memory["key"] == "units":
        entities = analysis.get("extracted_entities") or ()
        return bool(_SIZE.search(memory["value"])) and any(e.get("unit") == "KRW" for e in entities)
    return memory["key"] == "form" and memory["value"] in _FORMS


def _said(memory: Mapping[str, Any], language: str) -> str:
    if memory["key"] == "language":
        return _ANSWER_IN.say(language)
    if memory["key"] == "units":
        return _UNITS.say(language, units=value_of(memory["value"], language))
    return _FORM.say(language, form=_FORMS[memory["value"]].say(language))
