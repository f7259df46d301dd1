"""A door acts for a person: it has no call without one, and none of the installation's owner, whatever a person is called."""

from __future__ import annotations

import inspect
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.access.rights import BUILT_IN, INSTALLATION_RIGHT, visitor
from metaagent.acting import Acting, ActingGovernance
from metaagent.acting.documents import ActingDocuments
from metaagent.audit.store import Where
from metaagent.errors import AccessDenied, InputRefused, UnknownSession
from metaagent.governance import governance
from metaagent.governance.governance import Governance
from metaagent.ports import User
from metaagent.runtime import CALLS, MetaAgent
from metaagent.sessions.documents import DocumentService
from metaagent.storage.logs import sealed_log
from tests.support.agents import Runs, figures, opened

EMPLOYEE = ("employee",)
PAIRS = ((MetaAgent, Acting), (Governance, ActingGovernance), (DocumentService, ActingDocuments))


def _calls(kind: type) -> dict[str, inspect.Signature]:
    members = {name: member for name, member in inspect.getmembers(kind) if not name.startswith("_")}
    return {name: inspect.signature(member) for name, member in members.items() if inspect.isfunction(member)}


@pytest.mark.parametrize(("whole", "facade"), PAIRS)
def test_door_has_every_call_that_names_a_person(whole: type, facade: type):
    wanted = {name: each for name, each in _calls(whole).items() if "user" in each.parameters}
    wanted.pop("acting_for", None)
    assert _calls(facade) == wanted


def test_door_has_every_call_that_needs_a_right():
    assert {*CALLS} == {*_calls(Acting)}
    assert {*governance.CALLS} == {*_calls(ActingGovernance)}


class Recorder:
    """Stands for the object behind a facade: notes each call with what it was given."""

    def __init__(self, calls: dict[str, inspect.Signature]) -> None:
        self._calls = calls
        self.made: list[tuple[str, dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        async def work(*args: Any, **options: Any) -> None:
            bound = self._calls[name].bind(self, *args, **options).arguments
            self.made.append((name, {key: value for key, value in bound.items() if key != "self"}))

        return work


@pytest.mark.parametrize(("whole", "facade"), PAIRS)
async def test_each_call_arrives_whole_and_for_this_person(whole: type, facade: Any):
    recorder = Recorder(_calls(whole))
    person = User("kim", "acme", EMPLOYEE)
    acting = facade(recorder, person)
    for name, signature in _calls(facade).items():
        given_ones = {each: object() for each in signature.parameters if each not in ("self", "user")}
        bound = signature.bind_partial(acting, **given_ones)
        await getattr(acting, name)(*bound.args[1:], **bound.kwargs)
        called, arguments = recorder.made[-1]
        assert called == name
        assert arguments.pop("user") is person
        assert arguments == given_ones
        with pytest.raises(TypeError, match="user"):
            await getattr(acting, name)(*bound.args[1:], **bound.kwargs, user=User("lee", "acme", EMPLOYEE))


@pytest.mark.parametrize("user", [User("", "acme"), User(" ", "acme"), User("kim", ""), User("kim", " ")])
async def test_nobody_and_no_company_are_not_let_in(user: User, data: Path):
    async with opened(data) as app:
        with pytest.raises(InputRefused):
            app.acting_for(user)


async def test_person_called_owner_shares_nothing_with_the_owner(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        own = await app.ask("figures")
        await app.remember("my region is Busan")
        door = app.acting_for(User("owner", "local", ("owner", *EMPLOYEE)))
        assert await door.sessions() == []
        assert await door.memories() == []
        for look in (door.session, door.state, door.turns, door.history, door.cancel):
            with pytest.raises(UnknownSession):
                await look(own.session_id)
        theirs = await door.ask("figures")
        assert theirs.status == "completed"
        assert [each.session_id for each in await app.sessions()] == [own.session_id]
        assert [each.session_id for each in await door.sessions()] == [theirs.session_id]


async def test_role_owner_gives_no_right_at_a_door(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        door = app.acting_for(User("owner", "local"))
        with pytest.raises(AccessDenied):
            await door.ask("figures")
        with pytest.raises(AccessDenied):
            await door.governance.audit_list()
        refused = await app.governance.audit_list(Where(event="access.refused"))
        assert [entry["data"]["operation"] for entry in refused] == ["session.ask", "audit.read"]
        alias = app.governance.ring.alias
        assert (
            {entry["actor"] for entry in refused} == {alias("local", "owner~")} != {alias("local", "owner")}
        )


async def test_nobody_at_a_door_runs_the_installation(data: Path, runs: Runs):
    access = {
        "policies": {"root": {**BUILT_IN["owner"].model_dump(), "operations": ["*", INSTALLATION_RIGHT]}}
    }
    async with opened(data, figures(runs), access=access) as app:
        for role in ("security_officer", "root"):
            door = app.acting_for(User("owner", "local", (role,)))
            with pytest.raises(AccessDenied):
                await door.governance.keys_rotate(everyone=True)
            await door.disable("figures")
            assert app.registry.disabled == set()
            assert app.registry.switched_off == {"local": {"figures"}}
            await door.enable("figures")
        refused = await app.governance.audit_list(Where(event="access.refused"))
        assert [entry["data"]["operation"] for entry in refused] == [INSTALLATION_RIGHT] * 2
        await app.disable("figures")
        assert app.registry.disabled == {"figures"}


async def test_log_of_the_installation_is_not_read_at_a_door(data: Path):
    async with opened(data) as app:
        log = sealed_log(data, app.governance.ring)
        for tenant in (None, "local"):
            record = logging.makeLogRecord({"msg": "a line", "tenant": tenant})
            log.emit(record)
        log.close()
        door = app.acting_for(User("sam", "local", ("security_officer",)))
        (line,) = await door.governance.logs()
        assert '"tenant":"local"' in line
        assert len(await app.governance.logs(user=User("sam", "local", ("security_officer",)))) == 2


async def test_door_of_ones_own_machine_acts_as_the_owner(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        own = await app.ask("figures")
        door = app.acting_as_owner()
        assert [each.session_id for each in await door.sessions()] == [own.session_id]
        await door.governance.keys_rotate(everyone=True)


@given(st.lists(st.from_regex(r"(owner)?~{0,3}[a-z]?", fullmatch=True).filter(bool), unique=True))
def test_no_two_people_become_one_at_a_door(names: list[str]):
    let_in = [visitor(User(name, "local")).user_id for name in names]
    assert len({*let_in}) == len(names)
    assert "owner" not in let_in
