"""Holds back the steps of a plan that may only start behind a verdict, and waits for who can open a closed gate."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metaagent.errors import Text
from metaagent.global_state import GlobalSessionState, PlanStep, StepOutcome
from metaagent.journal import Journal
from metaagent.level1.execution_manager.answers import GATE, Answers
from metaagent.level1.execution_manager.trouble import Trouble
from metaagent.level1.planning.decisions import decision_of
from metaagent.level1.planning.gate import BLOCKED, VERDICT, Closed, Judged, Open, closed_by, gate, judged
from metaagent.level1.planning.revision import AWAITS_REVISION, can_be_mended
from metaagent.level1.planning.turn_plan import judged_now, policy_of, usable_agents
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec, Artifact, Result
from metaagent.ports import ArtifactRef
from metaagent.values import content, mapping, rows, text

logger = logging.getLogger(__name__)

_VIOLATED = Text(
    en="'{what}' was held back by a check: {messages}. Somebody else in the role {role} can let it through, with a reason.",
    ko="'{what}' 작업이 규정 확인에서 막혔습니다: {messages}. 질문한 사람이 아닌 {role} 역할의 담당자가 이유를 적어 통과시킬 수 "
    "있습니다.",
)
_NOT_JUDGED = Text(
    en="'{what}' was held back: nobody judged what it was to be given, because the check did not succeed or was left out. "
    "Only a check that succeeds opens it: ask again.",
    ko="'{what}' 작업을 시작하지 않았습니다. 규정 확인이 끝나지 않았거나 빠져서 대상이 판정되지 않았습니다. 확인이 성공해야 "
    "열립니다. 다시 요청해 주세요.",
)
_LET_THROUGH = Text(
    en="“{what}” was held back by a check, and {by} let it through: {reason}",
    ko="규정 확인에서 막힌 ‘{what}’ 단계를 {by} 님이 통과시켰습니다: {reason}",
)
_STAYS_CLOSED = Text(
    en="'{what}' was held back by a check: {messages}. {by} did not let it through ({reason}).",
    ko="'{what}' 작업이 규정 확인에서 막혔습니다: {messages}. {by} 님이 통과시키지 않았습니다({reason}).",
)
_MENDED_FIRST = Text(
    en="'{what}' waits: what it was to be given is corrected as the check requires, and judged again.",
    ko="'{what}' 작업이 기다립니다. 규정 확인에서 요구한 대로 고친 뒤 다시 판정합니다.",
)
_CAME_LATE = Text(
    en="The check by {agent} came after its time and finds against it: {messages}. What it judged stays closed until somebody in "
    "the role {role} lets it through.",
    ko="{agent}의 규정 확인이 시간이 지난 뒤에 도착했고 문제를 찾았습니다: {messages}. {role} 역할의 담당자가 통과시킬 때까지 "
    "그 대상은 막아 둡니다.",
)
_CAME_TOO_LATE = Text(
    en="The check by {agent} came after what it judged had been acted on, and finds against it: {messages}. Look at what was done; "
    "`metaagent stored undo` takes back what was stored.",
    ko="{agent}의 규정 확인이 작업을 실행한 뒤에 도착했고 문제를 찾았습니다: {messages}. 실행된 내용을 살펴보세요. 저장한 것은 "
    "`metaagent stored undo`로 되돌릴 수 있습니다.",
)
_NO_RULE = Text(en="an unnamed rule", ko="이름 없는 규칙")


RULES_IN_ENTRY = 100
_keeping: dict[asyncio.Future[None], StepGate] = {}
CLOSED_MEANWHILE = "closed_meanwhile"
"""The kind of trouble of a step whose gate was closed by a late verdict right before it started: the gate is asked again."""


def record_verdicts(
    journal: Journal,
    step_id: str,
    agent: str,
    made: Sequence[ArtifactRef],
    artifacts: Sequence[Artifact],
    **more: Any,
) -> None:
    """Put each verdict on record, rule by rule: names sealed with their keyed hashes in clear, evidence by keyed hash
    alone."""
    for ref, artifact in zip(made, artifacts, strict=True):
        if ref.kind != VERDICT:
            continue
        said, about = mapping(artifact.data), judged(ref, artifact.data)
        rules = [_rule_line(finding, journal) for finding in rows(said.get("findings"))]
        for start in range(0, len(rules) or 1, RULES_IN_ENTRY):
            journal.audit(
                "rules.judged",
                f"{step_id}:{ref.id}:{start}",
                agent=agent,
                outcome="blocked" if about.blocks else "open",
                data={
                    "step": step_id,
                    "verdict": journal.keyed(ref.hash),
                    "inputs": [journal.keyed(target) for target in sorted(about.targets)],
                    "findings": len(rules),
                    **more,
                },
                private={"rules": rules[start : start + RULES_IN_ENTRY]},
            )


def _rule_line(finding: Mapping[str, Any], journal: Journal) -> str:
    """`pack version pack_hash rule outcome severity evidence-hash`, so that a reviewer can search for the whole of it."""
    names = ("pack", "pack_version", "pack_hash", "rule", "status", "severity")
    evidence = journal.keyed(
        hashlib.sha256(content(finding.get("evidence")).encode("utf-8", "replace")).hexdigest()
    )
    return " ".join([*(text(finding.get(name)) or "-" for name in names), evidence])


def _before(found: Sequence[tuple[ArtifactRef, Any]], turn_id: str) -> Iterator[Judged]:
    """The verdicts of earlier turns, and those of this one that block: a late one is in no outcome of a step."""
    for ref, said in found:
        earlier = not ref.made_by.startswith(f"{turn_id}/")
        about = judged(ref, said, earlier=earlier)
        if earlier or about.blocks:
            yield about


def _kept(keeping: asyncio.Future[None]) -> None:
    _keeping.pop(keeping, None)
    if not keeping.cancelled() and (error := keeping.exception()) is not None:
        logger.error("a late verdict could not be written: %s", type(error).__name__)


class StepGate:
    def __init__(
        self,
        state: GlobalSessionState,
        context: TurnContext,
        version: int,
        earlier: Sequence[tuple[ArtifactRef, Any]] = (),
    ) -> None:
        self._policy = policy_of(state, context)
        self._known = [*_before(earlier, context.turn.turn_id), *judged_now(state)]
        self._context = context
        self._version = version
        manager = state.get("execution_manager_state") or {}
        self._may_revise = manager.get("replan_attempts", 0) < context.settings.limits.replans
        self._usable = usable_agents(context)

    def learn(self, outcome: StepOutcome) -> None:
        self._known += [Judged.from_json(each) for each in outcome.get("judged", ())]

    def learn_late(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], result: Result
    ) -> None:
        """Keep the verdicts of a check whose time is over, where they block, and put them on record: they close the gate before
        an effect, in this turn and in later ones, and are told where the effect has begun."""
        context, step_id = self._context, step.get("step_id", "")
        for artifact in result.artifacts:
            if artifact.kind != VERDICT:
                continue
            made_by = f"{context.turn.turn_id}/{step_id}/{spec.name}"
            ref = ArtifactRef("", VERDICT, summary="", size=0, hash="", made_by=made_by)
            if not judged(ref, artifact.data).blocks:
                continue
            ref = context.journal.put(artifact, made_by=made_by, made_from=[one.id for one in inputs])
            said = judged(ref, artifact.data)
            acted = bool(said.targets & context.late.acted_on)
            timing = {"late": True, "after_effect": acted}
            record_verdicts(context.journal, step_id, spec.name, [ref], [artifact], **timing)
            context.late.judged.append(said.as_json())
            self._warn_late(spec, said, acted=acted)
        self._keep_soon()

    def _keep_soon(self) -> None:
        """Write at once what a run left behind has told: nobody may be there any more who would wait for it. This gate, and what
        it knows, live until it is written."""
        keeping = asyncio.ensure_future(self._context.journal.flush())
        _keeping[keeping] = self
        keeping.add_done_callback(_kept)

    def _warn_late(self, spec: AgentSpec, said: Judged, *, acted: bool) -> None:
        closed, context = closed_by([said], ()), self._context
        told = (_CAME_TOO_LATE if acted else _CAME_LATE).say(
            context.turn.language, agent=spec.name, messages=self._messages(closed), role=closed.opened_by
        )
        logger.warning("a verdict of %s that blocks came late (after an effect: %s)", spec.name, acted)
        context.warned.append(context.warning("late_verdict", told, f"late_verdict-{said.verdict[:16]}"))

    def lets_start(self, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers) -> bool:
        """Take the last look before an agent starts: a late verdict may have come since the gate was asked."""
        if not spec.side_effects:
            return True
        closed = self._gate(spec, inputs)
        if isinstance(closed, Closed) and self._decision(closed, answers) is None:
            return False
        self._context.late.acted_on.update(ref.hash for ref in inputs)
        return True

    def did_nothing(self, inputs: Sequence[ArtifactRef]) -> None:
        """Take back that an agent acted: it asks something first."""
        self._context.late.acted_on.difference_update(ref.hash for ref in inputs)

    def _gate(self, spec: AgentSpec, inputs: Sequence[ArtifactRef]) -> Open | Closed:
        return gate(
            spec, inputs, [*self._known, *map(Judged.from_json, self._context.late.judged)], self._policy
        )

    def _decision(self, closed: Closed, answers: Answers) -> Mapping[str, Any] | None:
        """The decision on this gate: for these verdicts and inputs, and for no others."""
        given = [mapping(each) for each in answers.to(GATE)]
        said = next((each for each in given if mapping(each.get("for")) == closed.binding), None)
        return said if closed.opened_by else None

    def needs_verdict(self, step: PlanStep, spec: AgentSpec | None) -> bool:
        kinds = [source.get("kind", "") for source in step.get("inputs", ())]
        return spec is not None and self._policy.gates(spec, kinds)

    def say_not_judged(self, step: PlanStep, spec: AgentSpec) -> str:
        """Put on record that a step stays closed because its check came to nothing; the reason in words."""
        closed = Closed("not_judged")
        self._tell(step, spec, closed)
        return self._words(spec, closed)

    async def why_closed(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Trouble | None:
        """The reason why the agent may not start; None if it may. What a program can mend is mended first. Raises
        GraphInterrupt until somebody who can open the gate has decided: for these verdicts and inputs, and for no others."""
        while True:
            closed = self._gate(spec, inputs)
            if isinstance(closed, Open):
                return None
            if (said := self._decision(closed, answers)) is not None:
                kept = self._decided(step, spec, closed, said)
                return None if kept is None else Trouble(BLOCKED, kept)
            if self._may_revise and any(
                can_be_mended(ref, self._known, self._usable, self._context.turn.turn_id) for ref in inputs
            ):
                words = _MENDED_FIRST.say(self._context.turn.language, what=self._title(spec))
                return Trouble(AWAITS_REVISION, words)
            question = self._tell(step, spec, closed)
            if not closed.opened_by:
                return Trouble(BLOCKED, self._words(spec, closed))
            await self._context.journal.flush()
            answers.wait_for(GATE, question)

    def _decided(
        self, step: PlanStep, spec: AgentSpec, closed: Closed, said: Mapping[str, Any]
    ) -> str | None:
        context = self._context
        decision = decision_of({key: value for key, value in said.items() if key != "for"})
        context.journal.audit(
            f"gate.{'overridden' if decision.verdict == 'approved' else 'kept_closed'}",
            self._key(step, spec, closed),
            agent=spec.name,
            outcome=decision.verdict,
            data={"step": step.get("step_id", ""), **self._hashed(closed)},
            person=decision.by,
            pii={"by": decision.by, "reason": context.redactor.redact_text(decision.reason)},
        )
        told = {"what": self._title(spec), "by": decision.by, "reason": decision.reason}
        if decision.verdict == "approved":
            passed = _LET_THROUGH.say(context.turn.language, **told)
            key = f"let_through-{self._key(step, spec, closed)}"
            context.warned.append(context.warning("let_through", passed, key))
            return None
        return _STAYS_CLOSED.say(context.turn.language, messages=self._messages(closed), **told)

    def _tell(self, step: PlanStep, spec: AgentSpec, closed: Closed) -> dict[str, Any]:
        """Announce a closed gate and put it on record; the question that it waits with."""
        key = self._key(step, spec, closed)
        question: dict[str, Any] = {
            "kind": "override",
            "step_id": step.get("step_id", ""),
            "agent": spec.name,
            "reason": closed.reason,
            "question": self._words(spec, closed),
            "options": ["approve", "reject"] if closed.opened_by else [],
            "rules": list(closed.rules),
            "findings": list(closed.findings),
            "opened_by": closed.opened_by,
            **closed.binding,
        }
        self._context.journal.emit("gate_closed", key, **question)
        self._context.journal.audit(
            "gate.closed",
            key,
            agent=spec.name,
            outcome=closed.reason,
            data={"step": question["step_id"], **self._hashed(closed)},
            private={"rules": list(closed.rules)},
        )
        return question

    def _key(self, step: PlanStep, spec: AgentSpec, closed: Closed) -> str:
        verdicts = "+".join(each[:16] for each in closed.verdicts)
        return f"{self._version}:{step.get('step_id', '')}:{spec.name}:{verdicts}"

    def _hashed(self, closed: Closed) -> dict[str, Any]:
        keyed = self._context.journal.keyed
        return {name: [keyed(each) for each in hashes] for name, hashes in closed.binding.items()}

    def _words(self, spec: AgentSpec, closed: Closed) -> str:
        language = self._context.turn.language
        if closed.reason == "not_judged":
            return _NOT_JUDGED.say(language, what=self._title(spec))
        return _VIOLATED.say(
            language,
            what=self._title(spec),
            messages=self._messages(closed),
            role=closed.opened_by,
        )

    def _title(self, spec: AgentSpec) -> str:
        return spec.description.say(self._context.turn.language)

    def _messages(self, closed: Closed) -> str:
        """The first findings in words; where they have none, the rules."""
        said = [text(each.get("message")).rstrip(". ") for each in closed.findings[:3]]
        rules = ", ".join(closed.rules) or _NO_RULE.say(self._context.turn.language)
        return "; ".join(filter(None, said)) or rules
