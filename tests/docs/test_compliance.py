"""docs/compliance.md runs: from a finding to rule, article and rows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.level2.compliance.expressions import FIELDS
from metaagent.level2.compliance.model import Rule
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "compliance.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("METAAGENT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visit.txt").write_text("2026년 3월 4일 한결의원 의사 2명 식대 500,000원", encoding="utf-8")
    return tmp_path


def test_a_reviewer_gets_from_a_finding_to_rule_article_and_rows(place: Path):
    said: dict[str, Any] = {}
    for line in "".join(blocks("console")).splitlines():
        words = shlex.split(line.removeprefix("$ metaagent "))
        done = CliRunner().invoke(app, words)
        wanted = 5 if words[0] == "comply" else 0
        assert done.exit_code == wanted, (line, done.output)
        said[" ".join(words[:2])] = done.stdout
    report = (place / "report.md").read_text(encoding="utf-8")
    found = re.search(r"Rule: `presentation_meal_amount` .*\n- Law: (.*)\n- Evidence: .* rows (\d+)", report)
    assert found is not None
    shown = said["rules show"]
    assert f"Law: {found[1]}" in shown
    file, number = re.findall(r"Stands in: (\S+):(\d+)", shown)[0]
    source = (ROOT / "configs/domains/pharma/rules" / file).read_text(encoding="utf-8").splitlines()
    assert "presentation_meal_amount" in source[int(number) - 1]
    assert "examples come out as they must" in said["rules test"]


def test_the_example_rule_runs():
    (block,) = blocks("python")
    exec(compile(block, str(PAGE), "exec"), {})


def test_the_page_names_every_kind_and_fact():
    text = PAGE.read_text(encoding="utf-8")
    kinds = {"condition", "text", "required", "aggregate", "judge"}
    assert kinds <= set(Rule.model_fields)
    for name in (*kinds, *FIELDS):
        assert f"`{name}`" in text, name
