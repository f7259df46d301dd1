"""Where LangGraph keeps its checkpoints."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from metaagent.adapters.step_writes import StepWrites
from metaagent.errors import StorageError, Text

_UNUSABLE = Text(
    en="The checkpoints in {path} cannot be used: {problem}. Restore the file from a backup, or choose another data directory.",
    ko="{path}의 체크포인트를 쓸 수 없습니다: {problem}. 백업에서 되돌리거나 다른 데이터 디렉터리를 고르세요.",
)


class Saver(AsyncSqliteSaver):
    """Tells `steps` of each write once it is in the file."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self.steps = StepWrites()

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        session_id = str(config.get("configurable", {}).get("thread_id", ""))
        values = [value for _, value in writes]
        try:
            await super().aput_writes(config, writes, task_id, task_path)
        except Exception as error:
            self.steps.note(session_id, values, error)
            raise
        self.steps.note(session_id, values)


@asynccontextmanager
async def open_saver(path: Path) -> AsyncGenerator[Saver]:
    async with aiosqlite.connect(path) as connection:
        saver = Saver(connection)
        try:
            await saver.setup()
        except sqlite3.Error as error:
            raise StorageError(_UNUSABLE, path=path, problem=error) from error
        yield saver
