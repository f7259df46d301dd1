"""What a person sees before anything else is imported. Light on purpose: it is there while the heavy imports run."""

from __future__ import annotations

import os
import sys

_HINT = {"en": "metaagent is starting …", "ko": "metaagent를 시작하는 중 …"}
_shown = False


def ui_language() -> str:
    """For messages that belong to no question: the terminal's."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ko" if os.environ[name].startswith("ko") else "en"
    return "en"


def starting() -> None:
    """Two seconds of a blank screen look like a hang. Only a terminal is told, and the line goes with `started`."""
    global _shown
    if sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        sys.stderr.write(_HINT[ui_language()])
        sys.stderr.flush()
        _shown = True


def started() -> None:
    global _shown
    if _shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
        _shown = False
