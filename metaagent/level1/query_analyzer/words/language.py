"""Tells the language of a question by the share of its letters."""

from __future__ import annotations

from metaagent.language.patterns import regex

MIXED_SHARE = 0.25
"""Both scripts hold at least this share of the letters: the question is mixed."""


_KOREAN = regex("[가-힣ㄱ-ㆎᄀ-ᇿ]")
_LATIN = regex("[A-Za-z]")
ENOUGH = 20_000
"""Characters that tell the language of any text."""


def _counts(text: str) -> tuple[int, int]:
    text = text[:ENOUGH]
    return len(_KOREAN.findall(text)), len(_LATIN.findall(text))


def detect(text: str) -> str | None:
    """`ko`, `en` or `mixed`; None where there are no letters. A syllable weighs as much as two Latin letters."""
    korean, latin = _counts(text)
    weight = korean * 2 + latin
    if not weight:
        return None
    share = korean * 2 / weight
    if MIXED_SHARE <= share <= 1 - MIXED_SHARE:
        return "mixed"
    return "ko" if share > 0.5 else "en"


def spoken(text: str, fallback: str = "ko") -> str:
    """The language of a text, `ko` or `en`: Korean as soon as a fifth of its letters is Hangul, since Korean sentences
    carry English names and not the reverse. The one rule for questions, answers and commands."""
    korean, latin = _counts(text)
    if not korean + latin:
        return fallback if fallback in ("ko", "en") else "ko"
    return "ko" if korean * 5 >= korean + latin else "en"
