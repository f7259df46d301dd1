"""A small shop database that may be written, and everything around storing in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from metaagent.config import Data
from metaagent.data.semantic.model import Model
from metaagent.ports import Json, User
from metaagent.protection.keys import KeyRing, provider
from metaagent.storage.files import Folder
from metaagent.storage.records.database import WritableDatabase
from metaagent.storage.records.ledger import Ledger
from metaagent.storage.records.port import RecordsOfPerson
from metaagent.storage.records.receipts import Places
from metaagent.storage.records.record_store import RecordStore
from metaagent.storage.vault import Owner, Vault
from metaagent.testing import FakeClock, FakeVectors

MODEL = Model.model_validate(
    {
        "version": 1,
        "name": "shop",
        "tenant_column": "firm",
        "tables": {
            "shops": {
                "key": ["shop_id"],
                "label": {"ko": "매장", "en": "shops"},
                "columns": {
                    "shop_id": "integer",
                    "firm": {"type": "string", "hidden": True},
                    "name": "string",
                },
            },
            "visits": {
                "key": ["visit_id"],
                "label": {"ko": "방문", "en": "visits"},
                "columns": {
                    "visit_id": "integer",
                    "firm": {"type": "string", "hidden": True},
                    "day": "date",
                    "shop_id": "integer",
                    "cost": "integer",
                    "note": "string",
                    "secret": {"type": "string", "roles": ["auditor"]},
                },
            },
        },
        "joins": [{"from": "visits.shop_id", "to": "shops.shop_id"}],
        "metrics": {
            "cost": {
                "type": "sum",
                "column": "visits.cost",
                "label": {"ko": "비용", "en": "cost"},
                "unit": {"ko": "원", "en": "KRW"},
                "synonyms": {"ko": ["지출"], "en": ["expense"]},
            }
        },
        "dimensions": {
            "shop": {
                "label": {"ko": "매장", "en": "shop"},
                "column": "shops.name",
                "key": "shops.shop_id",
                "synonyms": {"ko": ["매장명"], "en": ["store"]},
            }
        },
    }
)
SCHEMA = """
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, firm TEXT NOT NULL, name VARCHAR(40) NOT NULL);
CREATE TABLE visits (
  visit_id INTEGER PRIMARY KEY, firm TEXT NOT NULL, day DATE NOT NULL, shop_id INTEGER NOT NULL REFERENCES shops (shop_id),
  cost INTEGER CHECK (cost >= 0), note VARCHAR(20), secret TEXT);
INSERT INTO shops VALUES (1, 'a', 'North'), (2, 'a', 'South'), (3, 'b', 'West');
INSERT INTO visits VALUES (1, 'a', '2026-01-05', 1, 100, 'first', NULL), (2, 'b', '2026-01-06', 3, 200, 'theirs', NULL);
"""
WRITABLE = {"visits": ["visit_id", "day", "shop_id", "cost", "note", "secret"]}
KIM = User("kim", "a", ("employee",))
COLUMNS = ["visit_id", "day", "shop_id", "cost", "note"]


def make_database(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
    return f"sqlite:///{path}"


def rows(*given: list[Any], columns: list[str] | None = None) -> Json:
    return {"rows": {"table": "visits", "columns": columns or COLUMNS, "rows": list(given)}, "what": "visits"}


class RecordWorld:
    """One folder with a database, keys, files and a search index in memory."""

    def __init__(self, folder: Path, url: str | None = None, *, vectors: Any = None, **settings: Any) -> None:
        self.folder = folder
        self.database = folder / "shop.db"
        if url is None and not self.database.exists():
            make_database(self.database)
        self.settings = Data(
            write_url=url or f"sqlite:///{self.database}", writable=WRITABLE, tenants={}, **settings
        )
        ring_file = folder / "keys.json"
        self.vault = Vault(
            KeyRing(ring_file, provider(f"file:{folder / 'kek'}", create=not ring_file.exists()))
        )
        self.vectors: Any = vectors or FakeVectors()
        self.events: list[Any] = []
        assert self.settings.write_url is not None
        self.places = Places(
            Ledger("data.write_url", WritableDatabase(self.settings.write_url), self.vault),
            Ledger("stored.db", WritableDatabase(f"sqlite:///{folder / 'stored.db'}"), self.vault),
            lambda user: Folder(folder / "files", self.vault, Owner.of(user)),
            lambda _user: self.vectors,
        )
        self.clock = FakeClock()
        self.store = RecordStore(self.settings, self.places, self.vault, self.clock, None, self._record)

    async def _record(self, event: Any) -> Any:
        if event.key not in {each.key for each in self.events}:
            self.events.append(event)

    def port(self, user: User = KIM, language: str = "en") -> RecordsOfPerson:
        return RecordsOfPerson(self.store, user, MODEL, {}, language, {})

    async def undo(self, receipt: str, user: User = KIM) -> Json:
        return await self.store.undo(user, MODEL, await self.store.found(user, receipt), "a mistake")

    def visits(self) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(
                "SELECT visit_id, firm, day, shop_id, cost, note FROM visits ORDER BY visit_id"
            ).fetchall()

    def receipts(self) -> list[tuple[str, str]]:
        with closing(sqlite3.connect(self.database)) as connection:
            made = connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'metaagent_stored'"
            ).fetchone()
            found = (
                connection.execute("SELECT receipt, status FROM metaagent_stored ORDER BY receipt")
                if made
                else []
            )
            return list(found)

    def files(self) -> set[str]:
        return {path.name for path in self.folder.glob("files-*/stored-*")}
