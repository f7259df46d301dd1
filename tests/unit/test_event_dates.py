"""Dates of events in inferred models: verbs that go with any figure, totals of heads, states that rows begin with."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

import pytest

from evals.judge import RIGHT
from evals.strangers import Place, ask_file
from metaagent.data.semantic.compiling.compile import compile_query
from metaagent.data.semantic.drafting.event_dates import moment_of
from metaagent.data.semantic.drafting.event_verbs import event_verbs
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model import Model
from metaagent.data.semantic.query import Period, SemanticQuery

CLOCKS = """
    CREATE TABLE Owners (OwnerID INTEGER PRIMARY KEY, Name TEXT, Segment TEXT, IsDeleted INTEGER);
    CREATE TABLE RepairOrders (OrderNo INTEGER PRIMARY KEY, OwnerID INTEGER REFERENCES Owners(OwnerID), ReceivedOn TEXT,
        FinishedOn TEXT, LabourCharge REAL, PartsCharge REAL, TotalCharge REAL, IsDeleted INTEGER);
    CREATE TABLE RepairOrderParts (LineID INTEGER PRIMARY KEY, OrderNo INTEGER REFERENCES RepairOrders(OrderNo),
        PartID INTEGER REFERENCES Parts(PartID), Qty INTEGER, LineTotal REAL);
    CREATE TABLE Parts (PartID INTEGER PRIMARY KEY, PartName TEXT, Category TEXT);
    INSERT INTO Parts VALUES (1, 'Mainspring', 'Spring'), (2, 'Dial', 'Face');
"""
KEPT = "FROM RepairOrders WHERE IsDeleted = 0 AND "
COUNT = f"SELECT count(*) {KEPT}"
OCTOBER = "BETWEEN '2026-10-01' AND '2026-10-31'"


@pytest.fixture
def clocks(tmp_path: Path) -> Path:
    """A repair shop: what came in last month is finished in this one."""
    file = tmp_path / "clocks.db"
    with sqlite3.connect(file) as db:
        db.executescript(CLOCKS)
        for one in range(1, 13):
            db.execute(
                "INSERT INTO Owners VALUES (?, ?, ?, ?)",
                (one, f"Owner {one}", "ABC"[one % 3], int(one == 12)),
            )
        for one in range(1, 121):
            month, day = one % 10 + 1, one % 27 + 1
            done = f"2026-{month + 1:02}-{day:02}" if month < 10 else None
            parts = 5.0 * (one % 4 + 1)
            gone = int(one % 15 == 0)
            row = (
                one,
                one % 11 + 1,
                f"2026-{month:02}-{day:02}",
                done,
                20.0 + one,
                parts,
                20.0 + one + parts,
                gone,
            )
            db.execute("INSERT INTO RepairOrders VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            db.execute(
                "INSERT INTO RepairOrderParts VALUES (?, ?, ?, ?, ?)", (one, one, one % 2 + 1, 1, parts)
            )
    db.close()
    return file


def model_of(file: Path) -> Model:
    return loads(infer(f"sqlite:///{file}"))


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many repairs were finished in October?", f"{COUNT}FinishedOn {OCTOBER}"),
        ("How many repairs came in in October?", f"{COUNT}ReceivedOn {OCTOBER}"),
        ("How many jobs did we finish in October?", f"{COUNT}FinishedOn {OCTOBER}"),
        ("How many repairs are not finished yet?", f"{COUNT}FinishedOn IS NULL"),
        ("10월에 완료된 수리 몇 건이야?", f"{COUNT}FinishedOn {OCTOBER}"),
        ("10월에 끝난 수리는 몇 건이야?", f"{COUNT}FinishedOn {OCTOBER}"),
        ("10월에 들어온 수리 몇 건?", f"{COUNT}ReceivedOn {OCTOBER}"),
        ("아직 완료되지 않은 수리 몇 건?", f"{COUNT}FinishedOn IS NULL"),
        ("Labour revenue of repairs finished in October", f"SELECT sum(LabourCharge) {KEPT}FinishedOn {OCTOBER}"),
        ("Sales of repairs finished in October", f"SELECT sum(TotalCharge) {KEPT}FinishedOn {OCTOBER}"),
        ("How many repairs this year came to more than 90?", f"{COUNT}TotalCharge > 90 AND ReceivedOn >= '2026-01-01'"),
    ],
)  # fmt: skip
async def test_a_verb_says_which_date_a_figure_goes_by(clocks: Path, question: str, sql: str):
    place = Place(clocks, None, date(2026, 11, 16), "infer", None)
    (one,) = await ask_file([{"id": "1", "turns": [{"question": question, "sql": sql}]}], place)
    assert one.verdict == RIGHT, one.why


def test_figures_by_another_date_leave_out_rows_without_it(clocks: Path):
    model = model_of(clocks)
    october = Period(start=date(2026, 10, 1), end=date(2026, 10, 31))
    every = SemanticQuery(metrics=["repair_count"], dated_by="repair_finished_on")
    asked = [
        every,
        every.model_copy(update={"period": october}),
        every.model_copy(update={"dimensions": ["month"]}),
    ]
    found: list[int] = []
    with sqlite3.connect(clocks) as db:
        for query in asked:
            made = compile_query(model, query, dialect="sqlite", tenant=None)
            found.append(sum(row[-1] for row in made.visible(db.execute(made.sql, made.params))))
        wanted = [
            db.execute(f"SELECT count(*) FROM RepairOrders WHERE IsDeleted = 0 AND {limit}").fetchone()[0]
            for limit in ("FinishedOn IS NOT NULL", f"FinishedOn {OCTOBER}", "FinishedOn IS NOT NULL")
        ]
    assert found == wanted
    db.close()


def test_sales_are_the_totals_of_heads(clocks: Path):
    model = model_of(clocks)
    assert model.metrics["sales"].column == "RepairOrders.TotalCharge"
    lines = model.metrics["total_repair_parts_charge"].in_lines
    assert model.metrics[str(lines)].column == "RepairOrderParts.LineTotal"


def test_rows_deleted_under_any_spelling_do_not_count(clocks: Path):
    assert [one.column for one in model_of(clocks).tables["RepairOrders"].left_out] == [
        "RepairOrders.IsDeleted"
    ]


@pytest.mark.parametrize(
    ("column", "en", "ko"),
    [
        ("finished_on", "finish", "끝나"), ("flown_on", "flew", ""), ("dropped_at", "drop off", "맡기"),
        ("RCV_DT", "came in", "들어오"), ("paid_at", "settle", "납부되"),
        ("수납일", "paid", "결제하"), ("출고일", "shipped", "발송되"),
        ("exp_dt", "expire", "만료되"),
    ],
)  # fmt: skip
def test_dates_have_the_verbs_that_people_use(column: str, en: str, ko: str):
    moment = moment_of(column)
    assert moment is not None
    said = event_verbs(moment)
    assert en in said["en"]
    assert not ko or ko in said["ko"]


STATES = """
    CREATE TABLE 상태코드 (상태코드 TEXT PRIMARY KEY, 상태명 TEXT);
    INSERT INTO 상태코드 VALUES ('1', '접수'), ('2', '세탁중'), ('3', '출고');
    CREATE TABLE 회원 (회원번호 INTEGER PRIMARY KEY, 회원명 TEXT);
    INSERT INTO 회원 VALUES (1, '김하나'), (2, '이두리');
    CREATE TABLE 세탁 (세탁번호 INTEGER PRIMARY KEY, 회원번호 INTEGER REFERENCES 회원(회원번호), 접수일 TEXT,
        상태코드 TEXT REFERENCES 상태코드(상태코드), 금액 INTEGER);
    INSERT INTO 세탁 VALUES (1, 1, '2026-10-02', '3', 5000), (2, 2, '2026-10-05', '2', 7000), (3, 1, '2026-10-09', '1', 9000);
"""


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("10월 접수 몇 건이야?", "SELECT 3"),
        ("10월에 접수된 세탁 몇 건?", "SELECT 3"),
        ("10월 접수 금액 총합", "SELECT 21000"),
        ("세탁중인 접수 몇 건?", "SELECT 1"),
    ],
)
async def test_the_state_that_rows_began_with_names_them_all(tmp_path: Path, question: str, sql: str):
    file = tmp_path / "laundry.db"
    with sqlite3.connect(file) as db:
        db.executescript(STATES)
    db.close()
    place = Place(file, None, date(2026, 11, 16), "infer", None)
    (one,) = await ask_file([{"id": "1", "turns": [{"question": question, "sql": sql}]}], place)
    assert one.verdict == RIGHT, one.why
