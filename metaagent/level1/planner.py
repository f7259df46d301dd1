"""The planning phase: makes the next version of the turn's plan and has it validated."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from metaagent.global_state import GlobalSessionState, PlanningState
from metaagent.level1.desk import Desk
from metaagent.level1.planning import PlanLimits, PlanRequest, PlanScope, make_plan, validate_plan
from metaagent.level1.responder import bound_warning
from metaagent.ports import ArtifactRef

BOUNDS = {"steps": "steps", "seconds": "turn_seconds", "calls": "calls"}
"""Which setting under `limits` bounds what a plan would need."""


async def plan(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
    artifacts = await desk.artifacts()
    request = next_request(state, desk, artifacts)
    planning = make_plan(request)
    planning = checked(planning, [*artifacts, *request.made], desk)
    _announce(state, planning, desk)
    over = [p for p in planning.get("validation_errors") or () if p["code"] == "over_budget"]
    update: dict[str, Any] = {
        "planning_state": planning,
        "warnings": [bound_warning(BOUNDS[problem["what"]], desk) for problem in over],
    }
    if request.version > 1:
        update["execution_manager_state"] = _begun_again(state)
    return update


def next_request(state: Mapping[str, Any], desk: Desk, artifacts: Sequence[ArtifactRef] = ()) -> PlanRequest:
    """The first version is made from nothing, later ones from what was achieved and without who failed."""
    manager = state.get("execution_manager_state") or {}
    results = manager.get("final_results") or {}
    done = [result for _, result in sorted(results.items()) if result["status"] == "completed"]
    return PlanRequest(
        analysis=state.get("query_analyzer_state") or {},
        agents=desk.registry.enabled(),
        artifacts=artifacts,
        made=[ArtifactRef.from_json(ref) for result in done for ref in result["artifacts"]],
        achieved=frozenset(result["capability"] for result in done),
        first_number=len(results) + 1,
        records=desk.records,
        version=((state.get("planning_state") or {}).get("plan_version") or 0) + 1,
        excluded=frozenset(manager.get("excluded_agents") or ()),
        language=desk.turn.language,
    )


def checked(planning: PlanningState, artifacts: Sequence[ArtifactRef], desk: Desk) -> PlanningState:
    """The plan with its verdict and hash. An invalid one keeps its steps for the person to see, but never runs."""
    limits = desk.settings.limits
    scope = PlanScope(
        agents={spec.name: spec for spec in desk.registry.enabled()},
        artifact_kinds={ref.id: ref.kind for ref in artifacts},
        limits=PlanLimits(limits.steps, limits.turn_seconds, limits.calls),
    )
    problems = validate_plan(planning, scope, desk.turn.language)
    return {
        **planning,
        "plan_validated": not problems,
        "validation_errors": problems,
        "plan_hash": plan_hash(planning),
    }


def plan_hash(planning: PlanningState) -> str:
    """Of what will run: the steps and their fallbacks."""
    content = [planning.get("plan_version"), planning.get("execution_plan"), planning.get("fallback_plans")]
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _announce(state: GlobalSessionState, planning: PlanningState, desk: Desk) -> None:
    version = planning.get("plan_version", 1)
    analysis = state.get("query_analyzer_state") or {}
    if version > 1:
        reason = (state.get("execution_manager_state") or {}).get("replan_reason")
        desk.journal.emit("replan", str(version), plan_version=version, reason=reason)
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
                for key in ("step_id", "agents", "task", "dependencies", "inputs", "produces")
            }
            for step in planning.get("execution_plan") or ()
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
