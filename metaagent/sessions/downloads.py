"""Files as they are downloaded: what they are, and their content in pieces, whole or a range of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock

from metaagent.errors import InputRefused, Text
from metaagent.journal import BYTES
from metaagent.ports import ArtifactRef
from metaagent.protection.sealing import PIECE, refused
from metaagent.sessions.guard import unknown
from metaagent.storage.session_store import SqlStore

JSON = "application/json"
UNKNOWN_BYTES = "application/octet-stream"
_BAD_RANGE = Text(
    en="The bytes {start} to {end} are not in this file: it has {size}.",
    ko="이 파일은 {size}바이트이므로 {start}부터 {end}까지의 바이트가 없습니다.",
)

Pieces = Callable[[], Awaitable[Iterator[bytes]]]
"""Opens a content, for a thread to read."""


@dataclass(frozen=True)
class Download:
    """A file that can be read as often as needed; nothing of it is held in between."""

    name: str
    media_type: str
    size: int
    """Bytes of the whole file."""
    hash: str
    """Tells this content from any other: it changes when the content does."""
    pieces: Pieces

    skipped: int = 0
    """Bytes in front of the content that are not of the file."""

    async def read(self, start: int = 0, end: int | None = None) -> AsyncGenerator[bytes]:
        """The bytes from `start` up to, without, `end`, in pieces of a bounded size. Raises InputRefused for a range that
        is not in the file, and RowRefused, before the first byte, where the stored content is damaged."""
        last = self.size if end is None else end
        if not 0 <= start <= last <= self.size:
            raise InputRefused(_BAD_RANGE, start=start, end=last, size=self.size)
        if start == last:
            return
        content = _between(await self.pieces(), start + self.skipped, last + self.skipped, self.name)
        lock = Lock()  # a reader that leaves does not wait for the piece that is being read for it

        def take() -> bytes | None:
            with lock:
                return next(content, None)

        def close() -> None:
            with lock:
                content.close()

        try:
            while (piece := await asyncio.to_thread(take)) is not None:
                yield piece
        finally:
            await asyncio.to_thread(close)


def _between(pieces: Iterator[bytes], start: int, end: int, name: str) -> Generator[bytes]:
    position = 0
    for piece in pieces:
        part = piece[max(0, start - position) : max(0, end - position)]
        position += len(piece)
        for at in range(0, len(part), PIECE):
            yield part[at : at + PIECE]
        if position >= end:
            return
    raise refused(name, "truncated")


def download_of(name: str, media_type: str, content: bytes) -> Download:
    """A file that was made just now, and lies in memory as a whole."""

    async def pieces() -> Iterator[bytes]:
        return iter((content,))

    return Download(name, media_type, len(content), sha256(content).hexdigest(), pieces)


async def download_artifact(store: SqlStore, session_id: str, ref: ArtifactRef) -> Download:
    """The bytes of a file, or the JSON of anything else. In memory is at most what lies in a row, or a piece."""

    async def pieces() -> Iterator[bytes]:
        found = await store.artifact_pieces(session_id, ref.id)
        if found is None:
            raise unknown(f"{session_id}/{ref.id}")
        return found

    is_file = await asyncio.to_thread(_begins_with, BYTES, await pieces())
    name = ref.name or f"{ref.id}.{'bin' if is_file else 'json'}"
    media_type = ref.media_type or (UNKNOWN_BYTES if is_file else JSON)
    skipped = len(BYTES) if is_file else 0
    return Download(name, media_type, size=ref.size - skipped, hash=ref.hash, pieces=pieces, skipped=skipped)


def _begins_with(mark: bytes, pieces: Iterator[bytes]) -> bool:
    found = b""
    for piece in pieces:
        found += piece
        if len(found) >= len(mark):
            break
    return found.startswith(mark)
