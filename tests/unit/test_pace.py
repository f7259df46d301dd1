"""Turns that keep the processor busy follow each other; turns that wait for something else run beside each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from metaagent.sessions import pace
from metaagent.sessions.pace import AT_ONCE, Pace

ANN, BOB = ("acme", "ann"), ("acme", "bob")


class World:
    """Turns that end when they are told to, in a process that is as busy as the test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, busy: float, long: float = 60.0) -> None:
        monkeypatch.setattr(pace, "PULSE", 0.001)
        monkeypatch.setattr(pace, "LONG", long)
        clock = asyncio.get_running_loop().time
        self.pace = Pace(used=lambda: clock() * busy, worked=lambda: 0.0)
        self.begun: list[tuple[str, str]] = []
        self.ends: list[asyncio.Event] = []

    def ask(self, person: tuple[str, str]) -> asyncio.Task[None]:
        return asyncio.create_task(self._turn(person))

    async def _turn(self, person: tuple[str, str]) -> None:
        async with self.pace.kept(person):
            self.begun.append(person)
            end = asyncio.Event()
            self.ends.append(end)
            await end.wait()

    async def until(self, met: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not met():  # noqa: ASYNC110 - what is waited for has no event
                await asyncio.sleep(0.001)

    async def end_all(self, tasks: list[asyncio.Task[None]]) -> None:
        while not all(task.done() for task in tasks):
            for end in self.ends:
                end.set()
            await asyncio.sleep(0)


async def test_busy_process_takes_a_few_at_once_in_order(monkeypatch: pytest.MonkeyPatch):
    world = World(monkeypatch, busy=1.0)
    tasks = [world.ask(ANN) for _ in range(10)]
    await asyncio.sleep(0.05)
    assert len(world.begun) == AT_ONCE
    world.ends[0].set()
    await world.until(lambda: len(world.begun) == AT_ONCE + 1)
    single = world.ask(BOB)
    await asyncio.sleep(0.01)
    world.ends[1].set()
    await world.until(lambda: len(world.begun) == AT_ONCE + 2)
    assert world.begun[-1] == BOB, "many questions of one delay anothers by one"
    await world.end_all([*tasks, single])
    assert not vars(world.pace)["_running"]


async def test_idle_process_lets_all_of_them_in(monkeypatch: pytest.MonkeyPatch):
    world = World(monkeypatch, busy=0.0)
    tasks = [world.ask(ANN) for _ in range(64)]
    await world.until(lambda: len(world.begun) == 64)
    await world.end_all(tasks)


async def test_long_work_lets_others_run_beside_it(monkeypatch: pytest.MonkeyPatch):
    world = World(monkeypatch, busy=1.0, long=0.02)
    tasks = [world.ask(ANN) for _ in range(AT_ONCE + 2)]
    await world.until(lambda: len(world.begun) == AT_ONCE + 1)
    world.ends[-1].set()  # and who ended makes room for the next at once
    await world.until(lambda: len(world.begun) == AT_ONCE + 2)
    await world.end_all(tasks)


async def test_who_is_cancelled_while_waiting_leaves_no_trace(monkeypatch: pytest.MonkeyPatch):
    world = World(monkeypatch, busy=1.0)
    tasks = [world.ask(ANN) for _ in range(AT_ONCE + 3)]
    await world.until(lambda: len(world.begun) == AT_ONCE)
    await asyncio.sleep(0)
    tasks[-1].cancel()
    world.ends[0].set()
    await asyncio.sleep(0)
    tasks[AT_ONCE].cancel()  # perhaps at the very moment when it is let in
    await asyncio.gather(tasks[-1], tasks[AT_ONCE], return_exceptions=True)
    rest = [task for task in tasks if not task.cancelled()]
    await world.end_all(rest)
    assert len(rest) == AT_ONCE + 1
    assert not vars(world.pace)["_running"]
    assert not vars(world.pace)["_waiting"]
