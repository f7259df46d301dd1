"""Reports that are made of a company's data: what they are about is looked up and judged, and they exist in both languages."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from metaagent.documents.model import Document, Heading, Paragraph, Table, lines
from metaagent.level2.compliance.agent import compliance_validation
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.level2.document.agent import document_generation
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.data_world import NOON, settings


class RunningClock(FakeClock):
    """Goes on by a moment each time that it is looked at: what is made later is newer."""

    def now(self) -> datetime:
        self.advance(0.01)
        return super().now()


@asynccontextmanager
async def company(made: Path, tmp_path: Path) -> AsyncGenerator[MetaAgent]:
    shutil.copyfile(made / "pharma.db", tmp_path / "pharma.db")
    agents = [data_analysis, document_generation, compliance_validation]
    async with MetaAgent.open(settings(tmp_path), agents=agents, clock=RunningClock(NOON)) as app:
        yield app


async def newest(app: MetaAgent) -> Document:
    listed = (await app.documents.listed())[-1]
    shown = await app.documents.shown(listed["document_id"], listed["version"])
    return Document.from_json(shown["document"])


def tables(document: Document) -> list[Table]:
    return [block for block in document.blocks if isinstance(block, Table)]


async def test_expense_report_of_a_month_shows_its_categories(made: Path, tmp_path: Path):
    async with company(made, tmp_path) as app:
        answer = await app.ask("지난달 지출 보고서 작성해줘")
        assert answer.status == "completed", answer.content
        document = await newest(app)
    (table,) = tables(document)
    assert document.template_id == "expense_report"
    assert table.columns[0].label == "비용 항목"
    assert len(table.rows) > 1
    assert not any("지출 목적" in line for line in answer.text.splitlines())


async def test_compliance_report_is_made_of_a_check(made: Path, tmp_path: Path):
    async with company(made, tmp_path) as app:
        answer = await app.ask("지난달 지출을 점검해서 컴플라이언스 보고서 작성해줘")
        assert answer.status == "completed", answer.content
        document = await newest(app)
    kinds = {each["kind"] for each in document.sources}
    assert {"verdict", "dataset"} <= kinds
    assert not document.open_fields
    assert int(document.fields["checked"]["value"]) > 20
    assert document.meta["기간"]


async def test_report_turns_into_english_with_its_changes(made: Path, tmp_path: Path):
    async with company(made, tmp_path) as app:
        first = await app.ask("지난달 서울 매출을 분석해서 방문 보고서를 작성해줘")
        before = await newest(app)
        await app.ask("2번 항목을 더 짧게", session_id=first.session_id)
        short = await newest(app)
        turned = await app.ask("영어로", session_id=first.session_id)
        assert turned.status == "completed", turned.content
        document = await newest(app)
    assert document.language == "en"
    assert document.document_id == before.document_id
    assert not [line for line in lines(document) if re.search("[가-힣]", line)]
    assert figures(document) == figures(short)
    assert [b.id for b in document.blocks] == [b.id for b in short.blocks]
    assert sentences(document, "results") < sentences(before, "results")


def figures(document: Document) -> list[Any]:
    return [cell for table in tables(document) for row in table.rows for cell in row]


def sentences(document: Document, part: str) -> int:
    return sum(len(b.spans) for b in document.blocks if isinstance(b, Paragraph) and b.id.startswith(part))


async def test_own_sentence_says_that_it_is_no_figure(made: Path, tmp_path: Path):
    async with company(made, tmp_path) as app:
        first = await app.ask("Analyze last month's sales in Seoul and write an analysis report")
        await app.ask("add a sentence that the CEO has approved it", session_id=first.session_id)
        document = await newest(app)
    added = next(b for b in document.blocks if isinstance(b, Paragraph) and ".added." in b.id)
    assert added.text == "The CEO has approved it."
    (note,) = [n.text for n in document.notes if n.number == added.spans[0].note]
    assert "not from the data" in note


async def test_each_of_two_documents_takes_its_own_clause(made: Path, tmp_path: Path):
    question = (
        "방문 보고서랑 세미나 신청서 둘 다 만들어줘. "
        "방문은 어제 송파두레의원, 세미나는 12월 20일 같은 곳에서 20명 예산 200만원"
    )
    async with company(made, tmp_path) as app:
        answer = await app.ask(question)
        assert answer.status == "completed", answer.content
        listed = await app.documents.listed()
        shown = [(await app.documents.shown(each["document_id"]))["document"] for each in listed]
    by_type = {each["template_id"]: Document.from_json(each) for each in shown}
    visit, seminar = by_type["visit_report"].fields, by_type["seminar_request"].fields
    assert visit["hospital"]["value"] == "송파두레의원"
    assert seminar["held_on"]["value"].endswith("-12-20")
    assert visit["visited_on"]["value"] != seminar["held_on"]["value"]
    assert seminar["place"]["value"] == "송파두레의원"
    assert "budget" not in visit


async def test_visit_report_has_a_part_for_the_talk(made: Path, tmp_path: Path):
    async with company(made, tmp_path) as app:
        await app.ask("어제 한결의원 김지훈 원장님 만나서 신제품 설명했고 샘플 2개 드렸어. 방문 보고서 써줘")
        document = await newest(app)
    headings = [block.text for block in document.blocks if isinstance(block, Heading)]
    assert headings == ["1. 개요", "2. 면담 내용", "3. 다음 일정"]
    assert document.fields["discussion"]["value"] == "신제품 설명"
    assert document.fields["hospital"]["value"] == "한결의원"
