# ruff: noqa: E501 - a schema is read by its lines
"""Three further trades: a museum whose tickets have a date of their own that is not the sale's, a warehouse with snapshots of its
stock, two ways to a warehouse and purchases that are no sales, and a farmers' cooperative in Korean with slips and settlements.
"""

from __future__ import annotations

import random
import sqlite3
from datetime import date, datetime, timedelta

Row = tuple[object, ...]
START, END = date(2025, 2, 1), date(2026, 11, 15)


def _day(draw: random.Random, start: date = START, end: date = END) -> date:
    return start + timedelta(days=draw.randrange((end - start).days + 1))


def _fill(db: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    marks = ",".join("?" * len(rows[0]))
    db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608 - names of this file


def _months() -> list[str]:
    return [f"2025-{month:02d}" for month in range(2, 13)] + [f"2026-{month:02d}" for month in range(1, 11)]


def museum(db: sqlite3.Connection) -> None:
    """Tickets are lines of a sale: sold on one day, used on another or never; people have two names; artworks hang in exhibitions."""
    draw = random.Random(306)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE visitor_categories (category_code CHAR(1) PRIMARY KEY, category_name TEXT, discount_percent INTEGER);
        CREATE TABLE exhibitions (exhibition_id INTEGER PRIMARY KEY, title TEXT, opens_on TEXT, closes_on TEXT, budget_eur NUMERIC);
        CREATE TABLE artworks (artwork_id INTEGER PRIMARY KEY, title TEXT, artist TEXT, acquired_on TEXT, insured_value NUMERIC);
        CREATE TABLE exhibition_artworks (exhibition_id INTEGER REFERENCES exhibitions, artwork_id INTEGER REFERENCES artworks,
            wall_position INTEGER, PRIMARY KEY (exhibition_id, artwork_id));
        CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, sold_at TEXT, channel TEXT, exhibition_id INTEGER REFERENCES exhibitions, voided_at TEXT);
        CREATE TABLE sale_tickets (ticket_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales,
            category_code CHAR(1) REFERENCES visitor_categories, unit_price NUMERIC, entered_at TEXT);
        CREATE TABLE guides (guide_id INTEGER PRIMARY KEY, given_name TEXT, family_name TEXT, language TEXT);
        CREATE TABLE tours (tour_id INTEGER PRIMARY KEY, guide_id INTEGER REFERENCES guides, exhibition_id INTEGER REFERENCES exhibitions,
            tour_date TEXT, participants INTEGER, rating REAL);
        """
    )
    prices = {"A": 14.0, "C": 7.0, "S": 9.8, "E": 9.8}
    _fill(
        db,
        "visitor_categories",
        [("A", "Adult", 0), ("C", "Child", 50), ("S", "Student", 30), ("E", "Senior", 30)],
    )
    shows = ("Light and Shadow", "Ancient Coins", "Modern Glass", "City in Maps")
    _fill(
        db,
        "exhibitions",
        [(n, title, "2025-02-01", "2027-02-28", 50000 * n) for n, title in enumerate(shows, 1)],
    )
    _fill(
        db,
        "artworks",
        [
            (
                n,
                f"Work {n}",
                draw.choice(("Ada Lind", "Bo Ek", "Cy Roth")),
                _day(draw, date(1990, 1, 1)).isoformat(),
                draw.randrange(5, 500) * 1000,
            )
            for n in range(1, 41)
        ],
    )
    hung = sorted({(draw.randrange(1, 5), draw.randrange(1, 36)) for _ in range(70)})
    _fill(db, "exhibition_artworks", [(*pair, n) for n, pair in enumerate(hung, 1)])
    sales: list[Row] = []
    tickets: list[Row] = []
    for number in range(1, 901):
        sold = datetime.combine(_day(draw), datetime.min.time()).replace(hour=draw.randrange(9, 17))
        voided = (sold + timedelta(hours=1)).isoformat() if draw.random() < 0.03 else None
        sales.append(
            (
                number,
                sold.isoformat(),
                draw.choice(("online", "desk", "desk", "partner")),
                draw.randrange(1, 5),
                voided,
            )
        )
        for _ in range(draw.choice((1, 1, 2, 2, 3))):
            code = draw.choice("AAACSE")
            used = (sold + timedelta(days=draw.randrange(5))).isoformat() if draw.random() < 0.9 else None
            tickets.append((len(tickets) + 1, number, code, prices[code], used))
    _fill(db, "sales", sales)
    _fill(db, "sale_tickets", tickets)
    _fill(
        db,
        "guides",
        [
            (1, "Lea", "Novak", "English"),
            (2, "Ivo", "Kral", "German"),
            (3, "Mila", "Horak", "Czech"),
            (4, "Petr", "Dusek", "English"),
        ],
    )
    _fill(
        db,
        "tours",
        [
            (
                n,
                draw.randrange(1, 4),
                draw.randrange(1, 5),
                _day(draw).isoformat(),
                draw.randrange(3, 25),
                draw.choice((None, 3.5, 4, 4.5, 5)),
            )
            for n in range(1, 181)
        ],
    )


def warehouse(db: sqlite3.Connection) -> None:
    """Stock is a snapshot of each month; purchase orders are called twice an event; a BIT says what is discontinued."""
    draw = random.Random(312)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE Warehouses (WarehouseCode NVARCHAR(5) PRIMARY KEY, Name NVARCHAR(40), City NVARCHAR(30));
        CREATE TABLE Suppliers (SupplierID INT PRIMARY KEY, SupplierName NVARCHAR(40), Country NVARCHAR(30), LeadTimeDays INT);
        CREATE TABLE Items (SKU NVARCHAR(10) PRIMARY KEY, Description NVARCHAR(60), Category NVARCHAR(20), SupplierID INT,
            UnitCost DECIMAL(9,2), ReorderPoint INT, Discontinued BIT);
        CREATE TABLE StockLevels (WarehouseCode NVARCHAR(5), SKU NVARCHAR(10), SnapshotDate DATE, QtyOnHand INT, PRIMARY KEY (WarehouseCode, SKU, SnapshotDate));
        CREATE TABLE Movements (MovementID INT PRIMARY KEY, MovementType CHAR(3), SKU NVARCHAR(10), FromWarehouse NVARCHAR(5), ToWarehouse NVARCHAR(5),
            Qty INT, MovedAt DATETIME, Operator NVARCHAR(20));
        CREATE TABLE PurchaseOrders (PONumber INT PRIMARY KEY, SupplierID INT, OrderedOn DATE, ExpectedOn DATE, ReceivedOn DATE, Status NVARCHAR(12));
        CREATE TABLE PurchaseOrderLines (PONumber INT, LineNumber INT, SKU NVARCHAR(10), QtyOrdered INT, QtyReceived INT, UnitCost DECIMAL(9,2),
            PRIMARY KEY (PONumber, LineNumber));
        CREATE TABLE Picks (PickID INT PRIMARY KEY, SKU NVARCHAR(10), WarehouseCode NVARCHAR(5), Picker NVARCHAR(20), PickedAt DATETIME, Seconds INT, Errors INT);
        """
    )
    _fill(
        db,
        "Warehouses",
        [("W1", "North Hub", "Oslo"), ("W2", "South Hub", "Bergen"), ("W3", "Old Barn", "Moss")],
    )
    _fill(
        db,
        "Suppliers",
        [
            (1, "Nordic Tools", "Norway", 7),
            (2, "Svea Parts", "Sweden", 12),
            (3, "Dansk Metal", "Denmark", 9),
            (4, "Idle Corp", "Finland", 20),
        ],
    )
    items = [f"S{n:03d}" for n in range(1, 41)]
    nouns, kinds = ("bolt", "hinge", "clip", "panel"), ("Hardware", "Fasteners", "Panels")
    _fill(
        db,
        "Items",
        [
            (
                sku,
                f"Steel {draw.choice(nouns)} {sku}",
                draw.choice(kinds),
                draw.randrange(1, 4),
                round(draw.uniform(1, 60), 2),
                draw.randrange(10, 100),
                int(draw.random() < 0.15),
            )
            for sku in items
        ],
    )
    _fill(
        db,
        "StockLevels",
        [
            (place, sku, f"{month}-28", draw.randrange(300))
            for month in _months()
            for place in ("W1", "W2")
            for sku in items[:30]
        ],
    )
    moved: list[Row] = []
    for number in range(1, 501):
        kind = draw.choice(("INB", "OUT", "TRF"))
        away, to = (
            (None if kind == "INB" else draw.choice(("W1", "W2"))),
            (None if kind == "OUT" else draw.choice(("W1", "W2"))),
        )
        moved.append(
            (
                number,
                kind,
                draw.choice(items),
                away,
                to,
                draw.randrange(1, 60),
                f"{_day(draw)} 10:00:00",
                draw.choice(("Kari", "Ola", "Per")),
            )
        )
    _fill(db, "Movements", moved)
    orders: list[Row] = []
    lines: list[Row] = []
    for number in range(1, 161):
        day, state = _day(draw), draw.choices(("open", "received", "cancelled"), (15, 78, 7))[0]
        came = (day + timedelta(days=draw.randrange(5, 25))).isoformat() if state == "received" else None
        orders.append(
            (
                number,
                draw.randrange(1, 4),
                day.isoformat(),
                (day + timedelta(days=10)).isoformat(),
                came,
                state,
            )
        )
        for line in range(1, draw.choice((2, 3, 4))):
            pieces = draw.randrange(10, 200)
            lines.append(
                (
                    number,
                    line,
                    draw.choice(items),
                    pieces,
                    pieces if came else 0,
                    round(draw.uniform(1, 60), 2),
                )
            )
    _fill(db, "PurchaseOrders", orders)
    _fill(db, "PurchaseOrderLines", lines)
    _fill(
        db,
        "Picks",
        [
            (
                n,
                draw.choice(items),
                draw.choice(("W1", "W2")),
                draw.choice(("Kari", "Ola", "Per", "Siv")),
                f"{_day(draw)} 11:00:00",
                draw.randrange(10, 300),
                draw.choice((0, 0, 0, 0, 1)),
            )
            for n in range(1, 901)
        ],
    )


def coop(db: sqlite3.Connection) -> None:
    """Slips with lines and settlements; a table of codes, yes and no, courses that members attended."""
    draw = random.Random(322)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE 조합원 (조합원ID INTEGER PRIMARY KEY, 이름 TEXT, 마을 TEXT, 가입일자 TEXT, 탈퇴일자 TEXT);
        CREATE TABLE 품목 (품목ID INTEGER PRIMARY KEY, 품목이름 TEXT, 품목구분 TEXT, 상위품목ID INTEGER);
        CREATE TABLE 출하전표 (전표번호 TEXT PRIMARY KEY, 조합원ID INTEGER, 출하일 TEXT, 공판장ID INTEGER, 운임 INTEGER, 상태코드 TEXT);
        CREATE TABLE 출하품목 (전표번호 TEXT, 품목ID INTEGER, 등급 TEXT, 수량 INTEGER, 경락단가 INTEGER, PRIMARY KEY (전표번호, 품목ID, 등급));
        CREATE TABLE 공판장 (공판장ID INTEGER PRIMARY KEY, 공판장명 TEXT, 소재지 TEXT, 수수료율 REAL);
        CREATE TABLE 정산 (정산ID INTEGER PRIMARY KEY, 전표번호 TEXT, 정산일 TEXT, 총액 INTEGER, 수수료 INTEGER, 지급액 INTEGER, 지급여부 TEXT);
        CREATE TABLE 상태코드표 (상태코드 TEXT PRIMARY KEY, 상태명 TEXT);
        CREATE TABLE 교육 (교육ID INTEGER PRIMARY KEY, 교육명 TEXT, 교육일 TEXT, 강사 TEXT);
        CREATE TABLE 교육참석 (교육ID INTEGER, 조합원ID INTEGER, 만족도 INTEGER, PRIMARY KEY (교육ID, 조합원ID));
        """
    )
    given = ("순자", "영수", "정희", "상철", "미경", "기훈", "옥순", "동수")
    people: list[Row] = []
    for number in range(1, 71):
        left = _day(draw, date(2026, 6, 2)).isoformat() if draw.random() < 0.1 else None
        people.append(
            (
                number,
                draw.choice("김이박최정강") + draw.choice(given),
                draw.choice(("윗말", "아랫말", "새터")),
                _day(draw, date(2010, 1, 1), date(2026, 6, 1)).isoformat(),
                left,
            )
        )
    _fill(db, "조합원", people)
    _fill(
        db,
        "품목",
        [
            (1, "과일", "대분류", None),
            (2, "채소", "대분류", None),
            (3, "사과", "과일", 1),
            (4, "배", "과일", 1),
            (5, "배추", "채소", 2),
            (6, "고추", "채소", 2),
        ],
    )
    _fill(
        db,
        "공판장",
        [
            (1, "가락시장", "서울", 0.07),
            (2, "구리시장", "경기", 0.06),
            (3, "엄궁시장", "부산", 0.05),
            (4, "휴업시장", "대전", 0.05),
        ],
    )
    _fill(db, "상태코드표", [("10", "접수"), ("20", "경매완료"), ("30", "정산완료"), ("99", "취소")])
    slips: list[Row] = []
    lines: list[Row] = []
    paid: list[Row] = []
    for number in range(1, 501):
        day, state, slip = (
            _day(draw),
            draw.choices(("10", "20", "30", "99"), (4, 10, 80, 6))[0],
            f"J{number:05d}",
        )
        slips.append(
            (
                slip,
                draw.randrange(1, 66),
                day.isoformat(),
                draw.randrange(1, 4),
                draw.choice((10000, 15000, 20000)),
                state,
            )
        )
        total = 0
        for item in draw.sample((3, 4, 5, 6), draw.choice((1, 2))):
            pieces, price = draw.randrange(5, 80), draw.randrange(50, 400) * 100
            total += pieces * price
            lines.append((slip, item, draw.choice(("특", "상", "보통")), pieces, price))
        if state == "30":
            fee = round(total * 0.07)
            paid.append(
                (
                    len(paid) + 1,
                    slip,
                    (day + timedelta(days=draw.randrange(2, 9))).isoformat(),
                    total,
                    fee,
                    total - fee,
                    "Y" if draw.random() < 0.9 else "N",
                )
            )
    _fill(db, "출하전표", slips)
    _fill(db, "출하품목", lines)
    _fill(db, "정산", paid)
    _fill(
        db,
        "교육",
        [
            (n, f"{name} 교육", _day(draw).isoformat(), draw.choice(("박강사", "최강사")))
            for n, name in enumerate(("친환경", "농약안전", "회계", "포장"), 1)
        ],
    )
    met = sorted({(draw.randrange(1, 5), draw.randrange(1, 61)) for _ in range(130)})
    _fill(db, "교육참석", [(*pair, draw.choice((2, 3, 4, 5))) for pair in met])
