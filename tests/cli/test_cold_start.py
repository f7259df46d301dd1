"""The start of a command imports no more than the command needs."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer

from metaagent.cli import main
from metaagent.language.patterns import regex
from tests.support.paths import ROOT

GRAPH = {"langgraph", "langchain_core", "langsmith", "langchain_community", "chromadb", "numpy", "duckdb"}
WORK = {
    f"metaagent.level2.{package}.work" for package in ("compliance", "document", "retrieval", "storage")
} | {"metaagent.runtime", "metaagent.graph"}
STORES = {"sqlalchemy"}

_LOADED = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))
from metaagent.cli.main import main
main()
"""


def loaded(*words: str) -> set[str]:
    """Run a command to its end, and name the modules that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        timeout=120,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (("--help",), GRAPH | WORK | STORES | {"pydantic", "metaagent.config"}),
        (("sessions", "list"), GRAPH | WORK),
        (("doctor",), GRAPH | WORK | STORES),
        (("explain", "지난달 매출은?"), GRAPH | WORK),
    ],
)
def test_command_imports_nothing_heavy(words: tuple[str, ...], heavy: set[str], tmp_path: Path) -> None:
    place = () if words == ("--help",) else ("--data-dir", str(tmp_path))
    found = loaded(*words, *place)
    assert "metaagent.cli.main" in found
    assert not found & heavy


def test_table_of_commands_is_the_whole_command_line() -> None:
    whole = typer.main.get_command(main.command_line())
    listed = [name for _, _, names in main.COMMANDS for name in names]
    assert sorted(whole.commands) == sorted(listed)  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("name", [name for _, _, names in main.COMMANDS for name in names])
def test_named_command_is_built_alone(name: str) -> None:
    line = typer.main.get_command(main.command_line([name]))
    (of_module,) = (names for _, _, names in main.COMMANDS if name in names)
    assert set(line.commands) == set(of_module)  # pyright: ignore[reportAttributeAccessIssue]


def test_declared_patterns_all_compile() -> None:
    for name in ("metaagent.runtime", "metaagent.level1.model_reasoner"):
        import_module(name)  # what a turn imports declares the patterns of a turn
    declared = [each for each in gc.get_objects() if type(each) is type(regex(""))]
    assert len(declared) > 100
    for each in declared:
        assert each.pattern is not None


def test_pattern_compiles_once_and_acts_as_one() -> None:
    made = regex("(?P<n>[0-9]+)")
    assert made.findall("1 22") == ["1", "22"]
    assert made.search is made.search
    assert made.groupindex["n"] == 1
