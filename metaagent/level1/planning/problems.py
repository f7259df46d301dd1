"""Problems that a plan can have, in both languages, and how a wrong value is named. Pure and total."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from metaagent.errors import Text

LONGEST = 80
MOST_NAMES = 10

TEXTS = {
    "wrong_type": Text(
        en="{what}: {field} is {value!r}, but must be {wanted}.",
        ko="{what}: {field} 값 {value!r}은(는) {wanted}(이)어야 합니다.",
    ),
    "not_plain": Text(
        en="The plan holds something that cannot be stored ({value}).",
        ko="계획에 저장할 수 없는 값이 있습니다({value}).",
    ),
    "bad_step_id": Text(
        en="Step {step} has the id {value!r}: use letters, digits, `_` and `-`, at most 64 characters.",
        ko="{step} 단계의 id {value!r}은(는) 영문자, 숫자, `_`, `-`로 64자까지만 쓸 수 있습니다.",
    ),
    "unknown_agent": Text(
        en="Step {step} names the agent {value!r}, which is not installed or switched off.",
        ko="{step} 단계의 에이전트 {value!r}은(는) 설치되지 않았거나 꺼져 있습니다.",
    ),
    "no_agent": Text(en="Step {step} names no agent.", ko="{step} 단계에 에이전트가 없습니다."),
    "repeated_agent": Text(
        en="Step {step} names the agent {value!r} twice, itself or as its fallback.",
        ko="{step} 단계에 에이전트 {value!r}이(가) 대체 에이전트까지 포함해 두 번 있습니다.",
    ),
    "wrong_capability": Text(
        en="Step {step} asks {agent!r} for {value!r}, which it does not do or you may not ask for.",
        ko="{step} 단계가 에이전트 {agent!r}에 {value!r}을(를) 맡기지만 할 수 없거나 요청할 권한이 없습니다.",
    ),
    "not_produced": Text(
        en="Step {step} promises a {value!r}, which the agent {agent!r} does not make.",
        ko="{step} 단계가 약속한 {value!r}을(를) 에이전트 {agent!r}은(는) 만들지 않습니다.",
    ),
    "bad_params": Text(
        en="Step {step} gives {agent!r} parameters that do not fit: {value} {why}.",
        ko="{step} 단계의 매개변수가 에이전트 {agent!r}에 맞지 않습니다: {value} — {why}.",
    ),
    "duplicate_step": Text(
        en="The step id {step} is used twice.", ko="단계 id {step}이(가) 두 번 쓰였습니다."
    ),
    "unknown_step": Text(
        en="Step {step} depends on {value!r}, which is not in the plan.",
        ko="{step} 단계가 계획에 없는 {value!r}에 의존합니다.",
    ),
    "cycle": Text(
        en="The steps {value} wait for each other.", ko="{value} 단계들이 서로를 기다립니다(순환)."
    ),
    "order_unknown": Text(
        en="The order names the step {value!r}, which is not in the plan.",
        ko="순서에 계획에 없는 단계 {value!r}이(가) 있습니다.",
    ),
    "order_against_need": Text(
        en="The order puts step {step} before {value!r}, whose result it needs.",
        ko="{step} 단계가 결과를 필요로 하는 {value!r}보다 순서에서 앞섭니다.",
    ),
    "fallback_unknown_step": Text(
        en="A fallback is meant for the step {value!r}, which is not in the plan.",
        ko="계획에 없는 단계 {value!r}의 대체 에이전트가 있습니다.",
    ),
    "missing_input": Text(
        en="Step {step} needs a {value!r}, and neither an earlier step nor the session provides it.",
        ko="{step} 단계에 {value!r}이(가) 필요하지만 앞 단계에도 세션에도 없습니다.",
    ),
    "type_mismatch": Text(
        en="Step {step} takes a {value!r} from a step that does not produce one.",
        ko="{step} 단계가 {value!r}을(를) 만들지 않는 단계에서 가져오려 합니다.",
    ),
    "not_a_dependency": Text(
        en="Step {step} takes input from {value!r} without depending on it.",
        ko="{step} 단계가 의존하지 않는 {value!r}에서 입력을 가져옵니다.",
    ),
    "unknown_artifact": Text(
        en="Step {step} uses the artifact {value!r}, which is not in this session or not of the kind that it says.",
        ko="{step} 단계가 쓰는 산출물 {value!r}은(는) 이 세션에 없거나 종류가 다릅니다.",
    ),
    "forbidden_agent": Text(
        en="Step {step} names the agent {value!r}, which you or your company may not use.",
        ko="{step} 단계의 에이전트 {value!r}은(는) 사용자나 회사에 허용되지 않았습니다.",
    ),
    "missing_permission": Text(
        en="Step {step} needs the permission {value!r}, which you do not have.",
        ko="{step} 단계에 필요한 권한 {value!r}이(가) 없습니다.",
    ),
    "timeout_range": Text(
        en="Step {step} has the timeout {value}: allowed is more than 0 and at most {most} seconds.",
        ko="{step} 단계의 제한 시간 {value}은(는) 0초보다 크고 {most}초 이하여야 합니다.",
    ),
    "retry_range": Text(
        en="Step {step} has {value} retries: allowed is 0 to {most}.",
        ko="{step} 단계의 재시도 {value}회는 0~{most}회여야 합니다.",
    ),
    "not_checkpointed": Text(
        en="Step {step} would not be stored (checkpoint: false) and could run twice after a crash: every step is stored.",
        ko="{step} 단계를 저장하지 않으면(checkpoint: false) 장애 뒤에 두 번 실행될 수 있습니다. 모든 단계는 저장해야 합니다.",
    ),
    "bad_contingency": Text(
        en="The plan says something meaningless about trouble: {value}. Triggers are {triggers}, actions {actions}.",
        ko="문제가 생겼을 때의 대처에 알 수 없는 값이 있습니다: {value}. 계기는 {triggers}, 조치는 {actions}입니다.",
    ),
    "ungated": Text(
        en="Step {step} would let {value!r} act on something that nobody has judged: a check of exactly that must come "
        "before it.",
        ko="{step} 단계에서 판정받지 않은 것을 가지고 {value!r}이(가) 실행됩니다. "
        "바로 그 내용에 대한 규정 확인이 먼저 있어야 합니다.",
    ),
    "over_budget": Text(
        en="The plan needs {value} {what}; the budget is {most}.",
        ko="계획에 필요한 {what} {value}이(가) 예산 {most}을(를) 넘습니다.",
    ),
}


class Problems:
    """The problems found so far, each as {code, step, value, text} with what else its text names: plain data."""

    def __init__(self, language: str) -> None:
        self.found: list[dict[str, Any]] = []
        self._language = language

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.found)

    def add(self, code: str, step: str = "", value: object = None, **more: Any) -> None:
        told = {
            key: each.say(self._language) if isinstance(each, Text) else each for key, each in more.items()
        }
        problem: dict[str, Any] = {"code": code, "step": step, "value": shown(value), **told}
        self.found.append({**problem, "text": TEXTS[code].say(self._language, **problem)})


def shown(value: object) -> object:
    """A value as a problem names it: short, and fit to be stored and told. What is not a scalar is named by its type."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        cut = value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
        return cut if cut.isascii() else cut.encode(errors="replace").decode()
    if isinstance(value, int | float):
        return value if abs(value) < 2**53 else str(value) if isinstance(value, float) else "int > 2^53"
    return type(value).__name__


def listed(names: Iterable[str]) -> str:
    """Names for a text, the first ones if there are too many to read."""
    every = sorted(names)
    more = f", … ({len(every)})" if len(every) > MOST_NAMES else ""
    return ", ".join(str(shown(name)) for name in every[:MOST_NAMES]) + more
