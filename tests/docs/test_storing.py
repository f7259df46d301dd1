"""docs/storing.md runs and names every rule of a domain."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from metaagent.level2.storage.decision import Rules
from tests.support.documents import DOCS

TEXT = (DOCS / "storing.md").read_text(encoding="utf-8")


def test_the_documentation_runs():
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert blocks
    for block in blocks:
        names: dict[str, Any] = {}
        exec(compile(block, "docs/storing.md", "exec"), names)


def test_the_documentation_names_every_rule():
    for each in fields(Rules):
        assert f"`{each.name}`" in TEXT or f"`data.{each.name}`" in TEXT, each.name
