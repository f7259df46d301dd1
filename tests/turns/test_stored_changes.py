"""A document that is changed and stored in one sentence: only the change is read as one, and only what was changed is stored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from metaagent.runtime import Answer, MetaAgent
from tests.support.chain import ANN, company

REPORT = {"en": "Write a report on sales in Busan last month.", "ko": "지난달 부산 매출 보고서를 작성해줘"}


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[MetaAgent]:
    async with company(tmp_path) as opened:
        yield opened


async def changed(app: MetaAgent, language: str, request: str) -> Answer:
    first = await app.ask(REPORT[language], user=ANN)
    return await app.ask(request, session_id=first.session_id, user=ANN)


@pytest.mark.parametrize(
    ("language", "asked", "title"),
    [
        ("en", 'Change the title to "Busan overview" and put it on file.', "Busan overview"),
        (
            "en",
            "Change the title to Busan at a glance, check it against the rules, then archive it.",
            "Busan at a glance",
        ),
        (
            "en",
            'Change the title to "South coast: check and save", and store it.',
            "South coast: check and save",
        ),
        (
            "en",
            'Change the title to "Sales of the south coast", check it and save it.',
            "Sales of the south coast",
        ),
        ("en", "Change the title to Busan for now, but do not store it.", "Busan for now"),
        ("ko", '제목을 "부산 현황"으로 바꾸고 규정 위반이 없는지 확인한 뒤 저장해줘', "부산 현황"),
        ("ko", "저장은 하지 말고 제목을 남부 현황으로 바꿔줘", "남부 현황"),
    ],
)
async def test_only_the_change_is_read_as_one(app: MetaAgent, language: str, asked: str, title: str):
    answer = await changed(app, language, asked)
    said = [line for line in answer.text.splitlines() if "→" in line]
    assert [line.rstrip(".").partition("→ ")[2] for line in said] == [title]
    declined = "not store" in asked or "말고" in asked
    assert len(await app.stored_list(user=ANN)) == (0 if declined else 1)


@pytest.mark.parametrize(
    ("language", "asked", "why"),
    [
        (
            "en",
            "Take the conclusion out, check it against the rules, put it on file.",
            "did not understand what to change",
        ),
        (
            "en",
            "Remove the glossary, check it against the rules and store it.",
            "did not understand what to change",
        ),
        (
            "en",
            "Change the wording of the appendix to something nice and archive it.",
            "did not understand what to change",
        ),
        ("ko", "부록을 빼고 규정 위반이 없는지 확인한 뒤 저장해줘", "무엇을 바꿀지 알 수 없습니다"),
        ("ko", "부록의 표현을 바꾸고 저장해줘", "무엇을 바꿀지 알 수 없습니다"),
    ],
)
async def test_what_could_not_be_changed_is_not_stored(app: MetaAgent, language: str, asked: str, why: str):
    answer = await changed(app, language, asked)
    assert await app.stored_list(user=ANN) == []
    undone = [line for line in answer.text.splitlines() if line.startswith(("Not done:", "하지 못한 일:"))]
    assert answer.text.splitlines() == undone  # nothing is judged either
    assert why in undone[0]
    needed = "'Write the document'" if language == "en" else "'문서 작성'"
    assert len(undone) == 3
    assert all(needed in line for line in undone[1:])
