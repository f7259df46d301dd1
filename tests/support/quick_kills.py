"""Run in a process of its own: a turn so quick that nobody has heard of it before its end, killed at a chosen moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import metaagent.journal as journal
from metaagent.plugin import AgentSpec
from metaagent.runtime import MetaAgent
from tests.support import killing
from tests.support.agents import Runs, opened, worker

NAMES = ("one", "two")
QUESTION = "one two"
NO_HURRY = 3600
"""Seconds for which events may wait: however busy the machine is, the turn is quicker."""


def agents(runs: Runs) -> list[AgentSpec]:
    return [worker(runs, name) for name in NAMES]


async def asked(app: MetaAgent) -> Any:
    """Ask in the newest session, or in a new one."""
    sessions = await app.sessions()
    return await app.ask(QUESTION, session_id=sessions[0].session_id if sessions else None)


def run(data: Path, runs: Runs, moment: int | str) -> None:
    """Ask, and die before the n-th transaction or commit of a checkpoint, or at the turn's end."""
    journal.LINGER_SECONDS = NO_HURRY
    asyncio.run(_turn(data, runs, moment))


async def _turn(data: Path, runs: Runs, moment: int | str) -> None:
    async with opened(data, *agents(runs)) as app:
        if isinstance(moment, int):
            call_off = killing.kill_before(moment)
            await asked(app)
            call_off()
        else:
            killing.MOMENTS[moment]("")
            await asked(app)
