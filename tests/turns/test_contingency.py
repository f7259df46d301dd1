"""When a step does not go well, the plan's triggers decide what follows; what another way made good is not missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaagent.audit.store import Where
from metaagent.errors import Failed
from metaagent.level1.execution_manager import attempt
from metaagent.level1.nodes import plan as planner
from metaagent.level1.planning import PlanRequest, PlanScope, make_plan, validate_plan
from metaagent.level1.planning.contingency import Contingency, usual_triggers
from metaagent.level1.planning.results import with_replacements
from metaagent.level1.planning.turn_plan import plan_hash
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeReasoner
from tests.support.execution_world import Calls, make_agent, never, opened, raising, statuses


async def poor(task: Task, ctx: Context) -> Result | None:
    return Result("hardly anything", 0.0, [Artifact("report", {})])


TROUBLES: dict[str, Any] = {"failed": raising(Failed("no")), "timeout": never, "low_quality": poor}


def planned_with(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """As if whoever wrote the plan had other ideas."""

    def wanted(request: PlanRequest) -> Any:
        planning = make_plan(request)
        for step in planning.get("fallback_plans", []):
            step["trigger"] = changes.get("trigger", step.get("trigger"))
        triggers = changes.get("contingency_triggers", planning.get("contingency_triggers"))
        return {**planning, "contingency_triggers": triggers}

    monkeypatch.setattr(planner, "make_plan", wanted)


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("allowed", [True, False], ids=["said", "unsaid"])
async def test_a_fallback_steps_in_only_where_the_plan_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str, allowed: bool
) -> None:
    triggers = usual_triggers()
    for each in triggers:
        each["then"] = ["fallback"] if each["trigger"] == trouble and allowed else []
    planned_with(monkeypatch, contingency_triggers=triggers)
    first = make_agent("first", TROUBLES[trouble], does="job", makes=["report"], timeout=0.05)
    second = make_agent("second", does="job", makes=["report"], cost=2.0)
    async with opened(tmp_path, first, second) as app:
        answer = await app.ask("job")
    expected = "completed" if trouble == "low_quality" else "failed"
    assert statuses(answer) == ({"second": "completed"} if allowed else {"first": expected})


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("trigger", TROUBLES)
async def test_a_fallback_is_for_its_own_trigger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str, trigger: str
) -> None:
    planned_with(monkeypatch, trigger=trigger)
    first = make_agent("first", TROUBLES[trouble], does="job", makes=["report"], timeout=0.05)
    second = make_agent("second", does="job", makes=["report"], cost=2.0)
    async with opened(tmp_path, first, second, limits={"replans": 0}) as app:
        answer = await app.ask("job")
    assert ("second" in statuses(answer)) == (trouble == trigger)


@pytest.mark.parametrize("allowed", [True, False], ids=["said", "unsaid"])
@pytest.mark.parametrize("trouble", TROUBLES)
async def test_another_way_is_planned_only_where_the_plan_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: str, allowed: bool
) -> None:
    triggers = usual_triggers()
    for each in triggers:
        each["then"] = ["replan"] if each["trigger"] == trouble and allowed else []
    planned_with(monkeypatch, contingency_triggers=triggers)
    async with opened(tmp_path, *two_ways(TROUBLES[trouble])) as app:
        answer = await app.ask("job")
    assert answer.content["plan"]["plan_version"] == (2 if allowed else 1)


def two_ways(first: Any, second: Any = None, calls: Calls | None = None) -> list[Any]:
    """The second is no fallback: it needs more than the first was given."""
    return [
        make_agent("first", first, does="job", makes=["report"], calls=calls, timeout=0.05),
        make_agent("helper", makes=["more"], calls=calls),
        make_agent("second", second, does="job", makes=["report"], takes=["more"], cost=2.0, calls=calls),
    ]


async def test_a_fallback_has_the_time_that_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    bounded = attempt.result_in_time

    def noted(work: Any, seconds: float, late: Any) -> Any:
        given.append(seconds)
        return bounded(work, seconds, late)

    monkeypatch.setattr(attempt, "result_in_time", noted)
    first = make_agent("first", never, does="job", makes=["report"], timeout=0.01)
    second = make_agent("second", does="job", makes=["report"], cost=2.0, timeout=7.0)
    async with opened(tmp_path, first, second) as app:
        answer = await app.ask("job")
    assert statuses(answer) == {"second": "completed"}
    assert given == [0.01, 7.0]


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_result_of_a_fallback_is_not_missing(tmp_path: Path, trouble: str) -> None:
    async with opened(tmp_path, *two_ways(TROUBLES[trouble])) as app:
        answer = await app.ask("job")
        state = await app.state(answer.session_id)
    assert (state.get("response_metadata") or {}).get("type") == "answer"
    assert state.get("progress_percentage") == 100
    assert answer.content["errors"] == []
    assert "second is done" in answer.text
    assert "second stepped in for first" in answer.text
    assert "Not done" not in answer.text
    assert "hardly anything" not in answer.text
    results = (state.get("execution_manager_state") or {}).get("final_results", {})
    assert results["s1"]["superseded_by"] == "s3", "what happened stays on record"


async def test_poor_result_is_reported_if_the_fallback_fails(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *two_ways(poor, raising(Failed("no")), calls)) as app:
        answer = await app.ask("job")
    assert calls.names == ["first", "helper", "second"]
    assert "hardly anything" in answer.text
    assert "Not done: second (no)" in answer.text


async def test_failed_fallback_agent_is_not_planned_again(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("first", raising(Failed("no")), does="job", makes=["report"], calls=calls),
        make_agent("second", raising(Failed("no")), does="job", makes=["report"], cost=2.0, calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("job")
    assert calls.names == ["first", "second"]
    assert answer.content["plan"]["plan_version"] == 1


async def test_agent_that_served_two_parts_is_not_run_again(tmp_path: Path) -> None:
    calls = Calls()

    @agent(
        name="both",
        capabilities=[Capability("left", ("left",), ("left",)), Capability("right", ("right",), ("right",))],
        produces=["sides"],
    )
    async def both(task: Task, ctx: Context) -> Result:
        calls.names.append("both")
        return Result("both sides", 1.0, [Artifact("sides", {"n": 2})])

    async with opened(tmp_path, both, *two_ways(raising(Failed("no")), calls=calls)) as app:
        answer = await app.ask("left right job")
    assert sorted(calls.names) == ["both", "first", "helper", "second"]
    assert answer.content["plan"]["plan_version"] == 2


def test_nothing_outside_the_plan_happens() -> None:
    nothing = Contingency.of({})
    for outcome in ({"status": "failed"}, {"status": "completed", "quality": 0.0}):
        assert nothing.trouble(outcome) is not None
        assert not any(nothing.allows(action, outcome) for action in ("fallback", "replan"))


@pytest.mark.parametrize(
    ("outcome", "trouble"),
    [
        ({"status": "completed", "quality": 0.7}, None),
        ({"status": "completed", "quality": 0.69}, "low_quality"),
        ({"status": "failed", "error_type": "timeout"}, "timeout"),
        ({"status": "failed", "error_type": "defect"}, "failed"),
        ({"status": "skipped", "quality": 0.0}, None),
    ],
)
def test_the_plan_says_from_where_on_a_result_is_poor(outcome: dict[str, Any], trouble: str | None) -> None:
    plan = {"contingency_triggers": [{"trigger": "low_quality", "below": 0.7, "then": []}]}
    assert Contingency.of(plan).trouble(outcome) == trouble


def test_contingencies_are_part_of_the_approved_plan() -> None:
    planning = make_plan(PlanRequest({"required_capabilities": ["job"]}, [make_agent("a", does="job")]))
    changed: Any = {**planning, "contingency_triggers": []}
    assert plan_hash(planning) != plan_hash(changed)


def test_failed_helper_is_ignored_once_the_request_is_met() -> None:
    def result(agent: str, capability: str, status: str) -> dict[str, Any]:
        return {
            "agent": agent,
            "capability": capability,
            "status": status,
            "error": "no",
            "error_type": "failed",
        }

    results = {
        "s1": result("helper", "help", "failed"),
        "s2": result("", "job", "skipped"),
        "s3": result("other", "job", "completed"),
    }

    def judged(*required: str) -> dict[str, Any]:
        found = with_replacements(results, ["s3"], required, lambda each: [each["capability"]])
        return {step: each.get("superseded_by") for step, each in found.items()}

    assert judged("job") == {"s1": "s3", "s2": "s3", "s3": None}
    assert judged("job", "more") == {"s1": None, "s2": "s3", "s3": None}, "it may be why more is missing"
    assert judged("job", "help") == {"s1": None, "s2": "s3", "s3": None}


@pytest.mark.parametrize(
    ("triggers", "named"),
    [
        (None, []),
        ([], []),
        (usual_triggers(), []),
        ("failed", ["str"]),
        ([{"trigger": "sad", "then": []}], ["trigger 'sad'"]),
        ([{"then": []}, 7], ["trigger None", "trigger None"]),
        ([{"trigger": "failed", "then": "replan"}], ["failed: str"]),
        ([{"trigger": "failed", "then": ["give_up", "replan"]}], ["failed: 'give_up'"]),
        ([{"trigger": "low_quality", "below": 2, "then": []}], ["below 2"]),
        ([{"trigger": "low_quality", "below": float("nan"), "then": []}], ["below nan"]),
        ([{"trigger": ["failed"], "then": [{}]}], ["trigger 'list'"]),
    ],
)
def test_meaningless_fields_make_a_plan_invalid(triggers: Any, named: list[str]) -> None:
    spec = make_agent("a", does="job")
    planning: Any = make_plan(PlanRequest({"required_capabilities": ["job"]}, [spec]))
    found = validate_plan({**planning, "contingency_triggers": triggers}, PlanScope({"a": spec}), "ko")
    assert [each["value"] for each in found if each["code"] == "bad_contingency"] == named
    assert bool(found) == bool(named)


def test_fallback_with_unknown_trigger_or_step_is_invalid() -> None:
    specs = {name: make_agent(name, does="job", makes=["report"]) for name in ("a", "b")}
    planning: Any = make_plan(PlanRequest({"required_capabilities": ["job"]}, [*specs.values()]))
    assert validate_plan(planning, PlanScope(specs)) == []
    planning["fallback_plans"][0]["trigger"] = "boredom"
    planning["execution_plan"][0]["checkpoint"] = False
    found = {each["code"]: each["text"] for each in validate_plan(planning, PlanScope(specs))}
    assert set(found) == {"bad_contingency", "not_checkpointed"}
    assert "'boredom'" in found["bad_contingency"]


def test_agent_with_the_same_output_is_a_fallback() -> None:
    specs = {
        "source": make_agent("source", makes=["data"]),
        "spare": make_agent("spare", makes=["data"], cost=2.0),
        "writer": make_agent("writer", makes=["report"], takes=["data"]),
    }
    request = PlanRequest({"required_capabilities": ["writer"]}, [*specs.values()])
    planning: Any = make_plan(request)
    assert [each["replace_with"] for each in planning["fallback_plans"]] == ["spare"]
    assert validate_plan(planning, PlanScope(specs)) == []
    asked: Any = make_plan(PlanRequest({"required_capabilities": ["source", "writer"]}, [*specs.values()]))
    assert asked["fallback_plans"] == [], "asked for by name: the spare one does something else"


async def test_fallback_takes_over_without_a_refusal_on_record(
    tmp_path: Path,
) -> None:
    calls = Calls()
    agents = [
        make_agent("source", raising(Failed("gone")), makes=["data"], calls=calls),
        make_agent("spare", makes=["data"], cost=2.0, calls=calls),
        make_agent("writer", makes=["report"], takes=["data"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("writer")
        assert await app.governance.audit_list(Where(event="access.refused")) == []
    assert calls.names == ["source", "spare", "writer"]
    assert statuses(answer) == {"spare": "completed", "writer": "completed"}
    assert answer.content["plan"]["plan_version"] == 1


@pytest.mark.parametrize(
    ("more", "kind", "share"),
    [
        ({}, "partial", 0.5),
        ({"optional_capabilities": ["law"]}, "answer", 1.0),
    ],
    ids=["wanted", "only if possible"],
)
async def test_part_without_an_agent_is_reported_missing(
    tmp_path: Path, more: dict[str, Any], kind: str, share: float
) -> None:
    reasoner = FakeReasoner({"required_capabilities": ["job", "law"], **more})
    config = {"data_dir": tmp_path, "agents": {"allow": []}}
    async with MetaAgent.open(config, agents=[make_agent("job")], reasoner=reasoner) as app:
        answer = await app.ask("job and law")
        state = await app.state(answer.session_id)
    assert (state.get("response_metadata") or {}).get("type") == kind
    assert answer.content["confidence"] == share
