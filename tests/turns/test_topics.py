"""The examples that a newcomer is offered: figures of the data, and what the other agents do."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaagent.config import LIBRARY_FILE, load_settings
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.data_world import NOON

LIMIT = {
    "ko": "제품설명회 식음료 한도가 얼마야?",
    "en": "What is the food and drink limit for a product presentation?",
}
REPORT = {
    "ko": "지난달 지역별 매출 보고서를 작성해줘",
    "en": "Write a report on last month's sales by region",
}


async def offered(folder: Path, language: str, *, most: int = 6) -> tuple[str, ...]:
    settings = load_settings(env={}, overrides={"data_dir": folder})
    async with MetaAgent.open(settings, clock=FakeClock(NOON)) as app:
        found = await app.topics(language=language, most=most)
    assert found is not None
    return found.questions


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_half_of_the_examples_show_other_agents(language: str, world: Path):
    (world / LIBRARY_FILE).touch()
    questions = await offered(world, language)
    assert len(questions) == 6
    assert {LIMIT[language], REPORT[language]} <= set(questions[3:])


async def test_no_search_is_offered_without_documents(world: Path):
    questions = await offered(world, "ko")
    assert LIMIT["ko"] not in questions
    assert REPORT["ko"] in questions


async def test_no_example_is_offered_without_data(tmp_path: Path):
    assert await offered(tmp_path, "en") == ()


async def test_english_examples_have_no_korean_names(world: Path):
    assert all(question.isascii() for question in await offered(world, "en", most=12))
