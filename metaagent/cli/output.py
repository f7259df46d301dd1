"""Standard output belongs to the answers: what agents and libraries print while a command runs goes to the log."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

logger = logging.getLogger(__name__)

MOST_LINES = 200
LONGEST_LINE = 2000

_answers: TextIO | None = None


def out() -> TextIO:
    """The stream that answers are written to."""
    return _answers or sys.stdout


@contextmanager
def kept_for_answers() -> Generator[None]:
    """Take `sys.stdout` away from everybody who prints; `out` is the way to it."""
    global _answers
    before, _answers = _answers, out()
    printed, sys.stdout = sys.stdout, _Printed()
    try:
        yield
    finally:
        sys.stdout, _answers = printed, before


class _Printed(io.TextIOBase):
    """Logs what is printed, up to a bound. An agent that has something to say uses `ctx.log`."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self._left = MOST_LINES

    def write(self, text: str, /) -> int:
        if text.strip() and self._left > 0:
            from metaagent.protection.escaping import for_terminal

            self._left -= 1
            logger.warning("An agent or a library printed: %s", for_terminal(text.strip()[:LONGEST_LINE]))
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        """The file behind the answers: whoever reads them may leave early (`| head`), and Rich closes it then."""
        return out().fileno()

    @property
    def buffer(self) -> io.BytesIO:
        """Bytes that are printed are dropped."""
        return io.BytesIO()
