"""Numbers that Word makes itself: 제1조, 1., 가., ①. They stand in no text, and belong to what a reader sees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from metaagent.knowledge.parsing.archive import attribute, local

_SYLLABLES = "가나다라마바사아자차카타파하"
_CONSONANTS = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
)
_ROMAN_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


@dataclass(frozen=True)
class _Level:
    start: int
    form: str
    text: str


class Numbering:
    """Counts the items of the lists of one document."""

    def __init__(self, definitions: Element | None) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._shared: dict[str, str] = {}
        if definitions is None:
            return
        abstract: dict[str, dict[int, _Level]] = {}
        for element in definitions:
            if local(element.tag) == "abstractNum":
                abstract[attribute(element, "abstractNumId") or ""] = _levels(element)
        for element in definitions:
            if local(element.tag) == "num":
                number, used = attribute(element, "numId") or "", _val(element, "abstractNumId")
                self._levels[number] = abstract.get(used, {})
                self._shared[number] = used

    def next(self, number: str, depth: int) -> str:
        """The mark of the next item at a depth. Deeper levels begin anew after it."""
        level = self._levels.get(number, {}).get(depth)
        if level is None:
            return "-" if number not in ("", "0") else ""
        counts = self._counts.setdefault(self._shared[number], {})
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [one for one in counts if one > depth]:
            del counts[deeper]
        if level.form == "bullet":
            return "-"
        return _PLACE.sub(lambda place: self._shown(number, int(place[1]) - 1, counts), level.text)

    def _shown(self, number: str, depth: int, counts: dict[int, int]) -> str:
        level = self._levels[number].get(depth)
        return shown(counts.get(depth, level.start), level.form) if level else ""


def _levels(element: Element) -> dict[int, _Level]:
    found: dict[int, _Level] = {}
    for level in element:
        depth = attribute(level, "ilvl")
        if local(level.tag) == "lvl" and depth and depth.isdecimal():
            start = _val(level, "start")
            found[int(depth)] = _Level(
                int(start) if start.isdecimal() else 1, _val(level, "numFmt"), _val(level, "lvlText")
            )
    return found


def _val(element: Element, name: str) -> str:
    child = next((one for one in element if local(one.tag) == name), None)
    return (attribute(child, "val") or "") if child is not None else ""


def shown(number: int, form: str) -> str:
    """A number in one of Word's forms; forms that are not known are shown in digits."""
    if form == "ganada" and 1 <= number <= len(_SYLLABLES):
        return _SYLLABLES[number - 1]
    if form == "chosung" and 1 <= number <= len(_CONSONANTS):
        return _CONSONANTS[number - 1]
    if form in ("decimalEnclosedCircle", "decimalEnclosedCircleChinese") and 1 <= number <= 20:
        return chr(0x245F + number)
    if form in ("lowerLetter", "upperLetter") and 1 <= number <= 26:
        letter = chr(0x40 + number)
        return letter.lower() if form == "lowerLetter" else letter
    if form in ("lowerRoman", "upperRoman") and 1 <= number < 4_000:
        roman = _roman(number)
        return roman.lower() if form == "lowerRoman" else roman
    return "" if form == "none" else str(number)


def _roman(number: int) -> str:
    found = ""
    for value, letters in _ROMAN:
        found += letters * (number // value)
        number %= value
    return found + _ROMAN_ONES[number]
