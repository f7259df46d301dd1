"""What a turn may spend is one amount, however often it waits for a person, is paused or is taken up after a crash."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.level1 import budget as budget_module
from metaagent.level1.budget import Budget
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import Json
from metaagent.runtime import Answer, MetaAgent
from metaagent.testing import FakeReasoner
from metaagent.testing.scripted_model import ScriptedChatModel
from tests.support.agents import Gate, Runs, asking, failing, figures, flaky, gate, opened, worker
from tests.support.execution_world import running_session

UNCLEAR = {
    "required_capabilities": ["figures"],
    "clarification_needed": True,
    "ambiguities": [{"field": "period", "question": "Which period?", "options": []}],
}


def bounds(answer: Answer) -> list[str]:
    return [warning["bound"] for warning in answer.content["warnings"]]


async def say_that_it_spent(app: MetaAgent, waiting: Answer, usage: Json | None) -> None:
    """As if the waiting turn had spent this; None as if an older version had stored it."""
    store = app._store  # pyright: ignore[reportPrivateUsage]
    turn = await store.turn(waiting.turn_id)
    assert turn is not None
    rest = {key: value for key, value in turn.outcome.items() if key != "usage"}
    outcome = rest if usage is None else {**rest, "usage": {**turn.outcome["usage"], **usage}}
    await store.save_turn(replace(turn, outcome=outcome))


async def test_calls_before_a_question_count_after_its_answer(data: Path, runs: Runs):
    async with opened(data, asking(runs, questions=9), limits={"calls": 3}) as app:
        answer = await app.ask("asking")
        for calls in (1, 2, 3):
            assert (answer.status, answer.content["usage"]["calls"]) == ("waiting", calls)
            answer = await app.resume(answer.session_id, "left")
    assert (answer.status, bounds(answer)) == ("completed", ["calls"])
    assert answer.content["usage"]["calls"] == 3


@pytest.mark.parametrize(
    ("usage", "said"),
    [({}, []), ({"seconds": 1e6}, ["turn_seconds"]), ({"calls": 200}, ["calls"]), (None, [])],
)
async def test_waiting_turn_resumes_with_its_remaining_budget(
    data: Path, runs: Runs, usage: Json | None, said: list[str]
):
    reasoner = FakeReasoner(UNCLEAR, {"required_capabilities": ["figures"]})
    async with opened(data, figures(runs), reasoner=reasoner) as app:
        waiting = await app.ask("figures")
        await say_that_it_spent(app, waiting, usage)
    async with opened(data, figures(runs), reasoner=reasoner) as app:
        answer = await app.resume(waiting.session_id, "today")
    assert bounds(answer) == said
    assert runs.of("figures") == (0 if said else 1)


async def test_approved_plan_adds_to_what_the_turn_already_spent(data: Path, runs: Runs):
    async with opened(data, figures(runs), approval={"mode": "always"}) as app:
        waiting = await app.ask("figures")
        await say_that_it_spent(app, waiting, {"calls": 5, "tokens": 70, "seconds": 60.0})
        answer = await app.resume(waiting.session_id, "approve")
    usage = answer.content["usage"]
    assert (usage["calls"], usage["tokens"], usage["steps"]) == (6, 70, ["s1"])
    assert usage["seconds"] > 60


async def test_a_cancelled_turn_says_what_it_spent(data: Path, runs: Runs):
    held = gate()
    async with opened(data, figures(runs), worker(runs, "held", before=held)) as app:
        asked = asyncio.ensure_future(app.ask("figures held"))
        await held.arrived.wait()
        await app.cancel((await running_session(app))[0])
        answer = await asked
    assert (answer.status, answer.content["usage"]["calls"]) == ("cancelled", 2)


async def left_by_a_crash(
    data: Path, question: str, *agents: Any, reached: asyncio.Event, **limits: Any
) -> str:
    """The session of a turn that ended with its process."""
    async with opened(data, *agents, limits=limits) as app:
        asked = asyncio.ensure_future(app.ask(question))
        await reached.wait()
        session, _ = await running_session(app)
    await asyncio.wait([asked])
    return session


async def test_calls_of_steps_that_a_crashed_run_had_finished_count(data: Path, runs: Runs):
    first, held = flaky(runs, 2, retries=2, makes="half"), gate()
    last = worker(runs, "last", takes=("middle_result",))
    agents = (first, worker(runs, "middle", takes=("half",), before=held), last)
    session = await left_by_a_crash(data, "last", *agents, reached=held.arrived, calls=4)
    agents = (first, worker(runs, "middle", takes=("half",)), last)
    async with opened(data, *agents, limits={"calls": 4}) as app:
        answer = await app.resume(session)
    assert runs.of("flaky") == 3, "three calls, made by the run that crashed"
    assert (runs.of("middle"), runs.of("last")) == (2, 0)
    assert bounds(answer) == ["calls"]


async def test_calls_of_an_earlier_plan_version_count_after_a_crash(data: Path, runs: Runs):
    held = gate()
    first = failing(runs, "first", can="report", makes="report", cost=1)
    agents = (first, figures(runs))
    other: dict[str, Any] = {"can": "report", "makes": "report", "takes": ("dataset",), "cost": 2}
    session = await left_by_a_crash(
        data, "report", *agents, worker(runs, "other", before=held, **other), reached=held.arrived
    )
    async with opened(data, *agents, worker(runs, "other", **other)) as app:
        answer = await app.resume(session)
    assert answer.content["plan"]["plan_version"] == 2
    assert answer.content["usage"]["calls"] == 3


async def test_spending_before_a_wait_is_counted_once_after_a_crash(data: Path, runs: Runs):
    held = gate()
    agents = (flaky(runs, 1, retries=1), asking(runs))
    async with opened(data, *agents, worker(runs, "after", takes=("asking_result",), before=held)) as app:
        waiting = await app.ask("flaky after")
        assert waiting.content["usage"]["calls"] == 3
        asked = asyncio.ensure_future(app.resume(waiting.session_id, "left"))
        await held.arrived.wait()
    await asyncio.wait([asked])
    async with opened(data, *agents, worker(runs, "after", takes=("asking_result",))) as app:
        answer = await app.resume(waiting.session_id)
    assert answer.status == "completed"
    assert answer.content["usage"]["calls"] == 5, "two of flaky, two of asking, one of after in the last run"


async def test_time_in_which_a_turn_is_paused_is_no_working_time(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    now = [0.0]
    monkeypatch.setattr(budget_module, "_now", lambda: now[0])
    holding, really_held = asyncio.Event(), Budget.held

    @contextmanager
    def with_turn_warnings(budget: Budget) -> Generator[None]:
        with really_held(budget):
            holding.set()
            yield

    monkeypatch.setattr(Budget, "held", with_turn_warnings)
    held = gate()
    agents = (worker(runs, "first", makes="half", before=held), worker(runs, "second", takes=("half",)))
    async with opened(data, *agents) as app:
        asked = asyncio.ensure_future(app.ask("second"))
        await held.arrived.wait()
        session, _ = await running_session(app)
        await app.pause(session)
        held.opened.set()
        await holding.wait()
        now[0] = 10_000.0
        await app.unpause(session)
        answer = await asked
    assert (bounds(answer), runs.of("second")) == ([], 1)
    assert answer.content["usage"]["seconds"] == 0


async def test_tokens_before_a_wait_are_gone_after_it():
    budget = Budget(60, 10, 100, {"calls": 4, "tokens": 70, "seconds": 20.0, "steps": ["s1"]})
    budget.spend("model")
    budget.spend_tokens(10)
    assert (budget.calls_left, budget.tokens_left) == (5, 20)
    assert budget.seconds_left <= 40
    assert budget.model_use() == (10, 1), "the state knows of the earlier ones"


def writer(runs: Runs, held: Gate | None = None) -> AgentSpec:
    """Asks the chat model once; with `held`, its process ends before it does."""

    @agent(
        name="writer",
        capabilities=[Capability("writer", ko=("writer",), en=("writer",))],
        produces=["draft"],
        needs=["llm"],
    )
    async def work(_task: Task, ctx: Context) -> Result:
        runs.add("writer")
        reply = await ctx.llm.complete([("user", "write")])
        runs.add("written")
        if held is not None:
            await held(_task, ctx)
        return Result(reply.text, 1.0, [Artifact("draft", reply.text)])

    return work


@pytest.mark.parametrize(("limit", "said"), [(200, "limits.tokens"), (10_000, "done")])
async def test_turn_resumed_after_a_crash_keeps_its_token_budget(
    data: Path, runs: Runs, limit: int, said: str
):
    held, model = gate(), ScriptedChatModel(replies=["done"], tokens=100)
    rules = FakeReasoner({"required_capabilities": ["writer"]})

    def app_with(spec: AgentSpec) -> Any:
        return opened(data, spec, reasoner=rules, chat_model=model, limits={"tokens": limit})

    session = ""
    for _ in range(2):
        async with app_with(writer(runs, held)) as app:
            work = app.resume(session) if session else app.ask("writer")
            asked = asyncio.ensure_future(work)
            await asyncio.wait_for(held.arrived.wait(), 30)
            held.arrived.clear()
            session, _ = await running_session(app)
        await asyncio.wait([asked], timeout=30)
    async with app_with(writer(runs)) as app:
        answer = await app.resume(session)
    assert said in answer.text
    assert runs.of("written") == (2 if limit == 200 else 3)
    assert answer.content["usage"]["tokens"] == 100 * runs.of("written")


async def test_tokens_of_a_wait_and_of_a_crash_are_counted_once(data: Path, runs: Runs):
    held, model = gate(), ScriptedChatModel(replies=["done"], tokens=100)
    rules = FakeReasoner(UNCLEAR, {"required_capabilities": ["writer"]})
    async with opened(data, writer(runs, held), reasoner=rules, chat_model=model) as app:
        waiting = await app.ask("writer")
        await say_that_it_spent(app, waiting, {"tokens": 70})
        asked = asyncio.ensure_future(app.resume(waiting.session_id, "today"))
        await asyncio.wait_for(held.arrived.wait(), 30)
    await asyncio.wait([asked], timeout=30)
    async with opened(data, writer(runs), reasoner=rules, chat_model=model) as app:
        answer = await app.resume(waiting.session_id)
    assert answer.content["usage"]["tokens"] == 270
