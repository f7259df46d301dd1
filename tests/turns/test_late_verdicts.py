"""A verdict that blocks counts however late it comes: before an effect it keeps the gate closed, after one it is on record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from metaagent.audit.store import Where
from metaagent.errors import Failed, NeedsInput
from metaagent.level1.execution_manager import bounded
from metaagent.plugin import AgentSpec
from metaagent.runtime import MetaAgent
from metaagent.storage.step_starts import StartsOfTurn
from tests.support.execution_world import opened
from tests.support.gate_world import ASKER, FINDING, OFFICER, REVIEWER, World, checking, storing, writing

ALL = "write a report, check it and store it"
BOUND = 1.0
"""Seconds of every check; whoever takes its step over has no more."""
Hook = Callable[[Any, Any], Awaitable[None]]


class Stubborn:
    """A check that does not end when its time is over, and judges when it is told to."""

    def __init__(self) -> None:
        self.told = asyncio.Event()
        self.ended = asyncio.Event()

    async def before(self, task: Any, ctx: Any) -> None:
        while not self.told.is_set():
            try:
                await self.told.wait()
            except asyncio.CancelledError:
                continue
        asyncio.get_running_loop().call_soon(self.ended.set)

    async def judge(self, task: Any = None, ctx: Any = None) -> None:
        self.told.set()
        await self.ended.wait()
        await asyncio.sleep(0)


def cast_of(world: World, stubborn: Stubborn, *, clears: Hook | None = None, **acts: Any) -> list[AgentSpec]:
    """The first check blocks, too late; the second clears."""
    first = checking(world, "first", blocks=True, before=stubborn.before, timeout=BOUND, cost=1.0)
    return [writing(), first, checking(world, "second", before=clears, cost=2.0), storing(world, **acts)]


async def late_entries(app: MetaAgent, turn_id: str) -> list[Any]:
    entries = await app.governance.audit_list(Where(event="rules.judged", turn=turn_id), user=REVIEWER)
    return [entry for entry in entries if entry["data"].get("late")]


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "GRACE_SECONDS", 0.01)


async def test_a_late_verdict_closes_what_another_cleared(tmp_path: Path):
    world, stubborn = World(), Stubborn()
    async with opened(tmp_path, *cast_of(world, stubborn, clears=stubborn.judge)) as app:
        answer = await app.ask(ALL, user=ASKER)
        (held,) = answer.content["blocked"]
        assert (answer.status, world.stored, held["rules"]) == ("waiting", 0, ["fair_trade/gift_limit"])
        (entry,) = await late_entries(app, answer.turn_id)
        assert (entry["outcome"], entry["data"]["after_effect"]) == ("blocked", False)
        await app.override(answer.session_id, reason="read and accepted", user=OFFICER)
    assert world.stored == 1


async def test_a_verdict_within_the_grace_period_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded, "GRACE_SECONDS", 30.0)
    world = World()

    async def ends_when_asked(task: Any, ctx: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return

    first = checking(world, "first", blocks=True, before=ends_when_asked, timeout=BOUND, cost=1.0)
    async with opened(tmp_path, writing(), first, checking(world, "second", cost=2.0), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert (answer.status, world.stored) == ("waiting", 0)


async def test_a_late_verdict_that_clears_opens_nothing(tmp_path: Path):
    world, stubborn = World(), Stubborn()

    async def fails_later(task: Any, ctx: Any) -> None:
        await stubborn.judge()
        raise Failed("the rules cannot be read")

    first = checking(world, "first", before=stubborn.before, timeout=BOUND, cost=1.0)
    second = checking(world, "second", before=fails_later, cost=2.0)
    async with opened(tmp_path, writing(), first, second, storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
        assert await late_entries(app, answer.turn_id) == []
    assert len(world.judged) == 1
    assert (world.stored, bool(answer.content["blocked"])) == (0, True)


async def test_a_verdict_after_the_effect_is_told_and_kept(tmp_path: Path):
    world, stubborn = World(), Stubborn()
    asked_for: dict[str, Any] = {"require": {"kinds": []}}
    agents = cast_of(world, stubborn, after=stubborn.judge)
    async with opened(tmp_path, *agents, compliance=asked_for) as app:
        answer = await app.ask(ALL, user=ASKER)
        assert (answer.status, world.stored) == ("completed", 1)
        (entry,) = await late_entries(app, answer.turn_id)
        assert (entry["outcome"], entry["data"]["after_effect"]) == ("blocked", True)
        (told,) = [each for each in answer.content["warnings"] if each["code"] == "late_verdict"]
        assert "stored undo" in told["text"]
        again = await app.ask("store it", session_id=answer.session_id, user=ASKER)
    assert (again.status, world.stored) == ("waiting", 1)


async def test_a_verdict_right_before_the_start_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    world, stubborn = World(), Stubborn()
    begin = StartsOfTurn.begin

    async def judged_meanwhile(self: StartsOfTurn, step_id: str, agent: str) -> None:
        await begin(self, step_id, agent)
        if agent == "storing":
            await stubborn.judge()

    monkeypatch.setattr(StartsOfTurn, "begin", judged_meanwhile)
    async with opened(tmp_path, *cast_of(world, stubborn)) as app:
        answer = await app.ask(ALL, user=ASKER)
        assert (answer.status, world.stored) == ("waiting", 0)
        await app.override(answer.session_id, reason="read and accepted", user=OFFICER)
    assert world.stored == 1


async def test_a_verdict_while_the_turn_waits_counts(tmp_path: Path):
    world, stubborn = World(), Stubborn()

    async def asks(task: Any, ctx: Any) -> None:
        if not task.answers:
            raise NeedsInput("where to?", options=["here"])

    async with opened(tmp_path, *cast_of(world, stubborn, before=asks)) as app:
        answer = await app.ask(ALL, user=ASKER)
        assert answer.status == "waiting"
        await stubborn.judge()
        answer = await app.resume(answer.session_id, "here", user=ASKER)
    assert (answer.status, world.stored, bool(answer.content["blocked"])) == ("waiting", 0, True)


async def test_a_verdict_after_the_turn_goes_on_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    world, stubborn = World(), Stubborn()
    goes_on = False
    begin = StartsOfTurn.begin

    async def asks(task: Any, ctx: Any) -> None:
        if not task.answers:
            raise NeedsInput("where to?", options=["here"])

    async def judged_meanwhile(self: StartsOfTurn, step_id: str, agent: str) -> None:
        await begin(self, step_id, agent)
        if goes_on and agent == "storing":
            await stubborn.judge()

    monkeypatch.setattr(StartsOfTurn, "begin", judged_meanwhile)
    async with opened(tmp_path, *cast_of(world, stubborn, before=asks)) as app:
        answer = await app.ask(ALL, user=ASKER)
        goes_on = True
        answer = await app.resume(answer.session_id, "here", user=ASKER)
    assert (answer.status, world.stored, bool(answer.content["blocked"])) == ("waiting", 0, True)


async def test_an_override_is_for_the_verdicts_that_were_shown(tmp_path: Path):
    world, stubborn = World(), Stubborn()
    other = [{**FINDING, "rule": "meal_limit"}]
    writer, late, _, stores = cast_of(world, stubborn)
    agents = [writer, late, checking(world, "second", blocks=True, findings=other, cost=2.0), stores]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask(ALL, user=ASKER)
        assert [held["rules"] for held in answer.content["blocked"]] == [["fair_trade/meal_limit"]]
        await stubborn.judge()
        assert await app.override(answer.session_id, reason="meals are fine", user=OFFICER) == "waiting"
        assert world.stored == 0
        (shown,) = await app.approvals(user=OFFICER)
        assert {finding["rule"] for finding in shown["findings"]} == {"meal_limit", "gift_limit"}
        assert await app.override(answer.session_id, reason="both are", user=OFFICER) == "completed"
    assert world.stored == 1
