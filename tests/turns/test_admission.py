"""Questions of many people at once: fair order, a place that is told, and a refusal that leaves nothing behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from metaagent.errors import TooBusy
from metaagent.plugin import Context, Task
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.sessions import runner
from tests.support.agents import Gate, Runs, figures, gate, opened, worker

ANN, BOB = User("ann", "acme", ("employee",)), User("bob", "acme", ("employee",))
ONE = {"running_turns": 1}


async def _held(app: MetaAgent, hold: Gate) -> asyncio.Task[None]:
    """One turn at work, which the test ends."""

    async def ask() -> None:
        await app.ask("slow", user=ANN)

    asked = asyncio.create_task(ask())
    await hold.arrived.wait()
    return asked


async def test_many_questions_of_one_delay_anothers_by_one(data: Path, runs: Runs):
    hold, begun = gate(), list[str]()

    async def note(_task: Task, ctx: Context) -> None:
        begun.append(ctx.user.user_id)

    agents = (worker(runs, "slow", before=hold), figures(runs, before=note))
    async with opened(data, *agents, limits=ONE) as app:
        first = await _held(app, hold)
        flood = [asyncio.create_task(app.ask("figures", user=ANN)) for _ in range(30)]
        while len(await app.sessions(user=ANN)) < 31:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        single = asyncio.create_task(app.ask("figures", user=BOB))
        while not await app.sessions(user=BOB):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        hold.opened.set()
        answers = await asyncio.gather(single, *flood)
        await first
    assert {answer.status for answer in answers} == {"completed"}
    assert "bob" in begun[:2]
    assert len(begun) == 31


async def test_place_in_the_queue_is_told_as_it_changes(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runner, "QUEUE_SECONDS", 0.01)
    holds = {name: gate() for name in ("slow", "second")}
    agents = (*(worker(runs, name, before=hold) for name, hold in holds.items()), figures(runs))
    async with opened(data, *agents, limits=ONE) as app:
        first = await _held(app, holds["slow"])
        second = asyncio.create_task(app.ask("second", user=ANN))
        while len(await app.sessions(user=ANN)) < 2:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        events = app.stream("figures", user=ANN)
        told = await anext(events)
        assert (told["type"], told["seq"], told["place"]) == ("queued", 1, 2)
        standing = await app.answer(told["turn_id"], user=ANN)
        assert (standing.status, standing.content["place"]) == ("queued", 2)
        assert (await app.session(told["session_id"], user=ANN)).status == "queued"
        holds["slow"].opened.set()
        told = await anext(events)
        assert (told["type"], told["seq"], told["place"]) == ("queued", 2, 1)
        holds["second"].opened.set()
        rest = [event async for event in events]
        assert [event["seq"] for event in rest] == list(range(3, 3 + len(rest)))
        assert (rest[0]["type"], rest[-1]["type"]) == ("planning_start", "response")
        assert (await app.answer(told["turn_id"], user=ANN)).text == "figures done"
        await asyncio.gather(first, second)


async def test_refused_question_leaves_nothing_behind(data: Path, runs: Runs):
    hold = gate()
    limits = {**ONE, "queued_turns_of_person": 0}
    async with opened(data, worker(runs, "slow", before=hold), figures(runs), limits=limits) as app:
        first = await _held(app, hold)
        with pytest.raises(TooBusy) as refusal:
            await app.ask("figures", user=ANN)
        assert refusal.value.retry_after >= 1
        assert len(await app.sessions(user=ANN)) == 1
        hold.opened.set()
        await first
        assert (await app.ask("figures", user=ANN)).text == "figures done"


async def test_refused_answer_can_be_given_again(data: Path, runs: Runs):
    hold = gate()
    limits = {**ONE, "queued_turns": 0}
    agents = (worker(runs, "slow", before=hold), worker(runs, "mailing", side_effects=True))
    async with opened(data, *agents, limits=limits) as app:
        waiting = await app.ask("mailing", user=ANN)
        first = await _held(app, hold)
        with pytest.raises(TooBusy):
            await app.resume(waiting.session_id, "approve", user=ANN)
        assert (await app.answer(waiting.turn_id, user=ANN)).status == "waiting"
        hold.opened.set()
        await first
        assert (await app.resume(waiting.session_id, "approve", user=ANN)).text == "mailing done"


async def test_turn_that_was_told_its_place_survives_a_restart(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runner, "QUEUE_SECONDS", 0.01)
    hold = gate()
    agents = (worker(runs, "slow", before=hold), figures(runs))
    async with opened(data, *agents, limits=ONE) as app:
        await _held(app, hold)
        told = await anext(app.stream("figures", user=ANN))
        assert told["type"] == "queued"
    async with opened(data, worker(runs, "slow"), figures(runs), limits=ONE) as app:
        assert (await app.session(told["session_id"], user=ANN)).status == "interrupted"
        answer = await app.resume(told["session_id"], user=ANN)
        assert answer.text == "figures done"
        seqs = [event["seq"] async for event in app.events(told["turn_id"], user=ANN)]
        assert seqs == list(range(1, len(seqs) + 1))


async def test_cancelled_turn_gives_its_place_to_the_next(data: Path, runs: Runs):
    hold = gate()
    agents = (worker(runs, "slow", before=hold), figures(runs))
    async with opened(data, *agents, limits=ONE) as app:
        first = await _held(app, hold)
        queued = asyncio.create_task(app.ask("figures", user=ANN))
        while len(found := await app.sessions(user=ANN)) < 2:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
        slow = next(info.session_id for info in found if info.title == "slow")
        assert await app.cancel(slow, user=ANN)
        assert (await queued).text == "figures done"
        await first
