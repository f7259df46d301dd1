"""The planner: from a question to a DAG of steps, by chaining backwards over what agents declare. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaagent.global_state import FallbackPlan, PlanningState, PlanStep, StepInput
from metaagent.level1.planning import shape
from metaagent.level1.planning.contingency import ANY, usual_triggers
from metaagent.level1.planning.gate import NOTHING_REQUIRED, UNGATED, VERDICT, GatePolicy
from metaagent.level1.planning.params import accepts
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef, TrackRecord


@dataclass(frozen=True)
class PlanRequest:
    analysis: Mapping[str, Any]
    agents: Sequence[AgentSpec]
    artifacts: Sequence[ArtifactRef] = ()
    """The session's artifacts from earlier turns."""
    made: Sequence[ArtifactRef] = ()
    """Artifacts that this turn made already, under an earlier version of the plan."""
    achieved: frozenset[str] = frozenset()
    """Capabilities that an earlier version of the plan has served."""
    first_number: int = 1
    records: Mapping[str, TrackRecord] = field(default_factory=dict[str, TrackRecord])
    version: int = 1
    excluded: frozenset[str] = frozenset()
    language: str = "en"
    policy: GatePolicy = NOTHING_REQUIRED
    judged: frozenset[str] = frozenset()
    """Ids of the artifacts that a verdict of this turn is about."""


@dataclass
class _Draft:
    """The plan while it grows. Steps are keyed by agent: an agent appears once."""

    request: PlanRequest
    steps: dict[str, PlanStep] = field(default_factory=dict[str, PlanStep])
    fallbacks: list[FallbackPlan] = field(default_factory=list[FallbackPlan])
    unmet: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    fresh_kinds: frozenset[str] = frozenset()
    required: list[str] = field(default_factory=list[str])
    """Steps that parts need which are wanted in any case."""
    chosen: frozenset[str] = frozenset()
    """The first choices for what was asked: they run anyway, so what they make costs nothing more."""
    after: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Steps that one waits for without taking anything from them: the checks before it."""

    def needs(self, name: str) -> set[str]:
        """The steps that this one waits for."""
        makers = {
            source["from_step"] for source in self.steps[name].get("inputs", ()) if "from_step" in source
        }
        return makers | self.after.get(name, set())


def make_plan(request: PlanRequest) -> PlanningState:
    """The plan for what the analysis requires; what nobody can do is listed in `unmet`."""
    required: list[str] = list(request.analysis.get("required_capabilities") or ())
    wanted = [name for name in required if name not in request.achieved]
    draft = _Draft(request)
    blocked: list[str] = list(request.analysis.get("infeasible_capabilities") or ())
    optional: list[str] = list(request.analysis.get("optional_capabilities") or ())

    def leave_out(name: str, reason: str) -> None:
        more = {"optional": True} if name in optional else {}
        draft.unmet.append({"capability": name, "reason": reason, **more})

    for name in wanted:
        if name in blocked:
            leave_out(name, "not_feasible")
    choices = {name: _ranked(request, capability=name) for name in wanted if name not in blocked}
    made_new = (kind for agents in choices.values() for a in agents[:1] for kind in a.produces)
    draft.fresh_kinds = frozenset({*made_new, *(request.analysis.get("requested_kinds") or ())})
    draft.chosen = frozenset(agents[0].name for agents in choices.values() if agents)
    for name, agents in choices.items():
        step = _add(draft, agents, name, ())
        if step is None:
            # Nobody can do it, or only such agents that must be given parameters.
            able = any(_can(spec, name) and spec.name not in request.excluded for spec in request.agents)
            leave_out(name, "no_input" if agents else "no_params" if able else "no_agent")
        elif name not in optional:
            draft.required.append(step)
    for kind in request.analysis.get("requested_kinds") or ():
        _add_kind(draft, kind)
    _mark_optional(draft)
    return _finished(draft)


def _add_kind(draft: _Draft, kind: str) -> None:
    """Somebody who makes what is asked for, unless it is made anyway."""
    planned = (made for step in draft.steps.values() for made in step.get("produces", ()))
    if kind in planned or any(ref.kind == kind for ref in draft.request.made):
        return
    makers, optional = _makers(draft, kind), kind in (draft.request.analysis.get("optional_kinds") or ())
    step = _add(draft, makers, "", ())
    if step is None:
        more = {"optional": True} if optional else {}
        draft.unmet.append({"capability": kind, "reason": "no_input" if makers else "no_agent", **more})
    elif not optional:
        draft.required.append(step)


def _ranked(request: PlanRequest, *, capability: str = "", kind: str = "") -> list[AgentSpec]:
    """Rank the agents that can do it, the best first: success and quality in this deployment, then declared cost."""

    def merit(spec: AgentSpec) -> tuple[float, float, float, str]:
        record = request.records.get(spec.name, TrackRecord())
        return (-round(record.success_rate, 1), -round(record.quality, 1), spec.cost, spec.name)

    able = [
        spec
        for spec in request.agents
        if spec.name not in request.excluded
        and (kind in spec.produces if kind else _can(spec, capability))
        and accepts(spec, {})  # a plan gives no parameters by itself
    ]
    return sorted(able, key=merit)


def _can(spec: AgentSpec, capability: str) -> bool:
    return any(known.name == capability for known in spec.capabilities)


def _add(
    draft: _Draft, agents: Sequence[AgentSpec], capability: str, wanted_by: tuple[str, ...]
) -> str | None:
    """Add a step for the first of the agents whose inputs can be had, and say which; the others become fallbacks."""
    for position, spec in enumerate(agents):
        if spec.name in draft.steps:
            return spec.name
        if spec.name in wanted_by:
            continue
        before = dict(draft.steps), list(draft.fallbacks)
        inputs = _inputs(draft, spec, (*wanted_by, spec.name))
        if inputs is None:
            # Nothing is made for an agent that cannot run.
            draft.steps, draft.fallbacks = before
            continue
        draft.steps[spec.name] = _step(draft.request, spec, capability, inputs)
        _add_fallbacks(draft, spec, agents[position + 1 :])
        return spec.name
    return None


def _inputs(draft: _Draft, spec: AgentSpec, wanted_by: tuple[str, ...]) -> list[StepInput] | None:
    inputs: list[StepInput] = []
    for kinds in spec.required_kinds:
        source = _one_of(draft, kinds, wanted_by)
        if source is None:
            return None
        inputs.append(source)
    return inputs


def _one_of(draft: _Draft, kinds: Sequence[str], wanted_by: tuple[str, ...]) -> StepInput | None:
    """The source of one of these kinds: of one that this question asks for, else of one that is there, else of one that
    somebody makes; in the order in which the agent names them."""
    asked_for = [kind for kind in kinds if kind in draft.fresh_kinds]
    for kind in asked_for:
        source = _existing(draft, kind) or _made(draft, kind, wanted_by)
        if source is not None:
            return source
    others = [kind for kind in kinds if kind not in asked_for]
    there = (source for kind in others if (source := _existing(draft, kind)) is not None)
    made = (source for kind in others if (source := _made(draft, kind, wanted_by)) is not None)
    return next(there, None) or next(made, None)


def _made(draft: _Draft, kind: str, wanted_by: tuple[str, ...]) -> StepInput | None:
    maker = _add(draft, _makers(draft, kind), "", wanted_by)
    return None if maker is None else StepInput(kind=kind, from_step=maker)


def _existing(draft: _Draft, kind: str) -> StepInput | None:
    """An artifact of this turn, or of the session unless this very question asks for a new one of its kind, or means
    other data. One that the question points at is meant in any case."""
    analysis = draft.request.analysis
    pointed: list[str] = list((analysis.get("resolved") or {}).get("artifacts") or ())
    earlier = () if kind in draft.fresh_kinds else draft.request.artifacts
    if not analysis.get("same_data", True):
        earlier = [ref for ref in earlier if ref.id in pointed]
    found = [ref for ref in (*earlier, *draft.request.made) if ref.kind == kind]
    return {"kind": kind, "artifact_id": found[-1].id} if found else None


def _makers(draft: _Draft, kind: str) -> list[AgentSpec]:
    """Rank the agents that make this kind; one that runs anyway comes first."""
    ranked = _ranked(draft.request, kind=kind)
    return sorted(ranked, key=lambda spec: spec.name not in draft.chosen and spec.name not in draft.steps)


def _step(request: PlanRequest, spec: AgentSpec, capability: str, inputs: list[StepInput]) -> PlanStep:
    return {
        "step_id": spec.name,
        "agents": [spec.name],
        "capability": capability or spec.capabilities[0].name,
        "task": spec.description.say(request.language),
        "params": {},
        "parallel": True,
        "timeout": spec.timeout,
        "retry_count": spec.retries,
        "dependencies": [],
        "checkpoint": True,
        "inputs": inputs,
        "produces": list(spec.produces),
        "optional": False,
    }


def _add_fallbacks(draft: _Draft, spec: AgentSpec, others: Sequence[AgentSpec]) -> None:
    """Add as fallbacks the agents that make all that the first one would have made, from no more than it was given, and
    can do the same where that was asked for: of what is made for another step, only the result counts."""
    capability = draft.steps[spec.name].get("capability", "")
    given = [source.get("kind", "") for source in draft.steps[spec.name].get("inputs", ())]
    asked_for = capability in (draft.request.analysis.get("required_capabilities") or ())
    for other in others:
        if (
            (_can(other, capability) or not asked_for)
            and set(spec.produces) <= set(other.produces)
            and not other.lacking(given)
        ):
            draft.fallbacks.append({"for_step": spec.name, "trigger": ANY, "replace_with": other.name})


def _mark_optional(draft: _Draft) -> None:
    """A step is optional if nothing that is wanted in any case needs it."""
    needed: set[str] = set()
    open_still = list(draft.required)
    while open_still:
        name = open_still.pop()
        if name not in needed:
            needed.add(name)
            inputs = draft.steps[name].get("inputs", ())
            open_still += [source["from_step"] for source in inputs if "from_step" in source]
    for name, step in draft.steps.items():
        step["optional"] = name not in needed


def _link_optional(draft: _Draft) -> None:
    """Optional inputs join where they cost nothing: made in this plan anyway, and no cycle."""
    specs = {spec.name: spec for spec in draft.request.agents}
    # Checks first: they judge what others make, and are not to be a source of it.
    ordered = sorted(draft.steps.items(), key=lambda item: VERDICT not in item[1].get("produces", ()))
    for name, step in ordered:
        for kind in specs[name].optional_kinds:
            makers = [n for n, s in draft.steps.items() if n != name and kind in s.get("produces", ())]
            source: StepInput | None = (
                {"kind": kind, "from_step": makers[0]} if makers else _existing(draft, kind)
            )
            if source is not None and not (makers and _reaches(draft, makers[0], name)):
                step.setdefault("inputs", []).append(source)


def _reaches(draft: _Draft, start: str, goal: str) -> bool:
    needs = draft.needs(start)
    return goal in needs or any(_reaches(draft, need, goal) for need in needs)


def _put_behind_checks(draft: _Draft) -> None:
    """Let each step that needs a verdict wait for a check of what it is given. One that cannot be judged is left out."""
    specs = {spec.name: spec for spec in draft.request.agents}
    policy = draft.request.policy
    gated: set[str] = set()
    for name in list(draft.steps):
        if name not in draft.steps or not policy.gates(specs[name], _kinds(draft.steps[name])):
            continue
        gated.add(name)
        if not _is_behind_check(draft, specs[name], specs):
            _leave_out(draft, name, UNGATED, specs)
    draft.fallbacks = [
        fallback
        for fallback in draft.fallbacks
        if (step := draft.steps.get(fallback.get("for_step", ""))) is not None
        and (
            fallback.get("for_step") in gated
            or not policy.gates(specs[fallback.get("replace_with", "")], _kinds(step))
        )
    ]


def _is_behind_check(draft: _Draft, spec: AgentSpec, specs: Mapping[str, AgentSpec]) -> bool:
    request, step = draft.request, draft.steps[spec.name]
    sources = [
        source
        for source in step.get("inputs", ())
        if request.policy.must_be_judged(spec, source.get("kind", ""))
        and source.get("artifact_id") not in request.judged
    ]
    if request.judged and not sources:
        return True
    check = _check_of(draft, spec.name, sources, specs)
    if check is None:
        return False
    draft.after.setdefault(spec.name, set()).add(check)
    if not step.get("optional"):
        draft.steps[check]["optional"] = False
    return True


def _check_of(
    draft: _Draft, name: str, sources: Sequence[StepInput], specs: Mapping[str, AgentSpec]
) -> str | None:
    """The step that judges these inputs of another: one that is there is given them, too."""
    kinds = {source.get("kind", "") for source in sources}
    for check, step in draft.steps.items():
        known = step.get("inputs", [])
        more = [source for source in sources if source not in known]
        if (
            VERDICT in step.get("produces", ())
            and check != name
            and kinds <= specs[check].taken_kinds
            and not any(_waits_for(draft, source.get("from_step"), check) for source in more)
            and not _reaches(draft, check, name)
        ):
            step["inputs"] = [*known, *more]
            return check
    others = [spec for spec in _ranked(draft.request, kind=VERDICT) if spec.name not in draft.steps]
    for place, spec in enumerate(others):
        if sources and kinds <= spec.taken_kinds and not spec.lacking(kinds):
            draft.steps[spec.name] = _step(draft.request, spec, "", list(sources))
            draft.steps[spec.name]["optional"] = bool(draft.steps[name].get("optional"))
            _add_fallbacks(draft, spec, others[place + 1 :])
            return spec.name
    return None


def _waits_for(draft: _Draft, start: str | None, goal: str) -> bool:
    return start is not None and (start == goal or _reaches(draft, start, goal))


def _kinds(step: PlanStep) -> list[str]:
    return [source.get("kind", "") for source in step.get("inputs", ())]


def _leave_out(draft: _Draft, name: str, reason: str, specs: Mapping[str, AgentSpec]) -> None:
    """Take a step out of the plan, with those that cannot do without what it makes."""
    gone = draft.steps.pop(name)
    more = {"optional": True} if gone.get("optional") else {}
    draft.unmet.append({"capability": gone.get("capability", ""), "reason": reason, **more})
    for other, step in list(draft.steps.items()):
        left = [source for source in step.get("inputs", ()) if source.get("from_step") != name]
        if other in draft.steps and len(left) < len(step.get("inputs", ())):
            step["inputs"] = left
            if specs[other].lacking([source.get("kind", "") for source in left]):
                _leave_out(draft, other, "no_input", specs)
    for others in draft.after.values():
        others.discard(name)


def _finished(draft: _Draft) -> PlanningState:
    _link_optional(draft)
    _put_behind_checks(draft)
    needs = {name: sorted(draft.needs(name)) for name in draft.steps}
    order = shape.topological(needs) or []
    ids = {name: f"s{number}" for number, name in enumerate(order, draft.request.first_number)}
    beside = shape.side_by_side(needs)
    steps = [_renamed(draft.steps[name], ids, needs[name], parallel=name in beside) for name in order]
    fallbacks: list[FallbackPlan] = [
        {**plan, "for_step": ids[plan.get("for_step", "")]} for plan in draft.fallbacks
    ]
    return describe_plan(steps, fallbacks, request=draft.request, unmet=draft.unmet)


def _renamed(step: PlanStep, ids: Mapping[str, str], needs: Sequence[str], *, parallel: bool) -> PlanStep:
    inputs: list[StepInput] = [
        {**i, "from_step": ids[i["from_step"]]} if "from_step" in i else i for i in step.get("inputs", ())
    ]
    renamed = PlanStep(**step)
    renamed["step_id"] = ids[step.get("step_id", "")]
    renamed["dependencies"] = [ids[need] for need in needs]
    renamed["inputs"] = inputs
    renamed["parallel"] = parallel
    return renamed


def describe_plan(
    steps: list[PlanStep],
    fallbacks: list[FallbackPlan],
    *,
    request: PlanRequest,
    unmet: list[dict[str, Any]],
) -> PlanningState:
    """Everything about a plan that follows from its steps."""
    needs = {step.get("step_id", ""): step.get("dependencies", []) for step in steps}
    specs = {spec.name: spec for spec in request.agents}
    used = [specs[name] for step in steps for name in step.get("agents", ())[:1] if name in specs]
    seconds = {
        step.get("step_id", ""): _seconds(spec, request.records)
        for step, spec in zip(steps, used, strict=True)
    }
    width = max((len(group) for group in shape.parallel_groups(needs)), default=1)
    return {
        "analyzed_query": {
            "query": request.analysis.get("raw_query", ""),
            "required_capabilities": list(request.analysis.get("required_capabilities") or ()),
            "requested_kinds": list(request.analysis.get("requested_kinds") or ()),
        },
        "execution_plan": steps,
        "task_dependencies": needs,
        "dependency_graph": {
            "nodes": shape.graph_of(needs)["nodes"],
            "edges": shape.graph_of(needs)["edges"],
        },
        "resource_requirements": {
            "cpu_cores": width if steps else 0,
            "memory_gb": round(sum(sorted((spec.memory_gb for spec in used), reverse=True)[:width]), 3),
            "api_calls": sum("llm" in spec.needs for spec in used),
            "db_connections": min(width, sum("db" in spec.needs for spec in used)),
        },
        "estimated_steps": len(steps),
        "estimated_total_time": round(shape.critical_path(needs, seconds), 3),
        "priority_order": shape.priority_order(needs, seconds),
        "parallel_opportunities": shape.parallel_groups(needs),
        "execution_strategy": shape.strategy(needs),
        "fallback_plans": fallbacks,
        "contingency_triggers": usual_triggers(),
        "plan_validated": False,
        "validation_errors": [],
        "plan_version": request.version,
        "reanalysis_may_help": False,
        "unmet": unmet,
    }


def _seconds(spec: AgentSpec, records: Mapping[str, TrackRecord]) -> float:
    measured = records.get(spec.name, TrackRecord()).seconds
    return spec.seconds if measured is None else measured
