"""Traces of an agent's run that no port shows: what it printed, and what it changed on this machine."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_CHANGES = {
    "os.remove": "removed {}",
    "os.rename": "renamed {}",
    "os.mkdir": "made the folder {}",
    "os.rmdir": "removed the folder {}",
    "os.system": "ran {}",
    "subprocess.Popen": "started {}",
    "socket.connect": "connected to {1}",
}
"""Audit events of Python that change something, and the words for them; numbers count their arguments."""


@dataclass
class Traces:
    printed: list[str] = field(default_factory=list[str])
    effects: list[str] = field(default_factory=list[str])


_traces: ContextVar[Traces | None] = ContextVar("_traces", default=None)
_hooked = False


@contextmanager
def traced() -> Generator[Traces]:
    """Note what the code inside prints and changes, also in threads that it starts with asyncio.to_thread."""
    global _hooked
    if not _hooked:
        sys.addaudithook(_noted)  # for good: Python takes none back
        _hooked = True
    traces = Traces()
    token = _traces.set(traces)
    before, sys.stdout = sys.stdout, _Printed(traces)
    try:
        yield traces
    finally:
        sys.stdout = before
        _traces.reset(token)


class _Printed(io.StringIO):
    def __init__(self, traces: Traces) -> None:
        super().__init__()
        self._traces = traces

    def write(self, text: str, /) -> int:
        if text.strip():
            self._traces.printed.append(text.strip())
        return len(text)


def _noted(event: str, args: tuple[Any, ...]) -> None:
    traces = _traces.get()
    if traces is None:
        return
    if event == "open" and _writes(args) and _is_outside(args[0]):
        traces.effects.append(f"wrote {args[0]}")
    elif event in _CHANGES and _is_outside(args[0]):
        traces.effects.append(_CHANGES[event].format(*args))


def _writes(args: tuple[Any, ...]) -> bool:
    mode = args[1]
    return isinstance(mode, str) and bool(set(mode) & set("wax+"))


def _is_outside(path: object) -> bool:
    """Say whether a path is neither a temporary file, nor Python itself, nor what Python writes for itself."""
    if not isinstance(path, str | bytes | Path):
        return not isinstance(path, int)
    text = path.decode(errors="replace") if isinstance(path, bytes) else str(path)
    own = "__pycache__" in text or text in {os.devnull, sys.executable}
    return not own and not text.startswith(tempfile.gettempdir())
