"""Questions that a rule settles are searched for in documents; wishes, figures and things to judge are not."""

from __future__ import annotations

import pytest

from metaagent.level2.retrieval.answer import disagree
from tests.support.understanding import ask, intents

FILE = {"id": "a-9", "kind": "file", "title": "benefits.md", "turn": 1}


@pytest.mark.parametrize(
    "question",
    [
        "방문 보고서에는 뭘 적어야 해?",
        "비용 보고서는 며칠 안에 내야 하나요?",
        "방문 보고서는 꼭 써야 하나요?",
        "비용 결재는 누가 해?",
        "200만원 넘는 비용은 누구에게 승인을 받아야 해?",
        "컴플라이언스 교육은 한 해에 몇 번 들어야 해?",
        "최대 몇 명까지 초대할 수 있어?",
        "판촉물 얼마까지 괜찮아?",
        "식사 1인당 얼마까지 가능해?",
        "택시비는 얼마까지예요?",
        "Who approves expenses above one million won?",
        "How long must expense receipts be kept?",
        "What must be written in a visit report?",
        "When is the expense report due?",
        "Within how many hours must a breach be reported?",
        "What is the gift limit for a hospital visit?",
        "Is it okay to rent a ski lodge for a meeting?",
    ],
)
def test_question_for_a_rule_is_a_search(question: str):
    assert intents(ask(question)) == {"search"}


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("방문 보고서 작성해줘", "document"),
        ("방문 보고서 써줄 수 있어?", "document"),
        ("방문 보고서 써야 해", "document"),
        ("Can you write a visit report?", "document"),
        ("교수님께 강연료 70만원 드려도 되나요?", "compliance"),
        ("원장님께 노트북을 사드려도 괜찮을까?", "compliance"),
        ("Is it okay to give a doctor a laptop?", "compliance"),
        ("지난달 비용은 얼마야?", "lookup"),
        ("올해 매출이 얼마까지 왔어?", "lookup"),
    ],
)
def test_wish_figure_or_case_to_judge_is_no_search(question: str, intent: str):
    assert intent in intents(ask(question))
    assert "search" not in intents(ask(question))


@pytest.mark.parametrize(
    "question", ["휴가비는 얼마야?", "이 파일 요약해줘", "How much is the bicycle subsidy?"]
)
def test_file_is_searched_for_what_nobody_else_takes(question: str):
    assert intents(ask(question, artifacts=(FILE,))) == {"search"}


@pytest.mark.parametrize("question", ["휴가비는 얼마야?", "이 파일 요약해줘"])
def test_without_a_file_there_is_none_to_search(question: str):
    assert "search" not in intents(ask(question, artifacts=()))


@pytest.mark.parametrize(
    ("question", "intent"), [("지난달 매출은 얼마야?", "lookup"), ("방문 보고서 만들어줘", "document")]
)
def test_file_leaves_clear_questions_to_their_agents(question: str, intent: str):
    assert intents(ask(question, artifacts=(FILE,))) == {intent}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            "식음료는 제7조에 따라 1인당 100,000원 이하로 제공한다.",
            "식음료는 1인당 10만원 이하로 하루 1회 제공한다.",
            False,
        ),
        ("식음료는 1인당 10만원 이하로 제공한다.", "식음료는 1인당 5만원 이하로 제공한다.", True),
        ("신청서는 행사 14일 전까지 낸다.", "신청서는 행사 7일 전까지 낸다.", True),
    ],
)
def test_same_amounts_are_no_contradiction(one: str, other: str, expected: bool):
    assert disagree(one, other, "mecab") is expected
