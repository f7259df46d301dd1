"""docs/settings.md names every setting, and its example is valid."""

from __future__ import annotations

import re

import pytest
import yaml

from metaagent.config import load_settings, settings_list
from metaagent.errors import ConfigInvalid
from tests.support.documents import DOCS, generated_part


def test_every_setting_is_documented_and_nothing_else():
    documented = re.findall(r"^\| `([\w.]+)` \|", generated_part("settings.md"), flags=re.MULTILINE)
    assert documented == [name for name, _, _ in settings_list()]
    assert all(text.endswith(".") for _, _, text in settings_list())


def test_every_documented_variable_works():
    for name, variable in re.findall(
        r"^\| `([\w.]+)` .*\| `(METAAGENT_\w+)` \|", generated_part("settings.md"), re.MULTILINE
    ):
        with pytest.raises(ConfigInvalid, match=re.escape(name)):
            load_settings(env={variable: "{a: {b: [nothing, like, this]}}"})


def test_the_example_of_the_document_is_valid():
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL)
    assert load_settings(env={}, overrides=yaml.safe_load(example)).limits.turn_seconds == 60
