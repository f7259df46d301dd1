"""The execution manager: timeouts, retries, caps, breaker, budgets, fallbacks, replans, pauses, switches."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import Failed, NeedsInput, TryAgain
from metaagent.level1.execution_manager import step as step_module
from metaagent.level1.execution_manager.quality import quality_score
from metaagent.level1.execution_manager.step import FIRST_PAUSE, LONGEST_PAUSE, pause_before_retry
from metaagent.plugin import Artifact, Context, Result, Task
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.execution_world import (
    Calls,
    Gate,
    events_of,
    make_agent,
    never,
    opened,
    raising,
    results_of,
    running_session,
    statuses,
    until_step,
)


async def poor(task: Task, ctx: Context) -> Result | None:
    return Result("hardly anything", 0.0, [Artifact("report", {})])


# --- timeouts and retries --------------------------------------------------------------------------------


async def test_an_agent_that_does_not_finish_in_time_is_a_failed_step(tmp_path: Path) -> None:
    async with opened(tmp_path, make_agent("slow", never, timeout=0.01)) as app:
        answer = await app.ask("slow")
    assert answer.status == "completed"
    assert statuses(answer) == {"slow": "failed"}
    assert answer.content["errors"][0]["code"] == "timeout"


async def test_only_an_error_that_asks_for_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(step_module, "FIRST_PAUSE", 0.0)
    calls = Calls()
    asking = make_agent("asking", raising(TryAgain("busy")), retries=2, calls=calls)
    final = make_agent("final", raising(Failed("no")), retries=2, calls=calls)
    broken = make_agent("broken", raising(ValueError("bug")), retries=2, calls=calls)
    async with opened(tmp_path, asking, final, broken) as app:
        answer = await app.ask("asking final broken")
    assert {name: calls.count(name) for name in ("asking", "final", "broken")} == {
        "asking": 3,
        "final": 1,
        "broken": 1,
    }
    codes = {error["agent"]: error["code"] for error in answer.content["errors"]}
    assert codes == {"asking": "try_again", "final": "failed", "broken": "defect"}


async def test_a_retry_that_succeeds_ends_as_a_completed_step(tmp_path: Path) -> None:
    calls = Calls()

    async def second_time(task: Task, ctx: Context) -> Result | None:
        if calls.count("flaky") == 1:
            raise TryAgain("busy", after=0)

    async with opened(tmp_path, make_agent("flaky", second_time, retries=1, calls=calls)) as app:
        answer = await app.ask("flaky")
        state = await app.state(answer.session_id)
    assert statuses(answer) == {"flaky": "completed"}
    run = (state.get("agent_states") or {})["flaky"]
    assert run.get("recovery_attempted") is True
    assert run.get("resource_usage", {})["attempts"] == 2


async def test_the_pauses_between_tries_grow_and_vary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, float | None]] = []

    def no_pause(attempt: int, after: float | None) -> float:
        asked.append((attempt, after))
        return 0.0

    monkeypatch.setattr(step_module, "pause_before_retry", no_pause)
    async with opened(tmp_path, make_agent("busy", raising(TryAgain("busy", after=3)), retries=2)) as app:
        await app.ask("busy")
    assert asked == [(1, 3), (2, 3)]
    for attempt in (1, 2, 3):
        pauses = {pause_before_retry(attempt, None) for _ in range(50)}
        most = FIRST_PAUSE * 2 ** (attempt - 1)
        assert len(pauses) > 1
        assert all(most / 2 <= pause <= most for pause in pauses)
    assert pause_before_retry(50, None) <= LONGEST_PAUSE
    assert pause_before_retry(1, 0.01) == 0.01
    assert pause_before_retry(1, 1e9) == LONGEST_PAUSE


# --- how many at once, and who first ---------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 4])
async def test_no_more_steps_run_at_once_than_allowed(tmp_path: Path, most: int) -> None:
    running = peak = 0

    async def busy(task: Task, ctx: Context) -> Result | None:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        for _ in range(10):
            await asyncio.sleep(0)
        running -= 1

    agents = [make_agent(f"worker{number}", busy) for number in range(6)]
    async with opened(tmp_path, *agents, limits={"parallel_steps": most}) as app:
        answer = await app.ask(" ".join(spec.name for spec in agents))
    assert set(statuses(answer).values()) == {"completed"}
    assert peak == most


async def test_the_step_with_the_longest_path_behind_it_goes_first(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("aside", calls=calls, seconds=1.0),
        make_agent("also_aside", calls=calls, seconds=2.0),
        make_agent("begin", makes=["half"], calls=calls, seconds=0.5),
        make_agent("finish", takes=["half"], calls=calls, seconds=9.0),
    ]
    async with opened(tmp_path, *agents, limits={"parallel_steps": 1}) as app:
        await app.ask("aside also_aside finish")
    independent = [name for name in calls.names if name != "finish"]
    assert independent == ["begin", "also_aside", "aside"]


async def test_step_starts_as_soon_as_its_inputs_exist(tmp_path: Path) -> None:
    gate = Gate()

    async def open_gate(task: Task, ctx: Context) -> Result | None:
        gate.opened.set()

    agents = [
        make_agent("slow", gate.hold),
        make_agent("quick", makes=["half"]),
        make_agent("next", open_gate, takes=["half"]),
    ]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("slow next")
    assert set(statuses(answer).values()) == {"completed"}


# --- circuit breaker and budgets -------------------------------------------------------------------------


async def test_an_agent_that_keeps_failing_is_left_alone_for_a_while(tmp_path: Path) -> None:
    calls, clock = Calls(), FakeClock()
    broken = make_agent("broken", raising(ValueError("bug")), calls=calls)
    limits = {"breaker_failures": 2, "breaker_seconds": 60}
    async with opened(tmp_path, broken, clock=clock, limits=limits) as app:
        codes = [(await app.ask("broken")).content["errors"][0]["code"] for _ in range(3)]
        assert codes == ["defect", "defect", "circuit_open"]
        assert len(calls.names) == 2
        clock.advance(61)
        await app.ask("broken")
    assert len(calls.names) == 3


async def test_a_circuit_that_one_company_opens_is_closed_to_others(tmp_path: Path) -> None:
    calls = Calls()
    broken = make_agent("broken", raising(ValueError("bug")), calls=calls)
    people = [User("kim", "acme", ("owner",)), User("eve", "evilco", ("owner",))]
    async with opened(tmp_path, broken, limits={"breaker_failures": 1, "breaker_seconds": 60}) as app:
        codes = [
            (await app.ask("broken", user=person)).content["errors"][0]["code"]
            for person in (people[0], people[0], people[1])
        ]
    assert codes == ["defect", "circuit_open", "defect"]


async def test_failing_for_good_on_one_task_does_not_open_the_circuit(tmp_path: Path) -> None:
    calls = Calls()
    refusing = make_agent("refusing", raising(Failed("not this one")), calls=calls)
    async with opened(tmp_path, refusing, limits={"breaker_failures": 1}) as app:
        for _ in range(3):
            await app.ask("refusing")
    assert len(calls.names) == 3


async def test_a_turn_that_has_used_up_its_time_starts_nothing_more(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("endless", never, seconds=0.02, calls=calls),
        make_agent("later", seconds=0.01, calls=calls),
    ]
    limits = {"turn_seconds": 0.5, "parallel_steps": 1}
    async with opened(tmp_path, *agents, limits=limits) as app:
        answer = await app.ask("endless later")
    assert calls.names == ["endless"]
    assert statuses(answer) == {"endless": "failed", "later": "failed"}
    assert any(w["bound"] == "turn_seconds" for w in answer.content["warnings"]), answer.content


@pytest.mark.parametrize(("most", "ran"), [(1, ["first"]), (2, ["first", "second"])])
async def test_a_turn_makes_no_more_calls_than_it_may(tmp_path: Path, most: int, ran: list[str]) -> None:
    calls = Calls()
    agents = [
        make_agent("first", raising(Failed("no")), does="job", makes=["report"], calls=calls),
        make_agent("second", does="job", makes=["report"], cost=2.0, calls=calls),
    ]
    async with opened(tmp_path, *agents, limits={"calls": most, "replans": 0}) as app:
        await app.ask("job")
    assert calls.names == ran


# --- fallback, replan, partial answer --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("work", "options", "code"),
    [
        (raising(Failed("no")), {}, "failed"),
        (never, {"timeout": 0.01}, "timeout"),
        (poor, {}, "low_quality"),
    ],
)
async def test_fallback_follows_failure_timeout_or_low_quality(
    tmp_path: Path, work: Any, options: dict[str, Any], code: str
) -> None:
    first = make_agent("first", work, does="job", makes=["report"], **options)
    second = make_agent("second", does="job", makes=["report"], cost=2.0)
    async with opened(tmp_path, first, second) as app:
        answer = await app.ask("job")
        state = await app.state(answer.session_id)
    assert statuses(answer) == {"second": "completed"}
    assert answer.content["plan"]["fallback_plans"][0]["replace_with"] == "second"
    result = (state.get("execution_manager_state") or {}).get("final_results", {})["s1"]
    assert result["recovered_from"]["agent"] == "first"
    assert result["recovered_from"]["error_type"] == code
    assert "first" in answer.text
    assert "None" not in answer.text


async def test_poor_result_is_kept_if_none_is_better(tmp_path: Path) -> None:
    first = make_agent("first", poor, does="job", makes=["report"])
    second = make_agent("second", raising(Failed("no")), does="job", makes=["report"], cost=2.0)
    async with opened(tmp_path, first, second) as app:
        answer = await app.ask("job")
    assert statuses(answer) == {"first": "completed"}


async def test_new_plan_skips_failed_agents_and_reuses_finished_steps(tmp_path: Path) -> None:
    calls, given = Calls(), list[str]()

    async def note(task: Task, ctx: Context) -> Result | None:
        given.extend([(await ctx.artifacts.read(ref))["by"] for ref in task.inputs])

    agents = [
        make_agent("source", makes=["data"], calls=calls),
        make_agent(
            "writer", raising(Failed("no")), does="write", makes=["report"], takes=["data"], calls=calls
        ),
        make_agent("checker", makes=["checked"], calls=calls),
        # No fallback: it needs more than the first was given.
        make_agent(
            "other",
            note,
            does="write",
            makes=["report"],
            takes=["data", "checked"],
            needs=["artifacts"],
            cost=2.0,
            calls=calls,
        ),
    ]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("write")
        events = await events_of(app, answer)
    assert sorted(calls.names) == ["checker", "other", "source", "writer"]
    assert given == ["source", "checker"]
    assert statuses(answer) == {
        "source": "completed",
        "writer": "failed",
        "checker": "completed",
        "other": "completed",
    }
    assert answer.content["plan"]["plan_version"] == 2
    assert [e["plan_version"] for e in events if e["type"] == "plan_ready"] == [1, 2]
    assert [e["type"] for e in events].count("replan") == 1


async def test_replans_are_bounded_and_the_answer_says_what_is_missing(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent(
            f"way{n}", raising(Failed(f"no {n}")), does="job", makes=[f"report{n}"], cost=n + 1.0, calls=calls
        )
        for n in range(4)
    ]
    async with opened(tmp_path, make_agent("helper"), *agents, limits={"replans": 1}) as app:
        answer = await app.ask("job helper")
    assert answer.status == "completed"
    assert calls.names == ["way0", "way1"]
    assert "helper is done" in answer.text
    assert "no 1" in answer.text


async def test_steps_whose_input_can_never_exist_are_skipped(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("source", raising(Failed("no")), makes=["data"], calls=calls),
        make_agent("middle", makes=["half"], takes=["data"], calls=calls),
        make_agent("end", takes=["half"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("end")
    assert calls.names == ["source"]
    assert [step["status"] for step in answer.content["steps"]] == ["failed", "skipped", "skipped"]
    assert all(step["error"] for step in answer.content["steps"])


# --- what comes out --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "returned",
    [
        Result("wrong type", 1.0, [Artifact("numbers", {"x": "not a number"})]),
        Result("other kind", 1.0, [Artifact("surprise", {"x": 1})]),
        Result("not plain", 1.0, [Artifact("numbers", {"x": 1}, "")], state={"client": object()}),
        "no result at all",
    ],
)
async def test_undeclared_output_fails_the_step(tmp_path: Path, returned: Any) -> None:
    async def work(task: Task, ctx: Context) -> Result | None:
        return returned

    spec = make_agent("typed", work, makes=["numbers"])
    spec = replace(spec, produces={"numbers": dict[str, int]})
    async with opened(tmp_path, spec) as app:
        answer = await app.ask("typed")
    assert statuses(answer) == {"typed": "failed"}
    assert answer.content["errors"][0]["code"] == "bad_output"
    assert answer.content["artifacts"] == []


@pytest.mark.parametrize(
    ("result", "had_inputs", "quality"),
    [
        (Result("all", 1.0, [Artifact("a", 1), Artifact("b", 2)], sources=[{"id": "x"}]), False, 1.0),
        (Result("all", 1.0, [Artifact("a", 1), Artifact("b", 2)]), True, 1.0),
        (Result("half", 1.0, [Artifact("a", 1)]), False, 0.7),
        (Result("empty", 1.0, [Artifact("a", {}), Artifact("b", [])]), False, 0.5),
        (Result("unsure", 0.5, [Artifact("a", 1), Artifact("b", 2)]), False, 0.75),
        (Result("boastful", 9.0, [Artifact("a", 1), Artifact("b", 2)]), False, 0.9),
        (Result("nothing", 0.0), False, 0.0),
    ],
)
def test_quality_follows_its_formula(result: Result, had_inputs: bool, quality: float) -> None:
    assert quality_score(make_agent("x", makes=["a", "b"]), result, (), had_inputs=had_inputs) == quality


# --- people in the middle --------------------------------------------------------------------------------


def asking(name: str, question: str) -> Any:
    async def work(task: Task, ctx: Context) -> Result | None:
        if not task.answers:
            raise NeedsInput(question)
        return Result(f"{name} heard {task.answers[0]}", 1.0, [Artifact(f"{name}_made", {"x": 1})])

    return work


async def test_only_the_step_that_needs_input_waits_and_resumes(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("curious", asking("curious", "How many?"), calls=calls),
        make_agent("busy", calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        waiting = await app.ask("curious busy")
        assert waiting.status == "waiting"
        assert waiting.question is not None
        assert waiting.question["question"] == "How many?"
        ready = [e for e in await events_of(app, waiting) if e["type"] == "artifact_ready"]
        assert len(ready) == 1
        answer = await app.resume(waiting.session_id, "three")
    assert answer.status == "completed"
    assert "curious heard three" in answer.text
    assert calls.count("busy") == 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_two_steps_that_wait_are_answered_independently(tmp_path: Path, order: tuple[int, int]) -> None:
    names = ("left", "right")
    agents = [make_agent(name, asking(name, f"What about {name}?")) for name in names]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("left right")
        assert len(answer.content["waiting"]) == 2
        for which in order:
            waiting = {q["agent"]: q["id"] for q in answer.content["waiting"]}
            name = names[which]
            answer = await app.resume(answer.session_id, f"the {name} one", question_id=waiting[name])
    assert answer.status == "completed"
    assert "left heard the left one" in answer.text
    assert "right heard the right one" in answer.text


async def _paused(app: MetaAgent, gate: Gate) -> tuple[str, str, asyncio.Task[Any]]:
    asked = asyncio.ensure_future(app.ask("second"))
    await gate.reached.wait()
    session, turn = await running_session(app)
    assert await app.pause(session)
    gate.opened.set()
    await until_step(app, turn, "s1", "completed")
    return session, turn, asked


async def test_a_paused_turn_starts_nothing_until_it_goes_on(tmp_path: Path) -> None:
    gate, calls = Gate(), Calls()
    agents = [
        make_agent("first", gate.hold, makes=["half"], calls=calls),
        make_agent("second", takes=["half"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        session, _, asked = await _paused(app, gate)
        for _ in range(20):
            await asyncio.sleep(0)
        assert calls.names == ["first"]
        assert await app.unpause(session)
        answer = await asked
    assert answer.status == "completed"
    assert calls.names == ["first", "second"]


async def test_a_cancelled_turn_keeps_what_was_finished(tmp_path: Path) -> None:
    gate, calls = Gate(), Calls()
    agents = [
        make_agent("first", gate.hold, makes=["half"], calls=calls),
        make_agent("second", takes=["half"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        session, turn, asked = await _paused(app, gate)
        assert await app.cancel(session)
        answer = await asked
        assert answer.status == "cancelled"
        ready = [e async for e in app.events(turn) if e["type"] == "artifact_ready"]
        assert await app.artifact(session, ready[0]["artifact"]["id"]) == {"by": "first"}
        again = await app.ask("second", session_id=session)
    assert again.status == "completed"
    assert calls.names == ["first", "second"]


@pytest.mark.parametrize("switch", ["second", "secondly"])
async def test_switched_off_agent_or_capability_is_not_started(tmp_path: Path, switch: str) -> None:
    gate, calls = Gate(), Calls()
    agents = [
        make_agent("first", gate.hold, makes=["half"], calls=calls),
        make_agent("second", does="secondly", takes=["half"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        asked = asyncio.ensure_future(app.ask("secondly"))
        await gate.reached.wait()
        await app.disable(switch)
        gate.opened.set()
        answer = await asked
        assert calls.names == ["first"]
        assert results_of(answer)["second"]["status"] == "failed"
        assert answer.content["errors"][0]["code"] == "switched_off"
        await app.enable(switch)
        assert (await app.ask("secondly")).content["errors"] == []


async def test_unfinished_turn_resumes_without_repeating_steps(tmp_path: Path) -> None:
    gate, calls = Gate(), Calls()
    first = make_agent("first", makes=["half"], calls=calls)
    async with opened(tmp_path, first, make_agent("second", gate.hold, takes=["half"], calls=calls)) as app:
        asked = asyncio.ensure_future(app.ask("second"))
        await gate.reached.wait()
        session, turn = await running_session(app)
    await asyncio.wait([asked])  # closing stopped it without ending it
    async with opened(tmp_path, first, make_agent("second", takes=["half"], calls=calls)) as app:
        answer = await app.resume(session)
        events = [event async for event in app.events(turn)]
    assert answer.status == "completed"
    assert calls.names == ["first", "second", "second"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [e["type"] for e in events].count("execution_start") == 1
