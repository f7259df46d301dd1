"""The saver that turns run on: ours, telling when each step's outcome is in the file. And its rows as their owner
reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol

from metaagent.adapters.sqlite_saver import SqliteCheckpointSaver
from metaagent.adapters.step_writes import StepWrites
from metaagent.adapters.vault import acting_for
from metaagent.checkpoint import CheckpointInfo, StateCheckpointer
from metaagent.ports import User


class Saver(SqliteCheckpointSaver):
    def __init__(self, path: Path | str, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(path, serde=serde)
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


class OwnedCheckpoints:
    """Reads a session's checkpoints with the keys of the person whom it belongs to."""

    def __init__(self, checkpointer: StateCheckpointer, owner: User) -> None:
        self._checkpointer = checkpointer
        self._owner = owner

    async def list(self, session_id: str) -> list[CheckpointInfo]:
        return await self._checkpointer.list(session_id)

    async def load(self, session_id: str, checkpoint_id: str) -> CheckpointTuple | None:
        with acting_for(self._owner):
            return await self._checkpointer.load(session_id, checkpoint_id)
