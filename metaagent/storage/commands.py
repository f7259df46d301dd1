"""Commands to whichever process works on a turn, and the switches of agents: one row each, read by all in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from metaagent.ports import Clock
from metaagent.storage.session_store import SqlStore
from metaagent.storage.tables import commands
from metaagent.values import iso

Kind = Literal["cancel", "pause", "unpause", "disable", "enable"]
SWITCHES = ("disable", "enable")
HOLDS = ("pause", "unpause")
OVERLAP = 100
"""Rows that are looked at once more: where many write at once, an earlier one can appear after a later."""
KEPT = 1_000
"""Newest commands to turns that are kept: more than any process has yet to read."""


@dataclass(frozen=True)
class Command:
    kind: Kind
    session_id: str = ""
    company_id: str = ""
    """The company whose switch it is; none for the whole installation's."""
    name: str = ""
    """The turn that is meant, or the agent or capability that is switched."""
    seq: int = 0


class Commands:
    """The commands that this process has not carried out yet."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        held = sa.or_(*(commands.c.kind == kind for kind in HOLDS)), commands.c.name == sa.bindparam("turn")
        last = sa.select(commands.c.kind).where(*held).order_by(commands.c.seq.desc()).limit(1)
        self._last_hold = store.prepared(last)
        self._last = 0
        self._done: set[int] = set()
        self._version: object = None

    async def switched_off(self) -> list[Command]:
        """Switches as they stand. Commands from before are not for this process."""

        def read(connection: sa.Connection) -> list[Command]:
            self._last = connection.execute(sa.select(sa.func.max(commands.c.seq))).scalar() or 0
            self._done = set(range(max(0, self._last - OVERLAP), self._last + 1))
            off = sa.select(commands).where(commands.c.kind == "disable").order_by(commands.c.seq)
            return [_command(row) for row in connection.execute(off)]

        return await self._store.transaction(read)

    async def give(self, command: Command) -> None:
        row: dict[str, Any] = {
            "kind": command.kind,
            "session_id": command.session_id,
            "company_id": command.company_id,
            "name": command.name,
            "created_at": iso(self._clock.now()),
        }

        def write(connection: sa.Connection) -> None:
            seq = connection.execute(commands.insert().values(row).returning(commands.c.seq)).scalar_one()
            connection.execute(commands.delete().where(_superseded(command, seq)))

        await self._store.transaction(write)

    async def last_hold(self, turn_id: str) -> str | None:
        """The last of `pause` and `unpause` that was commanded to a turn; None if neither was."""
        rows = await self._store.at_hand(self._last_hold, turn=turn_id)
        return rows[0].kind if rows else None

    async def new(self) -> tuple[bool, list[Command]]:
        """Say whether anyone else may have written into the store since the last look; and the commands since then."""

        def read(connection: sa.Connection) -> tuple[bool, list[Command]]:
            version = _version(connection)
            if version is not None and version == self._version:
                return False, []
            self._version = version
            later = sa.select(commands).where(commands.c.seq > self._last - OVERLAP).order_by(commands.c.seq)
            return True, [_command(row) for row in connection.execute(later)]

        changed, found = await self._store.transaction(read)
        new = [command for command in found if command.seq not in self._done]
        self._last = max([self._last, *(command.seq for command in found)])
        self._done = {seq for seq in self._done if seq > self._last - 2 * OVERLAP}
        self._done |= {command.seq for command in new}
        return changed, new


def _superseded(command: Command, seq: int) -> sa.ColumnElement[bool]:
    """Rows that a new one makes needless: earlier positions of the same switch, commands to turns of long ago."""
    columns = commands.c
    if command.kind in SWITCHES:
        same = (columns.company_id == command.company_id) & (columns.name == command.name)
        return (columns.seq < seq) & columns.kind.in_(SWITCHES) & same
    return (columns.seq < seq - KEPT) & columns.kind.not_in(SWITCHES)


_VERSIONS = {"sqlite": "PRAGMA data_version", "postgresql": "SELECT pg_current_snapshot()::text"}


def _version(connection: sa.Connection) -> object:
    """Something that changes when another connection has written; None where the database has nothing of the kind."""
    statement = _VERSIONS.get(connection.dialect.name)
    return connection.exec_driver_sql(statement).scalar() if statement else None


def _command(row: sa.Row[Any]) -> Command:
    return Command(row.kind, row.session_id, row.company_id, row.name, row.seq)
