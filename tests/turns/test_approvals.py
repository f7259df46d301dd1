"""Who approved a plan, and why: on record, as it was, whoever it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from metaagent.access.rights import BUILT_IN
from metaagent.audit.store import Where
from metaagent.cli.main import app as command_line
from metaagent.cli.questions import how_to_decide, plan_lines
from metaagent.errors import AccessDenied, InputRefused, UnknownSession
from metaagent.level1.planning.decisions import decision_of
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from tests.support.agents import Runs, asking, figures, opened, worker

ANN = User("ann", "acme", ("employee",))
BOSS = User("boss", "acme", ("approver",))
REVIEWER = User("rev", "acme", ("reviewer",))
FOUR_EYES = {
    "policies": {
        "employee": {
            **BUILT_IN["employee"].model_dump(),
            "operations": [name for name in BUILT_IN["employee"].operations if name != "session.approve"],
        }
    }
}


def mailing(runs: Runs, **options: Any) -> Any:
    return worker(runs, "mailing", side_effects=True, **options)


async def decisions(app: MetaAgent) -> list[dict[str, Any]]:
    """What the trail says of approvals and rejections, opened."""
    office = app.governance
    found = [
        entry
        for event in ("plan.approved", "plan.rejected")
        for entry in await office.audit_list(Where(event=event), user=REVIEWER)
    ]
    return [await office.audit_show(entry["seq"], reveal=True, user=REVIEWER) for entry in found]


async def test_the_reason_is_on_record_without_personal_data(data: Path, runs: Runs):
    async with opened(data, mailing(runs)) as app:
        for answer, verdict in (("approve", "approved"), ("reject", "rejected")):
            waiting = await app.ask("mailing", user=ANN)
            await app.resume(waiting.session_id, answer, reason="010-1234-5678 said so", user=ANN)
            entry = next(e for e in await decisions(app) if e["outcome"] == verdict)
            assert entry["pii"]["by"] == "ann"
            assert entry["pii"]["reason"].endswith("said so")
            assert "1234" not in entry["pii"]["reason"]
            assert entry["data"]["hash"] == waiting.content["approval"]["plan_hash"]
        assert runs.of("mailing") == 1


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("approve: as agreed", "approved", "as agreed"),
        ("승인： 규칙 7 확인", "approved", "규칙 7 확인"),
        ("no: too early", "rejected", "too early"),
        ("yes", "approved", ""),
        ("yes, but not the second step", "unclear", ""),
        ("maybe: later", "unclear", "later"),
        ({"decision": "approve", "reason": "x"}, "approved", "x"),
        (True, "approved", ""),
    ],
)
def test_a_reason_may_follow_the_word(answer: Any, verdict: str, reason: str):
    decision = decision_of(answer)
    assert (decision.verdict, decision.reason) == (verdict, reason)


async def test_nobody_can_approve_in_anothers_name(data: Path, runs: Runs):
    async with opened(data, mailing(runs)) as app:
        waiting = await app.ask("mailing", user=ANN)
        await app.resume(waiting.session_id, {"decision": "approve", "by": "boss"}, user=ANN)
        (entry,) = await decisions(app)
        assert entry["pii"]["by"] == "ann"
        assert entry["actor"] == app.governance.ring.alias("acme", "ann")


async def test_another_person_approves_and_sees_nothing_else(data: Path, runs: Runs):
    async with opened(data, mailing(runs)) as app:
        waiting = await app.ask("mailing", user=ANN)
        (plan,) = await app.approvals(user=BOSS)
        assert (plan["session_id"], plan["asked_by"]) == (waiting.session_id, "ann")
        assert [step["agent"] for step in plan["steps"]] == ["mailing"]
        assert await app.approve(waiting.session_id, reason="budget is there", user=BOSS) == "completed"
        assert await app.approvals(user=BOSS) == []
        for look in (app.state, app.turns, app.history):
            with pytest.raises(AccessDenied):
                await look(waiting.session_id, user=BOSS)
        (entry,) = await decisions(app)
        assert entry["pii"] == {"by": "boss", "reason": "budget is there"}
        assert entry["actor"] == app.governance.ring.alias("acme", "boss")
        report = "\n".join(await app.governance.audit_report(waiting.session_id, reveal=True, user=REVIEWER))
        assert f"APPROVED by boss [{entry['actor']}]; reason: budget is there" in report
        assert (await app.answer(waiting.turn_id, user=ANN)).text == "mailing done"
        said = [message["content"] for message in await app.history(waiting.session_id, user=ANN)]
        assert "approve: budget is there" in said
        state = await app.state(waiting.session_id, user=ANN)
        planning = state.get("planning_state") or {}
        assert planning.get("approval", {}).get("by") == "boss"


async def test_decider_reads_what_the_plan_uses_and_nothing_else(data: Path, runs: Runs):
    sending = worker(runs, "mailing", takes=("dataset",), side_effects=True)
    seeing = User("boss", "acme", ("approver", "employee"))
    async with opened(data, figures(runs), sending) as app:
        made = await app.ask("figures", user=ANN)
        (used,) = [each["id"] for each in made.content["artifacts"]]
        with pytest.raises(UnknownSession):
            await app.approval_input(made.session_id, used, user=seeing)
        await app.ask("mailing", session_id=made.session_id, user=ANN)
        assert (await app.approval_input(made.session_id, used, user=seeing))["by"] == "figures"
        for nobody in (BOSS, User("eve", "evil", ("approver", "employee"))):
            with pytest.raises(UnknownSession):
                await app.approval_input(made.session_id, used, user=nobody)
        other = await app.ask("figures", user=ANN)
        (private,) = [each["id"] for each in other.content["artifacts"]]
        with pytest.raises(UnknownSession):
            await app.approval_input(other.session_id, private, user=seeing)


@pytest.mark.parametrize(("word", "sent"), [("approve", 1), ("reject", 0)])
async def test_effect_waits_once_more_with_what_it_acts_on(data: Path, runs: Runs, word: str, sent: int):
    sending = worker(runs, "mailing", takes=("dataset",), side_effects=True)
    seeing = User("boss", "acme", ("approver", "employee"))
    async with opened(data, figures(runs), sending) as app:
        waiting = await app.ask("mailing", user=ANN)
        (plan,) = await app.approvals(user=seeing)
        assert await app.approve(waiting.session_id, "show s2", user=seeing) == "waiting"
        (shown,) = await app.approvals(user=seeing)
        assert (runs.of("figures"), runs.of("mailing")) == (1, 0)
        assert shown["plan_hash"] != plan["plan_hash"], "who approved the plan has not approved this"
        (used,) = shown["steps"][0]["inputs"]
        seen = await app.approval_input(waiting.session_id, used["artifact_id"], user=seeing)
        assert seen["by"] == "figures"
        assert await app.approve(waiting.session_id, "drop s1", user=seeing) == "waiting"
        assert await app.approve(waiting.session_id, word, reason="I saw it", user=seeing) == "completed"
        assert runs.of("mailing") == sent
        answer = await app.answer(waiting.turn_id, user=ANN)
        assert ("boss looked at it and said no (I saw it)" in str(answer.content["blocked"])) is not sent
        report = "\n".join(await app.governance.audit_report(waiting.session_id, reveal=True, user=REVIEWER))
        said = "LOOKED AT AND APPROVED" if sent else "LOOKED AT AND REFUSED"
        assert f"{said} by boss" in report


async def test_four_eyes_the_asker_alone_cannot_approve(data: Path, runs: Runs):
    async with opened(data, mailing(runs), access=FOUR_EYES) as app:
        waiting = await app.ask("mailing", user=ANN)
        for attempt in (app.resume, app.approve):
            with pytest.raises(AccessDenied):
                await attempt(waiting.session_id, "approve", user=ANN)
        refused = await app.governance.audit_list(Where(event="access.refused"), user=REVIEWER)
        assert [entry["data"]["operation"] for entry in refused] == ["session.approve"] * 2
        assert runs.of("mailing") == 0
        assert await app.approve(waiting.session_id, user=BOSS) == "completed"
        assert runs.of("mailing") == 1


async def test_an_approver_decides_on_plans_of_their_own_company_only(data: Path, runs: Runs):
    stranger = User("boss", "evil", ("approver",))
    async with opened(data, mailing(runs)) as app:
        waiting = await app.ask("mailing", user=ANN)
        assert await app.approvals(user=stranger) == []
        with pytest.raises(UnknownSession):
            await app.approve(waiting.session_id, user=stranger)
        colleague = User("bob", "acme", ("employee",))
        assert await app.approvals(user=colleague) == []
        with pytest.raises(UnknownSession):
            await app.approve(waiting.session_id, user=colleague)
        assert len(await app.approvals(user=ANN)) == 1
        assert runs.of("mailing") == 0


async def test_an_approver_answers_no_other_questions(data: Path, runs: Runs):
    async with opened(data, asking(runs)) as app:
        waiting = await app.ask("asking", user=ANN)
        with pytest.raises(InputRefused, match="nothing that you decide on"):
            await app.approve(waiting.session_id, user=BOSS)
        with pytest.raises(InputRefused, match="no plan to approve"):
            await app.resume(waiting.session_id, "left", reason="why not", user=ANN)
        with pytest.raises(AccessDenied):
            await app.resume(waiting.session_id, "left", user=BOSS)
        assert (await app.resume(waiting.session_id, "left", user=ANN)).status == "completed"


@pytest.mark.parametrize("named", [None, "s1", "nothing"])
@pytest.mark.parametrize("decision", ["approve", "reject", "", None, {"drop": ["s1"]}])
async def test_no_refusal_tells_a_decider_what_is_asked(
    decision: Any, named: str | None, data: Path, runs: Runs
):
    """A question that an agent asks of its person is a part of their conversation."""
    officer = User("coco", "acme", ("compliance_officer",))
    async with opened(data, asking(runs)) as app:
        waiting = await app.ask("asking", user=ANN)
        assert waiting.question is not None
        for decide, who in ((app.approve, BOSS), (app.override, officer)):
            with pytest.raises(InputRefused) as refused:
                await decide(waiting.session_id, decision, question_id=named, reason="so", user=who)
            for language in ("en", "ko"):
                assert waiting.question["question"] not in refused.value.say(language)


async def test_resuming_anothers_turn_adds_no_rights(data: Path, runs: Runs):
    access = {
        "policies": {
            "helper": {
                **BUILT_IN["owner"].model_dump(),
                "operations": ["session.resume:any", "session.approve:any"],
            }
        }
    }
    helper = User("helper", "acme", ("helper",))
    secret = figures(runs, permissions=("salaries.read",))
    async with opened(data, secret, mailing(runs), access=access) as app:
        waiting = await app.ask("mailing and figures", user=ANN)
        answer = await app.resume(waiting.session_id, "approve", user=helper)
        assert [step["agent_name"] for step in answer.content["steps"]] == ["mailing"]
        assert runs.of("figures") == 0
        (turn,) = await app.turns(waiting.session_id, user=ANN)
        assert turn.user == ANN


async def test_an_erased_approver_is_forgotten_and_the_chain_holds(data: Path, runs: Runs):
    async with opened(data, mailing(runs)) as app:
        waiting = await app.ask("mailing", user=ANN)
        await app.approve(waiting.session_id, reason="ok", user=BOSS)
        await app.governance.erase("boss", user=User("officer", "acme", ("security_officer",)))
        (entry,) = await decisions(app)
        assert set(entry["pii"]) == {"unreadable"}
        assert (await app.governance.audit_verify(user=REVIEWER)).ok
        assert (await app.answer(waiting.turn_id, user=ANN)).text == "mailing done"


def test_approvals_on_the_command_line_are_on_record(data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METAAGENT_APPROVAL__MODE", "always")

    def said(*words: str, user: str, role: str) -> tuple[int, str]:
        who = ["--user", user, "--company", "acme", "--role", role, "--data-dir", str(data)]
        done = CliRunner().invoke(command_line, [*words, *who])
        return done.exit_code, done.output

    code, asked = said("ask", "remember that my region is Busan", user="ann", role="employee")
    assert code == 4
    session = asked.split("metaagent approve ")[1].split()[0]
    code, listed = said("approvals", user="boss", role="approver")
    assert code == 0
    assert session in listed
    assert "ann asked on" in listed
    assert "remember that my region is Busan" in listed
    code, decided = said("approve", session, "--reject", "--reason", "not now", user="boss", role="approver")
    assert code == 0
    assert decided.startswith("Rejected: nothing was run. ann sees your reason")
    assert said("approvals", user="boss", role="approver")[1] == "No plan waits for you.\n"
    assert said("approve", session, user="bob", role="employee")[0] == 1
    reviewing = ["--as", "rev", "--company", "acme", "--role", "reviewer", "--data-dir", str(data)]
    report = CliRunner().invoke(command_line, ["audit", "report", session, "--reveal", *reviewing])
    assert "REJECTED by boss [u-" in report.output
    assert "reason: not now" in report.output


@dataclass(frozen=True)
class Letter:
    to: str
    copies: int = 2
    note: str = ""


async def test_list_shows_parameters_and_inputs_of_each_step(data: Path, runs: Runs):
    """Given, by default, needed and left open: somebody who decides sees everything that an agent takes."""
    sending = worker(runs, "sending", takes=("dataset",), side_effects=True, risk="high")

    def fill(_analysis: Mapping[str, Any]) -> dict[str, Any]:
        return {"to": "press"}

    sending = replace(sending, params=Letter, fill=fill)
    async with opened(data, figures(runs), sending) as app:
        await app.ask("sending last month", user=ANN)
        (plan,) = await app.approvals(user=BOSS)
    first, second = plan["steps"]
    assert first["parameters"] == []
    assert second["parameters"] == [
        {"name": "to", "value": "press", "given": True, "required": True},
        {"name": "copies", "value": 2, "given": False, "required": False},
        {"name": "note", "value": "", "given": False, "required": False},
    ]
    for language, expected in (
        (
            "en",
            ("with to=press", "by default copies=2", "left to the agent: note", "risk: HIGH", "dataset (s1)"),
        ),
        (
            "ko",
            ("값: to=press", "기본값: copies=2", "에이전트가 정함: note", "위험도: 높음", "매개변수 없음"),
        ),
    ):
        shown = "\n".join(plan_lines(plan, language))
        assert [part for part in expected if part not in shown] == []
    assert '"set s2.to=value"' in "\n".join(how_to_decide(plan, plan["session_id"], "", "en"))


def test_approving_ones_own_plan_shows_the_answer(data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METAAGENT_APPROVAL__MODE", "always")
    folder = ["--data-dir", str(data)]
    asked = CliRunner().invoke(command_line, ["ask", "remember that my region is Busan", *folder])
    assert asked.exit_code == 4, asked.output
    session = asked.output.split("metaagent approve ")[1].split()[0]
    assert "--reason" in asked.output
    done = CliRunner().invoke(command_line, ["approve", session, "--reason", "it is mine", *folder])
    assert done.exit_code == 0, done.output
    assert "Remembered: region: Busan." in done.stdout
    report = CliRunner().invoke(command_line, ["audit", "report", session, "--reveal", *folder])
    assert "APPROVED by owner [u-" in report.output
    assert "reason: it is mine" in report.output


@pytest.mark.parametrize(
    ("question", "said"), [("figures", "'figures'"), ("figures 알려줘", "설치되지 않았거나")]
)
async def test_plan_whose_agent_is_gone_ends_with_the_reason(
    data: Path, runs: Runs, question: str, said: str
):
    """The process that decides has other agents than the one that planned."""
    async with opened(data, figures(runs), approval={"mode": "always"}) as app:
        waiting = await app.ask(question)
    async with opened(data, approval={"mode": "always"}) as app:
        answer = await app.resume(waiting.session_id, "approve")
    assert (answer.status, runs.of("figures")) == ("completed", 0)
    assert said in answer.text
