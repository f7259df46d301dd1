"""The start of a command imports no more than the command needs."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from metaagent.cli import main
from metaagent.language.patterns import compiled, regex
from tests.support.paths import ROOT

GRAPH = {"langgraph", "langchain_core", "langsmith", "langchain_community", "chromadb", "numpy", "duckdb"}
WORK = {
    f"metaagent.level2.{package}.work"
    for package in ("compliance", "data_analysis", "document", "retrieval", "storage")
} | {"metaagent.runtime", "metaagent.graph"}
STORES = {"sqlalchemy"}
COMPILER = {f"metaagent.data.{name}" for name in ("guard", "semantic.compile", "semantic.query")} | {
    "sqlglot"
}
"""Makes SQL of questions: reading one takes only the names in the data."""
WORK_OF_OTHERS = WORK - {"metaagent.runtime", "metaagent.graph"}
STORED_VECTORS = {"chromadb", "numpy", "duckdb", "langchain_community", "kubernetes", "altair", "jinja2"}

CLIENTS = {"langgraph_sdk.client", "httpx", "langsmith.types.run"}
"""Talk to servers of LangGraph and LangSmith."""
SERVER = {"fastapi", "starlette", "uvicorn", "nicegui", "mcp", "a2a", "ag_ui"}
"""Comes with `serve` and `mcp` alone."""

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
        cwd=ROOT.parent,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        (
            ("--help",),
            GRAPH | WORK | STORES | {"pydantic", "metaagent.config", "asyncio", "ssl", "sqlite3", "yaml"},
        ),
        (("sessions", "list"), GRAPH | WORK),
        (("doctor",), GRAPH | WORK | STORES),
        (("explain", "지난달 매출은?"), GRAPH | WORK | COMPILER),
        (("ask", "안녕하세요"), WORK_OF_OTHERS | STORED_VECTORS | COMPILER | CLIENTS),
    ],
)
def test_command_imports_nothing_heavy(words: tuple[str, ...], heavy: set[str], tmp_path: Path) -> None:
    place = () if words == ("--help",) else ("--data-dir", str(tmp_path))
    found = loaded(*words, *place)
    assert "metaagent.cli.main" in found
    assert not found & heavy
    assert not found & SERVER


_COMPILED = """
import re, sys
from metaagent.language import patterns
found = []
def noting(compile):
    def noted(*given, **named):
        caller = sys._getframe(1)
        if caller.f_globals["__name__"].startswith("metaagent") and caller.f_code.co_name != "__getattr__":
            found.append(f"{caller.f_globals['__name__']}:{caller.f_lineno}")
        return compile(*given, **named)
    return noted
re.compile, patterns.compiled = noting(re.compile), noting(patterns.compiled)
import metaagent.runtime, metaagent.sessions.session_reader, metaagent.cli.explain, metaagent.cli.ask
import metaagent.data.tenant_data, metaagent.level2.memory.requests, metaagent.protection.redaction.conditions
print(len(sys.modules), *found)
"""


def test_importing_a_turn_compiles_no_pattern() -> None:
    """A pattern beside the imports of a module is declared by `regex`: compiling all of them took a tenth of a start."""
    done = subprocess.run(
        [sys.executable, "-c", _COMPILED],
        capture_output=True,
        text=True,
        cwd=ROOT.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=True,
    )
    modules, *compiling = done.stdout.split()
    assert int(modules) > 500
    assert compiling == []


def test_table_of_commands_is_the_whole_command_line() -> None:
    whole = typer.main.get_command(main.command_line())
    listed = [name for _, _, names in main.COMMANDS for name in names]
    assert sorted(whole.commands) == sorted(listed)  # pyright: ignore[reportAttributeAccessIssue]


def test_help_lists_what_the_whole_command_line_has() -> None:
    alone, whole = (
        CliRunner().invoke(line, ["--help"], env={"COLUMNS": "120"}).stdout
        for line in (main.command_line(main.HELP), main.command_line())
    )
    assert alone == whole
    assert "sessions" in alone


@pytest.mark.parametrize("name", [name for _, _, names in main.COMMANDS for name in names])
def test_named_command_is_built_alone(name: str) -> None:
    line = typer.main.get_command(main.command_line([name]))
    (of_module,) = (names for _, _, names in main.COMMANDS if name in names)
    assert set(line.commands) == set(of_module)  # pyright: ignore[reportAttributeAccessIssue]


def test_declared_patterns_compile_as_python_compiles_them() -> None:
    for name in ("metaagent.runtime", "metaagent.level1.model_reasoner"):
        import_module(name)  # what a turn imports declares the patterns of a turn
    gc.unfreeze()  # objects that a session of tests froze are not listed
    declared: list[Any] = [each for each in gc.get_objects() if type(each) is type(regex(""))]
    assert len(declared) > 300
    for each in declared:
        assert compiled(each.pattern, each._flags) == re.compile(each.pattern, each._flags)


def test_pattern_compiles_once_and_acts_as_one() -> None:
    made = regex("(?P<n>[0-9]+)")
    assert made.findall("1 22") == ["1", "22"]
    assert made.search is made.search
    assert made.groupindex["n"] == 1


@pytest.mark.parametrize(
    "flags", [0, re.IGNORECASE, re.ASCII, re.IGNORECASE | re.ASCII, re.MULTILINE | re.DOTALL]
)
@pytest.mark.parametrize(
    "text",
    [
        "[가-힣]+(?![가-힣])",
        "[^가-힣a-zſ]",
        "(?:[가-힣]|[a-f0-9])(?i:[가-힣K])",
        r"[\W가-힣]",
        "[강권김]",
        ".",
    ],
)
def test_remembered_classes_give_the_same_pattern(text: str, flags: int) -> None:
    for _ in range(2):
        assert compiled(text, flags) == re.compile(text, flags)


def test_wrong_pattern_is_refused_as_python_refuses_it() -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("[가-힣")
