"""docs/checkpointer.md runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_code_of_the_saver_document_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    text = (ROOT / "docs" / "checkpointer.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(blocks) == 4
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, "docs/checkpointer.md", "exec"), {"__name__": "document"})
    assert (tmp_path / "checkpoints.db").exists()
    assert (tmp_path / "sealed.db").exists()
