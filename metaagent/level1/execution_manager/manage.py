"""The execution manager: runs the plan, judges the outcomes, decides whether a new plan is needed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from metaagent.access.rights import DENIED_AGENT
from metaagent.errors import Text
from metaagent.global_state import (
    ExecutionManagerState,
    FallbackPlan,
    GlobalSessionState,
    PlanningState,
    PlanStep,
    SharedState,
)
from metaagent.level1.budget import with_model_use
from metaagent.level1.execution_manager.dataflow import Outcome, PrioritySlots, run_dataflow
from metaagent.level1.execution_manager.step import BOUND, StepRunner, Trouble, new_outcome, why_lost
from metaagent.level1.execution_manager.todo import TodoList, new_steps
from metaagent.level1.planning import make_plan
from metaagent.level1.planning.contingency import Contingency
from metaagent.level1.planning.results import with_replacements
from metaagent.level1.planning.shape import topological
from metaagent.level1.planning.turn_plan import may_run, next_request, required_of, served_by
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef, GrantedPorts
from metaagent.state.manager import StateManager
from metaagent.state.merging import merge_agent_results
from metaagent.telemetry.spans import traced_step
from metaagent.values import iso, mapping, text

_NO_INPUT = Text(
    en="not run: it needs the result of {steps}, which did not succeed",
    ko="실행하지 않음: 성공하지 못한 {steps} 단계의 결과가 필요합니다",
)
_NOT_AS_APPROVED = Text(
    en="Nothing was run: the plan is not the one that was approved. Ask again.",
    ko="승인된 계획과 달라 아무것도 실행하지 않았습니다. 다시 물어봐 주세요.",
)


async def execute(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    """The partial update after one version of the plan has run."""
    plan = state.get("planning_state") or PlanningState()
    steps = (plan.get("execution_plan") or []) if may_run(plan) else []
    todo = TodoList(
        [*(state.get("execution_steps") or ()), *new_steps(steps, context.registry.agents)],
        context.journal,
        state.get("progress_percentage") or 0,
    )
    for step_id, result in ((state.get("execution_manager_state") or {}).get("final_results") or {}).items():
        context.budget.settle(
            step_id, result, ran_here=False
        )  # of an earlier version, perhaps before a crash
    version = plan.get("plan_version", 1)
    context.journal.emit("execution_start", str(version), plan_version=version, steps=todo.steps)
    outcomes = await _run(state, plan, steps, todo, context)
    update = _merged(state, outcomes, context)
    update["execution_steps"] = todo.steps
    update["progress_percentage"] = todo.percentage
    update["execution_manager_state"] = _judged(state, update, plan, outcomes, context)
    update["warnings"] = [context.bound_warning(bound) for bound in _bounds(outcomes)]
    if (
        plan.get("plan_validated")
        and (plan.get("approval") or {}).get("status") == "approved"
        and not may_run(plan)
    ):
        said = _NOT_AS_APPROVED.say(context.turn.language)
        update["warnings"].append(context.warning("plan_changed", said, f"plan_changed-{version}"))
    return update


def _bounds(outcomes: Sequence[Outcome]) -> list[str]:
    kinds = {outcome["error_type"] or "" for outcome in outcomes}
    return sorted(kind.removeprefix(BOUND) for kind in kinds if kind.startswith(BOUND))


async def _run(
    state: GlobalSessionState,
    plan: PlanningState,
    steps: Sequence[PlanStep],
    todo: TodoList,
    context: TurnContext,
) -> list[Outcome]:
    by_id = {step.get("step_id", ""): step for step in steps}
    rank = {step_id: place for place, step_id in enumerate(plan.get("priority_order") or by_id)}
    # In the order of priority: the first to ask for a slot gets it.
    ordered = sorted(by_id, key=lambda step_id: rank.get(step_id, len(rank)))
    needs = {step_id: by_id[step_id].get("dependencies", []) for step_id in ordered}
    earlier = await _earlier(state, context) if _uses_earlier(steps) else {}
    slots = PrioritySlots(context.settings.limits.parallel_steps)
    ran_here: set[str] = set()
    told = _EndedBefore(todo.told_ended() & by_id.keys())
    run_step = traced_step(_runner(state, plan, todo, context).run, context.telemetry, context.turn)

    async def work(step_id: str, before: Mapping[str, Outcome]) -> Outcome:
        missing = [
            name
            for name, outcome in before.items()
            if outcome["status"] != "completed" and name not in _spared(by_id, step_id, context)
        ]
        if missing:
            return _skipped(
                by_id[step_id], _NO_INPUT.say(context.turn.language, steps=", ".join(missing)), context
            )
        inputs = _inputs(by_id[step_id], before, earlier)
        alone = not by_id[step_id].get("parallel", True)
        async with slots.slot(rank.get(step_id, 0), alone=alone):
            await _gate_open(context)
            await told.caught_up.wait()
            ran_here.add(step_id)
            with todo.working(step_id, iso(context.clock.now())):
                outcome = await run_step(by_id[step_id], inputs)
        outcome["inputs"] = {ref.id: ref.hash for ref in inputs}
        if outcome["status"] == "failed" and by_id[step_id].get("optional"):
            outcome = {**outcome, "status": "skipped", "optional": True}
        await context.journal.flush()
        return outcome

    def finished(outcome: Outcome) -> None:
        context.budget.settle(outcome["step_id"], outcome, ran_here=outcome["step_id"] in ran_here)
        for ref in outcome["artifacts"]:
            context.journal.emit("artifact_ready", ref["id"], artifact=ref, step_id=outcome["step_id"])
        todo.finish(outcome)
        told.leave(outcome["step_id"])
        _audit(outcome, context)

    order = topological(needs) or []
    results = await run_dataflow(needs, order, work, finished, context.writes, told.leave)
    await context.journal.flush()
    return [results[step_id] for step_id in order]


def _spared(by_id: Mapping[str, PlanStep], step_id: str, context: TurnContext) -> frozenset[str]:
    """Optional steps that this one can do without: it takes what they make, but does not need it."""
    step = by_id[step_id]
    spec = context.registry.agents.get(next(iter(step.get("agents", ())), ""))
    needed = set(spec.required_kinds) if spec else set[str]()
    sources = [source for source in step.get("inputs", ()) if "from_step" in source]
    taken = {source["from_step"] for source in sources}
    required = {source["from_step"] for source in sources if source.get("kind") in needed}
    return frozenset(name for name in taken - required if by_id[name].get("optional"))


class _EndedBefore:
    """Steps that were told to have ended. Nothing starts before a resumed turn has them back on its to-do list, else
    the list that a person sees would go back."""

    def __init__(self, steps: Iterable[str]) -> None:
        self._left = set(steps)
        self.caught_up = asyncio.Event()
        self.leave("")

    def leave(self, step_id: str) -> None:
        self._left.discard(step_id)
        if not self._left:
            self.caught_up.set()


async def _gate_open(context: TurnContext) -> None:
    if not context.gate.is_set():
        with context.budget.held():
            await context.gate.wait()


def _runner(
    state: GlobalSessionState, plan: PlanningState, todo: TodoList, context: TurnContext
) -> StepRunner:
    fallbacks: dict[str, list[FallbackPlan]] = {}
    for fallback in plan.get("fallback_plans") or ():
        fallbacks.setdefault(fallback.get("for_step", ""), []).append(fallback)

    def ports_for(spec: AgentSpec, step_id: str, inputs: Sequence[ArtifactRef]) -> GrantedPorts:
        given = context.ports_for(spec, step_id, inputs)

        async def progress(percentage: int, note: str = "") -> None:
            todo.advance(step_id, percentage, note)

        own = {"progress": progress} if "progress" in given.ports else {}
        return given._replace(ports={**given.ports, **own})

    def refusal(spec: AgentSpec, capability: str, step_id: str) -> str | None:
        # Who stands in for the sake of what they make may be unable to do what the step is called after.
        able = any(known.name == capability for known in spec.capabilities)
        lacking = context.rights.lacks(spec, capability if able else None)
        if lacking is None:
            return None
        context.refuse(f"step:{plan.get('plan_version')}:{step_id}:{spec.name}", lacking)
        roles = ", ".join(context.turn.user.roles)
        return DENIED_AGENT.say(context.turn.language, agent=spec.name, what=lacking, roles=roles)

    return StepRunner(
        agents=context.registry.agents,
        is_disabled=context.registry.is_disabled,
        fallbacks=fallbacks,
        contingency=Contingency.of(plan),
        on_fallback=todo.hand_over,
        on_retry=todo.again,
        ports_for=ports_for,
        shared=_shared(context),
        request=cast("Mapping[str, Any]", state.get("query_analyzer_state") or {}),
        journal=context.journal,
        clock=context.clock,
        budget=context.budget,
        breaker=context.breaker,
        language=context.turn.language,
        refusal=refusal,
    )


def _shared(context: TurnContext) -> SharedState:
    turn = context.turn
    return {
        **StateManager().create_shared_state(
            turn.question,
            turn.session_id,
            turn.started_at,
            user_id=turn.user.user_id,
            company_id=turn.user.company_id,
            language="ko" if turn.language == "ko" else "en",
        ),
        "status": "running",
    }


def _uses_earlier(steps: Sequence[PlanStep]) -> bool:
    return any("artifact_id" in source for step in steps for source in step.get("inputs", ()))


async def _earlier(state: GlobalSessionState, context: TurnContext) -> dict[str, ArtifactRef]:
    """What earlier turns made, and this one under an earlier version of its plan."""
    return {ref.id: ref for ref in (*await context.artifacts(), *next_request(state, context).made)}


def _inputs(
    step: PlanStep, before: Mapping[str, Outcome], earlier: Mapping[str, ArtifactRef]
) -> list[ArtifactRef]:
    found: list[ArtifactRef] = []
    for source in step.get("inputs", ()):
        if "from_step" in source:
            made = before[source["from_step"]]["artifacts"]
            found += [ArtifactRef.from_json(ref) for ref in made if ref["kind"] == source.get("kind")]
        elif source.get("artifact_id") in earlier:
            found.append(earlier[source.get("artifact_id", "")])
    return found


def _skipped(step: PlanStep, why: str, context: TurnContext) -> Outcome:
    now = iso(context.clock.now())
    outcome = {**new_outcome(step, "", Trouble("no_input", why), 0, now, now), "status": "skipped"}
    return {**outcome, "optional": True} if step.get("optional") else outcome


def _merged(state: GlobalSessionState, outcomes: Sequence[Outcome], context: TurnContext) -> dict[str, Any]:
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


def _audit(outcome: Outcome, context: TurnContext) -> None:
    """What ran, on what, and what came of it: by hash, never by content."""
    context.journal.audit(
        "agent.ran",
        outcome["step_id"],
        agent=outcome["agent"] or None,
        outcome=outcome["status"],
        data={
            "step": outcome["step_id"],
            "attempts": outcome["attempts"],
            "error": outcome["error_type"],
            "inputs": outcome["inputs"],
            "made": {ref["id"]: ref["hash"] for ref in outcome["artifacts"]},
            "sql": [
                hashlib.sha256(sql.encode()).hexdigest()
                for sql in outcome["state"].get("generated_queries", ())
            ],
            "rules": [_rule(rule) for rule in outcome["state"].get("applied_rules", ())],
            "stored": outcome["state"].get("storage_decision"),
        },
    )


def _rule(rule: Any) -> str:
    """The name of a rule that judged: itself, or what its record calls it."""
    named = mapping(rule)
    return text(named.get("id") or named.get("rule") or named.get("name")) if named else text(rule)


def _agent_state(outcome: Outcome, context: TurnContext) -> dict[str, Any]:
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
    outcomes: Sequence[Outcome],
    context: TurnContext,
) -> ExecutionManagerState:
    before = state.get("execution_manager_state") or ExecutionManagerState()
    merged = cast("ExecutionManagerState", update.get("execution_manager_state") or before)
    failed = [o for o in outcomes if o["status"] == "failed"]
    unsuccessful = {name for o in outcomes if o["status"] != "completed" for name in _tried(o)}
    excluded = sorted({*(before.get("excluded_agents") or ()), *unsuccessful})
    results = with_replacements(
        {**(before.get("final_results") or {}), **{o["step_id"]: _final(o) for o in outcomes}},
        [o["step_id"] for o in outcomes],
        required_of(state),
        lambda result: served_by(result, context),
    )
    judged: ExecutionManagerState = {
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
    }
    if _bounds(outcomes):
        return judged
    contingency = Contingency.of(plan)
    poor = [
        o for o in outcomes if contingency.trouble(o) == "low_quality" and contingency.allows("replan", o)
    ]
    for outcome in poor:
        judged = _without(outcome, state, judged, context)
    lost = [o for o in failed if contingency.allows("replan", o)]
    left = [*lost, *(o for o in poor if judged.get("final_results", {})[o["step_id"]].get("poor"))]
    if left and _another_way(state, judged, context):
        judged["need_replan"] = True
        judged["replan_reason"] = "; ".join(
            f"{o['agent']}: {why_lost(o, context.turn.language)}" for o in left
        )
    return judged


def _without(
    outcome: Outcome, state: GlobalSessionState, judged: ExecutionManagerState, context: TurnContext
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


def _tried(outcome: Outcome) -> set[str]:
    """Who was to do it, and who was started in their place."""
    return {outcome["agent"], *outcome.get("calls", ())} - {""}


def _final(outcome: Outcome) -> dict[str, Any]:
    keys = (
        "agent",
        "capability",
        "status",
        "summary",
        "artifacts",
        "sources",
        "confidence",
        "quality",
        "error",
        "error_type",
        "attempts",
        "calls",
        "db_queries",
        "seconds",
        "optional",
    )
    return {key: outcome[key] for key in keys if key in outcome} | (
        {"recovered_from": outcome["recovered_from"]} if "recovered_from" in outcome else {}
    )


def _another_way(state: GlobalSessionState, judged: ExecutionManagerState, context: TurnContext) -> bool:
    """Whether a plan without the agents that failed would have anything to do that is not optional."""
    request = next_request({**state, "execution_manager_state": judged}, context)
    return any(not step.get("optional") for step in make_plan(request).get("execution_plan") or ())
