"""A terminal of a given size, as much of one as the command line needs: what a person sees, and has seen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.cells import cell_len

from tests.support.paths import ROOT

LONGEST = 240
"""After so many seconds the command is ended, whatever it still says."""

_PIECE = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b.|[\r\n]|[^\x1b\r\n]+")


@dataclass
class Terminal:
    """Cursor up, erase line, carriage return and line feed are obeyed; colours are left out; all else is text."""

    width: int
    lines: list[str] = field(default_factory=lambda: [""])
    row: int = 0
    column: int = 0
    cursor: bool = True
    seen: list[str] = field(default_factory=list[str])
    _written: bool = False

    def feed(self, text: str) -> None:
        for piece in _PIECE.finditer(text):
            if piece[2]:
                self._obey(piece[1], piece[2])
            elif piece[0] == "\r":
                self.column = 0
            elif piece[0] == "\n":
                self.row += 1
                self.lines += [""] * (self.row + 1 - len(self.lines))
            elif not piece[0].startswith("\x1b"):
                self._write(piece[0])

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines).strip("\n")

    def _obey(self, number: str, command: str) -> None:
        match command:
            case "A":
                self.row = max(0, self.row - int(number or 1))
            case "K":
                if self._written:  # a whole picture, before the next one takes its place
                    self.seen.append(self.shown)
                self._written = False
                self.lines[self.row] = ""
            case "h" | "l" if number == "?25":
                self.cursor = command == "h"
            case _:
                pass

    def _write(self, text: str) -> None:
        """Draws over what is already there, which stays where the text ends: leftovers are what a test looks for."""
        line = self.lines[self.row]
        self.lines[self.row] = line[: self.column] + text + line[self.column + len(text) :]
        self.column += len(text)
        self._written = True
        assert cell_len(self.lines[self.row]) <= self.width or self.cursor, (
            "a live line is broken by the edge"
        )


@dataclass(frozen=True)
class Press:
    """Keys to press once something was written since the last ones, though it may have been wiped away already."""

    when: str
    keys: bytes
    again: bool = False
    """Pressed again and again until the command ends: of two signals that come at once, one may be lost."""


def run_in_terminal(
    words: Sequence[str], site: Path, *, width: int = 80, press: Sequence[Press] = (), **environment: str
) -> tuple[int, Terminal]:
    """A `metaagent` command on a terminal of its own; its exit code and the terminal."""
    terminal, left = Terminal(width), list(press)
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        outer = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        env = {**outer, "PYTHONPATH": f"{ROOT}:{site}", "TERM": "xterm", **environment}
        os.chdir(ROOT)
        os.execve(sys.executable, [sys.executable, "-m", "metaagent.cli", *words], env)
    rest, written, repeated = b"", "", b""
    end, pressed = time.monotonic() + LONGEST, 0.0
    while (now := time.monotonic()) < end:
        if repeated and now > pressed + 2:
            os.write(master, repeated)
            pressed = now
        if not select.select([master], [], [], 1)[0]:
            continue
        try:
            rest += os.read(master, 65536)
        except OSError:  # how a terminal says that nobody is there any more
            break
        text = rest.decode(errors="ignore")
        rest = rest[len(text.encode()) :]
        terminal.feed(text)
        written += text
        if left and left[0].when in written:
            key = left.pop(0)
            os.write(master, key.keys)
            written, pressed, repeated = "", now, key.keys if key.again else b""
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), terminal
