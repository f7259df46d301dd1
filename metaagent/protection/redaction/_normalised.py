"""One spelling for digits, dashes, dots and spaces, with the way back to the original offsets.

Detectors are written for plain ASCII. Full-width or Arabic digits, typographic dashes and invisible
characters put between digits are the usual ways round them, so they are undone before anything is searched.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.escaping import LOOK_ALIKES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DASHES = "‐‑‒–—―−﹘﹣－⁃ㅡー─━"
DOTS = "·•‧∙⋅・ㆍ․。｡"
SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t"
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)


@dataclass(frozen=True)
class Plain:
    """`text` as detectors read it. `gaps` are the places in it where something was taken out, `removed` how many
    characters are missing up to and including each."""

    text: str
    gaps: Sequence[int] = ()
    removed: Sequence[int] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self._original(start), self._original(end - 1) + 1

    def _original(self, at: int) -> int:
        before = bisect_right(self.gaps, at)
        return at + (self.removed[before - 1] if before else 0)


@cache
def _table() -> dict[str, str]:
    table = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    # No decimal digits stand beyond plane 1.
    for code in range(0x80, 0x20000):
        value = unicodedata.decimal(chr(code), -1)
        if value >= 0:
            table[chr(code)] = str(value)
    table |= dict.fromkeys(DASHES, "-") | dict.fromkeys(SPACES, " ")
    return {**LOOK_ALIKES, **table}


_GONE = regex("[" + INVISIBLE + "]")
# A number that goes on in the next line: after or before a joining sign, or by what only one kind of number looks like.
_BREAK = regex(
    r"(?<=[0-9][-/_])[ ]{0,8}\r?\n[ ]{0,8}(?=[0-9])"
    r"|(?<=[0-9]\.)[ ]{0,8}\r?\n[ ]{0,8}(?=[0-9])(?!(?:19|20)[0-9]{2}년)"
    r"|(?<=[0-9])[ ]{0,8}\r?\n[ ]{0,8}(?=[-./_][0-9])"
    r"|(?<=[0-9]{6})\r?\n(?:- ?)?(?=[1-8][0-9]{6}(?![0-9]))"
    r"|(?<=01[016-9][-. ][0-9]{4})(?<![0-9]01[016-9][-. ][0-9]{4})\r?\n(?=[0-9]{4}(?![0-9]))"
    r"|(?<=[A-Za-z0-9]@)\r?\n(?=[A-Za-z0-9-]{2,40}\.[A-Za-z])|(?<=[A-Za-z0-9])\r?\n(?=@[A-Za-z0-9-]{2,40}\.[A-Za-z])"
)
# Cheaper to look for: without one of these there is no such break.
_MAYBE_BREAK = regex(r"\n(?: {0,8}(?:[-./_] ?)?(?=[0-9])|(?=@[A-Za-z0-9])|(?<=@\n)|(?<=@\r\n))")
# Signs that people join numbers with, and that no amount has. One ~ is a range, unless it is where a resident number has its
# hyphen; two of them are none.
_JOINT = regex(
    r"[/_](?:(?<=[0-9].)|(?<=[0-9] .))(?= ?[0-9])"
    r"|~(?<=[0-9]{6}.)(?=[1-8][0-9]{6}(?![0-9]))"
    r"|~(?<=[0-9]{2}.)(?=[0-9]{3,6}~[0-9])|~(?:(?<=~[0-9]{3}.)|(?<=~[0-9]{4}.))(?=[0-9])"
)
# A middle dot joins words in Korean prose; only between digits does it stand for a full stop.
_DOT = regex(f"[{DOTS}](?<=[0-9][{DOTS}])(?=[0-9])")
# Almost every text is ASCII, Hangul and a few signs: only what is none of these is looked up in the table.
_MAYBE_ODD = regex(
    f"[^\x00-\x08\x0a-\x7e가-힣ㄱ-ㅠㅢ-ㆎ{DOTS}“”‘’…「」『』《》〈〉【】①-⑳₩€£※○●△▲▼□■◇◆→←↑↓一-龥]"
)
# An RE2 pattern that fits every text that `plain` changes.
# Characters that a space keeps apart each, as some scanners and some people write them: 5 9 0 6 0 1 - 1 0 3 3 9 1 5.
_SPREAD = regex(r"(?<![0-9A-Za-z])[0-9A-Za-z](?: (?:[-./@] )?[0-9A-Za-z](?![0-9A-Za-z])){6,}+")
_FEWEST_SPREAD = 4
NEEDS = (
    rf"\t|{_MAYBE_ODD.pattern}|[{INVISIBLE}]|[{DOTS}][0-9]|[0-9] ?[/_~] ?[0-9]|[0-9][-/_.] *\r?\n *[0-9]"
    r"|[0-9] *\r?\n *[-./_][0-9]|[0-9]{6}\r?\n(?:- ?)?[1-8]|01[016-9][-. ][0-9]{4}\r?\n[0-9]"
    r"|[A-Za-z0-9](?:@\r?\n|\r?\n@)[A-Za-z0-9]"
)


SPREAD_NEEDS = r"(?:\b[0-9A-Za-z] (?:[-./@] )?){6}"
"""An RE2 pattern that fits every text in which something is spread."""


def plain(text: str, *, spread: bool = True) -> Plain:
    if not text.isascii() or "\t" in text:
        if _MAYBE_ODD.search(text):
            table = _table()
            text = _MAYBE_ODD.sub(lambda found: table.get(found[0], found[0]), text)
        text = _DOT.sub(".", text)
    if "/" in text or "_" in text or "~" in text:
        text = _JOINT.sub("-", text)
    unwanted = [found.span() for found in _GONE.finditer(text)]
    if "\n" in text:
        unwanted = sorted([*unwanted, *_breaks(text)])
    if spread:
        unwanted = sorted({*unwanted, *_spread(text)})
    return _without(unwanted, text) if unwanted else Plain(text)


def _breaks(text: str) -> Iterator[tuple[int, int]]:
    for line_end in _MAYBE_BREAK.finditer(text):
        start = line_end.start()
        start -= text.endswith("\r", 0, start)
        floor = start - 8
        while start > max(floor, 0) and text[start - 1] == " ":
            start -= 1
        if found := _BREAK.match(text, start):
            yield found.span()


def _spread(text: str) -> Iterator[tuple[int, int]]:
    """Find the spaces of what is spread, if digits or an address are."""
    for found in _SPREAD.finditer(text):
        if sum(map(str.isdigit, found[0])) >= _FEWEST_SPREAD or "@" in found[0]:
            yield from ((at, at + 1) for at in range(*found.span()) if text[at] == " ")


def _without(unwanted: Sequence[tuple[int, int]], text: str) -> Plain:
    pieces: list[str] = []
    gaps: list[int] = []
    removed: list[int] = []
    at = missing = 0
    for start, end in unwanted:
        pieces.append(text[at:start])
        gaps.append(start - missing)
        missing += end - start
        removed.append(missing)
        at = end
    pieces.append(text[at:])
    return Plain("".join(pieces), gaps, removed)
