"""The files of a data directory: which belong into a backup, which are databases, and copies of all at one moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

KEYS = frozenset({"kek", "keys.json"})
"""Files that open everything else: they are kept apart from it."""

_PASSING = frozenset({"locks", "reserve", "run"})
_ENDINGS = (".lock", ".part", "-wal", "-shm", "-journal", ".tmp")
_SQLITE = b"SQLite format 3\0"
_WAIT_SECONDS = 30.0


def files_of(folder: Path) -> list[Path]:
    """Files that make up what is stored, below the folder, in order. Links are not followed."""
    return sorted(path for path in folder.rglob("*") if _is_stored(path, path.relative_to(folder)))


def _is_stored(path: Path, inside: Path) -> bool:
    first, last = inside.parts[0], inside.name
    passing = first in _PASSING or last.endswith(_ENDINGS)
    keys = len(inside.parts) == 1 and (last in KEYS or last.startswith(".keys.json"))
    return not (passing or keys) and not path.is_symlink() and path.is_file()


def is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


@contextmanager
def snapshots(
    databases: list[Path], meanwhile: Callable[[], None] | None = None
) -> Generator[dict[Path, sqlite3.Connection]]:
    """Connections that all see their database at one moment: while they begin to read, nobody may write any of them.

    Writers wait for the milliseconds that this takes, not for the copy. `meanwhile` is done at that moment.
    """
    with ExitStack() as readers:
        with ExitStack() as locks:
            held: list[sqlite3.Connection] = []
            for path in databases:
                writer = locks.enter_context(closing(_connect(path)))
                writer.execute("BEGIN IMMEDIATE")
                held.append(writer)
            opened: dict[Path, sqlite3.Connection] = {}
            for path in databases:
                reader = readers.enter_context(closing(_connect(path)))
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
                opened[path] = reader
            if meanwhile is not None:
                meanwhile()
            for writer in held:
                writer.rollback()
        yield opened
        for reader in opened.values():
            reader.rollback()


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)


def copied(reader: sqlite3.Connection, target: Path) -> None:
    """Copy a database as its reader sees it into a new file, without a log beside it."""
    with suppress(FileNotFoundError):
        target.unlink()
    with closing(sqlite3.connect(target)) as copy:
        reader.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
