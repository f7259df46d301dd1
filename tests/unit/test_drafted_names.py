"""Names of foreign databases as people say them: Latin letters for Korean, states, weights, currencies, new things."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from metaagent.data.semantic.aliases import aliases
from metaagent.data.semantic.compiling.compile import compile_query
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.drafting.romanised import from_latin
from metaagent.data.semantic.drafting.words import korean, words_of
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model import Model
from metaagent.data.semantic.query import SemanticQuery


def inferred(folder: Path, sql: str) -> Model:
    file = folder / "made.db"
    with sqlite3.connect(file) as db:
        db.executescript(sql)
    db.close()
    return loads(infer(f"sqlite:///{file}"))


@pytest.mark.parametrize(
    ("part", "word"),
    [("sisul", "시술"), ("naeyeok", "내역"), ("jikgeup", "직급"), ("jillyo", "진료"), ("jinryo", "진료"), ("deungnok", "등록")],
)  # fmt: skip
def test_korean_in_latin_letters_is_read(part: str, word: str):
    assert from_latin(part) == word


@pytest.mark.parametrize("part", ["session", "museum", "deposit", "video", "fee", "token", "neon", "hand"])
def test_words_of_other_languages_are_left_alone(part: str):
    assert words_of(part) == [part]


def test_compounds_and_participles_have_korean_words():
    assert "계약자" in korean(words_of("PolicyHolder"))
    assert "청구 금액" in korean(words_of("ClaimedAmount"))
    assert korean(["quantity", "on", "hand"]) == []


def test_korean_cities_are_known_in_both_scripts():
    assert aliases("shop.city", "Busan") == ["부산"]
    assert aliases("shop.city", "서울") == ["Seoul"]


VISITS = """
    CREATE TABLE states (state_cd TEXT PRIMARY KEY, state_desc TEXT);
    CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, state_cd TEXT REFERENCES states, booking_date TEXT);
    INSERT INTO states VALUES ('1', 'Completed'), ('2', 'Cancelled'), ('3', 'No-show');
    INSERT INTO booking VALUES (1, '1', '2026-01-03'), (2, '2', '2026-01-04'), (3, '1', '2026-02-03'), (4, '3', '2026-02-09');
"""


def test_states_in_a_table_of_their_own_have_rates(tmp_path: Path):
    model = inferred(tmp_path, VISITS)
    rate = model.metrics["booking_cancellation_rate"]
    assert rate.denominator == "booking_count"
    part = model.metrics[str(rate.numerator)]
    assert (part.table, part.where[0].column, part.where[0].values) == (
        "booking",
        "states.state_desc",
        ["Cancelled"],
    )
    assert "취소" in model.dimensions["state"].values["Cancelled"].ko


LINES = """
    CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, buyer_name TEXT, joined_on TEXT);
    CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, ordered_on TEXT);
    CREATE TABLE order_lines (order_id INTEGER REFERENCES orders, line_no INTEGER, kg INTEGER, unit_price NUMERIC,
        PRIMARY KEY (order_id, line_no));
    INSERT INTO buyers VALUES (1, 'Ada', '2026-01-01'), (2, 'Ben', '2026-03-01');
    INSERT INTO orders VALUES (1, 1, '2026-04-01'), (2, 2, '2026-05-01');
    INSERT INTO order_lines VALUES (1, 1, 30, 2.5), (1, 2, 10, 4.0), (2, 1, 5, 2.5);
"""


def test_sales_by_weight_are_price_times_weight(tmp_path: Path):
    assert inferred(tmp_path, LINES).metrics["sales"].column == "order_lines.unit_price * order_lines.kg"


def test_things_that_came_in_a_period_are_new(tmp_path: Path):
    said = inferred(tmp_path, LINES).metrics["buyer_count"].synonyms
    assert "new buyers" in said.en
    assert "신규 구매자" in said.ko


BILLS = """
    CREATE TABLE invoices (invoice_no TEXT PRIMARY KEY, issued_on TEXT, paid_on TEXT, net_eur NUMERIC, kind TEXT);
    INSERT INTO invoices VALUES ('a', '2026-01-01', '2026-02-01', 10.5, 'translation'), ('b', '2026-01-05', NULL, 20, 'review'),
        ('c', '2026-02-05', '2026-03-01', 7, 'translation');
"""


def test_a_date_of_the_rows_has_the_verbs_of_what_happened(tmp_path: Path):
    paid = inferred(tmp_path, BILLS).dimensions["invoice_paid_on"]
    assert (paid.column, paid.kind) == (["invoices.paid_on"], "date")
    assert {"paid", "pay", "settle"} <= {*paid.verbs.en}
    assert {"결제되", "납부하"} <= {*paid.verbs.ko}


def test_deleted_rows_do_not_count_unless_asked_for(tmp_path: Path):
    file = tmp_path / "shop.db"
    with sqlite3.connect(file) as db:
        db.executescript(
            "CREATE TABLE ord_hdr (ord_no INTEGER PRIMARY KEY, ord_dt DATE, del_yn TEXT);"
            "CREATE TABLE ord_dtl (ord_no INTEGER REFERENCES ord_hdr(ord_no), ln_no INTEGER, qty INTEGER, ln_amt INTEGER,"
            " PRIMARY KEY (ord_no, ln_no));"
        )
        for number in range(1, 41):
            gone = "Y" if number % 10 == 0 else None if number % 10 == 1 else "N"
            db.execute(
                "INSERT INTO ord_hdr VALUES (?, ?, ?)", (number, f"2026-10-{number % 28 + 1:02d}", gone)
            )
            db.execute("INSERT INTO ord_dtl VALUES (?, 1, 1, 100)", (number,))
    db.close()
    model = loads(infer(f"sqlite:///{file}"))
    flag = next(name for name, one in model.dimensions.items() if one.column == ["ord_hdr.del_yn"])

    def asked(**query: Any) -> Any:
        made = compile_query(model, SemanticQuery.model_validate(query), dialect="sqlite", tenant=None)
        with closing(sqlite3.connect(file)) as db:
            return db.execute(made.sql, made.params).fetchall()

    counted = next(
        name for name, one in model.metrics.items() if one.table == "ord_hdr" and one.type == "count"
    )
    assert asked(metrics=[counted])[0][-1] == 36
    assert asked(metrics=["sales"])[0][-1] == 3600
    gone = [{"dimension": flag, "op": "in", "values": ["Y"]}]
    assert asked(metrics=[counted], filters=gone)[0][-1] == 4


def test_things_whose_only_name_is_private_are_no_split(tmp_path: Path):
    rows = ",".join(f"('{80 + n % 10}아{3100 + n * 37}', 'van')" for n in range(40))
    trips = ",".join(
        f"({n}, '{80 + n % 10}아{3100 + n % 40 * 37}', '2026-0{1 + n % 9}-11', {n % 90})" for n in range(300)
    )
    model = inferred(
        tmp_path,
        "CREATE TABLE car (car_no TEXT PRIMARY KEY, kind TEXT); CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, car_no TEXT "
        f"REFERENCES car(car_no), trip_date DATE, km INTEGER); INSERT INTO car VALUES {rows}; INSERT INTO trip VALUES {trips};",
    )
    hidden = [name for name, column in model.tables["car"].columns.items() if column.hidden]
    shown = [column for one in model.dimensions.values() for column in one.column]
    assert hidden == ["car_no"]
    assert "car.car_no" not in shown
