"""LangGraph's checkpoint contract, whole, on one SQLite file that stays small.

It takes the place of langgraph-checkpoint-sqlite's AsyncSqliteSaver and differs in what made that one grow
and slow down: a channel's value is stored once per version and not in every checkpoint, commits are made in
groups by one thread, and metadata goes through the serializer like everything else.
"""

from __future__ import annotations

import asyncio
import copy
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import orjson
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_metadata,
)

from metaagent.errors import KeyUnavailable, RowRefused, Text
from metaagent.protection.row_context import BODY, METADATA, Row, dumped, row_context
from metaagent.storage.checkpoints import rows
from metaagent.storage.checkpoints.lookups import (
    config_of,
    delta_work,
    keys_work,
    load_work,
    namespace_of,
    page_work,
    prune_work,
    thread_of,
)
from metaagent.storage.checkpoints.rows import checksum, row_of_blob, row_of_write, shrink_all
from metaagent.storage.checkpoints.serde import default_serde
from metaagent.storage.checkpoints.writer import SqliteWriter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Callable,
        Collection,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path
    from typing import Self

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
    from langgraph.checkpoint.serde.base import SerializerProtocol

    from metaagent.storage.checkpoints.retention import Marks, Retention

T = TypeVar("T")

_CHANNELS = "__channels__"  # in the stored body: which channels have a value of their own
_INLINE = (
    64  # bytes of text; so small a value costs less within each checkpoint than as a sealed row of its own
)
_FEW = 4  # numbers under names
RANDOM_BITS = 40
_PAGE = 32

_REFUSED = Text(
    en="Stored row refused: thread '{thread}', namespace '{namespace}', checkpoint '{checkpoint}', "
    "channel '{channel}': {reason}. Restore an earlier checkpoint or the file from a backup.",
    ko="저장된 행을 거부했습니다: 스레드 '{thread}', 네임스페이스 '{namespace}', 체크포인트 '{checkpoint}', "
    "채널 '{channel}': {reason}. 이전 체크포인트나 백업에서 복원하세요.",
)


class SqliteCheckpointSaver(BaseCheckpointSaver[int]):
    """The blocking methods may be called from any thread."""

    def __init__(self, path: Path | str, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde or default_serde())
        self.writer = SqliteWriter(path, lambda: rows.connect(str(path)))

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path | str, *, serde: SerializerProtocol | None = None) -> AsyncGenerator[Self]:
        saver = await asyncio.to_thread(cls, path, serde=serde)
        try:
            yield saver
        finally:
            await asyncio.to_thread(saver.close)

    def close(self) -> None:
        self.writer.close()

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> SqliteCheckpointSaver:
        """A serializer that cannot widen its list keeps the one that it was made with."""
        widen = getattr(self.serde, "with_msgpack_allowlist", None)
        if widen is None:
            return self
        clone = copy.copy(self)
        clone.serde = widen(extra_allowlist)
        return clone

    def get_next_version(self, current: int | None, channel: None) -> int:
        """A counter above random bits, so that two branches of one session never give two values one version,
        which would be one row. The official saver's versions are strings six times as long."""
        count = 0 if current is None else current >> RANDOM_BITS
        return (count + 1) << RANDOM_BITS | random.getrandbits(RANDOM_BITS)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self.put_and(config, checkpoint, metadata, new_versions, None)

    async def put_and(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        then: Callable[[sqlite3.Connection], object] | None,
    ) -> RunnableConfig:
        """`then` is done in the same transaction, or neither is."""
        work = self._put_work(config, checkpoint, metadata, new_versions, then)
        if not await self.writer.acall(work, writes=True):
            await self.writer.acall(self._put_work(config, checkpoint, metadata, None, then), writes=True)
        return config_of(thread_of(config), namespace_of(config), checkpoint["id"])

    def put_soon(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Stored with whatever is written next: for a checkpoint that nobody misses if nothing follows it."""
        self.writer.ride(self._put_work(config, checkpoint, metadata, new_versions))
        return config_of(thread_of(config), namespace_of(config), checkpoint["id"])

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        work = self._put_work(config, checkpoint, metadata, new_versions)
        if not self.writer.call(work, writes=True):
            self.writer.call(self._put_work(config, checkpoint, metadata, None), writes=True)
        return config_of(thread_of(config), namespace_of(config), checkpoint["id"])

    def _put_work(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions | None,
        then: Callable[[sqlite3.Connection], object] | None = None,
    ) -> Callable[[sqlite3.Connection], bool]:
        """Serialized here and now: the caller may change its objects as soon as it is not waiting."""
        thread, ns = thread_of(config), namespace_of(config)
        parent = config.get("configurable", {}).get("checkpoint_id")
        values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
        refs = {
            channel: versions[channel]
            for channel, value in values.items()
            if channel in versions and type(value) not in _ALWAYS_SMALL and not _is_small(value)
        }
        given = (
            refs
            if new_versions is None or parent is None
            else [name for name in refs if name in new_versions]
        )
        blobs = [self._blob(thread, ns, name, refs[name], values[name]) for name in given]
        row = self._checkpoint_row(
            Row(thread, ns, checkpoint["id"], BODY), config, checkpoint, metadata, refs
        )

        def work(connection: sqlite3.Connection) -> bool:
            stored = rows.put(connection, row, blobs, carries=len(given) < len(refs))
            if stored and then is not None:
                then(connection)
            return stored

        return work

    def _checkpoint_row(
        self,
        place: Row,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        refs: ChannelVersions,
    ) -> rows.CheckpointRow:
        facts = cast("dict[str, Any]", get_checkpoint_metadata(config, metadata))
        inline = {name: value for name, value in checkpoint["channel_values"].items() if name not in refs}
        body = {**checkpoint, "channel_values": inline, _CHANNELS: list(refs)}
        counters = cast("dict[str, Sequence[int]]", facts.get("counters_since_delta_snapshot") or {})
        run_id = facts.get("run_id")
        return rows.CheckpointRow(
            place.thread_id,
            place.checkpoint_ns,
            place.checkpoint_id,
            config.get("configurable", {}).get("checkpoint_id"),
            None if run_id is None else str(run_id),
            max((counter[1] for counter in counters.values()), default=0),
            orjson.dumps(refs),
            *self._dump(place, body),
            *self._dump(place._replace(channel=METADATA), facts),
        )

    def _blob(
        self, thread: str, ns: str, channel: str, version: str | int | float, value: Any
    ) -> rows.BlobRow:
        row = Row(thread, ns, "", channel, str(version))
        return rows.BlobRow(thread, ns, channel, version, *self._dump(row, value))

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self.writer.acall(self._writes_work(config, writes, task_id, task_path), writes=True)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        self.writer.call(self._writes_work(config, writes, task_id, task_path), writes=True)

    def _writes_work(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str
    ) -> Callable[[sqlite3.Connection], None]:
        where = config.get("configurable", {})
        thread, ns, checkpoint_id = thread_of(config), namespace_of(config), str(where["checkpoint_id"])
        placed = [(WRITES_IDX_MAP.get(name, at), name, value) for at, (name, value) in enumerate(writes)]
        if _go_together(writes):
            placed = [(rows.BUNDLES + len(writes), rows.BUNDLE, [list(write) for write in writes])]
        made: list[rows.WriteRow] = []
        for idx, channel, value in placed:
            row = Row(thread, ns, checkpoint_id, channel, task=f"{task_id}/{idx}")
            stored = self._dump(row, value)
            made.append(rows.WriteRow(thread, ns, checkpoint_id, task_id, idx, task_path, channel, *stored))
        replace = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        return lambda connection: rows.put_writes(connection, made, replace=replace)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        found = await self.writer.acall(load_work(config), writes=False)
        return None if found is None else self._tuple(found)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        found = self.writer.call(load_work(config), writes=False)
        return None if found is None else self._tuple(found)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002  the contract's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        left = limit
        keys = await self.writer.acall(keys_work(config, before), writes=False)
        for start in range(0, len(keys), _PAGE):
            if left is not None and left <= 0:
                return
            page = await self.writer.acall(page_work(keys[start : start + _PAGE]), writes=False)
            for found in self._matching(page, filter, left):
                left = None if left is None else left - 1
                yield found

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002  the contract's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        left = limit
        keys = self.writer.call(keys_work(config, before), writes=False)
        for start in range(0, len(keys), _PAGE):
            if left is not None and left <= 0:
                return
            page = self.writer.call(page_work(keys[start : start + _PAGE]), writes=False)
            for found in self._matching(page, filter, left):
                left = None if left is None else left - 1
                yield found

    def _matching(
        self, page: Sequence[rows.Loaded], wanted: dict[str, Any] | None, limit: int | None
    ) -> Iterator[CheckpointTuple]:
        """Metadata is sealed, so the filter runs here and not in SQL."""
        given = 0
        for found in page:
            if limit is not None and given >= limit:
                return
            if wanted:
                facts = self._metadata(found.checkpoint)
                if any(facts.get(key) != value for key, value in wanted.items()):
                    continue
            given += 1
            yield self._tuple(found)

    def _metadata(self, row: rows.CheckpointRow) -> dict[str, Any]:
        where = Row(row.thread_id, row.checkpoint_ns, row.checkpoint_id, METADATA)
        facts = self._read(where, row.metadata_type, row.metadata, row.metadata_crc)
        if not isinstance(facts, dict):
            raise _refused(where, "it holds no metadata")
        return cast("dict[str, Any]", facts)

    def _tuple(self, found: rows.Loaded) -> CheckpointTuple:
        row = found.checkpoint
        thread, ns = row.thread_id, row.checkpoint_ns
        return CheckpointTuple(
            config_of(thread, ns, row.checkpoint_id),
            self._checkpoint(found),
            cast("CheckpointMetadata", self._metadata(row)),
            config_of(thread, ns, row.parent_id) if row.parent_id else None,
            self._writes(found.writes),
        )

    def _writes(self, stored: Sequence[rows.WriteRow]) -> list[tuple[str, str, Any]]:
        """(task, channel, value), in the order of tasks and of what each wrote; of what was written twice, the first."""
        found: dict[tuple[str, str, int], tuple[str, str, Any]] = {}
        for write in stored:
            where = row_of_write(write)
            value = self._read(where, write.type, write.value, write.crc)
            together = [(write.channel, value)]
            first = write.idx
            if write.channel == rows.BUNDLE:
                together, first = _bundled(value, where), 0
            for idx, (channel, one) in enumerate(together, first):
                key = (write.task_path, write.task_id, idx)
                found.setdefault(key, (write.task_id, channel, one))
        return [found[key] for key in sorted(found)]

    def _checkpoint(self, found: rows.Loaded) -> Checkpoint:
        row = found.checkpoint
        where = Row(row.thread_id, row.checkpoint_ns, row.checkpoint_id, BODY)
        body = self._read(where, row.type, row.body, row.crc)
        if not isinstance(body, dict) or body.get("id") != row.checkpoint_id or _CHANNELS not in body:
            raise _refused(where, "it holds another checkpoint or none")
        versions = cast("dict[str, Any]", body["channel_versions"])
        refs = {channel: versions.get(channel) for channel in body.pop(_CHANNELS)}
        if refs != rows.references(row.refs):
            # The references lie in clear: without this, a sealed session could be given an older value.
            raise _refused(where, "its references to channel values were changed")
        values = {
            blob.channel: self._read(row_of_blob(blob), *blob[4:], of=row.checkpoint_id)
            for blob in found.blobs
        }
        for channel, version in refs.items():
            if channel not in values:
                lost = Row(row.thread_id, row.checkpoint_ns, row.checkpoint_id, channel, str(version))
                raise _refused(lost, "the value is missing")
        body["channel_values"].update(values)
        return cast("Checkpoint", body)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        found = await self.writer.acall(delta_work(config, channels), writes=False) if channels else ({}, [])
        return self._history(channels, *found)

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        found = self.writer.call(delta_work(config, channels), writes=False) if channels else ({}, [])
        return self._history(channels, *found)

    def _history(
        self, channels: Sequence[str], seeds: dict[str, rows.BlobRow], steps: Sequence[rows.DeltaStep]
    ) -> dict[str, DeltaChannelHistory]:
        history: dict[str, DeltaChannelHistory] = {channel: {"writes": []} for channel in channels}
        for wanted, stored in steps:
            for write in self._writes(stored):
                if write[1] in wanted:
                    history[write[1]]["writes"].append(write)
        for channel, blob in seeds.items():
            history[channel]["seed"] = self._read(row_of_blob(blob), blob.type, blob.value, blob.crc)
        return history

    async def adelete_thread(self, thread_id: str) -> None:
        await self._adelete(lambda connection: rows.delete_threads(connection, [str(thread_id)]))

    def delete_thread(self, thread_id: str) -> None:
        self._delete(lambda connection: rows.delete_threads(connection, [str(thread_id)]))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        await self._adelete(lambda connection: rows.delete_runs(connection, map(str, run_ids)))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        self._delete(lambda connection: rows.delete_runs(connection, map(str, run_ids)))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await self._adelete(prune_work(thread_ids, strategy))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        self._delete(prune_work(thread_ids, strategy))

    async def _adelete(self, work: Callable[[sqlite3.Connection], T]) -> T:
        gone = await self.writer.acall(work, writes=True)
        await self.writer.acall(shrink_all, writes=False)
        return gone

    def _delete(self, work: Callable[[sqlite3.Connection], T]) -> T:
        gone = self.writer.call(work, writes=True)
        self.writer.call(shrink_all, writes=False)
        return gone

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await self._copy(str(source_thread_id), str(target_thread_id), None)

    async def fork(self, thread_id: str, new_thread_id: str, checkpoint_id: str) -> None:
        """One checkpoint, with what it needs, as the beginning of a new thread."""
        await self._copy(thread_id, new_thread_id, checkpoint_id)

    async def _copy(self, source: str, target: str, only: str | None) -> None:
        thread = await self.writer.acall(
            lambda connection: rows.read_thread(connection, source, only), writes=False
        )
        moved = await asyncio.to_thread(self._moved, thread, target)
        await self.writer.acall(lambda connection: rows.write_thread(connection, target, moved), writes=True)

    def _moved(self, thread: rows.Thread, target: str) -> rows.Thread:
        taken = {(row.checkpoint.checkpoint_ns, row.checkpoint.checkpoint_id) for row in thread.checkpoints}
        return thread._replace(
            checkpoints=[self._moved_row(row, target, taken) for row in thread.checkpoints]
        )

    def _moved_row(self, found: rows.Loaded, target: str, taken: set[tuple[str, str]]) -> rows.Loaded:
        """Loaded as a row of the source, dumped as a row of the target: a sealed value opens nowhere else."""
        row = found.checkpoint
        self._checkpoint(found)  # refuses what is unsound before it gets a sound seal
        body = Row(row.thread_id, row.checkpoint_ns, row.checkpoint_id, BODY)
        facts = body._replace(channel=METADATA)
        moved = row._replace(
            thread_id=target, parent_id=row.parent_id if (row.checkpoint_ns, row.parent_id) in taken else None
        )
        moved = rows.CheckpointRow(
            *moved[:7],
            *self._move(body, target, row.type, row.body, row.crc),
            *self._move(facts, target, row.metadata_type, row.metadata, row.metadata_crc),
        )
        blobs = [
            rows.BlobRow(
                target, *blob[1:4], *self._move(row_of_blob(blob), target, blob.type, blob.value, blob.crc)
            )
            for blob in found.blobs
        ]
        writes = [
            rows.WriteRow(target, *write[1:7], *self._move(row_of_write(write), target, *write[7:]))
            for write in found.writes
        ]
        return rows.Loaded(moved, blobs, writes)

    def _move(self, row: Row, target: str, kind: str, data: bytes, crc: int) -> tuple[str, bytes, int]:
        return self._dump(row._replace(thread_id=target), self._read(row, kind, data, crc))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        source, target = str(source_thread_id), str(target_thread_id)
        thread = self.writer.call(lambda connection: rows.read_thread(connection, source), writes=False)
        moved = self._moved(thread, target)
        self.writer.call(lambda connection: rows.write_thread(connection, target, moved), writes=True)

    async def marks(self, thread_id: str) -> Marks:
        return await self.writer.acall(lambda connection: rows.marks(connection, thread_id), writes=False)

    async def find(self, thread_id: str, *, turn: int | None = None, name: str | None = None) -> str | None:
        return await self.writer.acall(
            lambda connection: rows.find(connection, thread_id, turn, name), writes=False
        )

    async def name_current(self, thread_id: str, name: str) -> str | None:
        return await self.writer.acall(
            lambda connection: rows.name_current(connection, thread_id, name), writes=True
        )

    async def end_turn(self, thread_id: str, turn: int, retention: Retention) -> str | None:
        ended = self.writer.acall(
            lambda connection: rows.end_turn(connection, thread_id, turn, retention), writes=True
        )
        # Handed over together; reads run after the commit, so this one sees the pages that pruning freed.
        (checkpoint, _), _ = await asyncio.gather(ended, self.writer.acall(rows.shrink, writes=False))
        return checkpoint

    async def point_at(self, thread_id: str, checkpoint_id: str) -> None:
        await self.writer.acall(
            lambda connection: rows.point_at(connection, thread_id, checkpoint_id), writes=True
        )

    async def apply_retention(self, thread_id: str, retention: Retention) -> int:
        def work(connection: sqlite3.Connection) -> int:
            gone = rows.apply_retention(connection, thread_id, retention)
            rows.sweep(connection, thread_id)
            return gone

        return await self._adelete(work)

    async def count_rows(self, thread_id: str) -> dict[str, int]:
        return await self.writer.acall(
            lambda connection: rows.count_rows(connection, thread_id), writes=False
        )

    def _dump(self, row: Row, value: Any) -> tuple[str, bytes, int]:
        kind, data = dumped(row, self.serde, value)
        return kind, data, checksum(kind, data)

    def _read(self, row: Row, kind: str, data: bytes, crc: int, of: str = "") -> Any:
        """`of` is the checkpoint on whose behalf it is read, if the row itself belongs to none."""
        if not isinstance(data, bytes) or checksum(kind, data) != crc:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _refused(row, "its checksum does not fit", of)
        try:
            with row_context(*row):
                return self.serde.loads_typed((kind, data))
        except KeyUnavailable:
            raise  # nothing is wrong with the row
        except Exception as error:
            raise _refused(row, f"{type(error).__name__}: {error}", of) from error


_ALWAYS_SMALL = frozenset({type(None), bool, int, float})
_SMALL_IF_EMPTY = frozenset({dict, list})


def _is_small(value: Any) -> bool:
    kind = type(value)
    if kind is dict and 0 < len(value) <= _FEW:
        plain = all(type(key) is str and type(one) in _ALWAYS_SMALL for key, one in value.items())
        return plain and sum(map(len, value)) <= _INLINE
    return (kind is str and len(value) <= _INLINE) or (kind in _SMALL_IF_EMPTY and not value)


def _go_together(writes: Sequence[tuple[str, Any]]) -> bool:
    """One sealed row for all that a task wrote. What may be replaced later, or is bytes, has a row of its own."""
    return len(writes) > 1 and not any(
        channel in WRITES_IDX_MAP or isinstance(value, bytes | bytearray) for channel, value in writes
    )


def _bundled(value: Any, where: Row) -> list[tuple[str, Any]]:
    try:
        return [(str(channel), one) for channel, one in value]
    except (TypeError, ValueError):
        raise _refused(where, "it does not hold what a task wrote") from None


def _refused(row: Row, reason: str, of: str = "") -> RowRefused:
    return RowRefused(
        _REFUSED,
        thread=row.thread_id,
        namespace=row.checkpoint_ns,
        checkpoint=row.checkpoint_id or of,
        channel=row.channel,
        version=row.version,
        task=row.task,
        reason=reason,
    )
