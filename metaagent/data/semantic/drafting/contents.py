"""Facts about a column that only its values show: text that is a date or a number, and personal data.

Values are looked at here and nowhere else, a sample of each column; none is kept or written down.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import sqlalchemy as sa

from metaagent.data.semantic.compiling.casts import NOISE, read_as
from metaagent.data.semantic.drafting.event_dates import moment_of
from metaagent.data.semantic.drafting.words import words_of
from metaagent.data.semantic.model import EPOCHS, NUMBER
from metaagent.protection.redaction import find

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.engine import Connection

_SAMPLE = 200
_MOST_UNREADABLE = 0.05
"""Placeholders such as 'N/A' or 00000000 are empty; a column with more of them is not what it seems."""
_DATED = re.compile(
    r"date|_on$|_at$|time|month$|(^|_)dt$|ymd|(^|_)(?:yyyy)?(?:ym|mm)$|일자|날짜|일시|일$|월$|[a-z]il$",
    re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_SEPARATED = re.compile(r"(\d{4}|\d\d)([/. -])(\d\d)\2(\d{4}|\d\d)(?!\d)")
_SOLID = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?")
_MONTHS = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")
_PARTED_MONTHS = re.compile(r"(?:19|20)\d\d([-/.])(?:0[1-9]|1[0-2])")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_MEASURED = {
    "amount", "quantity", "price", "cost", "fee", "total", "count", "hour", "minute", "second", "day", "rate", "score",
    "weight", "balance", "salary", "discount", "tax", "charge", "revenue", "sale", "budget", "income", "profit", "age",
    "limit", "point", "capacity", "distance", "duration", "area", "length", "height", "width", "stock", "volume", "seat",
    "mileage", "speed", "temperature", "deposit", "wage", "fare", "premium",
}  # fmt: skip
_MEASURED_KO = re.compile(
    r"금액|수량|단가|가격|비용|합계|건수|점수|시간|요금|급여|잔액|매출|할인|세금|무게|중량|한도|포인트"
)
_DIALLED = re.compile(
    r"(?:\+\d{1,3}[ -]?)?\(?0\d{1,4}\)?[ ./-]\d{3,4}(?:[ .-]?\d{2,4}){1,2}|\+\d{1,3}(?:[ -]?\d{2,4}){3,4}"
)
"""A number that is dialled: with the 0 or + before it, and signs between its parts."""
_CODED = {"code", "number", "id", "key", "zip", "phone", "postal", "uuid", "코드", "번호"}


class Sampler:
    """Reads samples of one table's columns."""

    def __init__(self, connection: Connection, table: str, schema: str | None = None) -> None:
        self._connection = connection
        self._table = table
        self._schema = schema

    def values(self, column: str) -> list[str]:
        one = sa.column(column)
        rows = sa.select(one).select_from(self._source(one)).where(one.is_not(None)).distinct().limit(_SAMPLE)
        return [text for (value,) in self._connection.execute(rows) if (text := str(value).strip())]

    def _source(self, one: sa.ColumnClause[object]) -> sa.TableClause:
        return sa.table(self._table, one, schema=self._schema)

    def reads(self, column: str, cast: str, kind: str) -> bool:
        """Tell whether nearly every value of the whole column can be read this way; the database itself tries it."""
        one = sa.column(column)
        made = read_as(one, cast, kind, self._connection.dialect.name)
        text = sa.func.trim(sa.cast(one, sa.String()))
        given = sa.func.sum(sa.case((text != "", 1), else_=0))
        lost = sa.func.sum(sa.case((sa.and_(text != "", made.is_(None)), 1), else_=0))
        with self._connection.begin_nested():
            row = self._connection.execute(sa.select(given, lost).select_from(self._source(one))).one()
        return bool(row[0]) and (row[1] or 0) <= row[0] * _MOST_UNREADABLE


def is_iso(values: Sequence[str]) -> str | None:
    """`date` or `datetime` for text such as 2026-03-31."""
    if values and all(_ISO.match(value) for value in values):
        return "date" if all(len(value) == 10 for value in values) else "datetime"
    return None


def layout_of(name: str, values: Sequence[str], *, number: bool = False) -> str | None:
    """The layout of dates, as in `YYYYMMDD`. A `number` needs a name that says so."""
    dated = bool(_DATED.search(name)) or bool({"date", "month"} & {*words_of(name)})
    if not values or (number and (not dated or words_of(name)[-1] in _CODED)):
        return None
    if _mostly(_SOLID, values) and (dated or len(values[0]) == 8):
        return "YYYYMMDD"
    if dated and _mostly(_MONTHS, values):
        return "YYYYMM"
    if not number and _mostly(_PARTED_MONTHS, values) and len({value[4:5] for value in values}) == 1:
        return f"YYYY{values[0][4]}MM"
    return None if number else _separated(values)


def _mostly(pattern: re.Pattern[str], values: Sequence[str]) -> bool:
    return sum(bool(pattern.fullmatch(value)) for value in values) >= len(values) * (1 - _MOST_UNREADABLE)


def _separated(values: Sequence[str]) -> str | None:
    """2026/03/31, 31.03.2026 or 03/31/2026; None where day and month cannot be told apart."""
    found = [match.groups() for value in values if (match := _SEPARATED.match(value))]
    if len(found) < len(values) * (1 - _MOST_UNREADABLE) or len({one[1] for one in found}) != 1:
        return None
    sign = found[0][1]
    if all(len(first) == 4 and len(last) == 2 for first, _, _, last in found):
        return f"YYYY{sign}MM{sign}DD"
    if not all(len(first) == 2 and len(last) == 4 for first, _, _, last in found):
        return None
    if any(int(first) > 12 for first, *_ in found):
        return f"DD{sign}MM{sign}YYYY"
    return f"MM{sign}DD{sign}YYYY" if any(int(middle) > 12 for _, _, middle, _ in found) else None


def epoch_of(name: str, values: Sequence[str]) -> str | None:
    """`epoch` or `epoch_ms` for whole numbers that are called like a time and lie between 1990 and 2100."""
    said = words_of(name)
    dated = bool(_DATED.search(name)) or bool(_TIMES & {*said}) or said[-1] in _MOMENTS or said[0] == "last"
    if not values or said[-1] in _CODED or not all(value.isdigit() for value in values):
        return None
    numbers = [int(value) for value in values]
    dated = dated or (moment_of(name) is not None and min(numbers) >= _RECENT)
    if not dated and (
        len(values) < _ENOUGH or _MEASURED & {*said} or _MEASURED_KO.search(name) or min(numbers) < _RECENT
    ):
        return None
    return next(
        (
            cast
            for cast, scale in EPOCHS.items()
            if all(_SINCE * scale <= n <= _UNTIL * scale for n in numbers)
        ),
        None,
    )


_ENOUGH = 10
"""Different values, all since 2001, that tell seconds since 1970 without a name that says so."""
_RECENT = 978_307_200
_SINCE, _UNTIL = 631_152_000, 4_102_444_800
_TIMES = {"timestamp", "time", "date", "ts", "epoch", "unix", "day"}
_MOMENTS = {"at", "on", "when", "since", "until", "from", "to", "start", "end", "dt", "tm", "dttm"}
"""Last words of a name that say when: paid_at, valid_until, rental_start."""


def looks_dated(name: str, values: Sequence[str]) -> bool:
    """Called like a date and full of digits: something that should be said when it cannot be read."""
    named = bool(_DATED.search(name)) and bool(values)
    return named and all(sum(char.isdigit() for char in value) >= 6 for value in values)


def number_in_text(name: str, values: Sequence[str]) -> str | None:
    """`integer` or `number` for text that holds amounts; codes, which begin with 0 or are called so, are none."""
    words = words_of(name)
    if not values or words[-1] in _CODED or any(re.match(r"0\d", value) for value in values):
        return None
    bare = [_bare(value) for value in values]
    good = [value for value in bare if _NUMBER.fullmatch(value)]
    if len(good) < len(values) * (1 - _MOST_UNREADABLE):
        return None
    broken = any("." in value for value in good)
    marked = broken or any("," in value for value in values)
    if not marked and not _MEASURED & {*words} and not _MEASURED_KO.search(name):
        return None
    return "number" if broken else "integer"


def _bare(value: str) -> str:
    for sign in NOISE:
        value = value.replace(sign, "")
    return value


def is_personal(values: Sequence[str]) -> bool:
    """Tell whether most values are wholly a phone number, a mail address, an identity number or the like. Names of
    people are not: they are what people ask for."""
    hits = sum(
        bool(_DIALLED.fullmatch(value))
        or any(
            found.type != "NAME" and (found.end - found.start) * 10 >= len(value) * 6 for found in find(value)
        )
        for value in values
    )
    return bool(values) and hits * 2 >= len(values)


def cast_of(sampler: Sampler, column: str, values: Sequence[str], *, number: bool) -> tuple[str, str] | None:
    """The type and the cast of a column that is stored as something else."""
    if number and (epoch := epoch_of(column, values)):
        return "date", epoch
    layout = layout_of(column, values, number=number)
    if layout is not None:
        return ("date", layout) if sampler.reads(column, layout, "date") else None
    kind = None if number else number_in_text(column, values)
    return (kind, NUMBER) if kind and sampler.reads(column, NUMBER, kind) else None
