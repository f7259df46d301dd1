# ruff: noqa: E501 - a schema is read by its lines
"""Databases whose rows have several dates and measures: a haulier with promised and actual deliveries, weights, distances and
two ends of a way; a plant whose tables begin with their module, with due dates, downtimes and least stocks."""

from __future__ import annotations

import random
import sqlite3
from datetime import date, timedelta

START, END = date(2025, 3, 1), date(2026, 11, 15)
_CITIES = ("Munich", "Vienna", "Zurich", "Graz", "Prague", "Milan")

Row = tuple[object, ...]


def _day(draw: random.Random, start: date = START, end: date = END) -> date:
    return start + timedelta(days=draw.randrange((end - start).days + 1))


def _fill(db: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    marks = ",".join("?" * len(rows[0]))
    db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608 - names of this file


def haulier(db: sqlite3.Connection) -> None:
    """Shipments in tables called tbl…: a promised and an actual day of delivery, kilograms, kilometres, two cities."""
    draw = random.Random(103)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE tblCustomer (CustID INTEGER PRIMARY KEY, CustName TEXT, Segment TEXT, HomeCity TEXT);
        CREATE TABLE tblDriver (DriverID INTEGER PRIMARY KEY, DriverName TEXT, HireDate TEXT, Depot TEXT);
        CREATE TABLE tblShipment (ShipmentNo TEXT PRIMARY KEY, CustID INTEGER, DriverID INTEGER, OrderDate TEXT, PickupDate TEXT,
            PromisedDate TEXT, DeliveredDate TEXT, OriginCity TEXT, DestCity TEXT, WeightKg NUMERIC, DistanceKm NUMERIC,
            FreightCharge NUMERIC, ShipStatus TEXT);
        CREATE TABLE tblClaim (ClaimNo INTEGER PRIMARY KEY, ShipmentNo TEXT, ClaimDate TEXT, Reason TEXT, ClaimedEUR NUMERIC, ClosedDate TEXT);
        """
    )
    names = (
        "Alpen Foods",
        "Basel Pharma",
        "Comet Steel",
        "Dorn Paper",
        "Elbe Chem",
        "Fuchs Toys",
        "Graf Wine",
    )
    customers: list[Row] = [
        (n, name, draw.choice(("food", "industrial", "retail")), draw.choice(_CITIES[:4]))
        for n, name in enumerate(names, 1)
    ]
    _fill(db, "tblCustomer", customers)
    drivers = ("Max Huber", "Eva Lang", "Tom Berg", "Ida Wolf")
    _fill(db, "tblDriver", [(n, name, "2019-11-01", "Munich") for n, name in enumerate(drivers, 1)])
    shipments: list[Row] = []
    claims: list[Row] = []
    for n in range(1, 601):
        ordered = _day(draw)
        picked = ordered + timedelta(days=draw.randrange(4))
        promised = picked + timedelta(days=draw.randrange(1, 4))
        delivered = max(promised + timedelta(days=draw.choice((-1, 0, 0, 0, 1, 2))), picked)
        cancelled, done = draw.random() < 0.04, delivered <= END
        state = "Cancelled" if cancelled else "Delivered" if done else "In Transit"
        origin, destination = draw.sample(_CITIES, 2)
        arrived = delivered.isoformat() if state == "Delivered" else None
        shipments.append(
            (f"SH{n:05}", draw.randrange(1, 7), draw.randrange(1, 5), ordered.isoformat(), None if cancelled else picked.isoformat(),
             promised.isoformat(), arrived, origin, destination, draw.randrange(50, 7000), draw.randrange(60, 900),
             draw.randrange(80, 2400), state)
        )  # fmt: skip
        if arrived and draw.random() < 0.08:
            closed = delivered + timedelta(days=draw.randrange(3, 40))
            reason, worth = draw.choice(("damage", "loss")), draw.choice((50, 120, 400))
            claims.append(
                (
                    len(claims) + 1,
                    f"SH{n:05}",
                    arrived,
                    reason,
                    worth,
                    closed.isoformat() if closed <= END else None,
                )
            )
    _fill(db, "tblShipment", shipments)
    _fill(db, "tblClaim", claims)


def plant(db: sqlite3.Connection) -> None:
    """A plant in short forms behind modules (PR_ORD, QC_DFCT): dates as YYYYMMDD, minutes of downtime, safety stocks."""
    draw = random.Random(109)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE MS_ITEM (ITEM_CD TEXT PRIMARY KEY, ITEM_NM TEXT, ITEM_GRP TEXT, UNIT_PRC NUMERIC, STD_WGT_KG NUMERIC);
        CREATE TABLE MS_LINE (LINE_CD TEXT PRIMARY KEY, LINE_NM TEXT, PLANT_NM TEXT);
        CREATE TABLE PR_ORD (ORD_NO TEXT PRIMARY KEY, ITEM_CD TEXT, LINE_CD TEXT, ORD_YMD TEXT, DUE_YMD TEXT, CMPL_YMD TEXT, ORD_QTY INTEGER);
        CREATE TABLE PR_RSLT (RSLT_NO INTEGER PRIMARY KEY, ORD_NO TEXT, WRK_YMD TEXT, GOOD_QTY INTEGER, BAD_QTY INTEGER, WRK_MIN INTEGER);
        CREATE TABLE EQ_STOP (STOP_NO INTEGER PRIMARY KEY, LINE_CD TEXT, STOP_YMD TEXT, STOP_RSN TEXT, STOP_MIN INTEGER);
        CREATE TABLE MT_STK (MTRL_CD TEXT PRIMARY KEY, MTRL_NM TEXT, ONHAND_QTY INTEGER, SAFETY_QTY INTEGER);
        """
    )
    items: list[tuple[str, str, str, int, float]] = [
        ("A100", "브래킷", "프레스", 1200, 0.8), ("A200", "커버", "프레스", 2400, 1.1), ("B100", "기어", "가공", 5600, 2.4),
        ("B200", "샤프트", "가공", 7800, 3.2), ("C100", "하우징", "주조", 9900, 5.5),
    ]  # fmt: skip
    lines = {"프레스": "L1", "가공": "L2", "주조": "L3"}
    _fill(db, "MS_ITEM", [*items])
    _fill(
        db,
        "MS_LINE",
        [("L1", "프레스1", "화성공장"), ("L2", "가공1", "화성공장"), ("L3", "주조1", "평택공장")],
    )
    orders: list[Row] = []
    results: list[Row] = []
    for n in range(1, 401):
        item, ordered = draw.choice(items), _day(draw)
        due = ordered + timedelta(days=draw.randrange(5, 15))
        completed = max(due + timedelta(days=draw.choice((-3, -1, 0, 0, 1, 3))), ordered)
        quantity, done = draw.randrange(50, 800), completed <= END
        orders.append(
            (f"W{n:05}", item[0], lines[item[2]], f"{ordered:%Y%m%d}", f"{due:%Y%m%d}", f"{completed:%Y%m%d}" if done else None, quantity)
        )  # fmt: skip
        for _ in range(draw.choice((1, 2)) if done else 0):
            worked = _day(draw, ordered, completed)
            results.append(
                (
                    len(results) + 1,
                    f"W{n:05}",
                    f"{worked:%Y%m%d}",
                    quantity // 2,
                    draw.choice((0, 1, 3, 6)),
                    draw.randrange(60, 480),
                )
            )
    _fill(db, "PR_ORD", orders)
    _fill(db, "PR_RSLT", results)
    stops: list[Row] = [
        (n, draw.choice(("L1", "L2", "L3")), f"{_day(draw):%Y%m%d}", draw.choice(("고장", "자재부족", "청소")), draw.randrange(5, 240))
        for n in range(1, 301)
    ]  # fmt: skip
    _fill(db, "EQ_STOP", stops)
    _fill(
        db,
        "MT_STK",
        [
            ("M1", "철판", 420, 500),
            ("M2", "알루미늄", 900, 300),
            ("M3", "도료", 35, 60),
            ("M4", "볼트", 12000, 5000),
        ],
    )
