"""Names of tests are facts of at most sixty characters, and what tests share is in no test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
LONGEST = 60


@cache
def parsed() -> tuple[tuple[Path, tuple[ast.stmt, ...]], ...]:
    """Each file of the tests with its functions and imports, wherever they stand in it."""
    return tuple((file, tuple(_named(file))) for file in sorted(TESTS.rglob("*.py")))


def _named(file: Path) -> Iterator[ast.stmt]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ImportFrom):
            yield node


def test_names_of_tests_are_short():
    too_long = [
        f"{file.relative_to(TESTS)}:{node.lineno} {node.name}"
        for file, nodes in parsed()
        for node in nodes
        if file.name.startswith("test_")
        and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and len(node.name) > LONGEST
    ]
    assert not too_long


def test_no_test_imports_a_test():
    importing = [
        f"{file.relative_to(TESTS)}:{node.lineno} {node.module}"
        for file, nodes in parsed()
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1].startswith("test_")
    ]
    assert not importing
