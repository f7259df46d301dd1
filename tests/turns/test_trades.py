"""Databases of several trades with an inferred model: right, or said; and what the model says that it cannot know."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

import pytest
import yaml

from evals.judge import RIGHT, SILENT
from evals.strangers import Place, ask_file, dialogues_of
from evals.worlds.trades import make
from metaagent.data.semantic.compiling.compile import compile_query
from metaagent.data.semantic.connecting import fitted
from metaagent.data.semantic.drafting.infer import draft, infer
from metaagent.data.semantic.drafting.words import english, words_of
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model import Model
from metaagent.data.semantic.query import SemanticQuery
from tests.support.examples import half
from tests.support.paths import ROOT

NOW = date(2026, 11, 16)


def inferred(name: str, folder: Path) -> Model:
    return loads(infer(f"sqlite:///{make(name, folder)}"))


def database(folder: Path, sql: str) -> str:
    file = folder / "made.db"
    with sqlite3.connect(file) as db:
        db.executescript(sql)
    db.close()
    return f"sqlite:///{file}"


@pytest.mark.parametrize(
    "name", ["billing", "garage", "museum", "warehouse", "coop", "haulier", "plant", "stables", "mill"]
)
async def test_inferred_models_answer_right_or_say_so(name: str, tmp_path: Path):
    place = Place(make(name, tmp_path), None, NOW, "infer", None)
    scored = await ask_file(half(dialogues_of(ROOT / "evals" / "trades" / f"{name}.yaml")), place)
    assert [one.id for one in scored if one.verdict == SILENT] == []
    assert sum(one.verdict == RIGHT for one in scored) >= 0.8 * len(scored)


def test_a_view_is_a_table_that_leaves_plain_words_to_others(tmp_path: Path):
    model = inferred("billing", tmp_path)
    assert model.metrics["paid_invoice_count"].table == "paid_invoices"
    assert "invoice total" not in model.metrics["total_paid_invoice_total"].synonyms.en
    assert model.metrics["invoice_count"].table == "invoices"


async def test_a_view_answers_though_its_table_is_locked(tmp_path: Path):
    place = Place(make("academy", tmp_path), None, NOW, "infer", None)
    question = {"question": "재원생은 몇 명이야?", "sql": "SELECT count(*) FROM 재원생"}
    (one,) = await ask_file([{"id": "1", "turns": [question]}], place)
    assert one.verdict == RIGHT, one.why


def test_a_view_over_all_companies_is_left_out(tmp_path: Path):
    url = database(
        tmp_path,
        """
        CREATE TABLE sales (id INTEGER PRIMARY KEY, company_id TEXT, sale_date TEXT, amount INTEGER);
        INSERT INTO sales VALUES (1, 'a', '2026-01-01', 5), (2, 'b', '2026-01-02', 6);
        CREATE VIEW v_all AS SELECT sale_date, sum(amount) AS amount FROM sales GROUP BY 1;
        """,
    )
    made = draft(url)
    assert made.model["tenant_column"] == "company_id"
    assert [*made.model["tables"]] == ["sales"]
    assert [one.table for one in made.left_out] == ["v_all"]


async def test_rows_are_counted_by_each_of_their_dates(tmp_path: Path):
    place = Place(make("library", tmp_path), None, NOW, "infer", None)
    asked = [
        {"id": one, "turns": [{"question": f"loans {said} in October 2026", "sql": sql.format(column)}]}
        for sql in ["SELECT count(*) FROM LOAN_TRX WHERE {} LIKE '202610%'"]
        for one, said, column in [
            ("1", "returned", "ret_dt"),
            ("2", "due", "due_dt"),
            ("3", "made", "loan_dt"),
        ]
    ]
    for one in await ask_file(asked, place):
        assert one.verdict == RIGHT, one.why
    metrics = inferred("library", tmp_path).metrics
    assert metrics["loan_count"].time == "LOAN_TRX.loan_dt"
    assert metrics["loan_not_returned_count"].where[0].op == "is_null"


def test_cancelled_rows_and_several_dates_are_caveats(tmp_path: Path):
    model = inferred("carrier", tmp_path)
    said = {one.about: one for one in model.tables["shpmt_hdr"].caveats}
    assert "취소 12.3%" in said["rows"].text.ko
    assert said["rows"].unless == ["status"]
    assert "pickup at" in said["time"].text.en
    assert "rows" in {one.about for one in model.tables["shpmt_dtl"].caveats}
    assert {one.about for one in model.tables["cust_mst"].caveats} == {"deleted"}


async def test_a_caveat_is_said_and_lowers_confidence(tmp_path: Path):
    place = Place(make("billing", tmp_path), None, NOW, "infer", None)
    asked = [
        {"id": "1", "turns": [{"question": "revenue in October 2026", "sql": "SELECT 0"}]},
        {"id": "2", "turns": [{"question": "support tickets in October 2026", "sql": "SELECT 0"}]},
    ]
    unsure, sure = await ask_file(asked, place)
    assert unsure.verdict != SILENT
    assert (unsure.confidence or 1) < (sure.confidence or 0)


async def test_a_figure_of_zero_is_less_sure(tmp_path: Path):
    place = Place(make("billing", tmp_path), None, NOW, "infer", None)
    asked = [
        {"id": str(day), "turns": [{"question": f"support tickets on {day} October 2026", "sql": "SELECT 0"}]}
        for day in range(1, 11)
    ]
    scored = await ask_file(asked, place)
    none = [one.confidence or 0.0 for one in scored if one.verdict == RIGHT]
    some = [one.confidence or 0.0 for one in scored if one.verdict != RIGHT]
    assert max(none, default=1) < min(some, default=0)


def test_lines_that_miss_the_total_are_named(tmp_path: Path):
    sql = """
        CREATE TABLE ord_hdr (ord_no INTEGER PRIMARY KEY, ord_dt TEXT, tot_amt TEXT);
        CREATE TABLE ord_dtl (ord_no INTEGER, ln_no INTEGER, ln_amt INTEGER, PRIMARY KEY (ord_no, ln_no));
        INSERT INTO ord_hdr VALUES (1, '20260105', '1,000'), (2, '20260106', '3,000');
        INSERT INTO ord_dtl VALUES (1, 1, 400), (1, 2, 600), (2, 1, {last});
        """
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole = loads(infer(database(tmp_path / "a", sql.format(last=3000))))
    short = loads(infer(database(tmp_path / "b", sql.format(last=1000))))
    assert whole.tables["ord_dtl"].caveats == []
    assert [one.text.en for one in short.tables["ord_dtl"].caveats] == [
        "line amount of the lines adds up to 50 % of order total amount"
    ]


def test_cut_names_are_read_by_their_consonants():
    assert words_of("BRWR") == ["borrower"]
    assert words_of("wh-mst") == ["warehouse"]
    assert words_of("drvr_nm") == ["driver", "name"]
    assert words_of("xyz_cd") == ["xyz", "code"]
    assert "payment method" in english(["결제수단"])


def test_yes_and_no_are_said_as_words(tmp_path: Path):
    paid = inferred("library", tmp_path).dimensions["paid"].values
    assert "unpaid" in paid["N"].en
    assert "미납부" in paid["N"].ko
    assert "paid" in paid["Y"].en


def test_generated_figures_go_with_their_columns(tmp_path: Path):
    made = fitted(f"sqlite:///{make('library', tmp_path)}", "library")
    assert "loan_not_returned_count" in made.generated
    assert "loan_not_returned_count" not in made.text
    assert "loan_not_returned_count" in loads(made.text, generated=made.generated).metrics
    edited = yaml.safe_load(made.text)
    del edited["tables"]["LOAN_TRX"]["columns"]["ret_dt"]
    del edited["dimensions"]["loan_return_date"]
    assert "loan_not_returned_count" not in loads(yaml.safe_dump(edited), generated=made.generated).metrics


def test_lines_are_dated_by_their_head_where_some_lack_a_date(tmp_path: Path):
    model = inferred("museum", tmp_path)
    assert model.metrics["sale_ticket_count"].time == "sales.sold_at"
    assert model.metrics["sales"].column == "sale_tickets.unit_price"
    assert model.dimensions["guide"].column == ["guides.given_name", "guides.family_name"]


def test_stock_is_a_snapshot_and_purchases_are_no_sales(tmp_path: Path):
    metrics = inferred("warehouse", tmp_path).metrics
    assert [name for name, one in metrics.items() if one.snapshot] == ["total_stock_level_quantity_on_hand"]
    assert "sales" not in metrics
    assert metrics["total_purchase_order_line_amount"].column == (
        "PurchaseOrderLines.UnitCost * PurchaseOrderLines.QtyOrdered"
    )


def test_a_snapshot_counts_the_last_date_of_each_part(tmp_path: Path):
    file = make("warehouse", tmp_path)
    model = loads(infer(f"sqlite:///{file}"))
    asked = {"metrics": ["total_stock_level_quantity_on_hand"]}
    span = {"period": {"start": "2026-08-01", "end": "2026-10-31"}}
    with sqlite3.connect(file) as db:
        found = [
            db.execute(made.sql, made.params).fetchall()
            for query in (asked, {**asked, **span, "dimensions": ["month"]})
            if (
                made := compile_query(
                    model, SemanticQuery.model_validate(query), dialect="sqlite", tenant=None
                )
            )
        ]
        stock = "SELECT sum(QtyOnHand) FROM StockLevels WHERE SnapshotDate = ?"
        last, *each = [
            db.execute(stock, (f"2026-{month}-28",)).fetchone() for month in ("10", "08", "09", "10")
        ]
    db.close()
    assert found[0] == [last]
    assert [row[1:2] for row in found[1]] == each


def test_kinds_before_names_are_no_words_of_them():
    assert words_of("tblTrip") == ["trip"]
    assert words_of("lngStartZoneID") == ["start", "zone", "id"]
    assert words_of("createdAt") == ["created", "at"]
    assert words_of("prod_qty") == ["production", "quantity"]
    assert words_of("prod_nm") == ["product", "name"]


def test_participles_and_large_numbers_are_dates(tmp_path: Path):
    rows = ", ".join(f"({n}, {1_760_000_000 + n * 90_000}, {n % 2})" for n in range(1, 30))
    url = database(
        tmp_path,
        "CREATE TABLE invoices (id INTEGER PRIMARY KEY, issued INTEGER, billable INTEGER);"
        f"INSERT INTO invoices VALUES {rows};",
    )
    model = loads(infer(url))
    assert model.tables["invoices"].columns["issued"].cast == "epoch"
    assert "billable" in model.dimensions["invoice_billable"].values["1"].en


async def test_rows_of_no_thing_stand_below_the_table(tmp_path: Path):
    url = database(
        tmp_path,
        """
        CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE calls (id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES agents, called_on TEXT);
        INSERT INTO agents VALUES (1, 'Ann'), (2, 'Bob');
        INSERT INTO calls VALUES (1, 1, '2026-10-01'), (2, 2, '2026-10-02'), (3, NULL, '2026-10-03'), (4, 1, '2026-10-04');
        """,
    )
    place = Place(Path(url.removeprefix("sqlite:///")), None, NOW, "infer", None)
    gold = "SELECT name, count(*) FROM calls JOIN agents a ON a.id = agent_id GROUP BY 1"
    asked = [{"id": "1", "turns": [{"question": "calls by agent in October 2026", "sql": gold}]}]
    (one,) = await ask_file(asked, place)
    assert one.verdict == RIGHT, one.why
