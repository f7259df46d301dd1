"""The saver that turns run on: ours, telling when each step's outcome is in the file, and reading states that an
earlier version wrote. And its rows as their owner reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol

from metaagent.adapters import sqlite_rows as rows
from metaagent.adapters.sqlite_saver import SqliteCheckpointSaver
from metaagent.adapters.step_writes import StepWrites
from metaagent.adapters.vault import acting_for
from metaagent.checkpoint import CheckpointInfo, StateCheckpointer
from metaagent.migrations import migrated
from metaagent.ports import User


class Saver(SqliteCheckpointSaver):
    def __init__(self, path: Path | str, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(path, serde=serde)
        self.steps = StepWrites()
        self._older: set[tuple[str, str]] = set()

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

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """After a state that was migrated in memory, every value is stored, not only those that the step changed."""
        where = config.get("configurable", {})
        parent = (str(where.get("thread_id")), str(where.get("checkpoint_id")))
        if parent in self._older:
            new_versions = dict(checkpoint["channel_versions"])
        saved = await super().aput(config, checkpoint, metadata, new_versions)
        self._older.discard(parent)
        return saved

    def _tuple(self, found: rows.Loaded) -> CheckpointTuple:
        saved = super()._tuple(found)
        values = saved.checkpoint["channel_values"]
        if found.checkpoint.checkpoint_ns or "schema_version" not in values:
            return saved
        new = migrated(values)
        if new is None:
            return saved
        self._older.add((found.checkpoint.thread_id, found.checkpoint.checkpoint_id))
        return saved._replace(checkpoint=_with_values(saved.checkpoint, values, new))


def _with_values(checkpoint: Checkpoint, old: dict[str, Any], new: dict[str, Any]) -> Checkpoint:
    """Each changed value gets a version of its own, the same at every reading, so that the stored one is not taken
    for it."""
    versions = cast("dict[str, int]", dict(checkpoint["channel_versions"]))
    first = max(versions.values(), default=0)
    for channel, value in new.items():
        if channel not in old or old[channel] != value:
            versions[channel] = versions.get(channel, first) + 1
    return {**checkpoint, "channel_values": new, "channel_versions": cast("Any", versions)}


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
