"""The tables of the checkpoint database and the statements on them. Each function works inside the caller's
transaction and knows nothing of values: these are bytes that a serializer made.

In clear are opaque ids, channel and node names, versions and run ids; nothing else.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from metaagent.errors import NewerSchema, SessionError, StorageError, Text
from metaagent.protection.row_context import Row
from metaagent.state.migrations import FILE
from metaagent.storage.checkpoints.retention import Marks, Retention, Stored, choose_kept, with_ancestors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_APPLICATION = 0x6D616370  # "macp"
_TABLES = ("checkpoints", "blobs", "writes", "turn_ends", "names", "heads")
BUNDLE, BUNDLES = "__bundle__", 10_000
"""The channel of a row that holds all that a task wrote, and the `idx` that such rows count from: by how much they
hold, so that a task that comes again with the same is a repeat, and with more is not."""
_WORTH_SHRINKING = 64  # free pages; fewer are used again by the next turn anyway

_SCHEMA = """
CREATE TABLE checkpoints (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, checkpoint_id TEXT NOT NULL,
    parent_id TEXT, run_id TEXT, depth INTEGER NOT NULL, refs BLOB NOT NULL,
    type TEXT NOT NULL, body BLOB NOT NULL, crc INTEGER NOT NULL,
    metadata_type TEXT NOT NULL, metadata BLOB NOT NULL, metadata_crc INTEGER NOT NULL,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);
CREATE INDEX checkpoints_of_run ON checkpoints (run_id) WHERE run_id IS NOT NULL;
CREATE TABLE blobs (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, channel TEXT NOT NULL, version NOT NULL,
    type TEXT NOT NULL, value BLOB NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
);
CREATE TABLE writes (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, checkpoint_id TEXT NOT NULL,
    task_id TEXT NOT NULL, idx INTEGER NOT NULL, task_path TEXT NOT NULL, channel TEXT NOT NULL,
    type TEXT NOT NULL, value BLOB NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);
CREATE TABLE turn_ends (
    thread_id TEXT NOT NULL, turn INTEGER NOT NULL, checkpoint_id TEXT NOT NULL, PRIMARY KEY (thread_id, turn)
) WITHOUT ROWID;
CREATE TABLE names (
    thread_id TEXT NOT NULL, name TEXT NOT NULL, checkpoint_id TEXT NOT NULL, PRIMARY KEY (thread_id, name)
) WITHOUT ROWID;
CREATE TABLE heads (thread_id TEXT PRIMARY KEY, checkpoint_id TEXT NOT NULL) WITHOUT ROWID;
"""

_FOREIGN = Text(
    en="{path} is another program's database. Choose another data directory.",
    ko="{path}은(는) 다른 프로그램의 데이터베이스입니다. 다른 데이터 디렉터리를 선택하세요.",
)
_NEWER = Text(
    en="{path} has checkpoint format {found}; this program knows up to {known}. Update metaagent.",
    ko="{path}의 체크포인트 형식은 {found}이고 이 프로그램은 {known}까지 압니다. metaagent를 업데이트하세요.",
)
_TAKEN = Text(
    en="Session '{session}' already exists. Choose another id, or delete it first.",
    ko="세션 '{session}'이(가) 이미 있습니다. 다른 아이디를 쓰거나 먼저 삭제하세요.",
)


class CheckpointRow(NamedTuple):
    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    parent_id: str | None
    run_id: str | None
    depth: int
    refs: bytes
    type: str
    body: bytes
    crc: int
    metadata_type: str
    metadata: bytes
    metadata_crc: int


class BlobRow(NamedTuple):
    thread_id: str
    checkpoint_ns: str
    channel: str
    version: str | int | float
    type: str
    value: bytes
    crc: int


class WriteRow(NamedTuple):
    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    task_id: str
    idx: int
    task_path: str
    channel: str
    type: str
    value: bytes
    crc: int


DeltaStep = tuple[Collection[str], list[WriteRow]]
"""The channels that are wanted of it, and everything that was written there."""


class Loaded(NamedTuple):
    checkpoint: CheckpointRow
    blobs: list[BlobRow]
    writes: list[WriteRow]


def connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=10, cached_statements=256)
    try:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # only before the first table
        connection.execute("PRAGMA journal_mode=WAL")
        # FULL syncs the log at each commit, so that what LangGraph was told is saved survives a power cut.
        # NORMAL would not.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA wal_autocheckpoint=256")
        connection.execute("PRAGMA journal_size_limit=524288")
        connection.execute("PRAGMA secure_delete=FAST")  # as far as it costs no writing
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    connection.execute("BEGIN IMMEDIATE")  # two programs that open a new file: the second one finds it made
    try:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and owner != _APPLICATION:
            raise StorageError(_FOREIGN, path=path)
        if found > FILE.newest:
            raise NewerSchema(_NEWER, path=path, found=found, known=FILE.newest)
        if not tables:
            for statement in _SCHEMA.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={_APPLICATION}")
        else:
            FILE.apply(connection, found)
        if found != FILE.newest:
            connection.execute(f"PRAGMA user_version={FILE.newest}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def put(
    connection: sqlite3.Connection, row: CheckpointRow, blobs: Sequence[BlobRow], *, carries: bool
) -> bool:
    """False, with nothing written, if it carries values of a parent that is gone: then all must be given."""
    if carries and not _exists(connection, row.thread_id, row.checkpoint_ns, row.parent_id):
        return False
    connection.execute("INSERT OR REPLACE INTO checkpoints VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", row)
    connection.executemany("INSERT OR IGNORE INTO blobs VALUES (?,?,?,?,?,?,?)", blobs)
    if not row.checkpoint_ns:
        # A restored session that goes on is at its newest again; the turns it went back over are dropped.
        for (head,) in connection.execute(
            "SELECT checkpoint_id FROM heads WHERE thread_id=?", (row.thread_id,)
        ).fetchall():
            connection.execute("DELETE FROM heads WHERE thread_id=?", (row.thread_id,))
            connection.execute(
                "DELETE FROM turn_ends WHERE thread_id=? AND checkpoint_id>?", (row.thread_id, head)
            )
    return True


def _exists(connection: sqlite3.Connection, thread_id: str, ns: str, checkpoint_id: str | None) -> bool:
    found = connection.execute(
        "SELECT 1 FROM checkpoints WHERE thread_id=? AND checkpoint_ns=? AND checkpoint_id=?",
        (thread_id, ns, checkpoint_id),
    )
    return found.fetchone() is not None


def put_writes(connection: sqlite3.Connection, rows: Sequence[WriteRow], *, replace: bool) -> None:
    verb = "REPLACE" if replace else "IGNORE"
    connection.executemany(f"INSERT OR {verb} INTO writes VALUES (?,?,?,?,?,?,?,?,?,?)", rows)  # noqa: S608


def current(connection: sqlite3.Connection, thread_id: str, ns: str = "") -> str | None:
    found = connection.execute(
        "SELECT checkpoint_id FROM heads WHERE thread_id=? AND ?=''", (thread_id, ns)
    ).fetchone()
    if found is None:
        newest = "SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id=? AND checkpoint_ns=?"
        found = connection.execute(newest, (thread_id, ns)).fetchone()
    return found[0]


def load(connection: sqlite3.Connection, thread_id: str, ns: str, checkpoint_id: str | None) -> Loaded | None:
    checkpoint_id = checkpoint_id or current(connection, thread_id, ns)
    key = (thread_id, ns, checkpoint_id)
    where = "thread_id=? AND checkpoint_ns=? AND checkpoint_id=?"
    found = connection.execute(f"SELECT * FROM checkpoints WHERE {where}", key).fetchone()  # noqa: S608
    if found is None:
        return None
    row = CheckpointRow(*found)
    writes = connection.execute(f"SELECT * FROM writes WHERE {where} ORDER BY task_path, task_id, idx", key)  # noqa: S608
    return Loaded(row, blobs_of(connection, row), [WriteRow(*write) for write in writes.fetchall()])


def references(refs: bytes) -> dict[str, Any]:
    """Unreadable references name no value: who reads the checkpoint finds that its body says otherwise."""
    try:
        known = orjson.loads(refs)
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def blobs_of(
    connection: sqlite3.Connection, row: CheckpointRow, channels: Collection[str] | None = None
) -> list[BlobRow]:
    query = "SELECT * FROM blobs WHERE thread_id=? AND checkpoint_ns=? AND channel=? AND version=?"
    found: list[BlobRow] = []
    for channel, version in references(row.refs).items():
        if channels is None or channel in channels:
            blob = connection.execute(query, (row.thread_id, row.checkpoint_ns, channel, version)).fetchone()
            if blob is not None:
                found.append(BlobRow(*blob))
    return found


def keys(
    connection: sqlite3.Connection,
    thread_id: str | None,
    ns: str | None,
    checkpoint_id: str | None,
    before: str | None,
) -> list[tuple[str, str, str]]:
    given = {
        "thread_id=?": thread_id,
        "checkpoint_ns=?": ns,
        "checkpoint_id=?": checkpoint_id,
        "checkpoint_id<?": before,
    }
    wanted = {clause: value for clause, value in given.items() if value is not None}
    where = " AND ".join(wanted) or "1"
    query = f"SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE {where}"  # noqa: S608
    return connection.execute(f"{query} ORDER BY checkpoint_id DESC", tuple(wanted.values())).fetchall()


def delta_history(
    connection: sqlite3.Connection,
    thread_id: str,
    ns: str,
    checkpoint_id: str | None,
    channels: Collection[str],
) -> tuple[dict[str, BlobRow], list[DeltaStep]]:
    """Per channel the nearest stored value among the ancestors, and the steps since, oldest first."""
    checkpoint_id = checkpoint_id or current(connection, thread_id, ns)
    seeds: dict[str, BlobRow] = {}
    steps: list[DeltaStep] = []
    query = "SELECT * FROM checkpoints WHERE thread_id=? AND checkpoint_ns=? AND checkpoint_id=?"
    seen = {checkpoint_id}
    target = connection.execute(query, (thread_id, ns, checkpoint_id)).fetchone()
    cursor = CheckpointRow(*target).parent_id if target else None
    while cursor and cursor not in seen and len(seeds) < len(channels):
        seen.add(cursor)
        found = connection.execute(query, (thread_id, ns, cursor)).fetchone()
        if found is None:
            break
        row = CheckpointRow(*found)
        open_channels = [channel for channel in channels if channel not in seeds]
        writes = connection.execute(
            "SELECT * FROM writes WHERE thread_id=? AND checkpoint_ns=? AND checkpoint_id=? "
            "ORDER BY task_path, task_id, idx",
            (thread_id, ns, cursor),
        )
        wanted = (*open_channels, BUNDLE)
        written = [write for write in map(WriteRow._make, writes.fetchall()) if write.channel in wanted]
        steps.append((open_channels, written))
        seeds.update({blob.channel: blob for blob in blobs_of(connection, row, open_channels)})
        cursor = row.parent_id
    return seeds, steps[::-1]


def marks(connection: sqlite3.Connection, thread_id: str) -> Marks:
    ids = [key[2] for key in keys(connection, thread_id, "", None, None)]
    turns = connection.execute(
        "SELECT turn, checkpoint_id FROM turn_ends WHERE thread_id=?", (thread_id,)
    ).fetchall()
    names = connection.execute(
        "SELECT name, checkpoint_id FROM names WHERE thread_id=?", (thread_id,)
    ).fetchall()
    return Marks(ids, dict(turns), dict(names), current(connection, thread_id))


def find(connection: sqlite3.Connection, thread_id: str, turn: int | None, name: str | None) -> str | None:
    if name is not None:
        query, label = "SELECT checkpoint_id FROM names WHERE thread_id=? AND name=?", name
    else:
        query, label = "SELECT checkpoint_id FROM turn_ends WHERE thread_id=? AND turn=?", turn
    found = connection.execute(query, (thread_id, label)).fetchone()
    return found[0] if found else None


def name_current(connection: sqlite3.Connection, thread_id: str, name: str) -> str | None:
    checkpoint = current(connection, thread_id)
    if checkpoint is not None:
        connection.execute("INSERT OR REPLACE INTO names VALUES (?,?,?)", (thread_id, name, checkpoint))
    return checkpoint


def end_turn(
    connection: sqlite3.Connection, thread_id: str, turn: int, retention: Retention
) -> tuple[str | None, int]:
    """The checkpoint that is the turn's end, and how many were dropped for it."""
    checkpoint = current(connection, thread_id)
    if checkpoint is None:
        return None, 0
    connection.execute("INSERT OR REPLACE INTO turn_ends VALUES (?,?,?)", (thread_id, turn, checkpoint))
    return checkpoint, apply_retention(connection, thread_id, retention)


def point_at(connection: sqlite3.Connection, thread_id: str, checkpoint_id: str) -> None:
    connection.execute("INSERT OR REPLACE INTO heads VALUES (?,?)", (thread_id, checkpoint_id))


def stored_of(connection: sqlite3.Connection, thread_id: str) -> list[Stored]:
    query = "SELECT checkpoint_ns, checkpoint_id, parent_id, depth FROM checkpoints WHERE thread_id=?"
    return [Stored(*row) for row in connection.execute(query, (thread_id,)).fetchall()]


def apply_retention(connection: sqlite3.Connection, thread_id: str, retention: Retention) -> int:
    stored = stored_of(connection, thread_id)
    if len(stored) <= retention.newest and not any(row.checkpoint_ns for row in stored):
        return 0  # all are among the newest, as in the first turn of a session
    known = marks(connection, thread_id)
    head = connection.execute("SELECT checkpoint_id FROM heads WHERE thread_id=?", (thread_id,)).fetchone()
    kept = choose_kept(
        stored,
        retention,
        turn_ends=known.turn_ends,
        named=set(known.names.values()),
        head=head[0] if head else None,
    )
    doomed = [(ns, checkpoint) for ns, checkpoint, _, _ in stored if (ns, checkpoint) not in kept]
    drop(connection, thread_id, doomed)
    return len(doomed)


def drop(connection: sqlite3.Connection, thread_id: str, doomed: Sequence[tuple[str, str]]) -> None:
    """Checkpoints with their writes and marks, and the values that only they referred to."""
    if not doomed:
        return
    gone: set[tuple[str, str, Any]] = set()
    for ns, checkpoint in doomed:
        key = (thread_id, ns, checkpoint)
        where = "thread_id=? AND checkpoint_ns=? AND checkpoint_id=?"
        found = connection.execute(f"SELECT refs FROM checkpoints WHERE {where}", key).fetchone()  # noqa: S608
        gone |= {(ns, *item) for item in references(found[0]).items()} if found else set()
        connection.execute(f"DELETE FROM checkpoints WHERE {where}", key)  # noqa: S608
        connection.execute(f"DELETE FROM writes WHERE {where}", key)  # noqa: S608
    roots = [(thread_id, checkpoint) for ns, checkpoint in doomed if not ns]
    for table in ("turn_ends", "names", "heads"):
        connection.executemany(f"DELETE FROM {table} WHERE thread_id=? AND checkpoint_id=?", roots)  # noqa: S608
    for ns, refs in connection.execute(
        "SELECT checkpoint_ns, refs FROM checkpoints WHERE thread_id=?", (thread_id,)
    ):
        gone.difference_update((ns, *item) for item in references(refs).items())
    connection.executemany(
        "DELETE FROM blobs WHERE thread_id=? AND checkpoint_ns=? AND channel=? AND version=?",
        [(thread_id, *blob) for blob in gone],
    )


def sweep(connection: sqlite3.Connection, thread_id: str) -> None:
    """Remove what no checkpoint refers to, whatever left it behind: a checkpoint put twice, writes that came late.

    Writes at or after the newest checkpoint stay: with durability="async" theirs may still be on its way.
    """
    used: set[tuple[str, str, Any]] = set()
    for ns, refs in connection.execute(
        "SELECT checkpoint_ns, refs FROM checkpoints WHERE thread_id=?", (thread_id,)
    ).fetchall():
        used |= {(ns, *item) for item in references(refs).items()}
    found = connection.execute(
        "SELECT checkpoint_ns, channel, version FROM blobs WHERE thread_id=?", (thread_id,)
    )
    connection.executemany(
        "DELETE FROM blobs WHERE thread_id=? AND checkpoint_ns=? AND channel=? AND version=?",
        [(thread_id, *blob) for blob in set(found.fetchall()) - used],
    )
    connection.execute(
        "DELETE FROM writes WHERE thread_id=?1 AND checkpoint_id < "
        "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id=?1) AND NOT EXISTS "
        "(SELECT 1 FROM checkpoints c WHERE c.thread_id=?1 AND c.checkpoint_ns=writes.checkpoint_ns "
        "AND c.checkpoint_id=writes.checkpoint_id)",
        (thread_id,),
    )


def keep_latest(connection: sqlite3.Connection, thread_ids: Iterable[str]) -> None:
    """LangGraph's own pruning: the newest of each namespace. What a restored session stands at stays too."""
    for thread_id in thread_ids:
        stored = stored_of(connection, thread_id)
        kept = {row.checkpoint_ns: row[:2] for row in sorted(stored, key=lambda row: row.checkpoint_id)}
        standing = {*kept.values(), ("", current(connection, thread_id) or "")}
        needed = with_ancestors(standing, stored)
        drop(connection, thread_id, [row[:2] for row in stored if row[:2] not in needed])
        sweep(connection, thread_id)


def delete_threads(connection: sqlite3.Connection, thread_ids: Iterable[str]) -> None:
    connection.execute(
        "PRAGMA secure_delete=ON"
    )  # what is deleted on request is overwritten, not only unlinked
    for thread_id in thread_ids:
        for table in _TABLES:
            connection.execute(f"DELETE FROM {table} WHERE thread_id=?", (thread_id,))  # noqa: S608
    connection.execute("PRAGMA secure_delete=FAST")


def delete_runs(connection: sqlite3.Connection, run_ids: Iterable[str]) -> None:
    for run_id in run_ids:
        doomed: dict[str, list[tuple[str, str]]] = {}
        found = connection.execute(
            "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE run_id=?", (run_id,)
        )
        for thread_id, ns, checkpoint in found.fetchall():
            doomed.setdefault(thread_id, []).append((ns, checkpoint))
        for thread_id, rows in doomed.items():
            drop(connection, thread_id, rows)


def count_rows(connection: sqlite3.Connection, thread_id: str) -> dict[str, int]:
    query = "SELECT count(*) FROM {} WHERE thread_id=?"
    return {table: connection.execute(query.format(table), (thread_id,)).fetchone()[0] for table in _TABLES}


class Thread(NamedTuple):
    """A whole session, or the part of it that a fork takes along."""

    checkpoints: list[Loaded]
    turn_ends: list[tuple[int, str]]
    names: list[tuple[str, str]]
    head: str | None


def read_thread(connection: sqlite3.Connection, thread_id: str, only: str | None = None) -> Thread:
    """With `only`: that checkpoint, what it is rebuilt from and what subgraphs remembered beside it."""
    stored = stored_of(connection, thread_id)
    wanted = {row[:2] for row in stored} if only is None else _fork_of(only, stored)
    loaded = [load(connection, thread_id, ns, checkpoint) for ns, checkpoint in sorted(wanted)]
    known = marks(connection, thread_id)
    taken = {checkpoint for ns, checkpoint in wanted if not ns}
    head = connection.execute("SELECT checkpoint_id FROM heads WHERE thread_id=?", (thread_id,)).fetchone()
    return Thread(
        [row for row in loaded if row is not None],
        [(turn, checkpoint) for turn, checkpoint in known.turn_ends.items() if checkpoint in taken],
        [(name, checkpoint) for name, checkpoint in known.names.items() if only is None],
        head[0] if head and only is None else None,
    )


def _fork_of(only: str, stored: Sequence[Stored]) -> set[tuple[str, str]]:
    upto = [row for row in stored if row.checkpoint_id <= only]
    return choose_kept(
        [row for row in upto if not row.checkpoint_ns or ":" not in row.checkpoint_ns],
        Retention(newest=1, turn_ends=0, keep_named=False),
        turn_ends={},
        named=(),
        head=only,
    )


def write_thread(connection: sqlite3.Connection, target: str, thread: Thread) -> None:
    if any(count_rows(connection, target).values()):
        raise SessionError(_TAKEN, session=target)
    for row in thread.checkpoints:
        put(connection, row.checkpoint, row.blobs, carries=False)
        put_writes(connection, row.writes, replace=False)
    connection.executemany(
        "INSERT INTO turn_ends VALUES (?,?,?)", [(target, *mark) for mark in thread.turn_ends]
    )
    connection.executemany("INSERT INTO names VALUES (?,?,?)", [(target, *mark) for mark in thread.names])
    if thread.head:
        point_at(connection, target, thread.head)


def shrink(connection: sqlite3.Connection, *, everything: bool = False) -> None:
    """Gives free pages back to the file system. Outside a transaction; worth its cost only now and then."""
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    if everything or (free >= _WORTH_SHRINKING and free * 8 >= pages):
        # As a script: execute() would take one step of it, which is one page.
        connection.executescript("PRAGMA incremental_vacuum")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def shrink_all(connection: sqlite3.Connection) -> None:
    shrink(connection, everything=True)


def row_of_blob(blob: BlobRow) -> Row:
    return Row(blob.thread_id, blob.checkpoint_ns, "", blob.channel, str(blob.version))


def row_of_write(write: WriteRow) -> Row:
    task = f"{write.task_id}/{write.idx}"
    return Row(write.thread_id, write.checkpoint_ns, write.checkpoint_id, write.channel, task=task)


def checksum(kind: str, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(kind.encode()))
