"""A turn at work in a process of its own, for tests that watch and control it from another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent.plugin import AgentSpec
from metaagent.runtime import MetaAgent
from tests.support.agents import Runs, drawing, figures, opened
from tests.support.processes import SECONDS, processes

if TYPE_CHECKING:
    from collections.abc import Generator

Reached = Callable[[MetaAgent, str], bool]
"""Tells whether a command for a session has arrived in the process of this app."""


async def until(reached: Callable[[], bool]) -> None:
    """Wait for something that tells nobody, as long as a process may live."""
    async with asyncio.timeout(SECONDS):
        while not reached():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.005)


def ask(data: Path, runs: Runs, reached: Reached, ends: str) -> None:
    """Ask for a drawing; its first step ends when `reached`. The turn must end as said."""

    async def work() -> None:
        holder: list[MetaAgent] = []

        async def hold(_task: Any, _ctx: Any) -> None:
            (session,) = await holder[0].sessions()
            await until(lambda: reached(holder[0], session.session_id))

        async with opened(data, figures(runs, before=hold), drawing(runs)) as app:
            holder.append(app)
            answer = await app.ask("drawing")
            assert answer.status == ends, answer

    asyncio.run(asyncio.wait_for(work(), SECONDS))


def agents(runs: Runs) -> tuple[AgentSpec, AgentSpec]:
    return figures(runs), drawing(runs)


def never(_app: MetaAgent, _session_id: str) -> bool:
    return False


def is_released(app: MetaAgent, _session_id: str) -> bool:
    """Tells whether the file is there that the test lets the turn go with."""
    return (app.settings.data_dir / "go").exists()


def is_paused(app: MetaAgent, session_id: str) -> bool:
    gate = app._contexts.gate(session_id)  # pyright: ignore[reportPrivateUsage]
    return gate is not None and not gate.is_set()


def is_switched_off(app: MetaAgent, _session_id: str) -> bool:
    return "drawing" in app.registry.disabled


@contextmanager
def at_work(data: Path, runs: Runs, reached: Reached, ends: str = "completed") -> Generator[None]:
    """A process that works on a drawing, from its first step on; it ends inside, and well."""
    process = processes.Process(target=ask, args=(data, runs, reached, ends))
    process.start()
    try:
        yield
        process.join(SECONDS)
        assert process.exitcode == 0
    finally:
        if process.is_alive():
            process.kill()
        process.join()
