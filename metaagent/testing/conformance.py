"""The conformance suite: what every agent must hold, built-in or not. A mistake is named in a sentence that says what to do."""

from __future__ import annotations

import asyncio
import hashlib
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from metaagent.errors import AgentSignal, MetaAgentError, NeedsInput, PortNotGranted, Text
from metaagent.journal import encode_artifact
from metaagent.level1.execution_manager.bounded import (
    BLOCKED_SECONDS,
    Expired,
    Left,
    Measured,
    result_in_time,
)
from metaagent.level1.execution_manager.quality import (
    form_misfit,
    form_problems,
    plain_problems,
    quality_score,
    type_problems,
)
from metaagent.level1.planning.params import adapter_of, misfits
from metaagent.plugin import SHARED_KINDS, AgentSpec, Artifact, Context, Result, Task, check_spec
from metaagent.ports import PORTS, ArtifactRef
from metaagent.registry import foreign_owner, unknown_kinds
from metaagent.testing.fakes import FakeArtifacts, fake_ports
from metaagent.testing.traces import traced
from metaagent.values import copied

_NOT_DECLARED = Text(
    en="{found} is not an agent: put `@agent(name=..., capabilities=[...], produces=[...])` from metaagent.plugin above the "
    "async function, and give check_agent that.",
    ko="{found}은(는) 에이전트가 아닙니다. async 함수 위에 metaagent.plugin의 `@agent(name=..., capabilities=[...], "
    "produces=[...])`를 붙이고 그것을 check_agent에 주세요.",
)
_NO_WORDS = Text(
    en="{agent}: the capabilities {names} need words in Korean and English, or nobody can ask for them: write "
    'Capability("name", ko=("...",), en=("...",)).',
    ko="{agent}: 능력 {names}에 한국어와 영어 낱말이 필요합니다. 없으면 아무도 부를 수 없습니다. "
    'Capability("이름", ko=("...",), en=("...",))로 쓰세요.',
)
_TAKEN = Text(
    en="{agent}: the name is taken by the package {package}: choose another one.",
    ko="{agent}: {package} 패키지가 이미 쓰는 이름입니다. 다른 이름을 고르세요.",
)
_NO_MAKER = Text(
    en="{agent}: nobody makes the kind {kind!r} that it consumes: did you mean {near!r}?",
    ko="{agent}: 필요로 하는 {kind!r}을(를) 만드는 에이전트가 없습니다. {near!r}을(를) 뜻하셨나요?",
)
_LACKING = Text(
    en="{agent}: give check_agent inputs for the kinds it consumes: {kinds}, for example "
    "inputs=[Artifact({first!r}, data)].",
    ko="{agent}: 필요로 하는 종류({kinds})의 입력을 check_agent에 주세요. 예: inputs=[Artifact({first!r}, data)].",
)
_PARAMS = Text(
    en="{agent}: the parameter {name!r} {why}. A plan gives none by itself: declare each with a default, and give "
    "check_agent only such as fit.",
    ko="{agent}: 매개변수 {name!r}: {why}. 계획은 스스로 값을 주지 않으니 저마다 기본값을 선언하고, check_agent에는 맞는 "
    "값만 주세요.",
)
_ASKED = Text(
    en="{agent}: it asks {question!r} and has no answer: give check_agent answers=[...].",
    ko="{agent}: {question!r}(이)라고 묻는데 답이 없습니다. check_agent에 answers=[...]를 주세요.",
)
_GAVE_UP = Text(
    en="{agent}: it raised {raised}: {message}. Give check_agent what the agent needs to succeed.",
    ko="{agent}: {raised}을(를) 일으켰습니다: {message}. 성공하는 데 필요한 것을 check_agent에 주세요.",
)
_BROKE = Text(
    en="{agent}: it broke with {raised}: {message} (at {place}). Handle it, or raise TryAgain, Failed or NeedsInput: "
    "everything else is a defect that ends the step.",
    ko="{agent}: {place}에서 {raised}: {message} 오류가 났습니다. 처리하거나 TryAgain, Failed, NeedsInput 가운데 하나를 "
    "일으키세요. 그 밖의 것은 단계를 끝내는 결함입니다.",
)
_LATE = Text(
    en="{agent}: it did not finish within its timeout of {seconds:g} seconds: raise the timeout that it declares, or do less.",
    ko="{agent}: 선언한 제한 시간 {seconds:g}초 안에 끝나지 않았습니다. timeout을 늘리거나 일을 줄이세요.",
)
_BLOCKING = Text(
    en="{agent}: it held the loop for {seconds:.1f} seconds, and with it every other turn: use an async library, "
    "`await asyncio.to_thread(...)`, or agents.isolate.",
    ko="{agent}: {seconds:.1f}초 동안 루프를 붙잡아 다른 질문까지 멈췄습니다. 비동기 라이브러리나 "
    "`await asyncio.to_thread(...)` 또는 agents.isolate를 쓰세요.",
)
_STUBBORN = Text(
    en="{agent}: it went on after it had been cancelled: let asyncio.CancelledError through.",
    ko="{agent}: 취소된 뒤에도 계속했습니다. asyncio.CancelledError를 삼키지 마세요.",
)
_NOT_A_RESULT = Text(
    en="{agent}: it returned {found}, not Result: end with `return Result(summary, confidence, [Artifact(kind, data)])`.",
    ko="{agent}: Result가 아니라 {found}을(를) 돌려주었습니다. `return Result(summary, confidence, "
    "[Artifact(kind, data)])`로 끝내세요.",
)
_BAD_RESULT = Text(
    en="{agent}: {problem}. Make it fit what the agent declares.",
    ko="{agent}: {problem}. 선언과 맞추세요.",
)
_NOT_MADE = Text(
    en="{agent}: it declared {declared} but made {made}: return every kind that `produces` names, or declare fewer.",
    ko="{agent}: {declared}을(를) 선언했지만 만든 것은 {made}입니다. produces의 모든 종류를 돌려주거나 덜 선언하세요.",
)
_NO_CONFIDENCE = Text(
    en="{agent}: the confidence {value} is not within 0..1: 1.0 is certain, 0.5 a guess.",
    ko="{agent}: confidence {value}은(는) 0과 1 사이가 아닙니다. 1.0은 확실, 0.5는 추측입니다.",
)
_NO_SUMMARY = Text(
    en="{agent}: the summary is empty; it is what the person reads: say in a sentence what was found.",
    ko="{agent}: 요약이 비었습니다. 사람이 읽는 글이니 찾은 것을 한 문장으로 쓰세요.",
)
_PRINTED = Text(
    en="{agent}: it printed {what!r}; standard output belongs to the answer: use ctx.log (and add 'log' to needs).",
    ko="{agent}: {what!r}을(를) 출력했습니다. 표준 출력은 답의 자리입니다. ctx.log를 쓰세요(needs에 'log' 추가).",
)
_UNDECLARED_EFFECT = Text(
    en="{agent}: it changes something outside ({what}) but declares side_effects=False: declare side_effects=True, and note "
    "the effect with ctx.effects under ctx.effect_key(...).",
    ko="{agent}: 바깥을 바꾸는데({what}) side_effects=False로 선언했습니다. side_effects=True로 선언하고 "
    "ctx.effect_key(...)를 열쇠로 ctx.effects에 적으세요.",
)
_CHANGED = Text(
    en="{agent}: it changed {what}, which belongs to the plan: work on a copy (copy.deepcopy).",
    ko="{agent}: 계획의 것인 {what}을(를) 바꾸었습니다. 복사본(copy.deepcopy)으로 일하세요.",
)
_DIFFERS = Text(
    en="{agent}: a repeated run made other {what}; a step runs again after a crash and must be repeatable: seed what is random, "
    "sort what has no order, keep nothing in global variables.",
    ko="{agent}: 다시 실행하니 {what}이(가) 달라졌습니다. 단계는 장애 뒤에 다시 실행되므로 같은 결과를 내야 합니다. 난수는 씨앗을 "
    "정하고, 순서 없는 것은 정렬하고, 전역 변수에 남기지 마세요.",
)
_SOURCES = frozenset(PORTS) - {"progress", "log", "clock", "user"}
_REAL_CLOCK = Text(
    en="{agent}: the result holds the machine's date {date}: use ctx.clock (and add 'clock' to needs), so that a test and a "
    "repeated run can set the time.",
    ko="{agent}: 결과에 이 컴퓨터의 날짜 {date}이(가) 있습니다. 시험과 재실행이 시각을 정할 수 있게 ctx.clock을 쓰세요(needs에 "
    "'clock' 추가).",
)


async def run_agent(
    spec: AgentSpec,
    question: str,
    *,
    inputs: Sequence[Artifact] = (),
    params: Mapping[str, Any] | None = None,
    request: Mapping[str, Any] | None = None,
    answers: Sequence[Any] = (),
    language: str = "en",
    **ports: Any,
) -> Result:
    """Run an agent once as a step would, with fakes for what it declared and nothing else."""
    task, context = prepared(
        spec,
        question,
        inputs=inputs,
        params=params,
        request=request,
        answers=answers,
        language=language,
        **ports,
    )
    async with asyncio.timeout(spec.timeout):
        return await spec.run(task, context)


def prepared(
    spec: AgentSpec,
    question: str,
    *,
    inputs: Sequence[Artifact] = (),
    params: Mapping[str, Any] | None = None,
    request: Mapping[str, Any] | None = None,
    answers: Sequence[Any] = (),
    language: str = "en",
    **ports: Any,
) -> tuple[Task, Context]:
    content = {f"a{number}": encode_artifact(artifact.data) for number, artifact in enumerate(inputs)}
    refs = tuple(
        ArtifactRef(
            key,
            artifact.kind,
            artifact.summary,
            len(content[key]),
            hashlib.sha256(content[key]).hexdigest(),
            name=artifact.name,
            media_type=artifact.media_type,
            group=artifact.group,
        )
        for key, artifact in zip(content, inputs, strict=True)
    )
    given = fake_ports(artifacts=FakeArtifacts(content), **ports)
    context = Context(
        agent=spec.name,
        shared={"user_query": question, "session_id": "s1", "language": "ko" if language == "ko" else "en"},
        step_id="s1",
        needs=spec.needs,
        ports={name: port for name, port in given.items() if name in spec.needs},
        turn_id="t1",
        capability=spec.capabilities[0].name,
    )
    values: Any = dict(params or {})
    task = Task(
        description=spec.description.say(language),
        request=dict(request or {}),
        params=adapter_of(spec.params).validate_python(values) if spec.params else values,
        inputs=refs,
        answers=tuple(answers),
    )
    return task, context


async def check_agent(spec: AgentSpec, question: str, **options: Any) -> Result:
    """Run the conformance suite. Returns the result; raises AssertionError with a sentence that names the mistake and the
    remedy, in the `language` of the run.

    Takes what `run_agent` takes. The agent is run twice, because a step may be run again after a crash.
    """
    language = str(options.get("language", "en"))
    declared: Any = spec
    if not isinstance(declared, AgentSpec):
        _fail(_NOT_DECLARED, language, found=getattr(declared, "__name__", type(declared).__name__))
    check = _Check(spec, question, options, language)
    check.declaration()
    result = await check.one_run()
    again = await check.one_run()
    check.same(result, again)
    check.own_clock(result)
    return result


@dataclass(frozen=True)
class _Check:
    """One agent, what it is asked, and what it is given."""

    spec: AgentSpec
    question: str
    options: Mapping[str, Any]
    language: str

    def fail(self, text: Text, **params: Any) -> NoReturn:
        _fail(text, self.language, agent=self.spec.name, **params)

    def declaration(self) -> None:
        """Check what can be said before it runs."""
        spec = self.spec
        try:
            check_spec(spec)
        except MetaAgentError as error:
            raise AssertionError(error.say(self.language)) from None
        if missing := [c.name for c in spec.capabilities if not (c.ko and c.en)]:
            self.fail(_NO_WORDS, names=missing)
        if owner := foreign_owner(spec):
            self.fail(_TAKEN, package=owner)
        for kind, near in unknown_kinds(spec, [*SHARED_KINDS, *spec.produces]):
            if near:
                self.fail(_NO_MAKER, kind=kind, near=near)
        given = {artifact.kind for artifact in self.options.get("inputs", ())}
        if lacking := spec.lacking(given):
            self.fail(_LACKING, kinds=lacking, first=lacking[0].split("|")[0])
        for wrong in misfits(spec, self.options.get("params") or {}, self.language):
            self.fail(_PARAMS, name=wrong.parameter, why=wrong.why)

    async def one_run(self) -> Result:
        task, context = prepared(self.spec, self.question, **self.options)
        before = copied(dict(task.request)), copied(dict(context.shared))
        work = Measured(self.spec.run(task, context))
        with traced() as traces:
            result = await self._result_of(work)
        if traces.printed:
            self.fail(_PRINTED, what=traces.printed[0][:80])
        if traces.effects and not self.spec.side_effects:
            self.fail(_UNDECLARED_EFFECT, what=traces.effects[0])
        if work.longest > BLOCKED_SECONDS:
            self.fail(_BLOCKING, seconds=work.longest)
        if before != (task.request, context.shared):
            self.fail(_CHANGED, what="task.request" if before[0] != task.request else "ctx.shared")
        self._content(result)
        return result

    async def _result_of(self, work: Measured[Result]) -> Any:
        try:
            return await result_in_time(asyncio.ensure_future(work), self.spec.timeout)
        except Expired as expired:
            work.close()
            self.fail(_STUBBORN if expired.abandoned else _LATE, seconds=self.spec.timeout)
        except PortNotGranted as error:
            raise AssertionError(error.say(self.language)) from None
        except NeedsInput as asked:
            self.fail(_ASKED, question=asked.question)
        except (AgentSignal, MetaAgentError) as error:
            self.fail(_GAVE_UP, raised=type(error).__name__, message=error)
        except Exception as error:  # noqa: BLE001 - an author's agent may raise anything; it is named
            raised = error.error if isinstance(error, Left) else error
            # The place in the agent's own code that raised it.
            frames = traceback.extract_tb(raised.__traceback__)
            place = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else "?"
            self.fail(_BROKE, raised=type(raised).__name__, message=raised, place=place)

    def _content(self, result: object) -> None:
        spec = self.spec
        if not isinstance(result, Result):
            self.fail(_NOT_A_RESULT, found=type(result).__name__)
        problems = form_problems(result) or [*type_problems(spec, result), *plain_problems(result)]
        problems += [wrong for a in result.artifacts if (wrong := form_misfit(a.kind, a.data))]
        if problems:
            self.fail(_BAD_RESULT, problem=problems[0])
        made = {artifact.kind for artifact in result.artifacts}
        if not set(spec.produces) <= made:
            self.fail(_NOT_MADE, declared=sorted(spec.produces), made=sorted(made))
        if not 0.0 <= result.confidence <= 1.0:
            self.fail(_NO_CONFIDENCE, value=result.confidence)
        if not result.summary.strip():
            self.fail(_NO_SUMMARY)
        assert quality_score(spec, result, (), had_inputs=bool(self.options.get("inputs"))) > 0

    def same(self, first: Result, again: Result) -> None:
        if _artifacts(first) != _artifacts(again):
            self.fail(_DIFFERS, what="artifacts")
        # One that changes something may say the second time that it was done before.
        if first.summary != again.summary and not self.spec.side_effects:
            self.fail(_DIFFERS, what="text")

    def own_clock(self, result: Result) -> None:
        """A result that holds the machine's date, which nobody gave it, was made with the machine's clock. An agent with a
        source of its own may have found the date there."""
        if _SOURCES & set(self.spec.needs):
            return
        date = datetime.now().astimezone().date().isoformat()
        given = repr((self.question, sorted(self.options.items())))
        if date not in given and date in f"{result.summary} {_artifacts(result)}":
            self.fail(_REAL_CLOCK, date=date)


def _artifacts(result: Result) -> list[bytes]:
    return [encode_artifact(artifact.data) for artifact in result.artifacts]


def _fail(text: Text, language: str, **params: Any) -> NoReturn:
    raise AssertionError(text.say(language, **params)) from None
