"""Storing rows, files and texts: together or not at all, once for each key, and back again."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from metaagent.data.semantic.model import RowRule
from metaagent.errors import AccessDenied, StoreRefused, TryAgain
from metaagent.ports import User
from metaagent.storage.files import Folder
from metaagent.storage.records.blobs import Remote, RemoteFolder
from metaagent.storage.records.port import RecordsOfPerson
from tests.support import record_world
from tests.support.record_world import KIM, MODEL, RecordWorld, rows

FIRST = (1, "a", "2026-01-05", 1, 100, "first")
THEIRS = (2, "b", "2026-01-06", 3, 200, "theirs")
NEW = [10, "2026-02-01", 1, 50, "new"]


@pytest.fixture
def world(tmp_path: Path) -> RecordWorld:
    return RecordWorld(tmp_path)


def whole(*given: list[Any]) -> dict[str, Any]:
    """Rows, a file and a text in one batch."""
    return {
        **rows(*given),
        "files": [{"name": "report.txt", "media_type": "text/plain", "content": b"the report"}],
        "texts": [{"id": "t1", "text": "the report says much", "metadata": {}}],
    }


async def test_rows_files_and_texts_are_stored_with_one_receipt(world: RecordWorld):
    made = await world.port().store("k1", {**whole(NEW), "why": "rows fit"})
    assert (10, "a", "2026-02-01", 1, 50, "new") in world.visits()
    assert made["status"] == "stored"
    assert made["where"]["rows"] == 1
    assert (made["key"], made["what"], made["why"]) == ("k1", "visits", "rows fit")
    assert made["hashes"]["files"] == [hashlib.sha256(b"the report").hexdigest()]
    assert len(made["hashes"]["content"]) == 64
    (match,) = await world.vectors.search("report")
    assert match.metadata["receipt"] == made["receipt"]
    found = await world.store.found(KIM, made["stored_location"])
    shown = await world.store.shown(KIM, MODEL, found)
    assert shown["holds"]
    assert await world.store.content(found, shown["files"][0]["id"]) == b"the report"


async def test_files_are_sealed(world: RecordWorld):
    await world.port().store("k1", whole(NEW))
    (file,) = world.folder.glob("files-*/*")
    assert b"the report" not in file.read_bytes()


async def test_same_key_stores_once(world: RecordWorld):
    port = world.port()
    first, second = await port.store("k1", whole(NEW)), await port.store("k1", whole(NEW))
    assert (first["already"], second["already"]) == (False, True)
    assert second["receipt"] == first["receipt"]
    assert len(world.visits()) == 3


async def test_same_content_with_another_key_stores_nothing(world: RecordWorld):
    port = world.port()
    first, second = await port.store("k1", whole(NEW)), await port.store("k2", whole(NEW))
    assert second["already"]
    assert second["receipt"] == first["receipt"]
    keyless = rows(["2026-02-01", 1, 5], columns=["day", "shop_id", "cost"])
    await port.store("k3", keyless)
    assert (await port.store("k4", keyless))["already"]
    assert len(world.visits()) == 4


async def test_same_content_is_stored_again_where_it_was_changed(world: RecordWorld):
    port = world.port()
    await port.store("k1", rows(NEW))
    change(world, "UPDATE visits SET cost = 51 WHERE visit_id = 10")
    assert not (await port.store("k2", rows(NEW)))["already"]
    assert (10, "a", "2026-02-01", 1, 50, "new") in world.visits()


async def test_same_key_stores_once_though_rows_changed_since(world: RecordWorld):
    port = world.port()
    await port.store("k1", rows(NEW))
    change(world, "UPDATE visits SET cost = 51 WHERE visit_id = 10")
    assert (await port.store("k1", rows(NEW)))["already"]
    assert (10, "a", "2026-02-01", 1, 51, "new") in world.visits()


async def test_key_that_comes_with_other_content_is_refused(world: RecordWorld):
    port = world.port()
    await port.store("k1", rows(NEW))
    with pytest.raises(StoreRefused, match="something else before") as refused:
        await port.store("k1", rows([11, "2026-02-01", 1, 50, "new"]))
    assert "이미 다른 내용" in refused.value.say("ko")
    assert len(world.visits()) == 3


async def test_tenant_is_set_by_the_port(world: RecordWorld):
    for columns in (["visit_id", "firm"], ["firm"]):
        with pytest.raises(StoreRefused, match="may not be written"):
            await world.port().store("k1", rows(["x"] * len(columns), columns=columns))
    await world.port().store("k2", rows(NEW))
    assert (10, "a", "2026-02-01", 1, 50, "new") in world.visits()


async def test_rows_of_another_tenant_are_never_replaced(world: RecordWorld):
    seen = await world.port().preview(rows([2, "2026-02-01", 1, 1, "mine"]))
    assert seen["replaced"] == 0
    with pytest.raises(StoreRefused, match="its own rule"):
        await world.port().store("k1", rows([2, "2026-02-01", 1, 1, "mine"]))
    assert THEIRS in world.visits()


async def test_table_that_is_not_named_is_refused(world: RecordWorld):
    batch = {"rows": {"table": "shops", "columns": ["name"], "rows": [["x"]]}}
    with pytest.raises(StoreRefused, match=r"data\.writable names visits"):
        await world.port().store("k1", batch)


async def test_column_of_another_role_is_refused(world: RecordWorld):
    with pytest.raises(StoreRefused, match="may not be written by you"):
        await world.port().store("k1", rows([5, "x"], columns=["visit_id", "secret"]))
    described = (await world.port().describe())["tables"][0]
    assert "secret" not in [column["name"] for column in described["columns"]]


async def test_column_that_is_not_named_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(record_world, "WRITABLE", {"visits": ["visit_id", "day", "shop_id", "cost"]})
    world = RecordWorld(tmp_path)
    with pytest.raises(StoreRefused, match="may not be written"):
        await world.port().store("k1", rows(NEW))
    await world.port().store("k2", rows(NEW[:4], columns=["visit_id", "day", "shop_id", "cost"]))
    assert (10, "a", "2026-02-01", 1, 50, None) in world.visits()


async def test_people_who_see_only_some_rows_write_none(world: RecordWorld):
    rule = RowRule(roles=["employee"], unless=["approver"], dimension="shop", values=["North"])
    model = MODEL.model_copy(update={"row_rules": [rule]})
    port = RecordsOfPerson(world.store, KIM, model, {}, "en", {})
    with pytest.raises(StoreRefused, match="only some of the rows"):
        await port.store("k1", rows(NEW))
    assert (await port.describe())["tables"] == []
    free = User("boss", "a", ("employee", "approver"))
    await RecordsOfPerson(world.store, free, model, {}, "en", {}).store("k2", rows(NEW))
    assert len(world.visits()) == 3


async def test_preview_shows_new_rows_and_replaced_ones(world: RecordWorld):
    seen = await world.port().preview(rows(NEW, [1, "2026-01-05", 1, 120, "first"]))
    assert seen["rows"] == [NEW]
    (replaced,) = seen["replaces"]
    assert replaced["before"] == [1, "2026-01-05", 1, 100, "first"]
    assert replaced["after"][3] == 120
    assert world.visits() == [FIRST, THEIRS]


async def test_table_that_changed_since_the_preview_is_refused(world: RecordWorld):
    batch = rows([1, "2026-01-05", 1, 120, "first"])
    seen = await world.port().preview(batch)
    change(world, "UPDATE visits SET cost = 101 WHERE visit_id = 1")
    with pytest.raises(StoreRefused, match="changed since the rows were shown"):
        await world.port().store("k1", batch, seen["fingerprint"])
    assert world.visits()[0][4] == 101


BAD = {
    "not null": ([11, None, 1, 5, "x"], "its own rule"),
    "check": ([11, "2026-02-01", 1, -5, "x"], "its own rule"),
    "reference": ([11, "2026-02-01", 99, 5, "x"], "its own rule"),
    "too long": ([11, "2026-02-01", 1, 5, "x" * 21], "does not fit its column"),
    "overflow": ([11, "2026-02-01", 1, 2**63, "x"], "does not fit its column"),
    "no date": ([11, "2026-02-31", 1, 5, "x"], "cannot hold the value"),
    "no number": ([11, "2026-02-01", 1, "many", "x"], "cannot hold the value"),
    "half a number": ([11, "2026-02-01", 1, 0.5, "x"], "cannot hold the value"),
    "too few values": ([11, "2026-02-01"], "cannot hold the value"),
    "key twice": ([10, "2026-02-01", 1, 5, "x"], "have the same key"),
    "no key": ([None, "2026-02-01", 1, 5, "x"], "only part of it"),
}


@pytest.mark.parametrize("name", BAD)
async def test_bad_row_stores_nothing(world: RecordWorld, name: str):
    bad, message = BAD[name]
    with pytest.raises(StoreRefused, match=message) as refused:
        await world.port().store("k1", whole(NEW, bad))
    assert refused.value.say("ko") != refused.value.say("en")
    assert world.visits() == [FIRST, THEIRS]
    assert (world.receipts(), world.files()) == ([], set())
    assert await world.vectors.search("report") == []


async def test_missing_table_and_column_are_named(world: RecordWorld):
    change(world, "ALTER TABLE visits DROP COLUMN note")
    with pytest.raises(StoreRefused, match="no such table or column"):
        await world.port().store("k1", rows(NEW))
    change(world, "DROP TABLE visits")
    with pytest.raises(StoreRefused, match="no such table or column"):
        await world.port().store("k1", rows(NEW))


async def test_read_only_database_is_named(world: RecordWorld, monkeypatch: pytest.MonkeyPatch):
    database = world.store.places.first.database

    readonly = sa.create_engine(f"sqlite:///file:{world.database}?mode=ro&uri=true", poolclass=sa.NullPool)
    monkeypatch.setattr(database, "engine", readonly)
    with pytest.raises(StoreRefused, match="may not write there"):
        await world.port().store("k1", rows(NEW))


async def test_full_disk_stores_nothing(world: RecordWorld, monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Folder, "_seal_and_write", full)
    with pytest.raises(StoreRefused, match="disk is full"):
        await world.port().store("k1", whole(NEW))
    assert world.visits() == [FIRST, THEIRS]


async def test_full_database_stores_nothing(world: RecordWorld):
    pages: list[int] = []

    def small(raw: Any, _record: object) -> None:
        pages.append(raw.execute("PRAGMA page_count").fetchone()[0])
        raw.execute(f"PRAGMA max_page_count = {pages[-1]}")

    database = world.store.places.first.database
    with database.transaction():
        pass
    assert database.engine is not None
    event.listen(database.engine, "connect", small)
    many = [[n, "2026-02-01", 1, n, "x" * 20] for n in range(100, 4000)]
    with pytest.raises(StoreRefused, match="disk is full"):
        await world.port().store("k1", rows(*many))
    assert world.visits() == [FIRST, THEIRS]


async def test_concurrent_writer_is_waited_for_then_tried_again(
    world: RecordWorld, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("metaagent.storage.records.database.WAIT_SECONDS", 0)
    with closing(sqlite3.connect(world.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TryAgain, match="다른 프로그램"):
            await world.port(language="ko").store("k1", rows(NEW))
        other.execute("ROLLBACK")
    assert (await world.port().store("k1", rows(NEW)))["already"] is False


class Lost(sqlite3.OperationalError):
    pass


@pytest.mark.parametrize("committed", [False, True])
async def test_lost_connection_at_the_commit_is_looked_up(
    world: RecordWorld, monkeypatch: pytest.MonkeyPatch, committed: bool
):
    """The answer to COMMIT never comes: before or after the database has done it."""
    lose = [True]
    database = world.store.places.first.database
    with database.transaction():
        pass
    engine = database.engine
    assert engine is not None

    def do_commit(connection: Any) -> None:
        has = connection.execute("SELECT count(*) FROM visits").fetchone()[0] == 3
        if not (has and lose):
            connection.commit()
            return
        lose.clear()
        if committed:
            connection.commit()
        raise Lost("server closed the connection unexpectedly")

    monkeypatch.setattr(engine.dialect, "do_commit", do_commit)
    if committed:
        assert (await world.port().store("k1", rows(NEW)))["already"] is False
    else:
        with pytest.raises(TryAgain):
            await world.port().store("k1", rows(NEW))
        assert len(world.visits()) == 2
        await world.port().store("k1", rows(NEW))
    assert len(world.visits()) == 3
    assert len(world.receipts()) == 1


async def test_texts_are_indexed_after_a_crash(world: RecordWorld, monkeypatch: pytest.MonkeyPatch):
    async def dies(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(world.store, "_finish", dies)
    with pytest.raises(KeyboardInterrupt):
        await world.port().store("k1", whole(NEW))
    again = RecordWorld(world.folder)
    assert await again.vectors.search("report") == []
    await again.port().store("k2", rows([11, "2026-02-01", 1, 50, "next"]))  # the next one who comes
    assert len(await again.vectors.search("report")) == 1
    assert await again.store.settle() == 0


async def test_undo_restores_what_was_there(world: RecordWorld):
    batch = whole(NEW, [1, "2026-03-03", 2, 999, None])
    made = await world.port().store("k1", batch)
    undone = await world.undo(made["receipt"])
    assert undone["status"] == "undone"
    assert world.visits() == [FIRST, THEIRS]
    assert world.files() == set()
    assert await world.vectors.search("report") == []
    with pytest.raises(StoreRefused, match="nothing left to undo"):
        await world.undo(made["receipt"])


async def test_undo_of_rows_with_keys_from_the_database(world: RecordWorld):
    made = await world.port().store("k1", rows(["2026-02-01", 1, 5], columns=["day", "shop_id", "cost"]))
    assert len(world.visits()) == 3
    await world.undo(made["receipt"])
    assert world.visits() == [FIRST, THEIRS]


async def test_undo_is_refused_where_a_row_changed_since(world: RecordWorld):
    made = await world.port().store("k1", whole(NEW))
    change(world, "UPDATE visits SET cost = 51 WHERE visit_id = 10")
    with pytest.raises(StoreRefused, match="visit_id=10: cost"):
        await world.undo(made["receipt"])
    assert len(world.files()) == 1
    assert not (await world.store.shown(KIM, MODEL, await world.store.found(KIM, made["receipt"])))["holds"]
    change(world, "DELETE FROM visits WHERE visit_id = 10")
    with pytest.raises(StoreRefused, match="visit_id=10: -"):
        await world.undo(made["receipt"])


async def test_undo_keeps_files_that_another_receipt_names(world: RecordWorld):
    file = {"name": "a.txt", "media_type": "text/plain", "content": b"one"}
    first = await world.port().store("k1", {"files": [file]})
    second = await world.port().store("k2", {"files": [file, {**file, "content": b"two"}]})
    await world.undo(second["receipt"])
    assert len(world.files()) == 1
    await world.undo(first["receipt"])
    assert world.files() == set()


async def test_undo_of_what_must_be_kept_is_refused(world: RecordWorld):
    batch = {**rows(NEW), "retention_days": 1825, "must_keep": True}
    made = await world.port().store("k1", batch)
    assert made["retention"] == {"days": 1825, "until": "2030-01-09T03:00:00.000Z"}
    with pytest.raises(StoreRefused, match="2030-01-09"):
        await world.undo(made["receipt"])


async def test_undo_under_a_legal_hold_is_refused(world: RecordWorld, monkeypatch: pytest.MonkeyPatch):
    class Held:
        async def refuse_owner(self, company_id: str, alias: str) -> None:
            from metaagent.audit.holds import HELD

            raise AccessDenied(HELD, tenant=company_id, hold="h1")

        async def is_held(self, user: User) -> bool:
            return True

    made = await world.port().store("k1", {**whole(NEW), "retention_days": 1})
    monkeypatch.setattr(world.store, "_holds", Held())
    with pytest.raises(AccessDenied, match="legal hold"):
        await world.undo(made["receipt"])
    world.clock.advance(86400 * 2)
    assert await world.store.expire(KIM, world.clock.now()) == 0
    monkeypatch.setattr(world.store, "_holds", None)
    assert await world.store.expire(KIM, world.clock.now()) == 1
    assert world.files() == set()


async def test_storing_and_undoing_are_on_record(world: RecordWorld):
    made = await world.port().store("k1", whole(NEW))
    await world.port().store("k1", whole(NEW))
    await world.undo(made["receipt"])
    assert [event.event for event in world.events] == ["records.stored", "records.undone"]
    assert world.events[0].data["rows"] == 1


async def test_erasure_removes_and_counts_what_was_stored_for_a_person(world: RecordWorld):
    lee = User("lee", "a", ("employee",))
    await world.port().store("k1", whole(NEW))
    await world.port(lee).store("k2", whole([11, "2026-02-01", 1, 50, "lee"]))
    counted = await world.store.erase(KIM, world.vault.alias(KIM))
    assert counted == {"stored": 1, "stored_rows_kept": 1}
    assert len(world.files()) == 1
    assert await world.store.listed(KIM) == []
    assert len(await world.store.listed(lee)) == 1


async def test_other_tenants_receipts_are_unknown(world: RecordWorld):
    made = await world.port().store("k1", rows(NEW))
    with pytest.raises(StoreRefused, match="no receipt"):
        await world.store.found(User("eve", "b"), made["receipt"])


async def test_names_are_looked_up_within_the_tenant(world: RecordWorld):
    found = await world.port().lookup("visits", "shop_id", ["North", "West", "nowhere"])
    assert found == {"North": [1]}


async def test_files_go_to_a_remote_folder_sealed(world: RecordWorld):
    remote = Remote("memory://records-test")
    folder = RemoteFolder(remote, world.vault, KIM)
    await folder.write("stored-1", b"the report")
    (path,) = remote.paths(remote.root)
    assert b"the report" not in remote.fs.cat_file(path)
    assert await folder.read("stored-1") == b"the report"
    kids = world.vault.ring.person_kids(KIM.tenant, KIM.user_id)
    assert await folder.erase(kids) == 1


async def test_files_that_were_never_committed_are_swept(world: RecordWorld):
    await world.port().store("k1", whole(NEW))
    (kept,) = world.files()
    folder = world.places.files(KIM)
    for name in ("stored-old", "stored-young"):
        await folder.write(name, b"written by a process that was killed")
    now = world.clock.now()
    for path in world.folder.glob("files-*/stored-*"):
        age = timedelta(hours=1 if path.name == "stored-young" else 48)
        written = (now - age).timestamp()
        os.utime(path, times=(written, written))
    assert await world.store.expire(KIM, now) == 1
    assert world.files() == {kept, "stored-young"}


async def test_remote_files_that_were_never_committed_are_swept(world: RecordWorld):
    remote = Remote("memory://records-sweep")
    folder = RemoteFolder(remote, world.vault, KIM)
    for name in ("stored-used", "stored-lost", "other"):
        await folder.write(name, b"x")
    past, soon = datetime(2000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
    assert await folder.sweep("stored-", ["stored-used"], past) == 0
    assert await folder.sweep("stored-", ["stored-used"], soon) == 1
    assert sorted(path.rpartition("/")[2] for path in remote.paths(remote.root)) == ["other", "stored-used"]


def change(world: RecordWorld, sql: str) -> None:
    with closing(sqlite3.connect(world.database)) as connection, connection:
        connection.execute(sql)
