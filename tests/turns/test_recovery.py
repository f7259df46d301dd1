"""What can go wrong in a turn, and what the person still gets."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from metaagent.plugin import Failed, NeedsInput, Result, Task, TryAgain
from metaagent.runtime import Answer
from metaagent.testing import FakeReasoner
from tests.support.agents import Runs, asking, drawing, failing, figures, flaky, opened, worker

ALWAYS_UNCLEAR = {
    "required_capabilities": ["figures"],
    "clarification_needed": True,
    "ambiguities": [{"field": "f", "question": "?", "options": []}],
}


def bounds(answer: Answer) -> list[str]:
    return [warning["bound"] for warning in answer.content["warnings"]]


async def test_a_passing_fault_is_tried_again(data: Path, runs: Runs):
    async with opened(data, flaky(runs, 2, retries=2)) as app:
        answer = await app.ask("flaky")
        assert (answer.text, runs.of("flaky")) == ("flaky done", 3)
        state = await app.state(answer.session_id)
        assert state.get("agent_states", {})["flaky"].get("resource_usage", {}).get("attempts") == 3


async def test_retries_are_bounded_and_the_error_is_stated(data: Path, runs: Runs):
    async with opened(data, flaky(runs, 99, retries=1)) as app:
        answer = await app.ask("flaky")
        assert answer.status == "completed"
        assert runs.of("flaky") == 2
        assert "busy" in answer.text
        assert [(e["code"], e["agent"]) for e in answer.content["errors"]] == [("try_again", "flaky")]


async def test_permanent_failure_is_not_retried(data: Path, runs: Runs):
    async with opened(data, failing(runs, retries=5)) as app:
        answer = await app.ask("failing")
        assert runs.of("failing") == 1
        assert "the source is gone" in answer.text
        assert answer.content["confidence"] == 0


async def test_a_defect_of_an_agent_is_recorded_and_never_retried(data: Path, runs: Runs):
    async def divide(_task: Any, _ctx: Any) -> None:
        raise ZeroDivisionError("division by zero")

    async with opened(data, worker(runs, "dividing", before=divide), figures(runs)) as app:
        answer = await app.ask("dividing and figures")
        assert runs.of("dividing") == 1
        assert "ZeroDivisionError" in answer.text
        assert "figures done" in answer.text


@pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError(), RecursionError("deep")])
async def test_error_of_an_agent_ends_only_its_step(data: Path, runs: Runs, error: BaseException):
    async def leave(_task: Any, _ctx: Any) -> None:
        raise error

    async with opened(data, worker(runs, "leaving", before=leave), figures(runs)) as app:
        answer = await app.ask("leaving and figures")
        assert answer.status == "completed"
        assert type(error).__name__ in answer.text
        assert "figures done" in answer.text


@pytest.mark.parametrize(
    "error", [Failed("\ud800 {x} %s"), NeedsInput("\ud800?"), TryAgain("\ud800", after=0)]
)
async def test_agent_text_may_hold_any_character(data: Path, runs: Runs, error: Exception):
    async def complain(_task: Any, _ctx: Any) -> None:
        raise error

    async with opened(data, worker(runs, "complaining", before=complain)) as app:
        answer = await app.ask("complaining")
        assert answer.status == ("waiting" if isinstance(error, NeedsInput) else "completed")


ODD: list[Any] = [
    Result("ok", cast("Any", None)),
    Result("ok", cast("Any", "high")),
    Result(cast("Any", None), 1.0),
    Result("\ud800", 1.0),
    Result("ok", 1.0, [cast("Any", {"kind": "x"})]),
    Result("ok", 1.0, sources=[cast("Any", {"when": object()})]),
    Result("ok", 1.0, sources=cast("Any", ["text"])),
    Result("ok", 1.0, cast("Any", 7)),
    Result("ok", 1.0, state=cast("Any", [1])),
    None,
]


@pytest.mark.parametrize("result", ODD, ids=range(len(ODD)))
async def test_a_result_that_makes_no_sense_fails_its_step_alone(data: Path, runs: Runs, result: Any):
    async def odd(_task: Task, _ctx: Any) -> Result:
        return result

    strange = replace(worker(runs, "strange"), run=odd)
    async with opened(data, strange, figures(runs)) as app:
        answer = await app.ask("strange and figures")
        assert answer.status == "completed"
        assert "figures done" in answer.text
        assert [e["code"] in {"bad_output", "defect"} for e in answer.content["errors"]] == [True]


async def test_a_fallback_agent_steps_in_and_it_is_said(data: Path, runs: Runs):
    first = failing(runs, "first", can="report", makes="report", cost=1)
    second = worker(runs, "second", can="report", makes="report", cost=2)
    async with opened(data, first, second) as app:
        answer = await app.ask("report")
        assert [plan["replace_with"] for plan in answer.content["plan"]["fallback_plans"]] == ["second"]
        assert (runs.of("first"), runs.of("second")) == (1, 1)
        assert "second done" in answer.text
        assert "the source is gone" in answer.text
        assert answer.content["errors"] == []


async def test_an_agent_of_low_quality_gives_way_to_its_fallback(data: Path, runs: Runs):
    async def nothing(_task: Task, _ctx: Any) -> Result:
        return Result("hm", 0.0)

    first = worker(runs, "first", can="report", makes="report", cost=1)
    poor = replace(first, run=nothing)
    async with opened(data, poor, worker(runs, "second", can="report", makes="report", cost=2)) as app:
        answer = await app.ask("report")
        assert "second done" in answer.text


async def test_a_new_plan_goes_round_an_agent_that_failed(data: Path, runs: Runs):
    """The other agent needs an input of its own, so it is no fallback: only a new plan can use it."""
    first = failing(runs, "first", can="report", makes="report", cost=1)
    other = worker(runs, "other", can="report", makes="report", takes=("dataset",), cost=2)
    async with opened(data, first, other, figures(runs)) as app:
        answer = await app.ask("report")
        assert "other done" in answer.text
        assert answer.content["plan"]["plan_version"] == 2
        assert (runs.of("first"), runs.of("figures"), runs.of("other")) == (1, 1, 1)
        events = [event async for event in app.events(answer.turn_id)]
        assert [e["plan_version"] for e in events if e["type"] == "plan_ready"] == [1, 2]
        replan = next(e for e in events if e["type"] == "replan")
        assert "the source is gone" in replan["reason"]


async def test_no_more_new_plans_than_allowed(data: Path, runs: Runs):
    first = failing(runs, "first", can="report", makes="report", cost=1)
    other = worker(runs, "other", can="report", makes="report", takes=("dataset",), cost=2)
    async with opened(data, first, other, figures(runs), limits={"replans": 0}) as app:
        answer = await app.ask("report")
        assert (answer.status, runs.of("other")) == ("completed", 0)
        assert bounds(answer) == ["replans"]
        assert "limits.replans" in answer.text


async def test_a_partial_answer_says_what_is_missing(data: Path, runs: Runs):
    async with opened(data, failing(runs, makes="dataset"), drawing(runs), asking(runs)) as app:
        waiting = await app.ask("drawing and asking")
        answer = await app.resume(waiting.session_id, "left")
        assert answer.status == "completed"
        assert "asking done" in answer.text
        assert "the source is gone" in answer.text
        assert {s["agent_name"]: s["status"] for s in answer.content["steps"]} == {
            "asking": "completed",
            "failing": "failed",
            "drawing": "skipped",
        }
        state = await app.state(answer.session_id)
        assert state.get("response_metadata", {}).get("type") == "partial"
        assert answer.content["confidence"] < 0.5


async def test_unserved_request_is_stated_in_both_languages(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        assert "figures" in (await app.ask("sing me a song")).text
        assert "할 수 있는 일" in (await app.ask("노래를 불러 줘")).text
    async with opened(data) as app:
        assert "metaagent agents" in (await app.ask("노래를 불러 줘")).text


async def test_a_step_that_takes_too_long_is_stopped(data: Path, runs: Runs):
    stopped = asyncio.Event()

    async def hang(_task: Any, _ctx: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async with opened(data, worker(runs, "hanging", before=hang, timeout=0.05), figures(runs)) as app:
        answer = await app.ask("hanging and figures")
        assert stopped.is_set()
        assert [e["code"] for e in answer.content["errors"]] == ["timeout"]
        assert "0.05 seconds" in answer.text
        assert "figures done" in answer.text


async def test_a_disabled_agent_never_starts_even_if_it_was_planned(data: Path, runs: Runs):
    async with opened(data, figures(runs), drawing(runs)) as app:

        async def switch_off(_task: Any, _ctx: Any) -> None:
            app.registry.disabled.add("drawing")

        agents = {**app.registry.agents, "figures": figures(runs, before=switch_off)}
        vars(app.registry)["agents"] = agents
        answer = await app.ask("drawing")
        assert runs.of("drawing") == 0
        assert [e["code"] for e in answer.content["errors"]] == ["switched_off"]
        again = await app.ask("drawing")
        assert again.content["steps"] == []


@pytest.mark.parametrize("name", ["figures", "numbers"])
async def test_an_agent_is_disabled_by_its_name_or_its_capability(data: Path, runs: Runs, name: str):
    rules = {"allow": [], "disabled": [name]}
    async with opened(data, figures(runs, can="numbers"), agents=rules) as app:
        assert (await app.ask("numbers")).content["plan"]["execution_plan"] == []
        assert runs.of("figures") == 0


async def test_the_calls_of_a_turn_are_bounded(data: Path, runs: Runs):
    agents = [worker(runs, name) for name in ("one", "two", "three")]
    limits = {"calls": 8, "breaker_failures": 20}
    async with opened(data, *agents, flaky(runs, 9, retries=9), limits=limits) as app:
        answer = await app.ask("one two three flaky")
        assert answer.status == "completed"
        assert sum(runs.of(name) for name in ("one", "two", "three", "flaky")) == 8
        assert bounds(answer) == ["calls"]
        assert "one done" in answer.text


async def test_a_plan_with_more_steps_than_calls_is_not_run(data: Path, runs: Runs):
    agents = [worker(runs, name) for name in ("one", "two", "three")]
    async with opened(data, *agents, limits={"calls": 2}) as app:
        answer = await app.ask("one two three")
        assert answer.status == "completed"
        assert sum(runs.of(name) for name in ("one", "two", "three")) == 0
        assert bounds(answer) == ["calls"]


async def test_the_working_time_of_a_turn_is_bounded(data: Path, runs: Runs):
    async def hang(_task: Any, _ctx: Any) -> None:
        await asyncio.Event().wait()

    agents = (worker(runs, "hanging", before=hang, seconds=0.01), figures(runs, seconds=0.01))
    async with opened(data, *agents, limits={"turn_seconds": 0.5}) as app:
        answer = await app.ask("hanging and figures")
        assert answer.status == "completed"
        assert bounds(answer) == ["turn_seconds"]
        assert "limits.turn_seconds" in answer.text
        assert "figures done" in answer.text


async def test_the_analyses_of_a_turn_are_bounded(data: Path, runs: Runs):
    limits = {"iterations": 1, "clarifications": 9}
    async with opened(data, figures(runs), reasoner=FakeReasoner(ALWAYS_UNCLEAR), limits=limits) as app:
        answer = await app.ask("figures")
        assert answer.status == "completed"
        assert bounds(answer) == ["iterations"]


async def test_plan_over_a_bound_is_not_run_and_names_it(data: Path, runs: Runs):
    agents = [worker(runs, name) for name in ("one", "two", "three")]
    async with opened(data, *agents, limits={"steps": 2}) as app:
        answer = await app.ask("one two three")
        assert answer.status == "completed"
        assert sum(runs.of(name) for name in ("one", "two", "three")) == 0
        assert bounds(answer) == ["steps"]


async def test_steps_run_at_once_but_no_more_than_allowed(data: Path, runs: Runs):
    running: list[int] = []
    most: list[int] = []

    async def count(_task: Any, _ctx: Any) -> None:
        running.append(1)
        most.append(len(running))
        for _ in range(50):
            await asyncio.sleep(0)
        running.pop()

    agents = [worker(runs, f"agent{n}", before=count) for n in range(5)]
    async with opened(data, *agents, limits={"parallel_steps": 2}) as app:
        answer = await app.ask("agent0 agent1 agent2 agent3 agent4")
        assert answer.content["plan"]["execution_strategy"] == "parallel"
    assert max(most) == 2


async def test_agents_get_only_declared_and_granted_ports(data: Path, runs: Runs):
    async def touch(_task: Any, ctx: Any) -> None:
        await ctx.db.run("SELECT 1")

    rules = {"allow": [], "withhold": {"figures": ["artifacts"]}}
    async with opened(data, figures(runs), worker(runs, "nosy", before=touch), agents=rules) as app:
        undeclared = await app.ask("nosy")
        assert "add 'db' to needs" in undeclared.text
        held = await app.ask("figures")
        assert "figures done" in held.text, "a port that is withheld but not used does no harm"
        again = await app.ask("드로잉 figures를 nosy 하게")
        assert "needs에 'db'" in again.text
