"""The pace at which turns that have a place begin. Turns that wait for a model or a database run beside each other; those that
keep the processor busy would only all end late together, so while it is busy a few run at once and the others follow."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from metaagent.sessions.admission import Group

AT_ONCE = 4
"""Turns that run beside each other however busy the process is: while one writes, another can think."""
PULSE = 0.02
"""Seconds between two looks at how busy the process is, while somebody waits."""
CALM = 0.5
"""Share of the time that the process may have worked for more turns to begin."""
SHORT_ROUND = 0.001
"""Seconds that the loop may work before it comes to who asks for it, on the average of the last looks: other programs on the
machine do not change it."""
NEWEST_COUNTS = 0.3
"""Weight of the last look in that average."""
LONG = 1.0
"""Seconds in which nobody ends: those at work are long at it, and one more than before may run beside them."""


@dataclass(eq=False)
class _Waiter:
    person: Group
    begins: asyncio.Future[None]


class Pace:
    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
        worked: Callable[[], float] = time.thread_time,
    ) -> None:
        self._now = now
        self._used = used
        self._worked = worked
        self._running: Counter[Group] = Counter()
        self._waiting: list[_Waiter] = []
        self._looked: tuple[float, float] | None = None
        self._round = 0.0
        self._more = 1
        self._room = AT_ONCE
        self._ended_at = 0.0

    @asynccontextmanager
    async def kept(self, person: Group) -> AsyncGenerator[None]:
        """Begin one turn of this person when it may, and make room when it ends."""
        await self._begin(person)
        try:
            yield
        finally:
            self._end(person)

    async def _begin(self, person: Group) -> None:
        if not self._waiting and self._running[()] < AT_ONCE:
            self._count(person, 1)
            return
        if not self._waiting:
            self._room, self._ended_at = AT_ONCE, self._now()
        waiter = _Waiter(person, asyncio.get_running_loop().create_future())
        self._waiting.append(waiter)
        self._watch()
        try:
            await waiter.begins
        except asyncio.CancelledError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            else:  # it was let in at the same moment
                self._end(person)
            raise

    def _end(self, person: Group) -> None:
        self._count(person, -1)
        self._ended_at = self._now()
        if self._waiting and self._running[()] < self._room:
            self._let_in(self._next())

    def _watch(self) -> None:
        if self._looked is None and self._waiting:
            self._looked = self._now(), self._used()
            asyncio.get_running_loop().call_later(PULSE, self._look)

    def _look(self) -> None:
        asyncio.get_running_loop().call_soon(self._weigh, self._worked())

    def _weigh(self, begun: float) -> None:
        """Let more in while the process is idle, one more each time; and one where nobody ends."""
        assert self._looked is not None
        (then, before), self._looked = self._looked, None
        now = self._now()
        self._round += NEWEST_COUNTS * (self._worked() - begun - self._round)
        if self._round <= SHORT_ROUND and self._used() - before <= CALM * (now - then):
            for _ in range(min(self._more, len(self._waiting))):
                self._let_in(self._next())
            self._more += 1
        else:
            self._more = 1
            if self._waiting and now - self._ended_at > LONG:
                self._room, self._ended_at = self._running[()] + 1, now
                self._let_in(self._next())
        self._watch()

    def _next(self) -> _Waiter:
        """The waiter whose company, and who of it, has the fewest at work; of these, the first that came."""
        return min(self._waiting, key=lambda one: (self._running[one.person[:1]], self._running[one.person]))

    def _let_in(self, waiter: _Waiter) -> None:
        self._waiting.remove(waiter)
        self._count(waiter.person, 1)
        if not waiter.begins.done():
            waiter.begins.set_result(None)

    def _count(self, person: Group, more: int) -> None:
        for depth in range(3):
            self._running[person[:depth]] += more
            if not self._running[person[:depth]]:
                del self._running[person[:depth]]
