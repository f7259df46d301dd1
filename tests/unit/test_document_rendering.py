"""Renderers: every format says the same in the same order, the same bytes each time, and opens in readers of others."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest

from metaagent.documents.chart_images import drawn_svg
from metaagent.documents.files import FORMATS, render, render_files
from metaagent.documents.model import (
    Column,
    Document,
    Entry,
    Form,
    Heading,
    Item,
    List,
    Note,
    PageBreak,
    Paragraph,
    Span,
    Table,
)
from metaagent.documents.render.pdf import drawable
from metaagent.documents.render.shared_layout import TEXT_WIDTH, chart_size
from metaagent.errors import InputRefused
from tests.support.document_lines import chunks
from tests.support.paths import ROOT
from tests.support.written_documents import READERS, chart, document, golden, squeezed, table

GOLDEN = golden()
GRIDS = ROOT / "tests" / "support" / "document_pages.json"
WIDE, HIGH = 21, 30
FEET = ("pdf", "docx", "hwpx")
"""Formats with footnotes."""


def _without_signs(text: str) -> str:
    """Signs that a format adds before items and between a label and its value."""
    return re.sub(r"[•:]", "", text)


def _in_order(expected: list[str], text: str) -> list[str]:
    at, missing = 0, list[str]()
    for each in expected:
        found = text.find(each, at)
        if found < 0:
            missing.append(each)
        else:
            at = found + len(each)
    return missing


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", list(GOLDEN))
def test_every_format_says_the_same_in_order(name: str, form: str) -> None:
    made = GOLDEN[name]
    text = squeezed(READERS[form](render(made, form)))
    said = chunks(made, feet=form in FEET)
    wanted = [squeezed(drawable(each) if form == "pdf" else each) for each in said]
    if form == "xlsx":
        text, wanted = text.replace(",", ""), [each.replace(",", "") for each in wanted if each != "–"]
    assert _in_order([each for each in wanted if each], text) == []


@pytest.mark.parametrize("form", ["pdf", "docx", "hwpx", "md"])
def test_formats_say_nothing_else(form: str) -> None:
    made = GOLDEN["mixed_ko"]
    said = _without_signs(squeezed(READERS[form](render(made, form))))
    wanted = _without_signs(squeezed("".join(chunks(made, feet=form in FEET))))
    lists = [block for block in made.blocks if isinstance(block, List) and block.ordered]
    signs = sum(len(f"{at}.") for each in lists for at in range(1, len(each.items) + 1))
    signs = 0 if form == "docx" else signs + (form == "md")
    assert len(said) == len(wanted) + signs


@pytest.mark.parametrize("word", ["가나 ", "12 ", "1,200 원 ", "\u0317"])
def test_long_paragraph_of_small_pieces_is_rendered(word: str) -> None:
    assert render(document(Paragraph("p", (Span(word * 1_200),))), "pdf").startswith(b"%PDF-")


def test_notes_stand_at_the_foot_of_their_page() -> None:
    made = replace(
        document(
            Paragraph("a", (Span("앞 쪽", note=1), Span(" 다시", note=1))),
            PageBreak("b"),
            Paragraph("c", (Span("뒤 쪽", note=2), Span(" 앞의 것", note=1))),
        ),
        notes=(Note(1, "첫 자료"), Note(2, "둘째 자료")),
    )
    pages = [squeezed(page.extract_text()) for page in pypdf.PdfReader(io.BytesIO(render(made, "pdf"))).pages]
    assert ["첫자료" in page for page in pages] == [True, False]
    assert ["둘째자료" in page for page in pages] == [False, True]
    assert pages[0].count("1)") == 2
    assert pages[1].index("앞의것1)") < pages[1].index("2)둘째자료")


@pytest.mark.parametrize("form", FORMATS)
def test_same_document_gives_the_same_bytes(form: str) -> None:
    assert render(GOLDEN["mixed_ko"], form) == render(GOLDEN["mixed_ko"], form)


def test_structure_is_native_in_docx() -> None:

    made = GOLDEN["mixed_ko"]
    file = docx.Document(io.BytesIO(render(made, "docx")))
    styles = [paragraph.style.name for paragraph in file.paragraphs if paragraph.style]
    headings = [block for block in made.blocks if isinstance(block, Heading)]
    assert [each for each in styles if each and each.startswith("Heading")] == ["Heading 1"] * len(headings)
    assert styles.count("List Number") == 2
    assert styles.count("List Bullet") == 1
    shapes = [(len(each.rows), len(each.columns)) for each in file.tables]
    assert shapes == [(1, 4), (2, 2), (4, 3)]
    assert len(file.inline_shapes) == 1


def test_heads_of_long_tables_repeat() -> None:
    import pypdfium2

    opened = pypdfium2.PdfDocument(render(GOLDEN["many_rows"], "pdf"))
    texts = [opened[at].get_textpage().get_text_bounded() for at in range(len(opened))]
    opened.close()
    assert len(texts) > 2
    assert all("값 1 (원)" in text for text in texts)
    body = zipfile.ZipFile(io.BytesIO(render(GOLDEN["many_rows"], "docx"))).read("word/document.xml")
    assert body.count(b"<w:tblHeader/>") == 1


def test_contents_stand_from_three_pages_on() -> None:

    long, short = (pypdf.PdfReader(io.BytesIO(render(GOLDEN[n], "pdf"))) for n in ("many_pages", "mixed_ko"))
    assert len(long.pages) >= 3
    assert "목차" in long.pages[0].extract_text()
    assert "목차" not in short.pages[0].extract_text()
    assert b"TOC " in zipfile.ZipFile(io.BytesIO(render(GOLDEN["many_pages"], "docx"))).read(
        "word/document.xml"
    )


def test_wide_table_stands_on_a_turned_page() -> None:

    page = pypdf.PdfReader(io.BytesIO(render(GOLDEN["wide"], "pdf"))).pages
    assert any(each.mediabox.width > each.mediabox.height for each in page)


@pytest.mark.parametrize("standard", ["a-2b", "a-2a", "ua-1"])
def test_pdf_standards_are_met(standard: Any) -> None:

    made = render(GOLDEN["mixed_ko"], "pdf", standard=standard)
    root: Any = pypdf.PdfReader(io.BytesIO(made)).trailer["/Root"]
    metadata = root["/Metadata"].get_object().get_data()
    assert (b"pdfuaid:part" if standard == "ua-1" else b"pdfaid:part") in metadata
    if standard != "a-2b":
        assert root["/MarkInfo"]["/Marked"]


def test_fonts_are_embedded_in_the_pdf() -> None:

    page: Any = pypdf.PdfReader(io.BytesIO(render(GOLDEN["mixed_ko"], "pdf"))).pages[0]
    fonts: Any = page["/Resources"]["/Font"]
    names = [fonts[name].get_object()["/BaseFont"] for name in fonts]
    assert names
    assert all("NotoSansKR" in str(name) for name in names)


def test_files_name_no_person_and_no_time() -> None:
    import openpyxl

    made = GOLDEN["mixed_ko"]
    core = docx.Document(io.BytesIO(render(made, "docx"))).core_properties
    assert (core.author, core.last_modified_by, core.comments) == ("", "", "")
    assert core.created is not None
    assert core.created.year == 2000
    book = openpyxl.load_workbook(io.BytesIO(render(made, "xlsx"))).properties
    assert not book.creator or book.creator == "openpyxl"
    archive = zipfile.ZipFile(io.BytesIO(render(made, "hwpx")))
    assert b"synthetic" not in archive.read("Contents/content.hpf")
    for form in ("docx", "xlsx", "hwpx"):
        entries = zipfile.ZipFile(io.BytesIO(render(made, form))).infolist()
        assert {entry.date_time[0] for entry in entries} <= {1980, 2000}


@pytest.mark.thorough
def test_hwpx_passes_the_validator_of_its_library() -> None:
    import hwpx

    for name in ("mixed_ko", "many_rows", "odd_text", "no_rows"):
        report = hwpx.validate_package(render(GOLDEN[name], "hwpx"))
        assert [issue for issue in report.issues if issue.level == "error"] == []


def test_figures_are_numbers_in_xlsx() -> None:
    import openpyxl

    sheet: Any = openpyxl.load_workbook(io.BytesIO(render(document(table(3, 2)), "xlsx"))).active
    values = [cell.value for row in sheet.iter_rows() for cell in row if isinstance(cell.value, int)]
    assert values == [1, 1_000_004, 2_000_007]


@pytest.mark.parametrize(
    "text", ["=1+1", "@SUM(A1)", "{=1+1}", "https://example.org/x", "mailto:a@example.org"]
)
def test_no_text_in_xlsx_is_a_formula_or_a_link(text: str) -> None:
    import openpyxl

    spans = (Span(text, note=1),)
    blocks = (
        Heading("h", text),
        Paragraph("p", (Span(text),)),
        List("l", (Item(spans),)),
        Form("f", (Entry(text, spans),)),
        Table("t", (Column(text),), ((text,),), text, text),
    )
    made = Document("d", text, "en", "plain", "1", meta={text: text}, blocks=blocks, notes=(Note(1, text),))
    sheet: Any = openpyxl.load_workbook(io.BytesIO(render(made, "xlsx"))).active
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert sum(text in str(cell.value) for cell in cells) == 13
    assert {cell.data_type for cell in cells} == {"s"}
    assert not [cell for cell in cells if cell.hyperlink]


def test_libreoffice_opens_the_docx(tmp_path: Path) -> None:
    """In a profile and a group of processes of its own, which end with the test."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("LibreOffice is not installed: the DOCX was not opened in it")
    file = tmp_path / "a.docx"
    file.write_bytes(render(GOLDEN["mixed_ko"], "docx"))
    command = [
        office,
        f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
        "--headless",
        "--convert-to",
        "pdf",
    ]
    with subprocess.Popen(
        [*command, "--outdir", str(tmp_path), str(file)], stdout=subprocess.DEVNULL, start_new_session=True
    ) as running:
        try:
            assert running.wait(timeout=120) == 0
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    text = READERS["pdf"]((tmp_path / "a.pdf").read_bytes())
    assert squeezed(GOLDEN["mixed_ko"].title) in squeezed(text)
    assert "1,000,004" in text


def test_a_heading_goes_with_its_wide_table() -> None:
    made = document(Paragraph("p", (Span("앞"),)), Heading("h", "1. 넓은 표"), table(3, 14))
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(render(made, "pdf"))).pages]
    assert "넓은 표" not in pages[0]
    assert "넓은 표" in pages[1]
    body = docx.Document(io.BytesIO(render(made, "docx"))).element.body
    texts = ["".join(part.text or "" for part in each.iter("{*}t")) for each in body]
    breaks = [at for at, each in enumerate(body) if each.findall(".//{*}sectPr")]
    assert breaks[0] < texts.index("1. 넓은 표") < breaks[1]


@pytest.mark.parametrize("sign", ["𠮷", "😀", "م", "\u05d0", "\U0010ffff"])
def test_missing_glyphs_are_written_as_codes(sign: str) -> None:
    text = READERS["pdf"](render(document(Paragraph("p", (Span(f"앞{sign}뒤"),))), "pdf"))
    assert squeezed(text).endswith(f"앞{drawable(sign)}뒤")
    assert drawable(sign).startswith("[U+") or drawable(sign) == "\ufffd"


def test_huge_and_strange_values_leave_whole_files() -> None:
    strange = [None, float("nan"), float("inf"), True, -1e300, 10**40, "", "x" * 5_000, "가" * 5_000]
    rows = tuple((cell, cell) for cell in strange)
    made = document(
        Table("t", (Column("a"), Column("b", "right", "#,##0")), rows),
        Paragraph("p", (Span("단어" * 100_000),)),
        title="제" * 400,
    )
    for form in FORMATS:
        assert READERS[form](render(made, form))


async def test_one_child_renders_all_formats() -> None:
    made = await render_files(GOLDEN["mixed_ko"], ["pdf", "docx", "md"])
    assert list(made) == ["pdf", "docx", "md"]
    assert made["pdf"].startswith(b"%PDF-")
    with pytest.raises(InputRefused):
        await render_files(GOLDEN["mixed_ko"], ["exe"])


def test_a_chart_cannot_reach_outside() -> None:
    spec = {**chart(), "data": {"url": "http://127.0.0.1/x.csv"}}
    made = Document.from_json({**GOLDEN["charts"].as_json()})
    with pytest.raises(InputRefused):
        render(document(*(b for b in [type(made.blocks[0])("c", spec)])), "pdf")  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_first_pages_look_as_before() -> None:
    """Darkness of the first page by a coarse grid, within a tolerance: a shifted or lost block shows, a new hint does not."""
    known: dict[str, list[int]] = json.loads(GRIDS.read_text())
    for name, made in GOLDEN.items():
        grid = page_grid(render(made, "pdf"))
        apart = sum(abs(a - b) for a, b in zip(grid, known[name], strict=True)) / len(grid)
        assert apart < 4, f"{name}: {apart:.1f}"


def page_grid(content: bytes) -> list[int]:
    import pypdfium2

    opened = pypdfium2.PdfDocument(content)
    picture = opened[0].render(scale=1, grayscale=True).to_pil().resize((WIDE, HIGH))
    opened.close()
    return list(picture.tobytes())


def test_forms_keep_label_and_value_together() -> None:
    made = document(Form("f", ()), Heading("h", "끝"))
    for form in FORMATS:
        assert "끝" in READERS[form](render(made, form))


def test_a_chart_has_one_size_on_paper() -> None:
    made = GOLDEN["charts"]
    spec = chart()
    width, height = chart_size(drawn_svg(spec))
    assert width < TEXT_WIDTH
    assert height < width * 6
    shape = docx.Document(io.BytesIO(render(made, "docx"))).inline_shapes[0]
    assert (round(shape.width.pt), round(shape.height.pt)) == (round(width), round(height))
    wide = {**spec, "width": 4_000, "height": 3_000}
    assert chart_size(drawn_svg(wide))[0] <= TEXT_WIDTH


def test_a_short_list_is_not_divided_between_pages() -> None:
    for filler in range(24, 34):
        text = [Paragraph(f"p{at}", (Span(f"줄 {at}"),)) for at in range(filler)]
        items = tuple(Item((Span(f"항목 {at}"),)) for at in range(4))
        made = render(document(*text, List("l", items)), "pdf")
        pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(made)).pages]
        assert [sum("항목" in line for line in page.splitlines()) for page in pages if "항목" in page] == [4]
