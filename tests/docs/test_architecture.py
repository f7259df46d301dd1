"""Every file and name in `docs/architecture.md` exists, and the glossary is complete."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.documents import DOCS

PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")
ROOT = DOCS.parent
LINK = re.compile(r"\]\(\.\./([^)]+)\)")
NAMED = re.compile(r"\[`([^`]+)`\]\(\.\./([^)]+\.py)\)")
MOST_IN_A_GROUP = 30
ROW = re.compile(
    r"^\| (?P<question>[^|]+) \| \[[^\]]+\]\(\.\./(?P<path>[^)]+)\) \| (?P<names>`[^|]+`) \|$", re.MULTILINE
)


def rows() -> list[tuple[str, str]]:
    return [
        (row["path"], name) for row in ROW.finditer(PAGE) for name in re.findall(r"`([^`]+)`", row["names"])
    ]


def defined(path: Path) -> set[str]:
    """Names that a module defines: functions, classes and their methods, and what it assigns at its top."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
            found |= {f"{node.name}.{method.name}" for method in methods}
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def folders() -> list[Path]:
    """Folders of the package that hold code."""
    return sorted({file.parent for file in (ROOT / "metaagent").rglob("*.py")})


def test_page_answers_at_least_twenty_questions():
    assert len({row["question"] for row in ROW.finditer(PAGE)}) >= 20
    heads = PAGE.count("\n| question | file | name |\n")
    assert PAGE.count("\n| ") == len(list(ROW.finditer(PAGE))) + heads, "a row that this test cannot read"


def test_questions_stand_in_groups_of_at_most_thirty():
    groups = PAGE.partition("## Where do I …?")[2].split("\n### ")
    assert all(1 <= len(ROW.findall(group)) <= MOST_IN_A_GROUP for group in groups[1:])
    named = re.findall(r"\[([^\]]+)\]\(#[^)]+\)", groups[0])
    assert named == [group.partition("\n")[0] for group in groups[1:]]


@pytest.mark.parametrize("path", sorted(set(LINK.findall(PAGE))))
def test_linked_file_exists(path: str):
    assert (ROOT / path).is_file()


@pytest.mark.parametrize(("path", "name"), rows())
def test_name_in_the_table_is_in_its_file(path: str, name: str):
    file = ROOT / path
    if file.suffix == ".py":
        assert name in defined(file)
    else:
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "path"), NAMED.findall(PAGE))
def test_linked_name_is_in_its_file(name: str, path: str):
    assert name in defined(ROOT / path)


def test_rooms_of_the_picture_are_those_of_the_contract():
    contract = (
        (ROOT / ".importlinter").read_text(encoding="utf-8").partition("[importlinter:contract:house]")[2]
    )
    layers = contract.partition("layers =")[2].partition("exhaustive")[0]
    picture = PAGE.partition("```\n")[2].partition("```")[0]
    missing = set(re.findall(r"\w+", layers)) - set(re.findall(r"\w+", picture))
    assert not missing


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_folder_says_what_lives_in_it(folder: Path):
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))


def test_glossary_has_a_sentence_for_each_word():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Glossary")[2]
    words = re.findall(r"^\| \*\*([^*|]+)\*\* \| ([^|]+) \|$", text, re.MULTILINE)
    assert 20 <= len(words) <= 35
    assert [word for word, _ in words] == sorted((word for word, _ in words), key=str.casefold)
