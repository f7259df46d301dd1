"""The execution manager: runs the plan, judges the outcomes, decides whether a new plan is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from metaagent.errors import Text
from metaagent.global_state import ExecutionManagerState, GlobalSessionState, PlanningState, StepOutcome
from metaagent.level1.budget import with_model_use
from metaagent.level1.dropped_question import LEFT
from metaagent.level1.execution_manager.attempt import BOUND
from metaagent.level1.execution_manager.dataflow import run_dataflow
from metaagent.level1.execution_manager.outcomes import why_lost
from metaagent.level1.execution_manager.plan_run import PlanRun
from metaagent.level1.execution_manager.todo import TodoList, new_steps
from metaagent.level1.planning import make_plan
from metaagent.level1.planning.contingency import Contingency
from metaagent.level1.planning.effects import named_agents
from metaagent.level1.planning.gate import BLOCKED
from metaagent.level1.planning.results import with_replacements
from metaagent.level1.planning.revision import AWAITS_REVISION, to_mend
from metaagent.level1.planning.turn_plan import may_run, next_request, required_of, served_by, usable_agents
from metaagent.level1.turn_context import TurnContext
from metaagent.state.manager import StateManager
from metaagent.state.merging import merge_agent_results

_NOT_AS_APPROVED = Text(
    en="Nothing was run: the plan is not the one that was approved. Ask again.",
    ko="승인된 계획과 달라 아무것도 실행하지 않았습니다. 다시 물어봐 주세요.",
)

_LOST = Text(en="“{what}” failed: {why}", ko="‘{what}’ 실패: {why}")
_MENDED = Text(
    en="{what}: the check requires changes that can be applied at once",
    ko="{what}: 규정 확인에서 요구한 수정 중 바로 반영할 수 있는 것이 있음",
)

NOT_IN_RESULTS = frozenset({"step_id", "inputs", "state", "started_at", "ended_at"})
"""Fields of an outcome that `final_results` leaves out: other parts of the state have them."""


async def execute(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    """Run one version of the plan; the partial update that follows from it."""
    plan = state.get("planning_state") or PlanningState()
    runnable = may_run(plan)
    steps = (plan.get("execution_plan") or []) if runnable else []
    todo = TodoList(
        [*(state.get("execution_steps") or ()), *new_steps(steps, context.registry.agents)],
        context.journal,
        state.get("progress_percentage") or 0,
    )
    for step_id, result in ((state.get("execution_manager_state") or {}).get("final_results") or {}).items():
        # Of an earlier version, perhaps before a crash.
        context.budget.settle(step_id, result, ran_here=False)
    version = plan.get("plan_version", 1)
    context.journal.emit("execution_start", str(version), plan_version=version, steps=todo.steps)
    outcomes: list[StepOutcome] = []
    if steps:
        if any(spec.side_effects for spec in named_agents(plan, context.registry.agents)):
            # What changes something outside is on record before it runs.
            await context.journal.flush()
        run = await PlanRun.begin(state, plan, context, todo)
        outcomes = list((await run_dataflow(run, context.writes)).values())
    await context.journal.secure()
    update = _merged(state, outcomes, context)
    update["execution_steps"] = todo.steps
    update["progress_percentage"] = todo.percentage
    update["execution_manager_state"] = _judged(state, update, plan, outcomes, context)
    update["warnings"] = [context.bound_warning(bound) for bound in _bounds(outcomes)]
    approved = (plan.get("approval") or {}).get("status") == "approved"
    if plan.get("plan_validated") and approved and not runnable:
        said = _NOT_AS_APPROVED.say(context.turn.language)
        update["warnings"].append(context.warning("plan_changed", said, f"plan_changed-{version}"))
    return update


def _bounds(outcomes: Sequence[StepOutcome]) -> list[str]:
    kinds = {outcome["error_type"] or "" for outcome in outcomes}
    return sorted(kind.removeprefix(BOUND) for kind in kinds if kind.startswith(BOUND))


def _merged(
    state: GlobalSessionState, outcomes: Sequence[StepOutcome], context: TurnContext
) -> dict[str, Any]:
    """Agent states and task lists, through the one merge function."""
    merged: Any = state
    for outcome in outcomes:
        if outcome["agent"]:
            merged = merge_agent_results(merged, _agent_state(outcome, context), outcome["agent"])
    use = with_model_use(state, context.budget)
    calls = dict(use.get("api_calls_made") or state.get("api_calls_made") or {})
    for outcome in outcomes:
        for agent, count in outcome.get("calls", {}).items():
            calls[agent] = calls.get(agent, 0) + count
    keys = ("agent_states", "execution_manager_state")
    queries = sum(outcome.get("db_queries", 0) for outcome in outcomes)
    return {
        **{key: merged.get(key) for key in keys if merged.get(key)},
        **use,
        "api_calls_made": calls,
        "db_queries_executed": (state.get("db_queries_executed") or 0) + queries,
    }


def _agent_state(outcome: StepOutcome, context: TurnContext) -> dict[str, Any]:
    succeeded = outcome["status"] == "completed"
    result = (
        {key: outcome[key] for key in ("summary", "artifacts", "sources", "quality")} if succeeded else None
    )
    begun = StateManager().create_agent_state(
        outcome["agent"],
        outcome["step_id"],
        {"question": context.turn.question, "capability": outcome["capability"]},
        outcome["started_at"],
        {"turn_id": context.turn.turn_id},
    )
    return {
        **begun,
        **outcome["state"],
        "result": result,
        "confidence_score": outcome["confidence"],
        "execution_time": outcome["seconds"],
        "error_message": outcome["error"],
        "error_type": outcome["error_type"],
        "recovery_attempted": outcome["attempts"] > 1 or "recovered_from" in outcome,
        "end_time": outcome["ended_at"],
        "resource_usage": {"seconds": outcome["seconds"], "attempts": outcome["attempts"]},
    }


def _judged(
    state: GlobalSessionState,
    update: Mapping[str, Any],
    plan: PlanningState,
    outcomes: Sequence[StepOutcome],
    context: TurnContext,
) -> ExecutionManagerState:
    """Judge what came of the plan, and whether another one follows. Beyond a bound of the turn nothing does."""
    judged = _on_record(state, update, plan, outcomes, context)
    if _bounds(outcomes):
        return judged
    mended = _to_be_mended(state, judged, context)
    return mended or _planned_again(state, plan, outcomes, judged, context)


def _on_record(
    state: GlobalSessionState,
    update: Mapping[str, Any],
    plan: PlanningState,
    outcomes: Sequence[StepOutcome],
    context: TurnContext,
) -> ExecutionManagerState:
    before = state.get("execution_manager_state") or ExecutionManagerState()
    merged = cast("ExecutionManagerState", update.get("execution_manager_state") or before)
    failed = [o for o in outcomes if o["status"] == "failed"]
    lost = [o for o in outcomes if o["status"] != "completed" and o["error_type"] != AWAITS_REVISION]
    unsuccessful = {name for o in lost for name in _tried(o)}
    excluded = sorted({*(before.get("excluded_agents") or ()), *unsuccessful})
    finals = {
        o["step_id"]: {key: value for key, value in o.items() if key not in NOT_IN_RESULTS} for o in outcomes
    }
    results = with_replacements(
        {**(before.get("final_results") or {}), **finals},
        [o["step_id"] for o in outcomes],
        required_of(state),
        lambda result: served_by(result, context),
    )
    return {
        **merged,
        "current_plan": plan.get("plan_version", 1),
        "active_steps": [],
        "execution_status": "failed" if failed and len(failed) == len(outcomes) else "completed",
        "execution_progress": 1.0,
        "pending_tasks": [],
        "quality_scores": {
            **(before.get("quality_scores") or {}),
            **{o["step_id"]: o["quality"] for o in outcomes},
        },
        "validation_results": {
            **(before.get("validation_results") or {}),
            **{o["step_id"]: {"valid": o["status"] == "completed", "error": o["error"]} for o in outcomes},
        },
        "replan_attempts": before.get("replan_attempts", 0),
        "excluded_agents": excluded,
        "final_results": results,
        "aggregation_method": "by_step",
        "need_replan": False,
        "replan_reason": None,
        "revised": [],
    }


def _to_be_mended(
    state: GlobalSessionState, judged: ExecutionManagerState, context: TurnContext
) -> ExecutionManagerState | None:
    """A new plan for drafts whose changes a check requires; None if there are none, or nobody who could make them."""
    drafts = to_mend(judged.get("final_results") or {}, usable_agents(context), context.turn.turn_id)
    if not drafts or judged.get("replan_attempts", 0) >= context.settings.limits.replans:
        return None
    mending: ExecutionManagerState = {**judged, "revised": [ref.as_json() for ref in drafts]}
    if not _another_way(state, mending, context):
        return None
    reason = _MENDED.say(context.turn.language, what=drafts[0].summary)
    return {**mending, "need_replan": True, "replan_reason": reason}


def _planned_again(
    state: GlobalSessionState,
    plan: PlanningState,
    outcomes: Sequence[StepOutcome],
    judged: ExecutionManagerState,
    context: TurnContext,
) -> ExecutionManagerState:
    """A new plan for what failed or is poor, where the plan's contingencies want one and somebody else could do it."""
    contingency = Contingency.of(plan)
    poor = [
        o for o in outcomes if contingency.trouble(o) == "low_quality" and contingency.allows("replan", o)
    ]
    for outcome in poor:
        judged = _without(outcome, state, judged, context)
    open_still = [
        o
        for o in outcomes
        if o["status"] == "failed"
        and o["error_type"] not in {BLOCKED, AWAITS_REVISION, LEFT}
        and contingency.allows("replan", o)
    ]
    left = [*open_still, *(o for o in poor if judged.get("final_results", {})[o["step_id"]].get("poor"))]
    if left and _another_way(state, judged, context):
        reasons = [_lost(o, context) for o in left]
        return {**judged, "need_replan": True, "replan_reason": "; ".join(reasons)}
    return judged


def _lost(outcome: StepOutcome, context: TurnContext) -> str:
    """The title of what was lost, and why."""
    language, spec = context.turn.language, context.registry.agents.get(outcome["agent"])
    title = (spec.description.say(language) if spec is not None else "") or outcome["agent"]
    return _LOST.say(language, what=title, why=why_lost(outcome, language))


def _without(
    outcome: StepOutcome, state: GlobalSessionState, judged: ExecutionManagerState, context: TurnContext
) -> ExecutionManagerState:
    """A poor result is left behind if somebody else could do the same; else it is better than none."""
    results = dict(judged.get("final_results") or {})
    step_id = outcome["step_id"]
    why = why_lost(outcome, context.turn.language)
    results[step_id] = {**results[step_id], "poor": True, "error": why, "error_type": "low_quality"}
    excluded = sorted({*(judged.get("excluded_agents") or ()), *_tried(outcome)})
    tried: ExecutionManagerState = {**judged, "final_results": results, "excluded_agents": excluded}
    again = make_plan(next_request({**state, "execution_manager_state": tried}, context))
    able = (step.get("capability") for step in again.get("execution_plan") or ())
    return tried if outcome["capability"] in able else judged


def _tried(outcome: StepOutcome) -> set[str]:
    """The agents that were to do it or were started in their place."""
    return {outcome["agent"], *outcome.get("calls", ())} - {""}


def _another_way(state: GlobalSessionState, judged: ExecutionManagerState, context: TurnContext) -> bool:
    """Say whether a plan without the agents that failed would have anything to do that is not optional."""
    request = next_request({**state, "execution_manager_state": judged}, context)
    return any(not step.get("optional") for step in make_plan(request).get("execution_plan") or ())
