"""What a turn that waits asks of the person, as lines: a plan to approve, or questions with their options. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metaagent.errors import Text

Question = Mapping[str, Any]

_NEEDS = Text(en="This plan needs approval:", ko="이 계획은 승인이 필요합니다:")
_REASONS = {
    "always": Text(en="every plan does here", ko="여기서는 모든 계획에 승인이 필요합니다"),
    "side_effects": Text(
        en="{name} changes something outside", ko="{name}: 바깥의 무언가를 바꾸는 에이전트입니다"
    ),
    "agent": Text(en="{name} is always asked about", ko="{name}: 늘 승인을 받는 에이전트입니다"),
    "risk": Text(en="{name} is declared risky", ko="{name}: 위험하다고 선언된 에이전트입니다"),
    "cost": Text(en="it costs {name}", ko="비용이 {name}입니다"),
    "role": Text(en="you ask as {name}", ko="{name} 역할로 물으셨습니다"),
}
_SOURCES = {
    "db": Text(en="the database", ko="데이터베이스"),
    "vectors": Text(en="the document index", ko="문서 색인"),
    "files": Text(en="files", ko="파일"),
}
_READS = Text(en="reads {what}", ko="읽음: {what}")
_MAKES = Text(en="makes {what}", ko="만듦: {what}")
_AFTER = Text(en="after {what}", ko="{what} 다음")
_WITH = Text(en="with {what}", ko="값: {what}")
_OUTSIDE = Text(en="CHANGES SOMETHING OUTSIDE", ko="바깥을 바꿈")
_SHALL = Text(en="Shall it run?", ko="실행할까요?")

_ANSWER = Text(en="Answer with:", ko="답하려면:")
_DECIDE = Text(
    en='Instead of approve: reject, or an edit such as "drop {step}", "set {step}.name=value", "order {step}".\n'
    'Why, if you like: --reason "..."',
    ko='approve 대신 reject 또는 수정: "빼기 {step}", "변경 {step}.이름=값", "순서 {step}".\n까닭을 남기려면: --reason "..."',
)
_APPROVE = Text(en="Approve it with:", ko="승인하려면:")
_HERE = Text(
    en="approve, reject, or an edit: drop {step}; set {step}.name=value; order {step} (an empty line drops the question)",
    ko="승인, 거절 또는 수정: 빼기 {step}; 변경 {step}.이름=값; 순서 {step} (빈 줄은 질문을 취소합니다)",
)


def asked(waiting: Sequence[Question], language: str) -> list[str]:
    """Everything that is waited for. Where there are several, each has the name of its step before it."""
    lines: list[str] = []
    for question in waiting:
        if question["kind"] == "approval":
            lines += plan_lines(question, language)
            continue
        name = f"[{question['step_id']}] " if len(waiting) > 1 else ""
        lines.append(f"{name}{question['question']}")
        lines += [f"  {number}. {option}" for number, option in enumerate(question.get("options") or (), 1)]
    return lines


def plan_lines(question: Question, language: str) -> list[str]:
    """The plan as a person reads it: why it is asked about, then each step with what it reads and makes."""
    why = [_reason(reason, language) for reason in question.get("reasons") or ()]
    return [
        *question.get("problems", ()),
        _NEEDS.say(language),
        *(f"  - {reason}" for reason in why),
        *(line for step in question.get("steps") or () for line in _step(step, language)),
        _SHALL.say(language),
    ]


def _reason(reason: str, language: str) -> str:
    kind, _, name = reason.partition(":")
    return _REASONS[kind].say(language, name=name) if kind in _REASONS else reason


def _step(step: Mapping[str, Any], language: str) -> Iterator[str]:
    yield f"  {step['step_id']}  {step['task']} ({step['agent']})"
    after, params = step.get("dependencies") or (), step.get("params") or {}
    reads = [_SOURCES[name].say(language) if name in _SOURCES else name for name in step.get("reads") or ()]
    makes = [name for name in step.get("writes") or () if name != "outside"]
    parts = [
        _AFTER.say(language, what=", ".join(after)) if after else "",
        _READS.say(language, what=", ".join(reads)) if reads else "",
        _MAKES.say(language, what=", ".join(makes)) if makes else "",
        _OUTSIDE.say(language) if step.get("side_effects") else "",
    ]
    yield "      " + " · ".join(part for part in parts if part)
    if params:
        yield "      " + _WITH.say(
            language, what=", ".join(f"{key}={value}" for key, value in params.items())
        )


def how_to_answer(waiting: Sequence[Question], session_id: str, options: str, language: str) -> list[str]:
    """Commands to copy, with the options that the question was asked with."""
    command = f"  metaagent resume {session_id}"
    if (step := _last_step(waiting)) is not None:
        return [
            _APPROVE.say(language),
            f"{command} approve{options}",
            *_DECIDE.say(language, step=step).splitlines(),
        ]
    if len(waiting) == 1:
        return [_ANSWER.say(language), f'{command} "..."{options}']
    named = [f'{command} "..." --question {question["step_id"]}{options}' for question in waiting]
    return [_ANSWER.say(language), *named]


def how_to_answer_here(waiting: Sequence[Question], language: str) -> list[str]:
    """In a chat, where the next line is the answer."""
    step = _last_step(waiting)
    return [] if step is None else [_HERE.say(language, step=step)]


def _last_step(waiting: Sequence[Question]) -> str | None:
    """Of the plan that waits for approval, if one does: the example that is shown for an edit."""
    plans = [question["steps"] for question in waiting if question["kind"] == "approval"]
    return str(plans[0][-1]["step_id"]) if plans else None


def chosen(answer: str, question: Question | None) -> str:
    """A number picks the option that it stands before, unless it is an option itself."""
    options = [str(option) for option in (question or {}).get("options") or ()]
    if answer not in options and answer.isdecimal() and 1 <= int(answer) <= len(options):
        return options[int(answer) - 1]
    return answer
