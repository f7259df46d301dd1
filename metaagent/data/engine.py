"""SQLAlchemy's way into the three databases: to make the demonstration company, to draft a model and to check one.

Questions never come this way: they go through `data/read_only.py`.
"""

from __future__ import annotations

import csv
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql import base as postgresql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import NoSuchModuleError

from metaagent.errors import ConfigInvalid, Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine import URL, Connection, Engine

_READING = "-c default_transaction_read_only=on -c statement_timeout=60000 -c lock_timeout=5000"
_CONNECT_SECONDS = 5
_INSERT = re.compile(r"INSERT INTO (?P<place>.+) VALUES \((?P<names>\$\w+(?:, \$\w+)*)\)\Z")
_NULL = "\\N"
_NO_DRIVER = Text(
    en="No driver for {name!r} is installed: use a sqlite, postgresql or duckdb address.",
    ko="{name!r} 드라이버가 설치되어 있지 않습니다. sqlite, postgresql, duckdb 주소를 쓰세요.",
)


def sql_engine(address: str | URL, *, read_only: bool = False) -> Engine:
    """`read_only`: nothing is made or changed, not even a file that is not there; nobody waits for ever."""
    url = make_url(address)
    name = url.get_backend_name()
    if name == "postgresql":
        more: dict[str, Any] = {"connect_timeout": _CONNECT_SECONDS}
        return sa.create_engine(
            url.set(drivername="postgresql+psycopg"),
            poolclass=sa.NullPool,
            connect_args=more | ({"options": _READING} if read_only else {}),
        )
    if name == "duckdb":
        return sa.create_engine(url, poolclass=sa.NullPool, connect_args={"read_only": read_only})
    if name == "sqlite" and read_only and url.database:
        file = quote(str(Path(url.database).absolute()))
        return sa.create_engine(f"sqlite:///file:{file}?mode=ro&uri=true", poolclass=sa.NullPool)
    try:
        return sa.create_engine(url)
    except (ImportError, NoSuchModuleError) as error:
        raise ConfigInvalid(_NO_DRIVER, name=url.drivername) from error


class _DuckCompiler(postgresql.PGCompiler):
    """PostgreSQL's words with DuckDB's `$name` parameters."""

    compilation_bindtemplate = property(lambda self: "$%(name)s", lambda self, value: None)  # type: ignore[assignment]
    bindtemplate = property(lambda self: "$%(name)s", lambda self, value: None)  # type: ignore[assignment]


class DuckDialect(postgresql.PGDialect):
    """DuckDB speaks nearly PostgreSQL. Only what this program needs is here; connections are wrapped for DB-API's ways."""

    name = "duckdb"
    driver = "duckdb"
    statement_compiler = _DuckCompiler
    supports_statement_cache = True
    supports_server_side_cursors = False
    use_insertmanyvalues = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "paramstyle": "named"})

    @classmethod
    def import_dbapi(cls) -> Any:
        import duckdb

        return duckdb

    def create_connect_args(self, url: URL) -> Any:
        return [url.database or ":memory:"], {}

    def connect(self, *args: Any, **options: Any) -> Any:
        return _Cursor(self.loaded_dbapi.connect(*args, **options))

    def initialize(self, connection: Connection) -> None:
        self.default_schema_name = "main"
        self.server_version_info = (16, 0)
        self._backslash_escapes = False

    def on_connect(self) -> None:
        return None

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.execute("BEGIN")

    def do_rollback(self, dbapi_connection: Any) -> None:
        if dbapi_connection.begun:
            dbapi_connection.rollback()

    def get_table_names(self, connection: Connection, schema: str | None = None, **_: Any) -> list[str]:
        return self._listed(connection, "BASE TABLE", schema)

    def get_view_names(self, connection: Connection, schema: str | None = None, **_: Any) -> list[str]:
        return self._listed(connection, "VIEW", schema)

    def _listed(self, connection: Connection, kind: str, schema: str | None) -> list[str]:
        sql = (
            "SELECT table_name FROM information_schema.tables WHERE table_catalog = current_database() "
            "AND table_schema = $schema AND table_type = $kind ORDER BY table_name"
        )
        rows = connection.exec_driver_sql(sql, {"schema": schema or "main", "kind": kind})
        return [str(row[0]) for row in rows]

    def get_columns(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        sql = (
            "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE "
            "table_catalog = current_database() AND table_schema = $schema AND table_name = $name "
            "ORDER BY ordinal_position"
        )
        rows = connection.exec_driver_sql(sql, {"schema": schema or "main", "name": table_name})
        return [
            {"name": str(name), "type": _type(str(kind)), "nullable": nullable == "YES", "default": None}
            for name, kind, nullable in rows
        ]

    def get_pk_constraint(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        found = self._constraints(connection, table_name, schema, "PRIMARY KEY")
        return {"constrained_columns": found[0][0] if found else [], "name": None}

    def get_foreign_keys(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        return [
            {
                "name": None,
                "constrained_columns": own,
                "referred_schema": schema,
                "referred_table": there,
                "referred_columns": theirs,
            }
            for own, there, theirs in self._constraints(connection, table_name, schema, "FOREIGN KEY")
        ]

    def _constraints(
        self, connection: Connection, table: str, schema: str | None, kind: str
    ) -> list[tuple[list[str], str, list[str]]]:
        sql = (
            "SELECT constraint_column_names, referenced_table, referenced_column_names "
            "FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = $schema "
            "AND table_name = $name AND constraint_type = $kind"
        )
        given = {"schema": schema or "main", "name": table, "kind": kind}
        rows = connection.exec_driver_sql(sql, given)
        return [(list(own), str(there or ""), list(theirs or ())) for own, there, theirs in rows]

    def get_table_comment(
        self, connection: Connection, table_name: str, schema: str | None = None, **_: Any
    ) -> Any:
        sql = (
            "SELECT comment FROM duckdb_tables() WHERE database_name = current_database() "
            "AND schema_name = $schema AND table_name = $name"
        )
        given = {"schema": schema or "main", "name": table_name}
        return {"text": connection.exec_driver_sql(sql, given).scalar()}


class _Cursor:
    """Connection and cursor in one: a cursor of DuckDB's own would be another connection, outside the transaction."""

    rowcount = -1
    lastrowid = None

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.begun = False

    def cursor(self) -> _Cursor:
        return _Part(self._connection)

    @property
    def description(self) -> Any:
        return self._connection.description

    def execute(self, sql: str, params: Mapping[str, Any] | None = None) -> None:
        self.begun = self.begun or sql == "BEGIN"
        self._connection.execute(sql, params or None)

    def executemany(self, sql: str, params: Sequence[Mapping[str, Any]]) -> None:
        """Rows go in as a file: one by one takes DuckDB a hundred times as long."""
        plain = _INSERT.match(sql)
        if plain is None:
            for one in params:
                self._connection.execute(sql, one)
            return
        names = [name.strip().removeprefix("$") for name in plain["names"].split(",")]
        with tempfile.NamedTemporaryFile("w", newline="", encoding="utf-8", suffix=".csv") as file:
            rows = ([_NULL if one[name] is None else one[name] for name in names] for one in params)
            csv.writer(file).writerows(rows)
            file.flush()
            options = f"(FORMAT csv, HEADER false, NULL '{_NULL}')"
            self._connection.execute(f"COPY {plain['place']} FROM '{file.name}' {options}")

    def fetchone(self) -> Any:
        return self._connection.fetchone()

    def fetchmany(self, size: int = 1) -> Any:
        return self._connection.fetchmany(size)

    def fetchall(self) -> Any:
        return self._connection.fetchall()

    def commit(self) -> None:
        self.begun = False
        self._connection.commit()

    def rollback(self) -> None:
        self.begun = False
        self._connection.rollback()

    def close(self) -> None:
        self._connection.close()


class _Part(_Cursor):
    def close(self) -> None:
        """The connection stays open."""


_TYPES: tuple[tuple[str, Any], ...] = (
    (r"^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)", sa.BigInteger),
    (r"^DECIMAL", sa.Numeric),
    (r"^(DOUBLE|FLOAT)", sa.Double),
    (r"^BOOLEAN", sa.Boolean),
    (r"^DATE$", sa.Date),
    (r"^TIMESTAMP", sa.DateTime),
)


def _type(kind: str) -> Any:
    if found := re.match(r"^DECIMAL\((\d+),(\d+)\)", kind):
        return sa.Numeric(int(found[1]), int(found[2]))
    return next((made() for pattern, made in _TYPES if re.match(pattern, kind)), sa.String())


registry.register("duckdb", __name__, "DuckDialect")
