"""Names by the words of a text: which words are looked at, and where."""

from __future__ import annotations

import random

import pytest

from metaagent.language.patterns import regex
from metaagent.protection.redaction import (
    _bare_korean_names,
    _forms_of_address,
    _hangul_words,
    _names,
    _table_names,
    find,
)
from metaagent.protection.redaction._name_words import (
    COMPOUND,
    GIVEN,
    LABELS,
    OF_THINGS,
    ORDINARY,
    ROLES,
    TITLES,
)
from tests.support.names import named

PEOPLE = ("김성호", "박지훈", "오예서", "최민준", "남궁민수")
WORDS = regex(r"[가-힣]{2,}")
JOINTS = (" ", ", ", ": ", "\n", "/", "→", "\t", ' "', "는 ", "님 ", "씨 ")


def made_texts(seed: int, count: int) -> list[str]:
    """Runs of names, surnames with any syllables, roles, titles, labels and words of things, with any sign between them."""
    r = random.Random(seed)
    roles, titles, labels, things = ROLES, TITLES, sorted(LABELS), sorted(ORDINARY)

    def piece() -> str:
        made = r.choice("김이박함반봉" + GIVEN) + "".join(r.choices(GIVEN, k=r.randint(1, 2)))
        compound = r.choice(COMPOUND) + r.choice(GIVEN)
        beside = (
            r.choice(roles),
            r.choice(titles),
            r.choice(labels),
            r.choice(things),
            "성명",
            "010-2345-6789",
        )
        return r.choice((r.choice(PEOPLE), made, compound, f"{made}이", f"{made}에게", f"{made}씨", *beside))

    return ["".join(piece() + r.choice(JOINTS) for _ in range(r.randint(3, 12))) for _ in range(count)]


def covered(spans: set[tuple[int, int]]) -> set[int]:
    return {at for start, end in spans for at in range(start, end)}


@pytest.mark.parametrize("seed", [3, 20261118])
def test_no_name_begins_at_a_word_that_is_left_out(seed: int):
    by_words = (
        *_names.BY_WORDS,
        *_forms_of_address.BY_WORDS,
        *_bare_korean_names.BY_WORDS,
        *(each for each in _table_names.BY_WORDS if each.hits.__name__ != "_from_abroad"),
    )
    for text in made_texts(seed, 400):
        words = [found.span() for found in WORDS.finditer(text)]
        everywhere = {hit[1:3] for each in by_words for hit in each.hits(text, words)}
        everywhere = {(start, end) for start, end in everywhere if text[start:end] not in OF_THINGS}
        found = {hit[1:3] for each in _hangul_words.DETECTORS for hit in each.hits(text)}
        assert covered(everywhere) <= covered(found), text


@pytest.mark.parametrize("name", PEOPLE)
def test_a_word_within_another_is_not_taken_for_it(name: str):
    text = f"{name}탕수육집 앞의 새{name} 옆에서 {name} 과장을 만났다"
    assert [(each.start, each.value) for each in find(text)] == [(text.index(f" {name} ") + 1, name)]


def test_words_of_no_interest_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch):
    texts = [case.text for case in named(5, 200)]
    before = [find(text) for text in texts]
    monkeypatch.setattr(_hangul_words, "_MOST_DULL", 7)
    monkeypatch.setattr(_hangul_words, "_dull", set[str]())
    assert [find(text) for text in texts] == before
    assert len(_hangul_words._dull) <= 7  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Nguyen van Anh 과장님께 전달", "Nguyen van Anh"),
        ("Maria de Souza 대리가 휴가", "Maria de Souza"),
        ("담당자 토마스 베커 연락 바람", "토마스 베커"),
        ("메일은 minsu.k at hanbit 닷 com 입니다", "minsu.k at hanbit 닷 com"),
        ("이메일 jy_park at hanbit 점 co 점 kr 로", "jy_park at hanbit 점 co 점 kr"),
    ],
)
def test_names_and_addresses_of_mixed_letters_are_whole(text: str, value: str):
    assert [each.value for each in find(text)] == [value]
