"""Repair of a data directory: a new one beside it has everything that is sound, then takes its place. The damaged one is kept.

Rows must be readable and open with the keys; what does not is left out and listed by session and turn. Vectors are not
repaired: they are made anew from what they were made of.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from metaagent.errors import InputRefused, KeyUnavailable, StorageError, Text, TurnRunning, os_problem
from metaagent.maintenance.data_files import KEYS, copied, files_of, is_database
from metaagent.maintenance.health import (
    CORE,
    LOG_DAMAGED,
    check_database,
    opens_file,
    unsound_checkpoint,
    unsound_store,
)
from metaagent.maintenance.salvage import UNREADABLE, Salvaged, salvage
from metaagent.state.migrations import TABLES
from metaagent.storage.checkpoints import rows as checkpoint_rows
from metaagent.storage.locks import is_locked
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.tables import metadata

if TYPE_CHECKING:
    from metaagent.protection.keys import KeyRing

STORE, CHECKPOINTS, VECTORS = "metaagent.db", "checkpoints.db", "chroma.sqlite3"

_RUNNING = Text(
    en="Session {session} is at work: stop every metaagent that uses {path}, then repair it.",
    ko="세션 {session}이(가) 처리 중입니다. {path}을(를) 쓰는 metaagent를 모두 멈춘 뒤 복구하세요.",
)
_NO_KEYS = Text(
    en="The keys of {path} are missing: without them nobody can tell a sound row from a changed one. Bring kek and keys.json "
    "back from their backup first.",
    ko="{path}의 키가 없습니다. 키 없이는 온전한 행과 바뀐 행을 구별할 수 없습니다. 먼저 백업에서 kek와 keys.json을 "
    "되돌려 놓으세요.",
)
_NOTHING_OPENS = Text(
    en="No row of {path} opens with these keys: they are those of another directory, or all is changed. Nothing was done.",
    ko="이 키로는 {path}의 어떤 행도 열 수 없습니다. 다른 폴더의 키이거나 모두 바뀌었습니다. 아무것도 하지 않았습니다.",
)
_NO_STORE = Text(
    en="Not even the list of tables of {path} can be read ({problem}). Nothing was done: restore a backup with "
    "`metaagent restore`.",
    ko="{path}은(는) 테이블 목록조차 읽을 수 없습니다({problem}). 아무것도 하지 않았습니다. `metaagent restore`로 백업을 "
    "복원하세요.",
)
_THERE = Text(
    en="{path} is there already: name a folder that does not exist yet.",
    ko="{path}이(가) 이미 있습니다. 아직 없는 폴더를 지정하세요.",
)
_NOT_MOVED = Text(
    en="The repaired directory could not take the place of {path}: {problem}. Nothing was changed; write it elsewhere with "
    "--into DIR.",
    ko="복구한 폴더를 {path} 자리에 놓을 수 없습니다: {problem}. 바뀐 것은 없습니다. --into 폴더로 다른 곳에 쓰세요.",
)

LOST = {
    "turns": Text(en="the question and its answer", ko="질문과 답"),
    "sessions": Text(
        en="its title and owner: it is not listed any more", ko="제목과 소유자: 목록에 나오지 않습니다"
    ),
    "events": Text(en="{count} events of how it went", ko="진행 기록 {count}개"),
    "no_events": Text(en="all events of how it went", ko="진행 기록 전부"),
    "state": Text(
        en="its state: the next question begins without what was said before",
        ko="상태: 다음 질문은 앞서 나눈 내용 없이 시작합니다",
    ),
    "log": Text(
        en="the last writes to {table}: its log cannot be read",
        ko="{table}에 마지막으로 쓴 것: 로그를 읽을 수 없습니다",
    ),
    "artifacts": Text(en="{count} artifacts", ko="산출물 {count}개"),
    "artifact_files": Text(en="{count} files of large artifacts", ko="큰 산출물 파일 {count}개"),
    "messages": Text(en="{count} messages of the history", ko="대화 기록 {count}개"),
    "checkpoints": Text(en="{count} rows of checkpoints", ko="체크포인트 행 {count}개"),
    "table": Text(en="{count} rows of {table}", ko="{table}의 행 {count}개"),
    "unread": Text(
        en="rows of {table} on damaged pages ({problem})", ko="손상된 페이지에 있던 {table}의 행({problem})"
    ),
    "missing": Text(en="the whole table {table}", ko="{table} 테이블 전체"),
    "database": Text(en="the whole database {table} ({problem})", ko="데이터베이스 {table} 전체({problem})"),
    "file": Text(en="the file {table}, which does not open", ko="열리지 않는 파일 {table}"),
    "vectors": Text(
        en="the vectors in {table}: they are made anew with `metaagent index rebuild`, those of memories by themselves",
        ko="{table}의 벡터: `metaagent index rebuild`로 다시 만듭니다(기억의 벡터는 저절로 다시 만들어집니다)",
    ),
}


@dataclass(frozen=True)
class Loss:
    """Something that is not in the repaired directory."""

    what: str
    session: str = ""
    turn: int | None = None
    count: int = 1
    table: str = ""
    problem: str = ""

    def say(self, language: str) -> str:
        return LOST[self.what].say(language, **vars(self))


@dataclass
class Repaired:
    damaged: bool = False
    """True where a database had to be written anew, though nothing may be lost."""
    rows: int = 0
    """Rows of the store and the checkpoints that were kept."""
    files: int = 0
    lost: list[Loss] = field(default_factory=list[Loss])
    kept_at: Path | None = None
    """The damaged directory; None where nothing had to be repaired or the copy lies elsewhere."""


def repair(data: Path, ring: KeyRing | None, *, now: datetime, into: Path | None = None) -> Repaired:
    """Make a sound directory of a damaged one, in its place or at `into`. A sound one is left as it is."""
    if ring is None:
        raise KeyUnavailable(_NO_KEYS, path=data)
    if into is not None and into.exists():
        raise InputRefused(_THERE, path=into)
    for lock in sorted((data / "locks").glob("*.lock")):
        if is_locked(lock.parent, lock.stem):
            raise TurnRunning(_RUNNING, session=lock.stem, path=data)
    place = into or data
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name}.repair-", dir=place.absolute().parent))
    done = Repaired()
    try:
        _fill(data, beside, ring, done)
        if done.lost or done.damaged or into is not None:
            _put(data, beside, into, done, now)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return done


def _put(data: Path, beside: Path, into: Path | None, done: Repaired, now: datetime) -> None:
    if into is not None:
        beside.rename(into)
        return
    kept = data.with_name(f"{data.name}.damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S}")
    try:
        data.rename(kept)
        try:
            beside.rename(data)
        except OSError:
            kept.rename(data)
            raise
    except OSError as error:
        raise StorageError(_NOT_MOVED, path=data, problem=os_problem(error)) from error
    done.kept_at = kept


def _fill(data: Path, target: Path, ring: KeyRing, done: Repaired) -> None:
    vectors = [
        path.parent
        for path in files_of(data)
        if path.name == VECTORS and not check_database(path, data, deep=True).good
    ]
    done.lost += [Loss("vectors", table=str(folder.relative_to(data))) for folder in vectors]
    for path in files_of(data):
        if any(_is_of_index(path, folder) for folder in vectors):
            continue
        place = target / path.relative_to(data)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.suffix in (".db", ".sqlite3") or is_database(path):
            _database(path, place, data, ring, done)
        elif path.parent.parent in (data / "files", data / "artifacts") and not opens_file(path, ring):
            done.lost.append(Loss("file", table=str(path.relative_to(data))))
        else:
            shutil.copy2(path, place)
            done.files += 1
    for name in sorted(KEYS):
        if (data / name).exists():
            shutil.copy2(data / name, target / name)
    if (target / STORE).exists():
        _complete(target, vectors, done)


def _complete(target: Path, vectors: Sequence[Path], done: Repaired) -> None:
    """Add what a whole directory has, and list what is missing in the store beside what was kept."""
    if not (target / CHECKPOINTS).exists():  # what was in it is said to be lost; new turns have a place
        checkpoint_rows.connect(str(target / CHECKPOINTS)).close()
    with closing(sqlite3.connect(target / STORE)) as store:
        store.row_factory = sqlite3.Row
        engine = sa.create_engine(sqlite_url(target / STORE))
        metadata.create_all(engine)
        engine.dispose()
        store.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (str(TABLES.newest),))
        store.commit()
        done.lost += _without_files(store, target)
        store.commit()
        if done.damaged or done.lost:  # gaps that an earlier repair left are known
            done.lost += [*_gaps(store), *_without_state(store, target / CHECKPOINTS)]
        if any(folder.name == "recall" for folder in vectors):
            store.execute("UPDATE memories SET indexed = 0")
            store.commit()


def _is_of_index(path: Path, folder: Path) -> bool:
    """Chroma's own database, and the files in its folders; other files of ours may lie beside them."""
    return path.is_relative_to(folder) and (path.name == VECTORS or path.parent != folder)


def _database(path: Path, place: Path, data: Path, ring: KeyRing, done: Repaired) -> None:
    """Copy a database with its log, and write the copy anew where it is damaged or has rows that do not open."""
    name = path.relative_to(data).as_posix()
    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        copy = Path(scratch) / path.name
        for ending in ("", "-wal", "-journal"):
            beside = path.with_name(path.name + ending)
            if beside.exists():
                shutil.copy2(beside, copy.with_name(copy.name + ending))
        checked = check_database(copy, Path(scratch), deep=True)
        sound = checked.good
        if checked.text is LOG_DAMAGED:
            done.lost.append(Loss("log", table=name))
        done.damaged |= not sound
        if sound and name not in (STORE, CHECKPOINTS):
            _whole_copy(copy, place)
            return
        try:
            found = salvage(copy, place, _judge(name, ring))
            missing = [table for table in CORE if name == STORE and table not in found.kept]
            if {"sessions", "turns"} & set(missing):
                raise sqlite3.DatabaseError(f"no table {missing[0]}")
        except UNREADABLE as error:
            place.unlink(missing_ok=True)
            problem = " ".join(str(error).split())
            if name == STORE:
                raise StorageError(_NO_STORE, path=path, problem=problem) from error
            done.lost.append(Loss("database", table=name, problem=problem))
            return
        if name == STORE and found.refused and not any(found.kept[table] for table in ("sessions", "turns")):
            raise KeyUnavailable(_NOTHING_OPENS, path=path)
        done.damaged |= not (sound and found.whole and not missing)
        done.rows += sum(found.kept.values())
        done.lost += [Loss("missing", table=table) for table in missing]
        done.lost += _listed(found, place, name)
        if sound and found.whole:
            place.unlink()
            _whole_copy(copy, place)
    place.chmod(0o600)


def _whole_copy(copy: Path, place: Path) -> None:
    with closing(sqlite3.connect(copy)) as reader:
        copied(reader, place)


def _judge(name: str, ring: KeyRing) -> Any:
    unsound = {STORE: unsound_store, CHECKPOINTS: unsound_checkpoint}.get(name)

    def sound(table: str, row: Mapping[str, Any]) -> bool:
        return unsound is None or not unsound(table, row, ring)

    return sound


def _listed(found: Salvaged, place: Path, name: str) -> list[Loss]:
    """Rows that were left out, by session and turn, and tables of which nobody can say which rows are gone."""
    numbers = _numbers(place) if name == STORE else {}
    lost = [Loss("unread", table=table, problem=problem) for table, problem in found.unread.items()]
    places = Counter[tuple[str, str, int | None]]()
    for table, rows in found.refused.items():
        for row in rows:
            session = row.get("session_id") or row.get("thread_id") or ""
            places[(table, str(session), row.get("number") or numbers.get(row.get("turn_id")))] += 1
    for (table, session, turn), count in places.items():
        if table in ("turns", "sessions"):
            continue  # the gap that it leaves is listed
        known = "checkpoints" if name == CHECKPOINTS else table
        lost.append(Loss(known if known in LOST else "table", session, turn, count, table))
    return lost


def _numbers(place: Path) -> dict[Any, int]:
    with closing(sqlite3.connect(place)) as connection:
        return dict(connection.execute("SELECT turn_id, number FROM turns").fetchall())


def _without_files(store: sqlite3.Connection, target: Path) -> list[Loss]:
    """Leave out large artifacts whose file is gone."""
    there = {path.name for path in (target / "artifacts").glob("*/*")}
    named = store.execute("SELECT name, session_id, artifact_id FROM artifact_files").fetchall()
    gone = [row for row in named if row["name"] not in there]
    for row in gone:
        store.execute("DELETE FROM artifact_files WHERE name = ?", (row["name"],))
        place = (row["session_id"], row["artifact_id"])
        store.execute("DELETE FROM artifacts WHERE session_id = ? AND artifact_id = ?", place)
    counts = Counter(str(row["session_id"]) for row in gone)
    return [Loss("artifact_files", session, count=count) for session, count in sorted(counts.items())]


def _gaps(store: sqlite3.Connection) -> list[Loss]:
    """Compare what is kept with what its neighbours say should be there."""
    turns = {(row[0], row[1]) for row in store.execute("SELECT session_id, number FROM turns")}
    sessions = {row[0]: row[1] for row in store.execute("SELECT session_id, turns FROM sessions")}
    lost = [Loss("sessions", session) for session in sorted({each for each, _ in turns} - sessions.keys())]
    lost += [
        Loss("turns", session, number)
        for session, count in sorted(sessions.items())
        for number in range(1, count + 1)
        if (session, number) not in turns
    ]
    gaps = """SELECT t.session_id, t.number, max(e.seq) - count(*) FROM events e JOIN turns t ON t.turn_id = e.turn_id
        GROUP BY e.turn_id HAVING max(e.seq) > count(*)"""
    lost += [Loss("events", row[0], row[1], row[2]) for row in store.execute(gaps)]
    silent = """SELECT session_id, number FROM turns t WHERE ended_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM events e WHERE e.turn_id = t.turn_id)"""
    return [*lost, *(Loss("no_events", row[0], row[1]) for row in store.execute(silent))]


def _without_state(store: sqlite3.Connection, checkpoints: Path) -> list[Loss]:
    """Sessions that have ended turns and no checkpoint."""
    known = set[str]()
    if checkpoints.exists():
        with closing(sqlite3.connect(checkpoints)) as connection:
            known = {row[0] for row in connection.execute("SELECT DISTINCT thread_id FROM checkpoints")}
    ended = store.execute("SELECT DISTINCT session_id FROM turns WHERE ended_at IS NOT NULL")
    return [Loss("state", session) for session in sorted({row[0] for row in ended} - known)]
