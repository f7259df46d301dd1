"""Personal data in disguise."""

from __future__ import annotations

import pytest

from metaagent.protection.redaction import Redactor, find
from tests.attacks.generators import disguised

CASES = {f"{name} {seed}": (text, tell) for seed in range(3) for name, text, tell in disguised(seed)}


@pytest.mark.parametrize("name", CASES)
def test_personal_data_in_disguise_is_found(name: str):
    text, tell = CASES[name]
    assert tell not in Redactor().redact_text(text)


ORDINARY = (
    "2024/01/05 매출 1/2, 3/4 분기",
    "파일 report_2024_01_05.csv 와 v1_2_3",
    "1234\n5678\n9012\n3456",
    "매출\n123456\n234567\n345678",
    "비율 10/20, 구간 100/200/300",
    "@회의 참석자: 영업팀",
    "가격 12,000\n-3,000",
    "Это обычный текст",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str):
    assert find(text) == []
