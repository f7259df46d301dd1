"""docs/operating.md: every command of it runs, in order, on one data directory."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from tests.support.documents import DOCS

TEXT = (DOCS / "operating.md").read_text(encoding="utf-8")


def test_the_commands_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(app, ["ask", "hello", "--data-dir", "data"]).exit_code == 0
    commands = re.findall(r"^\$ metaagent (.*)$", TEXT, re.MULTILINE)
    assert len(commands) == 11
    for command in commands:
        done = runner.invoke(app, shlex.split(command))
        assert done.exit_code == 0, f"{command}\n{done.output}"


def test_every_line_of_the_doctor_is_explained():
    for word in ("damaged", "cannot be opened", "does not verify", "clock", "free space", "keys"):
        assert word in TEXT
