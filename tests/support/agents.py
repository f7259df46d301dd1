"""Small agents for the tests. Each leaves a line in a file when it runs, so that a second run can be seen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from metaagent.config import load_settings
from metaagent.plugin import (
    AgentSpec,
    Artifact,
    Capability,
    Context,
    Failed,
    NeedsInput,
    Result,
    Task,
    TryAgain,
    agent,
)
from metaagent.ports import Reasoner
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock

Before = Callable[[Task, Context], Awaitable[None]]


@dataclass(frozen=True)
class Runs:
    """Counts the runs of each agent, whichever process it ran in."""

    folder: Path

    def add(self, name: str) -> int:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / name).open("a") as file:
            file.write("x")
        return self.of(name)

    def of(self, name: str) -> int:
        path = self.folder / name
        return len(path.read_text()) if path.exists() else 0

    async def reached(self, name: str, count: int = 1) -> None:
        """Return when it ran so often; fails where that takes too long."""
        async with asyncio.timeout(30):
            while self.of(name) < count:  # noqa: ASYNC110 - another process may be the one that runs
                await asyncio.sleep(0.01)


def worker(
    runs: Runs,
    name: str,
    *,
    makes: str = "",
    takes: tuple[str, ...] = (),
    can: str = "",
    before: Before | None = None,
    **options: Any,
) -> AgentSpec:
    """Asked for by its name; makes one artifact that says from what it was made."""
    kind = makes or f"{name}_result"
    word = can or name

    @agent(
        name=name,
        capabilities=[Capability(word, ko=(word,), en=(word,))],
        produces={kind: dict[str, Any]},
        consumes=takes,
        needs=["artifacts", "progress", "user"],
        **options,
    )
    async def work(task: Task, ctx: Context) -> Result:
        runs.add(name)
        if before is not None:
            await before(task, ctx)
        inputs = [await ctx.artifacts.read(ref) for ref in task.inputs]
        await ctx.progress(50, "half")
        made = {"by": name, "from": [i["by"] for i in inputs], "answers": list(task.answers)}
        return Result(f"{name} done", 1.0, [Artifact(kind, made)], [{"title": name}] if not inputs else ())

    return work


def figures(runs: Runs, **options: Any) -> AgentSpec:
    """Depends on nothing."""
    return worker(runs, "figures", makes="dataset", **options)


def drawing(runs: Runs, **options: Any) -> AgentSpec:
    """Needs what `figures` makes."""
    return worker(runs, "drawing", makes="chart", takes=("dataset",), **options)


def failing(runs: Runs, name: str = "failing", **options: Any) -> AgentSpec:
    async def fail(_task: Task, _ctx: Context) -> None:
        raise Failed("the source is gone")

    return worker(runs, name, before=fail, **options)


def flaky(runs: Runs, faults: int, name: str = "flaky", **options: Any) -> AgentSpec:
    """Works after so many passing faults."""

    async def stumble(_task: Task, _ctx: Context) -> None:
        if runs.of(name) <= faults:
            raise TryAgain("busy", after=0)

    return worker(runs, name, before=stumble, **options)


def asking(runs: Runs, name: str = "asking", questions: int = 1, **options: Any) -> AgentSpec:
    """Asks the person so many questions, one after the other."""

    async def ask(task: Task, _ctx: Context) -> None:
        if len(task.answers) < questions:
            raise NeedsInput(f"{name}: question {len(task.answers) + 1}?", options=["left", "right"])

    return worker(runs, name, before=ask, **options)


@dataclass(frozen=True)
class Gate:
    """Holds a step until the test lets it go; tells when the step has arrived."""

    arrived: asyncio.Event
    opened: asyncio.Event

    async def __call__(self, _task: Task, _ctx: Context) -> None:
        self.arrived.set()
        await self.opened.wait()


def gate() -> Gate:
    return Gate(asyncio.Event(), asyncio.Event())


def opened(
    data: Path,
    *agents: AgentSpec,
    reasoner: Reasoner | None = None,
    clock: FakeClock | None = None,
    chat_model: BaseChatModel | None = None,
    **settings: Any,
) -> AbstractAsyncContextManager[MetaAgent]:
    """The real thing in a folder of its own, with only these agents."""
    overrides = {"data_dir": data, "agents": {"allow": []}, **settings}
    return MetaAgent.open(
        load_settings(env={}, overrides=overrides),
        agents=agents,
        reasoner=reasoner,
        clock=clock,
        model=chat_model,
    )
