"""Words that agents declare, as whole words of a text: 메모 in 메모해줘 and 메모로, not in 메모리."""

from __future__ import annotations

import re
from functools import lru_cache

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests.optional_parts import Span
from metaagent.level1.query_analyzer.words.particles import is_ending

_BEHIND = regex(
    "하|해|했|한|할|합|되|된|돼|됐|될|시키|시켜|좀|줘|주세|주시|봐|보여|보내|알려|만들|남기|남겨|적어|적고|써|쓰|그려|찾아"
    "|부탁|확인|조회|검색|작성|등록|예약|계산|정리|정보|예보|현황|내역|목록|결과|가능|기능|관리|서비스"
)
"""Verbs and nouns that are written behind such a word without a space."""
_REST = regex(r"[가-힣]*")


def ends(text: str, end: int) -> bool:
    """Tell whether a Korean word may end here: at the end, before particles, or before a verb that goes with it."""
    match = _REST.match(text, end)
    rest = match[0] if match else ""
    return is_ending(rest) or _BEHIND.match(rest) is not None


@lru_cache(maxsize=10_000)
def latin(word: str) -> re.Pattern[str]:
    """A word and its plain inflections: analyze, analyzes, analyzed, analyzing."""
    escaped = re.escape(word).replace(r"\ ", r"\s+")
    if " " not in word and word.endswith("e") and len(word) > 3:
        escaped = f"{escaped[:-1]}(?:e|es|ed|ing)"
    elif " " not in word and len(word) > 3:
        escaped = f"{escaped}(?:s|es|ed|ing)?"
    return re.compile(rf"(?<![a-z0-9]){escaped}(?![a-z0-9])")


@lru_cache(maxsize=10_000)
def _korean(word: str) -> re.Pattern[str]:
    """It begins a word, or stands behind another of two syllables or more: 서울날씨."""
    escaped = re.escape(word).replace(r"\ ", r"\s?")
    return re.compile(rf"(?:(?<![가-힣a-z0-9])|(?<=[가-힣]{{2}})){escaped}")


def places(word: str, text: str) -> list[Span]:
    """Find where a declared word stands in a text of small letters."""
    if word.isascii():
        return [match.span() for match in latin(word).finditer(text)]
    return [match.span() for match in _korean(word).finditer(text) if ends(text, match.end())]
