"""Looks for long lists of words quickly: the letters that stand side by side in a text tell which expressions it can match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from metaagent.level2.compliance.grams import grams_in, grams_of

KEPT = 4_000
"""Texts of which it is kept what they can have: those of a document are asked about again and again."""


class Quick:
    """An expression that is searched for only in a text that has letters side by side without which it cannot match."""

    all: ClassVar[list[Quick]] = []

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self.flags = flags
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
    always, by_gram = _index(len(Quick.all))
    return always.union(*(by_gram[gram] for gram in grams_in(text) if gram in by_gram))


@lru_cache(1)
def _index(count: int) -> tuple[frozenset[int], dict[str, frozenset[int]]]:
    """The expressions that any text may have, and those of each gram; a module that is loaded later brings more of them."""
    always: set[int] = set()
    by_gram: dict[str, set[int]] = {}
    for number, one in enumerate(Quick.all[:count]):
        needed = grams_of(one.pattern, one.flags)
        if needed is None:
            always.add(number)
        for gram in needed or ():
            by_gram.setdefault(gram, set()).add(number)
    return frozenset(always), {gram: frozenset(numbers) for gram, numbers in by_gram.items()}
