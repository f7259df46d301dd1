"""Plans that nobody vouches for: whatever is in them, every problem is named and nothing breaks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import TypedDict

from metaagent.level1.planning import PlanRequest, PlanScope, make_plan, plan_graph, validate_plan
from metaagent.level1.planning.problems import TEXTS
from metaagent.plugin import AgentSpec
from tests.support.execution_world import Size, make_agent
from tests.support.states import nested, oddities, plain, tried

SPECS = (
    make_agent("source", makes=["data"]),
    make_agent("other", does="source", makes=["data", "more"]),
    make_agent("less", does="source", makes=["little"]),
    make_agent("hungry", does="source", makes=["data"], takes=["seed"]),
    make_agent("chart", makes=["picture"], takes=["data"], params=Size),
    make_agent("secret", does="source", makes=["data"], permissions=["vault"]),
)
SCOPE = PlanScope(
    {spec.name: spec for spec in SPECS}, forbidden=frozenset({"foreign"}), granted=frozenset({"read"})
)


def step(step_id: Any = "s1", **fields: Any) -> dict[str, Any]:
    return {"step_id": step_id, "agents": ["source"], "capability": "source", "produces": ["data"], **fields}


def chart(**fields: Any) -> dict[str, Any]:
    takes = {"dependencies": ["s1"], "inputs": [{"kind": "data", "from_step": "s1"}]}
    own = {"agents": ["chart"], "capability": "chart", "produces": ["picture"]}
    return step("s2", **{**own, **takes, **fields})


def found_in(plan: object) -> list[dict[str, Any]]:
    """The problems; what is said of them can be stored and differs by language."""
    found, korean = validate_plan(plan, SCOPE), validate_plan(plan, SCOPE, "ko")
    assert [p["code"] for p in found] == [p["code"] for p in korean]
    for problem, other in zip(found, korean, strict=True):
        assert problem["text"] != other["text"]
        assert problem["step"] in problem["text"]
        assert problem["step"] in other["text"]
    orjson.dumps(found)
    return found


def codes(*steps: object, **plan: Any) -> list[tuple[str, Any]]:
    return [(p["code"], p["value"]) for p in found_in({"execution_plan": list(steps), **plan})]


def test_the_plan_that_is_attacked_here_is_good() -> None:
    assert codes(step(), chart(params={"width": 4, "mode": "narrow"})) == []
    assert codes() == []
    assert found_in({}) == found_in({"execution_plan": None, "fallback_plans": None}) == []


@pytest.mark.parametrize(
    ("fields", "field", "shown"),
    [
        ({"timeout": "abc"}, "timeout", "abc"),
        ({"timeout": True}, "timeout", True),
        ({"timeout": None}, "timeout", None),
        ({"retry_count": 1.5}, "retry_count", 1.5),
        ({"retry_count": False}, "retry_count", False),
        ({"dependencies": "s1"}, "dependencies", "s1"),
        ({"dependencies": [["s1"]]}, "dependencies", "list"),
        ({"dependencies": {"s1": 1}}, "dependencies", "dict"),
        ({"inputs": {"kind": "data"}}, "inputs", "dict"),
        ({"inputs": ["data"]}, "inputs", "data"),
        ({"inputs": [{"kind": "data", "from_step": None, "artifact_id": "a1"}]}, "from_step", None),
        ({"params": [1]}, "params", "list"),
        ({"params": None}, "params", None),
        ({"produces": "data"}, "produces", "data"),
        ({"capability": 7}, "capability", 7),
        ({"agents": "source"}, "agents", "source"),
        ({"task": ["x"]}, "task", "list"),
        ({"optional": "no"}, "optional", "no"),
    ],
)
def test_a_field_of_the_wrong_type_is_named_with_its_value(
    fields: dict[str, Any], field: str, shown: Any
) -> None:
    found = [p for p in found_in({"execution_plan": [step(**fields)]}) if p["code"] == "wrong_type"]
    assert [(p["step"], p["field"], p["value"]) for p in found] == [("s1", field, shown)]
    assert field in found[0]["text"]


@pytest.mark.parametrize("timeout", [math.nan, math.inf, -math.inf, 10**400, -1, 0])
def test_a_timeout_that_is_no_usable_number_is_out_of_range(timeout: float) -> None:
    assert [code for code, _ in codes(step(timeout=timeout)) if code != "not_plain"] == ["timeout_range"]


@pytest.mark.parametrize(
    "bad", ["", None, 7, ["s1"], "단계1", "s 1", "\ud800", "x" * 65, "a:b", "../s1", "s1\n"]
)
def test_a_step_id_that_cannot_be_kept_is_named_by_its_place(bad: Any) -> None:
    found = [p for p in found_in({"execution_plan": [step(), step(bad)]}) if p["code"] != "not_plain"]
    assert [(p["code"], p["step"]) for p in found] == [("bad_step_id", "#2")]


@pytest.mark.parametrize("bad", [None, 7, "s1", [], ["step_id"]])
def test_a_step_that_is_no_map_is_named(bad: Any) -> None:
    assert ("wrong_type", bad if not isinstance(bad, list) else "list") in codes(step(), bad)


@pytest.mark.parametrize(
    "plan", [None, [], "plan", 3, {"execution_plan": "s1"}, {"execution_plan": {"s1": {}}}]
)
def test_value_that_is_no_plan_is_named(plan: object) -> None:
    assert [p["code"] for p in found_in(plan)] == ["wrong_type"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"produces": ["data", "gold"]}, ("not_produced", "gold")),
        ({"capability": "chart"}, ("wrong_capability", "chart")),
        ({"capability": ""}, ("wrong_capability", "")),
        ({"dependencies": ["s1"]}, ("cycle", "s1")),
        ({"agents": ["source", "source"]}, ("repeated_agent", "source")),
        ({"agents": ["source", "less"]}, ("not_produced", "data")),
        ({"agents": ["source", "ghost"]}, ("unknown_agent", "ghost")),
    ],
)
def test_a_step_that_its_agents_cannot_do_is_named(fields: dict[str, Any], problem: tuple[str, Any]) -> None:
    assert codes(step(**fields)) == [problem]


# --- parameters ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "parameter", "why", "korean"),
    [
        ({"width": "abc"}, "width", "must be a whole number", "정수"),
        ({"width": 1.5}, "width", "must be a whole number", "정수"),
        ({"width": None}, "width", "must be a whole number", "정수"),
        ({"mode": "tall"}, "mode", "must be 'wide' or 'narrow'", "'wide' or 'narrow'"),
        ({"widht": 4}, "widht", "is no parameter of it (it takes width, mode)", "없는 매개변수"),
    ],
)
def test_wrong_parameters_are_named_before_anything_runs(
    params: dict[str, Any], parameter: str, why: str, korean: str
) -> None:
    plan = {"execution_plan": [step(), chart(params=params)]}
    (found,) = found_in(plan)
    assert (found["code"], found["step"], found["value"], found["why"]) == (
        "bad_params",
        "s2",
        parameter,
        why,
    )
    (told,) = validate_plan(plan, SCOPE, "ko")
    assert parameter in told["text"]
    assert korean in told["text"]


class Bounded(pydantic.BaseModel):
    count: int = pydantic.Field(default=1, ge=1, le=9)
    name: str = pydantic.Field(default="x", min_length=1, max_length=3)
    since: str = pydantic.Field(default="2025", pattern=r"\d{4}")
    marks: list[float] = []


class Open(pydantic.BaseModel):
    model_config = {"extra": "allow"}


class Named(TypedDict, total=False):
    width: int


class Hostile(pydantic.BaseModel):
    width: int = 0

    @pydantic.field_validator("width")
    @classmethod
    def _explode(cls, value: int) -> int:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("declared", "params", "wrong"),
    [
        (
            Bounded,
            {"count": 0, "name": "", "since": "x", "marks": ["a", 1]},
            ["count", "name", "since", "marks.0"],
        ),
        (Bounded, {"count": 10, "name": "long", "marks": {}}, ["count", "name", "marks"]),
        (Bounded, {"count": 9}, []),
        (Open, {"anything": 1}, []),
        (Named, {"width": 1}, []),
        (Named, {"widht": 1}, ["widht"]),
        (dict[str, int], {"x": 1}, []),
        (dict[str, int], {"x": "y"}, ["x"]),
        (Hostile, {"width": 1}, ["params"]),
        (object(), {"width": 1}, ["params"]),
        (None, {"x": object}, []),
    ],
)
def test_parameters_of_any_declared_type_are_checked(
    declared: Any, params: dict[str, Any], wrong: list[str]
) -> None:
    scope = PlanScope({"a": make_agent("a", params=declared)})
    plan = {"execution_plan": [{"step_id": "s1", "agents": ["a"], "capability": "a", "params": params}]}
    for language in ("en", "ko"):
        found = [p for p in validate_plan(plan, scope, language) if p["code"] == "bad_params"]
        assert [p["value"] for p in found] == wrong
        assert all(p["why"] for p in found)


class Required(pydantic.BaseModel):
    width: int


def test_agent_with_required_parameters_is_not_planned_without() -> None:
    strict = make_agent("strict", does="job", params=Required, makes=["thing"])
    plan = make_plan(PlanRequest({"required_capabilities": ["job"]}, [strict]))
    assert plan.get("execution_plan") == []
    assert plan.get("unmet") == [{"capability": "job", "reason": "no_params"}]

    def fill(_: Mapping[str, Any]) -> dict[str, Any]:
        return {"width": 3}

    filled = replace(strict, fill=fill)
    (step,) = make_plan(PlanRequest({"required_capabilities": ["job"]}, [filled])).get("execution_plan", [])
    assert step.get("params") == {"width": 3}
    easy = make_agent("easy", does="job", makes=["thing"], cost=9.0)
    plan = make_plan(PlanRequest({"required_capabilities": ["job"]}, [strict, easy]))
    assert [s.get("agents") for s in plan.get("execution_plan", [])] == [["easy"]]
    assert plan.get("fallback_plans") == []


# --- fallbacks and order ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fallback", "problem"),
    [
        ({"for_step": "s1", "replace_with": "other"}, None),
        ({"for_step": "s9", "replace_with": "other"}, ("fallback_unknown_step", "s9")),
        ({"replace_with": "other"}, ("fallback_unknown_step", "")),
        ({"for_step": "s1", "replace_with": "ghost"}, ("unknown_agent", "ghost")),
        ({"for_step": "s1"}, ("unknown_agent", "")),
        ({"for_step": "s1", "replace_with": "foreign"}, ("forbidden_agent", "foreign")),
        ({"for_step": "s1", "replace_with": "secret"}, ("missing_permission", "vault")),
        ({"for_step": "s1", "replace_with": "less"}, ("not_produced", "data")),
        ({"for_step": "s1", "replace_with": "hungry"}, ("missing_input", "seed")),
        ({"for_step": "s1", "replace_with": "source"}, ("repeated_agent", "source")),
        ({"for_step": "s1", "replace_with": ["other"]}, ("wrong_type", "list")),
        ("other", ("wrong_type", "other")),
    ],
)
def test_a_fallback_is_judged_as_the_agent_that_it_replaces(fallback: Any, problem: Any) -> None:
    found = codes(step(), fallback_plans=[fallback])
    assert problem in found if problem else found == []


def test_a_fallback_that_does_something_else_is_named() -> None:
    found = codes(step(produces=[]), fallback_plans=[{"for_step": "s1", "replace_with": "chart"}])
    assert ("wrong_capability", "source") in found
    params = codes(
        step(produces=[], capability="source", params={"width": "x"}),
        fallback_plans=[{"for_step": "s1", "replace_with": "chart"}],
    )
    assert ("bad_params", "width") in params


def test_the_planner_names_no_fallback_that_would_be_refused() -> None:
    """Two agents make the same kind for different capabilities: one cannot stand in for the other where that is asked for."""
    agents = [
        make_agent("first", makes=["data"]),
        make_agent("second", makes=["data"], cost=2.0),
        make_agent("last", takes=["data"]),
    ]
    plan = make_plan(PlanRequest({"required_capabilities": ["first", "last"]}, agents))
    assert plan.get("fallback_plans") == []
    assert validate_plan(plan, PlanScope({spec.name: spec for spec in agents})) == []


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        (["s1", "s2"], None),
        (["s1"], None),
        (["s2"], None),
        ([], None),
        (["s2", "s1"], ("order_against_need", "s1")),
        (["s1", "s9", "s2"], ("order_unknown", "s9")),
        ("s1", ("wrong_type", "s1")),
        ([["s1"]], ("wrong_type", "list")),
    ],
)
def test_an_order_that_cannot_be_kept_is_named(order: Any, problem: Any) -> None:
    assert codes(step(), chart(), priority_order=order) == ([problem] if problem else [])


@pytest.mark.parametrize(
    "trigger",
    [
        None,
        "failed",
        {"trigger": "failed"},
        {"trigger": "explosion", "then": []},
        {"trigger": ["failed"], "then": []},
        {"trigger": "failed", "then": "replan"},
        {"trigger": "failed", "then": ["pray"]},
        {"trigger": "failed", "then": [["replan"], 10**15]},
        {"trigger": "low_quality", "then": ["keep"], "below": "x"},
        {"trigger": "low_quality", "then": ["keep"], "below": math.nan},
        {"trigger": "low_quality", "then": ["keep"], "below": 2},
        {"trigger": "low_quality", "then": ["keep"], "below": 10**5000},
        {"trigger": nested(5000), "then": []},
        {"trigger": 10**5000, "then": []},
        {"trigger": "failed", "then": [nested(5000)]},
    ],
)
def test_a_contingency_that_means_nothing_is_named(trigger: Any) -> None:
    found = {code for code, _ in codes(step(), contingency_triggers=[trigger])}
    assert found - {"not_plain"} == {"bad_contingency"}
    assert (
        codes(step(), contingency_triggers=[{"trigger": "low_quality", "then": ["keep"], "below": 1}]) == []
    )
    fallback = {"for_step": "s1", "replace_with": "other", "trigger": "explosion"}
    assert [code for code, _ in codes(step(), fallback_plans=[fallback])] == ["bad_contingency"]


# --- size and nesting ------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("turned", [False, True])
def test_ten_thousand_steps_in_a_row_are_judged_at_once(turned: bool) -> None:
    """A judge that looks at every step for each step would not come back from this."""
    chain = [step("s0"), *(step(f"s{n}", dependencies=[f"s{n - 1}"]) for n in range(1, 10_000))]
    chain = chain[::-1] if turned else chain
    assert codes(*chain) == [("over_budget", 10_000), ("over_budget", 10_000), ("over_budget", 10_000.0)]
    ring = [*chain, step("s10000", dependencies=["s9999"]), step("s10001", dependencies=["s10001"])]
    cycle = next(value for code, value in codes(*ring) if code == "cycle")
    assert cycle == "s10001"
    everyone = [step(f"r{n}", dependencies=[f"r{(n + 1) % 5000}"]) for n in range(5000)]
    cycle = next(value for code, value in codes(*everyone) if code == "cycle")
    assert cycle.endswith("… (5000)")
    assert len(cycle) < 100


def test_unstorable_parameter_is_named() -> None:
    circle: dict[str, Any] = {}
    circle["again"] = circle
    for params in ({"x": nested(5000)}, {"x": object()}, {"x": "\ud800"}, {"x": 10**30}, {1: 2}, circle):
        (found,) = found_in({"execution_plan": [step(params=params)]})
        assert found["code"] == "not_plain"
    assert codes(step(params={"x": nested(30)})) == []


# --- any data at all -------------------------------------------------------------------------------------

names: st.SearchStrategy[Any] = st.sampled_from(
    ["s1", "s2", "s3", "source", "other", "chart", "ghost", "foreign", "data", "picture", "", "단계"]
)


def _mixed(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Each field is missing, likely, or anything."""
    return st.fixed_dictionaries({}, optional={name: values | plain for name, values in fields.items()})


inputs = _mixed(kind=names, from_step=names, artifact_id=names)
steps = _mixed(
    step_id=st.sampled_from(["s1", "s2", "s3"]),
    agents=st.lists(names, min_size=1, max_size=2),
    capability=names,
    params=st.just({}) | st.fixed_dictionaries({"width": st.integers() | plain}),
    timeout=st.floats() | st.integers(),
    retry_count=st.integers(-1, 12),
    dependencies=st.lists(names, max_size=2),
    inputs=st.lists(inputs, max_size=2),
    produces=st.lists(names, max_size=2),
    optional=st.booleans(),
)
plans = _mixed(
    execution_plan=st.lists(steps | plain, max_size=4),
    fallback_plans=st.lists(_mixed(for_step=names, replace_with=names) | plain, max_size=2),
    priority_order=st.lists(names, max_size=3),
    contingency_triggers=st.lists(_mixed(trigger=names, then=st.lists(names)) | plain, max_size=2),
    estimated_total_time=st.floats(),
    plan_version=st.integers(),
)


@st.composite
def nearly_good_plans(draw: st.DrawFn) -> dict[str, Any]:
    """Most are good; in some, a field is set to something else."""
    among = st.lists(st.sampled_from(["s1", "s2"]), unique=True)
    bounds = {"timeout": draw(st.floats(0.1, 3700)), "retry_count": draw(st.integers(0, 11))}
    third = step(
        "s3", agents=[draw(st.sampled_from(["source", "other"]))], dependencies=draw(among), **bounds
    )
    made = [step(), third, chart(params={"width": draw(st.integers())})]
    plan: dict[str, Any] = {
        "execution_plan": draw(st.permutations(made)),
        "fallback_plans": [{"for_step": "s1", "trigger": "failed", "replace_with": "other"}],
        "priority_order": draw(st.permutations(["s1", "s2", "s3"])),
    }
    places: list[dict[str, Any]] = [*made, *plan["fallback_plans"], plan]
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        place = draw(st.sampled_from(places))
        place[draw(st.sampled_from(sorted(place)))] = draw(names | st.lists(names, max_size=2) | plain)
    return plan


@tried
@given(plans | plain | oddities)
def test_any_data_is_judged_without_breaking(plan: Any) -> None:
    assert_judged(plan)


@tried
@given(nearly_good_plans())
def test_valid_plan_can_run(plan: dict[str, Any]) -> None:
    assert_judged(plan)


def assert_judged(plan: Any) -> None:
    found = found_in(plan)
    assert all(problem["code"] in TEXTS and problem["text"] for problem in found)
    if not found:
        assert_can_run(plan)


def assert_can_run(plan: dict[str, Any]) -> None:
    known: dict[str, AgentSpec] = {spec.name: spec for spec in SPECS}
    steps_by_id = {s["step_id"]: s for s in plan.get("execution_plan") or ()}
    assert len(steps_by_id) == len(plan.get("execution_plan") or ())
    needs = {step_id: s.get("dependencies", []) for step_id, s in steps_by_id.items()}
    assert set(plan_graph.topological(needs) or ()) == set(needs)
    fallbacks: dict[str, list[str]] = {}
    for fallback in plan.get("fallback_plans") or ():
        fallbacks.setdefault(fallback["for_step"], []).append(fallback["replace_with"])
    assert fallbacks.keys() <= needs.keys()
    for step_id, one in steps_by_id.items():
        for name in (*one["agents"], *fallbacks.get(step_id, ())):
            assert set(one.get("produces", ())) <= set(known[name].produces)
            assert one["capability"] in [c.name for c in known[name].capabilities]
        assert set(one.get("dependencies", ())) <= needs.keys()
        assert 0 < one.get("timeout", 1) <= 3600
        assert 0 <= one.get("retry_count", 0) <= 10
    orjson.dumps(plan.get("execution_plan"))
