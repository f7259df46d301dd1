"""PDF: text in reading order, columns one after the other, without headers and footers, tables as rows.

pdfium gives the lines of text with their boxes and the lines that are drawn. Pages that are only pictures are named in a
warning: text in pictures is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ctypes import byref, c_double, c_float
from dataclasses import replace
from itertools import pairwise
from typing import Any

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line, refused
from metaagent.knowledge.parsing.archive import BROKEN, ENCRYPTED
from metaagent.knowledge.parsing.pdf_layout import (
    HYPHEN,
    Line,
    Paragraph,
    Style,
    in_reading_order,
    paragraphs,
    style_of,
    without_running_lines,
)
from metaagent.knowledge.parsing.pdf_tables import Point, RuledTable, Rules, ruled_tables

MAX_PAGES = 5_000
Matrix = tuple[float, float, float, float, float, float]
_LINE = re.compile(f"[^\n{HYPHEN}]+{HYPHEN}?")
_WRONG_PASSWORD = 4
_LARGEST_LETTER = 400.0
_FEW_LETTERS = 5
_PICTURES = Text(
    en="Page(s) {pages} are only pictures; their text was not read.",
    ko="{pages}쪽은 그림으로만 되어 있어 글을 읽지 못했습니다.",
)
_ALL_PICTURES = Text(
    en="{name}: all {count} page(s) are pictures, as a scan is; text in pictures is not read.",
    ko="{name}: 스캔처럼 {count}쪽 모두 그림으로만 되어 있습니다. 그림 속 글은 읽지 않습니다.",
)
_UNREADABLE = Text(
    en="Page(s) {pages} are broken and were not read.", ko="{pages}쪽은 손상되어 읽지 못했습니다."
)
_CUT = Text(
    en="Only the first {limit} of {count} pages were read.", ko="{count}쪽 중 처음 {limit}쪽만 읽었습니다."
)
_SCRIPTS = Text(
    en="It holds scripts. They were not run.", ko="스크립트가 들어 있습니다. 실행하지 않았습니다."
)
_EMBEDDED = Text(
    en="It holds {count} embedded file(s). They were not opened.",
    ko="다른 파일 {count}개가 들어 있습니다. 열지 않았습니다.",
)


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read a PDF file."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    try:
        document: Any = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        reason = ENCRYPTED if raw.FPDF_GetLastError() == _WRONG_PASSWORD else BROKEN
        raise refused(name, reason, why="PDF") from error
    try:
        if raw.FPDFDoc_GetJavaScriptActionCount(document) > 0:
            writer.warn(_SCRIPTS)
        if (count := document.count_attachments()) > 0:
            writer.warn(_EMBEDDED, count=count)
        pages = _Pages(document, raw)
        pages.read(min(len(document), MAX_PAGES))
        if len(document) > MAX_PAGES:
            writer.warn(_CUT, limit=MAX_PAGES, count=len(document))
        title = one_line(clean(document.get_metadata_value("Title") or ""))
    finally:
        document.close()
    if pages.pictures and not any(pages.lines):
        raise refused(name, _ALL_PICTURES, count=len(pages.pictures))
    if pages.pictures:
        writer.warn(_PICTURES, pages=_numbers(pages.pictures))
    if pages.broken:
        writer.warn(_UNREADABLE, pages=_numbers(pages.broken))
    style = _write(pages, writer)
    # The first heading of the largest size, if it stands on the first page.
    headings = (block.text for block in writer.blocks[:12] if block.kind == "heading" and block.level == 1)
    return Parsed((next(headings, "") if style.headings else "") or title)


def _numbers(pages: Sequence[int]) -> str:
    shown = ", ".join(str(number + 1) for number in pages[:20])
    return shown if len(pages) <= 20 else f"{shown} …({len(pages)})"


class _Pages:
    """The lines of all pages, and which pages are pictures, broken, or have ruled lines."""

    def __init__(self, document: Any, raw: Any) -> None:
        self._document = document
        self._raw = raw
        self.lines: list[list[Line]] = []
        self.heights: list[float] = []
        self.pictures: list[int] = []
        self.broken: list[int] = []

    def read(self, count: int) -> None:
        for number in range(count):
            try:
                page = self._document[number]
            except Exception as error:
                if type(error).__name__ != "PdfiumError":
                    raise
                self.broken.append(number)
                self._add([], 0.0)
                continue
            self._page(page, number)
            page.close()

    def _add(self, lines: list[Line], height: float) -> None:
        self.lines.append(lines)
        self.heights.append(height)

    def _page(self, page: Any, number: int) -> None:
        textpage = page.get_textpage()
        _, bottom, _, top = page.get_bbox()
        reader = _TextPage(self._raw, textpage.raw, number, bottom)
        lines = list(reader.lines())
        textpage.close()
        self._add(lines, top - bottom)
        drawing = _Drawing(self._raw)
        drawing.read(page)
        if sum(len(line.text.strip()) for line in lines) < _FEW_LETTERS and drawing.pictures:
            self.pictures.append(number)
        for table in ruled_tables(drawing.rules):
            self._put_table(number, table, bottom)

    def _put_table(self, number: int, table: RuledTable, origin: float) -> None:
        """Put a table in place of the lines that stand within it."""
        table = replace(table, ys=tuple(y - origin for y in table.ys))
        inside = [line for line in self.lines[number] if table.holds(line)]
        rows = table.rows(inside)
        if sum(1 for row in rows if sum(map(bool, row)) > 1) < 2:
            return  # a box round some text, or a drawing
        left, bottom, right, top = table.box
        self.lines[number] = [line for line in self.lines[number] if not table.holds(line)]
        self.lines[number].append(
            Line("", left, bottom=bottom, right=right, top=top, size=inside[0].size, page=number, rows=rows)
        )


class _Drawing:
    """The straight lines and the number of pictures of one page."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._left = 20_000
        self.rules = Rules()
        self.pictures = 0

    def read(self, page: Any) -> None:
        raw = self._raw
        for index in range(raw.FPDFPage_CountObjects(page)):
            self._object(raw.FPDFPage_GetObject(page, index), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), 0)

    def _object(self, found: Any, outer: Matrix, depth: int) -> None:
        raw = self._raw
        self._left -= 1
        if self._left < 0:
            return
        kind = raw.FPDFPageObj_GetType(found)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            self.pictures += 1
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            self._path(found, _combined(self._matrix(found), outer))
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < 4:
            matrix = _combined(self._matrix(found), outer)
            for index in range(raw.FPDFFormObj_CountObjects(found)):
                self._object(raw.FPDFFormObj_GetObject(found, index), matrix, depth + 1)

    def _matrix(self, found: Any) -> Matrix:
        matrix = self._raw.FS_MATRIX()
        self._raw.FPDFPageObj_GetMatrix(found, byref(matrix))
        return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f

    def _path(self, path: Any, matrix: Matrix) -> None:
        """Add the straight stretches of a path."""
        raw = self._raw
        x, y = c_float(), c_float()
        first: Point | None = None
        last: Point | None = None
        for index in range(min(raw.FPDFPath_CountSegments(path), 2_000)):
            segment = raw.FPDFPath_GetPathSegment(path, index)
            raw.FPDFPathSegment_GetPoint(segment, byref(x), byref(y))
            point = _moved((x.value, y.value), matrix)
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind == raw.FPDF_SEGMENT_LINETO and last:
                self.rules.add(last, point)
            first = point if kind == raw.FPDF_SEGMENT_MOVETO else first
            if first and raw.FPDFPathSegment_GetClose(segment):
                self.rules.add(point, first)
            last = point


def _moved(point: Point, matrix: Matrix) -> Point:
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


def _combined(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that moves a point by the inner one, then by the outer one."""
    a, b, c, d, e, f = inner
    left, top = _moved((e, f), outer)
    return (
        outer[0] * a + outer[2] * b,
        outer[1] * a + outer[3] * b,
        outer[0] * c + outer[2] * d,
        outer[1] * c + outer[3] * d,
        left,
        top,
    )


class _TextPage:
    """The lines of one page as pdfium breaks them, with their boxes."""

    def __init__(self, raw: Any, textpage: Any, number: int, origin: float) -> None:
        self._raw = raw
        self._page = textpage
        self._number = number
        self._origin = origin

    def lines(self) -> Iterator[Line]:
        raw, page = self._raw, self._page
        letters = "".join(
            _letter(raw.FPDFText_GetUnicode(page, at)) for at in range(max(raw.FPDFText_CountChars(page), 0))
        )
        for found in _LINE.finditer(letters):
            if found[0].strip():
                yield from self._line(found[0], found.start())

    def _line(self, text: str, at: int) -> Iterator[Line]:
        boxes = self._boxes(at, len(text))
        size = self._size(at, text)
        if any(right[0] - left[2] > size for left, right in pairwise(boxes)):
            yield from self._pieces(text, at, size)
        elif boxes:
            first = boxes[0]
            left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
            bottom = min(box[1] for box in boxes)
            yield self._made(self._with_note_mark(text, at, size), (left, bottom, right, first[3]), size)

    def _pieces(self, text: str, at: int, size: float) -> Iterator[Line]:
        """Cut a line where a gap is too wide for a space between words."""
        held = ""
        box: tuple[float, float, float, float] | None = None
        for offset, letter in enumerate(text):
            found = self._boxes(at + offset, 1)
            if not found or letter.isspace():
                held += letter
                continue
            one = found[0]
            if box and one[0] - box[2] > 0.9 * size:
                yield self._made(held.strip(), box, size)
                held, box = "", None
            held += letter
            box = (
                (min(box[0], one[0]), min(box[1], one[1]), max(box[2], one[2]), max(box[3], one[3]))
                if box
                else one
            )
        if box and held.strip():
            yield self._made(held.strip(), box, size)

    def _made(self, text: str, box: tuple[float, float, float, float], size: float) -> Line:
        text = clean(text) + (HYPHEN if text.endswith(HYPHEN) else "")
        return Line(
            text,
            box[0],
            bottom=box[1] - self._origin,
            right=box[2],
            top=box[3] - self._origin,
            size=size,
            page=self._number,
        )

    def _boxes(self, at: int, count: int) -> list[tuple[float, float, float, float]]:
        """Boxes of the letters: left, bottom, right, top."""
        raw = self._raw
        left, top, right, bottom = c_double(), c_double(), c_double(), c_double()
        return [
            (left.value, bottom.value, right.value, top.value)
            for index in range(max(raw.FPDFText_CountRects(self._page, at, count), 0))
            if raw.FPDFText_GetRect(self._page, index, byref(left), byref(top), byref(right), byref(bottom))
        ]

    def _size(self, at: int, text: str) -> float:
        """The size of the letters, taken in the middle: marks at the ends of a line are often of another font."""
        letters = [offset for offset, letter in enumerate(text) if not letter.isspace()]
        size = float(self._raw.FPDFText_GetFontSize(self._page, at + letters[len(letters) // 2]))
        if size <= 1.5:  # some writers scale a font of size 1 by the matrix
            size = max((box[3] - box[1] for box in self._boxes(at, len(text))), default=10.0)
        return min(size, _LARGEST_LETTER)

    def _with_note_mark(self, text: str, at: int, size: float) -> str:
        """Put a small number at the end of a line, the mark of a footnote, into brackets."""
        stripped = text.rstrip()
        mark = re.search(r"(?<=\D)(\d{1,2})$", stripped)
        if mark is None or float(self._raw.FPDFText_GetFontSize(self._page, at + mark.start())) > 0.8 * size:
            return text
        return f"{stripped[: mark.start()]}[{mark[1]}]{text[len(stripped) :]}"


def _letter(code: int) -> str:
    """One character for each of pdfium's, so that offsets agree."""
    if code == 0x0D:
        return "\n"
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code <= 0xDFFF else " "


def _write(pages: _Pages, writer: BlockWriter) -> Style:
    style = style_of(line for lines in pages.lines for line in lines)
    kept = without_running_lines(pages.lines, pages.heights, style)
    open_table: Paragraph | None = None
    for number, lines in enumerate(kept):
        found = paragraphs(in_reading_order(lines), style, pages.heights[number])
        if found and open_table and _goes_on(open_table, found[0]):
            found[0].rows.insert(0, open_table.rows[0])
        for paragraph in found:
            _add(paragraph, number + 1, writer)
        open_table = found[-1] if found and found[-1].kind == "table" else None
        if writer.full:
            break
    return style


def _goes_on(table: Paragraph, other: Paragraph) -> bool:
    """Say whether a table at the top of a page continues the one at the end of the page before and lacks its head."""
    if other.kind != "table" or len(table.rows[0]) != len(other.rows[0]):
        return False
    same = [abs(one - two) < 3 for one, two in zip(table.across, other.across, strict=True)]
    return all(same) and table.rows[0] != other.rows[0]


def _add(paragraph: Paragraph, page: int, writer: BlockWriter) -> None:
    if paragraph.kind == "table":
        writer.add_table(paragraph.rows, head=1, page=page)
    else:
        writer.add(paragraph.kind, paragraph.text, level=paragraph.level, page=page)
