"""Tells that a person leaves a question that waits for them, what is kept then, and what a later question leans on. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from metaagent.errors import Text
from metaagent.language.patterns import regex

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

LEFT = "left"
"""The trouble of a step, and the mark of an analysis, whose question the person left."""
_LEAVES = regex(
    r"\s*(?:아니\S{0,2}[\s,]+)?(?:그냥\s?|이제\s?|일단\s?|다\s?)?"
    r"(?:(?:취소|종료|중단|중지|그만)(?:(?:할|하|해|둘|두|둬|뒀|합|시|줘|주|래|게|자|요|세|니|다|겠|습|어|야|께|부탁|드|려|\s){0,9})"
    r"|됐어요?|됐습니다|안\s?할래요?|안\s?할게요?|나가기"
    r"|(?:please\s)?(?:cancel|stop|quit|exit|abort)(?:\s(?:it|this|that|please))?|never\s?mind|forget\s(?:it|about it))"
    r"\s*[.!~…]*\s*",
    re.IGNORECASE,
)
_STOPPED = Text(en="Stopped, as you asked.", ko="요청하신 대로 그만두었습니다.")
_KEPT = Text(
    en="What you told me so far is kept: ask for the same document again to go on.",
    ko="지금까지 알려주신 값은 남겨 두었습니다. 같은 문서를 다시 요청하시면 이어서 작성합니다.",
)
_LEANS_FARTHER = Text(
    en="The question before, “{question}”, was not answered: this goes on from the one before it.",
    ko="바로 앞 질문 “{question}”에는 답하지 못했으므로 그 앞 질문에 이어서 답합니다.",
)
_SHOWN = 60
"""Characters of a question that are shown again."""


def leaves(answer: object) -> bool:
    """Tell whether an answer ends its question: 취소, 그만할래, cancel, never mind."""
    return isinstance(answer, str) and _LEAVES.fullmatch(answer) is not None


def left_text(analysis: Mapping[str, Any], language: str) -> str:
    said = [_STOPPED, *([_KEPT] if analysis.get("slots") else [])]
    return " ".join(each.say(language) for each in said)


def with_unanswered(
    analysis: dict[str, Any], messages: Sequence[AnyMessage], language: str
) -> dict[str, Any]:
    """Say which question a follow-up does not lean on: the one before it was given up, and has no answer to go on from."""
    earlier = messages[-2] if len(messages) > 1 and analysis.get("inherited") else None
    if earlier is None or earlier.type != "human":
        return analysis
    question = " ".join(str(earlier.text).split())
    shown = question if len(question) <= _SHOWN else f"{question[:_SHOWN]}…"
    said = _LEANS_FARTHER.say(language, question=shown)
    return {**analysis, "doubts": [said, *(analysis.get("doubts") or ())]}
