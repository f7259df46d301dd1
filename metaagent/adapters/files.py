"""Files of one tenant in a folder. Paths are made from ids only."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from metaagent.admission import admit_id
from metaagent.errors import Failed


class Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    async def write(self, file_id: str, content: bytes) -> None:
        await asyncio.to_thread(self._write, self._file(file_id), content)

    async def read(self, file_id: str) -> bytes:
        try:
            return await asyncio.to_thread(self._file(file_id).read_bytes)
        except FileNotFoundError as error:
            raise Failed(f"there is no file {file_id!r}") from error

    async def remove(self, file_id: str) -> None:
        await asyncio.to_thread(self._file(file_id).unlink, missing_ok=True)

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
