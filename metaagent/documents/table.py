"""The one shape in which figures travel: columns that say what they hold, and rows of plain data."""

from __future__ import annotations

import math
from datetime import date, datetime
from typing import Any, Literal, NamedTuple, NotRequired, TypeAlias

from typing_extensions import TypedDict

from metaagent.errors import InputRefused, Text
from metaagent.language.patterns import regex

Cell: TypeAlias = str | int | float | bool | None
ColumnType: TypeAlias = Literal["number", "date", "text"]
Grain: TypeAlias = Literal["year", "quarter", "month", "week", "day"]

# Beyond this a double no longer behaves like a figure anybody counted; such cells are treated like infinity.
LARGEST = 1e30

NO_COLUMN = Text(
    en="The table has no column '{column}': it has {known}. Use one of these.",
    ko="표에 '{column}' 열이 없습니다. 있는 열: {known}. 이 중에서 고르세요.",
)
NOT_A_TIME = Text(
    en="'{value}' in column '{column}' is no date: write YYYY-MM-DD, YYYY-MM, YYYY-Qn, YYYY-Wnn or YYYY.",
    ko="'{column}' 열의 '{value}'은(는) 날짜가 아닙니다. YYYY-MM-DD나 YYYY-MM처럼 쓰세요.",
)
RAGGED_ROW = Text(
    en="Row {row} has {found} cells but the table has {wanted} columns: give every row one cell per column.",
    ko="{row}번째 행의 칸은 {found}개인데 열은 {wanted}개입니다. 행마다 열 수만큼 칸을 주세요.",
)


class Column(TypedDict):
    name: str
    label: str
    type: ColumnType
    unit: NotRequired[str]
    format: NotRequired[str]
    thing: NotRequired[str]
    """The kind of things that a text column names: person, organisation, location, product."""
    additive: NotRequired[bool]
    """True if values of several rows may be added. Left out means no."""


class Table(TypedDict):
    columns: list[Column]
    rows: list[list[Cell]]


class Series(NamedTuple):
    """The finite numbers of one column, which rows they stand in, and what had to be left out."""

    values: list[float]
    rows: list[int]
    missing: int
    invalid: int


def check(table: Table) -> Table:
    wanted = len(table["columns"])
    for index, row in enumerate(table["rows"]):
        if len(row) != wanted:
            raise InputRefused(RAGGED_ROW, row=index + 1, found=len(row), wanted=wanted)
    return table


def column(table: Table, name: str) -> Column:
    return table["columns"][position(table, name)]


def position(table: Table, name: str) -> int:
    names = [c["name"] for c in table["columns"]]
    if name not in names:
        raise InputRefused(NO_COLUMN, column=name, known=", ".join(names) or "-")
    return names.index(name)


def cells(table: Table, name: str) -> list[Cell]:
    index = position(check(table), name)
    return [row[index] for row in table["rows"]]


def of_type(table: Table, *types: ColumnType) -> list[Column]:
    return [c for c in table["columns"] if c["type"] in types]


def number(value: Any) -> int | float | None:
    """`value` as a figure one can calculate with, None for everything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if -LARGEST < value < LARGEST else None


def series(table: Table, name: str) -> Series:
    values: list[float] = []
    rows: list[int] = []
    missing = invalid = 0
    for index, cell in enumerate(cells(table, name)):
        found = number(cell)
        if found is not None:
            values.append(found)
            rows.append(index)
        elif cell is None or (isinstance(cell, float) and math.isnan(cell)):
            missing += 1
        else:
            invalid += 1
    return Series(values, rows, missing, invalid)


def plain(value: float) -> int | float:
    """Whole numbers as int, so that 1234.0 and 1234 are one value in results and in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


_QUARTER = regex(r"^(\d{4})-?Q([1-4])$")
_WEEK = regex(r"^(\d{4})-?W(\d{2})$")
_MONTH = regex(r"^(\d{4})-(\d{2})$")
_YEAR = regex(r"^\d{4}$")


def moment(value: Cell) -> tuple[Grain, int] | None:
    """A written date as (grain, how many such grains since year 0); None when it is no date."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    try:
        if match := _QUARTER.match(text):
            return "quarter", int(match[1]) * 4 + int(match[2]) - 1
        if match := _WEEK.match(text):
            return "week", date.fromisocalendar(int(match[1]), int(match[2]), 1).toordinal() // 7
        if match := _MONTH.match(text):
            return "month", date(int(match[1]), int(match[2]), 1).month - 1 + int(match[1]) * 12
        if _YEAR.match(text):
            return "year", int(text)
        return "day", datetime.fromisoformat(text).date().toordinal()
    except ValueError:
        return None


def times(table: Table, name: str) -> tuple[Grain, list[int | None]]:
    """The rows' places on the calendar of the column's own grain; first days only are coarser."""
    found: list[tuple[Grain, int] | None] = []
    for cell in cells(table, name):
        here = moment(cell)
        if here is None and cell is not None:
            raise InputRefused(NOT_A_TIME, value=cell, column=name)
        found.append(here)
    grains: set[Grain] = {here[0] for here in found if here}
    if len(grains) > 1:
        raise InputRefused(NOT_A_TIME, value=" / ".join(sorted(grains)), column=name)
    grain: Grain = grains.pop() if grains else "day"
    places = [here[1] if here else None for here in found]
    return _coarsest(places) if grain == "day" else (grain, places)


def _coarsest(days: list[int | None]) -> tuple[Grain, list[int | None]]:
    known = {day for day in days if day is not None}
    dates = [date.fromordinal(day) for day in known]
    if len(known) < 2:
        return "day", days
    if all(d.day == 1 for d in dates):
        return _months(days, {d.month for d in dates})
    if len({d.weekday() for d in dates}) == 1:
        return "week", [None if day is None else (day - 1) // 7 for day in days]
    return "day", days


def _months(days: list[int | None], months: set[int]) -> tuple[Grain, list[int | None]]:
    grain: Grain = "year" if months == {1} else "quarter" if months <= {1, 4, 7, 10} else "month"
    per_year = {"year": 1, "quarter": 4, "month": 12}[grain]

    def place(day: int | None) -> int | None:
        if day is None:
            return None
        d = date.fromordinal(day)
        return d.year * per_year + (d.month - 1) * per_year // 12

    return grain, [place(day) for day in days]
