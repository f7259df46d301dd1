"""Commands for bad days: dropping a question, repairing, and reading a directory that cannot be written."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from metaagent.maintenance import read_only_copy
from tests.support.command_line import Cli, run_cli
from tests.support.paths import ROOT
from tests.support.plugins import install


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
    monkeypatch.setattr(read_only_copy, "is_read_only", Path.is_dir)
    listed = cli("sessions", "list")
    assert (listed.exit_code, session in listed.stdout) == (0, True)
    assert "read-only" in listed.stderr
    assert "echo" in cli("sessions", "show", session).stdout
    assert cli("audit", "verify").exit_code == 0
    assert contents(cli.data) == before, "nothing was written"


def test_the_copy_of_a_read_only_directory_is_gone_afterwards(cli: Cli):
    asked(cli, "echo")
    with read_only_copy.readable(cli.data) as copy:
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


DYING = """
import os, signal
from pathlib import Path
from metaagent.plugin import Artifact, Capability, Result, agent


@agent(name="dying", capabilities=[Capability("dying", en=("die once",))], produces=["life"])
async def dying(task, ctx):
    mark = Path(__file__).with_name("died")
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Result("risen again", 1.0, [Artifact("life", {"ok": True})])
"""


@pytest.fixture
def cut_off(cli: Cli) -> str:
    """A session whose last question was cut off by a kill."""
    cli.config.write_text("agents: {allow: ['demo-agents', 'dying-agents']}\n")
    install(cli.site, "dying-agents", DYING, dying="dying")
    session = asked(cli, "echo")
    died = run_cli("ask", "die once", "--session", session, *cli.options, site=cli.site)
    assert died.returncode == -9
    return session


def test_the_answer_of_a_cut_off_question_is_shown(cli: Cli, cut_off: str):
    done = cli("ask", "echo", "--session", cut_off)
    assert done.exit_code == 0
    assert "cut off and is finished first: die once" in done.stderr
    assert "risen again" in done.stderr
    assert "risen again" not in done.stdout


def test_json_has_the_answer_of_a_cut_off_question(cli: Cli, cut_off: str):
    first = cli.json("ask", "echo", "--session", cut_off)["finished_first"]
    assert (first["question"], first["status"], first["text"]) == ("die once", "completed", "risen again")
    assert "finished_first" not in cli.json("ask", "echo", "--session", cut_off)


def test_chat_shows_the_answer_of_a_cut_off_question(cli: Cli, cut_off: str, tmp_path: Path):
    (tmp_path / "questions").write_text("echo\n")
    words = ["chat", "--session", cut_off, *cli.options]
    with (tmp_path / "questions").open() as given:
        done = subprocess.run(
            [sys.executable, "-m", "metaagent.cli", *words],
            stdin=given,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(cli.site)},
            check=False,
            timeout=120,
        )
    assert "risen again" in done.stderr


def test_an_answer_to_a_cut_off_question_shows_how_it_ended(cli: Cli, cut_off: str):
    done = cli("resume", cut_off, "left")
    assert done.exit_code != 0
    assert "risen again" in done.stderr


def test_an_agent_that_was_not_loaded_is_named_when_nobody_can(cli: Cli):
    cli.config.write_text("agents: {allow: ['demo-agents', 'broken-agents']}\n")
    install(cli.site, "broken-agents", "import nothing_of_that_name", thing="thing")
    failed = cli("ask", "do the thing")
    assert failed.exit_code == 1
    assert "could not be loaded" in failed.stderr
    assert "thing (broken-agents)" in failed.stderr
    assert "could not be loaded" not in cli("ask", "echo").stderr


def test_a_restored_directory_without_keys_is_said(cli: Cli, tmp_path: Path):
    asked(cli, "echo")
    cli("backup", str(tmp_path / "backup"), "--keys-to", str(tmp_path / "keys"))
    locked = cli("restore", str(tmp_path / "backup"), str(tmp_path / "locked"))
    assert "Nothing of it can be read yet" in locked.stdout
    keys = ("--keys-from", str(tmp_path / "keys"))
    opened = cli("restore", str(tmp_path / "backup"), str(tmp_path / "opened"), *keys)
    assert "Nothing of it can be read yet" not in opened.stdout
