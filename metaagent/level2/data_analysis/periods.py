"""Stretches of time in words, and how much of one a result holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from metaagent.language.particles import Language
from metaagent.language.patterns import regex

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS_KO = "월화수목금토일"


def weekday_name(number: int, language: Language) -> str:
    """1 is Monday, 7 Sunday."""
    return f"{_DAYS_KO[number - 1]}요일" if language == "ko" else DAYS[number - 1]


def period_words(start: date, end: date, language: Language) -> str:
    """2026년 10월, Q3 2026, 2026년 상반기; otherwise both days."""
    korean = language == "ko"
    after = end + timedelta(days=1)
    months = (after.year - start.year) * 12 + after.month - start.month
    if start == end:
        return f"{start.year}년 {start.month}월 {start.day}일" if korean else start.isoformat()
    if start.day == 1 and after.day == 1:
        if months == 1:
            return f"{start.year}년 {start.month}월" if korean else f"{MONTHS[start.month - 1]} {start.year}"
        if months == 3 and start.month % 3 == 1:
            quarter = (start.month + 2) // 3
            return f"{start.year}년 {quarter}분기" if korean else f"Q{quarter} {start.year}"
        if months == 6 and start.month in (1, 7):
            half = 1 if start.month == 1 else 2
            return f"{start.year}년 {('상', '하')[half - 1]}반기" if korean else f"H{half} {start.year}"
        if months == 12 and start.month == 1:
            return f"{start.year}년" if korean else str(start.year)
        first, last = (period_words(*_month(day), language) for day in (start, end))
        return f"{first}~{last}" if korean else f"{first} to {last}"
    return f"{start.isoformat()}~{end.isoformat()}" if korean else f"{start.isoformat()} to {end.isoformat()}"


def _month(day: date) -> tuple[date, date]:
    first = day.replace(day=1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}


def bucket_end(day: date, grain: str) -> date:
    """The last day of the month, quarter, year or week that a day is in; the day itself otherwise."""
    if grain == "week":
        return day + timedelta(days=6 - day.weekday())
    if grain not in _MONTHS_OF:
        return day
    months = _MONTHS_OF[grain]
    last = (day.month - 1) // months * months + months
    return _month(day.replace(month=last, day=1))[1]


def during(period: str) -> str:
    """An English period with its preposition: in October 2026, on 2026-11-17, from 2026-11-01 to 2026-11-17."""
    if _DAY.fullmatch(period):
        return f"on {period}"
    return f"from {period}" if " to " in period else f"in {period}"


_BUCKET = regex(r"(\d{4})(?:-(?:Q([1-4])|(\d{2})))?")
_WEEK = regex(r"(\d{4})-?W(\d{2})")
_DAY = regex(r"\d{4}-\d{2}-\d{2}")


def bucket_span(name: str) -> tuple[date, date] | None:
    """The first and last day of 2026, 2026-Q3, 2026-10, 2026-W41 or 2026-10-05; None for anything else."""
    try:
        if week := _WEEK.fullmatch(name):
            first = date.fromisocalendar(int(week[1]), int(week[2]), 1)
            return first, first + timedelta(days=6)
        if _DAY.fullmatch(name):
            return date.fromisoformat(name), date.fromisoformat(name)
        return _bucket(name)
    except ValueError:
        return None


def _bucket(name: str) -> tuple[date, date] | None:
    match = _BUCKET.fullmatch(name)
    if match is None:
        return None
    year, quarter, month = int(match[1]), match[2], match[3]
    first, months = (int(quarter) * 3 - 2, 3) if quarter else (int(month), 1) if month else (1, 12)
    after = year * 12 + first - 1 + months
    return date(year, first, 1), date(after // 12, after % 12 + 1, 1) - timedelta(days=1)


def bucket_words(name: str, language: Language) -> str:
    """2026년 10월 for 2026-10, Q3 2026 for 2026-Q3; a week by its first day; what is no period stays."""
    span = bucket_span(name)
    if span is None:
        return name
    if _WEEK.fullmatch(name):
        first = period_words(span[0], span[0], language)
        return f"{first} 주" if language == "ko" else f"the week of {first}"
    return period_words(*span, language)


def split_words(labels: Sequence[str]) -> str:
    """지역별, 월별; a label that says so already stays: 병원 종별."""
    text = " · ".join(labels)
    return text if text.endswith("별") else f"{text}별"
