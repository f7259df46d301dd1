"""Effects on record: begun before something happens outside, done with its receipt afterwards. One row each, by key."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from metaagent.ports import Clock, Effect, Json, Turn
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import dialect_of
from metaagent.storage.tables import effects
from metaagent.values import iso


class EffectsOfTurn:
    """The `effects` port of one turn. A key counts within its session alone."""

    def __init__(self, store: SqlStore, clock: Clock, turn: Turn) -> None:
        self._store = store
        self._clock = clock
        self._turn = turn

    async def begin(self, key: str) -> Effect:
        row = self._row(key, "begun", {})

        def write(connection: sa.Connection) -> Effect:
            return Effect("new", {}) if _insert(connection, row) else self._known(connection, key)

        return await self._store.transaction(write)

    async def done(self, key: str, receipt: Json) -> None:
        row = self._row(key, "done", receipt)

        def write(connection: sa.Connection) -> None:
            if not _insert(connection, row):
                begun = self._here(key) & (effects.c.status == "begun")
                changed = {"status": "done", "body": row["body"]}
                connection.execute(effects.update().where(begun).values(changed))

        await self._store.transaction(write)

    async def withdraw(self, key: str) -> None:
        begun = self._here(key) & (effects.c.status == "begun")
        await self._store.transaction(lambda connection: connection.execute(effects.delete().where(begun)))

    def _known(self, connection: sa.Connection, key: str) -> Effect:
        query = sa.select(effects.c.status, effects.c.company_id, effects.c.body).where(self._here(key))
        row = connection.execute(query).one()
        session = self._turn.session_id
        receipt = self._store.unseal(row.body, row.company_id, "effects", session, self._hashed(key))
        return Effect(row.status, receipt)

    def _hashed(self, key: str) -> str:
        """A key is made from content: nobody without the keys can try contents out."""
        return self._store.keyed_hash(self._turn.user.company_id, key.encode("utf-8", "replace"))

    def _here(self, key: str) -> sa.ColumnElement[bool]:
        return (effects.c.session_id == self._turn.session_id) & (effects.c.key == self._hashed(key))

    def _row(self, key: str, status: str, receipt: Json) -> dict[str, Any]:
        turn, hashed = self._turn, self._hashed(key)
        return {
            "session_id": turn.session_id,
            "key": hashed,
            "turn_id": turn.turn_id,
            "company_id": turn.user.company_id,
            "status": status,
            "created_at": iso(self._clock.now()),
            "body": self._store.seal(receipt, turn.user, "effects", turn.session_id, hashed),
        }


def _insert(connection: sa.Connection, row: dict[str, Any]) -> bool:
    """False if the key is there already."""
    dialect = dialect_of(connection.dialect.name)
    return connection.execute(dialect.insert(effects).values(row).on_conflict_do_nothing()).rowcount == 1
