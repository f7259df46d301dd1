"""Random questions over random data: SQL and plain loops must agree, in SQLite and DuckDB (PostgreSQL: tests/servers)."""

from __future__ import annotations

import sqlite3
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from metaagent.data.semantic import SemanticQuery, compile_query
from metaagent.errors import SemanticInvalid
from tests.support.naive import MODEL, Naive
from tests.support.random_queries import COLUMNS, Asking, world

if TYPE_CHECKING:
    from metaagent.data.semantic import Compiled

WORLDS, QUESTIONS = 12, 25


def fill(run: Any, tables: dict[str, list[dict[str, Any]]], *, text_dates: bool) -> None:
    for name, columns in COLUMNS.items():
        kinds = {c: "VARCHAR" if kind == "DATE" and text_dates else kind for c, kind in columns.items()}
        run(f"CREATE TABLE {name} ({', '.join(f'{c} {kind}' for c, kind in kinds.items())})", [])
        for row in tables[name]:
            values = [str(v) if text_dates and c == "day" and v else v for c, v in row.items()]
            run(f"INSERT INTO {name} VALUES ({', '.join('?' * len(values))})", values)


def rounded(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return round(float(value), 6)


def table_of(made: Compiled, rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    names = [column.name for column in made.columns]
    return Counter(tuple(sorted((n, rounded(v)) for n, v in zip(names, row, strict=True))) for row in rows)


def by_hand(rows: list[dict[str, Any]], made: Compiled) -> Counter[tuple[Any, ...]]:
    names = [column.name for column in made.columns]
    return Counter(tuple(sorted((name, rounded(row[name])) for name in names)) for row in rows)


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
