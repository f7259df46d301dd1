"""Threads are copied between any two LangGraph savers: state, history, pending writes and forks.

Savers number the versions of channel values in their own way, and compare them: the numbers are written as the target
writes them, in the same order. The path of a task is not part of what a saver gives back, and is not copied.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import groupby
from typing import Any, NamedTuple, cast

from langgraph.checkpoint.base import BaseCheckpointSaver, Checkpoint, CheckpointTuple

from metaagent.errors import InputRefused, Text
from metaagent.storage.checkpoints.saver import RANDOM_BITS

_TAKEN = Text(
    en="Thread '{thread}' has checkpoints in the target already: name another one, or delete it there first.",
    ko="대상에 스레드 '{thread}'의 체크포인트가 이미 있습니다. 다른 이름을 쓰거나 먼저 대상에서 지우세요.",
)
_EMPTY = Text(
    en="There is no thread '{thread}' to copy: list the threads that there are.",
    ko="복사할 스레드 '{thread}'이(가) 없습니다. 어떤 스레드가 있는지 목록에서 확인하세요.",
)
_DIGITS = 16
_RANDOM = (1 << RANDOM_BITS) - 1


class Copied(NamedTuple):
    checkpoints: int
    writes: int


async def copy_thread(
    source: BaseCheckpointSaver[Any],
    target: BaseCheckpointSaver[Any],
    thread_id: str,
    *,
    as_thread: str | None = None,
) -> Copied:
    """Copy a thread with all its namespaces, oldest checkpoint first, so that a copy that was cut off can be continued from.

    Nothing is overwritten: a thread that the target knows already is refused.
    """
    name = as_thread or thread_id
    if await _places(target, name):
        raise InputRefused(_TAKEN, thread=name)
    places = await _places(source, thread_id)
    if not places:
        raise InputRefused(_EMPTY, thread=thread_id)
    in_words = isinstance(target.get_next_version(None, None), str)
    writes = 0
    for namespace, checkpoint_id in sorted(places, key=lambda place: place[1]):
        found = await source.aget_tuple(_config(thread_id, namespace, checkpoint_id))
        if found is not None:
            writes += await _put(target, found, name, in_words)
    return Copied(len(places), writes)


async def threads_of(saver: BaseCheckpointSaver[Any]) -> dict[str, int]:
    """The threads that a saver holds, and how many checkpoints each has."""
    counts: dict[str, int] = {}
    async for found in saver.alist(None):
        thread = str(found.config.get("configurable", {})["thread_id"])
        counts[thread] = counts.get(thread, 0) + 1
    return counts


async def _places(saver: BaseCheckpointSaver[Any], thread_id: str) -> list[tuple[str, str]]:
    places: list[tuple[str, str]] = []
    async for found in saver.alist({"configurable": {"thread_id": thread_id}}):
        where = found.config.get("configurable", {})
        places.append((str(where.get("checkpoint_ns", "")), str(where["checkpoint_id"])))
    return places


async def _put(target: BaseCheckpointSaver[Any], found: CheckpointTuple, thread: str, in_words: bool) -> int:
    namespace = str(found.config.get("configurable", {}).get("checkpoint_ns", ""))
    parent = (found.parent_config or {}).get("configurable", {}).get("checkpoint_id")
    checkpoint = _renumbered(found.checkpoint, in_words)
    written = await target.aput(
        _config(thread, namespace, parent), checkpoint, found.metadata, checkpoint["channel_versions"]
    )
    count = 0
    for task, writes in groupby(found.pending_writes or (), key=lambda write: write[0]):
        together = [(channel, value) for _, channel, value in writes]
        await target.aput_writes(written, together, task)
        count += len(together)
    return count


def _config(thread: str, namespace: str, checkpoint_id: str | None) -> Any:
    where = {"thread_id": thread, "checkpoint_ns": namespace}
    return {"configurable": where | ({"checkpoint_id": checkpoint_id} if checkpoint_id else {})}


def _renumbered(checkpoint: Checkpoint, in_words: bool) -> Checkpoint:
    def each(versions: Mapping[str, Any]) -> dict[str, Any]:
        return {name: version_as(version, in_words) for name, version in versions.items()}

    seen = {node: each(versions) for node, versions in checkpoint["versions_seen"].items()}
    numbers = {"channel_versions": each(checkpoint["channel_versions"]), "versions_seen": seen}
    return cast("Checkpoint", {**checkpoint, **numbers})


def version_as(version: Any, in_words: bool) -> Any:
    """A version in the other way of writing: a number of ours is a counter above random bits, the official text a counter,
    a point and random digits. There and back is the same; a larger counter stays larger."""
    if in_words and isinstance(version, int):
        return f"{version >> RANDOM_BITS:032}.{version & _RANDOM:0{_DIGITS}}"
    if not in_words and isinstance(version, str):
        counter, _, rest = version.partition(".")
        whole = len(rest) == _DIGITS and rest.isdecimal() and int(rest) <= _RANDOM
        digest = int.from_bytes(hashlib.blake2b(rest.encode(), digest_size=8).digest()) & _RANDOM
        return int(counter) << RANDOM_BITS | (int(rest) if whole else digest)
    return version
