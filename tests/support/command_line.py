"""Runs commands, in the process of the test or in one of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from metaagent.cli.main import app
from tests.support.paths import ROOT
from tests.support.plugins import install_agents


class Cli:
    """Runs commands in this process, on a folder and agents of its own."""

    def __init__(self, tmp_path: Path) -> None:
        self.data = tmp_path / "data"
        self.config = tmp_path / "settings.yaml"
        self.config.write_text("agents: {allow: ['demo-agents']}\n")
        self.site = tmp_path / "site"
        install_agents(self.site)

    @property
    def options(self) -> list[str]:
        return ["--config", str(self.config), "--data-dir", str(self.data)]

    def __call__(self, *words: str, given: str | bytes | None = None) -> Result:
        options = self.options if words[0] != "agents" else self.options[:2]
        result = CliRunner().invoke(app, [*words, *options], input=given)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def json(self, *words: str, given: str | bytes | None = None) -> dict[str, Any]:
        return json.loads(self(*words, "--json", given=given).stdout)


def run_cli(*words: str, site: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "metaagent.cli", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(site)},
        check=False,
        timeout=120,
    )
