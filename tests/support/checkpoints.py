"""Small sessions for the tests of the saver and of StateCheckpointer."""

from __future__ import annotations

import asyncio
import operator
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from metaagent.protection.row_context import current_row
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from metaagent.storage.checkpoints.retention import StateCheckpointer
    from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver


class Counting(TypedDict, total=False):
    said: Annotated[list[str], operator.add]
    total: int
    constant: dict[str, Any]


def counting_graph(saver: BaseCheckpointSaver[Any]) -> Any:
    def think(state: Counting) -> Counting:
        return {"total": state.get("total", 0) + 1}

    def answer(state: Counting) -> Counting:
        return {"said": [f"answer {state.get('total')}"]}

    graph = StateGraph(Counting)
    graph.add_node("think", think)
    graph.add_node("answer", answer)
    graph.add_edge(START, "think")
    graph.add_edge("think", "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=saver)


def at(thread: str, checkpoint: str | None = None, ns: str = "") -> RunnableConfig:
    where = {"thread_id": thread, "checkpoint_ns": ns}
    return {"configurable": where | ({"checkpoint_id": checkpoint} if checkpoint else {})}


async def put(
    saver: BaseCheckpointSaver[Any],
    config: RunnableConfig,
    values: dict[str, Any],
    versions: dict[str, Any],
    new: dict[str, Any] | None = None,
    **metadata: Any,
) -> RunnableConfig:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = values
    checkpoint["channel_versions"] = versions
    facts: Any = {"source": "loop", "step": 1, "parents": {}, **metadata}
    return await saver.aput(config, checkpoint, facts, versions if new is None else new)


def change(path: Path, statement: str, *values: Any) -> None:
    """Does to the file what a fault or an attacker does."""
    with sqlite3.connect(path) as connection:
        assert connection.execute(statement, values).rowcount > 0
    connection.close()


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def bytes_of(folder: Path) -> bytes:
    return b"\n".join(file.read_bytes() for file in folder.iterdir())


async def run_python(*arguments: str) -> str:
    ran = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await ran.communicate()
    assert ran.returncode == 0, err.decode()
    return out.decode()


class BoundSerde:
    """Seals like the real one, without keys: veiled bytes that open only as the row they were made for."""

    def __init__(self) -> None:
        self._inner = JsonPlusSerializer(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = self._inner.dumps_typed(obj)
        label = repr(current_row()).encode()
        return f"{kind}+bound", _veil(len(label).to_bytes(4, "big") + label + data)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, mark, _ = data[0].partition("+bound")
        plain = _veil(data[1])
        size = int.from_bytes(plain[:4], "big")
        if not mark or plain[4 : 4 + size] != repr(current_row()).encode():
            raise ValueError("sealed for another row")
        return self._inner.loads_typed((kind, plain[4 + size :]))


def _veil(data: bytes) -> bytes:
    return bytes(byte ^ 0x5A for byte in data)


async def take_turns(
    saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer, first: int, last: int
) -> Any:
    graph = counting_graph(saver)
    for turn in range(first, last + 1):
        await graph.ainvoke({"said": [f"question {turn}"]}, at("s"), durability="sync")
        await checkpointer.mark_turn_end("s", turn)
    return graph
