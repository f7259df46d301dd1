"""After a rotation everything stored goes under the new keys, and the old ones are destroyed."""

from __future__ import annotations

import asyncio
import base64
import logging
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

import metaagent.governance.rekeying as resealing
from metaagent.audit.store import Where
from metaagent.cli.main import app as command_line
from metaagent.errors import KeyUnavailable, RowRefused, StorageError
from metaagent.ports import User
from metaagent.protection.keys import KeyRing
from metaagent.protection.keys.providers import file_kek
from metaagent.protection.sealing import kid_of
from metaagent.runtime import MetaAgent
from metaagent.storage.logs import read_lines, sealed_log
from metaagent.storage.rekey_checkpoints import SEALED as CHECKPOINT_PARTS
from metaagent.storage.rekey_rows import SEALED as ROW_PARTS
from metaagent.storage.rekey_triggers import REASON
from metaagent.storage.tables import metadata
from metaagent.storage.vault import acting_for
from tests.support import postgres_server, rekeying
from tests.support.agents import Runs, figures, gate, opened
from tests.support.canaries import CANARY, PERSON
from tests.support.processes import exit_code, processes
from tests.support.rekeying import OF_PERSON, PARTS, fill, read_all, sealed_values, world


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else is at work on the data directory, so nobody need be waited for."""
    monkeypatch.setattr(resealing, "SETTLE_SECONDS", 0.0)


async def rows_by_version(app: MetaAgent, user: User = PERSON) -> dict[int, set[str]]:
    rows = (await app.governance.keys_status(user=user))["tenants"][user.tenant]["rows"]
    return {version: set(parts) for version, parts in rows.items()}


async def test_every_store_goes_under_the_new_key_and_stays_readable(data: Path, runs: Runs):
    async with world(data, runs) as app:
        session = await fill(app)
        assert await rows_by_version(app) == {1: OF_PERSON}
        await app.governance.keys_rotate(everyone=True, user=User())
        assert await rows_by_version(app) == {1: OF_PERSON}
        told: list[tuple[str, int, int]] = []

        def tell(part: str, so_far: int, total: int) -> None:
            told.append((part, so_far, total))

        done = await app.governance.keys_rewrap(tell=tell, everyone=True, user=User())
        assert set(done["rows"]) == PARTS
        assert {part for part, _, _ in told} == PARTS
        assert all(so_far == total for _, so_far, total in told)
        assert done["refused"] == []
        assert len(done["retired"]) == 4  # of the companies, of the person, of the log
        assert await rows_by_version(app) == {2: OF_PERSON}
        await read_all(app, session)
    async with world(data, runs) as app:
        await read_all(app, session)
        again = await app.governance.keys_rewrap(everyone=True, user=User())
        assert (again["rows"], again["retired"]) == ({}, [])


def copied_ring(data: Path, to: Path) -> KeyRing:
    to.mkdir(mode=0o700)
    for name in ("kek", "keys.json"):
        shutil.copy(data / name, to / name)
    return KeyRing(to / "keys.json", file_kek(to / "kek", create=False), refresh=1e9)


def opened_with(ring: KeyRing, data: Path) -> int:
    """How many stored values these keys decrypt, whatever their place: the attacker knows all that is in clear."""
    found = 0
    for table, value in sealed_values(data):
        purpose = "checkpoint" if table in CHECKPOINT_PARTS else "store"
        try:
            ring.reader("acme", purpose).open(value, ("not", "its", "place"))
        except KeyUnavailable:
            continue
        except RowRefused as error:
            found += "changed" in str(error)  # the key is there; only the place was wrong
    return found


async def test_a_copied_old_key_opens_nothing_any_more(data: Path, runs: Runs, tmp_path: Path):
    async with world(data, runs) as app:
        await fill(app)
        stolen = copied_ring(data, tmp_path / "stolen")
        assert opened_with(stolen, data) == len(list(sealed_values(data)))
        await app.governance.keys_rotate(everyone=True, user=User())
        assert opened_with(stolen, data) > 0
        await app.governance.keys_rewrap(everyone=True, user=User())
        assert opened_with(stolen, data) == 0


async def test_no_byte_under_the_old_key_is_left_in_any_file(data: Path, runs: Runs):
    """Neither in rows nor in free pages, logs of databases or Chroma's queue: a carver with the old key finds nothing."""
    async with world(data, runs) as app:
        session = await fill(app)
        await app.ask("breaking", session_id=session, user=PERSON)  # what pruning left behind, too
        old = {kid_of(value) for _, value in sealed_values(data)}
        found = {name.removesuffix("-wal") for name in under(old, data)}
        assert found == {"metaagent.db", "checkpoints.db", "song", "chroma.sqlite3", "metaagent.log"}
        await app.governance.keys_rotate(everyone=True, user=User())
        await app.governance.keys_rewrap(everyone=True, user=User())
        assert under(old, data) == set()
    assert under(old, data) == set()


def under(kids: set[str], data: Path) -> set[str]:
    """Files with a value that one of these keys (or the first of the log) sealed. The audit trail has its own form."""
    logs = {path: path.read_text().splitlines() for path in data.glob("logs/*")}
    found = {path.name for path, lines in logs.items() if any(".k1-" in line for line in lines)}
    for path in (path for path in data.rglob("*") if path.is_file()):
        content = path.read_bytes()
        for kid in kids:
            sealed = b"ma1\x01" + bytes([len(kid)]) + kid.encode()
            if sealed in content or base64.b64encode(sealed) in content:
                found.add(path.name)
    return found


async def test_rotation_is_audited_and_the_trail_stays_readable(data: Path, runs: Runs):
    async with world(data, runs) as app:
        await fill(app)
        office = app.governance
        await office.keys_rotate(everyone=True, user=User())
        done = await office.keys_rewrap(everyone=True, user=User())
        events = ("keys.rotated", "keys.resealed", "keys.retired")
        told = {event: await office.audit_list(Where(event=event), user=PERSON) for event in events}
        assert [len(entries) for entries in told.values()] == [1, 1, 1]
        assert told["keys.resealed"][0]["data"] == {"rows": done["rows"], "refused": 0, "version": 2}
        retired = told["keys.retired"][0]["data"]
        assert retired["below"] == 2
        assert set(retired["keys"]) < set(done["retired"])  # those of the log are nobody's
        (asked,) = await office.audit_list(Where(event="question.asked"), user=PERSON)
        shown = await office.audit_show(asked["seq"], reveal=True, user=PERSON)
        assert CANARY in shown["pii"]["question"]
        assert (await office.audit_verify(user=PERSON)).ok


async def test_the_older_keys_can_be_kept(data: Path, runs: Runs):
    async with world(data, runs) as app:
        session = await fill(app)
        await app.governance.keys_rotate(everyone=True, user=User())
        done = await app.governance.keys_rewrap(keep_old=True, everyone=True, user=User())
        assert done["retired"] == []
        assert await rows_by_version(app) == {2: OF_PERSON}
        assert (await app.governance.keys_status(user=PERSON))["tenants"]["acme"]["minimum"] == 1
        await read_all(app, session)


async def test_another_company_is_left_alone_unless_all_are_meant(data: Path, runs: Runs):
    other = User("lee", "globex")
    async with opened(data, figures(runs)) as app:
        for user in (PERSON, other):
            await app.ask("figures", user=user)
        await app.governance.keys_rotate(user=PERSON)
        await app.governance.keys_rewrap(user=PERSON)
        assert set(await rows_by_version(app, other)) == {1}
        assert set(await rows_by_version(app, PERSON)) == {2}
        await app.governance.keys_rotate(everyone=True, user=User())
        await app.governance.keys_rewrap(everyone=True, user=User())
        assert set(await rows_by_version(app, other)) == {2}
        assert set(await rows_by_version(app, PERSON)) == {3}
        entries = await app.governance.audit_list(Where(event="keys.retired"), user=other)
        assert [entry["actor"] for entry in entries] == ["system"]
        assert len(await app.sessions(user=other)) == 1


def damage(data: Path, turn_id: str) -> None:
    with closing(sqlite3.connect(data / "metaagent.db")) as connection, connection:
        (body,) = connection.execute("SELECT body FROM turns WHERE turn_id = ?", (turn_id,)).fetchone()
        other = (body[:-1] + bytes([body[-1] ^ 1]), turn_id)
        connection.execute("UPDATE turns SET body = ? WHERE turn_id = ?", other)


async def test_unopenable_row_keeps_the_old_keys_and_is_named(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=PERSON)
        await app.ask("figures", user=PERSON)
    damage(data, answer.turn_id)
    async with opened(data, figures(runs)) as app:
        await app.governance.keys_rotate(everyone=True, user=User())
        done = await app.governance.keys_rewrap(everyone=True, user=User())
        assert done["refused"] == [f"turns/{answer.turn_id}"]
        assert done["retired"] == []
        status = (await app.governance.keys_status(user=PERSON))["tenants"]["acme"]
        assert status["rows"][1] == {"turns": 1}
        assert status["minimum"] == 1


# --- while turns run ------------------------------------------------------------------------------------


async def test_a_turn_under_way_is_not_disturbed(data: Path, runs: Runs):
    held = gate()
    async with opened(data, figures(runs, before=held)) as app:
        asking = asyncio.ensure_future(app.ask("figures", user=PERSON))
        await held.arrived.wait()
        await app.governance.keys_rotate(everyone=True, user=User())
        assert (await app.governance.keys_rewrap(everyone=True, user=User()))["retired"]
        held.opened.set()
        answer = await asking
        assert (answer.status, answer.content["errors"]) == ("completed", [])
        assert await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=PERSON)
        assert set(await rows_by_version(app)) == {2}


async def test_another_process_goes_on_with_its_turns(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.undo()  # here somebody must be waited for
    async with world(data, runs) as app:
        await fill(app)
        process = processes.Process(target=rekeying.serve, args=(data, runs, 12))
        process.start()
        while process.is_alive():
            await app.governance.keys_rotate(everyone=True, user=User())
            assert (await app.governance.keys_rewrap(everyone=True, user=User()))["retired"]
        process.join()
        assert process.exitcode == 0
        sessions = await app.sessions(user=PERSON)
        assert len(sessions) == 13
        for info in sessions:
            (turn,) = await app.turns(info.session_id, user=PERSON)
            assert CANARY in str(await app.state(info.session_id, user=PERSON))
            assert turn.status == "completed"
        assert (await app.governance.audit_verify(user=PERSON)).ok


async def test_late_row_sealed_with_a_retired_key_is_refused(data: Path, runs: Runs):
    """A program that slept through a rotation must not have rows acknowledged that nobody can ever read."""
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=PERSON)
        inside: Any = app
        turn = await inside._store.turn(answer.turn_id)
        late = inside._store.event_row(
            {"turn_id": turn.turn_id, "seq": 99, "session_id": turn.session_id}, "late:", PERSON
        )
        state = inside._checkpointer._saver
        config = {"configurable": {"thread_id": answer.session_id}}
        with acting_for(PERSON):
            saved = await state.aget_tuple(config)
            work = state._put_work(saved.config, saved.checkpoint, saved.metadata, None)
        await app.governance.keys_rotate(everyone=True, user=User())
        await app.governance.keys_rewrap(everyone=True, user=User())
        with pytest.raises(StorageError, match=REASON):
            await inside._store.commit([late])
        with pytest.raises(StorageError, match="retired"):
            await state.writer.acall(work, writes=True)
        assert (await app.ask("figures", session_id=answer.session_id, user=PERSON)).status == "completed"


async def test_a_log_goes_on_in_the_file_that_took_its_place(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        ring = app.governance.ring
        handler = sealed_log(data, ring)
        logger = logging.Logger("other process")
        logger.addHandler(handler)
        logger.warning("before")
        await app.governance.keys_rotate(everyone=True, user=User())
        await app.governance.keys_rewrap(everyone=True, user=User())
        logger.warning("after")
        handler.close()
        first, second = read_lines(data, ring)
        assert ("before" in first, "after" in second) == (True, True)


# --- killed on the way ----------------------------------------------------------------------------------

KILLS = [
    *(("value", number) for number in (1, 7, 20, 33)),
    ("line", 1),
    *(("told", number) for number in (1, 3, 6, 9)),
    *((moment, 1) for moment in ("refuse", "scrub", "retire", "retired", "save")),
]


@pytest.fixture(scope="module")
def rotated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A data directory in which everything has yet to be sealed again, and its session."""
    folder = tmp_path_factory.mktemp("rotated")

    async def make() -> str:
        async with world(folder / "data", Runs(folder / "runs")) as app:
            session = await fill(app)
            await app.governance.keys_rotate(everyone=True, user=User())
        return session

    return folder / "data", asyncio.run(make())


@pytest.mark.parametrize(("moment", "number"), KILLS)
async def test_killed_resealing_stays_readable_and_is_finished_later(
    moment: str, number: int, rotated: tuple[Path, str], data: Path, runs: Runs
):
    shutil.copytree(rotated[0], data)
    assert exit_code(rekeying.run, data, runs, moment, number) == -signal.SIGKILL
    async with world(data, runs) as app:
        await read_all(app, rotated[1])
        await app.governance.keys_rewrap(everyone=True, user=User())
        assert await rows_by_version(app) == {2: OF_PERSON}
        assert (await app.governance.keys_status(user=PERSON))["tenants"]["acme"]["minimum"] == 2
        await read_all(app, rotated[1])


# --- nothing is forgotten -------------------------------------------------------------------------------


def test_every_sealed_column_is_known():
    binary = {
        (table.name, column.name)
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, sa.LargeBinary)
    }
    assert binary == {(table.name, name) for table, columns in ROW_PARTS.values() for name in columns}


async def test_every_sealed_column_of_the_checkpoints_is_known(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.ask("figures")
    with closing(sqlite3.connect(data / "checkpoints.db")) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        blobs = {
            (table, column)
            for table in tables
            for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
            if kind == "BLOB"
        }
    known = {(table, each.value) for table, (_, columns) in CHECKPOINT_PARTS.items() for each in columns}
    assert blobs == known | {("checkpoints", "refs")}


@pytest.mark.skipif(postgres_server.why_not() is not None, reason=str(postgres_server.why_not()))
async def test_in_postgresql_too(data: Path, runs: Runs):
    with postgres_server.running() as home:
        storage = {"url": f"postgresql+psycopg://admin@/postgres?host={home}"}
        async with world(data, runs, storage=storage) as app:
            session = await fill(app)
            inside: Any = app
            late = inside._store.event_row({"turn_id": "t1", "seq": 1, "session_id": "s1"}, "late:", PERSON)
            await app.governance.keys_rotate(everyone=True, user=User())
            done = await app.governance.keys_rewrap(everyone=True, user=User())
            assert set(done["rows"]) == PARTS
            assert await rows_by_version(app) == {2: OF_PERSON}
            await read_all(app, session)
            with pytest.raises(StorageError, match=REASON):
                await inside._store.commit([late])


# --- on the command line --------------------------------------------------------------------------------


async def asked(data: Path, runs: Runs) -> str:
    async with opened(data, figures(runs)) as app:
        return (await app.ask("figures")).turn_id


def said(data: Path, *words: str, **options: Any) -> tuple[int, str]:
    done = CliRunner().invoke(command_line, [*words, "--data-dir", str(data)], **options)
    return done.exit_code, done.output


def test_an_operator_with_a_leaked_key_needs_two_commands(data: Path, runs: Runs):
    asyncio.run(asked(data, runs))
    assert "metaagent keys rewrap" in said(data, "keys", "rotate")[1]
    assert "version 1 sealed" in said(data, "keys", "status")[1]
    code, done = said(data, "keys", "rewrap")
    assert code == 0
    assert "rows were sealed again" in done
    assert "older keys were destroyed" in done
    after = said(data, "keys", "status")[1]
    assert "version 2 sealed" in after
    assert "version 1 sealed" not in after
    korean = said(data, "keys", "rewrap", env={"LANG": "ko_KR.UTF-8"})[1]
    assert "0개 행을 새 키로 다시 봉인했습니다" in korean


def test_a_row_that_cannot_be_opened_is_said_with_what_to_do(data: Path, runs: Runs):
    turn = asyncio.run(asked(data, runs))
    damage(data, turn)
    said(data, "keys", "rotate")
    code, done = said(data, "keys", "rewrap")
    assert code == 1
    assert f"the older keys are kept: turns/{turn}" in done
