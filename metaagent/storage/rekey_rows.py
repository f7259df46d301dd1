"""The sealed columns of the database, so that they can be counted by key and sealed again while turns go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid, version_of
from metaagent.storage.rekey_triggers import arrivals, postgres_guard, sqlite_guard
from metaagent.storage.sealed_columns import SEALED_COLUMNS, Sealed
from metaagent.storage.session_store import SqlStore
from metaagent.storage.tables import metadata

ROWS = 200
BYTES = 4_000_000
"""Rows that one transaction reads at most: it must not be felt by a turn that waits for it."""


SEALED: Mapping[str, tuple[sa.Table, Mapping[str, Sealed]]] = {
    part: (metadata.tables[table], columns) for part, (table, columns) in SEALED_COLUMNS.items()
}

_PLACES = tuple((table.name, name) for table, columns in SEALED.values() for name in columns)


class SealedRows:
    parts: Sequence[str] = tuple(SEALED)

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def kids(self, part: str) -> Counter[str]:
        """Counts the rows that each key sealed; one with several sealed columns counts for its oldest key."""
        table, columns = SEALED[part]
        heads = [_head(table.c[name]) for name in columns]

        def count(connection: sa.Connection) -> Counter[str]:
            found: Counter[str] = Counter()
            with connection.execute(sa.select(*heads), execution_options={"yield_per": 1000}) as rows:
                for row in rows:
                    kids = [kid for kid in map(claimed_kid, map(bytes, row)) if kid is not None]
                    found.update(sorted(kids, key=version_of)[:1])
            return found

        return await self._store.transaction(count)

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await self._store.transaction(lambda connection: _renew(connection, part, renewal, after))

    async def refuse(self, kids: Collection[str]) -> None:
        """Make the database itself take nothing that was sealed with one of these."""

        def guard(connection: sa.Connection) -> None:
            make = sqlite_guard if connection.dialect.name == "sqlite" else postgres_guard
            for statement in (*make(_PLACES), *arrivals(kids)):
                connection.exec_driver_sql(statement)

        await self._store.transaction(guard)

    async def scrub(self) -> None:
        """Leave nothing of what was overwritten in free pages or in the log."""
        await self._store.shrink(log=True)


def _renew(connection: sa.Connection, part: str, renewal: Renewal, after: Any) -> Batch:
    table, columns = SEALED[part]
    keys = list(table.primary_key.columns)
    query = sa.select(*keys, *(_head(table.c[name]).label(f"head_{name}") for name in columns))
    beyond = sa.tuple_(*keys) > tuple(after) if after is not None else sa.true()
    page = connection.execute(query.where(beyond).order_by(*keys).limit(ROWS)).all()
    done = size = 0
    refused: list[str] = []
    last: Sequence[Any] | None = None
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")
    for row in page:
        last = tuple(row[: len(keys)])
        if any(renewal.wants(bytes(head)) for head in row[len(keys) :]):
            read, changed, problem = _renew_row(connection, part, renewal, last)
            done, size = done + changed, size + read
            refused += [problem] if problem else []
        if size >= BYTES:
            return Batch(done, tuple(refused), last)
    return Batch(done, tuple(refused), last if len(page) == ROWS else None)


def _renew_row(
    connection: sa.Connection, part: str, renewal: Renewal, key: Sequence[Any]
) -> tuple[int, int, str]:
    """Bytes read, rows changed, and the name of a row that cannot be opened. One that someone else changes at this
    moment is left to them, and looked at again."""
    table, columns = SEALED[part]
    here = sa.and_(*(column == value for column, value in zip(table.primary_key.columns, key, strict=True)))
    plain = [column for column in table.columns if column.name not in columns]
    query = sa.select(*plain, *(_raw(table.c[name]).label(name) for name in columns))
    row = connection.execute(query.where(here)).mappings().first()
    if row is None:
        return 0, 0, ""
    old = {name: bytes(row[name]) for name in columns if renewal.wants(bytes(row[name])[:HEAD])}
    new: dict[str, bytes] = {}
    for name, value in old.items():
        aad = (columns[name].name, *(str(row[column]) for column in columns[name].bound_to))
        sealed = renewal.again("store", value, aad)
        if sealed is None:
            return 0, 0, "/".join(aad)
        new[name] = sealed
    same = sa.and_(here, *(_raw(table.c[name]) == value for name, value in old.items()))
    changed = connection.execute(table.update().where(same).values(new)).rowcount if new else 0
    return sum(map(len, old.values())), changed, ""


def _head(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return sa.func.substr(_raw(column), 1, HEAD, type_=sa.LargeBinary)


def _raw(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """SQLite holds whatever was put into a column: who tampers with a row may leave text there."""
    return sa.cast(column, sa.LargeBinary)
