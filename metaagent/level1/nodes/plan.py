"""The planning phase: makes the next version of the turn's plan and has it validated."""

from __future__ import annotations

from typing import Any

from metaagent.global_state import GlobalSessionState, PlanningState
from metaagent.input_checks import ID
from metaagent.level1.planning import make_plan
from metaagent.level1.planning.turn_plan import checked, next_request, with_approval
from metaagent.level1.turn_context import TurnContext
from metaagent.values import rows, sequence, text

BOUNDS = {"steps": "steps", "seconds": "turn_seconds", "calls": "calls", "tokens": "tokens", "cost": "cost"}
"""The setting under `limits` that bounds each need of a plan."""


async def plan(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    request = next_request(state, context, await context.artifacts())
    planning = refused_parts(make_plan(request), context)
    planning = with_approval(checked(planning, request, context), context)
    announce(state, planning, context)
    if context.journal.published:
        # Committed before the node counts as done: a crash in between would lose it. As long as nothing was told, a
        # crash makes the turn begin anew.
        await context.journal.flush()
    over = [p for p in planning.get("validation_errors") or () if p["code"] == "over_budget"]
    update: dict[str, Any] = {
        "planning_state": planning,
        "warnings": [context.bound_warning(BOUNDS[problem["what"]]) for problem in over],
    }
    if request.version > 1:
        update["execution_manager_state"] = _begun_again(state)
    return update


def refused_parts(planning: PlanningState, context: TurnContext) -> PlanningState:
    """Mark the parts that are switched off, and those that this person may not ask for; put the refusals on record."""
    unmet: list[dict[str, Any]] = []
    for part in planning.get("unmet") or ():
        reason, capability = part["reason"], part["capability"]
        if reason == "no_agent":
            agents = context.registry.agents.values()
            able = [spec for spec in agents if any(each.name == capability for each in spec.capabilities)]
            usable = [spec for spec in able if not context.registry.is_disabled(spec.name, capability)]
            lacking = next(
                (lack for spec in usable if (lack := context.rights.lacks(spec, capability))), None
            )
            if lacking is not None:
                context.refuse(f"plan:{capability}", lacking)
            reason = "forbidden" if lacking else "switched_off" if able and not usable else reason
        unmet.append({**part, "reason": reason})
    return {**planning, "unmet": unmet}


def announce(state: GlobalSessionState, planning: PlanningState, context: TurnContext) -> None:
    version = planning.get("plan_version", 1)
    analysis = state.get("query_analyzer_state") or {}
    if version > 1:
        reason = (state.get("execution_manager_state") or {}).get("replan_reason")
        context.journal.emit("replan", str(version), plan_version=version, reason=reason)
    context.journal.audit(
        "plan.made",
        str(version),
        outcome="valid" if planning.get("plan_validated") else "invalid",
        data={
            "version": version,
            "hash": planning.get("plan_hash"),
            "steps": {
                step_id: next((each for each in sequence(step.get("agents")) if isinstance(each, str)), "")
                for step in rows(planning.get("execution_plan"))
                if ID.fullmatch(step_id := text(step.get("step_id")))
            },
            "problems": [problem["code"] for problem in planning.get("validation_errors") or ()],
        },
    )
    intents = analysis.get("parsed_intents") or []
    context.journal.emit(
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
