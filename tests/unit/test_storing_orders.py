"""Storing needs the form of an order; words in the new value of a change order nothing."""

from __future__ import annotations

from itertools import product

import pytest

from metaagent.level1.query_analyzer.requests.change_values import new_values
from tests.support.composed import ask

CAPABILITIES = [
    {"name": "document_generation", "revises": ["document"]},
    {"name": "data_analysis"},
    {"name": "storage_decision", "side_effects": True},
    {"name": "compliance_validation"},
]
MADE = [{"id": "d-1", "kind": "document", "summary": "분석 보고서 1판을 만들었습니다"}]
REPORT = {"ko": "지난달 부산 매출 보고서 써줘", "en": "Write a report on sales in Busan last month"}
WRITE, STORE = "document_generation", "storage_decision"


def needed(language: str, said: str) -> set[str]:
    before = ask(REPORT[language], capabilities=CAPABILITIES)
    reading = ask(said, previous=before, artifacts=MADE, capabilities=CAPABILITIES)
    return set(reading["required_capabilities"])


VALUES = {
    "ko": ["저장 현황", "규정 점검 결과", "보관 기준 안내", "자료실 보관 목록", "위반 없음"],
    "en": ["Storage overview", "What we store", "Compliance check", "Archive of Busan", "Saved costs"],
}
CHANGES = {
    "ko": [
        "제목을 {}{} 바꿔줘",
        "제목 {}{} 변경해 주세요",
        "제목은 '{}'{} 고쳐줘",
        "요약 끝에 '{}'라고 적어줘",
    ],
    "en": [
        "Change the title to {}",
        'Rename it "{}"',
        "Set the title to {}, please",
        "Retitle the report as {}",
        'Add a line saying "{}"',
    ],
}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_words_in_a_new_value_order_nothing(language: str):
    for change, value in product(CHANGES[language], VALUES[language]):
        ending = "로" if value.endswith(("결과", "안내")) else "으로"
        said = change.format(value, ending)
        assert needed(language, said) == {WRITE}, said


def test_an_order_behind_a_new_value_is_one():
    assert needed("en", "Change the title to What we store and store it") == {WRITE, STORE}
    assert needed("ko", "제목을 저장 현황으로 바꾸고 저장해줘") == {WRITE, STORE}
    text = "change the title to busan and check it"
    assert [text[slice(*span)] for span in new_values(text)] == ["busan"]


NO_ORDERS = {
    "ko": [
        "저장은 보여드린 다음에요",
        "저장하기 전에 보고서 하나 더 볼게",
        "저장은 결재 난 뒤의 일이고",
        "저장은 다음 주에 해줘",
        "저장은 부장님 결재 후에 해줘",
        "저장 얘기는 회의에서 하죠",
        "보관은 총무팀 소관이고",
    ],
    "en": [
        "Storing comes after my boss has seen it",
        "The storing we talk about on Monday",
        "Before we store anything my boss reads it",
        "Legal wants to store theirs themselves",
        "We never store drafts",
    ],
}


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_clause_without_the_form_of_an_order_stores_nothing(language: str):
    for clause in NO_ORDERS[language]:
        reading = ask(f"{REPORT[language]}. {clause}", capabilities=CAPABILITIES)
        assert STORE not in reading["required_capabilities"], clause


@pytest.mark.parametrize(
    "said",
    [
        "지난달 부산 매출 보고서 쓰고 자료실 부산 폴더에 저장해 두세요",
        "지난달 부산 매출 보고서 작성, 저장 부탁드립니다",
        "지난달 부산 매출 보고서 쓰고 저장은 영업팀 폴더에 해줘",
        "Write a report on sales in Busan last month, then store it with the October papers",
        "Write a report on sales in Busan last month and I'd like you to archive it under Busan",
        "I need a report on sales in Busan last month, saved to the Busan folder",
    ],
)
def test_an_order_with_unknown_words_behind_it_is_one(said: str):
    assert STORE in ask(said, capabilities=CAPABILITIES)["required_capabilities"]


def test_a_word_for_storing_that_is_no_clear_order_is_said():
    doubts = ask("지난달 부산 매출 보고서 써줘. 저장은 보여드린 다음에요", capabilities=CAPABILITIES)[
        "doubts"
    ]
    assert any("저장" in each for each in doubts)
