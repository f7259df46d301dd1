"""DOCX: headings by style, lists with their numbers, tables with heads, footnotes after the paragraph that refers to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line
from metaagent.knowledge.parsing.archive import Archive, attribute, local
from metaagent.knowledge.parsing.docx_numbering import Numbering
from metaagent.knowledge.parsing.grid import Cell, grid

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_HEADING_NAME = re.compile(r"(?:heading|제목|개요)\s?([1-9])$", re.IGNORECASE)
_CONTENTS_NAME = re.compile(r"(?:toc|목차)\s?\d", re.IGNORECASE)
_NOT_SHOWN = frozenset({"Fallback", "moveFrom", "del", "instrText", "delText", "rPr", "pPr"})
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_DEEPEST = 60


@dataclass
class _Package:
    """The parts beside the text: styles, numbering and notes."""

    levels: dict[str, int]
    """Outline level (1 is the highest) by id of a style."""
    numbering: Numbering
    numbered_styles: dict[str, tuple[str, int]]
    contents: frozenset[str]
    """Styles of a table of contents, which only repeats the headings."""
    notes: dict[str, str] = field(default_factory=dict[str, str])


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read a DOCX file."""
    archive = Archive(name, content)
    archive.warn_of_what_is_not_opened(writer)
    root = archive.xml("word/document.xml")
    package = _package(archive)
    body = next((child for child in root if local(child.tag) == "body"), root)
    reader = _Reader(writer, package)
    for element in _blocks(body, 0):
        reader.block(element)
        if writer.full:
            break
    reader.close()
    return Parsed(reader.title or _core_title(archive))


def _blocks(parent: Element, depth: int) -> Iterator[Element]:
    """Paragraphs and tables in order, out of content controls and tracked insertions."""
    for child in parent:
        kind = local(child.tag)
        if kind in ("p", "tbl"):
            yield child
        elif kind in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag") and depth < _DEEPEST:
            yield from _blocks(child, depth + 1)


class _Reader:
    def __init__(self, writer: BlockWriter, package: _Package) -> None:
        self._writer = writer
        self._package = package
        self._items: list[str] = []
        self._item_notes: list[str] = []
        self.title = ""

    def block(self, element: Element) -> None:
        if local(element.tag) == "tbl":
            self.close()
            self._table(element)
        else:
            self._paragraph(element)

    def close(self) -> None:
        """End an open list."""
        self._writer.add("list", "\n".join(self._items))
        self._add_notes(self._item_notes)
        self._items, self._item_notes = [], []

    def _paragraph(self, element: Element) -> None:
        if _value(_child(element, "pPr"), "pStyle") in self._package.contents:
            return
        text, notes = _text(element)
        level, number, depth = self._shape(element)
        if not text:
            self._pictures(element)
            return
        if level:
            self.close()
            self._writer.add("heading", one_line(f"{number} {text}"), level=level)
            self.title = self.title or one_line(text)
            self._add_notes(notes)
        elif number:
            self._items.append("  " * depth + f"{number} {one_line(text)}")
            self._item_notes += notes
        else:
            self.close()
            self._writer.add("paragraph", text)
            self._add_notes(notes)
        self._pictures(element)

    def _shape(self, element: Element) -> tuple[int, str, int]:
        """The outline level (0: none) of a paragraph, its number as it is shown, and the depth in its list."""
        properties = _child(element, "pPr")
        style = _value(properties, "pStyle") or ""
        outline = _value(properties, "outlineLvl")
        level = int(outline) + 1 if outline and outline.isdecimal() and int(outline) < 9 else 0
        level = level or self._package.levels.get(style, 0)
        listed = _child(properties, "numPr")
        if listed is not None:
            depth = _digits(_value(listed, "ilvl"))
            return level, self._package.numbering.next(_value(listed, "numId") or "", depth), depth
        if style in self._package.numbered_styles:
            numbering, depth = self._package.numbered_styles[style]
            return level, self._package.numbering.next(numbering, depth), depth
        return level, "", 0

    def _pictures(self, element: Element) -> None:
        for drawing in element.iter():
            if local(drawing.tag) == "docPr" and (said := drawing.get("descr")):
                self._writer.add("picture", one_line(clean(said))[:500])

    def _table(self, table: Element) -> None:
        notes: list[str] = []
        rows: list[list[Cell]] = []
        head = 0
        for row in _rows(table):
            rows.append(list(_cells(row, notes)))
            marked = _child(_child(row, "trPr"), "tblHeader") is not None
            head += 1 if marked and head == len(rows) - 1 else 0
        self._writer.add_table(grid(rows, head or 1), head=head or 1)
        self._add_notes(notes)

    def _add_notes(self, notes: list[str]) -> None:
        for note in notes:
            text = self._package.notes.get(note)
            if text:
                self._writer.add("footnote", f"[{note.split(':')[1]}] {text}")


def _rows(table: Element) -> Iterator[Element]:
    for child in table:
        if local(child.tag) == "tr":
            yield child
        elif local(child.tag) in ("sdt", "ins"):
            yield from (row for row in child.iter() if local(row.tag) == "tr")


def _cells(row: Element, notes: list[str]) -> Iterator[Cell]:
    for cell in _direct_cells(row):
        properties = _child(cell, "tcPr")
        merged = _child(properties, "vMerge")
        texts: list[str] = []
        for paragraph in (one for one in cell.iter() if local(one.tag) == "p"):
            text, found = _text(paragraph)
            texts.append(text)
            notes += found
        above = merged is not None and (attribute(merged, "val") or "continue") == "continue"
        yield Cell(" ".join(texts), columns=max(_digits(_value(properties, "gridSpan")), 1), above=above)


def _direct_cells(row: Element) -> list[Element]:
    found = [child for child in row if local(child.tag) == "tc"]
    for control in (child for child in row if local(child.tag) in ("sdt", "ins")):
        content = _child(control, "sdtContent")
        found += [
            child for child in (content if content is not None else control) if local(child.tag) == "tc"
        ]
    return found


def _text(paragraph: Element) -> tuple[str, list[str]]:
    """The text of a paragraph as it is shown, with marks of footnotes, and the notes that it refers to."""
    parts: list[str] = []
    notes: list[str] = []
    stack: list[Element] = [paragraph]
    while stack:
        element = stack.pop()
        kind = local(element.tag)
        if kind == "t":
            parts.append(element.text or "")
        elif kind in _BREAKS:
            parts.append(_BREAKS[kind])
        elif kind in ("footnoteReference", "endnoteReference"):
            number = attribute(element, "id") or "?"
            parts.append(f"[{number}]")
            notes.append(f"{kind[:-9]}:{number}")
        elif not (kind in _NOT_SHOWN or (kind == "r" and _hidden(element))):
            stack.extend(reversed(element))
    return clean("".join(parts)).strip(), notes


def _hidden(run: Element) -> bool:
    vanish = _child(_child(run, "rPr"), "vanish")
    return vanish is not None and attribute(vanish, "val") not in ("0", "false")


def _package(archive: Archive) -> _Package:
    levels: dict[str, int] = {}
    numbered: dict[str, tuple[str, int]] = {}
    contents: set[str] = set()
    if "word/styles.xml" in archive.names:
        for style in archive.xml("word/styles.xml"):
            if local(style.tag) == "style":
                _style(style, levels, numbered)
                if _CONTENTS_NAME.match(_value(style, "name") or ""):
                    contents.add(attribute(style, "styleId") or "")
    definitions = archive.xml("word/numbering.xml") if "word/numbering.xml" in archive.names else None
    package = _Package(levels, Numbering(definitions), numbered, frozenset(contents))
    for kind in ("footnote", "endnote"):
        if f"word/{kind}s.xml" in archive.names:
            for note in archive.xml(f"word/{kind}s.xml"):
                texts = (_text(paragraph)[0] for paragraph in note.iter() if local(paragraph.tag) == "p")
                if attribute(note, "type") is None:
                    package.notes[f"{kind}:{attribute(note, 'id')}"] = one_line(" ".join(texts))
    return package


def _style(style: Element, levels: dict[str, int], numbered: dict[str, tuple[str, int]]) -> None:
    identifier = attribute(style, "styleId") or ""
    name = _value(style, "name") or ""
    properties = _child(style, "pPr")
    outline = _value(properties, "outlineLvl")
    named = _HEADING_NAME.search(name)
    if outline and outline.isdecimal() and int(outline) < 9:
        levels[identifier] = int(outline) + 1
    elif named:
        levels[identifier] = int(named[1])
    elif name.lower() == "title":
        levels[identifier] = 1
    elif (parent := _value(style, "basedOn")) in levels:
        levels[identifier] = levels[parent or ""]
    listed = _child(properties, "numPr")
    if listed is not None and (number := _value(listed, "numId")):
        numbered[identifier] = (number, _digits(_value(listed, "ilvl")))


def _core_title(archive: Archive) -> str:
    if "docProps/core.xml" not in archive.names:
        return ""
    titles = (
        element.text or "" for element in archive.xml("docProps/core.xml") if local(element.tag) == "title"
    )
    return one_line(clean(next(titles, "")))


def _child(element: Element | None, name: str) -> Element | None:
    if element is None:
        return None
    found = element.find(_W + name)
    return found if found is not None else element.find(_STRICT + name)


def _value(element: Element | None, name: str) -> str | None:
    child = _child(element, name)
    return attribute(child, "val") if child is not None else None


def _digits(value: str | None) -> int:
    return min(int(value), 1_000) if value and value.isdecimal() else 0
