"""Sessions, turns, events and artifacts.

What people said and what agents found is in `body` columns, written and read through the sealer, bound to its row.
Everything that a turn writes while it works goes through `commit`: one transaction for a batch of rows.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import orjson
import sqlalchemy as sa

from metaagent.audit import AuditEvent
from metaagent.ports import (
    ENDED,
    RECENT_RUNS,
    ArtifactRef,
    NewVersion,
    Run,
    SessionInfo,
    TrackRecord,
    Turn,
    TurnStatus,
    User,
)
from metaagent.protection.sealing import refused
from metaagent.state.migrations import STATES
from metaagent.storage import history
from metaagent.storage.artifact_files import LARGEST_IN_ROW, ArtifactFiles, Outside, file_name
from metaagent.storage.document_rows import AddVersions, version_body
from metaagent.storage.prepared_statements import Prepared
from metaagent.storage.sql_base import UNREADABLE, SqlBase, packed, unpacked, unpacked_pieces
from metaagent.storage.tables import (
    agent_records,
    artifact_files,
    artifacts,
    commands,
    document_versions,
    effects,
    events,
    messages,
    meta,
    model_use,
    sessions,
    step_starts,
    turns,
)
from metaagent.storage.vault import Vault
from metaagent.values import mapping

PENDING = "pending:"
DELETE, AT = "delete", "at:"
"""Marks of what is pending for a session's checkpoints: to be deleted, or to go to one of them."""

OF_EACH_KIND = 20
"""Newest artifacts of a kind that a turn knows, though many others were made since."""

OUTSIDE = b"f"
"""Begins the body of an artifact whose content is a file; its digest follows. Packed content begins otherwise."""

_OF_SESSION = (
    *(events, artifacts, artifact_files, messages, effects, step_starts, model_use, commands),
    *(turns, sessions),
)
_FILE_OF = ("session_id", "artifact_id")

logger = logging.getLogger(__name__)

Write = Callable[[sa.Connection], object]
"""Something written in a transaction that another begins and ends."""


@dataclass(frozen=True)
class Row:
    """One row that a turn writes: keyed, so that writing it again changes nothing."""

    table: sa.Table
    values: dict[str, Any]
    file: Outside | None = None
    """Content that is too large for the row."""


class AuditWriter(Protocol):
    def append_in(self, connection: sa.Connection, events: Sequence[AuditEvent]) -> Any: ...


class SqlStore(SqlBase):
    """Everything public is a coroutine."""

    def __init__(self, url: str, vault: Vault, files: ArtifactFiles) -> None:
        super().__init__(url, vault)
        self._files = files
        self._audit: AuditWriter | None = None
        self._drawn_from: dict[str, Callable[[sa.Connection, str], int]] = {}
        self._insert_once: dict[str, Prepared | AddVersions] = {
            "events": self.prepared(self._dialect.insert(events).on_conflict_do_nothing()),
            "artifacts": self.prepared(_once_or_anew(self._dialect.insert(artifacts))),
            "document_versions": AddVersions(),
            "artifact_files": self.prepared(self._dialect.insert(artifact_files).on_conflict_do_nothing()),
        }
        self._insert_new = {table.name: self.prepared(table.insert()) for table in (sessions, turns)}
        self._update_turn = self.prepared(_update_of(turns, "turn_id", ("status", "ended_at", "body")))
        self._update_session = self.prepared(
            _update_of(sessions, "session_id", ("turns", "updated_at", "schema_version"))
        )
        one_more = {"unended": step_starts.c.unended + sa.literal_column("1")}
        of_step = ["turn_id", "step_id", "agent"]
        counted = self._dialect.insert(step_starts).on_conflict_do_update(
            index_elements=of_step, set_=one_more
        )
        self._count_start = self.prepared(counted)
        of_turn = step_starts.c.turn_id == sa.bindparam("the_id")
        self._forget_starts = self.prepared(step_starts.delete().where(of_turn))
        of_use = model_use.c.turn_id == sa.bindparam("the_id")
        self._forget_use = self.prepared(model_use.delete().where(of_use))
        self._end_starts = self.prepared(
            step_starts.update().where(of_turn).values(unended=sa.literal_column("0"))
        )
        self._add_run = self.prepared(self._added_run())
        once = history.next_message(self._dialect.insert(messages)).on_conflict_do_nothing()
        self._add_message = self.prepared(once)

    async def open(self) -> None:
        await super().open()
        await self._remove_unnamed()

    def tell(self, audit: AuditWriter) -> None:
        """Audit entries are committed together with the rows that they tell of."""
        self._audit = audit

    def delete_too(self, name: str, remove: Callable[[sa.Connection, str], int]) -> None:
        """Remove what is drawn from a session and kept elsewhere with it, in the same transaction."""
        self._drawn_from[name] = remove

    # --- sessions and turns -----------------------------------------------------------------------------

    async def session(self, session_id: str, *, unread: bool = False) -> SessionInfo | None:
        """Refused where its row does not say inside whose it is, unless it is `unread`: to be deleted."""
        found = await self._sessions(sessions.c.session_id == session_id, limit=1, or_refusal=unread)
        return found[0] if found else None

    async def list_sessions(
        self, user: User, *, limit: int = 100, before: str | None = None
    ) -> list[SessionInfo]:
        """This person's, the most recently used first; `before` pages on from an `updated_at`."""
        mine = self._mine(user)
        return await self._sessions(mine & (sessions.c.updated_at < before) if before else mine, limit=limit)

    def _mine(self, user: User) -> sa.ColumnElement[bool]:
        return (sessions.c.company_id == user.company_id) & (sessions.c.owner == self._vault.alias(user))

    async def add_turn(self, turn: Turn, new: SessionInfo | None = None) -> None:
        """The turn, its number in the session, and the session if it is `new`: together or not at all."""

        turn_values = self._turn_values(turn)
        begun = replace(new, turns=turn.number, updated_at=turn.started_at) if new is not None else None
        said = history.messages_of(turn, self._seal)
        session_values = self._session_values(begun, turn.user) if begun is not None else None

        def write(connection: sa.Connection) -> None:
            if session_values is not None:
                self._insert_new["sessions"].run(connection, [session_values])
            self._insert_new["turns"].run(connection, [turn_values])
            if session_values is None:
                grown = {"turns": turn.number, "updated_at": turn.started_at, "the_id": turn.session_id}
                self._update_session.run(connection, [{**grown, "schema_version": STATES.newest}])
            if said:
                self._add_message.run(connection, said)

        await self._transaction(write)

    async def save_turn(
        self,
        turn: Turn,
        rows: Sequence[Row | AuditEvent] = (),
        runs: Sequence[Run] = (),
        also: Write | None = None,
    ) -> None:
        values = self._turn_values(turn)
        said = history.messages_of(turn, self._seal)

        def write(connection: sa.Connection) -> None:
            self._update_turn.run(connection, [{**values, "the_id": turn.turn_id}])
            self._insert(connection, rows)
            if runs:
                added = [{"agent": run.agent, **vars(TrackRecord().plus(run))} for run in runs]
                self._add_run.run(connection, added)
            if said:
                self._add_message.run(connection, said)
            if also is not None:
                also(connection)
            if turn.status not in {"queued", "running"}:
                # What was used is in the outcome now, and no step is under way.
                starts = self._forget_starts if turn.status in ENDED else self._end_starts
                starts.run(connection, [{"the_id": turn.turn_id}])
                self._forget_use.run(connection, [{"the_id": turn.turn_id}])

        await self._with_files(rows, write)

    async def count_starts(self, turn: Turn, places: Sequence[tuple[str, str]]) -> None:
        """Count the start of an agent in each of these places, a step and its agent."""
        ids = {"turn_id": turn.turn_id, "session_id": turn.session_id, "unended": 1}
        rows = [{**ids, "step_id": step_id, "agent": agent} for step_id, agent in places]
        await self._transaction(lambda connection: self._count_start.run(connection, rows))

    async def starts(self, turn_id: str) -> dict[tuple[str, str], int]:
        """Agents that were started in an unfinished turn, by step and agent: how many starts nobody saw the end of."""
        query = sa.select(step_starts).where(step_starts.c.turn_id == turn_id).order_by(step_starts.c.step_id)
        return {(row.step_id, row.agent): row.unended for row in await self._rows(query)}

    async def add_model_use(self, turn: Turn, tokens: int, calls: int) -> None:
        row = {"turn_id": turn.turn_id, "session_id": turn.session_id, "tokens": tokens, "calls": calls}
        more = {"tokens": model_use.c.tokens + tokens, "calls": model_use.c.calls + calls}
        insert = self._dialect.insert(model_use).values(row)
        await self._rows(insert.on_conflict_do_update(index_elements=["turn_id"], set_=more))

    async def model_use(self, turn_id: str) -> tuple[int, int]:
        """Tokens and calls of the chat model in this turn since it last waited: those of runs that crashed."""
        query = sa.select(model_use.c.tokens, model_use.c.calls).where(model_use.c.turn_id == turn_id)
        rows = await self._rows(query)
        return (rows[0].tokens, rows[0].calls) if rows else (0, 0)

    async def end_starts(self, turn_id: str) -> None:
        """Note that a turn stopped in good order: what it had started did not take its process down."""
        await self._transaction(lambda connection: self._end_starts.run(connection, [{"the_id": turn_id}]))

    async def turn(self, turn_id: str) -> Turn | None:
        found = await self._turns(turns.c.turn_id == turn_id, limit=1)
        return found[0] if found else None

    async def last_turn(self, session_id: str) -> Turn | None:
        found = await self._turns(turns.c.session_id == session_id, limit=1)
        return found[0] if found else None

    async def live_turn(self, session_id: str) -> int:
        """The number of the newest turn that is not undone; 0 if there is none."""
        query = sa.select(sa.func.max(turns.c.number)).where(
            turns.c.session_id == session_id, turns.c.status != "undone"
        )
        (row,) = await self._rows(query)
        return row[0] or 0

    async def list_turns(self, session_id: str, *, limit: int = 100, before: int | None = None) -> list[Turn]:
        """The newest first; `before` pages on from a turn's number."""
        mine = turns.c.session_id == session_id
        return await self._turns(
            mine & (turns.c.number < before) if before is not None else mine, limit=limit
        )

    async def show_turns(self, session_id: str, *, limit: int, before: int | None = None) -> list[Turn]:
        """Reads turns to be looked at: one that cannot be read has its refusal in place of what was said."""
        here = turns.c.session_id == session_id
        wanted = here if before is None else here & (turns.c.number < before)
        return await self._turns(wanted, limit=limit, or_refusal=True)

    async def history(
        self, session_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[dict[str, Any]]:
        """Messages, the newest first; `before` pages on from a position."""
        query = history.page(session_id, before, limit)
        rows = await self._rows(query)
        return [history.message(row, self._open) for row in rows]

    async def search_history(
        self, session_id: str, text: str, *, before: int | None = None, limit: int = 50
    ) -> list[dict[str, Any]]:
        """Messages that hold the text, the newest first: page after page is opened until enough is found."""
        holds = history.holding(text)
        found: list[int] = []
        while True:
            query = history.bodies(session_id, before)
            rows = await self._rows(query)
            found += await asyncio.to_thread(self._holding, rows, lambda row: ("messages", *row[3:]), holds)
            if len(rows) < history.PAGE or len(found) >= limit:
                break
            before = rows[-1].position
        chosen = messages.c.position.in_(found[:limit])
        query = history.page(session_id, None, limit).where(chosen)
        return [history.message(row, self._open) for row in await self._rows(query)]

    async def search_sessions(self, user: User, text: str, *, limit: int = 100) -> list[SessionInfo]:
        """This person's sessions whose title holds the text, the most recently used first."""
        holds = history.holding(text)
        columns, mine = sessions.c, self._mine(user)
        last: tuple[str, str] | None = None
        found: list[str] = []
        while True:
            older = sa.tuple_(columns.updated_at, columns.session_id) < last if last else sa.true()
            query = (
                sa.select(columns.session_id, columns.company_id, columns.body, columns.updated_at)
                .where(mine & older)
                .order_by(columns.updated_at.desc(), columns.session_id.desc())
                .limit(history.PAGE)
            )
            rows = await self._rows(query)
            found += await asyncio.to_thread(
                self._holding, rows, lambda row: ("sessions", row[0]), lambda body: holds(body["title"])
            )
            if len(rows) < history.PAGE or len(found) >= limit:
                return await self._sessions(columns.session_id.in_(found[:limit]), limit=limit)
            last = (rows[-1].updated_at, rows[-1].session_id)

    def _holding(
        self,
        rows: Sequence[Sequence[Any]],
        place: Callable[[tuple[Any, ...]], tuple[str, ...]],
        holds: Callable[[Any], bool],
    ) -> list[Any]:
        """The ids of those rows (id, company, body, ...) whose body it is; all are of one company. A damaged one is
        passed over."""
        found: list[Any] = []
        left = [tuple(row) for row in rows]
        while left:
            opened = self._vault.open_many(left[0][1], ((row[2], place(row)) for row in left))
            done = 0
            try:
                for content in opened:
                    if holds(orjson.loads(unpacked(content))):
                        found.append(left[done][0])
                    done += 1
            except UNREADABLE as error:
                logger.error("%s", error)
            left = left[done + 1 :]
        return found

    async def waiting(self, company_id: str, *, limit: int = 1000) -> list[Turn]:
        """Turns of everyone in the company, the newest first."""
        return await self._turns(
            (turns.c.company_id == company_id) & (turns.c.status == "waiting"), limit=limit
        )

    async def unfinished(self, *, limit: int = 10_000) -> list[Turn]:
        """Turns of everyone that run or should; those that cannot be read are left out."""
        found = await self._turns(turns.c.status.in_(("queued", "running")), limit=limit, or_refusal=True)
        return [turn for turn in found if turn.question]

    async def records(self) -> dict[str, TrackRecord]:
        rows = await self._rows(sa.select(agent_records))
        return {agent: TrackRecord(*figures) for agent, *figures in map(tuple, rows)}

    async def count_session(self, session_id: str) -> dict[str, int]:
        """Count the rows of each kind belong to the session."""
        tables = _OF_SESSION
        counts = [
            sa.select(sa.func.count())
            .select_from(table)
            .where(table.c.session_id == session_id)
            .scalar_subquery()
            for table in tables
        ]
        (row,) = await self._rows(sa.select(*counts))
        return dict(zip((str(table.name) for table in tables), row, strict=True))

    async def delete_session(self, session_id: str, told: AuditEvent | None = None) -> dict[str, int]:
        """Everything of the session in this store, in one transaction with its audit entry; what was removed, by table.
        That its checkpoints must follow is noted until `settle`."""

        files = await self._files_of(artifact_files.c.session_id == session_id)

        def write(connection: sa.Connection) -> dict[str, int]:
            self._note_pending(connection, session_id, DELETE)
            drawn = {name: remove(connection, session_id) for name, remove in self._drawn_from.items()}
            own = {
                table.name: connection.execute(
                    table.delete().where(table.c.session_id == session_id)
                ).rowcount
                for table in _OF_SESSION
            }
            self._insert(connection, [told] if told else [])
            return {**own, **drawn}

        removed = await self._transaction(write)
        await self._remove_unnamed(files)
        return removed

    async def _files_of(self, where: sa.ColumnElement[bool]) -> frozenset[str]:
        rows = await self._rows(sa.select(artifact_files.c.name).where(where))
        return frozenset(row.name for row in rows)

    # --- whole sessions ---------------------------------------------------------------------------------

    async def add_session(
        self, info: SessionInfo, user: User, past: Sequence[Turn], rows: Sequence[Row | AuditEvent]
    ) -> None:
        """A session with its past, together or not at all; what was noted as pending for it is settled."""
        session_values = self._session_values(info, user)
        turn_values = [self._turn_values(turn) for turn in past]
        stages = [stage for turn in past for stage in (replace(turn, status="running"), turn)]
        said = [message for turn in stages for message in history.messages_of(turn, self._seal)]

        def write(connection: sa.Connection) -> None:
            self._insert_new["sessions"].run(connection, [session_values])
            if turn_values:
                self._insert_new["turns"].run(connection, turn_values)
            if said:
                self._add_message.run(connection, said)
            self._insert(connection, rows)
            connection.execute(meta.delete().where(meta.c.key == PENDING + info.session_id))

        await self._with_files(rows, write)

    async def go_to_turn(self, session_id: str, number: int, checkpoint: str, told: AuditEvent) -> int:
        """The turns that led to this one count again, all others are marked as undone; how many more that are. That
        the checkpoints must follow is noted until `settle`."""
        past = await self.list_turns(session_id, limit=1_000_000)
        led = {turn.turn_id for turn in line_of(past, number)}
        again = [turn.turn_id for turn in past if turn.turn_id in led and turn.status == "undone"]
        changes = {turn_id: await self._status_before(turn_id) for turn_id in again}
        undone = [turn.turn_id for turn in past if turn.turn_id not in led and turn.status != "undone"]
        changes |= dict.fromkeys(undone, "undone")

        def write(connection: sa.Connection) -> int:
            for turn_id, status in changes.items():
                connection.execute(turns.update().where(turns.c.turn_id == turn_id).values(status=status))
            self._note_pending(connection, session_id, f"{AT}{checkpoint}")
            self._insert(connection, [told])
            return len(undone)

        return await self._transaction(write)

    async def _status_before(self, turn_id: str) -> str:
        """The way a turn had ended before it was undone."""
        query = sa.select(turns.c.company_id, turns.c.body).where(turns.c.turn_id == turn_id)
        (row,) = await self._rows(query)
        return self._open(row.body, row.company_id, "turns", turn_id).get("status") or "completed"

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

    async def note_pending(self, session_id: str, what: str) -> None:
        """Note what must be done to the session's checkpoints if nobody comes back to settle it."""
        await self._transaction(lambda connection: self._note_pending(connection, session_id, what))

    async def pending(self, session_id: str) -> str | None:
        query = sa.select(meta.c.value).where(meta.c.key == PENDING + session_id)
        rows = await self._rows(query)
        return rows[0].value if rows else None

    async def all_pending(self) -> list[str]:
        query = sa.select(meta.c.key).where(meta.c.key.startswith(PENDING))
        rows = await self._rows(query)
        return [row.key.removeprefix(PENDING) for row in rows]

    async def settle(self, session_id: str) -> None:
        await self._rows(meta.delete().where(meta.c.key == PENDING + session_id))

    async def note_changed(
        self,
        key: str,
        value: Mapping[str, Any],
        told: Callable[[Mapping[str, Any]], Sequence[AuditEvent]],
        *,
        first: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps a value for the next opening; if another one was kept, what is told of the change is written with it:
        once, whoever else opens at this moment. `first` counts as the one that was kept where none was."""
        now = orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
        query = sa.select(meta.c.value).where(meta.c.key == key)

        def write(connection: sa.Connection) -> None:
            begun = now if first is None else orjson.dumps(first).decode()
            insert = self._dialect.insert(meta).values(key=key, value=begun)
            connection.execute(insert.on_conflict_do_nothing())
            before = connection.execute(query.with_for_update()).scalar_one()
            if before != now:
                connection.execute(meta.update().where(meta.c.key == key).values(value=now))
                for event in told(_record(before)):
                    self._insert(connection, [event])

        rows = await self._rows(query)
        if not rows or rows[0].value != now:
            await self._transaction(write)

    async def set_schema_version(self, session_id: str, version: int) -> None:
        change = sessions.update().where(sessions.c.session_id == session_id).values(schema_version=version)
        await self._rows(change)

    async def outdated(self, version: int) -> list[str]:
        """Sessions that an earlier version wrote last."""
        query = sa.select(sessions.c.session_id).where(sessions.c.schema_version < version)
        return [row.session_id for row in await self._rows(query)]

    # --- what a turn writes while it works --------------------------------------------------------------

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

    async def events(self, turn_id: str, after: int = 0) -> list[dict[str, Any]]:
        query = (
            sa.select(events.c.seq, events.c.company_id, events.c.body)
            .where(events.c.turn_id == turn_id, events.c.seq > after)
            .order_by(events.c.seq)
        )
        rows = await self._rows(query)
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
        query = _events_of(session_id).order_by(turns.c.number.desc(), events.c.seq.desc()).limit(1)
        found = [self._event(row) for row in await self._rows(query)]
        return found[0] if found else None

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

    async def sessions_of(self, company_id: str, owner: str) -> list[str]:
        """Ids alone: nothing is opened, so that what cannot be read can still be removed."""
        query = sa.select(sessions.c.session_id).where(
            sessions.c.company_id == company_id, sessions.c.owner == owner
        )
        return [row.session_id for row in await self._rows(query)]

    async def artifact_refs(
        self, session_id: str, *, not_of: str = "", kind: str | None = None, limit: int = 40
    ) -> list[ArtifactRef]:
        """The newest, and the newest of each kind however old they are; the newest last. Those made in the turn `not_of` or
        in undone turns, and damaged ones, are left out."""
        newest = (artifacts.c.created_at.desc(), artifacts.c.artifact_id)
        there = (
            sa.select(
                artifacts.c.artifact_id,
                artifacts.c.company_id,
                artifacts.c.ref,
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
        return [ArtifactRef.from_json(ref) for ref in reversed(opened) if ref is not None]

    # --- inside -----------------------------------------------------------------------------------------

    def _note_pending(self, connection: sa.Connection, session_id: str, what: str) -> None:
        insert = self._dialect.insert(meta).values(key=PENDING + session_id, value=what)
        connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_={"value": what}))

    def _session_values(self, info: SessionInfo, user: User) -> dict[str, Any]:
        return {
            "session_id": info.session_id,
            "company_id": info.company_id,
            "owner": info.owner,
            "created_at": info.created_at,
            "updated_at": info.updated_at,
            "turns": info.turns,
            "schema_version": info.schema_version,
            "body": self._seal({"title": info.title}, user, "sessions", info.session_id),
        }

    def _turn_values(self, turn: Turn) -> dict[str, Any]:
        body = {
            "question": turn.question,
            "language": turn.language,
            "user": [turn.user.user_id, turn.user.company_id, list(turn.user.roles)],
            "waiting": list(turn.waiting),
            "answers": dict(turn.answers),
            "outcome": turn.outcome,
            "status": turn.status,
            "follows": turn.follows,
            **({"attached": list(turn.attached)} if turn.attached else {}),
            "place": [turn.session_id, turn.number],
        }
        return {
            "turn_id": turn.turn_id,
            "session_id": turn.session_id,
            "company_id": turn.user.company_id,
            "number": turn.number,
            "status": turn.status,
            "started_at": turn.started_at,
            "ended_at": turn.ended_at,
            "body": self._seal(body, turn.user, "turns", turn.turn_id),
        }

    def _added_run(self) -> sa.Executable:
        insert = self._dialect.insert(agent_records)
        sums = ("runs", "successes", "quality_sum", "seconds_sum", "timed", "log_sum", "log_squares")
        grown = {name: agent_records.c[name] + insert.excluded[name] for name in sums}
        two, kept = sa.literal_column("2"), sa.literal_column(str((1 << RECENT_RUNS) - 1))
        moved_up = agent_records.c.recent * two + insert.excluded.recent
        grown["recent"] = sa.type_coerce(moved_up, sa.Integer).bitwise_and(kept)
        return insert.on_conflict_do_update(index_elements=["agent"], set_=grown)

    async def _turns(
        self, where: sa.ColumnElement[bool], *, limit: int, or_refusal: bool = False
    ) -> list[Turn]:
        theirs = sa.select(turns, sessions.c.owner).outerjoin(
            sessions, turns.c.session_id == sessions.c.session_id
        )
        query = theirs.where(where).order_by(turns.c.number.desc()).limit(limit)
        rows = await self._rows(query)
        return [self._turn_or_refusal(row) if or_refusal else self._turn(row) for row in rows]

    def _turn_or_refusal(self, row: sa.Row[Any]) -> Turn:
        try:
            return self._turn(row)
        except UNREADABLE as error:
            problem = {"code": error.code, "message": str(error), "message_ko": error.say("ko")}
            return Turn(
                row.turn_id,
                row.session_id,
                row.number,
                row.status,
                "",
                "en",
                User(company_id=row.company_id),
                row.started_at,
                row.ended_at,
                outcome={"errors": [problem]},
            )

    def _turn(self, row: sa.Row[Any]) -> Turn:
        body = self._open(row.body, row.company_id, "turns", row.turn_id)
        if not self._is_in_its_place(row, body):
            raise refused(f"{row.company_id}/store/turns/{row.turn_id}", "changed")
        user_id, company_id, roles = body["user"]
        return Turn(
            turn_id=row.turn_id,
            session_id=row.session_id,
            number=row.number,
            status=cast("TurnStatus", row.status),
            question=body["question"],
            language=body["language"],
            user=User(user_id, company_id, tuple(roles)),
            started_at=row.started_at,
            ended_at=row.ended_at,
            waiting=tuple(body["waiting"]),
            answers=body["answers"],
            outcome=body["outcome"],
            follows=body.get("follows"),
            attached=tuple(body.get("attached", ())),
        )

    def _is_in_its_place(self, row: sa.Row[Any], body: Mapping[str, Any]) -> bool:
        """A turn says inside to which session it belongs. One that an earlier version wrote does not: it must be of the
        person whom the session belongs to."""
        if "place" in body:
            return body["place"] == [row.session_id, row.number]
        return row.owner is None or self._vault.belongs_to(row.body, row.owner)

    def _title(self, row: sa.Row[Any]) -> str:
        title = self._open(row.body, row.company_id, "sessions", row.session_id)["title"]
        if not self._vault.belongs_to(row.body, row.owner):
            raise refused(f"{row.company_id}/store/sessions/{row.session_id}", "changed")
        return title

    async def _sessions(
        self, where: sa.ColumnElement[bool], *, limit: int, or_refusal: bool = True
    ) -> list[SessionInfo]:
        newest = (
            sa.select(turns.c.status)
            .where(turns.c.session_id == sessions.c.session_id, turns.c.number == sessions.c.turns)
            .scalar_subquery()
        )
        query = (
            sa.select(sessions, newest.label("status"))
            .where(where)
            .order_by(sessions.c.updated_at.desc(), sessions.c.session_id.desc())
            .limit(limit)
        )
        rows = await self._rows(query)
        return [self._session(row, or_refusal=or_refusal) for row in rows]

    def _session(self, row: sa.Row[Any], *, or_refusal: bool) -> SessionInfo:
        """One damaged title must not hide all other sessions."""
        title, problem = "", ""
        try:
            title = self._title(row)
        except UNREADABLE as error:
            if not or_refusal:
                raise
            problem = str(error)
        return SessionInfo(
            session_id=row.session_id,
            company_id=row.company_id,
            owner=row.owner,
            title=title,
            created_at=row.created_at,
            updated_at=row.updated_at,
            turns=row.turns,
            status=row.status or "new",
            schema_version=row.schema_version,
            refused=problem,
        )

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


def _take_write_lock(connection: sa.Connection) -> None:
    """Before the head of the audit chain is read: whoever else appends must wait until ours is committed. SQLite's driver
    begins a transaction with the first statement that writes, and there may have been none yet."""
    raw: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite" and not raw.in_transaction:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _record(kept: str) -> Mapping[str, Any]:
    """Read what was recorded; what cannot be read counts as nothing, and everything is new."""
    try:
        return mapping(orjson.loads(kept))
    except ValueError:
        return {}


def _update_of(table: sa.Table, key: str, columns: Sequence[str]) -> sa.Executable:
    changed = {column: sa.bindparam(column) for column in columns}
    return table.update().where(table.c[key] == sa.bindparam("the_id")).values(changed)


def _events_of(session_id: str) -> sa.Select[*tuple[Any, ...]]:
    columns = (turns.c.number, events.c.turn_id, events.c.seq, events.c.company_id, events.c.body)
    query = sa.select(*columns).join(events, events.c.turn_id == turns.c.turn_id)
    return query.where(turns.c.session_id == session_id)


def set_status(turn_ids: Sequence[str], status: TurnStatus) -> Write:
    """The status of turns that have not ended, without what is said in them."""
    going_on = turns.c.turn_id.in_(turn_ids) & turns.c.status.in_(("queued", "running"))
    return lambda connection: connection.execute(turns.update().where(going_on).values(status=status))


def line_of(past: Iterable[Turn], number: int) -> list[Turn]:
    """The turns that led to this one, oldest first: each follows the one that the session stood at."""
    known = {turn.number: turn for turn in past}
    led: list[Turn] = []
    while (turn := known.get(number)) is not None:
        led.append(turn)
        number = turn.number - 1 if turn.follows is None else min(turn.follows, turn.number - 1)
    return led[::-1]


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
