"""The command line as a person or a script meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from typer.testing import CliRunner

from metaagent import __version__
from metaagent.child import containment
from metaagent.cli.main import app
from tests.support.command_line import Cli
from tests.support.paths import ROOT

KEYS = [
    "session_id",
    "turn_id",
    "status",
    "phase",
    "answer",
    "analysis",
    "plan",
    "steps",
    "artifacts",
    "citations",
    "sources",
    "confidence",
    "warnings",
    "errors",
    "clarification",
    "approval",
    "blocked",
    "timings",
    "usage",
]


def test_an_answer_is_printed_alone_and_the_exit_code_is_0(cli: Cli):
    result = cli("ask", "echo :smile: [bold]x[/bold] \\")
    assert (result.exit_code, result.stdout) == (0, "echo :smile: [bold]x[/bold] \\\n")
    assert "echo" in result.stderr
    assert "session s" in result.stderr


def test_messages_are_in_the_language_of_the_question(cli: Cli):
    assert "세션 s" in cli("ask", "메아리 쳐 줘").stderr
    assert "session s" in cli("ask", "echo this").stderr
    assert "할 수 있는 일" in cli("ask", "노래 불러 줘").stdout
    assert "They can" in cli("ask", "sing").stdout
    assert "찾을 수 없습니다" in cli("ask", "메아리", "--session", "s0").stderr
    assert "There is no session" in cli("ask", "echo", "--session", "s0").stderr


def test_json_is_one_object_with_exactly_these_keys(cli: Cli):
    result = cli("ask", "echo", "--json")
    assert result.stdout.count("\n") == 1
    assert list(json.loads(result.stdout)) == KEYS
    assert list(cli.json("ask", "ask me")) == KEYS
    assert list(cli.json("ask", "")) == KEYS
    assert list(cli.json("ask", "echo", "--session", "s0")) == KEYS
    answered = json.loads(result.stdout)
    assert (answered["phase"], answered["answer"], answered["clarification"]) == ("completed", "echo", None)
    assert set(answered["timings"]) == {"total", "steps"}
    assert set(answered["usage"]) == {"calls", "tokens", "seconds", "steps"}
    assert result.stderr == ""


def test_complete_failure_exits_with_1(cli: Cli):
    result = cli("ask", "broken")
    assert (result.exit_code, "the source is gone" in result.stdout) == (1, True)
    assert cli("ask", "echo but broken").exit_code == 0, "a partial answer is an answer"
    assert cli("ask", "echo", "--session", "s0").exit_code == 1


@pytest.mark.parametrize(
    "words",
    [
        ("ask", ""),
        ("ask", " "),
        ("ask", "echo", "--session", "no id"),
        ("ask", "echo", "--now", "yesterday"),
        ("ask", "echo", "--user", ""),
        ("ask", "echo", "--unknown"),
        ("ask",),
        ("sing",),
        ("sessions", "show"),
    ],
)
def test_wrong_usage_exits_with_2_and_a_message(cli: Cli, words: tuple[str, ...]):
    result = cli(*words)
    assert result.exit_code == 2
    assert result.stderr.strip()


def test_a_question_back_exits_with_3_and_resume_answers_it(cli: Cli):
    result = cli("ask", "ask me")
    assert result.exit_code == 3
    assert result.stdout == "Left or right? :smile: [red]\n  1. left\n  2. right\n"
    session = cli.json("sessions", "list")["sessions"][0]
    assert session["status"] == "waiting"
    assert f"metaagent resume {session['session_id']}" in result.stderr
    assert cli("resume", session["session_id"]).exit_code == 2
    refused = cli("ask", "echo", "--session", session["session_id"])
    assert (refused.exit_code, "--discard" in refused.stderr) == (1, True)
    answered = cli("resume", session["session_id"], "left")
    assert (answered.exit_code, answered.stdout) == (0, "You said left.\n")
    again = cli("resume", session["session_id"], "왼쪽")
    assert (again.exit_code, "이어서 할 것이 없습니다" in again.stderr) == (1, True)


def test_a_waiting_question_can_be_named_or_discarded(cli: Cli):
    waiting = cli.json("ask", "ask me")
    assert waiting["clarification"]["options"] == ["left", "right"]
    session, question = waiting["session_id"], waiting["clarification"]["id"]
    assert cli("resume", session, "x", "--question", "other").exit_code == 2
    assert cli.json("resume", session, "right", "--question", question)["answer"] == "You said right."
    assert cli("ask", "ask me", "--session", session).exit_code == 3
    assert cli("ask", "echo", "--session", session, "--discard").stdout == "echo\n"


def test_dash_reads_one_question_per_line_in_separate_sessions(cli: Cli):
    result = cli("ask", "-", "--json", given="echo one\n\n메아리 둘\nask me\n")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["answer"] for line in lines] == ["echo one", "메아리 둘", None]
    assert len({line["session_id"] for line in lines}) == 3
    assert result.exit_code == 3
    one = lines[0]["session_id"]
    result = cli("ask", "-", "--session", one, given="echo two\necho three")
    assert (result.exit_code, result.stdout) == (0, "echo two\necho three\n")
    assert len(cli.json("sessions", "show", one)["turns"]) == 3
    assert cli("ask", "-", given="").exit_code == 0
    mixed = cli("ask", "-", "--session", "s0", given="메아리\necho\n")
    assert mixed.exit_code == 1
    assert "찾을 수 없습니다" in mixed.stderr
    assert "There is no session" in mixed.stderr


def test_sessions_are_renamed_pinned_and_shared(cli: Cli):
    session = cli.json("ask", "echo me")["session_id"]
    assert "Seoul" in cli("sessions", "rename", session, "Seoul").stdout
    assert cli.json("sessions", "list", "--find", "Seoul")["sessions"][0]["session_id"] == session
    cli("sessions", "pin", session)
    assert "Seoul" in cli("sessions", "list", "--of", "pinned").stdout
    cli("sessions", "pin", session, "--off")
    assert cli.json("sessions", "list", "--of", "pinned") == {"sessions": []}
    assert "Nobody called kim" in cli("sessions", "share", session, "--with", "kim").output
    assert "everybody of the company" in cli("sessions", "share", session).stdout
    assert cli.json("sessions", "share", session, "--show")["shares"][0]["person"] is None
    assert "Nobody else" in cli("sessions", "share", session, "--off").stdout


def test_sessions_are_listed_shown_and_deleted(cli: Cli):
    assert cli.json("sessions", "list") == {"sessions": []}
    assert "metaagent ask" in cli("sessions", "list").stdout
    asked = cli.json("ask", "echo [bold]me")
    session = asked["session_id"]
    assert session in cli("sessions", "list").stdout
    assert "echo [bold]me" in cli("sessions", "show", session).stdout
    shown = cli.json("sessions", "show", session)["turns"][0]
    assert (shown["question"], shown["answer"]) == ("echo [bold]me", "echo [bold]me")
    for words in (("list",), ("show", session), ("delete", session, "--yes")):
        foreign = cli("sessions", *words, "--user", "someone")
        assert session not in foreign.stdout
    assert cli("sessions", "delete", session).exit_code == 1, "nobody was there to say yes"
    assert cli("sessions", "delete", session, "--yes").exit_code == 0
    assert cli("sessions", "show", session).exit_code == 1


def test_agents_are_listed_with_what_they_can_do(cli: Cli):
    result = cli("agents")
    assert result.exit_code == 0
    assert "echo" in result.stdout
    assert "demo-agents" in result.stdout
    listed = cli.json("agents")
    by_name = {agent["name"]: agent for agent in listed["agents"]}
    assert by_name["echo"]["produces"] == ["echo_made"]
    assert all(problem["refused"] for problem in listed["problems"])


def test_the_doctor_says_what_is_there_and_what_to_do(cli: Cli, tmp_path: Path):
    healthy = cli.json("doctor")
    findings = {finding["what"]: finding for finding in healthy["findings"]}
    assert {"python", "sqlite", "langgraph", "chromadb", "data directory", "free space", "agents"} <= set(
        findings
    )
    assert cli("doctor").exit_code == 0
    (tmp_path / "file").write_text("")
    broken = CliRunner().invoke(app, ["doctor", "--data-dir", str(tmp_path / "file" / "x")])
    assert broken.exit_code == 1
    assert "--data-dir" in broken.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's")
@pytest.mark.parametrize("stand", [True, False])
def test_the_doctor_names_the_walls_round_agents(cli: Cli, monkeypatch: pytest.MonkeyPatch, stand: bool):
    monkeypatch.setattr(containment, "offered", lambda: containment.Walls(stand, stand, stand))
    findings = {finding["what"]: finding for finding in cli.json("doctor")["findings"]}
    said = findings["isolation"]["value"]
    for wall in ("no network", "writes only in a folder of its own", "signals only its own processes"):
        assert wall in said, said
    assert ("not offered" in said) is not stand, said


def test_now_sets_the_clock(cli: Cli):
    asked = cli.json("ask", "echo", "--now", "2024-02-29")
    assert asked["analysis"]["query_timestamp"].startswith("2024-02-28T15:00:0")


def test_a_wrong_setting_is_named(cli: Cli):
    cli.config.write_text("agent: {allow: []}\n")
    result = cli("ask", "echo")
    assert result.exit_code == 1
    assert "Did you mean 'agents" in result.stderr.replace("\n", " ")
    assert cli.json("ask", "echo")["errors"][0]["code"] == "config_invalid"


def test_chat_asks_on_in_one_session_and_takes_answers_inline(cli: Cli):
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("echo one\r\rask me\r2\rask me\r\r\x03echo tw\x03o\r\x04")
        result = cli("chat")
    assert result.exit_code == 0
    assert "You said right." in result.stdout
    (session,) = cli.json("sessions", "list")["sessions"]
    turns = cli.json("sessions", "show", session["session_id"])["turns"]
    assert [(turn["question"], turn["status"]) for turn in turns] == [
        ("echo one", "completed"),
        ("ask me", "completed"),
        ("ask me", "cancelled"),
        ("echo two", "completed"),
    ]
    assert f"--session {session['session_id']}" in result.stderr


def test_what_nobody_could_do_exits_with_1_and_waiting_is_said(cli: Cli):
    assert cli("ask", "sing").exit_code == 1
    assert cli.json("ask", "echo")["status"] == "completed"
    assert cli.json("ask", "ask me")["status"] == "waiting"
    assert cli.json("ask", "")["status"] == "failed"


def test_the_version_and_help_need_no_command(cli: Cli):
    assert CliRunner().invoke(app, ["--version"]).stdout == f"metaagent {__version__}\n"
    listed = CliRunner().invoke(app, ["--help"]).stdout
    for name in ("ask", "resume", "chat", "agents", "sessions", "doctor"):
        assert name in listed


def python(code: str, **environment: str) -> str:
    env = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, env=env, check=True)
    return done.stdout.decode()


HEAVY = ("langgraph", "chromadb", "sqlalchemy", "langchain_core", "pydantic", "rich")


def test_importing_the_package_is_light():
    loaded = python("import sys, metaagent; print(*sys.modules)").split()
    assert not set(HEAVY) & set(loaded)


def test_help_imports_nothing_heavy():
    code = """
import sys
sys.argv = ["metaagent", "--help"]
from metaagent.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code
print(*sys.modules)
"""
    loaded = python(code).splitlines()[-1].split()
    assert not {"langgraph", "chromadb", "sqlalchemy", "langchain_core", "pydantic"} & set(loaded)


def test_the_console_script_is_declared():
    (script,) = metadata.entry_points(group="console_scripts", name="metaagent")
    assert script.value == "metaagent.cli.main:main"


def test_ctrl_c_cancels_the_turn_and_leaves_the_session_usable(cli: Cli):
    environment = {**os.environ, "PYTHONPATH": str(cli.site), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "metaagent.cli", "ask", "hang and echo", *cli.options],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
        text=True,
    )
    assert process.stderr is not None
    announced, seen = process.stderr.readline(), process.stderr.readline()
    assert "Copy it to a safe place" in announced
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "/2" in seen
    assert "cancelled" in rest
    assert "Traceback" not in rest
    (session,) = cli.json("sessions", "list")["sessions"]
    assert session["status"] == "cancelled"
    assert cli("ask", "echo", "--session", session["session_id"]).stdout == "echo\n"
