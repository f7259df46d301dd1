"""The whole chain at the command line: a violation in the report ends it with exit code 5, an officer lets it go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from metaagent.cli.main import app
from tests.support.chain import ASKED
from tests.support.chain import house_rules as house_rules
from tests.support.data_world import NOON, make_company


@pytest.mark.thorough
@pytest.mark.usefixtures("house_rules")
def test_a_violation_ends_with_five_until_an_officer_decides(tmp_path: Path):
    config = tmp_path / "settings.yaml"
    config.write_text("agents: {allow: ['metaagent', 'house-rules']}\napproval: {mode: never}\n")
    make_company(tmp_path)
    shared = ["--config", str(config), "--data-dir", str(tmp_path)]

    def run(*words: str, user: str, role: str) -> tuple[int, str]:
        who = "--as" if words[0] == "audit" else "--user"
        done = CliRunner().invoke(app, [*words, who, user, "--role", role, *shared])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout or done.stderr

    code, out = run("ask", ASKED, "--json", "--now", NOON.isoformat(), user="ann", role="owner")
    answer = json.loads(out)
    assert (code, answer["status"]) == (5, "blocked")
    assert answer["blocked"][0]["rules"] == ["house/no_figures"]
    assert json.loads(run("stored", "list", "--json", user="ann", role="owner")[1]) == []
    session = answer["session_id"]
    code, said = run("approve", session, "--reason", "board", user="olga", role="compliance_officer")
    assert code == 0, said
    (receipt,) = json.loads(run("stored", "list", "--json", user="ann", role="owner")[1])
    shown = json.loads(
        run("stored", "show", receipt["stored_location"], "--json", user="ann", role="owner")[1]
    )
    assert (shown["holds"], shown["receipt"]) == (True, receipt["receipt"])
    undo = ("stored", "undo", receipt["receipt"], "--reason", "wrong month")
    assert run(*undo, user="ann", role="owner")[0] == 1, "asked first"
    assert run(*undo, "--yes", user="ann", role="owner")[0] == 0
    (after,) = json.loads(run("stored", "list", "--json", user="ann", role="owner")[1])
    assert after["status"] == "undone"
    code, told = run("audit", "report", session, "--reveal", user="rev", role="reviewer")
    assert code == 0
    assert all(word in told for word in ("LET THROUGH", "olga", "board", "house 7", "no_figures"))
