"""Waits for a person to approve the plan. What runs afterwards is exactly what was approved, if it still can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.types import interrupt

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState, PlanningState
from metaagent.level1.nodes.plan import announce, plan
from metaagent.level1.planning.decisions import Decision, decision_of, edited, not_approved, unknown_steps
from metaagent.level1.planning.params import parameters, unknown_params
from metaagent.level1.planning.problems import Problems, listed
from metaagent.level1.planning.turn_plan import checked, described_again, next_request
from metaagent.level1.turn_context import TurnContext
from metaagent.values import iso, mapping, rows, sequence, text

_QUESTION = Text(
    en="This plan needs your approval ({reasons}): {steps}. Approve it?",
    ko="이 계획은 승인이 필요합니다({reasons}): {steps}. 승인할까요?",
)
_UNCLEAR = Text(
    en="Say approve or reject, or an edit such as: drop s2; set s1.limit=5; order s2 s1; show s3.",
    ko="승인, 거절 또는 수정(예: 빼기 s2; 변경 s1.limit=5; 순서 s2 s1; 보기 s3)으로 답해 주세요.",
)
_UNREAD = Text(
    en="Nothing was approved, because this could not be read: {names}. Name steps in `drop` and `order`, and "
    "parameters by step in `params`.",
    ko="읽을 수 없는 항목이 있어 승인하지 않았습니다: {names}. `제외`와 `순서`에는 단계를, `매개변수`에는 단계별 "
    "매개변수를 적어 주세요.",
)
_UNKNOWN = Text(en="The plan has no step {steps}.", ko="계획에 {steps} 단계가 없습니다.")
_CHANGED = Text(
    en="The plan is not as it was when it was shown: look at it again.",
    ko="계획이 보여 드린 때와 다릅니다. 다시 확인해 주세요.",
)
_OUTDATED = Text(
    en="The plan that you approved can no longer run, and was not run: {problems}",
    ko="승인하신 계획은 더 이상 실행할 수 없어 실행하지 않았습니다: {problems}",
)


async def approve(state: GlobalSessionState, context: TurnContext) -> dict[str, Any]:
    planning = state.get("planning_state") or PlanningState()
    asked = (planning.get("approval") or {}).get("asked", 0)
    given = next_request(state, context).made
    titles = {ref.id: ref.summary for ref in (*await context.artifacts(), *given)}
    titles["dataset"] = (state.get("query_analyzer_state") or {}).get("data_title") or ""
    # What was read from the question: the words, and what the agents take them for.
    found = rows((state.get("query_analyzer_state") or {}).get("extracted_entities"))
    understood = [{key: text(each.get(key)) for key in ("type", "value", "normalized")} for each in found]
    question = {**_question(planning, titles, context), "understood": understood}
    context.journal.emit("approval_needed", f"{planning.get('plan_version')}:{asked}", **question)
    await context.journal.flush()
    decision = decision_of(interrupt(question))
    update = await _decided(state, planning, decision, context)
    await context.journal.flush()
    return update


async def _decided(
    state: GlobalSessionState, planning: PlanningState, decision: Decision, context: TurnContext
) -> dict[str, Any]:
    language = context.turn.language
    if decision.verdict == "unclear":
        unread = [_UNREAD.say(language, names=listed(decision.unread))] if decision.unread else []
        return _ask_again(planning, [*unread, _UNCLEAR.say(language)])
    if decision.verdict == "rejected":
        unmet = [
            {**each, "reason": "plan_rejected", "why": decision.reason}
            for each in not_approved(rows(planning.get("execution_plan")))
        ]
        return _settled({**planning, "execution_plan": [], "unmet": unmet}, decision, context)
    # Time has passed: agents, rights and artifacts may be others than when the plan was made.
    now = checked(planning, next_request(state, context, await context.artifacts()), context)
    if now.get("plan_hash") != planning.get("plan_hash"):
        return _ask_again(now, [_CHANGED.say(language)])
    changed, problems = await _with_edits(state, now, decision.edits or {}, context)
    if not problems:
        return _settled(changed, decision, context)
    if now.get("plan_validated"):
        return _ask_again(planning, problems)
    return await _anew(state, now, decision, context)


async def _with_edits(
    state: GlobalSessionState, planning: PlanningState, edits: Mapping[str, Any], context: TurnContext
) -> tuple[PlanningState, list[str]]:
    """The edited plan, a new version, with what speaks against it. Without edits it stays as it is."""
    unknown = unknown_steps(planning, edits)
    if unknown:
        return planning, [_UNKNOWN.say(context.turn.language, steps=listed(unknown))]
    if not edits:
        return planning, _problems(planning)
    useless = _useless(planning, edits, context)
    if useless:
        return planning, useless
    request = next_request(state, context, await context.artifacts())
    changed = checked(edited(planning, edits), request, context)
    if changed.get("plan_validated"):
        changed = checked(described_again(changed, request), request, context)
    if changed.get("plan_validated"):
        announce(state, changed, context)
    return changed, _problems(changed)


def _useless(planning: PlanningState, edits: Mapping[str, Any], context: TurnContext) -> list[str]:
    """Say which parameters of an edit no agent would read."""
    params, language = mapping(edits.get("params")), context.turn.language
    problems = Problems(language)
    for step in rows(planning.get("execution_plan")):
        name, step_id = _agent(step), text(step.get("step_id"))
        spec, before = context.registry.agents.get(name), mapping(step.get("params"))
        found = unknown_params(spec, before, mapping(params.get(step_id)), language) if spec else []
        for each in found:
            problems.add("bad_params", step_id, each.parameter, agent=name, why=each.why)
    return [problem["text"] for problem in problems]


def _agent(step: Mapping[str, Any]) -> str:
    return text(next(iter(sequence(step.get("agents"))), ""))


def _problems(planning: PlanningState) -> list[str]:
    return [problem["text"] for problem in planning.get("validation_errors") or ()]


async def _anew(
    state: GlobalSessionState, outdated: PlanningState, decision: Decision, context: TurnContext
) -> dict[str, Any]:
    """Replace an approved plan that can no longer run by another, to be approved by the same rules: as often as a
    turn may plan anew; then it ends, and the answer says why."""
    problems = outdated.get("validation_errors") or []
    told = _OUTDATED.say(context.turn.language, problems=" ".join(_problems(outdated)))
    _record("plan.outdated", "not_run", outdated, decision, context, problems=[p["code"] for p in problems])
    manager = state.get("execution_manager_state") or {}
    if manager.get("replan_attempts", 0) >= context.settings.limits.replans:
        ended = _settled_as("outdated", outdated, decision, context)
        return {"planning_state": ended, "warnings": [context.bound_warning("replans")]}
    seen: Any = {**state, "execution_manager_state": {**manager, "replan_reason": told}}
    update = await plan(seen, context)
    planning: PlanningState = update["planning_state"]
    approval = {**(planning.get("approval") or {}), "problems": [told]}
    warning = context.warning("plan_outdated", told, f"plan_outdated-{outdated.get('plan_version')}")
    return {
        **update,
        "planning_state": {**planning, "approval": approval},
        "warnings": [warning, *update["warnings"]],
    }


def _ask_again(planning: PlanningState, problems: Sequence[str]) -> dict[str, Any]:
    approval = planning.get("approval") or {}
    again = {**approval, "asked": approval.get("asked", 0) + 1, "problems": list(problems)}
    return {"planning_state": {**planning, "approval": again}}


def _settled(planning: PlanningState, decision: Decision, context: TurnContext) -> dict[str, Any]:
    _record(f"plan.{decision.verdict}", decision.verdict, planning, decision, context)
    return {"planning_state": _settled_as(decision.verdict, planning, decision, context)}


def _settled_as(
    status: str, planning: PlanningState, decision: Decision, context: TurnContext
) -> PlanningState:
    approval = {
        **(planning.get("approval") or {}),
        "status": status,
        "by": decision.by or context.turn.user.user_id,
        "at": iso(context.clock.now()),
        "reason": decision.reason,
        "plan_hash": planning.get("plan_hash"),
        "problems": [],
    }
    return {**planning, "approval": approval}


def _record(
    event: str, outcome: str, planning: PlanningState, decision: Decision, context: TurnContext, **data: Any
) -> None:
    version = planning.get("plan_version")
    by = decision.by or context.turn.user.user_id
    context.journal.audit(
        event,
        str(version),
        outcome=outcome,
        data={"version": version, "hash": planning.get("plan_hash"), **data},
        person=by,
        pii={"by": by, "reason": context.redactor.redact_text(decision.reason)},
    )


def _question(planning: PlanningState, titles: Mapping[str, str], context: TurnContext) -> dict[str, Any]:
    approval = planning.get("approval") or {}
    fallbacks = rows(planning.get("fallback_plans"))
    steps = [_shown(step, fallbacks, titles, context) for step in rows(planning.get("execution_plan"))]
    named = ", ".join(f"{step['step_id']} {step['task']}" for step in steps)
    asked = _QUESTION.say(context.turn.language, reasons=", ".join(approval.get("reasons", ())), steps=named)
    return {
        "kind": "approval",
        "question": " ".join([*approval.get("problems", ()), asked]),
        "options": ["approve", "reject"],
        "plan_version": planning.get("plan_version"),
        "plan_hash": planning.get("plan_hash"),
        "reasons": approval.get("reasons", []),
        "problems": list(approval.get("problems", ())),
        "steps": steps,
    }


def _shown(
    step: Mapping[str, Any],
    fallbacks: Sequence[Mapping[str, Any]],
    titles: Mapping[str, str],
    context: TurnContext,
) -> dict[str, Any]:
    """A step with what it will read and write; data with its title, period and filters: those of the stored artifact,
    or of the data that the plan makes. Of an agent that is not here (any more), only the plan is known."""
    name = _agent(step)
    spec = context.registry.agents.get(name)
    return {
        "step_id": step.get("step_id"),
        "agent": name,
        "fallbacks": [f.get("replace_with") for f in fallbacks if f.get("for_step") == step.get("step_id")],
        "task": step.get("task"),
        "params": step.get("params"),
        "parameters": [each._asdict() for each in parameters(spec, mapping(step.get("params")))],
        "dependencies": step.get("dependencies"),
        "inputs": [
            {**source, "title": titles.get(text(source.get("artifact_id")) or text(source.get("kind")), "")}
            for source in rows(step.get("inputs"))
        ],
        "reads": [
            *(mapping(source).get("kind") for source in sequence(step.get("inputs"))),
            *sorted(spec.needs & {"db", "vectors", "files"} if spec else ()),
        ],
        "writes": [*sequence(step.get("produces")), *(["outside"] if spec and spec.side_effects else [])],
        "optional": bool(step.get("optional")),
        "side_effects": spec.side_effects if spec else None,
        "risk": spec.risk if spec else None,
    }
