"""What a check holds back, at the command line: exit code 5, what and why, and who lets it through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from tests.support.plugins import install

CODE = """
from metaagent.plugin import Artifact, Capability, Result, agent


def declare(name, ko, en, makes, takes=(), **options):
    words = [Capability(name, ko=(ko,), en=(en,))]
    return agent(name=name, capabilities=words, produces=[makes], consumes=takes, **options)


@declare("drafting", "작성", "write", "document")
async def drafting(task, ctx):
    return Result("written", 1.0, [Artifact("document", {"text": "a gift"})], [{"title": "x"}])


@declare("judging", "규정 확인", "check", "verdict", ("document|dataset",))
async def judging(task, ctx):
    found = {
        "rule": "gift_limit", "pack": "fair_trade", "pack_version": "2024", "pack_hash": "0" * 64,
        "severity": "high", "status": "violated", "message": "30,000 won is above 10,000 won",
        "evidence": [], "law": "Article 10",
    }
    target = {"kind": "document", "artifact_ids": [], "hashes": [ref.hash for ref in task.inputs]}
    said = {"blocks": True, "risk_level": "high", "target": target, "findings": [found], "checked": [],
            "required_modifications": [], "recommendations": [], "confidence": 1.0, "hash": ""}
    return Result("judged", 1.0, [Artifact("verdict", said)])


@declare("filing", "저장", "store", "stored", ("document",), side_effects=True)
async def filing(task, ctx):
    return Result("Stored in the archive.", 1.0, [Artifact("stored", {"place": "archive"})])
"""
ASKED = "보고서 작성하고 규정 확인한 뒤 저장해줘"


class Said(Protocol):
    def __call__(self, *words: str, user: str, role: str) -> tuple[int, str]: ...


@pytest.fixture
def shared(tmp_path: Path) -> list[str]:
    return [
        *("--config", str(tmp_path / "settings.yaml"), "--data-dir", str(tmp_path / "data")),
        *("--company", "acme"),
    ]


@pytest.fixture
def said(tmp_path: Path, shared: list[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    site, config = tmp_path / "site", tmp_path / "settings.yaml"
    install(site, "gate-agents", CODE, drafting="drafting", judging="judging", filing="filing")
    monkeypatch.syspath_prepend(str(site))
    config.write_text("agents: {allow: ['gate-agents']}\napproval: {mode: never}\ndomain: null\n")

    def run(*words: str, user: str, role: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, [*words, "--user", user, "--role", role, *shared])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout if "--json" in words else done.output

    return run


def test_a_blocked_question_is_let_through_by_an_officer(said: Said):
    code, out = said("ask", ASKED, "--json", user="ann", role="employee")
    answer = json.loads(out)
    assert (code, answer["status"]) == (5, "blocked")
    (held,) = answer["blocked"]
    assert (held["agent"], held["rules"], held["opened_by"]) == (
        "filing",
        ["fair_trade/gift_limit"],
        "compliance_officer",
    )
    assert "30,000 won is above 10,000 won. " in held["text"]
    session = answer["session_id"]
    code, listed = said("approvals", user="cho", role="compliance_officer")
    assert code == 0
    assert all(word in listed for word in (session, "ann", "gift_limit", "Article 10", "--reason"))
    assert ASKED not in listed
    assert said("approve", session, user="cho", role="compliance_officer")[0] == 2
    assert said("approve", session, "--reason", "x", user="ann", role="employee")[0] != 0
    code, decided = said("approve", session, "--reason", "agreed", user="cho", role="compliance_officer")
    assert code == 0
    assert "archive" not in decided
    assert said("approvals", user="cho", role="compliance_officer")[1].count(session) == 0


def test_a_blocked_question_says_what_why_and_who(said: Said, shared: list[str]):
    code, out = said("ask", ASKED, user="ann", role="employee")
    assert code == 5
    assert all(
        word in out for word in ("filing", "fair_trade/gift_limit", "30,000 won", "compliance_officer")
    )
    assert out.count("30,000 won is above 10,000 won") == 1, "it is said once"
    session = out.split("metaagent approve ")[1].split()[0]
    assert f"{' '.join(shared)} --user ... --role compliance_officer" in out, "a command to copy"
    code, _ = said(
        "approve", session, "--reject", "--reason", "no gifts", user="cho", role="compliance_officer"
    )
    assert code == 0
    assert said("approvals", user="cho", role="compliance_officer")[1].count(session) == 0
