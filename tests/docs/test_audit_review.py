"""docs/audit-review.md, command by command: from an export to a verified answer."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app as command_line
from metaagent.ports import User
from tests.support.agents import Runs, opened, worker
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "audit-review.md"
ANN = User("ann", "acme")


def commands() -> Iterator[str]:
    for block in re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        yield from (line.removeprefix("$ ") for line in block.splitlines())


def run(words: list[str]) -> tuple[int, str]:
    if words[0] == "metaagent":
        done = CliRunner().invoke(command_line, words[1:])
        return done.exit_code, done.output
    if words[0] == "cp":
        shutil.copy(*words[1:])
        return 0, ""
    assert words[0] == "python", words
    alone = subprocess.run([sys.executable, "-I", *words[1:]], capture_output=True, text=True, check=False)
    return alone.returncode, alone.stdout


@pytest.fixture
async def evidence(
    data: Path, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """A document that a person approved, in a data directory that the commands find."""
    async with opened(data, worker(runs, "drafting", makes="document", side_effects=True)) as app:
        waiting = await app.ask("drafting for kim99@naver.com", user=ANN)
        approval = {"decision": "approve", "reason": "checked against rule 7"}
        answer = await app.resume(waiting.session_id, approval, user=ANN)
    monkeypatch.setenv("METAAGENT_DATA_DIR", str(data))
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "metaagent" / "audit" / "verifier.py", "verifier.py")
    return answer.session_id, answer.content["artifacts"][0]["hash"]


def test_the_page_leads_to_who_approved_the_document_and_why(evidence: tuple[str, str], data: Path):
    session, digest = evidence
    values = {"$SESSION": session, "$HASH": digest, "$METAAGENT_DATA_DIR": str(data)}
    said: dict[str, str] = {}
    for command in commands():
        words = [re.sub(r"\$[A-Z_]+", lambda name: values[name[0]], word) for word in shlex.split(command)]
        code, out = run(words)
        assert code == 0, (command, out)
        said[" ".join(words[:3] if words[0] == "metaagent" else words[:2])] = out
    assert said["python verifier.py"].splitlines()[-1].startswith("VERIFIED: entries 1 to ")
    assert "kept.notes" in said["python verifier.py"]
    assert "VERIFIED" in said["metaagent audit verify"]
    assert "agent.ran" in said["metaagent audit list"]
    assert session in said["metaagent audit list"]
    report = said["metaagent audit report"]
    assert "APPROVED by ann [u-" in report
    assert "reason: checked against rule 7" in report
    assert "kim99" not in report
    made, approved = (
        re.search(rf"{what}.*hash ([0-9a-f]{{12}})…", report) for what in ("plan version 1 \\(", "APPROVED")
    )
    assert made is not None
    assert approved is not None
    assert made[1] == approved[1]


def test_a_file_that_was_exported_leads_to_its_session(evidence: tuple[str, str]):
    session, _ = evidence
    reviewing = ["--company", "acme", "--as", "rev", "--role", "reviewer"]
    whole = CliRunner().invoke(command_line, ["audit", "report", session, *reviewing]).output
    made = re.search(r"- made (a[0-9a-f]{31}) [0-9a-f]{12}…", whole)
    assert made is not None
    asking = ["--company", "acme", "--user", "ann", "--format", "json", "-o", "document.json"]
    assert CliRunner().invoke(command_line, ["export", session, made[1], *asking]).exit_code == 0
    found = hashlib.sha256(Path("document.json").read_bytes()).hexdigest()
    said = CliRunner().invoke(command_line, ["audit", "list", "--find", found, *reviewing]).output
    assert "artifact.exported" in said
    assert session in said
    report = CliRunner().invoke(command_line, ["audit", "report", session, *reviewing]).output
    assert f"{made[1]} EXPORTED as json" in report


def test_the_report_is_in_korean_on_a_korean_terminal(
    evidence: tuple[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    done = CliRunner().invoke(
        command_line,
        [
            "audit",
            "report",
            evidence[0],
            "--company",
            "acme",
            "--as",
            "rev",
            "--role",
            "reviewer",
        ],
    )
    assert "승인" in done.output
    assert "(봉인됨)" in done.output
    assert "ann" not in done.output


def test_only_reviewers_are_admitted(evidence: tuple[str, str]):
    for words in (
        ["audit", "list"],
        ["audit", "show", "1"],
        ["audit", "report", evidence[0]],
        ["audit", "verify"],
        ["audit", "export", "-o", "x"],
        ["keys", "status"],
        ["keys", "rotate"],
        ["keys", "rewrap", "--to", "env:X"],
        ["keys", "export-public"],
        ["erase", "--user", "ann", "--yes"],
        ["hold", "place", "h", "--reason", "r"],
        ["hold", "list"],
        ["retention", "apply"],
        ["logs"],
    ):
        done = CliRunner().invoke(command_line, [*words, "--company", "acme", "--as", "bob"])
        assert done.exit_code == 1, words
        assert "employee" in done.output, words


def test_a_new_key_is_announced_once_and_never_in_json(tmp_path: Path):
    folder = ["--data-dir", str(tmp_path / "new")]
    first = CliRunner().invoke(command_line, ["ask", "hello", *folder])
    assert "Copy it to a safe place" in first.stderr
    again = CliRunner().invoke(command_line, ["ask", "hello", *folder])
    assert "Copy it" not in again.stderr
    quiet = CliRunner().invoke(command_line, ["ask", "hello", "--json", "--data-dir", str(tmp_path / "q")])
    assert "Copy it" not in quiet.output
