"""Who may do what: every public call × every wrong role is refused and on record; ids of others do not exist."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver

from metaagent.access.rights import BUILT_IN, OF_OTHERS, OPERATIONS, OWNED, policies_of, rights_of, roles_of
from metaagent.audit.store import Where
from metaagent.config import Access, load_settings
from metaagent.errors import (
    AccessDenied,
    ConfigInvalid,
    Failed,
    InputRefused,
    PortNotGranted,
    UnknownSession,
)
from metaagent.governance import governance
from metaagent.governance.governance import Governance
from metaagent.plugin import Context, Task
from metaagent.ports import ArtifactRef, User
from metaagent.runtime import CALLS, MetaAgent
from tests.support.agents import Runs, figures, opened, worker
from tests.support.paths import ROOT

ANN = User("ann", "acme")
EVE = User("eve", "evil")
WRONG_ROLES = [*BUILT_IN, "visitor", "none"]


@dataclass(frozen=True)
class Known:
    """What there is to get at."""

    session: str
    turn: str
    artifact: str


Call = Callable[[MetaAgent, Known, User], Awaitable[Any] | AsyncIterator[Any]]

TURN_CALLS: dict[str, Call] = {
    "ask": lambda app, _, user: app.ask("figures", user=user),
    "begin": lambda app, _, user: app.begin("figures", user=user),
    "stream": lambda app, _, user: app.stream("figures", user=user),
    "attach": lambda app, _, user: app.attach("a.md", b"# a", user=user),
    "resume": lambda app, known, user: app.resume(known.session, "yes", user=user),
    "stream_resume": lambda app, known, user: app.stream_resume(known.session, "yes", user=user),
    "begin_resume": lambda app, known, user: app.begin_resume(known.session, "yes", user=user),
    "begin_approve": lambda app, known, user: app.begin_approve(known.session, user=user),
    "begin_override": lambda app, known, user: app.begin_override(known.session, reason="r", user=user),
    "approve": lambda app, known, user: app.approve(known.session, user=user),
    "approvals": lambda app, _, user: app.approvals(user=user),
    "approval_effect": lambda app, known, user: app.approval_effect(known.session, "s1", user=user),
    "override": lambda app, known, user: app.override(known.session, reason="r", user=user),
    "events": lambda app, known, user: app.events(known.turn, user=user),
    "watch": lambda app, known, user: app.watch(known.session, user=user),
    "cancel": lambda app, known, user: app.cancel(known.session, user=user),
    "pause": lambda app, known, user: app.pause(known.session, user=user),
    "unpause": lambda app, known, user: app.unpause(known.session, user=user),
    "state": lambda app, known, user: app.state(known.session, user=user),
    "answer": lambda app, known, user: app.answer(known.turn, user=user),
    "sessions": lambda app, _, user: app.sessions(user=user),
    "session": lambda app, known, user: app.session(known.session, user=user),
    "turns": lambda app, known, user: app.turns(known.session, user=user),
    "artifact": lambda app, known, user: app.artifact(known.session, known.artifact, user=user),
    "artifact_file": lambda app, known, user: app.artifact_file(known.session, known.artifact, user=user),
    "artifact_ref": lambda app, known, user: app.artifact_ref(known.session, known.artifact, user=user),
    "record_export": lambda app, known, user: app.record_export(
        known.session, known.artifact, "csv", b"", user=user
    ),
    "inspect": lambda app, known, user: app.inspect(known.session, user=user),
    "history": lambda app, known, user: app.history(known.session, user=user),
    "search_history": lambda app, known, user: app.search_history(known.session, "figures", user=user),
    "search_sessions": lambda app, _, user: app.search_sessions("figures", user=user),
    "rename_session": lambda app, known, user: app.rename_session(known.session, "mine", user=user),
    "pin_session": lambda app, known, user: app.pin_session(known.session, user=user),
    "pinned_sessions": lambda app, _, user: app.pinned_sessions(user=user),
    "share_session": lambda app, known, user: app.share_session(known.session, user=user),
    "unshare_session": lambda app, known, user: app.unshare_session(known.session, user=user),
    "session_shares": lambda app, known, user: app.session_shares(known.session, user=user),
    "shared_sessions": lambda app, _, user: app.shared_sessions(user=user),
    "memories": lambda app, _, user: app.memories(user=user),
    "remember": lambda app, _, user: app.remember("answer in English", user=user),
    "forget": lambda app, _, user: app.forget("English", user=user),
    "erase_memories": lambda app, _, user: app.erase_memories(user),
    "delete_session": lambda app, known, user: app.delete_session(known.session, user=user),
    "checkpoints": lambda app, known, user: app.checkpoints(known.session, user=user),
    "save_checkpoint": lambda app, known, user: app.save_checkpoint(known.session, "here", user=user),
    "restore": lambda app, known, user: app.restore(known.session, turn=1, user=user),
    "fork": lambda app, known, user: app.fork(known.session, turn=1, user=user),
    "export_session": lambda app, known, user: app.export_session(known.session, user=user),
    "copy_thread": lambda app, known, user: app.copy_thread(known.session, InMemorySaver(), user=user),
    "import_session": lambda app, _, user: app.import_session(b"", user=user),
    "prune_session": lambda app, known, user: app.prune_session(known.session, user=user),
    "judge_file": lambda app, _, user: app.judge_file("a.txt", b"visited", user=user),
    "judge_expenses": lambda app, _, user: app.judge_expenses(
        date(2026, 10, 1), date(2026, 10, 31), user=user
    ),
    "topics": lambda app, _, user: app.topics(user=user),
    "approval_input": lambda app, known, user: app.approval_input(known.session, "a" * 8, user=user),
    "follow_ups": lambda app, known, user: app.follow_ups(known.turn, user=user),
    "stored_list": lambda app, _, user: app.stored_list(user=user),
    "stored_show": lambda app, _, user: app.stored_show("r-none", user=user),
    "stored_file": lambda app, _, user: app.stored_file("r-none", user=user),
    "stored_preview": lambda app, _, user: app.stored_preview("a.csv", b"a\n1\n", user=user),
    "stored_undo": lambda app, _, user: app.stored_undo("r-none", reason="r", user=user),
    "ingest": lambda app, _, user: app.ingest([], user=user),
    "ingest_domain": lambda app, _, user: app.ingest_domain(user=user),
    "knowledge_add": lambda app, _, user: app.knowledge_add("a.md", b"# a", user=user),
    "knowledge_list": lambda app, _, user: app.knowledge_list(user=user),
    "knowledge_show": lambda app, _, user: app.knowledge_show("dnone", user=user),
    "knowledge_places": lambda app, _, user: app.knowledge_places("dnone", user=user),
    "knowledge_remove": lambda app, _, user: app.knowledge_remove("dnone", user=user),
    "index_status": lambda app, _, user: app.index_status(user=user),
    "index_verify": lambda app, _, user: app.index_verify(user=user),
    "index_rebuild": lambda app, _, user: app.index_rebuild(user=user),
    "disable": lambda app, _, user: app.disable("nothing", user=user),
    "enable": lambda app, _, user: app.enable("nothing", user=user),
}
OFFICE_CALLS: dict[str, Call] = {
    "audit_list": lambda app, _, user: app.governance.audit_list(user=user),
    "audit_show": lambda app, _, user: app.governance.audit_show(1, user=user),
    "audit_report": lambda app, known, user: app.governance.audit_report(known.session, user=user),
    "audit_account": lambda app, known, user: app.governance.audit_account(known.session, user=user),
    "audit_verify": lambda app, _, user: app.governance.audit_verify(user=user),
    "audit_export": lambda app, _, user: app.governance.audit_export(BytesIO(), user=user),
    "keys_status": lambda app, _, user: app.governance.keys_status(user=user),
    "keys_public": lambda app, _, user: app.governance.keys_public(user=user),
    "keys_rotate": lambda app, _, user: app.governance.keys_rotate(user=user),
    "keys_rewrap": lambda app, _, user: app.governance.keys_rewrap("env:NOTHING", user=user),
    "erase": lambda app, _, user: app.governance.erase("ann", user=user),
    "readmit": lambda app, _, user: app.governance.readmit("ann", user=user),
    "hold_place": lambda app, _, user: app.governance.hold_place("h", reason="r", user=user),
    "hold_release": lambda app, _, user: app.governance.hold_release("h", reason="r", user=user),
    "hold_list": lambda app, _, user: app.governance.hold_list(user=user),
    "waive": lambda app, _, user: app.governance.waive(
        "gift_limit", scope="*", until="2025-02-01", reason="r", user=user
    ),
    "waivers": lambda app, _, user: app.governance.waivers(user=user),
    "waiver_end": lambda app, _, user: app.governance.waiver_end("w1", reason="r", user=user),
    "retain": lambda app, _, user: app.governance.retain(before="2000", user=user),
    "logs": lambda app, _, user: app.governance.logs(user=user),
}
ABOUT_ONESELF = {
    "begin",
    "import_session",
    *("ask", "stream", "attach", "approvals", "sessions", "search_sessions", "disable", "enable"),
    *("memories", "remember", "forget", "erase_memories", "judge_file", "judge_expenses", "topics"),
    *("stored_list", "stored_show", "stored_file", "stored_preview", "stored_undo"),
    *("pinned_sessions", "shared_sessions", "knowledge_add"),
    *("ingest", "ingest_domain", "knowledge_list", "knowledge_show", "knowledge_places", "knowledge_remove"),
    *("index_status", "index_verify", "index_rebuild"),
}
OPERATION = {**CALLS, **governance.CALLS}


async def _made(call: Call, app: MetaAgent, known: Known, user: User) -> Any:
    made: Any = call(app, known, user)
    return [item async for item in made] if hasattr(made, "__aiter__") else await made


async def _known(app: MetaAgent) -> Known:
    answer = await app.ask("figures", user=ANN)
    return Known(answer.session_id, answer.turn_id, answer.content["artifacts"][0]["id"])


async def _refusals(app: MetaAgent, company: str) -> list[dict[str, Any]]:
    reviewer = User("rev", company, ("reviewer",))
    return await app.governance.audit_list(Where(event="access.refused"), limit=1000, user=reviewer)


def _public(kind: type) -> set[str]:
    works = (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    return {
        name
        for name, member in inspect.getmembers(kind)
        if not name.startswith("_") and any(is_one(member) for is_one in works)
    }


def test_there_is_no_public_call_without_an_operation():
    assert _public(MetaAgent) == set(CALLS) == set(TURN_CALLS)
    assert _public(Governance) == set(governance.CALLS) == set(OFFICE_CALLS)
    assert {*CALLS.values(), *governance.CALLS.values()} <= set(OPERATIONS)


@pytest.mark.parametrize("role", WRONG_ROLES)
async def test_call_outside_the_role_is_denied_and_audited(role: str, data: Path, runs: Runs):
    user = User("bob", "acme", () if role == "none" else (role,))
    rights = rights_of(policies_of(Access()), user)
    owns = {"erase", "readmit", "override", "begin_override"}  # called for another person here
    officer = rights.may("compliance.override", own=False)  # sees what waits for a decision of theirs
    wrong = [
        (name, call)
        for name, call in {**TURN_CALLS, **OFFICE_CALLS}.items()
        if not rights.may(OPERATION[name], own=name not in owns) and not (officer and name == "approvals")
    ]
    async with opened(data, figures(runs)) as app:
        known = await _known(app)
        ran = runs.of("figures")
        for name, call in wrong:
            with pytest.raises(AccessDenied):
                await _made(call, app, known, user)
            assert (await _refusals(app, "acme"))[-1]["data"]["operation"] == OPERATION[name], name
        refused = await _refusals(app, "acme")
        assert len(refused) == len(wrong)
        assert all(entry["outcome"] == "refused" for entry in refused)
        assert runs.of("figures") == ran
        assert len(await app.turns(known.session, user=ANN)) == 1


def test_each_operation_is_allowed_and_denied_for_some_role():
    policies = policies_of(Access())
    for operation in OPERATIONS:
        own = operation not in OF_OTHERS
        rights = {role: rights_of(policies, User(roles=(role,))) for role in BUILT_IN}
        allowed = [role for role in BUILT_IN if rights[role].may(operation, own=own)]
        assert ("owner" in allowed) == own
        assert allowed
        assert set(allowed) < {*BUILT_IN}, operation


@pytest.mark.parametrize("stranger", [EVE, User("bob", "acme")])
async def test_ids_of_others_look_like_ids_that_do_not_exist(stranger: User, data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        known = await _known(app)
        unknown = Known("s0123456789abcdef", "t0123456789abcdef", "a0123456789abcdef")
        guesses = [name for name in TURN_CALLS if name not in {*ABOUT_ONESELF, "override", "begin_override"}]
        for name in guesses:
            said: list[str] = []
            for what in (known, unknown):
                with pytest.raises(UnknownSession) as refusal:
                    await _made(TURN_CALLS[name], app, what, stranger)
                said.append(str(refusal.value).replace(what.session, "ID").replace(what.turn, "ID"))
            assert said[0] == said[1], name
        with pytest.raises(UnknownSession):
            await app.ask("figures", session_id=known.session, user=stranger)
        await app.remember("my region is Busan", user=ANN)
        assert await app.sessions(user=stranger) == []
        assert await app.search_sessions("figures", user=stranger) == []
        assert await app.memories(user=stranger) == []
        assert await app.forget("Busan", user=stranger) == []
        assert len(await app.memories(user=ANN)) == 1
        refused = await _refusals(app, stranger.company_id)
        assert len(refused) == 2 * len(guesses) + 1
        assert {entry["data"]["reason"] for entry in refused} == {"unknown"}


async def test_looking_behind_an_alias_needs_its_own_right(data: Path, runs: Runs):
    reader = User("rita", "acme", ("reading",))
    policies = {"policies": {"reading": {"operations": ["audit.read"]}}}
    async with opened(data, figures(runs), access=policies) as app:
        await _known(app)
        office = app.governance
        everyone = await office.audit_list(user=reader)
        assert everyone
        with pytest.raises(AccessDenied):
            await office.audit_list(person="ann", user=reader)
        with pytest.raises(AccessDenied):
            await office.audit_list(rule="gift", user=reader)
        reviewer = User("rev", "acme", ("reviewer",))
        hers = await office.audit_list(person="ann", user=reviewer)
        assert len({entry["actor"] for entry in hers}) == 1
        assert {entry["event"] for entry in hers} >= {"question.asked", "turn.ended"}
        assert await office.audit_list(person="nobody", user=reviewer) == []
        assert await office.audit_list(rule="gift", user=reviewer) == []


async def test_another_tenants_audit_entries_are_not_there(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        known = await _known(app)
        office = app.governance
        assert await office.audit_list(Where(session=known.session), user=EVE) == []
        assert await office.audit_report(known.session, user=EVE) == ["There is nothing on record."]
        mine = len(await office.audit_list(user=EVE))
        theirs = len(await office.audit_list(user=User("rev", "acme", ("reviewer",))))
        with pytest.raises(InputRefused):
            await office.audit_show(mine + theirs + 10, user=EVE)
        shown = await office.audit_show(1, user=EVE)
        assert shown["tenant"] == "evil"
        out = BytesIO()
        await office.audit_export(out, user=EVE)
        assert b'"tenant":"acme"' not in out.getvalue()
        assert set((await office.keys_status(user=EVE))["tenants"]) == {"evil"}


async def test_a_policy_may_let_one_role_read_what_others_asked(data: Path, runs: Runs):
    access = {
        "policies": {"supervisor": {"operations": ["session.read:any", "artifact.read"], "artifacts": ["*"]}}
    }
    boss = User("boss", "acme", ("supervisor",))
    async with opened(data, figures(runs), access=access) as app:
        known = await _known(app)
        state = await app.state(known.session, user=boss)
        assert state.get("user_id") == "ann"
        assert len(await app.turns(known.session, user=boss)) == 1
        with pytest.raises(UnknownSession):
            await app.artifact(known.session, known.artifact, user=boss)
        with pytest.raises(UnknownSession):
            await app.state(known.session, user=User("boss", "evil", ("supervisor",)))


async def test_forbidden_data_and_agents_are_refused_before_any_run(data: Path, runs: Runs):
    access = {
        "policies": {
            "sales": {
                **BUILT_IN["employee"].model_dump(),
                "data": ["sales.read"],
                "agents": ["selling", "paying"],
                "capabilities": ["selling", "paying"],
            }
        }
    }
    specs = [
        worker(runs, "selling", permissions=("sales.read",)),
        worker(runs, "paying", permissions=("salaries.read",)),
        worker(runs, "mailing"),
    ]
    seller = User("sam", "acme", ("sales",))
    async with opened(data, *specs, access=access) as app:
        answer = await app.ask("selling, paying and mailing", user=seller)
        assert [step["agent_name"] for step in answer.content["steps"]] == ["selling"]
        unmet = {part["capability"]: part["reason"] for part in answer.content["plan"]["unmet"]}
        assert unmet == {"paying": "forbidden", "mailing": "forbidden"}
        assert "your roles do not allow it" in answer.text
        refused = await _refusals(app, "acme")
        assert {entry["data"]["what"] for entry in refused} == {"data:salaries.read", "agent:mailing"}
        assert (runs.of("selling"), runs.of("paying"), runs.of("mailing")) == (1, 0, 0)


async def test_rights_taken_away_while_a_plan_waited_stop_the_step(data: Path, runs: Runs):
    specs = [worker(runs, "mailing", side_effects=True)]
    async with opened(data, *specs) as app:
        waiting = await app.ask("mailing", user=ANN)
        assert waiting.status == "waiting"
    nothing = {"policies": {"owner": {**BUILT_IN["owner"].model_dump(), "agents": ["other"]}}}
    async with opened(data, *specs, access=nothing) as app:
        answer = await app.resume(waiting.session_id, "approve", user=ANN)
        assert "mailing" in answer.text
        assert runs.of("mailing") == 0
        assert [entry["data"]["what"] for entry in await _refusals(app, "acme")] == ["agent:mailing"]


async def test_a_port_that_a_role_may_not_use_is_withheld(data: Path, runs: Runs):
    policy = {**BUILT_IN["employee"].model_dump(), "ports": ["progress", "user"]}
    async with opened(
        data,
        figures(runs),
        worker(runs, "drawing", takes=("dataset",)),
        access={"policies": {"careful": policy}},
    ) as app:
        answer = await app.ask("drawing", user=User("cy", "acme", ("careful",)))
        errors = {step["agent_name"]: step["error"] for step in answer.content["steps"]}
        assert "access.policies" in str(errors["drawing"])
        (entry,) = await _refusals(app, "acme")
        assert (entry["agent"], entry["turn"]) == ("drawing", answer.turn_id)
        assert (entry["data"]["what"], entry["data"]["reason"]) == ("port:artifacts", "not_granted")


async def test_refused_access_of_an_agent_is_on_record(data: Path, runs: Runs):
    """Also if it goes on as though nothing had happened, uses a thread, or tries again and again."""

    async def reach(task: Task, ctx: Context) -> None:
        for _ in range(3):
            for use in (lambda: ctx.db, lambda: ctx.clock, lambda: ctx.files):
                with suppress(PortNotGranted):
                    use()
        with suppress(PortNotGranted):
            await asyncio.to_thread(lambda: ctx.memory)
        with suppress(Failed):
            await ctx.artifacts.read(ArtifactRef("a-of-another", "dataset", "", 0, ""))

    needs = frozenset({"artifacts", "progress", "user", "clock", "files", "db"})
    spec = replace(worker(runs, "reaching", before=reach), needs=needs)
    rules = {"allow": [], "withhold": {"reaching": ["clock"]}}
    policy = {**BUILT_IN["employee"].model_dump(), "ports": ["progress", "user", "artifacts", "clock", "db"]}
    cy = User("cy", "acme", ("careful",))
    async with opened(data, spec, agents=rules, access={"policies": {"careful": policy}}) as app:
        answer = await app.ask("reaching", user=cy)
        assert answer.text == "reaching done"
        told = {entry["data"]["what"]: entry["data"]["reason"] for entry in await _refusals(app, "acme")}
        assert told == {  # there is no database: that is no refusal
            "port:clock": "not_granted",
            "port:files": "not_granted",
            "port:memory": "not_declared",
            "artifact": "not_an_input",
        }
        report = "\n".join(
            await app.governance.audit_report(answer.session_id, user=User("rev", "acme", ("reviewer",)))
        )
        assert "REFUSED: port.use (port:files; not_granted) to roles [careful]" in report


async def test_even_the_progress_port_can_be_withheld(data: Path, runs: Runs):
    rules = {"allow": [], "withhold": {"figures": ["progress"]}}
    async with opened(data, figures(runs), agents=rules) as app:
        answer = await app.ask("figures")
        assert "agents.withhold.figures" in str(answer.content["steps"][0]["error"])
        assert [e["data"]["what"] for e in await _refusals(app, "local")] == ["port:progress"]


async def test_a_kind_of_artifact_can_be_kept_from_a_role(data: Path, runs: Runs):
    policy = {**BUILT_IN["employee"].model_dump(), "artifacts": ["chart"]}
    cy = User("cy", "acme", ("careful",))
    async with opened(data, figures(runs), access={"policies": {"careful": policy}}) as app:
        answer = await app.ask("figures", user=cy)
        with pytest.raises(AccessDenied):
            await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=cy)
        assert (await _refusals(app, "acme"))[-1]["data"]["what"] == "artifact:dataset"


@given(st.lists(st.sampled_from([*BUILT_IN, "visitor"])), st.sampled_from([*BUILT_IN, "visitor"]))
def test_another_role_never_takes_anything_away(roles: list[str], more: str):
    policies = policies_of(Access())
    before = rights_of(policies, User(roles=tuple(roles)))
    after = rights_of(policies, User(roles=(*roles, more)))
    for operation in OPERATIONS:
        for own in (True, False):
            assert after.may(operation, own=own) or not before.may(operation, own=own)


@pytest.mark.parametrize("operation", OWNED)
def test_own_is_never_any(operation: str):
    rights = rights_of(policies_of(Access()), User("bob", "acme", ("employee",)))
    assert not rights.may(operation, own=False)


def test_a_misspelt_operation_is_refused_with_the_nearest():
    with pytest.raises(ConfigInvalid, match=r"audit\.read\?"):
        policies_of(Access.model_validate({"policies": {"rev": {"operations": ["audit.raed"]}}}))


def test_command_line_roles_are_given_configured_or_default():
    access = Access.model_validate({"users": {"acme/ann": ["reviewer"], "bob": ["security_officer"]}})
    assert roles_of(access, "owner", "local") == ("owner",)
    assert roles_of(access, "owner", "acme") == ("employee",)
    assert roles_of(access, "ann", "acme") == ("reviewer",)
    assert roles_of(access, "ann", "other") == ("employee",)
    assert roles_of(access, "bob", "other") == ("security_officer",)
    assert roles_of(access, "bob", "other", ["employee"]) == ("employee",)


def test_the_policy_file_is_read_and_says_what_is_built_in(tmp_path: Path):
    path = ROOT / "configs" / "access.yaml"
    access = load_settings(env={}, overrides={"access": {"file": str(path)}}).access
    assert access.policies == dict(BUILT_IN)
    more = {"access": {"file": str(path), "policies": {"guest": {"operations": ["session.ask"]}}}}
    assert set(load_settings(env={}, overrides=more).access.policies) == {*BUILT_IN, "guest"}
    bad = tmp_path / "bad.yaml"
    bad.write_text(yaml.safe_dump({"polices": {}}))
    with pytest.raises(ConfigInvalid, match=r"access\.policies"):
        load_settings(env={}, overrides={"access": {"file": str(bad)}})
