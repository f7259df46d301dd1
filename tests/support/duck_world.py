"""The guarded world in DuckDB."""

from __future__ import annotations

from pathlib import Path

from tests.support.guard_world import (
    MINE,
    ORDERS,
    REGIONS,
    World,
)


def build_duckdb(path: Path, world: World | None) -> Path:
    import duckdb

    with duckdb.connect(str(path)) as db:
        if world is None:
            db.execute("CREATE TABLE sales (id INT, region TEXT, amount DOUBLE, sold_at DATE, note TEXT)")
            db.execute("CREATE TABLE orders (id INT, sales_id INT, qty INT)")
            db.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?)", [(r[0], *r[2:6]) for r in MINE])
            db.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(r[0], *r[2:]) for r in ORDERS])
        else:
            db.execute(
                "CREATE TABLE sales (id INT, tenant_id TEXT, region TEXT, amount DOUBLE, sold_at DATE,"
                " note TEXT, margin INT, deleted INT)"
            )
            db.execute("CREATE TABLE orders (id INT, tenant_id TEXT, sales_id INT, qty INT)")
            db.execute("CREATE TABLE secrets (token TEXT)")
            rows = [(*r[:4], r[4] if r[4] != "x" else None, *r[5:]) for r in world.sales()]
            db.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            db.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", [*world.orders, *ORDERS])
            if world.tokens:
                db.executemany("INSERT INTO secrets VALUES (?)", [(t,) for t in world.tokens])
        db.execute("CREATE TABLE regions (name TEXT, country TEXT)")
        db.executemany("INSERT INTO regions VALUES (?, ?)", REGIONS)
    return path
