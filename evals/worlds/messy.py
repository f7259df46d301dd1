"""Databases as they are found: cut names, text that holds dates and amounts, codes, undeclared keys, odd identifiers.

`python -m evals.worlds.messy FOLDER` writes them as SQLite files. The questions about them are in `evals/messy/`.
"""

from __future__ import annotations

import random
import sqlite3
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

START, END = date(2025, 1, 2), date(2026, 11, 15)
REGIONS = ("서울", "부산", "대구", "인천", "대전")


def days(draw: random.Random, count: int) -> Iterator[date]:
    """Days in order; the first and the last are always among them."""
    length = (END - START).days
    drawn = sorted(draw.randrange(length + 1) for _ in range(count - 2))
    for offset in (0, *drawn, length):
        yield START + timedelta(days=offset)


def wholesale(db: sqlite3.Connection) -> None:
    """A wholesaler: everything cut to a few letters, dates as 20260305, amounts as '12,300', two regions per order."""
    draw = random.Random(11)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE rgn_mst (rgn_cd TEXT PRIMARY KEY, rgn_nm TEXT);
        CREATE TABLE sts_mst (sts_cd TEXT PRIMARY KEY, sts_nm TEXT);
        CREATE TABLE cat_mst (cat_cd TEXT PRIMARY KEY, cat_nm TEXT);
        CREATE TABLE cust_mst (cust_cd TEXT PRIMARY KEY, cust_nm TEXT, cust_grd TEXT, tel_no TEXT, cntc TEXT, reg_dt TEXT);
        CREATE TABLE itm_mst (itm_cd TEXT PRIMARY KEY, itm_nm TEXT, cat_cd TEXT, std_prc INTEGER);
        CREATE TABLE ord_hdr (ord_no TEXT PRIMARY KEY, cust_cd TEXT, ord_dt TEXT, sts_cd TEXT, bill_rgn_cd TEXT,
            ship_rgn_cd TEXT, rmk TEXT);
        CREATE TABLE ord_dtl (ord_no TEXT, ln_no INTEGER, itm_cd TEXT, ord_qty INTEGER, ord_amt TEXT,
            PRIMARY KEY (ord_no, ln_no));
        """
    )
    regions = [(f"R{n}", name) for n, name in enumerate(REGIONS, 1)]
    statuses = [("10", "접수"), ("20", "출고"), ("30", "완료"), ("90", "취소")]
    kinds = [("C1", "음료"), ("C2", "과자"), ("C3", "생활용품")]
    items = [
        (f"I{n:02}", name, f"C{1 + n % 3}", price)
        for n, (name, price) in enumerate(
            [
                ("콜라", 1200),
                ("새우깡", 1500),
                ("휴지", 9000),
                ("사이다", 1100),
                ("포카칩", 1700),
                ("치약", 3200),
                ("생수", 600),
            ]
        )
    ]
    names = (
        "한빛마트",
        "동네슈퍼",
        "새벽유통",
        "가람상회",
        "푸른식품",
        "대성마트",
        "미래상사",
        "하나로",
        "누리마켓",
        "삼거리상점",
    )
    people = [
        (
            f"K{n:03}",
            name,
            "ABC"[n % 3],
            f"010-{2000 + n * 37}-{1000 + n * 91}",
            f"010{3000 + n * 53}{2000 + n * 17}",
            "20240105",
        )
        for n, name in enumerate(names)
    ]
    db.executemany("INSERT INTO rgn_mst VALUES (?, ?)", regions)
    db.executemany("INSERT INTO sts_mst VALUES (?, ?)", statuses)
    db.executemany("INSERT INTO cat_mst VALUES (?, ?)", kinds)
    db.executemany("INSERT INTO itm_mst VALUES (?, ?, ?, ?)", items)
    db.executemany("INSERT INTO cust_mst VALUES (?, ?, ?, ?, ?, ?)", people)
    for n, day in enumerate(days(draw, 900), 1):
        status = draw.choices(statuses, (1, 2, 9, 1))[0][0]
        place = (draw.choice(regions)[0], draw.choice(regions)[0])
        who = draw.choice(people)[0]
        db.execute(
            "INSERT INTO ord_hdr VALUES (?, ?, ?, ?, ?, ?, ?)",
            (f"O{n:05}", who, f"{day:%Y%m%d}", status, *place, draw.choice(("", "급함"))),
        )
        for line, item in enumerate(draw.sample(items, draw.randint(1, 3)), 1):
            count = draw.randint(1, 40)
            db.execute(
                "INSERT INTO ord_dtl VALUES (?, ?, ?, ?, ?)",
                (f"O{n:05}", line, item[0], count, f"{count * item[3]:,}"),
            )


def traders(db: sqlite3.Connection) -> None:
    """A trading company with declared keys and names that hold spaces, hyphens, reserved words and mixed case."""
    draw = random.Random(12)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE "Categories" ("CategoryID" INTEGER PRIMARY KEY, "CategoryName" TEXT, "Description" TEXT);
        CREATE TABLE "Suppliers" ("SupplierID" INTEGER PRIMARY KEY, "CompanyName" TEXT, "Country" TEXT, "Phone" TEXT);
        CREATE TABLE "Shippers" ("ShipperID" INTEGER PRIMARY KEY, "CompanyName" TEXT);
        CREATE TABLE "Customers" ("CustomerID" TEXT PRIMARY KEY, "CompanyName" TEXT, "ContactName" TEXT, "City" TEXT,
            "Country" TEXT, "Fax" TEXT);
        CREATE TABLE "Employees" ("EmployeeID" INTEGER PRIMARY KEY, "LastName" TEXT, "FirstName" TEXT, "Title" TEXT,
            "HireDate" TEXT, "ReportsTo" INTEGER REFERENCES "Employees" ("EmployeeID"));
        CREATE TABLE "Products" ("ProductID" INTEGER PRIMARY KEY, "ProductName" TEXT,
            "SupplierID" INTEGER REFERENCES "Suppliers" ("SupplierID"),
            "CategoryID" INTEGER REFERENCES "Categories" ("CategoryID"), "Unit Price" NUMERIC, "Units-In-Stock" INTEGER);
        CREATE TABLE "Orders" ("OrderID" INTEGER PRIMARY KEY, "CustomerID" TEXT REFERENCES "Customers" ("CustomerID"),
            "EmployeeID" INTEGER REFERENCES "Employees" ("EmployeeID"), "Order Date" TEXT, "Shipped Date" TEXT,
            "ShipVia" INTEGER REFERENCES "Shippers" ("ShipperID"), "Freight" NUMERIC, "Ship Country" TEXT);
        CREATE TABLE "Order Details" ("OrderID" INTEGER REFERENCES "Orders" ("OrderID"),
            "ProductID" INTEGER REFERENCES "Products" ("ProductID"), "Unit Price" NUMERIC, "Quantity" INTEGER,
            "Discount" REAL, PRIMARY KEY ("OrderID", "ProductID"));
        CREATE TABLE "select" ("group" TEXT, "from" INTEGER);
        INSERT INTO "select" VALUES ('a', 1);
        """
    )
    places = [
        ("Berlin", "Germany"),
        ("Paris", "France"),
        ("London", "UK"),
        ("Madrid", "Spain"),
        ("Lyon", "France"),
    ]
    firms = (
        "Alder Foods",
        "Birch Market",
        "Cedar Deli",
        "Dogwood Inn",
        "Elm Traders",
        "Fir Bistro",
        "Gum Cafe",
        "Hazel Shop",
    )
    things = (
        ("Green Tea", 18), ("Black Tea", 19), ("Anise Syrup", 10), ("Olive Oil", 22), ("Sea Salt", 4),
        ("Goat Cheese", 38), ("Rye Bread", 9), ("Dark Chocolate", 16),
    )  # fmt: skip
    staff = [("Moss", "Nina", "Sales Manager"), ("Reed", "Omar", "Sales Rep"), ("Fern", "Lena", "Sales Rep")]
    db.executemany(
        'INSERT INTO "Categories" VALUES (?, ?, ?)',
        [(1, "Beverages", "Drinks"), (2, "Condiments", "Sauces"), (3, "Bakery", "Bread and sweets")],
    )
    db.executemany(
        'INSERT INTO "Suppliers" VALUES (?, ?, ?, ?)',
        [(1, "Nordic Supply", "Norway", "+47 22 11 33 44"), (2, "Sunny Imports", "Spain", "+34 91 555 1234")],
    )
    db.executemany('INSERT INTO "Shippers" VALUES (?, ?)', [(1, "Fast Freight"), (2, "Blue Parcel")])
    db.executemany(
        'INSERT INTO "Customers" VALUES (?, ?, ?, ?, ?, ?)',
        [(f"C{n}", firm, f"Person {n}", *places[n % 5], f"030-00{n}") for n, firm in enumerate(firms)],
    )
    db.executemany(
        'INSERT INTO "Employees" VALUES (?, ?, ?, ?, ?, ?)',
        [(n, *one, f"20{14 + n}-05-01", None if n == 1 else 1) for n, one in enumerate(staff, 1)],
    )
    db.executemany(
        'INSERT INTO "Products" VALUES (?, ?, ?, ?, ?, ?)',
        [(n, name, 1 + n % 2, 1 + n % 3, price, 10 * n) for n, (name, price) in enumerate(things, 1)],
    )
    for n, day in enumerate(days(draw, 600), 10_001):
        place = draw.choice(places)[1]
        shipped = None if draw.random() < 0.05 else (day + timedelta(days=draw.randint(1, 9))).isoformat()
        who = f"C{draw.randrange(8)}"
        db.execute(
            'INSERT INTO "Orders" VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
            (
                n,
                who,
                draw.randint(1, 3),
                day.isoformat(),
                shipped,
                draw.randint(1, 2),
                round(draw.uniform(3, 90), 2),
                place,
            ),
        )
        for product in draw.sample(range(1, 9), draw.randint(1, 3)):
            cut = draw.choice((0, 0, 0.05, 0.1))
            db.execute(
                'INSERT INTO "Order Details" VALUES (?, ?, ?, ?, ?)',
                (n, product, things[product - 1][1], draw.randint(1, 30), cut),
            )


def hospital(db: sqlite3.Connection) -> None:
    """A hospital whose tables and columns are called in Korean."""
    draw = random.Random(13)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE 진료과 (진료과코드 TEXT PRIMARY KEY, 진료과명 TEXT);
        CREATE TABLE 의사 (의사번호 INTEGER PRIMARY KEY, 의사명 TEXT, 진료과코드 TEXT REFERENCES 진료과 (진료과코드), 직급 TEXT);
        CREATE TABLE 환자 (환자번호 INTEGER PRIMARY KEY, 환자명 TEXT, 성별 TEXT, 생년월일 TEXT, 휴대폰 TEXT, 거주지역 TEXT,
            비고 TEXT);
        CREATE TABLE 진료 (진료번호 INTEGER PRIMARY KEY, 환자번호 INTEGER REFERENCES 환자 (환자번호),
            의사번호 INTEGER REFERENCES 의사 (의사번호), 진료일자 TEXT, 내원구분 TEXT, 진료비 INTEGER);
        CREATE TABLE "처방 내역" (처방번호 INTEGER PRIMARY KEY, 진료번호 INTEGER REFERENCES 진료 (진료번호), 약품명 TEXT,
            투약일수 INTEGER, 처방수량 INTEGER);
        CREATE TABLE 수납 (수납번호 INTEGER PRIMARY KEY, 진료번호 INTEGER REFERENCES 진료 (진료번호), 수납일자 TEXT,
            결제수단 TEXT, 수납금액 INTEGER);
        """
    )
    parts = [("D1", "내과"), ("D2", "정형외과"), ("D3", "피부과"), ("D4", "소아과")]
    doctors = ("김도윤", "이서연", "박지호", "최하은", "정민준", "강수아")
    people = ("홍길동", "성춘향", "이몽룡", "심청", "임꺽정", "장화", "홍련", "전우치", "박문수", "황진이")
    db.executemany("INSERT INTO 진료과 VALUES (?, ?)", parts)
    db.executemany(
        "INSERT INTO 의사 VALUES (?, ?, ?, ?)",
        [(n, name, parts[n % 4][0], ("과장", "전문의")[n % 2]) for n, name in enumerate(doctors, 1)],
    )
    db.executemany(
        "INSERT INTO 환자 VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                n,
                name,
                "남여"[n % 2],
                f"{1960 + n * 4}-03-0{1 + n % 9}",
                f"010-4{n:03}-12{n:02}",
                REGIONS[n % 5],
                f"patient{n}@mail.example.com",
            )
            for n, name in enumerate(people, 1)
        ],
    )
    count = 0
    for n, day in enumerate(days(draw, 800), 1):
        fee = draw.randrange(8, 90) * 1000
        who = (draw.randint(1, 10), draw.randint(1, 6))
        db.execute(
            "INSERT INTO 진료 VALUES (?, ?, ?, ?, ?, ?)",
            (n, *who, day.isoformat(), draw.choice(("초진", "재진", "재진")), fee),
        )
        if draw.random() < 0.7:
            count += 1
            db.execute(
                'INSERT INTO "처방 내역" VALUES (?, ?, ?, ?, ?)',
                (
                    count,
                    n,
                    draw.choice(("타이레놀", "아목시실린", "오메프라졸", "세티리진")),
                    draw.randint(1, 14),
                    draw.randint(1, 60),
                ),
            )
        if draw.random() < 0.95:
            later = min(day + timedelta(days=draw.choice((0, 0, 1))), END)
            db.execute(
                "INSERT INTO 수납 VALUES (?, ?, ?, ?, ?)",
                (n, n, later.isoformat(), draw.choice(("카드", "현금", "계좌이체")), fee // 2),
            )


def star(db: sqlite3.Connection) -> None:
    """A star: one table of facts with keys to dimensions, dates by a number such as 20260305."""
    draw = random.Random(14)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE dim_date (date_key INTEGER PRIMARY KEY, full_date TEXT, year INTEGER, month INTEGER, day_name TEXT);
        CREATE TABLE dim_store (store_key INTEGER PRIMARY KEY, store_name TEXT, city TEXT, region TEXT);
        CREATE TABLE dim_product (product_key INTEGER PRIMARY KEY, product_name TEXT, brand TEXT, category TEXT);
        CREATE TABLE dim_customer (customer_key INTEGER PRIMARY KEY, customer_name TEXT, segment TEXT, email TEXT);
        CREATE TABLE fact_sales (sale_id INTEGER PRIMARY KEY, date_key INTEGER REFERENCES dim_date (date_key),
            store_key INTEGER REFERENCES dim_store (store_key), product_key INTEGER REFERENCES dim_product (product_key),
            customer_key INTEGER REFERENCES dim_customer (customer_key), units_sold INTEGER, sales_amount REAL,
            discount_amount REAL, cost_amount REAL);
        """
    )
    length = (END - START).days
    every = [START + timedelta(days=n) for n in range(length + 1)]
    db.executemany(
        "INSERT INTO dim_date VALUES (?, ?, ?, ?, ?)",
        [(int(f"{d:%Y%m%d}"), d.isoformat(), d.year, d.month, f"{d:%A}") for d in every],
    )
    db.executemany(
        "INSERT INTO dim_store VALUES (?, ?, ?, ?)",
        [
            (1, "Harbor Store", "Boston", "East"), (2, "Lake Store", "Chicago", "Central"),
            (3, "Bay Store", "Oakland", "West"), (4, "Hill Store", "Denver", "West"), (5, "Park Store", "Boston", "East"),
        ],
    )  # fmt: skip
    brands = ("Acme", "Borealis", "Cirrus")
    things = (
        "Desk Lamp",
        "Office Chair",
        "Notebook",
        "Fountain Pen",
        "Monitor",
        "Keyboard",
        "Backpack",
        "Mug",
        "Headset",
    )
    kinds = ("Furniture", "Stationery", "Electronics")
    db.executemany(
        "INSERT INTO dim_product VALUES (?, ?, ?, ?)",
        [(n, name, brands[n % 3], kinds[(n // 2) % 3]) for n, name in enumerate(things, 1)],
    )
    db.executemany(
        "INSERT INTO dim_customer VALUES (?, ?, ?, ?)",
        [
            (n, f"Client {n:02}", ("Consumer", "Corporate", "Public")[n % 3], f"client{n}@example.org")
            for n in range(1, 21)
        ],
    )
    for n, day in enumerate(days(draw, 1500), 1):
        units = draw.randint(1, 12)
        amount = round(units * draw.uniform(5, 60), 2)
        keys = (draw.randint(1, 5), draw.randint(1, 9), draw.randint(1, 20))
        db.execute(
            "INSERT INTO fact_sales VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                n,
                int(f"{day:%Y%m%d}"),
                *keys,
                units,
                amount,
                round(amount * draw.choice((0, 0.05)), 2),
                round(amount * 0.6, 2),
            ),
        )


def desk(db: sqlite3.Connection) -> None:
    """A support desk without any declared key: hyphens, mixed case, dates as 2026/03/05, numbers as text, one empty table."""
    draw = random.Random(15)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE "Plans" (id INTEGER, "Plan Name" TEXT, "monthlyFee" TEXT);
        CREATE TABLE "userAccounts" (id INTEGER, "fullName" TEXT, country TEXT, plan_id INTEGER, "signupDate" TEXT, login TEXT);
        CREATE TABLE agents (id INTEGER, name TEXT, team TEXT);
        CREATE TABLE "support-tickets" (id INTEGER, "user_account_id" INTEGER, agent_id INTEGER, "opened" TEXT, priority TEXT,
            "status" TEXT, "resolution_hours" TEXT);
        CREATE TABLE payments (id INTEGER, "user_account_id" INTEGER, "paid_on" TEXT, "amount" TEXT, method TEXT);
        CREATE TABLE archive_notes (note TEXT);
        """
    )
    plans = [(1, "Basic", "9.90"), (2, "Team", "29.90"), (3, "Enterprise", "99.00")]
    people = [
        (
            n,
            f"User {chr(64 + n)}",
            ("Korea", "Japan", "Germany", "Brazil")[n % 4],
            1 + n % 3,
            f"2024/{1 + n % 12:02}/1{n % 9}",
            f"user{n}@desk.example.com",
        )
        for n in range(1, 25)
    ]
    db.executemany('INSERT INTO "Plans" VALUES (?, ?, ?)', plans)
    db.executemany('INSERT INTO "userAccounts" VALUES (?, ?, ?, ?, ?, ?)', people)
    db.executemany(
        "INSERT INTO agents VALUES (?, ?, ?)",
        [(1, "Ana", "Tier 1"), (2, "Ben", "Tier 1"), (3, "Cho", "Tier 2"), (4, "Dev", "Tier 2")],
    )
    for n, day in enumerate(days(draw, 700), 1):
        spent = f"{draw.uniform(0.5, 72):.1f}"
        ids = (draw.randint(1, 24), draw.randint(1, 4))
        db.execute(
            'INSERT INTO "support-tickets" VALUES (?, ?, ?, ?, ?, ?, ?)',
            (
                n,
                *ids,
                f"{day:%Y/%m/%d}",
                draw.choice(("low", "normal", "urgent")),
                draw.choice(("open", "closed", "closed")),
                spent,
            ),
        )
    for n, day in enumerate(days(draw, 500), 1):
        who = draw.randint(1, 24)
        db.execute(
            "INSERT INTO payments VALUES (?, ?, ?, ?, ?)",
            (n, who, f"{day:%Y/%m/%d}", plans[people[who - 1][3] - 1][2], draw.choice(("card", "transfer"))),
        )


def romanised(db: sqlite3.Connection) -> None:
    """A shop whose names are Korean in Latin letters, without any declared key; dates as numbers, amounts as '₩1,200'."""
    draw = random.Random(5)  # noqa: S311
    db.executescript(
        """
        CREATE TABLE TB_GOGAEK_M (GOGAEK_CD TEXT, GOGAEK_NM TEXT, JIYEOK TEXT, HP TEXT);
        CREATE TABLE TB_SANGPUM_M (SANGPUM_CD TEXT, SANGPUM_NM TEXT, BUNRYU TEXT);
        CREATE TABLE TB_CHANGGO (CHANGGO_CD TEXT, CHANGGO_NM TEXT);
        CREATE TABLE TB_JUMUN_M (JUMUN_NO TEXT, GOGAEK_CD TEXT, JUMUN_ILJA INTEGER, FROM_CHANGGO_CD TEXT, TO_CHANGGO_CD TEXT,
            GYEOLJE_GUBUN TEXT);
        CREATE TABLE TB_JUMUN_D (JUMUN_NO TEXT, SEQ INTEGER, SANGPUM_CD TEXT, SURYANG TEXT, GEUMAEK TEXT);
        """
    )
    people = [("가온", "서울"), ("나래", "부산"), ("다솜", "서울"), ("라온", "대구"), ("마루", "부산")]
    things = [("S1", "노트", "문구"), ("S2", "볼펜", "문구"), ("S3", "의자", "가구"), ("S4", "책상", "가구")]
    houses = [("W1", "김포창고"), ("W2", "양산창고"), ("W3", "천안창고")]
    db.executemany(
        "INSERT INTO TB_GOGAEK_M VALUES (?, ?, ?, ?)",
        [(f"G{n}", *one, f"010-55{n:02}-77{n:02}") for n, one in enumerate(people)],
    )
    db.executemany("INSERT INTO TB_SANGPUM_M VALUES (?, ?, ?)", things)
    db.executemany("INSERT INTO TB_CHANGGO VALUES (?, ?)", houses)
    for n in range(500):
        day = date(2025, 3, 1) + timedelta(days=n * 625 // 499)
        places = (draw.choice(houses)[0], draw.choice(houses)[0])
        db.execute(
            "INSERT INTO TB_JUMUN_M VALUES (?, ?, ?, ?, ?, ?)",
            (f"J{n}", f"G{draw.randrange(5)}", int(f"{day:%Y%m%d}"), *places, draw.choice(("카드", "현금"))),
        )
        for line, thing in enumerate(draw.sample(things, draw.randint(1, 2)), 1):
            count = draw.randint(1, 9)
            amount = f"₩{count * draw.randint(10, 90) * 100:,}"
            db.execute(
                "INSERT INTO TB_JUMUN_D VALUES (?, ?, ?, ?, ?)", (f"J{n}", line, thing[0], str(count), amount)
            )


WORLDS: dict[str, Callable[[sqlite3.Connection], None]] = {
    "wholesale": wholesale, "traders": traders, "hospital": hospital, "star": star, "desk": desk, "romanised": romanised,
}  # fmt: skip


def make(name: str, folder: Path) -> Path:
    file = folder / f"{name}.db"
    file.unlink(missing_ok=True)
    db = sqlite3.connect(file)
    with db:
        WORLDS[name](db)
    db.close()
    return file


if __name__ == "__main__":
    for world in WORLDS:
        make(world, Path(sys.argv[1]))
