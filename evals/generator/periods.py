"""Stretches of time with the ways in which people name them, seen from a given day."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from evals.generator.world import Words

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True)
class Span:
    """`words` are adverbs ("in May", "last month"); `names` stand before a noun or after a preposition."""

    start: date
    end: date
    unit: str
    words: Words
    names: Words
    running: bool = False

    @property
    def days(self) -> list[date]:
        return [self.start + timedelta(days=n) for n in range((self.end - self.start).days + 1)]


def month_of(year: int, month: int) -> tuple[date, date]:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def quarter_of(year: int, quarter: int) -> tuple[date, date]:
    year, quarter = year + (quarter - 1) // 4, (quarter - 1) % 4 + 1
    return date(year, quarter * 3 - 2, 1), month_of(year, quarter * 3)[1]


def _span(start: date, end: date, unit: str, ko: list[str], en: list[str], names: list[str]) -> Span:
    return Span(start, end, unit, Words(tuple(ko), tuple(en)), Words(tuple(ko), tuple(names)))


def last_month(now: date) -> Span:
    start, end = month_of(now.year, now.month - 1)
    ko = ["지난달", "지난 달", "저번 달", "저번달", "전월", f"{start.month}월"]
    name = MONTHS[start.month - 1]
    return _span(
        start,
        end,
        "month",
        ko,
        ["last month", "in the previous month", "for last month", f"in {name}"],
        ["last month"],
    )


def named_month(now: date, back: int) -> Span:
    start, end = month_of(now.year, now.month - back)
    name = MONTHS[start.month - 1]
    if start.year == now.year:
        ko = [f"{start.month}월", f"올해 {start.month}월", f"{start.year}년 {start.month}월"]
        en = [f"in {name}", f"in {name} {start.year}", f"during {name}", f"for {name} {start.year}"]
    else:
        ko = [
            f"{start.year}년 {start.month}월",
            f"작년 {start.month}월",
            f"{start.year % 100}년 {start.month}월",
        ]
        en = [f"in {name} {start.year}", f"in {name} last year"]
    return _span(start, end, "month", ko, en, [f"{name} {start.year}"])


def quarter(now: date, back: int) -> Span:
    current = (now.month - 1) // 3 + 1
    start, end = quarter_of(now.year, current - back)
    number = (start.month - 1) // 3 + 1
    ko = [
        f"{start.year}년 {number}분기",
        *([f"올해 {number}분기", f"{number}분기"] if start.year == now.year else []),
    ]
    en = [f"in Q{number} {start.year}", f"in the {ORDINALS[number - 1]} quarter of {start.year}"]
    if back == 1:
        ko, en = [*ko, "지난 분기", "지난분기", "직전 분기"], [*en, "last quarter", "in the last quarter"]
    return _span(start, end, "quarter", ko, en, [f"Q{number} {start.year}"])


def last_year(now: date) -> Span:
    year = now.year - 1
    ko = ["작년", "지난해", f"{year}년", "작년 한 해"]
    return _span(date(year, 1, 1), date(year, 12, 31), "year", ko, ["last year", f"in {year}"], [f"{year}"])


def half(now: date, *, first: bool) -> Span:
    year = now.year if first else now.year - 1
    start, end = (date(year, 1, 1), date(year, 6, 30)) if first else (date(year, 7, 1), date(year, 12, 31))
    ko = ["상반기", "올해 상반기", f"{year}년 상반기"] if first else ["작년 하반기", f"{year}년 하반기"]
    part = "first" if first else "second"
    en = [f"in the {part} half of {year}", f"in H{1 if first else 2} {year}"]
    return _span(start, end, "half", ko, en, [f"H{1 if first else 2} {year}"])


def yesterday(now: date) -> Span:
    day = now - timedelta(days=1)
    return _span(day, day, "day", ["어제", "어제 하루"], ["yesterday"], ["yesterday"])


def last_week(now: date) -> Span:
    monday = now - timedelta(days=now.weekday() + 7)
    words = ["지난주", "저번 주", "지난 주"]
    return _span(monday, monday + timedelta(days=6), "week", words, ["last week"], ["last week"])


def running(now: date, unit: str) -> Span:
    """The current month, quarter or year, as far as there is data: up to yesterday."""
    end = now - timedelta(days=1)
    if unit == "month":
        start, ko, en = (
            now.replace(day=1),
            ["이번 달", "이번달", "이달", "당월"],
            ["this month", "this month so far"],
        )
    elif unit == "quarter":
        start = quarter_of(now.year, (now.month - 1) // 3 + 1)[0]
        ko, en = ["이번 분기", "이번분기", "금분기"], ["this quarter", "this quarter so far"]
    else:
        start, ko, en = date(now.year, 1, 1), ["올해", "금년", "올 한 해"], ["this year", "so far this year"]
    return Span(start, end, unit, Words(tuple(ko), tuple(en)), Words(tuple(ko), (en[0],)), running=True)


def to_date(now: date) -> Span:
    ko = [
        "올해 들어 지금까지",
        "올해 초부터 지금까지",
        "연초부터 지금까지",
        "올해 누적",
        "연초 이후",
        "올해 현재까지",
    ]
    en = ["year to date", "so far this year", "since the beginning of the year", "since January 1", "YTD"]
    end = now - timedelta(days=1)
    return Span(date(now.year, 1, 1), end, "year", Words(tuple(ko), tuple(en)), Words(tuple(ko), tuple(en)))


def months(now: date, first_back: int, last_back: int) -> Span:
    start, end = month_of(now.year, now.month - first_back)[0], month_of(now.year, now.month - last_back)[1]
    a, b = start.month, end.month
    year = "" if start.year == now.year else f"{start.year}년 "
    ko = [f"{year}{a}월부터 {b}월까지", f"{year}{a}~{b}월", f"{year}{a}월~{b}월"]
    tail = "" if start.year == now.year else f" {start.year}"
    en = [
        f"from {MONTHS[a - 1]} to {MONTHS[b - 1]}{tail}",
        f"from {MONTHS[a - 1]} through {MONTHS[b - 1]}{tail}",
    ]
    return _span(start, end, "months", ko, en, [f"{MONTHS[a - 1]} to {MONTHS[b - 1]}{tail}"])


def day_range(now: date, rng: Random) -> Span:
    start, _ = month_of(now.year, now.month - 1)
    a = rng.randint(2, 12)
    b = rng.randint(a + 3, 27)
    ko = [f"{start.month}월 {a}일부터 {b}일까지", f"{start.month}월 {a}일부터 {start.month}월 {b}일까지"]
    name = MONTHS[start.month - 1]
    en = [f"from {name} {a} to {name} {b}", f"between {name} {a} and {name} {b}"]
    return _span(start.replace(day=a), start.replace(day=b), "days", ko, en, [f"{name} {a} to {b}"])


def finished(now: date, rng: Random) -> Span:
    """A period that is over, of any usual kind."""
    kind = rng.choices(
        ["last_month", "month", "quarter", "year", "half1", "half2", "months", "days", "week"],
        [22, 20, 16, 10, 6, 5, 7, 6, 4],
    )[0]
    if kind == "months":
        last = rng.randint(1, 4)
        span = months(now, last + rng.randint(1, 2), last)
        return span if span.start.year == span.end.year else last_month(now)
    makers = {
        "last_month": lambda: last_month(now),
        "month": lambda: named_month(now, rng.choice([2, 3, 4, 5, 6, now.month + rng.randint(0, 9)])),
        "quarter": lambda: quarter(now, rng.choice([1, 1, 2, 4, 5])),
        "year": lambda: last_year(now),
        "half1": lambda: half(now, first=True) if now.month > 6 else last_year(now),
        "half2": lambda: half(now, first=False),
        "days": lambda: day_range(now, rng),
        "week": lambda: last_week(now),
    }
    return makers[kind]()


def long_finished(now: date, rng: Random) -> Span:
    """A finished quarter, half or year: several whole months."""
    return rng.choice(
        [quarter(now, 1), quarter(now, 2), last_year(now), half(now, first=False), quarter(now, 4)]
    )


def before(span: Span) -> tuple[date, date]:
    """The neighbouring period of the same unit, which must be a month, quarter or year."""
    start = span.start
    if span.unit == "month":
        return month_of(start.year, start.month - 1)
    if span.unit == "quarter":
        return quarter_of(start.year, (start.month - 1) // 3)
    return date(start.year - 1, 1, 1), date(start.year - 1, 12, 31)


def aligned(span: Span, start: date) -> date:
    """The day that is as many months and days into a period from `start` as the end of the span is into its own."""
    months_in = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month
    first, last = month_of(start.year, start.month + months_in)
    return first.replace(day=min(span.end.day, last.day))


def year_before(span: Span) -> tuple[date, date]:
    end = span.end
    last = calendar.monthrange(end.year - 1, end.month)[1]
    whole = span.end.day == calendar.monthrange(end.year, end.month)[1]
    day = last if whole else min(end.day, last)
    return span.start.replace(year=span.start.year - 1), date(end.year - 1, end.month, day)
