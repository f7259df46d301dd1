"""The planning phase: makes the next version of the turn's plan and has it validated."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import orjson

from metaagent.audit import REFUSED, refusal
from metaagent.global_state import GlobalSessionState, PlanningState
from metaagent.input_checks import ID
from metaagent.level1.execution_manager.superseding import is_good
from metaagent.level1.nodes.respond import bound_warning
from metaagent.level1.planning import PlanLimits, PlanRequest, PlanScope, make_plan, validate_plan
from metaagent.level1.planning.chaining import describe_plan
from metaagent.level1.planning.decisions import reasons_to_ask
from metaagent.level1.planning.validation import WHAT_RUNS
from metaagent.level1.turn_context import Desk
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef
from metaagent.values import rows, sequence, text

BOUNDS = {"steps": "steps", "seconds": "turn_seconds", "calls": "calls", "tokens": "tokens", "cost": "cost"}
"""Which setting under `limits` bounds what a plan would need."""


async def plan(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
    artifacts = await desk.artifacts()
    request = next_request(state, desk, artifacts)
    planning = refused_parts(make_plan(request), desk)
    planning = with_approval(checked(planning, artifacts, state, desk), desk)
    announce(state, planning, desk)
    if desk.journal.told_before or _changes_something(planning, desk):
        # Committed before the node counts as done: a crash in between would lose it. As long as nothing was told, a
        # crash makes the turn begin anew. What changes something outside is on record before it runs.
        await desk.journal.flush()
    over = [p for p in planning.get("validation_errors") or () if p["code"] == "over_budget"]
    update: dict[str, Any] = {
        "planning_state": planning,
        "warnings": [bound_warning(BOUNDS[problem["what"]], desk) for problem in over],
    }
    if request.version > 1:
        update["execution_manager_state"] = _begun_again(state)
    return update


def _changes_something(planning: PlanningState, desk: Desk) -> bool:
    named = {name for step in rows(planning.get("execution_plan")) for name in _texts(step.get("agents"))}
    named.update(text(fallback.get("replace_with")) for fallback in rows(planning.get("fallback_plans")))
    return any(spec.side_effects for name, spec in desk.registry.agents.items() if name in named)


def _texts(value: object) -> list[str]:
    return [item for item in sequence(value) if isinstance(item, str)]


def next_request(state: Mapping[str, Any], desk: Desk, artifacts: Sequence[ArtifactRef] = ()) -> PlanRequest:
    """The first version is made from nothing, later ones from what was achieved and without who failed."""
    manager = state.get("execution_manager_state") or {}
    results = manager.get("final_results") or {}
    done = [result for _, result in sorted(results.items()) if is_good(result)]
    return PlanRequest(
        analysis=state.get("query_analyzer_state") or {},
        agents=[spec for spec in usable_agents(desk) if desk.rights.lacks(spec) is None],
        artifacts=artifacts,
        made=[ArtifactRef.from_json(ref) for result in done for ref in result["artifacts"]],
        achieved=frozenset(name for result in done for name in served_by(result, desk)),
        first_number=len(results) + 1,
        records=desk.records,
        version=((state.get("planning_state") or {}).get("plan_version") or 0) + 1,
        excluded=frozenset(manager.get("excluded_agents") or ()),
        language=desk.turn.language,
    )


def required_of(state: Mapping[str, Any]) -> frozenset[str]:
    """The capabilities without which the answer is not whole."""
    analysis = state.get("query_analyzer_state") or {}
    spared = {
        *(analysis.get("infeasible_capabilities") or ()),
        *(analysis.get("optional_capabilities") or ()),
    }
    return frozenset(analysis.get("required_capabilities") or ()) - spared


def served_by(result: Mapping[str, Any], desk: Desk) -> frozenset[str]:
    """An agent runs once for everything that is asked of it."""
    spec = desk.registry.agents.get(result["agent"])
    return frozenset({result["capability"], *(each.name for each in (spec.capabilities if spec else ()))})


def usable_agents(desk: Desk) -> list[AgentSpec]:
    """Those that are on and that this company and person may use, each with what of it is on and this person may ask."""
    only_for = desk.settings.agents.only_for
    company = desk.turn.user.company_id
    rights, switched_off = desk.rights, desk.registry.disabled
    found: list[AgentSpec] = []
    for spec in desk.registry.enabled():
        if company not in only_for.get(spec.name, [company]) or not rights.may_use(spec.name):
            continue
        allowed = tuple(
            each for each in spec.capabilities if rights.may_ask(each.name) and each.name not in switched_off
        )
        if allowed:
            found.append(spec if allowed == spec.capabilities else replace(spec, capabilities=allowed))
    return found


def refused_parts(planning: PlanningState, desk: Desk) -> PlanningState:
    """What nobody does because this person may not ask for it says so, and is on record."""
    unmet: list[dict[str, Any]] = []
    for part in planning.get("unmet") or ():
        lacking = _lacking(part["capability"], desk) if part["reason"] == "no_agent" else None
        if lacking is not None:
            refuse(desk, f"plan:{part['capability']}", lacking)
        unmet.append({**part, "reason": "forbidden"} if lacking else part)
    return {**planning, "unmet": unmet}


def _lacking(capability: str, desk: Desk) -> str | None:
    """What this person lacks to use the agents that could do it; None if no such agent is there."""
    able = [s for s in desk.registry.enabled() if any(c.name == capability for c in s.capabilities)]
    return next((lack for spec in able if (lack := desk.rights.lacks(spec, capability))), None)


def refuse(desk: Desk, key: str, lacking: str) -> None:
    desk.journal.audit(REFUSED, key, **refusal(key, lacking, "not_granted", desk.rights.roles))


def checked(
    planning: PlanningState, artifacts: Sequence[ArtifactRef], state: Mapping[str, Any], desk: Desk
) -> PlanningState:
    """The plan with its verdict and hash. An invalid one keeps its steps for the person to see if they can be stored,
    but never runs."""
    limits = desk.settings.limits
    usable = {spec.name: spec for spec in usable_agents(desk)}
    known = [*artifacts, *next_request(state, desk).made]
    scope = PlanScope(
        agents=usable,
        forbidden=frozenset(spec.name for spec in desk.registry.enabled()) - frozenset(usable),
        artifact_kinds={ref.id: ref.kind for ref in known},
        granted=desk.rights.granted,
        limits=PlanLimits(limits.steps, limits.turn_seconds, limits.calls, limits.tokens, limits.cost),
    )
    problems = validate_plan(planning, scope, desk.turn.language)
    if any(problem["code"] == "not_plain" for problem in problems):
        planning = cast("PlanningState", {**planning, **{key: [] for key in WHAT_RUNS}})
    return {
        **planning,
        "plan_validated": not problems,
        "validation_errors": problems,
        "plan_hash": plan_hash(planning),
    }


def plan_hash(planning: Mapping[str, Any]) -> str:
    """Of what will run: the steps in their order, their fallbacks, and what follows when one does not go well."""
    content = [planning.get(key) for key in ("plan_version", *WHAT_RUNS)]
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def with_approval(planning: PlanningState, desk: Desk) -> PlanningState:
    rules, roles = desk.settings.approval, desk.turn.user.roles
    reasons = (
        reasons_to_ask(planning, desk.registry.agents, rules, roles) if planning.get("plan_validated") else []
    )
    return {**planning, "approval": {"needed": bool(reasons), "reasons": reasons, "status": "pending"}}


def awaits_approval(state: Mapping[str, Any]) -> bool:
    approval = (state.get("planning_state") or {}).get("approval") or {}
    return bool(approval.get("needed")) and approval.get("status") == "pending"


def may_run(planning: Mapping[str, Any]) -> bool:
    """Valid, and approved in exactly this form where approval is needed."""
    approval = planning.get("approval") or {}
    if not planning.get("plan_validated"):
        return False
    return not approval.get("needed") or (
        approval.get("status") == "approved"
        and approval.get("plan_hash") == planning.get("plan_hash") == plan_hash(planning)
    )


def described_again(planning: PlanningState, state: Mapping[str, Any], desk: Desk) -> PlanningState:
    """What follows from the steps, computed anew after an edit; the person's order stays."""
    request = replace(next_request(state, desk), version=planning.get("plan_version", 1))
    fresh = describe_plan(
        planning.get("execution_plan") or [],
        planning.get("fallback_plans") or [],
        request=request,
        unmet=planning.get("unmet") or [],
    )
    approval = planning.get("approval") or {}
    return {**fresh, "priority_order": planning.get("priority_order") or [], "approval": approval}


def announce(state: GlobalSessionState, planning: PlanningState, desk: Desk) -> None:
    version = planning.get("plan_version", 1)
    analysis = state.get("query_analyzer_state") or {}
    if version > 1:
        reason = (state.get("execution_manager_state") or {}).get("replan_reason")
        desk.journal.emit("replan", str(version), plan_version=version, reason=reason)
    desk.journal.audit(
        "plan.made",
        str(version),
        outcome="valid" if planning.get("plan_validated") else "invalid",
        data={
            "version": version,
            "hash": planning.get("plan_hash"),
            "steps": {
                step_id: next(iter(_texts(step.get("agents"))), "")
                for step in rows(planning.get("execution_plan"))
                if ID.fullmatch(step_id := text(step.get("step_id")))
            },
            "problems": [problem["code"] for problem in planning.get("validation_errors") or ()],
        },
    )
    intents = analysis.get("parsed_intents") or []
    desk.journal.emit(
        "plan_ready",
        str(version),
        plan_version=version,
        plan_hash=planning.get("plan_hash"),
        intents=intents,
        confidence=max((i.get("confidence", 0.0) for i in intents), default=0.0),
        steps=[
            {
                key: step.get(key)
                for key in ("step_id", "agents", "task", "dependencies", "inputs", "produces", "optional")
            }
            for step in rows(planning.get("execution_plan"))
        ],
        strategy=planning.get("execution_strategy"),
        estimated_time=planning.get("estimated_total_time"),
        problems=[problem["text"] for problem in planning.get("validation_errors") or ()],
    )


def _begun_again(state: GlobalSessionState) -> dict[str, Any]:
    manager = state.get("execution_manager_state") or {}
    return {
        **manager,
        "need_replan": False,
        "execution_status": "initializing",
        "replan_attempts": manager.get("replan_attempts", 0) + 1,
    }
