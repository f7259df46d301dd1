"""The duration of random plans: dataflow beside supersteps, in multiples of the critical path.

    python -m benchmarks.makespan [--plans 200] [--seed 1]

Steps only wait (50 to 500 ms), so that the order of work is measured and not the machine; a few plans of 5 to
30 steps run at once, in a LangGraph graph with a checkpointer in memory. The superstep way is the usual one: a
fan-out of all steps of one depth, then a barrier. Bare asyncio, which stores nothing, shows what the machine's
timers and neighbours cost.
"""

from __future__ import annotations

import argparse
import asyncio
import operator
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from metaagent.global_state import StepOutcome
from metaagent.level1.execution_manager.dataflow import run_dataflow
from metaagent.level1.planning.plan_graph import critical_path, depths, topological

TARGET = 1.05
AT_ONCE = 16


@dataclass(frozen=True)
class Plan:
    needs: dict[str, list[str]]
    seconds: dict[str, float]

    @property
    def critical(self) -> float:
        return critical_path(self.needs, self.seconds)


def random_plan(dice: random.Random) -> Plan:
    names = [f"s{number}" for number in range(dice.randint(5, 30))]
    needs = {
        name: sorted(dice.sample(names[:place], min(place, dice.randint(0, 3))))
        for place, name in enumerate(names)
    }
    return Plan(needs, {name: dice.uniform(0.05, 0.5) for name in names})


class _Unrecorded:
    """Every step is a LangGraph task, the dearer of the two ways. The memory saver has a write when it returns; there is
    nothing to wait for."""

    def kept(self, step_id: str) -> None: ...
    async def store(self, step_id: str, outcome: StepOutcome) -> None: ...

    def waits(self) -> bool:
        return True

    def joined(self, node: str, followed_by: str, phase: str, fields: Sequence[str]) -> None: ...
    def expect(self, step_id: str) -> None: ...
    async def stored(self, step_id: str) -> None: ...

    def forget(self, step_id: str) -> None: ...


class _State(TypedDict, total=False):
    done: Annotated[list[str], operator.add]


async def bare(plan: Plan) -> None:
    ended = {step_id: asyncio.Event() for step_id in plan.needs}

    async def step(step_id: str) -> None:
        for name in plan.needs[step_id]:
            await ended[name].wait()
        await asyncio.sleep(plan.seconds[step_id])
        ended[step_id].set()

    await asyncio.gather(*map(step, plan.needs))


class _Sleeping:
    def __init__(self, plan: Plan) -> None:
        self.dependencies = {name: plan.needs[name] for name in topological(plan.needs) or ()}
        self._seconds = plan.seconds

    def begun(self, step_id: str) -> None: ...

    async def work(self, step_id: str, before: Mapping[str, StepOutcome]) -> StepOutcome:
        await asyncio.sleep(self._seconds[step_id])
        return cast("StepOutcome", {"step_id": step_id})

    def finished(self, outcome: StepOutcome) -> None: ...


def dataflow(plan: Plan) -> StateGraph[Any]:
    async def execute(state: _State) -> _State:
        results = await run_dataflow(_Sleeping(plan), _Unrecorded())
        return {"done": list(results)}

    graph = StateGraph(_State)
    graph.add_node("execute", execute)
    graph.add_edge(START, "execute")
    graph.add_edge("execute", END)
    return graph


def supersteps(plan: Plan) -> StateGraph[Any]:
    levels: dict[int, list[str]] = {}
    for step_id, depth in depths(plan.needs).items():
        levels.setdefault(depth, []).append(step_id)

    async def step(state: Any) -> _State:
        await asyncio.sleep(plan.seconds[state["step_id"]])
        return {"done": [state["step_id"]]}

    async def barrier(state: _State) -> _State:
        return {}

    def fan_out(state: _State) -> list[Send] | str:
        done = set(state.get("done", ()))
        level = next((steps for _, steps in sorted(levels.items()) if not done.issuperset(steps)), None)
        return END if level is None else [Send("step", {"step_id": step_id}) for step_id in level]

    graph = StateGraph(_State)
    graph.add_node("step", step)
    graph.add_node("barrier", barrier)
    graph.add_edge(START, "barrier")
    graph.add_edge("step", "barrier")
    graph.add_conditional_edges("barrier", fan_out, ["step", END])
    return graph


async def _seconds(way: Callable[[Plan], StateGraph[Any]], plan: Plan) -> float:
    graph = way(plan).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "plan"}, "recursion_limit": 100}
    start = time.perf_counter()
    final = await graph.ainvoke({"done": []}, config, durability="sync")
    taken = time.perf_counter() - start
    assert sorted(final["done"]) == sorted(plan.needs)
    return taken


async def _three_ways(plan: Plan) -> dict[str, float]:
    """The durations in multiples of the critical path."""
    start = time.perf_counter()
    await bare(plan)
    taken = {"bare asyncio": time.perf_counter() - start}
    taken |= {"dataflow": await _seconds(dataflow, plan), "supersteps": await _seconds(supersteps, plan)}
    return {way: seconds / plan.critical for way, seconds in taken.items()}


async def measure(plans: int, seed: int) -> list[dict[str, float]]:
    dice = random.Random(seed)
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(plan: Plan) -> dict[str, float]:
        async with slots:
            return await _three_ways(plan)

    await _three_ways(random_plan(random.Random(seed)))  # warm up
    return await asyncio.gather(*(one(random_plan(dice)) for _ in range(plans)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plans", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = asyncio.run(measure(given.plans, given.seed))
    for way in found[0]:
        taken = [plan[way] for plan in found]
        print(
            f"{way:12} makespan / critical path over {len(found)} plans: mean {statistics.mean(taken):.3f}   "
            f"median {statistics.median(taken):.3f}" + (f"   (target {TARGET})" if way == "dataflow" else "")
        )


if __name__ == "__main__":
    main()
