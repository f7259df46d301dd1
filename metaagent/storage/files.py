"""Files of one tenant in a folder, each sealed for the person who wrote it. Paths are made from ids only."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections import Counter
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from metaagent.errors import Failed
from metaagent.input_checks import admit_id
from metaagent.ports import User
from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.storage.vault import Vault

PART = ".part"
BYTES = 4_000_000


@contextmanager
def held(folder: Path) -> Generator[None]:
    """Let in one writer at a time in this folder, in all processes."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class Folder:
    def __init__(self, path: Path, vault: Vault, user: User) -> None:
        self._path = path
        self._vault = vault
        self._user = user

    async def write(self, file_id: str, content: bytes) -> None:
        await asyncio.to_thread(self._seal_and_write, file_id, content)

    async def read(self, file_id: str) -> bytes:
        try:
            sealed = await asyncio.to_thread(self._file(file_id).read_bytes)
        except FileNotFoundError as error:
            raise Failed(f"there is no file {file_id!r}") from error
        return self._vault.open(self._user.company_id, sealed, ("files", file_id))

    async def remove(self, file_id: str) -> None:
        await asyncio.to_thread(self._file(file_id).unlink, missing_ok=True)

    async def erase(self, kids: Collection[str]) -> int:
        """Removes the files that were sealed with one of these keys; how many that were."""
        return await asyncio.to_thread(self._erase, frozenset(kids))

    def _file(self, file_id: str) -> Path:
        return self._path / admit_id(file_id, "file")

    def _seal_and_write(self, file_id: str, content: bytes) -> None:
        path = self._file(file_id)
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with held(self._path):
            while True:
                sealed = self._vault.seal(self._user, content, ("files", file_id))
                _write(path, sealed)
                if self._vault.holds(sealed):
                    return  # else the key was retired meanwhile, and nobody sealed this file again

    def _erase(self, kids: frozenset[str]) -> int:
        theirs = [path for path in self._path.glob("*") if _kid(path) in kids]
        for path in theirs:
            path.unlink(missing_ok=True)
        return len(theirs)


class SealedFiles:
    """The files of all tenants, so that they can be counted by key and sealed again."""

    parts: Sequence[str] = ("files",)

    def __init__(self, root: Path) -> None:
        self._root = root

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(lambda: Counter(filter(None, map(_kid, self._files()))))

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, renewal, after or Path())

    async def refuse(self, kids: Collection[str]) -> None:
        """Remove a written file again unless its key is still there."""

    async def scrub(self) -> None:
        await asyncio.to_thread(self._remove_parts)

    def _files(self) -> list[Path]:
        return sorted(path for path in self._root.glob("*/*") if path.suffix != PART)

    def _renew(self, renewal: Renewal, after: Path) -> Batch:
        done = size = 0
        refused: list[str] = []
        for path in (path for path in self._files() if path > after):
            with held(path.parent):
                sealed = _read(path)
                if sealed is None or not renewal.wants(sealed[:HEAD]):
                    continue
                again = renewal.again("store", sealed, ("files", path.name))
                if again is None:
                    refused.append(f"files/{path.name}")
                    continue
                _write(path, again)
            done, size = done + 1, size + len(sealed)
            if size >= BYTES:
                return Batch(done, tuple(refused), path)
        return Batch(done, tuple(refused))

    def _remove_parts(self) -> None:
        """Remove what a killed writer left half written."""
        for path in self._root.glob(f"*/*{PART}"):
            with held(path.parent):
                path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all: written beside, synced, then renamed."""
    beside = path.with_name(f"{path.name}{PART}")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _kid(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return claimed_kid(file.read(HEAD))
    except OSError:
        return None
