"""Footnotes of a DOCX: a part of the package beside the body, which python-docx neither writes nor reads.

The office program counts them. A note that is named again is a reference to its first mark, so that it moves along. Each note
has a bookmark with its number in the document, by which an edited file is read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docx.document import Document as Docx
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from metaagent.documents.model import clean

TEXT_STYLE, MARK_STYLE = "footnote text", "footnote reference"
"""The names that office programs give to the styles of a footnote and of its mark."""
_OWN, _TARGET = "ma_note_", "_RefNote"
_REFERS = re.compile(rf"\s*NOTEREF\s+{_TARGET}(\d{{1,6}})\b")
_MARKS_FROM, _NOTES_FROM = 2_000_000, 3_000_000
"""Ids of bookmarks, beside those of the blocks."""
_SEPARATORS = (("-1", "separator", "separator"), ("0", "continuationSeparator", "continuationSeparator"))


def element(tag: str, /, **attributes: str) -> Any:
    made = OxmlElement(f"w:{tag}")
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), value)
    return made


def literal(text: str, tag: str = "t") -> Any:
    made = element(tag)
    made.text = text
    made.set(qn("xml:space"), "preserve")
    return made


@dataclass
class Footnotes:
    """Writes the notes of one document; holds the part, and which notes were named already."""

    file: Docx
    texts: Mapping[int, str]
    shown: Mapping[int, int]
    """The number that the office program will count, for what stands in a reference until it is opened."""
    named: set[int] = field(default_factory=set[int])

    def __post_init__(self) -> None:
        part = _part(self.file)
        self._root: Any = parse_xml(part.blob) if part is not None else _empty()
        ids = [int(each.get(qn("w:id"), "0")) for each in self._root]
        self._first = max(ids, default=0) + 1
        self._style = {name: self.file.styles[name].style_id or name for name in (TEXT_STYLE, MARK_STYLE)}

    def mark(self, number: int) -> Iterator[Any]:
        """The elements of a mark in running text."""
        if number in self.named:
            field_of = element("fldSimple", instr=f" NOTEREF {_TARGET}{number} \\f \\h ")
            field_of.append(self._run(literal(str(self.shown[number]))))
            yield field_of
            return
        self.named.add(number)
        name = str(self._first + len(self.named) - 1)
        self._write(number, name)
        yield element("bookmarkStart", id=str(_MARKS_FROM + number), name=f"{_TARGET}{number}")
        yield self._run(element("footnoteReference", id=name))
        yield element("bookmarkEnd", id=str(_MARKS_FROM + number))

    def _run(self, content: Any) -> Any:
        made = element("r")
        made.append(head := element("rPr"))
        head.append(element("rStyle", val=self._style[MARK_STYLE]))
        made.append(content)
        return made

    def _write(self, number: int, name: str) -> None:
        self._root.append(note := element("footnote", id=name))
        note.append(made := element("p"))
        made.append(head := element("pPr"))
        head.append(element("pStyle", val=self._style[TEXT_STYLE]))
        made.append(self._run(element("footnoteRef")))
        made.append(element("bookmarkStart", id=str(_NOTES_FROM + number), name=f"{_OWN}{number}"))
        made.append(run := element("r"))
        run.append(literal(f" {self.texts[number]}"))
        made.append(element("bookmarkEnd", id=str(_NOTES_FROM + number)))

    def save(self) -> None:
        """Put the part into the package, if anything has a note."""
        if not self.named:
            return
        content = etree.tostring(self._root, xml_declaration=True, encoding="UTF-8", standalone=True)
        part = _part(self.file)
        if part is not None:
            part._blob = content  # pyright: ignore[reportPrivateUsage]
            return
        name, package = PackURI("/word/footnotes.xml"), self.file.part.package
        assert package is not None
        made = Part(name, CONTENT_TYPE.WML_FOOTNOTES, content, package)
        self.file.part.relate_to(made, RELATIONSHIP_TYPE.FOOTNOTES)
        settings: Any = self.file.settings.element
        separators = element("footnotePr")
        for number, _, _ in _SEPARATORS:
            separators.append(element("footnote", id=number))
        compat = settings.find(qn("w:compat"))
        if compat is not None:
            compat.addprevious(separators)


def _part(file: Docx) -> Part | None:
    found = [each for each in file.part.rels.values() if each.reltype == RELATIONSHIP_TYPE.FOOTNOTES]
    return found[0].target_part if found and not found[0].is_external else None


def _empty() -> Any:
    """A part with the two lines that separate notes from the text."""
    root: Any = parse_xml(f"<w:footnotes {nsdecls('w')}/>")
    for number, kind, sign in _SEPARATORS:
        root.append(note := element("footnote", type=kind, id=number))
        note.append(made := element("p"))
        made.append(head := element("pPr"))
        head.append(element("spacing", after="0", line="240", lineRule="auto"))
        made.append(run := element("r"))
        run.append(element(sign))
    return root


@dataclass
class Footmarks:
    """Reads the notes of an edited file: their texts and the numbers of their marks. A note of the editor's gets a new number."""

    texts: dict[int, str] = field(default_factory=dict[int, str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])

    @classmethod
    def of(cls, file: Docx, free: int) -> Footmarks:
        """The notes of a file; `free` is the first number that the document does not use."""
        made, part = cls(), _part(file)
        root: Any = parse_xml(part.blob) if part is not None else ()
        for note in root:
            if note.get(qn("w:type"), "normal") != "normal":
                continue
            names = [str(each.get(qn("w:name"))) for each in note.iter(qn("w:bookmarkStart"))]
            own = next((each.removeprefix(_OWN) for each in names if each.startswith(_OWN)), "")
            number = int(own) if own.isdecimal() and len(own) < 7 else free
            free += number == free
            made.numbers[str(note.get(qn("w:id")))] = number
            made.texts[number] = clean("".join(each.text or "" for each in note.iter(qn("w:t")))).strip()
        return made

    def in_run(self, run: Any) -> int | None:
        """The number of the note whose mark this run is."""
        mark = run.find(qn("w:footnoteReference"))
        return None if mark is None else self.numbers.get(str(mark.get(qn("w:id"))))


def referred(instruction: str) -> int | None:
    """The number of the note that a field refers to."""
    found = _REFERS.match(instruction)
    return int(found[1]) if found else None
