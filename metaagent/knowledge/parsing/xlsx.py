"""XLSX, read as a stream: a sheet of a million rows is never held as a whole. Values look as the sheet shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from posixpath import normpath
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line, refused
from metaagent.knowledge.parsing.archive import BROKEN, Archive, attribute, local
from metaagent.knowledge.parsing.sheets import (
    LONGEST_CELL,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    ROWS,
    Row,
    add_regions,
)

MAX_SHEETS = 100
_COLUMNS = Text(
    en="The sheet {sheet} is wider than {limit} columns; the rest was not read.",
    ko="시트 ‘{sheet}’이(가) {limit}열보다 넓어 나머지 열은 읽지 않았습니다.",
)
_SHEETS = Text(
    en="Only the first {limit} of {count} sheets were read.",
    ko="시트 {count}개 중 처음 {limit}개만 읽었습니다.",
)
_HIDDEN = Text(en="The hidden sheet {sheet} was not read.", ko="숨겨진 시트 ‘{sheet}’은(는) 읽지 않았습니다.")
_FORMULAS = Text(
    en="The sheet {sheet} has formulas without stored results; those cells are empty. Open and save the file once.",
    ko="시트 ‘{sheet}’에 결과가 저장되지 않은 수식이 있어 그 칸은 비어 있습니다. 파일을 한 번 열어 저장해 주세요.",
)
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_DATES = frozenset({14, 15, 16, 17, 22, *range(27, 37), *range(50, 59)})
_TIMES = frozenset({18, 19, 20, 21, 45, 46, 47})
_BUILT_IN = {
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    37: "#,##0",
    38: "#,##0",
    39: "#,##0.00",
    40: "#,##0.00",
}
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_MOST_MERGES = 10_000


@dataclass
class _Book:
    """The parts that all sheets share."""

    strings: list[str] = field(default_factory=list[str])
    forms: list[str] = field(default_factory=list[str])
    """`date`, `time` or the code of the number format, by number of a style."""
    epoch: datetime = datetime(1899, 12, 30)  # noqa: DTZ001 - dates of a sheet have no zone


@dataclass
class _Sheet:
    title: str
    rows: list[Row] = field(default_factory=list[Row])
    merges: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    """First row, first column, last row, last column, counted from 1."""
    cells: int = 0
    is_cut: bool = False
    is_wide: bool = False
    lacks_results: bool = False


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read an XLSX file."""
    archive = Archive(name, content)
    archive.warn_of_what_is_not_opened(writer)
    workbook = archive.xml("xl/workbook.xml")
    book = _book(archive, workbook)
    sheets = list(_sheets(archive, workbook, writer))
    budget = MAX_CELLS
    for title, part in sheets[:MAX_SHEETS]:
        archive.refuse_entities(part)
        sheet = _Sheet(title)
        try:
            _read(archive, part, book, sheet, budget)
        except ElementTree.ParseError as error:
            raise refused(name, BROKEN, why=f"{part}: {error}") from error
        budget -= sheet.cells
        _write(sheet, writer)
    if len(sheets) > MAX_SHEETS:
        writer.warn(_SHEETS, limit=MAX_SHEETS, count=len(sheets))
    return Parsed()


def _book(archive: Archive, workbook: Element) -> _Book:
    book = _Book()
    if any(attribute(one, "date1904") in ("1", "true") for one in workbook if local(one.tag) == "workbookPr"):
        book.epoch = datetime(1904, 1, 1)  # noqa: DTZ001
    if "xl/sharedStrings.xml" in archive.names:
        book.strings = [one_line(clean(_string(one))) for one in archive.xml("xl/sharedStrings.xml")]
    if "xl/styles.xml" in archive.names:
        book.forms = _forms(archive.xml("xl/styles.xml"))
    return book


def _sheets(archive: Archive, workbook: Element, writer: BlockWriter) -> Iterator[tuple[str, str]]:
    """(title, part) of each sheet that is shown, in the order of the workbook."""
    targets = {
        attribute(one, "Id"): _part(attribute(one, "Target") or "")
        for one in archive.xml("xl/_rels/workbook.xml.rels")
    }
    for sheet in (one for one in workbook.iter() if local(one.tag) == "sheet"):
        title = one_line(clean(sheet.get("name", ""))) or "?"
        identifier = next((value for key, value in sheet.attrib.items() if key.endswith("}id")), None)
        part = targets.get(identifier, "")
        if sheet.get("state", "visible") != "visible":
            writer.warn(_HIDDEN, sheet=title)
        elif part in archive.names and "chartsheet" not in part:
            yield title, part


def _part(target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else normpath(f"xl/{target}")


def _string(element: Element) -> str:
    """The text of a shared or inline string, without readings of characters (phonetic runs)."""
    parts = [element.text or ""] if local(element.tag) == "t" else []
    parts += [_string(child) for child in element if local(child.tag) in ("t", "r", "is")]
    return "".join(parts)[:LONGEST_CELL]


def _forms(styles: Element) -> list[str]:
    codes = {
        _digits(one.get("numFmtId")): one.get("formatCode", "")
        for one in styles.iter()
        if local(one.tag) == "numFmt"
    }
    cells = next((one for one in styles if local(one.tag) == "cellXfs"), None)
    return [_form(_digits(one.get("numFmtId")), codes) for one in cells] if cells is not None else []


def _form(number: int, codes: dict[int, str]) -> str:
    if number in _DATES:
        return "date"
    if number in _TIMES:
        return "time"
    code = codes.get(number) or _BUILT_IN.get(number, "")
    plain = _QUOTED.sub("", code).lower()
    if "y" in plain or ("d" in plain and "m" in plain):
        return "date"
    return "time" if "h" in plain or "ss" in plain else code


def _read(archive: Archive, part: str, book: _Book, sheet: _Sheet, budget: int) -> None:
    """Read rows until the limit of rows or cells. Rows are emptied once they are read."""
    with archive.opened(part) as stream:
        for _, element in ElementTree.iterparse(stream):  # noqa: S314 - a document type was refused before
            if element.tag.endswith("row") and local(element.tag) == "row":
                if len(sheet.rows) >= MAX_ROWS or sheet.cells >= budget:
                    sheet.is_cut = True
                    return
                _take_row(element, book, sheet)
                element.clear()
            elif element.tag.endswith("mergeCell") and len(sheet.merges) < _MOST_MERGES:
                found = _REFERENCE.findall(element.get("ref", ""))
                if len(found) == 2:
                    (left, top), (right, bottom) = found
                    sheet.merges.append((int(top), _column(left), int(bottom), _column(right)))


def _take_row(element: Element, book: _Book, sheet: _Sheet) -> None:
    last = sheet.rows[-1][0] if sheet.rows else 0
    number = _digits(element.get("r")) or last + 1
    row: list[str] = []
    for cell in element:
        found = _REFERENCE.match(cell.get("r", ""))
        column = _column(found[1]) if found else len(row) + 1
        if column > MAX_COLUMNS:
            sheet.is_wide = True
            break
        row += [""] * (column - len(row))
        row[column - 1] = _shown(cell, book, sheet)
    while row and not row[-1]:
        row.pop()
    sheet.cells += max(len(row), 1)
    if row:
        sheet.rows.append((number, row))


def _shown(cell: Element, book: _Book, sheet: _Sheet) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return one_line(clean("".join(_string(child) for child in cell if local(child.tag) == "is")))
    value = next((child.text or "" for child in cell if child.tag.endswith("}v") or child.tag == "v"), "")
    if not value:
        sheet.lacks_results = sheet.lacks_results or any(local(child.tag) == "f" for child in cell)
        return ""
    if kind == "s":
        place = _digits(value)
        return book.strings[place] if place < len(book.strings) else ""
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    if kind == "n":
        style = _digits(cell.get("s"))
        return shown_number(value, book.forms[style] if style < len(book.forms) else "", book.epoch)
    return one_line(clean(value[:LONGEST_CELL]))


def shown_number(value: str, form: str, epoch: datetime) -> str:
    """A number as its format shows it, as far as dates, times, thousands and percents go."""
    try:
        number = float(value)
        if form in ("date", "time"):
            return _moment(epoch + timedelta(days=number), number, form)
    except (ValueError, OverflowError):
        return one_line(clean(value[:100]))
    if "%" in form:
        return f"{number * 100:.10g}%"
    if number.is_integer() and abs(number) < 1e15:
        return f"{int(number):,}" if "#,##" in form else str(int(number))
    return f"{number:,.10g}" if "#,##" in form else f"{number:.10g}"


def _moment(moment: datetime, number: float, form: str) -> str:
    if form == "time" and number < 1:
        return moment.strftime("%H:%M")
    whole = (moment + timedelta(seconds=0.5)).replace(microsecond=0)
    return (
        whole.date().isoformat() if whole.time() == datetime.min.time() else whole.isoformat(" ", "minutes")
    )


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _digits(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 10 else 0


def _write(sheet: _Sheet, writer: BlockWriter) -> None:
    if sheet.is_cut:
        writer.warn(ROWS, sheet=sheet.title, rows=f"{len(sheet.rows):,}")
    if sheet.is_wide:
        writer.warn(_COLUMNS, sheet=sheet.title, limit=MAX_COLUMNS)
    if sheet.lacks_results:
        writer.warn(_FORMULAS, sheet=sheet.title)
    _fill(sheet)
    writer.add("heading", sheet.title, level=1, sheet=sheet.title)
    wide_heads = [top for top, left, bottom, right in sheet.merges if top == bottom and right > left]
    add_regions(sheet.rows, writer, sheet=sheet.title, wide_heads=wide_heads)


def _fill(sheet: _Sheet) -> None:
    """Repeat what a merged cell says in each row that it covers; across columns only in a row that has other cells, a head."""
    rows = dict(sheet.rows)
    for top, left, bottom, right in sheet.merges:
        above = rows.get(top, [])
        if left > len(above):
            continue
        is_head = top == bottom and sum(1 for cell in above if cell) > 1
        last = min(right, MAX_COLUMNS) if is_head else left
        for number in range(top, min(bottom, top + 1_000) + 1):
            row = rows.get(number)
            if row is None:
                continue
            row += [""] * (last - len(row))
            for column in range(left, last + 1):
                row[column - 1] = row[column - 1] or above[left - 1]
