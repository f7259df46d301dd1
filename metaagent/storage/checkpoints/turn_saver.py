"""The saver that turns run on: ours, telling when each step's outcome is in the file, reading states that an earlier
version wrote, and writing no more than a turn needs. And its rows as their owner reads them."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol

from metaagent.ports import User
from metaagent.state.migrations import migrated
from metaagent.storage.checkpoints import rows
from metaagent.storage.checkpoints.lookups import config_of
from metaagent.storage.checkpoints.retention import CheckpointInfo, Retention, StateCheckpointer, created_at
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from metaagent.storage.checkpoints.step_writes import JOINED, START, StepWrites, task_of
from metaagent.storage.vault import acting_for

OUTCOME = "__return__"
"""The channel that LangGraph stores the results of tasks in, and we those of steps."""


class Audience(Protocol):
    """A turn's journal, as far as the saver asks it."""

    @property
    def published(self) -> bool: ...
    @property
    def unheard(self) -> bool: ...
    def release(self) -> None:
        """The checkpoint is handed over: what waited for it may be told."""
        ...


class _PassedOver(NamedTuple):
    """The checkpoint of a turn's input, which is not stored: the one that it followed, and the versions that it made."""

    parent_id: str | None
    new_versions: ChannelVersions


@dataclass
class RunningTurn:
    """Writes of a session whose graph runs here. Each of its steps has one node, whose writes are in the checkpoint that follows
    at once: they are not stored beside it. A crash in between makes the node run again; the outcomes of a plan's steps
    are stored as they come, and come back.

    The checkpoint of the input is not stored at all: the next holds the input as part of the state, and follows what the
    input followed. Without either, a turn begins anew after a crash.

    Some checkpoints wait for company: those of a turn that has told nobody anything, because it begins anew after a crash,
    and the one before the answer, because without it the last node runs again and finds every step done."""

    number: int
    retention: Retention
    audience: Audience
    """True once anyone may have heard of the turn. Its journal waits for `Saver.landed` before the first event."""
    fresh: bool = False
    """The session has no checkpoint yet."""
    passed_over: _PassedOver | None = None
    stands_at: str | None = None
    """The checkpoint that the graph goes on from: outcomes of steps are stored beside it."""
    unstored: dict[str, Any] = field(default_factory=dict[str, Any])
    """Outcomes beside that checkpoint of a turn that nobody has heard of: stored before anybody does, or never."""
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
        self, session_id: str, number: int, retention: Retention, audience: Audience, *, fresh: bool = False
    ) -> Generator[RunningTurn]:
        turn = self._running[session_id] = RunningTurn(number, retention, audience, fresh)
        try:
            yield turn
        finally:
            del self._running[session_id]
            self.steps.leave(session_id)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        turn = self._running_at(config)
        if turn is not None and turn.fresh:
            return None
        saved = await super().aget_tuple(config)
        if turn is not None and turn.stands_at is None and saved is not None:
            turn.stands_at = saved.checkpoint["id"]
            self.steps.find(str(config.get("configurable", {}).get("thread_id")), saved.pending_writes or ())
        return saved

    async def _put_outcome(self, session_id: str, step_id: str, outcome: Any) -> None:
        turn = self._running[session_id]
        if turn.audience.unheard:
            turn.unstored[step_id] = outcome
        else:
            work = self._outcome_work(session_id, turn, step_id, outcome)
            await self.writer.acall(work, writes=True)
        self.steps.keep(session_id, step_id, outcome)

    def _outcome_work(
        self, session_id: str, turn: RunningTurn, step_id: str, outcome: Any
    ) -> Callable[[sqlite3.Connection], None]:
        at = config_of(session_id, "", turn.stands_at or "")
        return self._writes_work(at, [(OUTCOME, outcome)], task_of(step_id), "")

    async def landed(self, session_id: str, user: User) -> None:
        """Return when all that this person's turn in the session has come to is in the file."""
        turn = self._running.get(session_id)
        if turn is not None:
            with acting_for(user):
                for step_id, outcome in turn.unstored.items():
                    self.writer.ride(self._outcome_work(session_id, turn, step_id, outcome))
            turn.unstored.clear()
        await self.writer.landed()

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        session_id = str(config.get("configurable", {}).get("thread_id", ""))
        if session_id in self._running and "__" not in {channel[:2] for channel, _ in writes}:
            return
        values = [value for _, value in writes]
        turn = self._running_at(config)
        if self._is_kept(session_id, values) or (turn is not None and turn.passed_over is not None):
            return  # there already, or beside a checkpoint that is not stored
        try:
            await super().aput_writes(config, writes, task_id, task_path)
        except Exception as error:
            self.steps.note(session_id, values, error)
            raise
        self.steps.note(session_id, values)

    def _is_kept(self, session_id: str, values: Sequence[Any]) -> bool:
        """Say whether all of it is the outcome of a step that was stored before the step became a task."""
        found = self.steps.found(session_id)
        return found is not None and all(
            any(value is one for one in found.outcomes.values()) for value in values
        )

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """After a state that was migrated in memory, every value is stored, not only those that the step changed."""
        turn = self._running_at(config)
        if turn is not None and metadata.get("source") == "input":
            return self._pass_over(turn, config, checkpoint, new_versions)
        if turn is not None and turn.passed_over is not None:
            config, new_versions = _instead_of(turn.passed_over, config, new_versions)
            turn.passed_over = None
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
            turn.fresh, turn.stands_at = False, checkpoint["id"]
            turn.unstored.clear()
            self.steps.leave(parent[0])
            turn.audience.release()
        return saved

    def _pass_over(
        self, turn: RunningTurn, config: RunnableConfig, checkpoint: Checkpoint, new_versions: ChannelVersions
    ) -> RunnableConfig:
        where = config.get("configurable", {})
        session_id = str(where.get("thread_id"))
        turn.passed_over = _PassedOver(where.get("checkpoint_id"), new_versions)
        self.steps.leave(session_id)
        self.steps.join(session_id, {"node": START, "at": created_at(checkpoint["id"])})
        return config_of(session_id, "", checkpoint["id"])

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

        dropped = 0

        def end(connection: sqlite3.Connection) -> None:
            nonlocal dropped
            dropped = rows.end_turn(connection, session_id, turn.number, turn.retention)[1]

        saved = await self.put_and(config, checkpoint, metadata, new_versions, end)
        turn.ended = True
        if dropped:
            await self.writer.acall(rows.shrink, writes=False)
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


# LangGraph asks for it at the beginning of every run.
cast("Any", Saver.aput_writes).__signature__ = inspect.signature(Saver.aput_writes)


def _instead_of(
    passed_over: _PassedOver, config: RunnableConfig, new_versions: ChannelVersions
) -> tuple[RunnableConfig, ChannelVersions]:
    """Make the checkpoint that follows the one passed over follow what came before that, with what both made."""
    where = {**config.get("configurable", {}), "checkpoint_id": passed_over.parent_id}
    return {**config, "configurable": where}, {**passed_over.new_versions, **new_versions}


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
