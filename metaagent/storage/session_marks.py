"""Marks that people put on conversations: another title, a pin, and who else of the company may read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from metaagent.audit import AuditEvent
from metaagent.ports import Json, SessionInfo, User
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import UNREADABLE
from metaagent.storage.tables import session_pins, session_shares, sessions

EVERYBODY = "*"
"""Stands for everybody of the company where the alias of a reader stands."""
MOST_PINS = 50
"""Pinned conversations that are shown; the last pinned win."""
MOST_SHARES = 200
"""People that one conversation is shared with."""


@dataclass(frozen=True)
class Share:
    """One conversation that is open to one colleague, or to all."""

    session_id: str
    person: str | None
    """Their name; None for everybody of the company."""
    by: str
    roles: tuple[str, ...]
    """Roles of the one who shared it, when they did."""
    created_at: str


class SessionMarks:
    """Rows beside those of the sessions. The caller decides who may; what a row says is sealed for the owner."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def rename(self, info: SessionInfo, owner: User, title: str, told: AuditEvent) -> None:
        body = self._store.seal({"title": title}, owner, "sessions", info.session_id)
        change = sessions.update().where(sessions.c.session_id == info.session_id).values(body=body)
        await self._store.commit([told], lambda connection: connection.execute(change))

    # --- pins -------------------------------------------------------------------------------------------

    async def pin(self, session_id: str, user: User, at: str, *, pinned: bool) -> None:
        alias = self._store.alias(user)
        mine = (session_pins.c.session_id == session_id) & (session_pins.c.owner == alias)
        row = {"session_id": session_id, "owner": alias, "company_id": user.company_id, "pinned_at": at}

        def write(connection: sa.Connection) -> None:
            connection.execute(session_pins.delete().where(mine))
            if pinned:
                connection.execute(session_pins.insert(), row)

        await self._store.transaction(write)

    async def pinned(self, user: User, limit: int) -> list[str]:
        """Ids of the conversations that this person pinned, the last pinned first."""
        mine = (session_pins.c.company_id == user.company_id) & (
            session_pins.c.owner == self._store.alias(user)
        )
        query = sa.select(session_pins.c.session_id).where(mine)
        query = query.order_by(session_pins.c.pinned_at.desc(), session_pins.c.session_id).limit(limit)
        return [row.session_id for row in await self._found(query)]

    # --- shares -----------------------------------------------------------------------------------------

    async def share(self, info: SessionInfo, owner: User, share: Share, told: AuditEvent) -> None:
        reader = self._reader(info.company_id, share.person)
        body = {"person": share.person, "by": share.by, "roles": list(share.roles)}
        row = {
            "session_id": info.session_id,
            "reader": reader,
            "company_id": info.company_id,
            "owner": info.owner,
            "created_at": share.created_at,
            "body": self._store.seal(body, owner, "session_shares", info.session_id, reader),
        }

        def write(connection: sa.Connection) -> None:
            connection.execute(session_shares.delete().where(_to(info.session_id, [reader])))
            connection.execute(session_shares.insert(), row)

        await self._store.commit([told], write)

    async def unshare(self, info: SessionInfo, person: str | None, told: AuditEvent) -> None:
        gone = session_shares.delete().where(_to(info.session_id, [self._reader(info.company_id, person)]))
        await self._store.commit([told], lambda connection: connection.execute(gone))

    async def shares(self, info: SessionInfo) -> list[Share]:
        """Shares that are sound, the oldest first."""
        query = sa.select(session_shares).where(session_shares.c.session_id == info.session_id)
        rows = await self._found(query.order_by(session_shares.c.created_at).limit(MOST_SHARES))
        return [share for row in rows if (share := self._share(row, info.owner)) is not None]

    async def shares_to(self, info: SessionInfo, user: User) -> list[Share]:
        """Shares that open the conversation to this person: by name, or with everybody."""
        readers = [self._store.alias(user), EVERYBODY]
        rows = await self._found(sa.select(session_shares).where(_to(info.session_id, readers)))
        return [share for row in rows if (share := self._share(row, info.owner)) is not None]

    async def shared_with(self, user: User, limit: int) -> list[str]:
        """Ids of others' conversations that are shared with this person, the last shared first."""
        alias, columns = self._store.alias(user), session_shares.c
        query = (
            sa.select(columns.session_id, sa.func.max(columns.created_at).label("at"))
            .where(columns.company_id == user.company_id, columns.owner != alias)
            .where(columns.reader.in_([alias, EVERYBODY]))
            .group_by(columns.session_id)
            .order_by(sa.literal_column("at").desc(), columns.session_id)
            .limit(limit)
        )
        return [row.session_id for row in await self._found(query)]

    async def shared_by(self, user: User) -> set[str]:
        """Ids of this person's conversations that others may read."""
        columns = session_shares.c
        query = sa.select(columns.session_id).where(
            columns.company_id == user.company_id, columns.owner == self._store.alias(user)
        )
        return {row.session_id for row in await self._found(query.distinct())}

    async def erase(self, user: User, alias: str) -> dict[str, int]:
        """Remove the pins of a person and what others share with them; their own conversations take their shares along."""

        def write(connection: sa.Connection) -> int:
            theirs = [
                (session_pins, session_pins.c.owner == alias),
                (session_shares, (session_shares.c.reader == alias) | (session_shares.c.owner == alias)),
            ]
            return sum(
                connection.execute(
                    table.delete().where(table.c.company_id == user.company_id, where)
                ).rowcount
                for table, where in theirs
            )

        return {"marks": await self._store.transaction(write)}

    # --- inside -----------------------------------------------------------------------------------------

    async def _found(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        return await self._store.transaction(lambda connection: connection.execute(query).all())

    def _reader(self, company_id: str, person: str | None) -> str:
        return EVERYBODY if person is None else self._store.alias(User(person, company_id))

    def _share(self, row: sa.Row[Any], owner: str) -> Share | None:
        """Read a row; None where it was not sealed for the owner of the conversation, or cannot be opened."""
        try:
            body: Json = self._store.unseal(
                row.body, row.company_id, "session_shares", row.session_id, row.reader
            )
        except UNREADABLE:
            return None
        if not self._store.belongs_to(row.body, owner):
            return None
        return Share(row.session_id, body["person"], body["by"], tuple(body["roles"]), row.created_at)


def _to(session_id: str, readers: Sequence[str]) -> sa.ColumnElement[bool]:
    return (session_shares.c.session_id == session_id) & session_shares.c.reader.in_(readers)
