"""Files of one owner in a folder, each sealed for that person or company. Paths are made from ids only."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections import Counter
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from metaagent.errors import Failed
from metaagent.input_checks import admit_id
from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.storage.vault import Owner, Vault

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
    """Files of one owner, a person or the company: nobody else's agent reads, overwrites or removes them. `path` is the
    company's folder; the owner's lies beside it."""

    def __init__(self, path: Path, vault: Vault, owner: Owner) -> None:
        self._shared = path
        self._path = path.with_name(f"{path.name}-{vault.owner_name(owner, 'files')}")
        self._vault = vault
        self._owner = owner

    async def write(self, file_id: str, content: bytes) -> None:
        await asyncio.to_thread(self._seal_and_write, file_id, content)

    async def read(self, file_id: str) -> bytes:
        sealed = await asyncio.to_thread(self._sealed, admit_id(file_id, "file"))
        if sealed is None:
            raise Failed(f"there is no file {file_id!r}")
        return self._vault.sealer(self._owner).open(sealed, ("files", file_id))

    async def remove(self, file_id: str) -> None:
        await asyncio.to_thread(self._remove, admit_id(file_id, "file"))

    async def remove_older(self, prefix: str, moment: datetime) -> int:
        """Remove the owner's files whose names begin so and that were written before; how many that were."""
        return await asyncio.to_thread(self._remove_older, prefix, moment.timestamp())

    async def erase(self, kids: Collection[str]) -> int:
        """Removes the files that were sealed with one of these keys; how many that were."""
        return await asyncio.to_thread(self._erase, frozenset(kids))

    async def sweep(self, prefix: str, used: Collection[str], before: datetime) -> int:
        """Remove the company's files of this prefix that nothing uses and that were last written before; how many."""
        return await asyncio.to_thread(self._sweep, prefix, frozenset(used), before.timestamp())

    def _sweep(self, prefix: str, used: frozenset[str], before: float) -> int:
        gone = 0
        for path in sorted(self._shared.parent.glob(f"{self._shared.name}-*/{prefix}*")):
            if path.name in used or path.suffix == PART:
                continue
            with held(path.parent):
                # Somebody may have written it again meanwhile.
                if path.exists() and path.stat().st_mtime < before:
                    path.unlink()
                    gone += 1
        return gone

    def _sealed(self, file_id: str) -> bytes | None:
        """Read the owner's file, or one that an earlier version put into the folder of the whole company."""
        found = _read(self._path / file_id)
        before = self._shared / file_id
        return _read(before) if found is None and self._wrote(before) else found

    def _wrote(self, path: Path) -> bool:
        kid = _kid(path)
        if kid is None or self._owner.person is None:
            return False
        return kid in self._vault.ring.person_kids(self._owner.tenant, self._owner.person)

    def _seal_and_write(self, file_id: str, content: bytes) -> None:
        path = self._path / admit_id(file_id, "file")
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        sealer = self._vault.sealer(self._owner)
        with held(self._path):
            while True:
                sealed = sealer.seal(content, ("files", file_id))
                write_whole(path, sealed)
                if self._vault.holds(sealed):
                    return  # else the key was retired meanwhile, and nobody sealed this file again

    def _remove(self, file_id: str) -> None:
        (self._path / file_id).unlink(missing_ok=True)
        if self._wrote(self._shared / file_id):
            (self._shared / file_id).unlink(missing_ok=True)

    def _remove_older(self, prefix: str, moment: float) -> int:
        old = [path for path in self._path.glob(f"{prefix}*") if path.stat().st_mtime < moment]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)

    def _erase(self, kids: frozenset[str]) -> int:
        folders = (self._path, self._shared)
        theirs = [path for folder in folders for path in folder.glob("*") if _kid(path) in kids]
        for path in theirs:
            path.unlink(missing_ok=True)
        if self._path.is_dir() and not any(self._path.iterdir()):
            self._path.rmdir()
        return len(theirs)


class SealedFiles:
    """The files of all tenants, so that they can be counted by key and sealed again."""

    def __init__(self, root: Path, part: str = "files") -> None:
        self._root = root
        self.parts: Sequence[str] = (part,)

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(lambda: Counter(filter(None, map(_kid, self._files()))))

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, part, renewal, after or Path())

    async def refuse(self, kids: Collection[str]) -> None:
        """Remove a written file again unless its key is still there."""

    async def scrub(self) -> None:
        await asyncio.to_thread(self._remove_parts)

    def _files(self) -> list[Path]:
        return sorted(path for path in self._root.glob("*/*") if path.suffix != PART)

    def _renew(self, part: str, renewal: Renewal, after: Path) -> Batch:
        done = size = 0
        refused: list[str] = []
        for path in (path for path in self._files() if path > after):
            with held(path.parent):
                sealed = _read(path)
                if sealed is None or not renewal.wants(sealed[:HEAD]):
                    continue
                again = renewal.again("store", sealed, ("files", path.name))
                if again is None:
                    refused.append(f"{part}/{path.name}")
                    continue
                write_whole(path, again)
            done, size = done + 1, size + len(sealed)
            if size >= BYTES:
                return Batch(done, tuple(refused), path)
        return Batch(done, tuple(refused))

    def _remove_parts(self) -> None:
        """Remove what a killed writer left half written."""
        for path in self._root.glob(f"*/*{PART}"):
            with held(path.parent):
                path.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
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
