"""A list after a word of leaving out is left out as a whole; only 말고, not and rather than put one in the place of another."""

from __future__ import annotations

import pytest

from tests.support.composed import OCTOBER, request

LISTS = {
    "Seoul, Busan and Daegu": ["서울", "부산", "대구"],
    "Seoul, Busan, Daegu": ["서울", "부산", "대구"],
    "Seoul, Busan": ["서울", "부산"],
    "Seoul and Busan": ["서울", "부산"],
    "Seoul, Busan, Daegu and Incheon": ["서울", "부산", "대구", "인천"],
}
WORDS = [
    "excluding",
    "except",
    "except for",
    "without",
    "not counting",
    "other than",
    "apart from",
    "leaving out",
]


@pytest.mark.parametrize("named", LISTS)
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("frame", ["Total sales {} last month", "Sales last month {}", "Sales {} in October"])
def test_a_whole_list_is_left_out(frame: str, word: str, named: str):
    query = request(frame.format(f"{word} {named}"))
    assert query["filters"] == [{"dimension": "region", "op": "not_in", "values": LISTS[named]}]
    assert (query["metrics"], query["period"]) == (["sales_amount"], OCTOBER)


@pytest.mark.parametrize(
    "text",
    [
        "Sales last month for Busan rather than Seoul",
        "지난달 서울 말고 부산 매출",
        "지난달 매출 서울 말고 부산",
    ],
)
def test_one_stands_in_the_place_of_another(text: str):
    assert request(text)["filters"] == [{"dimension": "region", "op": "in", "values": ["부산"]}]
