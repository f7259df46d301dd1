"""One run of an agent for a step: the task that it is given, the bound on its time, and what comes of it, a result or the
trouble that it is in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pydantic
from langgraph.errors import GraphBubbleUp

from metaagent.errors import AgentBroke, Failed, MetaAgentError, NeedsInput, Text, TryAgain
from metaagent.global_state import PlanStep
from metaagent.level1.execution_manager.answers import Answers
from metaagent.level1.execution_manager.bounded import (
    BLOCKED_SECONDS,
    Expired,
    Left,
    Measured,
    result_in_time,
)
from metaagent.level1.execution_manager.outcomes import described, for_the_asker
from metaagent.level1.execution_manager.quality import form_problems, plain_problems, type_problems
from metaagent.level1.execution_manager.step_gate import CLOSED_MEANWHILE, StepGate
from metaagent.level1.execution_manager.todo import TodoList
from metaagent.level1.execution_manager.trouble import Trouble
from metaagent.level1.planning.gate import VERDICT
from metaagent.level1.planning.params import adapter_of
from metaagent.level1.turn_context import TurnContext
from metaagent.plugin import AgentSpec, Context, Result, Task
from metaagent.ports import ArtifactRef
from metaagent.protection.redaction import redact_exception
from metaagent.state.manager import StateManager
from metaagent.values import copied, iso, mapping

logger = logging.getLogger(__name__)

BOUND = "bound:"
"""Begins the kind of a trouble that is a bound of the turn; the setting's name under `limits` follows."""

_TIMEOUT = Text(
    en="{agent} did not finish within {seconds:g} seconds.",
    ko="{agent} 작업이 {seconds:g}초 안에 끝나지 않았습니다.",
)
_ABANDONED = Text(
    en="{agent} did not stop when its time was over and was left behind; what it still gives is dropped. An agent that may "
    "do this runs in a process of its own with agents.isolate.",
    ko="{agent}이(가) 시간이 끝난 뒤에도 멈추지 않아 내버려 두었습니다. 나중에 내놓는 결과는 버립니다. 이런 에이전트는 "
    "agents.isolate로 별도 프로세스에서 실행하세요.",
)
_BLOCKED = Text(
    en="{agent} held up everything else for {seconds:.1f} seconds at a stretch (a blocking call in an async function). Run it in a "
    "process of its own with agents.isolate, or move the call with asyncio.to_thread.",
    ko="{agent}이(가) 다른 모든 일을 {seconds:.1f}초 동안 막았습니다(비동기 함수 안의 차단 호출). agents.isolate로 별도 "
    "프로세스에서 실행하거나 asyncio.to_thread로 옮기세요.",
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
_BAD_PARAMS = Text(
    en="The plan's parameters do not fit {agent}: {problem}.",
    ko="계획의 매개변수가 {agent}에 맞지 않습니다: {problem}.",
)


class AgentRuns:
    """Runs agents for the steps of one plan, each time once."""

    def __init__(
        self, request: Mapping[str, Any], context: TurnContext, todo: TodoList, gate: StepGate
    ) -> None:
        self._gate = gate
        self._request = request
        self._context = context
        self._todo = todo
        self._budget = context.budget
        self._clock = context.clock
        self._language = context.turn.language

    async def once(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers
    ) -> Result | Trouble | NeedsInput:
        """Run the agent. Its start is on record before: one that takes the process down with it is known by that."""
        seconds = min(self._planned_seconds(step, spec), self._budget.seconds_left)
        ctx: Context | None = None
        work: Measured[Result] | None = None
        await self._context.starts.begin(step.get("step_id", ""), spec.name)
        try:
            task = self._task(step, spec, inputs, answers)
            ctx = self._agent_context(step, spec, inputs)
            if not self._gate.lets_start(spec, inputs, answers):
                return Trouble(CLOSED_MEANWHILE, CLOSED_MEANWHILE)
            work = Measured(spec.run(task, ctx))
            late = partial(self._late_result, step, spec, inputs) if VERDICT in spec.produces else None
            return self._checked(spec, await result_in_time(asyncio.ensure_future(work), seconds, late))
        except NeedsInput as question:
            self._gate.did_nothing(inputs)
            return question
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - an agent may raise anything; all of it ends its step alone
            return self._trouble(step, spec, error, seconds)
        except asyncio.CancelledError as error:
            if (current := asyncio.current_task()) is None or current.cancelling():
                raise
            return self._defect(step, spec, error)
        finally:
            if ctx is not None:
                self._budget.queried(ctx.step_id, getattr(ctx.ports.get("db"), "queries", 0))
            if work is not None and work.longest > BLOCKED_SECONDS:
                said = _BLOCKED.say(self._language, agent=spec.name, seconds=work.longest)
                self._warn(step, "loop_blocked", said)

    def _planned_seconds(self, step: PlanStep, spec: AgentSpec) -> float:
        """The seconds of the plan's step. A stand-in has its own where the step has those that its first agent declares: they
        say nothing of how long another one takes."""
        named = step.get("agents", ())
        first = self._context.registry.agents.get(next(iter(named), ""))
        planned = step.get("timeout", spec.timeout)
        unchanged = first is not None and planned == first.timeout
        return spec.timeout if spec.name not in named and unchanged else planned

    def _late_result(
        self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], result: object
    ) -> None:
        """Take note of what a check gives back after its time: a verdict that blocks counts, and nothing else."""
        sound = self._checked(spec, result)
        if isinstance(sound, Result):
            self._gate.learn_late(step, spec, inputs, sound)

    def no_time(self, name: str) -> Trouble:
        text = _NO_TIME.say(self._language, agent=name, seconds=self._budget.seconds)
        return Trouble(f"{BOUND}turn_seconds", text)

    def _warn(self, step: PlanStep, code: str, text: str) -> None:
        warning = {
            "id": f"{self._context.turn.turn_id}-{code}-{step.get('step_id', '')}",
            "code": code,
            "text": text,
        }
        self._context.warned.append({**warning, "timestamp": iso(self._clock.now())})

    def _trouble(self, step: PlanStep, spec: AgentSpec, error: BaseException, seconds: float) -> Trouble:
        match error:
            case Expired() | TimeoutError():
                return self._timed_out(step, spec, error, seconds)
            case TryAgain():
                return Trouble("try_again", str(error), error.after)
            case Failed():
                return Trouble("failed", str(error))
            case AgentBroke():
                return Trouble(error.code, for_the_asker(error.say(self._language)))
            case MetaAgentError():
                return Trouble(error.code, error.say(self._language))
            case Left():
                return self._defect(step, spec, error.error)
            case pydantic.ValidationError():
                first = error.errors()[0]
                problem = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
                text = _BAD_PARAMS.say(self._language, agent=spec.name, problem=problem)
                return Trouble("bad_params", text)
            case _:
                return self._defect(step, spec, error)

    def _timed_out(
        self, step: PlanStep, spec: AgentSpec, error: Expired | TimeoutError, seconds: float
    ) -> Trouble:
        """Its own time is over, or that of something it waited for."""
        if isinstance(error, Expired) and error.abandoned:
            self._warn(step, "step_abandoned", _ABANDONED.say(self._language, agent=spec.name))
        if isinstance(error, Expired) or (spec.side_effects and "effects" not in spec.needs):
            if self._budget.seconds_left <= 0:
                return self.no_time(spec.name)
            return Trouble("timeout", _TIMEOUT.say(self._language, agent=spec.name, seconds=seconds))
        return Trouble("try_again", _BUG.say(self._language, agent=spec.name, problem="TimeoutError"))

    def _defect(self, step: PlanStep, spec: AgentSpec, error: BaseException) -> Trouble:
        trace = redact_exception(error)
        logger.error("agent %s broke in step %s\n%s", spec.name, step.get("step_id"), trace)
        problem = for_the_asker(described(error))
        return Trouble("defect", _BUG.say(self._language, agent=spec.name, problem=problem))

    def _checked(self, spec: AgentSpec, result: object) -> Result | Trouble:
        if isinstance(result, Result):
            problems = form_problems(result) or [*type_problems(spec, result), *plain_problems(result)]
        else:
            problems = [f"{type(result).__name__} instead of Result"]
        if problems or not isinstance(result, Result):
            said = _BAD_OUTPUT.say(self._language, agent=spec.name, problem=problems[0])
            return Trouble("bad_output", said)
        return result

    def _task(self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef], answers: Answers) -> Task:
        params: Any = step.get("params") or {}
        request: dict[str, Any] = copied(dict(self._request))  # an agent may do to it what it likes
        part = step.get("part")
        if part:
            own = mapping(part.get("request"))
            request |= own
            rest = {key: value for key, value in part.items() if key != "request"}
            request["resolved"] = {**mapping(request.get("resolved")), **rest}
        if anew := [ref.id for ref in inputs if ref.kind in spec.produces]:
            judged_before = any(ref.kind == VERDICT for ref in inputs)
            request["mends"] = judged_before and not request.get("revises")
            request["revises"] = anew[0]
        return Task(
            description=step.get("task", ""),
            request=request,
            params=adapter_of(spec.params).validate_python(params) if spec.params else params,
            inputs=tuple(inputs),
            answers=answers.to(spec.name),
            named=answers.named(spec.name),
        )

    def _agent_context(self, step: PlanStep, spec: AgentSpec, inputs: Sequence[ArtifactRef]) -> Context:
        step_id, turn = step.get("step_id", ""), self._context.turn
        granted = self._context.ports_for(spec, step_id, inputs)
        ports = dict(granted.ports)
        if "progress" in ports:
            ports["progress"] = self._todo.progress_port(step_id)
        shared = StateManager().create_shared_state(
            turn.question,
            turn.session_id,
            turn.started_at,
            user_id=turn.user.user_id,
            company_id=turn.user.company_id,
            language="ko" if turn.language == "ko" else "en",
        )
        return Context(
            agent=spec.name,
            shared={**shared, "status": "running"},
            step_id=step_id,
            needs=spec.needs,
            ports=ports,
            withheld=granted.withheld,
            on_refused=granted.refused,
            turn_id=turn.turn_id,
            capability=step.get("capability", ""),
        )
