"""The checkpoint saver beside langgraph-checkpoint-sqlite's AsyncSqliteSaver, on the reference graph.

    python -m benchmarks.saver [--turns 400] [--rounds 3] [--payload 20000] [--unbounded] [--only ours]

CPU is that of the whole process, all threads. Both sides run with durability="sync" and SQLite's
synchronous=FULL; sides alternate within a round, because machines are noisy: trust the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from benchmarks.plain_langgraph import TurnState, merged, question, turn_graph
from metaagent.storage.checkpoints.retention import StateCheckpointer
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_MESSAGES = 50  # what StateOptimizer leaves in a state


def _bounded(left: Any, right: Any) -> Any:
    merged = cast("list[Any]", add_messages(left, right))
    return merged if len(merged) <= _MESSAGES else [merged[0], *merged[-_MESSAGES + 1 :]]


class SmallState(TypedDict, total=False):
    messages: Annotated[list[Any], _bounded]
    query: str
    analysis: dict[str, Any]
    plan: list[Any]
    agent_states: Annotated[dict[str, Any], merged]
    turn: int


@dataclass(frozen=True)
class Figures:
    side: str
    turns: int
    cpu_ms_per_turn: float
    early_ms: float
    late_ms: float
    early_cpu_ms: float
    late_cpu_ms: float
    megabytes: float
    commits_per_turn: float | None


@asynccontextmanager
async def _plain(path: Path) -> AsyncGenerator[tuple[Any, None]]:
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        yield saver, None


@asynccontextmanager
async def _ours(path: Path) -> AsyncGenerator[tuple[Any, StateCheckpointer]]:
    async with SqliteCheckpointSaver.open(path) as saver:
        yield saver, StateCheckpointer(saver)


_SIDES = {"plain": _plain, "ours": _ours}


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


async def run(side: str, turns: int, *, small: bool = True, msg_chars: int = 0, payload: int = 0) -> Figures:
    config: Any = {"configurable": {"thread_id": "session"}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checkpoints.db"
        async with _SIDES[side](path) as (saver, checkpointer):
            graph = turn_graph(
                saver,
                state=SmallState if small else TurnState,
                answer_characters=msg_chars,
                result_bytes=payload,
            )
            seconds: list[float] = []
            cpu: list[float] = []
            for turn in range(1, turns + 1):
                start, worked = time.perf_counter(), time.process_time()
                await graph.ainvoke(question(turn, msg_chars), config, durability="sync")
                if checkpointer is not None:
                    await checkpointer.mark_turn_end("session", turn)
                seconds.append(time.perf_counter() - start)
                cpu.append(time.process_time() - worked)
            size = _size(Path(folder))
            commits = saver.writer.commits / turns if checkpointer is not None else None
    early, late = statistics.median(seconds[10:20]), statistics.median(seconds[-10:])
    return Figures(
        side,
        turns,
        sum(cpu) / turns * 1e3,
        early * 1e3,
        late * 1e3,
        statistics.median(cpu[10:20]) * 1e3,
        statistics.median(cpu[-10:]) * 1e3,
        size / 1e6,
        commits,
    )


def _summary(results: list[Figures]) -> dict[str, dict[str, float]]:
    """Neighbours on the machine only ever add time, so each time is the least of its rounds; ratios are made
    of those, never chosen among ratios."""

    def least(side: str, figure: str) -> float:
        return min(getattr(result, figure) for result in results if result.side == side)

    return {
        side: {
            "cpu_ms_per_turn": round(least(side, "cpu_ms_per_turn"), 2),
            "cpu_to_plain": round(least(side, "cpu_ms_per_turn") / least("plain", "cpu_ms_per_turn"), 3),
            "latency_late_to_early": round(least(side, "late_ms") / least(side, "early_ms"), 3),
            "cpu_late_to_early": round(least(side, "late_cpu_ms") / least(side, "early_cpu_ms"), 3),
            "megabytes_at_most": round(max(r.megabytes for r in results if r.side == side), 3),
        }
        for side in _SIDES
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--msg-chars", type=int, default=0)
    parser.add_argument(
        "--unbounded", action="store_true", help="let the messages grow, as plain LangGraph does"
    )
    parser.add_argument(
        "--payload", type=int, default=0, help="bytes of one result per turn, all kept in the state"
    )
    parser.add_argument("--only", choices=list(_SIDES), help="one side, without a summary")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    results: list[Figures] = []
    for _ in range(given.rounds):
        for side in [given.only] if given.only else _SIDES:
            found = asyncio.run(
                run(
                    side,
                    given.turns,
                    small=not given.unbounded,
                    msg_chars=given.msg_chars,
                    payload=given.payload,
                )
            )
            results.append(found)
            if not given.json:
                print(found)
    summary = {} if given.only else _summary(results)
    print(json.dumps({"summary": summary, "runs": [asdict(r) for r in results]}) if given.json else summary)


if __name__ == "__main__":
    main()
