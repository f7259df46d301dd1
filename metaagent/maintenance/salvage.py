"""Salvage of one SQLite database: every row that can still be read goes into a new file, page damage is gone round.

Rows are read in the order of their numbers, from both ends; a stretch that cannot be read is halved until only the rows on
damaged pages are left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]
Sound = Callable[[str, dict[str, Any]], bool]
"""Says whether a row of a table is sound; one that is not is left out."""

HEADER = b"SQLite format 3\0"
_MOST_PROBES = 20_000
_MOST_MISSING = 10_000_000_000
UNREADABLE = (sqlite3.Error, OverflowError, UnicodeDecodeError)


@dataclass
class Salvaged:
    """Rows of each table that are in the new file, and those that are not."""

    kept: dict[str, int] = field(default_factory=dict[str, int])
    refused: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    """Rows that can be read and are not sound, without their content."""
    unread: dict[str, str] = field(default_factory=dict[str, str])
    """Tables with rows that cannot be read at all, and why."""

    @property
    def whole(self) -> bool:
        return not self.refused and not self.unread


def salvage(damaged: Path, target: Path, sound: Sound) -> Salvaged:
    """Write what can be read and is sound into a new database. Raises sqlite3.Error where not even the schema can be read."""
    found = Salvaged()
    with closing(_tolerant(damaged)) as reader, closing(sqlite3.connect(target)) as writer:
        schema = _schema(reader)
        writer.execute("PRAGMA auto_vacuum=INCREMENTAL")
        for mark in ("user_version", "application_id"):
            writer.execute(f"PRAGMA {mark}={int(reader.execute(f'PRAGMA {mark}').fetchone()[0])}")
        tables = [(name, sql) for kind, name, sql in schema if kind == "table" and not _internal(name)]
        for name, sql in tables:
            if _made(writer, sql):
                _copy(reader, writer, name, sound, found)
            else:
                found.unread[name] = "its declaration cannot be read"
        for kind, name, sql in schema:
            if kind != "table" and not _internal(name):
                _made(writer, sql)
        writer.commit()
    return found


def _schema(reader: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Declarations as far as they can be read, from both ends. Raises sqlite3.Error where there is none."""
    reader.text_factory = _as_text
    query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    found = dict.fromkeys((*_until_damage(reader, query), *_until_damage(reader, f"{query} DESC")))
    reader.text_factory = str
    if not found:
        reader.execute(query).fetchall()
    return [(row[0], row[1], row[2]) for row in found]


def _as_text(written: bytes) -> str:
    return written.decode("utf-8", "replace")


def _made(writer: sqlite3.Connection, sql: str) -> bool:
    try:
        writer.execute(sql)
    except (sqlite3.Error, sqlite3.Warning):
        return False
    return True


def _tolerant(path: Path) -> sqlite3.Connection:
    """A connection that reads what it can: a file that was cut off is filled up with empty pages, and a table whose
    declaration is damaged does not hide the others."""
    _fill_up(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema=ON")
    return connection


def _fill_up(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        head = file.read(100)
        page = int.from_bytes(head[16:18], "big")
        page = 65536 if page == 1 else page
        wanted = int.from_bytes(head[28:32], "big") * page
        if len(head) == 100 and head.startswith(HEADER) and size < wanted <= size + _MOST_MISSING:
            file.truncate(wanted)


def _internal(name: str) -> bool:
    return name.startswith("sqlite_")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _copy(
    reader: sqlite3.Connection, writer: sqlite3.Connection, table: str, sound: Sound, found: Salvaged
) -> None:
    columns = [row[1] for row in writer.execute(f"PRAGMA table_info({_quoted(table)})")]
    insert = f"INSERT OR IGNORE INTO {_quoted(table)} VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    found.kept[table] = 0
    for row in _rows(reader, writer, table, found):
        named = dict(zip(columns, row, strict=True))
        if sound(table, named):
            found.kept[table] += writer.execute(insert, row).rowcount
        else:
            left = {name: value for name, value in named.items() if not isinstance(value, bytes)}
            found.refused.setdefault(table, []).append(left)


def _rows(
    reader: sqlite3.Connection, writer: sqlite3.Connection, table: str, found: Salvaged
) -> Iterator[Row]:
    numbered = _numbered(writer, table)
    query = f"SELECT {'rowid, ' if numbered else ''}* FROM {_quoted(table)}"  # noqa: S608
    last: int | None = None
    seen = 0
    try:
        for row in reader.execute(f"{query} ORDER BY rowid" if numbered else query):
            seen += 1
            last = row[0] if numbered else None
            yield row[1:] if numbered else row
    except UNREADABLE as error:
        found.unread[table] = " ".join(str(error).split())[:120]
    else:
        return
    if not numbered:
        # Read from the other end until it meets the damage; rows that were seen are written once.
        yield from _until_damage(reader, f"{query} ORDER BY {_key_backwards(writer, table)}")
        return
    above = [*_until_damage(reader, f"{query} WHERE rowid > {last or 0} ORDER BY rowid DESC")]
    yield from (row[1:] for row in reversed(above))
    first = last + 1 if last is not None else 0
    end = above[-1][0] - 1 if above else first + _MOST_PROBES
    yield from (row[1:] for row in _between(reader, query, first, end))


def _numbered(writer: sqlite3.Connection, table: str) -> bool:
    try:
        writer.execute(f"SELECT rowid FROM {_quoted(table)} LIMIT 0")  # noqa: S608
    except sqlite3.OperationalError:
        return False
    return True


def _key_backwards(writer: sqlite3.Connection, table: str) -> str:
    columns = [row for row in writer.execute(f"PRAGMA table_info({_quoted(table)})") if row[5]]
    return ", ".join(f"{_quoted(row[1])} DESC" for row in sorted(columns, key=lambda row: row[5]))


def _until_damage(reader: sqlite3.Connection, query: str) -> Iterator[Row]:
    try:
        yield from reader.execute(query)
    except UNREADABLE:
        return


def _between(reader: sqlite3.Connection, query: str, first: int, last: int) -> Iterator[Row]:
    """Rows with numbers from first to last, without those on pages that cannot be read."""
    stretches: list[tuple[int, int]] = [(first, last)]
    probes = 0
    while stretches and probes < _MOST_PROBES:
        low, high = stretches.pop()
        probes += 1
        if low > high:
            continue
        rows = _whole(reader, f"{query} WHERE rowid BETWEEN {low} AND {high} ORDER BY rowid")
        if rows is not None:
            yield from rows
        elif low < high:
            middle = (low + high) // 2
            stretches += [(middle + 1, high), (low, middle)]


def _whole(reader: sqlite3.Connection, query: str) -> Sequence[Row] | None:
    try:
        return reader.execute(query).fetchall()
    except UNREADABLE:
        return None
