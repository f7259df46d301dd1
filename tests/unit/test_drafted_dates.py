"""What a drafted model makes of two columns of a row: days between dates, late or on time, enough or not."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from metaagent.data.semantic.compiling.compile import compile_query
from metaagent.data.semantic.drafting.infer import draft, written
from metaagent.data.semantic.drafting.words import words_of
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model import Model
from metaagent.data.semantic.model_files import merged, parted
from metaagent.data.semantic.query import Filter, SemanticQuery
from metaagent.errors import SemanticInvalid

LOANS = """
CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_name TEXT);
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members, lent_on DATE, due_on DATE, returned_on DATE);
INSERT INTO members VALUES (1, 'Ann'), (2, 'Bob');
INSERT INTO loans VALUES (1, 1, '2026-01-01', '2026-01-10', '2026-01-11'), (2, 1, '2026-01-02', '2026-01-10', '2026-01-05'),
    (3, 2, '2026-02-01', '2026-02-10', '2026-02-10'), (4, 2, '2026-02-03', '2026-02-12', NULL);
"""
STOCKS = """
CREATE TABLE parts (part_id INTEGER PRIMARY KEY, part_name TEXT, stock_qty INTEGER, reorder_level INTEGER);
INSERT INTO parts VALUES (1, 'bolt', 5, 10), (2, 'nut', 10, 10), (3, 'cog', 7, NULL);
"""
LINES = """
CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, rented_on DATE, total_price NUMERIC);
CREATE TABLE rental_items (rental_id INTEGER REFERENCES rentals, gear TEXT, days INTEGER, price NUMERIC,
    PRIMARY KEY (rental_id, gear));
INSERT INTO rentals VALUES (1, '2026-01-01', 30), (2, '2026-01-02', 50);
INSERT INTO rental_items VALUES (1, 'lens', 3, 30), (2, 'lens', 2, 20), (2, 'drone', 3, 30);
"""


def drafted(folder: Path, sql: str) -> dict[str, Any]:
    file = folder / "made.db"
    with sqlite3.connect(file) as db:
        db.executescript(sql)
    db.close()
    return draft(f"sqlite:///{file}").model


def asked(folder: Path, model: Model, query: SemanticQuery) -> list[tuple[Any, ...]]:
    made = compile_query(model, query, tenant=None, dialect="sqlite")
    with sqlite3.connect(folder / "made.db") as db:
        rows = db.execute(made.sql, made.params).fetchall()
    db.close()
    return rows


def test_days_between_dates_leave_out_what_is_not_over(tmp_path: Path):
    model = loads(written(drafted(tmp_path, LOANS)))
    metric = model.metrics["average_loan_days_returned"]
    assert metric.column == "loans.returned_on - loans.lent_on"
    rows = asked(tmp_path, model, SemanticQuery(metrics=["average_loan_days_returned"]))
    assert rows[0][0] == pytest.approx((10 + 3 + 9) / 3)


def test_a_row_is_late_after_its_planned_day_alone(tmp_path: Path):
    model = loads(written(drafted(tmp_path, LOANS)))
    query = SemanticQuery(metrics=["loan_count"], dimensions=["loan_punctuality"])
    assert {row[0]: row[-1] for row in asked(tmp_path, model, query)} == {"late": 1, "on time": 2, None: 1}


def test_what_is_below_its_least_is_low(tmp_path: Path):
    model = loads(written(drafted(tmp_path, STOCKS)))
    low = Filter(dimension="part_sufficiency", op="in", values=["low"])
    rows = asked(tmp_path, model, SemanticQuery(metrics=["part_count"], filters=[low]))
    assert rows[0][0] == 1


def test_prices_that_add_up_to_their_heads_are_no_unit_prices(tmp_path: Path):
    assert drafted(tmp_path, LINES)["metrics"]["sales"]["column"] == "rental_items.price"


def test_prices_that_do_not_are_multiplied(tmp_path: Path):
    other = LINES.replace("(1, 'lens', 3, 30)", "(1, 'lens', 3, 10)")
    assert drafted(tmp_path, other)["metrics"]["sales"]["column"] == "rental_items.price * rental_items.days"


def test_compared_columns_go_with_the_columns_they_compare(tmp_path: Path):
    own, generated = parted(drafted(tmp_path, LOANS))
    assert "punctuality" not in own["tables"]["loans"]["columns"]
    assert "loan_punctuality" in merged(own, generated)["dimensions"]
    del own["tables"]["loans"]["columns"]["due_on"]
    assert "loan_punctuality" not in merged(own, generated)["dimensions"]


def test_only_dates_are_compared_as_dates(tmp_path: Path):
    model = drafted(tmp_path, LOANS)
    model["tables"]["loans"]["columns"]["punctuality"]["after"] = ["returned_on", "member_id"]
    with pytest.raises(SemanticInvalid, match="'member_id' is no date of this table"):
        loads(written(model))


def test_a_date_less_a_number_is_refused(tmp_path: Path):
    model = drafted(tmp_path, LOANS)
    model["metrics"]["average_loan_days_returned"]["column"] = "loans.returned_on - loans.member_id"
    with pytest.raises(SemanticInvalid, match="a average needs numbers"):
        loads(written(model))


def test_modules_before_all_names_are_no_words(tmp_path: Path):
    tables = ("PR_ORD", "PR_RSLT", "QC_DFCT", "MS_ITEM")
    sql = "".join(
        f"CREATE TABLE {name} ({name[3:]}_NO INTEGER PRIMARY KEY, QTY INTEGER); INSERT INTO {name} VALUES (1, 2);"
        for name in tables
    )
    assert "order_count" in drafted(tmp_path, sql)["metrics"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("price_usd", ["price", "usd"]),
        ("무게kg", ["무게", "kg"]),
        ("DistanceKm", ["distance"]),
        ("minStockKg", ["minimum", "stock", "kg"]),
        ("min_cnt", ["minute", "count"]),
        ("lenses", ["lens"]),
    ],
)
def test_units_and_short_forms_of_names(name: str, words: list[str]):
    assert words_of(name) == words
