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


_ENGLISH = regex(
    r"(?i)(?<![a-z])(?:what|which|who|whose|when|where|why|how|many|much|did|does|do|is|are|was|were|has|have|had|the|an?|of|in|at|for|by|to|from"
    r"|with|and|last|this|show|list|give|me|our|we|they|their|it|its|that|those|than|more|most|only|please|month|year)(?![a-z])"
)
_NAMES = regex("[가-힣][가-힣0-9]*")
_KOREAN_WORD = regex(
    r"(?:[가-힣]+(?:[은는을를]|에서|에게|으로|까지|부터|처럼|보다)|[가-힣]*(?:줘|요|까|니다|해|야|죠|지|별|중|건|액|수))\Z"
)
FEW = 2


def _is_english_round_names(text: str) -> bool:
    """Tell whether English words make the sentence and the few Korean ones have the form of names: what did 한빛병원 buy?"""
    names = _NAMES.findall(text)
    if len(names) > FEW or any(_KOREAN_WORD.fullmatch(name) for name in names):
        return False
    return len(_ENGLISH.findall(text)) > len(names)


def spoken(text: str, fallback: str = "ko") -> str:
    """The language of a text, `ko` or `en`: Korean as soon as a fifth of its letters is Hangul, since Korean sentences
    carry English names; an English sentence round Korean names is English. The one rule for questions, answers and commands."""
    korean, latin = _counts(text)
    if korean and latin and _is_english_round_names(text[:ENOUGH]):
        return "en"
    if not korean + latin:
        return fallback if fallback in ("ko", "en") else "ko"
    return "ko" if korean * 5 >= korean + latin else "en"
