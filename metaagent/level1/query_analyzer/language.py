"""Which language a question is in, by the share of its letters."""

from __future__ import annotations

MIXED_SHARE = 0.25
"""Both scripts hold at least this share of the letters: the question is mixed."""


def _counts(text: str) -> tuple[int, int]:
    korean = sum(1 for char in text if "가" <= char <= "힣" or "ㄱ" <= char <= "ㆎ" or "ᄀ" <= char <= "ᇿ")
    latin = sum(1 for char in text if char.isascii() and char.isalpha())
    return korean, latin


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
    """The language that the person is answered in: `ko` or `en`. Korean grammar around foreign names is Korean."""
    found = detect(text)
    if found is None:
        return fallback if fallback in ("ko", "en") else "ko"
    return "en" if found == "en" else "ko"
