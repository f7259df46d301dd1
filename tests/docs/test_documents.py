"""docs/documents.md runs: the model, a template of one's own, and the way back from Word."""

from __future__ import annotations

import asyncio
import re
import shlex
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.documents.templates import FROM_ARTIFACT, FUNCTIONS, FieldType, Source, load_templates
from tests.support.execution_world import opened
from tests.support.paths import ROOT
from tests.support.writing_world import Written, writing

PAGE = ROOT / "docs" / "documents.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_run() -> None:
    exec(compile("\n".join(blocks("python")), str(PAGE), "exec"), {})


def test_a_template_of_fifteen_lines_is_checked_and_previewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (text,) = blocks("yaml")
    assert len(text.splitlines()) <= 16
    assert set(load_templates({"invoice/template.yaml": text.encode()})) == {"invoice"}
    monkeypatch.setenv("METAAGENT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "templates" / "invoice"
    folder.mkdir(parents=True)
    (folder / "template.yaml").write_text(text, encoding="utf-8")
    for line in "".join(blocks("console")).splitlines():
        done = CliRunner().invoke(app, shlex.split(line.removeprefix("$ metaagent ")))
        assert done.exit_code == 0, (line, done.output)
    assert (tmp_path / "invoice.pdf").read_bytes().startswith(b"%PDF-")
    (folder / "template.yaml").write_text(text.replace("words(amount)", "words(amont)"), encoding="utf-8")
    done = CliRunner().invoke(app, ["templates", "check", "--templates", "templates"])
    assert done.exit_code == 1
    assert "template.yaml:10" in done.stdout
    assert "amount?" in done.stdout


def test_the_page_names_every_part() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in (
        *get_args(FieldType),
        *get_args(Source),
        *FROM_ARTIFACT,
        *(f"{each}(" for each in FUNCTIONS),
    ):
        assert f"`{name}" in text, name


def test_the_way_of_a_document_to_its_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write() -> str:
        async with opened(tmp_path / "data", writing(Written())) as app:
            answer = await app.ask("방문 보고서 작성해줘")
            await app.ask("2번 항목을 더 짧게", session_id=answer.session_id)
            return (await app.documents.listed())[0]["document_id"]

    name = asyncio.run(write())
    monkeypatch.setenv("METAAGENT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (block,) = blocks("sh")
    for line in block.replace("doc-1", name).replace("results.0", "p1").splitlines():
        words = shlex.split(line, comments=True)[1:]
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, (line, done.output)
    assert (tmp_path / "report.docx").exists()
