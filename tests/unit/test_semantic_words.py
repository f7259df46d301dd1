"""Vocabulary, names in the data, coverage, check, infer, and the way from an analysis."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from evals.analysis import CHINOOK
from metaagent.data.semantic import SemanticQuery, compile_query
from metaagent.data.semantic.check import check
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.drafting.words import english, korean, words_of
from metaagent.data.semantic.from_analysis import to_query
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.query import Period
from metaagent.data.semantic.vocabulary import allowed_columns, coverage, data_names, vocabulary
from metaagent.demo import create_demo
from metaagent.errors import DataUnavailable, SemanticInvalid
from tests.support.semantic_support import NOW, SCALE, pharma, run_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = f"sqlite:///{tmp_path_factory.mktemp('demo') / 'pharma.db'}"
    create_demo(made, now=NOW, scale=SCALE)
    return made


@pytest.fixture(scope="module")
def engine(url: str) -> Iterator[sa.Engine]:
    made = sa.create_engine(url)
    yield made
    made.dispose()


def test_the_vocabulary_has_metrics_dimensions_time_and_values():
    words = vocabulary(pharma())
    by_name = {(one["kind"], one["name"]): one for one in words}
    assert "매출" in by_name["metric", "sales_amount"]["labels"]
    assert "revenue" in by_name["metric", "sales_amount"]["labels"]
    assert by_name["dimension", "hospital"]["hierarchy"] == ["region", "hospital"]
    assert by_name["dimension", "week"]["hierarchy"] == ["year", "quarter", "month", "week"]
    assert "월별" in by_name["dimension", "month"]["labels"]
    assert by_name["value", "서울"]["dimension"] == "region"
    assert "Seoul" in by_name["value", "서울"]["labels"]


async def test_no_word_means_two_things(engine: sa.Engine):
    meanings: dict[str, set[tuple[str, str]]] = {}
    for one in vocabulary(pharma()):
        for word in one["labels"]:
            meanings.setdefault(word.lower(), set()).add((one["kind"], one["name"]))
    for one in await data_names(pharma(), "sqlite", run_on(engine), "hanbit", roles=["owner"]):
        meanings.setdefault(str(one["value"]).lower(), set()).add(("value", one["value"]))
    assert {word: found for word, found in meanings.items() if len(found) > 1} == {}


async def test_names_come_from_the_data_of_one_tenant(engine: sa.Engine):
    ours = await data_names(pharma(), "sqlite", run_on(engine), "hanbit")
    theirs = await data_names(pharma(), "sqlite", run_on(engine), "saebyeok")
    hospitals = {one["key"] for one in ours if one["dimension"] == "hospital"}
    assert hospitals
    assert not hospitals & {one["key"] for one in theirs if one["dimension"] == "hospital"}
    assert {"서울": "SEOUL"}.items() <= {one["value"]: one["code"] for one in ours}.items()
    assert len([one for one in ours if one["value"] == "김서진"]) == 2
    assert not any(one["dimension"] == "doctor" for one in ours)


async def test_coverage_is_looked_up(engine: sa.Engine):
    found = await coverage(pharma(), "sqlite", run_on(engine), "hanbit")
    with engine.connect() as connection:
        sql = "SELECT min(sale_date), max(sale_date) FROM sales WHERE company_id = 'hanbit'"
        first, last = connection.exec_driver_sql(sql).one()
    assert found["sales_amount"] == {"start": first, "end": last}
    assert found["hospital_count"] is None
    assert found["achievement"] == {"start": first, "end": "2026-11-01"}
    assert (await coverage(pharma(), "sqlite", run_on(engine), "nobody"))["sales_amount"] is None


def test_hidden_columns_are_not_allowed_to_anyone():
    for roles in ([], ["owner"]):
        assert "note" not in allowed_columns(pharma(), roles)["expenses"]
        assert "company_id" not in allowed_columns(pharma(), roles)["sales"]
    assert "doctor_name" not in allowed_columns(pharma(), ["rep"])["visits"]
    assert "doctor_name" in allowed_columns(pharma(), ["owner"])["visits"]


def test_the_model_fits_its_database(url: str):
    assert check(pharma(), url) == []


def test_check_says_what_is_missing(tmp_path: Path):
    file = tmp_path / "other.db"
    create_demo(f"sqlite:///{file}", now=NOW, scale=0.01)
    connection = sqlite3.connect(file)
    connection.execute("DROP TABLE seminars")
    connection.execute("ALTER TABLE visits RENAME COLUMN purpose TO purposes")
    connection.commit()
    said = "\n".join(problem.say() for problem in check(pharma(), f"sqlite:///{file}"))
    assert "no table 'seminars'" in said
    assert "Did you mean 'purposes'" in said
    connection.close()


def test_check_finds_duplicate_keys_and_dates_that_are_not_iso(tmp_path: Path):
    file = tmp_path / "bad.db"
    connection = sqlite3.connect(file)
    connection.executescript(
        """CREATE TABLE a (id INTEGER, b_id INTEGER, x INTEGER, day TEXT);
           CREATE TABLE b (id INTEGER, name TEXT);
           INSERT INTO b VALUES (1, 'x'), (1, 'y'); INSERT INTO a VALUES (1, 1, 5, '31/03/2026')"""
    )
    connection.close()
    model = loads(
        """
version: 1
name: bad
tables:
  a: {key: [id], columns: {id: integer, b_id: integer, x: integer, day: date}}
  b: {key: [id], columns: {id: integer, name: string}}
joins: [{from: a.b_id, to: b.id}]
metrics: {total: {type: sum, column: a.x, time: a.day, label: total}}
"""
    )
    said = [problem.say("en") for problem in check(model, f"sqlite:///{file}")]
    assert any("not unique" in one for one in said)
    assert any("ISO" in one for one in said)
    assert all(problem.say("ko") for problem in check(model, f"sqlite:///{file}"))


def test_check_and_infer_of_an_unreachable_database_say_so(tmp_path: Path):
    nowhere = f"sqlite:///{tmp_path / 'no' / 'db'}"
    assert "cannot be reached" in check(pharma(), nowhere)[0].say()
    with pytest.raises(DataUnavailable):
        infer(nowhere)
    with pytest.raises(DataUnavailable, match="no tables"):
        infer("sqlite://")


def test_infer_finds_undeclared_keys(url: str):
    model = loads(infer(url))
    assert model.tenant_column == "company_id"
    joins = {(join.many[0], join.one[0]) for join in model.joins}
    assert ("sales.hospital_id", "hospitals.hospital_id") in joins
    assert model.metrics["sales"].column == "sales.sales_amount"
    assert check(model, url) == []


async def test_infer_writes_no_value_of_the_data(url: str, engine: sa.Engine):
    text = infer(url)
    names = [
        one["value"]
        for one in await data_names(pharma(), "sqlite", run_on(engine), "hanbit")
        if one["dimension"] in {"hospital", "rep"}
    ]
    assert names
    assert not [name for name in names if name in text]


@pytest.mark.skipif(not CHINOOK.exists(), reason=f"{CHINOOK} is not there")
def test_infer_hides_how_to_reach_people():
    model = loads(infer(f"sqlite:///{CHINOOK}"))
    for column in ("Email", "Phone", "Fax", "Address"):
        assert model.tables["Customer"].columns[column].hidden
    assert model.metrics["sales"].time == "Invoice.InvoiceDate"
    assert model.metrics["customer_count"].time is None
    assert check(model, f"sqlite:///{CHINOOK}") == []


def test_words_of_names():
    assert words_of("InvoiceLine") == words_of("invoice_lines") == ["invoice", "line"]
    assert english(["category"])[1] == "categories"
    assert korean(["invoice", "total"])[0] == "송장 합계"
    assert korean(["frobnicator"]) == []


def test_an_analysis_becomes_a_query():
    resolved: dict[str, Any] = {
        "metrics": ["sales_amount"],
        "dimensions": ["hospital"],
        "filters": [
            {"dimension": "region", "op": "in", "values": ["서울"]},
            {"dimension": "sales_amount", "op": ">=", "values": [1_000_000]},
        ],
        "period": {"start": "2026-10-01", "end": "2026-10-31", "grain": "month", "text": "지난달"},
        "comparison": "previous",
        "top": {"n": 5, "direction": "desc", "by": "sales_amount"},
        "share": False,
        "output": "chart",
    }
    query = to_query(pharma(), resolved)
    assert query.filters[0].dimension == "region"
    assert query.having[0].column == "sales_amount"
    assert query.top is not None
    assert query.top.direction == "top"
    assert query.period is not None
    assert query.period.grain == "month"


def test_a_ranking_of_one_thing_inside_another():
    asked = {"metrics": ["sales_amount"], "dimensions": ["region", "product"]}
    query = to_query(pharma(), {**asked, "top": {"n": 3, "direction": "top", "dimension": "product"}})
    assert query.top is not None
    assert query.top.within == ["region"]


def test_ranking_figure_is_also_shown():
    query = to_query(pharma(), {"metrics": [], "dimensions": ["rep"], "top": {"n": 3, "by": "visit_count"}})
    assert query.metrics == ["visit_count"]


def test_without_a_metric_the_default_is_taken():
    assert to_query(pharma(), {"dimensions": ["month"]}).metrics == ["sales_amount"]
    assert to_query(pharma(), {"dimensions": ["product"]}).metrics == []


@pytest.mark.parametrize(
    "bad",
    [
        {"metrics": ["sales_amount"], "period": {"start": "2026-10-31", "end": "2026-10-01"}},
        {"metrics": ["sales_amount"], "period": {"start": "soon", "end": "2026-10-01"}},
        {"metrics": ["sales_amount"], "comparison": "sometimes"},
        {"metrics": ["sales_amount"], "filters": [{"dimension": "region", "op": "like", "values": ["x"]}]},
        {"metrics": ["sales_amount"], "top": {"n": 0}},
    ],
)
def test_an_impossible_request_is_one_typed_error(bad: dict[str, Any]):
    with pytest.raises(SemanticInvalid):
        to_query(pharma(), bad)


def test_infer_copes_with_names_that_are_no_identifiers(tmp_path: Path):
    """A shop in the manner of Northwind: spaces, text keys, discounts, three countries."""
    file = tmp_path / "shop.db"
    connection = sqlite3.connect(file)
    connection.executescript(
        """CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY, CompanyName TEXT, Country TEXT, Phone TEXT);
           CREATE TABLE Employees (EmployeeID INTEGER PRIMARY KEY, LastName TEXT, FirstName TEXT, Country TEXT,
             ReportsTo INTEGER REFERENCES Employees);
           CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers,
             EmployeeID INTEGER REFERENCES Employees, OrderDate DATE, "Ship Country" TEXT);
           CREATE TABLE "Order Details" (OrderID INTEGER REFERENCES Orders, ProductID INTEGER,
             UnitPrice NUMERIC, Quantity INTEGER, Discount REAL, PRIMARY KEY (OrderID, ProductID));
           INSERT INTO Customers VALUES ('A', 'Alpha', 'France', '1'), ('B', 'Beta', 'Spain', '2');
           INSERT INTO Employees VALUES (1, 'Kim', 'Ann', 'UK', NULL);
           INSERT INTO Orders VALUES (1, 'A', 1, '2026-01-05', 'France'), (2, 'B', 1, '2026-02-05', 'Portugal');
           INSERT INTO "Order Details" VALUES (1, 1, 10, 2, 0.5), (1, 2, 1, 3, 0), (2, 1, 10, 1, 0)"""
    )
    model = loads(infer(f"sqlite:///{file}"))
    assert check(model, f"sqlite:///{file}") == []

    def ask(**query: Any) -> list[tuple[Any, ...]]:
        made = compile_query(model, SemanticQuery(**query), dialect="sqlite", tenant=None)
        return made.visible(connection.execute(made.sql, made.params))

    assert ask(metrics=["sales"], dimensions=["country"]) == [("France", 13.0), ("Spain", 10.0)]
    assert ask(metrics=["sales"], dimensions=["ship_country"]) == [("France", 13.0), ("Portugal", 10.0)]
    assert ask(metrics=["sales"], dimensions=["employee"]) == [("Ann Kim", 23.0)]
    assert ask(metrics=["order_count"], dimensions=["customer", "month"]) == [
        ("Alpha", "2026-01", 1),
        ("Beta", "2026-02", 1),
    ]
    connection.close()


def test_infer_reads_korean_names(tmp_path: Path):
    file = tmp_path / "매장.db"
    connection = sqlite3.connect(file)
    connection.executescript(
        """CREATE TABLE 매장 (매장_id INTEGER PRIMARY KEY, 매장명 TEXT, 지역 TEXT);
           CREATE TABLE 판매 (판매_id INTEGER PRIMARY KEY, 매장_id INTEGER REFERENCES 매장, 판매일자 TEXT, 금액 INTEGER);
           INSERT INTO 매장 VALUES (1, '강남점', '서울'), (2, '해운대점', '부산');
           INSERT INTO 판매 VALUES (1, 1, '2026-01-05', 100), (2, 2, '2026-02-05', 50), (3, 1, '2026-02-06', 7)"""
    )
    model = loads(infer(f"sqlite:///{file}"))
    query = SemanticQuery(
        metrics=["sales"], dimensions=["지역"], period=Period(start=date(2026, 2, 1), end=date(2026, 2, 28))
    )
    made = compile_query(model, query, dialect="sqlite", tenant=None)
    assert connection.execute(made.sql, made.params).fetchall() == [("부산", 50), ("서울", 7)]
    connection.close()
