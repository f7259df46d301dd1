"""Sealed rows of the library, so that they can be counted by key and sealed again."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.storage.library.database import LibraryDatabase
from metaagent.storage.rekey_triggers import arrivals

ROWS = 200
_PLACES = {
    "collections": ("id", "id, session"),
    "documents": ("no", "collection, id"),
    "texts": ("document, part", "(SELECT id FROM documents WHERE no = document), part"),
    "chunks": ("document, page", "(SELECT id FROM documents WHERE no = document), page"),
    "vectors": ("idx, document", "idx, (SELECT id FROM documents WHERE no = document)"),
}
"""Columns of each table: those of its key, and those that its rows are sealed with."""


class SealedLibrary:
    """The parts are the tables of the library that hold sealed rows."""

    parts: Sequence[str] = tuple(f"library {table}" for table in _PLACES)

    def __init__(self, database: LibraryDatabase) -> None:
        self._database = database

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(self._kids, _table(part))

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, _table(part), renewal, after)

    async def refuse(self, kids: Collection[str]) -> None:
        def work() -> None:
            with self._database.writing() as connection:
                for statement in arrivals(kids):
                    connection.execute(statement)

        await asyncio.to_thread(work)

    async def scrub(self) -> None:
        await asyncio.to_thread(self._database.emptied)

    def _kids(self, table: str) -> Counter[str]:
        with self._database.reading() as connection:
            rows = connection.execute(f"SELECT substr(body, 1, {HEAD}) FROM {table}")  # noqa: S608 - our own tables
            return Counter(filter(None, (claimed_kid(head) for (head,) in rows)))

    def _renew(self, table: str, renewal: Renewal, after: tuple[Any, ...] | None) -> Batch:
        key, sealed_with = _PLACES[table]
        width = key.count(",") + 1
        beyond = f"WHERE ({key}) > ({','.join('?' * width)}) " if after is not None else ""
        with self._database.writing() as connection:
            rows = connection.execute(
                f"SELECT {key}, {sealed_with}, body FROM {table} {beyond}ORDER BY {key} LIMIT {ROWS}",  # noqa: S608
                after or (),
            ).fetchall()
            done, refused = _sealed_again(connection, table, renewal, rows, width)
        return Batch(done, tuple(refused), tuple(rows[-1][:width]) if len(rows) == ROWS else None)


def _sealed_again(
    connection: sqlite3.Connection, table: str, renewal: Renewal, rows: Sequence[Any], width: int
) -> tuple[int, list[str]]:
    key = _PLACES[table][0]
    done, refused = 0, list[str]()
    for row in rows:
        place, with_, body = row[:width], row[width:-1], row[-1]
        if not renewal.wants(body[:HEAD]):
            continue
        again = renewal.again("store", body, ("library", table, *map(str, with_)))
        if again is None:
            refused.append(f"library {table}/{'/'.join(map(str, place))}")
            continue
        where = " AND ".join(f"{column} = ?" for column in key.split(", "))
        connection.execute(f"UPDATE {table} SET body = ? WHERE {where}", (again, *place))  # noqa: S608
        done += 1
    return done, refused


def _table(part: str) -> str:
    return part.removeprefix("library ")
