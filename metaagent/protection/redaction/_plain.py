"""One spelling for digits, dashes, dots and spaces, with the way back to the original offsets.

Detectors are written for plain ASCII. Full-width or Arabic digits, typographic dashes and invisible
characters put between digits are the usual ways round them, so they are undone before anything is searched.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from metaagent.protection.escaping import LOOK_ALIKES

DASHES = "‐‑‒–—―−﹘﹣－⁃ㅡー─━"
DOTS = "·•‧∙⋅・ㆍ․。｡"
SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t"
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)


@dataclass(frozen=True)
class Plain:
    """`text` as detectors read it; `offsets` is None where each character kept its place."""

    text: str
    offsets: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


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


_GONE = re.compile("[" + INVISIBLE + "]")
# A number that goes on in the next line: after or before a joining sign, or by what only one kind of number looks like.
_BREAK = re.compile(
    r"(?<=[0-9][-./_])[ ]{0,8}\r?\n[ ]{0,8}(?=[0-9])"
    r"|(?<=[0-9])[ ]{0,8}\r?\n[ ]{0,8}(?=[-./_][0-9])"
    r"|(?<=[0-9]{6})\r?\n(?=[1-8][0-9]{6}(?![0-9]))"
    r"|(?<=01[016-9][-. ][0-9]{4})\r?\n(?=[0-9]{4}(?![0-9]))"
)
# Signs that people join numbers with, and that no amount has.
_JOINT = re.compile(r"(?<=[0-9])[/_](?=[0-9])")
_BOTH = re.compile(f"{_GONE.pattern}|{_BREAK.pattern}")
# A middle dot joins words in Korean prose; only between digits does it stand for a full stop.
_DOT = re.compile(f"[{DOTS}](?<=[0-9][{DOTS}])(?=[0-9])")
# Almost every text is ASCII, Hangul and a few signs: only what is none of these is looked up in the table.
_MAYBE_ODD = re.compile(
    f"[^\x00-\x08\x0a-\x7e가-힣ㄱ-ㅠㅢ-ㆎ{DOTS}“”‘’…「」『』《》〈〉【】①-⑳₩€£※○●△▲▼□■◇◆→←↑↓一-龥]"
)


def plain(text: str) -> Plain:
    if not text.isascii() or "\t" in text:
        if _MAYBE_ODD.search(text):
            table = _table()
            text = _MAYBE_ODD.sub(lambda found: table.get(found[0], found[0]), text)
        text = _DOT.sub(".", text)
    if "/" in text or "_" in text:
        text = _JOINT.sub("-", text)
    broken = "\n" in text and _BREAK.search(text) is not None
    if not broken and _GONE.search(text) is None:
        return Plain(text)
    return _without(_BOTH if broken else _GONE, text)


def _without(unwanted: re.Pattern[str], text: str) -> Plain:
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for gone in unwanted.finditer(text):
        pieces.append(text[at : gone.start()])
        offsets.extend(range(at, gone.start()))
        at = gone.end()
    pieces.append(text[at:])
    offsets.extend(range(at, len(text)))
    return Plain("".join(pieces), offsets)
