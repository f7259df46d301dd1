"""The `records` port of one step: one person's way to store, and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeVar

from metaagent.data.semantic.model import Model
from metaagent.errors import TryAgain
from metaagent.ports import Json, User
from metaagent.storage.records.database import Passing
from metaagent.storage.records.record_store import RecordStore
from metaagent.storage.records.rows import RowWriter, required
from metaagent.storage.records.writable import Writable

T = TypeVar("T")


class RecordsOfPerson:
    """The `records` port of one step."""

    def __init__(
        self, store: RecordStore, user: User, model: Model | None, rules: Json, language: str, source: Json
    ) -> None:
        self._store = store
        self._user = user
        self._model = model
        self._rules = rules
        self._language = language
        self._source = source

    async def describe(self) -> Json:
        tables = [] if self._store.places.rows is None else await self._reach(asyncio.to_thread(self._tables))
        return {"tables": tables, "rules": self._rules}

    async def lookup(self, table: str, column: str, names: Sequence[str]) -> dict[str, list[Any]]:
        return await self._reach(asyncio.to_thread(self._lookup, table, column, list(names)))

    async def preview(self, batch: Mapping[str, Any]) -> Json:
        return await self._reach(self._store.preview(self._user, self._model, batch))

    async def store(self, key: str, batch: Mapping[str, Any], fingerprint: str | None = None) -> Json:
        return await self._reach(
            self._store.store(self._user, self._model, key, batch, fingerprint, self._source)
        )

    async def receipt(self, key: str) -> Json | None:
        return await self._reach(self._store.by_key(self._user, key))

    def _tables(self) -> list[Json]:
        """Tables of the model that the database has, with the columns that it requires."""
        writable = Writable(self._store.settings, self._model, self._user)
        found: list[Json] = []
        with self._store.rows_ledger().transaction() as connection:
            for table in writable.describe():
                needed = required(connection, writable.target(table["name"]))
                if needed is not None:
                    columns = [
                        {**column, "required": column["name"] in needed} for column in table["columns"]
                    ]
                    found.append({**table, "columns": columns})
        return found

    def _lookup(self, table: str, column: str, names: list[str]) -> dict[str, list[Any]]:
        writable = Writable(self._store.settings, self._model, self._user)
        writable.check(writable.target(table), [column])
        reference = writable.reference(table, column)
        if reference is None:
            return {}
        with self._store.rows_ledger().transaction() as connection:
            writer = RowWriter(connection, writable.referred(reference))
            return writer.keys_of(names, reference.key, reference.name)

    async def _reach(self, work: Awaitable[T]) -> T:
        try:
            return await work
        except Passing as error:
            raise TryAgain(error.say(self._language)) from error
