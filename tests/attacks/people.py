"""Calls that name nothing of anybody, and those on accounts: whoever makes them gets nothing of others and changes nothing of
theirs. Made from the tables of rights, like the calls that name ids."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent.access.rights import BUILT_IN, rights_of
from metaagent.config import Policy
from metaagent.ports import User
from metaagent.runtime import CALLS
from metaagent.sessions.accounts import CALLS as ACCOUNTS
from metaagent.sessions.accounts import LOGINS, AccountService
from tests.attacks.probe import NOBODYS, arguments, calls_on_ids, outcome
from tests.attacks.world import KIM, opened, own_document

if TYPE_CHECKING:
    from metaagent.runtime import MetaAgent
    from tests.attacks.suite import Score

SECRET = "zqTOPSECRETzq"
ROLES = (*BUILT_IN, "viewer")
ACCESS = {"policies": {"viewer": {"operations": []}}}
OUTSIDE = [User("kim", "evilco", (role,)) for role in ROLES]
INSIDE = [User(f"c-{role}", "acme", (role,)) for role in ROLES]
# Said of one's own company, and tried by those of another alone.
_OF_THE_COMPANY = frozenset(
    (
        "disable",
        "enable",
        "index_verify",
        "index_rebuild",
        "ingest_domain",
        "index_status",
        "knowledge_add",
        "ingest",
    )
)
_RIGHTS = {
    "approvals": (CALLS["approvals"], CALLS["override"]),
    "knowledge_add": ("knowledge.change", "knowledge.publish"),
}
"""Calls that one of several rights opens."""
PASSWORD = "a long enough password"


def _may(user: User, operation: str, *, own: bool) -> bool:
    return rights_of({**BUILT_IN, "viewer": Policy(operations=[])}, user).may(operation, own=own)


def _given(name: str, call: Any) -> dict[str, Any]:
    more = {
        "disable": {"name": "notes_agent"},
        "enable": {"name": "notes_agent"},
        "forget": {"about": SECRET},
    }
    return more.get(name) or arguments(name, call, NOBODYS)


def calls_on_nothing(app: Any) -> Iterator[tuple[str, Any]]:
    """Public calls that name nothing of anybody: lists, searches, what one does with one's own."""
    named = {name for name, _ in calls_on_ids(app)}
    yield from ((name, getattr(app, name)) for name in CALLS if name not in named)


async def _standing(app: MetaAgent) -> tuple[Any, ...]:
    sessions = [each.session_id for each in await app.sessions(user=KIM)]
    memories = [str(each) for each in await app.memories(user=KIM)]
    return sessions, memories, await app.knowledge_list(user=KIM), len(await app.stored_list(user=KIM))


async def lists(score: Score, folder: Path, seed: int, size: int) -> None:
    async with opened(folder / "lists", access=ACCESS) as app:
        answer = await app.ask(f"note {SECRET}", user=KIM)
        await app.remember(f"내 별명은 {SECRET}", user=KIM)
        await own_document(app, KIM)
        before = await _standing(app)
        for name, call in calls_on_nothing(app):
            inside = [each for each in INSIDE if not _may(each, CALLS[name], own=False)]
            for user in (*OUTSIDE, *(() if name in _OF_THE_COMPANY else inside)):
                kind, said = await outcome(call, _given(name, call), user)
                told = SECRET in said or answer.session_id in said or "TOPSECRET" in said
                allowed = kind != "OK" or any(
                    _may(user, right, own=own)
                    for right in _RIGHTS.get(name, (CALLS[name],))
                    for own in (True, False)
                )
                score.held(f"{name} by {user.roles[0]}@{user.company_id}: {kind}", allowed and not told)
        score.held("what belongs to somebody else still stands", await _standing(app) == before)
        again = await app.ask("note once more", user=KIM)
        score.held("an agent that another company switched off still works here", again.status == "completed")


def _of_accounts(name: str, ids: dict[str, str], person: User) -> dict[str, Any]:
    """What a call on accounts is given; one whose parameters nobody has thought of fails with their names."""
    known = {
        "name": ids["name"], "password": PASSWORD, "person": person, "login_id": ids["login"], "key_id": ids["key"],
    }  # fmt: skip
    wanted = inspect.signature(getattr(AccountService, name)).parameters.values()
    return {
        each.name: known[each.name]
        for each in wanted
        if each.default is inspect.Parameter.empty and each.name not in ("self", "user")
    }


def _bare(told: tuple[str, str], ids: dict[str, str]) -> tuple[str, str]:
    """What was told, without what was asked for."""
    kind, said = told
    for each in ids.values():
        said = said.replace(each, "")
    return kind, said


async def accounts(score: Score, folder: Path, seed: int, size: int) -> None:
    """Accounts, keys and log-ins of one company: every call, by every role of another, and by colleagues who may not."""
    async with opened(folder / "accounts", access=ACCESS) as app:
        service, boss = app.accounts, User("boss", "acme", ("owner",))
        await service.add(f"login-{SECRET}", KIM, PASSWORD, user=boss)
        key = await service.create_key(f"key-{SECRET}", KIM, user=boss)
        cookie = await service.log_in(KIM, "password", 1.0, client=SECRET)
        login = await service.logged_in(cookie)
        assert login is not None
        theirs = {"name": f"login-{SECRET}", "login": login.by, "key": key["key_id"]}
        nobodys = {"name": "login-of-nobody", "login": "l" + "f" * 16, "key": "k" + "f" * 16}
        for name, operation in ACCOUNTS.items():
            # Who manages accounts may; log-ins are everybody's own.
            inside = [each for each in INSIDE if operation == LOGINS or not _may(each, operation, own=True)]
            for user in (*OUTSIDE, *inside):
                call = getattr(service, name)
                found = await outcome(call, _of_accounts(name, theirs, KIM), user)
                missing = await outcome(call, _of_accounts(name, nobodys, KIM), user)
                listed = name in ("listed", "keys", "logins") and found[0] == "OK"
                same = _bare(found, theirs) == _bare(missing, nobodys)
                held = SECRET not in found[1] if listed else found[0] != "OK" and same
                score.held(f"{name} by {user.roles[0]}@{user.company_id}: {found} / {missing}", held)
        score.held(
            "the account still opens", await service.check_password(theirs["name"], PASSWORD) is not None
        )
        score.held("the key still opens", await service.by_key(key["secret"]) is not None)
        score.held("the log-in still stands", await service.logged_in(cookie) is not None)
