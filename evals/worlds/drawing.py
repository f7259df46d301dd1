"""Days, names and rows that the databases of trades are drawn from."""

from __future__ import annotations

import random
import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

START, END = date(2025, 1, 3), date(2026, 11, 15)
FIRST = ("Ann", "Bob", "Cid", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jay", "Kim", "Lou")
LAST = ("Archer", "Baker", "Cook", "Dyer", "Fisher", "Glover", "Hunter", "Mason")
_FAMILY, _GIVEN = (
    "김이박최정강조윤장임",
    ("민준", "서연", "도윤", "하은", "지호", "수아", "예준", "지우", "시우", "채원"),
)

Row = tuple[object, ...]


def drawn_day(draw: random.Random, start: date = START, end: date = END) -> date:
    return start + timedelta(days=draw.randrange((end - start).days + 1))


def person(draw: random.Random) -> str:
    return f"{draw.choice(FIRST)} {draw.choice(LAST)}"


def korean(draw: random.Random) -> str:
    return draw.choice(_FAMILY) + draw.choice(_GIVEN)


def as_number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def seconds(draw: random.Random, day: date) -> int:
    return int(datetime(day.year, day.month, day.day, draw.randrange(8, 20), tzinfo=UTC).timestamp())


def fill(db: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    marks = ",".join("?" * len(rows[0]))
    db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608 - names of this file


def schema(name: str) -> str:
    """The statements that make the tables of a trade."""
    return (Path(__file__).with_name("schemas") / f"{name}.sql").read_text(encoding="utf-8")
