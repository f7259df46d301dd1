"""Figures of an attached table: computed from its own cells, by the names that the question has in common with it."""

from __future__ import annotations

import pytest

from metaagent.level2.retrieval.tables import answer, tables_of

TEXT = """장부

거래처 | 제품 | 금액 | 수량 (개)
한울병원 | 글루메릭정 | 1,200,000 | 12
새봄의원 | 가스트렐정 | 300,000 | 3
한울병원 | 가스트렐정 | 500,000 | 5
푸른약국 | 글루메릭정 | 700,000 | 7

끝"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("거래처별 금액 합계 알려줘", "한울병원 1,700,000, 푸른약국 700,000, 새봄의원 300,000"),
        ("제품별 평균 수량은?", "글루메릭정 9.50, 가스트렐정 4"),
        ("가장 금액이 큰 거래처는?", "한울병원(1,700,000)"),
        ("수량이 가장 적은 거래처", "새봄의원(3)"),
        ("한울병원 금액은?", "1,200,000, 500,000(2행, 합계 1,700,000)"),
        ("새봄의원 금액은?", "300,000(1행)"),
        ("한울병원 가스트렐정 금액은?", "500,000(1행)"),
        ("총 금액은?", "2,700,000(4행)"),
        ("글루메릭정은 몇 건이야?", "2(2행)"),
        ("금액 중 가장 큰 값은?", "1,200,000"),
    ],
)
def test_a_figure_of_the_table(question: str, said: str):
    assert said in answer(TEXT, question, "ko")


def test_several_columns_of_numbers_are_asked_about():
    assert "금액, 수량" in answer(TEXT, "거래처별 합계 알려줘", "ko")


@pytest.mark.parametrize("question", ["위약금은 얼마야?", "지난달 서울 매출은?", "장부는 누가 썼어?"])
def test_other_questions_are_left_to_the_passages(question: str):
    assert answer(TEXT, question, "ko") == ""


def test_rows_that_do_not_fit_their_columns_are_no_table():
    assert tables_of("거래처 | 금액\n한울병원 | 본관 | 1") == []
    assert answer("거래처 | 금액\n한울병원 | 많음", "거래처별 금액 합계", "ko") == ""


def test_english_questions_are_answered_too():
    text = "Customer | Amount\nAcme | 10\nBolt | 2.5\nAcme | 1"
    assert "Acme 11, Bolt 2.50" in answer(text, "total amount by customer", "en")
    assert "Acme: 11" in answer(text, "which customer has the highest amount?", "en")
