"""Runs a plan as durable dataflow: a step starts the moment its inputs exist.

Every step is a LangGraph task, and all of them are called up front in a fixed order, so that each keeps its
identity: after a crash the finished ones come back from the checkpoint without running again.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, cast

from langgraph.errors import GraphInterrupt
from langgraph.func import task

from metaagent.global_state import StepOutcome
from metaagent.level1.turn_context import StepWrites


class NotReady(Exception):
    """A step that this one depends on waits for a person. Leaves by exception, so that nothing is stored."""


class PrioritySlots:
    """A bound of `count` at once; among those that wait, the one with the lowest rank goes first. One that must be alone takes all
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


class Dataflow(Protocol):
    """Steps to run, each after those that it depends on."""

    @property
    def dependencies(self) -> Mapping[str, Sequence[str]]:
        """The steps in topological order, each with the steps whose outcomes it takes."""
        ...

    def begun(self, step_id: str) -> None:
        """A step is not in the checkpoint, and begins."""
        ...

    async def work(self, step_id: str, before: Mapping[str, StepOutcome]) -> StepOutcome: ...
    def finished(self, outcome: StepOutcome) -> None:
        """An outcome is in the checkpoint; called again for each that a resumed turn finds done."""
        ...


@dataclass(frozen=True)
class _Running:
    flow: Dataflow
    writes: StepWrites
    finished: Mapping[str, asyncio.Future[StepOutcome]]


async def step(running: _Running, step_id: str) -> StepOutcome:
    running.writes.expect(step_id)
    running.flow.begun(step_id)
    needs = running.flow.dependencies[step_id]
    before = {name: await asyncio.shield(running.finished[name]) for name in needs}
    return await running.flow.work(step_id, before)


_durable = task(step)
"""The step as a LangGraph task, under another name than its function: LangGraph inspects a task anew at each call unless
it finds the function by its name. Only the outcome is stored, so `running` may hold anything."""


async def run_dataflow(flow: Dataflow, writes: StepWrites) -> dict[str, StepOutcome]:
    """Run every step; the outcomes come in the order of the steps.

    If steps wait for a person, the others still finish; then one GraphInterrupt holds all that wait.
    """
    loop = asyncio.get_running_loop()
    finished: dict[str, asyncio.Future[StepOutcome]] = {
        name: loop.create_future() for name in flow.dependencies
    }
    running = _Running(flow, writes, finished)

    async def follow(step_id: str) -> StepOutcome:
        try:
            outcome = await cast("Awaitable[StepOutcome]", _durable(running, step_id))
            await writes.stored(step_id)
        except BaseException as error:
            finished[step_id].set_exception(
                error if isinstance(error, asyncio.CancelledError) else NotReady(step_id)
            )
            finished[step_id].exception()
            raise
        finally:
            writes.forget(step_id)
        flow.finished(outcome)
        finished[step_id].set_result(outcome)
        return outcome

    results = await asyncio.gather(*map(follow, finished), return_exceptions=True)
    _raise_what_is_left(results)
    return {
        step_id: result for step_id, result in zip(finished, results, strict=True) if isinstance(result, dict)
    }


def _raise_what_is_left(results: Sequence[StepOutcome | BaseException]) -> None:
    waiting = [i for r in results if isinstance(r, GraphInterrupt) for i in r.args[0]]
    broken = [
        r for r in results if isinstance(r, BaseException) and not isinstance(r, GraphInterrupt | NotReady)
    ]
    if broken:
        raise broken[0]
    if waiting:
        raise GraphInterrupt(tuple(waiting))
