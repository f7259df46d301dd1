"""Conversations that are renamed, pinned and shared: by whom, with whom, and what a reader may not do."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from metaagent.audit import AuditEvent
from metaagent.audit.store import Where
from metaagent.config import load_settings
from metaagent.errors import AccessDenied, InputRefused, UnknownSession
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.storage.session_marks import SessionMarks, Share
from tests.support.agents import Runs, asking, figures, gate, opened, worker

KIM, LEE = User("kim", "acme", ("employee",)), User("lee", "acme", ("employee",))
EVE = User("eve", "evilco", ("employee",))
ANALYST = User("ann", "acme", ("employee", "analyst"))
OFFICER = User("sec", "acme", ("security_officer",))
REVIEWER = User("rev", "acme", ("reviewer",))
POLICIES = {"policies": {"analyst": {"operations": [], "data": ["sales.read"]}, "mute": {"operations": []}}}


async def known(app: MetaAgent, *people: User) -> None:
    """Let these people have done something here once."""
    for person in people:
        await app.remember("answer in English", user=person)


async def test_renamed_conversation_is_found_by_its_new_title(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        info = await app.rename_session(session, "  서울\n지난달 ", user=KIM)
        assert info.title == "서울 지난달"
        (found,) = await app.search_sessions("지난달", user=KIM)
        assert (found.session_id, found.title) == (session, "서울 지난달")
        assert await app.search_sessions("figures", user=KIM) == []
        (entry,) = await app.governance.audit_list(Where(event="session.renamed"), user=REVIEWER)
        assert "서울" not in str(entry)
    async with opened(data, figures(runs)) as app:
        assert (await app.session(session, user=KIM)).title == "서울 지난달"


async def test_conversation_is_renamed_while_it_works(data: Path, runs: Runs):
    held = gate()
    async with opened(data, worker(runs, "figures", before=held)) as app:
        begun = await app.begin("figures", user=KIM)
        await app.rename_session(begun.session_id, "renamed", user=KIM)
        held.opened.set()
        async for _ in app.events(begun.turn_id, user=KIM):
            pass
        assert (await app.session(begun.session_id, user=KIM)).title == "renamed"
        assert (await app.answer(begun.turn_id, user=KIM)).status == "completed"


@pytest.mark.parametrize("title", ["", "   ", "a" * 201, "\u200b\u200b", "a\x07b", "\ud800"])
async def test_title_that_nobody_can_read_is_refused(title: str, data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        with pytest.raises(InputRefused):
            await app.rename_session(session, title, user=KIM)
        assert (await app.session(session, user=KIM)).title == "figures"


async def test_pinned_conversations_are_listed_until_unpinned(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        first, second = [(await app.ask("figures", user=KIM)).session_id for _ in range(2)]
        for session in (first, second, first):
            await app.pin_session(session, user=KIM)
        assert {each.session_id for each in await app.pinned_sessions(user=KIM)} == {first, second}
        assert all(each.pinned for each in await app.sessions(user=KIM))
        await app.pin_session(first, pinned=False, user=KIM)
        assert [each.session_id for each in await app.pinned_sessions(user=KIM)] == [second]
        await app.delete_session(second, user=KIM)
        assert await app.pinned_sessions(user=KIM) == []


READS: tuple[Callable[[MetaAgent, str, str, str, User], Awaitable[Any]], ...] = (
    lambda app, session, _, __, user: app.session(session, user=user),
    lambda app, session, _, __, user: app.turns(session, user=user),
    lambda app, session, _, __, user: app.history(session, user=user),
    lambda app, _, turn, __, user: app.answer(turn, user=user),
    lambda app, session, _, artifact, user: app.artifact(session, artifact, user=user),
    lambda app, session, _, __, user: app.state(session, user=user),
)
CHANGES: tuple[Callable[[MetaAgent, str, User], Awaitable[Any]], ...] = (
    lambda app, session, user: app.ask("figures", session_id=session, user=user),
    lambda app, session, user: app.resume(session, "left", user=user),
    lambda app, session, user: app.approve(session, user=user),
    lambda app, session, user: app.cancel(session, user=user),
    lambda app, session, user: app.pause(session, user=user),
    lambda app, session, user: app.rename_session(session, "mine", user=user),
    lambda app, session, user: app.share_session(session, user=user),
    lambda app, session, user: app.unshare_session(session, "lee", user=user),
    lambda app, session, user: app.session_shares(session, user=user),
    lambda app, session, user: app.restore(session, turn=1, user=user),
    lambda app, session, user: app.delete_session(session, user=user),
)


async def test_shared_conversation_is_read_and_not_changed(data: Path, runs: Runs):
    async with opened(data, figures(runs), asking(runs)) as app:
        answer = await app.ask("figures", user=KIM)
        session, turn = answer.session_id, answer.turn_id
        artifact = answer.content["artifacts"][0]["id"]
        await app.ask("asking", session_id=session, user=KIM)
        await known(app, LEE, EVE)
        assert [each["person"] for each in await app.share_session(session, "lee", user=KIM)] == ["lee"]
        for read in READS:
            assert await read(app, session, turn, artifact, LEE)
            with pytest.raises(UnknownSession):
                await read(app, session, turn, artifact, EVE)
        for change in CHANGES:
            with pytest.raises(UnknownSession):
                await change(app, session, LEE)
        (shown,) = await app.shared_sessions(user=LEE)
        assert (shown.session_id, shown.shared_by) == (session, "kim")
        assert await app.sessions(user=LEE) == []
        assert [(each.shared, each.shared_by) for each in await app.sessions(user=KIM)] == [(True, "")]


async def test_end_of_sharing_closes_the_conversation(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        await app.share_session(session, user=KIM)
        assert (await app.session(session, user=LEE)).shared_by == "kim"
        assert await app.unshare_session(session, user=KIM) == []
        with pytest.raises(UnknownSession):
            await app.session(session, user=LEE)
        assert await app.shared_sessions(user=LEE) == []
        told = [each["event"] for each in await app.governance.audit_list(user=REVIEWER)]
        assert told.count("session.shared") == told.count("session.unshared") == 1


async def test_nobody_reads_in_a_share_what_they_could_not_ask(data: Path, runs: Runs):
    async with opened(data, figures(runs), access=POLICIES) as app:
        session = (await app.ask("figures", user=ANALYST)).session_id
        await known(app, LEE)
        await app.share_session(session, user=ANALYST)
        with pytest.raises(UnknownSession):
            await app.session(session, user=LEE)
        assert await app.shared_sessions(user=LEE) == []
        assert await app.session(session, user=User("lee", "acme", ("employee", "analyst")))
        with pytest.raises(AccessDenied):
            await app.session(session, user=User("lee", "acme", ("mute",)))


async def test_rights_gained_after_sharing_close_it_again(data: Path, runs: Runs):
    async with opened(data, figures(runs), access=POLICIES) as app:
        session = (await app.ask("figures", user=User("ann", "acme", ("employee",)))).session_id
        await app.share_session(session, user=User("ann", "acme", ("employee",)))
        assert await app.session(session, user=LEE)
        await app.ask("figures", session_id=session, user=ANALYST)
        with pytest.raises(UnknownSession):
            await app.session(session, user=LEE)


async def test_rights_lost_after_asking_open_no_share(data: Path, runs: Runs):
    """What was asked with more rights stays closed, however many questions with fewer follow."""
    more = {"operations": ["session.ask"], "data": ["salaries"]}
    async with opened(data, figures(runs), access={"policies": {"payroll": more}}) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        await app.share_session(session, user=KIM)
        assert await app.turns(session, user=LEE)
        asked = await app.ask("figures", session_id=session, user=replace(KIM, roles=("employee", "payroll")))
        for _ in range(3):
            await app.ask("figures", session_id=session, user=KIM)
            with pytest.raises(UnknownSession):
                await app.turns(session, user=LEE)
            with pytest.raises(UnknownSession):
                await app.answer(asked.turn_id, user=LEE)
        fresh = await app.ask("figures", user=KIM)
        await app.share_session(fresh.session_id, user=KIM)
        for count in range(2, 5):
            await app.ask("figures", session_id=fresh.session_id, user=KIM)
            assert len(await app.turns(fresh.session_id, user=LEE)) == count


def of_role(name: str, role: str) -> User:
    return User(name, "acme", ("employee", role))


@pytest.mark.parametrize(
    ("asker", "reader", "may"),
    [
        (of_role("boss", "manager"), of_role("kim", "rep"), False),  # rows of every rep
        (of_role("kim", "rep"), of_role("lee", "rep"), False),  # rows of another rep
        (of_role("kim", "rep"), of_role("sub", "rep"), True),  # the same rows
        (of_role("kim", "rep"), of_role("boss", "manager"), True),
        (of_role("boss", "manager"), User("ann", "acme", ("employee",)), False),  # doctors by name
        (of_role("boss", "manager"), of_role("chief", "manager"), True),
    ],
)
async def test_a_share_shows_no_rows_or_columns_that_are_hidden(
    asker: User, reader: User, may: bool, data: Path, runs: Runs
):
    """The semantic model of the demonstration restricts reps to their rows, and names of doctors to some roles."""
    none: dict[str, Any] = {"operations": []}
    people = {"kim": {"rep_id": 3}, "sub": {"rep_id": 3}, "lee": {"rep_id": 5}}
    roles = {"policies": {"rep": none, "manager": none}}
    given = {"data_dir": data, "agents": {"allow": []}, "access": roles, "data": {"people": people}}
    async with MetaAgent.open(load_settings(env={}, overrides=given), agents=[figures(runs)]) as app:
        session = (await app.ask("figures", user=asker)).session_id
        await app.share_session(session, user=asker)
        assert [each.session_id for each in await app.shared_sessions(user=reader)] == [session] * may


async def test_end_of_sharing_ends_what_is_watched(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        await app.share_session(session, user=KIM)
        watching = app.watch(session, user=LEE)
        seen = await anext(watching)
        while seen["type"] != "response":
            seen = await anext(watching)
        await app.unshare_session(session, user=KIM)
        turn = (await app.ask("figures", session_id=session, user=KIM)).turn_id
        with pytest.raises(UnknownSession):
            await anext(watching)
        await app.share_session(session, user=KIM)
        following = app.events(turn, user=LEE)
        assert await anext(following)
        await app.unshare_session(session, user=KIM)
        with pytest.raises(UnknownSession):
            await anext(following)


async def test_a_share_shows_no_memory_of_other_conversations(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.remember("my deadline is Canary, for the figures", user=KIM)
        answer = await app.ask("figures for the month", user=KIM)
        await app.share_session(answer.session_id, user=KIM)

        async def read(user: User) -> str:
            turn, state = app.answer(answer.turn_id, user=user), app.state(answer.session_id, user=user)
            return str([(await turn).content, await state, await app.turns(answer.session_id, user=user)])

        assert "Canary" in await read(KIM)
        assert "Canary" not in await read(LEE)
        assert "figures for the month" in await read(LEE)
        copies = (
            app.inspect(answer.session_id, user=LEE),
            app.export_session(answer.session_id, user=LEE),
            app.export_session(answer.session_id, full=True, passphrase="a long passphrase", user=LEE),
            app.copy_thread(answer.session_id, InMemorySaver(), user=LEE),
        )
        for each in copies:  # they hold what was loaded
            with pytest.raises(UnknownSession):
                await each


async def test_sharing_needs_its_right_and_a_known_person(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        with pytest.raises(InputRefused, match="leo"):
            await app.share_session(session, "leo", user=KIM)
        with pytest.raises(AccessDenied):
            await app.share_session(session, user=User("kim", "acme", ("reviewer",)))


async def test_forged_share_opens_nothing(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        mine = (await app.ask("figures", user=LEE)).session_id
        session = (await app.ask("figures", user=KIM)).session_id
        await app.share_session(mine, user=LEE)
        with closing(sqlite3.connect(data / "metaagent.db")) as database, database:
            (owner,) = database.execute(
                "select owner from sessions where session_id = ?", (session,)
            ).fetchone()
            database.execute("update session_shares set session_id = ?, owner = ?", (session, owner))
        with pytest.raises(UnknownSession):
            await app.session(session, user=LEE)
        assert await app.shared_sessions(user=LEE) == []


async def test_share_that_its_owner_did_not_seal_opens_nothing(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await known(app, LEE)
        session = (await app.ask("figures", user=KIM)).session_id
        inside: Any = app
        marks, info = SessionMarks(inside._store), await app.session(session, user=KIM)
        told = AuditEvent(tenant=LEE.tenant, event="session.shared", person="lee")
        await marks.share(info, LEE, Share(session, "lee", "kim", LEE.roles, "2026-01-01"), told)
        with pytest.raises(UnknownSession):
            await app.session(session, user=LEE)


async def test_erased_person_is_gone_from_shares_and_pins(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        session = (await app.ask("figures", user=KIM)).session_id
        await known(app, LEE)
        await app.share_session(session, "lee", user=KIM)
        await app.pin_session(session, user=LEE)
        await app.governance.erase("lee", user=OFFICER)
        assert await app.session_shares(session, user=KIM) == []
        with closing(sqlite3.connect(data / "metaagent.db")) as database:
            assert database.execute("select count(*) from session_pins").fetchone() == (0,)


async def test_given_document_is_added_replaced_and_found(data: Path):
    librarian = User("lib", "acme", ("librarian",))
    async with opened(data) as app:
        first = await app.knowledge_add("../x/규정.md", "# 규정\n\n한도는 5만 원.".encode(), user=librarian)
        assert (first["title"], first["replaced"], first["collection"]) == ("규정", False, "documents")
        again = await app.knowledge_add("규정.md", "# 규정\n\n한도는 7만 원.".encode(), user=librarian)
        assert again["replaced"]
        (listed,) = await app.knowledge_list(user=KIM)
        assert "7만" in (await app.knowledge_show(listed["id"], user=KIM))["text"]
        with pytest.raises(AccessDenied):
            await app.knowledge_add("a.md", b"# a", user=KIM)
        own = await app.knowledge_add("a.md", b"# a\n\nmine", mine=True, user=KIM)
        assert own["id"] not in {each["id"] for each in await app.knowledge_list(user=LEE)}
        with pytest.raises(InputRefused):
            await app.knowledge_add("a.md", b"# a", label="public", user=librarian)
        told = await app.governance.audit_list(Where(event="knowledge.ingested"), user=REVIEWER)
        assert len(told) == 3
