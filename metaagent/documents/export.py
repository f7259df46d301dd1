"""Any table as a CSV or Excel file. No cell of data can become a formula, wherever the file is opened."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from metaagent.documents.format import unit_label, unit_of
from metaagent.documents.table import Cell, Column, Table, check, number
from metaagent.errors import InputRefused, Text
from metaagent.language.counters import UNITS
from metaagent.language.particles import Language

if TYPE_CHECKING:
    from collections.abc import Mapping

# What spreadsheets take for the start of a formula, also behind blanks; full-width forms are folded by some.
_FORMULA = re.compile(r"^[\s\u200b\ufeff]*[=+\-@|%＝＋－＠]|^[\t\r\n]")
_DAY = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_UNSTORABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")
MOST_ROWS = 1_048_575
LONGEST_CELL = 32_767
# Excel keeps 15 digits of a number; a longer identifier would be changed silently.
MOST_DIGITS = 10**15
WIDEST, NARROWEST = 60, 8

TOO_MANY_ROWS = Text(
    en="The table has {rows} rows; an Excel sheet holds {limit}. Export it as CSV.",
    ko="표의 행이 {rows}개인데 엑셀 시트에는 {limit}개까지 들어갑니다. CSV로 내보내세요.",
)


class Notes(TypedDict, total=False):
    """The second sheet: where the figures come from."""

    title: str
    period: str
    sql: str
    made_at: str
    remarks: list[str]


_LABELS = {
    "title": ("제목", "Title"),
    "period": ("기간", "Period"),
    "sql": ("원본 SQL", "Source SQL"),
    "made_at": ("만든 시각", "Made at"),
    "remarks": ("참고", "Remarks"),
}


def to_csv(table: Table, *, language: Language = "ko") -> bytes:
    """UTF-8 with a byte order mark, which Excel needs to read Korean."""
    check(table)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([harmless(_heading(column, language)) for column in table["columns"]])
    for row in table["rows"]:
        writer.writerow([_csv_cell(cell) for cell in row])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")


def harmless(text: str) -> str:
    """Text that no spreadsheet evaluates: an apostrophe goes before whatever could start a formula."""
    text = _UNSTORABLE.sub("\ufffd", text).replace("\x00", "")
    return f"'{text}" if _FORMULA.search(text) else text


def _csv_cell(cell: Cell) -> str | int | float:
    figure = number(cell)
    if figure is not None:
        return figure
    # None, NaN and infinity are no values; a number has no other way to get here.
    if cell is None or isinstance(cell, float):
        return ""
    return harmless(str(cell))


def _heading(column: Column, language: Language) -> str:
    unit = unit_label(column.get("unit"), language)
    return f"{column['label']} ({unit})" if unit else column["label"]


def to_xlsx(table: Table, *, notes: Notes | None = None, language: Language = "ko") -> bytes:
    """The same table gives the same bytes: no clock, so that files can be told apart by their hash."""
    import xlsxwriter

    check(table)
    if len(table["rows"]) > MOST_ROWS:
        raise InputRefused(TOO_MANY_ROWS, rows=len(table["rows"]), limit=MOST_ROWS)
    out = io.BytesIO()
    safe = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    book = xlsxwriter.Workbook(out, safe)
    # An hour in UTC of a day long past: the format demands a date.
    book.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001
    _Sheet(book, table, language).write()
    if notes:
        _write_notes(book, notes, language)
    book.close()
    return out.getvalue()


class _Sheet:
    """Holds the workbook's cell formats, which must be made once and shared."""

    def __init__(self, book: Any, table: Table, language: Language) -> None:
        self.table = table
        self.language: Language = language
        self.page = book.add_worksheet("데이터" if language == "ko" else "Data")
        font = {"font_name": "맑은 고딕" if language == "ko" else "Calibri", "font_size": 10}
        self.head = book.add_format(
            font
            | {"bold": True, "bg_color": "#0072B2", "font_color": "#FFFFFF", "border": 1, "valign": "vcenter"}
        )
        self.text = book.add_format(font | {"num_format": "@"})
        # A quote prefix keeps the cell text even after somebody edits it.
        self.quoted = book.add_format(font | {"num_format": "@", "quote_prefix": True})
        self.day = book.add_format(font | {"num_format": "yyyy-mm-dd", "align": "left"})
        self.numbers = [book.add_format(font | {"num_format": number_format(c)}) for c in table["columns"]]

    def write(self) -> None:
        columns, rows = self.table["columns"], self.table["rows"]
        for index, column in enumerate(columns):
            heading = _heading(column, self.language)
            self.page.write_string(0, index, _storable(heading), self.head)
            shown = [heading, *(_shown(row[index]) for row in rows[:1000])]
            width = min(WIDEST, max(NARROWEST, *(display_width(text) for text in shown)) + 2)
            self.page.set_column(index, index, width)
        for at, row in enumerate(rows, 1):
            for index, cell in enumerate(row):
                self._cell(at, index, cell, columns[index])
        self.page.freeze_panes(1, 0)
        if columns and rows:
            self.page.autofilter(0, 0, len(rows), len(columns) - 1)

    def _cell(self, at: int, index: int, cell: Cell, column: Column) -> None:
        figure = number(cell)
        if figure is not None and abs(figure) < MOST_DIGITS:
            self.page.write_number(at, index, figure, self.numbers[index])
        elif column["type"] == "date" and isinstance(cell, str) and (day := _as_day(cell)):
            self.page.write_datetime(at, index, day, self.day)
        elif isinstance(cell, float) and figure is None:
            return
        elif cell is not None:
            text = _storable(str(cell))
            self.page.write_string(at, index, text, self.quoted if _FORMULA.search(text) else self.text)


_EXCEL_FORMAT = re.compile(r"^[#0,.%;\- ]+$")


def number_format(column: Column) -> str:
    """Excel's number format: the column's own if it is one, or that of its unit."""
    own, kind = column.get("format", ""), unit_of(column.get("unit"))
    if _EXCEL_FORMAT.match(own):
        return own
    if kind == "ratio":
        return "0.0%"
    if kind in ("percent", "pp"):
        return "#,##0.0"
    return "#,##0" if kind in ("won", *UNITS) else "General"


def _as_day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if _DAY.match(text) else None
    except ValueError:
        return None
    # Excel's calendar begins in 1900 and counts its first two months wrongly.
    return day if day and day >= date(1900, 3, 1) else None


def _storable(text: str) -> str:
    text = _UNSTORABLE.sub("\ufffd", text)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


def _shown(cell: Cell) -> str:
    figure = number(cell)
    return f"{figure:,.2f}".removesuffix(".00") if figure is not None else "" if cell is None else str(cell)


def display_width(text: str) -> int:
    """Columns on the screen: Hangul and other wide signs take two."""
    return sum(2 if sign >= "\u1100" else 1 for sign in text.split("\n", 1)[0])


def _write_notes(book: Any, notes: Mapping[str, Any], language: Language) -> None:
    page = book.add_worksheet("참고" if language == "ko" else "Notes")
    label, text = (
        book.add_format({"bold": True, "valign": "top"}),
        book.add_format({"text_wrap": True, "num_format": "@"}),
    )
    page.set_column(0, 0, 14)
    page.set_column(1, 1, 100)
    given = {key: notes[key] for key in _LABELS if notes.get(key)}
    lines = [
        (_LABELS[key][language == "en"], line)
        for key, value in given.items()
        for line in (value if isinstance(value, list) else [value])
    ]
    for at, (name, line) in enumerate(lines):
        page.write_string(at, 0, name, label)
        page.write_string(at, 1, _storable(str(line)), text)
