"""The words that a newcomer meets when something is missing, misspelt or not there yet: plain, in one language, with a way on."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metaagent.cli.main import app
from metaagent.cli.screen import Screen
from metaagent.runtime import Answer
from tests.support.command_line import Cli
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


def test_without_data_a_question_without_figure_is_searched(tmp_path: Path):
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


def test_an_officer_is_told_that_no_plan_waits_for_her(cli: Cli):
    session = str(cli.json("ask", "echo")["session_id"])
    refused = cli("approve", session, "--user", "olga", "--role", "compliance_officer")
    assert refused.exit_code == 1
    assert f"No plan of session {session} waits for you" in refused.stderr
    unknown = cli("approve", session, "--user", "olga", "--role", "king").stderr
    assert "There is no role 'king' here" in unknown


def test_only_ask_offers_to_begin_another_session(cli: Cli):
    assert "begin a new one" in cli("ask", "echo", "--session", "s0").stderr
    for words in (
        ["resume", "s0", "x"],
        ["approve", "s0"],
        ["export", "s0", "a0"],
        ["sessions", "show", "s0"],
    ):
        refused = cli(*words).stderr
        assert "There is no session 's0'" in refused
        assert "begin a new one" not in refused, words


def test_a_receipt_that_is_not_there_is_said_before_asking(cli: Cli):
    undone = cli("stored", "undo", "nope", "--reason", "x")
    assert (undone.exit_code, "There is no receipt 'nope'" in undone.stderr) == (1, True)


def test_a_folder_without_a_backup_is_called_so(tmp_path: Path):
    restored = run("restore", str(tmp_path / "none"), str(tmp_path / "new"))
    assert (restored.exit_code, "holds no backup" in restored.stderr) == (2, True)


def test_comply_says_what_it_lacks(tmp_path: Path):
    place = ["--data-dir", str(tmp_path / "data")]
    assert "Name what to judge" in run("comply", *place).stderr
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)))
    judged = run("comply", str(tmp_path / "noise.bin"), *place).stdout
    assert "could not be judged" in judged
    assert ".. " not in judged


def test_a_missing_file_is_said_in_the_language_asked_in(tmp_path: Path):
    place, gone = ["--data-dir", str(tmp_path / "data")], str(tmp_path / "gone.yaml")
    for named in ("--config", "--attach"):
        refused = run("ask", "지난달 매출", named, gone, *place)
        assert (refused.exit_code, "그런 파일이나 폴더가 없습니다" in refused.stderr) == (2, True), named
        assert "Errno" not in refused.stderr


def test_what_a_turn_warns_of_is_told_beside_its_answer(capsys: pytest.CaptureFixture[str]):
    warned = {"code": "loop_blocked", "text": "slow held up everything else: run it with agents.isolate."}
    content = {"session_id": "s1", "answer": "3 words.", "warnings": [warned]}
    Screen("en").conclude(Answer("completed", content))
    told = capsys.readouterr()
    assert told.out.strip() == "3 words."
    assert "! slow held up everything else" in told.err


def test_ctrl_c_speaks_the_language_of_the_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    screen = Screen("en", quiet=True)
    screen.show({"type": "planning_start", "question": "지난달 매출"})
    assert screen.language == "ko", "the second Ctrl-C takes its words from here"

    async def pressed(*_given: object, **_named: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("metaagent.cli.follow.follow", pressed)
    stopped = run("ask", "지난달 매출", "--data-dir", str(tmp_path))
    assert (stopped.exit_code, "끝나기 전에 중단했습니다" in stopped.stderr) == (1, True)


def test_a_greeting_and_a_menu_name_every_kind_of_work(world: Path):
    place = ["--data-dir", str(world), *NOW]
    assert run("ask", "hi", *place).stdout == (
        "Hello. I can: check against the rules, analyse the data, write the document, search documents, "
        "remember what you ask me to, store it where it belongs.\n"
    )
    menu = run("ask", "qwerty asdf", *place).stdout
    for kind in ("analysis", "compliance check", "search", "document", "storing", "remembering"):
        assert f". {kind}\n" in menu


def test_a_hidden_column_is_called_personal_not_absent(tmp_path: Path):
    file, place = tmp_path / "shop.db", ["--data-dir", str(tmp_path / "data"), *NOW]
    with sqlite3.connect(file) as shop:
        shop.executescript(
            "create table customers (id integer primary key, name text, email text);"
            "create table orders (id integer primary key, customer_id integer references customers(id), "
            "ordered_on text, amount integer);"
            "insert into customers values (1, 'Ann', 'ann@example.com'), (2, 'Bob', 'bob@example.com');"
            "insert into orders values (1, 1, '2026-10-01', 100), (2, 2, '2026-10-05', 50);"
        )
    assert run("connect", str(file), *place).exit_code == 0
    told = run("ask", "Ann의 이메일 알려줘", *place).stdout
    assert "'이메일'은 개인 정보나 비밀이어서" in told
    assert "가정:" not in told, "nothing was looked up"


def test_a_company_without_documents_is_named(world: Path):
    asked = run("ask", "What is the meal limit?", "--company", "saebyeok", "--data-dir", str(world), *NOW)
    assert "The company 'saebyeok' has no documents to search yet" in asked.stdout
    assert "metaagent demo" not in asked.stdout
