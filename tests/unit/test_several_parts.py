"""Requests of several parts: each is heard, what nobody can do is named, and a document without a kind is a report on results."""

from __future__ import annotations

import pytest

from tests.support.understanding import ask

SEARCH, DATA, CHECK = "information_retrieval", "data_analysis", "compliance_validation"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "By when must a seminar be reported, how much did we spend in July, and were any of July's expenses over the limits?",
            [SEARCH, DATA, CHECK],
        ),
        (
            "공직자에게 식사는 얼마까지 되나요? 그리고 지난달 비용에 그거 어긴 건 있는지 점검해줘",
            [SEARCH, CHECK],
        ),
        ("By when must receipts be handed in, and what were sales in Seoul last month?", [SEARCH, DATA]),
    ],
)
def test_each_part_of_a_question_is_heard(question: str, wanted: list[str]):
    assert ask(question)["required_capabilities"] == wanted


def test_a_figure_and_a_check_of_other_months_are_not_one():
    reading = ask("What were sales in Seoul in June, and were any of July's expenses over the limits?")
    assert reading["required_capabilities"] != [DATA, CHECK]


def test_what_a_part_points_at_is_not_left_out():
    reading = ask("How should Aerobin Inhaler be stored and how much revenue did it bring in this year?")
    assert reading["required_capabilities"] != [SEARCH, DATA]


@pytest.mark.parametrize(
    ("question", "undone"),
    [
        ("지난달 서울 매출 알려주고 팀장님께 메일로 보내줘", "팀장님께 메일로 보내줘"),
        ("회의실 예약해주고 지난달 서울 매출 알려줘", "회의실 예약해주고"),
        ("Book me a meeting room and show sales in Seoul last month", "Book me a meeting room"),
    ],
)
def test_what_nobody_can_do_is_named_and_the_rest_done(question: str, undone: str):
    reading = ask(question)
    assert reading["required_capabilities"] == [DATA]
    assert len(reading["doubts"]) == 1
    assert undone in reading["doubts"][0]


@pytest.mark.parametrize(
    "question",
    [
        "지난달 서울 매출을 분석해서 문서로 만들어줘",
        "Analyze sales in Seoul last month and write it up",
        "내부 규정을 찾아서 안내문으로 만들어줘",
    ],
)
def test_a_document_of_no_kind_is_a_report_on_results(question: str):
    reading = ask(question)
    assert not reading["clarification_needed"]
    assert reading["resolved"]["document_type"] == "analysis_report"


def test_a_document_of_nothing_is_asked_about():
    assert [each["field"] for each in ask("문서 하나 만들어줘")["ambiguities"]] == ["document_type"]


def test_a_verb_names_no_document():
    found = ask("What must people do who report a breach?")["extracted_entities"]
    assert not any(entity["type"] == "document_type" for entity in found)


def test_a_file_that_was_not_given_is_asked_for():
    reading = ask("compare budget_2027.xlsx with sales of this year")
    assert [each["field"] for each in reading["ambiguities"]] == ["reference"]
    assert "budget_2027.xlsx" in reading["ambiguities"][0]["question"]
    assert not ask("지난달 서울 매출을 sales.xlsx로 보여줘")["clarification_needed"]


def test_a_quotation_takes_no_document_from_its_pronoun():
    made = ({"id": "a-1", "kind": "document", "title": "방문 보고서", "turn": 1},)
    changed = ask('그거 맨 끝에 "문의는 정보보호팀으로 하세요" 추가해줘', artifacts=made)[
        "extracted_entities"
    ]
    assert [each["normalized"] for each in changed if each["type"] == "reference"] == ["a-1"]
    judged = ask('Check this remark against our rules: "gave the doctor two movie tickets"', artifacts=made)
    assert [e["normalized"] for e in judged["extracted_entities"] if e["type"] == "reference"] == [None]


@pytest.mark.parametrize(
    "question",
    [
        "9월 대전 매출 기록으로 남겨둬",
        "3분기 항생제 매출 자료실에 넣어줘",
        "Put last month's Busan sales on file",
        "Keep September's visit count in Daegu on record please",
    ],
)
def test_words_for_keeping_ask_for_storing(question: str):
    assert "storage_decision" in ask(question)["required_capabilities"]


@pytest.mark.parametrize(
    "question",
    [
        'Can I send this to a clinic? "Our tablet cures heart failure for good and has zero side effects."',
        '이 문구 병원에 보내도 될까? "이 약은 부작용이 전혀 없고 판매 1위입니다"',
        'Any problem with the following note: "Dinner with Dr Kim last month, total of 250,000 won for two"',
        "다음 메모에 문제 소지가 있나요: 김 원장님과 골프 라운딩, 40만원 법인카드로 저장",
    ],
)
def test_a_quoted_text_is_judged_and_asks_for_nothing(question: str):
    assert ask(question)["required_capabilities"] == [CHECK]


def test_a_figure_is_looked_up_before_it_is_judged_and_kept():
    reading = ask(
        "Get the total expenses in Daegu in October and, if the rules allow it, keep it as a record."
    )
    assert set(reading["required_capabilities"]) == {DATA, CHECK, "storage_decision"}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (
            "Look up last month's sales in Daegu, write a report and check it",
            "And how much was it in Incheon?",
        ),
        ("지난달 대구 매출로 보고서 작성하고 규정 확인해줘", "인천은 얼마였어?"),
    ],
)
def test_a_question_about_figures_repeats_no_document(first: str, then: str):
    before = ask(first)
    assert "document_generation" in before["required_capabilities"]
    assert ask(then, previous=before)["required_capabilities"] == [DATA]
