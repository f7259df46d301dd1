"""Agents that fail, ask, are switched off or go on talking at the worst moment."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import NeedsInput, TryAgain
from metaagent.level1.breaker import CircuitBreaker
from metaagent.level1.execution_manager import bounded
from metaagent.level1.execution_manager.quality import MOST_ARTIFACTS
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.execution_world import (
    Calls,
    Gate,
    Work,
    events_of,
    good,
    make_agent,
    opened,
    raising,
    running_session,
    statuses,
    until_step,
)


def asking(question: str, heard: list[tuple[Any, ...]], then: BaseException | None = None) -> Work:
    async def work(task: Task, ctx: Context) -> Result | None:
        if not task.answers:
            raise NeedsInput(question)
        heard.append(task.answers)
        if then is not None:
            raise then

    return work


# --- questions, and who hears the answers ----------------------------------------------------------------


@pytest.mark.parametrize("switched_off", [True, False])
async def test_fallback_agent_does_not_get_an_answer_meant_for_another(
    tmp_path: Path, switched_off: bool
) -> None:
    """The first one asks, hears and breaks; the second asks. Then the first is not even started any more."""
    first, second = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    agents = (
        make_agent("first", asking("First?", first, ValueError("bug")), does="job", makes=["report"]),
        make_agent("second", asking("Second?", second), does="job", makes=["report"], cost=2.0),
    )
    async with opened(tmp_path, *agents, limits={"breaker_failures": 20 if switched_off else 1}) as app:
        answer = await app.ask("job")
        answer = await app.resume(answer.session_id, "for the first")
        assert answer.question is not None
        assert answer.question["question"] == "Second?"
        if switched_off:
            await app.disable("first")
        answer = await app.resume(answer.session_id, "for the second")
        asked = [e["question"] for e in await events_of(app, answer) if e["type"] == "clarification_needed"]
    assert (answer.status, statuses(answer)) == ("completed", {"second": "completed"})
    assert (first, second) == ([("for the first",)], [("for the second",)])
    assert asked == ["First?", "Second?"]


async def test_a_passing_fault_after_an_answer_does_not_ask_again(tmp_path: Path) -> None:
    tried: list[tuple[Any, ...]] = []

    async def work(task: Task, ctx: Context) -> Result | None:
        if not task.answers:
            raise NeedsInput("Which?")
        tried.append(task.answers)
        if len(tried) == 1:
            raise TryAgain("busy", after=0)

    async with opened(tmp_path, make_agent("flaky", work, retries=1)) as app:
        waiting = await app.ask("flaky")
        answer = await app.resume(waiting.session_id, "this one")
    assert (answer.status, tried) == ("completed", [("this one",), ("this one",)])


# --- switches --------------------------------------------------------------------------------------------


async def test_agent_switched_off_between_tries_is_not_retried(tmp_path: Path) -> None:
    calls, apps = Calls(), list[MetaAgent]()

    async def work(task: Task, ctx: Context) -> Result | None:
        for name in ("flaky", "second"):
            await apps[0].disable(name)
        raise TryAgain("busy", after=0)

    agents = [
        make_agent("flaky", work, does="job", makes=["report"], retries=5, calls=calls),
        make_agent("second", does="job", makes=["report"], cost=2.0, calls=calls),
        make_agent("third", does="job", makes=["report"], cost=3.0, calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        apps.append(app)
        answer = await app.ask("job")
    assert calls.names == ["flaky", "third"]
    assert "busy" in answer.text, "why it had to be tried again is not forgotten"


@pytest.mark.parametrize(("off", "ran"), [("beta", []), ("alpha", ["both"])])
async def test_one_capability_of_an_agent_can_be_switched_off(
    tmp_path: Path, off: str, ran: list[str]
) -> None:
    gate, calls = Gate(), Calls()

    @agent(
        name="both",
        capabilities=[Capability(word, ko=(word,), en=(word,)) for word in ("alpha", "beta")],
        produces=["both_made"],
        consumes=["half"],
    )
    async def both(task: Task, ctx: Context) -> Result:
        calls.names.append("both")
        return good("both", "both_made")

    async with opened(tmp_path, make_agent("first", gate.hold, makes=["half"]), both) as app:
        asked = asyncio.ensure_future(app.ask("beta"))
        await gate.reached.wait()
        await app.disable(off)
        gate.opened.set()
        await asked
        assert calls.names == ran
        later = await app.ask("both made by alpha") if off == "beta" else None
    assert later is None or calls.names == ["both"], "what it can do besides is on"


async def test_agent_with_a_disabled_capability_still_feeds_others(tmp_path: Path) -> None:
    @agent(
        name="maker",
        capabilities=[Capability(word, ko=(word,), en=(word,)) for word in ("alpha", "beta")],
        produces=["half"],
    )
    async def maker(task: Task, ctx: Context) -> Result:
        return good("maker", "half")

    rules = {"disabled": ["alpha"]}
    async with opened(tmp_path, maker, make_agent("user", takes=["half"]), agents=rules) as app:
        answer = await app.ask("user")
    assert statuses(answer) == {"maker": "completed", "user": "completed"}


async def test_turn_can_be_cancelled_while_a_step_waits_for_a_retry(tmp_path: Path) -> None:
    calls, tried = Calls(), asyncio.Event()

    async def busy(task: Task, ctx: Context) -> Result | None:
        tried.set()
        raise TryAgain("busy", after=10)

    async with opened(tmp_path, make_agent("flaky", busy, retries=5, calls=calls)) as app:
        asked = asyncio.ensure_future(app.ask("flaky"))
        await tried.wait()
        session, turn = await running_session(app)
        await until_step(app, turn, "s1", "in_progress")
        assert await app.cancel(session)
        answer = await asked
    assert (answer.status, calls.names) == ("cancelled", ["flaky"])


# --- circuit breaker -------------------------------------------------------------------------------------

START = datetime(2025, 1, 1, tzinfo=UTC)


def half_open() -> tuple[CircuitBreaker, datetime]:
    """One fault has opened it; its time is over, and one attempt is on its way."""
    breaker = CircuitBreaker(1, 60)
    breaker.record("a", "timeout", START)
    assert not breaker.allows("a", START)
    later = START + timedelta(seconds=61)
    assert breaker.allows("a", later)
    return breaker, later


def test_while_one_attempt_decides_no_other_is_let_through() -> None:
    breaker, now = half_open()
    assert not breaker.allows("a", now)


@pytest.mark.parametrize(("trouble", "then"), [(None, True), ("timeout", False), ("failed", True)])
def test_the_attempt_that_is_let_through_decides(trouble: str | None, then: bool) -> None:
    breaker, now = half_open()
    breaker.record("a", trouble, now)
    assert breaker.allows("a", now) is then


def test_final_failure_lets_one_next_attempt_through() -> None:
    breaker, now = half_open()
    breaker.record("a", "failed", now)
    assert (breaker.allows("a", now), breaker.allows("a", now)) == (True, False)


async def test_agent_that_asks_on_a_retry_gets_the_answer(tmp_path: Path) -> None:
    clock, broken, heard = FakeClock(), [True], list[tuple[Any, ...]]()
    ask = asking("Which?", heard)

    async def work(task: Task, ctx: Context) -> Result | None:
        if broken[0]:
            raise ValueError("bug")
        return await ask(task, ctx)

    limits = {"breaker_failures": 1, "breaker_seconds": 60}
    async with opened(tmp_path, make_agent("shaky", work), clock=clock, limits=limits) as app:
        await app.ask("shaky")
        clock.advance(61)
        broken[0] = False
        waiting = await app.ask("shaky")
        answer = await app.resume(waiting.session_id, "this one")
    assert (statuses(answer), heard) == ({"shaky": "completed"}, [("this one",)])


async def test_a_bound_does_not_use_up_the_attempt_that_decides(tmp_path: Path) -> None:
    clock, faults = FakeClock(), {"first": 0, "second": 0, "shaky": 2}

    async def stumble(task: Task, ctx: Context) -> Result | None:
        if faults[ctx.agent]:
            faults[ctx.agent] -= 1
            raise TryAgain("busy", after=0)

    agents = (
        make_agent("first", stumble, makes=["one"], retries=1),
        make_agent("second", stumble, takes=["one"], makes=["two"], retries=1),
        make_agent("shaky", stumble, takes=["two"], retries=1),
    )
    limits = {"breaker_failures": 2, "breaker_seconds": 60, "calls": 4}
    async with opened(tmp_path, *agents, clock=clock, limits=limits) as app:
        assert statuses(await app.ask("shaky"))["shaky"] == "failed"
        clock.advance(61)
        faults.update(first=1, second=1)
        assert "limits.calls" in (await app.ask("shaky")).text
        answer = await app.ask("shaky")
    assert statuses(answer)["shaky"] == "completed"


# --- bounds ----------------------------------------------------------------------------------------------


async def test_exhausted_budget_does_not_hide_the_first_error(tmp_path: Path) -> None:
    flaky = make_agent("flaky", raising(TryAgain("the line is busy", after=0)), retries=9)
    async with opened(tmp_path, flaky, limits={"calls": 3}) as app:
        answer = await app.ask("flaky")
    assert [warning["bound"] for warning in answer.content["warnings"]] == ["calls"]
    assert "limits.calls" in answer.text
    assert "the line is busy" in answer.text


# --- what agents return and say --------------------------------------------------------------------------


async def test_a_result_after_the_timeout_is_a_timeout(tmp_path: Path) -> None:
    async def deaf(task: Task, ctx: Context) -> Result | None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return None

    async with opened(tmp_path, make_agent("deaf", deaf, timeout=0.02)) as app:
        answer = await app.ask("deaf")
    assert [error["code"] for error in answer.content["errors"]] == ["timeout"]


@pytest.mark.parametrize(("count", "status"), [(MOST_ARTIFACTS, "completed"), (10_000, "failed")])
async def test_agent_cannot_return_more_artifacts_than_a_state_lists(
    tmp_path: Path, count: int, status: str
) -> None:
    async def work(task: Task, ctx: Context) -> Result | None:
        return Result("many", 1.0, [Artifact("leaf", {"number": n}) for n in range(count)])

    async with opened(tmp_path, make_agent("many", work, makes=["leaf"])) as app:
        answer = await app.ask("many")
    assert statuses(answer) == {"many": status}
    assert len([ref for ref in answer.content["artifacts"] if ref.get("id")]) == (
        count if status == "completed" else 0
    )
    assert status == "completed" or "10000" in answer.text


@pytest.mark.parametrize("cancelled", [True, False])
async def test_progress_after_the_end_of_its_step_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cancelled: bool
) -> None:
    monkeypatch.setattr("metaagent.journal.LINGER_SECONDS", 0)
    contexts: list[Context] = []
    slow, first = Gate(), Gate()

    async def keep(task: Task, ctx: Context) -> Result | None:
        contexts.append(ctx)
        return await first.hold(task, ctx)

    agents = (make_agent("early", keep, needs=["progress"]), make_agent("slow", slow.hold))
    async with opened(tmp_path, *agents) as app:
        asked = asyncio.ensure_future(app.ask("early slow"))
        await asyncio.gather(first.reached.wait(), slow.reached.wait())
        session, turn = await running_session(app)
        if cancelled:
            await app.cancel(session)
            await asked
        else:
            first.opened.set()
            await until_step(app, turn, "s1", "completed")
        await contexts[0].progress(70, "too late")
        slow.opened.set()
        answer = await asked
        await app.ask("slow")  # long enough for whatever is still to be written
        events = await events_of(app, answer)
    assert "too late" not in str(events)
    assert events[-1]["type"] == ("error" if cancelled else "response")


# --- nothing blocks for ever -------------------------------------------------------------------------------


async def test_a_run_that_will_not_end_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The step has failed when the grace period is over, the turn ends, and what comes later is dropped."""
    monkeypatch.setattr(bounded, "GRACE_SECONDS", 0.02)
    let_go = asyncio.Event()

    async def stubborn(task: Task, ctx: Context) -> Result:
        while not let_go.is_set():
            with suppress(asyncio.CancelledError):
                await let_go.wait()
        return Result("late", 1.0)

    async with opened(tmp_path, make_agent("stubborn", stubborn, timeout=0.02)) as app:
        answer = await app.ask("stubborn")
        assert answer.content["errors"][0]["code"] == "timeout"
        assert "agents.isolate" in " ".join(each["text"] for each in answer.content["warnings"])
        assert bounded.abandoned() == 1
        let_go.set()
        while bounded.abandoned():  # noqa: ASYNC110 - the run that was given up tells nobody
            await asyncio.sleep(0)
        after = await app.answer(answer.content["turn_id"])
        assert after.content["errors"] == answer.content["errors"]


async def test_a_turn_is_cancelled_though_its_agent_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded, "GRACE_SECONDS", 0.02)
    begun, let_go = asyncio.Event(), asyncio.Event()

    async def stubborn(task: Task, ctx: Context) -> Result:
        begun.set()
        while not let_go.is_set():
            with suppress(asyncio.CancelledError):
                await let_go.wait()
        return Result("late", 1.0)

    async with opened(tmp_path, make_agent("stubborn", stubborn)) as app:
        asked = asyncio.create_task(app.ask("stubborn"))
        await begun.wait()
        session, _ = await running_session(app)
        await app.cancel(session)
        answer = await asked
        assert answer.status == "cancelled"
        let_go.set()


async def test_an_agent_that_holds_the_loop_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("metaagent.level1.execution_manager.attempt.BLOCKED_SECONDS", 0.0)

    async def busy(task: Task, ctx: Context) -> Result:
        return Result("done", 1.0, [Artifact("busy_result", {})])

    async with opened(tmp_path, make_agent("busy", busy)) as app:
        answer = await app.ask("busy")
    said = [each for each in answer.content["warnings"] if each["code"] == "loop_blocked"]
    assert len(said) == 1
    assert said[0]["text"].startswith("busy held up everything else")


async def test_work_that_held_the_loop_beyond_its_time_is_late():
    async def blocking() -> str:
        end = time.monotonic() + 0.05
        while time.monotonic() < end:
            pass
        return "done"

    with pytest.raises(bounded.Expired) as expired:
        await bounded.result_in_time(asyncio.ensure_future(bounded.Measured(blocking())), 0.01)
    assert not expired.value.abandoned


async def test_a_measured_run_behaves_as_itself():
    async def work() -> str:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            return "ended in its own way"
        return "never"

    measured = bounded.Measured(work())
    task = asyncio.ensure_future(_awaited(measured))
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "ended in its own way"

    async def broken() -> None:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await bounded.Measured(broken())


async def _awaited(work: bounded.Measured[str]) -> str:
    return await work
