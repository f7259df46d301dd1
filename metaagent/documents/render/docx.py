"""DOCX by python-docx: styles, native tables, lists and fields, so that the file can be edited like one that a person made.

Every paragraph has a bookmark and every table a description that name their block: that is how an edited file is read back.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, cast

import docx
from docx.document import Document as Docx
from docx.enum.section import WD_ORIENT, WD_SECTION
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor

from metaagent.documents.chart_images import drawn_png, drawn_svg
from metaagent.documents.model import (
    Chart,
    Document,
    Form,
    Heading,
    List,
    PageBreak,
    Paragraph,
    Span,
    Table,
    note_places,
)
from metaagent.documents.render.footnotes import MARK_STYLE, TEXT_STYLE, Footnotes, element, literal
from metaagent.documents.render.layout import fill_marks, opened
from metaagent.documents.render.shared_layout import (
    CONTENTS,
    CONTENTS_FROM,
    NO_ROWS,
    NOTES,
    OPEN,
    chart_size,
    display_width,
    estimated_pages,
    fitted,
    mark,
    rows_of,
    stable_zip,
    turned,
    visible,
    with_marks,
)

ACCENT, SOFT, LINE, SHADE, ALERT = "1F3864", "5F6B7A", "C5CDD8", "EEF2F7", "B42318"
PREFIX = "ma_"
"""Begins the names of our bookmarks and table descriptions."""
LONGEST_BOOKMARK = 40
TITLE, META, NOTE = "title", "meta", "note"
_WIDTH, _WIDTH_WIDE = 9411, 14060
"""Twentieths of a point between the margins, upright and turned."""


def render_docx(document: Document, layout: bytes = b"") -> bytes:
    """The document as DOCX; with a layout, in the company's own Word file."""
    out = io.BytesIO()
    writer = _Writer(
        document, opened(layout) if layout else docx.Document(io.BytesIO(_base(document.language)))
    )
    (writer.in_layout() if layout else writer.written()).save(out)
    return stable_zip(out.getvalue())


@cache
def _base(language: str) -> bytes:
    """An empty file with our styles, made once: looking styles up and changing them takes longer than writing a page."""
    file = docx.Document()
    _styles(file, language)
    _settings(file)
    styles: Any = file.styles.element
    for style in styles.findall(qn("w:style")):
        if style.get(qn("w:type")) == "table" and style.get(qn("w:default")) != "1":
            styles.remove(style)
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def bookmark(name: str) -> str:
    """The name of a block's bookmark: letters, digits and underscores, at most 40, as the format demands."""
    made = PREFIX + "".join(sign if sign.isalnum() else f"_{ord(sign):02x}" for sign in name)
    return made if len(made) <= LONGEST_BOOKMARK else PREFIX + hashlib.sha256(name.encode()).hexdigest()[:32]


class _Writer:
    """Holds the file that is made, and the numbers of bookmarks and lists."""

    def __init__(self, document: Document, file: Docx) -> None:
        self.document = document
        self.file = file
        self._next: Any = file.element.body.sectPr
        self._bookmarks = 0
        self._wide = False
        self._lists: _Numbering | None = None
        self._feet: Footnotes | None = None

    def _with_feet(self) -> None:
        texts = {note.number: note.text for note in self.document.notes}
        self._feet = Footnotes(self.file, texts, note_places(self.document)) if texts else None

    def written(self) -> Docx:
        document = self.document
        _properties(self.file, document)
        _page(self.file, document.title)
        self._lists = _Numbering(self.file)
        self._with_feet()
        self._paragraph(TITLE, [Span(document.title)], "Title")
        if document.meta:
            self._meta()
        headings = [block for block in document.blocks if isinstance(block, Heading)]
        if len(headings) > 1 and estimated_pages(document) >= CONTENTS_FROM:
            self._contents(headings)
        for wide, block in turned(document):
            self._turn(wide)
            self._block(block)
        self._turn(wide=False)
        self._notes()
        return self.file

    def in_layout(self) -> Docx:
        """Fill the marks of a company's own file, and put the sections where it makes room for them."""
        document = self.document
        _properties(self.file, document)
        _styles(self.file, document.language, own=False)
        shown = {
            name: str(each.get("shown", each.get("value", ""))) for name, each in document.fields.items()
        }
        room = fill_marks(self.file, shown | {"title": document.title}, OPEN.say(document.language))
        if room is not None:
            self._next = room
            self._with_feet()
            for block in visible(document):
                self._block(block)
            self._notes()
            room.getparent().remove(room)
        return self.file

    def _turn(self, wide: bool) -> None:
        """A wide table stands on turned pages of its own."""
        if wide == self._wide:
            return
        section = self.file.add_section(WD_SECTION.NEW_PAGE)
        self._next = self.file.element.body.sectPr
        section.orientation = WD_ORIENT.LANDSCAPE if wide else WD_ORIENT.PORTRAIT
        section.page_width, section.page_height = (Mm(297), Mm(210)) if wide else (Mm(210), Mm(297))
        self._wide = wide

    def _block(self, block: Any) -> None:
        match block:
            case Heading():
                self._paragraph(block.id, [Span(block.text)], f"Heading {block.level}")
            case Paragraph():
                self._paragraph(block.id, block.spans, "Body Text")
            case List():
                self._list(block)
            case Form():
                self._form(block)
            case Table():
                self._table(block)
            case Chart():
                self._chart(block)
            case _:
                assert isinstance(block, PageBreak)
                made = self._paragraph(block.id, [], "Body Text")
                made.append(run := element("r"))
                run.append(element("br", type="page"))

    def _list(self, block: List) -> None:
        """Native items; in a company's file, whose numbering is its own, with written signs."""
        number = self._lists.start(ordered=block.ordered) if self._lists else 0
        style = "List Number" if block.ordered else "List Bullet"
        for at, item in enumerate(block.items):
            made = self._paragraph(f"{block.id}:{at}", item.spans, style if number else "Body Text")
            if number:
                head = made.find(qn("w:pPr"))
                head.insert(1, numbering := element("numPr"))
                numbering.append(element("ilvl", val="0"))
                numbering.append(element("numId", val=str(number)))
            else:
                made.insert(1, _run(f"{at + 1}. " if block.ordered else "• "))

    def _paragraph(self, name: str, spans: Sequence[Span], style: str, into: Any = None) -> Any:
        made = element("p")
        made.append(head := element("pPr"))
        head.append(element("pStyle", val=self.file.styles[style].style_id or style))
        self._fill(made, name, spans)
        if into is None:
            if self._next.getprevious() is not None and self._next.getprevious().tag == qn("w:tbl"):
                self._apart(head, style)
            self._put(made)
        else:
            into.append(made)
        return made

    def _apart(self, head: Any, style: str) -> None:
        """Leave room between a table and the text below it: a table has none of its own."""
        if style in ("Body Text", "List Bullet", "List Number"):
            head.append(element("spacing", before="120"))

    def _fill(self, made: Any, name: str, spans: Sequence[Span]) -> None:
        if name:
            self._bookmarks += 1
            made.append(element("bookmarkStart", id=str(self._bookmarks), name=bookmark(name)))
        for span, sign in with_marks(spans):
            made.append(_run(span.text, bold=span.bold, is_open=span.open))
            if sign and self._feet is not None and span.note is not None:
                made.extend(self._feet.mark(span.note))
        if name:
            made.append(element("bookmarkEnd", id=str(self._bookmarks)))

    def _meta(self) -> None:
        pairs = list(self.document.meta.items())
        label = min(2_200, max(1_150, round(200 + 95 * max(display_width(each) for each, _ in pairs))))
        value = _WIDTH // 2 - label
        made = _grid(META, [label, value, label, _WIDTH - 2 * label - value], None)
        for at in range(0, len(pairs), 2):
            made.append(row := _row())
            for label, value in [*pairs[at : at + 2], ("", "")][:2]:
                row.append(_cell(label, "Meta Label"))
                row.append(_cell(value, "Meta Value"))
        self._put(made)

    def _form(self, form: Form) -> None:
        made = _grid(form.id, [1900, _WIDTH - 1900], "all")
        for entry in form.entries:
            made.append(row := _row())
            row.append(_cell(entry.label, "Form Label", fill=SHADE))
            row.append(cell := _cell(None, ""))
            self._paragraph("", entry.spans, "Form Value", into=cell)
        self._put(made)

    def _table(self, table: Table) -> None:
        cells = rows_of(table)
        size, wide, widths = fitted(table, cells)
        whole = _WIDTH_WIDE if wide else _WIDTH
        scaled = [round(width * whole / sum(widths)) for width in widths]
        if table.caption:
            self._keep(self._paragraph(f"{table.id}:caption", [Span(table.caption)], "Caption"))
        made = _grid(table.id, scaled, "lines")
        made.append(head := _row(repeat=True))
        sides = [column.align for column in table.columns]
        for column, side in zip(table.columns, sides, strict=True):
            head.append(_cell(column.label, "Table Head", side=side, fill=ACCENT, size=size))
        for texts in cells:
            made.append(row := _row())
            for text, side in zip(texts, sides, strict=True):
                row.append(_cell(text, "Table Cell", side=side, size=size))
        if not cells:
            made.append(row := _row())
            row.append(
                cell := _cell(NO_ROWS.say(self.document.language), "Table Cell", side="center", size=size)
            )
            cell.find(qn("w:tcPr")).insert(0, element("gridSpan", val=str(len(table.columns))))
        self._put(made)
        self._paragraph(f"{table.id}:note", [Span(table.note)] if table.note else [], "Source")

    def _keep(self, made: Any) -> None:
        made.find(qn("w:pPr")).append(element("keepNext"))

    def _put(self, made: Any) -> None:
        self._next.addprevious(made)

    def _chart(self, chart: Chart) -> None:
        if chart.caption:
            self._keep(self._paragraph(f"{chart.id}:caption", [Span(chart.caption)], "Caption"))
        width, height = chart_size(drawn_svg(chart.spec))
        placed = self.file.add_paragraph()
        self._put(placed._p)  # pyright: ignore[reportPrivateUsage]
        placed.alignment, placed.paragraph_format.keep_with_next = WD_ALIGN_PARAGRAPH.CENTER, True
        shape = placed.add_run().add_picture(io.BytesIO(drawn_png(chart.spec)), Pt(width), Pt(height))
        properties: Any = shape._inline.docPr  # pyright: ignore[reportPrivateUsage]
        properties.set("descr", chart.caption or "chart")
        properties.set("name", bookmark(chart.id))
        self._paragraph(f"{chart.id}:note", [Span(chart.note)] if chart.note else [], "Source")

    def _contents(self, headings: Sequence[Heading]) -> None:
        """A field that the program fills on opening; until then the headings stand in it."""
        self._paragraph("", [Span(CONTENTS.say(self.document.language))], "Contents Head")
        for at, heading in enumerate(headings):
            made = self._paragraph("", [], "Contents Entry")
            if at == 0:
                for part in (
                    element("fldChar", fldCharType="begin", dirty="true"),
                    literal(' TOC \\o "1-2" \\h \\z \\u ', "instrText"),
                    element("fldChar", fldCharType="separate"),
                ):
                    made.append(run := element("r"))
                    run.append(part)
            made.append(_run(heading.text))
            if at == len(headings) - 1:
                made.append(run := element("r"))
                run.append(element("fldChar", fldCharType="end"))

    def _notes(self) -> None:
        """The footnotes, and below the text those that nothing mentions."""
        if self._feet is None:
            return
        self._feet.save()
        rest = [note for note in self.document.notes if note.number not in self._feet.named]
        if not rest:
            return
        places = note_places(self.document)
        self._keep(self._paragraph("", [Span(NOTES.say(self.document.language))], "Contents Head"))
        for note in rest:
            name = f"{NOTE}:{note.number}"
            made = self._paragraph(name, [Span(note.text)], "Source")
            made.insert(1, tab := element("r"))
            tab.append(literal(mark(places[note.number])))
            tab.append(element("tab"))


class _Numbering:
    """List definitions of our own; each ordered list counts from one."""

    def __init__(self, file: Docx) -> None:
        self._part: Any = file.part.numbering_part.element
        for old in list(self._part):
            self._part.remove(old)
        for number, (form, text) in enumerate((("bullet", "•"), ("decimal", "%1."))):
            self._part.append(made := element("abstractNum", abstractNumId=str(number)))
            made.append(element("multiLevelType", val="singleLevel"))
            made.append(level := element("lvl", ilvl="0"))
            level.append(element("start", val="1"))
            level.append(element("numFmt", val=form))
            level.append(element("lvlText", val=text))
            level.append(element("lvlJc", val="left"))
            level.append(head := element("pPr"))
            head.append(element("ind", left="420", hanging="300"))
        self._used = 0

    def start(self, *, ordered: bool) -> int:
        self._used += 1
        self._part.append(made := element("num", numId=str(self._used)))
        made.append(element("abstractNumId", val=str(int(ordered))))
        made.append(override := element("lvlOverride", ilvl="0"))
        override.append(element("startOverride", val="1"))
        return self._used


def _run(text: str, *, bold: bool = False, is_open: bool = False) -> Any:
    made = element("r")
    marks: list[Any] = []
    if bold:
        marks.append(element("b"))
    if is_open:
        marks += [element("color", val=ALERT), element("shd", val="clear", color="auto", fill="FDECEA")]
    if marks:
        made.append(head := element("rPr"))
        for each in marks:
            head.append(each)
    made.append(literal(text))
    return made


def _grid(name: str, widths: Sequence[int], borders: str | None) -> Any:
    made = element("tbl")
    made.append(head := element("tblPr"))
    head.append(element("tblW", w=str(sum(widths)), type="dxa"))
    if borders:
        head.append(lines := element("tblBorders"))
        sides = (
            ("top", "left", "bottom", "right", "insideH", "insideV")
            if borders == "all"
            else ("top", "bottom", "insideH")
        )
        for side in sides:
            lines.append(element(side, val="single", sz="4", space="0", color=LINE))
    head.append(element("tblLayout", type="fixed"))
    head.append(margins := element("tblCellMar"))
    for side, width in (("top", 40), ("left", 90), ("bottom", 40), ("right", 90)):
        margins.append(element(side, w=str(width), type="dxa"))
    head.append(element("tblDescription", val=bookmark(name)))
    made.append(columns := element("tblGrid"))
    for width in widths:
        columns.append(element("gridCol", w=str(width)))
    return made


def _row(*, repeat: bool = False) -> Any:
    made = element("tr")
    made.append(head := element("trPr"))
    head.append(element("cantSplit"))
    if repeat:
        head.append(element("tblHeader"))
    return made


def _cell(text: str | None, style: str, *, side: str = "left", fill: str = "", size: float = 0) -> Any:
    """A cell with one paragraph; without a text the caller puts one in."""
    made = element("tc")
    made.append(head := element("tcPr"))
    if fill:
        head.append(element("shd", val="clear", color="auto", fill=fill))
    head.append(element("vAlign", val="center"))
    if text is None:
        return made
    made.append(paragraph := element("p"))
    paragraph.append(properties := element("pPr"))
    properties.append(element("pStyle", val=style.replace(" ", "")))
    if side != "left":
        properties.append(element("jc", val=side))
    paragraph.append(run := _run(text))
    if size and size != 9.0:
        run.insert(0, marks := element("rPr"))
        marks.append(element("sz", val=str(round(size * 2))))
    return made


def _properties(file: Docx, document: Document) -> None:
    """Title, language and id; no person and no clock."""
    core, moment = file.core_properties, datetime(2000, 1, 1)  # noqa: DTZ001
    core.title, core.identifier, core.language = (
        document.title[:255],
        document.document_id[:255],
        document.language,
    )
    core.author = core.comments = core.last_modified_by = core.keywords = ""
    core.created = core.modified = moment
    core.revision = 1
    relations: Any = cast("Any", file.part.package).rels
    for key in [key for key, each in relations.items() if each.reltype == RELATIONSHIP_TYPE.THUMBNAIL]:
        del relations[key]


def _styles(file: Docx, language: str, *, own: bool = True) -> None:
    """Our styles; in a company's file (`own` is False) only those that it lacks."""
    latin = "맑은 고딕" if language == "ko" else "Calibri"
    known = {style.name for style in file.styles}
    if own:
        normal: Any = file.styles["Normal"]
        _font(normal, latin, 10)
        normal.paragraph_format.space_after, normal.paragraph_format.line_spacing = Pt(0), 1.15
        head: Any = normal.element.get_or_add_pPr()
        for name in ("autoSpaceDE", "autoSpaceDN"):  # 2026년, not 2026 년
            head.insert_element_before(element(name, val="0"), "w:spacing", "w:ind", "w:jc", "w:outlineLvl")
    for name, size, color, before, after in _STYLES:
        if name in known and not own:
            continue
        if name not in known:
            # The library's own way looks at every style for each new one.
            made = element("style", type="paragraph", customStyle="1", styleId=name.replace(" ", ""))
            made.append(element("name", val=name))
            if own:
                made.append(element("basedOn", val="Normal"))
            file.styles.element.append(made)
        bold = name == "Table Head" or name.startswith("Heading")
        _style(file, name, latin, size, color, bold=bold, before=before, after=after, line=name == "Title")
    if MARK_STYLE not in known:
        file.styles.element.append(
            mark_style := element("style", type="character", styleId="FootnoteReference")
        )
        mark_style.append(element("name", val=MARK_STYLE))
        mark_style.append(head := element("rPr"))
        head.append(element("color", val=ACCENT))
        head.append(element("vertAlign", val="superscript"))
    entry: Any = file.styles["Contents Entry"]
    entry.paragraph_format.tab_stops.add_tab_stop(Mm(166), WD_TAB_ALIGNMENT.RIGHT)


_STYLES = (
    ("Title", 20, ACCENT, 0, 6), ("Heading 1", 13.5, ACCENT, 16, 6), ("Heading 2", 11.5, ACCENT, 11, 6),
    ("Heading 3", 10.5, ACCENT, 11, 6), ("Body Text", 10, "", 0, 7), ("List Bullet", 10, "", 0, 4), ("List Number", 10, "", 0, 4),
    ("Caption", 9, SOFT, 8, 4), ("Source", 8, SOFT, 0, 8), ("Meta Label", 9, SOFT, 0, 0), ("Meta Value", 9, "", 0, 0),
    ("Form Label", 9, ACCENT, 0, 0), ("Form Value", 9.5, "", 0, 0), ("Table Head", 9, "FFFFFF", 0, 0),
    ("Table Cell", 9, "", 0, 0), (TEXT_STYLE, 8, SOFT, 0, 2), ("Contents Head", 10.5, ACCENT, 10, 4),
    ("Contents Entry", 9.5, "", 0, 2),
)  # fmt: skip


def _style(
    file: Docx,
    name: str,
    font: str,
    size: float,
    color: str,
    *,
    bold: bool = False,
    before: float = 0,
    after: float = 0,
    line: bool = False,
) -> None:
    style: Any = file.styles[name]
    _font(style, font, size)
    style.font.bold, style.font.italic = bold, False
    if color:
        style.font.color.rgb = RGBColor.from_string(color)
    style.paragraph_format.keep_with_next = name.startswith("Heading") or None
    style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(before), Pt(after)
    head: Any = style.element.get_or_add_pPr()
    for old in (
        head.findall(qn("w:pBdr")) + head.findall(qn("w:numPr")) + head.findall(qn("w:contextualSpacing"))
    ):
        head.remove(old)
    if line:
        border = element("pBdr")
        border.append(element("bottom", val="single", sz="12", space="4", color=ACCENT))
        head.insert_element_before(border, "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:outlineLvl")


def _font(style: Any, name: str, size: float) -> None:
    style.font.name, style.font.size = name, Pt(size)
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for key in list(fonts.attrib):
        del fonts.attrib[key]
    for key in ("ascii", "hAnsi", "cs"):
        fonts.set(qn(f"w:{key}"), name)
    fonts.set(qn("w:eastAsia"), "맑은 고딕")


def _page(file: Docx, title: str) -> None:
    section = file.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(22)
    section.top_margin, section.bottom_margin = Mm(24), Mm(22)
    section.different_first_page_header_footer = True
    head = section.header.paragraphs[0]
    head.add_run(title)
    _small(head)
    for footer in (section.footer, section.first_page_footer):
        line = footer.paragraphs[0]
        line.alignment = WD_ALIGN_PARAGRAPH.CENTER
        for at, field in enumerate(("PAGE", "NUMPAGES")):
            if at:
                line.add_run(" / ")
            made: Any = line._p  # pyright: ignore[reportPrivateUsage]
            made.append(each := element("fldSimple", instr=f" {field} "))
            each.append(_run("1"))
        _small(line)


def _settings(file: Docx) -> None:
    """Lay pages out as today's programs do: tables stand at the margin, and East Asian text is Korean."""
    settings: Any = file.settings.element
    for each in settings.iter(qn("w:compatSetting")):
        if each.get(qn("w:name")) == "compatibilityMode":
            each.set(qn("w:val"), "15")
    for each in settings.iter(qn("w:themeFontLang")):
        each.set(qn("w:eastAsia"), "ko-KR")


def _small(paragraph: Any) -> None:
    for run in paragraph._p.iter(qn("w:r")):
        properties = run.get_or_add_rPr()
        properties.append(element("color", val=SOFT))
        properties.append(element("sz", val="16"))
