"""HWPX for 한글: python-hwpx keeps styles, pictures and the archive; paragraphs and tables are written as XML of their own,
because setting the cells of a long table one by one takes minutes there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from metaagent.documents.chart_images import drawn_png, drawn_svg
from metaagent.documents.model import Chart, Document, Form, Heading, List, PageBreak, Paragraph, Span, Table
from metaagent.documents.render.shared_layout import (
    NO_ROWS,
    NOTES,
    chart_size,
    fitted,
    mark,
    rows_of,
    stable_zip,
    visible,
    with_marks,
)

ACCENT, SOFT, LINE, SHADE, OPEN = "#1F3864", "#5F6B7A", "#C5CDD8", "#EEF2F7", "#B42318"
Runs = Sequence[tuple[Any, str]]
"""Pieces of text, or the element of a footnote, with the id of their style."""
_HP = "{http://www.hancom.co.kr/hwpml/2011/paragraph}"
_WIDTH = 47_000
"""Hundredths of a point between the margins."""
_LINE_HEIGHT = 1_500
_NOTE_IDS = 10_000
_SUB_LIST = {
    "id": "", "textDirection": "HORIZONTAL", "lineWrap": "BREAK", "vertAlign": "CENTER", "linkListIDRef": "0",
    "linkListNextIDRef": "0", "textWidth": "0", "textHeight": "0", "hasTextRef": "0", "hasNumRef": "0",
}  # fmt: skip
_RANDOM_ID = re.compile(rb'\b(id|instid|idRef)="(\d{5,})"')
_PERSON_OR_CLOCK = re.compile(
    rb'(<opf:meta name="(?:creator|lastsaveby|CreatedDate|ModifiedDate|date)" content="text")>[^<]*</opf:meta>'
)


def render_hwpx(document: Document) -> bytes:
    return stable_zip(_Writer(document).written(), _anonymous)


def _anonymous(name: str, content: bytes) -> bytes:
    """Take out the random ids, the people and the times that the library writes."""
    if name.endswith("content.hpf"):
        return _PERSON_OR_CLOCK.sub(rb"\1/>", content)
    if name.startswith("Contents/"):
        known: dict[bytes, int] = {}
        return _RANDOM_ID.sub(
            lambda found: b'%s="%d"' % (found[1], known.setdefault(found[2], len(known) + 1)), content
        )
    return content


class _Writer:
    """Holds the file that is made and its styles."""

    def __init__(self, document: Document) -> None:
        from hwpx import HwpxDocument

        self.document = document
        self.file: Any = HwpxDocument.new()
        self.body: Any = self.file.sections[0].element
        self._sample: Any = self.file.add_paragraph("", inherit_style=False)
        self._notes = {note.number: note.text for note in document.notes}
        """Notes that were not named yet."""
        self.style = cache(self._style)
        self.shape = cache(self._shape)
        self.border = cache(self._border)

    def _style(
        self, size: float = 10, color: str = "#1B1F24", bold: bool = False, raised: bool = False
    ) -> str:
        return self.file.styles.ensure_run(
            size=size, color=color, bold=bold, script="sup" if raised else None
        )

    def _shape(
        self,
        side: str = "LEFT",
        before: float = 0,
        after: float = 5,
        keep: bool = False,
        line: bool = False,
        indent: float = 0,
    ) -> str:
        """The id of a paragraph format, made on a sample paragraph."""
        self._sample.para_pr_id_ref = "0"
        self.file.styles.apply_paragraph_format(
            paragraphs=[self._sample],
            alignment=side,
            spacing_before_pt=before,
            spacing_after_pt=after,
            line_spacing_percent=150,
            keep_with_next=keep,
            indent_left_mm=indent,
            bottom_border=line,
            border_color=ACCENT,
        )
        return str(self._sample.para_pr_id_ref)

    def _border(self, fill: str = "") -> str:
        return str(self.file.styles.ensure_border_fill(border_color=LINE, fill_color=fill or None))

    def written(self) -> bytes:
        document = self.document
        self.file.page.set_margins(left=6236, right=6236, top=5668, bottom=4252)
        self._paragraph([(document.title, self.style(20, ACCENT))], self.shape(after=8, line=True))
        if document.meta:
            soft, plain = self.style(9, SOFT), self.style(9)
            self._pairs([([(k, soft)], [(v, plain)]) for k, v in document.meta.items()])
        for block in visible(document):
            self._block(block)
        if self._notes:  # those that nothing mentions
            head = [(NOTES.say(document.language), self.style(9, ACCENT))]
            self._paragraph(head, self.shape(before=14, after=4, keep=True))
        for number, text in self._notes.items():
            self._paragraph([(f"{mark(number)} {text}", self.style(8, SOFT))], self.shape(after=3))
        self._sample.remove()
        self.file.page.set_page_number(format="page")
        self.file.sections[0].mark_dirty()
        return self.file.to_bytes()

    def _paragraph(self, runs: Runs, shape: str) -> None:
        # The first paragraph of a new file holds the settings of its section.
        if len(self.body) == 2 and self._sample.element is self.body[1]:
            first = self.body[0]
            first.set("paraPrIDRef", shape)
            _append_runs(first, runs)
        else:
            self.body.append(_paragraph(runs, shape))

    def _runs(self, spans: Sequence[Span]) -> Runs:
        made: list[tuple[str, str]] = []
        for span, sign in with_marks(spans):
            made.append((span.text, self.style(10, OPEN) if span.open else self.style(10, bold=span.bold)))
            if sign and span.note is not None and span.note in self._notes:
                made.append((self._footnote(span.note, self._notes.pop(span.note)), self.style(10)))
            elif sign:
                made.append((sign, self.style(10, ACCENT, raised=True)))
        return made

    def _footnote(self, number: int, text: str) -> Any:
        """A note as 한글 writes one: a control in the text, whose paragraph begins with a number that is counted."""
        made = etree.Element(f"{_HP}ctrl")
        marks = {"number": str(number), "suffixChar": str(ord(")")), "instId": str(_NOTE_IDS + number)}
        note = etree.SubElement(made, f"{_HP}footNote", marks)
        small = self.style(8, SOFT)
        body = _paragraph([(f" {text}", small)], self.shape(after=0))
        inside = etree.SubElement(note, f"{_HP}subList", _SUB_LIST | {"vertAlign": "TOP"})
        inside.append(body)
        counted = etree.Element(f"{_HP}ctrl")
        body[0].insert(0, counted)
        auto = etree.SubElement(counted, f"{_HP}autoNum", {"num": str(number), "numType": "FOOTNOTE"})
        shape = {"type": "DIGIT", "userChar": "", "prefixChar": "", "suffixChar": ")", "supscript": "0"}
        etree.SubElement(auto, f"{_HP}autoNumFormat", shape)
        return made

    def _block(self, block: Any) -> None:
        match block:
            case Heading():
                size = {1: 13.5, 2: 11.5, 3: 10.5}[block.level]
                self._paragraph(
                    [(block.text, self.style(size, ACCENT, bold=True))], self.shape(before=12, keep=True)
                )
            case Paragraph():
                self._paragraph(self._runs(block.spans), self.shape())
            case List():
                for at, item in enumerate(block.items, 1):
                    sign = f"{at}. " if block.ordered else "• "
                    runs = [(sign, self.style(10, ACCENT)), *self._runs(item.spans)]
                    self._paragraph(runs, self.shape(after=3, indent=3))
            case Form():
                label = self.style(9, ACCENT)
                self._pairs([([(e.label, label)], self._runs(e.spans)) for e in block.entries])
            case Table():
                self._table(block)
            case Chart():
                self._chart(block)
            case _:
                assert isinstance(block, PageBreak)
                self.body.append(made := _paragraph([], self.shape()))
                made.set("pageBreak", "1")

    def _pairs(self, rows: Sequence[tuple[Runs, Runs]]) -> None:
        left = self.shape(after=0)
        shaded, plain = self.border(SHADE), self.border()
        cells = [[(label, left, shaded), (value, left, plain)] for label, value in rows]
        self._grid([9_000, _WIDTH - 9_000], cells, heads=0)

    def _table(self, table: Table) -> None:
        texts = rows_of(table)
        size, _, widths = fitted(table, texts)
        if table.caption:
            self._paragraph([(table.caption, self.style(9, SOFT))], self.shape(before=6, after=3, keep=True))
        sides = [self.shape(side=column.align.upper(), after=0) for column in table.columns]
        head, plain = self.style(size, "#FFFFFF", bold=True), self.style(size)
        filled, border = self.border(ACCENT), self.border()
        labels = [([(c.label, head)], side, filled) for c, side in zip(table.columns, sides, strict=True)]
        rows = [[([(t, plain)], side, border) for t, side in zip(row, sides, strict=True)] for row in texts]
        scaled = [round(width * _WIDTH / sum(widths)) for width in widths]
        self._grid(scaled, [labels, *rows], heads=1)
        if not rows:
            self._paragraph(
                [(NO_ROWS.say(self.document.language), self.style(9, SOFT))], self.shape(side="CENTER")
            )
        self._paragraph([(table.note, self.style(8, SOFT))] if table.note else [], self.shape(after=8))

    def _grid(
        self, widths: Sequence[int], rows: Sequence[Sequence[tuple[Runs, str, str]]], heads: int
    ) -> None:
        """A table: the library makes one row of it, the others are written here."""
        made = self.file.add_table(1, len(widths), width=sum(widths), border_fill_id_ref=self.border())
        table = made.element
        table.set("rowCnt", str(len(rows)))
        table.set("repeatHeader", str(heads))
        table.find(f"{_HP}sz").set("height", str(_LINE_HEIGHT * len(rows)))
        table.remove(table.find(f"{_HP}tr"))
        for at, row in enumerate(rows):
            line = etree.SubElement(table, f"{_HP}tr")
            for column, ((runs, side, border), width) in enumerate(zip(row, widths, strict=True)):
                line.append(_cell(runs, side, border, (column, at), width, header=at < heads))

    def _chart(self, chart: Chart) -> None:
        if chart.caption:
            self._paragraph([(chart.caption, self.style(9, SOFT))], self.shape(before=6, after=3, keep=True))
        width, _ = chart_size(drawn_svg(chart.spec))
        self.file.add_picture(drawn_png(chart.spec), "png", width_mm=width * 25.4 / 72)
        self._paragraph([(chart.note, self.style(8, SOFT))] if chart.note else [], self.shape(after=8))


def _paragraph(runs: Runs, shape: str) -> Any:
    marks = {
        "paraPrIDRef": shape,
        "styleIDRef": "0",
        "pageBreak": "0",
        "columnBreak": "0",
        "merged": "0",
        "id": "0",
    }
    made = etree.Element(f"{_HP}p", marks)
    _append_runs(made, runs or [("", "0")])
    return made


def _append_runs(made: Any, runs: Runs) -> None:
    for text, style in runs:
        run = etree.SubElement(made, f"{_HP}run", {"charPrIDRef": style})
        if isinstance(text, str):
            etree.SubElement(run, f"{_HP}t").text = text
        else:
            run.append(text)
            etree.SubElement(run, f"{_HP}t")


def _cell(runs: Runs, side: str, border: str, place: tuple[int, int], width: int, *, header: bool) -> Any:
    fixed = {
        "name": "",
        "hasMargin": "0",
        "protect": "0",
        "editable": "0",
        "dirty": "0",
        "borderFillIDRef": border,
    }
    made = etree.Element(f"{_HP}tc", fixed | {"header": str(int(header))})
    etree.SubElement(made, f"{_HP}subList", _SUB_LIST | {"vertAlign": "CENTER"}).append(
        _paragraph(runs, side)
    )
    etree.SubElement(made, f"{_HP}cellAddr", {"colAddr": str(place[0]), "rowAddr": str(place[1])})
    etree.SubElement(made, f"{_HP}cellSpan", {"colSpan": "1", "rowSpan": "1"})
    etree.SubElement(made, f"{_HP}cellSz", {"width": str(width), "height": str(_LINE_HEIGHT)})
    margins = {"left": "510", "right": "510", "top": "141", "bottom": "141"}
    etree.SubElement(made, f"{_HP}cellMargin", margins)
    return made
