"""Differences between databases: dates, and how a parameter is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.compiler import compiles

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

Expression = sa.ColumnElement[Any]
Selected = sa.Select[*tuple[Any, ...]]
DialectName = Literal["sqlite", "postgresql", "duckdb"]

# One of each: SQLAlchemy works out anew what every new type object means to a dialect.
TEXT, INTEGER, BIGINT = sa.String(), sa.Integer(), sa.BigInteger()
DOUBLE, DATE = sa.Double(), sa.Date()
ZERO, ONE = sa.literal_column("0", INTEGER), sa.literal_column("1", INTEGER)


@lru_cache(maxsize=8)
def sql_dialect(name: str) -> Dialect:
    match name:
        case "sqlite":
            return sqlite.dialect(paramstyle="named")
        case "postgresql":
            from sqlalchemy.dialects.postgresql import psycopg

            return psycopg.dialect()
        case _:
            from metaagent.data.engine import DuckDialect

            return DuckDialect()


@lru_cache(maxsize=10_000)
def named(name: str) -> Expression:
    """A column of the one layer below, which needs no table's name."""
    return sa.column(name)


def shown(name: str, expression: Expression) -> Expression:
    return expression if expression is named(name) else expression.label(name)


def written(expression: Expression, dialect: str) -> Expression:
    """The same as finished SQL text, which costs nothing more to compile; as it is if it holds a parameter."""
    if isinstance(expression, sa.ColumnClause):
        return expression
    made = expression.compile(dialect=sql_dialect(dialect))
    if made.params:
        return expression
    text = str(made).replace("%%", "%") if dialect == "postgresql" else str(made)
    whole = text if isinstance(expression, sa.Function | sa.Cast | Quotient) else f"({text})"
    return sa.literal_column(whole, expression.type)


@lru_cache(maxsize=10_000)
def the_one(name: str, dialect: str, *, empty_is_zero: bool) -> Expression:
    """The one value that a column of the layer below has within a group."""
    value = sa.func.max(named(name))
    return written(sa.func.coalesce(value, ZERO) if empty_is_zero else value, dialect)


@lru_cache(maxsize=10_000)
def sorted_by(name: str, *, descending: bool) -> Any:
    return directed(named(name), descending=descending)


def directed(column: Expression, *, descending: bool) -> Any:
    return column.desc().nulls_last() if descending else column.asc().nulls_last()


class Quotient(sa.ColumnElement[float]):
    """a / b as a fraction; nothing where b is 0. One element instead of six: most questions have one."""

    inherit_cache = True
    type = DOUBLE

    def __init__(self, above: Expression, below: Expression) -> None:
        self.above = above
        self.below = below


@compiles(Quotient)
def _divided(element: Quotient, compiler: Any, **options: Any) -> str:
    above, below = compiler.process(element.above, **options), compiler.process(element.below, **options)
    return f"CAST({above} AS {_double(compiler.dialect)}) / nullif({below}, 0)"


@lru_cache(maxsize=8)
def _double(dialect: Dialect) -> str:
    return str(DOUBLE.compile(dialect=dialect))


@dataclass(frozen=True)
class Shift:
    """The distance from a compared period to the current one."""

    months: int = 0
    days: int = 0


def day_value(day: date, dialect: str) -> str | date:
    """SQLite keeps dates as ISO text; the others have a type for them."""
    return day.isoformat() if dialect == "sqlite" else day


def day_type(dialect: str) -> Any:
    return TEXT if dialect == "sqlite" else DATE


def bucket(column: Expression, grain: str, dialect: str) -> Expression:
    """The part of time in which `column` lies, as text that sorts by time."""
    return _sqlite(column, grain) if dialect == "sqlite" else _typed(column, grain, dialect)


def shifted(column: Expression, grain: str, shift: Shift, dialect: str) -> Expression:
    """`bucket` of the date moved forward, so that a compared period stands beside the current one."""
    if grain in ("weekday", "weekend"):
        return bucket(column, grain, dialect)
    if shift.months == 12 and grain == "day":
        # By text: 29 February has no partner, instead of a wrong one that depends on the database.
        day = bucket(column, "day", dialect)
        year = sa.cast(sa.cast(_sub(day, 4), INTEGER) + _number(1), TEXT)
        return year + sa.func.substr(day, _number(5), type_=TEXT)
    if shift.months and grain in {"year", "quarter", "month"}:
        return bucket(_add_months(column, shift.months, dialect), grain, dialect)
    # 52 whole weeks keep weeks whole
    days = shift.days or (364 if shift.months == 12 else 30 * shift.months)
    return bucket(_add_days(column, days, dialect), grain, dialect)


def _add_months(column: Expression, months: int, dialect: str) -> Expression:
    """Counts from the first of the month, which every month has."""
    if dialect == "sqlite":
        return sa.func.date(_sub(column, 7) + _text("-01"), _text(f"+{months} months"))
    return sa.func.date_trunc(_text("month"), column) + sa.literal_column(f"INTERVAL '{months:d} months'")


def _add_days(column: Expression, days: int, dialect: str) -> Expression:
    if dialect == "sqlite":
        return sa.func.date(_sub(column, 10), _text(f"+{days} days"))
    return column + sa.literal_column(f"INTERVAL '{days:d} days'")


@lru_cache(maxsize=256)
def _text(value: str) -> Expression:
    """A constant of ours, written into the SQL: shorter to read than one more parameter."""
    return sa.literal_column(f"'{value}'", TEXT)


@lru_cache(maxsize=32)
def _number(value: int) -> Expression:
    return sa.literal_column(str(value), INTEGER)


def _sub(column: Expression, length: int) -> Expression:
    return sa.func.substr(column, _number(1), _number(length), type_=TEXT)


def _sqlite(column: Expression, grain: str) -> Expression:
    match grain:
        case "quarter":
            month = sa.cast(sa.func.substr(column, _number(6), _number(2)), INTEGER)
            quarter = sa.cast((month + _number(2)) // _number(3), TEXT)
            return _sub(column, 4) + _text("-Q") + quarter
        case "week":
            return sa.func.date(_sub(column, 10), _text("weekday 0"), _text("-6 days"), type_=TEXT)
        case "weekday":
            sunday_first = sa.cast(sa.func.strftime(_text("%w"), _sub(column, 10)), INTEGER)
            return (sunday_first + _number(6)) % _number(7) + _number(1)
        case "weekend":
            return _sqlite(column, "weekday") // _number(6)
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
        return sa.cast(sa.extract("isodow", column), INTEGER)
    if grain == "weekend":
        return _typed(column, "weekday", dialect) // _number(6)
    if grain == "week":
        column = sa.func.date_trunc(_text("week"), column)
    if dialect == "postgresql":
        return sa.func.to_char(column, _text(_PG_FORMATS[grain]), type_=TEXT)
    if grain == "quarter":
        year = sa.func.strftime(column, _text("%Y"), type_=TEXT)
        return year + _text("-Q") + sa.cast(sa.extract("quarter", column), TEXT)
    return sa.func.strftime(column, _text(_DUCK_FORMATS[grain]), type_=TEXT)


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


def days_between(later: Expression, earlier: Expression, dialect: str) -> Expression:
    """Whole days from one date to another, the time of day left aside; nothing where either is missing."""
    if dialect == "sqlite":
        days = sa.func.julianday(_sub(later, 10)) - sa.func.julianday(_sub(earlier, 10))
        return sa.cast(days, INTEGER)
    return sa.cast(sa.cast(later, DATE) - sa.cast(earlier, DATE), INTEGER)


def next_bucket(column: Expression, grain: str, dialect: str) -> Expression:
    """The first day of the bucket after the one that starts on `column`."""
    months = {"year": 12, "quarter": 3, "month": 1}.get(grain)
    days = 7 if grain == "week" else 1
    moved = _add_months(column, months, dialect) if months else _add_days(column, days, dialect)
    return moved if dialect == "sqlite" else sa.cast(moved, DATE)
