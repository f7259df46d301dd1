"""The audit trail in SQLite or PostgreSQL: one writer thread with group commit, and signed checkpoints."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hmac import compare_digest
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import orjson
from sqlalchemy import delete, func, insert, or_, select

from metaagent.audit.findings import Finding
from metaagent.audit.notes import Note, make_note, origin_of, trusted_keys
from metaagent.audit.store import AuditKeys, Where
from metaagent.audit.trail import (
    GENESIS,
    AuditEvent,
    Chain,
    Mac,
    Prepared,
    Receipt,
    StoredEntry,
    entry_body,
    entry_hash,
    prepare,
    verify,
    with_private,
)
from metaagent.errors import KeyUnavailable, RowRefused, StorageError, Text
from metaagent.security import StateSecurityManager
from metaagent.storage.audit_tables import (
    WRITES,
    create_tables,
    dropped,
    entries,
    lock_tenant,
    open_engine,
    statements,
    write_macs,
)
from metaagent.values import iso

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from metaagent.storage.audit_notes import NoteFiles

log = logging.getLogger(__name__)

NOT_WRITTEN = Text(
    "The audit trail could not be written ({reason}): what it was to record has not been acknowledged.",
    "감사 기록을 쓰지 못했습니다({reason}): 기록할 내용이 확인되지 않았습니다.",
)
TAMPERED = Text(
    "The audit trail of tenant '{tenant}' was changed by someone without the keys, or a part of it is missing: legal holds "
    "and erasures cannot be read from it. Restore it from a backup; `metaagent audit verify` says what is wrong.",
    "테넌트 '{tenant}'의 감사 기록이 키 없이 변경되었거나 일부가 없습니다. 법적 보존과 파기 기록을 읽을 수 없습니다. "
    "백업에서 복구하세요. 무엇이 잘못되었는지는 `metaagent audit verify`가 알려 줍니다.",
)
REGISTERED = ("legal_hold.", "person.erased", "rules.waive")
"""Beginnings of the events that are replayed."""
CLOSED = Text("The audit trail is closed.", "감사 기록이 닫혀 있습니다.")

_COLUMNS = (
    entries.c.seq,
    entries.c.body,
    entries.c.hash,
    entries.c.ts,
    entries.c.actor,
    entries.c.event,
    entries.c.session,
    entries.c.turn,
    entries.c.mac,
)
_PAGE = 2000


class _Waiting(NamedTuple):
    ready: Prepared
    future: Future[Receipt]


class _Task(NamedTuple):
    """Something that must run on the writer's thread, between two batches."""

    act: Callable[[], Any]
    future: Future[Any]


@dataclass
class _Register:
    """The entries replayed so far: new ones only ever come after them."""

    upto: int = 0
    entries: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class SqlAuditLog:
    """`append` returns at once with a future that resolves when the entry is committed."""

    def __init__(
        self,
        url: str,
        keys: AuditKeys,
        notes: NoteFiles,
        *,
        every_entries: int = 1000,
        every_seconds: float = 60.0,
        max_batch: int = 512,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.keys = keys
        self.notes = notes
        self.now = now
        self.broken: dict[str, list[Finding]] = {}  # tenants whose chain is not signed any further, and why
        self._engine = open_engine(url)
        self._every_entries = every_entries
        self._every_seconds = every_seconds
        self._max_batch = max_batch
        self._queue: SimpleQueue[_Waiting | _Task | None] = SimpleQueue()
        self._chains: dict[str, Chain] = {}  # up to the newest checkpoint
        self._mine: dict[str, dict[int, bytes]] = {}  # hashes of what this process wrote since then
        self._security = StateSecurityManager(keys=keys, purpose="audit")
        self._registers: dict[str, _Register] = {}
        self._register_lock = threading.Lock()
        self._macs: dict[str, Mac] = {}
        self._due = time.monotonic() + every_seconds
        self._closed = False
        self._gate = threading.Lock()
        with self._transaction() as connection:
            create_tables(connection)
        if keys.adopts_trails:
            self._adopt()
        self._thread = threading.Thread(target=self._run, name="metaagent-audit", daemon=True)
        self._thread.start()

    def append(self, event: AuditEvent) -> Future[Receipt]:
        """Refuses at once what cannot be written; the caller's cancellation does not take an entry back."""
        ready = self._prepare(event)
        future: Future[Receipt] = Future()
        future.set_running_or_notify_cancel()
        self._put(_Waiting(ready, future))
        return future

    async def record(self, event: AuditEvent) -> Receipt:
        return await asyncio.wrap_future(self.append(event))

    def append_in(self, connection: Connection, events: Sequence[AuditEvent]) -> list[Receipt]:
        """Append in the caller's transaction: the entries, of one tenant, are there exactly if what they tell of is.

        On SQLite the transaction should be BEGIN IMMEDIATE, or have written already.
        """
        return self._write(connection, events[0].tenant, [self._prepare(event) for event in events])

    def checkpoint(self, tenant: str) -> Note | None:
        """Signs what is there now. None where nothing is new, or where the chain is broken (see `broken`)."""
        return self.on_writer(lambda: self._checkpoint(tenant))

    def close(self) -> None:
        """Writes what waits, signs it, and ends the thread. Repeatable."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()
        self._engine.dispose()

    def __enter__(self) -> SqlAuditLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def timestamp(self) -> str:
        return iso(self.now())

    def tenants(self) -> list[str]:
        with self._engine.connect() as connection:
            return list(
                connection.execute(select(entries.c.tenant).distinct().order_by(entries.c.tenant)).scalars()
            )

    def rows(
        self, tenant: str, where: Where | None = None, *, newest_first: bool = False
    ) -> Iterator[StoredEntry]:
        """Yield entries in order of seq, or the other way round, from one snapshot."""
        query = select(*_COLUMNS).where(entries.c.tenant == tenant, *_conditions(where or Where()))
        paged = {"yield_per": _PAGE}
        order = entries.c.seq.desc() if newest_first else entries.c.seq
        with (
            self._engine.connect() as connection,
            connection.execute(query.order_by(order), execution_options=paged) as found,
        ):
            for page in found.partitions(_PAGE):
                yield from map(_stored, page)

    def entries_of(self, tenant: str, events: Collection[str]) -> list[dict[str, Any]]:
        """Every entry of these events in order, from bodies whose seals hold. StorageError where entries are missing or
        one was not written by this program: the search columns are not believed."""
        with self._register_lock:
            known = self._registers.setdefault(tenant, _Register())
            first, last, count = self._extent(tenant, known.upto)
            start = known.upto or self._dropped_upto(tenant)
            signed = (self.keys.trail(tenant) or {"size": 0})["size"]
            if (last or start) < signed or (count and (first != start + 1 or count != last - start)):
                raise StorageError(TAMPERED, tenant=tenant)
            known.entries += self._sealed_bodies(tenant, known.upto)
            known.upto = last or start
            return [entry for entry in known.entries if entry["event"] in events]

    def since_signed(self, tenant: str, events: Collection[str]) -> list[dict[str, Any]]:
        signed = (self.keys.trail(tenant) or {"size": 0})["size"]
        return [entry for entry in self._sealed_bodies(tenant, signed) if entry["event"] in events]

    def _extent(self, tenant: str, after: int) -> tuple[int | None, int, int]:
        seq = entries.c.seq
        query = select(func.min(seq), func.max(seq), func.count()).where(
            entries.c.tenant == tenant, seq > after
        )
        with self._engine.connect() as connection:
            first, last, count = connection.execute(query).one()
        return first, last or 0, count

    def _dropped_upto(self, tenant: str) -> int:
        """Up to where a signed note says that retention dropped entries."""
        trusted, origin = trusted_keys(self.keys.public_key()), origin_of(tenant, retention=True)
        sizes = [
            note.size
            for note in self.notes.read(tenant)
            if note and note.origin == origin and note.key in trusted and note.is_signed_by(trusted[note.key])
        ]
        return max(sizes, default=0)

    def _sealed_bodies(self, tenant: str, after: int) -> list[dict[str, Any]]:
        """Entries of the kinds that holds and erasures are read from, found in the bodies themselves."""
        mac = self._mac(tenant)
        on_sqlite = self._engine.dialect.name == "sqlite"
        place: Any = func.instr if on_sqlite else func.pg_catalog.position
        named = [place(entries.c.body, f'"event":"{name}'.encode()) > 0 for name in REGISTERED]
        query = select(*_COLUMNS).where(entries.c.tenant == tenant, entries.c.seq > after, or_(*named))
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(entries.c.seq)).all()
        return [_believed(_stored(row), tenant, mac) for row in rows]

    def sealed(self, tenant: str, event: str) -> list[dict[str, Any]]:
        mac = self._mac(tenant)
        found = [_believed(row, tenant, mac) for row in self.rows(tenant, Where(event=event))]
        return [entry for entry in found if entry["event"] == event]

    def on_writer(self, act: Callable[[], Any]) -> Any:
        future: Future[Any] = Future()
        self._put(_Task(act, future))
        return future.result()

    def drop(self, tenant: str, upto: int) -> int:
        """Deletes entries 1 to `upto`. Only retention calls this, after its signed note is stored."""
        with self._transaction() as connection:
            connection.execute(insert(dropped).values(tenant=tenant, upto=upto))
            chosen = (entries.c.tenant == tenant) & (entries.c.seq <= upto)
            return connection.execute(delete(entries).where(chosen)).rowcount

    def _put(self, item: _Waiting | _Task) -> None:
        with self._gate:
            if self._closed:
                raise StorageError(CLOSED)
            self._queue.put(item)

    @contextmanager
    def _transaction(self) -> Generator[Connection]:
        with self._engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            yield connection

    def _run(self) -> None:
        running = True
        while running:
            batch, task, running = self._next_batch()
            if batch:
                self._commit(batch)
            if task is not None:
                try:
                    task.future.set_result(task.act())
                except Exception as error:  # noqa: BLE001 - carried to the caller, who raises it
                    task.future.set_exception(error)
            self._sign_what_is_due(everything=not running)

    def _next_batch(self) -> tuple[list[_Waiting], _Task | None, bool]:
        """Take what waits now, up to a task or the end; waits for the first item until a checkpoint is due."""
        batch: list[_Waiting] = []
        try:
            item = self._queue.get(timeout=max(0.01, self._due - time.monotonic()))
            while True:
                if item is None:
                    return batch, None, False
                if isinstance(item, _Task):
                    return batch, item, True
                batch.append(item)
                if len(batch) >= self._max_batch:
                    break
                item = self._queue.get_nowait()
        except Empty:
            pass
        return batch, None, True

    def _commit(self, batch: list[_Waiting]) -> None:
        groups: dict[str, list[_Waiting]] = {}
        for waiting in batch:
            groups.setdefault(waiting.ready.event.tenant, []).append(waiting)
        try:
            with self._transaction() as connection:
                done = [
                    (group, self._write(connection, tenant, [one.ready for one in group]))
                    for tenant, group in sorted(
                        groups.items()
                    )  # one order: two processes cannot wait for each other
                ]
        except Exception as error:  # noqa: BLE001 - whatever it was, those who wait must hear of it
            failure = StorageError(NOT_WRITTEN, reason=f"{type(error).__name__}: {error}")
            failure.__cause__ = error
            for waiting in batch:
                waiting.future.set_exception(failure)
            return
        for group, receipts in done:
            for waiting, receipt in zip(group, receipts, strict=True):
                if not receipt.repeated and receipt.tenant not in self.broken:
                    self._mine.setdefault(receipt.tenant, {})[receipt.seq] = bytes.fromhex(receipt.hash)
                waiting.future.set_result(receipt)

    def _write(self, connection: Connection, tenant: str, batch: list[Prepared]) -> list[Receipt]:
        lock_tenant(connection, tenant)
        known = _known(
            connection, tenant, [ready.event.key for ready in batch if ready.event.key is not None]
        )
        found = statements(connection.dialect).head.rows(connection, {"tenant": tenant})
        seq, prev = (found[0][0], bytes(found[0][1]).hex()) if found else (0, GENESIS)
        made: list[dict[str, Any]] = []
        receipts: list[Receipt] = []
        for ready in batch:
            key = ready.event.key
            if key is not None and key in known:
                receipts.append(known[key]._replace(repeated=True))
                continue
            seq += 1
            row = self._row(ready, seq, prev)
            prev = row["hash"].hex()
            made.append(row)
            receipt = Receipt(tenant, seq, prev)
            receipts.append(receipt)
            if key is not None:
                known[key] = receipt
        if made:
            statements(connection.dialect).insert.run(connection, made)
        return receipts

    def _row(self, ready: Prepared, seq: int, prev: str) -> dict[str, Any]:
        event = ready.event
        body = entry_body(ready, seq=seq, prev=prev, pii=self._sealed_pii(ready, seq))
        digest = entry_hash(body)
        return {
            "tenant": event.tenant,
            "seq": seq,
            "body": body,
            "hash": digest,
            "mac": self._mac(event.tenant)(digest),
            "ts": ready.ts,
            "actor": ready.actor,
            "event": event.event,
            "session": event.session,
            "turn": event.turn,
            "key": event.key,
        }

    def _mac(self, tenant: str) -> Mac:
        known = self._macs.get(tenant)
        if known is None:
            known = self._macs[tenant] = self.keys.entry_mac(tenant)
        return known

    def _adopt(self) -> None:
        """Seal the trails that an earlier version wrote, once. One that does not verify stays as it is, and unsigned."""
        notes: dict[str, dict[str, Any]] = {}
        for tenant in self.tenants():
            trusted = trusted_keys(self.keys.public_key())
            checked = verify(self.rows(tenant), self.notes.read(tenant), tenant=tenant, trusted=trusted)
            if not checked.ok:
                log.error("audit trail of tenant %s is not taken over: %s", tenant, checked.findings[0].say())
                continue
            mac = self._mac(tenant)
            macs = {row.seq: mac(row.hash) for row in self.rows(tenant)}
            with self._transaction() as connection:
                write_macs(connection, tenant, macs)
            note = self.newest_note(tenant)
            if note is not None:
                notes[tenant] = note.as_json()
        self.keys.note_trails(notes, adopted=True)

    def _prepare(self, event: AuditEvent) -> Prepared:
        actor = event.actor
        if actor is None:
            actor = "system" if event.person is None else self.keys.alias(event.tenant, event.person)
        event = with_private(event, partial(self.keys.company_hash, event.tenant))
        return prepare(event, actor=actor, ts=self.timestamp(), data=self._without_personal(event))

    def _without_personal(self, event: AuditEvent) -> Mapping[str, Any]:
        """The last net: what looks personal all the same is sealed for the person, or hidden where there is none."""
        data = dict(event.data)
        if event.person is None:
            return self._security.sanitize_state_for_logging(data)
        where = {"tenant": event.tenant, "session": event.session or ""}
        return self._security.encrypt_sensitive_fields(data, **where, person=event.person)

    def opened(self, entry: dict[str, Any]) -> dict[str, Any]:
        """The entry with what was sealed in its data; as it is where its person was erased."""
        where = {"tenant": entry["tenant"], "session": entry["session"] or ""}
        try:
            return {**entry, "data": self._security.decrypt_sensitive_fields(entry["data"], **where)}
        except (KeyUnavailable, RowRefused):
            return entry

    def _sealed_pii(self, ready: Prepared, seq: int) -> str | None:
        if ready.pii is None:
            return None
        try:
            sealer = self.keys.sealer(ready.event.tenant, "audit", ready.event.person)
            return sealer.seal_text(ready.pii, (str(seq),))
        except KeyUnavailable:
            return (
                None  # erased while the entry waited: the rest of the batch, and of the entry, still counts
            )

    def _sign_what_is_due(self, *, everything: bool) -> None:
        timed = time.monotonic() >= self._due
        if timed:
            self._due = time.monotonic() + self._every_seconds
        try:
            # What others wrote (append_in, other processes) is found by asking the database, now and then.
            names = self.tenants() if everything or timed else list(self._mine)
            due = [
                tenant
                for tenant in names
                if everything or timed or len(self._mine[tenant]) >= self._every_entries
            ]
            self._checkpoint(*due)
        except Exception:
            # The writer must outlive a full disk or a locked key: entries go on, and are signed next time.
            log.exception("audit checkpoint failed")

    def _checkpoint(self, *tenants: str) -> Note | None:
        """Sign what is new in these trails; the key file learns of it, so that nobody can take it back.

        A trail that cannot be read keeps no other from being signed: who writes the database could name a company so.
        """
        notes: dict[str, Note] = {}
        failed: list[Exception] = []
        for tenant in tenants:
            if tenant in self.broken:
                continue
            try:
                chain = self._chains.get(tenant)
                if chain is None:
                    chain = self._chains[tenant] = self._resumed(tenant)
                note = self._sign(tenant, chain)
            except Exception as error:  # noqa: BLE001 - raised below, once the others are signed
                self._chains.pop(tenant, None)  # half followed: begin again from the newest note
                failed.append(error)
                continue
            if note is not None:
                notes[tenant] = note
        if notes:
            self.keys.note_trails({tenant: note.as_json() for tenant, note in notes.items()})
        if failed:
            raise failed[0]
        return next(iter(notes.values()), None)

    def _sign(self, tenant: str, chain: Chain) -> Note | None:
        before = chain.tree.size
        mine = self._mine.get(tenant, {})
        for row in self.rows(tenant, Where(after=before)):
            chain.follow(row)
            if mine.get(row.seq, row.hash) != row.hash:
                chain.findings.append(Finding("rehashed", row.seq, str(row.seq)))
        if chain.findings:
            self.broken[tenant] = chain.findings
            self._mine.pop(tenant, None)
            log.error("audit chain of tenant %s is not signed: %s", tenant, chain.findings[0].say())
            return None
        note = None
        if chain.tree.size > before:
            note = make_note(chain.tree, tenant, self.timestamp(), self.keys.sign)
            self.notes.append(tenant, note)
        self._mine.pop(tenant, None)
        return note

    def _resumed(self, tenant: str) -> Chain:
        """Continue from the newest note that we signed; the entry that it ends with must still be there."""
        note = self.newest_note(tenant)
        tree = None if note is None else note.tree()
        if note is None or tree is None:
            return Chain(tenant, mac=self._mac(tenant))
        last = next(self.rows(tenant, Where(after=note.size - 1)), None)
        prev = None if last is None else entry_hash(last.body).hex()
        chain = Chain(tenant, tree, prev, self._mac(tenant))
        if last is None or last.seq != note.size:
            chain.findings.append(Finding("cut_tail", note.size, f"{note.size}"))
        return chain

    def newest_note(self, tenant: str) -> Note | None:
        trusted, origin = trusted_keys(self.keys.public_key()), origin_of(tenant)
        known = self.keys.trail(tenant)
        notes = [*self.notes.read(tenant), *([Note.from_json(known)] if known else ())]
        mine = [note for note in notes if note and note.origin == origin and note.key in trusted]
        sound = [note for note in mine if note.is_signed_by(trusted[note.key])]
        return max(sound, key=lambda note: note.size, default=None)


def _known(connection: Connection, tenant: str, keys: list[str]) -> dict[str, Receipt]:
    if not keys:
        return {}
    named = {f"key{i}": key for i, key in enumerate(keys)}
    found = statements(connection.dialect).known(len(keys)).rows(connection, {"tenant": tenant, **named})
    return {key: Receipt(tenant, seq, bytes(digest).hex()) for key, seq, digest in found}


def _stored(row: Any) -> StoredEntry:
    """The row with bytes for its body: SQLite keeps values of any type in a column."""
    entry = StoredEntry._make(row)
    body = cast("object", entry.body)
    return entry if isinstance(body, bytes) else entry._replace(body=str(body).encode("utf-8", "replace"))


def _believed(row: StoredEntry, tenant: str, mac: Mac) -> dict[str, Any]:
    """The entry, if this program wrote it for this place; StorageError for any other."""
    if not isinstance(row.mac, bytes) or not compare_digest(row.mac, mac(entry_hash(row.body))):
        raise StorageError(TAMPERED, tenant=tenant)
    entry: dict[str, Any] = orjson.loads(row.body)
    if (entry["tenant"], entry["seq"]) != (tenant, row.seq):
        raise StorageError(TAMPERED, tenant=tenant)
    return entry


def _conditions(where: Where) -> Iterable[Any]:
    for column in (entries.c.session, entries.c.turn, entries.c.actor, entries.c.event):
        wanted = getattr(where, column.name)
        if wanted is not None:
            yield column == wanted
    if where.since is not None:
        yield entries.c.ts >= where.since
    if where.until is not None:
        yield entries.c.ts < where.until
    if where.after:
        yield entries.c.seq > where.after
    if where.before is not None:
        yield entries.c.seq < where.before
