"""Figures spread over things and time, single rows, and phrases that lean on the question before."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.data.semantic import load
from metaagent.data.semantic.from_analysis import to_query
from tests.support.composed import PHARMA, ask, request, talk

HALF = {"start": "2026-01-01", "end": "2026-06-30"}
PER_REP = {
    "name": "visit_count__per__rep__per__month",
    "kind": "ratio",
    "numerator": {"metric": "visit_count"},
    "denominator": {"metric": "count:rep", "of": "visit_count"},
    "per": "month",
}


@pytest.mark.parametrize(
    "question",
    [
        "상반기 영업사원 1인당 월평균 방문 횟수",
        "상반기 영업사원 한 명당 월평균 방문 수는?",
        "On average how many visits did one rep make per month in the first half?",
    ],
)
def test_visits_per_rep_and_month_are_one_figure(question: str):
    found = request(question)
    assert (found["derived"], found["period"]) == ([PER_REP], HALF)
    to_query(load(PHARMA / "semantic.yaml"), found)


@pytest.mark.parametrize(
    ("question", "said"),
    [("올해 월평균 매출", "끝나지 않은 달"), ("average monthly sales this year", "still runs")],
)
def test_a_running_month_is_left_out_of_an_average(question: str, said: str):
    reading = ask(question)
    assert reading["semantic_request"]["period"]["end"] == "2026-10-31"
    assert any(said in text for text in reading["assumptions"])
    assert not any(
        said in text for text in ask(question.replace("올해", "작년").replace("this", "last"))["assumptions"]
    )


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("biggest single expense this year: amount, category and date", 1),
        ("올해 가장 큰 지출 한 건이 뭐였어?", 1),
        ("올해 가장 큰 지출 3건 알려줘", 3),
    ],
)
def test_the_largest_rows_come_with_what_they_are(question: str, count: int):
    found = request(question)
    assert found["metrics"] == ["largest_expense"]
    assert found["limit"] == count
    assert {"day", "expense_category"} <= set(found["dimensions"])


def test_the_most_of_a_figure_is_no_single_row():
    assert request("지난달 언제 매출이 가장 많았어?")["dimensions"] == ["day"]
    assert request("3분기에 경비 제일 많이 쓴 사람 다섯 명")["dimensions"] == ["rep"]


FOLLOWED: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("8월 서울 매출", "그 다음 달은?"), {"period": {"start": "2026-09-01", "end": "2026-09-30"}}),
    (("August sales in Seoul", "and the following month?"), {"period": {"start": "2026-09-01", "end": "2026-09-30"}}),
    (("상반기 방문 많이 한 담당자 5명", "3분기는 어때?"), {"metrics": ["visit_count"], "dimensions": ["rep"]}),
    (("10월 지출 총 얼마야?", "식대만 보면 누가 제일 많이 썼어?"),
     {"metrics": ["meal_amount"], "period": {"start": "2026-10-01", "end": "2026-10-31"}}),
    (("9월 식대", "전월 대비 얼마나 변했어?"), {"period": {"start": "2026-09-01", "end": "2026-09-30"}, "comparison": "previous"}),
    (("10월에 매출 3천만원 넘은 병원 몇 곳이야?", "5천만원 기준으로 하면?"),
     {"having": [{"column": "sales_amount", "op": ">", "values": [50_000_000.0]}], "count_groups": "hospital"}),
    (("10월에 매출 3천만원 넘은 병원 몇 곳이야?", "그 병원들 이름 좀 불러줘"), {"dimensions": ["hospital"]}),
    (("How many hospitals bought nothing in Q3?", "list them"), {"dimensions": ["hospital"]}),
    (("target attainment in October by team", "which of them fell short of 100%?"),
     {"having": [{"column": "achievement", "op": "<", "values": [1.0]}], "dimensions": ["team"]}),
    (("9월에 방문이 가장 많은 지역 3곳", "반대로 제일 적은 세 곳은?"),
     {"top": {"n": 3, "direction": "bottom", "by": "visit_count"}}),
    (("류나윤 10월 매출", "그 사람 목표 달성률은 어때?"),
     {"metrics": ["achievement"], "filters": [{"dimension": "rep", "op": "in", "values": ["9"], "by_key": True}]}),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "expected"), FOLLOWED)
def test_a_short_question_leans_on_the_one_before(turns: tuple[str, ...], expected: dict[str, Any]):
    reading = talk(*turns)
    assert not reading["unread"]
    assert {key: reading["semantic_request"].get(key) for key in expected} == expected


def test_the_period_before_is_taken_over_and_said():
    reading = talk("9월 지출 총 얼마야?", "식대만 보면 누가 제일 많이 썼어?")
    assert reading["semantic_request"]["period"] == {"start": "2026-09-01", "end": "2026-09-30"}
    assert any("앞 질문" in text for text in reading["assumptions"])


@pytest.mark.parametrize(
    "question", ["식대 말고 나머지 지출이 지난달 총 얼마야?", "expenses excluding meal costs last month"]
)
def test_a_part_of_money_is_left_out_by_its_name(question: str):
    found = request(question)
    assert found["metrics"] == ["expense_amount"]
    assert found["filters"] == [{"dimension": "expense_category", "op": "not_in", "values": ["meal"]}]


@pytest.mark.parametrize("question", ["meal cost per attendee this year", "올해 식대 참석자 1인당 얼마야?"])
def test_attendees_of_meals_divide_what_meals_cost(question: str):
    (figure,) = request(question)["derived"]
    assert figure["denominator"] == {"metric": "meal_attendees"}


@pytest.mark.parametrize("question", ["how many people visited last month?", "지난달 방문은 몇 명이야?"])
def test_visits_are_no_number_of_people(question: str):
    assert ask(question)["doubts"]
