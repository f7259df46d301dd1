"""Questions that lean on the turns before: both of two values, those that were listed, the whole again, another topic."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.composed import ask, request, talk

OCTOBER = {"start": "2026-10-01", "end": "2026-10-31"}


def _values(found: dict[str, Any]) -> list[list[str]]:
    return [item["values"] for item in found["filters"]]


@pytest.mark.parametrize(
    "turns",
    [
        ("지난달 서울 매출", "부산은?", "둘 다 합치면?"),
        ("Seoul sales last month", "and Busan?", "both together?"),
    ],
)
def test_both_values_of_two_turns_are_added_up(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert (_values(found), found["period"]) == ([["서울", "부산"]], OCTOBER)
    assert not found.get("dimensions")


@pytest.mark.parametrize(
    "turns",
    [
        ("지난달 서울 매출", "부산은?", "둘 차이는?"),
        ("Seoul sales last month", "and Busan?", "what's the difference between the two?"),
    ],
)
def test_difference_of_two_turns_is_one_figure(turns: tuple[str, ...]):
    (figure,) = talk(*turns)["semantic_request"]["derived"]
    sides = [side["filters"][0]["values"] for side in (figure["numerator"], figure["denominator"])]
    assert (figure["kind"], sides) == ("difference", [["서울"], ["부산"]])


def test_both_needs_two_turns_to_speak_of():
    assert talk("지난달 매출", "둘 다 합치면?")["clarification_needed"]


def test_among_a_list_only_its_members_are_asked_for():
    found = talk("올해 3분기 매출 상위 10개 병원", "그중에서 서울만")["semantic_request"]
    assert found["among"]["top"]["n"] == 10
    assert (_values(found), found.get("top")) == ([["서울"]], None)


@pytest.mark.parametrize("last", ["전국으로 보면?", "전체로는 얼마야?"])
def test_the_whole_leaves_the_filter_of_before(last: str):
    found = talk("지난달 부산 매출", last)["semantic_request"]
    assert (found["metrics"], found["filters"], found["period"]) == (["sales_amount"], [], OCTOBER)


@pytest.mark.parametrize(
    ("first", "last", "start"),
    [
        ("작년 1분기 매출", "2분기는?", "2025-04-01"),
        ("작년 한 해 매출 총액", "4분기 중에서는 무슨 요일 매출이 가장 컸어?", "2025-10-01"),
        ("작년 12월 매출", "1월은?", "2026-01-01"),
        ("what were sales in Q3?", "what about the previous quarter", "2026-04-01"),
    ],
)
def test_a_unit_belongs_to_the_year_spoken_of(first: str, last: str, start: str):
    assert talk(first, last)["semantic_request"]["period"]["start"] == start


@pytest.mark.parametrize(
    "last",
    [
        "아 그리고 다른 건데, 지난주 방문 몇 건이야?",
        "Different question: how many visits were there last week?",
    ],
)
def test_another_topic_takes_nothing_over(last: str):
    found = talk("지난달 부산 의원 매출", last)
    assert (found["semantic_request"]["filters"], found["inherited"]) == ([], [])


def test_a_verb_keeps_the_part_that_was_spoken_of():
    found = talk("9월 식대 총액", "어느 팀이 제일 많이 썼어?")["semantic_request"]
    assert (found["metrics"], found["dimensions"]) == (["meal_amount"], ["team"])


@pytest.mark.parametrize(
    ("turns", "key"),
    [
        (("지난달 식대", "얼마나 늘었어?"), "comparison"),
        (("지난달 지역별 매출", "매출 큰 순서대로"), "order"),
        (("total expenses last month", "average per visit?"), "derived"),
    ],
)
def test_short_questions_change_one_part_alone(turns: tuple[str, ...], key: str):
    found = talk(*turns)
    assert found["semantic_request"][key]
    assert not found["doubts"]


def test_the_rest_is_everything_but_what_was_named():
    found = talk("지난달 방문 몇 건?", "그중 의원은 몇 건이야?", "나머지는?")["semantic_request"]
    assert [(f["op"], f["values"]) for f in found["filters"]] == [("not_in", ["의원"])]


# one sentence


@pytest.mark.parametrize(
    ("question", "metrics"),
    [
        (
            "how many seminars were completed last quarter and how many people came?",
            ["seminar_count", "seminar_attendees"],
        ),
        ("이번 달 매출 달성률", ["achievement"]),
        ("단가가 500원에서 1000원 사이인 제품", ["average_list_price"]),
        ("지난달 방문 한 건에 평균 몇 분 걸렸어?", ["average_visit_minutes"]),
    ],
)
def test_words_that_belong_together_are_one_reading(question: str, metrics: list[str]):
    assert request(question)["metrics"] == metrics


@pytest.mark.parametrize(
    ("question", "below"),
    [
        ("9월 식사비 1인당 얼마 썼어?", {"metric": "meal_attendees"}),
        ("지난달 방문 한 건에 평균 몇 분이야?", {"metric": "visit_count"}),
    ],
)
def test_a_figure_is_spread_over_those_who_were_there(question: str, below: dict[str, str]):
    (figure,) = request(question)["derived"]
    assert figure["denominator"] == below


@pytest.mark.parametrize(
    "question", ["부산 담당자들 이름하고 지난달 매출", "reps in Busan with their sales last month"]
)
def test_names_beside_a_figure_ask_for_each_of_them(question: str):
    assert request(question)["dimensions"] == ["rep"]


@pytest.mark.parametrize(
    ("question", "dim"), [("지난달 매출 상위 5명", "rep"), ("지난달 매출 하위 3곳", "hospital")]
)
def test_a_counter_names_the_kind_of_thing(question: str, dim: str):
    assert request(question)["dimensions"] == [dim]


def test_as_of_yesterday_ends_a_running_month():
    assert request("어제 기준 이번 달 방문 수")["period"] == {"start": "2026-11-01", "end": "2026-11-15"}


def test_up_or_down_between_months_compares_them():
    found = request("Did sales go up or down from September to October?")
    assert (found["period"]["start"], found["comparison"]) == ("2026-10-01", "previous")


@pytest.mark.parametrize("word", ["뿅뿅", "할인", "zorble", "신규"])
@pytest.mark.parametrize(
    "question", ["{} 지난달 서울 매출", "지난달 {} 상위 5명 매출", "how many {} visits last month"]
)
def test_an_inserted_word_is_named_or_stops_the_answer(question: str, word: str):
    found = ask(question.format(word))
    assert word in " ".join([*found["unread"], *found["doubts"]]) or found["clarification_needed"]


def test_words_of_the_same_meaning_are_read_and_said():
    found = ask("지난달 물품별 매출")
    assert found["semantic_request"]["dimensions"] == ["product"]
    assert any("물품" in said for said in found["assumptions"])
