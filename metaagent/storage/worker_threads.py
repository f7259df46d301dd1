"""Threads for work that blocks, given to them by event loops."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar, cast

T = TypeVar("T")


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class WorkerThreads:
    """Threads that take work in the order in which it comes. A handing over takes a third of what `run_in_executor` takes,
    which makes two futures with locks for it; every turn hands over half a dozen times."""

    def __init__(self, count: int, name: str) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads = [
            Thread(target=self._run, name=f"{name}_{number}", daemon=True) for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    async def run(self, work: Callable[[], T]) -> T:
        """Return what the work returns, or raise what it raises. It is left out if nobody waits for it when its turn comes."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._jobs.put(_Job(work, future, loop))
        return cast("T", await future)

    def shutdown(self) -> None:
        """Return when all work that was given has been done."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if job.future.cancelled():
                continue
            result, error = None, None
            try:
                result = job.work()
            except BaseException as raised:  # noqa: BLE001 - handed to the caller
                error = raised
            with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
                job.loop.call_soon_threadsafe(_settle, job.future, result, error)
            del job, result, error  # or they would live as long as this thread has nothing to do


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
