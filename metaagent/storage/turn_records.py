"""Everything that a turn writes while it works: events, artifacts and versions of documents, in keyed rows.

A batch of rows is committed in one transaction (`commit`), with the files and the audit entries that belong to it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa

from metaagent.audit import AuditEvent
from metaagent.ports import ArtifactRef, NewVersion, Turn, User
from metaagent.protection.sealing import refused
from metaagent.storage.artifact_files import LARGEST_IN_ROW, ArtifactFiles, Outside, file_name
from metaagent.storage.document_rows import AddVersions, version_body
from metaagent.storage.prepared_statements import Prepared
from metaagent.storage.sql_base import packed, unpacked, unpacked_pieces
from metaagent.storage.tables import artifact_files, artifacts, document_versions, events, sessions, turns
from metaagent.storage.turn_rows import TurnRows
from metaagent.storage.vault import Vault

OF_EACH_KIND = 20
"""Newest artifacts of a kind that a turn knows, though many others were made since."""

OUTSIDE = b"f"
"""Begins the body of an artifact whose content is a file; its digest follows. Packed content begins otherwise."""

_FILE_OF = ("session_id", "artifact_id")

Write = Callable[[sa.Connection], object]
"""Something written in a transaction that another begins and ends."""


class Row(NamedTuple):
    """One row that a turn writes: keyed, so that writing it again changes nothing."""

    table: sa.Table
    values: dict[str, Any]
    file: Outside | None = None
    """Content that is too large for the row."""


class AuditWriter(Protocol):
    def append_in(self, connection: sa.Connection, events: Sequence[AuditEvent]) -> Any: ...


class TurnRecords(TurnRows):
    def __init__(self, url: str, vault: Vault, files: ArtifactFiles) -> None:
        super().__init__(url, vault)
        self._files = files
        self._audit: AuditWriter | None = None
        self._insert_once: dict[str, Prepared | AddVersions] = {
            "events": self.prepared(self._dialect.insert(events).on_conflict_do_nothing()),
            "artifacts": self.prepared(_once_or_anew(self._dialect.insert(artifacts))),
            "document_versions": AddVersions(),
            "artifact_files": self.prepared(self._dialect.insert(artifact_files).on_conflict_do_nothing()),
        }
        after = (
            sa.select(events.c.seq, events.c.company_id, events.c.body)
            .where(events.c.turn_id == sa.bindparam("turn"), events.c.seq > sa.bindparam("after"))
            .order_by(events.c.seq)
        )
        self._events_after = self.prepared(after)
        newest = _events_of(sa.bindparam("session"))
        newest = newest.order_by(turns.c.number.desc(), events.c.seq.desc()).limit(1)
        self._newest_event = self.prepared(newest)

    def tell(self, audit: AuditWriter) -> None:
        """Audit entries are committed together with the rows that they tell of."""
        self._audit = audit

    async def commit(self, rows: Sequence[Row | AuditEvent], also: Write | None = None) -> None:
        def write(connection: sa.Connection) -> None:
            self._insert(connection, rows)
            if also is not None:
                also(connection)

        await self._with_files(rows, write)

    async def _with_files(
        self, rows: Sequence[Row | AuditEvent], write: Callable[[sa.Connection], None]
    ) -> None:
        files = [row.file for row in rows if isinstance(row, Row) and row.file is not None]
        if not files:
            return await self._transaction(write)

        def work() -> None:
            with self._files.written(files):
                self._in_transaction(write)

        return await self._run(work)

    async def _remove_unnamed(self, names: Collection[str] | None = None) -> None:
        """Remove the files of artifacts that are gone, or that a crash kept from being there at all."""

        def named() -> set[str]:
            rows = self._in_transaction(
                lambda connection: connection.execute(sa.select(artifact_files.c.name))
            )
            return {name for (name,) in rows}

        await self._run(lambda: self._files.keep_only(named, names))

    def event_row(self, event: dict[str, Any], key: str, user: User) -> Row:
        turn_id, seq = event["turn_id"], event["seq"]
        values = {
            "turn_id": turn_id,
            "seq": seq,
            "session_id": event["session_id"],
            "company_id": user.company_id,
            "key": key,
            "body": self._seal(event, user, "events", turn_id, str(seq)),
        }
        return Row(events, values)

    def artifact_row(self, ref: ArtifactRef, content: bytes, turn: Turn, at: str) -> Row:
        body, file = packed(content), None
        if len(content) > LARGEST_IN_ROW:
            file = Outside(file_name(turn.session_id, ref.id), turn.user, body)
            body = OUTSIDE + hashlib.sha256(body).digest()
        values = {
            "session_id": turn.session_id,
            "artifact_id": ref.id,
            "turn_id": turn.turn_id,
            "company_id": turn.user.company_id,
            "kind": ref.kind,
            "created_at": at,
            "ref": self._seal(ref.as_json(), turn.user, "artifact_refs", turn.session_id, ref.id),
            "body": self._vault.seal(turn.user, body, ("artifacts", turn.session_id, ref.id)),
        }
        return Row(artifacts, values, file)

    def version_row(self, made: NewVersion, user: User, session_id: str, turn_id: str, at: str) -> Row:
        key = self.keyed_hash(user.company_id, made.key.encode())
        place = ("document_versions", user.company_id, made.document_id, key)
        values = {
            "company_id": user.company_id,
            "document_id": made.document_id,
            "version": made.version,
            "key": key,
            "owner": self.alias(user),
            "session_id": session_id,
            "turn_id": turn_id,
            "status": "draft",
            "created_at": at,
            "body": self._seal(version_body(made, user), user, *place),
        }
        return Row(document_versions, values)

    def _insert(self, connection: sa.Connection, rows: Sequence[Row | AuditEvent]) -> None:
        """Rows and audit entries together: an entry is there exactly if what it tells of is."""
        plain = [row for row in rows if isinstance(row, Row)]
        plain += [
            Row(artifact_files, {"name": row.file.name, **{key: row.values[key] for key in _FILE_OF}})
            for row in plain
            if row.file is not None
        ]
        for table in {row.table.name: row.table for row in plain}.values():
            same = [row.values for row in plain if row.table is table]
            self._insert_once[table.name].run(connection, same)
        told = [row for row in rows if isinstance(row, AuditEvent)]
        if told and self._audit is not None:
            _take_write_lock(connection)
            self._audit.append_in(connection, told)

    insert = _insert

    # --- events and artifacts ---------------------------------------------------------------------------

    async def events(self, turn_id: str, after: int = 0) -> list[dict[str, Any]]:
        rows = await self._at_hand(self._events_after, turn=turn_id, after=after)
        return [self._open(row.body, row.company_id, "events", turn_id, str(row.seq)) for row in rows]

    async def session_events(
        self, session_id: str, after: tuple[int, int], *, limit: int
    ) -> list[tuple[int, dict[str, Any]]]:
        """Events of all turns with the numbers of these, in order, after an event of a turn (its number and seq)."""
        number, seq = after
        query = (
            _events_of(session_id)
            .where(turns.c.number >= number)
            .where((turns.c.number > number) | (events.c.seq > seq))
            .order_by(turns.c.number, events.c.seq)
            .limit(limit)
        )
        return [self._event(row) for row in await self._rows(query)]

    async def newest_event(self, session_id: str) -> tuple[int, dict[str, Any]] | None:
        """The last event of a session, with the number of its turn."""
        rows = await self._at_hand(self._newest_event, session=session_id)
        return self._event(rows[0]) if rows else None

    async def newest_places(self, session_ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The number of the last turn of each of these sessions that there are, and the seq of its last event."""
        last = (
            sa.select(sa.func.max(events.c.seq)).where(events.c.turn_id == turns.c.turn_id).scalar_subquery()
        )
        found: dict[str, tuple[int, int]] = {}
        for start in range(0, len(session_ids), 500):
            some = sessions.c.session_id.in_(session_ids[start : start + 500])
            newest = (turns.c.session_id == sessions.c.session_id) & (turns.c.number == sessions.c.turns)
            query = sa.select(sessions.c.session_id, turns.c.number, last.label("seq"))
            rows = await self._rows(query.outerjoin(turns, newest).where(some))
            found |= {row.session_id: (row.number or 0, row.seq or 0) for row in rows}
        return found

    def _event(self, row: sa.Row[Any]) -> tuple[int, dict[str, Any]]:
        return row.number, self._open(row.body, row.company_id, "events", row.turn_id, str(row.seq))

    async def event_keys(self, turn_id: str) -> list[str]:
        """Reads them in the order of their seq, which is gapless: the next one is their number plus one."""
        query = sa.select(events.c.key).where(events.c.turn_id == turn_id).order_by(events.c.seq)
        return [key for (key,) in map(tuple, await self._rows(query))]

    async def artifact(self, session_id: str, artifact_id: str) -> bytes | None:
        found = await self._artifact_body(session_id, artifact_id)
        if found is None:
            return None
        company, body = found
        if body.startswith(OUTSIDE):
            outside = await asyncio.to_thread(self._files.read, company, file_name(session_id, artifact_id))
            if hashlib.sha256(outside).digest() != body[len(OUTSIDE) :]:
                raise refused(f"{company}/artifacts/{session_id}/{artifact_id}", "changed")
            body = outside
        return unpacked(body)

    async def artifact_pieces(self, session_id: str, artifact_id: str) -> Iterator[bytes] | None:
        """Its content in pieces, for a thread to read; what lies in a file is never in memory as a whole."""
        found = await self._artifact_body(session_id, artifact_id)
        if found is None:
            return None
        company, body = found
        if not body.startswith(OUTSIDE):
            return unpacked_pieces(iter((body,)))
        name = file_name(session_id, artifact_id)
        return unpacked_pieces(self._files.pieces(company, name, body[len(OUTSIDE) :]))

    async def _artifact_body(self, session_id: str, artifact_id: str) -> tuple[str, bytes] | None:
        """The company, and the content or the mark and digest of the file that has it."""
        query = sa.select(artifacts.c.company_id, artifacts.c.body).where(
            artifacts.c.session_id == session_id, artifacts.c.artifact_id == artifact_id
        )
        for row in await self._rows(query):
            body = self._vault.open(row.company_id, row.body, ("artifacts", session_id, artifact_id))
            return row.company_id, body
        return None

    async def artifact_ref(self, session_id: str, artifact_id: str) -> ArtifactRef | None:
        """Reads it as it was sealed: the columns beside it are for searching."""
        query = sa.select(artifacts.c.company_id, artifacts.c.ref).where(
            artifacts.c.session_id == session_id, artifacts.c.artifact_id == artifact_id
        )
        for row in await self._rows(query):
            opened = self._open(row.ref, row.company_id, "artifact_refs", session_id, artifact_id)
            return ArtifactRef.from_json(opened)
        return None

    async def artifact_refs(
        self, session_id: str, *, not_of: str = "", kind: str | None = None, limit: int = 40
    ) -> list[ArtifactRef]:
        """The newest, and the newest of each kind however old they are; the newest last. Those made in the turn `not_of` or
        in undone turns, and damaged ones, are left out."""
        number = sa.select(turns.c.number).where(turns.c.turn_id == artifacts.c.turn_id).scalar_subquery()
        newest = (number.desc(), artifacts.c.created_at.desc(), artifacts.c.artifact_id)
        there = (
            sa.select(
                artifacts.c.artifact_id,
                artifacts.c.company_id,
                artifacts.c.ref,
                artifacts.c.created_at,
                number.label("number"),
                sa.func.row_number().over(order_by=newest).label("place"),
                sa.func.row_number().over(partition_by=artifacts.c.kind, order_by=newest).label("of_kind"),
            )
            .where(artifacts.c.session_id == session_id, artifacts.c.turn_id != not_of)
            .where(artifacts.c.turn_id.not_in(_undone(session_id)))
            .where(sa.true() if kind is None else artifacts.c.kind == kind)
            .subquery()
        )
        kept = (there.c.place <= limit) | (there.c.of_kind <= min(limit, OF_EACH_KIND))
        query = sa.select(there).where(kept).order_by(there.c.place)
        rows = await self._rows(query)
        opened = [
            self._read(row.ref, row.company_id, "artifact_refs", session_id, row.artifact_id) for row in rows
        ]
        read = [
            ((row.number or 0, row.created_at), ArtifactRef.from_json(ref))
            for row, ref in zip(reversed(rows), reversed(opened), strict=True)
            if ref is not None
        ]
        return _as_made(read)

    async def artifact_rows(self, session_id: str) -> list[tuple[ArtifactRef, str, str]]:
        """Every artifact of the session with the turn that made it and the time, in that order."""
        columns = artifacts.c
        query = (
            sa.select(
                columns.artifact_id, columns.company_id, columns.turn_id, columns.created_at, columns.ref
            )
            .where(columns.session_id == session_id)
            .order_by(columns.created_at, columns.artifact_id)
        )
        rows = await self._rows(query)
        return [
            (
                ArtifactRef.from_json(
                    self._open(row.ref, row.company_id, "artifact_refs", session_id, row.artifact_id)
                ),
                row.turn_id,
                row.created_at,
            )
            for row in rows
        ]

    async def remove_artifacts(self, session_id: str, ids: Sequence[str], told: AuditEvent) -> int:
        """All of them, in one transaction."""
        files = frozenset(file_name(session_id, name) for name in ids)

        def write(connection: sa.Connection) -> int:
            removed = 0
            for start in range(0, len(ids), 500):
                some = ids[start : start + 500]
                for table in (artifact_files, artifacts):
                    here = (table.c.session_id == session_id) & table.c.artifact_id.in_(some)
                    gone = connection.execute(table.delete().where(here)).rowcount
                removed += gone
            self._insert(connection, [told])
            return removed

        removed = await self._transaction(write)
        await self._remove_unnamed(files)
        return removed


def _take_write_lock(connection: sa.Connection) -> None:
    """Before the head of the audit chain is read: whoever else appends must wait until ours is committed. SQLite's driver
    begins a transaction with the first statement that writes, and there may have been none yet."""
    raw: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite" and not raw.in_transaction:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _events_of(session_id: str | sa.BindParameter[Any]) -> sa.Select[*tuple[Any, ...]]:
    columns = (turns.c.number, events.c.turn_id, events.c.seq, events.c.company_id, events.c.body)
    query = sa.select(*columns).join(events, events.c.turn_id == turns.c.turn_id)
    return query.where(turns.c.session_id == session_id)


def _as_made(read: Sequence[tuple[tuple[int, str], ArtifactRef]]) -> list[ArtifactRef]:
    """The artifacts in the order of their turns and times; of those of one moment, each behind the ones that it was made from."""
    known = {ref.id: ref for _, ref in read}
    depths: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in depths:
            depths[name] = 0  # a circle of references, which nothing of ours writes, ends here
            depths[name] = 1 + max(
                (depth(each) for each in known[name].made_from if each in known), default=0
            )
        return depths[name]

    return [ref for _, ref in sorted(read, key=lambda each: (*each[0], depth(each[1].id)))]


def _undone(session_id: str) -> sa.Select[Any]:
    return sa.select(turns.c.turn_id).where(turns.c.session_id == session_id, turns.c.status == "undone")


def _once_or_anew(insert: Any) -> sa.Executable:
    """Keep what is there as it is, unless it was made in a turn that is undone: then it is made now."""
    undone = sa.select(turns.c.turn_id).where(
        turns.c.session_id == insert.excluded.session_id, turns.c.status == sa.literal_column("'undone'")
    )
    anew = {"turn_id": insert.excluded.turn_id, "created_at": insert.excluded.created_at}
    return insert.on_conflict_do_update(
        index_elements=["session_id", "artifact_id"], set_=anew, where=artifacts.c.turn_id.in_(undone)
    )
