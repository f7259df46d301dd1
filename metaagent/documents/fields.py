"""Values of fields: read from what a person says, checked against the template, and written in one style."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Any

from metaagent.documents.model import clean
from metaagent.documents.templates import FieldSpec
from metaagent.errors import Text
from metaagent.language import amounts
from metaagent.language.days import days_in
from metaagent.language.particles import Language

LONGEST = 4_000
"""Characters of a text that a person gives for one field."""
LARGEST = 10**15

_NOT_READ = Text(
    en="'{answer}' could not be read as {wanted}.", ko="'{answer}'을(를) {wanted}(으)로 읽을 수 없습니다."
)
_OUTSIDE = Text(
    en="{value} is outside the allowed range {low} to {high}.",
    ko="{value}은(는) 허용 범위 {low}~{high}을(를) 벗어납니다.",
)
_WANTED = {
    "date": Text(en="a date, such as 2025-03-05", ko="날짜(예: 2025-03-05)"),
    "moment": Text(en="a date, such as 2025-03-05 14:30", ko="날짜(예: 2025-03-05 14:30)"),
    "integer": Text(en="a whole number", ko="정수"),
    "number": Text(en="a number", ko="숫자"),
    "money": Text(en="an amount, such as 3,000,000", ko="금액(예: 300만 원)"),
    "choice": Text(en="one of the options", ko="보기 중 하나"),
    "list": Text(en="a list", ko="목록"),
    "text": Text(en="text", ko="글"),
    "time": Text(en="a time, such as 14:30", ko="시각(예: 14:30)"),
}
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_SCALES = {"천": 10**3, "만": 10**4, "억": 10**8, "조": 10**12, "k": 10**3, "thousand": 10**3, "m": 10**6,
           "million": 10**6, "b": 10**9, "billion": 10**9}  # fmt: skip
_AMOUNT = re.compile(
    r"(-?\d[\d,]{0,20}(?:\.\d{1,6})?)\s*(천만|백만|십만|천|만|억|조|thousand|million|billion|[kmb](?![a-z]))?",
    re.IGNORECASE,
)
_TENS = {"천만": 10**7, "백만": 10**6, "십만": 10**5}


@dataclass(frozen=True)
class Value:
    """A value and where it is from: question, answer, artifact, person, memory or computed."""

    value: Any
    source: str


@dataclass(frozen=True)
class Unfit:
    """An answer that cannot be the field's value, with the reason."""

    reason: str


def read_value(spec: FieldSpec, said: Any, today: date, language: Language) -> Any | Unfit:
    """A value of the field's type within its range, or Unfit."""
    value = _read(spec, said, today)
    if value is None or value == "" or value == []:
        shown = clean(str(said))[:80]
        return Unfit(_NOT_READ.say(language, answer=shown, wanted=_WANTED[spec.type].say(language)))
    if spec.range and isinstance(value, int | float) and not spec.range[0] <= value <= spec.range[1]:
        low, high = (show(each, spec, language) for each in spec.range)
        return Unfit(_OUTSIDE.say(language, value=show(value, spec, language), low=low, high=high))
    return value


def _read(spec: FieldSpec, said: Any, today: date) -> Any:
    if spec.type == "list":
        items = said if isinstance(said, list) else re.split(r"[\n;,、·]+", str(said))
        return [clean(str(each)).strip() for each in items if str(each).strip()][:200]
    text = clean(str(said)).strip()
    if spec.type == "date":
        return read_date(text, today, past=spec.past)
    if spec.type == "moment":
        return read_moment(text, today, past=spec.past)
    if spec.type == "time":
        return read_time(text)
    if spec.type in ("integer", "number", "money"):
        return _read_number(spec, said, text)
    if spec.type == "choice":
        return next(
            (
                name
                for name, shown in spec.options.items()
                if text and _names(text, name, shown.ko, shown.en, *spec.also.get(name, ()))
            ),
            None,
        )
    return text[:LONGEST]


def _names(text: str, *names: str) -> bool:
    said = "".join(text.lower().split())
    return any("".join(name.lower().split()) in said for name in names if name)


def _read_number(spec: FieldSpec, said: Any, text: str) -> int | float | None:
    if isinstance(said, int | float) and not isinstance(said, bool):
        value: float | None = said
    else:
        value = None if _in_other_units(spec, text) else read_amount(text)
    if value is None or not abs(value) < LARGEST:
        return None
    if spec.type == "number":
        return value
    return int(value) if float(value).is_integer() else None


_MONEY = re.compile(
    r"\d[\d,.]*\s?[십백천만억조]*\s?원|[₩￦$€]\s?\d|\b(?:won|krw|usd|dollars?)\b", re.IGNORECASE
)
_COUNT = re.compile(
    r"\d\s?(?:명|분|건|개|회|번|곳|박|일|시|월|people|persons?|attendees|times)(?![가-힣A-Za-z])"
)


def _in_other_units(spec: FieldSpec, text: str) -> bool:
    """An amount of money is no count, and a count is no amount."""
    if spec.type == "money":
        return _COUNT.search(text) is not None and _MONEY.search(text) is None
    return _MONEY.search(text) is not None


def read_date(text: str, today: date, *, past: bool = False) -> str | None:
    """A day in ISO form; one that is not told fully is the next one that comes, or the last one that was."""
    found = days_in(text, today, ahead=not past)
    return found[0].day.isoformat() if found else None


def read_moment(text: str, today: date, *, past: bool = False) -> str | None:
    """A day, with its time where there is one: 2026-11-20T15:00."""
    day, time = read_date(text, today, past=past), read_time(text)
    return f"{day}T{time}" if day and time else day


_TIME = re.compile(
    r"(?:(오전|오후|저녁|밤|아침|낮|새벽)\s*)?(?<![\d:])(\d{1,2})(?:\s*시(?!간)(?:\s*(\d{1,2})\s*분|\s*(반))?|(?::|\.(?=\d{2}\s?[ap]\.?m))(\d{2})(?!\d))\s*(am|pm|a\.m\.|p\.m\.)?"
    r"|(?<!\d)(\d{1,2})\s*(am|pm|a\.m\.|p\.m\.)(?![a-z])|\b(noon)\b|(정오)",
    re.IGNORECASE,
)
_LATE = ("오후", "저녁", "밤", "낮")


def find_time(text: str) -> re.Match[str] | None:
    """The first time of day in a text: 18시 30분, 오후 3시 반, 14:30, 2 pm."""
    return next((found for found in _TIME.finditer(text) if _time_of(found) is not None), None)


def read_time(text: str) -> str | None:
    """A time of day as 18:30."""
    found = find_time(text)
    return None if found is None else _time_of(found)


def _time_of(found: re.Match[str]) -> str | None:
    if found[9] or found[10]:
        return "12:00"
    hour = int(found[2] or found[7])
    minute = 30 if found[4] else int(found[3] or found[5] or 0)
    half = (found[6] or found[8] or "").lower().replace(".", "")
    if (found[1] in _LATE or half == "pm") and hour < 12:
        hour += 12
    elif not found[1] and not half and found[5] is None and 1 <= hour <= 6:
        hour += 12  # nobody meets at three in the morning: 3시 is 15:00
    elif (half == "am" or found[1] == "오전") and hour == 12:
        hour = 0
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def read_amount(text: str) -> float | None:
    """The first number of a text: 300만원, 1억 2천만 원, 3,000,000, 1.2 million."""
    total: float | None = None
    end = 0
    for found in _AMOUNT.finditer(text):
        if total is not None and text[end : found.start()].strip():
            break
        word = (found[2] or "").lower()
        scale = _TENS.get(word) or _SCALES.get(word, 1)
        total = (total or 0) + float(found[1].replace(",", "")) * scale
        end = found.end()
        if scale == 1:
            break
    if total is None:
        # The first number that is written as a word: 스물다섯 명, 사만 원, twenty.
        values = (each.value for each in amounts.numbers(text.lower()))
        return next((value for value in values if isinstance(value, int | float)), None)
    return int(total) if total.is_integer() else total


def show(value: Any, spec: FieldSpec, language: Language) -> str:
    """A value as documents write it."""
    if spec.type == "date":
        return show_date(str(value), language)
    if spec.type == "moment":
        return show_moment(str(value), language)
    if spec.type == "money":
        return f"{value:,.0f}원" if language == "ko" else f"KRW {value:,.0f}"
    if spec.type in ("integer", "number") and isinstance(value, int | float):
        digits = f"{value:,}" if float(value).is_integer() is False else f"{int(value):,}"
        unit = spec.units[0] if spec.units and language == "ko" else ""
        return digits + unit
    if spec.type == "choice" and value in spec.options:
        return spec.options[value].say(language)
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    return clean(str(value))


_EN_MONTHS = tuple(name.title() for name in _MONTHS)


def show_date(text: str, language: Language) -> str:
    """2025년 1월 10일; 10 January 2025. Anything that is no day stays as it is."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return clean(text)
    return (
        f"{day.year}년 {day.month}월 {day.day}일"
        if language == "ko"
        else f"{day.day} {_EN_MONTHS[day.month - 1]} {day.year}"
    )


def show_moment(text: str, language: Language) -> str:
    """2026년 11월 20일 15:00; 20 November 2026, 15:00. A day without a time as a day."""
    day, _, time = text.partition("T")
    shown = show_date(day, language)
    return f"{shown}{' ' if language == 'ko' else ', '}{time}" if time else shown


def show_period(start: str, end: str, language: Language) -> str:
    """A whole month or year by its name, anything else from day to day."""
    try:
        first, last = date.fromisoformat(start), date.fromisoformat(end)
    except ValueError:
        return clean(f"{start} ~ {end}")
    ko = language == "ko"
    if first == last:
        return show_date(start, language)
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return f"{first.year}년" if ko else str(first.year)
    whole = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    if whole and (first.year, first.month) == (last.year, last.month):
        return f"{first.year}년 {first.month}월" if ko else f"{_EN_MONTHS[first.month - 1]} {first.year}"
    if whole and first.year == last.year and (first.month % 3, last.month - first.month) == (1, 2):
        return f"{first.year}년 {last.month // 3}분기" if ko else f"Q{last.month // 3} {first.year}"
    return f"{show_date(start, language)} ~ {show_date(end, language)}"


_KO_DIGITS = "영일이삼사오육칠팔구"
_KO_PLACES = ("", "십", "백", "천")
_KO_GROUPS = ("", "만", "억", "조", "경")
_EN_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_EN_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_EN_GROUPS = ("", "thousand", "million", "billion", "trillion", "quadrillion")


def in_words(amount: int, language: Language) -> str:
    """An amount of won as contracts write it: 금 삼백만원정; three million won only."""
    if language == "ko":
        return f"금 {'마이너스 ' if amount < 0 else ''}{_korean(abs(amount))}원정"
    return f"{'minus ' if amount < 0 else ''}{_english(abs(amount))} won only"


def _korean(number: int) -> str:
    if number == 0:
        return _KO_DIGITS[0]
    made = ""
    for at, group in enumerate(_groups(number, 10_000)):
        digits = [(int(digit), place) for digit, place in zip(reversed(str(group)), _KO_PLACES, strict=False)]
        text = "".join(_KO_DIGITS[digit] + place for digit, place in reversed(digits) if digit)
        made = (text + _KO_GROUPS[at] if text else "") + made
    return made


def _english(number: int) -> str:
    if number == 0:
        return _EN_SMALL[0]
    made: list[str] = []
    for at, group in enumerate(_groups(number, 1_000)):
        if group:
            made.insert(0, f"{_hundreds(group)} {_EN_GROUPS[at]}".strip())
    return " ".join(made)


def _hundreds(number: int) -> str:
    head = f"{_EN_SMALL[number // 100]} hundred" if number >= 100 else ""
    rest = number % 100
    if rest < 20:
        tail = _EN_SMALL[rest] if rest else ""
    else:
        tail = _EN_TENS[rest // 10] + (f"-{_EN_SMALL[rest % 10]}" if rest % 10 else "")
    return " ".join(part for part in (head, tail) if part)


def _groups(number: int, size: int) -> list[int]:
    made: list[int] = []
    while number:
        number, group = divmod(number, size)
        made.append(group)
    return made


def computed(function: str, given: list[Any], today: date | None, language: Language) -> Any:
    """The value of a computed field, None where something that it needs is missing."""
    if function == "today":
        return None if today is None else today.isoformat()
    if any(not isinstance(each, int | float) or isinstance(each, bool) for each in given):
        return None
    if function == "words":
        return in_words(int(given[0]), language)
    first, second = given
    if function == "per":
        return None if second == 0 else _plain(first / second)
    return _plain({"sum": first + second, "difference": first - second, "product": first * second}[function])


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else round(value, 2)
