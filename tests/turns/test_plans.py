"""The planner: chaining, validation, approval, track records, permissions of companies."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from metaagent.errors import Failed
from metaagent.global_state import PlanningState
from metaagent.level1.planning import PlanLimits, PlanRequest, PlanScope, make_plan, validate_plan
from metaagent.level1.planning.turn_plan import may_run, plan_hash
from metaagent.monitor import Run, TrackRecord
from metaagent.plugin import Context, Result, Task
from metaagent.ports import ArtifactRef, User
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeClock
from tests.support.execution_world import Calls, events_of, make_agent, opened, raising, statuses

# --- chaining --------------------------------------------------------------------------------------------

CHAIN = (
    make_agent("source", makes=["data"], seconds=2.0),
    make_agent("chart", makes=["picture"], takes=["data"], seconds=3.0),
    make_agent("report", makes=["text"], takes=["data", "picture"], seconds=1.0),
    make_agent("aside", seconds=3.5),
)


def plan_for(*capabilities: str, **request: Any) -> PlanningState:
    given: dict[str, Any] = {"agents": CHAIN, **request}
    return make_plan(PlanRequest({"required_capabilities": list(capabilities)}, **given))


def agents_of(plan: PlanningState) -> list[str]:
    return [name for step in plan.get("execution_plan", ()) for name in step.get("agents", ())]


def ref(kind: str) -> ArtifactRef:
    return ArtifactRef(f"a_{kind}", kind, "made earlier", 1, "hash")


def test_the_producers_of_what_is_consumed_join_the_plan() -> None:
    plan = plan_for("report", "aside")
    assert sorted(agents_of(plan)) == ["aside", "chart", "report", "source"]
    assert plan.get("estimated_total_time") == 6.0
    assert plan.get("execution_strategy") == "pipeline"
    ids = {step.get("agents", [""])[0]: step.get("step_id", "") for step in plan.get("execution_plan", ())}
    assert plan.get("priority_order") == [ids[name] for name in ("source", "chart", "aside", "report")]
    assert plan.get("parallel_opportunities") == [sorted([ids["source"], ids["aside"]])]


def test_artifact_of_an_earlier_turn_is_reused() -> None:
    plan = plan_for("chart", artifacts=[ref("data")])
    assert agents_of(plan) == ["chart"]
    assert plan.get("execution_plan", [])[0].get("inputs") == [{"kind": "data", "artifact_id": "a_data"}]
    asked_anew = plan_for("chart", "source", artifacts=[ref("data")])
    assert sorted(agents_of(asked_anew)) == ["chart", "source"]


def test_unserved_capability_is_named() -> None:
    lonely = make_agent("lonely", takes=["nowhere"])
    plan = plan_for("unknown", "lonely", "aside", agents=(*CHAIN, lonely))
    assert agents_of(plan) == ["aside"]
    assert plan.get("unmet") == [
        {"capability": "unknown", "reason": "no_agent"},
        {"capability": "lonely", "reason": "no_input"},
    ]


@pytest.mark.parametrize(
    ("records", "chosen"),
    [
        ({}, "cheap"),
        ({"cheap": [Run("cheap", False, 0.0, 1.0)] * 3}, "dear"),
        ({"dear": [Run("dear", True, 0.9, 1.0)] * 3}, "dear"),
        ({"cheap": [Run("cheap", True, 0.2, 1.0)], "dear": [Run("dear", True, 0.9, 1.0)]}, "dear"),
    ],
)
def test_success_and_quality_choose_among_agents_and_then_cost(
    records: dict[str, list[Run]], chosen: str
) -> None:
    agents = [
        make_agent("cheap", does="job", makes=["report"], cost=1.0),
        make_agent("dear", does="job", makes=["report"], cost=2.0),
    ]
    known: dict[str, TrackRecord] = {}
    for name, runs in records.items():
        for run in runs:
            known[name] = known.get(name, TrackRecord()).plus(run)
    plan = plan_for("job", agents=agents, records=known)
    assert agents_of(plan) == [chosen]
    assert [f.get("replace_with") for f in plan.get("fallback_plans", ())] == [
        name for name in ("cheap", "dear") if name != chosen
    ]


# --- validation ------------------------------------------------------------------------------------------

SCOPE = PlanScope(
    agents={spec.name: spec for spec in CHAIN}, forbidden=frozenset({"foreign"}), limits=PlanLimits(steps=4)
)


def step(step_id: str, agent: str, **more: Any) -> dict[str, Any]:
    return {"step_id": step_id, "agents": [agent], "timeout": 1.0, "retry_count": 0, **more}


DATA = step("s1", "source", produces=["data"])
BAD: list[tuple[str, list[dict[str, Any]]]] = [
    ("unknown_agent", [step("s1", "nobody")]),
    ("forbidden_agent", [step("s1", "foreign")]),
    ("no_agent", [{**step("s1", "x"), "agents": []}]),
    ("duplicate_step", [step("s1", "aside"), step("s1", "aside")]),
    ("unknown_step", [step("s1", "aside", dependencies=["s9"])]),
    ("cycle", [step("s1", "aside", dependencies=["s2"]), step("s2", "aside", dependencies=["s1"])]),
    ("missing_input", [step("s1", "chart")]),
    (
        "type_mismatch",
        [DATA, step("s2", "aside", dependencies=["s1"], inputs=[{"kind": "text", "from_step": "s1"}])],
    ),
    ("not_a_dependency", [DATA, step("s2", "chart", inputs=[{"kind": "data", "from_step": "s1"}])]),
    ("unknown_artifact", [step("s1", "chart", inputs=[{"kind": "data", "artifact_id": "a1"}])]),
    ("timeout_range", [step("s1", "aside", timeout=0)]),
    ("timeout_range", [step("s1", "aside", timeout=1e9)]),
    ("retry_range", [step("s1", "aside", retry_count=-1)]),
    ("retry_range", [step("s1", "aside", retry_count=99)]),
    ("over_budget", [step(f"s{n}", "aside") for n in range(5)]),
]


@pytest.mark.parametrize(("code", "steps"), BAD)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_validator_names_each_problem(code: str, steps: list[dict[str, Any]], language: str) -> None:
    plan = cast("PlanningState", {"execution_plan": steps})
    found = validate_plan(plan, SCOPE, language)
    assert code in [problem["code"] for problem in found]
    assert all(problem["text"] for problem in found)


def test_validator_names_missing_permission_and_every_budget() -> None:
    needy = make_agent("needy", permissions=["pay"], tokens=9, cost=9.0)
    scope = PlanScope({"needy": needy}, granted=frozenset(), limits=PlanLimits(0, 0.5, 0, 1, 1.0))
    plan = cast("PlanningState", {"execution_plan": [step("s1", "needy")], "estimated_total_time": 1.0})
    found = validate_plan(plan, scope)
    assert "missing_permission" in [problem["code"] for problem in found]
    over = {problem["what"] for problem in found if problem["code"] == "over_budget"}
    assert over == {"steps", "seconds", "calls", "tokens", "cost"}


def test_planner_makes_valid_plans() -> None:
    assert validate_plan(plan_for("report", "aside"), SCOPE) == []


@pytest.mark.parametrize("limits", [{"steps": 1}, {"cost": 1.5}, {"calls": 1}, {"turn_seconds": 1.5}])
async def test_a_plan_over_budget_never_runs(tmp_path: Path, limits: dict[str, Any]) -> None:
    calls = Calls()
    agents = [
        make_agent("source", makes=["data"], calls=calls),
        make_agent("chart", takes=["data"], calls=calls),
    ]
    async with opened(tmp_path, *agents, limits=limits) as app:
        answer = await app.ask("chart")
    assert calls.names == []
    assert answer.content["plan"]["plan_validated"] is False
    assert answer.content["plan"]["validation_errors"][0]["text"] in answer.text


# --- approval --------------------------------------------------------------------------------------------


def pair(calls: Calls, **options: Any) -> list[Any]:
    return [
        make_agent("first", makes=["half"], calls=calls),
        make_agent("second", takes=["half"], calls=calls, **options),
    ]


@pytest.mark.parametrize(
    ("rules", "options", "reason"),
    [
        ({"mode": "never"}, {"side_effects": True, "risk": "critical"}, None),
        ({"mode": "always"}, {}, "always"),
        ({"mode": "rule"}, {}, None),
        ({"mode": "rule"}, {"side_effects": True}, "side_effects:second"),
        ({"mode": "rule", "side_effects": False}, {"side_effects": True}, None),
        ({"mode": "rule"}, {"risk": "high"}, "risk:second"),
        ({"mode": "rule", "risk_from": "critical"}, {"risk": "high"}, None),
        ({"mode": "rule", "agents": ["second"]}, {}, "agent:second"),
        ({"mode": "rule", "cost_above": 4}, {"cost": 9.0}, "cost:10"),
        ({"mode": "rule", "cost_above": 40}, {"cost": 9.0}, None),
        ({"mode": "rule", "roles": ["owner"]}, {}, "role:owner"),
        ({"mode": "rule", "roles": ["intern"]}, {}, None),
    ],
)
async def test_the_configuration_says_when_a_person_approves(
    tmp_path: Path, rules: dict[str, Any], options: dict[str, Any], reason: str | None
) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls, **options), approval=rules) as app:
        answer = await app.ask("second")
    if reason is None:
        assert answer.status == "completed"
        assert calls.names == ["first", "second"]
    else:
        assert answer.status == "waiting"
        assert answer.content["approval"]["reasons"] == [reason]
        assert calls.names == []


async def _asked(app: MetaAgent) -> Answer:
    answer = await app.ask("second")
    assert answer.status == "waiting"
    return answer


async def test_only_the_approved_plan_runs(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), approval={"mode": "always"}) as app:
        asked = await _asked(app)
        shown = asked.content["approval"]
        assert [s["agent"] for s in shown["steps"]] == ["first", "second"]
        assert shown["steps"][1]["reads"] == ["half"]
        assert shown["steps"][1]["writes"] == ["second_made"]
        answer = await app.resume(asked.session_id, "approve")
    assert answer.status == "completed"
    assert calls.names == ["first", "second"]
    plan = answer.content["plan"]
    assert plan["approval"]["plan_hash"] == shown["plan_hash"] == plan["plan_hash"] == plan_hash(plan)
    assert may_run(plan)
    assert not may_run({**plan, "plan_hash": "another"})
    assert not may_run({**plan, "plan_validated": False})


async def test_a_rejected_plan_does_not_run_and_the_answer_says_so(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), approval={"mode": "always"}) as app:
        asked = await _asked(app)
        answer = await app.resume(asked.session_id, {"decision": "reject", "reason": "too dear"})
    assert answer.status == "completed"
    assert calls.names == []
    assert answer.content["plan"]["approval"]["reason"] == "too dear"
    assert answer.text == "The plan was rejected (too dear), so nothing of it was run."


async def test_an_unclear_answer_is_asked_again(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), approval={"mode": "always"}) as app:
        asked = await _asked(app)
        again = await app.resume(asked.session_id, "hm")
        assert again.status == "waiting"
        assert calls.names == []
        assert (await app.resume(asked.session_id, "승인")).status == "completed"
    assert calls.names == ["first", "second"]


async def test_edits_drop_steps_and_change_parameters_as_a_new_version(tmp_path: Path) -> None:
    calls, seen = Calls(), list[Any]()

    async def look(task: Task, ctx: Context) -> Result | None:
        seen.append(task.params)

    agents = [make_agent("plain", calls=calls), make_agent("tuned", look, calls=calls, params=dict[str, int])]
    async with opened(tmp_path, *agents, approval={"mode": "always"}) as app:
        asked = await app.ask("plain tuned")
        ids = {s["agent"]: s["step_id"] for s in asked.content["approval"]["steps"]}
        edits = {"drop": [ids["plain"]], "params": {ids["tuned"]: {"size": 3}}}
        answer = await app.resume(asked.session_id, {"decision": "approve", **edits})
        events = await events_of(app, answer)
    assert calls.names == ["tuned"]
    assert seen == [{"size": 3}]
    assert answer.content["plan"]["plan_version"] == 2
    hashes = [e["plan_hash"] for e in events if e["type"] == "plan_ready"]
    assert len(set(hashes)) == 2
    assert answer.content["plan"]["approval"]["plan_hash"] == hashes[-1]


async def test_an_edited_order_decides_who_goes_first(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent(name, calls=calls, seconds=n + 1.0) for n, name in enumerate(("one", "two", "three"))
    ]
    async with opened(tmp_path, *agents, approval={"mode": "always"}, limits={"parallel_steps": 1}) as app:
        asked = await app.ask("one two three")
        ids = {s["agent"]: s["step_id"] for s in asked.content["approval"]["steps"]}
        order = [ids[name] for name in ("one", "three", "two")]
        await app.resume(asked.session_id, {"decision": "approve", "order": order})
    assert calls.names == ["one", "three", "two"]


@pytest.mark.parametrize("drop", [["s1"], ["s99"]])
async def test_an_invalid_edit_is_shown_again_and_nothing_runs(tmp_path: Path, drop: list[str]) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), approval={"mode": "always"}) as app:
        asked = await _asked(app)
        again = await app.resume(asked.session_id, {"decision": "approve", "drop": drop})
        assert again.status == "waiting"
        assert again.content["approval"]["plan_hash"] == asked.content["approval"]["plan_hash"]
        assert again.content["approval"]["question"] != asked.content["approval"]["question"]
        assert calls.names == []
        assert (await app.resume(asked.session_id, "yes")).status == "completed"
    assert calls.names == ["first", "second"]


# --- what the deployment learns, and what a company may use ----------------------------------------------


async def test_an_agent_that_failed_is_not_the_first_choice_next_time(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("cheap", raising(Failed("no")), does="job", makes=["report"], calls=calls),
        make_agent("dear", does="job", makes=["report"], cost=2.0, calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        await app.ask("job")
    async with opened(tmp_path, *agents) as app:  # what was learnt is stored
        answer = await app.ask("job")
    assert calls.names == ["cheap", "dear", "dear"]
    assert statuses(answer) == {"dear": "completed"}


async def test_estimates_come_from_measured_durations(tmp_path: Path) -> None:
    clock = FakeClock()

    async def seven_seconds(task: Task, ctx: Context) -> Result | None:
        clock.advance(7)

    async with opened(tmp_path, make_agent("timed", seven_seconds, seconds=1.0), clock=clock) as app:
        before = await app.ask("timed")
        after = await app.ask("timed")
    assert before.content["plan"]["estimated_total_time"] == 1.0
    assert after.content["plan"]["estimated_total_time"] == 7.0


async def test_an_agent_of_one_company_is_not_used_for_another(tmp_path: Path) -> None:
    calls = Calls()
    agents = [make_agent("secret", calls=calls)]
    acme = User(user_id="kim", company_id="acme")
    async with opened(tmp_path, *agents, agents={"only_for": {"secret": ["acme"]}}) as app:
        refused = await app.ask("secret")
        assert calls.names == []
        assert refused.content["plan"]["unmet"] == [{"capability": "secret", "reason": "no_agent"}]
        answer = await app.ask("secret", user=acme)
    assert statuses(answer) == {"secret": "completed"}
