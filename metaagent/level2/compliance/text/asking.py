"""The matter of a question: the deed ('의사에게 20만원 식사를 대접하면 위반이야?' asks about the meal) or a quoted text. Pure."""

from __future__ import annotations

import re

from metaagent.level2.compliance.text.assertions import QUOTES

LEAST_WORDS = 4
"""Words of a quotation that is a text of its own; a shorter one names something."""
_RULES = r"(?:(?:사내|내부|회사|우리)\s*)?(?:규정|규칙|내규|지침|법|법률|규약|한도)?(?:상|에|을|를|이|은)?\s*"
_TAIL_KO = re.compile(
    rf"(?P<link>면|으?면|[은는]데|[은는]\s?(?:게|건|것[은이]?|거)|게|건|것[은이]|거)?\s*(?:혹시\s*)?{_RULES}"
    r"(?:위반|위배|저촉|어긋|불법|문제|안\s?되|안\s?돼|되나|되는|될까|됩니까|돼|괜찮|가능|허용|걸리)[^.!?\n]*[?!.]*\s*\Z"
)
_HEAD_EN = re.compile(
    r"\A\s*(?:(?:is|would|will) (?:it|this|that) (?:be )?(?:\w+ ){0,2}?"
    r"(?:against (?:the |our |any )?(?:rules?|law|policy|code)|(?:a |any )?(?:violation|breach)(?: of (?:the |our )?\w+)?|"
    r"allowed|permitted|ok(?:ay)?|all right|fine|legal|illegal)\s*(?:to|if|for us to)?|"
    r"(?:does|would|will|do) (?:it|this|that) (?:violate|breach|break)\b[^,:?]*[,:]?)\s*",
    re.IGNORECASE,
)
_MAY_EN = re.compile(
    r"\A\s*(?:(?:may|can|could|shall|should|might) (?=(?:we|i)\b)|(?:are we|am i) (?:allowed|permitted|free) to )",
    re.IGNORECASE,
)
"""Asks for leave: may we give a gift? The deed is that we give it."""
_TAIL_EN = re.compile(
    r"[\s,;:.–-]+(?:(?:and |so )?(?:is|would|does|will) (?:it|this|that)\b[^?]*|(?:violate|breach|break|against)\s[^?]*)\?\s*\Z",
    re.IGNORECASE,
)


def deed_of(question: str) -> str:
    """The question without the words that ask for a judgement; the whole where nothing else would be left."""
    told = _TAIL_KO.sub(lambda match: match["link"] or "", question)
    told = _TAIL_EN.sub("", _HEAD_EN.sub("", _MAY_EN.sub("", told)))
    return told if any(char.isalnum() for char in told) else question


def quoted_texts(question: str) -> tuple[list[str], str]:
    """The texts that a question gives in quotes, without their marks, and the question without them."""
    found = [m for m in QUOTES.finditer(question) if len(m.group().split()) >= LEAST_WORDS]
    rest = question
    for m in reversed(found):
        rest = f"{rest[: m.start()]} {rest[m.end() :]}"
    return [m.group()[1:-1].strip() for m in found], rest
