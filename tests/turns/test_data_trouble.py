"""A database that is missing, refuses, is locked or is too slow: a failed step, tried again, and a partial answer."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app as command
from metaagent.data.tenant_data import TenantData
from metaagent.demo import create_demo
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Capability, Context, Result, Task, TryAgain, agent
from metaagent.ports import DataResult, Json, User
from metaagent.runtime import Answer, MetaAgent
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import FakeClock, run_agent
from tests.support.data_world import NOON, TODAY, company, dataset, reading, rows, settings
from tests.support.execution_world import events_of

KOREAN, ENGLISH = "지난달 서울 매출 얼마야?", "How much did we sell in Seoul last month?"
NOW = ["--now", "2026-11-16T12:00+09:00"]


async def told(folder: Path, question: str, **data: Any) -> tuple[Answer, list[str]]:
    """The answer, and what the to-do list said about the step while it ran."""
    async with company(folder, data=data) as app:
        answer = await app.ask(question)
        events = await events_of(app, answer)
    errors = [event["steps"][0]["error"] for event in events if event["type"] == "todo_updated"]
    return answer, [error for error in errors if error]


def check_failed(answer: Answer, errors: list[str], reason: str) -> None:
    """One failed step after three attempts, each of them seen, and an answer that says what is missing and why."""
    [step] = answer.content["steps"]
    korean = "하지 못한 일" in answer.text
    again = "다시 시도합니다" if korean else "trying again"
    assert (answer.status, step["status"]) == ("completed", "failed")
    assert [again in error for error in errors] == [True, True, False]
    assert [error for error in errors if reason not in error] == []
    assert reason.rstrip(".") in answer.text
    assert ("데이터 분석" if korean else "data analysis") in answer.text
    assert ("3번 시도함" if korean else "tried 3 times") in answer.text
    assert answer.content["confidence"] == 0


@pytest.mark.parametrize(
    ("url", "ko", "en"),
    [
        ("sqlite:///{folder}/gone.db", "gone.db가 없습니다", "There is no database file"),
        ("duckdb:///{folder}/gone.duckdb", "gone.duckdb가 없습니다", "There is no database file"),
        ("sqlite:///{folder}/text.db", "쓸 수 없습니다: file is not a database", "cannot be used"),
        ("postgresql://kim:secret@127.0.0.1:1/db", "쓸 수 없습니다: connection failed", "cannot be used"),
    ],
)
async def test_unreachable_database_error_is_in_the_users_language(
    tmp_path: Path, url: str, ko: str, en: str
):
    (tmp_path / "text.db").write_text("not a database at all, only text " * 100)
    for question, reason in ((KOREAN, ko), (ENGLISH, en)):
        answer, errors = await told(tmp_path, question, url=url.format(folder=tmp_path))
        check_failed(answer, errors, reason)
        assert "secret" not in json.dumps(answer.content)


async def test_locked_database_is_named_and_answers_when_free(world: Path):
    [[hospital]] = rows(world / "pharma.db", "SELECT name FROM hospitals WHERE company_id = :tenant LIMIT 1")
    other = sqlite3.connect(world / "pharma.db", isolation_level=None)
    async with company(world, data={"seconds": 0.5}) as app:
        other.execute("BEGIN EXCLUSIVE")
        locked = await app.ask(KOREAN)
        events = await events_of(app, locked)
        other.execute("ROLLBACK")
        other.close()
        free = await app.ask(f"지난달 {hospital} 매출 얼마야?", session_id=locked.session_id)
    errors = [event["steps"][0]["error"] for event in events if event["type"] == "todo_updated"]
    check_failed(locked, [error for error in errors if error], "잠그고 있습니다")
    assert hospital in free.text.splitlines()[0]
    assert free.content["artifacts"]


async def test_a_query_past_its_time_is_tried_again_and_then_given_up(world: Path):
    answer, errors = await told(world, KOREAN, seconds=0.001)
    check_failed(answer, errors, "데이터베이스가 0.001초 안에 답하지 않아")
    answer, errors = await told(world, ENGLISH, seconds=0.001)
    check_failed(answer, errors, "The database did not answer within 0.001 seconds")


async def test_endless_view_is_stopped_while_reading_and_asking(tmp_path: Path):
    file = tmp_path / "pharma.duckdb"
    create_demo(f"duckdb:///{file}", now=TODAY, scale=0.02)
    with duckdb.connect(str(file)) as db:
        for table in ("sales", "hospitals"):
            db.execute(f"CREATE TABLE {table}_rows AS SELECT * FROM {table}")
            db.execute(f"DROP TABLE {table}")
            db.execute(
                f"CREATE VIEW {table} AS WITH RECURSIVE n(i) AS "
                f"(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT r.* FROM {table}_rows r, n"
            )
    answer, errors = await told(tmp_path, KOREAN, url=f"duckdb:///{file}", seconds=0.3)
    check_failed(answer, errors, "0.3초 안에 답하지 않아")


def test_the_command_fails_with_the_reason_on_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METAAGENT_DATA__URL", f"sqlite:///{tmp_path / 'gone.db'}")
    for question, missing, again in (
        (KOREAN, "하지 못한 일: 데이터 분석 (데이터베이스 파일", "다시 시도합니다"),
        (ENGLISH, "Not done: data analysis (There is no database file", "trying again"),
    ):
        result = CliRunner().invoke(command, ["ask", question, "--data-dir", str(tmp_path / "data"), *NOW])
        assert result.exit_code == 1
        assert missing in result.stdout
        assert result.stderr.count(again) == 2
        assert "✗ 1/1" in result.stderr
        assert not (tmp_path / "gone.db").exists()


def test_the_command_says_that_a_slow_database_was_stopped(world: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METAAGENT_DATA__SECONDS", "0.001")
    result = CliRunner().invoke(command, ["ask", KOREAN, "--data-dir", str(world), "--json", *NOW])
    shown = json.loads(result.stdout)
    assert result.exit_code == 1
    assert "0.001초 안에 답하지 않아" in shown["answer"]
    assert shown["steps"][0]["status"] == "failed"
    assert shown["errors"][0]["agent"] == "data_analysis"


@agent(
    name="library",
    capabilities=[Capability("information_retrieval", ko=("규정",), en=("rule",))],
    produces=["passages"],
)
async def library(task: Task, ctx: Context) -> Result:
    return Result("판촉비는 한 사람에 10만 원까지입니다(내규 제3조).", 1.0)


async def test_findings_of_other_steps_are_answered_beside_a_failure(tmp_path: Path):
    chosen = settings(tmp_path, data={"url": f"sqlite:///{tmp_path / 'gone.db'}"})
    async with MetaAgent.open(chosen, agents=[data_analysis, library], clock=FakeClock(NOON)) as app:
        answer = await app.ask("지난달 서울 매출을 분석하고 판촉비 규정도 찾아줘")
        state: Any = await app.state(answer.session_id)
    assert "내규 제3조" in answer.text
    assert "하지 못한 일: 데이터 분석 (데이터베이스 파일" in answer.text
    assert state["response_metadata"]["type"] == "partial"
    assert 0 < answer.content["confidence"] < 0.6


class Failing:
    """The real port, until the database goes away after `good` answers."""

    def __init__(self, real: TenantData, good: int) -> None:
        self._real, self._good = real, good

    async def ask(self, request: Mapping[str, Any]) -> DataResult:
        self._good -= 1
        if self._good < 0:
            raise TryAgain("the database went away")
        return await self._real.ask(request)

    async def breakdowns(self, request: Mapping[str, Any]) -> list[str]:
        return await self._real.breakdowns(request)

    async def attributes(self, dimension: str) -> list[str]:
        return await self._real.attributes(dimension)


async def test_failure_while_explaining_a_change_leaves_the_figure(world: Path):
    opened = OpenDomain(settings(world))
    source = opened.data()
    assert source is not None
    question = "지난달 서울 매출을 분석해줘"
    request: Json = await reading(opened, question, "ko")
    whole, cut = [
        await run_agent(data_analysis, question, request=request, language="ko", db=Failing(port, good))
        for good in (99, 1)
        if (port := source.open(User(), "ko"))
    ]
    assert cut.summary.splitlines()[:2] == whole.summary.splitlines()[:2]
    assert "무엇이 변화를 만들었는지는 조회하지 못했습니다: the database went away" in cut.summary
    assert "조회하지 못했습니다" not in whole.summary
    assert cut.confidence == pytest.approx(0.9 * whole.confidence)


async def test_after_trouble_the_right_figure_comes_back(world: Path):
    hidden = world / "hidden.db"
    (world / "pharma.db").rename(hidden)
    async with company(world, data={"url": f"sqlite:///{world / 'pharma.db'}"}) as app:
        gone = await app.ask(KOREAN)
        hidden.rename(world / "pharma.db")
        back = await app.ask(KOREAN, session_id=gone.session_id)
        found = await dataset(app, back)
    sql = (
        "SELECT sum(s.sales_amount) FROM sales s JOIN hospitals h ON h.hospital_id = s.hospital_id WHERE "
        "s.company_id = :tenant AND h.region_name = '서울' AND s.sale_date BETWEEN '2026-10-01' AND '2026-10-31'"
    )
    assert not gone.content["artifacts"]
    assert found["rows"] == [list(row) for row in rows(world / "pharma.db", sql)]
