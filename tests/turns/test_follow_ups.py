"""Questions that are offered below an answer: they lead on from it, and asking them gives an answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from metaagent.config import load_settings
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.data_world import NOON

FIGURES = {"ko": "2026년 10월 지역별 매출", "en": "Sales by region in October 2026"}
TOTAL = {"ko": "2026년 10월 매출 얼마야?", "en": "Sales in October 2026"}
REPORT = {
    "ko": "2026년 10월 지역별 매출 보고서 만들어줘",
    "en": "Write a report on sales by region in October 2026",
}
RULE = {"ko": "제품설명회 식음료 한도가 얼마야?", "en": "What is the meal limit at a product briefing?"}
CHECK = {
    "ko": "의사에게 50만원 골프 접대를 했는데 규정 위반인지 검토해줘",
    "en": "Is it against the rules that we took a doctor out for golf for 500,000 won?",
}
GREETING = {"ko": "안녕하세요", "en": "Hello"}


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[MetaAgent]:
    given = {"data_dir": folder, "approval": {"mode": "never"}}
    async with MetaAgent.open(load_settings(env={}, overrides=given), clock=FakeClock(NOON)) as app:
        await app.ingest_domain()
        yield app


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("asked", [FIGURES, TOTAL, REPORT, RULE, CHECK])
async def test_offered_question_is_answered_when_asked(asked: dict[str, str], language: str, world: Path):
    async with opened(world) as app:
        first = await app.ask(asked[language])
        offered = await app.follow_ups(first.turn_id)
        assert offered, "nothing is offered"
        for question in offered:
            answer = await app.ask(question, session_id=first.session_id)
            assert answer.status == "completed", question
            artifacts = answer.content["artifacts"]
            assert {each["kind"] for each in artifacts} & {"dataset", "passages", "verdict"}, question


async def test_offers_stay_with_what_was_told(world: Path):
    async with opened(world) as app:
        first = await app.ask(FIGURES["ko"])
        offered = await app.follow_ups(first.turn_id)
        assert len(offered) == 3
        assert all("2026년 10월" in each and "매출" in each for each in offered)
        narrowed = await app.ask("그중 서울은 제품별로 어때?", session_id=first.session_id)
        assert all("서울" in each for each in await app.follow_ups(narrowed.turn_id))


async def test_rule_leads_to_the_article_beside_it_and_to_a_check(world: Path):
    async with opened(world) as app:
        told = await app.ask(RULE["ko"])
        offered = await app.follow_ups(told.turn_id)
        assert offered[0].startswith("영업비용 집행기준 제4조")
        assert "지난달 지출이 규정에 맞는지 확인해줘" in offered
        found = await app.ask(offered[0], session_id=told.session_id)
        assert "제4조" in found.text


async def test_finding_leads_to_the_law_behind_it(world: Path):
    async with opened(world) as app:
        judged = await app.ask(CHECK["ko"])
        law = "의료법 제23조의5제1항"
        offered = await app.follow_ups(judged.turn_id)
        assert f"{law} 내용 알려줘" in offered
        assert law in (await app.ask(f"{law} 내용 알려줘", session_id=judged.session_id)).text


async def test_answer_from_an_attached_file_is_followed_without_it(world: Path):
    async with opened(world) as app:
        file = await app.attach("badges.md", "# 출입증\n\n분실한 출입증은 12번 창구에 신고합니다.\n".encode())
        told = await app.ask("분실한 출입증은 어디에 신고해?", attachments=[file])
        assert told.content["citations"], "it is cited, and is no document that others could search"
        assert not [each for each in await app.follow_ups(told.turn_id) if "출입증" in each]


async def test_greeting_leads_nowhere(world: Path):
    async with opened(world) as app:
        for language in ("ko", "en"):
            assert await app.follow_ups((await app.ask(GREETING[language])).turn_id) == []


async def test_english_offers_have_no_korean_names(world: Path):
    async with opened(world) as app:
        first = await app.ask("Top 5 products by sales in October 2026")
        offered = await app.follow_ups(first.turn_id)
        assert offered
        assert all(each.isascii() for each in offered)
