"""The way back: an exported DOCX that a person edited becomes a new version of the document that it was made from.

Blocks are known by the bookmarks and table descriptions that the export wrote. What is missing was deleted; what has none
was added. Comments, hidden text and deleted runs of tracked changes are left out.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

import orjson
from docx.oxml.ns import qn

from metaagent.child import Limits, call
from metaagent.documents.model import (
    Block,
    Cell,
    Chart,
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
    checked,
    clean,
    shown,
    spans,
    with_notes,
)
from metaagent.documents.render.docx import META, NOTE, PREFIX, TITLE, bookmark
from metaagent.documents.render.footnotes import Footmarks, referred
from metaagent.documents.render.layout import BadLayout, opened
from metaagent.documents.render.shared_layout import NO_ROWS, NOTES, OPEN, mark, marked
from metaagent.errors import InputRefused, Text

LIMITS = Limits(seconds=60.0, memory_mb=1024, result_mb=64)
_UNREADABLE = Text(
    en="The file cannot be read as a DOCX: {why}. Export the document again and edit that.",
    ko="DOCX로 읽을 수 없습니다: {why}. 문서를 다시 내보내 고치세요.",
)
_OTHER = Text(
    en="The file was made from the document {found!r}, not from {wanted!r}: import it there.",
    ko="이 파일은 {wanted!r}이(가) 아니라 {found!r} 문서에서 나왔습니다. 그 문서로 가져오세요.",
)
_MARK = re.compile(r"(\d{1,4})\)")


async def import_docx(content: bytes, base: Document) -> Document:
    """The edited file as a document, read in a child process."""
    asked = {"base": base.as_json(), "content": base64.b64encode(content).decode()}
    made = await call(read_in_child, orjson.dumps(asked), what="import", limits=LIMITS)
    return Document.from_json(orjson.loads(made))


def read_in_child(asked: bytes) -> bytes:
    data = orjson.loads(asked)
    made = read_docx(base64.b64decode(data["content"]), Document.from_json(data["base"]))
    return orjson.dumps(made.as_json())


def read_docx(content: bytes, base: Document) -> Document:
    """The document that the file says now, with the ids of `base`."""
    try:
        file = opened(content)
    except BadLayout as error:
        raise InputRefused(_UNREADABLE.fixed(why=error.why)) from error
    found = file.core_properties.identifier
    if found and found != base.document_id:
        raise InputRefused(_OTHER, found=found, wanted=base.document_id)
    free = max((note.number for note in base.notes), default=0) + 1
    return _Reading(base, Footmarks.of(file, free)).document(file.element.body)


@dataclass
class _Seen:
    """One paragraph of the file."""

    text: str
    pieces: tuple[tuple[str, bool, bool], ...]
    """Text, bold, and whether it is the mark of a note."""
    name: str
    style: str


@dataclass
class _Reading:
    """Holds the base, and what was read of the file so far."""

    base: Document
    feet: Footmarks
    title: str = ""
    meta: dict[str, str] = field(default_factory=dict[str, str])
    blocks: list[Block] = field(default_factory=list[Block])
    notes: dict[int, str] = field(default_factory=dict[int, str])
    changed: dict[str, str] = field(default_factory=dict[str, str])
    added: int = 0

    def __post_init__(self) -> None:
        self.known: dict[str, tuple[str, ...]] = {bookmark(TITLE): (TITLE,), bookmark(META): (META,)}
        for block in self.base.blocks:
            self.known[bookmark(block.id)] = ("block", block.id)
            for part in ("caption", "note"):
                self.known[bookmark(f"{block.id}:{part}")] = (part, block.id)
            if isinstance(block, List):
                for at in range(len(block.items)):
                    self.known[bookmark(f"{block.id}:{at}")] = ("item", block.id, str(at))
        for note in self.base.notes:
            self.known[bookmark(f"{NOTE}:{note.number}")] = ("endnote", str(note.number))
        self.old = {block.id: block for block in self.base.blocks}

    def document(self, body: Any) -> Document:
        charts: dict[str, dict[str, str]] = {}
        contents = _Contents()
        for element in body:
            if element.tag == qn("w:tbl"):
                self._table(element)
            elif element.tag == qn("w:p") and not contents.hold(element):
                self._paragraph(element, charts)
        for at, block in enumerate(self.blocks):
            if isinstance(block, Table | Chart):
                said = charts.get(block.id, {})
                self.blocks[at] = replace(block, caption=said.get("caption", ""), note=said.get("note", ""))
        return self._made()

    def _made(self) -> Document:
        base = self.base
        fields = {
            name: {**each, "value": self.changed[name], "shown": self.changed[name], "source": "edit"}
            if name in self.changed
            else each
            for name, each in base.fields.items()
        }
        new = {
            n: {"value": v, "shown": v, "source": "edit"} for n, v in self.changed.items() if n not in fields
        }
        self._footnotes()
        made = replace(
            base,
            title=self.title or base.title,
            meta=self.meta if self.meta or not base.meta else base.meta,
            blocks=tuple(self.blocks),
            notes=tuple(Note(number, text) for number, text in sorted(self.notes.items())),
            fields={**fields, **new},
        )
        numbers = {note.number: note.number for note in made.notes}
        made = replace(made, blocks=tuple(with_notes(block, numbers) for block in made.blocks))
        still = {span.field for span in spans(made) if span.open}
        return checked(replace(made, open_fields=tuple(o for o in base.open_fields if o.name in still)))

    def _footnotes(self) -> None:
        """The texts of the notes that the text mentions; as they were, where only a reference to one was left."""
        before = {note.number: note.text for note in self.base.notes}
        made = Document("", "", self.base.language, "", "", blocks=tuple(self.blocks))
        for number in {span.note for span in spans(made) if span.note is not None}:
            text = self.feet.texts.get(number) or before.get(number, "")
            if text and number not in self.notes:
                self.notes[number] = text

    def _paragraph(self, element: Any, charts: dict[str, dict[str, str]]) -> None:
        seen = _seen(element, self.feet)
        picture = _picture(element)
        if picture:
            found = self.known.get(picture)
            old = self.old.get(found[1]) if found and found[0] == "block" else None
            if isinstance(old, Chart):
                self.blocks.append(old)
            return
        place = self.known.get(seen.name)
        if place is None:
            self._added(seen)
        elif place[0] == TITLE:
            self.title = seen.text
        elif place[0] == "endnote":
            text = re.sub(r"^\d{1,4}\)\s*", "", seen.text)
            if text:
                self.notes[int(place[1])] = text
        elif place[0] in ("caption", "note"):
            charts.setdefault(place[1], {})[place[0]] = seen.text
        elif place[0] == "item":
            self._item(place[1], int(place[2]), seen)
        else:
            self._block(self.old[place[1]], seen)

    def _block(self, old: Block, seen: _Seen) -> None:
        if isinstance(old, PageBreak):
            self.blocks.append(old)
        elif not seen.text:
            return
        elif isinstance(old, Heading):
            self.blocks.append(replace(old, text=seen.text))
        elif isinstance(old, Paragraph):
            self.blocks.append(replace(old, spans=self._spans(old.spans, seen)))

    def _item(self, block_id: str, at: int, seen: _Seen) -> None:
        old = self.old[block_id]
        assert isinstance(old, List)
        if not seen.text:
            return
        item = Item(self._spans(old.items[at].spans, seen))
        last = self.blocks[-1] if self.blocks else None
        if isinstance(last, List) and last.id == block_id:
            self.blocks[-1] = replace(last, items=(*last.items, item))
        else:
            self.blocks.append(replace(old, items=(item,)))

    def _added(self, seen: _Seen) -> None:
        """A paragraph that the export did not write."""
        if (
            not seen.text
            or seen.text == NOTES.say(self.base.language)
            or seen.style.startswith(("Contents", "TOC"))
        ):
            return
        last = self.blocks[-1] if self.blocks else None
        if seen.style.startswith("List") and isinstance(last, List):
            self.blocks[-1] = replace(last, items=(*last.items, Item(self._spans((), seen))))
            return
        self.added += 1
        name = f"added.{self.added}"
        while name in self.old:
            self.added += 1
            name = f"added.{self.added}"
        if seen.style.startswith("Heading"):
            level = int(seen.style[-1]) if seen.style[-1:] in "123" else 1
            self.blocks.append(Heading(name, seen.text, level))
        else:
            self.blocks.append(Paragraph(name, self._spans((), seen)))

    def _spans(self, old: Sequence[Span], seen: _Seen) -> tuple[Span, ...]:
        """The old spans where the text is the same; else the runs of the file, each with what is known of its text."""
        if marked(old) == seen.text:
            return tuple(old)
        known = {span.text: span for span in old}
        made: list[Span] = []
        for text, bold, is_mark in seen.pieces:
            note = _MARK.fullmatch(text) if is_mark else None
            if note and made:
                made[-1] = replace(made[-1], note=int(note[1]))
            elif text in known:
                made.append(replace(known[text], note=None))
            else:
                made.append(Span(text, bold=bold))
        self._refilled(old, made)
        return tuple(made)

    def _refilled(self, old: Sequence[Span], made: list[Span]) -> None:
        """A field that stands alone keeps its name when its value is edited."""
        named = [span.field for span in old if span.field]
        if len(old) == 1 and named and len(made) >= 1 and not any(span.field for span in made):
            text = "".join(span.text for span in made)
            made[:] = [Span(text, field=named[0], open=text == OPEN.say(self.base.language))]
            self.changed[named[0]] = text

    def _table(self, element: Any) -> None:
        rows = [
            [_cell(cell, self.feet) for cell in row.iter(qn("w:tc"))] for row in element.findall(qn("w:tr"))
        ]
        description = element.find(f"{qn('w:tblPr')}/{qn('w:tblDescription')}")
        name = description.get(qn("w:val")) if description is not None else ""
        place = self.known.get(name)
        texts = [[seen.text for seen in row] for row in rows]
        if place == (META,):
            cells = [text for row in texts for text in row]
            self.meta = {k: v for k, v in zip(cells[::2], cells[1::2], strict=False) if k}
        elif isinstance(old := self.old.get(place[-1]) if place else None, Form):
            self._form(old, rows)
        elif isinstance(old, Table):
            self.blocks.append(_table(old, texts, self.base.language))
        elif texts:
            self.added += 1
            head, width = texts[0], max(map(len, texts))
            columns = tuple(Column(head[at] if at < len(head) else "") for at in range(width))
            body = tuple((*row, *[""] * (width - len(row))) for row in texts[1:])
            self.blocks.append(Table(f"added.table{self.added}", columns, body))

    def _form(self, old: Form, rows: Sequence[Sequence[_Seen]]) -> None:
        by_label = {entry.label: entry for entry in old.entries}
        entries: list[Entry] = []
        for at, row in enumerate(rows):
            label = row[0].text if row else ""
            known = by_label.get(label) or (old.entries[at] if len(rows) == len(old.entries) else None)
            if label and len(row) > 1:
                entries.append(Entry(label, self._spans(known.spans if known else (), row[1])))
        if entries:
            self.blocks.append(replace(old, entries=tuple(entries)))


def _table(old: Table, texts: Sequence[Sequence[str]], language: str) -> Table:
    """Cells whose text is the same keep their value; another text is a number where the column holds numbers."""
    head = list(texts[0]) if texts else [column.label for column in old.columns]
    columns = tuple(
        replace(old.columns[at], label=label) if at < len(old.columns) else Column(label)
        for at, label in enumerate(head)
    )
    rows = [[*row[: len(columns)], *[""] * (len(columns) - len(row))] for row in texts[1:]]
    if len(rows) == 1 and texts[1] == [NO_ROWS.say(language)]:
        rows = []
    before = [tuple(shown(c, col) for c, col in zip(row, old.columns, strict=True)) for row in old.rows]
    after = [tuple(row) for row in rows]
    made: list[tuple[Cell, ...]] = []
    for _, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for at in range(c, d):
            source = old.rows[a + at - c] if a + at - c < b else ()
            said = before[a + at - c] if a + at - c < b else ()
            made.append(
                tuple(
                    source[n] if n < len(said) and said[n] == text else _value(text, columns[n])
                    for n, text in enumerate(after[at])
                )
            )
    return replace(old, columns=columns, rows=tuple(made))


_NUMBER = re.compile(r"-?\d{1,3}(?:,\d{3})*(?:\.\d+)?|-?\d+(?:\.\d+)?")


def _value(text: str, column: Column) -> Cell:
    bare = text.strip()
    if text == "–":
        return None
    percent = bare.endswith("%") and column.format.endswith("%")
    figure = bare.removesuffix("%").strip() if percent else bare
    if not column.format or not _NUMBER.fullmatch(figure):
        return text
    value = float(figure.replace(",", "")) / (100 if percent else 1)
    made = int(value) if value.is_integer() else round(value, 10)
    # A number that the column would write otherwise stays as it was typed.
    return made if shown(made, column) == bare else text


def _seen(element: Any, feet: Footmarks) -> _Seen:
    pieces = tuple(_pieces(element, feet))
    name = next(
        (
            str(each.get(qn("w:name")))
            for each in element.iter(qn("w:bookmarkStart"))
            if str(each.get(qn("w:name"))).startswith(PREFIX)
        ),
        "",
    )
    style = element.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
    text = clean("".join(text for text, _, _ in pieces)).strip()
    return _Seen(text, pieces, name, _style(style.get(qn("w:val"))) if style is not None else "")


def _style(style_id: str) -> str:
    """A style by its id, with the blank that its name has."""
    found = re.fullmatch(r"(Heading)(\d)", style_id)
    return f"{found[1]} {found[2]}" if found else style_id


def _pieces(element: Any, feet: Footmarks) -> Iterator[tuple[str, bool, bool]]:
    """The runs of a paragraph. A reference to a note counts as its mark; other fields as the text that they show."""
    instruction, note = "", None
    for run in element.iter(qn("w:r")):
        kind = next((each.get(qn("w:fldCharType")) for each in run.iter(qn("w:fldChar"))), None)
        if kind == "begin":
            instruction, note = "", None
        instruction += "".join(each.text or "" for each in run.iter(qn("w:instrText")))
        if kind == "separate" and (note := referred(instruction)) is not None:
            yield mark(note), False, True
        if kind == "end":
            note = None
        if kind is None and note is None:
            yield from _piece(run, feet)


def _piece(run: Any, feet: Footmarks) -> Iterator[tuple[str, bool, bool]]:
    parent, head = run.getparent(), run.find(qn("w:rPr"))
    simple = str(parent.get(qn("w:instr"))) if parent.tag == qn("w:fldSimple") else ""
    note = feet.in_run(run) if not simple else referred(simple)
    if note is not None:
        yield mark(note), False, True
    elif head is None or head.find(qn("w:vanish")) is None:
        text = clean("".join(_said(part) for part in run))
        if text:
            yield text, head is not None and head.find(qn("w:b")) is not None, False


def _said(part: Any) -> str:
    if part.tag == qn("w:t"):
        return part.text or ""
    return " " if part.tag in (qn("w:tab"), qn("w:br")) else ""


def _cell(element: Any, feet: Footmarks) -> _Seen:
    seen = [_seen(paragraph, feet) for paragraph in element.findall(qn("w:p"))]
    if len(seen) == 1:
        return seen[0]
    text = " ".join(each.text for each in seen if each.text)
    return _Seen(text, ((text, False, False),) if text else (), "", "")


class _Contents:
    """The table of contents, which is a field over several paragraphs that holds others."""

    def __init__(self) -> None:
        self._open = 0

    def hold(self, element: Any) -> bool:
        """Say whether a paragraph stands in the table of contents."""
        held = self._open > 0
        for each in element.iter(qn("w:fldChar"), qn("w:instrText")):
            kind = each.get(qn("w:fldCharType"))
            if each.tag == qn("w:instrText") and not self._open and str(each.text).split()[:1] == ["TOC"]:
                self._open, held = 1, True
            elif self._open:
                self._open += {"begin": 1, "end": -1}.get(str(kind), 0)
        return held


def _picture(element: Any) -> str:
    for each in element.iter():
        if str(each.tag).endswith("}docPr"):
            return str(each.get("name"))
    return ""
