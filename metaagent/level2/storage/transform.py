"""Values as a column takes them: dates, money, units, codes and yes or no. What could mean two things is doubtful."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

Order = Literal["dmy", "mdy"]


class Doubtful(ValueError):
    """The value cannot be taken, or could mean two things."""


_TIMES = {"십": 10, "백": 100, "천": 1_000, "만": 10**4, "억": 10**8, "조": 10**12}
_UNITS = {
    "천원": 1_000, "만원": 10**4, "십만원": 10**5, "백만원": 10**6, "천만원": 10**7, "억원": 10**8, "원": 1, "krw": 1, "won": 1,
    "thousand": 1_000, "k": 1_000, "million": 10**6, "m": 10**6, "krw thousand": 1_000, "krw million": 10**6,
    "%": Decimal("0.01"), "percent": Decimal("0.01"), "건": 1, "개": 1, "명": 1, "회": 1, "분": 1, "min": 1, "minutes": 1,
    "시간": 60, "hours": 60, "h": 60, "people": 1, "units": 1, "초": 1, "sec": 1, "seconds": 1,
}  # fmt: skip
"""Times the header's unit. Hours count in minutes: only a column of minutes takes them."""
TIME_UNITS = frozenset({"시간", "hours", "h"})
_CURRENCIES = {
    "₩": "원",
    "￦": "원",
    "원": "원",
    "krw": "원",
    "won": "원",
    "$": "$",
    "usd": "$",
    "€": "€",
    "eur": "€",
    "¥": "¥",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YES = frozenset({"y", "yes", "true", "t", "1", "예", "네", "o", "참", "유", "있음"})
_NO = frozenset({"n", "no", "false", "f", "0", "아니오", "아니요", "x", "거짓", "무", "없음"})
_YMD = re.compile(r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})\s*일?\.?")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_NAMED = re.compile(r"(\d{1,2})\s+([A-Za-z]{3,9})\.?,?\s+(\d{4})")
_NAMED_FIRST = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})")
_EITHER = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{4})")
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_HEADER_UNIT = re.compile(r"[(\[（]\s*(?:단위\s*[:：]\s*)?([^()\[\]（）]+?)\s*[)\]）]\s*$")


@dataclass(frozen=True)
class Header:
    """A column's heading without its unit: 금액(천원) is 금액, times 1,000."""

    name: str
    unit: str = ""
    times: Decimal = Decimal(1)


def header(text: str) -> Header:
    text = unicodedata.normalize("NFKC", text).strip()
    found = _HEADER_UNIT.search(text)
    unit = found[1].strip().lower() if found else ""
    if found is None or unit not in _UNITS:
        return Header(text)
    return Header(text[: found.start()].strip(), unit, Decimal(_UNITS[unit]))


def blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in ("", "-", "N/A", "n/a", "null"))


def date_order(values: Sequence[Any]) -> Order | None:
    """How the column writes 03/04/2026, where another of its values tells; None where none does or they disagree."""
    found: set[Order] = set()
    for value in values:
        parts = _EITHER.fullmatch(str(value).strip())
        if parts is not None:
            first, second = int(parts[1]), int(parts[2])
            found |= {"dmy"} if first > 12 >= second else {"mdy"} if second > 12 >= first else set[Order]()
    return found.pop() if len(found) == 1 else None


def to_date(value: Any, order: Order | None) -> str:
    text = unicodedata.normalize("NFKC", str(value)).strip()
    if re.match(r"\d{4}-\d{2}-\d{2}[T ]", text):
        moment = _moment(text)
        if moment.time() != moment.min.time():
            raise Doubtful(text)
        return moment.date().isoformat()
    if parts := _YMD.fullmatch(text) or _COMPACT.fullmatch(text):
        return _day(int(parts[1]), int(parts[2]), int(parts[3]), text)
    if parts := _NAMED.fullmatch(text):
        return _day(int(parts[3]), _month(parts[2], text), int(parts[1]), text)
    if parts := _NAMED_FIRST.fullmatch(text):
        return _day(int(parts[3]), _month(parts[1], text), int(parts[2]), text)
    if parts := _EITHER.fullmatch(text):
        first, second, year = int(parts[1]), int(parts[2]), int(parts[3])
        if first == second:
            return _day(year, first, second, text)
        if order is None:
            raise Doubtful(text)
        day, month = (first, second) if order == "dmy" else (second, first)
        return _day(year, month, day, text)
    raise Doubtful(text)


def to_datetime(value: Any, order: Order | None) -> str:
    text = str(value).strip()
    if re.match(r"\d{4}-\d{2}-\d{2}[T ]", text):
        return _moment(text).isoformat(" ")
    day, _, clock = text.rpartition(" ")
    if day and re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?", clock):
        return _moment(f"{to_date(day, order)} {clock.zfill(5)}").isoformat(" ")
    return f"{to_date(text, order)} 00:00:00"


def to_number(value: Any, times: Decimal = Decimal(1), currency: str = "") -> int | float:
    if isinstance(value, bool):
        raise Doubtful(str(value))
    if isinstance(value, int | float):
        return _plain(Decimal(str(value)) * times)
    text = unicodedata.normalize("NFKC", str(value)).strip().lower().replace(" ", "")
    negative = text.startswith("(") and text.endswith(")")
    text = text.strip("()") if negative else text
    for sign, money in _CURRENCIES.items():
        if text.startswith(sign) or text.endswith(sign):
            if currency and money != currency:
                raise Doubtful(text)
            text = text.removeprefix(sign).removesuffix(sign)
    if text.endswith("%"):
        text, times = text[:-1], times * Decimal("0.01")
    number = Decimal(text.replace(",", "")) if _NUMBER.fullmatch(text) else _korean(text)
    return _plain((-number if negative else number) * times)


def to_boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in _YES or text in _NO:
        return text in _YES
    raise Doubtful(text)


def to_code(value: Any, codes: Mapping[str, Sequence[str]]) -> str:
    """The code itself, or the one that a word of this column stands for."""
    text = str(value).strip()
    if text in codes:
        return text
    folded = text.casefold()
    found = {code for code, words in codes.items() if folded in {word.casefold() for word in (code, *words)}}
    if len(found) != 1:
        raise Doubtful(text)
    return found.pop()


def to_text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else str(value)


def _korean(text: str) -> Decimal:
    """9만9천, 1.2억, 3천5백만."""
    total = group = Decimal(0)
    rest = text
    if not re.fullmatch(r"(?:\d[\d,.]*[십백천만억조]+)+\d*", text):
        raise Doubtful(text)
    for digits, scales in re.findall(r"(\d[\d,.]*)([십백천만억조]*)", rest):
        try:
            number = Decimal(digits.replace(",", ""))
        except InvalidOperation:
            raise Doubtful(text) from None
        for scale in scales:
            if _TIMES[scale] >= 10**4:
                group, number = group + number, Decimal(0)
                total, group = total + group * _TIMES[scale], Decimal(0)
            else:
                number *= _TIMES[scale]
        group += number
    return total + group


def _plain(number: Decimal) -> int | float:
    if not number.is_finite():
        raise Doubtful(str(number))
    return int(number) if number == number.to_integral_value() else float(number)


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise Doubtful(text) from None


def _month(name: str, text: str) -> int:
    short = name[:3].lower()
    if short not in _MONTHS:
        raise Doubtful(text)
    return _MONTHS.index(short) + 1


def _day(year: int, month: int, day: int, text: str) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        raise Doubtful(text) from None
