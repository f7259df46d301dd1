"""A little room is kept back on the file system: SQLite needs some even to read, and a full disk has none.

Where the disk is full, the next opening gives the reserve up, so that everything stored can be read; nothing new is begun
until there is room again. Then it is made anew.
"""

from __future__ import annotations

import os
from pathlib import Path

from metaagent.errors import StorageError, Text

NAME = "reserve"
SIZE = 512 * 1024
NEEDED = 2 * SIZE
"""Free bytes from which on a turn is begun: more than the reserve, so that giving it up helps readers alone."""

MAKE_FROM = 4 * SIZE
"""Free bytes from which on the reserve is made."""

_NO_ROOM = Text(
    en="Only {free:,} bytes are left for {path}: nothing new is begun, because it could not be stored. Free space on that "
    "file system, then ask again. Everything answered so far is safe and readable.",
    ko="{path}에 남은 공간이 {free:,}바이트뿐입니다. 저장할 수 없어 새로 시작하지 않았습니다. "
    "파일 시스템의 공간을 비운 뒤 다시 하세요. 지금까지의 답은 안전하며 읽을 수 있습니다.",
)


def keep_reserve(folder: Path) -> None:
    """Make it where there is room, give it up where there is none. That it cannot be made is no trouble yet."""
    path, free = folder / NAME, free_bytes(folder)
    if free < SIZE:
        path.unlink(missing_ok=True)
    elif free >= MAKE_FROM and not path.exists():
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except OSError:
            return  # another process made it
        try:
            os.posix_fallocate(descriptor, 0, SIZE)
        except OSError:
            path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)


def check_room(folder: Path) -> None:
    """Raises where a turn could not be stored."""
    free = free_bytes(folder)
    if free < NEEDED:
        raise StorageError(_NO_ROOM, path=folder, free=free)


def free_bytes(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
