"""A question whether something is allowed is judged by the deed in it; one without a deed is never cleared."""

from __future__ import annotations

import pytest

from metaagent.level2.compliance.text.asking import deed_of
from metaagent.level2.compliance.text.reading import read
from metaagent.level2.compliance.text.wording import Sentences, cleaned


@pytest.mark.parametrize(
    ("question", "category", "amount"),
    [
        ("의사한테 20만원짜리 식사 대접하면 규정 위반이야?", "meal", 200_000),
        ("의사한테 20만원짜리 식사 대접하면 되나요?", "meal", 200_000),
        ("의사에게 1인당 12만원 저녁을 사는 게 문제가 될까요?", "meal", 120_000),
        ("김 원장한테 100만원 현금 주면 안 되지?", "cash", 1_000_000),
        ("Is it against the rules to give a doctor a 50,000 won gift?", "gift", 50_000),
        ("Dr. Kim got a 200,000 won dinner, is that a violation?", "meal", 200_000),
        ("Would a 150,000 won dinner for one doctor violate the rules?", "meal", 150_000),
        ("may we give Dr. Kim a gift of 50,000 won?", "gift", 50_000),
        ("Am I allowed to buy a doctor a 90,000 won dinner?", "meal", 90_000),
    ],
)
def test_question_is_judged_by_its_deed(question: str, category: str, amount: int):
    (found,) = read(Sentences(cleaned(deed_of(question)), proposed=True)).expenses
    assert (found.category, found.amount) == (category, amount)


@pytest.mark.parametrize("question", ["규정 위반이야?", "is that allowed?", "", "?"])
def test_question_without_a_deed_stays_as_it_is(question: str):
    assert deed_of(question) == question
