"""CPU of a whole turn beside the plain LangGraph one: three trivial agents, SQLite, durability="sync".

    python -m benchmarks.turn [--turns 5] [--rounds 60]

Ours analyses, plans, validates, runs the plan as dataflow, writes events and artifacts, and answers; the
reference fans out to three functions. It runs twice: on LangGraph's own saver, and on ours, which is cheaper.
CPU is that of the whole process, all threads, per turn of a new session. Sides alternate in short rounds,
because machines are noisy: trust the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from benchmarks.plain_langgraph import question, turn_graph
from metaagent.level1.reasoner import RuleReasoner
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver

TARGET = 1.5
OURS, PLAIN, ON_OURS = "ours", "plain LangGraph on AsyncSqliteSaver", "plain LangGraph on our saver"

Side = Callable[[int], Awaitable[None]]


def trivial(name: str) -> AgentSpec:
    """An agent that does nothing worth measuring."""
    kind = f"k{name}"

    async def work(task: Task, ctx: Context) -> Result:
        return Result("ok", 1.0, [Artifact(kind, {"x": 1})])

    words = Capability(name, ko=(name,), en=(name,))
    return agent(name=name, capabilities=[words], produces={kind: dict[str, int]})(work)


AGENTS = [trivial(name) for name in ("data", "retrieve", "document")]
QUESTION = "data retrieve document"


async def _cpu(turn: Side, numbers: range) -> float:
    """Milliseconds per turn."""
    start = time.process_time()
    for number in numbers:
        await turn(number)
    return (time.process_time() - start) / len(numbers) * 1e3


@contextlib.asynccontextmanager
async def running(folder: Path) -> AsyncGenerator[dict[str, Side]]:
    """Each side, ready to take a turn, with its data in the folder."""
    async with (
        MetaAgent.open(
            {"data_dir": folder / "ours", "agents": {"allow": []}}, agents=AGENTS, reasoner=RuleReasoner()
        ) as app,
        AsyncSqliteSaver.from_conn_string(str(folder / "plain.db")) as official,
        SqliteCheckpointSaver.open(folder / "plain-on-ours.db") as saver,
    ):

        async def ours(_: int) -> None:
            answer = await app.ask(QUESTION)
            assert len(answer.content["artifacts"]) == len(AGENTS), answer.content

        def plain_on(checkpointer: BaseCheckpointSaver[Any]) -> Side:
            graph = turn_graph(checkpointer)

            async def theirs(number: int) -> None:
                config: Any = {"configurable": {"thread_id": f"{number}"}}
                await graph.ainvoke(question(), config, durability="sync")

            return theirs

        yield {OURS: ours, PLAIN: plain_on(official), ON_OURS: plain_on(saver)}


async def measure(turns: int, rounds: int) -> dict[str, list[float]]:
    """Milliseconds per turn in each round, by side."""
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as sides:
            found: dict[str, list[float]] = {name: [] for name in sides}
            for first in range(0, turns * (rounds + 1), turns):
                for name, side in sides.items():
                    found[name].append(await _cpu(side, range(first, first + turns)))
            return {name: taken[1:] for name, taken in found.items()}  # the first is for warming up


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=60)
    given = parser.parse_args()
    found = asyncio.run(measure(given.turns, given.rounds))
    for name, of in (("median", statistics.median), ("least", min)):
        cost = {side: of(taken) for side, taken in found.items()}
        print(f"{name:7} CPU per turn: ours {cost[OURS]:6.2f} ms")
        for side in (PLAIN, ON_OURS):
            ratio = cost[OURS] / cost[side]
            print(f"        {side:44} {cost[side]:6.2f} ms   ratio {ratio:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
