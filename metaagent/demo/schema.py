"""The tables of the demonstration company, as SQLAlchemy knows them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Date, Index, Integer, MetaData, String, Table

metadata = MetaData()


def _company() -> Column[str]:
    return Column("company_id", String(32), nullable=False)


hospitals = Table(
    "hospitals",
    metadata,
    Column("hospital_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("name", String(80), nullable=False),
    Column("region_code", String(16), nullable=False),
    Column("region_name", String(16), nullable=False),
    Column("type", String(16), nullable=False),
    Column("tier", String(1), nullable=False),
    Column("is_public", Boolean, nullable=False),
)

sales_reps = Table(
    "sales_reps",
    metadata,
    Column("rep_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("name", String(40), nullable=False),
    Column("region_code", String(16), nullable=False),
    Column("team", String(32), nullable=False),
)

products = Table(
    "products",
    metadata,
    Column("product_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("name", String(80), nullable=False),
    Column("category", String(32), nullable=False),
    Column("unit_price", Integer, nullable=False),
    Column("launched_on", Date, nullable=False),
)

sales = Table(
    "sales",
    metadata,
    Column("sale_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("sale_date", Date, nullable=False),
    Column("hospital_id", Integer, nullable=False),
    Column("product_id", Integer, nullable=False),
    Column("rep_id", Integer, nullable=False),
    Column("quantity", Integer, nullable=False),
    Column("sales_amount", BigInteger, nullable=False),
)

targets = Table(
    "targets",
    metadata,
    Column("rep_id", Integer, primary_key=True, autoincrement=False),
    Column("month", Date, primary_key=True),
    _company(),
    Column("target_amount", BigInteger, nullable=False),
)

visits = Table(
    "visits",
    metadata,
    Column("visit_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("visit_date", Date, nullable=False),
    Column("rep_id", Integer, nullable=False),
    Column("hospital_id", Integer, nullable=False),
    Column("doctor_name", String(40), nullable=False),
    Column("product_id", Integer, nullable=False),
    Column("purpose", String(32), nullable=False),
    Column("duration_min", Integer, nullable=False),
)

seminars = Table(
    "seminars",
    metadata,
    Column("seminar_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("title", String(120), nullable=False),
    Column("held_on", Date, nullable=False),
    Column("venue", String(80), nullable=False),
    Column("hospital_id", Integer, nullable=False),
    Column("product_id", Integer, nullable=False),
    Column("speaker", String(40), nullable=False),
    Column("attendees", Integer, nullable=False),
    Column("budget", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
)

expenses = Table(
    "expenses",
    metadata,
    Column("expense_id", Integer, primary_key=True, autoincrement=False),
    _company(),
    Column("expense_date", Date, nullable=False),
    Column("rep_id", Integer, nullable=False),
    Column("hospital_id", Integer, nullable=False),
    Column("visit_id", Integer),
    Column("seminar_id", Integer),
    Column("category", String(16), nullable=False),
    Column("attendees", Integer),
    Column("amount", BigInteger, nullable=False),
    Column("vat", BigInteger),
    Column("doctor_name", String(40)),
    Column("hours", Integer),
    Column("item", String(40)),
    Column("note", String(200)),
)

# A typical question is "this tenant, this period, by something": one scan of a range of one index.
INDEXES: tuple[Index, ...] = (
    Index(
        "ix_sales_period",
        sales.c.company_id,
        sales.c.sale_date,
        sales.c.hospital_id,
        sales.c.product_id,
        sales.c.rep_id,
        sales.c.quantity,
        sales.c.sales_amount,
    ),
    Index("ix_sales_hospital", sales.c.company_id, sales.c.hospital_id, sales.c.sale_date),
    Index("ix_sales_rep", sales.c.company_id, sales.c.rep_id, sales.c.sale_date),
    Index("ix_sales_product", sales.c.company_id, sales.c.product_id, sales.c.sale_date),
    Index("ix_targets_month", targets.c.company_id, targets.c.month),
    Index(
        "ix_visits_period", visits.c.company_id, visits.c.visit_date, visits.c.rep_id, visits.c.hospital_id
    ),
    Index("ix_seminars_period", seminars.c.company_id, seminars.c.held_on),
    Index("ix_expenses_period", expenses.c.company_id, expenses.c.expense_date, expenses.c.rep_id),
)
