"""Those of the turn before, lists of events, two kinds of money: used in the request, or named as not understood."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level1.query_analyzer.requests import small_talk
from tests.support.composed import ask, talk

Json = dict[str, Any]


def _request(first: str, *more: str) -> Json:
    read = talk(first, *more) if more else ask(first)
    assert not read["clarification_needed"], (first, *more)
    assert not read["unread"], (first, *more, read["unread"])
    return read["semantic_request"]


def _limits(found: Json) -> dict[str, list[str]]:
    return {str(one["dimension"]): one["values"] for one in found["filters"]}


@pytest.mark.parametrize(
    "turns",
    [
        ("대구에 거래처가 몇 개나 돼?", "그중에서 종합병원은 몇 개?", "그 병원들 10월 매출 합계는"),
        ("How many general hospitals are there in Daegu?", "what were their sales in October?"),
    ],
)
def test_those_that_were_counted_limit_the_next_figure(turns: tuple[str, ...]):
    found = _request(*turns)
    assert found["metrics"] == ["sales_amount"]
    assert _limits(found) == {"region": ["대구"], "hospital_type": ["종합병원"]}


def test_how_many_of_those_counts_the_same_things():
    found = _request("How many hospitals do we have in Busan?", "how many of those bought something in Q3?")
    assert (found["count_groups"], _limits(found)) == ("hospital", {"region": ["부산"]})
    assert found["existence"][0]["exists"]


@pytest.mark.parametrize(
    "turns",
    [
        ("대구에 거래처가 몇 개나 돼?", "어디어디야?"),
        ("How many hospitals are there in Daegu?", "which ones?"),
    ],
)
def test_things_that_were_counted_are_listed(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["dimensions"], _limits(found)) == (["hospital"], {"region": ["대구"]})


def test_a_pointer_that_limits_nothing_is_named():
    read = talk("항생제 10월 매출은?", "그 병원들 목표는?")
    assert read["clarification_needed"] or read["unread"]


def test_their_own_target_does_not_point_back():
    found = _request("What did we sell in Busan in October?", "How many reps beat their target in October?")
    assert not found.get("filters")


@pytest.mark.parametrize(
    "question", ["10월에 열린 세미나 목록 줘", "Please list the seminars held in October"]
)
def test_a_list_of_events_names_and_dates_them(question: str):
    assert {"seminar", "day"} <= {*_request(question)["dimensions"]}


@pytest.mark.parametrize("question", ["10월 방문 목록", "a list of visits in October"])
def test_a_list_of_events_without_names_is_said(question: str):
    assert ask(question)["unread"]


@pytest.mark.parametrize(
    "question",
    ["3분기 교통비는 식대의 몇 퍼센트야?", "Q3 travel costs as a percentage of Q3 meal costs?"],
)
def test_two_kinds_of_money_are_a_ratio(question: str):
    (one,) = _request(question)["derived"]
    sides = [one[side]["filters"][0]["values"] for side in ("numerator", "denominator")]
    assert (one["kind"], sides) == ("ratio", [["travel"], ["meal"]])


@pytest.mark.parametrize(
    "question",
    ["2026년에 매출이 17억을 넘은 달은?", "In which months of 2026 did revenue exceed 1.7 billion won?"],
)
def test_months_fulfil_a_condition(question: str):
    found = _request(question)
    assert (found["dimensions"], found["having"][0]["values"]) == (["month"], [1.7e9])


def test_a_kind_of_money_is_ranked_by_its_own_figure():
    found = _request("올해 강연료 상위 3명")
    assert (found["metrics"], found["top"]["by"]) == (["expense_amount"], "expense_amount")


@pytest.mark.parametrize(
    "turns", [("10월 대구 매출은?", "한 곳당 평균은?"), ("대구 거래처당 10월 평균 매출",)]
)
def test_a_figure_per_place_divides_by_places(turns: tuple[str, ...]):
    (one,) = _request(*turns)["derived"]
    assert one["denominator"]["metric"] == "count:hospital"


@pytest.mark.parametrize(
    "turns",
    [("서울 9월 목표는?", "달성했어?"), ("What was the September target of Seoul?", "did they hit it?")],
)
def test_whether_the_target_was_reached_is_its_share(turns: tuple[str, ...]):
    found = _request(*turns)
    assert (found["metrics"], _limits(found)) == (["achievement"], {"region": ["서울"]})


def test_reached_means_nothing_without_a_target():
    read = talk("10월 방문 몇 건?", "달성했어?")
    assert read["clarification_needed"] or read["unread"]


def test_a_number_apart_is_the_difference_of_both():
    (one,) = _request("서울 10월 방문 몇 건?", "부산은?", "몇 건 차이야?")["derived"]
    assert one["kind"] == "difference"


@pytest.mark.parametrize("last", ["합쳐줘", "add them up"])
def test_two_values_are_added_up(last: str):
    found = _request("visits in Seoul in October", "and Busan?", last)
    assert _limits(found) == {"region": ["서울", "부산"]}


def test_money_again_is_that_of_the_part():
    found = _request("제품군별 9월 매출", "비중으로 바꿔주세요", "항생제만 보면?", "금액으로 다시요")
    assert (found["metrics"], _limits(found)) == (["sales_amount"], {"category": ["항생제"]})


def test_less_than_in_another_month_counts_what_fell():
    found = _request("How many hospitals bought less in October than in September?")
    assert (found["count_groups"], found["comparison"]) == ("hospital", "previous")
    assert [(one["op"], one["values"]) for one in found["having"]] == [("<", [0.0])]


def test_a_half_year_grows_against_the_year_before():
    found = _request("By what percent did first-half revenue grow year over year?")
    assert found["comparison"] == "same_period_last_year"
    assert found["period"]["end"] == "2026-06-30"


def test_a_verb_of_one_syllable_can_be_denied():
    assert _request("3분기에 한 번도 사지 않은 거래처는 몇 군데죠?")["existence"][0]["exists"] is False


@pytest.mark.parametrize("said", ["오케이 고생했어", "고생 많으셨습니다"])
def test_trouble_that_was_taken_is_thanked_for(said: str):
    assert small_talk.kind(said) == "thanks"


@pytest.mark.parametrize(
    "question",
    ["10월 15분 미만 방문 비중", "What portion of October visits took less than 15 minutes?"],
)
def test_rows_within_a_limit_are_a_share_of_all(question: str):
    (one,) = _request(question)["derived"]
    assert (one["kind"], one["numerator"]["rows"][0]["values"]) == ("share", [15.0])
    assert "rows" not in one["denominator"]
