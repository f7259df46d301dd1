"""Runs a plan as durable dataflow: a step starts the moment its inputs exist.

Every step is a LangGraph task, and all of them are called up front in a fixed order, so that each keeps its
identity: after a crash the finished ones come back from the checkpoint without running again.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from langgraph.errors import GraphInterrupt
from langgraph.func import task

from metaagent.level1.turn_context import StepWrites

Outcome = dict[str, Any]


class NotReady(Exception):
    """A step that this one depends on waits for a person. Leaves by exception, so that nothing is stored."""


class PrioritySlots:
    """At most `count` at once; among those who wait, the one with the lowest rank goes first. Who must be alone takes all
    of them: nobody overtakes it while it waits for the others to end."""

    def __init__(self, count: int) -> None:
        self._count = self._free = count
        self._queue: list[tuple[int, int, int, asyncio.Future[None]]] = []
        self._arrivals = 0

    @asynccontextmanager
    async def slot(self, rank: int, *, alone: bool = False) -> AsyncGenerator[None]:
        taken = self._count if alone else 1
        await self._acquire(rank, taken)
        try:
            yield
        finally:
            self._release(taken)

    async def _acquire(self, rank: int, taken: int) -> None:
        if self._free >= taken and not self._queue:
            self._free -= taken
            return
        self._arrivals += 1
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (rank, self._arrivals, taken, turn))
        self._let_in()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(taken)
            else:
                self._let_in()
            raise

    def _release(self, taken: int) -> None:
        self._free += taken
        self._let_in()

    def _let_in(self) -> None:
        while self._queue and (self._queue[0][3].done() or self._queue[0][2] <= self._free):
            _, _, taken, turn = heapq.heappop(self._queue)
            if not turn.done():
                self._free -= taken
                turn.set_result(None)


async def step(run: Callable[[str], Awaitable[Outcome]], step_id: str) -> Outcome:
    return await run(step_id)


_durable = task(step)
"""Under another name than its function: LangGraph inspects a task anew at each call unless it finds the function by
its name. Only the outcome is stored, so `run` may be a closure."""


async def run_dataflow(
    dependencies: Mapping[str, Sequence[str]],
    order: Sequence[str],
    work: Callable[[str, Mapping[str, Outcome]], Awaitable[Outcome]],
    on_finished: Callable[[Outcome], None],
    writes: StepWrites,
    on_begun: Callable[[str], None] = lambda _step_id: None,
) -> dict[str, Outcome]:
    """Run `work(step_id, outcomes of its dependencies)` for every step; `order` must be topological.

    `on_begun` is told of each step that is not in the checkpoint; `on_finished` of each outcome once it is checkpointed,
    again for those that a resumed turn finds done.
    If steps wait for a person, the others still finish; then one GraphInterrupt holds all that wait.
    """
    loop = asyncio.get_running_loop()
    finished: dict[str, asyncio.Future[Outcome]] = {step_id: loop.create_future() for step_id in order}

    async def run(step_id: str) -> Outcome:
        writes.expect(step_id)
        on_begun(step_id)
        before = {name: await asyncio.shield(finished[name]) for name in dependencies[step_id]}
        return await work(step_id, before)

    async def follow(step_id: str) -> Outcome:
        try:
            outcome = await cast("Awaitable[Outcome]", _durable(run, step_id))
            await writes.stored(step_id)
        except BaseException as error:
            finished[step_id].set_exception(
                error if isinstance(error, asyncio.CancelledError) else NotReady(step_id)
            )
            finished[step_id].exception()
            raise
        finally:
            writes.forget(step_id)
        on_finished(outcome)
        finished[step_id].set_result(outcome)
        return outcome

    results = await asyncio.gather(*(follow(step_id) for step_id in order), return_exceptions=True)
    _raise_what_is_left(results)
    return {
        step_id: result for step_id, result in zip(order, results, strict=True) if isinstance(result, dict)
    }


def _raise_what_is_left(results: Sequence[Outcome | BaseException]) -> None:
    waiting = [i for r in results if isinstance(r, GraphInterrupt) for i in r.args[0]]
    broken = [
        r for r in results if isinstance(r, BaseException) and not isinstance(r, GraphInterrupt | NotReady)
    ]
    if broken:
        raise broken[0]
    if waiting:
        raise GraphInterrupt(tuple(waiting))
