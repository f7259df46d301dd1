"""Rows of sheets as tables with their heads, and CSV. Long sheets are read up to a limit that is said."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line, refused, shown_name
from metaagent.knowledge.parsing.archive import BROKEN
from metaagent.knowledge.parsing.plain_text import decoded

MAX_ROWS = 50_000
MAX_CELLS = 1_000_000
MAX_COLUMNS = 256
LONGEST_CELL = 5_000

ROWS = Text(
    en="The sheet {sheet} is longer than what is read: the first {rows} rows were read, the rest was not.",
    ko="시트 ‘{sheet}’이(가) 읽는 한도보다 길어 처음 {rows}행만 읽고 나머지는 읽지 않았습니다.",
)
_NUMBER = re.compile(r"[-+]?[\d,.]+\s?(?:%|원|명|개|건|회|₩|\$)?")

Row = tuple[int, list[str]]
"""The number of a row in its sheet, and its cells."""


def add_regions(
    rows: Sequence[Row], writer: BlockWriter, *, sheet: str | None, wide_heads: Iterable[int] = ()
) -> None:
    """Add the rows as tables. An empty row ends a table; lines of one cell above a table are its caption.

    `wide_heads` are rows in which a cell spans columns: a head that begins there has two rows.
    """
    wide = set(wide_heads)
    for first, region in _regions(rows):
        width = max(sum(1 for cell in row if cell) for row in region)
        while width > 1 and region and sum(1 for cell in region[0] if cell) == 1:
            writer.add("paragraph", next(cell for cell in region[0] if cell), sheet=sheet)
            region, first = region[1:], first + 1
        if width == 1:
            writer.add(
                "paragraph", "\n".join(next(cell for cell in row if cell) for row in region), sheet=sheet
            )
        elif region:
            head = _head(region, 2 if first in wide else 1)
            writer.add_table(region, head=head, sheet=sheet, first_row=first)


def _regions(rows: Sequence[Row]) -> Iterator[tuple[int, list[list[str]]]]:
    held: list[list[str]] = []
    first = last = 0
    for number, row in rows:
        if held and (number != last + 1 or not any(row)):
            yield first, held
            held = []
        if any(row):
            first = first if held else number
            held.append(row)
        last = number
    if held:
        yield first, held


def _head(region: Sequence[Sequence[str]], expected: int) -> int:
    """The number of head rows: none where the first row holds figures already."""
    if len(region) < 2:
        return 0
    figures = sum(1 for cell in region[0] if cell and _NUMBER.fullmatch(cell))
    return 0 if figures * 2 > sum(1 for cell in region[0] if cell) else expected


def parse_csv(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read comma-, semicolon- or tab-separated values."""
    text = decoded(content, name=name)
    # The sign that stands equally often in the first lines, most often where several do.
    lines = [line for line in text[:20_000].splitlines()[:20] if line.strip()]
    delimiter = max(",\t;|", key=lambda sign: _evenness([line.count(sign) for line in lines]))
    if delimiter != "\t":
        text = clean(text)
    rows: list[Row] = []
    read = 0
    try:
        for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
            if len(rows) >= MAX_ROWS or read >= MAX_CELLS:
                writer.warn(ROWS, sheet=shown_name(name), rows=f"{len(rows):,}")
                break
            cells = row if delimiter != "\t" else [clean(cell) for cell in row]
            rows.append((len(rows) + 1, [one_line(cell[:LONGEST_CELL]) for cell in cells[:MAX_COLUMNS]]))
            read += max(len(row), 1)
    except csv.Error as error:
        raise refused(name, BROKEN, why=str(error)) from error
    add_regions(rows, writer, sheet=None)
    return Parsed()


def _evenness(counts: Iterable[int]) -> tuple[bool, int]:
    found = list(counts)
    return bool(found) and min(found) > 0, min(found, default=0) * 1_000 + sum(found)
