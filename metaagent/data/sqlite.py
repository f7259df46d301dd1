"""SQLite for reading. An authorizer decides on every table, column and function while SQLite compiles the
statement.

The tenant's rows: a temporary view stands before each table under its name. SQLite tells the authorizer
through which view a column is read, but a WITH item of the same name looks the same, so the real table is
read only through a second view whose name is random and new for every connection. Nobody can write a query
that names it.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote as quote_path

from metaagent.data.job import (
    BAD_QUERY,
    BUSY,
    MEMORY_MB,
    NO_FILE,
    NOT_ALLOWED,
    TOO_MUCH_MEMORY,
    UNREACHABLE,
    Fetched,
    Job,
    Plan,
    take,
)
from metaagent.data.policy import Policy, quote
from metaagent.errors import ConfigInvalid, DataUnavailable, MetaAgentError, SqlRefused, Text

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

_STEPS_BETWEEN_LOOKS = 2_000
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LENGTH: 4_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 500_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 500,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 1_000,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 32,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# What SQLite calls the functions that a policy allows by another name, and what its own operators call.
_OTHER_NAMES: Final = {
    "position": ("instr",),
    "substring": ("substr",),
    "greatest": ("max",),
    "least": ("min",),
    "power": ("pow",),
    "ceil": ("ceiling",),
    "coalesce": ("ifnull",),
    "string_agg": ("group_concat",),
}
_OPERATORS: Final = frozenset(("like", "iif"))
_ABSENT: Final = ("no such table", "no such column")

_NO_FILE = Text(
    "A SQLite address needs a file: sqlite:////path/to/file.db.",
    "SQLite 주소에는 파일이 필요합니다: sqlite:////path/to/file.db.",
)


class SqliteEngine:
    dialect = "sqlite"

    def __init__(self, path: str, policy: Policy) -> None:
        if not path or path == ":memory:" or path.startswith("file:"):
            raise ConfigInvalid(_NO_FILE)
        self._path = Path(path).absolute()
        self._policy = policy

    def execute(self, job: Job) -> Fetched:
        with self._connection(job) as connection:
            plan = _plan(connection, job)
            cursor = connection.execute(job.sql, job.params or ())
            columns = [str(column[0]) for column in cursor.description or ()]
            rows, truncated = take(cursor, job)
            return Fetched(columns, rows, truncated, plan)

    @contextlib.contextmanager
    def _connection(self, job: Job) -> Generator[sqlite3.Connection]:
        uri = f"file:{quote_path(str(self._path))}?mode=ro"
        try:
            connection = sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=job.lock_seconds)
        except sqlite3.Error as error:
            raise self._unreachable(error) from None
        try:
            self._lock_down(connection, job.sql)
            connection.set_progress_handler(lambda: int(job.over), _STEPS_BETWEEN_LOOKS)
            job.on_stop(connection.interrupt)
            yield connection
        except MemoryError:
            raise SqlRefused(TOO_MUCH_MEMORY, rule="memory", limit_mb=MEMORY_MB) from None
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
            raise self._explained(error, job) from None
        finally:
            job.on_stop(None)
            connection.close()

    def _lock_down(self, connection: sqlite3.Connection, sql: str) -> None:
        connection.isolation_level = None
        connection.text_factory = _text
        # The limit on the heap is for the whole process: sorting and grouping stop before they take the machine's memory.
        heap = f"hard_heap_limit = {MEMORY_MB * 2**20}"
        for pragma in (heap, "temp_store = MEMORY", "trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {pragma}")
        try:
            hidden = self._make_views(connection, _named(self._policy, sql))
            opened = _opened_by(connection, set(hidden))
        except sqlite3.Error as error:
            raise self._unreachable(error) from None
        connection.execute("PRAGMA query_only = ON")
        for limit, value in _LIMITS.items():
            connection.setlimit(limit, value)
        connection.set_authorizer(_Authorizer(self._policy, hidden, opened))

    def _make_views(self, connection: sqlite3.Connection, named: Collection[str]) -> dict[str, str]:
        """Names are quoted here and come from the policy or from `secrets`.

        A table that is not as the policy says, or not there, gets no hidden view: the authorizer then refuses every
        read of it, while the other tables stay usable. Those that no statement names are tried only to tell whether
        this is another database altogether.
        """
        hidden: dict[str, str] = {}
        missing: sqlite3.Error | None = None
        for table in sorted(self._policy.tables, key=lambda each: each not in named):
            if table not in named and (hidden or missing is None):
                break
            limits = self._policy.tables[table]
            name = f"v{secrets.token_hex(16)}"
            select = limits.select(f"main.{quote(table)}", limits.readable, "sqlite")
            try:
                connection.execute(f"CREATE TEMP VIEW {quote(name)} AS {select}")
                connection.execute(f"CREATE TEMP VIEW {quote(table)} AS SELECT * FROM temp.{quote(name)}")  # noqa: S608
                connection.execute(f"SELECT * FROM temp.{quote(table)} LIMIT 0")  # noqa: S608
            except sqlite3.OperationalError as error:
                if not str(error).startswith(_ABSENT):
                    raise
                missing = error
            else:
                hidden[table.lower()] = name
        if missing is not None and not hidden:
            raise missing
        return hidden

    def _unreachable(self, error: Exception) -> DataUnavailable:
        if not self._path.exists():
            return DataUnavailable(NO_FILE, path=self._path)
        if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF in _LOCKED:
            return DataUnavailable(BUSY, url=f"sqlite:///{self._path}")
        return DataUnavailable(UNREACHABLE, url=f"sqlite:///{self._path}", reason=str(error))

    def _explained(self, error: Exception, job: Job) -> MetaAgentError:
        if job.over:
            return job.too_slow()
        code = getattr(error, "sqlite_errorcode", None)
        if code in (sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY):
            return SqlRefused(NOT_ALLOWED, rule="database", reason=str(error))
        if code is not None and code & 0xFF in _BROKEN:
            return self._unreachable(error)
        return SqlRefused(BAD_QUERY, rule="database", reason=str(error))


_LOCKED: Final = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))
_BROKEN: Final = _LOCKED | frozenset(
    (
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PERM,
    )
)


def _named(policy: Policy, sql: str) -> frozenset[str]:
    """The tables that a statement can mean: no other needs its views. One that is missed here is refused."""
    text = sql.casefold()
    return frozenset(
        table for table in policy.tables if table.casefold() in text or quote(table).casefold() in text
    )


def _opened_by(connection: sqlite3.Connection, tables: set[str]) -> frozenset[str]:
    """The database's own views that the policy names, and those that they are made of: what these read, they may."""
    found = connection.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'view'").fetchall()
    views = {str(name).lower(): str(sql).lower() for name, sql in found}
    opened, edge = set[str](), tables & views.keys()
    while edge:
        opened |= edge
        edge = {name for name in views for one in edge if name in views[one]} - opened
    return frozenset(opened)


class _Authorizer:
    def __init__(self, policy: Policy, hidden: dict[str, str], opened: frozenset[str]) -> None:
        self._hidden = hidden
        self._opened = opened
        self._recursive = policy.recursive
        self._columns = {t.lower(): {c.lower() for c in p.readable} for t, p in policy.tables.items()}
        self._unfiltered = {t.lower() for t, p in policy.tables.items() if not p.conditions}
        self._functions = (
            policy.functions | _OPERATORS | {n for f in policy.functions for n in _OTHER_NAMES.get(f, ())}
        )

    def __call__(
        self, action: int, first: str | None, second: str | None, database: str | None, through: str | None
    ) -> int:
        return (
            sqlite3.SQLITE_OK
            if self._allows(action, first, second, database, through)
            else sqlite3.SQLITE_DENY
        )

    def _allows(
        self, action: int, first: str | None, second: str | None, database: str | None, through: str | None
    ) -> bool:
        if action == sqlite3.SQLITE_SELECT:
            return True
        if action == sqlite3.SQLITE_RECURSIVE:
            return self._recursive
        # What a view is made of was decided by whoever made the database; SQLite alone names the view.
        if action == sqlite3.SQLITE_FUNCTION:
            return (second or "").lower() in self._functions or (through or "").lower() in self._opened
        if action == sqlite3.SQLITE_READ and database == "main" and (through or "").lower() in self._opened:
            return True
        if action == sqlite3.SQLITE_READ:
            return self._may_read(
                (first or "").lower(), (second or "").lower(), database, (through or "").lower()
            )
        return False

    def _may_read(self, table: str, column: str, database: str | None, through: str) -> bool:
        for name, hidden in self._hidden.items():
            if table == hidden:
                return database == "temp" and (through == name or not column)
        if table not in self._hidden or (column and column not in self._columns[table]):
            return False
        if database == "main":
            # COUNT(*) over a view that SQLite merged into the query names no column and no view. With a
            # filter there is always a column that is read; without one every row may be counted.
            return through == self._hidden[table] or (not column and table in self._unfiltered)
        # Without a database's name SQLite found the temporary view first: it always looks there first.
        return database == "temp" or (database is None and not column)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _plan(connection: sqlite3.Connection, job: Job) -> Plan:
    rows = connection.execute(f"EXPLAIN QUERY PLAN {job.sql}", job.params or ()).fetchall()
    return [{"id": row[0], "parent": row[1], "detail": row[3]} for row in rows if len(row) == 4]
