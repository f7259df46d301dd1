"""Decides whether a step that may have changed something outside may be tried another way. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from metaagent.errors import Text
from metaagent.global_state import PlanningState, PlanStep
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef, Turn

MAY_HAVE_HAPPENED = Text(
    en="This may have happened outside already: {what}. Look before you ask for it again.",
    ko="이미 바깥에 반영되었을 수 있습니다: {what}. 다시 요청하기 전에 확인해 주세요.",
)
SURE = frozenset({"failed", "try_again", "bad_params"})
"""The kinds of trouble in which an agent says itself that nothing happened. After a timeout or a defect nobody knows."""


def run_key(turn: Turn, step: PlanStep, spec: AgentSpec, inputs: Iterable[ArtifactRef]) -> str:
    """Name one run of an agent that keeps no keys of its own: the same after a crash, whatever the number of the step."""
    place = [turn.session_id, turn.turn_id, "run", step.get("capability", ""), spec.name]
    given = [sorted(ref.hash for ref in inputs), step.get("params") or {}]
    return hashlib.sha256(
        orjson.dumps([*place, *given], option=orjson.OPT_SORT_KEYS, default=str)
    ).hexdigest()


def named_agents(plan: PlanningState, agents: Mapping[str, AgentSpec]) -> list[AgentSpec]:
    """The agents that may run for this plan: those of its steps and their fallbacks, as far as they are known here."""
    named = {name for step in plan.get("execution_plan") or () for name in step.get("agents", ())}
    named |= {fallback.get("replace_with", "") for fallback in plan.get("fallback_plans") or ()}
    return [agents[name] for name in named if name in agents]


def may_have_happened(result: Mapping[str, Any], agents: Mapping[str, AgentSpec]) -> bool:
    """Say whether an agent was started that changes something outside, and did not say how that ended."""
    if result["status"] == "completed" or result["error_type"] in SURE:
        return False
    return any(agents[name].side_effects for name in result["calls"] if name in agents)


def may_repeat(spec: AgentSpec, before: Iterable[Mapping[str, Any]], agents: Mapping[str, AgentSpec]) -> bool:
    """Say whether an agent may do what others may have done already: only where all of them note their effects by key,
    so that it finds what they did."""
    doubtful = [each for result in before for each in doubtful_agents(result, agents)]
    return not doubtful or not spec.side_effects or all("effects" in each.needs for each in (*doubtful, spec))


def doubtful_agents(result: Mapping[str, Any], agents: Mapping[str, AgentSpec]) -> list[AgentSpec]:
    """The agents of this result of whom nobody knows what they did."""
    if not may_have_happened(result, agents):
        return []
    return [agents[name] for name in result["calls"] if name in agents and agents[name].side_effects]
