"""Which one is more: what the talk has named is set against each other, and the one that was asked for is spoken of next."""

from __future__ import annotations

from typing import Any

import pytest

from metaagent.level1.query_analyzer.follow_ups.references import spoken_of
from tests.support.composed import talk

Json = dict[str, Any]


def _request(*turns: str) -> Json:
    read = talk(*turns)
    assert not read["clarification_needed"], turns
    assert not read["unread"], (turns, read["unread"])
    return read["semantic_request"]


@pytest.mark.parametrize(
    ("turns", "descending"),
    [
        (("10월 서울 매출", "부산은?", "어디가 더 많아?"), True),
        (("10월 서울 매출", "부산은?", "둘 중에 어느 쪽이 더 적어?"), False),
        (("sales in Seoul in October", "and Busan?", "which was lower?"), False),
        (("sales in Seoul in October", "and Busan?", "so which one had more?"), True),
    ],
)
def test_two_values_are_set_against_each_other(turns: tuple[str, ...], descending: bool):
    made = _request(*turns)
    assert (made["dimensions"], made["filters"][0]["values"]) == (["region"], ["서울", "부산"])
    assert made["order"] == [{"column": "sales_amount", "descending": descending}]


@pytest.mark.parametrize(
    "turns",
    [
        ("9월 방문", "10월은?", "어느 달이 더 많았어?"),
        ("9월 방문", "10월은?", "언제가 더 많았어?"),
        ("visits in September", "and October?", "which month had more?"),
    ],
)
def test_two_months_are_set_against_each_other(turns: tuple[str, ...]):
    made = _request(*turns)
    assert (made["period"]["start"], made["period"]["end"]) == ("2026-09-01", "2026-10-31")
    assert (made["dimensions"], made["order"][0]["column"]) == (["month"], "visit_count")


def test_a_month_is_set_against_the_same_of_last_year():
    made = _request("작년 10월 매출", "올해 10월은?", "어느 쪽이 더 많아?")
    assert (made["period"]["start"], made["comparison"]) == ("2026-10-01", "same_period_last_year")


@pytest.mark.parametrize(
    "turns",
    [
        ("서울 10월 방문", "부산은", "대구는", "어디가 제일 적어?"),
        ("visits in Seoul in October", "Busan?", "Daegu?", "which is the lowest?"),
    ],
)
def test_the_best_is_looked_for_among_all_that_were_named(turns: tuple[str, ...]):
    made = _request(*turns)
    assert made["filters"][0]["values"] == ["서울", "부산", "대구"]
    assert made["order"][0]["descending"] is False


def test_the_first_of_a_few_in_order_is_spoken_of():
    request = {"metrics": ["m"], "dimensions": ["d"], "order": [{"column": "m", "descending": True}]}
    shown = [{"dimension": "d", "by_key": True, "keys": ["2", "1"], "labels": ["b", "a"], "whole": True}]
    both, one = spoken_of({"semantic_request": request, "shown": shown})
    assert (both.keys, one.keys, one.labels) == (("2", "1"), ("2",), ("b",))
