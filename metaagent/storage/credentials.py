"""Accounts, API keys, log-ins and given replies: secrets as hashes only, what says who somebody is sealed for that person."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sqlalchemy as sa

from metaagent.ports import Clock, Json, User
from metaagent.storage.prepared_statements import Prepared
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import UNREADABLE
from metaagent.storage.tables import accounts, api_keys, logins, replies
from metaagent.values import iso

MOST_LISTED = 1_000
HASHING_AT_ONCE = 2
"""Passwords that are checked at once: each takes 64 MB of memory."""


@dataclass(frozen=True)
class Record:
    """One row: its id, whose it is, its clear columns and its opened body."""

    id: str
    user: User
    facts: Json
    body: Json


class CredentialStore:
    """Rows of one kind are found by id, by the hash of a secret or by person. The caller decides who may."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._finding: dict[sa.Column[Any], Prepared] = {}
        self.hashing = asyncio.Semaphore(HASHING_AT_ONCE)

    @property
    def now(self) -> str:
        return iso(self._clock.now())

    async def add(
        self, table: sa.Table, row_id: str, user: User, facts: Mapping[str, Any], body: Mapping[str, Any]
    ) -> bool:
        """Add a row unless there is one of this id; False if there is."""
        values = self._values(table, row_id, user, facts, body)

        def write(connection: sa.Connection) -> bool:
            there = sa.select(sa.literal(1)).where(_id(table) == row_id)
            if connection.execute(there).first() is not None:
                return False
            connection.execute(table.insert(), values)
            return True

        return await self._store.transaction(write)

    async def replace(
        self, table: sa.Table, row_id: str, user: User, facts: Mapping[str, Any], body: Mapping[str, Any]
    ) -> None:
        values = self._values(table, row_id, user, facts, body)
        change = table.update().where(_id(table) == row_id).values(values)
        await self._store.transaction(lambda connection: connection.execute(change))

    async def by_id(self, table: sa.Table, row_id: str) -> Record | None:
        return await self._by(table, _id(table), row_id)

    async def by_secret(self, table: sa.Table, digest: str) -> Record | None:
        return await self._by(table, table.c.secret, digest)

    async def _by(self, table: sa.Table, column: sa.Column[Any], value: str) -> Record | None:
        """Find a row; None also where it cannot be opened: its person was erased, or it was tampered with."""
        query = self._finding.get(column)
        if query is None:
            one = sa.select(table).where(column == sa.bindparam("value")).limit(1)
            query = self._finding[column] = self._store.prepared(one)
        rows = await self._store.at_hand(query, value=value)
        return self._record(table, rows[0]) if rows else None

    async def listed(self, table: sa.Table, company_id: str | None, user: User | None = None) -> list[Record]:
        """The oldest first, of a company (or of all) and of one person if given."""
        where = sa.true() if company_id is None else table.c.company_id == company_id
        if user is not None:
            where &= table.c.owner == self._store.alias(user)
        query = sa.select(table).where(where).order_by(table.c.created_at, _id(table)).limit(MOST_LISTED)
        rows = await self._store.transaction(lambda connection: connection.execute(query).all())
        found = [self._record(table, row) for row in rows]
        return [each for each in found if each is not None]

    async def touch(self, table: sa.Table, row_id: str, **facts: Any) -> None:
        change = table.update().where(_id(table) == row_id).values(facts)
        await self._store.transaction(lambda connection: connection.execute(change))

    async def remove(self, table: sa.Table, where: sa.ColumnElement[bool]) -> int:
        gone = table.delete().where(where)
        return await self._store.transaction(lambda connection: connection.execute(gone).rowcount)

    async def remove_id(self, table: sa.Table, row_id: str) -> bool:
        return await self.remove(table, _id(table) == row_id) > 0

    async def end_all(self, user: User) -> int:
        """Remove the log-ins and keys of a person."""
        alias = self._store.alias(user)
        mine = [
            (table.c.company_id == user.company_id) & (table.c.owner == alias) for table in (logins, api_keys)
        ]
        return await self.remove(logins, mine[0]) + await self.remove(api_keys, mine[1])

    async def erase(self, user: User, alias: str) -> dict[str, int]:
        """Remove everything of a person; how many rows of each kind that were."""
        kinds = {"accounts": accounts, "programs": api_keys, "logins": logins, "replies": replies}
        return {
            name: await self.remove(table, (table.c.company_id == user.company_id) & (table.c.owner == alias))
            for name, table in kinds.items()
        }

    def _values(
        self, table: sa.Table, row_id: str, user: User, facts: Mapping[str, Any], body: Mapping[str, Any]
    ) -> Json:
        whole = {"user": [user.user_id, list(user.roles)], **body}
        return {
            _id(table).name: row_id,
            "company_id": user.company_id,
            "owner": self._store.alias(user),
            "created_at": self.now,
            **facts,
            "body": self._store.seal(whole, user, table.name, row_id),
        }

    def _record(self, table: sa.Table, row: Any) -> Record | None:
        facts: Json = dict(zip(_names(table), row, strict=True))
        row_id, sealed = str(facts.pop(_id(table).name)), bytes(facts.pop("body"))
        company_id = facts["company_id"]
        try:
            body = self._store.unseal(sealed, company_id, table.name, row_id)
            if not self._store.belongs_to(sealed, facts["owner"]):
                return None
        except UNREADABLE:
            return None
        user_id, roles = body.pop("user")
        return Record(row_id, User(user_id, company_id, tuple(roles)), facts, body)


@cache
def _names(table: sa.Table) -> Sequence[str]:
    return tuple(table.c.keys())


@cache
def _id(table: sa.Table) -> sa.Column[Any]:
    (column,) = table.primary_key.columns
    return column
