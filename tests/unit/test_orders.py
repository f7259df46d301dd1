"""An effect runs only where a clause orders it, and never on a condition that no step judges."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level1.query_analyzer.requests.moods import orders_nothing
from tests.support.composed import ask

DATA, WRITE, STORE, CHECK = (
    "data_analysis",
    "document_generation",
    "storage_decision",
    "compliance_validation",
)


@pytest.mark.parametrize(
    "said",
    [
        "지난달 부산 매출 보고서 써줘. 저장은 제가 검토하고 말씀드릴게요",
        "지난달 부산 매출 보고서 작성해줘. 보관할지 말지는 내일 정할게",
        "지난달 부산 매출 보고서 써줘. 저장은 총무팀에서 하기로 했습니다",
        "지난달 부산 매출 보고서 만들어줘. 저장은 다음 주에 할 예정이야",
        "Write a report on last month's sales in Busan. Our archivist will save it",
        "Write a report on last month's sales in Busan. I'm not sure whether to store it",
        "Write a report on last month's sales in Busan; I'll let you know when to archive it",
    ],
)
def test_what_is_promised_or_left_open_is_not_stored(said: str):
    reading = ask(said)
    assert set(reading["required_capabilities"]) == {DATA, WRITE}
    assert not reading["unread"]


@pytest.mark.parametrize(
    "said",
    [
        "지난달 부산 매출 보고서 써서 저장해 주시겠어요?",
        "지난달 부산 매출 보고서 쓰고 저장까지 해주실 수 있을까요?",
        "Could you write a report on last month's sales in Busan and store it?",
        "I would like you to write a report on last month's sales in Busan and save it",
    ],
)
def test_a_polite_order_is_an_order(said: str):
    assert set(ask(said)["required_capabilities"]) == {DATA, WRITE, STORE}


@pytest.mark.parametrize(
    "said",
    [
        "If sales in Daejeon fell last month, write a report and store it",
        "지난달 대전 매출이 5천만원이 안 되면 보고서 작성해서 저장하고, 5천만원 이상이면 숫자만 알려줘",
        "If sales in Daejeon were above 10 million won last month, write a report and store it; otherwise just the figure",
    ],
)
def test_a_report_that_its_figures_decide_may_be_stored(said: str):
    reading = ask(said)
    assert {*reading["required_capabilities"]} == {DATA, "document_generation", "storage_decision"}
    assert not reading["doubts"]


def test_a_condition_on_many_figures_stores_nothing():
    reading = ask(
        "If sales by hospital in Daejeon were above 9 million won last month, write a report and store it"
    )
    assert "storage_decision" not in reading["required_capabilities"]
    assert reading["doubts"]


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("지난달 대전 매출이 5천만 원 밑이면 보고서 써줘", "밑이면"),
        ("지난달 대전 매출 알려주고 목표에 못 미치면 분석 보고서 쓰고 저장해줘", "못 미치면"),
        ("지난달 대전 매출 보여줘. 보고서는 전월보다 늘었을 때만 만들어줘", "늘었을 때만"),
        ("Show last month's sales in Daejeon, and if they dropped, write a report", "if they dropped"),
        ("Write a report on last month's sales in Daejeon, but only if they beat the target", "only if"),
    ],
)
def test_a_condition_on_figures_is_looked_up_and_said(said: str, condition: str):
    reading = ask(said)
    assert reading["required_capabilities"] == [DATA]
    assert any(condition in doubt for doubt in reading["doubts"])
    assert {"dimension": "region", "op": "in", "values": ["대전"]} in reading["semantic_request"]["filters"]


@pytest.mark.parametrize(
    "said",
    [
        "지난달 대전 매출이 9월보다 늘었으면 보고서 써줘",
        "9월 대전 매출이 8월보다 감소했으면 분석 보고서로 정리해줘",
        "If sales in Daejeon fell in October compared to September, write a report",
    ],
)
def test_a_report_judges_by_its_figures_if_it_is_wanted(said: str):
    reading = ask(said)
    assert set(reading["required_capabilities"]) == {DATA, WRITE}
    assert reading["semantic_request"]["comparison"]
    assert not reading["doubts"]


def test_a_condition_nothing_tells_is_asked_and_can_be_waived():
    said = "Write a visit report unless somebody wrote one"
    assert [each["field"] for each in ask(said)["ambiguities"]] == ["condition"]
    answered = ask(said, answers=[{"field": "condition", "answer": "Do it anyway"}])
    assert answered["required_capabilities"] == [WRITE]
    assert "condition" not in [each["field"] for each in answered["ambiguities"]]


@pytest.mark.parametrize(
    "said",
    [
        "지난달 대전 매출 보고서 쓰고 규정 위반이 없으면 저장해줘",
        "Write a report on last month's sales in Daejeon, check it, and store it if it is clean",
    ],
)
def test_a_condition_that_the_check_judges_is_planned(said: str):
    reading = ask(said)
    assert set(reading["required_capabilities"]) == {DATA, WRITE, CHECK, STORE}
    assert not reading["doubts"]


def test_a_violation_as_condition_is_checked_not_written():
    reading = ask("지난달 식대에 한도를 넘은 게 있으면 보고서로 써줘")
    assert reading["required_capabilities"] == [CHECK]
    assert reading["doubts"]


@pytest.mark.parametrize("said", ["저장해 둔 거 취소해줘", "undo the storing", "take back what you saved"])
def test_a_call_to_undo_is_answered_though_nothing_is_there(said: str):
    assert ask(said)["small_talk"] == "undo"


def test_the_clause_of_a_promise_begins_behind_another_order():
    said = "보고서 쓰고 저장은 내가 할게"
    at = said.index("저장")
    assert orders_nothing(said, at, at + 2) == (said.index("저장"), len(said))


EVERYTHING = [
    {"name": WRITE, "revises": ["document"]},
    {"name": DATA},
    {"name": STORE, "side_effects": True},
    {"name": CHECK},
]
MADE = [{"id": "d-1", "kind": "document", "summary": "분석 보고서 1판을 만들었습니다"}]


def after(first: str, said: str) -> dict[str, Any]:
    """The reading of what is said behind a request that wrote a document."""
    return ask(said, previous=ask(first), artifacts=MADE, capabilities=EVERYTHING)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("대구도 똑같이 해줘", {DATA, WRITE, STORE}),
        ("Do the same for Daegu", {DATA, WRITE, STORE}),
        ("Do the same for Daegu, but don't store it this time", {DATA, WRITE}),
        ("대구 매출은?", {DATA, WRITE}),
    ],
)
def test_the_same_again_repeats_an_effect_that_is_not_declined(said: str, wanted: set[str]):
    reading = after("지난달 서울 매출로 분석 보고서 써서 저장해줘", said)
    assert set(reading["required_capabilities"]) == wanted
    assert not reading["revises"]


@pytest.mark.parametrize(
    "said",
    [
        "Put it into Korean and store that",
        "영어로 옮겨서 저장해줘",
        "Shorten it and store the new version",
        "더 짧게 고치고 새 버전을 저장해줘",
    ],
)
def test_a_document_is_changed_before_its_version_is_stored(said: str):
    reading = after("Write an analysis report on last month's sales in Seoul", said)
    assert set(reading["required_capabilities"]) == {WRITE, STORE}
    assert reading["revises"] == "d-1"


@pytest.mark.parametrize(
    "said", ["My director wants an analysis report of that", "Sales ops needs a report on it"]
)
def test_what_somebody_else_wants_is_asked_for(said: str):
    reading = ask(said, previous=ask("Show last month's sales by region"), capabilities=EVERYTHING)
    assert WRITE in reading["required_capabilities"]


def test_a_form_does_not_limit_the_figures_beside_it():
    reading = ask("10월 대구랑 광주 매출 비교해주고, 안동예담병원에 카르비온정을 공급하는 제안서도 써줘")
    assert set(reading["required_capabilities"]) == {DATA, WRITE}
    filters = reading["semantic_request"]["filters"]
    assert filters == [{"dimension": "region", "op": "in", "values": ["대구", "광주"]}]


def test_a_quoted_deed_is_checked_and_a_rule_looked_up():
    reading = ask(
        '"원장님께 상품권 20만 원을 드렸습니다" 이거 규정 위반이야? 그리고 제품설명회 식음료 한도는 얼마야?'
    )
    assert set(reading["required_capabilities"]) == {CHECK, "information_retrieval"}
