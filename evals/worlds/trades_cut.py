# ruff: noqa: E501 - a row is read on its line
"""Databases whose names decide: riding stables whose tables are cut to three letters (`hrs`, `rdr`, `lssn_bk`), and a rice mill whose
names are Korean, half of them in Latin letters (`dangol`, `tteok_jumun`), with people in two roles."""

from __future__ import annotations

import random
import sqlite3
from datetime import date, timedelta

from evals.worlds.drawing import Row, drawn_day, fill, korean, person, schema, seconds

_HORSES = (
    "Biscuit",
    "Comet",
    "Duchess",
    "Ember",
    "Fable",
    "Gypsy",
    "Hazel",
    "Indigo",
    "Jasper",
    "Koko",
    "Luna",
    "Merlin",
)
_ITEMS: list[Row] = [
    ("T1", "가래떡", "떡", 9000), ("T2", "송편", "떡", 12000), ("T3", "인절미", "떡", 11000), ("O1", "참기름", "기름", 18000),
    ("O2", "들기름", "기름", 16000), ("P1", "고춧가루", "가루", 25000),
]  # fmt: skip


def stables(db: sqlite3.Connection) -> None:
    """Lessons are bookings with a teacher and an assistant; seconds since 1970, fees as text, days as 31/12/2026."""
    draw = random.Random(41)  # noqa: S311
    db.executescript(schema("stables"))
    fill(db, "stbl", [("N", "North barn", 14), ("S", "South barn", 10), ("P", "Pony yard", 8)])
    fill(db, "st", [("R", "Ridden"), ("C", "Cancelled"), ("X", "No show")])
    breeds = ("Cob", "Connemara", "Shetland")
    fill(db, "hrs", [(n, name, draw.choice(breeds), draw.randint(2004, 2020), draw.randint(105, 172), draw.choice("NSP"), "Lame" if n % 5 == 0 else "Working") for n, name in enumerate(_HORSES, 1)])  # fmt: skip
    levels, parishes = ("Beginner", "Novice", "Advanced"), ("Wick", "Holt", "Marsh")
    fill(db, "rdr", [(n, person(draw), draw.choice(levels), draw.choice(parishes), drawn_day(draw).isoformat(), f"01632 96{n:04d}") for n in range(1, 41)])  # fmt: skip
    fill(
        db,
        "instr",
        [
            (1, "Tess Rowe", "Level 3"),
            (2, "Uma Kerr", "Level 2"),
            (3, "Viv Lamb", "Level 4"),
            (4, "Wes Nunn", "Level 1"),
        ],
    )
    lessons: list[Row] = []
    for n in range(1, 401):
        minutes, state = draw.choice((30, 45, 60)), draw.choices("RCX", (88, 8, 4))[0]
        people = (
            draw.randint(1, 36),
            draw.randint(1, 12),
            draw.choice((1, 1, 2, 3)),
            draw.choice((2, 4, None)),
        )
        lessons.append(
            (
                n,
                *people,
                seconds(draw, drawn_day(draw)),
                minutes,
                f"£{minutes * 0.9:.2f}",
                draw.choice("YYYN"),
                state,
            )
        )
    fill(db, "lssn_bk", lessons)
    fill(db, "farr_vst", [(n, draw.randint(1, 12), drawn_day(draw).strftime("%d/%m/%Y"), draw.choice(("Dunn & Son", "P. Smithers")), draw.choice((2, 4)), draw.choice((45, 80, 95))) for n in range(1, 91)])  # fmt: skip
    feeds: list[Row] = []
    for n in range(1, 61):
        day, weight = drawn_day(draw), draw.choice((250, 500, 750))
        paid = (day + timedelta(days=20)).strftime("%Y%m%d") if n % 9 else None
        feeds.append(
            (
                f"F{n:03d}",
                day.strftime("%Y%m%d"),
                "Oatley Mill",
                draw.choice(("Hay", "Oats", "Pellets")),
                weight,
                f"{weight * 0.62:,.2f}",
                paid,
            )
        )
    fill(db, "feed_dlv", feeds)


def mill(db: sqlite3.Connection) -> None:
    """Jobs with who took them in and who did them, orders with lines, amounts as text, days as 20261005 and 2026-10-05."""
    draw = random.Random(32)  # noqa: S311
    db.executescript(schema("mill"))
    fill(
        db,
        "dangol",
        [
            (n, korean(draw), f"010-2345-{n:04d}", draw.choice(("윗말", "아랫말", "새터")), "2020.05.01")
            for n in range(1, 41)
        ],
    )
    fill(db, "품목", _ITEMS)
    fill(
        db,
        "직원",
        [
            ("S1", "조병만", "제분"),
            ("S2", "안금숙", "떡"),
            ("S3", "유재덕", "기름"),
            ("S4", "심현아", "접수"),
            ("S5", "나은경", "접수"),
        ],
    )
    jobs: list[Row] = []
    for n in range(1, 301):
        day, weight = drawn_day(draw), round(draw.uniform(2, 40), 1)
        state = draw.choices(("완료", "취소"), (93, 7))[0]
        done = day + timedelta(days=draw.randint(0, 4)) if state == "완료" else None
        fetched = done + timedelta(days=draw.randint(0, 6)) if done and n % 12 else None
        kind = draw.choice(("고추 빻기", "쌀 빻기", "참깨 짜기"))
        days = [
            one.strftime("%Y%m%d") if one and one <= date(2026, 11, 15) else None for one in (done, fetched)
        ]
        jobs.append((n, day.strftime("%Y%m%d"), draw.randint(1, 36), kind, weight, weight * 0.8 if done else None, int(weight * 1500), *days, draw.choice(("S4", "S5")), draw.choice(("S1", "S1", "S2", "S3")), state, "N" if done else "Y"))  # fmt: skip
    fill(db, "가공의뢰", jobs)
    orders, lines = list[Row](), list[Row]()
    for n in range(1, 301):
        day = drawn_day(draw)
        bought = [(n, at, item[0], count, count * int(str(item[3]))) for at, item in enumerate(draw.sample(_ITEMS, draw.randint(1, 3)), 1) for count in (draw.randint(1, 8),)]  # fmt: skip
        lines += bought
        due = (day + timedelta(days=draw.randint(1, 5))).isoformat()
        orders.append((n, day.isoformat(), draw.randint(1, 37), draw.choice(("방문", "배달", "택배")), due, f"{sum(one[4] for one in bought):,}", draw.choice((0, 10000)), draw.choices(("완료", "취소"), (94, 6))[0]))  # fmt: skip
    fill(db, "tteok_jumun", orders)
    fill(db, "tteok_jumun_sangse", lines)
    fill(
        db,
        "기계",
        [
            ("M1", "고추분쇄기", "2015-05-01", 3000000, "정상"),
            ("M2", "쌀분쇄기", "2016-05-01", 4500000, "정상"),
            ("M3", "착유기", "2017-05-01", 6000000, "수리중"),
        ],
    )
    faults: list[Row] = []
    for n in range(1, 41):
        day = drawn_day(draw, end=date(2026, 10, 30))
        faults.append(
            (
                n,
                f"M{draw.randint(1, 3)}",
                day.strftime("%Y%m%d"),
                (day + timedelta(days=3)).strftime("%Y%m%d") if n % 11 else None,
                draw.randint(2, 40) * 10000,
            )
        )
    fill(db, "기계_고장", faults)
