"""A data directory that an earlier version wrote opens, verifies and is brought to today's formats."""

from __future__ import annotations

import json
import sqlite3
import tarfile
from pathlib import Path

import pytest

from metaagent.errors import AccessDenied, KeyUnavailable, MetaAgentError
from metaagent.runtime import MetaAgent
from tests.support.earlier import EVE, GONE, KIM, LEE, OFFICER, configured, make, noter
from tests.support.paths import ROOT

ARCHIVE = ROOT / "tests" / "support" / "fixtures" / "earlier.tar.xz"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "data"


async def checked(folder: Path) -> None:
    """Everything that was there is there, for those who may see it."""
    async with MetaAgent.open(configured(folder), agents=[noter]) as app:
        for user in (OFFICER, EVE):
            verification = await app.governance.audit_verify(user=user)
            assert verification.ok, verification.findings
        for user, sessions in ((KIM, 2), (LEE, 1), (EVE, 1)):
            found = await app.sessions(user=user)
            assert len(found) >= sessions
            turns = [turn for each in found for turn in await app.turns(each.session_id, user=user)]
            assert {f"note {at} of {user.user_id}" for at in ("first", "second")} <= {
                turn.question for turn in turns
            }
        remembered = str(await app.memories(user=KIM))
        assert all(f"kim-memory-{at}" in remembered for at in range(4))
        assert [hold.id for hold in await app.governance.hold_list(user=OFFICER)] == ["h-kept"]
        with pytest.raises(AccessDenied, match="h-kept"):
            await app.governance.erase("lee", user=OFFICER)
        with pytest.raises(KeyUnavailable):
            await app.ask("note from the dead", user=GONE)
        assert (await app.ask("note today", user=EVE)).status == "completed"


async def test_earlier_data_opens_verifies_and_stays_whole(earlier: Path):
    for _ in range(2):
        await checked(earlier)


async def test_earlier_data_is_brought_to_todays_formats(earlier: Path, tmp_path: Path):
    assert json.loads((earlier / "keys.json").read_text())["format"] == 2
    await checked(earlier)
    await make(tmp_path / "new")
    assert (
        json.loads((earlier / "keys.json").read_text())["format"]
        == json.loads((tmp_path / "new" / "keys.json").read_text())["format"]
    )
    assert tables(earlier) == tables(tmp_path / "new")
    with sqlite3.connect(earlier / "metaagent.db") as connection:
        unsealed = connection.execute("SELECT count(*) FROM audit_entries WHERE mac IS NULL").fetchone()
    connection.close()
    assert unsealed == (0,)


def tables(folder: Path) -> dict[str, set[str]]:
    with sqlite3.connect(folder / "metaagent.db") as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        found = {
            name: {column[1] for column in connection.execute(f"PRAGMA table_info({name})")}
            for (name,) in names.fetchall()
        }
    connection.close()
    return found


async def test_vectors_of_an_earlier_version_are_gone(earlier: Path):
    """They were made without a key, and led back to texts."""
    assert (earlier / "memory" / "chroma.sqlite3").exists()
    async with MetaAgent.open(configured(earlier), agents=[noter]) as app:
        await app.remember("내 항목9는 kim-memory-9", user=KIM)
        await app.ask("note 항목9", user=KIM)
    assert not (earlier / "memory").exists()


async def test_a_forged_entry_in_earlier_data_is_found(earlier: Path):
    """What was signed by the earlier version cannot be changed before this one takes it over."""
    with sqlite3.connect(earlier / "metaagent.db") as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            "UPDATE audit_entries SET body = replace(body, 'h-kept', 'h-lost') WHERE tenant = 'acme'"
        )
    connection.close()
    try:
        async with MetaAgent.open(configured(earlier), agents=[noter]) as app:
            verification = await app.governance.audit_verify(user=OFFICER)
    except MetaAgentError:
        return
    assert not verification.ok
