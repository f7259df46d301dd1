"""What a person sees at a terminal, in Korean and in English: the list, the plan, the questions, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.demo import create_demo
from tests.support.chat_server import Say, chat_server
from tests.support.command_line import Cli
from tests.support.paths import ROOT
from tests.support.plugins import install
from tests.support.terminal import Press, run_in_terminal

AGENTS = r"""
import asyncio, os, threading
from metaagent.plugin import Artifact, Capability, Failed, NeedsInput, Result, Text, agent

HANGING = threading.Event()


def declare(name, ko, en, kind="", takes=(), **options):
    return agent(
        name=name,
        description=Text(en=f"The agent that is called {en}", ko=f"{ko} 담당 에이전트"),
        capabilities=[Capability(options.pop("can", name), ko=(ko,), en=(en,))],
        produces=[kind or f"{name}_made"], consumes=takes, needs=["progress"], **options,
    )


@declare("gather", "모음", "gather", "raw")
async def gather(task, ctx):
    await ctx.progress(40, "아주 긴 진행 메모 " * 20)
    await asyncio.sleep(0.5)
    return Result("모았습니다.", 1.0, [Artifact("raw", 1)])


@declare("letter", "편지", "letter", "letter", ("raw",), params=dict[str, int])
async def letter(task, ctx):
    return Result(f"limit {task.params.get('limit')}", 1.0, [Artifact("letter", 1)])


@declare("mailer", "발송", "mail", "receipt", ("letter",), side_effects=True, risk="high")
async def mailer(task, ctx):
    return Result("Sent.", 1.0, [Artifact("receipt", 1)])


@declare("evil", "악성", "evil")
async def evil(task, ctx):
    await ctx.progress(20, "\x1b[2Jgone")
    await asyncio.sleep(0.3)
    return Result("a \x1b[31mred\x1b]0;title\x07 b", 1.0, [Artifact("evil_made", 1)])


@declare("colour", "색깔", "colour")
async def colour(task, ctx):
    if not task.answers:
        raise NeedsInput("Which colour?", options=["red", "blue"])
    return Result(f"Colour {task.answers[0]}.", 1.0, [Artifact("colour_made", 1)])


@declare("side", "방향", "side")
async def side(task, ctx):
    if not task.answers:
        raise NeedsInput("어느 쪽입니까?", options=["왼쪽", "오른쪽"])
    return Result(f"{task.answers[0]}으로.", 1.0, [Artifact("side_made", 1)])


@declare("first", "환율", "rates", "rate", can="rates", cost=0.1)
async def first(task, ctx):
    raise Failed("server 503")


@declare("second", "환율", "rates", "rate", can="rates", cost=9)
async def second(task, ctx):
    await asyncio.sleep(0.3)
    return Result("1,391", 1.0, [Artifact("rate", 1)])


@declare("hasty", "보고", "survey", "report", can="report", cost=0.1)
async def hasty(task, ctx):
    raise Failed("no paper")


@declare("careful", "보고", "survey", "report", ("raw",), can="report", cost=9)
async def careful(task, ctx):
    return Result("Reported.", 1.0, [Artifact("report", 1)])


@declare("stubborn", "고집", "stubborn")
async def stubborn(task, ctx):
    await ctx.progress(10, "blocking")
    await asyncio.to_thread(HANGING.wait)


@declare("blocker", "막음", "blocker")
async def blocker(task, ctx):
    os.write(2, b"BLOCKED\r\n")
    HANGING.wait()
"""
NAMES = [
    "gather",
    "letter",
    "mailer",
    "evil",
    "colour",
    "side",
    "first",
    "second",
    "hasty",
    "careful",
    "stubborn",
    "blocker",
]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    made = Cli(tmp_path)
    made.site = tmp_path / "terminal-site"
    made.config.write_text("agents: {allow: ['terminal-agents', 'metaagent']}\n")
    install(made.site, "terminal-agents", AGENTS, **{name: name for name in NAMES})
    monkeypatch.syspath_prepend(made.site)
    monkeypatch.delitem(sys.modules, "terminal_agents", raising=False)
    return made


def session_in(text: str) -> str:
    return re.findall(r"\bs[0-9a-f]{16}\b", text)[0]


# --- the beginning and the end ---------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "said"), [("ko_KR.UTF-8", "시작하는 중"), ("C.UTF-8", "is starting")])
def test_start_message_is_shown_and_cleared(cli: Cli, lang: str, said: str):
    code, terminal = run_in_terminal(["ask", "colour", *cli.options], cli.site, LC_ALL=lang)
    assert code == 3
    assert said in terminal.seen[0]
    assert said not in terminal.shown
    missing = ["ask", "colour", "--config", "/no/such/file.yaml"]
    code, terminal = run_in_terminal(missing, cli.site, LC_ALL=lang)
    assert (code, said in terminal.shown) == (2, False), "an error takes its place, too"


def test_a_device_that_is_full_is_named_and_the_answer_is_kept(cli: Cli):
    command = [sys.executable, "-m", "metaagent.cli", "ask", "evil", *cli.options]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{cli.site}", "LC_ALL": "ko_KR.UTF-8"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, env=env, check=False)
    said = done.stderr.decode()
    assert done.returncode == 1
    assert "가득 차" in said
    assert "Traceback" not in said
    assert "evil" in cli("sessions", "list").stdout


def test_a_reader_that_leaves_early_sees_no_traceback(cli: Cli):
    command = [sys.executable, "-m", "metaagent.cli", "explain", "colour", *cli.options]
    env = {**os.environ, "PYTHONPATH": f"{ROOT}:{cli.site}"}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, env=env, check=False)
    os.close(writing)
    assert "Traceback" not in done.stderr.decode()


# --- the to-do list --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 80, 120])
def test_step_list_has_one_line_per_step_and_is_cleared(cli: Cli, width: int):
    code, terminal = run_in_terminal(["ask", "모음 그리고 편지", *cli.options], cli.site, width=width)
    assert code == 0
    frames = [frame.splitlines() for frame in terminal.seen if "40%" in frame]
    assert frames
    for frame in frames:
        listed = frame[-2:]
        assert "모음" in listed[0]
        assert "편지" in listed[1]
        assert all(cell_len(line) <= width for line in listed)
        assert re.search(r"40% .*아주 긴.*…$", listed[0]), "the note is cut, not wrapped"
    assert terminal.cursor
    left = terminal.shown.splitlines()
    assert "모았습니다." in left
    assert not [line for line in left if "에이전트" in line or ("%" in line and "신뢰도" not in line)]


def test_agent_text_cannot_control_the_terminal(cli: Cli):
    code, terminal = run_in_terminal(["ask", "evil", *cli.options], cli.site)
    assert code == 0
    assert any(r"\x1b[2Jgone" in frame for frame in terminal.seen)
    assert r"a \x1b[31mred\x1b]0;title\x07 b" in terminal.shown
    written = cli("ask", "evil")
    assert "\x1b" not in written.output
    shown = cli("sessions", "show", session_in(written.stderr))
    assert "\x1b" not in shown.output


def test_a_question_is_seen_while_others_still_work(cli: Cli):
    code, terminal = run_in_terminal(["ask", "모음 그리고 방향", *cli.options], cli.site)
    assert code == 3
    assert any(re.search(r"40%.*\n\? 방향.*어느 쪽입니까\?", frame) for frame in terminal.seen)


def test_fallback_agent_is_named_in_the_answer(cli: Cli):
    done = cli("ask", "rates")
    assert done.exit_code == 0
    assert "first: server 503 → second" in done.stderr


@pytest.mark.parametrize(
    ("question", "said", "noted"),
    [
        ("survey", "careful stepped in for hasty", "↻ “The agent that is called survey” failed: no paper"),
        ("보고", "hasty 대신 careful이", "↻ ‘보고 담당 에이전트’ 실패: no paper"),
    ],
)
def test_results_of_a_new_plan_are_not_called_missing(cli: Cli, question: str, said: str, noted: str):
    done = cli("ask", question)
    assert done.exit_code == 0
    assert said in done.stdout
    assert "Not done" not in done.stdout
    assert "하지 못한" not in done.stdout
    assert noted in done.stderr


def test_the_help_begins_with_what_people_do_every_day(cli: Cli):
    listed = CliRunner().invoke(app, ["--help"]).stdout
    panels = re.split("╭─ ([A-Z][a-z ]+) ─", listed)[3:]
    found = {
        name: re.findall(r"│ ([a-z]+) ", body) for name, body in zip(panels[::2], panels[1::2], strict=True)
    }
    assert list(found) == ["Every day", "Data", "Governance", "Operating", "Developing"]
    assert set(found["Every day"]) == {
        "ask", "resume", "chat", "approvals", "approve", "sessions", "export", "memory",
    }  # fmt: skip


def test_an_answer_that_a_model_writes_is_seen_as_it_comes(cli: Cli):
    words = "모은 결과를 정리했습니다."
    with chat_server(lambda heard: Say(words if heard.get("stream") else "{}")) as server:
        model = {"name": "openai:small", "base_url": server.url}
        cli.config.write_text(json.dumps({"agents": {"allow": ["terminal-agents"]}, "model": model}))
        code, terminal = run_in_terminal(["ask", "모음", *cli.options], cli.site, OPENAI_API_KEY="not-a-key")
    assert code == 0, terminal.shown
    while_it_ran = [frame for frame in terminal.seen if "● 모음 " in frame]
    assert any("모은 결과를" in frame for frame in while_it_ran)
    assert terminal.shown.count("모은 결과를 정리했습니다.") == 1


# --- approval --------------------------------------------------------------------------------------------


def test_plan_is_shown_with_what_each_step_reads_and_makes(cli: Cli):
    asked = cli("ask", "gather, letter and mail")
    assert asked.exit_code == 4
    lines = asked.stdout.splitlines()
    assert "  - mailer changes something outside" in lines
    at = lines.index("  s3  The agent that is called mail (mailer)")
    assert lines[at + 1 : at + 3] == [
        "      after s2 · reads letter (s2) · makes receipt",
        "      CHANGES SOMETHING OUTSIDE · risk: HIGH",
    ]
    assert all(cell_len(line) <= 80 for line in lines)
    korean = cli("ask", "모음, 편지, 발송").stdout
    assert "      외부 변경 · 위험도: 높음" in korean.splitlines()


@pytest.mark.parametrize(
    ("edit", "said"), [("drop s3", "limit None"), ("빼기 s3; 변경 s2.limit=5", "limit 5")]
)
def test_a_plan_can_be_changed_in_words(cli: Cli, edit: str, said: str):
    asked = cli("ask", "gather, letter and mail")
    done = cli("approve", session_in(asked.stderr), "--edit", edit)
    assert done.exit_code == 0, done.output
    assert said in done.stdout
    assert "Sent." not in done.stdout


def test_undecided_reply_asks_again_and_unknown_step_is_named(cli: Cli):
    session = session_in(cli("ask", "모음, 편지, 발송").stderr)
    for words, said in (
        ("글쎄요", "승인, 거절 또는 수정"),
        ("drop", "승인, 거절"),
        ("변경 s2.limit", "승인, 거절"),
        ("빼기 s9", "s9 단계가 없습니다"),
    ):
        again = cli("approve", session, "--edit", words)
        assert again.exit_code == 2
        assert said in again.stdout.splitlines()[0]
    refused = cli("resume", session, "approve")
    assert (refused.exit_code, f"metaagent approve {session}" in refused.stderr) == (2, True)
    assert "Sent." in cli("approve", session).stdout


def test_an_approver_sees_the_plan_and_may_change_it(cli: Cli, monkeypatch: pytest.MonkeyPatch):
    session = session_in(cli("ask", "gather, letter and mail").stderr)
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    boss = ["--user", "boss", "--role", "approver"]
    listed = cli("approvals", *boss).stdout
    assert session in listed
    assert "외부 변경" in listed
    assert "T0" not in listed.splitlines()[0], "the time is local, not ISO"
    assert "gather, letter and mail" in listed.splitlines()[0], "the question that was asked"
    refused = cli("approve", session, "--edit", "drop s9", *boss)
    assert (refused.exit_code, "s9" in refused.stdout) == (2, True)
    decided = cli("approve", session, "--edit", "drop s3", *boss)
    assert (decided.exit_code, "실행했습니다" in decided.stdout) == (0, True)
    assert "Sent." not in cli("sessions", "show", session).stdout


def test_a_rejection_is_said_once_with_its_reason(cli: Cli):
    session = session_in(cli("ask", "모음, 편지, 발송").stderr)
    done = cli("approve", session, "--reject", "--reason", "아직 이릅니다")
    assert done.exit_code == 0
    assert done.stdout == "계획이 거절되어(아직 이릅니다) 아무것도 실행하지 않았습니다.\n"
    assert done.stderr == f"세션 {session}\n"


# --- questions -------------------------------------------------------------------------------------------


def test_number_picks_an_option_and_footer_is_korean(cli: Cli):
    session = session_in(cli("ask", "방향").stderr)
    done = cli("resume", session, "2")
    assert done.stdout == "오른쪽으로.\n"
    assert "신뢰도" in done.stderr


def test_two_questions_can_be_answered_in_any_order(cli: Cli):
    asked = cli("ask", "colour and side")
    session = session_in(asked.stderr)
    assert "[s1] Which colour?" in asked.stdout.splitlines()
    assert f'metaagent resume {session} "..." --question s2' in asked.stderr
    assert "어느 쪽입니까?" in cli("sessions", "show", session).stdout
    unclear = cli("resume", session, "2")
    assert (unclear.exit_code, "s1 (Which colour?)" in unclear.stderr) == (2, True)
    assert cli("resume", session, "2", "--question", "s2").exit_code == 3
    assert cli("resume", session, "2").stdout == "Colour blue.\n오른쪽으로.\n"


def test_commands_to_copy_name_the_folder_and_the_person(cli: Cli):
    asked = cli("ask", "colour", "--user", "kim lee")
    (line,) = [line for line in asked.stderr.splitlines() if "metaagent resume" in line]
    assert line.endswith(f"\"...\" --config {cli.config} --data-dir {cli.data} --user 'kim lee'")


def test_offered_options_can_be_served(cli: Cli):
    without = cli("ask", "qwerty").stdout.splitlines()
    assert without[0] == "I have nothing here about: qwerty. What would you like me to do?"
    assert any(line.endswith(". remembering") for line in without)
    assert not [line for line in without if "analysis" in line]
    create_demo(f"sqlite:///{cli.data / 'pharma.db'}", now=date(2026, 11, 16), seed=7, scale=0.01)
    with_data = cli("ask", "가나다라").stdout
    assert "  1. 분석" in with_data


# --- Ctrl-C ----------------------------------------------------------------------------------------------


def test_ctrl_c_does_not_wait_for_a_thread_that_an_agent_left(cli: Cli):
    code, terminal = run_in_terminal(["ask", "고집", *cli.options], cli.site, press=[Press("10%", b"\x03")])
    assert code == 1
    assert terminal.shown.splitlines()[-1].startswith("질문을 취소했습니다.")
    assert terminal.cursor
    (session,) = cli.json("sessions", "list")["sessions"]
    assert session["status"] == "cancelled"


def test_second_ctrl_c_leaves_even_if_an_agent_blocks(cli: Cli):
    keys = [Press("BLOCKED", b"\x03"), Press("^C", b"\x03", again=True)]
    code, terminal = run_in_terminal(["ask", "blocker", *cli.options], cli.site, press=keys)
    assert code == 1
    assert "Left at once" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert terminal.cursor
    (session,) = cli.json("sessions", "list")["sessions"]
    assert session["status"] == "interrupted"
