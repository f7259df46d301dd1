"""Storing in PostgreSQL: the same promises, kept by a role that may write these tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import StoreRefused
from tests.support.postgres_server import running, why_not
from tests.support.record_world import SCHEMA, RecordWorld, rows

pytestmark = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")

NEW = [10, "2026-02-01", 1, 50, "new"]
TABLES = SCHEMA.replace("visit_id INTEGER PRIMARY KEY", "visit_id serial PRIMARY KEY")


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with running() as socket:
        yield socket


def admin(host: str) -> Any:
    import psycopg

    return psycopg.connect(host=host, user="admin", dbname="postgres", autocommit=True)


@pytest.fixture
def world(host: str, tmp_path: Path) -> RecordWorld:
    with admin(host) as db:
        db.execute("DROP TABLE IF EXISTS metaagent_stored, visits, shops")
        db.execute(TABLES)
        db.execute("DO $$ BEGIN CREATE ROLE reader LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        db.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    return RecordWorld(tmp_path, f"postgresql://admin@/postgres?host={host}")


def there(host: str) -> list[tuple[Any, ...]]:
    with admin(host) as db:
        return db.execute(
            "SELECT visit_id, firm, day::text, cost, note FROM visits ORDER BY visit_id"
        ).fetchall()


FIRST = [(1, "a", "2026-01-05", 100, "first"), (2, "b", "2026-01-06", 200, "theirs")]


async def test_rows_are_stored_once_and_undone(world: RecordWorld, host: str):
    batch = rows(NEW, [1, "2026-01-05", 1, 120, "first"])
    seen = await world.port().preview(batch)
    assert (seen["new"], seen["replaced"]) == (1, 1)
    made = await world.port().store("k1", batch, seen["fingerprint"])
    assert (await world.port().store("k1", batch))["already"]
    assert len(there(host)) == 3
    await world.undo(made["receipt"])
    assert there(host) == FIRST


async def test_key_that_the_database_gives_is_undone(world: RecordWorld, host: str):
    with admin(host) as db:
        db.execute("SELECT setval('visits_visit_id_seq', 50)")
    keyless = rows(["2026-02-01", 1, 5], ["2026-02-02", 1, 6], columns=["day", "shop_id", "cost"])
    made = await world.port().store("k1", keyless)
    assert [row[0] for row in there(host)] == [1, 2, 51, 52]
    await world.undo(made["receipt"])
    assert there(host) == FIRST


BAD = {
    "check": ([11, "2026-02-01", 1, -5, "x"], "its own rule"),
    "reference": ([11, "2026-02-01", 99, 5, "x"], "its own rule"),
    "overflow": ([11, "2026-02-01", 1, 2**40, "x"], "does not fit"),
    "too long": ([11, "2026-02-01", 1, 5, "x" * 21], "does not fit"),
}


@pytest.mark.parametrize("name", BAD)
async def test_bad_row_stores_nothing(world: RecordWorld, host: str, name: str):
    bad, message = BAD[name]
    with pytest.raises(StoreRefused, match=message):
        await world.port().store("k1", rows(NEW, bad))
    assert there(host) == FIRST


async def test_role_that_may_only_read_is_named(world: RecordWorld, host: str, tmp_path: Path):
    await world.port().store("k0", rows(NEW))
    (tmp_path / "reader").mkdir()
    weak = RecordWorld(tmp_path / "reader", f"postgresql://reader@/postgres?host={host}")
    with admin(host) as db:
        db.execute("GRANT SELECT ON metaagent_stored TO reader")
    with pytest.raises(StoreRefused, match="may not write there"):
        await weak.port().store("k1", rows([11, "2026-02-01", 1, 5, "x"]))


async def test_missing_table_is_named(world: RecordWorld, host: str):
    with admin(host) as db:
        db.execute("DROP TABLE visits")
    with pytest.raises(StoreRefused, match="no such table"):
        await world.port().store("k1", rows(NEW))
