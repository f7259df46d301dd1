"""Sentences of a question that agents take for themselves: "앞으로 표로 보여줘" is the memory's. Nobody else reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState
from metaagent.level1.analysis_state import new_analysis
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec, Asking, Taken
from metaagent.ports import AnalysisInput, Json

_FAILED = Text(
    en="The agent {agent!r} could not read the question ({problem}); its part was read like any other.",
    ko="에이전트 {agent!r}이(가) 질문을 읽지 못했습니다({problem}). 그 부분도 일반 질문으로 읽었습니다.",
)

Requests = dict[str, list[Json]]
"""Requests by the capability that serves them."""


def take_sentences(
    question: str, given: AnalysisInput, state: GlobalSessionState, context: TurnContext
) -> tuple[Requests, str]:
    """The requests that agents took out of the question, and the rest of it."""
    history = [turn for turn in state.get("conversation_history") or () if not turn.get("taken")]
    last = history[-1] if history else {}
    asking = Asking(given.now.astimezone(context.settings.zone), given.memories, last)
    found: Requests = {}
    for spec in _takers(context):
        taken = _taken(spec, question, asking, context)
        if taken.requests:
            found[spec.capabilities[0].name] = list(taken.requests)
            question = taken.rest
    return found, question


def _takers(context: TurnContext) -> Iterator[AgentSpec]:
    remembers = context.settings.memory.enabled
    for spec in context.registry.enabled():
        if spec.takes is not None and (remembers or "memory" not in spec.needs):
            yield spec


def _taken(spec: AgentSpec, question: str, asking: Asking, context: TurnContext) -> Taken:
    assert spec.takes is not None
    try:
        return spec.takes(question, asking)
    except Exception as problem:  # noqa: BLE001 - a defect of one agent must not stop every question
        said = _FAILED.say(context.turn.language, agent=spec.name, problem=type(problem).__name__)
        context.warned.append(context.warning("question_unread", said, spec.name, agent=spec.name))
        return Taken((), question)


def analysis_of_taken(taken: Requests, given: AnalysisInput, context: TurnContext) -> Json:
    """Understand a question of which nothing is left, without the reasoner."""
    analysis = new_analysis(context.turn.question, given, context.turn.language)
    return {
        **with_taken(analysis, taken),
        "complexity_score": 0.1,
        "suggested_agents": [one["agent"] for one in given.capabilities if one["name"] in taken],
        "feasibility_check": {**analysis["feasibility_check"], "estimated_time": 0.1},
        "explanations": [
            {"conclusion": name, "reason": "request", "evidence": str(each.get("op", ""))}
            for name, requests in taken.items()
            for each in requests
        ],
    }


def with_taken(analysis: Json, taken: Requests) -> Json:
    """The analysis of the rest, with what the question asks of those agents besides."""
    if not taken:
        return analysis
    required = [*(analysis.get("required_capabilities") or ())]
    intents = [
        {"intent": name, "confidence": min(float(request.get("confidence", 1.0)) for request in requests)}
        for name, requests in taken.items()
    ]
    return {
        **analysis,
        "parsed_intents": [*(analysis.get("parsed_intents") or ()), *intents],
        "required_capabilities": [*required, *(name for name in taken if name not in required)],
        "taken": taken,
    }


def taken_alone(analysis: Mapping[str, Any]) -> bool:
    """True if the whole question was taken: its answer, such as "Forgotten.", answers nothing that could be referred to."""
    taken = analysis.get("taken") or {}
    return bool(taken) and set(analysis.get("required_capabilities") or ()) == set(taken)
