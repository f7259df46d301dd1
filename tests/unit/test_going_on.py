"""Follow-ups account for their words: what they leave out is put in, what leaves no trace is named."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level1.query_analyzer import Lexicon
from tests.support.composed import NAMES, ask, talk

OCTOBER = {"start": "2026-10-01", "end": "2026-10-31"}


def _values(found: dict[str, Any]) -> list[list[str]]:
    return [item["values"] for item in found["filters"]]


def test_a_share_without_a_figure_is_one_of_the_figure_before():
    found = talk("sales by hospital type last quarter", "what share is from clinics?")["semantic_request"]
    (share,) = found["derived"]
    assert (share["kind"], share["numerator"]["metric"]) == ("share", "sales_amount")
    assert not found.get("dimensions")


@pytest.mark.parametrize(
    "turns",
    [
        ("9월에 방문 많이 한 사람 세 명만", "반대로 적게 한 사람은?"),
        ("three reps with the most visits in September", "and the ones with the fewest?"),
    ],
)
def test_the_opposite_keeps_figure_and_number(turns: tuple[str, ...]):
    found = talk(*turns)["semantic_request"]
    assert found["metrics"] == ["visit_count"]
    assert (found["top"]["n"], found["top"]["direction"]) in ((3, "bottom"), (1, "bottom"))


def test_a_named_value_leaves_the_list_it_was_in():
    found = talk("10월 대구, 광주, 대전 매출 각각", "대구 빼고")["semantic_request"]
    assert (_values(found), found["filters"][0]["op"]) == ([["광주", "대전"]], "in")


def test_what_was_left_out_comes_in_again():
    turns = ("September expenses by category", "leave out meals", "and including meals?")
    assert _values(talk(*turns)["semantic_request"]) == []


def test_a_split_by_what_was_limited_shows_all_of_it():
    found = talk("지난달 교통비", "항목별로 보여줘")["semantic_request"]
    assert (found["dimensions"], found["filters"]) == (["expense_category"], [])


def test_a_figure_alone_is_one_of_the_place_before():
    read = talk("상반기 인천 매출", "그래서 달성률은 몇 퍼센트야")
    assert _values(read["semantic_request"]) == [["인천"]]


def test_the_whole_again_keeps_the_split():
    found = talk("올해 제품군별 매출 순위", "항생제 빼고", "다시 전체로")["semantic_request"]
    assert (found["dimensions"], found["filters"]) == (["category"], [])


def test_both_periods_are_compared_when_the_change_is_asked():
    turns = ("올해 3분기 서울 매출", "2분기는?", "얼마나 늘어난 거예요?")
    found = talk(*turns)["semantic_request"]
    assert found["comparison"] == "previous"
    assert found["period"]["start"] == "2026-07-01"


def test_two_periods_apart_are_added_as_two_figures():
    found = talk("지난달 대구 매출", "작년 같은 달은?", "둘을 합치면?")["semantic_request"]
    (one,) = found["derived"]
    assert one["kind"] == "sum"
    assert {one[side]["period"]["start"] for side in ("numerator", "denominator")} == {
        "2026-10-01",
        "2025-10-01",
    }


def test_words_not_understood_before_are_still_named():
    read = talk("지난달 할인 매출", "부산은?")
    assert read["unread"] == ["할인"]
    assert "할인" in read["doubts"][0]


def test_another_measure_keeps_the_ranking():
    found = talk("top 5 products by revenue this year", "in units")["semantic_request"]
    assert (found["top"]["n"], found["top"]["by"]) == (5, "quantity")


def test_those_that_did_it_are_counted_not_what_they_did():
    found = ask("how many clinics bought something last month?")["semantic_request"]
    assert found["count_groups"] == "hospital"
    some = talk("How many clinics do we have?", "how many of them bought something last month?")
    assert some["semantic_request"]["count_groups"] == "hospital"


@pytest.mark.parametrize(
    ("question", "op", "steps"),
    [
        ("7월부터 10월까지 매출이 매달 늘어난 제품은?", ">", 3),
        ("3분기에 매월 매출이 줄어든 병원은 몇 곳이야?", "<", 2),
        ("Which teams' sales fell every month from July to October 2026?", "<", 3),
        ("hospitals whose visits dropped three months in a row", "<", 3),
    ],
)
def test_growth_in_every_month_is_a_condition_on_each(question: str, op: str, steps: int):
    read = ask(question)
    found = read["semantic_request"]
    assert [one["op"] for one in found["having"]] == [op] * steps
    assert {one["kind"] for one in found["derived"]} == {"difference"}
    assert not read["unread"]


@pytest.mark.parametrize(
    "question",
    [
        "지난달 방문이 뜸했던 병원 5곳",
        "방문을 제일 덜 한 팀 지난달",
        "the 5 quietest hospitals by orders in October",
        "slowest-selling products last month by units",
    ],
)
def test_adjectives_of_little_rank_from_below(question: str):
    found = ask(question)["semantic_request"]
    ranks = [found["top"]["direction"]] if found.get("top") else []
    downs = [not one["descending"] for one in found.get("order") or ()]
    assert ranks == ["bottom"] or downs == [True]


def test_a_word_takes_no_syllable_off_the_next_one():
    found = ask("지난달 서울 방문 비중이 몇 %야?")["semantic_request"]
    assert found["derived"][0]["numerator"]["metric"] == "visit_count"


def test_by_how_much_is_never_dropped():
    read = ask("By how much did the Busan hospital team miss its target in October?")
    assert read["unread"] or read["semantic_request"].get("derived")


@pytest.mark.parametrize("question", ["카르비온 말고 다른 거요", "아니 올해 말고 작년"])
def test_a_code_with_words_of_its_own_is_not_known_by_its_sound(question: str):
    meal = {"dimension": "expense_category", "value": "meal", "key": "meal", "table": "expenses"}
    reading = ask(question, lexicon=Lexicon.of([*NAMES, meal]))
    assert "value" not in {entity["type"] for entity in reading["extracted_entities"]}
