"""Single days of a form: the day of a visit that was, of a meeting that will be. Pure.

A form knows what a question of data does not: whether the day lies behind or ahead. A weekday or a day without a month or a
year is therefore the last one that was, or the next that comes. Everything else is read as periods are.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from metaagent.language import calendar as cal
from metaagent.language import periods
from metaagent.language.numerals import count_word
from metaagent.language.patterns import regex
from metaagent.language.periods import Period

_NOW = regex(
    r"(?<![a-z])(?:this (?:morning|afternoon|evening|noon)|tonight|just now)(?![a-z])|방금|아까|금일|엊저녁"
)
_CLOCK = regex(r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])|(?<![\d:.])\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?m\b")
"""A time of day, whose hour is no day of the month before it: 26 November 11:00."""
_IN_TWO = regex(r"내일\s?모레")
_BARE = regex(r"[월화수목금토일](?:요일|욜)|(?:mon|tues|wednes|thurs|fri|satur|sun)day")
_COMING = regex(r"(?:오는|돌아오는|이번|coming|this|next)\s?\Z")
_LENGTHS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "일주일": 7, "열흘": 10, "보름": 15, "이주일": 14, "한달": 30,
}  # fmt: skip
_COUNT = r"\d{1,3}|한|두|세|네|다섯|a|an|one|two|three|four|five|six"
_LATER = regex(
    rf"(?<![가-힣\d.])(?:(?P<word>{'|'.join(_LENGTHS)}|한\s달)|(?P<n>{_COUNT})\s?(?P<u>일|주일?|달|개월))\s?(?:뒤|후)"
    rf"|(?<![a-z])in (?P<n2>{_COUNT})\s(?P<u2>day|week|month)s?(?:' time)?(?![a-z])"
    rf"|(?<![a-z\d])(?P<n3>{_COUNT})\s(?P<u3>day|week|month)s? (?:from (?:now|today)|later)"
)
_UNITS = {"일": 1, "day": 1, "주": 7, "주일": 7, "week": 7}
_OF_MONTH = regex(
    r"(?<![\d월년.,/])(?<![\d월]\s)(?P<d>[1-3]?\d)일(?=에|\s|,|\.|까지|로|은|는|이|입|$|\()"
    r"|(?<![a-z])(?:on )?the (?P<e>[1-3]?\d)(?:st|nd|rd|th)(?![a-z]|\s(?:of|week|floor|visit|time|item|section|quarter))"
)
_OF_TODAY = regex(r"(?:^|[.,\n]\s*)(?:오전|오후|아침|점심|저녁)에\s")
_POINTED = regex(r"(?<![\d.,])(?P<m>1[0-2]|0?[1-9])\.\s?(?P<d>[0-3]?\d)\.?(?![\d.,]|\s?[만천백억원%a-z])")
_NTH = {
    "첫": 1, "첫째": 1, "첫번째": 1, "둘째": 2, "두번째": 2, "셋째": 3, "세번째": 3, "넷째": 4, "네번째": 4, "마지막": -1,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1,
}  # fmt: skip
_NTH_BEFORE = regex(r"\s?(?:의\s)?(?P<o>첫째|둘째|셋째|넷째|마지막|[첫두세네]\s?번째|첫)\s?(?:주\s?)?")
_NTH_OF = regex(r"(?P<o>first|second|third|fourth|last)\s\Z")
_REJECTED = regex(
    r"에?(?:이|가|은|는)?\s?(?:아니라|아니고|말고)(?![가-힣])|,?\s(?:no|not that),?\s|[^.;\n]{0,40}?\si mean\s"
)
"""Behind a day that is not the one: 그저께 말고 목요일."""
_NOT = regex(r"(?<![a-z])not\s(?:on\s)?(?:the\s)?\Z")
_BY = regex(r"(?<![a-z])(?:by|until|till|before)\s\Z")
_BESIDE = regex(r"\s?,?\s?(?:the\s)?")
_UNTIL = regex(r"\s?까지")
_YEAR = regex(r"\d{4}|\d{2}년|[내작올]년|올해|금년|지난해|재작년|year")
_NEAR = 14
"""Letters beside a day within which its year may stand."""
_WEEKDAYS = "월화수목금토일"
_ENGLISH = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class Day:
    """A day that a text names, where it does, and whether it is only a deadline: by Thursday."""

    start: int
    end: int
    day: date
    deadline: bool = False


def days_in(text: str, today: date, *, ahead: bool) -> list[Day]:
    """The days that a text names, in their order; those that it does not tell fully lie ahead or behind."""
    low = text.lower()
    if len(low) != len(text):
        return []
    low = _CLOCK.sub(lambda match: " " * len(match[0]), low)
    found = list(_own(low, today, ahead))
    blank = list(low)
    for each in found:
        blank[each.start : each.end] = " " * (each.end - each.start)
    rest = "".join(blank)
    named = list(_joined(rest, periods.find(rest, today, ahead=ahead), today, ahead))
    taken = [(each.start, each.end) for each in (*found, *named)]
    loose = [
        each
        for each in _loose(low, today, ahead)
        if all(each.end <= start or end <= each.start for start, end in taken)
    ]
    made = sorted((*found, *named, *loose), key=lambda each: each.start)
    made = [each for each in made if not _rejected(low, each)] or made
    return [_placed(low, each) for each in made]


def _placed(text: str, day: Day) -> Day:
    """A day from its first letter on, and whether it is a deadline."""
    start = day.end - len(text[day.start : day.end].lstrip())
    return Day(
        start,
        day.end,
        day.day,
        _BY.search(text[:start]) is not None or _UNTIL.match(text, day.end) is not None,
    )


def _rejected(text: str, day: Day) -> bool:
    """Say whether a day is named as the wrong one: not Thursday but Wednesday."""
    return _REJECTED.match(text, day.end) is not None or _NOT.search(text[: day.start]) is not None


def _own(text: str, today: date, ahead: bool) -> Iterator[Day]:
    """Days that no question of data names: in two weeks, this morning."""
    for match in _NOW.finditer(text):
        day = today - timedelta(days=1) if match[0] == "엊저녁" else today
        yield Day(match.start(), match.end(), day)
    for match in _IN_TWO.finditer(text):
        yield Day(match.start(), match.end(), today + timedelta(days=2))
    for match in _LATER.finditer(text):
        yield Day(match.start(), match.end(), _later(match, today))


def _later(match: re.Match[str], today: date) -> date:
    if match["word"]:
        return today + timedelta(days=_LENGTHS["".join(match["word"].split())])
    said, unit = match["n"] or match["n2"] or match["n3"], match["u"] or match["u2"] or match["u3"]
    count = 1 if said in ("a", "an") else count_word(said) or 1
    if unit in _UNITS:
        return today + timedelta(days=count * _UNITS[unit])
    return cal.add_months(today, count)


def _joined(text: str, found: list[Period], today: date, ahead: bool) -> Iterator[Day]:
    """Days among periods; a weekday beside a week or a month is a day of it."""
    used: set[int] = set()
    for at, period in enumerate(found):
        if period.unit != "day" or period.range is None or at in used or period.role != "base":
            continue
        weekday = _weekday(text[period.start : period.end])
        before = found[at - 1] if at else None
        after = found[at + 1] if at + 1 < len(found) else None
        start, end, day = period.start, period.end, period.range.first
        if period.assumed_year or _year_is_elsewhere(text, period):
            # a neighbour or words of a plan elsewhere say nothing about this one
            pick = cal.next_unfinished if ahead else cal.latest_begun
            alone = pick("day", (day.month, day.day), today)
            day = alone.first if alone is not None else day
        if weekday is not None:
            if _beside_a_date(text, before, period, after):
                continue  # Thursday 10 December, 11월 26일 목요일: the date says which
            inside = _within(text, before, period, after, weekday)
            if inside is None:
                day = _nearest(text, period, today, weekday, ahead)
            else:
                start, end, day = inside
        yield Day(start, end, day)


def _year_is_elsewhere(text: str, period: Period) -> bool:
    """Say whether a day of a month has its year from other words of the text: 10 December …, beyond statins in 2027."""
    around = text[max(0, period.start - _NEAR) : period.end + _NEAR]
    said = text[period.start : period.end]
    plain = period.rule == "date" and re.search(r"\d{4}|\d[./-]\d{1,2}[./-]", said) is None
    return plain and _YEAR.search(around) is None


def _beside_a_date(text: str, before: Period | None, own: Period, after: Period | None) -> bool:
    """Say whether a weekday stands right before or behind a date that names the day by itself."""

    def is_date(other: Period | None) -> bool:
        return (
            other is not None
            and other.unit == "day"
            and re.search(r"\d", text[other.start : other.end]) is not None
        )

    ahead = after is not None and is_date(after) and _BESIDE.fullmatch(text[own.end : after.start])
    behind = before is not None and is_date(before) and _BESIDE.fullmatch(text[before.end : own.start])
    return bool(ahead or behind)


def _weekday(text: str) -> int | None:
    if _BARE.fullmatch(text) is None:
        return None
    return _WEEKDAYS.index(text[0]) if text[0] in _WEEKDAYS else _ENGLISH.index(text[:3])


def _nearest(text: str, period: Period, today: date, weekday: int, ahead: bool) -> date:
    if ahead or _COMING.search(text[: period.start]):
        return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    return today - timedelta(days=(today.weekday() - weekday) % 7)


def _within(
    text: str, before: Period | None, own: Period, after: Period | None, weekday: int
) -> tuple[int, int, date] | None:
    """The weekday of a week or month beside it: 다음 달 첫째 주 금요일, the first Monday of December, Wednesday next week."""
    if before is not None and before.range is not None and before.unit in ("week", "month"):
        between = text[before.end : own.start]
        if before.range.days <= 7 and not between.strip():
            return before.start, own.end, before.range.first + timedelta(days=weekday)
        if (nth := _NTH_BEFORE.fullmatch(between)) is not None:
            day = _nth(before.range.first, weekday, _NTH["".join(nth["o"].split())])
            return before.start, own.end, day
    if after is not None and after.range is not None and after.unit in ("week", "month"):
        between = text[own.end : after.start].strip()
        if after.range.days <= 7 and between in ("", "of", "in"):
            return own.start, after.end, after.range.first + timedelta(days=weekday)
        nth = _NTH_OF.search(text[: own.start])
        if nth is not None and between in ("of", "in"):
            return nth.start(), after.end, _nth(after.range.first, weekday, _NTH[nth["o"]])
    return None


def _nth(month: date, weekday: int, number: int) -> date:
    days = [
        date(month.year, month.month, day) for day in range(1, monthrange(month.year, month.month)[1] + 1)
    ]
    fitting = [day for day in days if day.weekday() == weekday]
    return fitting[number - 1 if number > 0 else -1]


def _loose(text: str, today: date, ahead: bool) -> Iterator[Day]:
    """Days of which the month or the way of writing is only usual in forms: 20일에, on the 20th, 11.20; 오전에 is today."""
    for match in () if ahead else _OF_TODAY.finditer(text):
        yield Day(match.start(), match.end(), today)
    for match in _OF_MONTH.finditer(text):
        day = _of_month(int(match["d"] or match["e"]), today, ahead)
        if day is not None:
            yield Day(match.start(), match.end(), day)
    for match in _POINTED.finditer(text):
        pick = cal.next_unfinished if ahead else cal.latest_begun
        span = pick("day", (int(match["m"]), int(match["d"])), today)
        if span is not None:
            yield Day(match.start(), match.end(), span.first)


def _of_month(number: int, today: date, ahead: bool) -> date | None:
    """The next or the last day of that number."""
    month = today.replace(day=1)
    for _ in range(13):
        if 1 <= number <= monthrange(month.year, month.month)[1]:
            day = month.replace(day=number)
            if day >= today if ahead else day <= today:
                return day
        month = cal.add_months(month, 1 if ahead else -1)
    return None
