"""Names of tests are facts of at most sixty characters, and what tests share is in no test."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
LONGEST = 60


def test_names_of_tests_are_short():
    too_long = [
        f"{file.relative_to(TESTS)}:{node.lineno} {node.name}"
        for file in sorted(TESTS.rglob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and len(node.name) > LONGEST
    ]
    assert not too_long


def test_no_test_imports_a_test():
    importing = [
        f"{file.relative_to(TESTS)}:{node.lineno} {node.module}"
        for file in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1].startswith("test_")
    ]
    assert not importing
