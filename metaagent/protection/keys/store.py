"""The key file: read whole, replaced atomically, private to its owner."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import orjson

from metaagent.errors import ConfigInvalid, NewerSchema, StorageError, Text
from metaagent.protection.keys.records import FORMAT

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

LOOSE = Text(
    "'{path}' can be read or changed by others (mode {mode}): run chmod {wanted} '{path}'.",
    "'{path}'을(를) 다른 사용자가 읽거나 바꿀 수 있습니다(모드 {mode}): chmod {wanted} "
    "'{path}'을(를) 실행하세요.",
)
BROKEN = Text(
    "The key file '{path}' is damaged ({reason}): restore it from a backup. Nothing was overwritten.",
    "키 파일 '{path}'이(가) 손상되었습니다({reason}): 백업에서 복구하세요. 덮어쓰지 않았습니다.",
)
NEWER = Text(
    "The key file '{path}' has format {found}; this program reads up to {known}. Update the program.",
    "키 파일 '{path}'의 형식은 {found}이고 이 프로그램은 {known}까지 읽습니다. 프로그램을 업데이트하세요.",
)


def make_private_folder(path: Path) -> None:
    """Made 0700; one that exists may be looser to read (it can be a shared data folder) but not to write."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o7777
    if mode & 0o022 and not mode & 0o1000:
        raise ConfigInvalid(LOOSE, path=str(path), mode=oct(mode), wanted="700")


def refuse_loose(path: Path) -> None:
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        raise ConfigInvalid(LOOSE, path=str(path), mode=oct(mode), wanted="600")


def create_private(path: Path, content: bytes) -> bool:
    """Whole or not at all, even under a race or a crash. False where the file is already there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    _write_private(draft, content)
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    sync_folder(path.parent)
    return True


def replace_private(path: Path, content: bytes) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        _write_private(draft, content)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def remove_drafts(path: Path) -> None:
    """Remove what killed programs left of files that they were writing: a draft may hold keys that were destroyed since.
    The caller has the lock under which drafts are made."""
    for draft in path.parent.glob(f".{path.name}.*"):
        draft.unlink(missing_ok=True)


def _write_private(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class KeyFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int, int] | None = None
        make_private_folder(path.parent)
        if any(path.parent.glob(f".{path.name}.*")):
            with self.locked():
                pass  # which removes them

    def load(self) -> dict[str, Any] | None:
        stamp = self._stat()
        if stamp is None:
            return None
        refuse_loose(self.path)
        try:
            doc: dict[str, Any] = orjson.loads(self.path.read_bytes())
            found = doc["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(BROKEN, path=str(self.path), reason=type(error).__name__) from error
        if found > FORMAT:
            raise NewerSchema(NEWER, path=str(self.path), found=found, known=FORMAT)
        self._stamp = stamp  # taken before reading: a replacement in between is seen as a change next time
        return doc

    def save(self, doc: dict[str, Any]) -> None:
        replace_private(self.path, orjson.dumps(doc, option=orjson.OPT_INDENT_2))
        self._stamp = self._stat()

    def changed(self) -> bool:
        return self._stat() != self._stamp

    @contextmanager
    def locked(self) -> Generator[None]:
        """Let in one process at a time. The lock is a file of its own, because the key file is replaced."""
        handle = os.open(self.path.with_name(self.path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            remove_drafts(self.path)
            yield
        finally:
            os.close(handle)

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            return None
        return stat.st_ino, stat.st_mtime_ns, stat.st_size
