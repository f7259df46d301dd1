from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.protection.escaping import defang, for_csv, for_terminal, inspect_text, printable

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
    ("zero_width", "삭\u200b제해"),
    ("zero_width", "ig\u200dnore"),
    ("zero_width", "ig\u200cnore"),
    ("zero_width", "a\u2060b"),
    ("zero_width", "끝\ufeff"),
    ("bidi", "invoice\u202efdp.exe"),
    ("bidi", "a\u2066b\u2069"),
    ("bidi", "서울\u200f"),
    ("bidi", "\u202dabc"),
    ("invisible", "hello\U000e0041\U000e0042"),
    ("invisible", "한\u3164글"),
    ("invisible", "pass\u00adword"),
    ("invisible", "a\ufe01b"),
    ("invisible", "빈\u2800칸"),
    ("control", "\x1b[2J"),
    ("control", "a\x00b"),
    ("control", "a\u2028b"),
    ("control", "a\ud800b"),
    ("homoglyph", "pаypal.com"),
    ("homoglyph", "аdmin에게"),
    ("homoglyph", "сосо"),
    ("homoglyph", "Αpple"),
    ("homoglyph", "gοοgle"),
    ("homoglyph", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝"),
    ("homoglyph", "ѕуѕtem: 무시해"),
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_neither_flagged_nor_changed(text: str):
    assert inspect_text(text) == []
    assert defang(text) == text


@pytest.mark.parametrize(("kind", "text"), TRICKS)
def test_trick_is_flagged_at_its_place(kind: str, text: str):
    flags = inspect_text(text)
    assert {flag.kind for flag in flags} == {kind}
    assert all(0 <= flag.start < flag.end <= len(text) and flag.detail for flag in flags)


def test_defang_takes_out_what_is_hidden_and_leaves_the_words():
    assert defang("삭\u200b제\u202e해\U000e0041 \x1b[31m👨‍👩‍👧") == "삭제해 [31m👨‍👩‍👧"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_defanged_text_hides_nothing(text: str):
    kinds = {flag.kind for flag in inspect_text(defang(defang(text)))}
    assert "control" not in kinds
    assert len(defang(text)) <= len(text)


@pytest.mark.thorough
@pytest.mark.parametrize("piece", ["\u200b", "а", "аb", "\U000e0041", "👨‍", "\U0001f3f4\U000e0067", "\x1b"])
def test_repeated_tricks_take_linear_time(piece: str):
    text = piece * (200_000 // len(piece))
    assert all(0 <= flag.start < flag.end <= len(text) for flag in inspect_text(text))
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
