"""Colleagues, other companies and roles without rights: what they get of others, and what they can do to the installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaagent.audit.store import Where
from metaagent.errors import AccessDenied
from metaagent.ports import User
from tests.attacks.probe import (
    NOBODYS,
    Ids,
    arguments,
    calls_of_officers,
    calls_on_ids,
    calls_without_a_right,
    outcome,
)
from tests.attacks.world import BOSS, EVE, KIM, LEE, OFFICER, STRANGER, noter, opened, own_document

VIEWER = User("vi", "acme", ("viewer",))
NAMESAKE = User("kim", "evilco", ("owner",))
LOCAL = User()
OTHERS = (LEE, EVE, NAMESAKE, VIEWER, BOSS)
ACCESS = {"policies": {"viewer": {"operations": []}}}


async def test_no_call_reaches_what_belongs_to_somebody_else(tmp_path: Path):
    tried, told = 0, list[str]()
    async with opened(tmp_path, access=ACCESS) as app:
        assert calls_without_a_right(app) == []
        answer = await app.ask("note TOPSECRET", user=KIM)
        theirs = Ids(
            answer.session_id,
            answer.turn_id,
            answer.content["artifacts"][0]["id"],
            await own_document(app, KIM),
        )
        for name, call in calls_on_ids(app):
            for user in OTHERS:
                found = await outcome(call, arguments(name, call, theirs), user)
                missing = await outcome(call, arguments(name, call, NOBODYS), user)
                tried += 2
                if found[0] == "OK" or found != missing:
                    told.append(f"{user.user_id}@{user.company_id} {name}: {found} / {missing}")
        assert told == []
        assert tried >= 200
        assert [each.session_id for each in await app.sessions(user=KIM)] == [answer.session_id]


async def test_no_officers_call_is_open_to_a_role_without_it(tmp_path: Path):
    async with opened(tmp_path, access=ACCESS) as app:
        answer = await app.ask("note TOPSECRET", user=KIM)
        ids = Ids(answer.session_id, answer.turn_id, answer.content["artifacts"][0]["id"])
        for name, call in calls_of_officers(app):
            for user in (LEE, VIEWER):
                assert (await outcome(call, arguments(name, call, ids), user))[0] == "AccessDenied", name
        for name, call in calls_of_officers(app):
            if name not in {"keys_rotate", "keys_rewrap"}:
                got = await outcome(call, arguments(name, call, ids), STRANGER)
                assert answer.session_id not in got[1], name
                assert "TOPSECRET" not in got[1], name


async def test_an_officer_of_one_company_cannot_touch_the_keys_of_all(tmp_path: Path):
    async with opened(tmp_path / "data") as app:
        office = app.governance
        await app.ask("note x", user=KIM)
        before = office.ring.status()
        for attempt in (
            lambda: office.keys_rewrap(f"file:{tmp_path / 'evil_kek'}", user=STRANGER),
            lambda: office.keys_rotate(everyone=True, user=STRANGER),
            lambda: office.keys_rotate(signing=True, user=STRANGER),
            lambda: office.keys_rewrap(everyone=True, user=STRANGER),
        ):
            with pytest.raises(AccessDenied):
                await attempt()
        await office.keys_rotate(user=STRANGER)
        after = office.ring.status()
        assert (after["kek"], after["signing"]) == (before["kek"], before["signing"])
        assert after["tenants"]["acme"] == before["tenants"]["acme"]
        assert not (tmp_path / "evil_kek").exists()


async def test_what_is_done_to_the_installation_is_in_every_trail(tmp_path: Path):
    async with opened(tmp_path / "data") as app:
        office = app.governance
        await app.ask("note x", user=KIM)
        await app.ask("note x", user=EVE)
        await office.keys_rewrap(f"file:{tmp_path / 'other_kek'}", user=LOCAL)
        await app.disable("notes_agent", user=LOCAL)
        for reader in (OFFICER, STRANGER):
            for event in ("keys.rewrapped", "agent.disabled"):
                assert len(await office.audit_list(Where(event=event), user=reader)) == 1


async def test_a_company_switches_off_for_itself_alone(tmp_path: Path):
    async with opened(tmp_path, noter) as app:
        await app.disable("notes_agent", user=STRANGER)
        mine = await app.ask("note x", user=KIM)
        theirs = await app.ask("note x", user=EVE)
        assert mine.status == "completed"
        assert mine.content["artifacts"]
        assert not theirs.content.get("artifacts")
        await app.enable("notes_agent", user=STRANGER)
        assert (await app.ask("note x", user=EVE)).content["artifacts"]
