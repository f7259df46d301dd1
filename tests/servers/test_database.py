"""The databases alone: every attack goes past the guard, straight to them."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from metaagent.data.guard import Policy, TablePolicy, guard
from metaagent.data.job import Job, plain
from metaagent.data.policy import quote
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.data.sqlite import SqliteEngine
from metaagent.errors import ConfigInvalid, DataUnavailable, MetaAgentError, SqlRefused
from tests.support.duck_world import build_duckdb
from tests.support.guard_world import (
    FIRST,
    POLICY,
    SECOND,
    attacks,
    build_sqlite,
    digest,
    normal,
    queries,
)

if TYPE_CHECKING:
    from pathlib import Path

SLOW = (
    "SELECT COUNT(*) FROM numbers a, numbers b, numbers c, numbers d WHERE (a.n * b.n + c.n * d.n) % 7919 = 1"
)
NUMBERS = Policy({"numbers": TablePolicy(("n",), None)})


async def outcome(db: ReadOnlyDatabase, sql: str) -> list[str] | str:
    try:
        return normal((await db.run(sql, timeout=5)).rows)
    except SqlRefused as error:
        return f"{error.params.get('rule')}: {error.params.get('reason')}"


BUILDERS = {"sqlite": build_sqlite, "duckdb": build_duckdb}


@pytest.fixture(params=["sqlite", "duckdb"])
def folder(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, Path]:
    """Two worlds and the world of t1 alone, in files; the working directory is theirs, so that a new file is
    seen.
    """
    if request.param == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed")
    monkeypatch.chdir(tmp_path)
    build = BUILDERS[request.param]
    build(tmp_path / "first.db", FIRST)
    build(tmp_path / "second.db", SECOND)
    build(tmp_path / "mine.db", None)
    return request.param, tmp_path


def open_db(kind: str, path: Path, policy: Policy = POLICY, **options: Any) -> ReadOnlyDatabase:
    return ReadOnlyDatabase(f"{kind}:///{path}", policy, **options)


async def test_no_attack_gets_anything_hidden_from_the_database_alone(folder: tuple[str, Path]):
    kind, path = folder
    before = digest(path)
    first, second = open_db(kind, path / "first.db"), open_db(kind, path / "second.db")
    leaks: list[tuple[str, Any, Any]] = []
    for sql in attacks():
        one, two = await outcome(first, sql), await outcome(second, sql)
        if one != two:
            leaks.append((sql, one, two))
    assert leaks == []
    assert digest(path) == before


async def test_legitimate_queries_give_the_same_rows_with_the_guard(
    folder: tuple[str, Path],
):
    kind, path = folder
    db = open_db(kind, path / "first.db")
    mine = Policy({name: TablePolicy(p.columns, None) for name, p in POLICY.tables.items()})
    right_db = open_db(kind, path / "mine.db", mine)
    wrong: list[tuple[str, Any, Any]] = []
    for sql in queries(db.dialect):
        right = await outcome(right_db, sql)
        guarded = await outcome(db, guard(sql, POLICY, dialect=db.dialect).sql)
        bare = await outcome(db, sql)
        # Without the guard the views also show the tenant's own key and the filter's column.
        if guarded != right or isinstance(right, str) or (bare != right and "*" not in sql):
            wrong.append((sql, guarded, right))
    assert wrong == []


async def test_rows_are_capped_and_the_cap_is_said(folder: tuple[str, Path]):
    kind, path = folder
    db = open_db(kind, path / "first.db", max_rows=3)
    result = await db.run("SELECT id FROM sales ORDER BY id")
    assert (result.row_count, result.truncated, result.columns) == (3, True, ["id"])
    exact = await db.run("SELECT id FROM sales ORDER BY id LIMIT 3")
    assert (exact.row_count, exact.truncated) == (3, False)
    assert (await db.run("SELECT id FROM sales", max_rows=99)).row_count == 3
    assert db.queries_executed == 3
    assert result.plan


async def test_a_missing_database_says_where_and_what_to_do(tmp_path: Path):
    for kind in ("sqlite", "duckdb"):
        with pytest.raises(DataUnavailable, match="nowhere") as caught:
            await open_db(kind, tmp_path / "nowhere.db").run("SELECT 1")
        assert "확인" in caught.value.say("ko")
        assert not (tmp_path / "nowhere.db").exists()


async def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path):
    (tmp_path / "text.db").write_text("not a database at all, only text " * 100)
    with pytest.raises(DataUnavailable):
        await open_db("sqlite", tmp_path / "text.db").run("SELECT 1")


async def test_a_policy_for_a_table_that_does_not_exist_is_unavailable(folder: tuple[str, Path]):
    kind, path = folder
    db = open_db(kind, path / "first.db", Policy({"nothing": TablePolicy(("a",), None)}))
    with pytest.raises(DataUnavailable):
        await db.run("SELECT a FROM nothing")


@pytest.mark.parametrize(
    "url", ["mysql://u:secret@h/d", "sqlite://", "sqlite:///:memory:", "duckdb:///:memory:", "nonsense"]
)
def test_unknown_database_kind_is_refused_without_its_password(url: str):
    with pytest.raises(ConfigInvalid) as caught:
        ReadOnlyDatabase(url, POLICY)
    assert "secret" not in str(caught.value)


def build_numbers(kind: str, path: Path) -> Path:
    if kind == "sqlite":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE numbers (n INTEGER)")
            db.executemany("INSERT INTO numbers VALUES (?)", [(i,) for i in range(2000)])
        db.close()
    else:
        import duckdb

        with duckdb.connect(str(path)) as other:
            other.execute("CREATE TABLE numbers AS SELECT i AS n FROM range(2000) t(i)")
    return path


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
async def test_a_slow_query_is_stopped_in_time_and_says_so(kind: str, tmp_path: Path):
    db = open_db(kind, build_numbers(kind, tmp_path / "n.db"), NUMBERS)
    with pytest.raises(SqlRefused, match=r"within 0\.3 seconds"):
        await db.run(SLOW, timeout=0.3)


async def test_an_interrupt_between_two_statements_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from metaagent.data import duckdb

    def plan(_connection: Any, job: Job) -> list[Any]:
        while not job.stopped:
            time.sleep(0.01)
        return []

    monkeypatch.setattr(duckdb, "_plan", plan)
    db = open_db("duckdb", build_numbers("duckdb", tmp_path / "n.db"), NUMBERS)
    with pytest.raises(SqlRefused, match=r"within 0\.3 seconds"):
        await db.run(SLOW, timeout=0.3)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
async def test_cancelling_interrupts_the_running_statement(kind: str, tmp_path: Path):
    db = open_db(kind, build_numbers(kind, tmp_path / "n.db"), NUMBERS)
    task = asyncio.create_task(db.run(SLOW))
    await asyncio.sleep(0)
    assert db.queries_executed == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await db.run("SELECT COUNT(*) FROM numbers")).rows == [[2000]]


@pytest.mark.parametrize(
    "sql",
    [
        "SET memory_limit = '900GB'",
        "PRAGMA memory_limit = '900GB'",
        "PRAGMA hard_heap_limit = 0",
        "PRAGMA soft_heap_limit(0)",
        "RESET memory_limit",
        "SET GLOBAL max_temp_directory_size = '900GB'",
        "SELECT 1; SET memory_limit = '900GB'",
    ],
)
async def test_no_query_raises_its_own_limits(folder: tuple[str, Path], sql: str):
    kind, path = folder
    with pytest.raises(SqlRefused):
        await open_db(kind, path / "first.db").run(sql)


async def test_parameters_are_bound(folder: tuple[str, Path]):
    kind, path = folder
    result = await open_db(kind, path / "first.db").run(
        "SELECT id FROM sales WHERE region = ? ORDER BY id", ["서울"]
    )
    assert result.rows == [[1], [2]]


async def test_sqlite_never_writes_beside_a_wal_database(tmp_path: Path):
    path = build_sqlite(tmp_path / "wal.db", FIRST)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("UPDATE sales SET note = 'new' WHERE id = 1")
    writer.commit()
    result = await open_db("sqlite", path).run("SELECT note FROM sales WHERE id = 1")
    writer.close()
    assert result.rows == [["new"]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal(12), 12),
        (Decimal("1.50"), 1.5),
        (Decimal("NaN"), None),
        (float("inf"), None),
        (2**70, float(2**70)),
        (date(2024, 1, 2), "2024-01-02"),
        (datetime(2024, 1, 2, 3, 4, 5), "2024-01-02T03:04:05"),  # noqa: DTZ001 - a database gives such values
        (datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), "2024-01-02T03:04:05.000Z"),
        (timedelta(minutes=1), 60.0),
        (b"\x01\xff", "01ff"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ([Decimal("0.5"), None], [0.5, None]),
        ({"a": date(2024, 1, 1)}, {"a": "2024-01-01"}),
        (True, True),
    ],
)
def test_values_come_back_as_plain_data(value: object, expected: object):
    assert plain(value) == expected


async def test_every_refusal_of_the_database_speaks_both_languages(folder: tuple[str, Path]):
    kind, path = folder
    db = open_db(kind, path / "first.db")
    for sql in ("DELETE FROM sales", "SELECT nothing FROM sales", "SELECT * FROM secrets"):
        with pytest.raises(MetaAgentError) as caught:
            await db.run(sql)
        assert caught.value.say("ko") != caught.value.say("en")


NAMES = ("orders", 'a "quoted" one', "매출", "STRASSE", "not_there")
PLAIN_TABLES = Policy({name: TablePolicy(("n",), None) for name in NAMES})


@pytest.fixture
def odd_names(tmp_path: Path) -> ReadOnlyDatabase:
    path = tmp_path / "odd.db"
    with sqlite3.connect(path) as connection:
        for name in NAMES[:-1]:
            connection.execute(f"CREATE TABLE {quote(name)} (n INT)")
            connection.execute(f"INSERT INTO {quote(name)} VALUES (7)")
    return ReadOnlyDatabase(f"sqlite:///{path}", PLAIN_TABLES)


@pytest.mark.parametrize(
    "named", ["orders", "ORDERS", "[orders]", '"a ""quoted"" one"', '`a "quoted" one`', '"매출"', "strasse"]
)
async def test_table_is_found_however_it_is_written(odd_names: ReadOnlyDatabase, named: str) -> None:
    assert [tuple(row) for row in (await odd_names.run(f"SELECT n FROM {named}")).rows] == [(7,)]


async def test_missing_table_leaves_the_others_usable(odd_names: ReadOnlyDatabase) -> None:
    with pytest.raises(SqlRefused):
        await odd_names.run("SELECT n FROM not_there")
    with pytest.raises(SqlRefused):
        await odd_names.run("SELECT o.n FROM orders o, not_there t")
    assert (await odd_names.run("SELECT 1")).row_count == 1


async def test_only_named_tables_get_their_views(
    odd_names: ReadOnlyDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[str]] = []
    plain = SqliteEngine._make_views  # pyright: ignore[reportPrivateUsage]

    def noted(self: SqliteEngine, connection: sqlite3.Connection, tables: Any) -> dict[str, str]:
        made.append(sorted(tables))
        return plain(self, connection, tables)

    monkeypatch.setattr(SqliteEngine, "_make_views", noted)
    await odd_names.run("SELECT n FROM orders")
    assert made == [["orders"]]
