from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from metaagent.cli.demo import QUESTIONS
from metaagent.cli.main import app
from metaagent.demo import create_demo
from metaagent.demo.expenses import MEAL_LIMIT
from metaagent.demo.rows import PROFILES, company
from metaagent.errors import StorageError

if TYPE_CHECKING:
    from pathlib import Path

NOW = date(2026, 11, 16)

COLUMNS = {
    "hospitals": "hospital_id name region_code region_name type tier is_public",
    "sales_reps": "rep_id name region_code team",
    "products": "product_id name category unit_price launched_on",
    "sales": "sale_id sale_date hospital_id product_id rep_id quantity sales_amount",
    "targets": "rep_id month target_amount",
    "visits": "visit_id visit_date rep_id hospital_id doctor_name product_id purpose duration_min",
    "seminars": "seminar_id title held_on venue hospital_id product_id speaker attendees budget status",
    "expenses": "expense_id expense_date rep_id hospital_id visit_id seminar_id category attendees amount"
    " vat doctor_name hours item note",
}
DATES = {
    "sales": "sale_date",
    "visits": "visit_date",
    "seminars": "held_on",
    "expenses": "expense_date",
    "targets": "month",
}


def small(folder: Path, *, now: date = NOW, seed: int = 7, scale: float = 0.01) -> Path:
    file = folder / "pharma.db"
    create_demo(f"sqlite:///{file}", now=now, seed=seed, scale=scale)
    return file


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def digest(file: Path) -> str:
    whole = hashlib.sha256()
    for table, columns in COLUMNS.items():
        whole.update(
            repr(rows(file, f"SELECT {', '.join(columns.split())} FROM {table} ORDER BY 1, 2")).encode()
        )
    return whole.hexdigest()


def test_the_full_company_is_as_large_as_promised():
    made = company(PROFILES[0], seed=7, now=NOW).tables
    assert len(made["hospitals"]) >= 200
    assert len(made["sales_reps"]) >= 60
    assert len(made["products"]) >= 25
    assert len(made["sales"]) >= 100_000
    assert len({row["region_code"] for row in made["hospitals"]}) == 17


def test_every_table_has_its_columns_and_the_company(tmp_path: Path):
    file = small(tmp_path)
    for table, columns in COLUMNS.items():
        found = {row[1] for row in rows(file, f"PRAGMA table_info({table})")}
        assert found == {*columns.split(), "company_id"}
    assert {r[0] for r in rows(file, "SELECT name FROM sqlite_master WHERE type='table'")} - {
        "sqlite_stat1"
    } == {*COLUMNS}


@pytest.mark.parametrize("now", [NOW, date(2026, 1, 1), date(2024, 2, 29), date(2027, 3, 31)])
def test_two_years_up_to_yesterday_whatever_the_day(tmp_path: Path, now: date):
    file = small(tmp_path, now=now, scale=0.03)
    for table, column in DATES.items():
        if table in {"sales", "visits"}:
            ((first, last),) = rows(file, f"SELECT min({column}), max({column}) FROM {table}")
            assert (date.fromisoformat(last) - date.fromisoformat(first)).days >= 725
            assert 1 <= (now - date.fromisoformat(last)).days <= 3
        assert rows(file, f"SELECT count(*) FROM {table} WHERE {column} >= '{now}'") == [(0,)]


def test_rows_depend_on_seed_and_date_alone(tmp_path: Path):
    made: list[str] = []
    for i, (seed, now) in enumerate([(7, NOW), (7, NOW), (8, NOW), (7, date(2026, 11, 17))]):
        (tmp_path / str(i)).mkdir()
        made.append(digest(small(tmp_path / str(i), seed=seed, now=now)))
    assert made[0] == made[1]
    assert len(set(made)) == 3


def test_tenants_share_no_row_and_differ(tmp_path: Path):
    file = small(tmp_path)
    for table, key in {"hospitals": "hospital_id", "sales_reps": "rep_id", "sales": "sale_id"}.items():
        sql = f"SELECT count(*), count(DISTINCT {key}), count(DISTINCT company_id) FROM {table}"
        ((all_rows, keys, companies),) = rows(file, sql)
        assert all_rows == keys
        assert companies == 2
    totals = rows(file, "SELECT sum(sales_amount) FROM sales GROUP BY company_id")
    assert totals[0] != totals[1]


def test_every_reference_stays_inside_its_tenant(tmp_path: Path):
    file = small(tmp_path)
    for fact in ("sales", "visits", "expenses"):
        for table, key in {"hospitals": "hospital_id", "sales_reps": "rep_id"}.items():
            sql = f"""SELECT count(*) FROM {fact} f LEFT JOIN {table} d
                      ON d.{key} = f.{key} AND d.company_id = f.company_id WHERE d.{key} IS NULL"""
            assert rows(file, sql) == [(0,)]


def test_a_rep_sells_in_their_own_region(tmp_path: Path):
    sql = """SELECT count(*) FROM sales s
             JOIN hospitals h USING (hospital_id) JOIN sales_reps r USING (rep_id)
             WHERE h.region_code <> r.region_code"""
    assert rows(small(tmp_path), sql) == [(0,)]


def test_the_figures_have_seasons_growth_and_anomalies():
    made = company(PROFILES[0].scaled(0.3), seed=7, now=NOW).tables
    kinds = {row["product_id"]: row["category"] for row in made["products"]}
    regions = {row["hospital_id"]: row["region_code"] for row in made["hospitals"]}

    def total(first: str, last: str, *, category: str = "", region: str = "") -> int:
        return sum(
            row["sales_amount"]
            for row in made["sales"]
            if first <= row["sale_date"].isoformat() <= last
            and category in {"", kinds[row["product_id"]]}
            and region in {"", regions[row["hospital_id"]]}
        )

    winter = total("2025-12-01", "2026-02-28", category="호흡기")
    assert winter > 1.4 * total("2025-06-01", "2025-08-31", category="호흡기")
    assert total("2025-11-01", "2026-10-31") > total("2024-11-01", "2025-10-31")
    usual = total("2024-11-01", "2026-05-31", region="DAEGU") / 19
    assert total("2026-06-01", "2026-06-30", region="DAEGU") < 0.75 * usual


def test_some_expenses_break_the_rules_and_most_do_not():
    made = company(PROFILES[0].scaled(0.3), seed=7, now=NOW).tables
    meals = [row for row in made["expenses"] if row["category"] == "meal" and row["attendees"]]
    over = [row for row in meals if row["amount"] / row["attendees"] > MEAL_LIMIT]
    assert 0 < len(over) < 0.05 * len(meals)
    assert {row["category"] for row in made["expenses"]} == {
        "meal",
        "gift",
        "lecture_fee",
        "travel",
        "venue",
        "sample",
    }


def test_two_people_may_have_one_name(tmp_path: Path):
    sql = "SELECT count(*) - count(DISTINCT name) FROM sales_reps WHERE company_id = 'hanbit'"
    assert rows(small(tmp_path), sql)[0][0] >= 1


def test_company_is_made_again_only_on_a_new_day(tmp_path: Path):
    url = f"sqlite:///{small(tmp_path)}"
    assert not create_demo(url, now=NOW, scale=0.01).created
    assert create_demo(url, now=date(2026, 11, 17), scale=0.01).created
    assert [p.name for p in tmp_path.iterdir()] == ["pharma.db"]


def test_a_foreign_file_is_never_overwritten(tmp_path: Path):
    file = tmp_path / "mine.db"
    sqlite3.connect(file).execute("CREATE TABLE precious (x)").connection.close()
    before = file.read_bytes()
    with pytest.raises(StorageError, match="already holds something else"):
        create_demo(f"sqlite:///{file}", now=NOW, scale=0.01)
    (tmp_path / "note.txt").write_text("not a database at all, but long enough to be read" * 50)
    with pytest.raises(StorageError):
        create_demo(f"sqlite:///{tmp_path / 'note.txt'}", now=NOW, scale=0.01)
    assert file.read_bytes() == before


def test_a_half_made_database_never_remains(tmp_path: Path):
    def stop(table: str, done: int, total: int) -> None:
        if table == "sales":
            raise KeyboardInterrupt

    url = f"sqlite:///{tmp_path / 'pharma.db'}"
    with pytest.raises(KeyboardInterrupt):
        create_demo(url, now=NOW, scale=0.01, progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path):
    old, young = tmp_path / ".pharma.db.abc.part", tmp_path / ".pharma.db.xyz.part"
    for file in (old, young):
        file.write_text("half")
    os.utime(old, (0, 0))
    small(tmp_path)
    assert not old.exists()
    assert young.exists()


def test_an_impossible_place_is_one_typed_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="could not be made"):
        create_demo(f"sqlite:///{tmp_path / 'file' / 'x.db'}", now=NOW, scale=0.01)


def test_progress_is_reported_per_table(tmp_path: Path):
    heard: list[tuple[str, int, int]] = []

    def hear(table: str, done: int, total: int) -> None:
        heard.append((table, done, total))

    create_demo(f"sqlite:///{tmp_path / 'p.db'}", now=NOW, scale=0.01, progress=hear)
    assert {name for name, _, _ in heard} == set(COLUMNS)
    assert all(done <= total for _, done, total in heard)


@pytest.mark.parametrize(
    ("lang", "searched", "written", "asked"),
    [
        ("ko_KR.UTF-8", "[1] 영업비용 집행기준", "PDF, DOCX", "어떤 수치를 말씀하시나요?"),
        ("C.UTF-8", "[1] Spending standard for sales", "PDF, DOCX", "Which figure do you mean"),
    ],
)
def test_the_tour_shows_one_question_of_each_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, searched: str, written: str, asked: str
):
    monkeypatch.setenv("LC_ALL", lang)
    language = lang[:2] if lang[:2] == "ko" else "en"
    assert [len(listed) for listed in QUESTIONS.values()] == [10, 10]
    monkeypatch.setitem(
        QUESTIONS, language, QUESTIONS[language][6:]
    )  # the figures before them have tests of their own
    small(tmp_path, scale=0.02)
    toured = CliRunner().invoke(
        app, ["demo", "--tour", "--data-dir", str(tmp_path), "--now", f"{NOW}T09:00+09:00"]
    )
    assert toured.exit_code == 0, toured.output
    search, document, unclear, outside = re.split(r"^\? ", toured.stdout, flags=re.MULTILINE)[1:]
    assert searched in search
    assert written in document
    assert asked in unclear
    assert "2024-11-01" in outside, "what there is instead"
    assert "metaagent export" in toured.stderr
