"""Looks for long lists of words quickly: the letters that stand side by side in a text tell which words of a list it can have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from metaagent.level2.compliance.text.regex_prefilter import alternatives, grams_among, grams_of

KEPT = 4_000
"""Texts of which it is kept what they can have: those of a document are asked about again and again."""
LONG = 1_500
"""Characters from which on a text has most words of any list: there the whole list is looked for at once."""
Match = re.Match[str]
_ESCAPED = re.compile(r"\\.", re.DOTALL)


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
        return bool(_may_have(text)[self.number])

    def search(self, text: str, start: int = 0, end: int | None = None) -> Match | None:
        parts = _may_have(text)[self.number]
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
        parts = _may_have(text)[self.number]
        return next((found for part in parts if (found := part.compiled.match(text, start, last))), None)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Match]:
        parts = _may_have(text)[self.number]
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
        flags = self._flags if _has_case(self._pattern) else self._flags & ~re.IGNORECASE
        return re.compile(self._pattern, flags)


def _has_case(pattern: str) -> bool:
    """Say whether an expression has letters with two cases. Hangul has none, and compiling its ranges without regard to case looks
    at every syllable of them."""
    plain = _ESCAPED.sub("", pattern)
    return plain.lower() != plain.upper()


def _merged(parts: Sequence[_Alternative], text: str, start: int, end: int) -> Iterator[Match]:
    """The matches of several alternatives as their expression has them: leftmost first, of two the earlier alternative."""
    coming = [part.compiled.search(text, start, end) for part in parts]
    while any(coming):
        found = min((one for one in coming if one), key=Match.start)
        yield found
        for at, one in enumerate(coming):
            if one is not None and one.start() < found.end():
                coming[at] = parts[at].compiled.search(text, found.end(), end)


class _Possible(dict[int, Sequence[_Alternative]]):
    """The alternatives of each expression, by its number, that a text can have a match of, in their order. They are picked out when
    they are asked for: no text is asked for all expressions."""

    def __init__(self, index: _Index, bits: int) -> None:
        self._index = index
        self._bits = bits

    def __missing__(self, number: int) -> Sequence[_Alternative]:
        own = self._index.ranges[number]
        bits = (self._bits >> own.start) & ((1 << len(own)) - 1)
        made: list[_Alternative] = []
        while bits:
            lowest = bits & -bits
            made.append(self._index.alternatives[own.start + lowest.bit_length() - 1])
            bits ^= lowest
        self[number] = made
        return made


@lru_cache(KEPT)
def _may_have(text: str) -> _Possible:
    index = _index(len(Quick.all))
    bits = index.always
    for gram in grams_among(index.known, text):
        bits |= index.grams[gram]
    return _Possible(index, bits)


@dataclass(frozen=True)
class _Index:
    """All alternatives, the range of them that is of each expression, and, a bit for each alternative, those that any text may have
    and those that need each gram."""

    alternatives: Sequence[_Alternative]
    ranges: Sequence[range]
    always: int
    grams: Mapping[str, int]

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.grams)


@lru_cache(1)
def _index(count: int) -> _Index:
    """The index of the expressions so far; a module that is loaded later brings more of them."""
    made: list[_Alternative] = []
    ranges: list[range] = []
    always = 0
    grams: dict[str, int] = {}
    for one in Quick.all[:count]:
        first = len(made)
        for pattern in alternatives(one.pattern, one.flags):
            needed = grams_of(pattern, one.flags)
            for gram in needed or ():
                grams[gram] = grams.get(gram, 0) | 1 << len(made)
            if needed is None:
                always |= 1 << len(made)
            made.append(_Alternative(pattern, one.flags))
        ranges.append(range(first, len(made)))
    return _Index(made, ranges, always, grams)
