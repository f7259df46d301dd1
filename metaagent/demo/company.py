"""Making the demonstration company in a database: whole or not at all."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from metaagent.data.engine import sql_engine
from metaagent.demo.rows import PROFILES, company, window
from metaagent.demo.schema import INDEXES, metadata
from metaagent.errors import StorageError, Text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from sqlalchemy.engine import URL, Connection

    Progress = Callable[[str, int, int], None] | None  # table, rows done, rows in all

_VERSION = 3
_APPLICATION = 0x4D414450  # "MADP": how we know a SQLite file as ours
_CHUNK = 20_000
_STALE_SECONDS = 3600

NOT_OURS = Text(
    en="'{place}' already holds something else: give the demo a new file or an empty database.",
    ko="'{place}'에 이미 다른 내용이 있습니다. 데모 회사에는 새 파일이나 빈 데이터베이스를 지정하세요.",
)
CANNOT_MAKE = Text(
    en="The demo company could not be made in '{place}': {reason}. Check path, permissions and free space.",
    ko="'{place}'에 데모 회사를 만들지 못했습니다: {reason}. 경로와 권한, 남은 공간을 확인하세요.",
)


@dataclass(frozen=True)
class DemoSummary:
    url: str  # without a password
    seed: int
    start: date
    end: date
    companies: dict[str, str]  # id -> Korean name
    rows: dict[str, dict[str, int]]  # company -> table -> rows
    created: bool  # False: it was there already, the very same


def create_demo(
    url: str,
    *,
    seed: int = 7,
    now: date,
    progress: Progress = None,
    scale: float = 1.0,
) -> DemoSummary:
    """Make the company as it stands on `now`. The same seed, date and scale give the same rows."""
    target = make_url(url)
    order = _Order(target, seed, now, scale, progress)
    file = _sqlite_file(target)
    try:
        return _into_server(order) if file is None else _into_file(order, file)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StorageError(CANNOT_MAKE, place=target.render_as_string(), reason=reason) from error


@dataclass(frozen=True)
class _Order:
    url: URL
    seed: int
    now: date
    scale: float
    progress: Progress

    @property
    def mark(self) -> int:
        made_of = f"{_VERSION}:{self.seed}:{self.now.isoformat()}:{self.scale!r}"
        return int.from_bytes(hashlib.sha256(made_of.encode()).digest()[:4], "big") & 0x7FFFFFFF


def _sqlite_file(url: URL) -> Path | None:
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def _into_file(order: _Order, file: Path) -> DemoSummary:
    if file.exists() and file.stat().st_size:
        application, made = _pragmas(file)
        if application != _APPLICATION:
            raise StorageError(NOT_OURS, place=str(file))
        if made == order.mark:
            return _summary_of(order)
    file.parent.mkdir(parents=True, exist_ok=True)
    _sweep(file)
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.parent)
    os.close(handle)
    part = Path(name)
    try:
        engine = sql_engine(order.url.set(database=str(part)))
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA synchronous=OFF")
            summary = _fill(connection, order)
            connection.exec_driver_sql(f"PRAGMA application_id={_APPLICATION}")
            connection.exec_driver_sql(f"PRAGMA user_version={order.mark}")
        engine.dispose()
        _settle(part)
        for left in ("-wal", "-shm", "-journal"):  # belongs to the file that is replaced
            Path(f"{file}{left}").unlink(missing_ok=True)
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        Path(f"{part}-journal").unlink(missing_ok=True)
        raise
    return summary


def _sweep(file: Path) -> None:
    """Deletes the leftovers of a killed process. A younger part may belong to one that is still at work."""
    for left in file.parent.glob(f".{file.name}.*.part*"):
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            left.unlink(missing_ok=True)


def _settle(part: Path) -> None:
    connection = sqlite3.connect(part)
    try:
        connection.execute("ANALYZE")
        connection.commit()
    finally:
        connection.close()
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.chmod(0o600)


def _pragmas(file: Path) -> tuple[int, int]:
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (made,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise StorageError(NOT_OURS, place=str(file)) from error
    finally:
        connection.close()
    return application, made


def _into_server(order: _Order) -> DemoSummary:
    """One transaction, DDL included. A comment on each table says that it is ours."""
    engine = sql_engine(order.url)
    try:
        with engine.begin() as connection:
            present = sa.inspect(connection).get_table_names()
            ours = [name for name in metadata.tables if name in present]
            if ours:
                comments = {sa.inspect(connection).get_table_comment(name)["text"] or "" for name in ours}
                if any(not text.startswith("metaagent demo ") for text in comments):
                    raise StorageError(NOT_OURS, place=order.url.render_as_string())
                if comments == {f"metaagent demo {order.mark}"} and len(ours) == len(metadata.tables):
                    return _count(connection, order)
                for name in ours:
                    connection.execute(sa.schema.DropTable(metadata.tables[name]))
            summary = _fill(connection, order)
            if connection.dialect.supports_comments:
                for name in metadata.tables:
                    connection.exec_driver_sql(f"COMMENT ON TABLE {name} IS 'metaagent demo {order.mark}'")
        if order.url.get_backend_name() == "duckdb" and order.url.database:
            Path(order.url.database).chmod(0o600)
        return summary
    finally:
        engine.dispose()


def _fill(connection: Connection, order: _Order) -> DemoSummary:
    for table in metadata.sorted_tables:
        connection.execute(sa.schema.CreateTable(table))
    made = [company(profile.scaled(order.scale), seed=order.seed, now=order.now) for profile in PROFILES]
    for table in metadata.sorted_tables:
        rows = [row for one in made for row in one.tables[table.name]]
        _insert(connection, table, rows, order.progress)
    for index in INDEXES:
        connection.execute(sa.schema.CreateIndex(index))
    rows = {one.profile.company_id: {name: len(rows) for name, rows in one.tables.items()} for one in made}
    return _describe(order, rows, created=True)


def _insert(connection: Connection, table: sa.Table, rows: list[dict[str, Any]], progress: Progress) -> None:
    for begin in range(0, len(rows), _CHUNK):
        chunk = rows[begin : begin + _CHUNK]
        connection.execute(sa.insert(table), chunk)
        if progress is not None:
            progress(table.name, begin + len(chunk), len(rows))


def _summary_of(order: _Order) -> DemoSummary:
    engine = sql_engine(order.url)
    try:
        with engine.connect() as connection:
            return _count(connection, order)
    finally:
        engine.dispose()


def _count(connection: Connection, order: _Order) -> DemoSummary:
    rows: dict[str, dict[str, int]] = {profile.company_id: {} for profile in PROFILES}
    for table in metadata.sorted_tables:
        company_id = table.c.company_id
        query = sa.select(company_id, sa.func.count()).group_by(company_id)
        for name, count in connection.execute(query):
            rows[name][table.name] = count
    return _describe(order, rows, created=False)


def _describe(order: _Order, rows: dict[str, dict[str, int]], *, created: bool) -> DemoSummary:
    start, end = window(order.now)
    companies = {profile.company_id: profile.ko for profile in PROFILES}
    return DemoSummary(order.url.render_as_string(), order.seed, start, end, companies, rows, created)
