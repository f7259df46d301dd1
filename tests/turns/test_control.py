"""Control from any process: cancelling, pausing and the kill switch reach the process that works on the turn."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.sessions import control
from metaagent.storage import commands
from tests.support.agents import Runs, drawing, figures, gate, opened, worker
from tests.support.elsewhere import agents, at_work, is_paused, is_switched_off, never, until

KIM = User("kim", "acme")


async def _session(app: MetaAgent, runs: Runs) -> str:
    await until(lambda: runs.of("figures") == 1)
    (info,) = await app.sessions()
    return info.session_id


async def test_turn_of_another_process_is_cancelled(data: Path, runs: Runs):
    async with opened(data, *agents(runs)) as app:
        with at_work(data, runs, never, "cancelled"):
            session_id = await _session(app, runs)
            assert await app.cancel(session_id)
        (turn,) = await app.turns(session_id)
        assert turn.status == "cancelled"
        assert not await app.cancel(session_id), "there is nothing left to cancel"
        assert (await app.ask("drawing", session_id=session_id)).status == "completed"


async def test_turn_of_another_process_is_paused_and_goes_on(data: Path, runs: Runs):
    async with opened(data, *agents(runs)) as app:
        with at_work(data, runs, is_paused):
            session_id = await _session(app, runs)
            assert await app.pause(session_id)
            async for event in app.watch(session_id):
                if event["type"] == "artifact_ready":
                    break
            assert runs.of("drawing") == 0
            assert await app.unpause(session_id)
        assert runs.of("drawing") == 1
        assert not await app.pause(session_id), "nothing runs"


async def test_kill_switch_reaches_a_turn_of_another_process(data: Path, runs: Runs):
    async with opened(data, *agents(runs)) as app:
        with at_work(data, runs, is_switched_off):
            await until(lambda: runs.of("figures") == 1)
            await app.disable("drawing")
        assert runs.of("drawing") == 0


async def test_kill_switch_outlives_the_process_until_it_is_enabled(data: Path, runs: Runs):
    async with opened(data, *agents(runs)) as app:
        await app.disable("drawing")
        await app.disable("figures", user=KIM)
    async with opened(data, *agents(runs)) as app:
        assert app.registry.disabled == {"drawing"}
        assert app.registry.for_company("acme").is_off("figures")
        assert not app.registry.for_company("other").is_off("figures")
        await app.enable("drawing")
        await app.enable("figures", user=KIM)
    async with opened(data, *agents(runs)) as app:
        assert (await app.ask("drawing", user=KIM)).status == "completed"


async def test_configured_switches_are_off_again_after_a_restart(data: Path, runs: Runs):
    off = {"allow": [], "disabled": ["drawing"]}
    async with opened(data, *agents(runs), agents=off) as app:
        await app.enable("drawing")
        assert app.registry.disabled == set()
    async with opened(data, *agents(runs), agents=off) as app:
        assert app.registry.disabled == {"drawing"}


async def test_commands_to_ended_turns_change_nothing(data: Path, runs: Runs):
    async with opened(data, *agents(runs)) as app, opened(data, *agents(runs)) as other:
        first = await app.ask("figures")
        assert not await other.cancel(first.session_id)
        assert not await other.pause(first.session_id)
        assert (await app.ask("drawing", session_id=first.session_id)).status == "completed"


async def test_pause_and_unpause_take_effect_in_their_order(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(control, "LOOK_SECONDS", 0.01)
    hold = gate()
    async with (
        opened(data, figures(runs, before=hold), drawing(runs)) as app,
        opened(data, *agents(runs)) as other,
    ):
        asked = asyncio.create_task(app.ask("drawing"))
        await hold.arrived.wait()
        (info,) = await other.sessions()
        assert await other.pause(info.session_id)
        assert await app.unpause(info.session_id), "before it has heard of the pause"
        hold.opened.set()
        assert (await asked).status == "completed"


async def test_paused_turn_says_so_in_every_process(data: Path, runs: Runs):
    hold = gate()
    async with (
        opened(data, figures(runs, before=hold), drawing(runs)) as app,
        opened(data, *agents(runs)) as other,
    ):
        begun = await app.begin("drawing")
        await hold.arrived.wait()
        for act, paused in ((app.pause, True), (app.unpause, None)):
            assert await act(begun.session_id)
            for each in (app, other):
                assert (await each.answer(begun.turn_id)).content.get("paused") is paused
        hold.opened.set()
        told = [event["type"] async for event in app.events(begun.turn_id)]
        assert told[-1] == "response"


async def test_turn_whose_process_died_meanwhile_is_cancelled(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    hold = gate()

    def unheard(_turn_id: str) -> None:
        """The command arrives too late."""

    async with opened(data, worker(runs, "slow", before=hold)) as app:
        async with opened(data, worker(runs, "slow", before=hold)) as dying:
            session_id = (await anext(dying.stream("slow")))["session_id"]
            await hold.arrived.wait()
            monkeypatch.setattr(dying._runner, "request_cancel", unheard)  # pyright: ignore[reportPrivateUsage]
            cancelling = asyncio.create_task(app.cancel(session_id))
            await asyncio.sleep(0)
        assert await cancelling
        (turn,) = await app.turns(session_id)
        assert turn.status == "cancelled"


async def test_commands_do_not_pile_up(data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands, "KEPT", 3)
    hold = gate()
    async with opened(data, worker(runs, "slow", before=hold)) as app:
        asked = asyncio.create_task(app.ask("slow"))
        await hold.arrived.wait()
        (info,) = await app.sessions()
        for _ in range(10):
            await app.pause(info.session_id)
            await app.unpause(info.session_id)
            await app.disable("drawing")
            await app.enable("drawing")
        counted = await app._store.count_session(info.session_id)  # pyright: ignore[reportPrivateUsage]
        assert counted["commands"] <= 4
        hold.opened.set()
        await asked
        removed = await app.delete_session(info.session_id)
        assert removed["commands"] == counted["commands"]
