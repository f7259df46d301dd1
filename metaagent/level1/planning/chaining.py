"""The planner: from a question to a DAG of steps, by chaining backwards over what agents declare. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaagent.global_state import FallbackPlan, Json, PlanningState, PlanStep, StepInput
from metaagent.level1.planning import plan_graph
from metaagent.level1.planning.contingency import ANY, usual_triggers
from metaagent.level1.planning.gate import UNGATED, VERDICT
from metaagent.level1.planning.params import accepts
from metaagent.level1.planning.sources import PlanRequest, as_inputs, existing, newest_place, to_revise
from metaagent.monitor import NO_RECORD, TrackRecord
from metaagent.plugin import AgentSpec
from metaagent.values import mapping, sequence


@dataclass
class _Draft:
    """The plan while it grows. The first step of an agent is keyed by its name, further ones by `name#2`, `name#3`."""

    request: PlanRequest
    steps: dict[str, PlanStep] = field(default_factory=dict[str, PlanStep])
    fallbacks: list[FallbackPlan] = field(default_factory=list[FallbackPlan])
    unmet: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    fresh_kinds: frozenset[str] = frozenset()
    lost_kinds: frozenset[str] = frozenset()
    """Kinds that this question was to make, and whoever could has failed."""
    required: list[str] = field(default_factory=list[str])
    """Steps that parts need which are wanted in any case."""
    chosen: frozenset[str] = frozenset()
    """The first choices for what was asked: they run anyway, so what they make costs nothing more."""
    after: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Steps that one waits for without taking anything from them: the checks before it."""

    def copies(self, agent: str) -> list[str]:
        """The steps of an agent, one for each part of the question."""
        return [key for key in self.steps if agent_of(key) == agent]

    def spec(self, key: str) -> AgentSpec:
        name = agent_of(key)
        return next(spec for spec in self.request.agents if spec.name == name)

    def existing(self, kind: str) -> list[StepInput]:
        return as_inputs(existing(self.request, kind, kind in self.fresh_kinds))

    def lost_for(self, spec: AgentSpec) -> frozenset[str]:
        """The kinds of which this agent is given no older ones: what is ordered to be stored or checked is the changed
        document, never the version before. To others it is only material."""
        is_about_it = spec.side_effects or VERDICT in spec.produces
        return self.lost_kinds & spec.taken_kinds if is_about_it else frozenset()

    def needs(self, name: str) -> set[str]:
        """The steps that this one waits for."""
        makers = {
            source["from_step"] for source in self.steps[name].get("inputs", ()) if "from_step" in source
        }
        return makers | self.after.get(name, set())


def agent_of(key: str) -> str:
    return key.partition("#")[0]


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
    nobody_left = [name for name, agents in choices.items() if not agents]
    failed = [spec for spec in request.agents if spec.name in request.excluded]
    lost = {
        kind for spec in failed if any(_can(spec, name) for name in nobody_left) for kind in spec.produces
    }
    draft.lost_kinds = frozenset(lost - {ref.kind for ref in request.made}) - draft.fresh_kinds
    draft.chosen = frozenset(agents[0].name for agents in choices.values() if agents)
    for name, agents in choices.items():
        step = _add(draft, agents, name, ())
        if step is None:
            # Nobody can do it, or only such agents that must be given parameters.
            able = any(_can(spec, name) and spec.name not in request.excluded for spec in request.agents)
            leave_out(name, "no_input" if agents else "no_params" if able else "no_agent")
        elif name not in optional:
            draft.required += draft.copies(step)
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
        draft.required += draft.copies(step)


def _ranked(request: PlanRequest, *, capability: str = "", kind: str = "") -> list[AgentSpec]:
    """Rank the agents that can do it, the best first: success and quality in this deployment, then declared cost."""

    def merit(spec: AgentSpec) -> tuple[float, float, float, str]:
        record = request.records.get(spec.name, NO_RECORD)
        return (-round(record.success_rate, 1), -round(record.quality, 1), spec.cost, spec.name)

    able = [
        spec
        for spec in request.agents
        if spec.name not in request.excluded
        and (kind in spec.produces if kind else _can(spec, capability))
        and accepts(spec, _filled(request, spec))
    ]
    return sorted(able, key=merit)


def _filled(request: PlanRequest, spec: AgentSpec) -> Json:
    """The parameters that a plan gives by itself."""
    return spec.fill(request.analysis) if spec.fill else {}


def _can(spec: AgentSpec, capability: str) -> bool:
    return any(known.name == capability for known in spec.capabilities)


def _add(
    draft: _Draft, agents: Sequence[AgentSpec], capability: str, wanted_by: tuple[str, ...]
) -> str | None:
    """Add the steps of the first agent whose inputs can be had, one for each part of the question that it serves, and say
    whose; the others become fallbacks."""
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
        for number, part in enumerate(draft.request.parts(spec), 1):
            key = spec.name if number == 1 else f"{spec.name}#{number}"
            draft.steps[key] = _step(draft.request, spec, key, capability, list(inputs), part)
            _add_fallbacks(draft, key, agents[position + 1 :])
        return spec.name
    return None


def _inputs(draft: _Draft, spec: AgentSpec, wanted_by: tuple[str, ...]) -> list[StepInput] | None:
    inputs: list[StepInput] = []
    lost = draft.lost_for(spec)
    if lost and not spec.required_kinds and not draft.fresh_kinds & spec.taken_kinds:
        return None
    for kinds in spec.required_kinds:
        sources = _one_of(draft, kinds, wanted_by, lost)
        if not sources:
            return None
        inputs += sources
    return inputs


def _one_of(
    draft: _Draft, kinds: Sequence[str], wanted_by: tuple[str, ...], lost: frozenset[str]
) -> list[StepInput]:
    """The sources of one of these kinds: of one that this question asks for, else of the newest that is there, else what
    somebody makes. Of several kinds none is made that nobody asked for: which one is meant cannot be known."""
    asked_for = [kind for kind in kinds if kind in draft.fresh_kinds | lost]
    for kind in asked_for:
        if kind in lost:
            return []
        sources = draft.existing(kind)
        if not sources or any(ref.kind == kind for ref in draft.request.revised):
            sources = [*sources, *_made(draft, kind, wanted_by)]
        if sources:
            return sources
    others = [kind for kind in kinds if kind not in asked_for]
    there = [refs for kind in others if (refs := existing(draft.request, kind, fresh=False))]
    if there:
        return as_inputs(max(there, key=lambda refs: newest_place(draft.request, refs)))
    return _made(draft, others[0], wanted_by) if len(kinds) == 1 and others else []


def _made(draft: _Draft, kind: str, wanted_by: tuple[str, ...]) -> list[StepInput]:
    maker = _add(draft, _makers(draft, kind), "", wanted_by)
    return [] if maker is None else [StepInput(kind=kind, from_step=key) for key in draft.copies(maker)]


def _makers(draft: _Draft, kind: str) -> list[AgentSpec]:
    """Rank the agents that make this kind; one that runs anyway comes first."""
    ranked = _ranked(draft.request, kind=kind)
    return sorted(ranked, key=lambda spec: spec.name not in draft.chosen and spec.name not in draft.steps)


def _step(
    request: PlanRequest, spec: AgentSpec, key: str, capability: str, inputs: list[StepInput], part: Json
) -> PlanStep:
    step: PlanStep = {
        "step_id": key,
        "agents": [spec.name],
        "capability": capability or spec.capabilities[0].name,
        "task": spec.description.say(request.language),
        "params": _filled(request, spec),
        "parallel": True,
        "timeout": spec.timeout,
        "retry_count": spec.retries,
        "dependencies": [],
        "checkpoint": True,
        "inputs": inputs,
        "produces": list(spec.produces),
        "optional": False,
    }
    if part:
        step["part"] = part
    return step


def _add_fallbacks(draft: _Draft, key: str, others: Sequence[AgentSpec]) -> None:
    """Add as fallbacks the agents that make all that the first one would have made, from no more than it was given, and
    can do the same where that was asked for: of what is made for another step, only the result counts."""
    spec, capability = draft.spec(key), draft.steps[key].get("capability", "")
    given = [source.get("kind", "") for source in draft.steps[key].get("inputs", ())]
    asked_for = capability in (draft.request.analysis.get("required_capabilities") or ())
    for other in others:
        if (
            (_can(other, capability) or not asked_for)
            and set(spec.produces) <= set(other.produces)
            and not other.lacking(given)
            and accepts(other, draft.steps[key].get("params") or {})
        ):
            draft.fallbacks.append({"for_step": key, "trigger": ANY, "replace_with": other.name})


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
    # Checks first: they judge what others make, and are not to be a source of it.
    ordered = sorted(draft.steps.items(), key=lambda item: VERDICT not in item[1].get("produces", ()))
    for key, step in ordered:
        spec, inputs = draft.spec(key), step.setdefault("inputs", [])
        anew = to_revise(draft.request, spec)
        inputs += [source for source in as_inputs(anew) if source not in inputs]
        for kind in spec.optional_kinds:
            if kind not in {ref.kind for ref in anew}:
                inputs += _optional_sources(draft, key, kind)


def _optional_sources(draft: _Draft, key: str, kind: str) -> list[StepInput]:
    makers = [
        other
        for other, step in draft.steps.items()
        if agent_of(other) != agent_of(key)
        and kind in step.get("produces", ())
        and not _is_fed(draft, other, key)
    ]
    if not makers:
        return [] if kind in draft.lost_for(draft.spec(key)) else draft.existing(kind)
    steps = _of_same_part(draft, key, draft.copies(agent_of(makers[0])))
    return [StepInput(kind=kind, from_step=maker) for maker in steps if not _reaches(draft, maker, key)]


def _of_same_part(draft: _Draft, key: str, makers: list[str]) -> list[str]:
    """Keep those that work for the same part of the question, where parts are numbered: the figures of this report."""
    own = draft.steps[key].get("part", {}).get("number")
    numbers = {maker: draft.steps[maker].get("part", {}).get("number") for maker in makers}
    if own is None or not any(numbers.values()):
        return makers
    return [maker for maker in makers if numbers[maker] == own]


def _is_fed(draft: _Draft, key: str, source: str) -> bool:
    """Say whether a step is to be made of the results of another: a report on a check is no matter for that check."""
    sources = sequence(
        mapping(draft.request.analysis.get("fed_by")).get(draft.steps[key].get("capability", ""))
    )
    return draft.steps[source].get("capability") in sources


def _reaches(draft: _Draft, start: str, goal: str) -> bool:
    needs = draft.needs(start)
    return goal in needs or any(_reaches(draft, need, goal) for need in needs)


def _put_behind_checks(draft: _Draft) -> None:
    """Let each step that needs a verdict wait for a check of what it is given. One that cannot be judged is left out."""
    specs = {spec.name: spec for spec in draft.request.agents}
    policy = draft.request.policy
    gated: set[str] = set()
    for name in list(draft.steps):
        if name not in draft.steps or not policy.gates(draft.spec(name), _kinds(draft.steps[name])):
            continue
        gated.add(name)
        if not _is_behind_check(draft, name):
            _leave_out(draft, name, UNGATED)
    draft.fallbacks = [
        fallback
        for fallback in draft.fallbacks
        if (step := draft.steps.get(fallback.get("for_step", ""))) is not None
        and (
            fallback.get("for_step") in gated
            or not policy.gates(specs[fallback.get("replace_with", "")], _kinds(step))
        )
    ]


def _is_behind_check(draft: _Draft, key: str) -> bool:
    request, step, spec = draft.request, draft.steps[key], draft.spec(key)
    sources = [
        source
        for source in step.get("inputs", ())
        if request.policy.must_be_judged(spec, source.get("kind", ""))
        and source.get("artifact_id") not in request.judged
    ]
    if request.judged and not sources:
        return True
    check = _check_of(draft, key, sources)
    if check is None:
        return False
    draft.after.setdefault(key, set()).add(check)
    if not step.get("optional"):
        draft.steps[check]["optional"] = False
    return True


def _check_of(draft: _Draft, name: str, sources: Sequence[StepInput]) -> str | None:
    """The step that judges these inputs of another: one that is there is given them, too."""
    kinds = {source.get("kind", "") for source in sources}
    for check, step in draft.steps.items():
        known = step.get("inputs", [])
        more = [source for source in sources if source not in known]
        if (
            VERDICT in step.get("produces", ())
            and check != name
            and kinds <= draft.spec(check).taken_kinds
            and not any(_waits_for(draft, source.get("from_step"), check) for source in more)
            and not _reaches(draft, check, name)
        ):
            step["inputs"] = [*known, *more]
            return check
    ranked = _ranked(draft.request, kind=VERDICT)
    others = sorted(ranked, key=lambda spec: spec.name in draft.steps)
    for place, spec in enumerate(others):
        if sources and kinds <= spec.taken_kinds and not spec.lacking(kinds) and spec.name != agent_of(name):
            there = len(draft.copies(spec.name))
            key = f"{spec.name}#{there + 1}" if there else spec.name
            draft.steps[key] = _step(draft.request, spec, key, "", list(sources), {})
            draft.steps[key]["optional"] = bool(draft.steps[name].get("optional"))
            _add_fallbacks(draft, key, others[place + 1 :])
            return key
    return None


def _waits_for(draft: _Draft, start: str | None, goal: str) -> bool:
    return start is not None and (start == goal or _reaches(draft, start, goal))


def _kinds(step: PlanStep) -> list[str]:
    return [source.get("kind", "") for source in step.get("inputs", ())]


def _leave_out(draft: _Draft, name: str, reason: str) -> None:
    """Take a step out of the plan, with those that cannot do without what it makes."""
    gone = draft.steps.pop(name)
    more = {"optional": True} if gone.get("optional") else {}
    draft.unmet.append({"capability": gone.get("capability", ""), "reason": reason, **more})
    for other, step in list(draft.steps.items()):
        left = [source for source in step.get("inputs", ()) if source.get("from_step") != name]
        if other in draft.steps and len(left) < len(step.get("inputs", ())):
            step["inputs"] = left
            if draft.spec(other).lacking([source.get("kind", "") for source in left]):
                _leave_out(draft, other, "no_input")
    for others in draft.after.values():
        others.discard(name)


def _finished(draft: _Draft) -> PlanningState:
    _link_optional(draft)
    _put_behind_checks(draft)
    needs = {name: sorted(draft.needs(name)) for name in draft.steps}
    order = plan_graph.topological(needs) or []
    ids = {name: f"s{number}" for number, name in enumerate(order, draft.request.first_number)}
    beside = plan_graph.side_by_side(needs)
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
    groups = plan_graph.parallel_groups(needs)
    width = max(map(len, groups), default=1)
    return {
        "analyzed_query": {
            "query": request.analysis.get("raw_query", ""),
            "required_capabilities": list(request.analysis.get("required_capabilities") or ()),
            "requested_kinds": list(request.analysis.get("requested_kinds") or ()),
        },
        "execution_plan": steps,
        "task_dependencies": needs,
        "dependency_graph": plan_graph.graph_of(needs),
        "resource_requirements": {
            "cpu_cores": width if steps else 0,
            "memory_gb": round(sum(sorted((spec.memory_gb for spec in used), reverse=True)[:width]), 3),
            "api_calls": sum("llm" in spec.needs for spec in used),
            "db_connections": min(width, sum("db" in spec.needs for spec in used)),
        },
        "estimated_steps": len(steps),
        "estimated_total_time": round(plan_graph.critical_path(needs, seconds), 3),
        "priority_order": plan_graph.priority_order(needs, seconds),
        "parallel_opportunities": groups,
        "execution_strategy": plan_graph.strategy(needs),
        "fallback_plans": fallbacks,
        "contingency_triggers": usual_triggers(),
        "plan_validated": False,
        "validation_errors": [],
        "plan_version": request.version,
        "reanalysis_may_help": False,
        "unmet": unmet,
    }


def _seconds(spec: AgentSpec, records: Mapping[str, TrackRecord]) -> float:
    measured = records.get(spec.name, NO_RECORD).seconds
    return spec.seconds if measured is None else measured
