"""The way from a question to its agent is short: every frame on it is one more place to look at."""

from __future__ import annotations

import asyncio
import gc
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import metaagent
from metaagent.cli.ask import ask
from metaagent.cli.door import Door
from metaagent.plugin import Context, Result, Task
from metaagent.runtime import MetaAgent
from tests.support.execution_world import make_agent, opened

HOME = str(Path(metaagent.__file__).parent)
BESIDE = ("sessions/control.py", "journal.py")
"""Tasks beside the way: one looks for commands of other processes while turns run, one writes events down."""
MOST = {"library": 13, "command line": 16}
"""Frames from `MetaAgent.ask`, and from the command `ask` with the frame in which it hears of the turn's events."""


def own(code: Any) -> bool:
    return code.co_filename.startswith(HOME)


def awaited(task: asyncio.Task[Any]) -> Iterator[Any]:
    """The code of what the task waits in, from its own coroutine down, through asynchronous generators too."""
    at: Any = task.get_coro()
    while at is not None:
        frame = getattr(at, "cr_frame", None) or getattr(at, "ag_frame", None)
        if frame is not None:
            yield frame.f_code
            at = getattr(at, "cr_await", None) or getattr(at, "ag_await", None)
        else:  # the step of a generator, which does not say whose it is
            at = next((each for each in gc.get_referents(at) if inspect.isasyncgen(each)), None)


def on_the_stack() -> Iterator[Any]:
    frame: Any = inspect.currentframe()
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


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
    found: list[str] = []

    async def work(task: Task, ctx: Context) -> Result | None:
        here = asyncio.current_task()
        waiting = [list(awaited(each)) for each in asyncio.all_tasks() if each is not here]
        above = [code for way in waiting if way and not way[0].co_filename.endswith(BESIDE) for code in way]
        found.extend(code.co_qualname for code in (*above, *on_the_stack()) if own(code))
        return None

    async with opened(tmp_path, make_agent("first", work)) as app:
        assert await asked(app, monkeypatch)
    assert "TurnWorker.run" in found
    assert "AgentRuns.once" in found
    assert len(found) <= MOST[door], "\n".join(found)
