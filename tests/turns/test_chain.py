"""The whole chain: figures, a visit report, the check, storing; held back by a rule, and let through by an officer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from metaagent.ports import User
from tests.support.chain import ANN, ASKED, company
from tests.support.chain import house_rules as house_rules

OFFICER = User("olga", "local", ("compliance_officer",))
REVIEWER = User("rev", "local", ("reviewer",))


async def test_figures_become_a_report_that_is_judged_and_stored(tmp_path: Path):
    async with company(tmp_path) as app:
        answer = await app.ask(ASKED, user=ANN)
        kinds = list(dict.fromkeys(ref["kind"] for ref in answer.content["artifacts"]))
        assert [kind for kind in kinds if kind != "chart"] == ["dataset", "document", "verdict", "stored"]
        assert answer.content["blocked"] == []
        assert len(await app.stored_list(user=ANN)) == 1


@pytest.mark.usefixtures("house_rules")
async def test_a_violation_holds_it_until_an_officer_decides(tmp_path: Path):
    async with company(tmp_path, "house-rules") as app:
        answer = await app.ask(ASKED, user=ANN)
        (held,) = answer.content["blocked"]
        assert held["rules"] == ["house/no_figures"]
        assert await app.stored_list(user=ANN) == []
        await app.override(answer.session_id, reason="released by the board", user=OFFICER)
        assert len(await app.stored_list(user=ANN)) == 1
        told = "\n".join(await app.governance.audit_report(answer.session_id, reveal=True, user=REVIEWER))
    (let_through,) = [line for line in told.splitlines() if "LET THROUGH" in line]
    (by_rules,) = [line for line in told.splitlines() if "JUDGED" in line]
    assert "olga" in let_through
    assert "released by the board" in let_through
    # The rule with the version and hash of its pack, and the hash of the evidence.
    assert re.search(r"house 7 [0-9a-f]{64} no_figures violated high [0-9a-f]{64}$", told, re.MULTILINE)
    assert re.search(r"- \d+ rule\(s\) found nothing$", told, re.MULTILINE)
    (verdict,) = re.findall(r"verdict ([0-9a-f]{64})", by_rules)
    assert let_through.endswith(f"verdicts {verdict}")


@pytest.mark.usefixtures("house_rules")
async def test_packs_of_a_package_count_only_where_it_is_allowed(tmp_path: Path):
    async with company(tmp_path) as app:
        assert not (await app.judge_file("a.txt", "매출액은 3억원이다.".encode(), user=ANN))["blocks"]
    async with company(tmp_path / "two", "house-rules") as app:
        verdict = await app.judge_file("a.txt", "매출액은 3억원이다.".encode(), user=ANN)
    assert [f["rule"] for f in verdict["findings"] if f["status"] == "violated"] == ["no_figures"]
