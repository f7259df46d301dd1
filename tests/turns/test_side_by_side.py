"""A step that is not `parallel` runs alone, and the planner says of each step whether another may run beside it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from metaagent.level1.execution_manager.dataflow import PrioritySlots
from metaagent.level1.nodes import plan as planner
from metaagent.level1.planning import PlanRequest, make_plan
from metaagent.level1.planning.plan_graph import side_by_side
from metaagent.plugin import Context, Result, Task
from tests.support.execution_world import make_agent, opened


@pytest.mark.parametrize(
    ("needs", "beside"),
    [
        ({}, set[str]()),
        ({"a": []}, set[str]()),
        ({"a": [], "b": ["a"], "c": ["b"]}, set[str]()),
        ({"a": [], "b": [], "c": ["a", "b"]}, {"a", "b"}),
        ({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}, {"b", "c"}),
        ({"a": [], "b": ["a"], "c": ["b"], "d": []}, {"a", "b", "c", "d"}),
    ],
)
def test_independent_steps_may_run_side_by_side(needs: dict[str, list[str]], beside: set[str]) -> None:
    assert side_by_side(needs) == beside


def test_the_planner_computes_it() -> None:
    agents = [
        make_agent("source", makes=["data"]),
        make_agent("left", makes=["l"], takes=["data"]),
        make_agent("right", makes=["r"], takes=["data"]),
    ]
    planning = make_plan(PlanRequest({"required_capabilities": ["left", "right"]}, agents))
    found = {s.get("agents", [""])[0]: s.get("parallel") for s in planning.get("execution_plan", [])}
    assert found == {"source": False, "left": True, "right": True}


async def test_exclusive_step_runs_alone_and_in_order() -> None:
    slots = PrioritySlots(3)
    inside: set[str] = set()
    story: list[tuple[str, frozenset[str]]] = []
    go = {name: asyncio.Event() for name in "abcde"}

    async def run(name: str, rank: int, *, alone: bool = False) -> None:
        async with slots.slot(rank, alone=alone):
            inside.add(name)
            story.append((name, frozenset(inside)))
            await go[name].wait()
            inside.discard(name)

    async with asyncio.TaskGroup() as tasks:
        for name, rank in (("a", 5), ("b", 5)):
            tasks.create_task(run(name, rank))
        await asyncio.sleep(0)
        tasks.create_task(run("c", 1, alone=True))
        tasks.create_task(run("d", 2))
        lost = tasks.create_task(run("e", 0, alone=True))
        await asyncio.sleep(0)
        assert [name for name, _ in story] == ["a", "b"], "a free slot does not help who must be alone"
        lost.cancel()
        await asyncio.sleep(0)
        for name in "abcd":
            go[name].set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
    assert story == [
        ("a", frozenset("a")),
        ("b", frozenset("ab")),
        ("c", frozenset("c")),
        ("d", frozenset("d")),
    ]


@pytest.mark.parametrize("parallel", [True, False])
async def test_step_planned_alone_runs_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parallel: bool
) -> None:
    inside: set[str] = set()
    met: set[str] = set()

    async def work(task: Task, ctx: Context) -> Result | None:
        inside.add(ctx.agent)
        for _ in range(20):
            await asyncio.sleep(0)
            if "alone" in inside:
                met.update(inside)
        inside.discard(ctx.agent)

    def wanted(request: PlanRequest) -> Any:
        planning = make_plan(request)
        for step in planning.get("execution_plan", []):
            if step.get("agents") == ["alone"]:
                step["parallel"] = parallel
        return planning

    monkeypatch.setattr(planner, "make_plan", wanted)
    agents = [make_agent(name, work) for name in ("alone", "second", "third")]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("alone second third")
    assert [step["status"] for step in answer.content["steps"]] == ["completed"] * 3
    assert met == ({"alone", "second", "third"} if parallel else {"alone"})
