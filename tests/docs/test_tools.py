"""docs/tools.md: its tool becomes an agent, and every key that a tool has is on the page."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import yaml

from metaagent.config import Tool, ToolParam
from tests.support.command_line import run_cli
from tests.support.documents import DOCS

PAGE = (DOCS / "tools.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)[0]


@pytest.mark.skipif(sys.platform != "linux", reason="isolation needs Linux")
def test_the_tool_of_the_page_answers(tmp_path: Path):
    server, config = tmp_path / "rates_server.py", tmp_path / "settings.yaml"
    server.write_text(block("python"))
    settings = yaml.safe_load(block("yaml"))
    command = settings["tools"]["exchange_rate"]["mcp"]["command"]
    assert command == ["python", "rates_server.py"]
    command[:] = [sys.executable, str(server)]
    config.write_text(yaml.safe_dump(settings))
    asked, said = block("console").strip().splitlines()
    options = ("--config", str(config), "--data-dir", str(tmp_path / "data"))
    done = run_cli("ask", asked.split('"')[1], *options, site=tmp_path)
    assert (done.returncode, done.stdout) == (0, said + "\n"), done.stderr
    listed = run_cli("agents", "--config", str(config), site=tmp_path)
    assert (listed.returncode, "exchange_rate" in listed.stdout) == (0, True), listed.stdout


def test_every_key_of_a_tool_is_on_the_page():
    for name in (*Tool.model_fields, *ToolParam.model_fields):
        assert f"`{name}`" in PAGE
