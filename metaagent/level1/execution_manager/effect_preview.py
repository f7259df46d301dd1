"""Shows what a step would send, store or release, right before it does: whoever approved the plan may want to see it first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import orjson

from metaagent.errors import Text
from metaagent.global_state import PlanningState, PlanStep
from metaagent.level1.execution_manager.answers import SHOWN, Answers
from metaagent.level1.execution_manager.trouble import Trouble
from metaagent.level1.planning.decisions import Decision, decision_of
from metaagent.level1.planning.gate import BLOCKED
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef

_QUESTION = Text(
    en="'{what}' is about to act on this: {titles}. Shall it?",
    ko="'{what}' 작업을 다음 내용으로 실행하려고 합니다: {titles}. 실행할까요?",
)
_PLAIN = Text(
    en="Say approve or reject: the rest of the plan is done.",
    ko="승인 또는 거절로 답해 주세요. 앞선 단계는 이미 끝났습니다.",
)
_REFUSED = Text(
    en="'{what}' was not carried out: {by} looked at it and said no{reason}.",
    ko="'{what}' 작업을 실행하지 않았습니다. {by} 님이 내용을 보고 거절했습니다{reason}.",
)


class Showing:
    """Waits before the steps of one plan that are to be shown first."""

    def __init__(self, plan: PlanningState, context: TurnContext) -> None:
        self._plan = plan
        self._context = context
        self._language = context.turn.language

    async def refused(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Trouble | None:
        """The reason why the agent may not start; None if it may. Raises GraphInterrupt until somebody has decided."""
        if not step.get("shown_first"):
            return None
        problems: list[str] = []
        while True:
            heard = answers.to(SHOWN)
            said = decision_of(heard[-1]) if heard else None
            if said is not None and said.verdict != "unclear" and not said.edits:
                return self._decided(step, spec, inputs, said)
            if said is not None:
                problems = [_PLAIN.say(self._language)]
            question = self._question(step, spec, inputs, problems)
            journal = self._context.journal
            journal.emit("approval_needed", f"{question['plan_hash'][:16]}:{len(heard)}", **question)
            await journal.flush()
            answers.wait_for(SHOWN, question)

    def _question(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], problems: Sequence[str]
    ) -> dict[str, Any]:
        titles = ", ".join(
            dict.fromkeys(ref.summary.partition("\n")[0].rstrip(".") or ref.kind for ref in inputs)
        )
        asked = _QUESTION.say(self._language, what=self._title(spec), titles=titles)
        shown = {
            "step_id": step.get("step_id", ""),
            "agent": spec.name,
            "task": step.get("task", ""),
            "params": step.get("params"),
            "inputs": [{"kind": ref.kind, "artifact_id": ref.id, "title": ref.summary} for ref in inputs],
            "side_effects": spec.side_effects,
            "risk": spec.risk,
        }
        # Another one than the plan's: who approved the plan has not approved this.
        named = [self._plan.get("plan_hash"), step.get("step_id"), sorted(ref.hash for ref in inputs)]
        return {
            "kind": "approval",
            "step_id": shown["step_id"],
            "question": " ".join([*problems, asked]),
            "options": ["approve", "reject"],
            "plan_version": self._plan.get("plan_version"),
            "plan_hash": hashlib.sha256(orjson.dumps(named)).hexdigest(),
            "reasons": ["shown_first"],
            "problems": list(problems),
            "steps": [shown],
        }

    def _decided(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], said: Decision
    ) -> Trouble | None:
        context, step_id = self._context, step.get("step_id", "")
        context.journal.audit(
            f"effect.{said.verdict}",
            f"{self._plan.get('plan_version')}:{step_id}:{spec.name}",
            agent=spec.name,
            outcome=said.verdict,
            data={"step": step_id, "inputs": [context.journal.keyed(ref.hash) for ref in inputs]},
            person=said.by,
            pii={"by": said.by, "reason": context.redactor.redact_text(said.reason)},
        )
        if said.verdict == "approved":
            return None
        why = f" ({said.reason})" if said.reason else ""
        return Trouble(
            BLOCKED, _REFUSED.say(self._language, what=self._title(spec), by=said.by or "?", reason=why)
        )

    def _title(self, spec: AgentSpec) -> str:
        return spec.description.say(self._language)
