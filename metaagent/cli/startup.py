"""The start of a command: the line that a terminal shows while the heavy imports run, and how garbage is collected.
Imports nothing heavy itself."""

from __future__ import annotations

import gc
import os
import sys

_HINT = {"en": "metaagent is starting …", "ko": "metaagent를 시작하는 중 …"}
STOPPED = {
    "en": "Stopped before it was finished; what was finished is kept.",
    "ko": "끝나기 전에 중단했습니다. 끝난 결과는 보관되어 있습니다.",
}
_shown = False


def quick_language(text: str) -> str:
    """The language of a text by its letters alone, for when nothing heavy may be imported."""
    return "ko" if any("가" <= char <= "힣" for char in text) else "en"


def ui_language() -> str:
    """The language of messages that belong to no question: the one that was set, else the terminal's."""
    for name in ("METAAGENT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ko" if os.environ[name].startswith("ko") else "en"
    return "en"


def starting() -> None:
    """Say so on a terminal, where a blank screen looks like a hang. `started` wipes the line away."""
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


def hold_garbage() -> None:
    """Collect no garbage while a command starts: the imports make 400,000 objects that last. See `collect_garbage`."""
    gc.disable()


def collect_garbage() -> None:
    """Collect again in a command that goes on, leaving out what the start has made."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        gc.enable()
