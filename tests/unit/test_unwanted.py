"""A task that is declined, or done already, is not heard as asked for."""

from __future__ import annotations

import pytest

from metaagent.level1.query_analyzer.ambiguity import chosen
from tests.support.understanding import ask

MENU = [("데이터 분석", "analysis"), ("문서 작성", "document"), ("저장", "store")]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (
            "방문보고서를 작성하고 규정 위반을 확인해줘. 저장은 하지 마.",
            {"document_generation", "compliance_validation"},
        ),
        ("방문보고서를 작성해줘. 저장할 필요는 없어.", {"document_generation"}),
        ("저장된 양식대로 방문보고서를 작성해줘.", {"document_generation"}),
        ("방문보고서를 작성해서 저장해줘.", {"document_generation", "storage_decision"}),
        ("Write a visit report, but don't save it.", {"document_generation"}),
        (
            "Write a visit report and save it, no need to check it.",
            {"document_generation", "storage_decision"},
        ),
        ("방문보고서 써줘. 저장은 아직 ㄴㄴ", {"document_generation"}),
        ("방문보고서 써서 저장해줘, 아니다 저장 말고 작성만 해줘", {"document_generation"}),
        ("Write a visit report, pdf only, nothing saved anywhere", {"document_generation"}),
        ("Write a visit report without saving it", {"document_generation"}),
        ("The compliance check is done, now write the visit report.", {"document_generation"}),
    ],
)
def test_declined_and_finished_tasks_are_not_asked_for(said: str, wanted: set[str]):
    assert set(ask(said)["required_capabilities"]) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "지난달 서울 매출 알려줘. 저장은 하지 마",
        "지난달 서울 매출 알려줘, 그럼 저장은 빼고",
        "지난달 서울 매출 알려줘. 저장할 필요는 없어.",
        "Show sales in Seoul last month, but do not save it",
        "지난달 서울 매출 알려줘, 보고서는 필요 없어",
        "Show sales in Seoul last month, no report needed",
    ],
)
def test_a_declined_task_is_no_word_that_was_not_understood(said: str):
    reading = ask(said)
    assert reading["required_capabilities"] == ["data_analysis"]
    assert reading["unread"] == []
    assert reading["doubts"] == []


@pytest.mark.parametrize("answer", ["그럼 저장은 빼고", "저장은 하지 마", "저장 말고"])
def test_a_declined_option_of_a_menu_is_not_taken(answer: str):
    assert chosen("저장", MENU) == 2
    assert chosen(answer, MENU) is None
    assert chosen("저장 말고 데이터 분석", MENU) == 0


def test_a_menu_asks_again_after_a_declined_option():
    reading = ask("음 저기", answers=[{"field": "intent", "answer": "그럼 저장은 빼고"}])
    assert "storage_decision" not in reading["required_capabilities"]
    assert reading["clarification_needed"]
