"""Methods of dataclasses, kept from one command to the next: Python writes and compiles the source of fifteen hundred of them
each time that a question is asked, which takes a tenth of its time.

The source is what `dataclasses` wrote; what is kept is the code that Python compiled of it.
"""

from __future__ import annotations

import builtins
import dataclasses
import marshal
import sys
from importlib.util import MAGIC_NUMBER
from types import FrameType
from typing import Any

from metaagent.language.cache_file import KeptFile


class KeptMethods:
    """Stands for `exec` in the module `dataclasses`, which looks it up by its name."""

    def __init__(self, kept: KeptFile | None = None) -> None:
        self._kept = kept or KeptFile.beside(__file__, MAGIC_NUMBER)

    def stand_in(self) -> None:
        setattr(dataclasses, "exec", self.run)  # noqa: B010 - the module has no such name to a type checker

    def run(self, source: Any, *names: Any) -> None:
        """Run what was written for a class that a module declares, without compiling it again. A class that is made while the
        program runs is compiled as always and not kept: its names may come from what a person said."""
        if isinstance(source, str) and _is_declared(sys._getframe(1)):  # pyright: ignore[reportPrivateUsage]
            source = self._code(source)
        builtins.exec(source, *names)  # noqa: S102 - what `dataclasses` wrote and would run itself

    def _code(self, source: str) -> Any:
        found = self._kept.get(source)
        if found is not None:
            return marshal.loads(found)  # noqa: S302 - as trusted as the byte code beside it
        code = compile(source, "<string>", "exec", dont_inherit=True)
        self._kept.put(source, marshal.dumps(code))
        return code


def _is_declared(frame: FrameType | None) -> bool:
    """Tell whether the first caller outside of `dataclasses` is the body of a module."""
    while frame is not None and frame.f_globals.get("__name__") == "dataclasses":
        frame = frame.f_back
    return frame is not None and frame.f_code.co_name == "<module>"


KEPT = KeptMethods()
