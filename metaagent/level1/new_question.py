"""Tells a question of its own from an answer, in a text given where a turn waits. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metaagent.level1.planning.decisions import decision_of

Reading = Mapping[str, Any]
LONGER = 4
"""Letters beside an option in an answer that picks it: 분석해줘."""
DATA = frozenset({"metric", "period", "location", "person", "organisation", "product", "value", "dimension"})


def chosen(answer: str, question: Mapping[str, Any] | None) -> str:
    """A number picks the option that it stands before, unless it is an option itself."""
    options = [str(option) for option in (question or {}).get("options") or ()]
    if answer not in options and answer.isdecimal() and 1 <= int(answer) <= len(options):
        return options[int(answer) - 1]
    return answer


def may_be_question(text: str, question: Mapping[str, Any]) -> bool:
    """Tell whether the text may be a question: no option, no decision, and the turn waits for one of either."""
    options = [str(option) for option in question.get("options") or ()]
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
    names at least two kinds of things; it asks in words, or names a figure and something that the other does not."""
    if not may_be_question(text, question) or reading["clarification_needed"]:
        return False
    things = _things(reading)
    if len({kind for kind, _ in things}) < 2:
        return False
    if any(intent.get("rule") != "implied" for intent in reading["parsed_intents"]):
        return True
    others = {thing for thing in things - _things(waiting) if thing[0] != "metric"}
    return bool(others) and any(kind == "metric" for kind, _ in things)


def _things(reading: Reading) -> set[tuple[str, str]]:
    return {
        (entity["type"], str(entity.get("normalized")))
        for entity in reading["extracted_entities"]
        if entity["type"] in DATA
    }
