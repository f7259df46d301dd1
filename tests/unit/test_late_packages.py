"""Packages that only gather names are run when somebody asks for one of them."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from metaagent.cli.late_packages import LatePackages

INIT = """
import time
time.sleep(0.05)
from gathered.heavy import Client
from gathered import light
RUNS = light.RUNS
RUNS.append(__name__)
"""


@pytest.fixture
def gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    folder = tmp_path / "gathered"
    folder.mkdir()
    (folder / "__init__.py").write_text(INIT)
    (folder / "heavy.py").write_text("class Client: ...\n")
    (folder / "light.py").write_text("RUNS = []\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [LatePackages(frozenset({"gathered"})), *sys.meta_path])
    yield import_module("gathered")
    for name in [each for each in sys.modules if each.split(".")[0] == "gathered"]:
        del sys.modules[name]


def test_module_of_a_late_package_is_imported_alone(gathered: Any):
    light = import_module("gathered.light")
    assert light.RUNS == []
    assert "gathered.heavy" not in sys.modules
    assert gathered.light is light
    assert gathered.__path__


def test_name_of_a_late_package_runs_it_once(gathered: Any):
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(getattr, [gathered] * 4, ["Client"] * 4))
    assert {each.__name__ for each in found} == {"Client"}
    assert gathered.RUNS == ["gathered"]
    with pytest.raises(AttributeError, match="no attribute 'nobody'"):
        gathered.nobody  # noqa: B018
    assert gathered.RUNS == ["gathered"]


def test_late_package_that_fails_says_so_each_time(gathered: Any):
    Path(gathered.__file__).with_name("heavy.py").write_text("raise ImportError('no client here')\n")
    for _ in range(2):
        with pytest.raises(ImportError, match="no client here"):
            gathered.Client  # noqa: B018


def test_other_packages_are_found_as_ever():
    late = LatePackages()
    assert late.find_spec("json", None) is None
    spec = LatePackages(frozenset({"not_installed_here"})).find_spec("not_installed_here", None)
    assert spec is None
