"""Run in a process of its own: one turn that is killed at a chosen moment, as by a power cut."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import metaagent.graph as graph
from metaagent.config import load_settings
from metaagent.plugin import AgentSpec
from metaagent.ports import User
from metaagent.runtime import Answer, MetaAgent
from metaagent.sessions.key_ring import open_ring
from metaagent.sessions.turn import TurnWorker
from metaagent.storage.artifact_files import ArtifactFiles
from metaagent.storage.checkpoints.writer import SqliteWriter
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.vault import Vault
from metaagent.testing import FakeReasoner
from tests.support.agents import Runs, asking, drawing, figures, opened, worker

CLEAR: dict[str, Any] = {"required_capabilities": ["drawing", "other", "asking"]}
UNCLEAR = {
    **CLEAR,
    "clarification_needed": True,
    "ambiguities": [{"field": "period", "question": "Which period?", "options": []}],
}
ANSWER = "last month"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def reasoner() -> FakeReasoner:
    """Unclear until the person has answered, whichever process asks."""

    class Reasoner(FakeReasoner):
        async def analyze(self, question: str, context: Any) -> dict[str, Any]:
            self._analyses = [CLEAR if context.answers else UNCLEAR]
            return await super().analyze(question, context)

    return Reasoner(CLEAR)


def agents(runs: Runs) -> list[AgentSpec]:
    return [figures(runs), drawing(runs), worker(runs, "other"), asking(runs)]


def run(data: Path, runs: Runs, moment: str) -> None:
    """Goes through the whole turn, answering both questions, unless it is killed."""
    kind, _, where = moment.partition(" ")
    MOMENTS[kind](where)
    asyncio.run(_turn(data, runs, where if kind == "step" else ""))


async def _turn(data: Path, runs: Runs, deadly: str) -> None:
    specs = [_killing(spec) if spec.name == deadly else spec for spec in agents(runs)]
    async with opened(data, *specs, reasoner=reasoner()) as app:
        sessions = await app.sessions()
        session_id = sessions[0].session_id if sessions else (await app.ask("what happened")).session_id
        await finish(app, session_id)


async def finish(app: MetaAgent, session_id: str) -> Answer:
    """Does as a person would: goes on, and answers what is asked."""
    while (turn := (await app.turns(session_id))[0]).status in {"running", "waiting"}:
        await app.resume(session_id, ANSWER if turn.status == "waiting" else None)
    return await app.answer(turn.turn_id)


def _killing(spec: AgentSpec) -> AgentSpec:
    async def work(task: Any, ctx: Any) -> Any:
        """The agent asks first and is killed once it has been answered: at its work's end, nothing stored."""
        result = await spec.run(task, ctx)
        die()
        return result

    return replace(spec, run=work)


def _around(work: Callable[..., Awaitable[Any]], *, before: bool) -> Callable[..., Awaitable[Any]]:
    async def deadly(*args: Any) -> Any:
        if before:
            die()
        result = await work(*args)
        die()
        return result

    return deadly


def _phase(name: str, *, before: bool) -> None:
    phases: Any = graph.WORK
    phases[name] = _around(phases[name], before=before)


def _settling(_where: str) -> None:
    """The graph has ended and its last checkpoint is written; the turn does not know yet."""
    worker: Any = TurnWorker
    worker._settle = _around(worker._settle, before=True)


def _write(where: str) -> None:
    """Just before the n-th transaction of the turn's store."""
    store: Any = SqlStore
    transaction = store._transaction
    left = [int(where)]

    async def deadly(self: SqlStore, write: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            die()
        return await transaction(self, write)

    store._transaction = deadly


def _checkpoint(number: str) -> None:
    """Before the so-many-eth time that checkpoints are committed."""
    writer: Any = SqliteWriter
    left, write = [int(number)], writer._write

    def deadly(self: Any, connection: Any, jobs: Any) -> None:
        left[0] -= bool(jobs)
        if left[0] == 0:
            die()
        write(self, connection, jobs)

    writer._write = deadly


def count_transactions(count: Callable[[], None]) -> None:
    """Calls it before every transaction from now on, in either database."""
    store: Any = SqlStore
    writer: Any = SqliteWriter
    run, write = store._run, writer._write

    async def counted(self: Any, work: Any) -> Any:
        count()
        return await run(self, work)

    def counted_write(self: Any, connection: Any, jobs: Any) -> None:
        if jobs:
            count()
        write(self, connection, jobs)

    store._run, writer._write = counted, counted_write


def kill_before(transaction: int) -> Callable[[], None]:
    """Kills this process before its n-th transaction; what is returned calls that off."""
    left = [transaction]

    def count() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    count_transactions(count)
    return lambda: left.__setitem__(0, -1)


MOMENTS: dict[str, Callable[[str], None]] = {
    "before": lambda name: _phase(name, before=True),
    "after": lambda name: _phase(name, before=False),
    "step": lambda _name: None,
    "settling": _settling,
    "write": _write,
    "checkpoint": _checkpoint,
    "never": lambda _name: None,
}


async def names_of(data: Path) -> dict[str, str]:
    """The agent of each step, from the stored events."""
    vault = Vault(open_ring(load_settings(overrides={"data_dir": data})))
    store = SqlStore(sqlite_url(data / "metaagent.db"), vault, ArtifactFiles(data / "artifacts", vault))
    try:
        sessions = await store.list_sessions(User())
        turns = [turn for info in sessions for turn in await store.list_turns(info.session_id)]
        events = [event for turn in turns for event in await store.events(turn.turn_id)]
    finally:
        await store.close()
    steps = [step for event in events for step in event.get("steps") or ()]
    return {step["step_id"]: step["agent_name"] for step in steps if "agent_name" in step}
