"""XLSX by xlsxwriter: the document on one sheet, figures as numbers, no cell a formula."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from metaagent.documents.chart_images import drawn_png
from metaagent.documents.export import LONGEST_CELL, MOST_DIGITS, display_width
from metaagent.documents.model import Chart, Document, Form, Heading, List, PageBreak, Paragraph, Table, shown
from metaagent.documents.render.shared_layout import NO_ROWS, NOTES, mark, marked, rows_of, visible

_ACROSS = 8
"""Columns that a paragraph goes across, at least."""
_ROW = 15.5
_UPRIGHT = 110
"""Characters across, from which a sheet is printed on a turned page."""
_LONG = 40
"""Rows of a table, from which its head is printed on every page."""
"""Points of a row. The default of 15 is not written, and programs then take their own."""


def render_xlsx(document: Document) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out, {"in_memory": True}
    )  # text is written as strings alone, whatever it begins with
    book.set_properties({"title": document.title[:255], "created": datetime(2000, 1, 1)})  # noqa: DTZ001
    _Sheet(book, document).write()
    book.close()
    return out.getvalue()


class _Sheet:
    """Holds the formats of the book, which are made once, and the row that is written next."""

    def __init__(self, book: Any, document: Document) -> None:
        self.document = document
        self.page = book.add_worksheet("문서" if document.language == "ko" else "Document")
        self.row = 0
        self._book = book
        self._formats: dict[tuple[tuple[str, Any], ...], Any] = {}
        tables = [block for block in document.blocks if isinstance(block, Table)]
        self.across = max([_ACROSS, *(len(table.columns) for table in tables)])
        self._widths = self._measured(tables)

    def _format(self, **given: Any) -> Any:
        font = "맑은 고딕" if self.document.language == "ko" else "Calibri"
        key = tuple(sorted(given.items()))
        if key not in self._formats:
            made = {"font_name": font, "font_size": 10, "valign": "vcenter", **given}
            self._formats[key] = self._book.add_format(made)
        return self._formats[key]

    def _measured(self, tables: list[Table]) -> list[float]:
        widths = [11.0] * self.across
        for table in tables:
            for at, column in enumerate(table.columns):
                cells = [row[at] for row in rows_of(table)[:1000]]
                widths[at] = max(widths[at], min(44.0, max(map(display_width, [column.label, *cells])) + 2.0))
        return widths

    def write(self) -> None:
        page, document = self.page, self.document
        for at, width in enumerate(self._widths):
            page.set_column(at, at, width)
        page.hide_gridlines(2)
        page.set_paper(9)
        page.fit_to_pages(1, 0)
        if sum(self._widths) > _UPRIGHT:
            page.set_landscape()
        page.set_footer("&C&P / &N")
        self._line(document.title, bold=True, font_size=16, font_color="#1F3864")
        for label, value in document.meta.items():
            self._pair(label, value)
        for block in visible(document):
            self._block(block)
        if document.notes:
            self.row += 1
            self._line(NOTES.say(document.language), bold=True, font_color="#1F3864")
        for note in document.notes:
            self._pair(mark(note.number), note.text)

    def _block(self, block: Any) -> None:
        match block:
            case Heading():
                self.row += 1
                self._line(block.text, bold=True, font_size=14 - block.level, font_color="#1F3864")
            case Paragraph():
                self._line(marked(block.spans), text_wrap=True)
            case List():
                for at, item in enumerate(block.items, 1):
                    self._cell(self.row, 0, f"{at}." if block.ordered else "•", align="right")
                    self._line(marked(item.spans), first=1, text_wrap=True)
            case Form():
                for entry in block.entries:
                    self._pair(entry.label, marked(entry.spans), border=1, border_color="#C5CDD8")
            case Table():
                self._table(block)
            case Chart():
                self._chart(block)
            case _:
                assert isinstance(block, PageBreak)
                self.page.set_h_pagebreaks([self.row])

    def _line(self, text: str, first: int = 0, **style: Any) -> None:
        if text:
            made = self._format(**style)
            self.page.merge_range(self.row, first, self.row, self.across - 1, "", made)
            self.page.write_string(self.row, first, _storable(text), made)
            room = sum(self._widths[first:])
            lines = 1 + int(display_width(text) // room) if style.get("text_wrap") else 1
            self.page.set_row(self.row, max(_ROW, style.get("font_size", 10) * 1.6) * min(lines, 25))
        self.row += 1

    def _pair(self, label: str, value: str, **style: Any) -> None:
        self._cell(self.row, 0, label, bg_color="#EEF2F7", font_color="#1F3864", **style)
        self._line(value or " ", first=1, text_wrap=True, **style)

    def _cell(self, row: int, at: int, text: str, **style: Any) -> None:
        self.page.write_string(row, at, _storable(text), self._format(num_format="@", **style))

    def _table(self, table: Table) -> None:
        self._line(table.caption, font_color="#5F6B7A")
        for at, column in enumerate(table.columns):
            style = {"bold": True, "bg_color": "#1F3864", "font_color": "#FFFFFF", "text_wrap": True}
            self._cell(self.row, at, column.label, align=column.align, **style)
        if len(table.rows) > _LONG:
            self.page.repeat_rows(self.row)
        self.row += 1
        for row in table.rows:
            for at, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
                style: dict[str, Any] = {"align": column.align, "bottom": 1, "bottom_color": "#C5CDD8"}
                if isinstance(cell, int | float) and not isinstance(cell, bool) and abs(cell) < MOST_DIGITS:
                    form = column.format or "General"
                    self.page.write_number(self.row, at, cell, self._format(num_format=form, **style))
                else:
                    text = shown(cell, column)
                    self._cell(self.row, at, text, text_wrap=display_width(text) > self._widths[at], **style)
            self.row += 1
        if not table.rows:
            self._line(NO_ROWS.say(self.document.language), font_color="#5F6B7A")
        self._line(table.note, font_color="#5F6B7A", font_size=8)

    def _chart(self, chart: Chart) -> None:
        self._line(chart.caption, font_color="#5F6B7A")
        picture = drawn_png(chart.spec, scale=2.0)
        height = int.from_bytes(picture[20:24], "big") / 2
        options = {
            "image_data": io.BytesIO(picture),
            "x_scale": 0.5,
            "y_scale": 0.5,
            "description": chart.caption,
        }
        self.page.insert_image(self.row, 0, "chart.png", options)
        for _ in range(int(height // _ROW) + 2):  # 72 dots an inch: as many points as dots
            self.page.set_row(self.row, _ROW)
            self.row += 1
        self._line(chart.note, font_color="#5F6B7A", font_size=8)


def _storable(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
