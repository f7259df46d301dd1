"""Looks for long lists of words quickly: an expression that RE2 can run tells most texts without any of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

_LOOKS = re.compile(r"\(\?<?[=!]")


class Quick:
    """An expression that is searched for only where a simpler one, which matches wherever it does, is found."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self._whole = re.compile(pattern, flags)

    @cached_property
    def _first(self) -> Callable[[str], bool]:
        return prefilter(self.pattern)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        last = len(text) if end is None else end
        part = text if start == 0 and last >= len(text) else text[start:last]
        return None if not self._first(part) else self._whole.search(text, start, last)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._whole.finditer(text) if self._first(text) else iter(())

    def sub(self, by: str, text: str) -> str:
        return self._whole.sub(by, text) if self._first(text) else text


def prefilter(words: str) -> Callable[[str], bool]:
    """A test by RE2 that holds wherever the given expression matches, and perhaps elsewhere."""
    import re2

    options = re2.Options()
    options.never_capture = True  # RE2 is several times as fast where nobody asks for groups
    search: Any = re2.compile(f"(?i){_without_looking_around(words)}", options).search
    # Of bytes the library has no places to count back into letters.
    return lambda text: search(text.encode(errors="replace")) is not None


def _without_looking_around(words: str) -> str:
    """The expression without its look-arounds: it matches wherever the whole one does, and RE2 can run it."""
    made, at = "", 0
    while at < len(words):
        if words[at] == "\\":
            made, at = made + ("" if words[at + 1] in "bB" else words[at : at + 2]), at + 2
        elif _LOOKS.match(words, at):
            at = _closing(words, at) + 1
        else:
            made, at = made + words[at], at + 1
    return made


def _closing(words: str, at: int) -> int:
    """The place of the parenthesis that closes the one at a place."""
    depth = 0
    while True:
        step = 2 if words[at] == "\\" else 1
        depth += (words[at] == "(") - (words[at] == ")") if step == 1 else 0
        if depth == 0:
            return at
        at += step
