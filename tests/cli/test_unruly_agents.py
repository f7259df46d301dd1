"""Agents that print, shout, break or leak: neither the answer nor the JSON suffers, and nothing private comes through."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import Cli, run_cli
from tests.support.plugins import install

AGENTS = r"""
import asyncio, sys, threading
from metaagent.plugin import Artifact, Capability, NeedsInput, Result, agent

print("{ printed at import")


class Stop(BaseException):
    pass


class Mute(Exception):
    def __str__(self):
        raise ValueError("no text")


def declare(name, kind="thing"):
    return agent(name=name, capabilities=[Capability(name, ko=(name,), en=(name,))], produces=[kind])


@declare("printing")
async def printing(task, ctx):
    print("{ printed while it ran")
    sys.stdout.buffer.write(b"bytes")
    await asyncio.to_thread(print, "{ printed in a thread")
    await asyncio.get_running_loop().run_in_executor(None, print, "{ printed in an executor")
    return Result("All well.", 1.0, [Artifact("thing", 1)])


@declare("shouting")
async def shouting(task, ctx):
    return Result("가나다 " * 700_000, 1.0, [Artifact("thing", 1)])


@declare("labelling")
async def labelling(task, ctx):
    return Result("Labelled.", 1.0, [Artifact("thing", 1, summary="x" * 2_000_000)])


@declare("questioning")
async def questioning(task, ctx):
    raise NeedsInput("q" * 2_000_000, options=["o" * 1_000_000])


@declare("stopping")
async def stopping(task, ctx):
    raise Stop("now")


@declare("interrupting")
async def interrupting(task, ctx):
    raise KeyboardInterrupt


@declare("leaving")
async def leaving(task, ctx):
    raise SystemExit(3)


@declare("closing")
async def closing(task, ctx):
    raise GeneratorExit


@declare("muttering")
async def muttering(task, ctx):
    raise Mute


@declare("leaking")
async def leaking(task, ctx):
    raise RuntimeError("password=hunter2secret of 900101-1234568 " + "x" * 1_000_000)


@declare("tabling", "dataset")
async def tabling(task, ctx):
    return Result("A table of nobody's form.", 1.0, [Artifact("dataset", [[1], [2]])])


@declare("drawing", "chart")
async def drawing(task, ctx):
    return Result("A chart of nobody's form.", 1.0, [Artifact("chart", 7)])
"""
NAMES = [
    "printing", "shouting", "labelling", "questioning", "stopping", "interrupting", "leaving", "closing", "muttering",
    "leaking", "tabling", "drawing",
]  # fmt: skip


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    made = Cli(tmp_path)
    made.site = tmp_path / "unruly-site"
    made.config.write_text("agents: {allow: ['unruly-agents']}\n")
    install(made.site, "unruly-agents", AGENTS, **{name: name for name in NAMES})
    monkeypatch.syspath_prepend(made.site)
    monkeypatch.delitem(sys.modules, "unruly_agents", raising=False)
    return made


def test_prints_go_to_the_log_and_the_answer_stays_alone(cli: Cli):
    asked = run_cli("ask", "printing", *cli.options, site=cli.site)
    assert (asked.returncode, asked.stdout) == (0, "All well.\n")
    as_json = run_cli("ask", "printing", "--json", *cli.options, site=cli.site)
    assert json.loads(as_json.stdout)["answer"] == "All well."
    logged = run_cli("logs", *cli.options, site=cli.site).stdout
    for said in ("while it ran", "in a thread", "in an executor"):
        assert f"printed: {{ printed {said}" in logged
    assert run_cli("agents", "--json", "--config", str(cli.config), site=cli.site).stdout.startswith(
        '{"agents"'
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("shouting", "2,800,000 characters, at most 20,000: put long text into an artifact"),
        ("labelling", "artifact thing has a summary that is not text of at most 20,000"),
        ("stopping", "stopping broke: Stop: now"),
        ("interrupting", "interrupting broke: KeyboardInterrupt"),
        ("leaving", "leaving broke: SystemExit: 3"),
        ("closing", "closing broke: GeneratorExit"),
        ("muttering", "muttering broke: Mute"),
    ],
)
def test_an_unruly_agent_ends_its_own_step_alone(cli: Cli, question: str, said: str):
    asked = cli("ask", question, "--json")
    content = json.loads(asked.stdout)
    assert (asked.exit_code, content["status"]) == (1, "completed")
    assert said in content["errors"][0]["message"]
    assert len(asked.stdout) < 20_000


def test_a_huge_question_back_is_cut(cli: Cli):
    asked = cli("ask", "questioning", "--json")
    content = json.loads(asked.stdout)
    assert (asked.exit_code, content["status"]) == (3, "waiting")
    assert len(asked.stdout) < 20_000
    assert content["clarification"]["question"].endswith("q…")


def test_a_defect_tells_the_asker_nothing_private(cli: Cli):
    asked = cli("ask", "leaking")
    assert asked.exit_code == 1
    assert "leaking broke: RuntimeError: password=" in asked.stdout
    assert "hunter2secret" not in asked.output
    assert "900101" not in asked.output
    assert len(asked.stdout) < 2_000
    trace = cli("logs").stdout
    assert "in leaking" in trace, "the log has the whole traceback"
    assert "x" * 900_000 in trace


@pytest.mark.parametrize("question", ["tabling", "drawing"])
@pytest.mark.parametrize("as_json", [True, False])
def test_figures_of_an_unknown_form_are_answered(cli: Cli, question: str, as_json: bool):
    asked = cli("ask", question, *(["--json"] if as_json else []))
    assert asked.exit_code == 0
    assert "nobody's form" in asked.stdout


NEVER_ENDS = """
import asyncio, sys, threading
from types import SimpleNamespace
from metaagent.cli import door
from metaagent.cli.door import Reply


async def stubborn():
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass


async def work(_door):
    if sys.argv[1] == "task":
        asyncio.get_running_loop().left = asyncio.create_task(stubborn())
    else:
        asyncio.get_running_loop().run_in_executor(None, threading.Event().wait)
    await asyncio.sleep(0)
    return Reply({}, ["told"], 3)


door.LEFT_SECONDS = 0.1
sys.exit(door.run(SimpleNamespace(as_json=False), work, {}))
"""


@pytest.mark.parametrize("left", ["task", "thread"])
def test_what_never_ends_does_not_keep_a_command_open(left: str):
    ended = subprocess.run(
        [sys.executable, "-c", NEVER_ENDS, left], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout) == (3, "told\n"), ended.stderr
