"""Backups: consistent while turns run, shared pieces, keys apart; a restored directory goes on where it was."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from metaagent.errors import InputRefused, StorageError
from metaagent.maintenance.backup import back_up, restore, snapshot_names, verify_backup
from metaagent.runtime import MetaAgent
from tests.support.echo import echo

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


def settings(folder: Path) -> dict[str, object]:
    return {"data_dir": folder, "agents": {"allow": []}}


async def asked(folder: Path, *questions: str) -> list[str]:
    async with MetaAgent.open(settings(folder), agents=[echo]) as app:
        return [(await app.ask(question)).content["session_id"] for question in questions]


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    await asked(tmp_path / "data", "echo one", "echo two")
    return tmp_path / "data"


async def test_a_restored_directory_goes_on(data: Path, tmp_path: Path):
    back_up(data, tmp_path / "backup", keys_to=tmp_path / "keys", now=NOW)
    shutil.rmtree(data)
    restore(tmp_path / "backup", data, keys_from=tmp_path / "keys")
    async with MetaAgent.open(settings(data), agents=[echo]) as app:
        sessions = await app.sessions()
        assert {session.title for session in sessions} == {"echo one", "echo two"}
        answer = await app.ask("echo three", session_id=sessions[0].session_id)
        assert answer.status == "completed"
        assert (await app.governance.audit_verify()).ok


def test_keys_are_not_in_the_backup(data: Path, tmp_path: Path):
    back_up(data, tmp_path / "backup", now=NOW)
    kek = (data / "kek").read_bytes()
    held = [path for path in (tmp_path / "backup").rglob("*") if path.is_file()]
    assert held
    assert not any(kek.strip() in path.read_bytes() for path in held)
    restore(tmp_path / "backup", tmp_path / "other")
    assert not (tmp_path / "other" / "kek").exists()
    assert not (tmp_path / "other" / "keys.json").exists()


async def test_the_second_snapshot_adds_only_what_changed(data: Path, tmp_path: Path):
    (data / "large.bin").write_bytes(bytes(range(256)) * 40_000)
    first = back_up(data, tmp_path / "backup", now=NOW)
    again = back_up(data, tmp_path / "backup", now=NOW)
    assert again.new_bytes == 0
    await asked(data, "echo three")
    third = back_up(data, tmp_path / "backup", now=NOW)
    assert 0 < third.new_bytes < first.size / 4
    assert len(snapshot_names(tmp_path / "backup")) == 3


async def test_a_backup_while_turns_run_is_of_one_moment(data: Path, tmp_path: Path):
    """Every turn that the store calls completed has its end among the checkpoints."""
    async with MetaAgent.open(settings(data), agents=[echo]) as app:

        async def ask() -> None:
            for number in range(30):
                await app.ask(f"echo {number}")

        async def copy() -> None:
            for _ in range(6):
                await asyncio.to_thread(back_up, data, tmp_path / "backup", now=NOW)

        await asyncio.gather(ask(), copy())
    for name in snapshot_names(tmp_path / "backup"):
        restored = tmp_path / name
        restore(tmp_path / "backup", restored, name=name)
        with (
            closing(sqlite3.connect(restored / "metaagent.db")) as store,
            closing(sqlite3.connect(restored / "checkpoints.db")) as checkpoints,
        ):
            done = {
                row[0] for row in store.execute("SELECT session_id FROM turns WHERE status = 'completed'")
            }
            ended = {row[0] for row in checkpoints.execute("SELECT thread_id FROM turn_ends")}
            assert done <= ended
            assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_changed_or_missing_piece_is_named(data: Path, tmp_path: Path):
    back_up(data, tmp_path / "backup", now=NOW)
    piece = next(path for path in (tmp_path / "backup" / "pieces").rglob("*") if path.is_file())
    content = piece.read_bytes()
    piece.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(StorageError, match="was changed"):
        verify_backup(tmp_path / "backup")
    piece.unlink()
    with pytest.raises(StorageError, match="no such file"):
        restore(tmp_path / "backup", tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_hostile_list_writes_nothing_outside(data: Path, tmp_path: Path):
    back_up(data, tmp_path / "backup", now=NOW)
    name = snapshot_names(tmp_path / "backup")[0]
    listing = tmp_path / "backup" / "snapshots" / f"{name}.json"
    for path in ("../escaped", "/tmp/escaped-metaagent", "a/../../escaped"):
        content = json.loads(listing.read_text())
        content["files"][0]["path"] = path
        listing.write_text(json.dumps(content))
        with pytest.raises(StorageError, match="lies outside"):
            restore(tmp_path / "backup", tmp_path / "other")
    assert not (tmp_path / "escaped").exists()


def test_nothing_is_overwritten_and_places_are_judged(data: Path, tmp_path: Path):
    back_up(data, tmp_path / "backup", now=NOW)
    with pytest.raises(InputRefused, match="is not empty"):
        restore(tmp_path / "backup", data)
    with pytest.raises(InputRefused, match="another disk"):
        back_up(data, data / "backup", now=NOW)
    with pytest.raises(InputRefused, match="nothing to back up"):
        back_up(tmp_path / "nowhere", tmp_path / "backup", now=NOW)
    with pytest.raises(InputRefused, match="no snapshot monday"):
        restore(tmp_path / "backup", tmp_path / "other", name="monday")
