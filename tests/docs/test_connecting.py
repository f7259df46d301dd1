"""docs/connecting.md: its commands run on its database, and say what the page says."""

from __future__ import annotations

import re
import shlex
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "connecting.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)


def run(command: str) -> str:
    words = [*shlex.split(command)[1:], "--data-dir", "data"]
    now = [] if words[:2] == ["semantic", "check"] else ["--now", "2026-11-16T12:00+09:00"]
    result = CliRunner().invoke(app, [*words, *now])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_commands_of_the_page_lead_to_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    with sqlite3.connect("shop.db") as db:
        db.executescript(blocks("sql")[0])
    db.close()
    commands = [line.removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]
    connected, october, shipping, topics, checked = [run(command) for command in commands]
    assert "제외: Draft Notes" in connected
    assert connected.count("metaagent ask") == 3
    assert "20,000" in october
    assert "부산" in shipping
    assert "서울" in shipping
    assert "예를 들면" in topics
    assert "shop" in checked
    assert "010-2345-6789" not in "".join([connected, october, shipping, topics, checked])


def test_the_page_describes_every_cast():
    for name in ("YYYYMMDD", "`2026/10/05`", "`05.10.2026`", "`202610`", "cast: number"):
        assert name in PAGE
