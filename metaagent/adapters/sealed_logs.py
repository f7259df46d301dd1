"""The log in the data directory: redacted JSON lines, each sealed, so that the file tells nothing without the keys."""

from __future__ import annotations

import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent.errors import KeyUnavailable, RowRefused
from metaagent.keys import KeyRing
from metaagent.redaction import JsonLines, Redactor

if TYPE_CHECKING:
    from io import TextIOWrapper

MAX_BYTES = 5_000_000
KEPT = 3
TENANT = "system"
_ROW = ("logs",)


class _Private(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        handle: Any = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8")


class _Sealed(logging.Formatter):
    def __init__(self, ring: KeyRing) -> None:
        super().__init__()
        self._inner = JsonLines(Redactor())
        self._sealer = ring.sealer(TENANT, "logs")

    def format(self, record: logging.LogRecord) -> str:
        return self._sealer.seal_text(self._inner.format(record), _ROW)


def sealed_log(data_dir: Path, ring: KeyRing) -> logging.Handler:
    folder = data_dir / "logs"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = _Private(folder / "metaagent.log", maxBytes=MAX_BYTES, backupCount=KEPT, delay=True)
    handler.setFormatter(_Sealed(ring))
    return handler


def log_files(data_dir: Path) -> list[Path]:
    """The oldest first."""
    found = sorted((data_dir / "logs").glob("metaagent.log*"), key=lambda path: (len(path.name), path.name))
    return [*reversed(found[1:]), *found[:1]]


def read_lines(data_dir: Path, ring: KeyRing) -> list[str]:
    """What was logged. A line that cannot be opened says why."""
    sealer = ring.sealer(TENANT, "logs")
    lines: list[str] = []
    for path in log_files(data_dir):
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            try:
                lines.append(sealer.open_text(line, _ROW, row=f"{path.name}:{number}"))
            except (RowRefused, KeyUnavailable) as error:
                lines.append(str(error))
    return lines
