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
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from evals.worlds.trades_dated import haulier, plant
from evals.worlds.trades_more import coop, museum, warehouse

START, END = date(2025, 1, 3), date(2026, 11, 15)
_FIRST = ("Ann", "Bob", "Cid", "Dot", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jay", "Kim", "Lou")
_LAST = ("Archer", "Baker", "Cook", "Dyer", "Fisher", "Glover", "Hunter", "Mason")
_FAMILY, _GIVEN = (
    "김이박최정강조윤장임",
    ("민준", "서연", "도윤", "하은", "지호", "수아", "예준", "지우", "시우", "채원"),
)

Row = tuple[object, ...]


def _day(draw: random.Random, start: date = START, end: date = END) -> date:
    return start + timedelta(days=draw.randrange((end - start).days + 1))


def _person(draw: random.Random) -> str:
    return f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"


def _korean(draw: random.Random) -> str:
    return draw.choice(_FAMILY) + draw.choice(_GIVEN)


def _number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


def _seconds(draw: random.Random, day: date) -> int:
    return int(datetime(day.year, day.month, day.day, draw.randrange(8, 20), tzinfo=UTC).timestamp())


def _fill(db: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    marks = ",".join("?" * len(rows[0]))
    db.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)  # noqa: S608 - names of this file


def library(db: sqlite3.Connection) -> None:
    """Loans of copies: YYYYMMDD as whole numbers, two branches on the way, deleted rows that stay, a copied table."""
    draw = random.Random(301)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE BRNCH (brn_cd TEXT PRIMARY KEY, brn_nm TEXT, city TEXT);
        CREATE TABLE STAFF (stf_id INTEGER PRIMARY KEY, stf_nm TEXT, brn_cd TEXT, mgr_id INTEGER REFERENCES STAFF(stf_id), hire_dt INTEGER);
        CREATE TABLE BOOK_MST (isbn TEXT PRIMARY KEY, title TEXT, author_nm TEXT, genre_cd TEXT, pub_yr INTEGER, list_prc TEXT);
        CREATE TABLE BOOK_COPY (isbn TEXT, copy_no INTEGER, brn_cd TEXT, cond TEXT, PRIMARY KEY (isbn, copy_no));
        CREATE TABLE BRWR (brwr_id INTEGER PRIMARY KEY, brwr_nm TEXT, mbr_typ TEXT, home_brn_cd TEXT, join_dt INTEGER, mob TEXT, del_yn TEXT);
        CREATE TABLE LOAN_TRX (loan_id INTEGER PRIMARY KEY, brwr_id INTEGER, isbn TEXT, copy_no INTEGER, loan_dt INTEGER, due_dt INTEGER,
            ret_dt INTEGER, stf_id INTEGER);
        CREATE TABLE FINE (fine_id INTEGER PRIMARY KEY, loan_id INTEGER, fine_amt TEXT, paid_yn TEXT, issue_dt INTEGER);
        CREATE TABLE LOAN_TRX_BAK_2024 AS SELECT * FROM LOAN_TRX;
        CREATE TABLE CODE_DTL (cd_grp TEXT, cd TEXT, cd_nm TEXT, PRIMARY KEY (cd_grp, cd));
        CREATE VIEW V_UNRETURNED AS SELECT loan_id, brwr_id, isbn, loan_dt, due_dt FROM LOAN_TRX WHERE ret_dt IS NULL;
        """
    )
    codes = [
        ("GENRE", "FIC", "Fiction"),
        ("GENRE", "SCI", "Science"),
        ("GENRE", "HIS", "History"),
        ("GENRE", "KID", "Children"),
    ]
    codes += [("MBR_TYP", "A", "Adult"), ("MBR_TYP", "S", "Student"), ("MBR_TYP", "C", "Senior")]
    _fill(db, "CODE_DTL", [*codes])
    places = ("Central", "Riverside", "Hillside", "Harbour")
    _fill(
        db,
        "BRNCH",
        [
            (f"B{n}", f"{name} Library", "Northport" if n < 3 else "Southvale")
            for n, name in enumerate(places, 1)
        ],
    )
    _fill(
        db,
        "STAFF",
        [
            (
                n,
                _person(draw),
                f"B{draw.randrange(1, 5)}",
                1 if n > 1 else None,
                _number(_day(draw, date(2010, 1, 1), date(2024, 1, 1))),
            )
            for n in range(1, 13)
        ],
    )
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
                _person(draw),
                draw.choice(("FIC", "SCI", "HIS", "KID")),
                draw.randrange(1960, 2026),
                f"${draw.uniform(6, 60):.2f}",
            )
        )
    _fill(db, "BOOK_MST", books)
    copies: list[Row] = [
        (str(b[0]), c, f"B{draw.randrange(1, 5)}", draw.choice(("good", "worn", "new")))
        for b in books
        for c in range(1, draw.randrange(2, 5))
    ]
    _fill(db, "BOOK_COPY", copies)
    people: list[Row] = [
        (n, f"{_person(draw)} {n}", draw.choice("AASC"), f"B{draw.randrange(1, 5)}", _number(_day(draw, date(2020, 1, 1), date(2026, 10, 30))),
         f"0151-{draw.randrange(1000000, 9999999)}", "Y" if draw.random() < 0.08 else "N")
        for n in range(1, 161)
    ]  # fmt: skip
    _fill(db, "BRWR", people)
    loans: list[Row] = []
    fines: list[Row] = []
    for n in range(1, 2601):
        day, copy = _day(draw), draw.choice(copies)
        kept = draw.randrange(2, 40)
        back = day + timedelta(days=kept)
        loans.append(
            (
                n,
                draw.randrange(1, 151),
                copy[0],
                copy[1],
                _number(day),
                _number(day + timedelta(days=21)),
                _number(back) if back <= END else None,
                draw.randrange(1, 13),
            )
        )
        if kept > 21 and back <= END:
            fines.append((len(fines) + 1, n, f"${(kept - 21) * 0.25:.2f}", draw.choice("YYN"), _number(back)))
    _fill(db, "LOAN_TRX", loans)
    _fill(db, "FINE", fines)
    _fill(db, "LOAN_TRX_BAK_2024", loans[:300])


def carrier(db: sqlite3.Connection) -> None:
    """Shipments with lines: the head's total is that of its lines, cancelled ones included; from and to a warehouse."""
    draw = random.Random(302)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE "wh-mst" (wh_cd TEXT PRIMARY KEY, wh_nm TEXT, rgn TEXT);
        CREATE TABLE cust_mst (cust_no TEXT PRIMARY KEY, cust_nm TEXT, cust_grd TEXT, biz_no TEXT, tel TEXT, use_yn TEXT);
        CREATE TABLE drvr (drvr_id INTEGER PRIMARY KEY, drvr_nm TEXT, lic_typ TEXT, hire_dt TEXT);
        CREATE TABLE veh (veh_no TEXT PRIMARY KEY, veh_typ TEXT, max_wt_kg INTEGER, drvr_id INTEGER REFERENCES drvr(drvr_id));
        CREATE TABLE shpmt_hdr (shp_no TEXT PRIMARY KEY, cust_no TEXT REFERENCES cust_mst(cust_no), from_wh_cd TEXT, to_wh_cd TEXT, veh_no TEXT,
            ord_dt TEXT, pickup_at INTEGER, dlv_dt TEXT, sts_cd TEXT, frt_amt TEXT, ins_amt INTEGER);
        CREATE TABLE shpmt_dtl (shp_no TEXT, ln_no INTEGER, itm_nm TEXT, qty INTEGER, wt_kg REAL, ln_amt INTEGER, PRIMARY KEY (shp_no, ln_no));
        CREATE TABLE cmn_cd (grp_cd TEXT, cd TEXT, cd_nm TEXT);
        CREATE TABLE "claims" ("claim no" INTEGER PRIMARY KEY, shp_no TEXT, claim_dt TEXT, claim_amt REAL, rsn TEXT);
        CREATE TABLE tmp_load_20261001 (x TEXT);
        CREATE TABLE "Empty Table" (a TEXT, b TEXT);
        CREATE VIEW v_delivered AS SELECT * FROM shpmt_hdr WHERE sts_cd = '40';
        """
    )
    codes = [
        ("SHP_STS", "10", "접수"),
        ("SHP_STS", "20", "집하"),
        ("SHP_STS", "30", "운송중"),
        ("SHP_STS", "40", "배송완료"),
        ("SHP_STS", "90", "취소"),
    ]
    codes += [("VEH_TYP", "T1", "1톤"), ("VEH_TYP", "T5", "5톤"), ("VEH_TYP", "T11", "11톤")]
    _fill(db, "cmn_cd", [*codes])
    _fill(
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
    _fill(
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
    _fill(
        db,
        "drvr",
        [
            (
                n,
                _korean(draw),
                draw.choice(("1종대형", "1종보통")),
                _day(draw, date(2012, 1, 1), date(2025, 6, 1)).strftime("%Y/%m/%d"),
            )
            for n in range(1, 13)
        ],
    )
    _fill(
        db,
        "veh",
        [
            (f"V{n:02}", draw.choice(("T1", "T5", "T11")), draw.choice((1000, 5000, 11000)), n)
            for n in range(1, 11)
        ],
    )
    heads: list[Row] = []
    lines: list[Row] = []
    claims: list[Row] = []
    goods = ("생수", "라면", "TV", "소파", "감기약", "사과", "냉장고")
    for n in range(1, 1801):
        day = _day(draw)
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
        heads.append((f"S{n:05}", f"C{draw.randrange(1, 10):03}", one, two, f"V{draw.randrange(1, 11):02}", day.strftime("%Y%m%d"), _seconds(draw, day + timedelta(days=1)),
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
    _fill(db, "shpmt_hdr", heads)
    _fill(db, "shpmt_dtl", lines)
    _fill(db, "claims", claims)


def academy(db: sqlite3.Connection) -> None:
    """An academy in Korean: fees as '350,000', refunded payments in the same table, grades under a key of two columns."""
    draw = random.Random(303)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE 지점 (지점코드 TEXT PRIMARY KEY, 지점명 TEXT, 지역 TEXT);
        CREATE TABLE 강사 (강사번호 INTEGER PRIMARY KEY, 강사명 TEXT, 담당과목 TEXT, 입사일 TEXT, 지점코드 TEXT);
        CREATE TABLE 강좌 (강좌코드 TEXT PRIMARY KEY, 강좌명 TEXT, 과목 TEXT, 강사번호 INTEGER, 수강료 TEXT, 정원 INTEGER);
        CREATE TABLE 학생 (학생번호 TEXT PRIMARY KEY, 이름 TEXT, 학년 INTEGER, 성별 TEXT, 보호자연락처 TEXT, 등록일자 TEXT, 지점코드 TEXT, 퇴원여부 TEXT);
        CREATE TABLE "수강 신청" (신청번호 INTEGER PRIMARY KEY, 학생번호 TEXT, 강좌코드 TEXT, 신청일 TEXT, 상태 TEXT);
        CREATE TABLE "수납-내역" (수납번호 INTEGER PRIMARY KEY, 신청번호 INTEGER, 납부일자 TEXT, 금액 TEXT, 결제수단 TEXT, 환불여부 TEXT);
        CREATE TABLE 시험성적 (학생번호 TEXT, 시험일자 TEXT, 과목 TEXT, 점수 INTEGER, PRIMARY KEY (학생번호, 시험일자, 과목));
        CREATE TABLE 학생_백업 AS SELECT * FROM 학생;
        CREATE VIEW 재원생 AS SELECT * FROM 학생 WHERE 퇴원여부 = 'N';
        """
    )
    _fill(
        db,
        "지점",
        [
            ("01", "대치본원", "서울"),
            ("02", "목동원", "서울"),
            ("03", "분당원", "경기"),
            ("04", "해운대원", "부산"),
        ],
    )
    subjects = ("국어", "영어", "수학", "과학")
    _fill(
        db,
        "강사",
        [
            (
                n,
                _korean(draw),
                draw.choice(subjects),
                _day(draw, date(2015, 1, 1), date(2025, 1, 1)).strftime("%Y.%m.%d"),
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
    _fill(db, "강좌", courses)
    people: list[Row] = [
        (
            f"2026{n:04}",
            _korean(draw),
            draw.randrange(1, 4),
            draw.choice("남여"),
            f"010-{draw.randrange(2000, 9999)}-{draw.randrange(1000, 9999)}",
            _day(draw, date(2024, 3, 1), date(2026, 10, 31)).strftime("%Y.%m.%d"),
            f"0{draw.randrange(1, 5)}",
            "Y" if draw.random() < 0.15 else "N",
        )
        for n in range(1, 201)
    ]
    _fill(db, "학생", people)
    _fill(db, "학생_백업", people[:50])
    asked: list[Row] = []
    paid: list[Row] = []
    for n in range(1, 1501):
        day, course = _day(draw), draw.choice(courses)
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
    _fill(db, "수강 신청", asked)
    _fill(db, "수납-내역", paid)
    grades = {
        (f"2026{draw.randrange(1, 186):04}", f"2026-{month:02}-15", subject): draw.randrange(35, 101)
        for month in (3, 5, 7, 9)
        for subject in subjects
        for _ in range(90)
    }
    _fill(db, "시험성적", [(*where, score) for where, score in grades.items()])


def billing(db: sqlite3.Connection) -> None:
    """Subscriptions and invoices of a software company: cents, three dates and three amounts on an invoice, voided ones, views."""
    draw = random.Random(304)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE "plan" (plan_id INTEGER PRIMARY KEY, "name" TEXT, tier TEXT, monthly_price_cents INTEGER);
        CREATE TABLE accounts (account_uuid TEXT PRIMARY KEY, company_name TEXT, country TEXT, industry TEXT, billing_email TEXT, created_at TEXT, deleted_at TEXT);
        CREATE TABLE "user" (id INTEGER PRIMARY KEY, account_uuid TEXT REFERENCES accounts(account_uuid), full_name TEXT, login TEXT, role TEXT, last_seen INTEGER, is_active INTEGER);
        CREATE TABLE subscriptions (sub_id INTEGER PRIMARY KEY, account_uuid TEXT REFERENCES accounts(account_uuid), plan_id INTEGER REFERENCES "plan"(plan_id), started_on TEXT, cancelled_on TEXT, seats INTEGER, status TEXT);
        CREATE TABLE invoices (invoice_no TEXT PRIMARY KEY, sub_id INTEGER REFERENCES subscriptions(sub_id), issued_at TEXT, due_at TEXT, paid_at TEXT, subtotal REAL, tax REAL, total REAL, state TEXT);
        CREATE TABLE "Usage Events" (event_id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES "user"(id), occurred_ms INTEGER, kind TEXT, api_calls INTEGER);
        CREATE TABLE support_tickets (ticket_id INTEGER PRIMARY KEY, account_uuid TEXT REFERENCES accounts(account_uuid), opened_at TEXT, closed_at TEXT, priority TEXT, csat INTEGER);
        CREATE TABLE schema_migrations (version TEXT);
        CREATE VIEW paid_invoices AS SELECT invoice_no, sub_id, issued_at, paid_at, total FROM invoices WHERE state = 'paid';
        """
    )
    _fill(
        db,
        "plan",
        [
            (1, "Starter", "basic", 2900),
            (2, "Team", "basic", 7900),
            (3, "Business", "pro", 19900),
            (4, "Enterprise", "pro", 49900),
        ],
    )
    _fill(db, "schema_migrations", [("20260101",)])
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
            _day(draw, date(2024, 1, 1), date(2026, 9, 1)).isoformat() + " 09:00:00",
            _day(draw, date(2026, 1, 1)).isoformat() if draw.random() < 0.1 else None,
        )
        for n, name in enumerate(firms, 1)
    ]
    _fill(db, "accounts", accounts)
    _fill(
        db,
        "user",
        [
            (
                n,
                f"acc-{draw.randrange(1, 31):04}",
                f"{_person(draw)} {n}",
                f"user{n}@mail.example",
                draw.choice(("admin", "member", "member", "viewer")),
                _seconds(draw, _day(draw, date(2026, 8, 1))),
                int(draw.random() < 0.85),
            )
            for n in range(1, 121)
        ],
    )
    subs: list[Row] = []
    invoices: list[Row] = []
    for n in range(1, 61):
        day = _day(draw, date(2024, 6, 1), date(2026, 8, 1))
        gone = _day(draw, day, END) if draw.random() < 0.25 else None
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
    _fill(db, "subscriptions", subs)
    _fill(db, "invoices", invoices)
    _fill(
        db,
        "Usage Events",
        [
            (
                n,
                draw.randrange(1, 111),
                _seconds(draw, _day(draw)) * 1000,
                draw.choice(("login", "export", "sync")),
                draw.randrange(1, 500),
            )
            for n in range(1, 3001)
        ],
    )
    tickets: list[Row] = []
    for n in range(1, 401):
        day = _day(draw)
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
    _fill(db, "support_tickets", tickets)


def hotel(db: sqlite3.Connection) -> None:
    """Reservations with two dates and a booking date, status codes that nothing names, charges by line, prices in text."""
    draw = random.Random(305)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE PROP (prop_cd TEXT PRIMARY KEY, prop_nm TEXT, city TEXT, rooms INTEGER);
        CREATE TABLE RM_TYP (rm_typ_cd TEXT PRIMARY KEY, rm_typ_nm TEXT, base_rt TEXT, max_occ INTEGER);
        CREATE TABLE GST_PROF (gst_id INTEGER PRIMARY KEY, first_nm TEXT, last_nm TEXT, natl TEXT, email_addr TEXT, pssprt_no TEXT, vip_yn TEXT);
        CREATE TABLE RSVN (rsvn_no TEXT PRIMARY KEY, prop_cd TEXT, gst_id INTEGER, rm_typ_cd TEXT, bkd_on TEXT, arr_dt INTEGER, dep_dt INTEGER,
            nights INTEGER, chnl TEXT, rsvn_sts TEXT, tot_amt TEXT);
        CREATE TABLE FOLIO_LN (rsvn_no TEXT, ln_no INTEGER, chg_typ TEXT, post_ts INTEGER, chg_amt REAL, PRIMARY KEY (rsvn_no, ln_no));
        CREATE TABLE "Guest Reviews" ("review id" INTEGER PRIMARY KEY, rsvn_no TEXT, "review date" TEXT, rating INTEGER, "select" TEXT);
        CREATE TABLE RSVN_OLD (rsvn_no TEXT, tot_amt TEXT);
        CREATE VIEW V_VIP_GUESTS AS SELECT * FROM GST_PROF WHERE vip_yn = 'Y';
        """
    )
    _fill(
        db,
        "PROP",
        [
            ("SEL", "Seoul Grand", "Seoul", 120),
            ("BUS", "Busan Bay", "Busan", 80),
            ("JEJ", "Jeju Palms", "Jeju", 60),
        ],
    )
    _fill(
        db,
        "RM_TYP",
        [("STD", "Standard", "120.00", 2), ("DLX", "Deluxe", "180.00", 3), ("STE", "Suite", "340.50", 4)],
    )
    people: list[Row] = [
        (
            n,
            draw.choice(_FIRST),
            f"{draw.choice(_LAST)}{n}",
            draw.choice(("KR", "US", "JP", "DE")),
            f"g{n}@mail.example",
            f"M{draw.randrange(10**7, 10**8)}",
            "Y" if draw.random() < 0.1 else "N",
        )
        for n in range(1, 181)
    ]
    _fill(db, "GST_PROF", people)
    stays: list[Row] = []
    lines: list[Row] = []
    reviews: list[Row] = []
    for n in range(1, 1601):
        day, nights = _day(draw), draw.randrange(1, 7)
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
                _number(day),
                _number(day + timedelta(days=nights)),
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
                        _seconds(draw, day + timedelta(days=1)),
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
    _fill(db, "RSVN", stays)
    _fill(db, "FOLIO_LN", lines)
    _fill(db, "Guest Reviews", reviews)
    _fill(db, "RSVN_OLD", [("R0", "1")])


def garage(db: sqlite3.Connection) -> None:
    """A car repair shop in Korean: '45,000원', a mechanic for intake and one for the work, parts and labour by line."""
    draw = random.Random(306)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE 고객정보 (고객ID INTEGER PRIMARY KEY, 성명 TEXT, 등급 TEXT, 휴대폰 TEXT, 가입일 TEXT, 탈퇴여부 TEXT);
        CREATE TABLE 차량정보 (차량번호 TEXT PRIMARY KEY, 고객ID INTEGER, 제조사 TEXT, 차종 TEXT, 연식 INTEGER, 주행거리 INTEGER);
        CREATE TABLE 정비사 (정비사코드 TEXT PRIMARY KEY, 정비사명 TEXT, 직급 TEXT, 입사일자 TEXT);
        CREATE TABLE 정비접수 (접수번호 TEXT PRIMARY KEY, 차량번호 TEXT, 접수정비사코드 TEXT, 담당정비사코드 TEXT, 접수일시 TEXT, 완료일시 TEXT, 진행상태 TEXT, 총금액 TEXT);
        CREATE TABLE "정비 상세" (접수번호 TEXT, 순번 INTEGER, 작업구분 TEXT, 부품코드 TEXT, 수량 INTEGER, 금액 INTEGER, PRIMARY KEY (접수번호, 순번));
        CREATE TABLE 부품 (부품코드 TEXT PRIMARY KEY, 부품명 TEXT, 단가 INTEGER, 재고수량 INTEGER);
        CREATE TABLE 임시_집계 (a TEXT);
        """
    )
    _fill(
        db,
        "고객정보",
        [
            (
                n,
                _korean(draw),
                draw.choice(("VIP", "일반", "신규")),
                f"010{draw.randrange(10**7, 10**8)}",
                _day(draw, date(2022, 1, 1), date(2026, 10, 1)).isoformat(),
                "Y" if draw.random() < 0.1 else "N",
            )
            for n in range(1, 141)
        ],
    )
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
    _fill(db, "차량정보", cars)
    _fill(
        db,
        "정비사",
        [
            (
                f"M{n}",
                _korean(draw),
                draw.choice(("수석", "선임", "주임")),
                _day(draw, date(2010, 1, 1), date(2024, 1, 1)).strftime("%Y%m%d"),
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
    _fill(db, "부품", parts)
    heads: list[Row] = []
    lines: list[Row] = []
    for n in range(1, 1401):
        day, total = _day(draw), 0
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
    _fill(db, "정비접수", heads)
    _fill(db, "정비 상세", lines)


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
