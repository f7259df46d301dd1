"""Words of a drafted model that come from other names, from values and from roles, rather than from a list."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from evals.judge import RIGHT
from evals.strangers import Place, ask_file, dialogues_of
from metaagent.data.semantic.drafting.infer import draft
from metaagent.data.semantic.drafting.romanised import syllables

HARBOUR = """
    CREATE TABLE 선석 (선석번호 TEXT PRIMARY KEY, 선석명 TEXT);
    CREATE TABLE 직원 (사번 TEXT PRIMARY KEY, 이름 TEXT);
    CREATE TABLE hayeok_naeyeok (hayeok_no INTEGER PRIMARY KEY, 하역일 TEXT, 선석번호 TEXT, geomsuwon_사번 TEXT, 작업반장_사번 TEXT,
        mulryang REAL, 상태 TEXT);
    INSERT INTO 선석 VALUES ('A', '제1부두'), ('B', '제2부두');
    INSERT INTO 직원 VALUES ('1', '한가람'), ('2', '도해솔');
    INSERT INTO hayeok_naeyeok VALUES (1, '2026-10-02', 'A', '1', '2', 120, '대기'), (2, '2026-10-05', 'B', '2', '2', 80, '완료'),
        (3, '2026-11-03', 'A', '1', '1', 50, '완료');
"""
BOATS = """
    CREATE TABLE t_skpr (skpr_id INTEGER PRIMARY KEY, skpr_nm TEXT);
    CREATE TABLE t_ownr (ownr_id INTEGER PRIMARY KEY, ownr_nm TEXT);
    CREATE TABLE t_chrtr (chrtr_no INTEGER PRIMARY KEY, bk_dt TEXT, sail_dt TEXT, skpr_id INTEGER, diesel_gal REAL, tot_amt TEXT,
        st TEXT, corp_yn TEXT);
    CREATE TABLE t_chrtr_dtl (chrtr_no INTEGER, ln_no INTEGER, gear TEXT, ln_amt REAL, PRIMARY KEY (chrtr_no, ln_no));
    INSERT INTO t_skpr VALUES (1, 'Ann Bell'), (2, 'Bob Cole');
    INSERT INTO t_ownr VALUES (1, 'Cy Dale');
    INSERT INTO t_chrtr VALUES (1, '20260901', '20261002', 1, 12.5, '1,200.00', 'Cancelled', 'Y'),
        (2, '20260905', '20261003', 2, 20, '900.00', 'Sailed', 'N'), (3, '20261005', '20261012', 2, 30, '300.00', 'Sailed', 'N');
    INSERT INTO t_chrtr_dtl VALUES (1, 1, 'Net', 1000), (1, 2, 'Rod', 200), (2, 1, 'Net', 900), (3, 1, 'Rod', 300);
"""
STAFF = """
    CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name TEXT, job TEXT);
    CREATE TABLE booth (booth_id INTEGER PRIMARY KEY, assembled_by_staff_id INTEGER, built_on TEXT,
        delivery_staff_id INTEGER REFERENCES staff(staff_id), phleb_staff_id INTEGER REFERENCES staff(staff_id), price NUMERIC);
    INSERT INTO staff VALUES (1, 'Ann', 'Phlebotomist'), (2, 'Ben', 'Driver');
    INSERT INTO booth VALUES (1, NULL, '2026-10-01', 2, 1, 10), (2, NULL, '2026-10-02', 1, 1, 20);
"""


def written(folder: Path, sql: str) -> Path:
    file = folder / "made.db"
    with sqlite3.connect(file) as db:
        db.executescript(sql)
    db.close()
    return file


def model(folder: Path, sql: str) -> dict[str, Any]:
    return draft(f"sqlite:///{written(folder, sql)}").model


async def missed(folder: Path, sql: str, asked: list[tuple[str, str]]) -> list[str]:
    file = folder / "asked.yaml"
    entries = [{"id": question, "question": question, "sql": gold} for question, gold in asked]
    file.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    place = Place(written(folder, sql), None, date(2026, 11, 16), "infer", None)
    scored = await ask_file(dialogues_of(file), place)
    return [f"{one.id}: {one.why}" for one in scored if one.verdict != RIGHT]


@pytest.mark.parametrize(
    ("part", "word"), [("dangol", "단골"), ("yeongeop", "영업"), ("mulryang", "물량"), ("gongim", "공임")]
)
def test_a_syllable_begins_with_a_consonant_if_it_can(part: str, word: str):
    assert syllables(part) == word


async def test_latin_names_are_korean_in_a_korean_database(tmp_path: Path):
    asked = [
        ("지난달 하역은 몇 건이야?", "SELECT count(*) FROM hayeok_naeyeok WHERE 하역일 LIKE '2026-10%'"),
        (
            "올해 선석별 하역 물량",
            "SELECT 선석명, sum(mulryang) FROM hayeok_naeyeok JOIN 선석 USING (선석번호) GROUP BY 1",
        ),
        (
            "작업반장별 하역 건수",
            "SELECT 이름, count(*) FROM hayeok_naeyeok JOIN 직원 ON 사번 = 작업반장_사번 GROUP BY 1",
        ),
        (
            "검수원별 하역 건수",
            "SELECT 이름, count(*) FROM hayeok_naeyeok JOIN 직원 ON 사번 = geomsuwon_사번 GROUP BY 1",
        ),
    ]
    assert await missed(tmp_path, HARBOUR, asked) == []


def test_latin_names_stay_where_nothing_is_korean(tmp_path: Path):
    made = model(
        tmp_path,
        "CREATE TABLE barang (barang_id INTEGER PRIMARY KEY, nama TEXT, harga NUMERIC); INSERT INTO barang VALUES (1, 'x', 2)",
    )
    assert "barang_count" in made["metrics"]


async def test_units_lines_and_states_come_from_the_data(tmp_path: Path):
    asked = [
        ("How many gallons of diesel did we use in 2026?", "SELECT sum(diesel_gal) FROM t_chrtr"),
        ("sales by gear in 2026", "SELECT gear, sum(ln_amt) FROM t_chrtr_dtl GROUP BY 1"),
        ("how many charters by status in 2026?", "SELECT st, count(*) FROM t_chrtr GROUP BY 1"),
        (
            "number of charters by skipper in 2026",
            "SELECT skpr_nm, count(*) FROM t_chrtr JOIN t_skpr USING (skpr_id) GROUP BY 1",
        ),
        ("how many corporate charters in 2026?", "SELECT count(*) FROM t_chrtr WHERE corp_yn = 'Y'"),
    ]
    assert await missed(tmp_path, BOATS, asked) == []


def test_what_is_booked_takes_place_on_another_day(tmp_path: Path):
    made = model(tmp_path, BOATS)
    assert [one["about"] for one in made["tables"]["t_chrtr"]["caveats"]].count("time") == 1


def test_people_in_a_role_are_called_by_what_they_do(tmp_path: Path):
    said = [one["synonyms"]["en"] for one in model(tmp_path, STAFF)["dimensions"].values()]
    assert any("drivers delivered" in one for one in said)
    assert any("phlebotomists" in one for one in said)


async def test_a_word_in_brackets_tells_what_another_means(tmp_path: Path):
    asked = [
        (
            "Number of charters by helmsman (skipper) in 2026",
            "SELECT skpr_nm, count(*) FROM t_chrtr JOIN t_skpr USING (skpr_id) GROUP BY 1",
        )
    ]
    assert await missed(tmp_path, BOATS, asked) == []


async def test_an_unknown_word_in_brackets_is_no_gloss(tmp_path: Path):
    asked = [
        (
            "Number of charters by helmsman (zorblat) in 2026",
            "SELECT skpr_nm, count(*) FROM t_chrtr JOIN t_skpr USING (skpr_id) GROUP BY 1",
        )
    ]
    assert await missed(tmp_path, BOATS, asked) != []
