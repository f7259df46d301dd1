"""Names every problem of a plan, whoever wrote it: rules, a model or a person. Pure; an invalid plan never runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from metaagent.errors import Text
from metaagent.global_state import PlanningState, PlanStep
from metaagent.level1.planning import shape
from metaagent.plugin import MAX_RETRIES, MAX_TIMEOUT, AgentSpec

_TEXTS = {
    "unknown_agent": Text(
        en="Step {step} names the agent {value!r}, which is not installed or switched off.",
        ko="{step} 단계의 에이전트 {value!r}은(는) 설치되지 않았거나 꺼져 있습니다.",
    ),
    "no_agent": Text(en="Step {step} names no agent.", ko="{step} 단계에 에이전트가 없습니다."),
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
        en="Step {step} uses the artifact {value!r}, which is not in this session.",
        ko="{step} 단계가 이 세션에 없는 산출물 {value!r}을(를) 씁니다.",
    ),
    "forbidden_agent": Text(
        en="Step {step} names the agent {value!r}, which your company may not use.",
        ko="{step} 단계의 에이전트 {value!r}은(는) 이 회사에서 쓸 수 없습니다.",
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
    "over_budget": Text(
        en="The plan needs {value} {what}; the budget is {most}.",
        ko="계획에 필요한 {what} {value}이(가) 예산 {most}을(를) 넘습니다.",
    ),
}


@dataclass(frozen=True)
class PlanLimits:
    steps: int = 30
    seconds: float = 300.0
    calls: int = 200
    tokens: int = 200_000
    cost: float = 100.0


@dataclass(frozen=True)
class PlanScope:
    """What a plan is judged against."""

    agents: Mapping[str, AgentSpec]
    forbidden: frozenset[str] = frozenset()
    """Installed, but not for this company."""
    artifact_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    granted: frozenset[str] | None = None
    """The person's permissions; None grants all."""
    limits: PlanLimits = PlanLimits()


def validate_plan(plan: PlanningState, scope: PlanScope, language: str = "en") -> list[dict[str, Any]]:
    """Every problem found, as {code, step, value, text}; an empty list means valid."""
    steps = plan.get("execution_plan") or []
    found = [*_ids(steps), *_graph(steps), *_budget(plan, scope)]
    by_id = {step.get("step_id", ""): step for step in steps}
    for step in steps:
        found += [*_agents(step, scope), *_ranges(step), *_inputs(step, by_id, scope)]
    return [{**p, "text": _TEXTS[p["code"]].say(language, **p)} for p in found]


def _problem(code: str, step: str = "", value: Any = None, **more: Any) -> dict[str, Any]:
    return {"code": code, "step": step, "value": value, **more}


def _ids(steps: list[PlanStep]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for step in steps:
        step_id = step.get("step_id", "")
        if step_id in seen:
            yield _problem("duplicate_step", step_id)
        seen.add(step_id)


def _graph(steps: list[PlanStep]) -> Iterator[dict[str, Any]]:
    needs = {step.get("step_id", ""): step.get("dependencies", []) for step in steps}
    for step, before in needs.items():
        for name in before:
            if name not in needs:
                yield _problem("unknown_step", step, name)
    known = {step: [name for name in before if name in needs] for step, before in needs.items()}
    if shape.topological(known) is None:
        yield _problem("cycle", "", ", ".join(sorted(_in_cycles(known))))


def _in_cycles(needs: Mapping[str, list[str]]) -> set[str]:
    left = dict(needs)
    while free := [s for s, before in left.items() if all(b not in left for b in before)]:
        for step in free:
            del left[step]
    return set(left)


def _agents(step: PlanStep, scope: PlanScope) -> Iterator[dict[str, Any]]:
    step_id = step.get("step_id", "")
    if not step.get("agents"):
        yield _problem("no_agent", step_id)
    for name in step.get("agents", ()):
        spec = scope.agents.get(name)
        if spec is None:
            yield _problem("forbidden_agent" if name in scope.forbidden else "unknown_agent", step_id, name)
            continue
        for permission in spec.permissions:
            if scope.granted is not None and permission not in scope.granted:
                yield _problem("missing_permission", step_id, permission)


def _ranges(step: PlanStep) -> Iterator[dict[str, Any]]:
    step_id = step.get("step_id", "")
    timeout, retries = step.get("timeout", 1.0), step.get("retry_count", 0)
    if not 0 < timeout <= MAX_TIMEOUT:
        yield _problem("timeout_range", step_id, timeout, most=MAX_TIMEOUT)
    if not 0 <= retries <= MAX_RETRIES:
        yield _problem("retry_range", step_id, retries, most=MAX_RETRIES)


def _inputs(step: PlanStep, by_id: Mapping[str, PlanStep], scope: PlanScope) -> Iterator[dict[str, Any]]:
    step_id = step.get("step_id", "")
    given = step.get("inputs", [])
    for source in given:
        kind, maker = source.get("kind", ""), source.get("from_step")
        if maker is None:
            if scope.artifact_kinds.get(source.get("artifact_id", "")) != kind:
                yield _problem("unknown_artifact", step_id, source.get("artifact_id"))
        elif maker not in step.get("dependencies", ()):
            yield _problem("not_a_dependency", step_id, maker)
        elif kind not in by_id.get(maker, {}).get("produces", ()):
            yield _problem("type_mismatch", step_id, kind)
    spec = scope.agents.get(next(iter(step.get("agents", ())), ""))
    kinds = {source.get("kind") for source in given}
    for kind in spec.required_kinds if spec else ():
        if kind not in kinds:
            yield _problem("missing_input", step_id, kind)


def _budget(plan: PlanningState, scope: PlanScope) -> Iterator[dict[str, Any]]:
    steps = plan.get("execution_plan") or []
    used = [
        scope.agents[name] for step in steps for name in step.get("agents", ())[:1] if name in scope.agents
    ]
    for what, value, most in (
        ("steps", len(steps), scope.limits.steps),
        ("seconds", plan.get("estimated_total_time", 0.0), scope.limits.seconds),
        ("calls", len(steps), scope.limits.calls),
        ("tokens", sum(spec.tokens for spec in used), scope.limits.tokens),
        ("cost", sum(spec.cost for spec in used), scope.limits.cost),
    ):
        if value > most:
            yield _problem("over_budget", "", value, what=what, most=most)
