"""Decisions that the renderers share: what stands in which order, column widths, words around the text, files without a clock."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from math import ceil

from metaagent.documents.chart_images import SVG_SIZE
from metaagent.documents.model import (
    Block,
    Chart,
    Document,
    Form,
    Heading,
    List,
    Span,
    Table,
    block_lines,
    shown,
)
from metaagent.errors import Text

MOMENT = (2000, 1, 1, 0, 0, 0)
"""The date of every entry of an archive: the same document gives the same bytes."""
CONTENTS_FROM = 3
"""Pages from which on a document has a table of contents."""
CONTENTS = Text(en="Contents", ko="목차")
NOTES = Text(en="Notes and sources", ko="주석 및 출처")
OPEN = Text(en="to be completed", ko="작성 필요")
"""Stands where a field has no value yet."""
NO_ROWS = Text(en="No rows.", ko="해당 자료가 없습니다.")
_LINES_OF_PAGE = 42
TEXT_WIDTH = 470.0
"""Points between the margins of an upright page."""
_TALLEST, _SCALE = 385.0, 0.72
"""Points of the tallest chart, and the size on paper of a chart that is drawn for a screen."""


def mark(number: int) -> str:
    """The sign behind the words that a note belongs to."""
    return f"{number})"


def with_marks(spans: Sequence[Span]) -> list[tuple[Span, str]]:
    """Each span with the mark to be shown behind it: one for a run of spans that share a note."""
    after = [*(span.note for span in spans), None][1:]
    return [
        (span, mark(span.note) if span.note is not None and span.note != following else "")
        for span, following in zip(spans, after, strict=True)
    ]


def marked(spans: Sequence[Span]) -> str:
    """Running text with its note marks, as it reads in every format."""
    return "".join(span.text + sign for span, sign in with_marks(spans))


def rows_of(table: Table) -> list[list[str]]:
    return [
        [shown(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows
    ]


def display_width(text: str) -> float:
    """The width of a text in halves of a Korean letter."""
    return sum(2.0 if sign >= "\u1100" else 1.25 if sign.isupper() else 1.1 for sign in text)


def column_widths(table: Table, cells: list[list[str]]) -> tuple[list[float], list[float]]:
    """The widths of each column: one that shows everything on one line, and the least that stays readable.

    Figures are never broken; long texts are, so they need no more than WRAPPED.
    """
    wanted: list[float] = []
    least: list[float] = []
    for at, column in enumerate(table.columns):
        widths = [display_width(row[at]) for row in cells] or [0.0]
        head, body = display_width(column.label), max(widths)
        if column.align == "right":
            word = max(map(display_width, column.label.split()), default=0.0)
            need = max(body, min(head, WRAPPED / 2), min(word * BOLDER, WRAPPED))
            wanted.append(max(body, head))
            least.append(need)
        else:
            wanted.append(max(head, body))
            wrapped = WRAPPED if body <= 3 * WRAPPED else 1.5 * WRAPPED
            whole = max((_longest_word(row[at]) for row in cells), default=0.0)
            least.append(max(min(wrapped, max(body, min(head, 8.0))), min(whole, LONGEST_WORD)))
    return wanted, least


_LATIN = re.compile(r"[A-Za-z0-9_.@]{8,}")


def _longest_word(text: str) -> float:
    """The width of the longest run of Latin letters, which no line can break; Korean breaks anywhere."""
    return max((display_width(run) for run in _LATIN.findall(text)), default=0.0)


ROOM, ROOM_WIDE = 94.0, 140.0
"""Halves of a 10 pt letter across an upright and a turned page."""
SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
PADDING = 2.5
BOLDER = 1.2
"""A word of a table's head may be so much wider in the bold letters of another program."""
LONGEST_WORD = 34.0
"""Halves of a letter that a word may claim for itself; a longer one is the only thing that may stick out."""
WRAPPED = 16.0
"""Halves of a letter that a column of text keeps when its texts are broken into lines."""


def shares(table: Table, cells: list[list[str]], room: float) -> list[float]:
    """Divide `room` among the columns: everyone gets what shows its least, then what it wants, then an equal part of the rest."""
    wanted, least = column_widths(table, cells)
    if sum(wanted) + PADDING * len(wanted) <= room:
        rest = (room - sum(wanted) - PADDING * len(wanted)) / max(1, len(wanted))
        return [width + PADDING + rest for width in wanted]
    spare = room - sum(least) - PADDING * len(least)
    lacking = [max(0.0, w - m) for w, m in zip(wanted, least, strict=True)]
    part = max(0.0, spare) / sum(lacking) if sum(lacking) else 0.0
    return [m + PADDING + part * lack for m, lack in zip(least, lacking, strict=True)]


def height_in_lines(table: Table, cells: list[list[str]]) -> int:
    """The lines of a table's body in columns of these shares."""
    size, wide, widths = fitted(table, cells)
    unit = (ROOM_WIDE if wide else ROOM) * 10 / size / sum(widths)
    room = [max(1.0, width * unit - PADDING) for width in widths]
    return sum(
        max((ceil(display_width(cell) / own) for cell, own in zip(row, room, strict=True)), default=1)
        for row in cells
    )


def fitted(table: Table, cells: list[list[str]]) -> tuple[float, bool, list[float]]:
    """The largest size of letters at which the table fits, whether the page is turned for it, and the columns' widths."""
    _, least = column_widths(table, cells)
    needed = sum(least) + PADDING * len(least)
    for wide, room in ((False, ROOM), (True, ROOM_WIDE)):
        for size in SIZES:
            if needed * size / 10 <= room:
                return size, wide, shares(table, cells, room * 10 / size)
    return SIZES[-1], True, shares(table, cells, ROOM_WIDE * 10 / SIZES[-1])


def estimated_pages(document: Document) -> int:
    """A rough count of pages, for formats that are paged by the program that opens them."""
    wide = 88.0
    used = sum(1 + display_width(line) // wide for block in document.blocks for line in block_lines(block))
    cells = sum(
        len(block.rows) * max(0, len(block.columns) - 1)
        for block in document.blocks
        if isinstance(block, Table)
    )
    charts = sum(15 for block in document.blocks if isinstance(block, Chart))
    return int(1 + (used - cells + charts) // _LINES_OF_PAGE)


def chart_size(svg: str) -> tuple[float, float]:
    """Width and height in points: as large as it is drawn, never wider than the text or taller than most of a page."""
    found = SVG_SIZE.search(svg)
    if found is None:
        return TEXT_WIDTH, TEXT_WIDTH / 2
    width, height = float(found[1]), float(found[2])
    scale = min(_SCALE, TEXT_WIDTH / width, _TALLEST / height)
    return width * scale, height * scale


def stable_zip(made: bytes, change: Callable[[str, bytes], bytes] | None = None) -> bytes:
    """The same archive with its entries' times set to MOMENT; `change` may rewrite an entry."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as read, zipfile.ZipFile(out, "w") as written:
        for entry in read.infolist():
            kept = zipfile.ZipInfo(entry.filename, MOMENT)
            kept.compress_type = entry.compress_type
            kept.external_attr = 0o600 << 16
            content = read.read(entry)
            written.writestr(kept, change(entry.filename, content) if change else content)
    return out.getvalue()


def visible(document: Document) -> list[Block]:
    """The blocks that have something to show: no format can hold a table without columns."""

    def empty(block: Block) -> bool:
        match block:
            case Form():
                return not block.entries
            case List():
                return not block.items
            case Table():
                return not block.columns
            case _:
                return False

    return [block for block in document.blocks if not empty(block)]


def turned(document: Document) -> list[tuple[bool, Block]]:
    """The visible blocks, each with whether it stands on a turned page: wide tables, and the headings right before them."""
    made: list[tuple[bool, Block]] = []
    wide = False
    for block in reversed(visible(document)):
        wide = (
            fitted(block, rows_of(block))[1]
            if isinstance(block, Table)
            else wide and isinstance(block, Heading)
        )
        made.insert(0, (wide, block))
    return made
