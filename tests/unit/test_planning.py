"""Plans made from declarations alone: always valid DAGs, and every problem of a foreign plan is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.global_state import PlanningState, PlanStep
from metaagent.level1.planning import (
    PlanLimits,
    PlanRequest,
    PlanScope,
    make_plan,
    plan_graph,
    validate_plan,
)
from metaagent.level1.planning.turn_plan import plan_hash
from metaagent.monitor import TrackRecord
from metaagent.plugin import AgentSpec, Context, Result, Task, agent
from metaagent.ports import ArtifactRef
from tests.support.states import tried

KINDS = ["ka", "kb", "kc", "kd", "ke"]
CAPABILITIES = ["ca", "cb", "cc", "cd"]


async def idle(_task: Task, _ctx: Context) -> Result:
    return Result("", 1.0)


def spec(name: str, makes: list[str], takes: list[str] | None = None, **options: Any) -> AgentSpec:
    declared: dict[str, Any] = {"capabilities": [name], **options}
    return agent(name=name, produces=makes, consumes=takes or [], **declared)(idle)


def ref(kind: str, number: int = 1) -> ArtifactRef:
    return ArtifactRef(f"{kind}{number}", kind, "", 1, "")


def plan_for(*wanted: str, agents: list[AgentSpec], **request: Any) -> PlanningState:
    return make_plan(PlanRequest({"required_capabilities": list(wanted)}, agents, **request))


def steps_of(plan: PlanningState) -> dict[str, PlanStep]:
    return {step.get("agents", [""])[0]: step for step in plan.get("execution_plan", [])}


# --- whatever agents declare ----------------------------------------------------------------------------


@st.composite
def declared_agents(draw: st.DrawFn) -> list[AgentSpec]:
    count = draw(st.integers(1, 7))
    some_kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True)
    consumed = st.lists(
        st.sampled_from([*KINDS, *(f"{kind}?" for kind in KINDS)]),
        max_size=3,
        unique_by=lambda kind: kind.rstrip("?"),
    )
    return [
        agent(
            name=f"a{number}",
            capabilities=draw(st.lists(st.sampled_from(CAPABILITIES), min_size=1, max_size=2, unique=True)),
            produces=draw(some_kinds),
            consumes=draw(consumed),
            cost=draw(st.sampled_from([1.0, 2.0])),
            seconds=draw(st.sampled_from([0.5, 1.0, 4.0])),
        )(idle)
        for number in range(count)
    ]


@st.composite
def requests(draw: st.DrawFn) -> PlanRequest:
    wanted = draw(st.lists(st.sampled_from([*CAPABILITIES, "unknown"]), max_size=4, unique=True))
    have = draw(st.lists(st.sampled_from(KINDS), max_size=2, unique=True))
    return PlanRequest(
        analysis={"required_capabilities": wanted},
        agents=draw(declared_agents()),
        artifacts=[ref(kind) for kind in have],
        made=[ref(kind, 2) for kind in draw(st.lists(st.sampled_from(KINDS), max_size=1))],
        achieved=frozenset(draw(st.lists(st.sampled_from(CAPABILITIES), max_size=1))),
        first_number=draw(st.integers(1, 9)),
        excluded=frozenset(draw(st.lists(st.sampled_from(["a0", "a1"]), max_size=1))),
    )


def scope_of(request: PlanRequest) -> PlanScope:
    known = {r.id: r.kind for r in (*request.artifacts, *request.made)}
    return PlanScope({spec.name: spec for spec in request.agents}, artifact_kinds=known)


@tried
@given(requests())
def test_every_plan_is_valid_and_no_step_comes_before_its_inputs(request: PlanRequest):
    plan = make_plan(request)
    assert validate_plan(plan, scope_of(request)) == []
    seen: set[str] = set()
    for step in plan.get("execution_plan", []):
        sources = {source["from_step"] for source in step.get("inputs", []) if "from_step" in source}
        assert sources == set(step.get("dependencies", [])) <= seen
        seen.add(step.get("step_id", ""))
    numbers = range(request.first_number, request.first_number + len(seen))
    assert seen == {f"s{number}" for number in numbers}


@tried
@given(requests())
def test_every_capability_is_planned_achieved_or_unmet(request: PlanRequest):
    plan = make_plan(request)
    specs = {spec.name: spec for spec in request.agents}
    used = [specs[name] for name in steps_of(plan)]
    served = {capability.name for spec in used for capability in spec.capabilities}
    unmet = {problem["capability"] for problem in plan.get("unmet", [])}
    for wanted in request.analysis["required_capabilities"]:
        assert (wanted in request.achieved) or ((wanted in served) ^ (wanted in unmet))
    assert not {spec.name for spec in used} & request.excluded


@tried
@given(requests())
def test_no_step_is_without_a_purpose(request: PlanRequest):
    plan = make_plan(request)
    feeding = {before for step in plan.get("execution_plan", []) for before in step.get("dependencies", [])}
    wanted = set(request.analysis["required_capabilities"])
    specs = {spec.name: spec for spec in request.agents}
    for name, step in steps_of(plan).items():
        serves = {capability.name for capability in specs[name].capabilities} & wanted
        assert serves or step.get("step_id") in feeding


@tried
@given(requests())
def test_plans_do_not_depend_on_installation_order(request: PlanRequest):
    turned = replace(request, agents=list(reversed(request.agents)))
    assert make_plan(request) == make_plan(turned)
    assert plan_hash(make_plan(request)) == plan_hash(make_plan(turned))


@tried
@given(requests())
def test_description_of_a_plan_follows_from_its_steps(request: PlanRequest):
    plan = make_plan(request)
    needs = plan.get("task_dependencies", {})
    assert plan.get("estimated_steps") == len(plan.get("execution_plan", [])) == len(needs)
    assert sorted(plan.get("priority_order", [])) == sorted(needs)
    depth = plan_graph.depths(needs)
    for group in plan.get("parallel_opportunities", []):
        assert len(group) > 1
        assert len({depth[step] for step in group}) == 1
    for fallback in plan.get("fallback_plans", []):
        assert fallback.get("for_step") in needs


# --- single decisions -----------------------------------------------------------------------------------


def test_a_producer_is_added_for_what_an_agent_consumes():
    plan = plan_for("draw", agents=[spec("draw", ["chart"], ["dataset"]), spec("query", ["dataset"])])
    assert [step.get("agents") for step in plan.get("execution_plan", [])] == [["query"], ["draw"]]
    assert plan.get("execution_strategy") == "sequential"


def test_session_artifact_is_reused_unless_a_new_one_is_wanted():
    agents = [spec("draw", ["chart"], ["dataset"]), spec("query", ["dataset"])]
    known = [ref("dataset", 1), ref("dataset", 2)]
    reused = plan_for("draw", agents=agents, artifacts=known)
    assert steps_of(reused)["draw"].get("inputs") == [{"kind": "dataset", "artifact_id": "dataset2"}]
    fresh = plan_for("draw", "query", agents=agents, artifacts=known)
    assert steps_of(fresh)["draw"].get("dependencies") == ["s1"]


def test_older_version_does_not_stand_in_for_a_lost_one():
    agents = [
        spec("write", ["document"], ["dataset?", "document?"]),
        spec("check", ["verdict"], ["document|dataset?"]),
        spec("store", ["stored"], ["document|dataset"], side_effects=True),
        spec("translate", ["translation"], ["document"]),
    ]
    known = [ref("dataset"), ref("document")]
    wanted = ("write", "check", "store", "translate")
    lost = plan_for(*wanted, agents=agents, artifacts=known, excluded=frozenset({"write"}))
    assert set(steps_of(lost)) == {"translate"}  # to others it is material
    reasons = {each["capability"]: each["reason"] for each in lost.get("unmet", [])}
    assert reasons == {"write": "no_agent", "check": "no_input", "store": "no_input"}
    unasked = plan_for(*wanted[1:], agents=agents, artifacts=known, excluded=frozenset({"write"}))
    assert set(steps_of(unasked)) == set(wanted[1:])
    made = [ref("document", 2)]
    again = plan_for(*wanted, agents=agents, artifacts=known, made=made, excluded=frozenset({"write"}))
    assert {"kind": "document", "artifact_id": "document2"} in steps_of(again)["store"].get("inputs", [])


def test_an_optional_input_joins_only_if_it_is_there_anyway():
    write = spec("write", ["document"], ["dataset", "chart?"])
    agents = [write, spec("draw", ["chart"], ["dataset"]), spec("query", ["dataset"])]
    assert set(steps_of(plan_for("write", agents=agents))) == {"query", "write"}
    both = steps_of(plan_for("write", "draw", agents=agents))
    assert len(both["write"].get("dependencies", [])) == 2


def test_agents_that_only_feed_each_other_are_unmet():
    agents = [spec("egg", ["eggs"], ["hens"]), spec("hen", ["hens"], ["eggs"])]
    plan = plan_for("egg", agents=agents)
    assert plan.get("unmet") == [{"capability": "egg", "reason": "no_input"}]
    assert plan.get("execution_plan") == []


def test_nothing_is_made_for_an_agent_that_cannot_run_anyway():
    agents = [spec("write", ["document"], ["dataset", "unobtainable"]), spec("query", ["dataset"])]
    plan = plan_for("write", agents=agents)
    assert plan.get("unmet") == [{"capability": "write", "reason": "no_input"}]
    assert plan.get("execution_plan") == []


def test_planned_output_is_not_made_twice():
    agents = [
        spec("cheap", ["dataset"], cost=1, capabilities=["other"]),
        spec("query", ["dataset"], cost=2),
        spec("draw", ["chart"], ["dataset"]),
    ]
    assert set(steps_of(plan_for("query", "draw", agents=agents))) == {"query", "draw"}
    assert set(steps_of(plan_for("draw", "query", agents=agents))) == {"query", "draw"}


def test_better_record_then_lower_cost_chooses_the_agent():
    one = spec("one", ["thing"], cost=1, capabilities=["work"])
    two = spec("two", ["thing"], cost=2, capabilities=["work"])
    plan = plan_for("work", agents=[one, two])
    assert list(steps_of(plan)) == ["one"]
    assert [f.get("replace_with") for f in plan.get("fallback_plans", [])] == ["two"]
    poor = {
        "one": TrackRecord(runs=20, successes=2),
        "two": TrackRecord(runs=20, successes=19, seconds_sum=9 * 19),
    }
    plan = plan_for("work", agents=[one, two], records=poor)
    assert list(steps_of(plan)) == ["two"]
    assert plan.get("estimated_total_time") == 9


def test_an_agent_that_makes_less_or_needs_more_is_no_fallback():
    agents = [
        spec("full", ["thing", "more"], cost=1, capabilities=["work"]),
        spec("less", ["thing"], cost=2, capabilities=["work"]),
        spec("needy", ["thing", "more"], ["dataset"], cost=3, capabilities=["work"]),
    ]
    assert plan_for("work", agents=agents).get("fallback_plans") == []


# --- validation -----------------------------------------------------------------------------------------

AGENTS = {
    "query": spec("query", ["dataset"]),
    "draw": spec("draw", ["chart"], ["dataset"], permissions=["charts"]),
}


def step(step_id: str, name: str = "query", **fields: Any) -> PlanStep:
    own = {"agents": [name], "capability": name, "produces": list(AGENTS[name].produces)}
    made: Any = {"step_id": step_id, **own, **fields}
    return made


TAKES = {"inputs": [{"kind": "dataset", "from_step": "s1"}], "dependencies": ["s1"]}
GOOD = [step("s1"), step("s2", "draw", **TAKES)]


def problems(steps: list[Any], **scope: Any) -> list[tuple[str, str, Any]]:
    found = validate_plan({"execution_plan": steps}, PlanScope(AGENTS, **scope))
    korean = validate_plan({"execution_plan": steps}, PlanScope(AGENTS, **scope), "ko")
    for problem, other in zip(found, korean, strict=True):
        assert problem["text"] != other["text"]
        assert problem["step"] in problem["text"]
    return [(problem["code"], problem["step"], problem["value"]) for problem in found]


def test_a_good_plan_has_no_problem():
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([step("s1", agents=["ghost"])], ("unknown_agent", "s1", "ghost")),
        ([step("s1", agents=[])], ("no_agent", "s1", None)),
        ([step("s1"), step("s1")], ("duplicate_step", "s1", None)),
        ([step("s1", dependencies=["s9"])], ("unknown_step", "s1", "s9")),
        (
            [step("s1", dependencies=["s2"]), step("s2", dependencies=["s1"]), step("s3")],
            ("cycle", "", "s1, s2"),
        ),
        ([step("s1", dependencies=["s1"])], ("cycle", "", "s1")),
        ([step("s1", "draw")], ("missing_input", "s1", "dataset")),
        (
            [*GOOD, step("s3", inputs=[{"kind": "dataset", "from_step": "s2"}], dependencies=["s2"])],
            ("type_mismatch", "s3", "dataset"),
        ),
        (
            [step("s1"), step("s2", "draw", inputs=TAKES["inputs"])],
            ("not_a_dependency", "s2", "s1"),
        ),
        (
            [step("s1", "draw", inputs=[{"kind": "dataset", "artifact_id": "a9"}])],
            ("unknown_artifact", "s1", "a9"),
        ),
        ([step("s1", timeout=0)], ("timeout_range", "s1", 0)),
        ([step("s1", timeout=1e9)], ("timeout_range", "s1", 1e9)),
        ([step("s1", retry_count=11)], ("retry_range", "s1", 11)),
        ([step("s1", retry_count=-1)], ("retry_range", "s1", -1)),
    ],
)
def test_each_problem_of_a_plan_is_named(steps: list[Any], found: tuple[str, str, Any]):
    assert problems(steps) == [found]


def test_a_permission_that_the_person_lacks_is_named():
    assert problems(GOOD, granted=frozenset()) == [("missing_permission", "s2", "charts")]
    assert problems(GOOD, granted=frozenset({"charts"})) == []


@pytest.mark.parametrize(
    ("limits", "value"), [(PlanLimits(steps=1), 2), (PlanLimits(calls=1), 2), (PlanLimits(seconds=1), 1.5)]
)
def test_a_plan_over_budget_is_named(limits: PlanLimits, value: float):
    plan: PlanningState = {"execution_plan": GOOD, "estimated_total_time": 1.5}
    (found,) = validate_plan(plan, PlanScope(AGENTS, limits=limits))
    assert (found["code"], found["value"]) == ("over_budget", value)


def test_all_problems_are_named_at_once():
    steps = [step("s1", agents=[], timeout=0), step("s1", dependencies=["s9"], retry_count=99)]
    assert {code for code, _, _ in problems(steps)} == {
        "no_agent",
        "timeout_range",
        "duplicate_step",
        "unknown_step",
        "retry_range",
    }


# --- shapes ---------------------------------------------------------------------------------------------

DIAMOND = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}


@st.composite
def dags(draw: st.DrawFn) -> dict[str, list[str]]:
    names = [f"s{number}" for number in range(draw(st.integers(0, 8)))]
    needs = {
        name: draw(st.lists(st.sampled_from(names[:place]), unique=True)) if place else []
        for place, name in enumerate(names)
    }
    order = draw(st.permutations(names))
    return {name: needs[name] for name in order}


def test_the_shape_of_a_diamond():
    seconds = {"a": 1, "b": 5, "c": 2, "d": 1}
    assert plan_graph.topological(DIAMOND) == ["a", "b", "c", "d"]
    assert plan_graph.depths(DIAMOND) == {"a": 0, "b": 1, "c": 1, "d": 2}
    assert plan_graph.critical_path(DIAMOND, seconds) == 7
    assert plan_graph.priority_order(DIAMOND, seconds) == ["a", "b", "c", "d"]
    assert plan_graph.parallel_groups(DIAMOND) == [["b", "c"]]
    assert plan_graph.strategy(DIAMOND) == "pipeline"
    assert plan_graph.graph_of(DIAMOND).get("edges") == [["a", "b"], ["a", "c"], ["b", "d"], ["c", "d"]]


@pytest.mark.parametrize(
    ("needs", "strategy"),
    [
        ({}, "sequential"),
        ({"a": []}, "sequential"),
        ({"a": [], "b": []}, "parallel"),
        ({"a": [], "b": ["a"]}, "sequential"),
    ],
)
def test_the_strategy_follows_from_the_shape(needs: dict[str, list[str]], strategy: str):
    assert plan_graph.strategy(needs) == strategy


@tried
@given(dags(), st.data())
def test_shapes_of_any_dag(needs: dict[str, list[str]], data: st.DataObject):
    seconds = {name: data.draw(st.integers(0, 9)) for name in needs}
    order = plan_graph.topological(needs)
    assert order is not None
    assert sorted(order) == sorted(needs)
    assert all(order.index(before) < order.index(name) for name in needs for before in needs[name])
    total, longest = sum(seconds.values()), max(seconds.values(), default=0)
    assert longest <= plan_graph.critical_path(needs, seconds) <= total
    tails = plan_graph.tails(needs, seconds)
    assert all(tails[before] >= seconds[before] + tails[name] for name in needs for before in needs[name])
    first = plan_graph.priority_order(needs, seconds)
    assert [tails[name] for name in first] == sorted(tails.values(), reverse=True)


@tried
@given(dags(), st.data())
def test_a_cycle_is_always_found(needs: dict[str, list[str]], data: st.DataObject):
    if not needs:
        return
    name = data.draw(st.sampled_from(sorted(needs)))
    looped = {**needs, name: [*needs[name], name]}
    assert plan_graph.topological(looped) is None
    assert plan_graph.critical_path(looped, {}) == 0
