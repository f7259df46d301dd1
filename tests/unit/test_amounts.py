from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.language import amounts
from metaagent.language.numerals import korean_number


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("100만원", "money", 1_000_000),
        ("1억 2천만원", "money", 120_000_000),
        ("3만 5천원", "money", 35_000),
        ("12만3천4백원", "money", 123_400),
        ("오백만원", "money", 5_000_000),
        ("이십만원", "money", 200_000),
        ("1조 3천억원", "money", 1_300_000_000_000),
        ("2.5백만", "quantity", 2_500_000),
        ("1억5천", "quantity", 150_000_000),
        ("30%", "quantity", 30),
        ("30퍼센트", "quantity", 30),
        ("₩1,200,000", "money", 1_200_000),
        ("$3k", "money", 3_000),
        ("usd 5,000", "money", 5_000),
        ("1.5 million won", "money", 1_500_000),
        ("다섯 명", "quantity", 5),
        ("4박", "quantity", 4),
        ("3 nights", "quantity", 3),
        ("상위 5개", "rank", "top 5"),
        ("하위 3개", "rank", "bottom 3"),
        ("top 10", "rank", "top 10"),
        ("top five", "rank", "top 5"),
        ("가장 많이", "rank", "top 1"),
        ("100만원에서 500만원 사이", "money", [1_000_000, 5_000_000]),
        ("10만~50만원", "money", [100_000, 500_000]),
        ("1~5백만원", "money", [1_000_000, 5_000_000]),
        ("between 1 and 5 million won", "money", [1_000_000, 5_000_000]),
    ],
)
def test_an_amount_is_read_as_a_number(text: str, kind: str, value: Any) -> None:
    assert [(a.kind, a.value) for a in amounts.find(text)] == [(kind, value)]


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("10만원 이상", ">="),
        ("50만원을 넘는", ">"),
        ("80% 미만", "<"),
        ("3만원 이하", "<="),
        ("at least 5 visits", ">="),
        ("no more than 3 people", "<="),
        ("over $3k", ">"),
        (">= 300", ">="),
        ("100 이상", ">="),
    ],
)
def test_a_comparison_belongs_to_its_amount(text: str, operator: str) -> None:
    found = amounts.find(text)
    assert [a.extra["operator"] for a in found if "operator" in a.extra] == [operator]
    assert [a.value for a in found if a.kind == "comparison"] == [operator]


@pytest.mark.parametrize("text", ["병원장", "만약", "천천히", "일이 많다", "at most", "조사"])
def test_look_alikes_of_a_number_are_not_numbers(text: str) -> None:
    assert amounts.find(text) == []


@given(st.integers(min_value=1, max_value=2**53 - 1))
def test_a_number_spelt_with_korean_units_is_itself(number: int) -> None:
    parts: list[str] = []
    for unit, size in (("조", 10**12), ("억", 10**8), ("만", 10**4), ("", 1)):
        count = number // size % 10**4
        parts += [f"{count}{unit}"] if count else []
    assert korean_number(" ".join(parts)) == number


@given(st.text(alphabet="0123456789,.억만천백십원%$₩ 이상~kmb박명", max_size=40))
def test_no_text_of_numbers_raises_and_spans_stay_inside(text: str) -> None:
    for amount in amounts.find(text, bare=True):
        assert 0 <= amount.start < amount.end <= len(text)


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("과장님이랑 셋이 저녁 먹고", 3),
        ("교수님하고 둘이 만나서", 2),
        ("매출이랑 비용이랑 둘이 비교해줘", None),
    ],
)
def test_people_who_are_counted_together_have_no_unit(said: str, count: int | None) -> None:
    people = [each.value for each in amounts.numbers(said) if each.unit == "명"]
    assert people == ([] if count is None else [count])
