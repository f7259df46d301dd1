"""Meanings that are composed of parts read elsewhere: each as the request that it must become."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import ask, request, talk


def only(question: str, *names: str) -> dict[str, Any]:
    made = request(question)
    return {name: made.get(name) for name in names}


@pytest.mark.parametrize(
    ("question", "metric"),
    [
        ("3분기 팀별 매출 대비 경비 비율", "expense_ratio"),
        ("expenses as a percentage of sales by team in Q3", "expense_ratio"),
        ("세미나에 3분기 얼마 썼어", "seminar_cost"),
        ("how much did we spend on seminars in Q3", "seminar_cost"),
        ("10월에 영업사원별로 방문한 병원 수", "visited_hospitals"),
        ("How many hospitals did each rep visit in October?", "visited_hospitals"),
    ],
)
def test_figure_of_two_words_is_the_one_of_the_model(question: str, metric: str):
    assert request(question)["metrics"] == [metric]


@pytest.mark.parametrize("question", ["매출 대비 경비 비율 제일 높은 팀 3개", "top 3 teams by expense ratio"])
def test_ratio_can_be_ranked(question: str):
    top = request(question)["top"]
    assert (top["by"], top["n"]) == ("expense_ratio", 3)


@pytest.mark.parametrize(
    "question", ["지난달 경비 중에서 식대가 몇 프로야", "올해 경비에서 식대가 차지하는 비율"]
)
def test_part_stands_above_its_whole(question: str):
    one = request(question)["derived"][0]
    assert (one["numerator"]["metric"], one["denominator"]["metric"]) == ("meal_amount", "expense_amount")


@pytest.mark.parametrize(
    ("question", "kind", "op"),
    [
        ("10월 30만 원 이상 식대 몇 건", "meal", ">="),
        ("count of gifts over 100,000 won this year", "gift", ">"),
        ("올해 강연료 100만 원 이상 몇 건", "lecture_fee", ">="),
    ],
)
def test_kind_of_money_is_counted_with_its_filter(question: str, kind: str, op: str):
    made = request(question)
    assert made["metrics"] == ["expense_count"]
    assert made["filters"] == [{"dimension": "expense_category", "op": "in", "values": [kind]}]
    assert made["rows"][0]["op"] == op


@pytest.mark.parametrize(
    ("question", "dimension"),
    [
        ("weekday vs weekend sales in Q3", "weekend"),
        ("평일이랑 주말 매출 비교해줘 3분기", "weekend"),
        ("Do we make more visits on Mondays or on Fridays?", "weekday"),
    ],
)
def test_kinds_of_days_are_set_side_by_side(question: str, dimension: str):
    assert request(question)["dimensions"] == [dimension]


@pytest.mark.parametrize(
    "question",
    ["9월에 구매했지만 10월에는 구매하지 않은 병원", "hospitals that bought in September but not in October"],
)
def test_two_conditions_keep_their_own_periods(question: str):
    first, second = request(question)["existence"]
    assert (first["exists"], first["period"]["start"]) == (True, "2026-09-01")
    assert (second["exists"], second["period"]["start"]) == (False, "2026-10-01")


def test_growth_of_each_month_is_from_the_month_before():
    made = only("month-over-month sales growth for each month of 2026", "dimensions", "comparison")
    assert made == {"dimensions": ["month"], "comparison": "previous"}


def test_change_between_two_quarters_is_no_range():
    made = request("which team's visit count dropped the most between Q2 and Q3")
    assert made["period"] == {"start": "2026-07-01", "end": "2026-09-30"}
    assert made["top"]["direction"] == "bottom"


def test_two_figures_per_thing_are_those_of_each():
    made = only("sales amount and quantity per product in October", "metrics", "dimensions", "derived")
    assert made == {"metrics": ["sales_amount", "quantity"], "dimensions": ["product"], "derived": None}


def test_cumulative_figure_without_steps_is_one_sum():
    made = only("연초부터 지금까지 인천 누적 매출", "dimensions", "running_total")
    assert made == {"dimensions": None, "running_total": None}


@pytest.mark.parametrize(
    "question",
    ["서울이랑 경기 중에 지난달 어디가 더 팔았어", "Which region sold more in October, Seoul or Gyeonggi?"],
)
def test_more_of_two_places_shows_both(question: str):
    made = request(question)
    assert made["metrics"] == ["sales_amount"]
    assert made["dimensions"] == ["region"]


@pytest.mark.parametrize(
    "question", ["한 개도 안 팔린 제품 이번 분기", "products with no sales this quarter"]
)
def test_not_a_single_one_is_none(question: str):
    assert request(question)["existence"][0]["exists"] is False


@pytest.mark.parametrize(
    ("question", "typed"),
    [
        ("avergae monthly expenses in Q3", "avergae"),
        ("nmuber of visits in Q3", "nmuber"),
        ("10월 건당 평귱 매출", "평귱"),
        ("지난딸 부산 매출", "지난딸"),
    ],
)
def test_mistyped_word_of_the_language_is_read_and_said(question: str, typed: str):
    reading = ask(question)
    assert not reading["unread"]
    assert any(typed in line for line in reading["assumptions"])
    assert reading["reading"]["features"]["guessed"] == 1


def test_a_best_seller_is_a_thing_that_is_sold():
    reading = ask("best seller in October")
    assert request("best seller in October")["dimensions"] == ["product"]
    assert any("best product" in each for each in reading["assumptions"])


def test_a_known_word_with_its_particle_is_no_slip():
    assert not any("얼마나" in each for each in ask("올해 매출 얼마까지 왔어?")["assumptions"])


@pytest.mark.parametrize("word", ["신규", "할인", "repeat", "gross"])
def test_unknown_word_is_not_taken_for_a_slip(word: str):
    assert (
        word
        in ask(f"지난달 {word} 매출" if word > "힣" or not word.isascii() else f"{word} sales last month")[
            "unread"
        ]
    )


def test_number_of_a_list_is_asked_after_it():
    made = talk("지난달 매출 1천만 원 넘는 병원 알려줘", "몇 곳이야?")["semantic_request"]
    assert made["count_groups"] == "hospital"
    assert made["having"][0]["values"] == [10_000_000]


def test_share_of_one_group_is_of_the_whole():
    made = talk("지난달 제품군별 매출 비중", "항생제는?")["semantic_request"]
    assert made["derived"][0]["kind"] == "share"
    assert not made.get("share")


def test_they_are_the_things_that_were_listed():
    made = talk("Top 5 hospitals by sales in Q3", "how many visits did they get?")["semantic_request"]
    assert made["metrics"] == ["visit_count"]
    assert made["among"]["top"]["n"] == 5


def test_complete_question_takes_nothing_over():
    made = talk("Top 3 products by sales this year", "What was last month's total expense?")[
        "semantic_request"
    ]
    assert made["metrics"] == ["expense_amount"]
    assert not made.get("dimensions")
