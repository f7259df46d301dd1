"""The same questions on SQLite, PostgreSQL and DuckDB: the same figures, through the whole turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from metaagent import demo as demo_command
from metaagent.cli.main import app as command
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.data.semantic.policies import compiled_policy
from metaagent.data.tenant_data import data_version
from metaagent.demo import create_demo
from metaagent.ports import Json, User
from tests.support.data_world import OTHER, company, dataset
from tests.support.execution_world import events_of
from tests.support.postgres_server import running, why_not
from tests.support.semantic_cases import CASES
from tests.support.semantic_support import compiled, pharma

NOW = ["--now", "2026-11-16T12:00+09:00"]
SCALE = 0.05
QUESTIONS = (
    "지난달 서울 매출을 분석해줘",
    "지난 분기 매출 상위 5개 병원",
    "작년 11월부터 지난달까지 월별 매출 추이",
    "지난달 지역별 매출 비중",
    "지난달 매출을 전년 동월과 비교해줘",
    "Monthly running total of sales this year",
    "지난달 팀별 목표 달성률",
    "How many hospitals did we visit last week?",
    "지난주 요일별 방문 건수",
    "지난달 지역별 매출 상위 3개와 기타",
)
no_server = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")


def said(*words: str) -> str:
    result = CliRunner().invoke(command, [*words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo_command, "create_demo", partial(create_demo, scale=SCALE))
        yield


@pytest.fixture(scope="module")
def lite(small: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("lite")
    said("demo", "--data-dir", str(folder), *NOW)
    return f"sqlite:///{folder / 'pharma.db'}"


@pytest.fixture(scope="module")
def duck(small: None, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("duck")
    url = f"duckdb:///{folder / 'pharma.duckdb'}"
    shown = said("demo", "--url", url, "--data-dir", str(folder), *NOW)
    assert f"METAAGENT_DATA__URL={url}" in shown
    assert (
        json.loads(said("demo", "--url", url, "--data-dir", str(folder), "--json", *NOW))["created"] is False
    )
    return url


@pytest.fixture(scope="module")
def host(small: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL with the company in it and the reading roles that `semantic roles` prints."""
    folder = tmp_path_factory.mktemp("post")
    with running() as socket:
        url = f"postgresql://admin@/postgres?host={socket}"
        assert "semantic roles" in said("demo", "--url", url, "--data-dir", str(folder), *NOW)
        with admin(socket) as db:
            for tenant in ("local", "saebyeok"):
                db.execute(said("semantic", "roles", "--company", tenant, "--data-dir", str(folder)))
        yield socket


def admin(host: str) -> Any:
    import psycopg

    return psycopg.connect(host=host, user="admin", dbname="postgres", autocommit=True)


def role_url(host: str, tenant: str) -> str:
    return f"postgresql://metaagent_ro_{tenant}@/postgres?host={host}"


def roles(host: str) -> Json:
    return {"urls": {tenant: role_url(host, tenant) for tenant in ("hanbit", "saebyeok")}}


async def answers(folder: Path, data: Json, user: User | None = None) -> list[tuple[str, list[Any]]]:
    """Text and rows of each question."""
    found: list[tuple[str, list[Any]]] = []
    async with company(folder, data=data) as app:
        for question in QUESTIONS:
            answer = await app.ask(question, user=user)
            assert [step["status"] for step in answer.content["steps"]] == ["completed"], answer.text
            found.append((answer.text, (await dataset(app, answer, user))["rows"]))
    return found


def same(one: list[tuple[str, list[Any]]], other: list[tuple[str, list[Any]]]) -> None:
    for question, (text, rows), (other_text, other_rows) in zip(QUESTIONS, one, other, strict=True):
        assert [tuple(map(_close, row)) for row in rows] == [tuple(map(_close, row)) for row in other_rows], (
            question
        )
        assert text == other_text


def _close(value: Any) -> Any:
    return round(float(value), 6) if isinstance(value, int | float) else value


async def test_duckdb_gives_the_figures_and_words_of_sqlite(lite: str, duck: str, tmp_path: Path):
    for user in (User(), OTHER):
        same(
            await answers(tmp_path / "a", {"url": lite}, user),
            await answers(tmp_path / "b", {"url": duck}, user),
        )


@no_server
async def test_postgresql_reading_role_gives_the_answers_of_sqlite(lite: str, host: str, tmp_path: Path):
    for user in (User(), OTHER):
        same(
            await answers(tmp_path / "a", {"url": lite}, user),
            await answers(tmp_path / "b", roles(host), user),
        )


async def figures(url: str) -> dict[str, list[Any]]:
    """What every kind of question gives under the policy that the database enforces."""
    model, dialect = pharma(), url.partition(":")[0]
    database = ReadOnlyDatabase(url, compiled_policy(model, "hanbit"))
    found: dict[str, list[Any]] = {}
    for name, (query, _) in CASES.items():
        made = compiled(model, dialect, **query)
        got = (await database.run(made.sql, made.params)).rows
        found[name] = sorted((tuple(map(_close, row)) for row in got), key=repr)
    return found


async def test_sqlite_and_duckdb_enforcement_refuses_no_question_kind(lite: str, duck: str):
    assert await figures(lite) == await figures(duck)


@no_server
async def test_no_kind_of_question_is_refused_by_the_reading_role(lite: str, host: str):
    assert await figures(lite) == await figures(role_url(host, "hanbit"))


async def test_many_questions_at_once_are_answered_by_one_duckdb_file(duck: str, tmp_path: Path):
    async with company(tmp_path, data={"url": duck}) as app:
        found = await asyncio.gather(*(app.ask(question) for question in QUESTIONS[1:6]))
    assert {step["status"] for answer in found for step in answer.content["steps"]} == {"completed"}


@no_server
def test_the_command_answers_from_postgresql(lite: str, host: str, tmp_path: Path):
    shown: list[list[Any]] = []
    for name, data in (("a", f"url: '{lite}'"), ("b", f"urls: {{hanbit: '{role_url(host, 'hanbit')}'}}")):
        config = tmp_path / f"{name}.yaml"
        config.write_text(f"data: {{{data}}}\n", encoding="utf-8")
        place = ["--config", str(config), "--data-dir", str(tmp_path / name)]
        outcome = json.loads(said("ask", QUESTIONS[1], "--json", *place, *NOW))
        shown.append(outcome["artifacts"][0]["rows"])
    assert shown[0] == shown[1]
    assert len(shown[0]) == 5


@no_server
async def test_a_role_that_may_write_is_refused_with_what_to_do(host: str, tmp_path: Path):
    async with company(tmp_path, data={"url": f"postgresql://admin@/postgres?host={host}"}) as app:
        answer = await app.ask("지난달 매출 얼마야?")
    assert "metaagent semantic roles" in answer.text
    assert "superuser" in answer.text


@no_server
async def test_postgresql_cache_lasts_until_the_next_commit(host: str, tmp_path: Path):
    hits: list[bool] = []
    async with company(tmp_path, data=roles(host)) as app:
        for change in (False, False, True):
            if change:
                with admin(host) as db:
                    db.execute("UPDATE sales SET sales_amount = sales_amount WHERE sale_id = 1")
            answer = await app.ask("지난달 매출 얼마야?")
            state: Any = await app.state(answer.session_id)
            hits.append(state["agent_states"]["data_analysis"]["cache_hit"])
    assert hits == [False, True, False]
    assert data_version(role_url(host, "hanbit"))
    assert data_version(role_url(host, "nobody")) is None


@no_server
async def test_locked_table_and_endless_view_fail_with_distinct_errors(host: str, tmp_path: Path):
    question, found = "지난달 서울 매출 얼마야?", dict[str, list[str]]()
    endless = (
        "CREATE OR REPLACE VIEW metaagent_ro_saebyeok.sales AS WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT 1 FROM n) SELECT s.* FROM (SELECT {columns} FROM public.sales) s, n"
    )
    with admin(host) as db:
        columns = db.execute("SELECT * FROM metaagent_ro_saebyeok.sales LIMIT 0").description
        db.execute(endless.format(columns=", ".join(column.name for column in columns)))
        with db.transaction():
            db.execute("LOCK TABLE sales IN ACCESS EXCLUSIVE MODE")
            found["locked"] = await failing(tmp_path, roles(host), question, User())
        found["endless"] = await failing(tmp_path, roles(host), question, OTHER)
    assert all("잠그고 있습니다" in error for error in found["locked"])
    assert all("0.5초 안에 답하지 않아" in error for error in found["endless"])


async def failing(folder: Path, data: Json, question: str, user: User) -> list[str]:
    async with company(folder, data={**data, "seconds": 0.5}) as app:
        answer = await app.ask(question, user=user)
        events = await events_of(app, answer, user)
    errors = [event["steps"][0]["error"] for event in events if event["type"] == "todo_updated"]
    told = [error for error in errors if error]
    assert [("다시 시도합니다" in error) for error in told] == [True, True, False]
    assert "3번 시도함" in answer.text
    return told
