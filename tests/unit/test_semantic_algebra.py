"""Random questions over random data: SQL and plain loops must agree, in SQLite and DuckDB (PostgreSQL: tests/servers)."""

from __future__ import annotations

import sqlite3
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.data.semantic import SemanticQuery, compile_query
from metaagent.data.semantic.policies import compiled_policy
from metaagent.errors import SemanticInvalid
from tests.support.naive import MODEL, Naive
from tests.support.random_queries import Asking, by_hand, fill, table_of, world

if TYPE_CHECKING:
    from pathlib import Path

WORLDS, QUESTIONS = 12, 25


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(WORLDS))
def test_sql_and_plain_loops_agree_on_random_questions(seed: int):
    random = Random(seed)
    tables = world(random)
    lite, duck = sqlite3.connect(":memory:"), duckdb.connect()
    fill(lite.execute, tables, text_dates=True)
    fill(duck.execute, tables, text_dates=False)
    naive = Naive(tables, "a")
    answered = 0
    for _ in range(QUESTIONS):
        asked = Asking(random).query()
        query = SemanticQuery.model_validate(asked)
        try:
            made = {d: compile_query(MODEL, query, dialect=d, tenant="a") for d in ("sqlite", "duckdb")}
        except SemanticInvalid:
            continue
        answered += 1
        expected = by_hand(naive.answer(query), made["sqlite"])
        for dialect, run in (("sqlite", lite.execute), ("duckdb", duck.execute)):
            one = made[dialect]
            got = table_of(one, run(one.sql, one.params).fetchall())
            assert got == expected, f"{dialect}\n{asked}\n{one.sql}\n{got - expected}\n{expected - got}"
    lite.close()
    duck.close()
    assert answered >= QUESTIONS * 0.6


@pytest.mark.thorough
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
async def test_the_databases_own_limits_let_every_shape_through(tmp_path: Path, dialect: Any):
    random = Random(77)
    tables = world(random)
    file = tmp_path / "shops"
    connection: Any = sqlite3.connect(file) if dialect == "sqlite" else duckdb.connect(str(file))
    fill(connection.execute, tables, text_dates=dialect == "sqlite")
    connection.commit()
    connection.close()
    naive = Naive(tables, "a")
    database = ReadOnlyDatabase(f"{dialect}:///{file}", compiled_policy(MODEL, "a"))
    for _ in range(QUESTIONS):
        query = SemanticQuery.model_validate(Asking(random).query())
        try:
            made = compile_query(MODEL, query, dialect=dialect, tenant="a")
        except SemanticInvalid:
            continue
        found = await database.run(made.sql, made.params)
        rows = [tuple(row) for row in found.rows]
        assert table_of(made, rows) == by_hand(naive.answer(query), made), made.sql
