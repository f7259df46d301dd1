"""The way from a question to its agent is short: every frame on it is one more place to look at."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import metaagent
from metaagent.plugin import Context, Result, Task
from tests.support.execution_world import make_agent, opened

HOME = str(Path(metaagent.__file__).parent)
BESIDE = ("sessions/control.py", "journal.py")
"""Tasks beside the way: one looks for commands of other processes while turns run, one writes events down."""
MOST = 14


def own(code: Any) -> bool:
    return code.co_filename.startswith(HOME)


def awaited(task: asyncio.Task[Any]) -> Iterator[Any]:
    """The code of what the task waits in, from its own coroutine down."""
    at: Any = task.get_coro()
    while (frame := getattr(at, "cr_frame", None)) is not None:
        yield frame.f_code
        at = at.cr_await


def on_the_stack() -> Iterator[Any]:
    frame: Any = inspect.currentframe()
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


async def test_few_frames_lie_between_a_question_and_its_agent(tmp_path: Path) -> None:
    found: list[str] = []

    async def work(task: Task, ctx: Context) -> Result | None:
        here = asyncio.current_task()
        waiting = [list(awaited(each)) for each in asyncio.all_tasks() if each is not here]
        above = [code for way in waiting if way and not way[0].co_filename.endswith(BESIDE) for code in way]
        found.extend(code.co_qualname for code in (*above, *on_the_stack()) if own(code))
        return None

    async with opened(tmp_path, make_agent("first", work)) as app:
        answer = await app.ask("first")
    assert answer.status == "completed"
    assert "TurnWorker.run" in found
    assert "AgentRuns.once" in found
    assert len(found) <= MOST, "\n".join(found)
