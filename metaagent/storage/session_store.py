"""Sessions and their turns: kept, listed, searched, undone, deleted.

What people said and what agents found is in `body` columns, written and read through the sealer, bound to its row.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson
import sqlalchemy as sa

from metaagent.audit import AuditEvent
from metaagent.monitor import NO_RECORD, RECENT_RUNS, Run, TrackRecord
from metaagent.ports import ENDED, SessionInfo, Turn, TurnStatus, User
from metaagent.state.migrations import STATES
from metaagent.storage import history
from metaagent.storage.artifact_files import ArtifactFiles
from metaagent.storage.sql_base import UNREADABLE, unpacked
from metaagent.storage.tables import (
    agent_records,
    artifact_files,
    artifacts,
    commands,
    effects,
    events,
    messages,
    meta,
    model_use,
    session_pins,
    session_shares,
    sessions,
    step_starts,
    turns,
)
from metaagent.storage.turn_records import Row, TurnRecords, Write
from metaagent.storage.vault import Vault
from metaagent.values import mapping

PENDING = "pending:"
DELETE, AT = "delete", "at:"
"""Marks of what is pending for a session's checkpoints: to be deleted, or to go to one of them."""

_OF_SESSION = (
    *(events, artifacts, artifact_files, messages, effects, step_starts, model_use, commands),
    *(session_pins, session_shares, turns, sessions),
)

logger = logging.getLogger(__name__)


class SqlStore(TurnRecords):
    """Everything public is a coroutine."""

    def __init__(self, url: str, vault: Vault, files: ArtifactFiles) -> None:
        super().__init__(url, vault, files)
        self._drawn_from: dict[str, Callable[[sa.Connection, str], int]] = {}
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

    def delete_too(self, name: str, remove: Callable[[sa.Connection, str], int]) -> None:
        """Remove what is drawn from a session and kept elsewhere with it, in the same transaction."""
        self._drawn_from[name] = remove

    # --- sessions and turns -----------------------------------------------------------------------------

    async def list_sessions(
        self, user: User, *, limit: int = 100, before: str | None = None
    ) -> list[SessionInfo]:
        """This person's, the most recently used first; `before` pages on from an `updated_at`."""
        mine = self._mine(user)
        return await self._sessions(mine & (sessions.c.updated_at < before) if before else mine, limit=limit)

    def _mine(self, user: User) -> sa.ColumnElement[bool]:
        return (sessions.c.company_id == user.company_id) & (sessions.c.owner == self._vault.alias(user))

    async def add_turn(
        self, turn: Turn, new: SessionInfo | None = None, rows: Sequence[Row | AuditEvent] = ()
    ) -> None:
        """The turn, its number in the session, the session if it is `new`, and its first rows: together or not at all."""

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
            self._insert(connection, rows)
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
                added = [{"agent": run.agent, **vars(NO_RECORD.plus(run))} for run in runs]
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

        where = artifact_files.c.session_id == session_id
        rows = await self._rows(sa.select(artifact_files.c.name).where(where))
        files = frozenset(row.name for row in rows)

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

    async def sessions_of(self, company_id: str, owner: str) -> list[str]:
        """Ids alone: nothing is opened, so that what cannot be read can still be removed."""
        query = sa.select(sessions.c.session_id).where(
            sessions.c.company_id == company_id, sessions.c.owner == owner
        )
        return [row.session_id for row in await self._rows(query)]

    # --- inside -----------------------------------------------------------------------------------------

    def _note_pending(self, connection: sa.Connection, session_id: str, what: str) -> None:
        insert = self._dialect.insert(meta).values(key=PENDING + session_id, value=what)
        connection.execute(insert.on_conflict_do_update(index_elements=["key"], set_={"value": what}))

    def _added_run(self) -> sa.Executable:
        insert = self._dialect.insert(agent_records)
        sums = ("runs", "successes", "quality_sum", "seconds_sum", "timed", "log_sum", "log_squares")
        grown = {name: agent_records.c[name] + insert.excluded[name] for name in sums}
        two, kept = sa.literal_column("2"), sa.literal_column(str((1 << RECENT_RUNS) - 1))
        moved_up = agent_records.c.recent * two + insert.excluded.recent
        grown["recent"] = sa.type_coerce(moved_up, sa.Integer).bitwise_and(kept)
        return insert.on_conflict_do_update(index_elements=["agent"], set_=grown)


def _record(kept: str) -> Mapping[str, Any]:
    """Read what was recorded; what cannot be read counts as nothing, and everything is new."""
    try:
        return mapping(orjson.loads(kept))
    except ValueError:
        return {}


def _update_of(table: sa.Table, key: str, columns: Sequence[str]) -> sa.Executable:
    changed = {column: sa.bindparam(column) for column in columns}
    return table.update().where(table.c[key] == sa.bindparam("the_id")).values(changed)


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
