"""The log in the data directory: redacted JSON lines, each sealed, so that the file tells nothing without the keys."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from metaagent.errors import KeyUnavailable, RowRefused
from metaagent.protection.keys import KeyRing
from metaagent.protection.keys.records import INSTALLATION
from metaagent.protection.keys.renewal import Batch, Renewal
from metaagent.protection.keys.store import replace_private
from metaagent.protection.redaction import JsonLines, Redactor
from metaagent.protection.sealing import kid_of_text
from metaagent.storage.vault import acting_tenant

if TYPE_CHECKING:
    from io import TextIOWrapper

MAX_BYTES = 5_000_000
KEPT = 3
_ROW = ("logs",)


class _Private(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        handle: Any = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8")

    def emit(self, record: logging.LogRecord) -> None:
        """Writes to the file that has the name now: another process may have put a new one in its place."""
        try:
            stream = self._current()
        except OSError:
            self.handleError(record)
            return
        super().emit(record)
        if self.stream is stream:
            fcntl.flock(stream, fcntl.LOCK_UN)

    def _current(self) -> Any:
        while True:
            stream: Any = self.stream or self._open()
            self.stream = stream
            fcntl.flock(stream, fcntl.LOCK_EX)
            if _is_at(stream.fileno(), self.baseFilename):
                return stream
            stream.close()
            self.stream: Any = None


class _Sealed(logging.Formatter):
    def __init__(self, ring: KeyRing) -> None:
        super().__init__()
        self._inner = JsonLines(Redactor())
        self._sealer = ring.sealer(INSTALLATION, "logs")

    def format(self, record: logging.LogRecord) -> str:
        return self._sealer.seal_text(self._inner.format(record), _ROW)


def sealed_log(data_dir: Path, ring: KeyRing) -> logging.Handler:
    folder = data_dir / "logs"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = _Private(folder / "metaagent.log", maxBytes=MAX_BYTES, backupCount=KEPT, delay=True)
    handler.setFormatter(_Sealed(ring))
    handler.addFilter(_name_tenant)
    return handler


def _name_tenant(record: logging.LogRecord) -> bool:
    """Name the company whose turn it was: companies see their own lines only."""
    record.tenant = acting_tenant()
    return True


def log_files(data_dir: Path) -> list[Path]:
    """The oldest first."""
    found = sorted((data_dir / "logs").glob("metaagent.log*"), key=lambda path: (len(path.name), path.name))
    return [*reversed(found[1:]), *found[:1]]


def lines_of(tenant: str, lines: Iterable[str]) -> list[str]:
    """Lines that were written in this company's turns."""
    return [line for line in lines if _tenant(line) == tenant]


def _tenant(line: str) -> object:
    try:
        return orjson.loads(line).get("extra", {}).get("tenant")
    except (ValueError, AttributeError):
        return None


def read_lines(data_dir: Path, ring: KeyRing) -> list[str]:
    """Lines that were logged. A line that cannot be opened says why."""
    sealer = ring.sealer(INSTALLATION, "logs")
    lines: list[str] = []
    for path in log_files(data_dir):
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            try:
                lines.append(sealer.open_text(line, _ROW, row=f"{path.name}:{number}"))
            except (RowRefused, KeyUnavailable) as error:
                lines.append(str(error))
    return lines


class SealedLogs:
    """The lines of the log, so that they can be counted by key and sealed again."""

    parts: Sequence[str] = ("logs",)

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(self._kids)

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        """One file; who writes into it waits."""
        return await asyncio.to_thread(self._renew, renewal, after)

    async def refuse(self, kids: Collection[str]) -> None:
        """A line that comes too late is lost: it tells nothing that anyone was promised."""

    async def scrub(self) -> None:
        """Files are replaced as a whole: nothing is left in them."""

    def _kids(self) -> Counter[str]:
        lines = (line for path in log_files(self._data_dir) for line in path.read_text("utf-8").splitlines())
        return Counter(filter(None, map(_kid, lines)))

    def _renew(self, renewal: Renewal, after: Any) -> Batch:
        left = [path for path in log_files(self._data_dir) if after is None or path.name < after]
        if not left:
            return Batch(0)
        path = max(left, key=lambda path: path.name)
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            batch = _renew_file(path, renewal) if _is_at(handle, path) else Batch(0)
        finally:
            os.close(handle)
        return batch._replace(after=path.name)


def _renew_file(path: Path, renewal: Renewal) -> Batch:
    lines = path.read_text("utf-8", "replace").splitlines()
    old = {
        number: line for number, line in enumerate(lines) if (kid := _kid(line)) and renewal.wants_kid(kid)
    }
    again = {number: renewal.again_text("logs", line, _ROW) for number, line in old.items()}
    done = {number: line for number, line in again.items() if line is not None}
    if done:
        new = [done.get(number, line) for number, line in enumerate(lines)]
        replace_private(path, "".join(f"{line}\n" for line in new).encode())
    return Batch(len(done), tuple(f"{path.name}:{number + 1}" for number in again.keys() - done.keys()))


def _kid(line: str) -> str | None:
    try:
        return kid_of_text(line)
    except RowRefused:
        return None


def _is_at(handle: int, path: str | Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))  # noqa: PTH116 - a handle and a name alike
    except FileNotFoundError:
        return False
