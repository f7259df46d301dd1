"""The saver that turns run on: ours, telling when each step's outcome is in the file, reading states that an earlier
version wrote, and writing no more than a turn needs. And its rows as their owner reads them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol

from metaagent.ports import User
from metaagent.state.migrations import migrated
from metaagent.storage.checkpoints import rows
from metaagent.storage.checkpoints.retention import CheckpointInfo, Retention, StateCheckpointer
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver, config_of
from metaagent.storage.checkpoints.step_writes import JOINED, STEP, StepWrites
from metaagent.storage.vault import acting_for

OUTCOME = "__return__"
"""The channel that LangGraph stores the results of tasks in, and we those of steps."""


class Audience(Protocol):
    """A turn's journal, as far as the saver asks it."""

    @property
    def published(self) -> bool: ...
    def release(self) -> None:
        """The checkpoint is handed over: what waited for it may be told."""
        ...


@dataclass
class RunningTurn:
    """Writes of a session whose graph runs here. Each of its steps has one node, whose writes are in the checkpoint that follows
    at once: they are not stored beside it. A crash in between makes the node run again; the outcomes of a plan's steps
    are stored as they come, and come back.

    Some checkpoints wait for company: those of a turn that has told nobody anything, because it begins anew after a crash,
    and the one before the answer, because without it the last node runs again and finds every step done."""

    number: int
    retention: Retention
    audience: Audience
    """True once anyone may have heard of the turn. Its journal waits for `SqliteWriter.landed` before the first event."""
    stands_at: str | None = None
    """The checkpoint that the graph goes on from: outcomes of steps are stored beside it."""
    ended: bool = False
    """The end of the turn is marked: that went with its last checkpoint."""


class Saver(SqliteCheckpointSaver):
    def __init__(self, path: Path | str, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(path, serde=serde)
        self.steps = StepWrites(self._put_outcome)
        self._older: set[tuple[str, str]] = set()
        self._running: dict[str, RunningTurn] = {}

    @contextmanager
    def running(
        self, session_id: str, number: int, retention: Retention, audience: Audience
    ) -> Generator[RunningTurn]:
        turn = self._running[session_id] = RunningTurn(number, retention, audience)
        try:
            yield turn
        finally:
            del self._running[session_id]
            self.steps.leave(session_id)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        saved = await super().aget_tuple(config)
        turn = self._running_at(config)
        if turn is not None and turn.stands_at is None and saved is not None:
            turn.stands_at = saved.checkpoint["id"]
            self.steps.find(str(config.get("configurable", {}).get("thread_id")), saved.pending_writes or ())
        return saved

    async def _put_outcome(self, session_id: str, step_id: str, outcome: Any) -> None:
        at = config_of(session_id, "", self._running[session_id].stands_at or "")
        await super().aput_writes(at, [(OUTCOME, outcome)], f"{STEP}{step_id}")

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        session_id = str(config.get("configurable", {}).get("thread_id", ""))
        if session_id in self._running and "__" not in {channel[:2] for channel, _ in writes}:
            return
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
        turn = self._running_at(config)
        where = config.get("configurable", {})
        parent = (str(where.get("thread_id")), str(where.get("checkpoint_id")))
        if parent in self._older:
            new_versions = dict(checkpoint["channel_versions"])
        if turn is not None and (joined := self.steps.take_joined(parent[0])):
            metadata = cast("CheckpointMetadata", {**metadata, JOINED: joined})
        values = checkpoint["channel_values"]
        if turn is not None and values.get("workflow_status") == "completed":
            saved = await self._put_last(config, checkpoint, metadata, new_versions, turn)
        elif turn is not None and (not turn.audience.published or values.get("current_phase") == "completed"):
            saved = self.put_soon(config, checkpoint, metadata, new_versions)
        else:
            saved = await super().aput(config, checkpoint, metadata, new_versions)
        self._older.discard(parent)
        if turn is not None:
            turn.stands_at = checkpoint["id"]
            self.steps.leave(parent[0])
            turn.audience.release()
        return saved

    def _running_at(self, config: RunnableConfig) -> RunningTurn | None:
        """The turn that runs here and writes at the root of its session, not in a subgraph."""
        where = config.get("configurable", {})
        return None if where.get("checkpoint_ns") else self._running.get(str(where.get("thread_id")))

    async def _put_last(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        turn: RunningTurn,
    ) -> RunnableConfig:
        session_id = str(config.get("configurable", {}).get("thread_id"))

        def end(connection: sqlite3.Connection) -> None:
            rows.end_turn(connection, session_id, turn.number, turn.retention)

        put = self.put_and(config, checkpoint, metadata, new_versions, end)
        saved, _ = await asyncio.gather(put, self.writer.acall(rows.shrink, writes=False))
        turn.ended = True
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
