"""Compiled patterns, kept beside the byte code of this package: to compile those of one question takes longer than to read it.

Python keeps its byte code in the same place, and whoever can write there can change the program anyhow. Only patterns that
are written in the source are kept: what a question, a person or the data says is in none of them.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
import tempfile
from array import array
from contextlib import suppress
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    Key = tuple[str, int]
    Made = tuple[Any, ...]
    Compile = Callable[[str, int], re.Pattern[str]]

LARGEST = 8_000_000
"""Bytes of the file: more than all patterns of the package take."""
_engine: Any = import_module("_sre")
_MADE_BY = (sys.version, _engine.MAGIC, _engine.CODESIZE)


class KeptPatterns:
    """Codes of patterns, as the compiler makes them and the matching engine takes them; the engine checks each again."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or Path(cache_from_source(__file__)).with_suffix(".patterns")
        self._kept: dict[Key, Made] | None = None
        self._new = False
        self._making: Made = ()

    def __getattr__(self, name: str) -> Any:
        """Stand for the engine where the compiler calls it."""
        return getattr(_engine, name)

    def compile(self, *made: Any) -> re.Pattern[str]:
        """Take what the compiler made, and give it to the engine."""
        self._making = made
        return _engine.compile(*made)

    def pattern(self, text: str, flags: int, compiler: Callable[[], Compile]) -> re.Pattern[str]:
        """The pattern as it was kept; else as the compiler makes it, which calls `compile`, and is kept."""
        kept, key = self._read(), (text, int(flags))
        found = kept.get(key)
        if found is not None:
            code = array("I", found[1])
            return _engine.compile(text, found[0], code.tolist(), *found[2:])
        self._making = ()
        made = compiler()(text, flags)
        if len(self._making) == 6 and array("I").itemsize == _engine.CODESIZE:
            _, all_flags, code, groups, by_name, names = self._making
            kept[key] = (int(all_flags), array("I", code).tobytes(), groups, dict(by_name), tuple(names))
            self._new = True
        return made

    def keep(self) -> None:
        """Write what is new, whole or not at all; not where byte code is not written either."""
        if not self._new or self._kept is None or sys.dont_write_bytecode:
            return
        self._new = False
        content = marshal.dumps((_MADE_BY, self._kept))
        if len(content) > LARGEST:
            return
        with suppress(OSError):
            self._file.parent.mkdir(exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=self._file.name)
            os.fchmod(handle, 0o644)  # as byte code is
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(name).replace(self._file)

    def _read(self) -> dict[Key, Made]:
        if self._kept is None:
            self._kept = {}
            with suppress(OSError, ValueError, EOFError, TypeError):
                made_by, kept = marshal.loads(self._file.read_bytes())  # noqa: S302 - as trusted as the byte code beside it
                if made_by == _MADE_BY:
                    self._kept = cast("dict[Key, Made]", kept)
        return self._kept
