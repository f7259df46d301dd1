"""Names every problem of a plan, whoever wrote it: rules, a model or a person. Pure and total; an invalid plan never
runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from metaagent.global_state import PlanningState, PlanStep
from metaagent.journal import not_plain
from metaagent.level1.planning import plan_graph
from metaagent.level1.planning.contingency import ACTIONS, TRIGGERS, meaningless
from metaagent.level1.planning.gate import NOTHING_REQUIRED, UNGATED, VERDICT, GatePolicy
from metaagent.level1.planning.params import misfits
from metaagent.level1.planning.problems import Problems, listed
from metaagent.level1.planning.reading import read_plan
from metaagent.plugin import MAX_RETRIES, MAX_TIMEOUT, AgentSpec
from metaagent.values import mapping, sequence

WHAT_RUNS = ("execution_plan", "fallback_plans", "priority_order", "contingency_triggers")
MOST_SAID = 10
"""Meaningless words about trouble that are named."""


@dataclass(frozen=True)
class PlanLimits:
    steps: int = 30
    seconds: float = 300.0
    calls: int = 200
    tokens: int = 200_000
    cost: float = 100.0


@dataclass(frozen=True)
class PlanScope:
    """The agents, artifacts, rights and limits that a plan is judged against."""

    agents: Mapping[str, AgentSpec]
    forbidden: frozenset[str] = frozenset()
    """Installed, but not for this company."""
    artifact_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    granted: frozenset[str] | None = None
    """The person's permissions; None grants all."""
    limits: PlanLimits = PlanLimits()
    policy: GatePolicy = NOTHING_REQUIRED
    judged: frozenset[str] = frozenset()
    """Ids of the artifacts that a verdict of this turn is about."""


def validate_plan(plan: object, scope: PlanScope, language: str = "en") -> list[dict[str, Any]]:
    """Every problem found, as {code, step, value, text}; an empty list means valid."""
    problems = Problems(language)
    unstorable = not_plain([mapping(plan).get(key) for key in WHAT_RUNS])
    if unstorable:
        problems.add("not_plain", "", unstorable)
    sound = read_plan(plan, problems)
    steps = sound.get("execution_plan", [])
    by_id = {step.get("step_id", ""): step for step in steps}
    _ids(steps, problems)
    _graph(by_id, problems)
    _order(sound, by_id, problems)
    _budget(sound, scope, problems)
    for said in islice(meaningless(mapping(plan)), MOST_SAID):
        named = {"triggers": ", ".join(TRIGGERS), "actions": ", ".join(ACTIONS)}
        problems.add("bad_contingency", "", said, **named)
    fallbacks = _fallbacks(sound, by_id, problems)
    asked = sequence(mapping(mapping(plan).get("analyzed_query")).get("required_capabilities"))
    for step in steps:
        others = fallbacks.get(step.get("step_id", ""), ())
        _agents(step, others, scope, language, problems, asked_for=step.get("capability") in asked)
        _ranges(step, problems)
        _inputs(step, by_id, scope, problems)
    checks = _checks(by_id, fallbacks, scope)
    for step in steps:
        for name in (*step.get("agents", ()), *fallbacks.get(step.get("step_id", ""), ())):
            if name in scope.agents and not _is_gated(step, scope.agents[name], by_id, checks, scope):
                problems.add(UNGATED, step.get("step_id", ""), name)
    return problems.found


def _checks(
    by_id: Mapping[str, PlanStep], fallbacks: Mapping[str, Sequence[str]], scope: PlanScope
) -> frozenset[str]:
    """The steps whose every agent gives a verdict."""
    return frozenset(
        step_id
        for step_id, step in by_id.items()
        if VERDICT in step.get("produces", ())
        and all(
            name in scope.agents and VERDICT in scope.agents[name].produces
            for name in (*step.get("agents", ()), *fallbacks.get(step_id, ()))
        )
    )


def _is_gated(
    step: PlanStep,
    spec: AgentSpec,
    by_id: Mapping[str, PlanStep],
    checks: frozenset[str],
    scope: PlanScope,
) -> bool:
    """Say whether the agent waits for a verdict on what it is given, where it needs one."""
    inputs = step.get("inputs", ())
    if not scope.policy.gates(spec, [source.get("kind", "") for source in inputs]):
        return True
    before = checks & plan_graph.ancestors(
        step.get("step_id", ""), {name: each.get("dependencies", []) for name, each in by_id.items()}
    )
    seen = [source for name in before for source in by_id[name].get("inputs", ())]
    return bool(before or scope.judged) and all(
        source in seen or source.get("artifact_id") in scope.judged
        for source in inputs
        if scope.policy.must_be_judged(spec, source.get("kind", ""))
    )


def _ids(steps: Sequence[PlanStep], problems: Problems) -> None:
    seen: set[str] = set()
    for step in steps:
        step_id = step.get("step_id", "")
        if step_id in seen:
            problems.add("duplicate_step", step_id)
        seen.add(step_id)


def _graph(by_id: Mapping[str, PlanStep], problems: Problems) -> None:
    needs = {step_id: step.get("dependencies", []) for step_id, step in by_id.items()}
    for step_id, before in needs.items():
        for name in before:
            if name not in needs:
                problems.add("unknown_step", step_id, name)
    waiting = plan_graph.in_cycles(needs)
    if waiting:
        problems.add("cycle", "", listed(waiting))


def _order(plan: PlanningState, by_id: Mapping[str, PlanStep], problems: Problems) -> None:
    """Check that the plan's order is possible, or something else would run than was shown."""
    place = {name: number for number, name in enumerate(plan.get("priority_order", ()))}
    for name in place:
        if name not in by_id:
            problems.add("order_unknown", "", name)
    for step_id, step in by_id.items():
        if step_id in place:
            for before in step.get("dependencies", ()):
                if before in by_id and place.get(before, -1) > place[step_id]:
                    problems.add("order_against_need", step_id, before)


def _fallbacks(
    plan: PlanningState, by_id: Mapping[str, PlanStep], problems: Problems
) -> dict[str, list[str]]:
    """Map each step to the agents that may take it over: judged as the step's own agent is."""
    found: dict[str, list[str]] = {}
    for fallback in plan.get("fallback_plans", ()):
        step_id = fallback.get("for_step", "")
        if step_id in by_id:
            found.setdefault(step_id, []).append(fallback.get("replace_with", ""))
        else:
            problems.add("fallback_unknown_step", "", step_id)
    return found


def _agents(
    step: PlanStep,
    fallbacks: Sequence[str],
    scope: PlanScope,
    language: str,
    problems: Problems,
    *,
    asked_for: bool,
) -> None:
    """Check a step's agents. Where a step only makes something for another, a fallback is judged by what it makes alone."""
    step_id, own = step.get("step_id", ""), step.get("agents", ())
    if not step.get("agents"):
        problems.add("no_agent", step_id)
    seen: set[str] = set()
    for name in (*own, *fallbacks):
        spec = scope.agents.get(name)
        if name in seen:
            problems.add("repeated_agent", step_id, name)
        elif spec is None:
            problems.add("forbidden_agent" if name in scope.forbidden else "unknown_agent", step_id, name)
        else:
            by_result = name not in own and not asked_for and bool(step.get("produces"))
            _fitness(step, spec, scope, problems, able=not by_result)
            for misfit in misfits(spec, step.get("params", {}), language):
                problems.add("bad_params", step_id, misfit.parameter, agent=name, why=misfit.why)
        seen.add(name)


def _fitness(step: PlanStep, spec: AgentSpec, scope: PlanScope, problems: Problems, *, able: bool) -> None:
    """Check that this agent can do what the step says, from what the step is given, for this person."""
    step_id, capability = step.get("step_id", ""), step.get("capability", "")
    if able and not any(known.name == capability for known in spec.capabilities):
        problems.add("wrong_capability", step_id, capability, agent=spec.name)
    for permission in spec.permissions:
        if scope.granted is not None and permission not in scope.granted:
            problems.add("missing_permission", step_id, permission)
    for kind in step.get("produces", ()):
        if kind not in spec.produces:
            problems.add("not_produced", step_id, kind, agent=spec.name)
    if spec.consumes:
        for kinds in spec.lacking([source.get("kind", "") for source in step.get("inputs", ())]):
            problems.add("missing_input", step_id, kinds)


def _ranges(step: PlanStep, problems: Problems) -> None:
    if step.get("checkpoint") is False:
        problems.add("not_checkpointed", step.get("step_id", ""), False)
    timeout, retries = step.get("timeout", 1.0), step.get("retry_count", 0)
    if not 0 < timeout <= MAX_TIMEOUT:
        problems.add("timeout_range", step.get("step_id", ""), timeout, most=MAX_TIMEOUT)
    if not 0 <= retries <= MAX_RETRIES:
        problems.add("retry_range", step.get("step_id", ""), retries, most=MAX_RETRIES)


def _inputs(step: PlanStep, by_id: Mapping[str, PlanStep], scope: PlanScope, problems: Problems) -> None:
    step_id = step.get("step_id", "")
    for source in step.get("inputs", ()):
        kind, maker = source.get("kind", ""), source.get("from_step")
        if maker is None:
            if scope.artifact_kinds.get(source.get("artifact_id", "")) != kind:
                problems.add("unknown_artifact", step_id, source.get("artifact_id"))
        elif maker not in step.get("dependencies", ()):
            problems.add("not_a_dependency", step_id, maker)
        elif kind not in by_id.get(maker, {}).get("produces", ()):
            problems.add("type_mismatch", step_id, kind)


def _budget(plan: PlanningState, scope: PlanScope, problems: Problems) -> None:
    steps = plan.get("execution_plan", [])
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
        if not value <= most:
            problems.add("over_budget", "", value, what=what, most=most)
