"""The commands round the data: explain, semantic, export and the demonstration company."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metaagent import demo as demo_command
from metaagent.cli.main import app
from metaagent.demo import create_demo
from tests.support.data_world import company, make_company

NOW = ["--now", "2026-11-16T12:00+09:00"]


def said(*words: str, given: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*words], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("company")
    make_company(folder)
    return folder


def test_explain_gives_a_reason_for_every_conclusion(world: Path):
    place = ["--data-dir", str(world)]
    code, out = said(
        "explain", "-", "--json", *NOW, *place, given="지난달 서울 매출\nTop 5 hospitals by sales\n"
    )
    first, second = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert first["semantic_request"]["period"] == {"start": "2026-10-01", "end": "2026-10-31"}
    assert second["semantic_request"]["top"]["n"] == 5
    assert all(one["reason"] for one in [*first["explanations"], *second["explanations"]])


def test_the_shipped_model_fits_the_demonstration_company(world: Path):
    assert said("semantic", "check", "--data-dir", str(world))[0] == 0


def test_a_model_is_drafted_without_showing_data(world: Path, tmp_path: Path):
    drafted = tmp_path / "semantic.yaml"
    assert said("semantic", "infer", f"sqlite:///{world / 'pharma.db'}", "-o", str(drafted))[0] == 0
    assert "sales" in drafted.read_text(encoding="utf-8")
    assert said("semantic", "check", f"sqlite:///{world / 'pharma.db'}", "--model", str(drafted))[0] == 0


def test_results_are_written_as_files(world: Path, tmp_path: Path):
    async def ask() -> tuple[str, dict[str, str]]:
        async with company(world) as opened:
            answer = await opened.ask("지난달 지역별 매출 비중")
        return answer.session_id, {ref["kind"]: ref["id"] for ref in answer.content["artifacts"]}

    session, made = asyncio.run(ask())
    place = ["--data-dir", str(world)]
    for kind, form, begin in (
        ("dataset", "csv", b"\xef\xbb\xbf"),
        ("dataset", "xlsx", b"PK"),
        ("chart", "png", b"\x89PNG"),
        ("chart", "svg", b"<svg"),
        ("chart", "pdf", b"%PDF"),
    ):
        file = tmp_path / f"out.{form}"
        assert said("export", session, made[kind], "--format", form, "-o", str(file), *place)[0] == 0
        assert file.read_bytes().startswith(begin)
    assert said("export", session, made["chart"], "--format", "csv", *place)[0] == 2
    named = tmp_path / "named.csv"
    assert said("export", session, made["dataset"], "-o", str(named), *place)[0] == 0
    assert not named.read_bytes().lstrip().startswith(b"{"), "the name of a file says its format"
    assert said("export", session, made["chart"], "-o", str(named), *place)[0] == 2


def test_the_demonstration_company_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(demo_command, "create_demo", partial(create_demo, scale=0.02))
    place = ["--data-dir", str(tmp_path / "data"), *NOW, "--json"]
    first, again = (json.loads(said("demo", *place)[1]) for _ in range(2))
    assert (first["created"], again["created"]) == (True, False)
    assert first["rows"] == again["rows"]
    assert set(first["companies"]) == {"hanbit", "saebyeok"}


def test_a_file_that_holds_no_questions_is_refused(tmp_path: Path):
    (tmp_path / "x.yaml").write_text("a: 1\n")
    assert said("eval", str(tmp_path / "x.yaml"))[0] == 2
