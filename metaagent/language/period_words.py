# ruff: noqa: E501 - a pattern is read in one piece
"""The words and patterns that name a stretch of time, Korean and English: each pattern with the reading it gives.

A reading is an `Atom`: where it stands, and either the range it names (relative to today) or the unit and number that
still need a year. periods.py joins atoms into ranges, gives them years and roles.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from metaagent.language import calendar as cal
from metaagent.language.calendar import Range
from metaagent.language.numerals import ENGLISH_WORDS, NATIVE_WORDS, count_word
from metaagent.language.patterns import compiled


@dataclass(frozen=True)
class Atom:
    start: int
    end: int
    rule: str
    unit: str
    range: Range | None = None
    number: tuple[int, ...] = ()
    year: int | None = None
    shift: str | None = None
    """전년 동기, 전월 (대비): the unit by which another range is moved back."""
    part: str | int | None = None
    """early, middle, late or the number of a week, of a month that still needs its year."""


Reading = Callable[[re.Match[str], date], Atom | None]

YEAR_WORDS = {
    "재작년": -2, "지지난해": -2, "작년": -1, "지난해": -1, "전년도": -1, "전년": -1, "올해": 0, "올": 0, "금년도": 0, "금년": 0,
    "당해": 0, "이번해": 0, "당년": 0, "내년도": 1, "내년": 1, "내후년": 2,
}  # fmt: skip
_YEAR = (
    r"(?:(?<!\d)(?P<y4>(?:19|20)\d\d)(?:\s?년도?|(?=\s?[1-4]분기|\s[1-9]\d?월|\s?[상하]반기))"
    r"|(?<!\d)['’‘]?(?P<y2>\d\d)\s?년도?|(?P<yw>재작년|지지난\s?해|작년|지난\s?해|전년도?|올해|올(?=\s)|금년도?|당해|당년|이번\s?해|내년도?|내후년))"
)
_RELATIVE = {
    "이번": 0, "요번": 0, "금번": 0, "금": 0, "당": 0, "이": 0, "지난": -1, "저번": -1, "전": -1, "직전": -1, "지지난": -2, "저저번": -2,
    "전전": -2, "다음": 1, "차": 1, "익": 1, "담": 1,
}  # fmt: skip
_KO_UNITS = {"일": "day", "주": "week", "주일": "week", "개월": "month", "달": "month", "월": "month", "분기": "quarter",
             "반기": "half", "년": "year", "해": "year", "개년": "year"}  # fmt: skip
_EN_UNITS = {
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "half": "half",
    "year": "year",
}
_DAYS = {"오늘": 0, "금일": 0, "당일": 0, "어제": -1, "어저께": -1, "전일": -1, "작일": -1, "그저께": -2, "그제": -2, "엊그제": -2,
         "그끄저께": -3, "내일": 1, "명일": 1, "익일": 1, "모레": 2,
         "today": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2, "day before yesterday": -2}  # fmt: skip
_SPANS = {"하루": ("day", 1), "이틀": ("day", 2), "사흘": ("day", 3), "나흘": ("day", 4), "닷새": ("day", 5), "일주일": ("week", 1),
          "열흘": ("day", 10), "보름": ("day", 15), "한달": ("month", 1), "반년": ("month", 6), "일년": ("year", 1)}  # fmt: skip
_MONTHS = {
    "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6,
    "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9, "october": 10, "oct": 10, "november": 11,
    "nov": 11, "december": 12, "dec": 12,
}  # fmt: skip
_MAY = (
    r"(?<!i\s)(?<!we\s)(?<!you\s)(?<!they\s)(?<!it\s)(?<!that\s)(?<!which\s)(?<!who\s)"
    r"may(?!\s(?:i|we|you|he|she|they|it|be|have|not|also|need|want|get|ask|see|help|know|well)(?![a-z]))"
)
"""The month, not the verb."""
_MONTH_WORDS = "|".join(sorted(_MONTHS.keys() - {"may"}, key=lambda word: (-len(word), word)))
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1,
             "첫째": 1, "첫": 1, "둘째": 2, "셋째": 3, "넷째": 4, "다섯째": 5, "마지막": -1, "첫번째": 1, "두번째": 2, "세번째": 3,
             "네번째": 4}  # fmt: skip
_WEEKDAYS = {"월": 0, "화": 1, "수": 2, "목": 3, "금": 4, "토": 5, "일": 6, "monday": 0, "tuesday": 1, "wednesday": 2,
             "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6}  # fmt: skip
_EN_REL = {
    "this": 0,
    "current": 0,
    "last": -1,
    "previous": -1,
    "prior": -1,
    "next": 1,
    "coming": 1,
    "past": -1,
}
_PARTS = {"초": "early", "초순": "early", "중순": "middle", "말": "late", "하순": "late",
          "early": "early", "mid": "middle", "late": "late"}  # fmt: skip
_KO_COUNT = rf"(?:\d{{1,4}}|{NATIVE_WORDS}|[일이삼사오육칠팔구]?십?[일이삼사오육칠팔구십])"
_EN_COUNT = rf"(?:\d{{1,4}}|{ENGLISH_WORDS})"
_EN_YEAR = r"(?:(?:\s?,?\s?|\s(?:of|in)\s)(?P<y4>(?:19|20)\d\d)(?!\d)|\s?['’](?P<y2>\d\d)(?!\d)|\s(?:of\s)?(?P<ey>this|last|next|previous)\s+year)"
_LEFT = r"(?<![a-z0-9])"
_TH = r"(?:st|nd|rd|th)?"


def _compact(text: str) -> str:
    return "".join(text.split())


def _two_digits(year: str) -> int:
    return 2000 + int(year) if int(year) < 70 else 1900 + int(year)


def year_of(match: re.Match[str], today: date) -> int | None:
    """The year that a pattern's groups name, if any."""
    found = match.groupdict()
    if found.get("y4"):
        return int(found["y4"])
    if found.get("y2"):
        return _two_digits(found["y2"])
    if found.get("yw"):
        return today.year + YEAR_WORDS[_compact(found["yw"])]
    if found.get("ey"):
        return today.year + _EN_REL[found["ey"]]
    return None


def _numbered(unit: str, rule: str) -> Reading:
    """A unit with a number and perhaps a year: groups n, m (day) and those of `year_of`."""

    def reading(match: re.Match[str], today: date) -> Atom | None:
        found = match.groupdict()
        raw = found["n"]
        first = _MONTHS.get(raw) or _ORDINALS.get(raw) or {"상": 1, "하": 2}.get(raw) or count_word(raw)
        if first is None:
            return None
        number = (first, int(found["m"])) if found.get("m") else (first,)
        year = year_of(match, today)
        if cal.unit_range(unit, year or 2024, number) is None:
            return (
                Atom(match.start(), match.end(), "impossible", "impossible")
                if year or unit == "day"
                else None
            )
        return Atom(match.start(), match.end(), rule, unit, number=number, year=year, part=_part(found))

    return reading


def _part(found: dict[str, str | None]) -> str | int | None:
    if said := found.get("part") or found.get("part2"):
        return _PARTS[said]
    week = found.get("wk")
    if week is None:
        return None
    return int(week) if week.isdigit() else _ORDINALS[_compact(week)]


def _whole_year(match: re.Match[str], today: date) -> Atom | None:
    year = year_of(match, today)
    if year is None:
        return None
    word = _compact(match.groupdict().get("yw") or "")
    back = "year" if word in ("전년", "전년도", "작년", "지난해") else None
    return Atom(
        match.start(), match.end(), "year", "year", cal.unit_range("year", year), year=year, shift=back
    )


def _fiscal(match: re.Match[str], today: date) -> Atom | None:
    raw = match["n"]
    year = int(raw) if len(raw) == 4 else _two_digits(raw)
    return Atom(match.start(), match.end(), "year", "year", cal.unit_range("year", year), year=year)


def _relative(match: re.Match[str], today: date) -> Atom | None:
    unit, offset = _KO_UNITS[match["u"]], _RELATIVE[_compact(match["r"])]
    span = cal.relative_range(unit, offset, today)
    if unit == "month" and (part := _part(match.groupdict())) is not None:
        return Atom(match.start(), match.end(), "relative", "month", in_part(span, part))
    if match.groupdict().get("part") or match.groupdict().get("part2"):
        return None  # 지난해 초: no month is named
    back = unit if match["r"] in ("전", "직전", "지난", "저번") else None
    return Atom(match.start(), match.end(), "relative", unit, span, shift=back)


def in_part(month: Range, part: str | int) -> Range:
    if isinstance(part, int):
        return cal.week_of_month(month, part) or month
    return cal.part_of_month(month, part)


def _english_relative(match: re.Match[str], today: date) -> Atom:
    unit, offset = _EN_UNITS[match["u"]], _EN_REL[match["r"]]
    back = unit if offset == -1 else None
    return Atom(
        match.start(), match.end(), "relative", unit, cal.relative_range(unit, offset, today), shift=back
    )


def _before_last(match: re.Match[str], today: date) -> Atom:
    """The one before the last: 지지난달."""
    unit = _EN_UNITS[match["u"] or match["v"]]
    return Atom(match.start(), match.end(), "relative", unit, cal.relative_range(unit, -2, today))


def _day_word(match: re.Match[str], today: date) -> Atom:
    word = " ".join(match[0].split())
    span = cal.relative_range("day", _DAYS[word], today)
    return Atom(match.start(), match.end(), "relative", "day", span, shift="day" if word == "전일" else None)


_MOST_YEARS = 99
"""A larger number of years is the year itself."""


def _rolling(match: re.Match[str], today: date) -> Atom | None:
    unit = _KO_UNITS.get(match["u"]) or _EN_UNITS[match["u"]]
    count = 1 if match["n"] == "past" else count_word(match["n"])
    if not count:
        return None
    if unit == "year" and count > _MOST_YEARS:  # 2026년 치: of that year
        span = cal.unit_range("year", count)
        return Atom(match.start(), match.end(), "year", "year", span, year=count)
    return Atom(match.start(), match.end(), "rolling", "rolling", cal.rolling(unit, count, today))


def _finished(match: re.Match[str], today: date) -> Atom | None:
    """The last six full months: so many units that are over."""
    unit = _KO_UNITS.get(match["u"]) or _EN_UNITS[match["u"]]
    count = count_word(match["n"]) if match["n"] else 1
    if not count or unit == "day" or count > _MOST_YEARS:
        return None
    first, last = (cal.relative_range(unit, -back, today) for back in (count, 1))
    return Atom(match.start(), match.end(), "rolling", "rolling", Range(first.first, last.last))


def _span_word(match: re.Match[str], today: date) -> Atom:
    unit, count = _SPANS[_compact(match["n"])]
    return Atom(match.start(), match.end(), "rolling", "rolling", cal.rolling(unit, count, today))


def _ago(match: re.Match[str], today: date) -> Atom | None:
    word = _compact(match["n"])
    unit, count = _SPANS.get(word) or (None, count_word(match["n"]))
    named = match.groupdict().get("u")
    unit = unit or (_KO_UNITS.get(named or "") or _EN_UNITS.get(named or ""))
    if not count or unit is None or count > (_MOST_YEARS if unit == "year" else 9000):
        return None
    span = cal.relative_range(unit, -count, today) if unit != "half" else None
    return Atom(match.start(), match.end(), "ago", unit, span) if span else None


def _full_date(match: re.Match[str], today: date) -> Atom | None:
    year = int(match["y"]) if len(match["y"]) == 4 else _two_digits(match["y"])
    span = cal.unit_range("day", year, (int(match["n"]), int(match["m"])))
    if span is None:
        return Atom(match.start(), match.end(), "impossible", "impossible") if len(match["y"]) == 4 else None
    return Atom(match.start(), match.end(), "date", "day", span, year=year)


def _year_month(match: re.Match[str], today: date) -> Atom | None:
    year = int(match["y"]) if len(match["y"]) == 4 else _two_digits(match["y"])
    span = cal.unit_range("month", year, (int(match["n"]),))
    return (
        Atom(match.start(), match.end(), "month", "month", span, number=(int(match["n"]),), year=year)
        if span
        else None
    )


def _last_month_named(match: re.Match[str], today: date) -> Atom | None:
    """지난 3월, last March: the newest one that is over."""
    number = (_MONTHS.get(match["n"]) or int(match["n"]),)
    for year in range(today.year, today.year - 3, -1):
        span = cal.unit_range("month", year, number)
        if span and span.last < today:
            return Atom(match.start(), match.end(), "month", "month", span, number=number, year=year)
    return None


def _day_of_month(match: re.Match[str], today: date) -> Atom | None:
    """다음 달 15일."""
    month = cal.relative_range("month", _RELATIVE[match["r"]], today).first
    span = cal.unit_range("day", month.year, (month.month, int(match["d"])))
    return Atom(match.start(), match.end(), "date", "day", span, year=month.year) if span else None


def _day_of_that_month(match: re.Match[str], today: date) -> Atom | None:
    """The 15th of last month."""
    month = cal.relative_range("month", _EN_REL[match["r"]], today).first
    span = cal.unit_range("day", month.year, (month.month, int(match["d"])))
    return Atom(match.start(), match.end(), "date", "day", span, year=month.year) if span else None


_SEASONS = {
    "봄": 3,
    "spring": 3,
    "여름": 6,
    "summer": 6,
    "가을": 9,
    "autumn": 9,
    "fall": 9,
    "겨울": 12,
    "winter": 12,
}


def _season(match: re.Match[str], today: date) -> Atom | None:
    """Three months; winter begins in December of the year that names it. `last`: the newest that is over."""
    month, year = _SEASONS[match["n"]], year_of(match, today)
    relation = match.groupdict().get("r")
    for candidate in (year,) if year else range(today.year, today.year - 3, -1):
        begin = cal.unit_range("month", candidate, (month,))
        if begin is None:
            return None
        end = cal.add_months(begin.first, 2)
        span = Range(begin.first, date(end.year, end.month, cal.month_end(end.year, end.month)))
        over = span.last < today if relation in ("지난", "last") else span.first <= today
        if year or over:
            return Atom(match.start(), match.end(), "season", "range", span, year=candidate)
    return None


def _months_run(match: re.Match[str], today: date) -> Atom | None:
    """3~5월, 1~3분기, 3월 5~10일, 5 to 10 March: one unit word for both ends."""
    unit = "day" if match.groupdict().get("mo") else _KO_UNITS[match["u"]]
    year = year_of(match, today)
    month = (_MONTHS.get(match["mo"]) or int(match["mo"]),) if unit == "day" else ()
    first, last = (*month, int(match["n"])), (*month, int(match["m"]))
    end = cal.unit_range(unit, year, last) if year else cal.latest_begun(unit, last, today)
    if end is None or cal.unit_range(unit, end.first.year, first) is None:
        return None
    begin = cal.unit_range(unit, end.first.year - (first > last and not year), first)
    span = cal.ordered(begin.first, end.last) if begin else None
    return Atom(match.start(), match.end(), "range", "range", span, year=year)


def _next_to_it(match: re.Match[str], today: date) -> Atom | None:
    """9, 10월: two months that follow each other."""
    return _months_run(match, today) if int(match["m"]) == int(match["n"]) + 1 else None


def _years_run(match: re.Match[str], today: date) -> Atom | None:
    first, last = cal.unit_range("year", int(match["n"])), cal.unit_range("year", int(match["m"]))
    if first is None or last is None or first.first > last.first:
        return None
    return Atom(
        match.start(), match.end(), "range", "range", Range(first.first, last.last), year=last.first.year
    )


def _to_date(unit: str) -> Reading:
    def reading(match: re.Match[str], today: date) -> Atom:
        first = cal.relative_range(unit, 0, today).first
        return Atom(match.start(), match.end(), "to_date", f"{unit}_to_date", Range(first, today))

    return reading


def _weekday(match: re.Match[str], today: date) -> Atom:
    day = _WEEKDAYS[match["d"]]
    relation = _compact(match.groupdict().get("r") or "")
    if relation in _RELATIVE:
        monday = cal.relative_range("week", _RELATIVE[relation], today).first
        found = cal.add_days(monday, day)
    elif relation == "next":
        found = cal.add_days(today, (day - today.weekday() - 1) % 7 + 1)
    elif relation == "this":
        found = cal.add_days(cal.relative_range("week", 0, today).first, day)
    else:
        found = cal.add_days(
            today, -((today.weekday() - day - (relation == "last")) % 7) - (relation == "last")
        )
    return Atom(match.start(), match.end(), "weekday", "day", Range(found, found))


def _same_period(unit: str) -> Reading:
    def reading(match: re.Match[str], today: date) -> Atom:
        return Atom(match.start(), match.end(), "same_period", "relation", shift=unit)

    return reading


def _vague(match: re.Match[str], today: date) -> Atom:
    return Atom(match.start(), match.end(), "vague", "vague")


Rule = tuple[str, Reading, tuple[str, ...]]


def _rule(pattern: str, reading: Reading, *needles: str) -> Rule:
    """Needles: the pattern is built and tried only where one of these stands in the text; most questions skip most."""
    return pattern, reading, needles


@lru_cache(maxsize=200)
def _built(pattern: str) -> re.Pattern[str]:
    return compiled(pattern, in_source=True)


_AFTER_MONTH = r"(?:\s?(?P<part>초순|초|중순|하순|말)(?![가-힣])|\s?(?P<part2>초순|초|중순|하순|말)(?=(?:에|의|부터|까지|보다|와|만|쯤|은|는|이(?!야|에요|지|죠|었)|도|경|께|랑)(?!상|하))|\s?(?P<wk>첫째|둘째|셋째|넷째|다섯째|마지막|[첫두세네]\s?번째|첫|[1-5])\s?주(?:차|째)?(?!\s?[전간]))?"
_NO_AGO = r"(?!\s?(?:전(?![가-힣])|뒤|후|이상|이하|미만|초과|차|마다))"
_RANGE = r"\s?(?:~|-|–|—|∼|에서|부터)\s?"

RULES: tuple[Rule, ...] = (
    _rule(r"(?<!\d)(?P<y>(?:19|20)\d\d)\s?[-./]\s?(?P<n>\d{1,2})\s?[-./]\s?(?P<m>\d{1,2})(?!\d)(?:일)?", _full_date, "-", ".", "/"),
    _rule(r"(?<![\d.])['’]?(?P<y>\d\d)\.\s?(?P<n>\d{1,2})\.\s?(?P<m>\d{1,2})(?![\d.])", _full_date, "."),
    _rule(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<n>[01]\d)(?P<m>[0-3]\d)(?!\d)", _full_date, "19", "20"),
    _rule(r"(?<![\d.-])(?P<y>(?:19|20)\d\d)\s?[-./]\s?(?P<n>0?[1-9]|1[0-2])(?![\d])(?:월)?", _year_month, "-", ".", "/"),
    _rule(r"(?<![\d.])['’]?(?P<y>\d\d)\s?[./]\s?(?P<n>0?[1-9]|1[0-2])\s?월", _year_month, "월"),
    _rule(rf"{_YEAR}?\s?(?<!\d)(?P<mo>\d{{1,2}})월\s?(?P<n>\d{{1,2}})일?{_RANGE}(?P<m>\d{{1,2}})일(?:\s?까지)?", _months_run, "월"),
    _rule(rf"{_YEAR}?\s?(?<!\d)(?P<n>\d{{1,2}})월\s?(?P<m>\d{{1,2}})일(?!\s?[간전])", _numbered("day", "date"), "일"),
    _rule(rf"(?:{_YEAR}\s?)?(?<![\d.])(?P<n>\d{{1,2}})(?:월|분기)?{_RANGE}(?P<m>\d{{1,2}})(?P<u>월|분기)(?!\s?\d{{1,2}}일)(?:\s?까지)?", _months_run, "월", "분기"),
    _rule(rf"(?:{_YEAR}\s?)?(?<![\d.])(?P<n>[1-9]|1[01])\s?[,·]\s?(?P<m>[2-9]|1[0-2])(?P<u>월|분기)(?!\s?\d{{1,2}}일)", _next_to_it, "월", "분기"),
    _rule(r"(?<!\d)(?P<n>(?:19|20)\d\d)년?\s?(?:~|-|–|부터|to|through)\s?(?P<m>(?:19|20)\d\d)(?!\d)(?:년)?(?:\s?까지)?", _years_run, "19", "20"),
    _rule(rf"(?:{_YEAR}(?:의\s)?\s?)?(?<![\d.])(?P<n>\d{{1,2}}|[일이삼사오육칠팔구](?=월\s)|시|십[일이]?)\s?월(?:달)?(?!요일|\s?\d{{1,2}}일|별|평균){_AFTER_MONTH}", _numbered("month", "month"), "월"),
    _rule(rf"(?:{_YEAR}(?:의\s)?\s?)?(?<![\d.])(?P<n>[1-4]|[일이삼사](?=사?분기))\s?(?:/\s?4|사)?\s?분기", _numbered("quarter", "quarter"), "분기"),
    _rule(rf"(?:{_YEAR}(?:의\s)?\s?)?(?P<n>상|하)반기", _numbered("half", "half"), "반기"),
    _rule(rf"{_LEFT}(?P<y4>(?:19|20)\d\d)\s?-?q(?P<n>[1-4])(?!\d)", _numbered("quarter", "quarter"), "q"),
    _rule(rf"{_LEFT}q(?P<n>[1-4])(?:{_EN_YEAR})?(?![a-z0-9])", _numbered("quarter", "quarter"), "q"),
    _rule(rf"{_LEFT}(?P<n>[1-4])q(?:\s?(?P<y4>(?:19|20)\d\d)|['’]?(?P<y2>\d\d))?(?![a-z0-9])", _numbered("quarter", "quarter"), "q"),
    _rule(rf"{_LEFT}(?P<n>first|second|third|fourth|1st|2nd|3rd|4th)[\s-]quarter(?:{_EN_YEAR})?(?![a-z0-9])", _numbered("quarter", "quarter"), "quarter"),
    _rule(rf"{_LEFT}h(?P<n>[12])(?:{_EN_YEAR})?(?![a-z0-9])", _numbered("half", "half"), "h"),
    _rule(rf"{_LEFT}(?P<y4>(?:19|20)\d\d)\s?h(?P<n>[12])(?![a-z0-9])", _numbered("half", "half"), "h"),
    _rule(rf"{_LEFT}(?P<n>[12])h(?:\s?(?P<y4>(?:19|20)\d\d)|['’]?(?P<y2>\d\d))?(?![a-z0-9])", _numbered("half", "half"), "h"),
    _rule(rf"{_LEFT}(?P<n>first|second|1st|2nd)[\s-]half(?:{_EN_YEAR})?(?![a-z0-9])", _numbered("half", "half"), "half"),
    _rule(rf"{_LEFT}(?:from\s)?(?:the\s)?(?P<n>[0-3]?\d){_TH}(?:\s?[-–~]\s?|\s(?:to|through|until|till)\s(?:the\s)?)(?P<m>[0-3]?\d){_TH}\s(?:of\s)?(?P<mo>{_MONTH_WORDS}|may)(?![a-z])(?:{_EN_YEAR})?", _months_run),
    _rule(rf"{_LEFT}between\s(?:the\s)?(?P<n>[0-3]?\d){_TH}\sand\s(?:the\s)?(?P<m>[0-3]?\d){_TH}\s(?:of\s)?(?P<mo>{_MONTH_WORDS}|may)(?![a-z])(?:{_EN_YEAR})?", _months_run, "between"),
    _rule(rf"{_LEFT}(?P<mo>{_MONTH_WORDS})\.?\s(?P<n>[0-3]?\d){_TH}(?:\s?[-–~]\s?|\s(?:to|through|until|till)\s(?:the\s)?)(?P<m>[0-3]?\d){_TH}(?!\d|[:,.]\d|\s(?:of\s)?(?:{_MONTH_WORDS}))(?:{_EN_YEAR})?", _months_run),
    _rule(rf"{_LEFT}(?P<n>{_MONTH_WORDS}|may(?=\s?,?\s?(?:\d|last|this)))\.?\s(?P<m>[0-3]?\d)(?:st|nd|rd|th)?(?!\d|[:,]\d{{3}})(?:{_EN_YEAR})?", _numbered("day", "date")),
    _rule(rf"{_LEFT}(?P<m>[0-3]?\d)(?:st|nd|rd|th)?\s(?:of\s)?(?P<n>{_MONTH_WORDS}|may)(?![a-z])(?:{_EN_YEAR})?", _numbered("day", "date")),
    _rule(rf"{_LEFT}(?:(?P<wk>first|second|third|fourth|last)\sweek\sof\s|(?P<part>early|late|mid)[\s-])?(?P<n>{_MONTH_WORDS}|{_MAY})(?![a-z])\.?(?:{_EN_YEAR})?", _numbered("month", "month")),
    _rule(rf"{_LEFT}(?P<y4>(?:19|20)\d\d)\s(?P<n>{_MONTH_WORDS}|may)(?![a-z])", _numbered("month", "month")),
    _rule(r"(?:지난|저번)\s?(?P<n>1[0-2]|[1-9])월(?!\s?\d{1,2}일|요일)", _last_month_named, "월"),
    _rule(rf"{_LEFT}last\s(?P<n>{_MONTH_WORDS}|may)(?![a-z])", _last_month_named, "last"),
    _rule(r"(?P<r>지지난|저저번|지난|저번|이번|요번|금번|다음|담)\s?(?P<u>주)(?![가-힣]*\s?동안|일|간)\s?(?P<d>[월화수목금토일])(?:요일|욜)", _weekday, "요일", "욜"),
    _rule(r"(?P<r>전전|직전|지지난|저저번|지난|저번|이번|요번|금번|다음|이|담)\s?(?P<u>분기|반기|달|주(?!문|요(?![\s?.!,~]|\Z)|소|차|간)|해(?!외|당|운|오))" + _AFTER_MONTH, _relative),
    _rule(r"(?<![가-힣])(?P<r>전전|전|금|당|차|익|직전)\s?(?P<u>분기|반기|월|주(?!\s?(?:시(?![가-힣])|지역|병원|에서|대병원|문|요|소|차|간)))(?!요일)" + _AFTER_MONTH, _relative),
    _rule(rf"{_LEFT}(?P<r>this|current|last|previous|prior|next|coming)\s(?P<u>week|month|quarter|half|year)(?![a-z])", _english_relative),
    _rule(rf"{_LEFT}(?:the\s)?(?:(?P<u>week|month|quarter|half|year)\sbefore\s(?:the\s)?last(?:\sone)?|last\s(?P<v>week|month|quarter|half|year)\sbut\sone)(?![a-z])", _before_last, "last"),
    _rule(rf"{_LEFT}(?P<n>past)\s(?P<u>day|week|month|quarter|year)(?![a-z])", _rolling, "past"),
    _rule(rf"{_LEFT}(?P<ey>this|last|next|previous)\syear(?:['’]s)?\s(?:q(?P<n>[1-4]))(?![a-z0-9])", _numbered("quarter", "quarter"), "q"),
    _rule(r"(?P<r>지난|저번|이번|다음|이)\s?달\s?(?P<d>[1-3]?\d)일(?!\s?[간전])", _day_of_month, "일"),
    _rule(rf"{_LEFT}(?P<d>[0-3]?\d)(?:st|nd|rd|th)\s(?:of\s)?(?P<r>this|last|next)\smonth(?![a-z])", _day_of_that_month, "month"),
    _rule(r"(?<![\d./-])(?P<n>0?[1-9]|1[0-2])/(?P<m>[0-3]?\d)/(?P<y>(?:19|20)\d\d)(?!\d)", _full_date, "/"),
    _rule(r"(?<![\d./-])(?P<n>0?[1-9]|1[0-2])/(?P<m>[0-3]?\d)(?![\d/]|\s?분기)(?:일)?", _numbered("day", "date"), "/"),
    _rule(rf"(?:{_YEAR}|(?P<r>지난|이번))\s?(?P<n>봄|여름|가을|겨울)(?:철)?", _season, "봄", "여름", "가을", "겨울"),
    _rule(rf"{_LEFT}(?P<r>last|this)\s(?P<n>spring|summer|autumn|fall|winter)(?![a-z])", _season),
    _rule(rf"{_YEAR}(?:\s?한\s?해(?:\s?동안)?)?", _whole_year),
    _rule(rf"{_LEFT}(?<![$₩.,~-])(?P<y4>(?:19|20)\d\d)(?!\d|[,.]\d|\s?(?:원|won|krw|usd|개|건|명|만|억|천|회|%|mg|units|visits|people|dollars))", _whole_year, "19", "20"),
    _rule(rf"{_LEFT}(?:fy|회계연도\s?)\s?['’]?(?P<n>(?:19|20)\d\d|\d\d)(?!\d)", _fiscal, "fy", "회계연도"),
    _rule(r"(?<![가-힣])(?:오늘|금일|당일|어제|어저께|전일|작일|그저께|그제|엊그제|그끄저께|내일|명일|익일|모레)(?!까지는)", _day_word),
    _rule(rf"{_LEFT}(?:(?:the\s)?day\sbefore\syesterday|today|yesterday|tomorrow)(?![a-z])", _day_word, "day", "tomorrow"),
    _rule(rf"(?:최근|지난|과거|직전|(?<![가-힣])(?:근|요))\s?(?P<n>{_KO_COUNT})\s?(?P<u>일|주일?|개월|달|분기|반기|개?년|해)(?!\s?전)(?:\s?(?:동안|간)(?:의)?)?", _rolling, "최근", "지난", "과거", "직전", "근", "요"),
    _rule(rf"(?<![가-힣\d.])(?P<n>{_KO_COUNT})\s?(?P<u>일|주일?|개월|달|분기|반기|개?년)\s?(?:동안|간|치)(?:의)?", _rolling, "동안", "간", "치"),
    _rule(rf"(?<![가-힣\d.])(?P<n>{_KO_COUNT})\s?(?P<u>개월){_NO_AGO}", _rolling, "개월"),
    _rule(r"(?:최근|지난|과거|직전)\s?(?P<n>하루|이틀|사흘|나흘|닷새|일주일|열흘|보름|한\s?달|반년|일년)(?!\s?전)(?:\s?(?:동안|간))?", _span_word),
    _rule(r"(?<![가-힣])(?P<n>이틀|사흘|나흘|닷새|일주일|열흘|보름|한\s?달|반년)\s?(?:동안|간)", _span_word, "동안", "간"),
    _rule(rf"{_LEFT}(?:past|last|previous|recent|prior|trailing)\s(?P<n>{_EN_COUNT})[\s-](?P<u>day|week|month|quarter|year)s?(?![a-z])", _rolling),
    _rule(rf"{_LEFT}(?:past|last|previous|recent|prior|trailing|latest)\s(?:(?P<n>{_EN_COUNT})\s)?(?:full|complete|completed|whole|finished|closed|entire)(?:\scalendar)?\s(?P<u>week|month|quarter|half|year)s?(?![a-z])", _finished),
    _rule(rf"(?:최근|지난|과거|직전)\s?(?:완료된|완료한|마감된|마감한|끝난|온전한|꽉\s?찬)\s?(?P<n>{_KO_COUNT})\s?(?P<u>주|개월|달|분기|개?년)(?:\s?(?:동안|간))?", _finished, "최근", "지난", "과거", "직전"),
    _rule(rf"(?<![가-힣\d.])(?P<n>{_KO_COUNT})\s?(?P<u>일|주일?|개월|달|분기|년)\s?전(?![가-힣]*체)", _ago, "전"),
    _rule(r"(?<![가-힣])(?P<n>이틀|사흘|나흘|일주일|열흘|보름|한\s?달|일년)\s?전", _ago, "전"),
    _rule(rf"{_LEFT}(?P<n>{_EN_COUNT})\s(?P<u>day|week|month|quarter|year)s?\sago", _ago, "ago"),
    _rule(r"(?<![가-힣])(?:올해|금년|올)\s?(?:들어(?:서)?(?![오온왔와가간갔])|누계|누적)|연초\s?(?:부터|이후|이래)(?:로)?(?:\s?(?:지금|현재|오늘|어제)\s?까지)?|연초\s?대비|올해\s?(?:현재|지금|오늘)\s?까지", _to_date("year")),
    _rule(rf"{_LEFT}(?:ytd|year[\s-]to[\s-]date|so far this year|this year so far)(?![a-z])", _to_date("year"), "ytd", "year"),
    _rule(r"(?:(?:이번|요번)\s?달|이달|금월|당월)\s?(?:들어(?:서)?(?![오온왔와가간갔])|누계|누적|(?:현재|지금|오늘)\s?까지)|월초\s?부터(?:\s?(?:지금|현재|오늘)\s?까지)?", _to_date("month")),
    _rule(rf"{_LEFT}(?:mtd|month[\s-]to[\s-]date|so far this month|this month so far)(?![a-z])", _to_date("month"), "mtd", "month"),
    _rule(rf"{_LEFT}(?:qtd|quarter[\s-]to[\s-]date|so far this quarter|this quarter so far)(?![a-z])|(?:이번|금|당)\s?분기\s?(?:들어(?:서)?(?![오온왔와가간갔])|누계|누적)", _to_date("quarter")),
    _rule(r"(?:전년도?|작년|지난\s?해)\s?(?:의\s?)?(?:동\s?기간?|동\s?월|동일\s?기간|같은\s?(?:기간|달|분기|시기|월)|이맘\s?때)", _same_period("year")),
    _rule(rf"{_LEFT}same\s(?:period|month|quarter|week|time|days?|dates?)\s(?:of\s|in\s)?(?:the\s)?(?:last|previous|prior)\syear|{_LEFT}a year (?:earlier|before)", _same_period("year"), "year"),
    _rule(r"(?:전월|지난\s?달)\s?(?:동\s?기간?|같은\s?기간)", _same_period("month"), "동", "같은"),
    _rule(rf"{_LEFT}same\s(?:period|time|days?|dates?)\s(?:of\s|in\s)?(?:the\s)?(?:last|previous|prior)\smonth", _same_period("month"), "same"),
    _rule(r"(?:직전|이전|앞선)\s?기간|전기(?=\s?대비)", _same_period("period"), "기"),
    _rule(rf"{_LEFT}(?:previous|prior|preceding)\speriod", _same_period("period"), "period"),
    _rule(r"(?:(?P<r>지난|저번|이번|다음)\s)?(?<![가-힣\d])(?P<d>[월화수목금토일])(?:요일|욜)", _weekday, "요일", "욜"),
    _rule(rf"{_LEFT}(?:(?P<r>last|this|next)\s)?(?P<d>monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?![a-z])", _weekday, "day"),
    _rule(r"(?<![가-힣])(?:최근|요즘|요새|근래)(?!접)|" + _LEFT + r"(?:recently|lately|recent|these days)(?![a-z])", _vague),
)  # fmt: skip


def atoms(text: str, today: date) -> list[Atom]:
    """Every reading of every pattern; the longest of those that overlap wins, the earlier rule on a tie."""
    found: list[Atom] = []
    for pattern, reading, needles in RULES:
        if needles and not any(needle in text for needle in needles):
            continue
        for match in _built(pattern).finditer(text):
            atom = reading(match, today)
            if atom is not None:
                found.append(atom)
    found.sort(key=lambda atom: atom.start - atom.end)
    kept: list[Atom] = []
    for atom in found:
        if all(atom.end <= other.start or atom.start >= other.end for other in kept):
            kept.append(atom)
    return sorted(kept, key=lambda atom: atom.start)
