"""Docstrings say what a thing is or does: they open with a noun or a verb, not with a clause that hides its subject."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import metaagent

PACKAGE = Path(metaagent.__file__).parent
ROOT = PACKAGE.parent
FOLDERS = (PACKAGE, ROOT / "tests" / "support", ROOT / "benchmarks")
HIDES_ITS_SUBJECT = re.compile(
    r"(?:What|Who|Whom|Whose|Whoever|Whatever|Which|Where|When|Why|How|Whether|Of|Those|As|For|If|By|In|On|To|At|From|Only)\b"
)


def modules() -> list[Path]:
    files = (file for folder in FOLDERS for file in folder.rglob("*.py"))
    return sorted(files)


def docstrings(file: Path) -> Iterator[tuple[int, str]]:
    """Docstrings of modules, classes and functions, and the texts under fields and constants."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef):
            for text in node.body:
                if (
                    isinstance(text, ast.Expr)
                    and isinstance(text.value, ast.Constant)
                    and isinstance(text.value.value, str)
                ):
                    yield text.lineno, text.value.value
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (said := ast.get_docstring(node)):
            yield node.lineno, said


@pytest.mark.parametrize("file", modules(), ids=lambda file: str(file.relative_to(ROOT)))
def test_docstrings_open_with_a_noun_or_a_verb(file: Path):
    assert not [(line, said) for line, said in docstrings(file) if HIDES_ITS_SUBJECT.match(said.strip())]
