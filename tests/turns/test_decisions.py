"""A plan waits, and the world changes: what was approved and can no longer run is not run, and the person is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from langgraph.types import Command

from metaagent.audit.store import Where
from metaagent.config import Approval
from metaagent.errors import NeedsInput
from metaagent.level1.planning.decisions import decision_of, edited, reasons_to_ask
from metaagent.level1.planning.turn_plan import may_run
from metaagent.plugin import AgentSpec, Context, Result, Task
from metaagent.ports import User
from metaagent.runtime import Answer, MetaAgent
from metaagent.storage.vault import acting_for
from tests.support.execution_world import Calls, Size, Work, events_of, make_agent, opened, statuses

ALWAYS: dict[str, Any] = {"approval": {"mode": "always"}}


def pair(calls: Calls, *, first: str = "first", **options: Any) -> list[AgentSpec]:
    """`second` needs what `first` makes."""
    return [
        make_agent(first, does="half", makes=["half"], calls=calls),
        make_agent("second", takes=["half"], calls=calls, **options),
    ]


async def trail(app: MetaAgent, session_id: str) -> list[tuple[str, str]]:
    entries = await app.governance.audit_list(Where(session=session_id))
    return [(e["event"], e["outcome"]) for e in entries if e["event"].startswith("plan.")]


def told(answer: Answer) -> str:
    assert answer.question is not None
    return answer.question["question"]


# --- the agent is gone -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "word"), [("second please", "can no longer run"), ("second 부탁해요", "실행할 수 없어")]
)
async def test_approved_plan_without_its_agent_is_replanned_and_asked(
    tmp_path: Path, question: str, word: str
) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask(question)
    async with opened(tmp_path, *pair(calls, first="stand_in"), **ALWAYS) as app:
        again = await app.resume(asked.session_id, "approve")
        assert again.status == "waiting"
        assert calls.names == []
        assert word in told(again)
        assert "'first'" in told(again)
        assert [s["agent"] for s in again.content["approval"]["steps"]] == ["stand_in", "second"]
        done = await app.resume(asked.session_id, "approve")
        assert (done.status, calls.names) == ("completed", ["stand_in", "second"])
        assert word in done.text
        assert done.content["plan"]["approval"]["plan_hash"] == again.content["approval"]["plan_hash"]
        assert await trail(app, asked.session_id) == [
            ("plan.made", "valid"),
            ("plan.outdated", "not_run"),
            ("plan.made", "valid"),
            ("plan.approved", "approved"),
        ]
        replans = [e for e in await events_of(app, done) if e["type"] == "replan"]
        assert [(e["plan_version"], "'first'" in e["reason"]) for e in replans] == [(2, True)]
        report = "\n".join(await app.governance.audit_report(asked.session_id, reveal=True))
        assert "NOT RUN, it was no longer valid" in report
        assert "unknown_agent" in report


async def test_missing_agent_of_a_plan_is_stated_in_the_answer(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask("second")
    async with opened(tmp_path, make_agent("unrelated"), **ALWAYS) as app:
        done = await app.resume(asked.session_id, "approve")
        assert (done.status, done.content["errors"]) == ("completed", [])
        assert "'second', which is not installed or switched off" in done.text
        assert done.content["plan"]["unmet"] == [{"capability": "second", "reason": "no_agent"}]
        assert (await app.ask("unrelated", session_id=asked.session_id)).status == "waiting"


@pytest.mark.parametrize("answer", ["hm", "reject", {"drop": ["s9"]}])
async def test_plan_of_missing_agents_can_be_shown_and_rejected(tmp_path: Path, answer: Any) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask("second")
    async with opened(tmp_path, **ALWAYS) as app:
        (waiting,) = await app.approvals()
        assert [s["agent"] for s in waiting["steps"]] == ["first", "second"]
        after = await app.resume(asked.session_id, answer)
        assert (after.status, after.content["errors"]) == ("waiting" if answer == "hm" else "completed", [])
        if answer == "hm":
            assert [s["agent"] for s in after.content["approval"]["steps"]] == ["first", "second"]
            assert (await app.resume(asked.session_id, "no")).status == "completed"


@pytest.mark.parametrize("name", ["first", "half"])
async def test_plan_with_a_switched_off_agent_is_not_run(tmp_path: Path, name: str) -> None:
    calls = Calls()
    both = make_agent("first", makes=["half"], calls=calls, does="half")
    wide = replace(both, capabilities=(*both.capabilities, *make_agent("spare").capabilities))
    async with opened(tmp_path, wide, *pair(calls)[1:], **ALWAYS) as app:
        asked = await app.ask("half")
        await app.disable(name)
        done = await app.resume(asked.session_id, "approve")
        assert (done.status, calls.names) == ("completed", [])
        assert "can no longer run" in done.text


async def test_an_edit_that_leaves_the_lost_agent_out_runs(tmp_path: Path) -> None:
    calls = Calls()
    agents = [make_agent(name, calls=calls) for name in ("one", "two")]
    async with opened(tmp_path, *agents, **ALWAYS) as app:
        asked = await app.ask("one two")
        ids = {s["agent"]: s["step_id"] for s in asked.content["approval"]["steps"]}
    async with opened(tmp_path, agents[1], **ALWAYS) as app:
        done = await app.resume(asked.session_id, {"drop": [ids["one"]]})
        assert statuses(done) == {"two": "completed"}
        assert "one (you did not approve it)" in done.text


async def test_editing_a_plan_that_lost_an_agent_asks_again(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask("second")
    async with opened(tmp_path, *pair(calls, first="stand_in"), **ALWAYS) as app:
        again = await app.resume(asked.session_id, {"decision": "approve", "params": {"s1": {"x": 1}}})
        assert (again.status, calls.names) == ("waiting", [])
        assert "can no longer run" in told(again)


# --- rights and bounds -----------------------------------------------------------------------------------


async def test_a_right_that_was_lost_meanwhile_counts(tmp_path: Path) -> None:
    calls = Calls()
    access = {
        "policies": {
            "clerk": {
                "operations": ["session.ask", "session.resume", "session.approve", "session.read"],
                "agents": ["*"],
                "capabilities": ["*"],
                "ports": ["*"],
                "artifacts": ["*"],
            },
            "reader": {"data": ["salaries"]},
        }
    }
    now, later = User("ann", "acme", ("clerk", "reader")), User("ann", "acme", ("clerk",))
    agents = [make_agent("pay", permissions=["salaries"], calls=calls)]
    async with opened(tmp_path, *agents, access=access, **ALWAYS) as app:
        asked = await app.ask("pay", user=now)
        assert asked.status == "waiting"
        done = await app.resume(asked.session_id, "approve", user=later)
        assert (done.status, calls.names) == ("completed", [])
        assert "the permission 'salaries', which you do not have" in done.text


async def test_a_plan_that_is_outdated_again_and_again_ends_the_turn(tmp_path: Path) -> None:
    calls, names = Calls(), ["one", "two", "three", "four"]
    asked: Answer | None = None
    outdated = 0
    for name in names:
        async with opened(tmp_path, *pair(calls, first=name), limits={"replans": 2}, **ALWAYS) as app:
            asked = await app.resume(asked.session_id, "approve") if asked else await app.ask("second")
            outdated = (await trail(app, asked.session_id)).count(("plan.outdated", "not_run"))
    assert asked is not None
    assert (asked.status, outdated, calls.names) == ("completed", 3, [])
    assert "'three', which is not installed" in asked.text
    assert "limits.replans" in asked.text


async def test_a_plan_that_asks_for_no_approval_any_more_runs_at_once(tmp_path: Path) -> None:
    calls = Calls()
    rules: dict[str, Any] = {"approval": {"mode": "rule"}}
    async with opened(
        tmp_path, make_agent("mail", does="send", side_effects=True, calls=calls), **rules
    ) as app:
        asked = await app.ask("send")
        assert asked.status == "waiting"
    async with opened(tmp_path, make_agent("draft", does="send", calls=calls), **rules) as app:
        done = await app.resume(asked.session_id, "approve")
        assert (done.status, calls.names) == ("completed", ["draft"])
        assert "'mail'" in done.text


# --- a step that waits for an answer ---------------------------------------------------------------------


def asks(question: str, heard: list[Any]) -> Work:
    async def work(task: Task, ctx: Context) -> Result | None:
        if not task.answers:
            raise NeedsInput(question)
        heard.append((question, task.answers))
        return None

    return work


async def test_waiting_step_without_its_agent_fails_visibly(tmp_path: Path) -> None:
    heard: list[Any] = []
    async with opened(tmp_path, make_agent("gone", asks("Which?", heard), does="job")) as app:
        waiting = await app.ask("job")
        assert waiting.status == "waiting"
    async with opened(tmp_path, make_agent("unrelated")) as app:
        done = await app.resume(waiting.session_id, "left")
        assert (done.status, statuses(done)) == ("completed", {"gone": "failed"})
        assert "gone was switched off before it could start" in done.text
    assert heard == []


@pytest.mark.parametrize("planned", [True, False])
async def test_answer_for_a_missing_agent_does_not_reach_another(tmp_path: Path, planned: bool) -> None:
    heard: list[Any] = []
    gone = make_agent("gone", asks("Which file?", heard), does="job", makes=["thing"])
    heir = make_agent("heir", asks("Delete everything?", heard), does="job", makes=["thing"], cost=9.0)
    async with opened(tmp_path, gone, *([heir] if planned else [])) as app:
        waiting = await app.ask("job")
        assert told(waiting) == "Which file?"
    async with opened(tmp_path, heir) as app:
        again = await app.resume(waiting.session_id, "yes")
        assert (again.status, heard) == ("waiting", [])
        assert told(again) == "Delete everything?"
        done = await app.resume(waiting.session_id, "no")
        assert done.status == "completed"
        assert heard == [("Delete everything?", ("no",))]
        asked = [e for e in await events_of(app, done) if e["type"] == "clarification_needed"]
        assert [e["question"] for e in asked] == ["Which file?", "Delete everything?"]


# --- what is approved ------------------------------------------------------------------------------------


async def test_a_risky_fallback_asks_for_approval_and_is_shown(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("safe", does="job", makes=["thing"], calls=calls),
        make_agent("risky", does="job", makes=["thing"], side_effects=True, cost=5.0, calls=calls),
    ]
    async with opened(tmp_path, *agents, approval={"mode": "rule"}) as app:
        asked = await app.ask("job")
        assert asked.status == "waiting"
        assert asked.content["approval"]["reasons"] == ["side_effects:risky"]
        assert asked.content["approval"]["steps"][0]["fallbacks"] == ["risky"]
    plan: Any = {"execution_plan": [{"agents": ["safe"]}], "fallback_plans": [{"replace_with": "risky"}]}
    known = {spec.name: spec for spec in agents}
    assert reasons_to_ask(plan, known, Approval(mode="rule", cost_above=5), ()) == ["side_effects:risky"]


@pytest.mark.parametrize(
    ("answer", "unread"),
    [
        ({"decision": "approve", "drop": [1]}, ("drop",)),
        ({"decision": "approve", "drop": {"s1": True}}, ("drop",)),
        ({"decision": "approve", "drop": True}, ("drop",)),
        ({"decision": "approve", "params": ["s1"]}, ("params",)),
        ({"decision": "approve", "params": {"s1": 3}}, ("params",)),
        ({"decision": "approve", "order": [["s1"]]}, ("order",)),
        ({"decision": "approve", "remove": ["s1"]}, ("remove",)),
        ({"decision": "승인", "빼기": ["s1"]}, ("빼기",)),
        ({"drop": [None], "extra": 1}, ("drop", "extra")),
    ],
)
def test_an_edit_that_cannot_be_read_approves_nothing(answer: Any, unread: tuple[str, ...]) -> None:
    decision = decision_of(answer)
    assert (decision.verdict, decision.unread) == ("unclear", unread)


@pytest.mark.parametrize(
    ("answer", "verdict", "edits"),
    [
        ({"결정": "승인", "제외": ["s1"], "사유": "필요 없음"}, "approved", {"drop": ["s1"]}),
        ({"매개변수": {"s1": {"크기": 3}}}, "approved", {"params": {"s1": {"크기": 3}}}),
        ({"결정": "승인", "순서": ["s2", "s1"]}, "approved", {"order": ["s2", "s1"]}),
        ({"decision": "approve", "drop": "s1"}, "approved", {"drop": ["s1"]}),
        ({normalize("NFD", "제외"): ["s1"], "결정": normalize("NFD", "승인")}, "approved", {"drop": ["s1"]}),
        ({"decision": "approve", "drop": []}, "approved", None),
        ({"결정": "거절", "제외": ["s1"]}, "rejected", {"drop": ["s1"]}),
        ({"decision": "no", "remove": ["s1"]}, "rejected", None),
        ({}, "unclear", None),
        ({"decision": None}, "unclear", None),
        ([], "unclear", None),
    ],
)
def test_edits_are_read_in_both_languages(answer: Any, verdict: str, edits: Any) -> None:
    decision = decision_of(answer)
    assert (decision.verdict, decision.edits) == (verdict, edits)


EDITS: list[tuple[Any, str]] = [
    ({"drop": ["s1"]}, "s2 needs a 'half'"),
    ({"drop": 7}, "could not be read: drop"),
    ({"decision": "approve", "skip": ["s1"]}, "could not be read: skip"),
    ({"order": ["s2", "s1"]}, "step s2 before 's1'"),
    ({"order": ["s2"]}, "step s2 before 's1'"),
    ({"params": {"s9": {"x": 1}}}, "no step s9"),
    ({"params": {"s2": {"width": "wide"}}}, "width must be a whole number"),
    ({"params": {"s2": {"height": 3}}}, "height is no parameter of it (it takes width, mode)"),
    ({"params": {"s1": {"width": 3}}}, "width is no parameter of it (it takes none)"),
    ({"drop": [f"x{n}" for n in range(2000)]}, "… (2000)"),
]


@pytest.mark.parametrize(("edits", "why"), EDITS)
async def test_invalid_edit_is_reported_and_nothing_runs(tmp_path: Path, edits: Any, why: str) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls, params=Size), **ALWAYS) as app:
        asked = await app.ask("second")
        again = await app.resume(asked.session_id, edits)
        assert (again.status, calls.names) == ("waiting", [])
        assert why in told(again)
        assert len(told(again)) < 1000
        assert again.content["approval"]["plan_hash"] == asked.content["approval"]["plan_hash"]
        done = await app.resume(asked.session_id, "approve")
        assert (done.status, calls.names) == ("completed", ["first", "second"])


async def test_edited_and_approved_plan_runs_as_edited(tmp_path: Path) -> None:
    calls, seen = Calls(), list[Any]()

    async def look(task: Task, ctx: Context) -> Result | None:
        seen.append(task.params)
        return None

    agents = [make_agent("one", calls=calls), make_agent("two", look, params=Size, calls=calls)]
    async with opened(tmp_path, *agents, limits={"parallel_steps": 1}, **ALWAYS) as app:
        asked = await app.ask("one two")
        ids = {s["agent"]: s["step_id"] for s in asked.content["approval"]["steps"]}
        turned = [ids["two"], ids["one"]]
        edits = {"결정": "승인", "매개변수": {ids["two"]: {"width": 9}}, "순서": turned}
        done = await app.resume(asked.session_id, edits)
    assert calls.names == ["two", "one"]
    assert seen == [Size(width=9)]
    plan = done.content["plan"]
    assert [s["step_id"] for s in plan["execution_plan"]] == turned == plan["priority_order"]
    assert may_run(plan)
    for changed in (
        {"execution_plan": plan["execution_plan"][::-1]},
        {"execution_plan": plan["execution_plan"][:1]},
        {"fallback_plans": [{"for_step": ids["one"], "replace_with": "two"}]},
        {"plan_version": 3},
    ):
        assert not may_run({**plan, **changed})


async def test_dropping_every_step_approves_nothing(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask("second")
        done = await app.resume(asked.session_id, {"drop": ["s1", "s2"]})
    assert (done.status, calls.names) == ("completed", [])
    assert "second (you did not approve it)" in done.text


@pytest.mark.parametrize(
    "plan",
    [{}, {"execution_plan": ["s1", {"step_id": 3, "inputs": "x", "dependencies": 1, "params": []}]}],
)
def test_editing_breaks_on_no_plan(plan: Any) -> None:
    assert edited(plan, {"drop": ["s1"], "order": ["s1"], "params": {"s1": {}}})["plan_version"] == 2  # pyright: ignore[reportTypedDictNotRequiredAccess]


async def tampered(app: MetaAgent, session_id: str, before: str, after: str, approval: Any = None) -> None:
    """Another plan under the same hash, in the state of a turn that stands between two nodes."""
    config = {"configurable": {"thread_id": session_id}}
    with acting_for(User()):
        graph: Any = app._graph  # pyright: ignore[reportPrivateUsage]
        plan = (await graph.aget_state(config)).values["planning_state"]
        first, second = plan["execution_plan"]
        changed = {**plan, "execution_plan": [{**first, "params": {"all": True}}, second]}
        changed["approval"] = {**plan["approval"], **(approval or {}), "plan_hash": plan["plan_hash"]}
        await graph.aupdate_state(
            config, Command(update={"planning_state": changed}, goto=after), as_node=before
        )


async def test_a_plan_that_changed_after_it_was_shown_is_shown_again(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask("second")
        await tampered(app, asked.session_id, "planning", "approval")
        await app.resume(asked.session_id, "approve")  # to the question that is no more
        again = await app.resume(asked.session_id, "approve")
        assert (again.status, calls.names) == ("waiting", [])
        assert "not as it was when it was shown" in told(again)
        shown = again.content["approval"]
        assert shown["steps"][0]["params"] == {"all": True}
        assert shown["plan_hash"] != asked.content["approval"]["plan_hash"]
        assert (await app.resume(asked.session_id, "reject")).status == "completed"
    assert calls.names == []


async def test_a_plan_that_changed_after_it_was_approved_is_not_run(tmp_path: Path) -> None:
    calls = Calls()
    async with opened(tmp_path, *pair(calls), **ALWAYS) as app:
        asked = await app.ask("second")
        approved = {"status": "approved"}
        await tampered(app, asked.session_id, "approval", "execution_manager", approved)
        done = await app.resume(asked.session_id, "approve")
    assert (done.status, calls.names) == ("completed", [])
    assert "not the one that was approved" in done.text


async def test_unstorable_plan_is_reported_and_breaks_nothing(tmp_path: Path) -> None:
    calls = Calls()
    odd = make_agent("odd", description="half a \ud800 character", calls=calls)
    async with opened(tmp_path, odd, make_agent("fine", calls=calls)) as app:
        answer = await app.ask("odd")
        assert (answer.status, calls.names) == ("completed", [])
        assert "cannot be stored" in answer.text
        assert answer.content["plan"]["execution_plan"] == []
        assert (await app.ask("fine", session_id=answer.session_id)).status == "completed"
    assert calls.names == ["fine"]
