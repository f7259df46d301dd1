"""When a person must approve a plan, and how their edits change it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from metaagent.config import Approval
from metaagent.global_state import PlanningState, PlanStep
from metaagent.plain import mapping, rows, sequence, text
from metaagent.plugin import RISKS, AgentSpec

YES = frozenset({"approve", "approved", "yes", "y", "ok", "true", "승인", "승인해", "네", "예", "응", "좋아"})
NO = frozenset({"reject", "rejected", "no", "n", "false", "거절", "거부", "아니", "아니요", "아니오"})


@dataclass(frozen=True)
class Decision:
    """What the person said: approve (perhaps with edits), reject, or nothing usable."""

    verdict: str
    reason: str = ""
    edits: Mapping[str, Any] | None = None
    by: str = ""
    """Who decided: set by the one who let them in, whatever an answer claims."""


def reasons_to_ask(
    plan: PlanningState, agents: Mapping[str, AgentSpec], rules: Approval, roles: tuple[str, ...]
) -> list[str]:
    """Every rule that wants a person to approve; none means the plan runs at once."""
    steps = plan.get("execution_plan") or []
    if not steps or rules.mode == "never":
        return []
    if rules.mode == "always":
        return ["always"]
    used = [agents[name] for step in steps for name in step.get("agents", ()) if name in agents]
    found = [f"side_effects:{spec.name}" for spec in used if spec.side_effects and rules.side_effects]
    found += [f"agent:{spec.name}" for spec in used if spec.name in rules.agents]
    found += [f"risk:{spec.name}" for spec in used if RISKS.index(spec.risk) >= RISKS.index(rules.risk_from)]
    cost = sum(spec.cost for spec in used)
    if rules.cost_above is not None and cost > rules.cost_above:
        found.append(f"cost:{cost:g}")
    found += [f"role:{role}" for role in roles if role in rules.roles]
    return list(dict.fromkeys(found))


def decision_of(answer: Any) -> Decision:
    """An answer as a word, perhaps with a reason (`approve: as agreed`), true or false, or `{decision, reason, drop,
    params, order, by}`."""
    if not isinstance(answer, Mapping):
        return Decision(*_verdict(answer))
    said = mapping(cast("object", answer))
    edits = {key: said[key] for key in ("drop", "params", "order") if said.get(key)}
    verdict, reason = _verdict(said.get("decision", "approve" if edits else ""))
    return Decision(verdict, text(said.get("reason")) or reason, edits or None, text(said.get("by")))


def _verdict(answer: Any) -> tuple[str, str]:
    """Only a colon parts the reason from the word: `yes, but not the second step` is no approval."""
    word, _, reason = str(answer).strip().replace("：", ":").partition(":")
    said = word.strip().casefold()
    verdict = "approved" if said in YES else "rejected" if said in NO else "unclear"
    return verdict, reason.strip()


def edited(plan: PlanningState, edits: Mapping[str, Any]) -> PlanningState:
    """The plan with steps dropped, parameters changed or the order changed: a new version, to be validated like any."""
    dropped = {text(name) for name in sequence(edits.get("drop"))}
    params = mapping(edits.get("params"))
    steps = [
        _edited_step(step, dropped, params)
        for step in plan.get("execution_plan") or []
        if step.get("step_id") not in dropped
    ]
    left = [step.get("step_id", "") for step in steps]
    asked = [text(name) for name in sequence(edits.get("order"))]
    before: list[str] = plan.get("priority_order") or []
    order = [name for name in dict.fromkeys([*asked, *before]) if name in left]
    return {
        **plan,
        "execution_plan": steps,
        "priority_order": order,
        "fallback_plans": [f for f in plan.get("fallback_plans") or [] if f.get("for_step") in left],
        "plan_version": plan.get("plan_version", 1) + 1,
    }


def _edited_step(step: PlanStep, dropped: set[str], params: Mapping[str, Any]) -> PlanStep:
    step_id = step.get("step_id", "")
    return {
        **step,
        "params": {**step.get("params", {}), **mapping(params.get(step_id))},
        "dependencies": [name for name in step.get("dependencies", []) if name not in dropped],
        "inputs": [source for source in step.get("inputs", []) if source.get("from_step") not in dropped],
    }


def unknown_steps(plan: PlanningState, edits: Mapping[str, Any]) -> list[str]:
    """Steps that the edits name and the plan does not have."""
    known = {text(step.get("step_id")) for step in rows(plan.get("execution_plan"))}
    named = [*sequence(edits.get("drop")), *mapping(edits.get("params")), *sequence(edits.get("order"))]
    return sorted({text(name) for name in named} - known)
