"""CPU of a whole turn beside the plain LangGraph one: three trivial agents, SQLite, durability="sync".

    python -m benchmarks.turn [--turns 60] [--rounds 7]

Ours analyses, plans, validates, runs the plan as dataflow, writes events and artifacts, and answers; the
reference fans out to three functions. CPU is that of the whole process, all threads, per turn of a new
session. Sides alternate, because machines are noisy: trust the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from benchmarks.saver import reference
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent

TARGET = 1.5


def trivial(name: str) -> AgentSpec:
    """An agent that does nothing worth measuring."""
    kind = f"k{name}"

    async def work(task: Task, ctx: Context) -> Result:
        return Result("ok", 1.0, [Artifact(kind, {"x": 1})])

    words = Capability(name, ko=(name,), en=(name,))
    return agent(name=name, capabilities=[words], produces={kind: dict[str, int]})(work)


AGENTS = [trivial(name) for name in ("data", "retrieve", "document")]
QUESTION = "data retrieve document"


async def _cpu(turn: Callable[[int], Awaitable[Any]], turns: int) -> float:
    """Milliseconds per turn."""
    start = time.process_time()
    for number in range(turns):
        await turn(number)
    return (time.process_time() - start) / turns * 1e3


async def measure(turns: int, rounds: int) -> list[tuple[float, float]]:
    """(ours, plain) for each round."""
    plain = reference()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            MetaAgent.open({"data_dir": Path(folder) / "ours"}, agents=AGENTS) as app,
            AsyncSqliteSaver.from_conn_string(str(Path(folder) / "plain.db")) as saver,
        ):
            graph = plain.build(checkpointer=saver)

            async def ours(_: int) -> None:
                answer = await app.ask(QUESTION)
                assert len(answer.content["artifacts"]) == len(AGENTS), answer.content

            async def theirs(number: int) -> None:
                config: Any = {"configurable": {"thread_id": f"{len(found)}-{number}"}}
                await graph.ainvoke(plain.q(), config, durability="sync")

            found: list[tuple[float, float]] = []
            await _cpu(ours, 5)
            await _cpu(theirs, 5)
            for _ in range(rounds):
                found.append((await _cpu(ours, turns), await _cpu(theirs, turns)))
            return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    found = asyncio.run(measure(given.turns, given.rounds))
    ours, plain = ([side[i] for side in found] for i in (0, 1))
    print(f"CPU per turn   ours {min(ours):.2f} ms   plain LangGraph {min(plain):.2f} ms")
    print(f"ratio of the least {min(ours) / min(plain):.2f}   "
          f"median of the rounds {statistics.median(a / b for a, b in found):.2f}   target {TARGET}")


if __name__ == "__main__":
    main()
