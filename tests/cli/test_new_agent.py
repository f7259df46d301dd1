"""`metaagent agents new`, and what `metaagent agents` says of mistakes that stop nothing from loading."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from metaagent.cli.main import app
from tests.support.paths import ROOT
from tests.support.plugins import install


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return tmp_path


def new(name: str) -> Result:
    return CliRunner().invoke(app, ["agents", "new", "--", name])


def installed(package: Path) -> None:
    """Leave beside the code what `pip install -e` leaves: a name, and the entry points of the project file."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    info = package / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = project["entry-points"]["metaagent.agents"]
    lines = [f"{name} = {target}" for name, target in points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[metaagent.agents]", *lines, ""]))


def test_a_new_package_passes_its_own_tests(folder: Path):
    made = new("word_counter")
    assert made.exit_code == 0, made.output
    assert "cd word-counter" in made.stdout
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder / "word-counter",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_a_new_package_is_found_and_answers(folder: Path, monkeypatch: pytest.MonkeyPatch):
    assert new("word_counter").exit_code == 0
    package = folder / "word-counter"
    installed(package)
    monkeypatch.syspath_prepend(package)
    monkeypatch.delitem(sys.modules, "word_counter", raising=False)
    settings = ["--config", str(package / "settings.yaml")]
    listed = CliRunner().invoke(app, ["agents", "--json", *settings])
    content = json.loads(listed.stdout)
    assert (listed.exit_code, content["problems"], content["flags"]) == (0, [], [])
    assert "word_counter" in {agent["name"] for agent in content["agents"]}
    for question, said in (("run word counter", "3 words.\n"), ("이 글의 낱말 세기", "낱말 4개입니다.\n")):
        asked = CliRunner().invoke(app, ["ask", question, *settings, "--data-dir", str(folder / "d")])
        assert (asked.exit_code, asked.stdout) == (0, said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("한글", "lower-case English letters"),
        ("two words", "(two_words?)"),
        ("Greeting-Stats", "(greeting_stats?)"),
        ("9lives", "beginning with a letter"),
        ("../up", "(up?)"),
        ("-x", "(x?)"),
        ("", "cannot be the name"),
        ("x" * 64, "cannot be the name"),
        ("class", "a word of Python's own"),
        ("memory", "The package metaagent has an agent 'memory' already"),
        ("json", "try json_agent"),
    ],
)
def test_a_bad_name_is_refused_with_a_better_one(folder: Path, name: str, said: str):
    refused = new(name)
    assert refused.exit_code == 2
    assert said in refused.stderr.replace("\n", " ")
    assert list(folder.iterdir()) == [], "nothing is written"


def test_a_folder_that_is_there_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "line-counter").mkdir()
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    refused = new("line_counter")
    assert (refused.exit_code, "이미 있습니다" in refused.stderr) == (2, True)
    assert list((folder / "line-counter").iterdir()) == []


FLAGGED = """
from dataclasses import dataclass
from metaagent.plugin import Artifact, Capability, Result, agent


@dataclass
class Limits:
    rows: int


def declare(name, **options):
    return agent(name=name, capabilities=[Capability(name, ko=(name,), en=(name,))], **options)


@declare("typist", produces=["letter"], consumes=["datset"])
async def typist(task, ctx): ...


@declare("limited", produces=["letter"], params=Limits)
async def limited(task, ctx): ...
"""


def test_mistakes_that_stop_nothing_are_flagged(folder: Path, monkeypatch: pytest.MonkeyPatch):
    site, config = folder / "site", folder / "settings.yaml"
    install(site, "flagged-agents", FLAGGED, typist="typist", limited="limited")
    install(site, "second-agents", FLAGGED, typist="typist")
    config.write_text("agents: {allow: [metaagent, flagged-agents, second-agents, flaged-agents]}\n")
    monkeypatch.syspath_prepend(site)
    listed = CliRunner().invoke(app, ["agents", "--config", str(config)])
    text = " ".join(listed.stdout.split())
    assert "! flaged-agents allowed by agents.allow, but no installed package" in text
    assert "(flagged-agents?): install it with pip" in text
    owner = re.search(r"the name 'typist' is taken by (\w+)-agents: rename one", text)
    assert owner is not None
    assert (
        f"! typist ({owner[1]}-agents) it takes the kind 'datset', which no agent here makes (dataset?)"
        in text
    )
    assert "! limited (flagged-agents) its parameter rows has no default" in text
    assert listed.exit_code == 1, "two packages with one name: the second one was not loaded"
