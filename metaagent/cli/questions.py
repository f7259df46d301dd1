"""The questions of a turn that waits, as lines: a plan to approve, or questions with their options. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metaagent.errors import Text

Question = Mapping[str, Any]

_NEEDS = Text(en="This plan needs approval:", ko="이 계획은 승인이 필요합니다:")
_REASONS = {
    "always": Text(en="every plan does here", ko="여기서는 모든 계획에 승인이 필요합니다"),
    "side_effects": Text(
        en="{name} changes something outside", ko="{name}: 외부에 변경을 남기는 에이전트입니다"
    ),
    "agent": Text(en="{name} is always asked about", ko="{name}: 늘 승인을 받는 에이전트입니다"),
    "risk": Text(en="{name} is declared risky", ko="{name}: 위험하다고 선언된 에이전트입니다"),
    "cost": Text(en="it costs {name}", ko="비용이 {name}입니다"),
    "role": Text(en="you ask as {name}", ko="{name} 역할로 물으셨습니다"),
    "shown_first": Text(
        en="whoever approved the plan wanted to see this first",
        ko="계획을 승인한 사람이 실행 전에 보기를 원했습니다",
    ),
}
_SOURCES = {
    "db": Text(en="the database", ko="데이터베이스"),
    "vectors": Text(en="the document index", ko="문서 색인"),
    "files": Text(en="files", ko="파일"),
}
_READS = Text(en="reads {what}", ko="읽음: {what}")
_MAKES = Text(en="makes {what}", ko="만듦: {what}")
_AFTER = Text(en="after {what}", ko="{what} 다음")
_UNDERSTOOD = Text(en="  read from the question: {what}", ko="  질문에서 읽은 것: {what}")
_WITH = Text(en="with {what}", ko="값: {what}")
_BY_DEFAULT = Text(en="by default {what}", ko="기본값: {what}")
_MISSING = Text(en="not given, but needed: {what}", ko="아직 없는 필수 값: {what}")
_OPEN = Text(en="left to the agent: {what}", ko="에이전트가 정함: {what}")
_NO_PARAMETERS = Text(en="takes no parameters", ko="매개변수 없음")
_OUTSIDE = Text(en="CHANGES SOMETHING OUTSIDE", ko="외부 변경")
_RISK = Text(en="risk: {what}", ko="위험도: {what}")
_RISKS = {
    "low": Text(en="low", ko="낮음"),
    "medium": Text(en="medium", ko="보통"),
    "high": Text(en="HIGH", ko="높음"),
    "critical": Text(en="CRITICAL", ko="매우 높음"),
}
_INSTEAD = Text(en="if it fails: {what}", ko="실패하면: {what}")
_STORED = Text(en="stored", ko="저장됨")
_SHALL = Text(en="Shall it run?", ko="실행할까요?")

_ANSWER = Text(en="Answer with:", ko="답하려면:")
_DECIDE = Text(en="Decide with:", ko="결정하려면:")
_OFFICER = Text(en="Whoever decides on it uses:", ko="담당자가 결정하려면:")
_OR = Text(
    en='  or --reject, or --edit "drop {step}" ({set}"order {step}"); why: --reason "..."',
    ko='  거절은 --reject, 수정은 --edit "빼기 {step}" ({set}"순서 {step}"), 이유는 --reason "..."',
)
_OR_SET = Text(en='"set {name}=value", ', ko='"변경 {name}=값", ')
_HERE = Text(
    en="approve, reject, or an edit: drop {step}; {set}order {step} (Ctrl-C drops the question)",
    ko="승인, 거절 또는 수정: 빼기 {step}; {set}순서 {step} (Ctrl-C로 질문을 취소합니다)",
)
_HERE_SET = Text(en="set {name}=value; ", ko="변경 {name}=값; ")
_EMPTY: tuple[Any, ...] = (None, "", [], {})
LONGEST_VALUE = 200


def asked(waiting: Sequence[Question], language: str) -> list[str]:
    """The lines of everything that is waited for; of several questions, each has the name of its step before it."""
    lines: list[str] = []
    for question in waiting:
        if question["kind"] == "approval":
            lines += plan_lines(question, language)
            continue
        if question["kind"] == "override":
            lines += [question["question"], *finding_lines(question, language, said=question["question"])]
            continue
        name = f"[{question['step_id']}] " if len(waiting) > 1 else ""
        lines.append(f"{name}{question['question']}")
        lines += [f"  {number}. {option}" for number, option in enumerate(question.get("options") or (), 1)]
    return lines


def plan_lines(question: Question, language: str) -> list[str]:
    """The plan as a person reads it: why it is asked about, then each step with what it reads and makes."""
    why = [_reason(reason, language) for reason in question.get("reasons") or ()]
    step = bool(question.get("step_id"))
    read = [
        f"{each['value']} ({each['normalized']})" if each["type"] == "period" else str(each["value"])
        for each in question.get("understood") or ()
    ]
    return [
        *([question["question"]] if step else [*question.get("problems", ()), _NEEDS.say(language)]),
        *(f"  - {reason}" for reason in why),
        *([_UNDERSTOOD.say(language, what=", ".join(read))] if read else []),
        *(line for step in question.get("steps") or () for line in _step(step, language)),
        *([] if step else [_SHALL.say(language)]),
    ]


def finding_lines(question: Question, language: str, *, said: str = "") -> list[str]:
    """Shows what a check found against something, one rule a line; what was `said` before is not said again."""
    lines: list[str] = []
    for finding in question.get("findings") or ():
        pack, rule, law = finding.get("pack"), finding.get("rule"), finding.get("law")
        severity = finding.get("severity")
        risk = _RISKS[severity].say(language) if severity in _RISKS else "?"
        version = finding.get("pack_version") or "?"
        message = str(finding.get("message"))
        told = "" if message.rstrip(".") in said else f": {message}"
        lines.append(f"  - [{risk}] {pack}/{rule} ({version}){told}")
        if law:
            lines.append(f"      {law}")
    return lines


def _reason(reason: str, language: str) -> str:
    kind, _, name = reason.partition(":")
    return _REASONS[kind].say(language, name=name) if kind in _REASONS else reason


def _step(step: Mapping[str, Any], language: str) -> Iterator[str]:
    yield f"  {step['step_id']}  {step['task']} ({step['agent']})"
    after = step.get("dependencies") or ()
    makes = [name for name in step.get("writes") or () if name != "outside"]
    reads, instead, risk = _inputs(step, language), step.get("fallbacks") or (), step.get("risk")
    parts = [
        _AFTER.say(language, what=", ".join(after)) if after else "",
        _READS.say(language, what=", ".join(reads)) if reads else "",
        _MAKES.say(language, what=", ".join(makes)) if makes else "",
    ]
    dangers = [
        _OUTSIDE.say(language) if step.get("side_effects") else "",
        _RISK.say(language, what=_RISKS[risk].say(language)) if risk in _RISKS else "",
    ]
    for line in (parts, dangers):
        if any(line):
            yield "      " + " · ".join(part for part in line if part)
    yield "      " + " · ".join(_parameters(step, language))
    if instead:
        yield "      " + _INSTEAD.say(language, what=", ".join(instead))


def _parameters(step: Mapping[str, Any], language: str) -> list[str]:
    """Everything that the agent takes: the values of the plan, the agent's own, and what it decides by itself."""
    every: Sequence[Mapping[str, Any]] = step.get("parameters") or ()
    given = [f"{each['name']}={_value(each['value'])}" for each in every if each["given"]]
    rest = [each for each in every if not each["given"]]
    default = [f"{each['name']}={_value(each['value'])}" for each in rest if each["value"] not in _EMPTY]
    missing = [each["name"] for each in rest if each["required"]]
    left = [each["name"] for each in rest if each["value"] in _EMPTY and not each["required"]]
    said = [
        text.say(language, what=", ".join(names))
        for text, names in ((_WITH, given), (_BY_DEFAULT, default), (_MISSING, missing), (_OPEN, left))
        if names
    ]
    return said or [_NO_PARAMETERS.say(language)]


def _value(value: object) -> str:
    """A value as an edit would give it, cut if it is long."""
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return said if len(said) <= LONGEST_VALUE else f"{said[:LONGEST_VALUE]}…"


def _inputs(step: Mapping[str, Any], language: str) -> list[str]:
    """Each input with the step that makes it or the stored artifact that it is, then the sources that the agent opens."""
    inputs = step.get("inputs") or ()
    stored = _STORED.say(language)
    named = [
        f"{i['kind']} ({i.get('from_step') or ' '.join((stored, str(i.get('artifact_id', ''))[:12]))})"
        + (f": {i['title']}" if i.get("title") else "")
        for i in inputs
    ]
    kinds = {i["kind"] for i in inputs}
    others = [name for name in step.get("reads") or () if name not in kinds]
    return [*named, *(_SOURCES[name].say(language) if name in _SOURCES else name for name in others)]


def how_to_answer(
    waiting: Sequence[Question], session_id: str, options: str, others: str, language: str
) -> list[str]:
    """Commands to copy, with the options that the question was asked with; for what only somebody else may decide, with the
    options of `others`."""
    for question in waiting:
        if question["kind"] == "approval":
            return how_to_decide(question, session_id, options, language)
    command = f'  metaagent resume {session_id} "..."'
    held = [question for question in waiting if question["kind"] == "override"]
    waiting = [question for question in waiting if question["kind"] != "override"]
    if not waiting and held:
        officer = f"{others} --user ... --role {held[0]['opened_by']}"
        return [_OFFICER.say(language), *how_to_override(held[0], session_id, officer, language)[1:]]
    if not waiting:
        return []
    if len(waiting) == 1:
        return [_ANSWER.say(language), f"{command}{options}"]
    return [_ANSWER.say(language), *(f"{command} --question {q['step_id']}{options}" for q in waiting)]


def how_to_override(question: Question, session_id: str, options: str, language: str) -> list[str]:
    which = f" --question {question['step_id']}"
    return [
        _DECIDE.say(language),
        f'  metaagent approve {session_id}{which} --reason "..."{options}',
        f'  metaagent approve {session_id}{which} --reject --reason "..."{options}',
    ]


def how_to_decide(plan: Question, session_id: str, options: str, language: str) -> list[str]:
    command = f"  metaagent approve {session_id}{options}"
    if plan.get("step_id"):
        return [_DECIDE.say(language), command, f"  metaagent approve {session_id} --reject{options}"]
    name = _settable(plan)
    change = _OR_SET.say(language, name=name) if name else ""
    return [_DECIDE.say(language), command, _OR.say(language, step=_last_step(plan), set=change)]


def how_to_answer_here(waiting: Sequence[Question], language: str) -> list[str]:
    """The answers that a chat accepts, where the next line is one."""
    plans = [question for question in waiting if question["kind"] == "approval"]
    if not plans:
        return []
    name = _settable(plans[0])
    change = _HERE_SET.say(language, name=name) if name else ""
    return [_HERE.say(language, step=_last_step(plans[0]), set=change)]


def _settable(plan: Question) -> str:
    """A parameter that can be changed, as an edit names it; none if no agent of the plan takes one."""
    steps: Sequence[Mapping[str, Any]] = plan.get("steps") or ()
    names = [
        f"{step['step_id']}.{each['name']}"
        for step in reversed(steps)
        for each in step.get("parameters") or ()
    ]
    return names[0] if names else ""


def _last_step(plan: Question) -> str:
    """The step that is shown as the example of an edit."""
    return str(plan["steps"][-1]["step_id"]) if plan.get("steps") else "s1"
