"""Things without any row, people by rank, flags and numbers of rows in models that nobody wrote."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

import pytest

from evals.judge import RIGHT
from evals.strangers import Place, ask_file

YARD = """
    CREATE TABLE jikwon (jikwon_id INTEGER PRIMARY KEY, irum TEXT, jikchaek TEXT, ipsa_il TEXT);
    CREATE TABLE berths (berth_id INTEGER PRIMARY KEY, berth_cd TEXT, heated INTEGER, shore_power INTEGER, length_m REAL);
    CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT, is_active INTEGER);
    CREATE TABLE hauls (haul_id INTEGER PRIMARY KEY, haul_no TEXT, boat_id INTEGER REFERENCES boats(boat_id),
        berth_id INTEGER REFERENCES berths(berth_id), teamjang_id INTEGER REFERENCES jikwon(jikwon_id), ordered_on TEXT,
        rating INTEGER, fee REAL, status TEXT);
"""
NO_ROW = "NOT EXISTS (SELECT 1 FROM hauls h WHERE h.{key} = t.{key})"


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    file = tmp_path / "yard.db"
    with sqlite3.connect(file) as db:
        db.executescript(YARD)
        for one in range(1, 25):
            rank = "팀장" if one % 3 == 0 else "기사"
            db.execute(
                "INSERT INTO jikwon VALUES (?, ?, ?, ?)", (one, f"김수{one}", rank, f"2020-01-{one:02}")
            )
            db.execute(
                "INSERT INTO berths VALUES (?, ?, ?, ?, ?)", (one, f"B-{one:03}", one % 2, one % 3 // 2, one)
            )
            db.execute("INSERT INTO boats VALUES (?, ?, ?)", (one, f"Wave {one}", int(one % 5 > 0)))
        for one in range(1, 201):
            row = (one, f"H26-{one:04}", one % 20 + 1, one % 21 + 1, (one % 7 + 1) * 3, f"2026-{one % 10 + 1:02}-12",
                   one % 5 + 1, 10.0 + one % 9, ("done", "in the yard")[one % 8 == 0])  # fmt: skip
            db.execute("INSERT INTO hauls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    return file


async def test_undone_deeds_ranks_and_flags_are_read(yard: Path) -> None:
    never = f"SELECT boat_name FROM boats t WHERE {NO_ROW.format(key='boat_id')}"
    idle = "SELECT irum FROM jikwon t WHERE jikchaek = '팀장' AND jikwon_id NOT IN (SELECT teamjang_id FROM hauls)"
    rated = "SELECT irum, avg(rating) FROM hauls JOIN jikwon ON jikwon_id = teamjang_id GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
    asked = [
        ("Which boats have never been hauled?", never),
        ("Which boats were never ordered?", never),
        ("How many boats have never been hauled?", f"SELECT count(*) FROM ({never})"),
        ("haul을 한 번도 안 맡은 팀장은 누구야?", idle),
        ("팀장 몇 명이야?", "SELECT count(*) FROM jikwon WHERE jikchaek = '팀장'"),
        ("How many berths are heated?", "SELECT count(*) FROM berths WHERE heated = 1"),
        ("How many berths have shore power?", "SELECT count(*) FROM berths WHERE shore_power = 1"),
        ("which boats are no longer active", "SELECT boat_name FROM boats WHERE is_active = 0"),
        ("list the hauls in the yard", "SELECT haul_no FROM hauls WHERE status = 'in the yard'"),
        ("평점 평균이 제일 높은 팀장은?", rated),
    ]
    talks = [
        {"id": str(number), "turns": [{"question": said, "sql": sql}]}
        for number, (said, sql) in enumerate(asked)
    ]
    scored = await ask_file(talks, Place(yard, None, date(2026, 11, 16), "infer"))
    assert [(one.question, one.why) for one in scored if one.verdict != RIGHT] == []
