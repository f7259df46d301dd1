"""Sums that are told item by item, and values that are taken back in the same breath."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.documents.fields import Value
from metaagent.documents.filling import review_notes
from metaagent.level2.document.items import priced
from metaagent.level2.document.repairing import without_repairs
from metaagent.plugin import Failed
from tests.support.changed_documents import TEMPLATES, VISIT, after, document

SPENT: dict[str, Any] = {
    "amount": 187_000,
    "spent_on": "2026-11-05",
    "items": ["기차표 98,000원", "숙박비 75,000원", "버스비 14,000원"],
    "purpose": "지점 교육",
}
BOUGHT: dict[str, Any] = {
    "amount": 61_000,
    "spent_on": "2026-11-05",
    "items": ["coffee KRW 21,000", "room hire KRW 40,000"],
    "purpose": "case discussion",
}


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("다과비 4만원이랑 대관료 30만원 썼어", [("다과비", 40_000), ("대관료", 300_000)]),
        (
            "부산에서 점심값으로 3만 2천원 쓰고 통행료는 9,600원 나왔어",
            [("점심값", 32_000), ("통행료", 9_600)],
        ),
        ("총 11만원 (다과 4만원, 인쇄 7만원)", [("다과", 40_000), ("인쇄", 70_000)]),
        (
            "we paid 40,000 won for coffee and 12,500 won for parking",
            [("coffee", 40_000), ("parking", 12_500)],
        ),
        ("train KRW 93,600; hotel KRW 120,000", [("train", 93_600), ("hotel", 120_000)]),
        ("1인당 2만원, 모두 10만원", []),
    ],
)
def test_an_amount_belongs_to_the_thing_beside_it(said: str, items: list[tuple[str, int]]) -> None:
    assert [(each.name, each.amount) for each in priced(said)] == items


@pytest.mark.parametrize(
    ("values", "question", "amount", "item"),
    [
        (SPENT, "숙박비는 8만원이었어", 192_000, "숙박비 80,000원"),
        (SPENT, "버스 요금이 1만 2천원인데 잘못 적었네", 185_000, "버스비 12,000원"),
        (SPENT, "택시비 9천원도 추가해줘", 196_000, "택시비 9,000원"),
        (BOUGHT, "the coffee was 25,000 won", 65_000, "coffee KRW 25,000"),
        (BOUGHT, "also add parking 4,000 won", 65_000, "parking KRW 4,000"),
    ],
)
def test_a_changed_item_changes_the_sum(
    values: dict[str, Any], question: str, amount: int, item: str
) -> None:
    language = "ko" if values is SPENT else "en"
    fields = after(document("expense_report", values, language=language), question).document.fields
    assert fields["amount"]["value"] == amount
    assert item in fields["items"]["value"]


def test_an_item_that_goes_leaves_the_sum_of_the_others() -> None:
    edited = after(document("expense_report", SPENT), "숙박비 빼줘")
    assert edited.document.fields["amount"]["value"] == 112_000
    assert edited.document.fields["items"]["value"] == ["기차표 98,000원", "버스비 14,000원"]
    assert edited.changes[0] == "숙박비 75,000원: 뺐습니다"
    assert "187,000원 → 112,000원" in edited.changes[1]


def test_an_amount_of_no_item_is_asked_about() -> None:
    with pytest.raises(Failed, match=r"통행료.*내역"):
        after(document("expense_report", SPENT), "통행료는 3만원이었어")


def test_a_named_total_is_the_total_and_is_compared() -> None:
    edited = after(document("expense_report", SPENT), "총액을 20만원으로 바꿔줘").document
    assert edited.fields["amount"]["value"] == 200_000
    template = TEMPLATES["expense_report"].template
    values = {name: Value(each["value"], "question") for name, each in edited.fields.items()}
    assert "items_add_up" in [each["rule"] for each in review_notes(template, values, "ko")]
    values["amount"] = Value(187_000, "question")
    assert "items_add_up" not in [each["rule"] for each in review_notes(template, values, "ko")]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("12월 1일, 아니 2일에", "12월 2일에"),
        ("오후 2시 아니 3시에", "오후 3시에"),
        ("어제, 아니 그저께 갔어", "그저께 갔어"),
        ("새봄의원, 아 아니다 새빛의원에서", "새빛의원에서"),
        ("7만원, 아니 9만원 냈어", "9만원 냈어"),
        ("윤서진, 아니 윤서준 과장님", "윤서준 과장님"),
        ("on March 3, sorry, March 4", "on March 4"),
        ("at 2 pm, no, 4 pm", "at 4 pm"),
        ("12 people, I mean 14 people", "14 people"),
        ("met Dr. Cho, no wait, Dr. Choi", "met Dr. Choi"),
        ("팸플릿은 아니고 브로슈어", "팸플릿은 아니고 브로슈어"),
        ("3 boxes, no samples", "3 boxes, no samples"),
    ],
)
def test_a_value_that_is_taken_back_at_once_is_gone(said: str, meant: str) -> None:
    left = without_repairs(said)
    assert len(left) == len(said)
    assert " ".join(left.split()) == meant


def test_a_title_that_is_corrected_keeps_the_name() -> None:
    edited = after(document("visit_report", VISIT), "원장님이 아니라 부장님이야").document
    assert edited.fields["contact"]["value"] == "박시온 부장"
