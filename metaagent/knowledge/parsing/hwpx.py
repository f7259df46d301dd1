"""HWPX, the open format of Hangul: sections of paragraphs, outline styles as headings, tables by cell address, footnotes."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, one_line, refused
from metaagent.knowledge.parsing.archive import BROKEN, ENCRYPTED, Archive, local
from metaagent.knowledge.parsing.grid import MAX_COLUMNS

_SECTION = re.compile(r"Contents/section(\d+)\.xml", re.IGNORECASE)
_OUTLINE_NAME = re.compile(r"(?:개요|Outline|제목|Heading)\s?(\d{1,2})$", re.IGNORECASE)
_BREAKS = {"tab": " ", "lineBreak": "\n", "nbSpace": " ", "fwSpace": " ", "hyphen": "-"}
_MAX_ROWS = 20_000
_ITEM = re.compile(r"\s*(?:[-•◦▪‣○●■□※·]\s|\(?\d{1,3}[.)]\s|\(\d{1,3}\)|[가-하][.)]\s)")


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read an HWPX file."""
    archive = Archive(name, content)
    if _is_encrypted(archive):
        raise refused(name, ENCRYPTED)
    archive.warn_of_what_is_not_opened(writer)
    sections = sorted((int(match[1]), part) for part in archive.names if (match := _SECTION.fullmatch(part)))
    if not sections:
        raise refused(name, BROKEN, why="Contents/section0.xml")
    reader = _Reader(writer, _levels(archive))
    for _, part in sections:
        paragraphs = (child for child in archive.xml(part) if local(child.tag) == "p")
        for paragraph in paragraphs:
            reader.paragraph(paragraph)
            if writer.full:
                break
    reader.close()
    return Parsed(reader.title or _metadata_title(archive))


def _is_encrypted(archive: Archive) -> bool:
    part = "META-INF/manifest.xml"
    return part in archive.names and any(
        local(one.tag) == "encryption-data" for one in archive.xml(part).iter()
    )


def _levels(archive: Archive) -> dict[str, int]:
    """Outline level by id of a style: by its paragraph shape, or by a name such as 개요 1."""
    part = next((part for part in archive.names if part.lower() == "contents/header.xml"), None)
    if part is None:
        return {}
    shapes: dict[str, int] = {}
    levels: dict[str, int] = {}
    root = archive.xml(part)
    for shape in (one for one in root.iter() if local(one.tag) == "paraPr"):
        heading = next((one for one in shape if local(one.tag) == "heading"), None)
        if heading is not None and heading.get("type") == "OUTLINE":
            shapes[shape.get("id", "")] = _number(heading.get("level")) + 1
    for style in (one for one in root.iter() if local(one.tag) == "style"):
        named = _OUTLINE_NAME.search(style.get("name", "")) or _OUTLINE_NAME.search(style.get("engName", ""))
        level = shapes.get(style.get("paraPrIDRef", "")) or (int(named[1]) if named else 0)
        if level:
            levels[style.get("id", "")] = min(level, 9)
    return levels


class _Reader:
    def __init__(self, writer: BlockWriter, levels: dict[str, int]) -> None:
        self._writer = writer
        self._levels = levels
        self._items: list[str] = []
        self._notes = 0
        self.title = ""

    def close(self) -> None:
        """End an open list."""
        self._writer.add("list", "\n".join(self._items))
        self._items = []

    def paragraph(self, element: Element) -> None:
        """Add the text of a paragraph, then the tables that hang in it, then its footnotes."""
        text, tables, notes = self._content(element)
        level = self._levels.get(element.get("styleIDRef", ""), 0)
        if text and level:
            self.close()
            self._writer.add("heading", one_line(text), level=level)
            self.title = self.title or one_line(text)
        elif text and _ITEM.match(text) and "\n" not in text:
            self._items.append(text)
        elif text:
            self.close()
            self._writer.add("paragraph", text)
        if tables or notes:
            self.close()
        for table in tables:
            rows, head, found = self._table(table)
            self._writer.add_table(rows, head=head)
            notes += found
        for note in notes:
            self._writer.add("footnote", note)

    def _content(self, paragraph: Element) -> tuple[str, list[Element], list[str]]:
        parts: list[str] = []
        tables: list[Element] = []
        notes: list[str] = []
        stack: list[Element | str] = [paragraph]
        while stack:
            element = stack.pop()
            if isinstance(element, str):
                parts.append(element)
                continue
            kind = local(element.tag)
            if kind == "tbl":
                tables.append(element)
            elif kind in ("footNote", "endNote"):
                self._notes += 1
                parts.append(f"[{self._notes}]")
                notes.append(f"[{self._notes}] {_plain(element)}")
            elif kind in _BREAKS:
                parts.append(_BREAKS[kind])
            elif kind == "p" and element is not paragraph:
                stack.append("\n")
                stack.extend(reversed(_inner(element)))
            elif kind not in ("linesegarray", "secPr", "header", "footer", "script", "deleteBegin"):
                stack.extend(reversed(_inner(element)))
        return clean("".join(parts)).strip(), tables, notes

    def _table(self, table: Element) -> tuple[list[list[str]], int, list[str]]:
        """The rows of a table by the addresses of its cells, the number of head rows, and its footnotes."""
        found: dict[tuple[int, int], str] = {}
        marked: set[int] = set()
        notes: list[str] = []
        for number, row in enumerate(one for one in table if local(one.tag) == "tr"):
            for position, cell in enumerate(one for one in row if local(one.tag) == "tc"):
                address, span = _named(cell, "cellAddr"), _named(cell, "cellSpan")
                top = _number(address.get("rowAddr"), number) if address is not None else number
                left = _number(address.get("colAddr"), position) if address is not None else position
                text, inner, extra = self._content(cell)
                notes += extra
                text = one_line(" ".join([text, *map(_plain, inner)]))
                if cell.get("header") == "1":
                    marked.add(top)
                for below in range(max(_number(span.get("rowSpan"), 1), 1) if span is not None else 1):
                    for right in range(max(_number(span.get("colSpan"), 1), 1) if span is not None else 1):
                        across = right == 0 or top == 0 or top in marked
                        if top + below < _MAX_ROWS and left + right < MAX_COLUMNS:
                            found.setdefault((top + below, left + right), text if across else "")
        height = max((row for row, _ in found), default=-1) + 1
        width = max((column for _, column in found), default=-1) + 1
        rows = [[found.get((row, column), "") for column in range(width)] for row in range(height)]
        head = 0
        while head in marked:
            head += 1
        return rows, head or 1, notes


def _inner(element: Element) -> list[Element | str]:
    """The texts and elements within an element, in order."""
    keeps_text = local(element.tag) == "t"
    inner: list[Element | str] = [element.text] if keeps_text and element.text else []
    for child in element:
        inner.append(child)
        if keeps_text and child.tail:
            inner.append(child.tail)
    return inner


def _plain(element: Element) -> str:
    texts = (text for one in element.iter() if local(one.tag) == "t" for text in one.itertext())
    return one_line(clean(" ".join(texts)))


def _named(element: Element, name: str) -> Element | None:
    return next((child for child in element if local(child.tag) == name), None)


def _number(value: str | None, default: int = 0) -> int:
    return min(int(value), 100_000) if value and value.isdecimal() else default


def _metadata_title(archive: Archive) -> str:
    part = next((part for part in archive.names if part.lower() == "contents/content.hpf"), None)
    if part is None:
        return ""
    titles = (one.text or "" for one in archive.xml(part).iter() if local(one.tag) == "title")
    return one_line(clean(next(titles, "")))
