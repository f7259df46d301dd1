"""CPU of a whole turn beside the plain LangGraph one: three trivial agents, SQLite, durability="sync".

    python -m benchmarks.turn [--turns 5] [--rounds 60]

Ours analyses, plans, validates, runs the plan as dataflow, writes events and artifacts, and answers; the
reference fans out to three functions. CPU is that of the whole process, all threads, per turn of a new
session. Sides alternate in short rounds, because machines are noisy: trust the ratios.
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
from metaagent.level1.reasoner import RuleReasoner
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


async def _cpu(turn: Callable[[int], Awaitable[Any]], numbers: range) -> float:
    """Milliseconds per turn."""
    start = time.process_time()
    for number in numbers:
        await turn(number)
    return (time.process_time() - start) / len(numbers) * 1e3


async def measure(turns: int, rounds: int) -> list[tuple[float, float]]:
    """(ours, plain) for each round."""
    plain = reference()
    with tempfile.TemporaryDirectory() as folder:
        async with (
            MetaAgent.open(
                {"data_dir": Path(folder) / "ours", "agents": {"allow": []}},
                agents=AGENTS,
                reasoner=RuleReasoner(),
            ) as app,
            AsyncSqliteSaver.from_conn_string(str(Path(folder) / "plain.db")) as saver,
        ):
            graph = plain.build(checkpointer=saver)

            async def ours(_: int) -> None:
                answer = await app.ask(QUESTION)
                assert len(answer.content["artifacts"]) == len(AGENTS), answer.content

            async def theirs(number: int) -> None:
                config: Any = {"configurable": {"thread_id": f"{number}"}}
                await graph.ainvoke(plain.q(), config, durability="sync")

            blocks = [range(first, first + turns) for first in range(0, turns * (rounds + 1), turns)]
            found = [(await _cpu(ours, block), await _cpu(theirs, block)) for block in blocks]
            return found[1:]  # the first is for warming up


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=60)
    given = parser.parse_args()
    found = asyncio.run(measure(given.turns, given.rounds))
    ours, plain = ([side[i] for side in found] for i in (0, 1))
    for name, of in (("median", statistics.median), ("least", min)):
        print(
            f"{name:7} CPU per turn: ours {of(ours):6.2f} ms   plain LangGraph {of(plain):6.2f} ms   "
            f"ratio {of(ours) / of(plain):.2f} (target {TARGET})"
        )


if __name__ == "__main__":
    main()
