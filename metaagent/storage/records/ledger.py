"""The ledger: one row for each thing that was stored, in the same database and transaction as its rows.

`key` makes a repeat a no-op. `status` is `committed` (texts are still to be indexed), `stored`, `undoing` (files and texts are
still to be removed) or `undone`. What was stored, where and why is in the sealed `body`; `files` are digests, in clear, so that
a file without a receipt can be found.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import Counter
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import orjson
import sqlalchemy as sa

from metaagent.errors import KeyUnavailable, RowRefused
from metaagent.ports import Json, User
from metaagent.protection.keys.renewal import HEAD, Batch, Renewal, claimed_kid
from metaagent.storage.records.database import WritableDatabase
from metaagent.storage.vault import Vault

Status = Literal["committed", "stored", "undoing", "undone"]
UNFINISHED: tuple[Status, ...] = ("committed", "undoing")
PAGE = 100

metadata = sa.MetaData()
stored = sa.Table(
    "metaagent_stored",
    metadata,
    sa.Column("tenant", sa.String(128), primary_key=True),
    sa.Column("key", sa.String(128), primary_key=True),
    sa.Column("receipt", sa.String(64), nullable=False, unique=True),
    sa.Column("owner", sa.String(128), nullable=False),
    sa.Column("content", sa.String(64), nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("stored_at", sa.String(32), nullable=False),
    sa.Column("keep_until", sa.String(32)),
    sa.Column("files", sa.Text, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)


@dataclass(frozen=True)
class Entry:
    tenant: str
    key: str
    receipt: str
    owner: str
    content: str
    status: Status
    stored_at: str
    keep_until: str | None
    files: tuple[str, ...]
    body: bytes


class Ledger:
    """The receipts of one database."""

    def __init__(self, name: str, database: WritableDatabase, vault: Vault) -> None:
        self.name = name
        self.database = database
        self._vault = vault
        self._made = False

    @contextmanager
    def transaction(self) -> Generator[sa.Connection]:
        with self.database.transaction() as connection:
            if not self._made:
                metadata.create_all(connection)
            yield connection
        self._made = True

    def add(self, connection: sa.Connection, entry: Entry) -> None:
        values = {**entry.__dict__, "files": " ".join(entry.files)}
        connection.execute(sa.insert(stored).values(values))

    def change(
        self, connection: sa.Connection, entry: Entry, status: Status, body: bytes | None = None
    ) -> bool:
        """False if somebody else has changed its status meanwhile."""
        new: Json = {"status": status, **({"body": body} if body is not None else {})}
        same = (stored.c.receipt == entry.receipt, stored.c.status == entry.status)
        return connection.execute(sa.update(stored).where(*same).values(new)).rowcount == 1

    def drop(self, connection: sa.Connection, receipts: Collection[str]) -> None:
        connection.execute(sa.delete(stored).where(stored.c.receipt.in_(list(receipts))))

    def find(
        self, connection: sa.Connection, *where: sa.ColumnElement[bool], held: bool = False
    ) -> list[Entry]:
        query = sa.select(stored).where(*where).order_by(stored.c.stored_at, stored.c.receipt)
        rows = connection.execute(query.with_for_update() if held else query)
        return [_entry(row) for row in rows]

    def seal(self, user: User, receipt: str, body: Json) -> bytes:
        return self._vault.seal(user, zlib.compress(orjson.dumps(body), 1), ("stored", receipt))

    def open(self, entry: Entry) -> Json:
        reader = self._vault.ring.reader(entry.tenant, "store")
        return orjson.loads(zlib.decompress(reader.open(entry.body, ("stored", entry.receipt))))

    def readable(self, entry: Entry) -> Json:
        """Empty where the key of the person is destroyed."""
        try:
            return self.open(entry)
        except (KeyUnavailable, RowRefused):
            return {}


class SealedReceipts:
    """The bodies of all receipts, so that they can be counted by key and sealed again."""

    def __init__(self, ledgers: Sequence[Ledger]) -> None:
        self._ledgers = {f"receipts ({ledger.name})": ledger for ledger in ledgers}

    @property
    def parts(self) -> Sequence[str]:
        return list(self._ledgers)

    async def kids(self, part: str) -> Counter[str]:
        return await asyncio.to_thread(self._kids, self._ledgers[part])

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        return await asyncio.to_thread(self._renew, self._ledgers[part], renewal, after or "")

    async def refuse(self, kids: Collection[str]) -> None:
        """A receipt is sealed inside its transaction; whoever reads it next seals it again with the newest key."""

    async def scrub(self) -> None:
        """The database that holds the rows overwrites what it frees by its own rules."""

    def _kids(self, ledger: Ledger) -> Counter[str]:
        with ledger.transaction() as connection:
            heads = connection.execute(sa.select(sa.func.substr(stored.c.body, 1, HEAD))).scalars()
            return Counter(filter(None, (claimed_kid(bytes(head)) for head in heads)))

    def _renew(self, ledger: Ledger, renewal: Renewal, after: str) -> Batch:
        done = 0
        refused: list[str] = []
        with ledger.transaction() as connection:
            query = sa.select(stored).where(stored.c.receipt > after).order_by(stored.c.receipt).limit(PAGE)
            found = [_entry(row) for row in connection.execute(query.with_for_update())]
            for entry in (each for each in found if renewal.wants(each.body[:HEAD])):
                again = renewal.again("store", entry.body, ("stored", entry.receipt))
                if again is None:
                    refused.append(f"receipts/{entry.receipt}")
                    continue
                ledger.change(connection, entry, entry.status, again)
                done += 1
        return Batch(done, tuple(refused), found[-1].receipt if len(found) == PAGE else None)


def _entry(row: Any) -> Entry:
    values: Json = dict(row._mapping)
    return Entry(**{**values, "files": tuple(values["files"].split()), "body": bytes(values["body"])})
