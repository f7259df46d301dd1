"""Files beside the byte code of this package, with what one process worked out and the next one would again.

Python keeps its byte code in the same place, and whoever can write there can change the program anyhow.
"""

from __future__ import annotations

import marshal
import os
import sys
import tempfile
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, cast

LARGEST = 8_000_000
"""Bytes of a file: more than all that the package makes. What is left of older versions is dropped when they are passed."""


_OPEN: list[KeptFile] = []


def keep_all() -> None:
    """Keep what was worked out for the next process: at the end of this one."""
    for each in _OPEN:
        each.keep()


class KeptFile:
    """Plain values by key, with the maker's name: what another maker left is not taken. Never fails, at worst keeps nothing."""

    def __init__(self, file: Path, *made_by: Any) -> None:
        self._file = file
        self._made_by = (sys.version, *made_by)
        self._kept: dict[Any, Any] | None = None
        self._used: set[Any] = set()
        self._new = False

    @classmethod
    def beside(cls, module: str, *made_by: Any) -> KeptFile:
        """The file of a module, beside its byte code; `keep_all` keeps it."""
        file = cls(Path(cache_from_source(module)).with_suffix(".kept"), *made_by)
        _OPEN.append(file)
        return file

    def get(self, key: Any) -> Any:
        """The value that was kept under the key, or None."""
        self._used.add(key)
        if self._kept is None:
            self._kept = self._read()
        return self._kept.get(key)

    def put(self, key: Any, value: Any) -> None:
        if self._kept is None:
            self._kept = self._read()
        self._kept[key] = value
        self._used.add(key)
        self._new = True

    def keep(self) -> None:
        """Write what is new, whole or not at all; not where byte code is not written either."""
        if not self._new or self._kept is None or sys.dont_write_bytecode:
            return
        self._new = False
        content = marshal.dumps((self._made_by, self._kept))
        if len(content) > LARGEST:
            used = {key: value for key, value in self._kept.items() if key in self._used}
            content = marshal.dumps((self._made_by, used))
        if len(content) <= LARGEST:
            self._write(content)

    def _write(self, content: bytes) -> None:
        with suppress(OSError):
            self._file.parent.mkdir(exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=self._file.name)
            os.fchmod(handle, 0o644)  # as byte code is
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).replace(self._file)

    def _read(self) -> dict[Any, Any]:
        with suppress(OSError, ValueError, EOFError, TypeError):
            made_by, kept = marshal.loads(self._file.read_bytes())  # noqa: S302 - as trusted as the byte code beside it
            if made_by == self._made_by and isinstance(kept, dict):
                return cast("dict[Any, Any]", kept)
        return {}
