"""Text that holds dates and numbers: recognised by its values, read by the SQL."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy as sa
from pydantic import ValidationError

from metaagent.data.semantic import SemanticQuery, compile_query
from metaagent.data.semantic.compiling.casts import read_as
from metaagent.data.semantic.compiling.dialects import sql_dialect
from metaagent.data.semantic.drafting.contents import epoch_of, is_personal, layout_of, number_in_text
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model import Column, is_cast

VALUES = [
    ("YYYYMMDD", "20260305", "2026-03-05"),
    ("YYYYMMDD", "00000000", None),
    ("YYYYMMDD", "", None),
    ("YYYYMMDD", "20261305", None),
    ("YYYY/MM/DD", "2026/03/05", "2026-03-05"),
    ("DD.MM.YYYY", "05.03.2026", "2026-03-05"),
    ("MM/DD/YYYY", "03/05/2026", "2026-03-05"),
    ("YYYYMM", "202603", "2026-03-01"),
    ("number", "12,300", 12300.0),
    ("number", "₩5,000", 5000.0),
    ("number", "-1.5", -1.5),
    ("number", "N/A", None),
    ("number", "", None),
]


def sql(cast: str, dialect: str) -> str:
    kind = "number" if cast == "number" else "date"
    made = sa.select(read_as(sa.column("v"), cast, kind, dialect)).select_from(sa.table("t"))
    return str(made.compile(dialect=sql_dialect(dialect)))


@pytest.mark.parametrize(("cast", "text", "meant"), VALUES)
def test_text_is_read_as_it_is_meant(cast: str, text: str, meant: Any):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t (v TEXT)")
    db.execute("INSERT INTO t VALUES (?)", (text,))
    assert db.execute(sql(cast, "sqlite")).fetchone()[0] == meant
    db.close()
    duck = duckdb.connect()
    duck.execute("CREATE TABLE t (v TEXT)")
    duck.execute("INSERT INTO t VALUES (?)", [text])
    found = duck.execute(sql(cast, "duckdb")).fetchone()
    duck.close()
    assert found is not None
    assert (str(found[0]) if cast != "number" and found[0] is not None else found[0]) == meant


@pytest.mark.parametrize("text", ["YYYYMMDD", "DD.MM.YYYY", "YYYY-MM", "number"])
def test_a_layout_or_number_is_a_cast(text: str):
    assert is_cast(text)


@pytest.mark.parametrize("text", ["", "YYMMDD", "YYYYDD", "YYYYMMD", "date", "YYYY'; DROP", "YYYYMMDDHH"])
def test_anything_else_is_none(text: str):
    assert not is_cast(text)


def test_a_cast_fits_the_type():
    assert Column(type="date", cast="YYYYMMDD").cast == "YYYYMMDD"
    for wrong in ({"type": "string", "cast": "YYYYMMDD"}, {"type": "date", "cast": "number"}):
        with pytest.raises(ValidationError):
            Column.model_validate(wrong)


def test_layouts_are_recognised_by_their_values():
    assert layout_of("ord_dt", ["20260305", "20261130"]) == "YYYYMMDD"
    assert layout_of("opened", ["2026/03/05"]) == "YYYY/MM/DD"
    assert layout_of("opened", ["05.03.2026", "25.03.2026"]) == "DD.MM.YYYY"
    assert layout_of("opened", ["03/05/2026", "03/25/2026"]) == "MM/DD/YYYY"
    assert layout_of("opened", ["03/05/2026", "04/06/2026"]) is None
    assert layout_of("ord_ym", ["202603"]) == "YYYYMM"
    assert layout_of("sales_month", ["202603"]) == "YYYYMM"
    assert layout_of("cust_no", ["20260305"], number=True) is None


def test_amounts_are_numbers_and_codes_are_not():
    assert number_in_text("ord_amt", ["12,300", "500"]) == "integer"
    assert number_in_text("hours", ["1.5", "2"]) == "number"
    assert number_in_text("sts_cd", ["10", "20"]) is None
    assert number_in_text("grp", ["10", "20"]) is None
    assert number_in_text("amount", ["010", "20"]) is None
    assert number_in_text("amount", ["many", "few"]) is None


def test_personal_values_are_known_whatever_the_column_is_called():
    assert is_personal(["010-2345-6789", "010-9876-5432"])
    assert is_personal(["a@example.com", "b@example.org", "-"])
    assert not is_personal(["서울", "부산"])
    assert not is_personal([])


def test_a_cast_column_answers_over_periods(tmp_path: Path):
    model = loads(
        """
        version: 1
        name: shop
        tables:
          orders: {key: [id], columns: {id: integer, day: {type: date, cast: YYYYMMDD}, amount: {type: integer, cast: number}}}
        metrics:
          sales: {type: sum, column: orders.amount, time: orders.day, label: Sales}
        """
    )
    db = sqlite3.connect(tmp_path / "shop.db")
    db.execute("CREATE TABLE orders (id INTEGER, day TEXT, amount TEXT)")
    db.executemany(
        "INSERT INTO orders VALUES (?, ?, ?)",
        [(1, "20261001", "1,000"), (2, "20261031", "2,000"), (3, "20261101", "4,000"), (4, "bad", "8,000")],
    )
    query = SemanticQuery.model_validate(
        {
            "metrics": ["sales"],
            "dimensions": ["month"],
            "period": {"start": "2026-10-01", "end": "2026-11-30"},
        }
    )
    made = compile_query(model, query, dialect="sqlite", tenant=None, roles=[])
    assert made.visible(db.execute(made.sql, made.params)) == [("2026-10", 3000), ("2026-11", 4000)]
    db.close()


@pytest.mark.parametrize(
    "name", ["PaidAt", "rental_start", "valid_until", "checkin_on", "created_ts", "OrderTime"]
)
def test_seconds_under_the_name_of_a_moment_are_a_time(name: str) -> None:
    assert epoch_of(name, ["1767225600", "1790000000"]) == "epoch"
    assert epoch_of(name, ["1767225600000"]) == "epoch_ms"


@pytest.mark.parametrize("name", ["Amt", "order_id", "phone_number", "start_code"])
def test_large_numbers_under_another_name_are_no_time(name: str) -> None:
    assert epoch_of(name, ["1767225600", "1790000000"]) is None
