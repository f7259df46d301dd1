"""Understanding of questions about documents: articles, synonyms, and what is searched rather than computed."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level2.retrieval.queries import asking_of
from tests.support.understanding import ask


def intents(question: str) -> list[str]:
    return [item["intent"] for item in ask(question)["parsed_intents"]]


def articles(question: str) -> list[Any]:
    found = ask(question)["extracted_entities"]
    return [(e["normalized"], e["number"], e["law"]) for e in found if e["type"] == "article"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("약사법 제47조의2 제1항이 뭐야?", [("제47조의2제1항", "47-2", "약사법")]),
        ("47조의2 찾아줘", [("제47조의2", "47-2", None)]),
        ("What does Article 47-2(1) say?", [("제47조의2제1항", "47-2", None)]),
        ("find § 47-2", [("제47조의2", "47-2", None)]),
        ("매출이 3조 원을 넘었어?", []),
    ],
)
def test_articles_are_entities_with_law_and_number(question: str, expected: list[Any]):
    assert articles(question) == expected


def test_an_article_alone_is_searched_for():
    assert intents("제47조의2가 뭐야?") == ["search"]


def test_a_search_stays_beside_the_document_made_of_it():
    assert intents("내부 규정 문서를 찾아서 요약하고 보고서로 만들어줘") == ["search", "document"]
    assert "search" not in intents("규정에 맞게 방문 보고서 작성해줘")


@pytest.mark.parametrize(
    "question",
    [
        "제품설명회 식음료 한도가 얼마야?",
        "what is the limit for gifts?",
        "강연료는 얼마까지 줄 수 있어?",
        "How long must expense receipts be kept?",
        "지출보고서는 몇 년 동안 보관해야 하나요?",
        "개인정보 유출되면 어떻게 해야 해?",
        "카디핀정 보관 온도는?",
        "who has to approve a seminar?",
        "임산부가 복용해도 되는 약이야?",
        "등급이 B인 기관의 기본 방문 횟수는 월 몇 회인가요",
        "On which day of the next month are claims closed?",
        "라이벌 업체랑 견적 금액 미리 짜도 괜찮아?",
    ],
)
def test_questions_of_knowledge_are_searched_for(question: str):
    assert intents(question) == ["search"]


@pytest.mark.parametrize(
    "question",
    [
        "지난달 서울 매출 얼마야?",
        "이번 달 식사비 지출 얼마나 썼어?",
        "서울 매출을 차트로 보여줄 수 있어?",
        "목표를 달성하려면 매출이 얼마나 더 늘어야 해?",
        "Which hospitals did we visit last month?",
        "Can you show me the sales of last month?",
    ],
)
def test_questions_of_data_stay_with_data(question: str):
    assert "search" not in intents(question)


@pytest.mark.parametrize("question", ["날씨 어때?", "비행기표 예약해줘", "주가 전망 알려줘"])
def test_questions_of_neither_are_asked_back(question: str):
    assert ask(question)["clarification_needed"]


@pytest.mark.parametrize(
    "question",
    [
        "who won the world cup",
        "카르비온정의 국내 특허 만료일은 언제야?",
        "회사 건물 주차장 이용 시간",
        "사내 어린이집 신청 방법 알려줘",
    ],
)
def test_what_nobody_knows_is_looked_for_in_documents(question: str):
    assert set(intents(question)) == {"search"}


def test_synonyms_come_with_a_search_only():
    groups = ask("제품설명회 식음료 한도가 얼마야?")["search"]["synonyms"]
    assert any({"한도", "상한"} <= set(group) for group in groups)
    assert ask("지난달 서울 매출 얼마야?")["search"] == {}


def test_where_to_look_is_no_word_to_look_for():
    question = "내부 규정에서 제품설명회 한도를 찾아줘"
    words = asking_of(question, ask(question), "ko", "mecab").words
    assert [word.terms[-1] for word in words] == ["제품설명회", "한도"]


def test_unknown_names_in_a_search_are_not_asked_about():
    reading = ask("서울대병원 관련 규정 찾아줘")
    assert not reading["clarification_needed"]


def test_everyday_words_lead_to_the_words_of_documents():
    search = ask("명단이 든 노트북을 지하철에 놓고 내렸어. 어떻게 해야 해?")["search"]
    assert any("놓고 내리다" in group and "분실" in group for group in search["synonyms"])
    assert "지하철" in search["scene"]
    assert not any(
        "놓고 내리다" in group for group in ask("분실 신고는 언제까지 해야 해?")["search"]["synonyms"]
    )


@pytest.mark.parametrize(
    "question", ["How should Insulvia Injection be stored?", "인슐비아주는 어떻게 보관해?"]
)
def test_how_a_thing_is_kept_is_searched_for(question: str):
    assert intents(question) == ["search"]


def test_a_request_for_leave_without_a_sum_is_searched_for():
    assert set(intents("설날에 거래처에 과일 상자 돌려도 괜찮을까")) == {"search"}
    assert set(intents("세미나 신청서에는 무엇을 적나요?")) == {"search"}


def test_a_rule_is_searched_for_where_nothing_is_judged():
    fresh = ask("밤늦게 카드 긁으면 뭐가 걸리나요?", artifacts=())["parsed_intents"]
    assert {each["intent"] for each in fresh} == {"search"}
    assert set(intents("Can we invite them to a ski resort for the meeting?")) == {"search"}
    assert "compliance" in intents("지난달 식사비 가운데 뭐가 규정에 걸리나요?")


@pytest.mark.parametrize(
    ("before", "question", "term"),
    [
        ("제품설명회 식음료 한도가 얼마야?", "그럼 기념품은?", "한도"),
        ("What is the limit for meals?", "what about gifts?", "limit"),
    ],
)
def test_a_follow_up_asks_for_the_same_kind_of_fact(before: str, question: str, term: str):
    reading = ask(question, previous=ask(before))
    assert {each["intent"] for each in reading["parsed_intents"]} == {"search"}
    asking = asking_of(question, reading, "ko", "mecab")
    assert term in asking.terms
    assert [kind.name for kind in asking.wants] == ["amount"]


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("심포지엄 숙박비 한도와 지난달 서울 매출 알려줘", "심포지엄 숙박비 한도"),
        ("지난달 매출 총액하고 숙박비 한도 규정 찾아줘", "숙박비 한도 규정 찾아줘"),
        (
            "What is the limit for lodging and what were the sales last month?",
            "What is the limit for lodging",
        ),
    ],
)
def test_a_question_for_rules_and_figures_asks_for_both(question: str, searched: str):
    reading = ask(question)
    assert reading["required_capabilities"] == ["information_retrieval", "data_analysis"]
    assert reading["search"]["text"] == searched
    assert reading["semantic_request"]["metrics"] == ["sales_amount"]
    assert reading["raw_query"] == question


@pytest.mark.parametrize(
    ("question", "capability"),
    [
        ("지난달 매출과 목표 비교해줘", "data_analysis"),
        ("식대와 숙박비 한도 규정 찾아줘", "information_retrieval"),
        ("지난달 서울과 부산 매출 알려줘", "data_analysis"),
    ],
)
def test_two_things_of_one_kind_are_one_question(question: str, capability: str):
    assert ask(question)["required_capabilities"] == [capability]


def test_leave_for_a_kind_of_expense_is_looked_up():
    read = ask("심포지엄에 온 선생님 배우자 밥값도 우리가 내 드려도 되나?", artifacts=[])
    assert [item["intent"] for item in read["parsed_intents"]] == ["search"]
