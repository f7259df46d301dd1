from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.protection.escaping import defang, for_csv, for_terminal, printable

ORDINARY = [
    "지난달 서울 매출을 분석해줘",
    "KPI 보고서 v2.1을 PDF로 만들어줘",
    "ABC제약의 TNFα 억제제, β2 작용제, 5μm, Δx, 10Ω",
    "👨‍👩‍👧‍👦 가족 ❤️ 1️⃣ 👍🏽 🏳️‍🌈 👩🏽‍💻",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 잉글랜드",
    "Привет, он сказал: сосна",
    "Ελλάδα ΤΟ",
    "می\u200cخواهم",
    "שלום \u200fabc",
    "क्\u200dष",
    "줄\n바꿈\t탭\r\n",
    "全角ＡＢＣ１２３",
    "①②③ ㈜한빛 ™ © … “인용”",
    "café naïve Zürich",
    "日本語とEnglish",
    "\ufeff처음의 BOM",
    "ㅋㅋㅋ ㅠㅠ",
    "각",
]
TRICKS = [
    "삭\u200b제해",
    "ig\u200dnore",
    "ig\u200cnore",
    "a\u2060b",
    "끝\ufeff",
    "invoice\u202efdp.exe",
    "a\u2066b\u2069",
    "서울\u200f",
    "\u202dabc",
    "hello\U000e0041\U000e0042",
    "한\u3164글",
    "pass\u00adword",
    "a\ufe01b",
    "빈\u2800칸",
    "\x1b[2J",
    "a\x00b",
    "a\u2028b",
    "a\ud800b",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_not_changed(text: str):
    assert defang(text) == text


@pytest.mark.parametrize("text", TRICKS)
def test_hidden_characters_are_taken_out_and_only_they(text: str):
    assert defang(text) == "".join(char for char in text if " " <= char <= "~" or "가" <= char <= "힣")


def test_defang_takes_out_what_is_hidden_and_leaves_the_words():
    assert defang("삭\u200b제\u202e해\U000e0041 \x1b[31m👨‍👩‍👧") == "삭제해 [31m👨‍👩‍👧"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_defanged_text_hides_nothing(text: str):
    controls = {char for char in text if unicodedata.category(char) == "Cc"} - {*"\t\n\r"}
    assert not controls.intersection(defang(text))
    assert len(defang(text)) <= len(text)


@pytest.mark.thorough
@pytest.mark.parametrize("piece", ["\u200b", "а", "аb", "\U000e0041", "👨‍", "\U0001f3f4\U000e0067", "\x1b"])
def test_repeated_tricks_take_linear_time(piece: str):
    text = piece * (200_000 // len(piece))
    assert len(defang(text)) <= len(text)


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-1+2",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "＝1",
        "-",
        "|x",
        "+82 10-1234",
    ],
)
def test_a_formula_becomes_text_in_csv(cell: str):
    assert for_csv(cell) == "'" + cell


@pytest.mark.parametrize(
    "cell", ["", "서울", "-12.5", "+3", "-1,234,567", "-12.3%", "1=1", "a-b", "-1e5", " "]
)
def test_ordinary_cells_and_negative_numbers_stay(cell: str):
    assert for_csv(cell) == cell


def test_terminal_sequences_are_shown_not_obeyed():
    assert (
        for_terminal("\x1b]0;x\x07\x9b31m한글\u202e\r\n\t!") == "\\x1b]0;x\\x07\\x9b31m한글\\u202e\\x0d\n\t!"
    )


def test_control_characters_never_reach_a_page():
    assert printable("<b>한글\x1b\x00\ud800\n\t!") == "<b>한글\ufffd\ufffd\ufffd\n\t!"
