"""Any name that a database allows works: blanks, hyphens, Korean, reserved words, mixed case, quotes and per cent signs."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from metaagent.data.guard import guard
from metaagent.data.policy import quote
from metaagent.data.read_only import ReadOnlyDatabase
from metaagent.data.semantic import SemanticQuery, compile_query, loads
from metaagent.data.semantic.policies import compiled_policy, written_policy
from metaagent.errors import SqlRefused

if TYPE_CHECKING:
    from pathlib import Path

    from metaagent.data.semantic import Model

NAMES = [
    "Order Details",
    "order-details",
    "주문 상세",
    "Select",
    "a.b",
    'say "hi"',
    "100% sure",
    "group",
    "facts",
    "Ünïcode",
]


def model_of(name: str) -> Model:
    """Every name of the database is `name`, and the model names the table so too where YAML allows it."""
    quoted = name.replace("'", "''")
    return loads(
        f"""
version: 1
name: odd
tables:
  lines:
    table: '{quoted}'
    key: [id]
    columns:
      id: integer
      amount: {{type: number, column: '{quoted} amount'}}
      thing: {{type: string, column: '{quoted} name'}}
      day: {{type: date, column: '{quoted} day'}}
  missing: {{key: [id], columns: {{id: integer}}}}
metrics:
  total: {{type: sum, column: lines.amount, time: lines.day, label: total}}
  gone: {{type: count, table: missing, label: gone}}
dimensions:
  thing: {{column: lines.thing, key: lines.id, label: thing}}
"""
    )


def database(folder: Path, kind: str, name: str) -> str:
    file = folder / f"odd.{kind}"
    run: Any = sqlite3.connect(file) if kind == "sqlite" else duckdb.connect(str(file))
    columns = [quote(f"{name} {part}") for part in ("amount", "name", "day")]
    date_type = "TEXT" if kind == "sqlite" else "DATE"
    run.execute(
        f"CREATE TABLE {quote(name)} (id INTEGER, {columns[0]} DOUBLE PRECISION, {columns[1]} VARCHAR, {columns[2]} {date_type})"
    )
    for row in [(1, 5, "x", "2026-01-05"), (2, 7, "x", "2026-02-05"), (3, 1, "y", "2026-02-06")]:
        run.execute(f"INSERT INTO {quote(name)} VALUES (?, ?, ?, ?)", row)
    run.commit()
    run.close()
    return f"{kind}:///{file}"


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("name", NAMES)
async def test_any_name_of_a_table_or_column_is_asked(tmp_path: Path, name: str, kind: Any):
    model, url = model_of(name), database(tmp_path, kind, name)
    query = SemanticQuery.model_validate(
        {
            "metrics": ["total"],
            "dimensions": ["thing", "month"],
            "period": {"start": "2026-01-01", "end": "2026-12-31"},
            "rows": [{"column": "lines.amount", "op": ">", "values": [1]}],
            "having": [{"column": "total", "op": "between", "values": [1, 100]}],
            "top": {"n": 1, "dimension": "thing"},
        }
    )
    made = compile_query(model, query, dialect=kind, tenant=None)
    found = await ReadOnlyDatabase(url, compiled_policy(model, None)).run(made.sql, made.params)
    assert [tuple(row) for row in found.rows] == [("x", "2026-02", 7, 2)]


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("name", NAMES)
async def test_written_sql_may_name_it_and_nothing_else(tmp_path: Path, name: str, kind: str):
    model, url = model_of(name), database(tmp_path, kind, name)
    policy = written_policy(model, None, [])
    amount, table = quote(f"{name} amount"), quote(name)
    safe = guard(f"SELECT sum({amount}) AS s FROM {table}", policy, dialect=kind)
    found = await ReadOnlyDatabase(url, policy).run(safe.sql)
    assert [tuple(row) for row in found.rows] == [(13,)]
    with pytest.raises(SqlRefused):
        guard(f'SELECT {amount} AS "a; DROP" FROM {table}', policy, dialect=kind)
    with pytest.raises(SqlRefused):
        guard(f"SELECT 1 FROM {quote(name + '!')}", policy, dialect=kind)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
async def test_a_table_that_is_not_there_stops_only_itself(tmp_path: Path, kind: Any):
    model, url = model_of("lines"), database(tmp_path, kind, "lines")
    policy = compiled_policy(model, None)
    asked = {name: SemanticQuery(metrics=[name]) for name in ("total", "gone")}
    made = {name: compile_query(model, one, dialect=kind, tenant=None) for name, one in asked.items()}
    found = await ReadOnlyDatabase(url, policy).run(made["total"].sql, made["total"].params)
    assert [tuple(row) for row in found.rows] == [(13,)]
    with pytest.raises(SqlRefused):
        await ReadOnlyDatabase(url, policy).run(made["gone"].sql, made["gone"].params)


@pytest.mark.parametrize(
    "text",
    [
        "Order Details.Unit Price * Order Details.Quantity",
        '"Order Details"."Unit Price" * "Order Details".Quantity',
    ],
)
def test_metrics_name_columns_with_blanks(tmp_path: Path, text: str):
    model = loads(
        f"""
version: 1
name: north
tables:
  Order Details: {{key: [id], columns: {{id: integer, Unit Price: number, Quantity: integer}}}}
metrics:
  sales: {{type: sum, column: '{text}', label: sales}}
"""
    )
    made = compile_query(model, SemanticQuery(metrics=["sales"]), dialect="sqlite", tenant=None)
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE TABLE "Order Details" (id INTEGER, "Unit Price" REAL, Quantity INTEGER)')
    connection.execute('INSERT INTO "Order Details" VALUES (1, 2.5, 4), (2, 1, 3)')
    assert connection.execute(made.sql, made.params).fetchall() == [(13.0,)]
    connection.close()
