"""docs/semantic.md runs and names every key of a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from metaagent.data.semantic.model import Model
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/semantic.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert blocks
    names: dict[str, Any] = {}  # later examples go on where earlier ones ended
    for block in blocks:
        exec(compile(block, "docs/semantic.md", "exec"), names)


def test_the_documentation_names_every_key():
    text = (ROOT / "docs/semantic.md").read_text(encoding="utf-8")
    for name, field in Model.model_fields.items():
        if name not in {"name", "label", "others"}:
            assert f"`{field.alias or name}`" in text, name
