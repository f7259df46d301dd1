"""Runs one step of a plan: its agent with retries, then its fallbacks. Ends in exactly one outcome."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import pydantic
from langgraph.errors import GraphBubbleUp

from metaagent.errors import Failed, MetaAgentError, NeedsInput, Text, TryAgain
from metaagent.global_state import FallbackPlan, PlanStep, SharedState
from metaagent.journal import Journal
from metaagent.level1.breaker import CircuitBreaker
from metaagent.level1.budget import Budget
from metaagent.level1.execution_manager.answers import Answers
from metaagent.level1.execution_manager.quality import (
    adapter_of,
    form_problems,
    plain_problems,
    quality_score,
    type_problems,
)
from metaagent.level1.planning.contingency import ANY, Contingency
from metaagent.plugin import AgentSpec, Context, Result, Task
from metaagent.ports import ArtifactRef, Clock, GrantedPorts
from metaagent.protection.redaction import redact_exception
from metaagent.values import copied, iso, seconds_between

logger = logging.getLogger(__name__)
Outcome = dict[str, Any]

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0
BOUND = "bound:"
"""Begins the kind of a trouble that is a bound of the turn; the setting's name under `limits` follows."""

_TIMEOUT = Text(
    en="{agent} did not finish within {seconds:g} seconds.",
    ko="{agent} 작업이 {seconds:g}초 안에 끝나지 않았습니다.",
)
_BUG = Text(
    en="{agent} broke: {problem}. This is a defect of the agent; its log has the traceback.",
    ko="{agent}에서 오류가 났습니다: {problem}. 에이전트의 결함이며 자세한 내용은 로그에 있습니다.",
)
_BAD_OUTPUT = Text(
    en="{agent} returned something that does not fit its declaration: {problem}.",
    ko="{agent}의 결과가 선언과 맞지 않습니다: {problem}.",
)
_NO_TIME = Text(
    en="The turn's time of {seconds:g} seconds was used up before {agent} had finished (limits.turn_seconds).",
    ko="{agent} 작업이 끝나기 전에 이번 턴의 시간 {seconds:g}초를 다 썼습니다(limits.turn_seconds).",
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
_LOW_QUALITY = Text(
    en="its result was not good enough ({quality:g} of 1)", ko="결과의 품질이 낮음(1점 만점에 {quality:g})"
)
_SWITCHED_OFF = Text(
    en="{agent} was switched off before it could start.", ko="{agent} 에이전트는 시작하기 전에 꺼졌습니다."
)
_CIRCUIT_OPEN = Text(
    en="{agent} failed several times in a row and is left alone for a while.",
    ko="{agent}이(가) 연달아 실패하여 잠시 쓰지 않습니다.",
)
_BAD_PARAMS = Text(
    en="The plan's parameters do not fit {agent}: {problem}.",
    ko="계획의 매개변수가 {agent}에 맞지 않습니다: {problem}.",
)


@dataclass(frozen=True)
class Trouble:
    """Why an attempt did not succeed."""

    kind: str
    message: str
    after: float | None = None


@dataclass(frozen=True)
class StepRunner:
    agents: Mapping[str, AgentSpec]
    is_disabled: Callable[[str, str], bool]
    fallbacks: Mapping[str, Sequence[FallbackPlan]]
    contingency: Contingency
    on_fallback: Callable[[str, str, Mapping[str, Any]], None]
    on_retry: Callable[[str, int, str], None]
    ports_for: Callable[[AgentSpec, str, Sequence[ArtifactRef]], GrantedPorts]
    shared: SharedState
    request: Mapping[str, Any]
    journal: Journal
    clock: Clock
    budget: Budget
    breaker: CircuitBreaker
    language: str
    refusal: Callable[[AgentSpec, str, str], str | None] = lambda _spec, _capability, _step: None
    """Why this person may not have the agent run for the capability, asked before each start; None if they may."""

    async def run(self, step: PlanStep, inputs: Sequence[ArtifactRef]) -> Outcome:
        """The first good outcome among the step's agent and its fallbacks; a low-quality one beats none."""
        step_id = step.get("step_id", "")
        tried: list[Outcome] = []
        answers = Answers()
        others = (
            (each.get("replace_with", ""), each.get("trigger", ANY))
            for each in self.fallbacks.get(step_id, ())
        )
        for name, trigger in (*((first, ANY) for first in step.get("agents", ())), *others):
            if tried:
                if not self._takes_over(trigger, tried[-1]):
                    continue
                self.on_fallback(step_id, name, self._lost(tried))
            outcome = await self._with_retries(step, name, inputs, answers)
            if self.contingency.trouble(outcome) is None:
                recovered = {"recovered_from": self._lost(tried)} if tried else {}
                return {**outcome, **recovered, "calls": _calls([*tried, outcome])}
            tried.append(outcome)
        if not tried:
            return self._outcome(step, "", Trouble("no_agent", "no agent"), 0, iso(self.clock.now()))
        best = next((outcome for outcome in tried if outcome["status"] == "completed"), tried[0])
        return {**best, "calls": _calls(tried)}

    def _takes_over(self, trigger: str, lost: Outcome) -> bool:
        trouble = self.contingency.trouble(lost)
        return self.contingency.allows("fallback", lost) and trigger in {ANY, trouble}

    def _lost(self, tried: Sequence[Outcome]) -> dict[str, Any]:
        """Who was to do it, and why somebody else does."""
        before = next((outcome for outcome in tried if outcome["status"] == "failed"), tried[0])
        return {
            "agent": before["agent"],
            "error": why_lost(before, self.language),
            "error_type": before["error_type"] or "low_quality",
        }

    async def _with_retries(
        self, step: PlanStep, name: str, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Outcome:
        started = iso(self.clock.now())
        attempts, why = 0, ""
        while True:
            trouble = self._obstacle(step, name, why)
            result = None
            if trouble is None:
                attempts += 1
                self.budget.spend(name)
                result = await self._attempt(step, self.agents[name], inputs, answers)
                trouble = result if isinstance(result, Trouble) else None
                self.breaker.record(name, trouble.kind if trouble else None, self.clock.now())
            if isinstance(result, Result):
                return self._completed(step, self.agents[name], result, inputs, attempts, started)
            assert trouble is not None
            if trouble.kind != "try_again" or attempts > step.get("retry_count", 0):
                return self._outcome(step, name, trouble, attempts, started)
            why = printable(trouble.message)
            self.on_retry(step.get("step_id", ""), attempts, self._again(step, why, attempts))
            await asyncio.sleep(
                min(pause_before_retry(attempts, trouble.after), max(self.budget.seconds_left, 0))
            )

    def _again(self, step: PlanStep, why: str, attempts: int) -> str:
        most = step.get("retry_count", 0) + 1
        return _AGAIN.say(self.language, attempt=attempts, most=most, why=why)

    def _obstacle(self, step: PlanStep, name: str, before: str) -> Trouble | None:
        """Why the agent may not start now, with why the try before failed. The breaker comes last: what it lets through
        is to be tried."""
        found = self._barred(step, name) or self._refused(step, name) or self._circuit_open(name)
        if found is None or not before:
            return found
        return replace(found, message=_STOPPED.say(self.language, why=found.message, before=before))

    def _circuit_open(self, name: str) -> Trouble | None:
        if self.breaker.allows(name, self.clock.now()):
            return None
        return Trouble("circuit_open", _CIRCUIT_OPEN.say(self.language, agent=name))

    def _barred(self, step: PlanStep, name: str) -> Trouble | None:
        if name not in self.agents or self.is_disabled(name, step.get("capability", "")):
            return Trouble("switched_off", _SWITCHED_OFF.say(self.language, agent=name))
        if self.budget.seconds_left <= 0:
            return self._no_time(name)
        if self.budget.calls_left <= 0:
            text = _NO_CALLS.say(self.language, agent=name, calls=self.budget.calls)
            return Trouble(f"{BOUND}calls", text)
        return None

    def _refused(self, step: PlanStep, name: str) -> Trouble | None:
        why = self.refusal(self.agents[name], step.get("capability", ""), step.get("step_id", ""))
        return Trouble("access_denied", why) if why else None

    def _no_time(self, name: str) -> Trouble:
        text = _NO_TIME.say(self.language, agent=name, seconds=self.budget.seconds)
        return Trouble(f"{BOUND}turn_seconds", text)

    async def _attempt(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Result | Trouble:
        while True:
            heard = answers.to(spec.name)
            try:
                return await self._once(step, spec, inputs, heard)
            except NeedsInput as question:
                self.breaker.undecided(spec.name, self.clock.now())
                asked = self._question(step, spec, question)
                stand_in = "" if spec.name in step.get("agents", ()) else f"{spec.name}:"
                key = f"{asked['step_id']}:{stand_in}{len(heard)}"
                self.journal.emit("clarification_needed", key, **asked)
                await self.journal.flush()
                # Leaves the step until the person has answered; then the agent runs again with the answer.
                answers.wait_for(spec.name, asked)

    async def _once(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: tuple[Any, ...]
    ) -> Result | Trouble:
        seconds = min(step.get("timeout", spec.timeout), self.budget.seconds_left)
        limit = asyncio.timeout(seconds)
        context: Context | None = None
        try:
            given = self._task(step, spec, inputs, answers)
            context = self._context(spec, step, inputs)
            async with limit:
                result = await spec.run(given, context)
            return self._late(spec, seconds) if limit.expired() else self._checked(spec, result)
        except TimeoutError:
            if limit.expired():
                return self._late(spec, seconds)
            return Trouble("try_again", _BUG.say(self.language, agent=spec.name, problem="TimeoutError"))
        except (GraphBubbleUp, NeedsInput):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - an agent may raise anything; all of it ends its step alone
            return self._trouble(step, spec, error)
        except asyncio.CancelledError as error:
            if (current := asyncio.current_task()) is None or current.cancelling():
                raise
            return self._defect(step, spec, error)
        finally:
            if context is not None:
                self.budget.queried(context.step_id, getattr(context.ports.get("db"), "queries", 0))

    def _late(self, spec: AgentSpec, seconds: float) -> Trouble:
        if self.budget.seconds_left <= 0:
            return self._no_time(spec.name)
        return Trouble("timeout", _TIMEOUT.say(self.language, agent=spec.name, seconds=seconds))

    def _trouble(self, step: PlanStep, spec: AgentSpec, error: BaseException) -> Trouble:
        match error:
            case TryAgain():
                return Trouble("try_again", str(error), error.after)
            case Failed():
                return Trouble("failed", str(error))
            case MetaAgentError():
                return Trouble(error.code, error.say(self.language))
            case pydantic.ValidationError():
                text = _BAD_PARAMS.say(self.language, agent=spec.name, problem=_first(error))
                return Trouble("bad_params", text)
            case _:
                return self._defect(step, spec, error)

    def _defect(self, step: PlanStep, spec: AgentSpec, error: BaseException) -> Trouble:
        trace = redact_exception(error)
        logger.error("agent %s broke in step %s\n%s", spec.name, step.get("step_id"), trace)
        problem = f"{type(error).__name__}: {error}"
        return Trouble("defect", _BUG.say(self.language, agent=spec.name, problem=problem))

    def _checked(self, spec: AgentSpec, result: object) -> Result | Trouble:
        if not isinstance(result, Result):
            problem = f"{type(result).__name__} instead of Result"
            return Trouble("bad_output", _BAD_OUTPUT.say(self.language, agent=spec.name, problem=problem))
        problems = form_problems(result) or [*type_problems(spec, result), *plain_problems(result)]
        if problems:
            return Trouble("bad_output", _BAD_OUTPUT.say(self.language, agent=spec.name, problem=problems[0]))
        return result

    def _task(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: tuple[Any, ...]
    ) -> Task:
        params: Any = step.get("params") or {}
        return Task(
            description=step.get("task", ""),
            request=copied(dict(self.request)),  # an agent may do to it what it likes
            params=adapter_of(spec.params).validate_python(params) if spec.params else params,
            inputs=tuple(inputs),
            answers=answers,
        )

    def _context(self, spec: AgentSpec, step: PlanStep, inputs: Sequence[ArtifactRef]) -> Context:
        step_id = step.get("step_id", "")
        return Context(
            spec.name, self.shared.copy(), step_id, spec.needs, *self.ports_for(spec, step_id, inputs)
        )

    def _question(self, step: PlanStep, spec: AgentSpec, question: NeedsInput) -> dict[str, Any]:
        return {
            "kind": "input",
            "step_id": step.get("step_id", ""),
            "agent": spec.name,
            "question": printable(question.question),
            "options": [printable(option) for option in question.options],
        }

    def _completed(
        self,
        step: PlanStep,
        spec: AgentSpec,
        result: Result,
        inputs: Sequence[ArtifactRef],
        attempts: int,
        started: str,
    ) -> Outcome:
        made = [
            self.journal.put(
                artifact.kind,
                artifact.data,
                summary=artifact.summary or result.summary,
                made_by=f"{self.journal.turn.turn_id}/{step.get('step_id', '')}/{spec.name}",
                made_from=[ref.id for ref in inputs],
            )
            for artifact in result.artifacts
        ]
        quality = quality_score(spec, result, (), had_inputs=bool(inputs))
        outcome = self._outcome(step, spec.name, None, attempts, started)
        return {
            **outcome,
            "summary": result.summary,
            "confidence": min(1.0, max(0.0, float(result.confidence))),
            "quality": quality,
            "artifacts": [ref.as_json() for ref in made],
            "sources": [dict(source) for source in result.sources],
            "state": with_ids(dict(result.state), made),
        }

    def _outcome(
        self, step: PlanStep, agent: str, trouble: Trouble | None, attempts: int, started: str
    ) -> Outcome:
        made = new_outcome(step, agent, trouble, attempts, started, iso(self.clock.now()))
        return {**made, "db_queries": self.budget.queries.get(step.get("step_id", ""), 0)}


def why_lost(outcome: Outcome, language: str) -> str:
    return outcome["error"] or _LOW_QUALITY.say(language, quality=outcome["quality"])


def _calls(tried: Sequence[Outcome]) -> dict[str, int]:
    """How often each agent was started, those whose place another took included."""
    return {outcome["agent"]: outcome["attempts"] for outcome in tried if outcome["attempts"]}


def new_outcome(
    step: PlanStep, agent: str, trouble: Trouble | None, attempts: int, started: str, ended: str
) -> Outcome:
    """What is stored of a step that ended. Plain data: it goes into the checkpoint."""
    return {
        "step_id": step.get("step_id", ""),
        "capability": step.get("capability", ""),
        "agent": agent,
        "status": "failed" if trouble else "completed",
        "summary": "",
        "confidence": 0.0,
        "quality": 0.0,
        "inputs": {},
        "artifacts": [],
        "sources": [],
        "state": {},
        "error": printable(trouble.message) if trouble else None,
        "error_type": trouble.kind if trouble else None,
        "attempts": attempts,
        "calls": {},
        "db_queries": 0,
        "started_at": started,
        "ended_at": ended,
        "seconds": seconds_between(started, ended),
    }


def with_ids(value: Any, made: Sequence[ArtifactRef]) -> Any:
    """`artifact:#n` in an agent's state becomes the id of the n-th artifact that it returned."""
    if isinstance(value, dict):
        return {key: with_ids(inner, made) for key, inner in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [with_ids(inner, made) for inner in cast("list[Any]", value)]
    if isinstance(value, str) and value.startswith("artifact:#"):
        number = value.removeprefix("artifact:#")
        known = number.isdigit() and int(number) < len(made)
        return f"artifact:{made[int(number)].id}" if known else value
    return value


def printable(text: object) -> str:
    """What an agent says about itself may be any object, with characters that cannot be stored."""
    return str(text).encode(errors="replace").decode()


def pause_before_retry(attempt: int, asked: float | None) -> float:
    """What the agent asked for, else exponential with full jitter."""
    if asked is not None:
        return min(max(asked, 0.0), LONGEST_PAUSE)
    return random.uniform(0.5, 1.0) * min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)  # noqa: S311 - not a secret


def _first(error: pydantic.ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
