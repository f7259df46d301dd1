"""What differs between databases: dates, and how a parameter is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import psycopg

from metaagent.sql_engine import DuckDialect

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

Expression = sa.ColumnElement[Any]
Selected = sa.Select[*tuple[Any, ...]]
DialectName = Literal["sqlite", "postgresql", "duckdb"]


@lru_cache(maxsize=8)
def sql_dialect(name: str) -> Dialect:
    match name:
        case "sqlite":
            return sqlite.dialect(paramstyle="named")
        case "postgresql":
            return psycopg.dialect()
        case _:
            return DuckDialect()


@dataclass(frozen=True)
class Shift:
    """How far a compared period lies before the current one."""

    months: int = 0
    days: int = 0


def day_value(day: date, dialect: str) -> str | date:
    """SQLite keeps dates as ISO text; the others have a type for them."""
    return day.isoformat() if dialect == "sqlite" else day


def day_type(dialect: str) -> Any:
    return sa.String() if dialect == "sqlite" else sa.Date()


def bucket(column: Expression, grain: str, dialect: str) -> Expression:
    """The part of time in which `column` lies, as text that sorts by time."""
    return _sqlite(column, grain) if dialect == "sqlite" else _typed(column, grain, dialect)


def shifted(column: Expression, grain: str, shift: Shift, dialect: str) -> Expression:
    """`bucket` of the date moved forward, so that a compared period stands beside the current one."""
    if grain == "weekday":
        return bucket(column, grain, dialect)
    if shift.months == 12 and grain == "day":
        # By text: 29 February has no partner, instead of a wrong one that depends on the database.
        day = bucket(column, "day", dialect)
        year = sa.cast(sa.cast(sa.func.substr(day, 1, 4), sa.Integer) + 1, sa.String)
        return year + sa.func.substr(day, 5)
    if shift.months and grain in {"year", "quarter", "month"}:
        return bucket(_add_months(column, shift.months, dialect), grain, dialect)
    # 52 whole weeks keep weeks whole
    days = shift.days or (364 if shift.months == 12 else 30 * shift.months)
    return bucket(_add_days(column, days, dialect), grain, dialect)


def _add_months(column: Expression, months: int, dialect: str) -> Expression:
    """From the first of the month, which every month has."""
    if dialect == "sqlite":
        return sa.func.date(sa.func.substr(column, 1, 7) + _text("-01"), _text(f"+{months} months"))
    return sa.func.date_trunc(_text("month"), column) + sa.literal_column(f"INTERVAL '{months:d} months'")


def _add_days(column: Expression, days: int, dialect: str) -> Expression:
    if dialect == "sqlite":
        return sa.func.date(sa.func.substr(column, 1, 10), _text(f"+{days} days"))
    return column + sa.literal_column(f"INTERVAL '{days:d} days'")


def _text(value: str) -> Expression:
    """A constant of ours, written into the SQL: shorter to read than one more parameter."""
    return sa.literal_column(f"'{value}'", sa.String())


def _sqlite_quarter(column: Expression) -> Expression:
    month = sa.cast(sa.func.substr(column, 6, 2), sa.Integer)
    quarter = sa.cast(
        (month + sa.literal_column("2", sa.Integer())) // sa.literal_column("3", sa.Integer()), sa.String
    )
    return _sub(column, 4) + _text("-Q") + quarter


def _sub(column: Expression, length: int) -> Expression:
    return sa.func.substr(column, sa.literal_column("1"), sa.literal_column(str(length)), type_=sa.String())


def _sqlite_weekday(column: Expression) -> Expression:
    sunday_first = sa.cast(sa.func.strftime(_text("%w"), _sub(column, 10)), sa.Integer)
    return (sunday_first + sa.literal_column("6", sa.Integer())) % sa.literal_column("7", sa.Integer()) + 1


def _sqlite_week(column: Expression) -> Expression:
    return sa.func.date(_sub(column, 10), _text("weekday 0"), _text("-6 days"), type_=sa.String())


def _sqlite(column: Expression, grain: str) -> Expression:
    match grain:
        case "quarter":
            return _sqlite_quarter(column)
        case "week":
            return _sqlite_week(column)
        case "weekday":
            return _sqlite_weekday(column)
        case _:
            return _sub(column, {"year": 4, "month": 7, "day": 10}[grain])


_PG_FORMATS = {
    "year": "YYYY",
    "quarter": 'YYYY-"Q"Q',
    "month": "YYYY-MM",
    "day": "YYYY-MM-DD",
    "week": "YYYY-MM-DD",
}
_DUCK_FORMATS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "week": "%Y-%m-%d"}


def _typed(column: Expression, grain: str, dialect: str) -> Expression:
    if grain == "weekday":
        return sa.cast(sa.extract("isodow", column), sa.Integer)
    if grain == "week":
        column = sa.func.date_trunc(_text("week"), column)
    if dialect == "postgresql":
        return sa.func.to_char(column, _text(_PG_FORMATS[grain]), type_=sa.String())
    if grain == "quarter":
        year = sa.func.strftime(column, _text("%Y"), type_=sa.String())
        return year + _text("-Q") + sa.cast(sa.extract("quarter", column), sa.String)
    return sa.func.strftime(column, _text(_DUCK_FORMATS[grain]), type_=sa.String())


def start_of(day: date, grain: str) -> date:
    match grain:
        case "year":
            return date(day.year, 1, 1)
        case "quarter":
            return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
        case "month":
            return day.replace(day=1)
        case "week":
            return day - timedelta(days=day.weekday())
        case _:
            return day


def next_bucket(column: Expression, grain: str, dialect: str) -> Expression:
    """The first day of the bucket after the one that starts on `column`."""
    months = {"year": 12, "quarter": 3, "month": 1}.get(grain)
    days = 7 if grain == "week" else 1
    moved = _add_months(column, months, dialect) if months else _add_days(column, days, dialect)
    return moved if dialect == "sqlite" else sa.cast(moved, sa.Date)
