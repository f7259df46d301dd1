"""The sealed columns of the checkpoint database, so that they can be counted by key and sealed again."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid, version_of
from metaagent.protection.row_context import BODY, METADATA, Row
from metaagent.protection.sealing import VERSION, checkpoint_aad
from metaagent.storage.checkpoints import rows
from metaagent.storage.checkpoints.rows import checksum, row_of_blob, row_of_write, shrink_all
from metaagent.storage.rekey_triggers import arrivals, sqlite_guard

if TYPE_CHECKING:
    from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver

ROWS = 200
BYTES = 4_000_000


class Sealed(NamedTuple):
    """Columns of one sealed value, and the row that it is bound to."""

    kind: str
    value: str
    crc: str
    row: Callable[[Any], Row]


def _of_checkpoint(channel: str) -> Callable[[rows.CheckpointRow], Row]:
    return lambda row: Row(row.thread_id, row.checkpoint_ns, row.checkpoint_id, channel)


SEALED: Mapping[str, tuple[Callable[[Sequence[Any]], Any], Sequence[Sealed]]] = {
    "checkpoints": (
        rows.CheckpointRow._make,
        (
            Sealed("type", "body", "crc", _of_checkpoint(BODY)),
            Sealed("metadata_type", "metadata", "metadata_crc", _of_checkpoint(METADATA)),
        ),
    ),
    "blobs": (rows.BlobRow._make, (Sealed("type", "value", "crc", row_of_blob),)),
    "writes": (rows.WriteRow._make, (Sealed("type", "value", "crc", row_of_write),)),
}
_PLACES = tuple((table, each.value) for table, (_, columns) in SEALED.items() for each in columns)


class SealedCheckpoints:
    parts: Sequence[str] = tuple(SEALED)

    def __init__(self, saver: SqliteCheckpointSaver) -> None:
        self._writer = saver.writer

    async def kids(self, part: str) -> Counter[str]:
        heads = ", ".join(_head(each) for each in SEALED[part][1])

        def count(connection: sqlite3.Connection) -> Counter[str]:
            found: Counter[str] = Counter()
            for row in connection.execute(f"SELECT {heads} FROM {part}"):  # noqa: S608 - names are constants
                kids = [kid for kid in map(claimed_kid, row) if kid is not None]
                found.update(sorted(kids, key=version_of)[:1])
            return found

        return await self._writer.acall(count, writes=False)

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await self._writer.acall(
            lambda connection: _renew(connection, part, renewal, after or 0), writes=True
        )

    async def refuse(self, kids: Collection[str]) -> None:
        def guard(connection: sqlite3.Connection) -> None:
            for statement in (*sqlite_guard(_PLACES), *arrivals(kids)):
                connection.execute(statement)

        await self._writer.acall(guard, writes=True)

    async def scrub(self) -> None:
        await self._writer.acall(shrink_all, writes=False)


def _renew(connection: sqlite3.Connection, part: str, renewal: Renewal, after: int) -> Batch:
    heads = ", ".join(_head(each) for each in SEALED[part][1])
    page = connection.execute(
        f"SELECT rowid, {heads} FROM {part} WHERE rowid > ? ORDER BY rowid LIMIT ?",  # noqa: S608
        (after, ROWS),
    ).fetchall()
    connection.execute("PRAGMA secure_delete=ON")
    done = size = 0
    refused: list[str] = []
    for rowid, *found in page:
        if any(map(renewal.wants, found)):
            read, problem = _renew_row(connection, part, renewal, rowid)
            size, done = size + read, done + (not problem)
            refused += [problem] if problem else []
        if size >= BYTES:
            return Batch(done, tuple(refused), rowid)
    return Batch(done, tuple(refused), page[-1][0] if len(page) == ROWS else None)


def _renew_row(connection: sqlite3.Connection, part: str, renewal: Renewal, rowid: int) -> tuple[int, str]:
    """Bytes read, and the name of a row that cannot be opened."""
    make, columns = SEALED[part]
    row = make(connection.execute(f"SELECT * FROM {part} WHERE rowid = ?", (rowid,)).fetchone())  # noqa: S608
    new: dict[str, Any] = {}
    size = 0
    for each in columns:
        old: bytes = getattr(row, each.value)
        if not renewal.wants(old[:HEAD]):
            continue
        kind: str = getattr(row, each.kind)
        where = each.row(row)
        aad = checkpoint_aad(kind.removesuffix(f"+{VERSION}"), where)
        sealed = (
            renewal.again("checkpoint", old, aad) if checksum(kind, old) == getattr(row, each.crc) else None
        )
        if sealed is None:
            return 0, "/".join(part for part in where if part)
        new |= {each.value: sealed, each.crc: checksum(kind, sealed)}
        size += len(old)
    changes = ", ".join(f"{name} = ?" for name in new)
    connection.execute(f"UPDATE {part} SET {changes} WHERE rowid = ?", (*new.values(), rowid))  # noqa: S608
    return size, ""


def _head(each: Sealed) -> str:
    return f"substr(CAST({each.value} AS BLOB), 1, {HEAD})"
