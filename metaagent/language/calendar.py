"""Arithmetic on calendar units: inclusive ranges of days, nothing about words."""

from __future__ import annotations

import calendar as _calendar
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta

UNIT_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12}


@dataclass(frozen=True)
class Range:
    first: date
    last: date

    @property
    def iso(self) -> str:
        return f"{self.first.isoformat()}/{self.last.isoformat()}"

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def ordered(first: date, last: date) -> Range:
    return Range(min(first, last), max(first, last))


def month_end(year: int, month: int) -> int:
    return _calendar.monthrange(year, month)[1]


def add_months(day: date, months: int) -> date:
    """Same day of another month; the month's last day where that day does not exist. Stays within the calendar."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    if year < MINYEAR:
        return date.min
    if year > MAXYEAR:
        return date.max
    return date(year, month, min(day.day, month_end(year, month)))


def add_days(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return date.max if days > 0 else date.min


def unit_range(unit: str, year: int, number: tuple[int, ...] = ()) -> Range | None:
    """The range of a numbered unit: ('quarter', 2024, (3,)), ('day', 2024, (3, 5)); None where it does not exist."""
    if not MINYEAR <= year <= MAXYEAR:
        return None
    if unit == "day":
        month, day = number
        if not 1 <= month <= 12 or not 1 <= day <= month_end(year, month):
            return None
        return Range(date(year, month, day), date(year, month, day))
    months = UNIT_MONTHS[unit]
    index = number[0] if number else 1
    if not 1 <= index <= 12 // months:
        return None
    last = index * months
    return Range(date(year, last - months + 1, 1), date(year, last, month_end(year, last)))


def units_in(span: Range, unit: str) -> float:
    """The units of time in a stretch, a part of one by its days: 10.5 months from January to the 15th of November."""
    total, first = 0.0, span.first
    while first <= span.last:
        own = relative_range(unit, 0, first)
        last = min(own.last, span.last)
        total += ((last - first).days + 1) / own.days
        first = last + timedelta(days=1)
    return total


def relative_range(unit: str, offset: int, today: date) -> Range:
    """The calendar unit `offset` units from the one that holds today; weeks begin on Monday."""
    if unit == "day":
        day = add_days(today, offset)
        return Range(day, day)
    if unit == "week":
        monday = add_days(today, offset * 7 - today.weekday())
        return Range(monday, add_days(monday, 6))
    months = UNIT_MONTHS[unit]
    begun = date(today.year, (today.month - 1) // months * months + 1, 1)
    first = add_months(begun, offset * months)
    last_month = add_months(first, months - 1)
    return Range(first, date(last_month.year, last_month.month, month_end(last_month.year, last_month.month)))


def rolling(unit: str, count: int, today: date) -> Range:
    """The `count` units that end today: three months on 10 January begin on 11 October."""
    count = max(1, min(count, 5000))
    if unit in ("day", "week"):
        return Range(add_days(today, 1 - count * (7 if unit == "week" else 1)), today)
    return Range(min(today, add_days(add_months(today, -count * UNIT_MONTHS[unit]), 1)), today)


def latest_begun(unit: str, number: tuple[int, ...], today: date) -> Range | None:
    """The newest occurrence of a unit without a year whose first day is not in the future."""
    for year in range(today.year, today.year - 9, -1):
        found = unit_range(unit, year, number) if year >= MINYEAR else None
        if found and found.first <= today:
            return found
    return None


def next_unfinished(unit: str, number: tuple[int, ...], today: date) -> Range | None:
    """The soonest occurrence that is not over: what a plan for the future means."""
    for year in range(today.year, today.year + 9):
        found = unit_range(unit, year, number)
        if found and found.last >= today:
            return found
    return None


def shift(base: Range, unit: str) -> Range:
    """The same stretch one unit earlier; a stretch that ends with its month still does."""
    if unit in ("day", "week"):
        step = -7 if unit == "week" else -1
        return Range(add_days(base.first, step), add_days(base.last, step))
    months = -UNIT_MONTHS[unit]
    last = add_months(base.last, months)
    if base.last.day == month_end(base.last.year, base.last.month):
        last = date(last.year, last.month, month_end(last.year, last.month))
    return ordered(add_months(base.first, months), last)


def preceding(base: Range) -> Range:
    """The stretch of the same length just before: whole months move by months, anything else by days."""
    whole = base.first.day == 1 and base.last.day == month_end(base.last.year, base.last.month)
    before = add_days(base.first, -1)
    if whole:
        months = (base.last.year - base.first.year) * 12 + base.last.month - base.first.month + 1
        return ordered(add_months(base.first, -months), before)
    return ordered(add_days(base.first, -base.days), before)


def week_of_month(month: Range, number: int) -> Range | None:
    """Week `number` of a month (-1: the last), Monday to Sunday; week 1 is the one that holds its first Thursday."""
    thursday = add_days(month.first, (3 - month.first.weekday()) % 7)
    weeks: list[Range] = []
    while thursday <= month.last:
        weeks.append(Range(add_days(thursday, -3), add_days(thursday, 3)))
        thursday = add_days(thursday, 7)
    return weeks[number - 1 if number > 0 else number] if -len(weeks) <= number <= len(weeks) else None


def part_of_month(month: Range, part: str) -> Range:
    first, last = month.first, month.last
    if part == "early":
        return Range(first, add_days(first, 9))
    if part == "middle":
        return Range(add_days(first, 10), add_days(first, 19))
    return Range(add_days(first, 20), last)


def grain_of(span: Range) -> str:
    """The calendar unit that a range is, or the largest one that fits well into it."""
    for unit in ("year", "half", "quarter", "month", "week"):
        if relative_range(unit, 0, span.first) == span:
            return unit
    return "day" if span.days == 1 else "range"
