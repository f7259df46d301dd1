"""Numbers as people write them: digits, Sino-Korean and native Korean numerals, English words."""

from __future__ import annotations

import math
import re

from metaagent.language.patterns import regex

SINO = {
    "영": 0,
    "공": 0,
    "일": 1,
    "이": 2,
    "삼": 3,
    "사": 4,
    "오": 5,
    "육": 6,
    "륙": 6,
    "칠": 7,
    "팔": 8,
    "구": 9,
}
SMALL = {"십": 10, "백": 100, "천": 1000}
LARGE = {"만": 10**4, "억": 10**8, "조": 10**12}
_NATIVE_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "넷": 4, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_NATIVE_TENS = {
    "열": 10, "스물": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90,
}  # fmt: skip
NATIVE = {
    **_NATIVE_ONES, **_NATIVE_TENS, "석": 3, "넉": 4, "스무": 20,
    **{ten + one: tens + ones for ten, tens in _NATIVE_TENS.items() for one, ones in _NATIVE_ONES.items()},
}  # fmt: skip
_ENGLISH_ONES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}  # fmt: skip
_ENGLISH_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
ENGLISH_COUNTS = {
    **_ENGLISH_ONES, **_ENGLISH_TENS, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    **{f"{ten}-{one}": tens + ones for ten, tens in _ENGLISH_TENS.items() for one, ones in _ENGLISH_ONES.items()},
}  # fmt: skip
"""Words that can be nothing but a count."""
ENGLISH = {
    **ENGLISH_COUNTS, "a": 1, "an": 1, "hundred": 100, "couple": 2, "couple of": 2, "a couple of": 2,
}  # fmt: skip

NUMERAL = r"(?:\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,6})?|\d{1,18}(?:\.\d{1,6})?)"
"""Digits, with thousands separators or a decimal point; bounded, so that no run of digits costs more than its length."""
NATIVE_WORDS = "|".join(sorted(NATIVE, key=len, reverse=True))
ENGLISH_WORDS = "|".join(sorted(ENGLISH, key=len, reverse=True))

_TOKEN = regex(rf"({NUMERAL})|([영공일이삼사오육륙칠팔구])|([십백천])|([만억조])|\s+")


def plain(value: float) -> int | float:
    """An integer where the number is one: money is exact."""
    if not math.isfinite(value):
        return 0
    rounded = round(value)
    return rounded if abs(value - rounded) < 1e-6 else round(value, 6)


def _step(
    state: tuple[float, float, float | None], token: re.Match[str]
) -> tuple[float, float, float | None]:
    total, section, pending = state
    digits, sino, small, large = token.groups()
    if digits:
        return total, section, float(digits.replace(",", ""))
    if sino:
        return total, section, (pending or 0) * 10 + SINO[sino]
    if small:
        return total, section + (1 if pending is None else pending) * SMALL[small], None
    if large:
        amount = section + (pending or 0)
        return total + (amount or 1) * LARGE[large], 0.0, None
    return state


def korean_number(text: str) -> float | None:
    """1억 2천만 → 120000000, 2.5백만 → 2500000, 오백만 → 5000000; None where it is no number."""
    state: tuple[float, float, float | None] = (0.0, 0.0, None)
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        state = _step(state, token)
        at = token.end()
    total, section, pending = state
    return total + section + (pending or 0) if text.strip() else None


def count_word(text: str) -> int | None:
    """3, 세, 삼, 열두, three → the count."""
    word = " ".join(text.split())
    if word in NATIVE:
        return NATIVE[word]
    if word in ENGLISH:
        return ENGLISH[word]
    found = korean_number(word) if word else None
    return int(found) if found is not None and found < 10**6 else None
