"""Kinds of facts: what a question asks for, and which sentences state it."""

from __future__ import annotations

import asyncio

import pytest

from metaagent.knowledge.terms import terms
from metaagent.level2.retrieval.agent import information_retrieval
from metaagent.level2.retrieval.fact_kinds import fit, wanted
from metaagent.testing import FakeLibrary, run_agent


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("얼마까지 줄 수 있어?", {"amount", "permission", "time"}),
        ("누구한테 며칠 안에 알려야 해?", {"person", "time"}),
        ("Who approves it?", {"person"}),
        ("How soon must it be reported?", {"time"}),
        ("May I pay for it?", {"permission"}),
        ("이상반응은?", set[str]()),
    ],
)
def test_a_question_names_the_kinds_of_facts_it_wants(question: str, kinds: set[str]):
    assert {kind.name for kind in wanted(question)} == kinds


def test_a_sentence_fits_by_the_kinds_that_it_states():
    kinds = wanted("누구한테 며칠 안에 알려야 해?")
    assert fit("3일 안에 준법지원팀에 알린다.", kinds) == 1
    assert fit("위반은 알린다.", kinds) == 0
    assert fit("3일 안에 준법지원팀에 알린다.", ()) == 0


def test_dates_and_article_numbers_are_no_amounts():
    amount = wanted("매출액은 얼마야?")
    assert fit("매출액은 3억 1,125만 원이다.", amount) == 1
    assert fit("주제는 2026년 10월 17일의 매출액이다.", amount) == 0
    assert fit("매출액은 제7조에 따른다.", amount) == 0


def test_the_sentence_with_the_wanted_fact_answers():
    text = "# 사고\n\n사고 보고는 중요하다. 사고 보고는 24시간 안에 안전팀에 한다."
    library = FakeLibrary({"지침": text}, tokens=terms)
    result = asyncio.run(
        run_agent(information_retrieval, "사고 보고는 며칠 안에 해야 해?", language="ko", library=library)
    )
    assert result.summary.startswith("사고 보고는 24시간 안에 안전팀에 한다. [1]")
    assert "중요" not in result.summary


def test_words_that_a_whole_passage_has_choose_no_sentence():
    text = "# 가나정\n\n가나정은 두통에 쓴다. 가나정의 용법은 1일 1회이다. 가나정의 보관은 냉장이다."
    library = FakeLibrary({"가나정": text}, tokens=terms)
    result = asyncio.run(run_agent(information_retrieval, "가나정의 보관은?", language="ko", library=library))
    assert result.summary == "가나정의 보관은 냉장이다. [1]"
