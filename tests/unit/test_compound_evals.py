"""The judge of requests for several agents: what a turn does not name is not judged, and an amount is one in any language."""

from __future__ import annotations

import pytest

from evals.compound import has, wrong_agents


@pytest.mark.parametrize(
    ("turn", "is_wrong"),
    [
        ({}, False),
        ({"agents": []}, True),
        ({"agents": ["data_analysis"]}, False),
        ({"agents": ["data_analysis", "storage_decision"]}, True),
    ],
)
def test_agents_are_judged_only_where_a_turn_names_them(turn: dict[str, list[str]], is_wrong: bool):
    assert bool(wrong_agents(turn, {"data_analysis"})) == is_wrong


@pytest.mark.parametrize(
    ("words", "text", "is_there"),
    [
        ("10만원", "at most KRW 100,000 per person", True),
        ("10만원", "1인 1일 10만 원을 넘지 않는다", True),
        ("10만원", "at most KRW 50,000 per person", False),
        ("10만원", "100,000 people", False),
        ("3개월", "보관 기간은 3 개월", True),
    ],
)
def test_an_amount_is_cited_as_any_language_writes_it(words: str, text: str, is_there: bool):
    assert has(words, text) == is_there
