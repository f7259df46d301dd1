"""Terms: what an index counts, the same for documents and questions."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from typing import get_args

import pytest

from metaagent.knowledge.korean import LONGEST_WORD, Analyser, morphemes
from metaagent.knowledge.terms import (
    _TOKEN,  # pyright: ignore[reportPrivateUsage]
    _terms_of,  # pyright: ignore[reportPrivateUsage]
    asked_words,
    is_whole,
    key_of,
    other_forms,
    phrase_keys,
    terms,
    word_terms,
)
from tests.support.naughty_strings import naughty_strings


@pytest.mark.parametrize("analyser", get_args(Analyser))
def test_particles_do_not_hide_a_word(analyser: Analyser):
    for inflected in ("서울에", "서울에서", "서울은", "서울의"):
        assert terms(inflected, analyser) == ["서울"]


@pytest.mark.parametrize("analyser", get_args(Analyser))
def test_compounds_are_found_split_and_whole(analyser: Analyser):
    found = terms("공정경쟁규약을", analyser)
    assert "공정경쟁규약" in found
    assert "설명회" in terms("제품설명회에서", analyser)
    assert "제품설명회" in terms("제품설명회에서", analyser)


def test_a_particle_taken_for_a_noun_hides_no_word():
    assert {"설명회", "제품설명회"} <= set(terms("제품설명회의 식음료"))


def test_names_that_no_dictionary_has_are_found_whole():
    for name in ("인슐비아주", "오스테반주", "카르비온정"):
        assert all(name in terms(name + particle) for particle in ("", "의", "는", "에")), name


def test_verbs_are_found_in_their_dictionary_form():
    assert "받다" in terms("받으면")
    assert "받다" in terms("받았습니다")


def test_english_words_are_stems_without_stop_words():
    assert terms("The limits of the company's gifts") == ["limit", "compani", "gift"]


@pytest.mark.parametrize(
    "text",
    ["제47조의2", "제 47 조의 2", "47조의2", "Article 47-2", "Art. 47-2", "§ 47-2", "§47-2", "section 47-2"],
)
def test_an_article_has_one_term_in_every_spelling(text: str):
    assert terms(text) == ["제47조의2"]


def test_a_paragraph_has_a_term_beside_its_article():
    assert terms("제47조의2 제1항") == terms("Article 47-2(1)") == ["제47조의2", "제47조의2제1항"]


def test_a_branch_article_is_not_its_stem_article():
    assert not set(terms("제47조")) & set(terms("제47조의2"))


@pytest.mark.parametrize("text", ["10만", "100,000", "100000"])
def test_an_amount_has_one_term_in_every_spelling(text: str):
    assert terms(text) == ["100000"]


def test_mixed_scales_add_up():
    assert terms("3만 5천원")[0] == "35000"
    assert terms("1억 2,000만 원")[0] == "120000000"
    assert terms("3조 원")[0] == "3000000000000"


def test_codes_are_found_with_and_without_marks():
    assert "ms201" in terms("MS-201의")
    assert "ms201" in terms("ms201")
    assert terms("47-2")[0] == "47-2"


def test_decomposed_hangul_gives_the_same_terms():
    assert terms(unicodedata.normalize("NFD", "서울에서 10만원")) == terms("서울에서 10만원")


def test_words_that_only_ask_are_left_out_of_questions():
    assert all("얼마" not in word for word in asked_words("식음료 한도가 얼마야?"))
    assert asked_words("What is the limit for gifts?") == [["limit"], ["gift"]]


def test_a_question_of_asking_words_alone_keeps_them():
    assert asked_words("얼마인가요?") == [["얼마"]]
    assert asked_words("how much") == [["how"], ["much"]]


def test_no_text_breaks_the_tokenizer():
    for text in [*naughty_strings(), "", "\x00서울\x00", "?!…", "가" * 5_000, "a" * 100_000, "1" * 5_000]:
        assert all(term and not term.isspace() for term in terms(text))


def test_a_word_without_end_is_cut():
    assert len(morphemes("한" * (3 * LONGEST_WORD))) >= 3


def test_nothing_is_loaded_before_the_first_use():
    code = (
        "import sys, metaagent.knowledge.terms;"
        "print([m for m in ('mecab', 'kiwipiepy', 'snowballstemmer') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        ("놓고 내리다", "놓고 내렸어"),
        ("돌아가시다", "돌아가셨는데"),
        ("스캔하다", "스캔해 둔"),
        ("찍히다", "찍혀서"),
    ],
)
def test_a_phrase_is_found_however_it_is_inflected(phrase: str, question: str):
    asked = [key_of(word) for word in word_terms(question)]
    assert asked[: len(phrase_keys(phrase))] == list(phrase_keys(phrase))
    assert is_whole(phrase, phrase_keys(phrase))


def test_a_phrase_that_loses_a_word_is_not_found_by_the_rest():
    assert not is_whole("덜 왔다", phrase_keys("덜 왔다"))
    assert is_whole("out of pocket", phrase_keys("out of pocket"))


@pytest.mark.parametrize("gap", [" ", "  ", "\n", "\u3000"])
def test_text_is_cut_between_words_that_no_term_joins(gap: str):
    """Terms of words seen before are kept: where a text is cut for that must change none of them."""
    units, words = (
        ["원", "명", "개", "억", "조", "의", "항", "제", "3만", "5천"],
        ["한도", "limit's", "조사", "x-2"],
    )
    parts = [*units, *words, "47", "2", "10,000", "article", "arts.", "sec.", "§", "(2)", "제47조"]
    for first in parts:
        for second in parts:
            for third in ("", "2", "조", "항", "한도"):
                text = gap.join((first, second, third))
                whole = [_terms_of(token, "mecab") for token in _TOKEN.finditer(text)]
                assert list(word_terms(text)) == [word for word in whole if word], text


def test_irregular_forms_of_a_word_are_known():
    assert "blow" in other_forms("blew")
    assert {"bought"} == set(other_forms("buy"))
    assert set(other_forms("두근대다")) == {"두근거리다", "두근거림"}
    assert other_forms("한도") == ()


def test_the_whole_of_a_compound_is_its_last_term():
    assert [word[-1] for word in word_terms("식사비 담당자")] == ["식사비", "담당자"]


def test_a_noun_that_reads_as_a_verb_is_also_that_noun():
    assert "단가" in terms("단가")
    assert terms("단가가") == ["단가"]


@pytest.mark.parametrize("cost", ["유류비", "회식비", "경조사비", "택시비", "난방비"])
def test_a_cost_is_a_noun_and_not_something_empty(cost: str):
    assert terms(cost)[-1] == cost
    assert terms(f"{cost}가")[-1] == cost
    assert "비다" in terms("창고가 비어")


def test_a_particle_behind_a_number_is_no_word():
    assert terms("제47조제9항에서") == ["제47조", "제47조제9항"]
    assert terms("AI를") == ["ai"]


def test_a_name_that_is_read_as_words_is_found_whole():
    assert {
        word[-1] for text in ("시프로엘주", "시프로엘주는", "시프로엘주의") for word in word_terms(text)
    } == {"시프로엘주"}
    assert terms("이자는") == terms("이자가") == ["이자"]
