"""Korean particles that fit the last sound of the word before them, whatever it is written with.

A pair is written 'after a consonant/after a vowel': 은/는, 이/가, 을/를, 과/와, 으로/로, 이나/나, 이라/라.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from metaagent.language.patterns import regex

Final: TypeAlias = Literal["none", "consonant", "rieul", "unknown"]
Language: TypeAlias = Literal["ko", "en"]
"""The languages that answers are written in."""

_DIGIT_FINALS: dict[str, Final] = {
    "0": "consonant", "1": "rieul", "2": "none", "3": "consonant", "4": "none",
    "5": "none", "6": "consonant", "7": "rieul", "8": "rieul", "9": "none",
}  # fmt: skip
# 퍼센트, 제곱미터, 도, 앤드, 플러스 end in a vowel; 원 and 달러 are read after ₩ and $.
_SYMBOL_FINALS: dict[str, Final] = dict.fromkeys("%‰㎡°℃&+=", "none")
_MEASURE_FINALS: dict[str, Final] = {
    "kg": "consonant", "mg": "consonant", "g": "consonant", "km": "none", "cm": "none", "mm": "none",
    "m": "none", "l": "none", "ml": "none", "p": "none", "h": "none", "t": "consonant",
}  # fmt: skip
_LETTER_FINALS: dict[str, Final] = {"L": "rieul", "M": "consonant", "N": "consonant", "R": "rieul"}
_DATE = regex(r"\d{4}-\d{2}-\d{2}$")
_NUMBER = regex(r"\d[\d,]*(?:\.\d+)?$")
_MEASURE = regex(r"(?:\d\s*|%)(kg|mg|g|km|cm|mm|m|l|ml|p|h|t)$", re.IGNORECASE)
_MONEY = regex(r"[₩$€¥]\s?[\d,.]+[KMBT]?$")
_MONEY_FINALS: dict[str, Final] = {"₩": "consonant", "$": "none", "€": "none", "¥": "consonant"}
_WORD = regex(r"[A-Za-z]+$")
_BRACKETS = regex(r"\s*(\([^()]*\)|\[[^\[\]]*\])$")
_TRAILING = " \t\"'”’»」』》〉.,!?…·*)]"


def with_particle(word: str, pair: str) -> str:
    return word + particle(word, pair)


def particle(word: str, pair: str) -> str:
    """One of the pair; both, as 은(는), after a sign that nobody can read aloud."""
    closed, opened = pair.split("/")
    final = final_sound(word)
    if final == "unknown":
        return f"({closed[0]}){opened}" if closed.endswith(opened) else f"{closed}({opened})"
    if final == "rieul" and closed == "으로":
        return opened
    return opened if final == "none" else closed


def final_sound(word: str) -> Final:
    """The sound that ends the word when it is read aloud in Korean. A bracketed addition is skipped, as is the rule."""
    core = _BRACKETS.sub("", word).rstrip(_TRAILING) or word.rstrip(_TRAILING)
    if not core:
        return "unknown"
    last = core[-1]
    if "가" <= last <= "힣":
        index = (ord(last) - 0xAC00) % 28
        return "none" if index == 0 else "rieul" if index == 8 else "consonant"
    if match := _MONEY.search(core):
        return _MONEY_FINALS[match[0][0]]
    if match := _MEASURE.search(core):
        return _MEASURE_FINALS[match[1].lower()]
    if _DATE.search(core):
        return "rieul"  # 2026-09-30 is read as a day: 30일
    if match := _NUMBER.search(core):
        digits = match[0].replace(",", "")
        zeros = 0 if "." in digits else len(digits) - len(digits.rstrip("0"))
        if zeros == len(digits) or zeros == 0:
            return _DIGIT_FINALS[digits[-1]]
        # 십 백 천 만 억 경 end in a consonant, 조 does not.
        return "none" if 12 <= zeros < 16 else "consonant"
    if match := _WORD.search(core):
        return _latin_final(match[0])
    return _SYMBOL_FINALS.get(last, "unknown")


def _latin_final(word: str) -> Final:
    if word.isupper() or len(word) == 1:
        return _LETTER_FINALS.get(word[-1].upper(), "none")
    low = word.lower()
    if low.endswith(("l", "lle")) or re.search(r"[^aeiou]le$", low):
        return "rieul"
    if low.endswith(("m", "n", "ng", "me", "ne")) or re.search(r"[^aeiou][aeiou](p|t|k|b|ck|c)$", low):
        return "consonant"
    return "none"


_OPEN_PAIRS = {
    "은(는)": "은/는", "는(은)": "은/는", "이(가)": "이/가", "가(이)": "이/가", "을(를)": "을/를", "를(을)": "을/를",
    "과(와)": "과/와", "와(과)": "과/와", "(으)로": "으로/로", "으로(로)": "으로/로", "(이)나": "이나/나",
    "(이)라": "이라/라", "(이)며": "이며/며", "(이)고": "이고/고", "아(야)": "아/야",
}  # fmt: skip
_OPEN = regex("(" + "|".join(map(re.escape, sorted(_OPEN_PAIRS, key=len, reverse=True))) + ")")


def filled(template: str, params: Mapping[str, object]) -> str:
    """The template with its places filled, and each open particle such as 은(는) chosen by the word before it.

    Only the template's own particles are chosen: a filled-in value is never changed.
    """
    if "(" not in template:
        return template.format_map(params)
    text = ""
    for index, piece in enumerate(_OPEN.split(template)):
        text += particle(text, _OPEN_PAIRS[piece]) if index % 2 else piece.format_map(params)
    return text
