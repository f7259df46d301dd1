"""Commands for bad days: dropping a question, repairing, and reading a directory that cannot be written."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from metaagent.maintenance import reading
from tests.support.command_line import Cli
from tests.support.paths import ROOT


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def asked(cli: Cli, question: str) -> str:
    return cli.json("ask", question)["session_id"]


def test_a_waiting_question_is_dropped_by_name(cli: Cli):
    session = asked(cli, "ask me")
    done = cli("resume", session, "--discard")
    assert done.exit_code == 0
    assert "Dropped question 1: ask me" in done.stdout
    again = cli("resume", session, "--discard")
    assert again.exit_code == 1
    assert "nothing to drop" in again.output


def test_an_answer_and_discard_do_not_go_together(cli: Cli):
    session = asked(cli, "ask me")
    assert cli("resume", session, "left", "--discard").exit_code == 2
    assert cli("resume", session, "left").exit_code == 0


def test_repair_says_what_was_lost_in_korean(cli: Cli, monkeypatch: pytest.MonkeyPatch):
    session = asked(cli, "echo")
    with closing(sqlite3.connect(cli.data / "metaagent.db")) as connection:
        connection.execute("UPDATE turns SET body = zeroblob(60)")
        connection.execute("UPDATE events SET body = zeroblob(60) WHERE seq = 1")
        connection.commit()
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    done = cli("repair")
    assert done.exit_code == 1
    assert f"세션 {session}, 1번 턴: 질문과 답" in done.stdout
    assert "damaged-" in done.stdout
    assert cli("repair").exit_code == 0


def test_a_read_only_directory_is_read_from_a_copy(cli: Cli, monkeypatch: pytest.MonkeyPatch):
    session = asked(cli, "echo")
    before = contents(cli.data)
    monkeypatch.setattr(reading, "is_read_only", Path.is_dir)
    listed = cli("sessions", "list")
    assert (listed.exit_code, session in listed.stdout) == (0, True)
    assert "read-only" in listed.stderr
    assert "echo" in cli("sessions", "show", session).stdout
    assert cli("audit", "verify").exit_code == 0
    assert contents(cli.data) == before, "nothing was written"


def test_the_copy_of_a_read_only_directory_is_gone_afterwards(cli: Cli):
    asked(cli, "echo")
    with reading.readable(cli.data) as copy:
        assert (copy / "metaagent.db").exists()
        assert (copy.stat().st_mode & 0o777, (copy / "kek").stat().st_mode & 0o777) == (0o700, 0o600)
    assert not copy.exists()


def test_a_deep_doctor_compares_documents_with_their_index(cli: Cli, tmp_path: Path):
    (tmp_path / "rules.md").write_text(
        "# Rules\n\nMeals cost at most 100 euros a person.\n", encoding="utf-8"
    )
    assert cli("ingest", str(tmp_path / "rules.md")).exit_code == 0
    sound = cli("doctor", "--deep")
    assert sound.exit_code == 0, sound.output
    assert "texts, terms and vectors of 1 collections belong together" in sound.stdout
    with closing(sqlite3.connect(cli.data / "library.db")) as connection:
        connection.execute("UPDATE indexed SET chunks = chunks + 1")
        connection.commit()
    broken = cli("doctor", "--deep")
    assert broken.exit_code == 1
    assert "metaagent index rebuild" in broken.stdout


def test_an_agent_is_switched_off_and_on_by_name(cli: Cli):
    place = ("--data-dir", str(cli.data))
    unknown = cli("agents", "off", "ecko", *place)
    assert (unknown.exit_code, "(echo?)" in unknown.stdout) == (1, True)
    assert cli("agents", "off", "echo", *place).exit_code == 0
    assert cli.json("ask", "echo")["steps"] == []
    assert cli("agents", "on", "echo", *place).exit_code == 0
    assert [step["agent_name"] for step in cli.json("ask", "echo")["steps"]] == ["echo"]


def test_a_switch_that_names_nobody_is_said(cli: Cli, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METAAGENT_AGENTS__DISABLED", '["ecko"]')
    found = cli("doctor")
    assert found.exit_code == 1
    assert "agents.disabled names it" in found.stdout


def test_nobody_is_erased_by_a_slip_of_the_pen(cli: Cli):
    asked(cli, "echo")
    done = cli("erase", "--user", "nobodyhere", "--yes")
    assert done.exit_code != 0
    assert "Nobody called nobodyhere" in done.output


def test_chat_takes_its_questions_from_a_file(cli: Cli, tmp_path: Path):
    questions = tmp_path / "questions.txt"
    questions.write_text("echo one\necho two\n", encoding="utf-8")
    with questions.open("rb") as given:
        done = subprocess.run(
            [sys.executable, "-m", "metaagent.cli", "chat", *cli.options],
            stdin=given,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(cli.site)},
            check=True,
            timeout=120,
        )
    assert [word in done.stdout for word in ("echo one", "echo two")] == [True, True]
