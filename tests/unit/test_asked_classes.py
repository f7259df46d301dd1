"""Classes of meaning that people asked for first: each wording as the request that it must become."""

from __future__ import annotations

import pytest

from tests.support.composed import ask, request


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("이번 달 10일까지 매출", "2026-11-01", "2026-11-10"),
        ("sales this month up to the 10th", "2026-11-01", "2026-11-10"),
        ("3분기 8월 말까지 매출", "2026-07-01", "2026-08-31"),
        ("6월부터 월별 매출 (10월까지)", "2026-06-01", "2026-10-31"),
        ("sales over the last six full months", "2026-05-01", "2026-10-31"),
        ("sales in the first ten months of 2026", "2026-01-01", "2026-10-31"),
        ("sales from June up to October", "2026-06-01", "2026-10-31"),
    ],
)
def test_both_ends_of_a_stretch_are_those_that_were_said(question: str, start: str, end: str):
    period = request(question)["period"]
    assert (period["start"], period["end"]) == (start, end)


@pytest.mark.parametrize(
    "question",
    [
        "작년에 두 번째로 많이 팔린 제품은? 금액 기준으로요",
        "Second best-selling product last year by value",
    ],
)
def test_a_ranking_goes_by_money_where_that_is_said(question: str):
    assert request(question)["top"]["by"] == "sales_amount"


@pytest.mark.parametrize(
    "question", ["How many won did we spend on meals last month?", "지난달 식대로 몇 원 썼어?"]
)
def test_a_number_of_won_is_money_and_no_count(question: str):
    assert request(question)["metrics"] in (["meal_amount"], ["expense_amount"])


@pytest.mark.parametrize("question", ["Visits per rep for each team, October", "10월 팀별 1인당 방문 건수"])
def test_a_figure_per_rep_for_each_team_is_one_a_team(question: str):
    made = request(question)
    assert (made["dimensions"], made["derived"][0]["kind"]) == (["team"], "ratio")


@pytest.mark.parametrize(
    "question",
    [
        "지난주 방문 내역 (날짜, 담당자, 병원)",
        "list last week's visits with date, rep and hospital",
    ],
)
def test_rows_are_listed_with_what_they_have(question: str):
    made = request(question)
    assert {"day", "rep", "hospital"} <= set(made["dimensions"])
    assert made["metrics"] == ["visit_count"]


@pytest.mark.parametrize(
    "question",
    [
        "9월, 10월 두 달 연속 전달보다 매출이 오른 지역은?",
        "regions where sales went up in September and again in October",
    ],
)
def test_two_months_in_a_row_are_each_set_against_the_one_before(question: str):
    steps = [one["denominator"]["period"]["start"] for one in request(question)["derived"]]
    assert steps == ["2026-08-01", "2026-09-01"]


@pytest.mark.parametrize(
    "question", ["10월 목표 달성한 영업사원 비율은?", "What share of reps met their target in October?"]
)
def test_a_share_of_things_under_a_condition_is_of_all(question: str):
    made = request(question)
    assert made["derived"][0]["denominator"]["everything"]
    assert made["among"]["having"] == [{"column": "achievement", "op": ">=", "values": [1.0]}]


@pytest.mark.parametrize("question", ["How far are we from the target of this month?"])
def test_a_period_is_not_lost_within_an_operator(question: str):
    assert request(question)["period"]["start"] == "2026-11-01"


def test_an_order_without_a_limit_shows_each_and_sums_nothing():
    made = request("Give me visits and sales for each team in October, sorted by sales")
    assert made["dimensions"] == ["team"]
    assert "among" not in made


def test_a_period_set_against_itself_is_doubted():
    assert ask("Which product has the biggest gap between this October and last October?")["doubts"]


@pytest.mark.parametrize(
    ("question", "op", "day"),
    [
        ("How many products were launched in 2020 or later?", ">=", "2020-01-01"),
        ("products launched in 2021 and after", ">=", "2021-01-01"),
        ("products launched in 2018 or earlier", "<=", "2018-12-31"),
    ],
)
def test_or_later_opens_a_period(question: str, op: str, day: str):
    assert request(question)["rows"] == [{"column": "launched_on", "op": op, "values": [day]}]


@pytest.mark.parametrize(
    "question",
    ["Who are the ten reps with the highest expenses this year?", "the five reps with the largest expenses"],
)
def test_a_number_of_people_ranks_their_sums(question: str):
    assert request(question)["top"]["by"] == "expense_amount"


@pytest.mark.parametrize(
    "question", ["올해 부산 세미나 평균 예산", "average seminar budget in Busan this year"]
)
def test_two_ways_to_one_mean_are_not_asked_about(question: str):
    assert request(question)["derived"][0]["kind"] == "ratio"


@pytest.mark.parametrize(
    "question",
    [
        "Which month this year had the lowest sales? Leave November out, it is not over yet",
        "Worst sales month this year? Ignore November since it's only half done.",
        "올해 매출이 가장 낮았던 달은? 11월은 아직 안 끝났으니 빼고",
        "올해 매출이 가장 낮았던 달은? 11월은 빼고. 아직 안 끝났잖아",
    ],
)
def test_a_month_that_is_left_out_ends_the_period(question: str):
    made = request(question)
    assert (made["period"]["end"], made["top"]["direction"]) == ("2026-10-31", "bottom")


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("Which of our drugs has the highest list price?", "unit_price"),
        ("top 5 products by list price", "unit_price"),
        ("정가가 가장 높은 제품 3개", "unit_price"),
    ],
)
def test_things_are_ranked_by_a_property_that_is_named(question: str, column: str):
    made = request(question)
    assert (made.get("metrics"), made["top"]["by"]) == (None, column)


@pytest.mark.parametrize(
    "question", ["How many people came to our seminars last month?", "지난달 세미나에 몇 명 왔어?"]
)
def test_people_at_events_are_counted_and_not_the_events(question: str):
    assert request(question)["metrics"] == ["seminar_attendees"]


@pytest.mark.parametrize(
    ("question", "dimension"),
    [
        ("How many seminars were postponed this year and how many were cancelled?", "seminar_status"),
        ("How many visits did we make in Busan and how many in Daegu last month?", "region"),
    ],
)
def test_two_numbers_asked_for_are_given_each(question: str, dimension: str):
    made = request(question)
    assert (made["dimensions"], len(made["filters"][0]["values"])) == ([dimension], 2)


@pytest.mark.parametrize(
    ("question", "op"), [("8월보다 9월에 덜 팔린 제품은?", "<"), ("9월보다 10월에 방문이 많은 팀은?", ">")]
)
def test_less_than_in_another_period_chooses_what_fell(question: str, op: str):
    made = request(question)
    assert (made["having"][0]["op"], made["having"][0]["values"]) == (op, [0.0])


def test_by_how_much_one_outsold_another_is_one_figure():
    made = request("By how much did Gyeonggi outsell Seoul in September?")
    assert (made["derived"][0]["kind"], made.get("order")) == ("difference", None)


@pytest.mark.parametrize(
    "question", ["What is the typical length of a routine visit?", "How long is a routine visit usually?"]
)
def test_rows_of_a_kind_are_as_long_as_their_mean(question: str):
    made = request(question)
    assert (made["metrics"], made["filters"][0]["values"]) == (["average_visit_minutes"], ["정기방문"])
