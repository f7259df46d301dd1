"""A shop with two tenants, twice: the two worlds differ only in what tenant t1 must never see.

Whatever t1 asks must get the same answer in both (non-interference): then nothing hidden reached it, not even
as a count, an order or an error message. A third world holds only what t1 may read, to say what the right
answer is.
"""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from metaagent.data.guard import Condition, Policy, TablePolicy
from tests.support.paths import SUPPORT


def policy_for(tenant: str) -> Policy:
    return Policy(
        {
            "sales": TablePolicy(
                ("id", "region", "amount", "sold_at", "note"),
                "tenant_id",
                tenant,
                (Condition("deleted", "=", (0,)),),
            ),
            "orders": TablePolicy(("id", "sales_id", "qty"), "tenant_id", tenant),
            "regions": TablePolicy(("name", "country"), None),
        }
    )


POLICY = policy_for("t1")

SALES = "id, tenant_id, region, amount, sold_at, note, margin, deleted"
MINE = [
    (1, "t1", "서울", 120.5, "2024-01-05", None, 0),
    (2, "t1", "서울", 80.0, "2024-02-10", "it's; DROP TABLE sales --", 0),
    (3, "t1", "부산", 200.0, "2024-02-11", "ok", 0),
    (4, "t1", "대구", 50.25, "2024-03-01", None, 0),
]
ORDERS = [(1, "t1", 1, 2), (2, "t1", 1, 1), (3, "t1", 3, 5)]
REGIONS = [("서울", "KR"), ("부산", "KR"), ("대구", "KR"), ("Tokyo", "JP")]


@dataclass(frozen=True)
class World:
    """Everything hidden from t1: the other tenant's rows, a deleted row, a column, a table."""

    others: list[tuple[Any, ...]]
    deleted: list[tuple[Any, ...]]
    margin: int
    orders: list[tuple[Any, ...]]
    tokens: list[str]

    def sales(self) -> list[tuple[Any, ...]]:
        rows = [*self.others, *MINE, *self.deleted]
        return [(*row[:6], self.margin + row[0], row[6]) for row in rows]


FIRST = World(
    [(11, "t2", "CANARY-A", 7777.0, "2024-02-02", "x", 0), (12, "t2", "서울", 9000.0, "2024-02-03", None, 0)],
    [(5, "t1", "CANARY-GONE", 8000.0, "2024-02-04", None, 1)],
    10,
    [(11, "t2", 11, 70), (12, "t2", 1, 71)],
    ["CANARY-TOKEN", "x"],
)
SECOND = World(
    [
        (21, "t2", "5", 3.0, "2023-01-02", "y", 0),
        (22, "t2", "6", 4.0, "2023-01-03", None, 0),
        (23, "t2", "7", 1.0, "x", "", 0),
    ],
    [],
    -5000,
    [],
    [],
)


def build_sqlite(path: Path, world: World | None) -> Path:
    """`None` is the world that holds only what t1 may read."""
    with sqlite3.connect(path) as db:
        if world is None:
            db.execute("CREATE TABLE sales (id INTEGER, region TEXT, amount REAL, sold_at TEXT, note TEXT)")
            db.execute("CREATE TABLE orders (id INTEGER, sales_id INTEGER, qty INTEGER)")
            db.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?)", [(r[0], *r[2:6]) for r in MINE])
            db.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(r[0], *r[2:]) for r in ORDERS])
        else:
            db.execute(
                "CREATE TABLE sales (id INTEGER PRIMARY KEY, tenant_id TEXT, region TEXT, amount REAL,"
                " sold_at TEXT, note TEXT, margin INTEGER, deleted INTEGER)"
            )
            db.execute("CREATE INDEX sales_amount ON sales (amount)")
            db.execute("CREATE TABLE orders (id INTEGER, tenant_id TEXT, sales_id INTEGER, qty INTEGER)")
            db.execute("CREATE TABLE secrets (token TEXT)")
            db.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?, ?)", world.sales())
            db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", [*world.orders, *ORDERS])
            db.executemany("INSERT INTO secrets VALUES (?)", [(t,) for t in world.tokens])
        db.execute("CREATE TABLE regions (name TEXT, country TEXT)")
        db.executemany("INSERT INTO regions VALUES (?, ?)", REGIONS)
    db.close()
    return path


def attacks() -> list[str]:
    groups: dict[str, list[str]] = yaml.safe_load((SUPPORT / "guard_attacks.yaml").read_text("utf-8"))
    return [sql for group in groups.values() for sql in group]


def queries(dialect: str) -> list[str]:
    groups: dict[str, list[str]] = yaml.safe_load((SUPPORT / "guard_queries.yaml").read_text("utf-8"))
    return [*groups["every"], *groups[dialect]]


def digest(folder: Path) -> dict[str, str]:
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir()) if p.is_file()
    }


def normal(rows: list[Any]) -> list[str]:
    """Rows without an order, as text."""
    return sorted(repr(tuple(row)) for row in rows)
