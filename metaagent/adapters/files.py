"""Files of one tenant in a folder, each sealed for the person who wrote it. Paths are made from ids only."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from pathlib import Path

from metaagent.adapters.vault import Vault
from metaagent.admission import admit_id
from metaagent.errors import Failed, RowRefused
from metaagent.ports import User
from metaagent.sealing import kid_of


class Folder:
    def __init__(self, path: Path, vault: Vault, user: User) -> None:
        self._path = path
        self._vault = vault
        self._user = user

    async def write(self, file_id: str, content: bytes) -> None:
        path = self._file(file_id)
        sealed = self._vault.seal(self._user, content, ("files", file_id))
        await asyncio.to_thread(self._write, path, sealed)

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

    def _write(self, path: Path, content: bytes) -> None:
        """Whole or not at all: written beside, synced, then renamed."""
        self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.part")
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)

    def _erase(self, kids: frozenset[str]) -> int:
        theirs = [path for path in self._path.glob("*") if _kid(path) in kids]
        for path in theirs:
            path.unlink(missing_ok=True)
        return len(theirs)


def _kid(path: Path) -> str | None:
    try:
        return kid_of(path.read_bytes())
    except (OSError, RowRefused):
        return None
