"""Two databases that no rule was written for, with questions in `evals/fresh/`: `python -m evals.worlds.fresh FOLDER`.

A gym keeps its times as milliseconds since 1970, its codes in one table and its bookings under a key of two columns; a farm
shop has dates as DD/MM/YYYY, amounts as text with a sign of money, and a view. Asked with
`python -m evals.strangers evals/fresh/gym.yaml --db FOLDER/gym.db --model infer --tenant '' --domain ''`.
"""

from __future__ import annotations

import random
import sqlite3
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

START, LENGTH = date(2025, 1, 2), 682
_FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gia", "Hugo", "Ines", "Jon")
_LAST = ("Abel", "Brandt", "Costa", "Dorn", "Egger", "Falk", "Grau", "Holt")


def _day(draw: random.Random) -> date:
    return START + timedelta(days=draw.randrange(LENGTH + 1))


def _name(draw: random.Random, number: int) -> str:
    return f"{_FIRST[number % len(_FIRST)]} {draw.choice(_LAST)} {number}"


def gym(db: sqlite3.Connection) -> None:
    """Members, trainers and classes; each booking has its class and a running number as key."""
    draw = random.Random(71)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE mbr_mst (mbr_id INTEGER PRIMARY KEY, mbr_nm TEXT, plan_cd TEXT, gndr TEXT, join_dt TEXT, tel TEXT);
        CREATE TABLE trainer (trn_id INTEGER PRIMARY KEY, trn_nm TEXT, specialty TEXT, salary TEXT);
        CREATE TABLE "Class Sched" (cls_no INTEGER PRIMARY KEY, cls_nm TEXT, trn_id INTEGER REFERENCES trainer(trn_id), cap TEXT);
        CREATE TABLE booking_log (cls_no INTEGER, seq_no INTEGER, mbr_id INTEGER, book_ts INTEGER, fee REAL, sts_cd TEXT,
            PRIMARY KEY (cls_no, seq_no));
        CREATE TABLE cmn_code (grp_cd TEXT, cd TEXT, cd_nm TEXT, PRIMARY KEY (grp_cd, cd));
        """
    )
    codes = [("PLAN", "B", "Basic"), ("PLAN", "P", "Premium"), ("PLAN", "S", "Student")]
    codes += [("STS", "A", "Attended"), ("STS", "N", "No-show"), ("STS", "X", "Cancelled")]
    db.executemany("INSERT INTO cmn_code VALUES (?,?,?)", codes)
    people = [
        (n, _name(draw, n), draw.choice("BPS"), draw.choice("FM"), _day(draw).isoformat(), f"0700{n:06}")
        for n in range(1, 121)
    ]
    db.executemany("INSERT INTO mbr_mst VALUES (?,?,?,?,?,?)", people)
    kinds = ("Yoga", "Boxing", "Cycling", "Strength")
    db.executemany(
        "INSERT INTO trainer VALUES (?,?,?,?)",
        [
            (n, _name(draw, n), draw.choice(kinds), f"{2000 + 100 * n},00".replace(",00", ".00"))
            for n in range(1, 9)
        ],
    )
    names = ("Morning Yoga", "Power Hour", "Spin Basics", "Ring Skills", "Deep Stretch", "Iron Club")
    db.executemany(
        'INSERT INTO "Class Sched" VALUES (?,?,?,?)',
        [(n, name, draw.randrange(1, 9), str(draw.randrange(8, 30))) for n, name in enumerate(names, 1)],
    )
    rows: list[tuple[object, ...]] = []
    for seq in range(1, 2401):
        day = _day(draw)
        at = datetime(day.year, day.month, day.day, draw.randrange(7, 21), tzinfo=UTC)
        rows.append(
            (
                draw.randrange(1, 7),
                seq,
                draw.randrange(1, 111),
                int(at.timestamp() * 1000),
                round(draw.uniform(5, 25), 2),
                draw.choice("AAAANX"),
            )
        )
    db.executemany("INSERT INTO booking_log VALUES (?,?,?,?,?,?)", rows)


def farmshop(db: sqlite3.Connection) -> None:
    """A farm shop: purchases from farms, and sales over the counter."""
    draw = random.Random(72)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE Farm (FarmCd TEXT PRIMARY KEY, FarmNm TEXT, Rgn TEXT, Organic TEXT);
        CREATE TABLE Prod_Mst (ProdCd TEXT PRIMARY KEY, ProdNm TEXT, Categ TEXT, FarmCd TEXT REFERENCES Farm(FarmCd), UnitPrc REAL);
        CREATE TABLE SaleHist (SaleNo INTEGER PRIMARY KEY, ProdCd TEXT REFERENCES Prod_Mst(ProdCd), SaleDt TEXT, Qty INTEGER,
            Amt TEXT, PayMthd TEXT, Clerk TEXT);
        CREATE TABLE WasteLog (ProdCd TEXT REFERENCES Prod_Mst(ProdCd), waste_dt TEXT, wt_kg TEXT, rsn TEXT);
        CREATE VIEW v_daily AS SELECT SaleDt, count(*) AS n FROM SaleHist GROUP BY SaleDt;
        """
    )
    farms = [
        (f"F{n}", f"{name} Farm", draw.choice(("Hill", "Valley", "Coast")), draw.choice("YN"))
        for n, name in enumerate(("Oak", "Elm", "Ash", "Fir", "Yew"), 1)
    ]
    db.executemany("INSERT INTO Farm VALUES (?,?,?,?)", farms)
    goods = ("Apples", "Carrots", "Eggs", "Honey", "Milk", "Leeks", "Plums", "Cheese", "Bread", "Kale")
    kinds = {
        "Apples": "Fruit",
        "Plums": "Fruit",
        "Carrots": "Vegetables",
        "Leeks": "Vegetables",
        "Kale": "Vegetables",
    }
    prices = {name: round(draw.uniform(1, 9), 2) for name in goods}
    products = [
        (f"P{n:02}", name, kinds.get(name, "Pantry"), f"F{draw.randrange(1, 6)}", prices[name])
        for n, name in enumerate(goods, 1)
    ]
    db.executemany("INSERT INTO Prod_Mst VALUES (?,?,?,?,?)", products)
    rows: list[tuple[object, ...]] = []
    for number in range(1, 3001):
        product = draw.choice(products[:-1])
        count = draw.randrange(1, 8)
        amount = f"${count * product[4]:,.2f}"
        rows.append(
            (
                number,
                product[0],
                _day(draw).strftime("%d/%m/%Y"),
                count,
                amount,
                draw.choice(("card", "cash", "app")),
                draw.choice(("Mia", "Leo", "Zoe")),
            )
        )
    db.executemany("INSERT INTO SaleHist VALUES (?,?,?,?,?,?,?)", rows)
    wastes = [
        (
            draw.choice(products)[0],
            _day(draw).isoformat(),
            f"{draw.uniform(0.1, 9):.1f}",
            draw.choice(("spoiled", "damaged")),
        )
        for _ in range(300)
    ]
    db.executemany("INSERT INTO WasteLog VALUES (?,?,?,?)", wastes)


WORLDS = {"gym": gym, "farmshop": farmshop}


def make(name: str, folder: Path) -> Path:
    file = folder / f"{name}.db"
    file.unlink(missing_ok=True)
    with sqlite3.connect(file) as db:
        WORLDS[name](db)
    db.close()
    return file


if __name__ == "__main__":
    for world in WORLDS:
        make(world, Path(sys.argv[1]))
