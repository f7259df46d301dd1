"""Holds and erasure: what is held stays, what is erased stays erased, whoever writes the data directory or kills the program."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from metaagent.audit.store import Where
from metaagent.errors import AccessDenied, InputRefused, KeyUnavailable, MetaAgentError
from metaagent.ports import User
from tests.attacks.dying import KILLED, die_at_entry, die_while_deleting
from tests.attacks.world import KIM, LEE, OFFICER, opened
from tests.support.processes import exit_code
from tests.support.receipts import receipt_is_signed

CHOI = User("choi", "acme", ("employee",))


async def test_a_hold_id_is_never_used_twice(tmp_path: Path):
    async with opened(tmp_path) as app:
        office = app.governance
        for user in (KIM, LEE):
            await app.ask("note evidence", user=user)
        await office.hold_place("h1", reason="case 1", person="kim", user=OFFICER)
        with pytest.raises(InputRefused, match="placed before"):
            await office.hold_place("h1", reason="typo", person="lee", user=OFFICER)
        with pytest.raises(AccessDenied):
            await office.erase("kim", user=OFFICER)
        await office.hold_release("h1", reason="closed", user=OFFICER)
        with pytest.raises(InputRefused, match="placed before"):
            await office.hold_place("h1", reason="reopened", person="kim", user=OFFICER)
        await office.hold_place("h2", reason="reopened", person="kim", user=OFFICER)
        assert [(one.id, one.reason) for one in await office.hold_list(user=OFFICER)] == [("h2", "reopened")]
        with pytest.raises(AccessDenied, match="h2"):
            await office.erase("kim", user=OFFICER)


async def test_the_held_person_cannot_destroy_the_evidence(tmp_path: Path):
    async with opened(tmp_path, retention={"artifact_turns": 1}) as app:
        answer = await app.ask("note evidence of choi", user=CHOI)
        await app.remember("내 비밀은 evidence", user=CHOI)
        await app.governance.hold_place("h3", reason="case 3", person="choi", user=OFFICER)
        for turn in range(3):
            await app.ask(f"note more {turn}", session_id=answer.session_id, user=CHOI)
        tries: list[Callable[[], Awaitable[Any]]] = [
            lambda: app.erase_memories(CHOI),
            lambda: app.forget("비밀", user=CHOI),
            lambda: app.prune_session(answer.session_id, user=CHOI),
            lambda: app.delete_session(answer.session_id, user=CHOI),
            lambda: app.governance.erase("choi", user=OFFICER),
        ]
        for attempt in tries:
            with pytest.raises(AccessDenied, match="h3"):
                await attempt()
        made = answer.content["artifacts"][0]["id"]
        assert await app.artifact(answer.session_id, made, user=CHOI) is not None
        assert len(await app.memories(user=CHOI)) == 1
        await app.governance.hold_release("h3", reason="closed", user=OFFICER)
        await app.delete_session(answer.session_id, user=CHOI)


def changed(folder: Path, *statements: str) -> None:
    """As someone who may write the database."""
    with sqlite3.connect(folder / "metaagent.db") as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


LIFTED = {
    "column": "UPDATE audit_entries SET event = 'legal_hold.noted' WHERE event = 'legal_hold.placed'",
    "deleted": "DELETE FROM audit_entries WHERE event = 'legal_hold.placed'",
    "body": "UPDATE audit_entries SET body = CAST(replace(CAST(body AS TEXT), 'hold.placed', 'hold.noted') AS BLOB)",
    "tenant": "UPDATE audit_entries SET tenant = 'globex' WHERE event = 'legal_hold.placed'",
    "number": "UPDATE audit_entries SET seq = seq + 1000 WHERE event = 'legal_hold.placed'",
}


@pytest.mark.parametrize("name", LIFTED)
async def test_a_writer_of_the_database_lifts_no_hold(tmp_path: Path, name: str):
    async with opened(tmp_path) as app:
        await app.ask("note evidence", user=KIM)
        await app.governance.hold_place("h4", reason="case 4", person="kim", user=OFFICER)
        await app.ask("note later", user=LEE)
    changed(tmp_path, LIFTED[name])
    with pytest.raises(MetaAgentError, match=r"h4|changed by someone"):
        async with opened(tmp_path) as app:
            await app.governance.erase("kim", user=OFFICER)
    with sqlite3.connect(tmp_path / "metaagent.db") as connection:
        assert connection.execute("SELECT count(*) FROM sessions").fetchone() == (2,)
    connection.close()


@pytest.mark.parametrize("hidden", [False, True])
async def test_an_erased_person_does_not_come_back_from_a_backup(tmp_path: Path, hidden: bool):
    data, backup = tmp_path / "data", tmp_path / "backup"
    async with opened(data) as app:
        await app.ask("note SECRET-OF-KIM", user=KIM)
    shutil.copytree(data, backup)
    async with opened(data) as app:
        await app.governance.erase("kim", user=OFFICER)
    shutil.copy(backup / "keys.json", data / "keys.json")
    tables = ("sessions", "turns", "events", "artifacts", "messages")
    back = [f"INSERT OR IGNORE INTO {table} SELECT * FROM old.{table}" for table in tables]
    hide = "UPDATE audit_entries SET event = 'person.noted' WHERE event = 'person.erased'"
    changed(data, f"ATTACH '{backup / 'metaagent.db'}' AS old", *back, *([hide] if hidden else []))
    async with opened(data) as app:
        with pytest.raises(KeyUnavailable, match="destroyed"):
            await app.sessions(user=KIM)
        again = await app.governance.audit_list(Where(event="person.erased_again"), user=OFFICER)
        assert len(again) == 1


@pytest.mark.parametrize("event", ["person.erasure_begun", "person.erased"])
async def test_a_killed_erasure_is_finished_or_can_be_repeated(tmp_path: Path, event: str):
    async with opened(tmp_path) as app:
        await app.ask("note SECRET-OF-KIM", user=KIM)
    assert exit_code(die_at_entry, tmp_path, event) == KILLED
    async with opened(tmp_path) as app:
        made = await app.governance.erase("kim", user=OFFICER)
        assert receipt_is_signed(made, await app.governance.keys_public(user=OFFICER))
        told = await app.governance.audit_list(Where(event="person.erased"), user=OFFICER)
        assert len(told) == 1
        assert await app.governance.erase("kim", user=OFFICER) is not None
        checked = await app.governance.audit_verify(user=OFFICER)
        assert checked.ok


async def test_a_deleted_session_is_never_gone_without_its_entry(tmp_path: Path):
    assert exit_code(die_while_deleting, tmp_path) == KILLED
    async with opened(tmp_path) as app:
        assert await app.sessions(user=KIM) == []
        assert len(await app.governance.audit_list(Where(event="session.deleted"), user=OFFICER)) == 1


async def test_drafts_of_the_key_file_do_not_survive(tmp_path: Path):
    async with opened(tmp_path) as app:
        await app.ask("note x", user=KIM)
    draft = tmp_path / ".keys.json.123.abcdef01"
    shutil.copy(tmp_path / "keys.json", draft)
    async with opened(tmp_path):
        assert not draft.exists()


async def test_a_missing_key_file_is_not_replaced(tmp_path: Path):
    async with opened(tmp_path) as app:
        await app.ask("note x", user=KIM)
    kept = (tmp_path / "keys.json").rename(tmp_path.parent / "away.json")
    with pytest.raises(KeyUnavailable, match=r"keys\.json is missing"):
        async with opened(tmp_path):
            pass
    assert not (tmp_path / "keys.json").exists()
    kept.rename(tmp_path / "keys.json")
    async with opened(tmp_path) as app:
        assert len(await app.sessions(user=KIM)) == 1
