"""Looks for long lists of words quickly: one pass of RE2 tells which of all expressions a text can have a match of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

_LOOKS = re.compile(r"\(\?<?[=!]")
_BLANK = r"\s\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
_WIDER = {"s": _BLANK, "w": r"0-9A-Za-z_\x{80}-\x{10ffff}", "d": r"\p{Nd}"}
"""Classes of letters that RE2 knows in ASCII alone, with at least the letters that Python counts to them."""
_NO_WIDTH = "bBAZ"
MOST_MEMORY = 256 << 20
"""Bytes that the automaton may take; it grows with the texts that are read, and begins anew at this size."""
KEPT = 4_000
"""Texts of which it is kept what they can have: those of a document are asked about again and again."""


class Quick:
    """An expression that is searched for only where a simpler one, which matches wherever it does, is found."""

    all: ClassVar[list[Quick]] = []

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self._whole = re.compile(pattern, flags)
        self._number = len(Quick.all)
        Quick.all.append(self)

    def may_be_in(self, text: str) -> bool:
        return self._number in _may_have(text)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        if self._number not in _may_have(text):
            return None
        return self._whole.search(text, start, len(text) if end is None else end)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self._whole.match(text, start) if self._number in _may_have(text) else None

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
        if self._number not in _may_have(text):
            return iter(())
        return self._whole.finditer(text, start, len(text) if end is None else end)

    def sub(self, by: str, text: str) -> str:
        return self._whole.sub(by, text) if self._number in _may_have(text) else text


@lru_cache(KEPT)
def _may_have(text: str) -> frozenset[int]:
    """The numbers of the expressions that the text can have a match of, in any part of it."""
    return frozenset(_all_at_once(len(Quick.all)).Match(text.encode(errors="replace")) or ())


@lru_cache(1)
def _all_at_once(count: int) -> Any:
    """The set of the first `count` expressions; a module that is loaded later brings more of them, and another set."""
    import re2

    options = re2.Options()
    options.never_capture = True
    options.max_mem = MOST_MEMORY
    made = re2.Set.SearchSet(options)
    for one in Quick.all[:count]:
        made.Add(f"(?i){simpler(one.pattern)}")
    made.Compile()
    return made


def simpler(words: str) -> str:
    """The expression without all that RE2 lacks or reads otherwise: it matches wherever the whole one does, in any part."""
    made, at = "", 0
    while at < len(words):
        if words[at] == "\\":
            letter = words[at + 1]
            wider = f"[{_WIDER[letter]}]" if letter in _WIDER else words[at : at + 2]
            made, at = made + ("" if letter in _NO_WIDTH else wider), at + 2
        elif words[at] == "[":
            last = _end_of_class(words, at)
            made, at = made + _wider_class(words[at : last + 1]), last + 1
        elif _LOOKS.match(words, at):
            at = _closing(words, at) + 1
        else:
            made, at = made + ("" if words[at] in "^$" else words[at]), at + 1
    return made


def _end_of_class(words: str, at: int) -> int:
    at += 2 if words[at + 1] == "^" else 1
    at += 1
    while words[at] != "]" or words[at - 1] == "\\":
        at += 1
    return at


def _wider_class(letters: str) -> str:
    """A class with the letters that Python counts to \\s, \\w and \\d in it; one that excludes them excludes fewer in RE2."""
    if letters.startswith("[^"):
        return letters
    return re.sub(r"\\([swd])", lambda m: _WIDER[m[1]], letters)


def _closing(words: str, at: int) -> int:
    """The place of the parenthesis that closes the one at a place."""
    depth = 0
    while True:
        if words[at] == "[":
            at = _end_of_class(words, at) + 1
            continue
        step = 2 if words[at] == "\\" else 1
        depth += (words[at] == "(") - (words[at] == ")") if step == 1 else 0
        if depth == 0:
            return at
        at += step
