"""References to articles: one value, however they are written; and the article in which a line stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.knowledge.articles import Article, Reader, find, parse

NUMBERS = st.integers(1, 999)
SMALL = st.integers(0, 20)


@pytest.mark.parametrize(
    ("text", "article"),
    [
        ("제47조의2", Article(47, 2)),
        ("47조의2", Article(47, 2)),
        ("47-2", Article(47, 2)),
        ("Article 47-2", Article(47, 2)),
        ("§ 47-2", Article(47, 2)),
        ("제47조", Article(47)),
        ("제7조의2 제1항 제3호", Article(7, 2, 1, 3)),
        ("제7조의2제1항제3호의2가목", Article(7, 2, 1, 3, 2, "가")),
        ("Article 47-2(1)", Article(47, 2, 1)),
        ("Article 47-2, paragraph 1, item 3", Article(47, 2, 1, 3)),
        ("약사법 제47조의2 제1항", Article(47, 2, 1, law="약사법")),
        ("「의료법」 제23조의5", Article(23, 5, law="의료법")),
        ("Article 8(3) of the Improper Solicitation Act", Article(8, 0, 3, law="Improper Solicitation Act")),
        ("부칙 제3조", Article(3, supplement=True)),
    ],
)
def test_reference_is_read(text: str, article: Article):
    assert parse(text) == article


@pytest.mark.parametrize(
    "text", ["매출 3조 5천억원", "10조원", "2026-11", "1.2.3", "조의2", "", "47-2번 창구"]
)
def test_amounts_and_codes_are_no_articles(text: str):
    assert parse(text) is None
    assert not find(text)


def test_articles_of_a_sentence_are_found_in_order():
    said = "약사법 제47조제2항과 같은 법 제47조의2를 의료법 제23조의5제1항과 비교"
    assert [(found.article.law, found.article.korean()) for found in find(said)] == [
        ("약사법", "제47조제2항"),
        ("", "제47조의2"),
        ("의료법", "제23조의5제1항"),
    ]
    assert next(said[found.start : found.end] for found in find(said)) == "약사법 제47조제2항"


@given(NUMBERS, SMALL, SMALL, SMALL, st.sampled_from(["", "가", "하"]))
def test_written_article_is_read_back(number: int, branch: int, paragraph: int, item: int, subitem: str):
    article = Article(number, branch, paragraph, item, 0, subitem)
    assert parse(article.korean()) == article
    assert parse(article.base().written("en")) == article.base()
    assert parse(Article(number, branch, paragraph, item).written("en")) == Article(
        number, branch, paragraph, item
    )


@given(st.text(max_size=200))
def test_any_text_can_be_searched_for_articles(text: str):
    for found in find(text):
        assert 0 <= found.start < found.end <= len(text)


def test_article_covers_its_paragraphs_but_not_its_branches():
    assert Article(47).covers(Article(47, 0, 2))
    assert not Article(47).covers(Article(47, 2))
    assert not Article(47, 0, 2).covers(Article(47))
    assert not Article(47, law="약사법").covers(Article(47, law="의료법"))
    assert Article(47, law="약사법").covers(Article(47))


def test_aliases_tell_a_branch_from_its_article():
    assert {"제47조의2", "47-2", "Article 47-2", "약사법 제47조의2"} == set(
        Article(47, 2, law="약사법").aliases()
    )
    assert "47" not in Article(47).aliases()
    assert not set(Article(47).aliases()) & set(Article(47, 2).aliases())


def articles_of(lines: list[str]) -> list[str]:
    reader = Reader()
    found: list[str] = []
    for line in lines:
        reader.line(line, heading=False)
        found.append(reader.article.korean() if reader.article else "")
    return found


def test_branch_that_lost_its_suffix_is_numbered():
    lines = ["제47조 (판매 질서)", "제47조 (지출보고서)", "제47조 (정보센터)", "제48조 (개봉)"]
    assert articles_of(lines) == ["제47조", "제47조의2", "제47조의3", "제48조"]


def test_branch_after_a_chapter_is_still_a_branch():
    reader = Reader()
    for line in ("제50조 (판매)", "제50조 (통지)"):
        reader.line(line, heading=True)
    reader.leave()
    reader.line("제50조 (등재)", heading=True)
    assert reader.article == Article(50, 3)


def test_marks_of_paragraphs_and_items_are_followed():
    lines = [
        "제2조 (정의)",
        "① 뜻은 다음과 같다.",
        "1. 약사",
        "2. 약국",
        "가. 첫째",
        "2. 다시 둘째",
        "② 다음",
    ]
    assert articles_of(lines) == [
        "제2조",
        "제2조제1항",
        "제2조제1항제1호",
        "제2조제1항제2호",
        "제2조제1항제2호가목",
        "제2조제1항제2호의2",
        "제2조제2항",
    ]


def test_supplement_numbers_its_articles_anew():
    lines = ["제98조 (과태료)", "부칙 <제8365호,2007.4.11>", "제1조 (시행일) 공포한 날부터 시행한다."]
    assert articles_of(lines)[-1] == "부칙 제1조"


def test_sentence_that_names_an_article_begins_none():
    assert (
        articles_of(["제3조 (대상)", "제5조제1항에 따라 신고한다.", "제7조 및 제8조는 준용한다."])
        == ["제3조"] * 3
    )
