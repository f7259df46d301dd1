"""A number in an answer is one of the findings', or the answer is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.language.number_check import FIGURE, Findings, release_point

FINDINGS = Findings.of(
    [
        "서울 매출은 1,234,500원으로 -3.2% 감소 (2024-12-01~2024-12-31), 목표 1억 2천만원. See https://x.kr/a",
        "top 5 of 40 hospitals, 3.50%",
    ]
)


def test_each_number_has_a_mark_and_equal_ones_share_it():
    found = Findings.of(["3 and 4", "3 of 1억 2천만원"])
    assert found.texts == ("{{n1=3}} and {{n2=4}}", "{{n1=3}} of {{n3=1억 2천만}}원")


@pytest.mark.parametrize(
    "text",
    [
        "매출은 {{n1}}원, {{n2}} 감소했습니다.",
        "매출은 {{ n1 }}원, {{n2=-3.2%}}.",
        "매출은 1,234,500원",
        "매출은 1234500원이고 -3.2%",
        "2024년 12월 1일부터",
        "목표는 1억 2천만원",
        "3.5%",
        "고객이 만족한 병원을 천천히 조사, 제조 원가와 구조 개선",
        "See https://x.kr/a",
        "",
    ],
)
def test_numbers_of_the_findings_may_be_stated(text: str):
    assert FINDINGS.strangers(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "매출은 1,234,501원", "3.2%", "1234500%", "13월", "2025년", "{{n99}}", "{{n1", "1억", "2천만원", "2억 1천만원", "5억",
        "삼천만원", "약삼천만원", "두 배", "절반", "twice as much", "doubled", "three hospitals", "half of it", "tenfold",
        "①", "三", "Ⅷ", "¾", "٣", "７", "-{{n1}}원", "{{n1}}만원", "{{n1}} million", "{{n1}}{{n2}}", "1{{n1}}", "{{n1}}.5",
        "https://evil.example/?q=1", "www.evil.example", "a@evil.example", "![x](https://x.kr/a)", "[a](b)", "<img src=x>",
        "https://x.kr/ab",
    ],
)  # fmt: skip
def test_number_outside_the_findings_is_refused(text: str):
    assert FINDINGS.strangers(text)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_a_plain_number_passes_exactly_if_it_is_there(there: int, said: int):
    found = Findings.of([f"the total is {there:,} won"])
    assert (found.strangers(f"It is {said} won.") == []) == (there == said)


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3))
def test_no_text_breaks_the_check_and_marks_fill_back(text: str, texts: list[str]):
    found = Findings.of(texts)
    found.strangers(text)
    assert [found.filled(marked) for marked in found.texts if "{{" not in "".join(texts)] == [
        original for original in texts if "{{" not in "".join(texts)
    ]


@given(st.text(alphabet="매출은 12,3억만천{}n=[]PHONE_두배 \n", max_size=60))
def test_a_released_piece_never_ends_inside_a_number_or_a_mark(text: str):
    piece = text[: release_point(text)]
    assert piece == "" or piece[-1].isspace()
    assert piece.rfind("{{") <= piece.rfind("}}") or len(piece) - piece.rfind("{{") > 80
    for figure in FIGURE.finditer(text):
        assert not figure.start() < len(piece) < figure.end()
