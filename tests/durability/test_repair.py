"""`metaagent repair`: what is sound is kept and can be used, what is lost is listed, and the damaged directory stays."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from metaagent.config import load_settings
from metaagent.errors import KeyUnavailable, StorageError, TurnRunning
from metaagent.maintenance.health import check_data
from metaagent.maintenance.repair import Repaired, repair
from metaagent.runtime import MetaAgent
from metaagent.sessions.key_ring import open_ring
from metaagent.storage.locks import lock_session
from tests.support.agents import Runs, figures, opened

PAGE = 4096
NOW = datetime(2025, 3, 1, tzinfo=UTC)


@pytest.fixture
async def data(tmp_path: Path, runs: Runs) -> Path:
    folder = tmp_path / "data"
    async with opened(folder, figures(runs)) as app:
        session = (await app.ask("figures 1")).session_id
        for number in (2, 3):
            await app.ask(f"figures {number}", session_id=session)
        await app.ask("figures elsewhere")
    return folder


def write(path: Path, at: int, content: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[at : at + len(content)] = content
    path.write_bytes(whole)


def root_of(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(connection.execute(query, (name,)).fetchone()[0])


def run(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def cut_off(data: Path) -> None:
    path = data / "metaagent.db"
    run(path, "VACUUM")  # the list of tables lies in front, as it does in a large file
    path.write_bytes(path.read_bytes()[: -3 * PAGE - 100])


def zeroed_page(data: Path) -> None:
    path = data / "metaagent.db"
    write(path, (root_of(path, "events") - 1) * PAGE, bytes(PAGE))


def damaged_index(data: Path) -> None:
    path = data / "metaagent.db"
    write(path, root_of(path, "sessions_by_owner") * PAGE - 2000, bytes(2000))


def flipped_bytes(data: Path) -> None:
    path = data / "metaagent.db"
    root = root_of(path, "messages")
    write(path, root * PAGE - 500, random.Random(1).randbytes(400))


def missing_table(data: Path) -> None:
    run(data / "metaagent.db", "DROP TABLE events")


def changed_turn(data: Path) -> None:
    run(data / "metaagent.db", "UPDATE turns SET body = zeroblob(90) WHERE number = 2")


def changed_session(data: Path) -> None:
    run(data / "metaagent.db", "UPDATE sessions SET body = zeroblob(60) WHERE turns = 1")


def changed_event(data: Path) -> None:
    run(data / "metaagent.db", "UPDATE events SET body = zeroblob(60) WHERE seq = 2")


def broken_log(data: Path) -> None:
    (data / "metaagent.db-wal").write_bytes(random.Random(1).randbytes(9000))


def torn_checkpoints(data: Path) -> None:
    path = data / "checkpoints.db"
    write(path, path.stat().st_size // 2, random.Random(1).randbytes(3000))


def no_checkpoint_header(data: Path) -> None:
    write(data / "checkpoints.db", 0, bytes(100))


def changed_checkpoint(data: Path) -> None:
    newest = "SELECT max(rowid) FROM checkpoints"
    run(data / "checkpoints.db", f"UPDATE checkpoints SET body = zeroblob(50) WHERE rowid = ({newest})")


def broken_vectors(data: Path) -> None:
    (data / "recall" / "one").mkdir(parents=True)
    (data / "recall" / "chroma.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(5000))
    (data / "recall" / "one" / "vectors.bin").write_bytes(b"gone")


def missing_file(data: Path) -> None:
    run(
        data / "metaagent.db",
        "INSERT INTO artifact_files SELECT 'f0', session_id, 'a0' FROM sessions LIMIT 1",
    )


def changed_file(data: Path) -> None:
    (data / "files" / "local").mkdir(parents=True)
    (data / "files" / "local" / "f1").write_bytes(b"not sealed")


def wrong(data: Path) -> list[str]:
    settings = load_settings(overrides={"data_dir": data})
    findings = check_data(settings, open_ring(settings), deep=True, now=datetime.now(UTC))
    return [finding.say("en") for finding in findings if not finding.good]


def repaired(data: Path, into: Path | None = None) -> Repaired:
    ring = open_ring(load_settings(overrides={"data_dir": data}))
    return repair(data, ring, now=NOW, into=into)


DAMAGES: dict[Callable[[Path], None], str] = {
    cut_off: "",
    zeroed_page: "all events of how it went",
    damaged_index: "",
    flipped_bytes: "",
    missing_table: "the whole table events",
    changed_turn: "the question and its answer",
    changed_session: "its title and owner",
    changed_event: "1 events",
    broken_log: "the last writes to metaagent.db",
    torn_checkpoints: "",
    no_checkpoint_header: "its state",
    changed_checkpoint: "1 rows of checkpoints",
    broken_vectors: "metaagent index rebuild",
    missing_file: "1 files of large artifacts",
    changed_file: "which does not open",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
async def test_sound_part_of_a_damaged_directory_is_kept(
    data: Path, runs: Runs, damage: Callable[[Path], None]
):
    damage(data)
    before = {path: path.read_bytes() for path in stored_in(data)}
    problems = wrong(data)
    assert problems, "the doctor finds it"
    assert all("metaagent re" in problem for problem in problems), "each says what to do"
    done = repaired(data)
    said = [loss.say("en") for loss in done.lost]
    assert not DAMAGES[damage] or any(DAMAGES[damage] in each for each in said), said
    assert all(loss.say("ko") for loss in done.lost)
    assert done.kept_at is not None
    kept = {data / path.relative_to(done.kept_at): path.read_bytes() for path in stored_in(done.kept_at)}
    assert kept == before, "the damaged directory is as it was"
    # Entries of the trail that are lost stay lost: its verification says so for ever.
    assert [problem for problem in wrong(data) if "audit verify" not in problem] == []
    assert repaired(data).kept_at is None, "a repaired directory needs no repair"
    async with opened(data, figures(runs)) as app:
        assert (await app.ask("figures again")).text == "figures done"
        await check_sessions(app)


def stored_in(folder: Path) -> list[Path]:
    """Files but for those that SQLite puts beside a database that somebody looks at."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in found if not path.name.endswith(("-shm", "-wal"))]


async def check_sessions(app: MetaAgent) -> None:
    """Every session that is still listed can be read and goes on."""
    listed = await app.sessions()
    assert len(listed) >= 2
    for info in listed:
        assert await app.turns(info.session_id)
        assert (await app.ask("figures next", session_id=info.session_id)).status == "completed"


async def test_lost_turn_is_named_by_session_and_number(data: Path):
    changed_turn(data)
    (loss,) = repaired(data).lost
    async with opened(data) as app:
        longest = max(await app.sessions(), key=lambda info: info.turns)
    assert (loss.what, loss.session, loss.turn) == ("turns", longest.session_id, 2)


def test_a_sound_directory_is_left_as_it_is(data: Path):
    done = repaired(data)
    assert (done.lost, done.kept_at) == ([], None)
    assert done.rows > 0
    assert [
        path.name for path in data.parent.iterdir() if "damaged" in path.name or "repair" in path.name
    ] == []


def test_repaired_copy_can_be_written_elsewhere(data: Path, tmp_path: Path):
    changed_turn(data)
    before = (data / "metaagent.db").read_bytes()
    done = repaired(data, tmp_path / "mended")
    assert (done.kept_at, len(done.lost)) == (None, 1)
    assert (data / "metaagent.db").read_bytes() == before
    assert wrong(tmp_path / "mended") == []


def test_store_whose_tables_are_unreadable_is_not_touched(data: Path):
    write(data / "metaagent.db", 0, bytes(PAGE))
    before = stored_in(data.parent)
    with pytest.raises(StorageError, match="metaagent restore"):
        repaired(data)
    assert stored_in(data.parent) == before


def test_nothing_is_repaired_without_keys(data: Path):
    with pytest.raises(KeyUnavailable, match=r"keys\.json"):
        repair(data, None, now=NOW)


def test_nothing_is_repaired_while_a_session_is_at_work(data: Path):
    lock = lock_session(data / "locks", "s1")
    try:
        with pytest.raises(TurnRunning, match="s1"):
            repaired(data)
    finally:
        lock.release()
