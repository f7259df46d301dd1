"""The way from a question to its agent is short: every frame on it is one more place to look at."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

import metaagent
from metaagent.cli.ask import ask
from metaagent.cli.door import Door
from metaagent.plugin import Context, Result, Task
from metaagent.runtime import MetaAgent
from tests.support.documents import DOCS
from tests.support.execution_world import make_agent, opened

HOME = Path(metaagent.__file__).parent
MOST = {"library": 14, "command line": 16}
"""Frames before the agent's own: from `MetaAgent.ask`, and from the command `ask`."""


class Ways:
    """The code through which each task came to be: that of the task that made it, and so on up to the question."""

    def __init__(self) -> None:
        self._to: dict[asyncio.Task[Any] | None, list[CodeType]] = {}

    def make_task(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(work, loop=loop, **options)
        self._to[task] = self.here()
        return task

    def here(self) -> list[CodeType]:
        frame, stack = inspect.currentframe(), list[CodeType]()
        while frame is not None:
            stack.append(frame.f_code)
            frame = frame.f_back
        own = (code for code in reversed(stack) if Path(code.co_filename).is_relative_to(HOME))
        return [*self._to.get(asyncio.current_task(), ()), *own]


async def through_library(app: MetaAgent, monkeypatch: pytest.MonkeyPatch) -> bool:
    return (await app.ask("first")).status == "completed"


async def through_command_line(app: MetaAgent, monkeypatch: pytest.MonkeyPatch) -> bool:
    @asynccontextmanager
    async def open_this(_: Door) -> AsyncGenerator[MetaAgent]:
        yield app

    monkeypatch.setattr(Door, "open", open_this)
    return await ask(Door(as_json=True), "first") == 0


@pytest.mark.parametrize(
    ("door", "asked"), [("library", through_library), ("command line", through_command_line)]
)
async def test_few_frames_lie_between_a_question_and_its_agent(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    door: str,
    asked: Callable[[MetaAgent, pytest.MonkeyPatch], Awaitable[bool]],
) -> None:
    ways, way = Ways(), list[CodeType]()

    async def work(task: Task, ctx: Context) -> Result | None:
        way.extend(ways.here())
        return None

    async with opened(tmp_path, make_agent("first", work)) as app:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(ways.make_task)
        assert await asked(app, monkeypatch)
        loop.set_task_factory(None)
    names = [code.co_qualname for code in way]
    assert {"TurnWorker.run", "AgentRuns.once"} <= {*names}
    assert len(names) <= MOST[door], "\n".join(names)
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    linked = {*re.findall(r"\]\(\.\./([^)]+)\)", page.partition("## Where do I")[0])}
    passed = {f"metaagent/{Path(code.co_filename).relative_to(HOME).as_posix()}" for code in way}
    assert {file for file in passed if not file.startswith("metaagent/cli/")} <= linked
