"""Compound nouns whose head is a figure: with a modifier that nobody knows they are never read as the plain figure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.knowledge.korean import is_noun, without_particle
from metaagent.level1.query_analyzer.grammar import lexicon_ko
from metaagent.level1.query_analyzer.words.lexicon import phrasebook
from tests.support.composed import ask, context

HEADS = ("비", "비용", "료", "매출", "매출액", "지출", "방문 수", "방문 건수", "판매량", "예산", "건수")
FRAMES = (
    "지난달 {} 얼마야?",
    "3분기 {}가 매출의 몇 퍼센트야?",
    "지난달 {}이 가장 많은 팀은?",
    "지난달 지역별 {} 알려줘",
    "올해 {} 추이",
    "지난달 서울 {}",
)
KINDS = ("광고", "홍보", "물류", "컨설팅", "인쇄", "학회", "후원", "온라인", "수출", "내수", "화상", "반품")
SYLLABLES = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)


def _unknown(modifier: str) -> bool:
    """Tell whether no word of the grammar, the model or the data begins in the modifier."""
    book = phrasebook(context().domain, context().vocabulary, context().lexicon)
    parts = [modifier[a:b] for a in range(len(modifier)) for b in range(a + 1, len(modifier) + 1)]
    return not any(part in book.exact or lexicon_ko.LIGHT.match(part) for part in parts) and not any(
        lexicon_ko.ENDING.match(modifier[at:]) for at in range(len(modifier))
    )


def _named_or_asked(question: str, modifier: str) -> bool:
    reading = ask(question)
    told = [*reading["unread"], *reading["doubts"], *reading["assumptions"]]
    told += reading["feasibility_check"]["reasons"]
    return bool(reading["clarification_needed"]) or any(modifier in text for text in told)


@given(
    st.text(SYLLABLES, min_size=2, max_size=4).filter(_unknown),
    st.sampled_from(HEADS),
    st.sampled_from(FRAMES),
    st.booleans(),
)
def test_an_unknown_kind_of_figure_is_named(modifier: str, head: str, frame: str, apart: bool):
    said = f"{modifier} {head}" if apart and len(head) > 1 else modifier + head
    assert _named_or_asked(frame.format(said), modifier)


@pytest.mark.parametrize("kind", KINDS)
def test_a_real_kind_that_the_data_lacks_is_named(kind: str):
    for frame in FRAMES:
        for head in ("비", " 매출", " 방문 건수"):
            assert _named_or_asked(frame.format(kind + head), kind), (frame, head)


@pytest.mark.parametrize(
    "question", ["3분기 판촉비가 매출의 몇 퍼센트야?", "지난달 접대비가 제일 많은 팀은?"]
)
def test_a_figure_that_the_data_lacks_is_not_replaced(question: str):
    reading = ask(question)
    told = " ".join([*reading["doubts"], *reading["feasibility_check"]["reasons"]])
    assert "판촉비" in told or "접대비" in told
    assert "비가" not in told


def test_a_kind_that_the_data_has_limits_the_figure():
    for question in ("지난달 강연료", "지난달 기념품비 얼마야?", "지난달 교통비가 얼마나 돼?"):
        reading = ask(question)
        assert reading["unread"] == reading["doubts"] == [], question
        assert [f["dimension"] for f in reading["semantic_request"]["filters"]] == ["expense_category"]


@pytest.mark.parametrize("question", ["지난달 예상 매출", "서울 자문 매출액", "지난달 연구 지출"])
def test_a_word_of_the_dictionary_is_no_slip_of_another(question: str):
    word = question.split()[1]
    assert is_noun(word)
    assert _named_or_asked(question, word)


def test_particles_are_cut_from_nouns_alone():
    assert [without_particle(w) for w in ("접대비가", "물류비는", "예산", "재고")] == [
        "접대비",
        "물류비",
        "예산",
        "재고",
    ]
