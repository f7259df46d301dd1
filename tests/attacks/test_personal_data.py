"""Personal data in disguise."""

from __future__ import annotations

import pytest

from metaagent.protection.redaction import Redactor, find
from tests.attacks.generators import disguised
from tests.attacks.texts import detected

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
    "127.0.0.1 에서 실행",
    "10.5.3.2 절 참조",
    '{"name": "방문수", "label": "전월비"}',
    '{"name": "조영제"}',
    "담당자 이하는 생략",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str):
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("대표이사 이하은", "이하은"),
        ('{"name": "오상철", "qty": 3}', "오상철"),
        ("{'customer_name': '조미경'}", "조미경"),
        ('{"성명":"김민준"}', "김민준"),
    ],
)
def test_names_in_keys_and_before_particles_are_found(text: str, name: str):
    assert [text[each.start : each.end] for each in find(text)] == [name]


def test_made_texts_keep_recall_and_precision():
    score = detected(seed=41, count=20)
    assert score.recall >= 0.97, score.missed
    assert score.precision >= 0.98, score.wrong


@pytest.mark.parametrize(
    "text",
    [
        "IBAN ES91-2100-0418-4502-0005-1332",
        "IBAN BE68\n5390\n0754\n7034",
        "passport number M384B 9210",
        "카드번호\n4902 9912\n7337 3655",
        "account no. 209-10-517168",
    ],
)
def test_numbers_in_odd_groups_are_found_whole(text: str):
    found = find(text)
    assert [text[each.start : each.end] for each in found] == [text[found[0].start :]]
    assert len(found[0].value) >= 10
