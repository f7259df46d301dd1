"""Checks of a data directory, without changing it: databases, keys, sealed rows and files, the trail, room and clock.

Each finding says what was looked at, what was found and, where something is wrong, what to do about it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent.errors import KeyUnavailable, MetaAgentError, RowRefused, Text
from metaagent.maintenance.data_files import files_of, is_database

if TYPE_CHECKING:
    from metaagent.config import Settings
    from metaagent.protection.keys import KeyRing

SAMPLE = 200
"""Rows of a table, and files, that are opened where `deep` was not asked for: the newest."""

CORE = ("sessions", "turns", "events", "artifacts")
"""Tables of the store that every version has made."""

_SHOWN = 3
_LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_AHEAD = timedelta(minutes=10)

SOUND = Text(en="sound ({size:,} bytes)", ko="이상 없음({size:,}바이트)")
DAMAGED = Text(
    en="damaged: {problem}. Stop the program. `metaagent restore` makes a directory of the newest backup; without one, "
    "`metaagent repair` keeps what is sound and lists what is lost.",
    ko="손상됨: {problem}. 프로그램을 멈추세요. `metaagent restore`로 최신 백업을 복원하거나, 백업이 없으면 "
    "`metaagent repair`가 온전한 것을 살리고 잃은 것을 알려 줍니다.",
)
KEYS_GONE = Text(
    en="keys.json is missing although something is stored: nothing of it can be read. Bring it back from its backup; never "
    "make new keys over stored rows.",
    ko="저장된 것이 있는데 keys.json이 없어 아무것도 읽을 수 없습니다. 백업에서 되돌려 놓으세요. 저장된 행 위에 새 키를 만들지 "
    "마세요.",
)
NO_TABLE = Text(
    en="the table {table} is missing. `metaagent repair` keeps the rest and lists what is lost.",
    ko="{table} 테이블이 없습니다. `metaagent repair`가 나머지를 살리고 잃은 것을 알려 줍니다.",
)
FILES_GONE = Text(
    en="files of sessions {which} are missing. Bring them back with `metaagent restore`, or let `metaagent repair` list what "
    "is lost.",
    ko="세션 {which}의 파일이 없습니다. `metaagent restore`로 되살리거나 `metaagent repair`로 잃은 것을 확인하세요.",
)
LOG_DAMAGED = Text(
    en="its log ({name}) is damaged: what was written last is missing. `metaagent repair` keeps the rest and lists what is "
    "lost; `metaagent restore` brings the backup.",
    ko="로그({name})가 손상되어 마지막에 쓴 것이 없습니다. `metaagent repair`가 나머지를 살리고 잃은 것을 알려 주며, "
    "`metaagent restore`로 백업을 되살릴 수 있습니다.",
)
KEYS_OPEN = Text(en="{count} companies", ko="회사 {count}개")
NO_KEYS = Text(en="{problem}", ko="{problem}")
ROWS_OPEN = Text(en="{count:,} opened", ko="{count:,}개를 열어 봄")
ROWS_REFUSED = Text(
    en="{refused:,} of {count:,} cannot be opened ({which}): they were changed or their key is gone. The rest can be used; "
    "`metaagent restore` brings the backup, `metaagent repair` leaves them out and lists them.",
    ko="{count:,}개 중 {refused:,}개를 열 수 없습니다({which}). 바뀌었거나 키가 없습니다. 나머지는 쓸 수 있으며 "
    "`metaagent restore`로 백업을 되살리거나 `metaagent repair`로 빼고 목록을 볼 수 있습니다.",
)
TRAIL_SOUND = Text(
    en="{entries:,} entries verify, {signed:,} signed", ko="{entries:,}개 항목 검증됨, {signed:,}개 서명됨"
)
TRAIL_BROKEN = Text(
    en="entry {seq} does not verify ({kind}: {detail}). Look at it with `metaagent audit verify --company {tenant}`.",
    ko="항목 {seq}이(가) 검증되지 않습니다({kind}: {detail}). `metaagent audit verify --company {tenant}`로 확인하세요.",
)
NOTES_GONE = Text(
    en="its signed notes (audit/{tenant}.notes) are gone, and it was signed anew: bring the file back from a backup and compare "
    "with `metaagent audit verify --company {tenant} --anchor FILE`.",
    ko="서명된 노트(audit/{tenant}.notes)가 없어져 새로 서명했습니다. 백업에서 파일을 되살려 "
    "`metaagent audit verify --company {tenant} --anchor FILE`로 비교하세요.",
)
CHECKPOINTS_GONE = Text(
    en="it is missing although there are turns: their states cannot be gone on with, restored or forked. `metaagent restore` "
    "makes a directory of the newest backup; without one, new turns begin anew.",
    ko="질문 기록이 있는데 파일이 없습니다. 이전 상태를 이어 가거나 되돌리거나 갈래 낼 수 없습니다. `metaagent restore`로 "
    "가장 새로운 백업을 되살리세요. 백업이 없으면 새 질문은 처음부터 시작합니다.",
)
CLOCK_BACK = Text(
    en="the newest turn is of {newest}, {ahead} ahead of this machine's clock: set the clock.",
    ko="가장 새로운 턴이 {newest}(으)로 이 컴퓨터의 시계보다 {ahead} 앞섭니다. 시계를 맞추세요.",
)
CLOCK = Text(en="newest turn {newest}", ko="가장 새로운 턴 {newest}")


@dataclass(frozen=True)
class Finding:
    what: str
    text: Text
    params: dict[str, Any]
    good: bool = True

    def say(self, language: str) -> str:
        return self.text.say(language, **self.params)


def check_data(settings: Settings, ring: KeyRing | None, *, deep: bool, now: datetime) -> Iterator[Finding]:
    """Check everything below the data directory. Without keys, only what needs none."""
    folder = settings.data_dir
    if not folder.is_dir():
        return
    sound: set[Path] = set()
    for path in files_of(folder):
        if path.suffix in (".db", ".sqlite3", ".sqlite") or is_database(path):
            found = check_database(path, folder, deep=deep)
            yield found
            if found.good:
                sound.add(path)
    store, checkpoints = folder / "metaagent.db", folder / "checkpoints.db"
    if store in sound and not checkpoints.exists() and _has_turns(store):
        yield Finding("database checkpoints.db", CHECKPOINTS_GONE, {}, good=False)
    if ring is not None:
        yield Finding("keys", KEYS_OPEN, {"count": len(ring.tenants())})
        yield from _sealed(settings, ring, sound, deep=deep)
    if store in sound:
        yield from _clock(store, now)


def _sealed(settings: Settings, ring: KeyRing, sound: Collection[Path], *, deep: bool) -> Iterator[Finding]:
    """Check what takes keys: rows, files and, if `deep`, the trails."""
    folder, most = settings.data_dir, None if deep else SAMPLE
    store, checkpoints = folder / "metaagent.db", folder / "checkpoints.db"
    if store in sound:
        yield from _store_rows(store, ring, most)
    if checkpoints in sound:
        yield from _checkpoint_rows(checkpoints, ring, most)
    yield from _sealed_files(folder / "files", "files", ring, most)
    yield from _sealed_files(folder / "artifacts", "artifact files", ring, most)
    if store in sound and deep:
        yield from _trails(settings, ring)


def _has_turns(path: Path) -> bool:
    with closing(_read_only(path)) as connection:
        return (
            _has_table(connection, "turns")
            and connection.execute("SELECT 1 FROM turns").fetchone() is not None
        )


def check_database(path: Path, folder: Path, *, deep: bool) -> Finding:
    """SQLite's own check: of every page and index if `deep`, else without comparing indexes with their tables."""
    what = f"database {path.relative_to(folder)}"
    pragma = "integrity_check(1)" if deep else "quick_check(1)"
    try:
        with closing(_read_only(path)) as connection:
            said = str(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
    except (sqlite3.Error, UnicodeDecodeError) as error:
        said = str(error)
    if path.stat().st_size == 0:
        said = "empty"
    log = path.with_name(f"{path.name}-wal")
    if said == "ok" and _log_is_damaged(log):
        return Finding(what, LOG_DAMAGED, {"name": log.name}, good=False)
    if said == "ok":
        return Finding(what, SOUND, {"size": path.stat().st_size})
    return Finding(what, DAMAGED, {"problem": " ".join(said.split())[:200]}, good=False)


def _log_is_damaged(log: Path) -> bool:
    """SQLite passes over a log that it cannot read, and with it over everything that was committed there."""
    try:
        with log.open("rb") as file:
            begin = file.read(4)
    except OSError:
        return False
    return bool(begin) and begin not in _LOG_BEGINS


def _read_only(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # A log beside it needs a folder that can be written; without one, what is in the file itself can be read.
        connection.close()
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = _as_text
    return connection


def _as_text(written: bytes) -> str:
    """Text of a damaged page may be no text: it is shown as far as it can be, and what is bound to it does not open."""
    return written.decode("utf-8", "replace")


def _rows_finding(what: str, count: int, refused: list[str]) -> Finding:
    if not refused:
        return Finding(what, ROWS_OPEN, {"count": count})
    which = ", ".join(refused[:_SHOWN]) + (", …" if len(refused) > _SHOWN else "")
    params = {"count": count, "refused": len(refused), "which": which}
    return Finding(what, ROWS_REFUSED, params, good=False)


def _store_rows(path: Path, ring: KeyRing, most: int | None) -> Iterator[Finding]:
    from metaagent.storage.sealed_columns import SEALED_COLUMNS

    with closing(_read_only(path)) as connection:
        for part, (table, columns) in SEALED_COLUMNS.items():
            if not _has_table(connection, table):
                if table in CORE:
                    yield Finding(f"rows of {part}", NO_TABLE, {"table": table}, good=False)
                continue
            count, refused = 0, list[str]()
            for row in _newest(connection, table, most):
                count += len(columns)
                refused += unsound_store(table, dict(row), ring)
            if count:
                yield _rows_finding(f"rows of {part}", count, refused)
        if _has_table(connection, "artifact_files"):
            yield from _missing_files(connection, path.parent / "artifacts")


def _missing_files(connection: sqlite3.Connection, folder: Path) -> Iterator[Finding]:
    """Files of large artifacts against the rows that name them."""
    there = {path.name for path in folder.glob("*/*")}
    named = connection.execute("SELECT name, session_id FROM artifact_files").fetchall()
    missing = sorted({str(row["session_id"]) for row in named if row["name"] not in there})
    if missing:
        yield Finding("artifact files", FILES_GONE, {"which": ", ".join(missing[:_SHOWN])}, good=False)


def _checkpoint_rows(path: Path, ring: KeyRing, most: int | None) -> Iterator[Finding]:
    from metaagent.storage.rekey_checkpoints import SEALED

    with closing(_read_only(path)) as connection:
        for part, (_, columns) in SEALED.items():
            if not _has_table(connection, part):
                yield Finding(f"rows of {part}", NO_TABLE, {"table": part}, good=False)
                continue
            count, refused = 0, list[str]()
            for found in _newest(connection, part, most):
                count += len(columns)
                refused += unsound_checkpoint(part, dict(found), ring)
            if count:
                yield _rows_finding(f"rows of {part}", count, refused)


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return connection.execute(query, (name,)).fetchone() is not None


def unsound_store(table: str, row: Mapping[str, Any], ring: KeyRing) -> list[str]:
    """Places of this row of the store that do not open, by what they are bound to."""
    from metaagent.storage.sealed_columns import SEALED_COLUMNS

    columns = next((columns for known, columns in SEALED_COLUMNS.values() if known == table), {})
    places = [
        (name, (bound.name, *(str(row[column]) for column in bound.bound_to)))
        for name, bound in columns.items()
    ]
    return [
        "/".join(aad)
        for name, aad in places
        if row[name] is not None and not _opens(ring, "store", row[name], aad)
    ]


def unsound_checkpoint(table: str, row: Mapping[str, Any], ring: KeyRing) -> list[str]:
    """Places of this row of the checkpoints that do not open, or whose checksum is another."""
    from metaagent.protection.sealing import VERSION, checkpoint_aad
    from metaagent.storage.checkpoints.rows import checksum
    from metaagent.storage.rekey_checkpoints import SEALED

    if table not in SEALED:
        return []
    make, columns = SEALED[table]
    made, refused = make(tuple(row.values())), list[str]()
    for each in columns:
        kind, value, where = getattr(made, each.kind), getattr(made, each.value), each.row(made)
        aad = checkpoint_aad(str(kind).removesuffix(f"+{VERSION}"), where)
        whole = isinstance(value, bytes) and checksum(str(kind), value) == getattr(made, each.crc)
        if not whole or not _opens(ring, "checkpoint", value, aad):
            refused.append("/".join(filter(None, where)))
    return refused


def _newest(connection: sqlite3.Connection, table: str, most: int | None) -> Iterator[sqlite3.Row]:
    """Rows of a table, the newest first; names of tables are constants of ours."""
    limit = "" if most is None else f" LIMIT {most}"
    yield from connection.execute(f'SELECT * FROM "{table}" ORDER BY rowid DESC{limit}')  # noqa: S608


def _opens(ring: KeyRing, purpose: str, sealed: Any, aad: tuple[str, ...]) -> bool:
    from metaagent.protection.keys.renewal import claimed_kid

    kid = claimed_kid(sealed) if isinstance(sealed, bytes) else None
    tenant = ring.tenant_of(kid) if kid is not None else None
    if kid is None or tenant is None:
        return False
    try:
        ring.resealer(tenant, purpose, kid).open(sealed, aad)
    except (RowRefused, KeyUnavailable):
        return False
    return True


def opens_file(path: Path, ring: KeyRing) -> bool:
    """Say whether a sealed file of `files` or `artifacts` is as it was written."""
    return _opens(ring, "store", path.read_bytes(), ("files", path.name))


def _sealed_files(folder: Path, what: str, ring: KeyRing, most: int | None) -> Iterator[Finding]:
    paths = sorted(folder.glob("*/*"), key=lambda path: path.stat().st_mtime, reverse=True)[:most]
    refused = [path.name for path in paths if path.suffix != ".part" and not opens_file(path, ring)]
    if paths:
        yield _rows_finding(what, len(paths), refused)


def _trails(settings: Settings, ring: KeyRing) -> Iterator[Finding]:
    from metaagent.audit.review import verify_trail
    from metaagent.storage.audit_log import SqlAuditLog
    from metaagent.storage.audit_notes import NoteFiles
    from metaagent.storage.sql_base import sqlite_url

    url = settings.storage.url or sqlite_url(settings.data_dir / "metaagent.db")
    notes = NoteFiles(settings.data_dir / "audit")
    # Looked at first: whoever opens the trail signs it anew where no signature is.
    unsigned = {tenant for tenant in ring.tenants() if not notes.read(tenant)}
    try:
        audit = SqlAuditLog(url, ring, notes)
    except (MetaAgentError, OSError) as error:
        yield Finding("trail", NO_KEYS, {"problem": str(error)}, good=False)
        return
    with closing(audit):
        for tenant in ring.tenants():
            found = verify_trail(audit, tenant)
            if found.ok and found.entries and tenant in unsigned:
                yield Finding(f"trail of {tenant}", NOTES_GONE, {"tenant": tenant}, good=False)
            elif found.ok:
                params = {"entries": found.entries, "signed": found.signed}
                yield Finding(f"trail of {tenant}", TRAIL_SOUND, params)
            else:
                first = found.findings[0]
                yield Finding(
                    f"trail of {tenant}", TRAIL_BROKEN, {**first._asdict(), "tenant": tenant}, good=False
                )


def _clock(path: Path, now: datetime) -> Iterator[Finding]:
    with closing(_read_only(path)) as connection:
        if not _has_table(connection, "turns"):
            return
        newest = connection.execute("SELECT max(started_at) FROM turns").fetchone()[0]
    if not newest:
        return
    ahead = datetime.fromisoformat(newest) - now
    if ahead > _AHEAD:
        yield Finding("clock", CLOCK_BACK, {"newest": newest, "ahead": str(ahead).split(".")[0]}, good=False)
    else:
        yield Finding("clock", CLOCK, {"newest": newest})
