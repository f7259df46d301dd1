"""Compiled patterns, kept beside the byte code of this package: to compile those of one question takes longer than to read it.

Only patterns that are written in the source are kept: what a question, a person or the data says is in none of them.
"""

from __future__ import annotations

import re
from array import array
from importlib import import_module
from typing import TYPE_CHECKING, Any

from metaagent.language.cache_file import KeptFile

if TYPE_CHECKING:
    from collections.abc import Callable

    Made = tuple[Any, ...]
    Compile = Callable[[str, int], re.Pattern[str]]

_engine: Any = import_module("_sre")


class KeptPatterns:
    """Codes of patterns, as the compiler makes them and the matching engine takes them; the engine checks each again."""

    def __init__(self, kept: KeptFile | None = None) -> None:
        self._kept = kept or KeptFile.beside(__file__, _engine.MAGIC, _engine.CODESIZE)
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
        key = (text, int(flags))
        found: Made | None = self._kept.get(key)
        if found is not None:
            code = array("I", found[1])
            return _engine.compile(text, found[0], code.tolist(), *found[2:])
        self._making = ()
        made = compiler()(text, flags)
        if len(self._making) == 6 and array("I").itemsize == _engine.CODESIZE:
            _, all_flags, code, groups, by_name, names = self._making
            whole = (int(all_flags), array("I", code).tobytes(), groups, dict(by_name), tuple(names))
            self._kept.put(key, whole)
        return made
