"""Dates of birth and number plates: 1987년 3월 14일생, DOB 1991-12-03, 서울 31바 7402."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _context as context
from metaagent.protection.redaction._name_judgement import is_given, is_likely, is_noun
from metaagent.protection.redaction._name_words import ALL_SURNAMES
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DAY = (
    r"(?:(?:19|20)[0-9]{2}(?:[-./] ?| |년 ?)(?:0?[1-9]|1[0-2])(?:[-./] ?| |월 ?)(?:3[01]|[12][0-9]|0?[1-9])(?:일|\.(?![0-9]))?"
    rf"|(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)? {_MONTH},? (?:19|20)[0-9]{{2}}|{_MONTH} (?:3[01]|[12][0-9]|0?[1-9])(?:st|"
    rf"nd|rd|th)?,? (?:19|20)[0-9]{{2}}"
    r"|(?:3[01]|[12][0-9]|0?[1-9])[-./](?:3[01]|[12][0-9]|0?[1-9])[-./](?:19|20)[0-9]{2}"
    r"|(?:(?:19|20)?[0-9]{2}(?:0[1-9]|1[0-2])(?:3[01]|[12][0-9]|0[1-9]))(?![0-9-])"
    r"|[0-9]{2}(?:[-./] ?|년 ?)(?:0?[1-9]|1[0-2])(?:[-./] ?|월 ?)(?:3[01]|[12][0-9]|0?[1-9])일?)"
)
DAY = regex(_DAY)
_BORN_WORD = regex(
    r"생년월일|생년|생일|출생일?|태어난 ?날|[Bb]irth(?: ?da(?:te|y)|[Dd]a(?:te|y)|_date)?|[Dd]ate of [Bb]irth|BIRTH(?: "
    r"?DA(?:TE|Y))?|[Bb]orn|BORN|"
    r"[Dd]\.?[Oo]\.?[Bb]\.?|\(b\."
)
_BORN_THEN = regex(
    rf"(?:자|은|는|이|가|\(.{{1,8}}\)|(?: is| on| was))?[\s:：=\"'|,(-]{{0,4}}({_DAY})(?![0-9])"
)
_DAY_BEFORE = regex(rf"(?<![0-9])({_DAY}) ?[출(]?$")
_LONGEST_DAY = 24
_LETTERS = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주바사아자허하호배"
_COUNTERS = "고도로모보조구부수주사자호배가다"
_UNITS = "도조부배호"
_WHOLE_PLATE = 8
_PLATE = regex(rf"[0-9](?<![0-9.,].)[0-9]{{1,2}} ?([{_LETTERS}]) ?[0-9]{{4}}(?![0-9])(?![,.][0-9])")
_REGION = regex(
    r"(?:서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충북|충남|전북|전남|경북|경남|제주) ?$"
)
_VEHICLE = regex(
    r"차량|차[는가도]\s|(?<![가-힣0-9])차(?![가-힣0-9])|대리 ?운전|[내제]\s?차|차주|차번호|번호판|주차|승용차|"
    r"화물|택시|트럭|렌터?카|출차|입차|(?i:\b(?:car|vehicle|plate|truck|van)\b)"
)


_DAY_APART = regex(r" ?[/,|(] ?((?:19[3-9][0-9]|200[0-9])[-./][0-9]{1,2}[-./][0-9]{1,2})(?![0-9])")
_NAME_BEFORE = regex(
    rf"(?:(?<![가-힣])([가-힣]{{1,4}}(?<!일)[자인]|환자|고객|회원|성명|성함|이름) ?:? ?([{ALL_SURNAMES}][가-힣]{{1,3}})|"
    rf"([가-힣]{{3,4}}))$"
)


_HIDDEN = r"[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9] ?- ?[1-8][*xX●○•]{6}"
_MASKED = regex(rf"(?<![0-9A-Za-z]){_HIDDEN}")
_HALF = regex(
    r"[앞뒤뒷] ?[0-9]?(?:자리|번호)[^0-9\n]{0,6}((?:[0-9]{2}(?:0[1-9]|1[0-2])[0-3][0-9](?: ?- ?[1-8])?)|[1-8][0-9]{6})(?![0-9-])"
)
_RESIDENT = regex(r"주민|민증|생년|신분|본인")
_LAST_DIGITS = 7


def _births(text: str) -> Iterator[Hit]:
    for word in _BORN_WORD.finditer(text):
        if found := _BORN_THEN.match(text, word.end(), word.end() + 60):
            yield Hit("BIRTH", *found.span(1), 60)
    at = text.find("생")
    while at >= 0:
        if found := _DAY_BEFORE.search(text, max(0, at - _LONGEST_DAY), at):
            yield Hit("BIRTH", *found.span(1), 60)
        at = text.find("생", at + 1)
    for found in _DAY_APART.finditer(text):
        yield from _beside_name(text, found)


def _beside_name(text: str, day: re.Match[str]) -> Iterator[Hit]:
    found = _NAME_BEFORE.search(text, max(0, day.start() - 16), day.start())
    if found is None:
        return
    name = found[3]
    told = bool(found[1]) and not is_noun(found[2])
    if told:
        yield Hit("NAME", *found.span(2), 40)
    if told or (name and (is_likely(name) or is_given(name[1:]))):
        yield Hit("BIRTH", *day.span(1), 60)


def _plates(text: str) -> Iterator[Hit]:
    """A plate that could be a count (12주 2024) takes a region before it or a word of vehicles beside it."""
    for found in _PLATE.finditer(text):
        start, end = found.span()
        counter = _UNITS if len(found[0]) == _WHOLE_PLATE and " " not in found[0] else _COUNTERS
        joined = found[1] not in counter and found[0].count(" ") < 2 and f" {found[1]}" not in found[0]
        region = _REGION.search(text, max(0, start - 3), start)
        told = region is not None or context.near(_VEHICLE, text, start, end)
        start = region.start() if region else start
        counted = not told and context.is_counted(text, end)
        if (joined or told) and not counted and not text.startswith(("년", "-"), end):
            yield Hit("VEHICLE", start, end, 60)


def _masked(text: str) -> Iterator[Hit]:
    """A resident number whose last digits are hidden: the day of birth is not."""
    for found in _MASKED.finditer(text):
        yield Hit("RRN", *found.span(), 70)


def _halves(text: str) -> Iterator[Hit]:
    """The first six or the last seven digits of a resident number, where somebody says so."""
    for found in _HALF.finditer(text):
        if context.near(_RESIDENT, text, *found.span()) and not context.is_counted(text, found.end()):
            yield Hit("RRN" if len(found[1]) == _LAST_DIGITS else "BIRTH", *found.span(1), 45)


DETECTORS = (
    Detector(_HIDDEN, _masked, local=True),
    Detector(r"[앞뒤뒷] ?[0-9]?(?:자리|번호)[^0-9\n]{0,6}[0-9]{6}", _halves, local=True),
    Detector(
        r"생년|생일|출생|태어난|[일0-9.] ?생|(?i)d\.?o\.?b|birth|born|\(b\.|[가-힣] ?[/,|(] ?(?:19[3-9]|200)[0-9][-./]",
        _births,
        local=True,
    ),
    Detector(rf"[0-9]{{2}} ?[{_LETTERS}] ?[0-9]{{4}}", _plates, local=True),
)
