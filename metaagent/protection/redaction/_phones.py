"""Telephone numbers that a line end cuts, and those whose digits are spelled in Hangul: 010\\n5591 3380, 공일공-3382-7194."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction._numbers import AREA
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_CUT = r"[-.)_ ]{0,3}(?:\r?\n[-.(_ ]{0,8})?"
# Between the groups with any sign; within a group only where signs keep the groups apart.
_CUT_SHAPE = (
    rf"(?:(?:(?<=\+) ?|(?<=\()\+)82{_CUT}(?:\(0\) ?|0)?(?:1[016-9]|{AREA}){_CUT}[0-9]{{3,4}}"
    rf"|(?:(?<=0)|(?<=\()0)10{_CUT}[0-9]{{4}}){_CUT}[0-9]{{4}}"
    r"|(?<=0)10[-.][0-9][0-9\r\n]{3,5}[-.][0-9][0-9\r\n]{2,4}[0-9]"
)
# The first sign or digit comes first, and what stands before it then: that is how such a search is fast.
_CUT_PHONE = regex(
    rf"[+(0](?<![0-9A-Za-z].)(?<![0-9A-Za-z][-.,_].)(?:{_CUT_SHAPE})(?![0-9])(?![-., ][0-9])(?!\r?\n[0-9])"
)
_EXTENDED = r"[0-9]{2}[-. ][0-9]{4},? ?\(?(?:내선|교환|구내|[Ee]xt|[Ee]xtension|x)[ .:]{0,2}(?:번호? ?)?[0-9]{1,5}(?:번|\))?"
_EXTENSION = regex(_EXTENDED)
_SPLIT = "(?:[0-9]{2} [0-9]{2}|[0-9] [0-9]{3}|[0-9]{3} [0-9])"
_STRAY_SHAPE = f"010-(?:[0-9]{{4}}-{_SPLIT}|{_SPLIT}-[0-9]{{4}})"
_STRAY = regex(rf"(?<![0-9A-Za-z-]){_STRAY_SHAPE}(?![0-9-])")
_LONGEST_LOCAL = 11

_SPOKEN = str.maketrans("공영일이삼사오육륙칠팔구", "001234566789")
_SPELLED = "공영일이삼사오육륙칠팔구"
_JOINT = r"(?: ?(?:[-.,)]|다시|에) ?| ?\r?\n| )?"
_SPOKEN_SHAPE = (
    rf"[0공영](?:[1일][016-9공영일육륙칠팔구]|[{_SPELLED}0-9]{{2,3}}?|[2이]){_JOINT}"
    rf"[{_SPELLED}0-9]{{3,4}}{_JOINT}[{_SPELLED}0-9]{{4}}"
)
_SPOKEN_PHONE = regex(rf"(?<![0-9A-Za-z가-힣])(?<![0-9][-.,]){_SPOKEN_SHAPE}(?![0-9])(?![-.][0-9])")
_GAPS = r"(?:[0-9 .,)\r\n-]|다시|에)*"
_LOCAL = regex(rf"0(?:1[016-9][0-9]{{7,8}}|{AREA}[0-9]{{7,8}})")
_NO_DIGIT = regex(r"[^0-9]")
_FEWEST_SPELLED = 3


def _cut(text: str) -> Iterator[Hit]:
    for found in _CUT_PHONE.finditer(text):
        start, end = found.span()
        abroad = found[0].lstrip("(")[0] == "+"
        lines = found[0].count("\n")
        whole = abroad or len(_NO_DIGIT.sub("", found[0])) == _LONGEST_LOCAL
        if not whole or not lines or (lines > 1 and not abroad):
            continue
        if not context.is_labelled_otherwise(text, start) and not context.is_counted(text, end):
            yield Hit("PHONE", start, end, 80)


def _spoken(text: str) -> Iterator[Hit]:
    for found in _SPOKEN_PHONE.finditer(text):
        spelled = sum(char in _SPELLED for char in found[0])
        digits = _NO_DIGIT.sub("", found[0].translate(_SPOKEN))
        if (
            spelled >= _FEWEST_SPELLED
            and _LOCAL.fullmatch(digits)
            and not context.is_counted(text, found.end())
        ):
            yield Hit("PHONE", found.start(), found.end(), 80)


def _extended(text: str) -> Iterator[Hit]:
    """The extension after a number, with the last digits of it: one finding with the number itself."""
    for found in _EXTENSION.finditer(text):
        yield Hit("PHONE", *found.span(), 60)


def _stray(text: str) -> Iterator[Hit]:
    """A space got into a group that hyphens keep apart from the others: 010-7749-02 68."""
    for found in _STRAY.finditer(text):
        if not context.is_labelled_otherwise(text, found.start()):
            yield Hit("PHONE", *found.span(), 60)


DETECTORS = (
    Detector(_STRAY_SHAPE, _stray, local=True),
    Detector(r"(?:010|82)[-.)_( 0-9]*\r?\n", _cut, local=True),
    Detector(_EXTENDED, _extended, local=True),
    Detector(rf"(?:[공영]|0{_GAPS}[{_SPELLED}]){_GAPS}[{_SPELLED}]{_GAPS}[{_SPELLED}]", _spoken, local=True),
)
