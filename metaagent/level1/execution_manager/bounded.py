"""An agent's run with an end: a bound on its time, a grace period after it, and a measure of how long it held the loop.

Cancelling a coroutine only asks it to end. One that does not is left to itself when the grace period is over: its step has
failed by then, and what it still gives back is handed to `late`, if anybody wants it, and else dropped.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import Context
from functools import partial
from typing import Any, Generic, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")

GRACE_SECONDS = 5.0
BLOCKED_SECONDS = 1.0
"""Seconds between two awaits from which on an agent is said to have held everybody up."""

_abandoned: set[asyncio.Task[Any]] = set()


class Expired(Exception):
    """The time is over. `abandoned`: the run did not end when it was asked to."""

    def __init__(self, abandoned: bool) -> None:
        super().__init__(abandoned)
        self.abandoned = abandoned


class Left(Exception):
    """The work raised something that would end the whole program, such as SystemExit; `error` is that."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class Measured(Generic[T]):
    """An awaitable that remembers the longest time for which it kept the loop from everybody else. Whatever the work raises
    that is no Exception is carried to who awaits it: asyncio would end its loop."""

    def __init__(self, work: Awaitable[T]) -> None:
        self._work = work
        self.longest = 0.0

    def close(self) -> None:
        """End work that swallows every cancellation: for tests, whose loop would wait for it for ever. What it was about to do
        is not done; a service leaves such work to itself, because it may hold something half written."""
        if isinstance(self._work, Coroutine):
            with suppress(RuntimeError, ValueError):  # it ignores this too, or is at work in another thread
                self._work.close()

    def __await__(self) -> Generator[Any, Any, T]:
        steps = self._work.__await__()
        given: Any = None
        thrown: BaseException | None = None
        coming: BaseException | None = None
        while True:
            started = time.perf_counter()
            try:
                asked = steps.send(given) if coming is None else steps.throw(coming)
            except StopIteration as end:
                return end.value
            except (Exception, asyncio.CancelledError):
                raise
            except BaseException as error:
                if error is thrown or _is_ctrl_c(error):
                    raise
                raise Left(error) from error
            finally:
                self.longest = max(self.longest, time.perf_counter() - started)
            coming = None
            try:
                given = yield asked
            except BaseException as error:  # noqa: BLE001 - thrown into it, as it would be without this
                thrown = coming = error


async def result_in_time(task: asyncio.Task[T], seconds: float, late: Callable[[T], None] | None = None) -> T:
    """Wait so long for a task that begins now; then Expired, at the latest when the grace period is over. A task that held the
    loop until its time was over is late, too, whatever it gives back: that goes to `late`, whenever it comes."""
    started = time.monotonic()
    try:
        await _end_or_late(task, seconds)
        if task.done() and time.monotonic() - started <= seconds:
            return task.result()
    except asyncio.CancelledError:
        await _end(task, late)
        raise
    raise Expired(abandoned=await _end(task, late))


def abandoned() -> int:
    """The number of runs that were left to themselves and still go on."""
    return len(_abandoned)


def _is_ctrl_c(error: BaseException) -> bool:
    """Say whether the person may have pressed Ctrl-C: only where nobody handles the signal is it raised in the work."""
    return (
        isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


def _end_or_late(task: asyncio.Task[Any], seconds: float) -> asyncio.Future[None]:
    """Make a future that is done when the task is, or when the time is over; it leaves the task alone. Its timer has an empty
    context: one that was cancelled stays with its loop until its time comes, and that of a turn would keep the whole state
    of the turn in memory for as long as a step may take."""
    loop = asyncio.get_running_loop()
    woken: asyncio.Future[None] = loop.create_future()

    def wake(_: object = None) -> None:
        if not woken.done():
            woken.set_result(None)

    def tidy(_: object) -> None:
        timer.cancel()
        task.remove_done_callback(wake)

    timer = loop.call_later(seconds, wake, context=Context())
    task.add_done_callback(wake)
    woken.add_done_callback(tidy)
    return woken


async def _end(task: asyncio.Task[T], late: Callable[[T], None] | None) -> bool:
    """Ask the task to end; True if it does not, and is left to itself."""
    task.cancel()
    await _end_or_late(task, GRACE_SECONDS)
    if task.done():
        _look_at(task, late)
        return False
    _abandoned.add(task)
    task.add_done_callback(_abandoned.discard)
    task.add_done_callback(partial(_look_at, late=late))
    return True


def _look_at(task: asyncio.Task[T], late: Callable[[T], None] | None) -> None:
    """Nobody awaits this task any more: what it raised is taken note of, so that asyncio does not report it as lost."""
    if task.cancelled():
        return
    if task.exception() is not None:
        logger.info("a run that was given up ended with %s", type(task.exception()).__name__)
    elif late is not None:
        late(task.result())
