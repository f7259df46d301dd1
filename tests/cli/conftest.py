from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import Cli


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    made = Cli(tmp_path)
    monkeypatch.syspath_prepend(made.site)
    monkeypatch.delitem(sys.modules, "demo_agents", raising=False)
    return made
