"""Requests for slides, which no agent makes. Pure."""

from __future__ import annotations

from metaagent.language.patterns import regex

_DECK = r"(?:ppt|pptx|powerpoint|피피티|파워\s?포인트|슬라이드|발표\s?자료)"
_DECK_EN = r"(?:ppt|pptx|powerpoint(?:\spresentation)?|slides|slide deck|deck)"
_ASKED = regex(
    rf"{_DECK}(?:\s?(?:파일|형식|버전))?(?:으로도|로도|으로|로|를|을|도|은|는)?\s?(?:좀\s?|하나\s?|같이\s?)?"
    r"(?:만들|작성|뽑|정리|변환|바꿔|바꾸|보여|생성|준비|부탁|필요|줘|주세요|해\s?(?:줘|주)|받)"
    rf"|\b(?:make|create|prepare|build|generate|give|send|need|want|get|turn|put|write|draft|as|into)\b[^.;\n]{{0,60}}\b{_DECK_EN}\b"
)


def asks_for_slides(text: str) -> bool:
    """Say whether a text wants slides to be made: 매출을 PPT로 만들어줘, turn it into slides."""
    return _ASKED.search(text.lower()) is not None
