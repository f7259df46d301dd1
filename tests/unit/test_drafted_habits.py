"""Habits of people who name tables: prefixes, kinds, totals, flags, and words that rows are called by."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

import pytest
import yaml

from evals.judge import RIGHT
from evals.strangers import Place, ask_file, dialogues_of
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.drafting.words import words_of
from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model import Model
from metaagent.language.private_words import private_kinds

SHOP = """
    CREATE TABLE crm_customer (cust_id INTEGER PRIMARY KEY, cust_full_name TEXT, cust_postcode TEXT);
    CREATE TABLE ops_install (inst_id INTEGER PRIMARY KEY, cust_id INTEGER REFERENCES crm_customer, inst_date TEXT,
        inst_price NUMERIC, inst_panel_cnt INTEGER, inst_roof_type TEXT, on_hold INTEGER);
    CREATE TABLE ops_complaint (comp_id INTEGER PRIMARY KEY, inst_id INTEGER REFERENCES ops_install, comp_date TEXT,
        comp_type TEXT, comp_status TEXT, comp_refund NUMERIC);
    CREATE TABLE fin_payment (pay_id INTEGER PRIMARY KEY, inst_id INTEGER REFERENCES ops_install, pay_date TEXT, pay_amt NUMERIC,
        pay_kind TEXT);
"""
TICKETS = """
    CREATE TABLE exhibitions (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE ticket_sales (id INTEGER PRIMARY KEY, exhibition_id INTEGER REFERENCES exhibitions(id), sold_at TEXT,
        visit_date TEXT, quantity INTEGER, amount_paid NUMERIC);
    INSERT INTO exhibitions VALUES (1, 'Light'), (2, 'Stone');
    INSERT INTO ticket_sales VALUES (1, 1, '2026-09-30', '2026-10-02', 2, 20), (2, 2, '2026-10-05', '2026-10-05', 3, 45);
"""
CARS = """
    CREATE TABLE vehicle (vehicle_id INTEGER PRIMARY KEY, plate_no TEXT, maker_name TEXT);
    CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, vehicle_id INTEGER REFERENCES vehicle, repair_date TEXT, fee NUMERIC);
"""
HALL = """
    CREATE TABLE 예식계약 (계약번호 INTEGER PRIMARY KEY, 계약일 TEXT, 예식일 TEXT, 실제하객수 INTEGER, 식대금액 INTEGER);
    INSERT INTO 예식계약 VALUES (1, '2026-01-05', '2026-06-06', 120, 4000000), (2, '2026-02-05', '2026-07-07', 150, 5000000);
"""


def written(folder: Path, sql: str, rows: dict[str, list[tuple[object, ...]]] | None = None) -> Path:
    file = folder / "made.db"
    with sqlite3.connect(file) as db:
        db.executescript(sql)
        for table, listed in (rows or {}).items():
            marks = ",".join("?" * len(listed[0]))
            db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', listed)
    db.close()
    return file


def shop(folder: Path) -> Path:
    installs = [
        (n, n % 5 + 1, f"2026-{n % 10 + 1:02}-11", 900.0 * (n % 7 + 1), n % 7 + 1, "tile" if n % 3 else "flat", int(n % 4 == 0))
        for n in range(1, 41)
    ]  # fmt: skip
    kinds = ("late", "leak", "noise")
    states = ("received", "closed")
    return written(
        folder,
        SHOP,
        {
            "crm_customer": [(n, f"Ann {chr(64 + n)}", f"1234{n}") for n in range(1, 6)],
            "ops_install": [*installs],
            "ops_complaint": [
                (n, n, f"2026-10-{n:02}", kinds[n % 3], states[n % 2], 10.0 * n) for n in range(1, 13)
            ],
            "fin_payment": [
                (n, n, f"2026-10-{n:02}", 100.0 * n, "deposit" if n % 2 else "balance") for n in range(1, 21)
            ],
        },
    )


def model_of(file: Path) -> Model:
    return loads(infer(f"sqlite:///{file}"))


def test_a_short_form_before_all_columns_is_no_word(tmp_path: Path):
    model = model_of(shop(tmp_path))
    assert model.dimensions["roof_type"].column == ["ops_install.roof_type"]
    assert model.tables["ops_install"].columns["roof_type"].column == "inst_roof_type"


def test_a_price_that_grows_with_the_pieces_is_that_of_all(tmp_path: Path):
    assert model_of(shop(tmp_path)).metrics["sales"].column == "ops_install.price"


def test_people_are_named_by_their_name_and_no_postcode(tmp_path: Path):
    assert model_of(shop(tmp_path)).dimensions["customer"].column == ["crm_customer.cust_full_name"]


def test_rows_received_are_all_rows(tmp_path: Path):
    model = model_of(shop(tmp_path))
    assert "complaints received" in model.metrics["complaint_count"].synonyms.en
    assert "received" not in model.dimensions["status"].values["received"].en


def test_sales_of_things_are_money_and_things(tmp_path: Path):
    model = model_of(written(tmp_path, TICKETS))
    assert model.metrics["sales"].time == "ticket_sales.sold_at"
    assert "ticket revenue" in model.metrics["sales"].synonyms.en
    assert "tickets sold" in model.metrics["total_ticket_sale_quantity"].synonyms.en
    assert "ticket sales" not in model.metrics["ticket_sale_count"].synonyms.en


def test_a_kind_that_many_share_names_nothing(tmp_path: Path):
    cars = [(n, f"{n:02}가{n * 37:04}", "Kia" if n % 2 else "BMW") for n in range(1, 71)]
    repairs = [(n, n, f"2026-05-{n % 28 + 1:02}", 10.0 * n) for n in range(1, 71)]
    model = model_of(written(tmp_path, CARS, {"vehicle": [*cars], "repair": [*repairs]}))
    assert model.dimensions["vehicle"].column == ["vehicle.plate_no"]
    assert model.dimensions["maker"].column == ["vehicle.maker_name"]


def test_korean_names_are_said_shorter(tmp_path: Path):
    model = model_of(written(tmp_path, HALL))
    metrics = model.metrics
    assert "하객 수" in metrics["total_예식계약_실제하객수"].synonyms.ko
    assert "식대" in metrics["total_예식계약_식대금액"].synonyms.ko
    held = next(one for one in model.dimensions.values() if one.column == ["예식계약.예식일"])
    assert "예식하" in held.verbs.ko


@pytest.mark.parametrize(
    ("name", "words"),
    [("prc_sts", ["process", "status"]), ("unit_prc", ["unit", "price"]), ("job_ttl", ["job", "title"]),
     ("dep_dt", ["departure", "date"]), ("km_dist", ["distance"])],
)  # fmt: skip
def test_short_forms_are_read_by_their_neighbours(name: str, words: list[str]):
    assert words_of(name) == words


def test_the_name_of_a_press_is_no_identity():
    assert not private_kinds("PressName")
    assert all(map(private_kinds, ("userSSN", "ssn", "guest_ssn")))


async def test_kinds_states_and_amounts_are_asked_alone(tmp_path: Path):
    asked = [
        ("complaints by type", "SELECT comp_type, count(*) FROM ops_complaint GROUP BY 1"),
        ("불만 유형별 건수", "SELECT comp_type, count(*) FROM ops_complaint GROUP BY 1"),
        ("how many installations are on hold?", "SELECT count(*) FROM ops_install WHERE on_hold = 1"),
        ("deposit 얼마", "SELECT sum(pay_amt) FROM fin_payment WHERE pay_kind = 'deposit'"),
    ]
    file = shop(tmp_path)
    questions = tmp_path / "asked.yaml"
    entries = [
        {"id": f"q{n}", "lang": "en", "class": "habit", "question": question, "sql": sql}
        for n, (question, sql) in enumerate(asked)
    ]
    questions.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    place = Place(file, None, date(2026, 11, 16), "infer", None)
    scored = await ask_file(dialogues_of(questions), place)
    assert [one.id for one in scored if one.verdict != RIGHT] == []


def test_a_role_of_people_leads_to_the_people(tmp_path: Path):
    sql = """
        CREATE TABLE Employee (id INTEGER PRIMARY KEY, fullName TEXT);
        CREATE TABLE Project (id INTEGER PRIMARY KEY, salesRepId INTEGER, contractAmount NUMERIC, signedAt TEXT);
        CREATE TABLE Payment (id INTEGER PRIMARY KEY, projectId INTEGER, paidAt TEXT, amount NUMERIC);
    """
    rows: dict[str, list[tuple[object, ...]]] = {
        "Employee": [(1, "Ann"), (2, "Bea"), (3, "Cid")],
        "Project": [(n, n % 3 + 1, 100.0 * n, f"2026-{n % 9 + 1:02}-11") for n in range(1, 31)],
        "Payment": [(n, n, f"2026-{n % 9 + 1:02}-12", 50.0 * n) for n in range(1, 31)],
    }
    file = written(tmp_path, sql, rows)
    model = yaml.safe_load(infer(f"sqlite:///{file}"))
    assert model["dimensions"]["employee"]["column"] == ["Employee.fullName"]
    assert "sales rep" in model["dimensions"]["employee"]["synonyms"]["en"]
    assert "contracts" in model["metrics"]["project_count"]["synonyms"]["en"]
    assert "payments" in model["metrics"]["sales"]["synonyms"]["en"]
    assert "payments" not in model["metrics"]["payment_count"]["synonyms"]["en"]


def test_two_roles_of_people_are_told_apart(tmp_path: Path):
    sql = """
        CREATE TABLE Employee (id INTEGER PRIMARY KEY, fullName TEXT);
        CREATE TABLE Project (id INTEGER PRIMARY KEY, salesRepId INTEGER, signedAt TEXT);
        CREATE TABLE Visit (id INTEGER PRIMARY KEY, technicianId INTEGER, visitedAt TEXT);
    """
    rows: dict[str, list[tuple[object, ...]]] = {
        "Employee": [(1, "Ann"), (2, "Bea"), (3, "Cid")],
        "Project": [(n, n % 2 + 1, f"2026-{n % 9 + 1:02}-11") for n in range(1, 31)],
        "Visit": [(n, n % 2 + 2, f"2026-{n % 9 + 1:02}-12") for n in range(1, 31)],
    }
    dimensions = yaml.safe_load(infer(f"sqlite:///{written(tmp_path, sql, rows)}"))["dimensions"]
    assert dimensions["sales_rep"]["column"] == ["sales_rep.fullName"]
    assert dimensions["technician"]["column"] == ["technician.fullName"]
