"""A question of its own is told from an answer to the question that waits."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level1.dropped_question import leaves
from metaagent.level1.new_question import is_new_question
from tests.support.understanding import ask

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


def test_what_nobody_understood_is_said_anew_with_a_figure():
    wanted = {"kind": "clarification", "field": "intent", "options": ["분석", "저장"]}
    whole, before = reading("metric", "location", rule="implied"), reading("location")
    assert is_new_question("서울 매출은?", wanted, whole, before)
    assert not is_new_question("분석", wanted, whole, before)
    assert not is_new_question("서울은?", wanted, reading("location", rule="implied"), before)


def test_free_text_and_unclear_questions_are_answers():
    assert not is_new_question("지난달 매출 분석해줘", {"kind": "input"}, WHOLE, NOTHING)
    assert not is_new_question("실적 분석해줘", ASKED, {**WHOLE, "clarification_needed": True}, NOTHING)


FIELDS = [
    {"kind": "clarification", "field": "attendees", "options": []},
    {"kind": "input", "field": "place", "options": []},
]


@pytest.mark.parametrize("question", FIELDS)
@pytest.mark.parametrize(
    "text",
    [
        "지난달 서울 매출은?",
        "방문 보고서 작성해줘. 어제 한빛병원 방문",
        "서울대병원 매출 추이 보여줘",
        "식대 한도 규정 찾아줘",
        "Show sales in Seoul last month",
    ],
)
def test_a_whole_request_is_no_value_of_a_field(question: dict[str, Any], text: str):
    assert is_new_question(text, question, ask(text), NOTHING)


@pytest.mark.parametrize("question", FIELDS)
@pytest.mark.parametrize(
    "text",
    ["30명이요", "다음 주 금요일로 해줘", "서울 코엑스로 적어줘", "300만원으로 해주세요", "30명?", "예산은 300만원으로 해줘",
     "지난달 매출 자료를 보고 처방을 늘리기로 하심", "make it 30 people"],
)  # fmt: skip
def test_a_value_is_an_answer_however_it_is_worded(question: dict[str, Any], text: str):
    assert not is_new_question(text, question, ask(text), NOTHING)


def test_a_subject_may_be_a_whole_question():
    asked = {"kind": "clarification", "field": "subject", "options": []}
    text = "지난달 서울 매출 분석해줘"
    assert not is_new_question(text, asked, ask(text), NOTHING)


@pytest.mark.parametrize(
    "text",
    ["취소", "취소해줘", "그만", "그만할래요", "그만둘게", "종료", "exit", "Cancel.", "stop", "never mind"],
)
def test_words_that_leave_a_question(text: str):
    assert leaves(text)


@pytest.mark.parametrize(
    "text", ["30명", "취소된 주문", "그만큼", "예약 취소 안내 세미나", "stop smoking seminar", "종료일"]
)
def test_words_that_do_not_leave_a_question(text: str):
    assert not leaves(text)
