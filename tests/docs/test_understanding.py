"""docs/understanding.md runs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support.paths import ROOT


def test_the_page_on_understanding_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs/understanding.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/understanding.md", "exec"), names)
