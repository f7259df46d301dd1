from __future__ import annotations

import asyncio
import csv
import io
import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine

from metaagent.audit.erasure import erase_person
from metaagent.audit.holds import guard_erasure, holds, place_hold, release_hold
from metaagent.audit.review import export_csv, find, retain, show, verify_trail
from metaagent.audit.store import Where
from metaagent.audit.trail import AuditEvent, Verification
from metaagent.errors import AccessDenied, InputRefused, KeyUnavailable, StorageError, Text
from metaagent.storage.audit_notes import NoteFiles
from metaagent.storage.audit_tables import create_tables
from tests.support.audit_world import World, an_event, make_ring

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, make_ring(tmp_path))


def checked(world: World, tenant: str = "acme", **options: Any) -> Verification:
    with world.open() as log:
        return verify_trail(log, tenant, **options)


def found(world: World, tenant: str = "acme", **options: Any) -> list[tuple[str, int]]:
    return [(finding.kind, finding.seq) for finding in checked(world, tenant, **options).findings]


def test_an_acknowledged_entry_is_stored_numbered_and_linked(world: World):
    with world.open() as log:
        first, second = (log.append(an_event(number)).result() for number in (1, 2))
        assert (first.seq, second.seq, first.repeated) == (1, 2, False)
        assert show(log, "acme", 2)["prev"] == first.hash == show(log, "acme", 1)["hash"]
    assert checked(world).ok


async def test_cancelled_waiter_loses_no_entry(world: World):
    with world.open() as log:
        assert (await log.record(an_event(1))).seq == 1
        task = asyncio.create_task(log.record(an_event(2)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await log.record(an_event(2))).repeated


def test_a_repeat_is_a_no_op_within_a_batch_and_across_restarts(world: World):
    with world.open() as log:
        receipts = [future.result() for future in [log.append(an_event(n % 5)) for n in range(50)]]
        assert {receipt.seq for receipt in receipts} == {1, 2, 3, 4, 5}
        assert sum(not receipt.repeated for receipt in receipts) == 5
    with world.open() as log:
        assert log.append(an_event(3)).result() == receipts[3]._replace(repeated=True)
        assert not log.append(an_event(3, tenant="globex")).result().repeated
        assert len(find(log, "acme")) == 5


def test_unwritable_entry_is_refused_alone(world: World):
    with world.open() as log:
        with pytest.raises(InputRefused, match="float"):
            log.append(an_event(1, data={"share": 0.5}))
        assert log.append(an_event(2)).result().seq == 1


def test_entry_in_a_callers_transaction_is_rolled_back_with_it(world: World):
    with world.open() as log:
        log.append(an_event(1)).result()
        engine = create_engine(f"sqlite:///{world.database}")
        with engine.connect() as connection:
            connection.exec_driver_sql("CREATE TABLE work (id INTEGER)")
            connection.exec_driver_sql("INSERT INTO work VALUES (1)")
            assert log.append_in(connection, [an_event(2)])[0].seq == 2
            connection.rollback()
            connection.exec_driver_sql("INSERT INTO work VALUES (2)")
            assert log.append_in(connection, [an_event(3)])[0].seq == 2
            assert log.append_in(connection, [an_event(3)])[0].repeated
            connection.commit()
        engine.dispose()
        assert [entry["data"]["number"] for entry in find(log, "acme")] == [1, 3]
        log.append(an_event(4)).result()
    assert checked(world).signed == 3


def test_tables_can_be_made_twice_and_a_closed_log_says_so(world: World):
    with world.open() as log, create_engine(f"sqlite:///{world.database}").begin() as connection:
        create_tables(connection)
    connection.engine.dispose()
    log.close()
    with pytest.raises(StorageError, match="closed"):
        log.append(an_event(1))


def test_a_database_failure_reaches_those_who_wait(world: World):
    with world.open() as log:
        log.append(an_event(1)).result()
        world.attack("ALTER TABLE audit_entries RENAME TO gone")
        with pytest.raises(StorageError, match="not been acknowledged"):
            log.append(an_event(2)).result()
        world.attack("ALTER TABLE gone RENAME TO audit_entries")
        assert log.append(an_event(2)).result().seq == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entries SET actor = 'x'",
        "DELETE FROM audit_entries WHERE seq = 2",
        "REPLACE INTO audit_entries SELECT * FROM audit_entries WHERE seq = 2",
        (
            "INSERT OR REPLACE INTO audit_entries SELECT tenant, 99, body, hash, ts, actor, event, "
            "session, turn, key, mac"
            " FROM audit_entries WHERE seq = 2"
        ),
    ],
)
def test_the_database_itself_refuses_changes(world: World, statement: str):
    world.fill(3)
    connection = sqlite3.connect(world.database)
    with pytest.raises(sqlite3.IntegrityError, match="audit entries cannot be"):
        connection.execute(statement)
    connection.close()


ATTACKS = {
    "edit": ("UPDATE audit_entries SET body = replace(body, 'ok', 'no') WHERE seq = 5", ("edited", 5)),
    "edit_column": ("UPDATE audit_entries SET actor = 'x' WHERE seq = 5", ("edited", 5)),
    "edit_hash": ("UPDATE audit_entries SET hash = zeroblob(32) WHERE seq = 5", ("edited", 5)),
    "delete": ("DELETE FROM audit_entries WHERE seq = 5", ("deleted", 5)),
    "delete_head": ("DELETE FROM audit_entries WHERE seq <= 5", ("cut_head", 1)),
    "cut_tail": ("DELETE FROM audit_entries WHERE seq > 15", ("cut_tail", 16)),
    "delete_all": ("DELETE FROM audit_entries WHERE tenant = 'acme'", ("cut_tail", 1)),
    "insert": (
        (
            "INSERT INTO audit_entries SELECT tenant, 5.5, body, hash, ts, actor, event, session, turn, NULL, mac"
            " FROM audit_entries WHERE tenant = 'acme' AND seq = 5"
        ),
        ("inserted", 6),
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_on_the_rows_is_found_in_its_place(world: World, name: str):
    world.fill(20)
    statement, wanted = ATTACKS[name]
    world.attack(
        statement.replace("replace(body", "CAST(replace(CAST(body AS TEXT)").replace(
            "'no')", "'no') AS BLOB)"
        )
    )
    assert found(world)[0] == wanted


def test_reordered_entries_are_found(world: World):
    world.fill(20)
    world.attack(
        "UPDATE audit_entries SET seq = 100 WHERE seq = 5",
        "UPDATE audit_entries SET seq = 5 WHERE seq = 6",
        "UPDATE audit_entries SET seq = 6 WHERE seq = 100",
    )
    assert found(world)[0] == ("reordered", 5)


def test_an_entry_of_another_tenant_is_found(world: World):
    world.fill(9)
    world.fill(9, "globex")
    world.attack(
        "DELETE FROM audit_entries WHERE tenant = 'acme' AND seq = 5",
        "UPDATE audit_entries SET tenant = 'acme' WHERE tenant = 'globex' AND seq = 5",
    )
    assert found(world)[0] == ("swapped_tenant", 5)
    assert found(world, "globex")[0] == ("deleted", 5)


def drop_fifth(entries: list[dict[str, Any]]) -> None:
    del entries[4]


def edit_fifth(entries: list[dict[str, Any]]) -> None:
    entries[4]["outcome"] = "refused"


def add_sixth(entries: list[dict[str, Any]]) -> None:
    entries.insert(5, dict(entries[4]))


@pytest.mark.parametrize("change", [drop_fifth, edit_fifth, add_sixth])
def test_a_chain_made_anew_is_found(world: World, change: Callable[[list[dict[str, Any]]], None]):
    world.fill(20)
    world.rewrite(change)
    assert found(world)[0] == ("forged", 1)
    world.rewrite(change, insider=True)
    assert found(world)[0][0] in {"rehashed", "cut_tail"}


def test_a_writer_never_signs_what_it_did_not_write(world: World):
    with world.open() as log:
        for number in range(10):
            log.append(an_event(number)).result()
        world.rewrite(edit_fifth, insider=True)
        assert log.checkpoint("acme") is None
        assert log.broken["acme"][0].seq == 5
    assert world.notes.read("acme") == []


def test_a_restarted_writer_does_not_sign_over_a_cut_tail(world: World):
    world.fill(20)
    world.attack("DELETE FROM audit_entries WHERE seq > 15")
    world.fill(2, "globex")
    with world.open() as log:
        log.append(an_event(99)).result()
        assert log.checkpoint("acme") is None
    assert ("cut_tail", 17) in found(world)


def test_replaced_signing_key_is_found_with_the_kept_public_key(world: World, tmp_path: Path):
    world.fill(5)
    public = world.ring.public_key()
    (tmp_path / "notes" / "acme.notes").unlink()
    impostor = World(tmp_path, make_ring(tmp_path / "impostor"))
    impostor.rewrite(edit_fifth, insider=True)
    impostor.fill(1)
    assert found(impostor) == []
    assert found(impostor, public_keys=public)[0][0] == "replaced_key"


def test_after_a_rotation_of_the_signing_key_everything_verifies(world: World):
    world.fill(5)
    world.ring.rotate_signing()
    with world.open() as log:
        log.append(an_event(50)).result()
    assert checked(world).signed == 6


def test_checkpoints_come_by_count_by_time_and_at_the_end(world: World):
    with world.open(every_entries=10) as log:
        for number in range(25):
            log.append(an_event(number)).result()
    sizes = [note.size for note in world.notes.read("acme") if note]
    assert sizes == [10, 20, 25]
    with world.open(every_seconds=0.0) as log:
        log.append(an_event(30)).result()
        log.on_writer(list)  # the writer has finished what it does after a batch
        assert len(world.notes.read("acme")) == 4


def test_a_checkpoint_that_failed_is_made_up_for(world: World, monkeypatch: pytest.MonkeyPatch):
    def locked(message: bytes) -> tuple[str, bytes]:
        raise KeyUnavailable(Text("locked", "잠김"))

    with world.open(every_entries=2) as log:
        monkeypatch.setattr(world.ring, "sign", locked)
        for number in range(5):
            log.append(an_event(number)).result()
        with pytest.raises(KeyUnavailable):
            log.checkpoint("acme")
        monkeypatch.undo()
    assert [note.size for note in world.notes.read("acme") if note] == [5]
    assert checked(world).ok


def test_torn_last_line_is_dropped_but_a_broken_line_is_not(world: World):
    world.fill(3)
    path = NoteFiles(world.folder / "notes").path("acme")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"origin": "meta')
    assert checked(world).ok
    with world.open() as log:
        log.append(an_event(10)).result()
    assert checked(world).ok
    assert len(path.read_bytes().splitlines()) == 2
    path.write_bytes(b"junk\n" + whole)
    assert found(world)[0][0] == "forged_checkpoint"


def test_erasing_a_person_keeps_the_audit_chain_valid(world: World):
    with world.open() as log:
        event = AuditEvent(
            tenant="acme", event="question", person="kim-id", pii={"name": "김철수"}, session="s1"
        )
        seq = log.append(event).result().seq
        assert show(log, "acme", seq, reveal=True)["pii"] == {"name": "김철수"}
        assert show(log, "acme", seq)["pii"].startswith("ma1.")
        assert show(log, "acme", seq)["actor"] == world.ring.alias("acme", "kim-id")
        erase_person(log, "acme", "kim-id", actor="dpo")
        assert "destroyed on" in show(log, "acme", seq, reveal=True)["pii"]["unreadable"]
        with pytest.raises(KeyUnavailable):
            log.append(event)
    assert checked(world).ok
    for path in world.folder.rglob("*"):
        if path.is_file():
            assert "김철수".encode() not in path.read_bytes(), path
            assert b"kim-id" not in path.read_bytes(), path


def test_erasing_a_person_does_not_stop_a_waiting_batch(world: World, monkeypatch: pytest.MonkeyPatch):
    with world.open() as log:
        event = AuditEvent(tenant="acme", event="question", person="kim", pii={"name": "x"})
        waiting = log.on_writer(lambda: (log.append(event), world.ring.destroy_person("acme", "kim"))[0])
        seq = waiting.result().seq
        assert "pii" not in show(log, "acme", seq)


def test_held_entries_are_neither_erased_nor_expired(world: World):
    world.fill(5)
    with world.open(every_entries=1) as log:
        guard_erasure(log)
        sealed = world.ring.sealer("acme", "memory", "kim").seal(b"x")
        place_hold(log, "acme", "case-7", reason="litigation", by="counsel", person="kim")
        assert [hold.id for hold in holds(log, "acme")] == ["case-7"]
        for act in (
            lambda: erase_person(log, "acme", "kim", actor="dpo"),
            lambda: world.ring.destroy_person("acme", "kim"),
            lambda: retain(log, "acme", before="2999", actor="ops"),
        ):
            with pytest.raises(AccessDenied, match="case-7"):
                act()
        assert world.ring.sealer("acme", "memory", "kim").open(sealed) == b"x"
        world.ring.alias("acme", "lee")
        erase_person(log, "acme", "lee", actor="dpo")
        with pytest.raises(InputRefused):
            release_hold(log, "acme", "case-8", reason="", by="counsel")
        release_hold(log, "acme", "case-7", reason="settled", by="counsel")
        erase_person(log, "acme", "kim", actor="dpo")
        assert retain(log, "acme", before="2999", actor="ops") > 0
    assert checked(world).ok


def test_retention_drops_whole_segments_and_the_rest_verifies(world: World):
    with world.open(every_entries=10, max_batch=10) as log:
        for number in range(35):
            log.append(an_event(number)).result()
        assert retain(log, "acme", before="2000", actor="ops") == 0
        assert retain(log, "globex", before="2999", actor="ops") == 0
        cut = show(log, "acme", 25)["ts"]
        dropped = retain(log, "acme", before=cut, actor="ops")
        assert dropped in {10, 20}
        result = verify_trail(log, "acme")
        assert result.ok
        assert (result.first, result.last) == (dropped + 1, 36)
        assert find(log, "acme", Where(event="retention.dropped"))[0]["data"]["upto"] == dropped
        log.append(an_event(77)).result()
    assert checked(world).ok
    world.attack("DELETE FROM audit_entries WHERE seq <= 30")
    assert found(world)[0] == ("cut_head", 1)


def test_retention_leaves_a_broken_trail_alone(world: World):
    world.fill(20)
    world.attack("UPDATE audit_entries SET actor = 'x' WHERE seq = 5")
    with world.open() as log, pytest.raises(InputRefused, match="edited at entry 5"):
        retain(log, "acme", before="2999", actor="ops")


def test_entries_are_found_by_what_they_are_about(world: World):
    with world.open() as log:
        for number in range(9):
            log.append(an_event(number)).result()
        log.append(
            AuditEvent(tenant="acme", event="plan.approved", actor="u-2", data={"why": '예산 "확인"'})
        ).result()

        def turns(**where: Any) -> list[int]:
            return [entry["seq"] for entry in find(log, "acme", Where(**where))]

        assert turns(session="s1") == [2, 5, 8]
        assert turns(session="s1", turn="t4") == [5]
        assert turns(actor="u-2") == turns(event="plan.approved") == [10]
        assert turns(after=8) == [9, 10]
        assert turns(since="2999") == []
        assert len(turns(until="2999")) == 10
        assert [entry["seq"] for entry in find(log, "acme", text='예산 "확인"')] == [10]
        assert [entry["seq"] for entry in find(log, "acme", limit=2)] == [9, 10]
        assert [entry["seq"] for entry in find(log, "acme", Where(before=9), limit=2)] == [7, 8]
        assert [entry["seq"] for entry in find(log, "acme", Where(after=3), limit=2)] == [4, 5]
        assert find(log, "acme", holding={"outcome": "no such end"}) == []
        assert find(log, "globex") == []
        with pytest.raises(InputRefused, match="11"):
            show(log, "acme", 11)


def test_a_spreadsheet_runs_nothing_of_a_csv_export(world: World):
    with world.open() as log:
        log.append(an_event(1, actor="=cmd|' /C calc'!A0")).result()
        file = io.StringIO()
        assert export_csv(log, "acme", file) == 1
    (row,) = csv.DictReader(io.StringIO(file.getvalue()))
    assert row["actor"].startswith("'=")
    assert json.loads(row["data"]) == {"number": 1}
