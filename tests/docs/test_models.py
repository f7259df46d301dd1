"""docs/models.md runs."""

from __future__ import annotations

import re

import yaml

from metaagent.config import load_settings
from tests.support.paths import ROOT


def test_the_example_of_the_document_runs():
    text = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    exec(compile(code, "docs/models.md", "exec"), {})
    for example in re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL):
        assert load_settings(env={}, overrides=yaml.safe_load(example)).model.name
