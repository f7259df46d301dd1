"""Waits for a person to approve the plan. What runs afterwards is exactly what was approved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.types import interrupt

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState, PlanningState, PlanStep
from metaagent.level1.desk import Desk
from metaagent.level1.planner import announce, checked, described_again
from metaagent.level1.planning.approval import Decision, decision_of, edited, unknown_steps
from metaagent.times import iso

_QUESTION = Text(
    en="This plan needs your approval ({reasons}): {steps}. Approve it?",
    ko="이 계획은 승인이 필요합니다({reasons}): {steps}. 승인할까요?",
)
_UNCLEAR = Text(
    en="Say approve or reject, or send edits (drop, params, order).",
    ko="승인 또는 거절로 답하거나 수정 사항(drop, params, order)을 보내 주세요.",
)
_UNKNOWN = Text(en="The plan has no step {steps}.", ko="계획에 {steps} 단계가 없습니다.")


async def approve(state: GlobalSessionState, desk: Desk) -> dict[str, Any]:
    planning = state.get("planning_state") or PlanningState()
    asked = (planning.get("approval") or {}).get("asked", 0)
    question = _question(planning, desk)
    desk.journal.emit("approval_needed", f"{planning.get('plan_version')}:{asked}", **question)
    await desk.journal.flush()
    decision = decision_of(interrupt(question))
    decided = await _decided(state, planning, decision, desk)
    await desk.journal.flush()
    return {"planning_state": decided}


async def _decided(
    state: GlobalSessionState, planning: PlanningState, decision: Decision, desk: Desk
) -> PlanningState:
    if decision.verdict == "unclear":
        return _ask_again(planning, [_UNCLEAR.say(desk.turn.language)])
    if decision.verdict == "rejected":
        unmet = [
            {"capability": s.get("capability", ""), "reason": "rejected"}
            for s in planning.get("execution_plan") or ()
        ]
        emptied: PlanningState = {**planning, "execution_plan": [], "unmet": unmet}
        return _settled(emptied, decision, desk)
    if not decision.edits:
        return _settled(planning, decision, desk)
    return await _with_edits(state, planning, decision, desk)


async def _with_edits(
    state: GlobalSessionState, planning: PlanningState, decision: Decision, desk: Desk
) -> PlanningState:
    """The edited plan is a new version; approved as edited if it is valid, else shown again with its problems."""
    edits = decision.edits or {}
    unknown = unknown_steps(planning, edits)
    if unknown:
        return _ask_again(planning, [_UNKNOWN.say(desk.turn.language, steps=", ".join(unknown))])
    changed = described_again(edited(planning, edits), state, desk)
    changed = checked(changed, await desk.artifacts(), state, desk)
    problems = [problem["text"] for problem in changed.get("validation_errors") or ()]
    if problems:
        return _ask_again(planning, problems)
    announce(state, changed, desk)
    return _settled(changed, decision, desk)


def _ask_again(planning: PlanningState, problems: Sequence[str]) -> PlanningState:
    approval = planning.get("approval") or {}
    return {
        **planning,
        "approval": {**approval, "asked": approval.get("asked", 0) + 1, "problems": list(problems)},
    }


def _settled(planning: PlanningState, decision: Decision, desk: Desk) -> PlanningState:
    version = planning.get("plan_version")
    by = decision.by or desk.turn.user.user_id
    desk.journal.audit(
        f"plan.{decision.verdict}",
        str(version),
        outcome=decision.verdict,
        data={"version": version, "hash": planning.get("plan_hash")},
        person=by,
        pii={"by": by, "reason": desk.redactor.redact_text(decision.reason)},
    )
    return {
        **planning,
        "approval": {
            **(planning.get("approval") or {}),
            "status": decision.verdict,
            "by": by,
            "at": iso(desk.clock.now()),
            "reason": decision.reason,
            "plan_hash": planning.get("plan_hash"),
            "problems": [],
        },
    }


def _question(planning: PlanningState, desk: Desk) -> dict[str, Any]:
    approval = planning.get("approval") or {}
    steps = [_shown(step, desk) for step in planning.get("execution_plan") or ()]
    named = ", ".join(f"{step['step_id']} {step['task']}" for step in steps)
    asked = _QUESTION.say(desk.turn.language, reasons=", ".join(approval.get("reasons", ())), steps=named)
    return {
        "kind": "approval",
        "question": " ".join([*approval.get("problems", ()), asked]),
        "options": ["approve", "reject"],
        "plan_version": planning.get("plan_version"),
        "plan_hash": planning.get("plan_hash"),
        "reasons": approval.get("reasons", []),
        "steps": steps,
    }


def _shown(step: PlanStep, desk: Desk) -> dict[str, Any]:
    """A step with what it will read and write."""
    spec = desk.registry.agents[step.get("agents", [""])[0]]
    return {
        "step_id": step.get("step_id"),
        "agent": spec.name,
        "task": step.get("task"),
        "params": step.get("params"),
        "dependencies": step.get("dependencies"),
        "reads": [
            *(source.get("kind") for source in step.get("inputs", ())),
            *sorted(spec.needs & {"db", "vectors", "files"}),
        ],
        "writes": [*step.get("produces", ()), *(["outside"] if spec.side_effects else [])],
        "optional": bool(step.get("optional")),
        "side_effects": spec.side_effects,
        "risk": spec.risk,
    }
