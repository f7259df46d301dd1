"""What a thing has one of, and when something happened: dates, prices, the last day, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import OCTOBER, ask, request, talk

Json = dict[str, Any]
CARVION = {"dimension": "product", "op": "in", "values": ["1"], "by_key": True}
YEAR_2022 = ["2022-01-01", "2022-12-31"]


@pytest.mark.parametrize(
    "question", ["카르비온정은 언제 출시됐어?", "카르비온정 출시일", "When was 카르비온정 launched?"]
)
def test_the_launch_of_a_product_is_its_date(question: str):
    found = request(question)
    assert found["dimensions"] == ["product", "launched_on"]
    assert found["filters"] == [CARVION]


@pytest.mark.parametrize(
    "question",
    ["2022년에 출시된 제품", "2022년에 나온 제품 알려줘", "Which products were launched in 2022?"],
)
def test_products_of_a_year_are_listed(question: str):
    found = request(question)
    assert found["dimensions"] == ["product"]
    assert found["rows"] == [{"column": "launched_on", "op": "between", "values": YEAR_2022}]


@pytest.mark.parametrize(
    ("question", "op", "day"),
    [
        ("2020년 이후에 출시된 제품은 몇 개야?", ">=", "2020-01-01"),
        ("How many products came out before 2015?", "<=", "2014-12-31"),
        ("출시한 지 10년 넘은 제품 수", "<=", "2016-11-15"),
    ],
)
def test_a_date_with_an_open_end_counts_the_products(question: str, op: str, day: str):
    found = request(question)
    assert found["metrics"] == ["product_count"]
    assert found["rows"] == [{"column": "launched_on", "op": op, "values": [day]}]


@pytest.mark.parametrize(
    "question", ["2022년에 출시된 제품의 10월 매출", "October revenue from products launched in 2022"]
)
def test_the_year_of_a_launch_is_not_that_of_the_sales(question: str):
    found = request(question)
    assert found["period"] == OCTOBER
    assert found["rows"] == [{"column": "launched_on", "op": "between", "values": YEAR_2022}]


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("가장 최근에 출시된 제품", "top"),
        ("What is our newest product?", "top"),
        ("제일 오래된 제품은?", "bottom"),
        ("Which product is the oldest?", "bottom"),
    ],
)
def test_the_newest_goes_by_its_date(question: str, way: str):
    found = request(question)
    assert found["top"] == {"n": 1, "direction": way, "by": "launched_on"}
    assert "metrics" not in found


@pytest.mark.parametrize("question", ["카르비온정 정가가 얼마야?", "What is the list price of 카르비온정?"])
def test_the_price_of_a_product_is_no_sale(question: str):
    found = request(question)
    assert found["dimensions"] == ["product", "unit_price"]
    assert "metrics" not in found


@pytest.mark.parametrize(
    ("question", "metric"),
    [
        ("제품군별 평균 단가", "average_list_price"),
        ("average unit price by product category", "average_list_price"),
        ("10월 평균 단가", "average_price"),
        ("average unit price in October", "average_price"),
    ],
)
def test_a_time_tells_the_price_paid_from_the_one_listed(question: str, metric: str):
    assert request(question)["metrics"] == [metric]


@pytest.mark.parametrize(
    ("question", "descending"),
    [
        ("안동예담병원을 마지막으로 방문한 날은?", True),
        ("When did we last visit 안동예담병원?", True),
        ("When was our first order from 안동예담병원?", False),
    ],
)
def test_the_last_time_is_a_day(question: str, descending: bool):
    found = request(question)
    assert found["dimensions"] == ["day"]
    assert found["limit"] == 1
    assert found["order"] == [{"column": "day", "descending": descending}]


def test_when_is_never_answered_with_a_figure_alone():
    read = ask("When did sales go over 500 million won?")
    query = read["semantic_request"] or {}
    told = read["unread"] or read["doubts"] or read["clarification_needed"]
    assert told or "day" in (query.get("dimensions") or ())


@pytest.mark.parametrize(
    "question",
    ["10월 지출에서 부가세 빼고 얼마야?", "October expenses net of VAT", "부가세 제외한 10월 비용"],
)
def test_net_of_a_part_is_a_difference(question: str):
    (one,) = request(question)["derived"]
    sides = [one[side]["metric"] for side in ("numerator", "denominator")]
    assert (one["kind"], sides) == ("difference", ["expense_amount", "vat_amount"])


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("9월 견본품 몇 건에 총 얼마 들었어?", ["expense_count", "expense_amount"]),
        ("number of gifts and their total value in September", ["expense_count", "expense_amount"]),
        (
            "how many visits did we make last week and how long were they in total?",
            ["visit_count", "visit_minutes"],
        ),
    ],
)
def test_number_and_worth_are_both_told(question: str, figures: list[str]):
    assert request(question)["metrics"] == figures


@pytest.mark.parametrize(
    "question", ["7월 8월 9월 각각 매출", "sales in July, August and September separately"]
)
def test_months_in_a_row_are_each_told(question: str):
    found = request(question)
    assert found["dimensions"] == ["month"]
    assert found["period"] == {"start": "2026-07-01", "end": "2026-09-30"}


@pytest.mark.parametrize(
    "question", ["7월, 8월, 9월 매출 합계", "sales of July, August and September combined"]
)
def test_months_in_a_row_are_added_where_it_is_said(question: str):
    found = request(question)
    assert "dimensions" not in found
    assert found["period"] == {"start": "2026-07-01", "end": "2026-09-30"}


@pytest.mark.parametrize("question", ["10월에 누가 제일 많이 샀어?", "Who bought the most in October?"])
def test_who_bought_is_a_customer(question: str):
    assert request(question)["dimensions"] == ["hospital"]


@pytest.mark.parametrize(
    "question",
    ["10월에 매출이 8천만원 넘은 날은 며칠이야?", "How many days in October had sales above 80 million won?"],
)
def test_days_that_pass_a_limit_are_counted(question: str):
    assert request(question)["count_groups"] == "day"


@pytest.mark.parametrize(
    "question",
    ["8월과 9월에 모두 산 의원은 몇 곳?", "How many clinics bought in August as well as in September?"],
)
def test_in_both_months_are_two_conditions(question: str):
    found = request(question)
    assert found["count_groups"] == "hospital"
    assert [one["period"]["start"] for one in found["existence"]] == ["2026-08-01", "2026-09-01"]


def test_places_are_never_answered_with_a_number_of_deeds():
    read = ask("9월에 두 번씩 산 의원은 몇 곳?")
    query = read["semantic_request"] or {}
    told = read["unread"] or read["doubts"] or read["clarification_needed"]
    assert told or query.get("count_groups") or query.get("metrics") != ["order_count"]


def test_the_last_visit_of_the_best_one_is_of_any_time():
    found = talk("Which hospital bought the most in October?", "when did we last visit it?")[
        "semantic_request"
    ]
    assert found["among"]["top"]["n"] == 1
    assert found["period"]["whole"]
