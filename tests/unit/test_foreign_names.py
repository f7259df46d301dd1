"""Names of databases that nobody here has seen: Korean in Latin letters, codes, kinds, and dates of rows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import yaml

from metaagent.data.semantic.drafting.codes import state_words
from metaagent.data.semantic.drafting.event_dates import moment_of, not_yet_words
from metaagent.data.semantic.drafting.infer import infer
from metaagent.data.semantic.drafting.romanised import compound
from metaagent.data.semantic.drafting.words import words_of

FIRM = """
    CREATE TABLE TB_ISA (ISA_NO INTEGER PRIMARY KEY, GYEYAK_IL TEXT, ISA_IL TEXT, CHOEJONG_GEUM INTEGER, SANGTAE TEXT);
    CREATE TABLE TB_IPGEUM (IP_NO INTEGER PRIMARY KEY, ISA_NO INTEGER, IP_IL TEXT, IP_AEK INTEGER, PAY_CD TEXT);
    CREATE TABLE TB_JIKWON (JW_NO INTEGER PRIMARY KEY, JW_NM TEXT, IPSA_IL TEXT, TOESA_IL TEXT);
"""
GARAGE = """
    CREATE TABLE service_type (svc_code TEXT PRIMARY KEY, svc_name TEXT);
    CREATE TABLE job (job_no INTEGER PRIMARY KEY, svc_code TEXT REFERENCES service_type, booked_on TEXT, visit_date TEXT,
        minutes_on_site INTEGER);
"""


Rows = list[tuple[object, ...]]


def drafted(folder: Path, sql: str, rows: dict[str, Rows]) -> dict[str, dict[str, dict[str, object]]]:
    file = folder / "made.db"
    with sqlite3.connect(file) as db:
        db.executescript(sql)
        for table, listed in rows.items():
            db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(listed[0]))})", listed)
    db.close()
    return yaml.safe_load(infer(f"sqlite:///{file}"))


def movers(folder: Path) -> dict[str, dict[str, dict[str, object]]]:
    days = [f"{n:02}" for n in range(1, 29)]
    moves: Rows = [
        (n, f"202601{day}", f"202602{day}" if n < 28 else None, 1000 * n, "완료" if n % 2 else "취소")
        for n, day in enumerate(days, 1)
    ]
    paid: Rows = [(n, n, f"202603{day}", 500 * n, "CB"[n % 2]) for n, day in enumerate(days, 1)]
    staff: Rows = [
        (n, f"김{day}", f"202001{day}", f"202501{day}" if n > 14 else None) for n, day in enumerate(days, 1)
    ]
    return drafted(folder, FIRM, {"TB_ISA": moves, "TB_IPGEUM": paid, "TB_JIKWON": staff})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("jakeopsigan", "작업시간"),
        ("toesail", "퇴사일"),
        ("isa", "이사"),
        ("customer", None),
        ("status", None),
    ],
)
def test_korean_words_in_latin_letters_are_read_in_a_row(written: str, read: str | None):
    assert compound(written) == read


def test_syllables_that_end_romanised_names_are_amounts(tmp_path: Path):
    metrics = movers(tmp_path)["metrics"]
    assert any("이사 최종 금액" in str(one["label"]) for one in metrics.values())
    assert any("입금액" in str(one["synonyms"]) for one in metrics.values() if one["type"] == "sum")


def test_rows_are_dated_by_the_day_they_took_place(tmp_path: Path):
    counted = [
        one
        for one in movers(tmp_path)["metrics"].values()
        if one.get("table") == "TB_ISA" and not one.get("where")
    ]
    assert [str(one["time"]).lower() for one in counted] == ["tb_isa.이사_ilja"]


def test_a_job_is_dated_by_its_visit_and_not_by_its_booking(tmp_path: Path):
    jobs: Rows = [(n, "AB"[n % 2], f"2026-01-0{n}", f"2026-02-0{n}", 20 + n) for n in range(1, 10)]
    made = drafted(
        tmp_path, GARAGE, {"service_type": [("A", "Deep clean"), ("B", "Quick wash")], "job": jobs}
    )
    assert made["metrics"]["job_count"]["time"] == "job.visit_date"
    said = made["dimensions"]["service_type"]["synonyms"]
    assert "서비스별" in str(said)


def test_a_code_of_payments_is_the_method_of_payment(tmp_path: Path):
    said = str(movers(tmp_path)["dimensions"]["payment_method"]["synonyms"])
    assert "payment method" in said or "결제방법" in said


def test_people_who_have_not_left_are_those_employed(tmp_path: Path):
    metrics = movers(tmp_path)["metrics"]
    found = [one for one in metrics.values() if "재직 중인 직원" in str(one.get("synonyms"))]
    assert [one["where"] for one in found] == [[{"column": "TB_JIKWON.TOESA_ilja", "op": "is_null"}]]


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("resolved_on", "아직 처리 안 된 불만"),
        ("left_on", "현직 불만"),
        ("finished_date", "종료되지 않은 불만"),
        ("처리일", "미처리 불만"),
    ],
)
def test_what_has_not_happened_is_said_in_several_words(column: str, said: str):
    moment = moment_of(column)
    assert moment is not None
    assert said in not_yet_words(["complaint"], moment)[1]["ko"]


@pytest.mark.parametrize(
    ("value", "word"), [("서울", "seoul"), ("부산광역시", "busan"), ("경기도", "gyeonggi")]
)
def test_places_are_known_by_their_names_in_english(value: str, word: str):
    assert word in state_words(value)["en"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("len_ft", ["length", "foot"]), ("pay_meth", ["payment", "method"]), ("gst", ["tax"]), ("gst_nm", ["guest", "name"]),
     ("ST_TM", ["start", "time"]), ("ORD_HD", ["order"])],
)  # fmt: skip
def test_cut_names_are_written_out_by_what_stands_beside(name: str, words: list[str]):
    assert words_of(name) == words
