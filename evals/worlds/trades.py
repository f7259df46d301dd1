# ruff: noqa: E501, PERF401 - a schema is read by its lines
"""Databases of eleven trades, each untidy in its own way, with questions in `evals/trades/`.

`python -m evals.worlds.trades FOLDER` writes them as SQLite files. A library has dates as whole numbers, soft deletes, copies
under a key of two columns and a copy of an old table; a carrier has heads and lines, two warehouses for each shipment and a
table of codes; an academy is called in Korean, with amounts as text; a software company bills in cents and has views. A hotel
and a car repair shop were made after rules had been written for the first four; three more stand in `trades_more.py`, and two with
several dates and measures in `trades_dated.py`.
"""

from __future__ import annotations

import random
import sqlite3
import sys
from datetime import date, timedelta
from pathlib import Path

from evals.worlds.drawing import (
    END,
    FIRST,
    LAST,
    START,
    Row,
    as_number,
    drawn_day,
    fill,
    korean,
    person,
    schema,
    seconds,
)
from evals.worlds.trades_cut import mill, stables
from evals.worlds.trades_dated import haulier, plant
from evals.worlds.trades_more import coop, museum, warehouse


def library(db: sqlite3.Connection) -> None:
    """Loans of copies: YYYYMMDD as whole numbers, two branches on the way, deleted rows that stay, a copied table."""
    draw = random.Random(301)  # noqa: S311
    db.executescript(schema("library"))
    codes = [
        ("GENRE", "FIC", "Fiction"),
        ("GENRE", "SCI", "Science"),
        ("GENRE", "HIS", "History"),
        ("GENRE", "KID", "Children"),
    ]
    codes += [("MBR_TYP", "A", "Adult"), ("MBR_TYP", "S", "Student"), ("MBR_TYP", "C", "Senior")]
    fill(db, "CODE_DTL", [*codes])
    places = ("Central", "Riverside", "Hillside", "Harbour")
    fill(
        db,
        "BRNCH",
        [
            (f"B{n}", f"{name} Library", "Northport" if n < 3 else "Southvale")
            for n, name in enumerate(places, 1)
        ],
    )
    fill(
        db,
        "STAFF",
        [
            (
                n,
                person(draw),
                f"B{draw.randrange(1, 5)}",
                1 if n > 1 else None,
                as_number(drawn_day(draw, date(2010, 1, 1), date(2024, 1, 1))),
            )
            for n in range(1, 13)
        ],
    )
    copies = _books(db, draw)
    people: list[Row] = [
        (n, f"{person(draw)} {n}", draw.choice("AASC"), f"B{draw.randrange(1, 5)}", as_number(drawn_day(draw, date(2020, 1, 1), date(2026, 10, 30))),
         f"0151-{draw.randrange(1000000, 9999999)}", "Y" if draw.random() < 0.08 else "N")
        for n in range(1, 161)
    ]  # fmt: skip
    fill(db, "BRWR", people)
    _loans(db, draw, copies)


def _books(db: sqlite3.Connection, draw: random.Random) -> list[Row]:
    """Fill the books and their copies; the copies are returned."""
    nouns = (
        "Moon",
        "Garden",
        "Bridge",
        "Winter",
        "Letters",
        "Stone",
        "Atlas",
        "Orchard",
        "Signal",
        "Lantern",
    )
    books: list[Row] = []
    for n in range(1, 61):
        title = (
            f"The {draw.choice(('Silent', 'Last', 'Hidden', 'Golden', 'Lost', 'Second'))} {nouns[n % 10]} {n}"
        )
        books.append(
            (
                f"978{n:07}",
                title,
                person(draw),
                draw.choice(("FIC", "SCI", "HIS", "KID")),
                draw.randrange(1960, 2026),
                f"${draw.uniform(6, 60):.2f}",
            )
        )
    fill(db, "BOOK_MST", books)
    copies: list[Row] = [
        (str(b[0]), c, f"B{draw.randrange(1, 5)}", draw.choice(("good", "worn", "new")))
        for b in books
        for c in range(1, draw.randrange(2, 5))
    ]
    fill(db, "BOOK_COPY", copies)
    return copies


def _loans(db: sqlite3.Connection, draw: random.Random, copies: list[Row]) -> None:
    """Fill loans and fines, and the copied table."""
    loans: list[Row] = []
    fines: list[Row] = []
    for n in range(1, 2601):
        day, copy = drawn_day(draw), draw.choice(copies)
        kept = draw.randrange(2, 40)
        back = day + timedelta(days=kept)
        loans.append(
            (
                n,
                draw.randrange(1, 151),
                copy[0],
                copy[1],
                as_number(day),
                as_number(day + timedelta(days=21)),
                as_number(back) if back <= END else None,
                draw.randrange(1, 13),
            )
        )
        if kept > 21 and back <= END:
            fines.append(
                (len(fines) + 1, n, f"${(kept - 21) * 0.25:.2f}", draw.choice("YYN"), as_number(back))
            )
    fill(db, "LOAN_TRX", loans)
    fill(db, "FINE", fines)
    fill(db, "LOAN_TRX_BAK_2024", loans[:300])


def carrier(db: sqlite3.Connection) -> None:
    """Shipments with lines: the head's total is that of its lines, cancelled ones included; from and to a warehouse."""
    draw = random.Random(302)  # noqa: S311
    db.executescript(schema("carrier"))
    codes = [
        ("SHP_STS", "10", "접수"),
        ("SHP_STS", "20", "집하"),
        ("SHP_STS", "30", "운송중"),
        ("SHP_STS", "40", "배송완료"),
        ("SHP_STS", "90", "취소"),
    ]
    codes += [("VEH_TYP", "T1", "1톤"), ("VEH_TYP", "T5", "5톤"), ("VEH_TYP", "T11", "11톤")]
    fill(db, "cmn_cd", [*codes])
    fill(
        db,
        "wh-mst",
        [
            (f"W{n}", f"{name}센터", rgn)
            for n, (name, rgn) in enumerate(
                (("평택", "경기"), ("이천", "경기"), ("양산", "경남"), ("칠곡", "경북")), 1
            )
        ],
    )
    firms = (
        "한솔유통",
        "대림식품",
        "서광전자",
        "미래가구",
        "세진약품",
        "동원상사",
        "신우물산",
        "태평산업",
        "우리마트",
        "청솔농산",
    )
    fill(
        db,
        "cust_mst",
        [
            (
                f"C{n:03}",
                name,
                draw.choice(("A", "B", "C")),
                f"{draw.randrange(100, 999)}-81-{draw.randrange(10000, 99999)}",
                f"02-{draw.randrange(200, 999)}-{draw.randrange(1000, 9999)}",
                "N" if n == 10 else "Y",
            )
            for n, name in enumerate(firms, 1)
        ],
    )
    fill(
        db,
        "drvr",
        [
            (
                n,
                korean(draw),
                draw.choice(("1종대형", "1종보통")),
                drawn_day(draw, date(2012, 1, 1), date(2025, 6, 1)).strftime("%Y/%m/%d"),
            )
            for n in range(1, 13)
        ],
    )
    fill(
        db,
        "veh",
        [
            (f"V{n:02}", draw.choice(("T1", "T5", "T11")), draw.choice((1000, 5000, 11000)), n)
            for n in range(1, 11)
        ],
    )
    _shipments(db, draw)


def _shipments(db: sqlite3.Connection, draw: random.Random) -> None:
    """Fill shipments with their lines and claims."""
    heads: list[Row] = []
    lines: list[Row] = []
    claims: list[Row] = []
    goods = ("생수", "라면", "TV", "소파", "감기약", "사과", "냉장고")
    for n in range(1, 1801):
        day = drawn_day(draw)
        total = 0
        for ln in range(1, draw.randrange(2, 5)):
            qty = draw.randrange(1, 30)
            amount = qty * draw.randrange(8, 60) * 100
            total += amount
            lines.append(
                (f"S{n:05}", ln, draw.choice(goods), qty, round(qty * draw.uniform(0.5, 20), 1), amount)
            )
        status = draw.choices(("10", "20", "30", "40", "90"), (2, 2, 3, 80, 13))[0]
        one, two = draw.sample(("W1", "W2", "W3", "W4"), 2)
        done = (day + timedelta(days=draw.randrange(1, 9))) if status == "40" else None
        heads.append((f"S{n:05}", f"C{draw.randrange(1, 10):03}", one, two, f"V{draw.randrange(1, 11):02}", day.strftime("%Y%m%d"), seconds(draw, day + timedelta(days=1)),
                      done.isoformat() if done else None, status, f"{total:,}", draw.randrange(0, 5) * 500))  # fmt: skip
        if status == "40" and draw.random() < 0.06:
            claims.append(
                (
                    len(claims) + 1,
                    f"S{n:05}",
                    (day + timedelta(days=12)).strftime("%d/%m/%Y"),
                    round(draw.uniform(5000, 90000), 0),
                    draw.choice(("damage", "loss", "delay")),
                )
            )
    fill(db, "shpmt_hdr", heads)
    fill(db, "shpmt_dtl", lines)
    fill(db, "claims", claims)


def academy(db: sqlite3.Connection) -> None:
    """An academy in Korean: fees as '350,000', refunded payments in the same table, grades under a key of two columns."""
    draw = random.Random(303)  # noqa: S311
    db.executescript(schema("academy"))
    fill(
        db,
        "지점",
        [
            ("01", "대치본원", "서울"),
            ("02", "목동원", "서울"),
            ("03", "분당원", "경기"),
            ("04", "해운대원", "부산"),
        ],
    )
    courses, subjects = _courses(db, draw)
    people: list[Row] = [
        (
            f"2026{n:04}",
            korean(draw),
            draw.randrange(1, 4),
            draw.choice("남여"),
            f"010-{draw.randrange(2000, 9999)}-{draw.randrange(1000, 9999)}",
            drawn_day(draw, date(2024, 3, 1), date(2026, 10, 31)).strftime("%Y.%m.%d"),
            f"0{draw.randrange(1, 5)}",
            "Y" if draw.random() < 0.15 else "N",
        )
        for n in range(1, 201)
    ]
    fill(db, "학생", people)
    fill(db, "학생_백업", people[:50])
    _enrolments(db, draw, courses, subjects)


def _courses(db: sqlite3.Connection, draw: random.Random) -> tuple[list[Row], tuple[str, ...]]:
    """Fill teachers and courses; subjects and courses are returned."""
    subjects = ("국어", "영어", "수학", "과학")
    fill(
        db,
        "강사",
        [
            (
                n,
                korean(draw),
                draw.choice(subjects),
                drawn_day(draw, date(2015, 1, 1), date(2025, 1, 1)).strftime("%Y.%m.%d"),
                f"0{draw.randrange(1, 5)}",
            )
            for n in range(1, 15)
        ],
    )
    fees = (280_000, 320_000, 350_000, 410_000)
    courses: list[Row] = [
        (
            f"L{n:02}",
            f"{subjects[n % 4]} {draw.choice(('기초', '심화', '특강', '모의고사'))}반{n}",
            subjects[n % 4],
            draw.randrange(1, 15),
            f"{draw.choice(fees):,}",
            draw.randrange(10, 30),
        )
        for n in range(1, 21)
    ]
    fill(db, "강좌", courses)
    return courses, subjects


def _enrolments(
    db: sqlite3.Connection, draw: random.Random, courses: list[Row], subjects: tuple[str, ...]
) -> None:
    """Fill enrolments with their payments, and grades."""
    asked: list[Row] = []
    paid: list[Row] = []
    for n in range(1, 1501):
        day, course = drawn_day(draw), draw.choice(courses)
        state = draw.choices(("수강중", "수료", "취소", "대기"), (30, 55, 10, 5))[0]
        asked.append((n, f"2026{draw.randrange(1, 186):04}", course[0], day.isoformat(), state))
        if state != "대기":
            paid.append(
                (
                    len(paid) + 1,
                    n,
                    (day + timedelta(days=draw.randrange(0, 4))).strftime("%Y%m%d"),
                    course[4],
                    draw.choice(("카드", "카드", "계좌이체", "현금")),
                    "Y" if state == "취소" else "N",
                )
            )
    fill(db, "수강 신청", asked)
    fill(db, "수납-내역", paid)
    grades = {
        (f"2026{draw.randrange(1, 186):04}", f"2026-{month:02}-15", subject): draw.randrange(35, 101)
        for month in (3, 5, 7, 9)
        for subject in subjects
        for _ in range(90)
    }
    fill(db, "시험성적", [(*where, score) for where, score in grades.items()])


def billing(db: sqlite3.Connection) -> None:
    """Subscriptions and invoices of a software company: cents, three dates and three amounts on an invoice, voided ones, views."""
    draw = random.Random(304)  # noqa: S311
    db.executescript(schema("billing"))
    fill(
        db,
        "plan",
        [
            (1, "Starter", "basic", 2900),
            (2, "Team", "basic", 7900),
            (3, "Business", "pro", 19900),
            (4, "Enterprise", "pro", 49900),
        ],
    )
    fill(db, "schema_migrations", [("20260101",)])
    firms = [
        f"{a}{b}"
        for a in ("Blue", "Red", "Nova", "Apex", "Zen", "Iron")
        for b in ("soft", "works", "labs", "grid", "line")
    ]
    accounts: list[Row] = [
        (
            f"acc-{n:04}",
            name,
            draw.choice(("Germany", "France", "Korea", "Japan", "USA")),
            draw.choice(("retail", "finance", "health", "media")),
            f"billing@{name.lower()}.example",
            drawn_day(draw, date(2024, 1, 1), date(2026, 9, 1)).isoformat() + " 09:00:00",
            drawn_day(draw, date(2026, 1, 1)).isoformat() if draw.random() < 0.1 else None,
        )
        for n, name in enumerate(firms, 1)
    ]
    fill(db, "accounts", accounts)
    fill(
        db,
        "user",
        [
            (
                n,
                f"acc-{draw.randrange(1, 31):04}",
                f"{person(draw)} {n}",
                f"user{n}@mail.example",
                draw.choice(("admin", "member", "member", "viewer")),
                seconds(draw, drawn_day(draw, date(2026, 8, 1))),
                int(draw.random() < 0.85),
            )
            for n in range(1, 121)
        ],
    )
    _subscriptions(db, draw)
    _use(db, draw)


def _subscriptions(db: sqlite3.Connection, draw: random.Random) -> None:
    """Fill subscriptions and their invoices."""
    subs: list[Row] = []
    invoices: list[Row] = []
    for n in range(1, 61):
        day = drawn_day(draw, date(2024, 6, 1), date(2026, 8, 1))
        gone = drawn_day(draw, day, END) if draw.random() < 0.25 else None
        plan, seats = draw.randrange(1, 5), draw.randrange(1, 40)
        subs.append(
            (
                n,
                f"acc-{draw.randrange(1, 28):04}",
                plan,
                day.isoformat(),
                gone.isoformat() if gone else None,
                seats,
                "cancelled" if gone else "active",
            )
        )
        month = max(day, START)
        while month <= (gone or END):
            net = (29, 79, 199, 499)[plan - 1] * seats / 10
            state = draw.choices(("paid", "open", "void", "refunded"), (82, 8, 5, 5))[0]
            paid = month + timedelta(days=draw.randrange(1, 45)) if state in ("paid", "refunded") else None
            invoices.append(
                (
                    f"INV-{len(invoices) + 1:05}",
                    n,
                    month.isoformat(),
                    (month + timedelta(days=30)).isoformat(),
                    paid.isoformat() if paid else None,
                    round(net, 2),
                    round(net * 0.1, 2),
                    round(net * 1.1, 2),
                    state,
                )
            )
            month += timedelta(days=30)
    fill(db, "subscriptions", subs)
    fill(db, "invoices", invoices)


def _use(db: sqlite3.Connection, draw: random.Random) -> None:
    """Fill events of use and support tickets."""
    fill(
        db,
        "Usage Events",
        [
            (
                n,
                draw.randrange(1, 111),
                seconds(draw, drawn_day(draw)) * 1000,
                draw.choice(("login", "export", "sync")),
                draw.randrange(1, 500),
            )
            for n in range(1, 3001)
        ],
    )
    tickets: list[Row] = []
    for n in range(1, 401):
        day = drawn_day(draw)
        closed = day + timedelta(days=draw.randrange(0, 20)) if draw.random() < 0.85 else None
        tickets.append(
            (
                n,
                f"acc-{draw.randrange(1, 29):04}",
                day.isoformat() + " 10:30:00",
                closed.isoformat() + " 17:00:00" if closed else None,
                draw.choice(("low", "normal", "urgent")),
                draw.randrange(1, 6) if closed else None,
            )
        )
    fill(db, "support_tickets", tickets)


def hotel(db: sqlite3.Connection) -> None:
    """Reservations with two dates and a booking date, status codes that nothing names, charges by line, prices in text."""
    draw = random.Random(305)  # noqa: S311
    db.executescript(schema("hotel"))
    fill(
        db,
        "PROP",
        [
            ("SEL", "Seoul Grand", "Seoul", 120),
            ("BUS", "Busan Bay", "Busan", 80),
            ("JEJ", "Jeju Palms", "Jeju", 60),
        ],
    )
    fill(
        db,
        "RM_TYP",
        [("STD", "Standard", "120.00", 2), ("DLX", "Deluxe", "180.00", 3), ("STE", "Suite", "340.50", 4)],
    )
    people: list[Row] = [
        (
            n,
            draw.choice(FIRST),
            f"{draw.choice(LAST)}{n}",
            draw.choice(("KR", "US", "JP", "DE")),
            f"g{n}@mail.example",
            f"M{draw.randrange(10**7, 10**8)}",
            "Y" if draw.random() < 0.1 else "N",
        )
        for n in range(1, 181)
    ]
    fill(db, "GST_PROF", people)
    _stays(db, draw)


def _stays(db: sqlite3.Connection, draw: random.Random) -> None:
    """Fill reservations with their lines and reviews."""
    stays: list[Row] = []
    lines: list[Row] = []
    reviews: list[Row] = []
    for n in range(1, 1601):
        day, nights = drawn_day(draw), draw.randrange(1, 7)
        booked = day - timedelta(days=draw.randrange(0, 60))
        status = draw.choices(("CONFIRMED", "CHECKED_OUT", "CANCELLED", "NO_SHOW"), (10, 74, 12, 4))[0]
        kind, rate = draw.choice((("STD", 120.0), ("DLX", 180.0), ("STE", 340.5)))
        number = f"R{n:05}"
        stays.append(
            (
                number,
                draw.choice(("SEL", "BUS", "JEJ")),
                draw.randrange(1, 171),
                kind,
                booked.isoformat(),
                as_number(day),
                as_number(day + timedelta(days=nights)),
                nights,
                draw.choice(("web", "agency", "phone")),
                status,
                f"{rate * nights:,.2f}",
            )
        )
        if status == "CHECKED_OUT":
            for ln in range(1, draw.randrange(2, 5)):
                lines.append(
                    (
                        number,
                        ln,
                        draw.choice(("room", "minibar", "spa", "parking")),
                        seconds(draw, day + timedelta(days=1)),
                        round(draw.uniform(5, 200), 2),
                    )
                )
            if draw.random() < 0.3:
                reviews.append(
                    (
                        len(reviews) + 1,
                        number,
                        (day + timedelta(days=nights + 2)).strftime("%Y/%m/%d"),
                        draw.randrange(1, 6),
                        "ok",
                    )
                )
    fill(db, "RSVN", stays)
    fill(db, "FOLIO_LN", lines)
    fill(db, "Guest Reviews", reviews)
    fill(db, "RSVN_OLD", [("R0", "1")])


def garage(db: sqlite3.Connection) -> None:
    """A car repair shop in Korean: '45,000원', a mechanic for intake and one for the work, parts and labour by line."""
    draw = random.Random(306)  # noqa: S311
    db.executescript(schema("garage"))
    fill(
        db,
        "고객정보",
        [
            (
                n,
                korean(draw),
                draw.choice(("VIP", "일반", "신규")),
                f"010{draw.randrange(10**7, 10**8)}",
                drawn_day(draw, date(2022, 1, 1), date(2026, 10, 1)).isoformat(),
                "Y" if draw.random() < 0.1 else "N",
            )
            for n in range(1, 141)
        ],
    )
    cars, parts = _stock(db, draw)
    _repairs(db, draw, cars, parts)


def _stock(db: sqlite3.Connection, draw: random.Random) -> tuple[list[Row], list[Row]]:
    """Fill cars, mechanics and parts; cars and parts are returned."""
    cars: list[Row] = [
        (
            f"{draw.randrange(10, 99)}가{1000 + n}",
            n % 140 + 1,
            draw.choice(("현대", "기아", "쌍용", "BMW")),
            draw.choice(("승용", "SUV", "트럭")),
            draw.randrange(2008, 2026),
            draw.randrange(5000, 200000),
        )
        for n in range(1, 201)
    ]
    fill(db, "차량정보", cars)
    fill(
        db,
        "정비사",
        [
            (
                f"M{n}",
                korean(draw),
                draw.choice(("수석", "선임", "주임")),
                drawn_day(draw, date(2010, 1, 1), date(2024, 1, 1)).strftime("%Y%m%d"),
            )
            for n in range(1, 11)
        ],
    )
    parts: list[Row] = [
        (f"P{n:02}", name, price, draw.randrange(0, 80))
        for n, (name, price) in enumerate(
            (
                ("엔진오일", 45000),
                ("타이어", 120000),
                ("브레이크패드", 60000),
                ("배터리", 98000),
                ("에어컨필터", 15000),
                ("와이퍼", 12000),
                ("전구", 5000),
            ),
            1,
        )
    ]
    fill(db, "부품", parts)
    return cars, parts


def _repairs(db: sqlite3.Connection, draw: random.Random, cars: list[Row], parts: list[Row]) -> None:
    """Fill repairs and their lines."""
    heads: list[Row] = []
    lines: list[Row] = []
    for n in range(1, 1401):
        day, total = drawn_day(draw), 0
        for ln in range(1, draw.randrange(2, 5)):
            if draw.random() < 0.6:
                part, count = draw.choice(parts[:-1]), draw.randrange(1, 4)
                amount = int(str(part[2])) * count
                lines.append((f"J{n:05}", ln, "부품", part[0], count, amount))
            else:
                amount = draw.randrange(2, 20) * 10000
                lines.append((f"J{n:05}", ln, "공임", None, 1, amount))
            total += amount
        state = draw.choices(("완료", "진행중", "취소"), (83, 7, 10))[0]
        done = (
            f"{(day + timedelta(days=draw.randrange(0, 5))).isoformat()} 17:00:00"
            if state == "완료"
            else None
        )
        heads.append(
            (
                f"J{n:05}",
                draw.choice(cars[:185])[0],
                f"M{draw.randrange(1, 4)}",
                f"M{draw.randrange(3, 10)}",
                f"{day.isoformat()} 09:30:00",
                done,
                state,
                f"{total:,}원",
            )
        )
    fill(db, "정비접수", heads)
    fill(db, "정비 상세", lines)


WORLDS = {
    "library": library,
    "carrier": carrier,
    "academy": academy,
    "billing": billing,
    "hotel": hotel,
    "garage": garage,
    "museum": museum,
    "warehouse": warehouse,
    "coop": coop,
    "haulier": haulier,
    "plant": plant,
    "stables": stables,
    "mill": mill,
}


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
