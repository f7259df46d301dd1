"""The SQLite file of the library: its tables, its connections, and the generation of each index of vectors."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from metaagent.errors import NewerSchema, StorageError, Text
from metaagent.state.migrations import LIBRARY
from metaagent.storage.rekey_triggers import REASON, sqlite_guard
from metaagent.storage.sql_base import patiently

SEALED = (
    ("collections", "body"),
    ("documents", "body"),
    ("texts", "body"),
    ("chunks", "body"),
    ("vectors", "body"),
)
"""Tables with sealed columns."""

_TABLES = """
CREATE TABLE generations (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE collections (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, session TEXT NOT NULL, named TEXT NOT NULL,
    body BLOB NOT NULL, UNIQUE (tenant, owner, session, named)
) WITHOUT ROWID;
CREATE TABLE indexes (
    no INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    tokenizer TEXT NOT NULL, embedder TEXT NOT NULL, vectors TEXT NOT NULL, state TEXT NOT NULL,
    documents INTEGER NOT NULL DEFAULT 0, chunks INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX indexes_collection ON indexes (collection);
CREATE TABLE documents (
    no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    source TEXT NOT NULL, content TEXT NOT NULL, author TEXT, chunks INTEGER NOT NULL, added_at TEXT NOT NULL,
    body BLOB NOT NULL, page_size INTEGER NOT NULL DEFAULT 16, UNIQUE (collection, source)
);
CREATE INDEX documents_content ON documents (collection, content);
CREATE INDEX documents_author ON documents (author);
CREATE TABLE texts (
    document INTEGER NOT NULL REFERENCES documents (no) ON DELETE CASCADE, part INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (document, part)
);
CREATE TABLE chunks (
    document INTEGER NOT NULL REFERENCES documents (no) ON DELETE CASCADE, page INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (document, page)
);
CREATE TABLE indexed (
    idx INTEGER NOT NULL REFERENCES indexes (no) ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents (no) ON DELETE CASCADE,
    chunks INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (idx, document)
) WITHOUT ROWID;
CREATE INDEX indexed_document ON indexed (document);
CREATE TABLE postings (
    idx INTEGER NOT NULL REFERENCES indexes (no) ON DELETE CASCADE, term INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (no) ON DELETE CASCADE, body BLOB NOT NULL,
    PRIMARY KEY (idx, term, document)
) WITHOUT ROWID;
CREATE INDEX postings_document ON postings (document);
CREATE TABLE vectors (
    idx INTEGER NOT NULL REFERENCES indexes (no) ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents (no) ON DELETE CASCADE, body BLOB NOT NULL,
    PRIMARY KEY (idx, document)
) WITHOUT ROWID;
CREATE INDEX vectors_document ON vectors (document);
CREATE TABLE leftovers (
    vectors TEXT NOT NULL, document TEXT NOT NULL, chunks INTEGER NOT NULL, PRIMARY KEY (vectors, document)
) WITHOUT ROWID;
"""

_UNUSABLE = Text(
    en="The library {path} cannot be used: {problem}. What was added before is still there. Check permissions and free space, "
    "then try again.",
    ko="문서 보관소 {path}을(를) 쓸 수 없습니다: {problem}. 이미 추가된 문서는 그대로입니다. 권한과 남은 공간을 확인하고 다시 "
    "시도하세요.",
)
_NEWER = Text(
    en="The library {path} was written by a newer metaagent (format {found}; this one knows {known}). Update metaagent.",
    ko="문서 보관소 {path}은(는) 더 새로운 metaagent가 쓴 것입니다(형식 {found}, 이 버전은 {known}까지 압니다). metaagent를 "
    "업데이트하세요.",
)


class RetiredKey(Exception):
    """A row was sealed with a key that was retired meanwhile: seal it again with the new one."""


class LibraryDatabase:
    """One connection to read and one to write, opened at first use. Any thread may use them; each serves one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader: sqlite3.Connection | None = None
        self._writer: sqlite3.Connection | None = None
        self._reading = threading.Lock()
        self._writing = threading.RLock()

    @property
    def exists(self) -> bool:
        return self.path.exists()

    def close(self) -> None:
        with self._writing, self._reading:
            for connection in (self._reader, self._writer):
                if connection is not None:
                    connection.close()
            self._reader = self._writer = None

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """See one committed state throughout."""
        with self._reading:
            if self._reader is None:
                with self._writing:
                    self._writer = self._writer or self._opened()
                self._reader = _connect(self.path)
            connection = self._reader
            with _told(self.path):
                connection.execute("BEGIN")
                try:
                    yield connection
                finally:
                    connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """Everything or nothing, with every other writer waiting."""
        with self._writing, _told(self.path):
            self._writer = self._writer or self._opened()
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                if REASON in str(error):
                    raise RetiredKey from error
                raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def emptied(self) -> None:
        """Nothing of what was removed stays in the file or in what is written ahead of it."""
        with self._writing, _told(self.path):
            self._writer = self._writer or self._opened()
            self._writer.executescript("PRAGMA incremental_vacuum")
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _opened(self) -> sqlite3.Connection:
        with _told(self.path):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            connection = _connect(self.path)
            connection.execute("BEGIN IMMEDIATE")
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if found == 0:
                for statement in (*_TABLES.split(";\n"), *sqlite_guard(SEALED)):
                    connection.execute(statement)
            elif found < LIBRARY.newest:
                LIBRARY.apply(connection, found)
            if found < LIBRARY.newest:
                connection.execute(f"PRAGMA user_version={LIBRARY.newest}")
            connection.execute("COMMIT")
        self.path.chmod(0o600)
        if found > LIBRARY.newest:
            raise NewerSchema(_NEWER, path=self.path, found=found, known=LIBRARY.newest)
        return connection

    # --- generations of vectors -------------------------------------------------------------------------

    def generations(self) -> dict[str, int]:
        with self.reading() as connection:
            return dict(connection.execute("SELECT name, value FROM generations").fetchall())

    def raise_generation(self, name: str) -> int:
        with self.writing() as connection:
            return next_generation(connection, name)


def generation(connection: sqlite3.Connection, name: str) -> int:
    found = connection.execute("SELECT value FROM generations WHERE name = ?", (name,)).fetchone()
    return found[0] if found else 0


def next_generation(connection: sqlite3.Connection, name: str) -> int:
    """The next generation of these vectors, committed with whatever changed in them."""
    put = "INSERT INTO generations VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"
    connection.execute(put, (name,))
    return generation(connection, name)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    for pragma in (
        "auto_vacuum=INCREMENTAL",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
        "journal_size_limit=1048576",
        "cache_size=-32000",
    ):
        patiently(connection, f"PRAGMA {pragma}")
    return connection


@contextmanager
def _told(path: Path) -> Generator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StorageError(_UNUSABLE, path=path, problem=error) from error
