"""Particles fit the sound before them and counters fit what is counted."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from metaagent.errors import Text
from metaagent.language.counters import counted, counter, plural
from metaagent.language.particles import filled, particle
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("word", "topic", "way"),
    [
        ("₩382M", "은", "으로"), ("$5", "는", "로"), ("2026-11", "은", "로"), ("2026-10", "은", "으로"),
        ("gone.db", "는", "로"), ("A등급", "은", "으로"), ("1위", "는", "로"), ("3곳", "은", "으로"), ("5회", "는", "로"),
        ("87.5%", "는", "로"), ("김서진 (서울1팀)", "은", "으로"), ("Metallica", "는", "로"), ("100만", "은", "으로"),
        ("2026-09-30", "은", "로"), ("2026-11-15", "은", "로"),
    ],
)  # fmt: skip
def test_a_particle_fits_digits_letters_and_signs(word: str, topic: str, way: str):
    assert particle(word, "은/는") == topic
    assert particle(word, "으로/로") == way


@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("{name}은(는) 없습니다.", "서울", "서울은 없습니다."),
        ("'{name}'이(가) 없습니다.", "gone.db", "'gone.db'가 없습니다."),
        ("{name}(으)로 읽었습니다.", "Metallica", "Metallica로 읽었습니다."),
        ("{name}(으)로 읽었습니다.", "부산", "부산으로 읽었습니다."),
        ("{name}와(과) 비교", "9월", "9월과 비교"),
        ("{name}을(를)", "★", "★을(를)"),
        ("{name}(으)로", "★", "★(으)로"),
        ("끝", "", "끝"),
    ],
)
def test_open_particles_of_a_message_are_closed(template: str, name: str, said: str):
    assert Text(en="", ko=template).say("ko", name=name) == said


_CLOSED = re.compile(r"\}['’”]?(은|는|을|를|와|과|로|으로|이|가|이나|나)(?=[ .,:;]|$)")


def test_no_message_fixes_the_particle_of_a_value():
    fixed = [
        f"{file}: {word.value.value}"
        for file in (ROOT / "metaagent").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Text"
        for word in node.keywords
        if word.arg == "ko" and isinstance(word.value, ast.Constant) and _CLOSED.search(str(word.value.value))
    ]
    assert fixed == []


def test_a_value_that_holds_an_open_particle_is_left_alone():
    assert Text(en="", ko="{name}은(는) 값").say("ko", name="매출은(는)") == "매출은(는)은 값"
    assert filled("{name}", {"name": "이(가)"}) == "이(가)"


@given(some.text(max_size=30))
def test_no_word_breaks_a_particle(word: str):
    assert particle(word, "은/는") in {"은", "는", "은(는)"}
    assert filled("{w}은(는)", {"w": word}).startswith(word)


@pytest.mark.parametrize(
    ("noun", "kind", "ko"),
    [
        ("영업사원", "person", "명"), ("영업사원", None, "명"), ("병원", "organisation", "곳"), ("지역", None, "곳"),
        ("제품", "product", "개"), ("주문", None, "건"), ("세미나", None, "회"), ("제품군", None, "개"), ("의사", "person", "명"),
    ],
)  # fmt: skip
def test_counters_fit_what_is_counted(noun: str, kind: str | None, ko: str):
    assert counter(noun, kind) == ko


def test_counts_are_written_in_both_languages():
    assert counted(64, "영업사원", "ko") == "영업사원 64명"
    assert counted(1, "product category", "en") == "1 product category"
    assert counted(1_200, "product category", "en") == "1,200 product categories"
    assert [plural(noun) for noun in ("sales rep", "person", "address", "day", "branch")] == [
        "sales reps", "people", "addresses", "days", "branches",
    ]  # fmt: skip
