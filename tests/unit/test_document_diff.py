"""Differences by paragraph and cell, and the way back from an edited DOCX: exactly the edits that were made."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn

from metaagent.documents.diff import Change, differences
from metaagent.documents.docx_import import import_docx, read_docx
from metaagent.documents.files import render
from metaagent.documents.model import (
    Column,
    Document,
    Entry,
    Form,
    Heading,
    Item,
    List,
    Note,
    OpenField,
    Paragraph,
    Span,
    Table,
)
from metaagent.documents.render.docx import bookmark
from metaagent.errors import InputRefused
from tests.support.written_documents import ODD, golden

WORDS = ("새로운", "문장", "매출", "Seoul", "3월", "<b>&", "=1+1", "漢字", "10,000원", "{{x}}")


def base() -> Document:
    rows = tuple((f"병원 {at}", at * 1000, at / 10) for at in range(12))
    columns = (Column("이름"), Column("매출 (원)", "right", "#,##0"), Column("비중", "right", "0.0%"))
    blocks: list[Any] = [
        Heading("one", "1. 개요"),
        *(
            Paragraph(f"one.{at}", (Span(f"문단 {at}의 첫 문장. "), Span("둘째 1,000원.", note=1)))
            for at in range(8)
        ),
        List("one.list", tuple(Item((Span(f"항목 {at}"),)) for at in range(6))),
        Heading("two", "2. 자료"),
        Form("two.form", tuple(Entry(f"칸 {at}", (Span(f"값 {at}", field=f"f{at}"),)) for at in range(5))),
        Table("two.table", columns, rows, "표 1. 병원", "자료: 시험"),
        Paragraph("two.last", (Span("끝."),)),
    ]
    return Document(
        "doc-1",
        "보고서",
        "ko",
        "t",
        "1",
        {"작성일": "오늘", "기간": "12월"},
        tuple(blocks),
        (Note(1, "자료"),),
    )


def edited(content: bytes, change: Callable[[Any], None]) -> bytes:
    file = docx.Document(io.BytesIO(content))
    change(file.element.body)
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def paragraph(body: Any, name: str) -> Any:
    return next(
        p
        for p in body.iter(qn("w:p"))
        for b in p.iter(qn("w:bookmarkStart"))
        if b.get(qn("w:name")) == bookmark(name)
    )


def grid(body: Any, name: str) -> Any:
    return next(
        t
        for t in body.iter(qn("w:tbl"))
        if t.find(f"{qn('w:tblPr')}/{qn('w:tblDescription')}").get(qn("w:val")) == bookmark(name)
    )


def say(element: Any, text: str) -> None:
    """Write over a paragraph or cell, as a person does who selects its text and types."""
    texts = list(element.iter(qn("w:t")))
    for at, each in enumerate(texts):
        each.text = text if at == 0 else ""
        each.set(qn("xml:space"), "preserve")


class Editor:
    """Makes the same random edit in the file and in the model."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.model = base()
        self.steps: list[Callable[[Any], None]] = []
        self.touched: set[str] = set()

    def text(self) -> str:
        return (
            " ".join(self.random.choices(WORDS, k=self.random.randint(1, 5))) + f" {self.random.random():.6f}"
        )

    def edit(self) -> None:
        self.random.choice(
            [self.paragraph, self.cell, self.entry, self.item, self.delete, self.insert, self.row]
        )()

    def replay(self, body: Any) -> None:
        for step in self.steps:
            step(body)

    def _free(self, name: str) -> bool:
        if name in self.touched:
            return False
        self.touched.add(name)
        return True

    def paragraph(self) -> None:
        name, text = f"one.{self.random.randrange(8)}", self.text()
        if self._free(name):
            self.model = self.model.with_block(Paragraph(name, (Span(text),)))
            self.steps.append(lambda body: say(paragraph(body, name), text))

    def cell(self) -> None:
        if not self._free("table"):
            return
        row, text = self.random.randrange(12), self.text()
        table = self.model.block("two.table")
        assert isinstance(table, Table)
        rows = [list(each) for each in table.rows]
        number = self.random.randrange(10**6)
        rows[row][0], rows[row][1] = text, number
        self.model = self.model.with_block(replace(table, rows=tuple(map(tuple, rows))))

        def change(body: Any) -> None:
            cells = grid(body, "two.table").findall(qn("w:tr"))[row + 1].findall(qn("w:tc"))
            say(cells[0], text)
            say(cells[1], f"{number:,}")

        self.steps.append(change)

    def entry(self) -> None:
        at, text = self.random.randrange(5), self.text()
        if not self._free(f"entry {at}"):
            return
        form = self.model.block("two.form")
        assert isinstance(form, Form)
        entries = list(form.entries)
        entries[at] = Entry(entries[at].label, (Span(text, field=f"f{at}"),))
        self.model = self.model.with_block(replace(form, entries=tuple(entries)))
        self.steps.append(
            lambda body: say(grid(body, "two.form").findall(qn("w:tr"))[at].findall(qn("w:tc"))[1], text)
        )

    def item(self) -> None:
        at, text = self.random.randrange(6), self.text()
        if not self._free("list"):
            return
        found = self.model.block("one.list")
        assert isinstance(found, List)
        items = list(found.items)
        items[at] = Item((Span(text),))
        self.model = self.model.with_block(replace(found, items=tuple(items)))
        self.steps.append(lambda body: say(paragraph(body, f"one.list:{at}"), text))

    def delete(self) -> None:
        name = f"one.{self.random.randrange(8)}"
        if self._free(name):
            self.model = replace(self.model, blocks=tuple(b for b in self.model.blocks if b.id != name))

            def change(body: Any) -> None:
                element = paragraph(body, name)
                element.getparent().remove(element)

            self.steps.append(change)

    def insert(self) -> None:
        if not self._free("insert"):
            return
        text = self.text()
        blocks = list(self.model.blocks)
        at = next(n for n, block in enumerate(blocks) if block.id == "two.last")
        blocks.insert(at, Paragraph("added.1", (Span(text),)))
        self.model = replace(self.model, blocks=tuple(blocks))

        def change(body: Any) -> None:
            last = paragraph(body, "two.last")
            new = deepcopy(last)
            for each in [*new.iter(qn("w:bookmarkStart")), *new.iter(qn("w:bookmarkEnd"))]:
                each.getparent().remove(each)
            say(new, text)
            last.addprevious(new)

        self.steps.append(change)

    def row(self) -> None:
        if not self._free("table"):
            return
        at = self.random.randrange(12)
        table = self.model.block("two.table")
        assert isinstance(table, Table)
        self.model = self.model.with_block(replace(table, rows=table.rows[:at] + table.rows[at + 1 :]))

        def change(body: Any) -> None:
            rows = grid(body, "two.table").findall(qn("w:tr"))
            rows[at + 1].getparent().remove(rows[at + 1])

        self.steps.append(change)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(50))
def test_random_edits_come_back_as_these_differences(seed: int) -> None:
    editor = Editor(seed)
    for _ in range(1 + seed % 4):
        editor.edit()
    content = edited(render(base(), "docx"), editor.replay)
    wanted = differences(base(), editor.model)
    assert wanted
    assert differences(base(), read_docx(content, base())) == wanted


@pytest.mark.thorough
@pytest.mark.parametrize("name", list(golden()))
def test_an_unedited_file_comes_back_without_differences(name: str) -> None:
    made = golden()[name]
    assert differences(made, read_docx(render(made, "docx"), made)) == []


async def test_import_runs_in_a_child() -> None:
    assert (await import_docx(render(base(), "docx"), base())).as_json() == base().as_json()


def test_a_filled_field_is_open_no_longer() -> None:
    form = Form("f", (Entry("목적", (Span("작성 필요", field="purpose", open=True),)),))
    made = replace(base(), blocks=(form,), open_fields=(OpenField("purpose", "목적"),), notes=())
    content = edited(
        render(made, "docx"),
        lambda body: say(grid(body, "f").find(qn("w:tr")).findall(qn("w:tc"))[1], "교육"),
    )
    back = read_docx(content, made)
    assert back.open_fields == ()
    assert back.fields["purpose"]["value"] == "교육"


def test_hidden_and_deleted_text_does_not_come_back() -> None:
    def change(body: Any) -> None:
        element = paragraph(body, "two.last")
        hidden = deepcopy(element.find(qn("w:r")))
        head = hidden.makeelement(qn("w:rPr"), {})
        head.append(hidden.makeelement(qn("w:vanish"), {}))
        hidden.insert(0, head)
        hidden.find(qn("w:t")).text = "숨긴 글"
        element.append(hidden)

    content = edited(render(base(), "docx"), change)
    assert differences(base(), read_docx(content, base())) == []


def test_a_file_of_another_document_is_refused() -> None:
    other = replace(base(), document_id="doc-2")
    with pytest.raises(InputRefused, match="doc-2"):
        read_docx(render(other, "docx"), base())


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", b"%PDF-1.7"])
def test_what_is_no_docx_is_refused(content: bytes) -> None:
    with pytest.raises(InputRefused):
        read_docx(content, base())


def test_changes_say_where_they_are() -> None:
    table = base().block("two.table")
    assert isinstance(table, Table)
    rows = [*table.rows[:3], ("병원 3", 9_999, 0.3), *table.rows[4:]]
    later = base().with_block(replace(table, rows=tuple(rows)))
    (cell,) = differences(base(), later)
    assert cell == Change("changed", "two.table", "row 4, 매출 (원)", "3,000", "9,999")
    assert cell.say("ko").endswith(", 표, 4행, 매출 (원): 3,000 → 9,999")
    later = base().with_block(Paragraph("one.2", (Span(ODD[0]),)))
    (change,) = differences(base(), later)
    assert (change.kind, change.block, change.after) == ("changed", "one.2", ODD[0])
    assert change.say("en") == f"~ 1. 개요, paragraph 3: {change.before} → {ODD[0]}"


@pytest.mark.parametrize(
    ("block", "place", "en", "ko"),
    [
        ("s.0", "text", "", ""),
        ("t.1", "row 3, Sales", "row 3, Sales", "3행, Sales"),
        ("notes", "1", "note 1", "주석 1"),
        ("l.2", "4", "item 4", "4번 항목"),
        ("t.1:head", "2", "heading of column 2", "2열 제목"),
        ("c.1", "chart", "chart", "차트"),
        ("document", "title", "title", "제목"),
        ("document", "author", "author", "author"),
    ],
)
def test_place_of_a_change_is_said_to_a_reader(block: str, place: str, en: str, ko: str):
    change = Change("changed", block, place, "a", "b")
    assert (change.where("en"), change.where("ko")) == (en, ko)
