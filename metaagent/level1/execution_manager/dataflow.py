"""Runs a plan as durable dataflow: a step starts the moment its inputs exist.

Each outcome is stored beside the checkpoint that the node began at: after a crash the finished steps come back from there
without running again. A step that asks a person needs LangGraph's `interrupt`, which tells questions apart by task: once
one asks, every step of the plan is a LangGraph task. All of them are called up front in a fixed order, so that each keeps
its identity until it is answered. Steps that ask nobody do without: a task costs several times what its outcome does.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncGenerator, Awaitable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast

from langgraph.errors import GraphInterrupt
from langgraph.func import task
from langgraph.types import interrupt

from metaagent.global_state import StepOutcome
from metaagent.level1.execution_manager.answers import Asked, may_wait
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


class _Run:
    """One run of all steps, in one of two ways: plainly, or each as a LangGraph task."""

    def __init__(self, flow: Dataflow, writes: StepWrites) -> None:
        self.flow = flow
        self.writes = writes
        self._asked: dict[str, Asked] = {}
        self._told: set[str] = set()
        self._finished: dict[str, asyncio.Future[StepOutcome]] = {}

    def steps(self, *, as_tasks: bool) -> list[Coroutine[Any, Any, StepOutcome]]:
        """Every step, to be run this way, in the order of the steps."""
        loop = asyncio.get_running_loop()
        self._finished = {name: loop.create_future() for name in self.flow.dependencies}
        return [self._follow(name, as_task=as_tasks) for name in self.flow.dependencies]

    async def _follow(self, step_id: str, *, as_task: bool) -> StepOutcome:
        """Work, and store the outcome beside the checkpoint that the node began at. Raises `Asked` for a question, and
        `NotReady` to those that need the outcome."""
        finished = self._finished[step_id]
        try:
            outcome = await self._as_task(step_id) if as_task else self.writes.kept(step_id)
            if outcome is None:
                outcome = await self.flow.work(step_id, await self._inputs(step_id))
                await self.writes.store(step_id, outcome)
        except BaseException as error:
            if isinstance(error, Asked):
                self._asked[step_id] = error
            finished.set_exception(error if isinstance(error, asyncio.CancelledError) else NotReady(step_id))
            finished.exception()
            raise
        if step_id not in self._told:
            self._told.add(step_id)
            self.flow.finished(outcome)
        finished.set_result(outcome)
        return outcome

    async def _as_task(self, step_id: str) -> StepOutcome:
        try:
            outcome = await cast("Awaitable[StepOutcome]", _durable(self, step_id))
            await self.writes.stored(step_id)
        finally:
            self.writes.forget(step_id)
        return outcome

    async def in_task(self, step_id: str) -> StepOutcome:
        """Work within a LangGraph task, where a question waits for its answer. What finished plainly is a task as well, or
        the tasks after it would have another identity when they are answered."""
        kept = self.writes.kept(step_id)
        if kept is not None:
            return kept
        self.writes.expect(step_id)
        with may_wait():
            if step_id in self._asked:
                # Asked already: it has heard no answer yet.
                interrupt(self._asked[step_id].question)
            return await self.flow.work(step_id, await self._inputs(step_id))

    async def _inputs(self, step_id: str) -> dict[str, StepOutcome]:
        """The outcomes of the steps that this one needs, once they are there."""
        self.flow.begun(step_id)
        needs = self.flow.dependencies[step_id]
        return {name: await asyncio.shield(self._finished[name]) for name in needs}


async def step(run: _Run, step_id: str) -> StepOutcome:
    return await run.in_task(step_id)


_durable = task(step)
"""The step as a LangGraph task, under another name than its function: LangGraph inspects a task anew at each call unless
it finds the function by its name. Only the outcome is stored, so `run` may hold anything."""


async def run_dataflow(flow: Dataflow, writes: StepWrites) -> dict[str, StepOutcome]:
    """Run every step; the outcomes come in the order of the steps.

    If steps wait for a person, the others still finish; then one GraphInterrupt holds all that wait.
    """
    run = _Run(flow, writes)
    results: list[StepOutcome | BaseException] = []
    for as_tasks in (True,) if writes.waits() else (False, True):
        results = await asyncio.gather(*run.steps(as_tasks=as_tasks), return_exceptions=True)
        if not any(isinstance(result, Asked | GraphInterrupt) for result in results):
            break
    _raise_what_is_left(results)
    return {
        step_id: result
        for step_id, result in zip(flow.dependencies, results, strict=True)
        if isinstance(result, dict)
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
