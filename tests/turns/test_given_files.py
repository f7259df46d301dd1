"""A file that comes with a question is what the question is about, whatever its name has in common with the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaagent.config import load_settings
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.data_world import NOON

TABLE = "병원,날짜,목적\n가나병원,2026-11-16,제품 설명\n다라병원,2026-11-13,세미나 안내\n".encode()
STORE = ["storage_decision"]
ABOUT_THE_FILE = {
    "이 파일을 방문 기록 테이블에 저장해줘": STORE,
    "첨부한 엑셀을 방문 테이블에 넣어줘": STORE,
    "이 방문 목록을 저장해줘": STORE,
    "save the attached file to the visits table": STORE,
    "please store these visit records": STORE,
    "첨부한 지출 내역이 규정에 맞는지 확인해줘": ["compliance_validation"],
    "check the attached expenses against the rules": ["compliance_validation"],
    "첨부한 방문 기록으로 방문 보고서 작성해줘": ["document_generation"],
}


async def read(folder: Path, question: str, *, attached: bool) -> Any:
    settings = load_settings(env={}, overrides={"data_dir": folder})
    async with MetaAgent.open(settings, clock=FakeClock(NOON)) as app:
        given = [await app.attach("visits.csv", TABLE)] if attached else []
        answer = await app.ask(question, attachments=given)
        return (await app.state(answer.session_id)).get("query_analyzer_state")


@pytest.mark.parametrize(("question", "capabilities"), ABOUT_THE_FILE.items())
async def test_a_given_file_is_what_is_meant(question: str, capabilities: list[str], world: Path):
    reading = await read(world, question, attached=True)
    assert reading["required_capabilities"] == capabilities
    assert len(reading["resolved"]["artifacts"]) == 1


async def test_figures_beside_a_file_are_figures(world: Path):
    reading = await read(world, "지난달 방문 수 알려줘", attached=True)
    assert "data_analysis" in reading["required_capabilities"]
    assert reading["resolved"]["artifacts"] == []


@pytest.mark.parametrize(
    "question", ["보고서 만들고 규정 확인해서 저장해줘", "규정 확인하고 저장해줘", "문제 없으면 저장해줘"]
)
async def test_nothing_is_made_up_to_be_stored(question: str, world: Path):
    settings = load_settings(env={}, overrides={"data_dir": world, "approval": {"mode": "never"}})
    async with MetaAgent.open(settings, clock=FakeClock(NOON)) as app:
        answer = await app.ask(question)
        assert "저장했습니다" not in answer.text
        assert await app.stored_list() == []


async def test_a_check_of_expenses_is_told_in_the_report_behind_it(world: Path):
    reading = await read(world, "지난달 지출 규정 검토하고 문제 없으면 보고서로 저장해줘", attached=False)
    assert reading["resolved"]["document_type"] == "compliance_report"
    wanted = {"data_analysis", "compliance_validation", "document_generation", "storage_decision"}
    assert set(reading["required_capabilities"]) == wanted
