"""Footnotes: real ones in DOCX and HWPX, counted by the office program, and back from an edited file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import docx
import hwpx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from metaagent.documents.diff import differences
from metaagent.documents.docx_import import read_docx
from metaagent.documents.files import FORMATS, render
from metaagent.documents.model import Document, Entry, Form, Heading, Item, List, Note, Paragraph, Span
from tests.support.written_documents import READERS, document, golden, squeezed

HP = "{http://www.hancom.co.kr/hwpml/2011/paragraph}"


def cited() -> Document:
    """Notes whose numbers have a gap and another order than the text, one named twice and one by nothing."""
    return replace(
        document(
            Paragraph("p", (Span("상한은 10만 원이다.", note=7), Span(" 매출은 3억 원이다.", note=2))),
            List("l", (Item((Span("다시 10만 원", note=7),)),)),
            Form("f", (Entry("칸", (Span("값", note=9),)),)),
        ),
        notes=(
            Note(2, "서울 매출"),
            Note(7, "집행기준, 제3조, p. 4"),
            Note(8, "남은 자료"),
            Note(9, "약사법, p. 12"),
        ),
    )


def part(content: bytes, name: str = "word/footnotes.xml") -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return etree.fromstring(archive.read(name))


def edited(change: Callable[[Any, Any], None], base: Document) -> Document:
    """The document after a change of the body and of the footnotes of its DOCX."""
    file = docx.Document(io.BytesIO(render(base, "docx")))
    feet = next(
        each for each in file.part.rels.values() if each.reltype == RELATIONSHIP_TYPE.FOOTNOTES
    ).target_part
    root = parse_xml(feet.blob)
    change(file.element.body, root)
    feet._blob = etree.tostring(root)  # pyright: ignore[reportPrivateUsage]
    out = io.BytesIO()
    file.save(out)
    return read_docx(out.getvalue(), base)


@pytest.mark.parametrize("form", FORMATS)
def test_notes_are_counted_as_the_text_names_them(form: str) -> None:
    said = squeezed(READERS[form](render(cited(), form)))
    marks = ["상한은10만원이다.1)", "매출은3억원이다.2)", "다시10만원1)", "값3)"]
    places = [said.index(each) for each in marks]
    assert places == sorted(places)
    for mark, text in (
        ("1)", "집행기준,제3조,p.4"),
        ("2)", "서울매출"),
        ("3)", "약사법,p.12"),
        ("4)", "남은자료"),
    ):
        assert mark + text in said


def test_cited_passages_are_footnotes_of_the_office_program() -> None:
    content = render(cited(), "docx")
    body, feet = part(content, "word/document.xml"), part(content)
    assert len(list(body.iter(qn("w:footnoteReference")))) == 3
    again = [str(each.get(qn("w:instr"))) for each in body.iter(qn("w:fldSimple"))]
    (target,) = [each.split()[1] for each in again if "NOTEREF" in each]
    assert target in [each.get(qn("w:name")) for each in body.iter(qn("w:bookmarkStart"))]
    kinds = [each.get(qn("w:type")) for each in feet]
    assert kinds == ["separator", "continuationSeparator", None, None, None]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert b"footnotes+xml" in archive.read("[Content_Types].xml")
        assert b"<w:footnotePr>" in archive.read("word/settings.xml")
    ids = [each.get(qn("w:id")) for root in (body, feet) for each in root.iter(qn("w:bookmarkStart"))]
    assert len(set(ids)) == len(ids)


def test_cited_passages_are_footnotes_of_hangul() -> None:
    content = render(cited(), "hwpx")
    notes = list(part(content, "Contents/section0.xml").iter(f"{HP}footNote"))
    assert [(each.get("number"), each.get("suffixChar")) for each in notes] == [
        ("1", "41"),
        ("2", "41"),
        ("3", "41"),
    ]
    for note in notes:
        assert note.getparent().tag == f"{HP}ctrl"
        (auto,) = note.iter(f"{HP}autoNum")
        assert (auto.get("num"), auto.get("numType")) == (note.get("number"), "FOOTNOTE")
    assert [issue for issue in hwpx.validate_package(content).issues if issue.level == "error"] == []
    assert len(hwpx.HwpxDocument.open(io.BytesIO(content)).sections) == 1


def test_document_without_notes_has_no_footnotes() -> None:
    with zipfile.ZipFile(io.BytesIO(render(golden()["narrow"], "docx"))) as archive:
        assert "word/footnotes.xml" not in archive.namelist()


def test_a_file_that_nobody_changed_comes_back_as_it_was() -> None:
    for base in (cited(), golden()["mixed_ko"]):
        assert differences(base, read_docx(render(base, "docx"), base)) == []


def test_an_edited_footnote_is_one_difference() -> None:
    def change(_: Any, feet: Any) -> None:
        text = next(each for each in feet.iter(qn("w:t")) if "집행기준" in str(each.text))
        text.text = " 집행기준, 제4조, p. 5"

    (found,) = differences(cited(), edited(change, cited()))
    assert (found.block, found.after) == ("notes", "집행기준, 제4조, p. 5")


def test_a_footnote_of_the_editors_is_kept() -> None:
    def change(body: Any, feet: Any) -> None:
        note = parse_xml(
            f'<w:footnote {nsdecls("w")} w:id="77"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>내 근거</w:t></w:r></w:p></w:footnote>'
        )
        feet.append(note)
        (value,) = [
            each
            for each in body.iter(qn("w:p"))
            if "값" in "".join(t.text or "" for t in each.iter(qn("w:t")))
        ]
        run = OxmlElement("w:r")
        run.append(mark := OxmlElement("w:footnoteReference"))
        mark.set(qn("w:id"), "77")
        value.append(run)

    made = edited(change, cited())
    assert made.notes[-1] == Note(10, "내 근거")


def test_a_note_goes_with_its_last_mention() -> None:
    def change(body: Any, _: Any) -> None:
        (gone,) = [
            each
            for each in body.iter(qn("w:p"))
            if "매출은" in "".join(t.text or "" for t in each.iter(qn("w:t")))
        ]
        gone.getparent().remove(gone)

    made = edited(change, cited())
    assert [note.number for note in made.notes] == [7, 8, 9], "7 is named again elsewhere"


def test_fields_inside_a_paragraph_do_not_swallow_it() -> None:
    """Office programs write a reference or a date as a field of several runs when they save."""
    base = replace(
        document(
            Heading("h", "1. 절"),
            Paragraph("p", (Span("하나", note=1),)),
            Paragraph("q", (Span("둘", note=1),)),
        ),
        notes=(Note(1, "자료"),),
    )

    def change(body: Any, _: Any) -> None:
        (simple,) = [
            each for each in body.iter(qn("w:fldSimple")) if "NOTEREF" in str(each.get(qn("w:instr")))
        ]
        runs = f"""<w:p {nsdecls("w")}><w:r><w:fldChar w:fldCharType="begin"/></w:r>
            <w:r><w:instrText>{simple.get(qn("w:instr"))}</w:instrText></w:r>
            <w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r>
            <w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>"""
        for run in list(parse_xml(runs)):
            simple.addprevious(run)
        simple.getparent().remove(simple)

    assert differences(base, edited(change, base)) == []


def test_contents_that_the_program_filled_are_not_text() -> None:
    base = golden()["many_pages"]
    file = docx.Document(io.BytesIO(render(base, "docx")))
    body: Any = file.element.body
    entries = [each for each in body.iter(qn("w:p")) if any(True for _ in each.iter(qn("w:fldChar")))]
    inner = f"""<w:p {nsdecls("w")}><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGEREF x </w:instrText></w:r>
        <w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>3</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>"""
    for run in list(parse_xml(inner)):
        entries[0].append(run)
    out = io.BytesIO()
    file.save(out)
    assert differences(base, read_docx(out.getvalue(), base)) == []


def test_footnotes_of_a_company_file_stay_beside_ours() -> None:
    company = io.BytesIO(render(replace(cited(), document_id=""), "docx"))
    file = docx.Document(company)
    for element in list(file.element.body)[:-1]:
        if "상한은" not in "".join(each.text or "" for each in element.iter(qn("w:t"))):
            file.element.body.remove(element)
    file.add_paragraph("{{sections}}")
    out = io.BytesIO()
    file.save(out)
    made = render(golden()["mixed_ko"], "docx", layout=out.getvalue())
    feet = part(made)
    ids = [each.get(qn("w:id")) for each in feet]
    assert len(set(ids)) == len(ids) == 2 + 3 + 2
    named = [each.get(qn("w:id")) for each in part(made, "word/document.xml").iter(qn("w:footnoteReference"))]
    assert len(named) == len(set(named)) == 2 + 2
    assert set(named) <= set(ids)
