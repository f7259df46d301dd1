"""A question as the rules read it: normalised, lower case, with the way back to the characters that were typed."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property

from metaagent.language.patterns import regex

MAX_LENGTH = 4000
"""Rules read at most this many characters: a question is short, and the rest of a pasted page holds none."""

_WORD = regex(r"[^\s,.;:!?()\[\]{}\"“”‘’<>~·…、。！？/|+=*&^@#`\\-]+")


@dataclass(frozen=True)
class Source:
    """`text` is normalised (NFKC, lower case); `starts`/`ends` lead each of its characters back to `raw`."""

    raw: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        return (self.starts[start], self.ends[end - 1]) if end > start else (0, 0)

    def surface(self, start: int, end: int) -> str:
        begin, stop = self.span(start, end)
        return self.raw[begin:stop]

    @cached_property
    def words(self) -> tuple[tuple[int, int], ...]:
        return tuple(match.span() for match in _WORD.finditer(self.text))

    @cached_property
    def compact(self) -> tuple[str, tuple[int, ...]]:
        """The text without white space, and where each of its characters stands in `text`."""
        kept = [(char, at) for at, char in enumerate(self.text) if not char.isspace()]
        return "".join(char for char, _ in kept), tuple(at for _, at in kept)


def _joins_previous(char: str) -> bool:
    return bool(unicodedata.combining(char)) or "\u1160" <= char <= "\u11ff"


def _folded(cluster: str) -> str:
    normal = unicodedata.normalize("NFKC", cluster).lower()
    return " " if normal.isspace() else normal


def read(raw: str) -> Source:
    """Decomposed Hangul, full-width digits and capital letters read like their plain forms; spans stay true."""
    limited = raw[:MAX_LENGTH]
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(limited):
        stop = at + 1
        while stop < len(limited) and _joins_previous(limited[stop]):
            stop += 1
        for char in _folded(limited[at:stop]):
            chars.append(char)
            starts.append(at)
            ends.append(stop)
        at = stop
    return Source(raw, "".join(chars), tuple(starts), tuple(ends))


def key_of(text: str) -> str:
    """The form in which a word is looked up: normalised and without white space."""
    return "".join(_folded(unicodedata.normalize("NFKC", text)).split())
