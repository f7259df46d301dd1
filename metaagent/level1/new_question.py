"""Tells a question of its own from an answer, in a text given where a turn waits. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from metaagent.language.patterns import regex
from metaagent.level1.planning.decisions import decision_of
from metaagent.level1.query_analyzer.ambiguity import SUBJECT

Reading = Mapping[str, Any]
LONGER = 4
"""Letters beside an option in an answer that picks it: 분석해줘."""
_ASKS = regex(
    r"[?？]\s*$|(?:줘|줘요|주세요|줄래|줄래요|주십시오|주실래요)(?![가-힣])|(?:달라|부탁\S{0,5}|까|까요|나요|가요|뭐야|얼마야|어때)\s*[.!~]*\s*$"
    r"|^\s*(?:please\s|can you\s|could you\s)?(?:what|which|how|who|when|where|why|show|tell|list|give|compare|write|draft"
    r"|create|make|prepare|analy[sz]e|find|check|search|summari[sz]e)\b",
    re.IGNORECASE,
)
"""Words of a text that asks for something."""
_VALUES = frozenset({"period", "money", "quantity", "number"})
"""Types of entities that are values of fields."""
DATA = frozenset({"metric", "period", "location", "person", "organisation", "product", "value", "dimension"})


def chosen(answer: str, question: Mapping[str, Any] | None) -> str:
    """A number picks the option that it stands before, unless it is an option itself."""
    options = [str(option) for option in (question or {}).get("options") or ()]
    if answer not in options and answer.isdecimal() and 1 <= int(answer) <= len(options):
        return options[int(answer) - 1]
    return answer


def fills_form(question: Mapping[str, Any]) -> bool:
    """Tell whether a question asks for the value of a field. What a document is about may be a whole question."""
    if question.get("field") in (None, "", SUBJECT):
        return False
    return question["kind"] == "input" or (
        question["kind"] == "clarification" and not question.get("options")
    )


def may_be_question(text: str, question: Mapping[str, Any]) -> bool:
    """Tell whether the text may be a question: no option, no decision, and the turn waits for one of either, or for a
    value while the text asks for something."""
    options = [str(option) for option in question.get("options") or ()]
    if fills_form(question):
        return text not in options and chosen(text, question) == text and _ASKS.search(text) is not None
    if not options or text in options or chosen(text, question) != text:
        return False
    return question["kind"] == "clarification" or (
        question["kind"] == "approval" and decision_of(text).verdict == "unclear"
    )


def gives_up(text: str, question: Mapping[str, Any]) -> bool:
    """Tell whether a text leaves a question that nobody had understood: it picks none of what was offered."""
    options = [str(option) for option in question.get("options") or ()]
    near = any(option in text and len(text.strip()) <= len(option) + LONGER for option in options)
    return question.get("field") == "intent" and not near


def is_new_question(text: str, question: Mapping[str, Any], reading: Reading, waiting: Reading) -> bool:
    """`reading` is the text's, `waiting` that of the question that waits. A question of its own is clear by itself and
    names at least two kinds of things; it asks in words, or names a figure and something that the other does not, which
    is the figure itself where nobody had understood what is wanted. Where the value of a field is asked for, it names a
    document, a figure of something, or another task than writing."""
    if not may_be_question(text, question):
        return False
    if fills_form(question):
        return _is_request(reading)
    if reading["clarification_needed"]:
        return False
    things = _things(reading)
    if len({kind for kind, _ in things}) < 2:
        return False
    if any(intent.get("rule") != "implied" for intent in reading["parsed_intents"]):
        return True
    figures = {thing for thing in things if thing[0] == "metric"}
    others = things - _things(waiting) - (set() if question.get("field") == "intent" else figures)
    return bool(others) and bool(figures)


def _is_request(reading: Reading) -> bool:
    entities = {str(entity["type"]) for entity in reading["extracted_entities"]}
    if "document_type" in entities:
        return True
    named = {kind for kind, _ in _things(reading)}
    if {"metric", "ambiguous_metric"} & entities and len(entities & {*DATA, "ambiguous_metric"}) > 1:
        return True
    own = [i for i in reading["parsed_intents"] if i.get("rule") != "implied" and i["intent"] != "document"]
    return bool(own) and bool(named or entities - _VALUES)


def _things(reading: Reading) -> set[tuple[str, str]]:
    return {
        (entity["type"], str(entity.get("normalized")))
        for entity in reading["extracted_entities"]
        if entity["type"] in DATA
    }
