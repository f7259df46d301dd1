"""Stores 10,000 rows through the port, beside a bare SQLAlchemy insert of the same rows: at most twice its time."""

from __future__ import annotations

import asyncio
import gc
import statistics
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from tests.support.record_world import RecordWorld, rows

ROWS = 10_000
ROUNDS = 7


def bare(world: RecordWorld, given: list[list[Any]]) -> float:
    """One executemany in one transaction, with the types reflected as the port does it."""
    engine = sa.create_engine(f"sqlite:///{world.database}", poolclass=sa.NullPool)
    started = time.perf_counter()
    with engine.begin() as connection:
        table = sa.Table("visits", sa.MetaData(), autoload_with=connection, resolve_fks=False)
        names = ("visit_id", "day", "shop_id", "cost", "note")
        bound = [
            {**dict(zip(names, row, strict=True)), "day": date.fromisoformat(row[1]), "firm": "a"}
            for row in given
        ]
        connection.execute(sa.insert(table), bound)
    return time.perf_counter() - started


async def through_port(world: RecordWorld, key: str, given: list[list[Any]]) -> float:
    batch = rows(*given)
    started = time.perf_counter()
    await world.port().store(key, batch)
    return time.perf_counter() - started


def batch_of(first: int) -> list[list[Any]]:
    return [[first + n, "2026-02-01", 1, n, f"row {n}"] for n in range(ROWS)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = RecordWorld(Path(folder))
        times: dict[str, list[float]] = {"bare": [], "port": []}
        for number in range(ROUNDS):
            gc.collect()
            gc.freeze()  # a collection walks what is stored, not everything that the process has loaded
            times["bare"].append(bare(world, batch_of(10**6 * (2 * number + 1))))
            times["port"].append(
                asyncio.run(through_port(world, f"k{number}", batch_of(10**6 * (2 * number + 2))))
            )
    middle = {name: statistics.median(each) for name, each in times.items()}
    print(
        f"{ROWS} rows: bare insert {middle['bare'] * 1000:.0f} ms, port {middle['port'] * 1000:.0f} ms, "
        f"ratio {middle['port'] / middle['bare']:.2f} (at most 2)"
    )


if __name__ == "__main__":
    main()
