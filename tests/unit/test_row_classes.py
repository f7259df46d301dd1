"""Questions about single rows: parts of them beyond a limit, per guest, the largest ones, and those listed by their figure."""

from __future__ import annotations

import pytest

from tests.support.composed import OCTOBER, ask, request

MEALS = {"dimension": "expense_category", "op": "in", "values": ["meal"]}


@pytest.mark.parametrize(
    ("said", "op", "values"),
    [
        ("지난달 밥값 중에서 20만 원대 결제는 몇 건이야?", "between", [200000.0, 299999.0]),
        ("지난달 식비 가운데 60만 원 넘는 지출 건수", ">", [600000.0]),
    ],
)
def test_a_part_stays_limited_when_its_rows_are_named_otherwise(said: str, op: str, values: list[float]):
    assert request(said) == {
        "metrics": ["expense_count"],
        "filters": [MEALS],
        "period": OCTOBER,
        "rows": [{"column": "expense_amount", "op": op, "values": values}],
    }


@pytest.mark.parametrize(
    "said",
    [
        "지난달 인당 식대가 8만 원 넘는 건 몇 건이야?",
        "지난달 식비 1인당 8만 원 넘는 건수 알려줘",
        "How many meals cost more than 80,000 won per person last month?",
        "number of meals over 80,000 won a head last month",
    ],
)
def test_a_limit_per_guest_is_on_each_meal(said: str):
    asked = request(said)
    assert asked["metrics"] == ["expense_count"]
    assert asked["filters"] == [MEALS]
    assert asked["rows"] == [
        {"column": "expense_amount", "op": ">", "values": [80000.0], "per": "meal_attendees"}
    ]


@pytest.mark.parametrize(
    ("said", "n"),
    [
        ("the 4 largest expenses of last month with date and rep", 4),
        ("show me the three biggest expenses of last month: hospital, date, amount", 3),
        ("지난달 가장 큰 지출 6건 날짜랑 담당자 보여줘", 6),
    ],
)
def test_the_largest_rows_are_listed_by_their_figure(said: str, n: int):
    asked = request(said)
    assert asked["order"] == [{"column": "largest_expense", "descending": True}]
    assert asked["limit"] == n
    assert {"day", "hospital", "rep"} <= set(asked["dimensions"])
    assert "top" not in asked


def test_listed_rows_are_ordered_by_the_figure_that_is_named():
    asked = request("지난달 지출 큰 순으로 날짜, 병원, 금액")
    assert asked["order"] == [{"column": "expense_amount", "descending": True}]


def test_the_day_of_the_largest_expense_is_that_of_one_row():
    assert request("지난달 제일 큰 지출은 언제였어?")["limit"] == 1
    assert request("지난달 매출이 제일 높은 날은 언제야?")["top"]["by"] == "sales_amount"


@pytest.mark.parametrize(
    "said",
    ["지난달에 우리 제품을 구입한 병원은 몇 곳이야?", "How many hospitals ordered our products last month?"],
)
def test_whatever_is_sold_is_no_second_thing(said: str):
    asked = request(said)
    assert asked["count_groups"] == "hospital"
    assert asked["existence"] == [{"dimension": "hospital", "fact_metric": "order_count", "exists": True}]


@pytest.mark.parametrize(
    "said",
    [
        "list the reps with more than 30 visits in October, with the number of visits",
        "10월에 방문 30건 넘는 담당자하고 방문 수 보여줘",
    ],
)
def test_a_figure_beside_chosen_things_is_that_of_each(said: str):
    asked = request(said)
    assert asked["dimensions"] == ["rep"]
    assert asked["having"] == [{"column": "visit_count", "op": ">", "values": [30.0]}]


@pytest.mark.parametrize(
    "said", ["Which products cost more than 7,000 won per unit?", "개당 7천 원 넘는 제품이 뭐야?"]
)
def test_won_per_unit_is_a_price(said: str):
    assert request(said)["having"] == [{"column": "average_list_price", "op": ">", "values": [7000.0]}]


def test_how_a_place_grew_asks_nothing_back():
    reading = ask("how did Daegu sales grow in October compared with the same month last year?")
    assert not reading["ambiguities"]
    assert reading["semantic_request"]["comparison"] == "same_period_last_year"
