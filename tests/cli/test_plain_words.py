"""The words that a newcomer meets when something is missing, misspelt or not there yet: plain, in one language, with a way on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metaagent.cli.main import app
from tests.support.data_world import make_company

NOW = ["--now", "2026-11-16T12:00+09:00"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("company")
    make_company(folder)
    return folder


def run(*words: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(app, [*words], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_first_question_without_data_names_the_ways_to_some(tmp_path: Path):
    asked = run("ask", "지난달 매출", "--data-dir", str(tmp_path))
    assert asked.exit_code == 1
    assert "조회할 데이터가 없습니다" in asked.stdout
    assert "metaagent connect" in asked.stdout
    assert "metaagent demo" in asked.stdout
    assert "ctx." not in asked.stdout + asked.stderr
    assert "데이터가 없습니다" not in asked.stderr, "it is said once"


def test_without_data_a_question_that_names_no_figure_is_searched(tmp_path: Path):
    (tmp_path / "leave.md").write_text("# Leave\n\nEvery employee has 15 days of annual leave.\n")
    place = ["--data-dir", str(tmp_path / "data")]
    assert run("ingest", str(tmp_path / "leave.md"), *place).exit_code == 0
    asked = run("ask", "How many days of annual leave do I have?", *place)
    assert (asked.exit_code, "15 days" in asked.stdout) == (0, True)


def test_a_company_without_rows_is_told_so(world: Path):
    asked = run("ask", "지난달 매출", "--company", "acme", "--data-dir", str(world), "--json", *NOW)
    told = json.loads(asked.stdout)
    assert (asked.exit_code, told["answer"]) == (
        1,
        "데이터에 회사 'acme'의 행이 하나도 없습니다. 회사 이름을 확인하세요.",
    )
