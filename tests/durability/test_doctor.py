"""`metaagent doctor`: damage to what is stored is found, named and comes with a remedy."""

from __future__ import annotations

import os
import random
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaagent.config import load_settings
from metaagent.maintenance.health import Finding, check_data
from metaagent.runtime import MetaAgent
from metaagent.sessions.key_ring import open_ring
from tests.support.echo import echo

PAGE = 4096


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    async with MetaAgent.open({"data_dir": folder, "agents": {"allow": []}}, agents=[echo]) as app:
        for number in range(4):
            await app.ask(f"echo {number} " + "long text " * 300)
    return folder


def found(folder: Path, *, deep: bool = True, now: datetime | None = None) -> list[Finding]:
    settings = load_settings(overrides={"data_dir": folder})
    ring = open_ring(settings)
    return list(check_data(settings, ring, deep=deep, now=now or datetime.now(UTC)))


def wrong(folder: Path, *, deep: bool = True) -> list[str]:
    return [finding.say("en") for finding in found(folder, deep=deep) if not finding.good]


def test_a_sound_directory_has_no_problem(data: Path):
    assert wrong(data) == []
    assert wrong(data, deep=False) == []
    assert any(finding.what.startswith("trail") for finding in found(data))


@pytest.mark.parametrize("name", ["metaagent.db", "checkpoints.db"])
@pytest.mark.parametrize("seed", range(8))
def test_damage_in_any_used_page_is_found(data: Path, name: str, seed: int):
    """Overwritten pages of tables and indexes; free pages hold nothing."""
    path, chance = data / name, random.Random(f"{name} {seed}")
    content = bytearray(path.read_bytes())
    page = chance.randrange(1, len(content) // PAGE)
    middle = page * PAGE + PAGE // 2
    content[middle : middle + 600] = chance.randbytes(600)
    before = path.read_bytes()
    path.write_bytes(content)
    problems = wrong(data)
    if not problems:
        pytest.skip("the page is not in use") if _unused(before, page) else pytest.fail(
            f"page {page} of {name}"
        )
    assert all("metaagent" in problem for problem in problems), "each says what to do"


def _unused(content: bytes, page: int) -> bool:
    """A page whose half was never written to, or which is free."""
    start = page * PAGE + PAGE // 2
    return not any(content[start : start + 600])


def test_one_changed_byte_of_a_sealed_row_is_found(data: Path):
    with sqlite3.connect(data / "metaagent.db") as connection:
        connection.execute(
            "UPDATE turns SET body = CAST(substr(body, 1, 60) || X'00' || substr(body, 62) AS BLOB) WHERE rowid = 2"
        )
    said = [finding for finding in found(data, deep=False) if not finding.good]
    assert [finding.what for finding in said] == ["rows of turns"]
    assert "1 of 4" in said[0].say("en")
    assert "restore" in said[0].say("ko")


def test_an_entry_that_was_removed_is_found_in_the_trail(data: Path):
    with sqlite3.connect(data / "metaagent.db") as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(
            "DELETE FROM audit_entries WHERE rowid = (SELECT min(rowid) + 2 FROM audit_entries)"
        )
    assert any("does not verify" in problem for problem in wrong(data))


def test_checkpoints_that_are_gone_are_said(data: Path):
    (data / "checkpoints.db").unlink()
    assert any("missing although there are turns" in problem for problem in wrong(data, deep=False))


def test_signed_notes_that_are_gone_are_said(data: Path):
    for notes in (data / "audit").glob("*.notes"):
        notes.unlink()
    assert any("signed notes" in problem and "--anchor" in problem for problem in wrong(data))


def test_a_clock_that_was_set_back_is_said(data: Path):
    now = datetime.now(UTC) - timedelta(days=3)
    assert [finding.what for finding in found(data, now=now) if not finding.good] == ["clock"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_directory_can_be_checked(data: Path):
    data.chmod(0o500)
    try:
        assert all(finding.good for finding in found(data, deep=False))
    finally:
        data.chmod(0o700)
