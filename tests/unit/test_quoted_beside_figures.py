"""Figures or a rule beside a quoted text that is to be checked: both are done, and neither is lost without a word."""

from __future__ import annotations

import pytest

from tests.support.composed import ask

CAPABILITIES = [
    {"name": "document_generation", "revises": ["document"]},
    {"name": "data_analysis"},
    {"name": "storage_decision", "side_effects": True},
    {"name": "compliance_validation"},
    {"name": "information_retrieval"},
]
DATA, CHECK, SEARCH = "data_analysis", "compliance_validation", "information_retrieval"


@pytest.mark.parametrize(
    ("question", "judged"),
    [
        (
            "지난달 부산 매출 알려주고, '원장님께 답례로 상품권 30만원 드림' 이 메모가 규정 위반인지도 확인해줘",
            "'원장님께 답례로 상품권 30만원 드림' 이 메모가 규정 위반인지도 확인해줘",
        ),
        (
            '"원장님께 골프 접대하고 처방 약속 받음" 이 메모 규정 위반인지 확인하고, 지난달 부산 매출도 알려줘',
            '"원장님께 골프 접대하고 처방 약속 받음" 이 메모 규정 위반인지 확인하고',
        ),
        (
            "아래 메모 규정에 맞는지 봐주고 지난달 부산 매출도 뽑아줘: 원장님께 보답으로 현금 100만원 드림",
            "아래 메모 규정에 맞는지 봐주고 : 원장님께 보답으로 현금 100만원 드림",
        ),
        (
            "Tell me last month's sales in Busan, and check if this note breaks a rule: 'Gave Dr. Lee a gift card of 300,000 won.'",
            "check if this note breaks a rule: 'Gave Dr. Lee a gift card of 300,000 won.'",
        ),
        (
            'First the sales in Busan last month, then check this note: "Gave the doctor a gift card of 200,000 won."',
            'check this note: "Gave the doctor a gift card of 200,000 won."',
        ),
    ],
)
def test_figures_and_a_quoted_text_are_both_heard(question: str, judged: str):
    reading = ask(question, capabilities=CAPABILITIES)
    assert reading["required_capabilities"] == [DATA, CHECK]
    assert reading["check"] == {"text": judged}
    assert not reading["doubts"]
    assert "rank" not in reading["semantic_request"]


def test_a_rule_and_a_quoted_text_are_both_heard():
    said = '선물 한도가 얼마인지 알려주고 "원장님께 상품권 20만원 전달함" 이 메모가 위반인지도 확인해줘'
    assert ask(said, capabilities=CAPABILITIES)["required_capabilities"] == [SEARCH, CHECK]


def test_figures_that_cannot_be_told_apart_are_named():
    said = '지난달 부산 매출이 얼마고 10월 방문은 몇 건인지, 그리고 "원장님께 상품권 20만원 전달함" 이 메모가 위반인지 확인해줘'
    reading = ask(said, capabilities=CAPABILITIES)
    assert reading["required_capabilities"] == [CHECK]
    assert "수치" in reading["doubts"][0]


def test_figures_within_a_quoted_text_are_not_asked_for():
    said = '"지난달 부산 매출이 올라서 원장님께 상품권 20만원 전달함" 이 메모가 위반인지 확인해줘'
    reading = ask(said, capabilities=CAPABILITIES)
    assert reading["required_capabilities"] == [CHECK]
    assert not reading["doubts"]
