"""The database that an installation keeps its own things in: its connections and threads, transactions, and bodies that
are sealed to their rows. Any that SQLAlchemy reaches; SQLite by default."""

from __future__ import annotations

import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import orjson
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from metaagent.errors import KeyUnavailable, NewerSchema, RowRefused, StorageError, Text
from metaagent.ports import User, tenant_of
from metaagent.protection.sealing import PIECE
from metaagent.state.migrations import TABLES
from metaagent.storage.deflating import deflated
from metaagent.storage.prepared_statements import Prepared
from metaagent.storage.tables import agent_records, meta, metadata
from metaagent.storage.vault import Vault
from metaagent.storage.worker_threads import WorkerThreads

WORTH_COMPRESSING = 1024
"""Bytes; below it, deflating takes longer than all else that is done to an event."""
OPENING_TRIES = 200
OPENING_PAUSE = 0.05

_NEWER = Text(
    en="{where} was written by a newer metaagent (format {found}; this one knows {known}). "
    "Update metaagent, or choose another data directory.",
    ko="{where}은(는) 더 새로운 metaagent가 쓴 것입니다(형식 {found}, 이 버전은 {known}까지 압니다). "
    "metaagent를 업데이트하거나 다른 데이터 디렉터리를 고르세요.",
)
_UNUSABLE = Text(
    en="{where} cannot be used: {problem}. Nothing acknowledged was lost. Check permissions and free space, then try again.",
    ko="{where}을(를) 쓸 수 없습니다: {problem}. 이미 저장된 것은 그대로입니다. 권한과 남은 공간을 확인하고 다시 시도하세요.",
)

UNREADABLE = (RowRefused, KeyUnavailable)
logger = logging.getLogger(__name__)

T = TypeVar("T")


def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


def dialect_of(backend: str) -> Any:
    """The dialect's own `insert`; PostgreSQL's takes a while to import."""
    if backend == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql
    from sqlalchemy.dialects import sqlite

    return sqlite


class SqlBase:
    """Holds the engine and the threads that talk to it. On SQLite that is one thread with one connection."""

    def __init__(self, url: str, vault: Vault) -> None:
        self._url = sa.make_url(url)
        self._where = self._url.render_as_string(hide_password=True)
        self._vault = vault
        self._dialect = dialect_of(self._url.get_backend_name())
        self._on_sqlite = on_sqlite = self._url.get_backend_name() == "sqlite"
        self._engine = sa.create_engine(
            self._url, **({"poolclass": sa.pool.SingletonThreadPool} if on_sqlite else {})
        )
        self._kept: sa.Connection | None = None
        self._reader: sa.Connection | None = None
        if on_sqlite:
            event.listen(self._engine, "connect", _tune_sqlite)
        self._threads = WorkerThreads(1 if on_sqlite else 8, "store")

    async def open(self) -> None:
        await self._run(self._create)

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        await self._run(self._disconnect)
        self._threads.shutdown()

    def _disconnect(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None
        self._engine.dispose()

    async def shrink(self, *, log: bool = False) -> None:
        """Free pages go back to the file system, where the database keeps them at all; with `log`, what was written
        ahead of it goes, too."""

        def work() -> None:
            with self._engine.connect() as connection:
                if connection.dialect.name == "sqlite":
                    raw: Any = connection.connection.driver_connection
                    # As a script: execute() would take one step of it, which is one page.
                    raw.executescript("PRAGMA incremental_vacuum")
                    if log:
                        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        await self._run(work)

    def _create(self) -> None:
        """Make anyone else who opens the same new database at this moment wait."""
        with self._engine.begin() as connection:
            if self._engine.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            if not sa.inspect(connection).has_table("meta"):
                metadata.create_all(connection)
                connection.execute(meta.insert().values(key="format", value=str(TABLES.newest)))
            found = connection.execute(sa.select(meta.c.value).where(meta.c.key == "format")).scalar()
            if not isinstance(found, str) or not found.isdecimal() or int(found) > TABLES.newest:
                raise NewerSchema(_NEWER, where=self._where, found=found, known=TABLES.newest)
            TABLES.apply(connection, int(found))
            if int(found) < TABLES.newest:
                newest = meta.update().where(meta.c.key == "format").values(value=str(TABLES.newest))
                connection.execute(newest)
            metadata.create_all(connection)  # tables and indices that came without a new format
            # Columns with a default that the table got after this database was made.
            there = {column["name"] for column in sa.inspect(connection).get_columns(agent_records.name)}
            for column in agent_records.columns:
                if column.name not in there:
                    definition = sa.schema.CreateColumn(column).compile(dialect=connection.dialect)
                    connection.execute(sa.DDL(f"ALTER TABLE {agent_records.name} ADD COLUMN {definition}"))

    async def _rows(self, statement: sa.Executable) -> Sequence[sa.Row[Any]]:
        """Run one statement and return what it finds, in a transaction of its own; nothing if it changes instead."""

        def execute(connection: sa.Connection) -> Sequence[sa.Row[Any]]:
            result = connection.execute(statement)
            return result.all() if result.returns_rows else ()

        return await self._run(lambda: self._in_transaction(execute))

    async def _at_hand(self, query: Prepared, **values: Any) -> list[Any]:
        """Read the few rows that a key finds. SQLite gives them at once, past the queue of the thread that writes: nobody who
        reads waits for a writer there, and to wake a thread takes longer than such a read."""
        if self._on_sqlite:
            try:
                return query.found(self._at_once(), values)
            except (
                DBAPIError
            ):  # a lock, or another loop's thread: the thread of the store waits, or says what is wrong
                self._reader = None
        return await self._transaction(lambda connection: query.found(connection, values))

    def _at_once(self) -> sa.Connection:
        """A connection of the loop's own thread, which changes nothing and waits for nobody."""
        if self._reader is None:
            self._reader = self._engine.connect()
            self._reader.exec_driver_sql("PRAGMA busy_timeout=0")
            self._reader.exec_driver_sql("PRAGMA query_only=1")
            self._reader.rollback()
        return self._reader

    async def _transaction(self, write: Callable[[sa.Connection], T]) -> T:
        return await self._run(lambda: self._in_transaction(write))

    def _in_transaction(self, work: Callable[[sa.Connection], T]) -> T:
        """SQLite's one thread keeps its connection: to take it out of the pool costs as much as a small transaction."""
        if not self._on_sqlite:
            with self._engine.begin() as connection:
                return work(connection)
        kept = self._kept
        if kept is None or kept.closed or kept.invalidated:
            kept = self._kept = self._engine.connect()
        try:
            done = work(kept)
            _commit(kept)
        except BaseException:
            kept.rollback()
            if not kept.closed and not kept.invalidated:
                kept.connection.rollback()
            raise
        return done

    async def _run(self, work: Callable[[], T]) -> T:
        try:
            return await self._threads.run(work)
        except DBAPIError as error:
            raise StorageError(_UNUSABLE, where=self._where, problem=error.orig) from error

    def _seal(self, value: object, user: User, *row: str) -> bytes:
        return self._vault.seal(user, packed(orjson.dumps(value)), row)

    def _open(self, body: bytes, company_id: str, *row: str) -> Any:
        return orjson.loads(unpacked(self._vault.open(company_id, body, row)))

    def _read(self, body: bytes, company_id: str, *row: str) -> Any:
        """Or None, where one damaged row must not hide all others; the log names it."""
        try:
            return self._open(body, company_id, *row)
        except UNREADABLE as error:
            logger.error("%s", error)
            return None

    # For the stores of other things in the same database.
    transaction, at_hand, seal, unseal = _transaction, _at_hand, _seal, _open

    def prepared(self, statement: sa.Executable) -> Prepared:
        return Prepared(statement, self._engine.dialect)

    def alias(self, user: User) -> str:
        return self._vault.alias(user)

    def keyed_hash(self, company_id: str, value: bytes) -> str:
        return self._vault.ring.company_hash(tenant_of(company_id), value)

    def belongs_to(self, body: bytes, owner: str) -> bool:
        return self._vault.belongs_to(body, owner)


def _commit(connection: sa.Connection) -> None:
    """Prepared statements, which most transactions are made of, go past SQLAlchemy: then the driver alone knows of them."""
    if connection.in_transaction():
        return connection.commit()
    try:
        connection.connection.commit()
    except sqlite3.Error as error:
        raise DBAPIError("COMMIT", (), error) from error


def packed(content: bytes) -> bytes:
    """Compressed before it is sealed, where that is worth it; the first byte tells."""
    return b"z" + deflated(content) if len(content) >= WORTH_COMPRESSING else b"-" + content


def unpacked(content: bytes) -> bytes:
    return zlib.decompress(content[1:]) if content[:1] == b"z" else content[1:]


def unpacked_pieces(packed_pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Like `unpacked`, in pieces that are small however well they were compressed."""
    first = next(packed_pieces, b"")
    rest = chain((first[1:],), packed_pieces)
    if first[:1] != b"z":
        yield from rest
        return
    inflate = zlib.decompressobj()
    for piece in rest:
        left = piece
        while left:
            yield inflate.decompress(left, PIECE)
            left = inflate.unconsumed_tail


def _tune_sqlite(connection: Any, _record: object) -> None:
    # FULL: what was acknowledged survives a power cut, not only a crash of the process.
    # auto_vacuum only counts before the first table.
    # A short write-ahead log: it counts towards the data directory, too.
    # FAST: what is deleted or overwritten does not stay in the pages that are written anyway.
    short = ("wal_autocheckpoint=256", "journal_size_limit=1048576", "secure_delete=FAST")
    for pragma in (
        "busy_timeout=10000",
        "auto_vacuum=INCREMENTAL",
        "journal_mode=WAL",
        "synchronous=FULL",
        *short,
    ):
        patiently(connection, f"PRAGMA {pragma}")


def patiently(connection: Any, statement: str) -> None:
    """SQLite does not wait for the lock that a change of the journal's mode needs: another program may open too."""
    for left in reversed(range(OPENING_TRIES)):
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or not left:
                raise
            time.sleep(OPENING_PAUSE)
        else:
            return
