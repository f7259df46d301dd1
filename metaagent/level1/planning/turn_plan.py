"""The plan of a turn: what is asked of the planner, what speaks against a plan, and whether it may run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import orjson

from metaagent.global_state import PlanningState
from metaagent.level1.planning.chaining import describe_plan
from metaagent.level1.planning.decisions import reasons_to_ask
from metaagent.level1.planning.effects import doubtful_agents
from metaagent.level1.planning.gate import BLOCKED, GatePolicy, Judged, gate_policy
from metaagent.level1.planning.results import is_good
from metaagent.level1.planning.sources import PlanRequest
from metaagent.level1.planning.validation import WHAT_RUNS, PlanLimits, PlanScope, validate_plan
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef
from metaagent.values import mapping, rows


def next_request(
    state: Mapping[str, Any], context: TurnContext, artifacts: Sequence[ArtifactRef] = ()
) -> PlanRequest:
    """The first version is made from nothing, later ones from what was achieved and without who failed."""
    manager = state.get("execution_manager_state") or {}
    results = manager.get("final_results") or {}
    done = [result for _, result in sorted(results.items()) if is_good(result)]
    analysis: Mapping[str, Any] = state.get("query_analyzer_state") or {}
    parts = [result["part"] for result in done if result.get("part")]
    achieved = {
        *(name for result in done for name in served_by(result, context)),
        *settled(results, context),
    }
    revised = [ArtifactRef.from_json(ref) for ref in manager.get("revised") or ()]
    anew = {ref.kind for ref in revised}
    again = {
        name
        for result in done
        if anew & {ref["kind"] for ref in result["artifacts"]}
        for name in served_by(result, context)
    }
    return PlanRequest(
        analysis=analysis,
        agents=[spec for spec in usable_agents(context) if context.rights.lacks(spec) is None],
        artifacts=artifacts,
        made=[
            *(ArtifactRef.from_json(ref) for ref in analysis.get("given") or ()),
            *(
                ArtifactRef.from_json(ref)
                for result in done
                for ref in result["artifacts"]
                if ref["id"] not in {each.id for each in revised}
            ),
        ],
        revised=revised,
        achieved=frozenset(achieved - _in_parts(analysis, parts) - again),
        done=parts,
        first_number=len(results) + 1,
        records=context.records,
        version=((state.get("planning_state") or {}).get("plan_version") or 0) + 1,
        excluded=frozenset(manager.get("excluded_agents") or ()),
        language=context.turn.language,
        policy=policy_of(state, context),
        judged=frozenset(name for each in judged_now(state) for name in each.artifact_ids),
    )


def _in_parts(analysis: Mapping[str, Any], done: Sequence[Mapping[str, Any]]) -> set[str]:
    """The capabilities of which a part that the question asks for is not done yet."""
    asked = mapping(analysis.get("parts"))
    return {name for name in asked if any(part not in done for part in rows(asked[name]))}


def settled(results: Mapping[str, Mapping[str, Any]], context: TurnContext) -> frozenset[str]:
    """The capabilities that no new plan tries another way: somebody has decided not to let them through, or they may have
    had their effect and nobody can find out."""
    agents = context.registry.agents
    return frozenset(
        result["capability"]
        for result in results.values()
        if (result["error_type"] == BLOCKED and result["agent"])
        or any("effects" not in spec.needs for spec in doubtful_agents(result, agents))
    )


def policy_of(state: Mapping[str, Any], context: TurnContext) -> GatePolicy:
    """Make the policy of this turn on what must be judged."""
    analysis = state.get("query_analyzer_state") or {}
    usable = {spec.name for spec in usable_agents(context)}
    return gate_policy(
        context.settings.compliance.require, context.registry.agents.values(), usable, analysis
    )


def judged_now(state: Mapping[str, Any]) -> list[Judged]:
    """The verdicts that this turn has made, under any version of its plan."""
    results = (state.get("execution_manager_state") or {}).get("final_results") or {}
    return [
        Judged.from_json(each) for _, result in sorted(results.items()) for each in result.get("judged", ())
    ]


def required_of(state: Mapping[str, Any]) -> frozenset[str]:
    """The capabilities without which the answer is not whole."""
    analysis = state.get("query_analyzer_state") or {}
    spared = {
        *(analysis.get("infeasible_capabilities") or ()),
        *(analysis.get("optional_capabilities") or ()),
    }
    return frozenset(analysis.get("required_capabilities") or ()) - spared


def served_by(result: Mapping[str, Any], context: TurnContext) -> frozenset[str]:
    """List the capabilities that a result serves: an agent runs once for everything that is asked of it."""
    spec = context.registry.agents.get(result["agent"])
    return frozenset({result["capability"], *(each.name for each in (spec.capabilities if spec else ()))})


def usable_agents(context: TurnContext) -> list[AgentSpec]:
    """List the agents that are on and that this company and person may use, each with the capabilities that are on and allowed."""
    off = context.registry.off()
    known = context.usable.get(off)
    if known is None:
        known = context.usable[off] = _usable_agents(context)
    return known


def _usable_agents(context: TurnContext) -> list[AgentSpec]:
    only_for = context.settings.agents.only_for
    company = context.turn.user.company_id
    rights, is_off = context.rights, context.registry.is_off
    found: list[AgentSpec] = []
    for spec in context.registry.enabled():
        if company not in only_for.get(spec.name, [company]) or not rights.may_use(spec.name):
            continue
        allowed = tuple(
            each for each in spec.capabilities if rights.may_ask(each.name) and not is_off(each.name)
        )
        if allowed:
            found.append(spec if allowed == spec.capabilities else replace(spec, capabilities=allowed))
    return found


def checked(planning: PlanningState, request: PlanRequest, context: TurnContext) -> PlanningState:
    """The plan for a request with its verdict and hash. An invalid one keeps its steps for the person to see if they can be
    stored, but never runs."""
    limits = context.settings.limits
    usable = {spec.name: spec for spec in usable_agents(context)}
    known = [*request.artifacts, *request.made, *request.revised]
    scope = PlanScope(
        agents=usable,
        forbidden=frozenset(spec.name for spec in context.registry.enabled()) - frozenset(usable),
        artifact_kinds={ref.id: ref.kind for ref in known},
        granted=context.rights.granted,
        limits=PlanLimits(limits.steps, limits.turn_seconds, limits.calls, limits.tokens, limits.cost),
        policy=request.policy,
        judged=request.judged,
    )
    problems = validate_plan(planning, scope, context.turn.language)
    if any(problem["code"] == "not_plain" for problem in problems):
        planning = cast("PlanningState", {**planning, **{key: [] for key in WHAT_RUNS}})
    return {
        **planning,
        "plan_validated": not problems,
        "validation_errors": problems,
        "plan_hash": plan_hash(planning),
    }


def plan_hash(planning: Mapping[str, Any]) -> str:
    """Hash what will run: the steps in their order, their fallbacks, and what follows when one does not go well."""
    content = [planning.get(key) for key in ("plan_version", *WHAT_RUNS)]
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def with_approval(planning: PlanningState, context: TurnContext) -> PlanningState:
    rules, roles = context.settings.approval, context.turn.user.roles
    reasons = (
        reasons_to_ask(planning, context.registry.agents, rules, roles)
        if planning.get("plan_validated")
        else []
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


def described_again(planning: PlanningState, request: PlanRequest) -> PlanningState:
    """Compute anew what follows from the steps after an edit; the person's order stays."""
    fresh = describe_plan(
        planning.get("execution_plan") or [],
        planning.get("fallback_plans") or [],
        request=replace(request, version=planning.get("plan_version", 1)),
        unmet=planning.get("unmet") or [],
    )
    approval = planning.get("approval") or {}
    return {**fresh, "priority_order": planning.get("priority_order") or [], "approval": approval}
