"""Ranking: scores in, order out."""

from __future__ import annotations

import pytest

from evals.term_index import TermIndex
from metaagent.knowledge.ranking import ENOUGH, Word, fused, relevances, same_text
from metaagent.ports import Match


def test_rare_terms_count_more_than_common_ones():
    index = TermIndex({"a": ["한도", "식음료"], "b": ["한도", "선물"], "c": ["한도", "교통"]})
    assert index.search(["한도", "선물"])[0].id == "b"


def test_a_repeated_term_counts_less_and_less():
    once, twice, often = (
        TermIndex({"a": ["x"] * count + ["y"] * (20 - count), "b": ["z"] * 20}).search(["x"])[0].score
        for count in (1, 2, 10)
    )
    assert once < twice < often
    assert twice - once > (often - twice) / 8


def test_long_chunks_are_marked_down():
    index = TermIndex({"short": ["x", "y"], "long": ["x", *["y"] * 40], "other": ["y"] * 20})
    assert index.search(["x"])[0].id == "short"


def test_fusion_adds_up_normalised_scores():
    searches = {
        "lexical": [Match("a", "", 40.0), Match("b", "", 20.0)],
        "expanded": [Match("a", "", 40.0), Match("b", "", 20.0)],
        "nearest": [Match("b", "", 0.2), Match("a", "", 0.1)],
    }
    order = fused(searches, "ko")
    assert [key for key, _ in order] == ["a", "b"]
    assert order[0][1] == pytest.approx(0.5 + 0.3 + 0.2 / 2)


def test_a_search_without_hits_takes_no_part():
    assert fused({"lexical": [], "expanded": [], "nearest": [Match("a", "", 0.5)]}, "en") == [("a", 0.15)]


def test_relevance_is_the_share_of_the_question():
    words = [Word(("식음료",)), Word(("한도",))]
    both, one, none = relevances(words, [{"식음료", "한도"}, {"식음료"}, {"교통"}])
    assert both == 1
    assert ENOUGH > one > 0.3 or one >= ENOUGH
    assert none == 0


def test_a_synonym_counts_almost_like_the_word():
    assert Word(("한도",), (("상한",),)).had_by({"상한"}) == pytest.approx(0.9)
    assert Word(("한도",)).had_by({"상한"}) == 0


def test_parts_of_a_compound_count_in_part():
    word = Word(("제품", "설명회", "제품설명회"))
    assert word.had_by({"제품설명회"}) == 1
    assert 0 < word.had_by({"설명회"}) < word.had_by({"제품", "설명회"}) < 1


def test_no_synonym_stands_for_an_article_or_a_code():
    assert Word(("제47조의2",), (("제47조",),)).had_by({"제47조"}) == 0
    assert Word(("ms201",), (("샘플",),)).had_by({"샘플"}) == 0


def test_near_duplicates_share_terms_and_every_figure():
    text = frozenset(f"t{letter}" for letter in "abcdefghijklmnopqrst")
    assert same_text(text, text - {"ta"} | {"other"})
    assert not same_text(text | {"100000"}, text | {"50000"})
    assert not same_text(text, text | {"1", "2", "3"})


def test_what_is_asked_about_weighs_most_where_nothing_has_it():
    bags = [{"법인", "한도"}, {"한도"}, {"교통"}]
    (with_noun, *_) = relevances([Word(("법인",)), Word(("차량",)), Word(("한도",))], bags)
    (with_kind, *_) = relevances([Word(("법인",)), Word(("상한선",), asks=True), Word(("한도",))], bags)
    assert with_noun < 0.5 < with_kind


def test_no_passage_has_no_relevance():
    assert relevances([Word(("한도",))], []) == []
