"""The first sentence of an answer: the figures themselves, in full. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from metaagent.language.particles import Language, with_particle
from metaagent.level2.data_analysis.format import (
    format_value,
    full_number,
    is_money,
    unit_label,
    unit_of,
)

Json = dict[str, Any]
SHOWN = 5
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def period_words(start: date, end: date, language: Language) -> str:
    """2026년 10월, Q3 2026, 2026년 상반기; otherwise both days."""
    korean = language == "ko"
    after = end + timedelta(days=1)
    months = (after.year - start.year) * 12 + after.month - start.month
    if start == end:
        return f"{start.year}년 {start.month}월 {start.day}일" if korean else start.isoformat()
    if start.day == 1 and after.day == 1:
        if months == 1:
            return f"{start.year}년 {start.month}월" if korean else f"{_MONTHS[start.month - 1]} {start.year}"
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


def split_words(labels: Sequence[str]) -> str:
    """지역별, 월별; a label that says so already stays: 병원 종별."""
    text = " · ".join(labels)
    return text if text.endswith("별") else f"{text}별"


_BUCKET = re.compile(r"(\d{4})(?:-(?:Q([1-4])|(\d{2})))?")


def bucket_span(name: str) -> tuple[date, date] | None:
    """The first and last day of 2026, 2026-Q3 or 2026-10."""
    match = _BUCKET.fullmatch(name)
    if match is None:
        return None
    year, quarter, month = int(match[1]), match[2], match[3]
    first, months = (int(quarter) * 3 - 2, 3) if quarter else (int(month), 1) if month else (1, 12)
    if not 1 <= first <= 12:
        return None
    after = year * 12 + first - 1 + months
    return date(year, first, 1), date(after // 12, after % 12 + 1, 1) - timedelta(days=1)


def scope_words(filters: Sequence[Mapping[str, Any]], language: Language) -> str:
    """What the figures are limited to: 서울, without 부산."""
    parts: list[str] = []
    for one in filters:
        titles = one.get("titles") or {}
        names = ", ".join(
            str((titles.get(str(label)) or {}).get(language) or label) for label in one.get("labels") or ()
        )
        if not names:
            continue
        if one.get("op") == "not_in":
            parts.append(f"{names} 제외" if language == "ko" else f"without {names}")
        else:
            parts.append(names)
    return " ".join(parts) if language == "ko" else ", ".join(parts)


def exact(value: float | None, column: Mapping[str, Any], language: Language) -> str:
    """All digits, and beside them the short form where the number is long."""
    unit = str(column.get("unit") or "")
    short = format_value(value, unit, language)
    if value is None or unit_of(unit) in ("ratio", "percent") or abs(value) < 1e4:
        return short
    whole = full_number(value, int(column.get("decimals") or 0))
    written = f"{whole}{unit_label(unit, language)}" if language == "ko" else _english(whole, unit)
    return f"{written} ({short})"


def _english(whole: str, unit: str) -> str:
    return f"₩{whole}" if is_money(unit) else f"{whole} {unit_label(unit, 'en')}".strip()


def single(
    columns: Sequence[Mapping[str, Any]], row: Sequence[Any], period: str, scope: str, language: Language
) -> list[str]:
    """One line for each figure of a result without dimensions."""
    lines: list[str] = []
    for column, value in zip(columns, row, strict=True):
        if column["kind"] != "metric":
            continue
        about = " ".join(filter(None, (period, scope, str(column["label"])))) if language == "ko" else ""
        if language == "ko":
            verb = "데이터가 없습니다" if value is None else f"{exact(value, column, language)}입니다"
            lines.append(f"{with_particle(about, '은/는')} {verb}.")
        else:
            place = " ".join(
                filter(None, (f"for {scope}" if scope else "", f"in {period}" if period else ""))
            )
            said = "no data" if value is None else exact(value, column, language)
            lines.append(f"{column['label']} {place}: {said}.".replace("  ", " ").replace(" :", ":"))
    return lines


def several(
    columns: Sequence[Mapping[str, Any]],
    rows: Sequence[Sequence[Any]],
    period: str,
    scope: str,
    language: Language,
    ranked_by: str | None = None,
) -> str:
    """The first rows in one sentence, by the figure that they are ranked by, with their shares; the table has all."""
    names = [i for i, column in enumerate(columns) if column["kind"] in ("dimension", "time")]
    figures = [i for i, column in enumerate(columns) if column["kind"] not in ("dimension", "time")]
    figure = next((i for i in figures if columns[i]["name"] == ranked_by), figures[0] if figures else None)
    share = next((i for i in figures if columns[i]["kind"] == "share"), None)
    labels = " · ".join(str(columns[i]["label"]) for i in names)
    metric = str(columns[figure]["label"]) if figure is not None else ""
    if language == "ko":
        about = " ".join(
            filter(None, (period, scope, f"{split_words([labels])} {metric}" if metric else labels))
        )
    else:
        about = f"{metric} by {labels}" if metric else labels
        about += (f" for {scope}" if scope else "") + (f" in {period}" if period else "")
    items: list[str] = []
    for row in rows[:SHOWN]:
        name = " ".join("–" if row[i] is None else str(row[i]) for i in names)
        said = "" if figure is None else format_value(row[figure], columns[figure].get("unit"), language)
        part = "" if share in (None, figure) else f" ({format_value(row[share], 'ratio', language)})"
        items.append(f"{name} {said}{part}".rstrip())
    more = len(rows) - len(items)
    rest = "" if more <= 0 else f" 외 {more}건" if language == "ko" else f" and {more} more"
    return f"{about}: {', '.join(items)}{rest}."


NOTHING = {
    "ko": "{about} 조건에 맞는 데이터가 없습니다.",
    "en": "No data matches {about}.",
}


def nothing(period: str, scope: str, language: Language) -> str:
    about = (
        " ".join(filter(None, (period, scope)))
        if language == "ko"
        else ", ".join(filter(None, (scope, period)))
    )
    return NOTHING[language].format(about=about or ("이" if language == "ko" else "the question"))
