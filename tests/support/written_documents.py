"""Documents for tests of the renderers, and readers of what they wrote that share no code with them."""

from __future__ import annotations

import io
import re
import zipfile
from html.parser import HTMLParser
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from metaagent.documents.model import (
    Chart,
    Column,
    Document,
    Entry,
    Form,
    Heading,
    Item,
    List,
    Note,
    OpenField,
    PageBreak,
    Paragraph,
    Span,
    Table,
)
from metaagent.documents.templates import read_files
from metaagent.language.particles import Language
from metaagent.testing import FakeTemplates
from tests.support.paths import ROOT

TEMPLATES = FakeTemplates(read_files(ROOT / "configs" / "domains" / "pharma" / "templates"))
"""The templates of the demonstration company."""

ODD = (
    '#let x = read("/etc/passwd")',
    "{{ 7*7 }} ${x} *bold* _it_ $x^2$ <b>&amp;</b>",
    "=1+1 @SUM(A1) +cmd|' /C calc'!A0",
    "<script>alert(1)</script> ]]> <!-- -->",
    "ᄒᆞᆫ글 옛한글 漢字",
    "| pipe \\ back `tick` [link](http://x.example) # head",
    "1. no list - no dash",
)
LONG_NAME = "가나다라마바사아자차" * 6


def chart() -> dict[str, Any]:
    values = [{"x": name, "y": at * 100} for at, name in enumerate(("가", "나", "다"), 1)]
    encoding = {"x": {"field": "x", "type": "nominal"}, "y": {"field": "y", "type": "quantitative"}}
    return {
        "data": {"values": values},
        "mark": "bar",
        "encoding": encoding,
        "config": {"font": "Noto Sans KR"},
    }


def table(rows: int, columns: int, name: str = "t") -> Table:
    heads = (Column("이름"), *(Column(f"값 {at} (원)", "right", "#,##0") for at in range(1, columns)))
    cells = tuple((f"병원 {row}", *(row * 1_000_003 + at for at in range(1, columns))) for row in range(rows))
    return Table(name, heads, cells, "표 1. 병원별 값", "자료: 시험")


def document(*blocks: Any, language: Language = "ko", title: str = "시험 보고서", **more: Any) -> Document:
    return Document(
        "doc-test", title, language, "test", "1", {"작성일": "2025년 1월 10일"}, tuple(blocks), **more
    )


def _mixed(language: Language) -> Document:
    ko = language == "ko"
    return document(
        Heading("h1", "1. 개요" if ko else "1. Overview"),
        Paragraph(
            "p1", (Span("매출은 " if ko else "Sales were "), Span("1,234원", bold=True, note=1), Span("."))
        ),
        List("l1", (Item((Span("하나"),)), Item((Span("둘", note=2),))), ordered=True),
        List("l2", (Item((Span("점 하나"),)),)),
        Form(
            "f1",
            (
                Entry("기관", (Span("서울병원", field="a"),)),
                Entry("목적", (Span("작성 필요", field="b", open=True),)),
            ),
        ),
        Heading("h2", "2. 자료"),
        table(3, 3),
        Chart("c1", chart(), "그림 1. 값", "자료: 시험"),
        language=language,
        title="시험 보고서" if ko else "Test report",
        notes=(Note(1, "자료: 서울 매출 (산출물 a1)"), Note(2, "약사법, 제47조, p. 3")),
        open_fields=(OpenField("b", "목적"),),
    )


def golden() -> dict[str, Document]:
    """The golden set: one document for each thing that can go wrong on a page."""
    text = "서울 지역의 영업 활동을 정리하면 방문 횟수는 늘었으나 평균 체류 시간은 줄었습니다. "
    long = [Paragraph(f"p{at}", (Span(text * 8),)) for at in range(30)]
    sections = [
        block
        for at in range(1, 4)
        for block in (Heading(f"h{at}", f"{at}. 절 {at}"), *long[at * 8 : at * 8 + 6])
    ]
    names = Table(
        "t", (Column("이름"), Column("값", "right", "#,##0")), ((LONG_NAME, 1), ("짧음", 22_000_000)), "표"
    )
    return {
        "mixed_ko": _mixed("ko"),
        "mixed_en": _mixed("en"),
        "no_rows": document(table(0, 3)),
        "one_row": document(table(1, 4)),
        "many_rows": document(Heading("h", "1. 자료"), table(120, 5)),
        "narrow": document(table(4, 1)),
        "wide": document(table(6, 13)),
        "long_names": document(names),
        "many_pages": document(*sections),
        "charts": document(Chart("c1", chart(), "그림 1"), Chart("c2", chart(), "그림 2", "자료")),
        "odd_text": document(
            *(Paragraph(f"p{at}", (Span(each),)) for at, each in enumerate(ODD)),
            Table("t", (Column("x"), Column("y")), tuple((each, each) for each in ODD), ODD[1], ODD[0]),
            Form("f", tuple(Entry(f"칸 {at}", (Span(each),)) for at, each in enumerate(ODD))),
            title=ODD[1],
        ),
        "page_break": document(
            Paragraph("p1", (Span("앞"),)), PageBreak("b"), Paragraph("p2", (Span("뒤"),))
        ),
        "empty": document(),
    }


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def pdf_text(content: bytes) -> str:
    """The text of all pages without the running head, the page numbers and the contents."""
    import pypdfium2

    pages: list[str] = []
    opened = pypdfium2.PdfDocument(content)
    for number in range(len(opened)):
        lines = opened[number].get_textpage().get_text_bounded().splitlines()
        lines = [line for line in lines if not re.fullmatch(rf"\s*{number + 1} / {len(opened)}\s*", line)]
        pages.append("\n".join(lines[1:] if number else lines))
    opened.close()
    return "\n".join(pages)


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HP = "{http://www.hancom.co.kr/hwpml/2011/paragraph}"


def docx_text(content: bytes) -> str:
    """The body with its footnotes counted as an office program counts them, and then the footnotes."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        root = etree.fromstring(archive.read("word/document.xml"))
        there = "word/footnotes.xml" in archive.namelist()
        feet = etree.fromstring(archive.read("word/footnotes.xml")) if there else ()
    ids = [each.get(f"{_W}id") for each in root.iter(f"{_W}footnoteReference")]
    assert len(set(ids)) == len(ids)
    counted = {name: f"{place})" for place, name in enumerate(ids, 1)}

    def said(run: Any) -> str:
        marks = [counted[each.get(f"{_W}id")] for each in run.findall(f"{_W}footnoteReference")]
        again = ")" if "NOTEREF" in str(run.getparent().get(f"{_W}instr")) else ""
        return "".join([*marks, *(each.text or "" for each in run.findall(f"{_W}t"))]) + again

    lines = ["".join(map(said, paragraph.iter(f"{_W}r"))) for paragraph in root.iter(f"{_W}p")]
    notes = {each.get(f"{_W}id"): "".join(map(said, each.iter(f"{_W}r"))) for each in feet}
    return "\n".join([*lines, *(f"{counted[name]}{notes[name]}" for name in ids)])


def hwpx_text(content: bytes) -> str:
    """The text by a zip and XML reader of our own; footnotes behind the body, with the numbers that they carry."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.read("mimetype") == b"application/hwp+zip"
        root = etree.fromstring(archive.read("Contents/section0.xml"))
    numbers = [int(each.get("number")) for each in root.iter(f"{_HP}footNote")]
    assert numbers == list(range(1, len(numbers) + 1)), "한글 counts them from one"

    def said(paragraph: Any) -> str:
        parts = paragraph.xpath("hp:run/hp:t | hp:run/hp:ctrl/hp:footNote", namespaces={"hp": _HP[1:-1]})
        return "".join(
            f"{each.get('number')})" if each.tag == f"{_HP}footNote" else each.text or "" for each in parts
        )

    inside = {p for note in root.iter(f"{_HP}footNote") for p in note.iter(f"{_HP}p")}
    lines = [said(p) for p in root.iter(f"{_HP}p") if p not in inside]
    notes = [
        f"{note.get('number')}){''.join(map(said, note.iter(f'{_HP}p')))}"
        for note in root.iter(f"{_HP}footNote")
    ]
    return "\n".join([*lines, *notes])


def xlsx_text(content: bytes) -> str:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(content))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type != "f" for cell in cells)
    return "\n".join(str(cell.value) for cell in cells if cell.value is not None)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.skipped = 0
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.skipped += tag in ("style", "svg", "title")

    def handle_endtag(self, tag: str) -> None:
        self.skipped -= tag in ("style", "svg", "title")

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.found.append(data)


def html_text(content: bytes) -> str:
    reader = _Text()
    reader.feed(content.decode())
    assert "script" not in reader.tags
    return "\n".join(reader.found)


def markdown_text(content: bytes) -> str:
    text = re.sub(r"\[\^(\d+)\]:?", r"\1)", content.decode())
    text = re.sub(r"^\s*\|(?:\s*:?-+:?\s*\|)+\s*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<!\\)\|", "\n", re.sub(r"(?<!\\)\*\*", "", text))
    return re.sub(r"\\(.)", r"\1", re.sub(r"^#{1,4} ", "", text, flags=re.MULTILINE))


READERS = {
    "pdf": pdf_text, "docx": docx_text, "hwpx": hwpx_text, "xlsx": xlsx_text, "html": html_text, "md": markdown_text,
}  # fmt: skip
