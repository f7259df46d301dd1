"""A question of its own is told from an answer to the question that waits."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level1.new_question import is_new_question

ASKED = {"kind": "clarification", "options": ["매출", "수량"]}
PLAN = {"kind": "approval", "options": ["approve", "reject"]}
NOTHING: dict[str, Any] = {"extracted_entities": []}


def reading(*types: str, rule: str = "one_word") -> dict[str, Any]:
    entities = [{"type": name, "normalized": name} for name in types]
    intents = [{"intent": "analysis", "rule": rule}]
    return {"parsed_intents": intents, "extracted_entities": entities, "clarification_needed": False}


WHOLE = reading("period", "metric")


@pytest.mark.parametrize("question", [ASKED, PLAN])
def test_a_whole_question_is_new(question: dict[str, Any]):
    assert is_new_question("지난달 매출 분석해줘", question, WHOLE, NOTHING)


def test_options_and_decisions_are_answers():
    for answer in ("2", "매출"):
        assert not is_new_question(answer, ASKED, WHOLE, NOTHING)
    assert not is_new_question("승인", PLAN, WHOLE, NOTHING)


def test_one_thing_alone_is_an_answer():
    assert not is_new_question("수량 기준으로", ASKED, reading("metric", rule="implied"), NOTHING)
    assert not is_new_question("매출로 보여줘", ASKED, reading("metric"), NOTHING)


def test_without_a_verb_it_must_name_something_else():
    bare = reading("metric", "location", rule="implied")
    assert is_new_question("서울 매출", ASKED, bare, NOTHING)
    assert not is_new_question("서울 매출", ASKED, bare, reading("location"))


def test_free_text_and_unclear_questions_are_answers():
    assert not is_new_question("지난달 매출 분석해줘", {"kind": "input"}, WHOLE, NOTHING)
    assert not is_new_question("실적 분석해줘", ASKED, {**WHOLE, "clarification_needed": True}, NOTHING)
