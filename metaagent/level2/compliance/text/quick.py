"""Looks for long lists of words quickly: the letters that stand side by side in a text tell which words of a list it can have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from metaagent.level2.compliance.text.regex_prefilter import alternatives, grams_in, grams_of

KEPT = 4_000
"""Texts of which it is kept what they can have: those of a document are asked about again and again."""
LONG = 1_500
"""Characters from which on a text has most words of any list: there the whole list is looked for at once."""
Match = re.Match[str]


class Quick:
    """An expression whose alternatives are searched for only in a text that has the letters without which they cannot match."""

    all: ClassVar[list[Quick]] = []

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self.flags = flags
        self.number = len(Quick.all)
        Quick.all.append(self)

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    def may_be_in(self, text: str) -> bool:
        return self.number in _may_have(text)

    def search(self, text: str, start: int = 0, end: int | None = None) -> Match | None:
        parts = _may_have(text).get(self.number, ())
        if not parts:
            return None
        last = len(text) if end is None else end
        if len(parts) > 1 and len(text) > LONG:
            return self._whole.search(text, start, last)
        best: Match | None = None
        for part in parts:
            found = part.compiled.search(text, start, last)
            if found is not None and (best is None or found.start() < best.start()):
                best = found
        return best

    def match(self, text: str, start: int = 0, end: int | None = None) -> Match | None:
        last = len(text) if end is None else end
        parts = _may_have(text).get(self.number, ())
        return next((found for part in parts if (found := part.compiled.match(text, start, last))), None)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Match]:
        parts = _may_have(text).get(self.number, ())
        if not parts:
            return iter(())
        last = len(text) if end is None else end
        if len(parts) == 1:
            return parts[0].compiled.finditer(text, start, last)
        return (
            self._whole.finditer(text, start, last) if len(text) > LONG else _merged(parts, text, start, last)
        )

    def sub(self, by: str, text: str) -> str:
        return self._whole.sub(by, text) if self.may_be_in(text) else text


class _Alternative:
    """One alternative of an expression, compiled when it is first looked for; it matches at least one letter."""

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)


def _merged(parts: Sequence[_Alternative], text: str, start: int, end: int) -> Iterator[Match]:
    """The matches of several alternatives as their expression has them: leftmost first, of two the earlier alternative."""
    coming = [part.compiled.search(text, start, end) for part in parts]
    while any(coming):
        found = min((one for one in coming if one), key=Match.start)
        yield found
        for at, one in enumerate(coming):
            if one is not None and one.start() < found.end():
                coming[at] = parts[at].compiled.search(text, found.end(), end)


@lru_cache(KEPT)
def _may_have(text: str) -> Mapping[int, Sequence[_Alternative]]:
    """The alternatives of each expression, by its number, that any part of the text can have a match of, in their order."""
    index = _index(len(Quick.all))
    known = index.known & grams_in(text)
    numbers = index.always.union(*map(index.grams.__getitem__, known))
    found: dict[int, list[_Alternative]] = {}
    for number in sorted(numbers):
        found.setdefault(index.expressions[number], []).append(index.alternatives[number])
    return found


@dataclass(frozen=True)
class _Index:
    """All alternatives, the expression of each, the numbers of those that any text may have, and of those that need
    each gram."""

    alternatives: Sequence[_Alternative]
    expressions: Sequence[int]
    always: frozenset[int]
    grams: Mapping[str, frozenset[int]]

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.grams)


@lru_cache(1)
def _index(count: int) -> _Index:
    """The index of the expressions so far; a module that is loaded later brings more of them."""
    made: list[_Alternative] = []
    expressions: list[int] = []
    always: set[int] = set()
    by_gram: dict[str, set[int]] = {}
    for one in Quick.all[:count]:
        for pattern in alternatives(one.pattern, one.flags):
            needed = grams_of(pattern, one.flags)
            for gram in needed or ():
                by_gram.setdefault(gram, set()).add(len(made))
            if needed is None:
                always.add(len(made))
            made.append(_Alternative(pattern, one.flags))
            expressions.append(one.number)
    grams = {gram: frozenset(numbers) for gram, numbers in by_gram.items()}
    return _Index(made, expressions, frozenset(always), grams)
