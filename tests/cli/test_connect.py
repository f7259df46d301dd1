"""`metaagent connect` and `metaagent topics`: any database becomes what questions are about."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from evals.worlds.messy import make
from metaagent.cli.main import app
from metaagent.config import load_settings
from metaagent.sessions.domain import OpenDomain

NOW = ["--now", "2026-11-16T12:00+09:00"]


def said(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, [*words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("connected")
    file = make("desk", folder)
    said("connect", str(file), "--data-dir", str(folder / "data"), *NOW)
    return folder / "data"


def test_the_connected_database_is_the_domain_and_pharma_is_not(place: Path):
    opened = OpenDomain(load_settings(env={}, overrides={"data_dir": place}))
    assert opened.domain is not None
    assert opened.domain.name == "desk"
    assert not opened.domain.regions
    assert not opened.domain.document_types
    assert {one.name for one in opened.domain.intents} >= {"lookup", "compare", "rank"}
    assert opened.domain.defaults["metric"] == "sales"


def test_a_question_is_answered_from_the_connected_database(place: Path):
    out = json.loads(
        said("ask", "Number of support tickets by priority", "--json", "--data-dir", str(place), *NOW)
    )
    assert out["status"] == "completed"
    assert "urgent" in out["answer"]


def test_settings_that_name_a_domain_override_the_connected_one(place: Path):
    assert load_settings(env={}, overrides={"data_dir": place, "domain": "pharma"}).data.url is None
    assert load_settings(env={}, overrides={"data_dir": place}).domain == "desk"


def test_every_listed_question_works(place: Path):
    topics = json.loads(said("topics", "--json", "--data-dir", str(place), *NOW))
    assert topics["domain"] == "desk"
    assert (topics["start"], topics["end"]) == ("2024-01-13", "2026-11-15")
    assert len(topics["questions"]) == 5
    for question in topics["questions"]:
        out = json.loads(said("ask", question, "--json", "--data-dir", str(place), *NOW))
        assert out["status"] == "completed", question
        assert out["artifacts"], question


def test_what_cannot_be_used_is_listed_with_the_reason(tmp_path: Path):
    with sqlite3.connect(tmp_path / "odd.db") as db:
        db.execute("CREATE TABLE good (id INTEGER PRIMARY KEY, amount INTEGER, sold_on TEXT)")
        db.execute("INSERT INTO good VALUES (1, 5, '2026-10-01')")
        db.execute("CREATE TABLE hollow (id INTEGER)")
        db.execute("CREATE TABLE tmp_copy (id INTEGER)")
    db.close()
    out = json.loads(
        said("connect", str(tmp_path / "odd.db"), "--json", "--data-dir", str(tmp_path / "d"), *NOW)
    )
    assert {one["table"] for one in out["left_out"]} == {"hollow", "tmp_copy"}
    assert all(one["reason"] for one in out["left_out"])
    assert out["topics"]["questions"]


def test_an_edited_model_is_kept_until_it_is_to_be_replaced(tmp_path: Path):
    file, data = make("star", tmp_path), tmp_path / "data"
    out = json.loads(said("connect", str(file), "--json", "--data-dir", str(data), *NOW))
    model = Path(out["model"])
    model.write_text(
        model.read_text(encoding="utf-8").replace("en: Sales}", "en: Takings}"), encoding="utf-8"
    )
    again = json.loads(said("connect", str(file), "--json", "--data-dir", str(data), *NOW))
    assert again["kept"]
    assert "Takings" in again["topics"]["metrics"]
    anew = json.loads(said("connect", str(file), "--json", "--replace", "--data-dir", str(data), *NOW))
    assert not anew["kept"]
    assert "Takings" not in anew["topics"]["metrics"]


def test_files_hold_no_value_and_are_their_owners(place: Path):
    folder = place / "domains" / "desk"
    text = "".join(file.read_text(encoding="utf-8") for file in folder.iterdir())
    assert "User A" not in text
    assert "desk.example.com" not in text
    assert {oct(file.stat().st_mode & 0o777) for file in folder.iterdir()} == {"0o600"}


def test_several_companies_need_a_tenant(tmp_path: Path):
    with sqlite3.connect(tmp_path / "many.db") as db:
        db.execute(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, company_id TEXT, amount INTEGER, sold_on TEXT)"
        )
        db.executemany("INSERT INTO orders VALUES (?, ?, ?, '2026-10-01')", [(1, "a", 5), (2, "b", 7)])
    db.close()
    where = [str(tmp_path / "many.db"), "--data-dir", str(tmp_path / "d"), *NOW]
    said("connect", *where, code=1)
    assert not (tmp_path / "d" / "connected.yaml").exists()
    said("connect", *where, "--tenant", "b")
    assert yaml.safe_load((tmp_path / "d" / "connected.yaml").read_text())["data"]["tenants"] == {
        "local": "b"
    }
    out = json.loads(said("ask", "Sales in October 2026", "--json", "--data-dir", str(tmp_path / "d"), *NOW))
    assert "7" in out["answer"]


@pytest.mark.parametrize(
    "url", ["nowhere.db", "mysql://root:hush@host/db", "postgresql://a:hush@127.0.0.1:1/x"]
)
def test_what_cannot_be_connected_is_said_and_changes_nothing(url: str, tmp_path: Path):
    result = CliRunner().invoke(app, ["connect", url, "--data-dir", str(tmp_path / "d")])
    assert result.exit_code == 1
    assert "hush" not in result.output
    assert not (tmp_path / "d" / "connected.yaml").exists()


def test_without_data_topics_say_what_to_do(tmp_path: Path):
    out = said("topics", "--data-dir", str(tmp_path / "d"), *NOW)
    assert "pharma" in out


def test_ingested_documents_are_searched_beside_the_database(tmp_path: Path):
    file, data = make("desk", tmp_path), str(tmp_path / "data")
    said("connect", str(file), "--data-dir", data, *NOW)
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "travel.md").write_text(
        "# 출장 규정\n## 제1조 (숙박비)\n국내 출장의 숙박비는 1박 12만원을 한도로 한다.\n", encoding="utf-8"
    )
    said("ingest", str(rules), "--data-dir", data)
    for question in ("숙박비 한도는?", "규정에서 숙박비 찾아줘"):
        assert "12만원" in said("ask", question, "--data-dir", data, *NOW)
    assert "urgent" in said("ask", "Number of support tickets by priority", "--data-dir", data, *NOW)
