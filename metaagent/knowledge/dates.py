"""Dates between which a document says that it is valid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

_DATE = r"(\d{4})\s?[-./년]\s?(\d{1,2})\s?[-./월]\s?(\d{1,2})\s?[일.]?"
_FROM_NAMES = ("시행일자", "시행일", "valid_from", "effective", "effective_from", "effective_date")
_TO_NAMES = ("유효기간 만료일", "만료일", "폐지일", "valid_to", "effective_to", "expires")
_PERIOD = re.compile(
    rf"(?:유효\s?기간|적용\s?기간|시행\s?기간|valid(?:ity)?(?: period)?)\s?[:：]?\s{{0,2}}{_DATE}"
    rf"\s?(?:~|∼|〜|–|-|부터|to|until)\s?{_DATE}",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"(?:시행\s?일자?|시행|발효일|effective(?: date| from| as of)?|valid from)\s?[:：]?\s{{0,2}}{_DATE}",
    re.IGNORECASE,
)
_STARTS = re.compile(rf"{_DATE}\s?부터\s?(?:시행|적용)")
_TO = re.compile(
    rf"(?:만료일|폐지일|valid (?:to|until)|expires(?: on)?)\s?[:：]?\s{{0,2}}{_DATE}", re.IGNORECASE
)
_TOP = 3_000
_BOTTOM = 1_500


def validity(front: Mapping[str, Any], top: str, end: str) -> tuple[str | None, str | None]:
    """The first and the last day as ISO dates: from the front matter, or from labelled dates at the top or the end.

    The end of a text counts only in words such as `2026년 1월 1일부터 시행한다`: dates in the middle tell of other things.
    """
    first, last = _named(front, _FROM_NAMES), _named(front, _TO_NAMES)
    top, end = top[:_TOP], end[-_BOTTOM:]
    if period := _PERIOD.search(top):
        first, last = first or _iso(*period.groups()[:3]), last or _iso(*period.groups()[3:])
    if first is None:
        found = _FROM.search(top) or _STARTS.search(top) or _STARTS.search(end)
        first = _iso(*found.groups()) if found else None
    if last is None:
        found = _TO.search(top)
        last = _iso(*found.groups()) if found else None
    return first, last


def _named(front: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    for name in names:
        value = front.get(name)
        if isinstance(value, datetime):
            return value.date().isoformat()
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, str) and (found := re.match(_DATE, value.strip())):
            return _iso(*found.groups())
    return None


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
