"""Text that holds dates or numbers, read as what it means: `cast` of a column, written into the SQL.

A layout says where year, month and day stand (`YYYYMMDD`, `DD.MM.YYYY`, `YYYYMM`); `number` takes signs of money, commas
and spaces away; `epoch` and `epoch_ms` count seconds and milliseconds since
1970. A value that does not fit is empty, never 0 and never an error.
"""

from __future__ import annotations

import sqlalchemy as sa

from metaagent.data.semantic.compiling.dialects import DATE, DOUBLE, INTEGER, TEXT, Expression
from metaagent.data.semantic.model import EPOCHS, NUMBER

NOISE = (",", " ", "₩", "￦", "원", "$", "€", "£")
_DIGITS = "0123456789.+-"


def read_as(column: Expression, cast: str, kind: str, dialect: str) -> Expression:
    """The column's text as a number or as a date."""
    if cast in EPOCHS:
        return _epoch(column, EPOCHS[cast], dialect)
    text = sa.cast(column, TEXT)
    return _number(text, kind) if cast == NUMBER else _date(text, cast, dialect)


_FIRST, _LAST = -30_610_224_000, 253_370_764_800
"""Seconds from the year 1000 to the year 9998."""


def _epoch(column: Expression, scale: int, dialect: str) -> Expression:
    """The day of seconds since 1970, in UTC."""
    whole = sa.cast(column, sa.BigInteger())
    seconds = whole if scale == 1 else whole / sa.literal_column(str(scale), INTEGER)
    fits = seconds.between(sa.literal_column(str(_FIRST), INTEGER), sa.literal_column(str(_LAST), INTEGER))
    if dialect == "sqlite":
        day = sa.func.strftime(_constant("%Y-%m-%d"), seconds, _constant("unixepoch"), type_=TEXT)
    else:
        day = sa.cast(sa.func.to_timestamp(seconds), DATE)
    return sa.case((fits, day), else_=sa.null())


def _constant(text: str) -> Expression:
    return sa.literal_column("'" + text.replace("'", "''") + "'", TEXT)


def _number(text: Expression, kind: str) -> Expression:
    for sign in NOISE:
        text = sa.func.replace(text, _constant(sign), _constant(""), type_=TEXT)
    whole = sa.and_(text != _constant(""), sa.func.trim(text, _constant(_DIGITS)) == _constant(""))
    number = sa.cast(text, DOUBLE)
    return sa.case((whole, sa.cast(number, INTEGER) if kind == "integer" else number), else_=sa.null())


def _date(text: Expression, layout: str, dialect: str) -> Expression:
    def part(name: str) -> Expression:
        at, length = (
            sa.literal_column(str(layout.index(name) + 1), INTEGER),
            sa.literal_column(str(len(name)), INTEGER),
        )
        return sa.func.substr(text, at, length, type_=TEXT)

    year, month = part("YYYY"), part("MM")
    day = part("DD") if "DD" in layout else _constant("01")
    iso = year + _constant("-") + month + _constant("-") + day
    fits = sa.and_(
        year.between(_constant("1000"), _constant("9998")),
        month.between(_constant("01"), _constant("12")),
        day.between(_constant("01"), _constant("31")),
        sa.func.length(text) >= sa.literal_column(str(len(layout)), INTEGER),
    )
    return sa.case((fits, iso if dialect == "sqlite" else sa.cast(iso, DATE)), else_=sa.null())
