"""What an earlier version wrote opens in this one; what a newer one wrote is refused; a kill in between leaves either."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from metaagent.cli.main import app as commands
from metaagent.errors import NewerSchema, StorageError, Text
from metaagent.global_state import GlobalSessionState
from metaagent.runtime import migrate_sessions
from metaagent.state import migrations
from metaagent.state.migrations import FILE, STATES, TABLES, Migration, Migrations, migrated
from tests.support.agents import Runs, asking, drawing, figures, opened
from tests.support.killing import kill_before
from tests.support.processes import exit_code
from tests.support.stored import VERSIONS, restored

NOTE = Text(en="a test's", ko="시험용")


@pytest.fixture(params=VERSIONS)
def stored(request: pytest.FixtureRequest, data: Path) -> Path:
    return restored(request.param, data)


def renamed(state: dict[str, Any]) -> dict[str, Any]:
    """A migration as a later version might need it."""
    return {**state, "api_calls_made": {**(state.get("api_calls_made") or {}), "renamed": 7}}


def calls(state: GlobalSessionState) -> int:
    return state.get("api_calls_made", {}).get("renamed", 0)


def add_column(connection: sa.Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE agent_records ADD COLUMN colour VARCHAR")
    connection.exec_driver_sql("UPDATE agent_records SET colour = 'green'")


def add_table(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE labels (thread_id TEXT, label TEXT)")
    connection.execute("INSERT INTO labels SELECT DISTINCT thread_id, 'old' FROM checkpoints")


@contextmanager
def later_version() -> Generator[None]:
    """This program with one migration of each kind more."""
    STATES.steps.append(Migration(NOTE, renamed))
    TABLES.steps.append(Migration(NOTE, add_column))
    FILE.steps.append(Migration(NOTE, add_table))
    try:
        yield
    finally:
        for migrations in (STATES, TABLES, FILE):
            migrations.steps.pop()


def formats(data: Path) -> tuple[str, int]:
    with closing(sqlite3.connect(data / "metaagent.db")) as tables:
        (found,) = tables.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    with closing(sqlite3.connect(data / "checkpoints.db")) as file:
        (version,) = file.execute("PRAGMA user_version").fetchone()
    return found, version


def schema_versions(data: Path) -> list[int]:
    with closing(sqlite3.connect(data / "metaagent.db")) as tables:
        return [version for (version,) in tables.execute("SELECT schema_version FROM sessions")]


def test_every_version_has_a_stored_data_directory():
    assert VERSIONS, "there is a stored data directory of every version"
    assert len(VERSIONS) >= max(STATES.newest, TABLES.newest, FILE.newest)


async def test_data_of_an_earlier_version_opens_and_continues(stored: Path, runs: Runs):
    async with opened(stored, figures(runs), drawing(runs), asking(runs)) as app:
        sessions = {info.turns: info for info in await app.sessions()}
        finished, waiting = sessions[3].session_id, sessions[1].session_id
        assert [turn.question for turn in await app.turns(finished)][::-1][:2] == ["drawing", "figures"]
        state = await app.state(finished)
        assert [message.type for message in state.get("messages", [])] == ["human", "ai"] * 3
        (first,) = [turn for turn in await app.turns(finished) if turn.number == 1]
        for ref in first.outcome["artifacts"]:
            assert await app.artifact(finished, ref["id"])
        assert [event async for event in app.events(first.turn_id)][-1]["type"] == "response"
        answer = await app.ask("drawing", session_id=finished)
        assert (answer.status, answer.text) == ("completed", "drawing done")
        resumed = await app.resume(waiting, "left")
        assert (resumed.status, resumed.text) == ("completed", "asking done")
        await app.restore(finished, turn=2)
        assert len((await app.state(finished)).get("messages", [])) == 4


async def test_old_session_is_migrated_on_read_and_stored_on_write(stored: Path, runs: Runs):
    with later_version():
        async with opened(stored, figures(runs), asking(runs)) as app:
            sessions = {info.turns: info for info in await app.sessions()}
            session_id = sessions[3].session_id
            state = await app.state(session_id)
            assert state.get("schema_version") == STATES.newest
            assert calls(state) == 7
            assert schema_versions(stored) == [1, 1], "reading changes nothing"
            await app.ask("figures", session_id=session_id)
            assert sorted(schema_versions(stored)) == [1, STATES.newest]
            waiting = await app.resume(sessions[1].session_id, "left")
            assert waiting.text == "asking done"
            assert calls(await app.state(waiting.session_id)) == 7
    with later_version():
        STATES.steps[-1] = Migration(NOTE, dict)  # the value is in the file, not made by the reader
        async with opened(stored, figures(runs)) as app:
            assert calls(await app.state(session_id)) == 7
    with only_later_tables():
        async with opened(stored, figures(runs)) as app:
            with pytest.raises(NewerSchema, match=r"schema 2; this one knows 1"):
                await app.ask("figures", session_id=session_id)


@contextmanager
def only_later_tables() -> Generator[None]:
    TABLES.steps.append(Migration(NOTE, add_column))
    FILE.steps.append(Migration(NOTE, add_table))
    try:
        yield
    finally:
        TABLES.steps.pop()
        FILE.steps.pop()


async def test_tables_and_checkpoint_file_are_migrated_on_open(stored: Path, runs: Runs):
    with later_version():
        async with opened(stored, figures(runs)) as app:
            assert await app.sessions()
        assert formats(stored) == (str(TABLES.newest), FILE.newest)
        with closing(sqlite3.connect(stored / "metaagent.db")) as tables:
            assert {c for (c,) in tables.execute("SELECT colour FROM agent_records")} == {"green"}
        with closing(sqlite3.connect(stored / "checkpoints.db")) as file:
            assert file.execute("SELECT count(*) FROM labels").fetchone() == (2,)


async def test_data_of_a_newer_version_is_refused_unchanged(stored: Path, runs: Runs):
    with later_version():
        async with opened(stored, figures(runs)):
            pass
    before = formats(stored)
    with pytest.raises(NewerSchema, match=r"format 3; this one knows 2.*Update metaagent"):
        async with opened(stored, figures(runs)):
            pass
    with closing(sqlite3.connect(stored / "metaagent.db")) as tables:
        tables.execute("UPDATE meta SET value = '2' WHERE key = 'format'")
        tables.commit()
    with pytest.raises(NewerSchema, match=f"checkpoint format {FILE.newest + 1}"):
        async with opened(stored, figures(runs)):
            pass
    assert formats(stored) == ("2", before[1])


async def test_migrating_writes_every_idle_session_once(stored: Path, runs: Runs):
    with later_version():
        async with opened(stored, figures(runs)) as app:
            assert (await migrate_sessions(app)).sessions == 1, (
                "the other one waits and is migrated when it goes on"
            )
            assert sorted(schema_versions(stored)) == [1, STATES.newest]
            assert (await migrate_sessions(app)).sessions == 0
            session_id = next(info.session_id for info in await app.sessions() if info.turns == 3)
            assert calls(await app.state(session_id)) == 7
            assert (await app.ask("figures", session_id=session_id)).status == "completed"
            await app.restore(session_id, turn=1)
            assert (await app.state(session_id)).get("schema_version") == STATES.newest


def _open_and_die(data: Path, runs: Runs, at: int) -> None:
    """Killed before the n-th statement of either migration, or before its commit."""
    import asyncio

    seen = 0

    def count(*_: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def deadly_tables(connection: sa.Connection) -> None:
        connection.connection.driver_connection.set_trace_callback(count)  # pyright: ignore[reportOptionalMemberAccess]
        add_column(connection)

    def deadly_file(connection: sqlite3.Connection) -> None:
        connection.set_trace_callback(count)
        add_table(connection)

    async def work() -> None:
        async with opened(data, figures(runs)):
            pass

    TABLES.steps.append(Migration(NOTE, deadly_tables))
    FILE.steps.append(Migration(NOTE, deadly_file))
    asyncio.run(work())


@pytest.mark.parametrize("at", range(1, 10))
async def test_killed_in_the_middle_of_a_migration_it_is_old_or_new(stored: Path, runs: Runs, at: int):
    assert exit_code(_open_and_die, stored, runs, at) == -signal.SIGKILL
    tables, file = formats(stored)
    with closing(sqlite3.connect(stored / "metaagent.db")) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(agent_records)")]
    with closing(sqlite3.connect(stored / "checkpoints.db")) as connection:
        labels = connection.execute("SELECT count(*) FROM sqlite_master WHERE name='labels'").fetchone()[0]
    assert ("colour" in columns, labels) == (tables == "3", int(file > FILE.newest))
    with only_later_tables():
        async with opened(stored, figures(runs)) as app:
            assert len(await app.sessions()) == 2
        assert formats(stored) == ("3", FILE.newest)


# --- rewriting the states, killed -------------------------------------------------------------------------


def _migrate_and_die(data: Path, runs: Runs, at: int) -> None:
    """Killed before the n-th transaction, in either database, from the opening on."""
    import asyncio

    async def work() -> None:
        async with opened(data, figures(runs)) as app:
            await migrate_sessions(app)
            go_on()  # closing writes nothing that matters here

    STATES.steps.append(Migration(NOTE, renamed))
    TABLES.steps.append(Migration(NOTE, add_column))
    FILE.steps.append(Migration(NOTE, add_table))
    go_on = kill_before(at)
    asyncio.run(work())


Seen = tuple[list[str], dict[int, str], int]


async def seen(data: Path, runs: Runs) -> dict[str, Seen]:
    """Of each session: what was said, how its turns stand, and what its state holds of the migration."""
    async with opened(data, figures(runs)) as app:
        found: dict[str, Seen] = {}
        for info in await app.sessions():
            state = await app.state(info.session_id)
            said = [str(message.content) for message in state.get("messages", [])]
            statuses = {turn.number: turn.status for turn in await app.turns(info.session_id)}
            found[info.session_id] = (said, statuses, calls(state))
        return found


async def check_old_or_new(data: Path, runs: Runs, old: dict[str, Seen]) -> int:
    """How many sessions are stored as new."""
    with later_version():
        now = await seen(data, runs)
        assert now == {name: (*rest, 7) for name, (*rest, _) in old.items()}, "read alike, whoever wrote it"
        STATES.steps[-1] = Migration(NOTE, dict)  # shows what is in the file: nothing is made by reading
        stored = {name: made for name, (_, _, made) in (await seen(data, runs)).items()}
        with closing(sqlite3.connect(data / "metaagent.db")) as tables:
            said = dict(tables.execute("SELECT session_id, schema_version FROM sessions"))
        assert set(stored.values()) <= {0, 7}
        assert all(stored[name] == 7 for name, version in said.items() if version == 2)
        return sum(made == 7 for made in stored.values())


def migrated_until(data: Path, runs: Runs, at: int) -> bool:
    """Whether the migration ended before the kill."""
    code = exit_code(_migrate_and_die, data, runs, at)
    assert code in {0, -signal.SIGKILL}
    return code == 0


async def test_killed_state_migration_is_finished_by_a_second_run(stored: Path, tmp_path: Path, runs: Runs):
    async with opened(stored, figures(runs)) as app:
        await app.ask("figures")
        restored_one = (await app.ask("figures")).session_id
        await app.ask("figures", session_id=restored_one)
        await app.restore(restored_one, turn=1)
    old = await seen(stored, runs)
    copies = [shutil.copytree(stored, tmp_path / f"killed-{at}") for at in range(1, 40)]
    done = list[int]()
    for at, copy in enumerate(copies, 1):
        finished = migrated_until(copy, runs, at)
        done.append(await check_old_or_new(copy, runs, old))
        with later_version():
            async with opened(copy, figures(runs)) as app:
                again = (await migrate_sessions(app)).sessions
            assert sorted(schema_versions(copy)) == [1, 1, 2, 2], "not those that wait or were restored"
            assert again >= 2 - done[-1]
        if finished:
            break
    assert len(done) < len(copies), "the kills cover the whole migration"
    assert done == sorted(done)
    assert set(done) == {0, 1, 2}
    with later_version():
        async with opened(copies[0], figures(runs)) as app:
            assert await app.restore(restored_one, turn=2) == 0, "it can still go forward again"
            assert (await app.ask("figures", session_id=restored_one)).status == "completed"


async def test_unreadable_state_stays_while_others_are_migrated(stored: Path, runs: Runs):
    async with opened(stored, figures(runs)) as app:
        await app.ask("figures")
        damaged = next(info.session_id for info in await app.sessions() if info.turns == 3)
    with closing(sqlite3.connect(stored / "checkpoints.db")) as connection:
        connection.execute("UPDATE checkpoints SET body = zeroblob(20) WHERE thread_id = ?", (damaged,))
        connection.commit()
    with later_version():
        async with opened(stored, figures(runs)) as app:
            told = await migrate_sessions(app)
        assert told.sessions == 1
        (problem,) = told.refused
        assert problem.startswith(damaged)
        assert sorted(schema_versions(stored)) == [1, 1, 2]


# --- migrationss --------------------------------------------------------------------------------------------


@given(version=st.integers(1, 5), steps=st.integers(0, 5))
def test_every_later_migration_is_applied_once_and_in_order(version: int, steps: int):
    def step(number: int) -> Migration[dict[str, Any]]:
        return Migration(NOTE, lambda state: {**state, "trail": [*state["trail"], number]})

    migrations = Migrations([step(number) for number in range(1, steps + 1)])
    state = {"schema_version": version, "trail": []}
    if version > migrations.newest:
        with pytest.raises(NewerSchema):
            migrated(state, migrations)
        return
    new = migrated(state, migrations)
    if version == migrations.newest:
        assert new is None
    else:
        assert new == {"schema_version": migrations.newest, "trail": list(range(version, steps + 1))}
    assert state == {"schema_version": version, "trail": []}, "the one given is left as it was"


@pytest.mark.parametrize("version", [None, "1", True, 0, -3, 1.5])
def test_a_state_without_a_real_version_is_refused(version: object):
    with pytest.raises(StorageError, match="schema version"):
        migrations.migrated({"schema_version": version})


def migrate(data: Path, *options: str) -> dict[str, Any]:
    result = CliRunner().invoke(commands, ["migrate", *options, "--json", "--data-dir", str(data)])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def contents(data: Path) -> dict[str, bytes]:
    """Of every file but SQLite's shared memory, which holds no data."""
    files = [path for path in data.rglob("*") if path.is_file() and not path.name.endswith("-shm")]
    return {str(path.relative_to(data)): path.read_bytes() for path in files}


def _leave_a_log(data: Path) -> None:
    """As a killed program does: what it committed last is in the log beside the database."""
    connection = sqlite3.connect(data / "metaagent.db")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("UPDATE sessions SET updated_at = updated_at")
    connection.commit()
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("killed", [False, True])
def test_a_dry_run_changes_not_a_byte(stored: Path, killed: bool):
    if killed:
        assert exit_code(_leave_a_log, stored) == -signal.SIGKILL
        assert (stored / "metaagent.db-wal").stat().st_size > 0
    before = contents(stored)
    with later_version():
        assert migrate(stored, "--dry-run")["sessions"] == 2
        CliRunner().invoke(commands, ["migrate", "--dry-run", "--data-dir", str(stored)])
    assert contents(stored) == before


def test_a_dry_run_says_what_would_change_and_changes_nothing(stored: Path):
    before = formats(stored)
    with later_version():
        told = migrate(stored, "--dry-run")
        steps = [(each["found"], each["newest"]) for each in told["formats"]]
        assert steps == [(int(before[0]), TABLES.newest), (before[1], FILE.newest)]
        assert (told["sessions"], told["schema"], told["migrated"]) == (2, 2, None)
        assert (formats(stored), schema_versions(stored)) == (before, [1, 1])
        said = CliRunner().invoke(commands, ["migrate", "--dry-run", "--data-dir", str(stored)])
        assert f"Copy {stored}" in said.stdout, "a copy first: there is no way back"
        assert migrate(stored)["migrated"] == 1
        assert (formats(stored), sorted(schema_versions(stored))) == (("3", FILE.newest), [1, 2])
    refused = CliRunner().invoke(commands, ["migrate", "--dry-run", "--data-dir", str(stored)])
    assert refused.exit_code == 1
    assert "Update metaagent" in refused.output


def test_migrating_a_missing_directory_makes_nothing(data: Path):
    assert migrate(data, "--dry-run")["formats"] == []
    assert not data.exists()
