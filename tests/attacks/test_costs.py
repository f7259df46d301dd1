"""Cost: short queries that become huge, and long inputs of bad shapes."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from metaagent.data.guard import guard
from metaagent.data.job import Job, take
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.errors import SqlRefused
from metaagent.level1.reasoner import LONG, apart_if_long
from tests.attacks.bounded import bounded, within
from tests.attacks.generators import costly_queries
from tests.support.duck_world import build_duckdb
from tests.support.guard_world import FIRST, POLICY, build_sqlite

ROOT = Path(__file__).parents[2]
QUERIES = dict(costly_queries(seed=3, count=1))


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "duckdb"])
@pytest.mark.parametrize("name", QUERIES)
def test_a_query_that_becomes_huge_is_refused_before_it_runs(dialect: str, name: str):
    with pytest.raises(SqlRefused) as refused:
        guard(QUERIES[name], POLICY, dialect=dialect)
    assert refused.value.params["rule"] in {"expansion", "depth"}


def test_an_ordinary_query_with_layers_is_allowed():
    layers = ", ".join(
        f"c{i} AS (SELECT name FROM {'regions' if i == 0 else f'c{i - 1}'})" for i in range(12)
    )
    for dialect in ("sqlite", "postgres", "duckdb"):
        assert guard(f"WITH {layers} SELECT count(name) FROM c11", POLICY, dialect=dialect).sql


async def test_a_result_of_too_many_characters_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    build_sqlite(tmp_path / "x.db", FIRST)
    monkeypatch.setattr("metaagent.data.job.LARGEST_RESULT", 10)
    database = ReadOnlyDatabase(f"sqlite:///{tmp_path / 'x.db'}", POLICY)
    with pytest.raises(SqlRefused) as refused:
        await database.run(guard("SELECT name FROM regions", POLICY, dialect="sqlite").sql)
    assert refused.value.params["rule"] == "size"


HUNGRY = f"""SELECT count(*) FROM (
    SELECT DISTINCT replace('{"x" * 10}', 'x', '{"y" * 1000}') || a.name || b.name || c.name || d.name || e.name AS t
    FROM {", ".join(f"regions {name}" for name in "abcde")}
) x"""
SMALL = """
import asyncio, sys
from metaagent.data import duckdb, job, sqlite
sqlite.MEMORY_MB = 4
duckdb._CONFIG.update({name: "4MB" for name in duckdb._CONFIG if name == "memory_limit"})  # lowered where it is set
from metaagent.data.guard import guard
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.errors import SqlRefused
from tests.support.guard_world import POLICY
url, sql = sys.argv[1:]
database = ReadOnlyDatabase(url, POLICY)
try:
    asyncio.run(database.run(guard(sql, POLICY, dialect=database.dialect).sql))
    print("ran")
except SqlRefused as refused:
    print(refused.params["rule"])
"""


@pytest.mark.parametrize(("kind", "build"), [("sqlite", build_sqlite), ("duckdb", build_duckdb)])
def test_a_query_that_takes_too_much_memory_is_stopped(
    kind: str, build: Callable[..., object], tmp_path: Path
):
    """In a process of its own: SQLite's limit is for a whole process, and cannot be raised again."""
    build(tmp_path / "x", FIRST)
    command = [sys.executable, "-c", SMALL, f"{kind}:///{tmp_path / 'x'}", HUNGRY]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, timeout=60)
    assert done.stdout.strip() == "memory"


def test_text_for_many_rows_at_once_is_bounded():
    """DuckDB makes texts of 2,000 rows outside its own limit of memory, and is not stopped while it does."""
    long = f"replace('{'x' * 1000}', 'x', '{'y' * 1000}')"
    columns = ", ".join(f"{long} AS t{at}" for at in range(2))
    for dialect in ("sqlite", "postgres"):
        assert guard(f"SELECT {long} FROM regions", POLICY, dialect=dialect).sql
    with pytest.raises(SqlRefused) as refused:
        guard(f"SELECT {columns} FROM regions", POLICY, dialect="duckdb")
    assert refused.value.params["rule"] == "expansion"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT length(string_agg(name, ',')) FROM regions",
        "SELECT x.n FROM (SELECT string_agg(name, ',') AS n FROM regions) x",
        "SELECT string_agg(name, ',') OVER (ORDER BY name) FROM regions",
    ],
)
def test_text_joined_where_nobody_counts_is_refused(sql: str):
    with pytest.raises(SqlRefused) as refused:
        guard(sql, POLICY, dialect="postgres")
    assert refused.value.params["rule"] == "expansion"
    assert guard("SELECT string_agg(name, ',') FROM regions", POLICY, dialect="postgres").sql


@pytest.mark.parametrize("call", ["repeat(name, 9)", "array_agg(name)", "json_agg(name)", "lpad(name, 9)"])
def test_functions_that_make_much_of_little_are_refused(call: str):
    with pytest.raises(SqlRefused) as refused:
        guard(f"SELECT {call} FROM regions", POLICY, dialect="postgres")
    assert refused.value.params["rule"] in {"function", "node"}


async def test_a_long_question_is_read_beside_the_loop():
    """What others do meanwhile does not wait for it."""

    def read() -> dict[str, Any]:
        return {"thread": threading.get_ident()}

    here = threading.get_ident()
    assert (await apart_if_long("x" * LONG, read))["thread"] == here
    assert (await apart_if_long("x" * (LONG + 1), read))["thread"] != here


class Wide:
    """A cursor that would give very much: it counts how many rows were taken from it."""

    def __init__(self) -> None:
        self.given = 0

    def fetchmany(self, count: int) -> list[Any]:
        self.given += count
        return [("x" * 5_000_000,)] * count


def test_few_rows_are_fetched_before_their_size_is_known():
    cursor = Wide()
    with pytest.raises(SqlRefused):
        take(cursor, Job("", None, 10_000, 30))
    assert cursor.given <= 16


def spun(turns: Sequence[float], seconds: float) -> Iterator[float]:
    for turn in turns:
        with within(seconds):
            while turn < 0:
                pass
        yield turn


def test_work_that_does_not_end_is_given_up_and_named():
    assert list(bounded(spun, [1.0, -1.0, 2.0, -2.0], 0.1)) == [
        (1.0, 1.0),
        (-1.0, None),
        (2.0, 2.0),
        (-2.0, None),
    ]
