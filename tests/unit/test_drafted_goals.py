"""What a draft reads from names: units, codes, cut words, targets and limits, payments that are missing."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from metaagent.data.semantic.drafting.goal_words import goal_of
from metaagent.data.semantic.drafting.infer import draft
from metaagent.data.semantic.drafting.words import english, words_of

if TYPE_CHECKING:
    from pathlib import Path


def drafted(tmp_path: Path, script: str) -> dict[str, Any]:
    file = tmp_path / "made.db"
    connection = sqlite3.connect(file)
    connection.executescript(script)
    connection.close()
    return draft(f"sqlite:///{file}").model


@pytest.mark.parametrize(
    ("name", "words"),
    [("발전량kWh", ["발전량", "kwh"]), ("면적m2", ["면적", "m2"]), ("output_kWh", ["output", "kwh"])],
)
def test_letters_of_a_unit_are_one_word(name: str, words: list[str]):
    assert words_of(name) == words


def test_a_cut_word_may_keep_its_beginning():
    assert words_of("beekpr") == ["beekeeper"]


def test_costs_are_read_from_the_end_of_korean_names():
    assert "repair cost" in english(["수리비"])


@pytest.mark.parametrize(
    ("name", "goal"), [("목표량", "target"), ("배출한도", "limit"), ("tgt_kg", "target"), ("kg", None)]
)
def test_names_of_numbers_say_targets_and_limits(name: str, goal: str | None):
    assert goal_of(name) == goal


def test_codes_of_a_group_are_not_those_of_another(tmp_path: Path):
    made = drafted(
        tmp_path,
        """
        CREATE TABLE 공통코드(그룹코드 TEXT, 코드 TEXT, 코드명 TEXT, PRIMARY KEY(그룹코드, 코드));
        INSERT INTO 공통코드 VALUES ('객실상태','1','사용'),('객실상태','2','청소'),('요금종류','1','조식'),('요금종류','2','세탁');
        CREATE TABLE 객실(객실번호 TEXT PRIMARY KEY, 상태 TEXT);
        INSERT INTO 객실 VALUES ('101','1'),('102','2'),('103','1'),('104','2');
        CREATE TABLE 요금(요금번호 INTEGER PRIMARY KEY, 객실번호 TEXT, 요금종류 TEXT, 금액 INTEGER);
        INSERT INTO 요금 VALUES (1,'101','1',9),(2,'102','2',8);
        """,
    )
    named = {
        one["column"]: one.get("values")
        for one in made["dimensions"].values()
        if isinstance(one["column"], str)
    }
    assert {code: one["label"] for code, one in named["객실.상태"].items()} == {"1": "사용", "2": "청소"}
    assert {code: one["label"] for code, one in named["요금.요금종류"].items()} == {"1": "조식", "2": "세탁"}


def test_rows_without_a_payment_date_are_unpaid(tmp_path: Path):
    made = drafted(
        tmp_path,
        """
        CREATE TABLE job(job_id INTEGER PRIMARY KEY, done_dt TEXT, fee REAL, paid_dt TEXT);
        INSERT INTO job VALUES (1,'2026-01-02',5,'2026-02-01'),(2,'2026-01-03',6,NULL);
        """,
    )
    assert made["tables"]["job"]["columns"]["settlement"] == {"type": "string", "given": "paid_dt"}
