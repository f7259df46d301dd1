"""Run in a process of its own: a session with agents that take the whole process down."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

from metaagent.plugin import AgentSpec
from tests.support.agents import Runs, opened, worker


async def _killed(_task: Any, _ctx: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def _left(_task: Any, _ctx: Any) -> None:
    os._exit(9)


def agents(runs: Runs, **options: Any) -> list[AgentSpec]:
    """`poison` kills its process; so does `leaving`, in another way; `other` is harmless. `late` dies once `beside` is
    under way, if it comes at all, and `beside` is under way for as long as that takes."""

    async def late(_task: Any, _ctx: Any) -> None:
        before = runs.of("beside")
        for _ in range(30):
            if runs.of("beside") > before:
                break
            await asyncio.sleep(0.01)
        await _killed(_task, _ctx)

    async def beside(_task: Any, _ctx: Any) -> None:
        await asyncio.sleep(0.6)

    return [
        worker(runs, "poison", before=_killed, **options),
        worker(runs, "leaving", before=_left),
        worker(runs, "other"),
        worker(runs, "late", before=late),
        worker(runs, "beside", before=beside),
    ]


def ask(data: Path, runs: Runs, question: str, options: dict[str, Any]) -> None:
    """Asks in the newest session, or goes on with what was left there."""

    async def asked() -> None:
        async with opened(data, *agents(runs, **options), approval={"mode": "never"}) as app:
            sessions = await app.sessions()
            if sessions:
                await app.ask(question, session_id=sessions[0].session_id)
            else:
                await app.ask(question)

    asyncio.run(asked())
