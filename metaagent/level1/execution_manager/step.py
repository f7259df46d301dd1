"""Runs one step of a plan: its agent with retries, then its fallbacks. Ends in exactly one outcome."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.errors import GraphBubbleUp

from metaagent.access.rights import DENIED_AGENT, lacked
from metaagent.errors import NeedsInput, Text
from metaagent.global_state import PlanningState, PlanStep, StepOutcome
from metaagent.level1.dropped_question import LEFT, leaves, left_text
from metaagent.level1.execution_manager.answers import Answers
from metaagent.level1.execution_manager.attempt import BOUND, AgentRuns
from metaagent.level1.execution_manager.effect_preview import Showing
from metaagent.level1.execution_manager.outcomes import new_outcome, printable, started_by, why_lost, with_ids
from metaagent.level1.execution_manager.quality import quality_score
from metaagent.level1.execution_manager.step_gate import CLOSED_MEANWHILE, StepGate, record_verdicts
from metaagent.level1.execution_manager.todo import TodoList
from metaagent.level1.execution_manager.trouble import Trouble
from metaagent.level1.execution_manager.versions import VersionFacts, versions_of
from metaagent.level1.planning.contingency import ANY, Contingency
from metaagent.level1.planning.effects import MAY_HAVE_HAPPENED, SURE, may_have_happened, may_repeat, run_key
from metaagent.level1.planning.gate import BLOCKED, VERDICT, judged
from metaagent.level1.planning.revision import AWAITS_REVISION
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec, Result
from metaagent.ports import ArtifactRef
from metaagent.telemetry.spans import step_ends, step_span
from metaagent.values import iso

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
NOT_REPEATED = "not_repeated"
_NO_ANSWER = Text(
    en="{agent} asked again and again and got no answer that fits (limits.clarifications): {question}",
    ko="{agent}이(가) 거듭 물었지만 맞는 답을 받지 못했습니다(limits.clarifications): {question}",
)
_NO_CALLS = Text(
    en="The turn's {calls} calls were used up before {agent} could start (limits.calls).",
    ko="{agent} 작업을 시작하기 전에 이번 턴의 호출 {calls}회를 다 썼습니다(limits.calls).",
)
_AGAIN = Text(
    en="attempt {attempt} of {most} failed, trying again: {why}",
    ko="{most}번 중 {attempt}번째 시도 실패, 다시 시도합니다: {why}",
)
_STOPPED = Text(en="{why} The try before: {before}", ko="{why} 앞선 시도: {before}")
_SWITCHED_OFF = Text(
    en="{agent} was switched off before it could start.", ko="{agent} 에이전트는 시작하기 전에 꺼졌습니다."
)
_CIRCUIT_OPEN = Text(
    en="{agent} failed several times in a row and is left alone for a while.",
    ko="{agent}이(가) 연달아 실패하여 잠시 쓰지 않습니다.",
)
_NOT_AGAIN = Text(
    en="{agent} was not started: what was tried before it may have happened already, and nobody can tell. Look before you "
    "ask for it again.",
    ko="{agent}은(는) 시작하지 않았습니다. 앞선 시도가 이미 반영되었을 수 있는데 확인할 방법이 없습니다. "
    "다시 요청하기 전에 확인해 주세요.",
)
_CRASHED = Text(
    en="{agent} was running each of the {count} times that the program died in this step (a crash, a kill, or no memory), and "
    "is not started again (limits.crashes). An agent that may do this runs in a process of its own with agents.isolate.",
    ko="이 단계에서 프로그램이 {count}번 죽었고(충돌, 강제 종료 또는 메모리 부족) 그때마다 {agent}이(가) 실행 중이어서 다시 "
    "시작하지 않습니다(limits.crashes). 이런 에이전트는 agents.isolate로 별도 프로세스에서 실행하세요.",
)


class StepRunner:
    """Runs the steps of one plan in the context of their turn, and shows on the to-do list what happens to them."""

    def __init__(
        self,
        plan: PlanningState,
        request: Mapping[str, Any],
        context: TurnContext,
        todo: TodoList,
        gate: StepGate,
        earlier: Sequence[Mapping[str, Any]],
        crashes: Mapping[tuple[str, str], int],
    ) -> None:
        self._plan = plan
        self._crashes = crashes
        self._earlier = earlier
        self._gate = gate
        self._request = request
        self._context = context
        self._todo = todo
        self._showing = Showing(plan, context)
        self._runs = AgentRuns(request, context, todo, gate)
        self._contingency = Contingency.of(plan)
        self._agents = context.registry.agents
        self._journal = context.journal
        self._budget = context.budget
        self._breaker = context.breaker
        self._clock = context.clock
        self._language = context.turn.language

    async def run(self, step: PlanStep, inputs: Sequence[ArtifactRef]) -> StepOutcome:
        """Return the first good outcome among the step's agent and its fallbacks; a low-quality one beats none."""
        step_id = step.get("step_id", "")
        tried: list[StepOutcome] = []
        answers = Answers()
        fallbacks = [f for f in self._plan.get("fallback_plans") or () if f.get("for_step") == step_id]
        others = ((each.get("replace_with", ""), each.get("trigger", ANY)) for each in fallbacks)
        with step_span(self._context.telemetry, self._context.turn, step) as note:
            for name, trigger in (*((first, ANY) for first in step.get("agents", ())), *others):
                if tried:
                    lost = tried[-1]
                    trouble = self._contingency.trouble(lost)
                    if not (self._contingency.allows("fallback", lost) and trigger in {ANY, trouble}):
                        continue
                    self._todo.hand_over(step_id, name, self._lost(tried))
                same_work = [each for each in self._earlier if each["capability"] == step.get("capability")]
                before = [*same_work, *(started_by(outcome) for outcome in tried)]
                spec = self._agents.get(name)
                if spec is not None and not may_repeat(spec, before, self._agents):
                    self._not_again(step, name, tried)
                    break
                tried.append(await self._with_retries(step, name, inputs, answers))
                if self._is_final(tried[-1]):
                    break
            outcome = self._best(step, tried)
            note(step_ends(outcome))
        return outcome

    def _is_final(self, outcome: StepOutcome) -> bool:
        """Say whether no other agent is to try: it went well, or the gate or the person holds it back."""
        held_back = outcome["error_type"] in {BLOCKED, AWAITS_REVISION, LEFT}
        return held_back or self._contingency.trouble(outcome) is None

    def _best(self, step: PlanStep, tried: Sequence[StepOutcome]) -> StepOutcome:
        if not tried:
            return self._outcome(step, "", Trouble("no_agent", "no agent"), 0, iso(self._clock.now()))
        *lost, last = tried
        if self._contingency.trouble(last) is not None:
            doubtful = [each for each in tried if may_have_happened(started_by(each), self._agents)]
            done = [outcome for outcome in tried if outcome["status"] == "completed"]
            best = next(iter((*done, *doubtful)), tried[0])
        else:
            best = last
            if lost:
                best["recovered_from"] = self._lost(lost)
        best["calls"] = {each["agent"]: each["attempts"] for each in tried if each["attempts"]}
        verdicts = [each for outcome in tried for each in outcome.get("judged", ())]
        if verdicts:  # a verdict stands, though somebody else judged after it
            best["judged"] = verdicts
        return best

    def _not_again(self, step: PlanStep, name: str, tried: list[StepOutcome]) -> None:
        """Say that nobody else tries, beside why the last one failed."""
        said = _NOT_AGAIN.say(self._language, agent=name)
        if tried:
            tried[-1]["error"] = f"{tried[-1]['error']} {said}"
        else:
            tried.append(self._outcome(step, name, Trouble(NOT_REPEATED, said), 0, iso(self._clock.now())))

    def _lost(self, tried: Sequence[StepOutcome]) -> dict[str, Any]:
        """The agent that was to do it, and why another one does."""
        before = next((outcome for outcome in tried if outcome["status"] == "failed"), tried[0])
        return {
            "agent": before["agent"],
            "error": why_lost(before, self._language),
            "error_type": before["error_type"] or "low_quality",
        }

    async def _with_retries(
        self, step: PlanStep, name: str, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> StepOutcome:
        started = iso(self._clock.now())
        crashes = self._crashes.get((step.get("step_id", ""), name), 0)
        if crashes >= self._context.settings.limits.crashes:
            return self._outcome(step, name, self._crashed(step, name, crashes), crashes, started)
        attempts, why = 0, ""
        while True:
            result = self._obstacle(step, name, why)
            if result is None:
                spec = self._agents[name]
                result = await self._gate.why_closed(step, spec, inputs, answers)
                result = result or await self._showing.refused(step, spec, inputs, answers)
            if result is None:
                attempts += 1
                self._budget.spend(name)
                result = await self._started(step, self._agents[name], inputs, answers)
                while isinstance(result, NeedsInput):
                    result = await self._answered(step, name, result, inputs, answers)
                kind = result.kind if isinstance(result, Trouble) else None
                self._breaker.record(name, kind, self._clock.now())
            if isinstance(result, Result):
                done = self._outcome(step, name, None, attempts, started)
                return self._with_result(done, self._agents[name], result, inputs)
            if result.kind == CLOSED_MEANWHILE:
                continue
            if result.kind != "try_again" or attempts > step.get("retry_count", 0):
                return self._outcome(step, name, result, attempts, started)
            why = printable(result.message)
            again = {"attempt": attempts, "most": step.get("retry_count", 0) + 1, "why": why}
            self._todo.again(step.get("step_id", ""), attempts, _AGAIN.say(self._language, **again))
            pause = pause_before_retry(attempts, result.after)
            await asyncio.sleep(min(pause, max(self._budget.seconds_left, 0)))

    async def _answered(
        self, step: PlanStep, name: str, question: NeedsInput, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Result | Trouble | NeedsInput:
        """Leave the step until the person has answered; then the agent runs again with the answer."""
        if answers.times(name, question.field) > self._context.settings.limits.clarifications:
            # A field that was asked for again and again: no answer fitted.
            said = _NO_ANSWER.say(self._language, agent=name, question=printable(question.question))
            return Trouble(f"{BOUND}clarifications", said)
        await self._ask(step, self._agents[name], question, answers)
        if leaves(answers.to(name)[-1]) and answers.to(name)[-1] not in question.options:
            return Trouble(LEFT, left_text(self._request, self._language))
        return await self._started(step, self._agents[name], inputs, answers)

    def _crashed(self, step: PlanStep, name: str, count: int) -> Trouble:
        said = _CRASHED.say(self._language, agent=name, count=count)
        spec = self._agents.get(name)
        if spec is not None and spec.side_effects:
            what = f"{step.get('task', '')} ({name})"
            said = f"{said} {MAY_HAVE_HAPPENED.say(self._language, what=what)}"
        return Trouble("crashed", said)

    def _obstacle(self, step: PlanStep, name: str, before: str) -> Trouble | None:
        """Say why the agent may not start now, with why the try before failed. The breaker comes last: what it lets
        through is to be tried."""
        found = self._barred(step, name) or self._refused(step, self._agents[name])
        if found is None and not self._breaker.allows(name, self._clock.now()):
            found = Trouble("circuit_open", _CIRCUIT_OPEN.say(self._language, agent=name))
        if found is None or not before:
            return found
        return replace(found, message=_STOPPED.say(self._language, why=found.message, before=before))

    def _barred(self, step: PlanStep, name: str) -> Trouble | None:
        capability = step.get("capability", "")
        if name not in self._agents or self._context.registry.is_disabled(name, capability):
            return Trouble("switched_off", _SWITCHED_OFF.say(self._language, agent=name))
        if self._budget.seconds_left <= 0:
            return self._runs.no_time(name)
        if self._budget.calls_left <= 0:
            text = _NO_CALLS.say(self._language, agent=name, calls=self._budget.calls)
            return Trouble(f"{BOUND}calls", text)
        return None

    def _refused(self, step: PlanStep, spec: AgentSpec) -> Trouble | None:
        """Refuse the agent to a person who lacks a right for it. A fallback chosen for its artifact kind may lack the
        step's capability: the rights to that are not asked for."""
        capability, user = step.get("capability", ""), self._context.turn.user
        able = any(known.name == capability for known in spec.capabilities)
        lacking = self._context.rights.lacks(spec, capability if able else None)
        if lacking is None:
            return None
        version, step_id = self._plan.get("plan_version"), step.get("step_id", "")
        self._context.refuse(f"step:{version}:{step_id}:{spec.name}", lacking)
        why = {"agent": spec.name, "what": lacked(lacking), "roles": ", ".join(user.roles).replace("_", " ")}
        return Trouble("access_denied", DENIED_AGENT.say(self._language, **why))

    async def _ask(self, step: PlanStep, spec: AgentSpec, question: NeedsInput, answers: Answers) -> None:
        self._breaker.undecided(spec.name, self._clock.now())
        asked = {
            "kind": "input",
            "step_id": step.get("step_id", ""),
            "agent": spec.name,
            "question": printable(question.question),
            "options": [printable(option) for option in question.options],
            **({"field": printable(question.field)} if question.field else {}),
        }
        stand_in = "" if spec.name in step.get("agents", ()) else f"{spec.name}:"
        key = f"{asked['step_id']}:{stand_in}{len(answers.to(spec.name))}"
        self._journal.emit("clarification_needed", key, **asked)
        await self._journal.flush()
        answers.wait_for(spec.name, asked)

    def _started(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Awaitable[Result | Trouble | NeedsInput]:
        acts = spec.side_effects and "effects" not in spec.needs
        return (self._recorded if acts else self._runs.once)(step, spec, inputs, answers)

    async def _recorded(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Result | Trouble | NeedsInput:
        """Run an agent that changes something outside without keys of its own. It is on record before it starts: if the
        service dies meanwhile, nobody can tell what it did, and it is not started again."""
        await self._context.starts.begin(step.get("step_id", ""), spec.name)
        effects, key = self._context.effects, run_key(self._context.turn, step, spec, inputs)
        if (await effects.begin(key)).status != "new":
            return Trouble(NOT_REPEATED, _NOT_AGAIN.say(self._language, agent=spec.name))
        try:
            result = await self._runs.once(step, spec, inputs, answers)
        except GraphBubbleUp:
            await effects.withdraw(key)
            raise
        if isinstance(result, Result):
            await effects.done(key, {})
        elif isinstance(result, NeedsInput) or result.kind in {*SURE, CLOSED_MEANWHILE}:
            await effects.withdraw(key)
        return result

    def _with_result(
        self, outcome: StepOutcome, spec: AgentSpec, result: Result, inputs: Sequence[ArtifactRef]
    ) -> StepOutcome:
        made = [
            self._journal.put(
                replace(artifact, summary=artifact.summary or result.summary),
                made_by=f"{self._journal.turn.turn_id}/{outcome['step_id']}/{spec.name}",
                made_from=[ref.id for ref in inputs],
            )
            for artifact in result.artifacts
        ]
        for made_as in versions_of(made, result.artifacts, inputs, self._version_facts(outcome)):
            self._journal.put_version(made_as)
        verdicts = [
            judged(ref, artifact.data).as_json()
            for ref, artifact in zip(made, result.artifacts, strict=True)
            if ref.kind == VERDICT
        ]
        if verdicts:
            outcome["judged"] = verdicts
            record_verdicts(self._journal, outcome["step_id"], spec.name, made, result.artifacts)
        return {
            **outcome,
            "summary": result.summary,
            "confidence": min(1.0, max(0.0, float(result.confidence))),
            "quality": quality_score(spec, result, (), had_inputs=bool(inputs)),
            "artifacts": [ref.as_json() for ref in made],
            "sources": [dict(source) for source in result.sources],
            "citations": [dict(each) for each in result.citations],
            "state": with_ids(dict(result.state), made),
        }

    def _version_facts(self, outcome: StepOutcome) -> VersionFacts:
        turn = self._journal.turn
        return VersionFacts(
            f"{turn.turn_id}/{outcome['step_id']}", turn.question, self._plan.get("plan_version", 1)
        )

    def _outcome(
        self, step: PlanStep, agent: str, trouble: Trouble | None, attempts: int, started: str
    ) -> StepOutcome:
        outcome = new_outcome(step, agent, trouble, started=started, ended=iso(self._clock.now()))
        queries = self._budget.queries.get(step.get("step_id", ""), 0)
        return {**outcome, "attempts": attempts, "db_queries": queries}


def pause_before_retry(attempt: int, asked: float | None) -> float:
    """Choose the pause that the agent asked for, else an exponential one of which a random part, at most half, is left out."""
    if asked is not None:
        return min(max(asked, 0.0), LONGEST_PAUSE)
    return random.uniform(0.5, 1.0) * min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)  # noqa: S311 - not a secret
