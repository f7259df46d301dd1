"""Versions that wrote a data directory, read without changing it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from metaagent.config import Settings
from metaagent.errors import NewerSchema, StorageError, Text
from metaagent.state.migrations import FILE, LIBRARY, STATES, TABLES, Migrations
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.tables import meta, sessions

_NEWER = Text(
    en="{what} was written by a newer metaagent (format {found}; this one knows {newest}). Update metaagent.",
    ko="{what}은(는) 더 새로운 metaagent가 쓴 것입니다(형식 {found}, 이 버전은 {newest}까지). metaagent를 업데이트하세요.",
)
_UNUSABLE = Text(en="{what} cannot be read: {problem}.", ko="{what}을(를) 읽을 수 없습니다: {problem}.")


@dataclass(frozen=True)
class Format:
    what: str
    found: int
    newest: int


@dataclass(frozen=True)
class Formats:
    formats: tuple[Format, ...]
    sessions: int
    """Counts the threads with a state that an earlier version wrote last."""
    schema: int

    @property
    def older(self) -> bool:
        return self.sessions > 0 or any(each.found < each.newest for each in self.formats)


def read_formats(settings: Settings) -> Formats:
    """Read the versions of what is there; nothing is created."""
    tables, older = _tables(settings)
    files = {"checkpoints.db": FILE, "library.db": LIBRARY}
    formats = (
        *tables,
        *(each for name, known in files.items() for each in _file(settings.data_dir / name, known)),
    )
    for each in formats:
        if each.found > each.newest:
            raise NewerSchema(_NEWER, **vars(each))
    return Formats(formats, older, STATES.newest)


def _tables(settings: Settings) -> tuple[list[Format], int]:
    path = settings.data_dir / "metaagent.db"
    if settings.storage.url is None and not path.exists():
        return [], 0
    url = sa.make_url(settings.storage.url or sqlite_url(path))
    where = url.render_as_string(hide_password=True)
    engine = sa.create_engine(_untouched(url))
    try:
        with engine.connect() as connection:
            if not sa.inspect(connection).has_table("meta"):
                return [], 0
            found: Any = connection.execute(sa.select(meta.c.value).where(meta.c.key == "format")).scalar()
            count = sa.select(sa.func.count()).where(sessions.c.schema_version < STATES.newest)
            older = connection.execute(count).scalar() or 0
            return [Format(where, int(found), TABLES.newest)], older
    except (DBAPIError, TypeError, ValueError) as error:
        raise StorageError(_UNUSABLE, what=where, problem=error) from error
    finally:
        engine.dispose()


def _untouched(url: sa.URL) -> sa.URL:
    on_disk = url.get_backend_name() == "sqlite" and url.database
    return (
        sa.make_url(f"sqlite:///{_reading(Path(url.database))}&uri=true") if on_disk and url.database else url
    )


def _reading(path: Path) -> str:
    """Opened to be read alone, SQLite still leaves files beside a database, unless it may trust that nobody writes to it:
    so it may where no log says that someone does or died doing so."""
    used = path.with_name(f"{path.name}-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'' if used else '&immutable=1'}"


def _file(path: Path, known: Migrations[sqlite3.Connection]) -> list[Format]:
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(_reading(path), uri=True)) as connection:
            (found,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise StorageError(_UNUSABLE, what=str(path), problem=error) from error
    return [Format(str(path), found, known.newest)]
