"""A company's own Word file as a layout: `{{field}}` is filled with the field's value, `{{title}}` with the title, and a
paragraph that is `{{sections}}` makes room for the sections. Values are put in as literal text, never as marks."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import docx
from defusedxml import ElementTree
from docx.document import Document as Docx
from docx.oxml.ns import qn

from metaagent.errors import Text

SECTIONS = "sections"
MARK = re.compile(r"\{\{\s*([a-z][a-z0-9_]{0,62})\s*\}\}")
LARGEST, MOST_PARTS, HIGHEST_RATIO = 50_000_000, 2_000, 100


class BadLayout(Exception):
    """A Word file that cannot be a layout; says why."""

    def __init__(self, why: Text) -> None:
        super().__init__(why.say())
        self.why = why


_NO_DOCX = Text(en="it is no DOCX", ko="DOCX 파일이 아닙니다")
_NO_DOCUMENT = Text(en="its main part is no document", ko="본문이 문서가 아닙니다")
_TOO_LARGE = Text(en="it is too large when unpacked", ko="압축을 풀면 너무 큽니다")
_HOLDS = Text(en="it holds {part}", ko="{part}이(가) 들어 있습니다")
_REFERS = Text(en="it refers to {part}", ko="{part}을(를) 가리킵니다")


def opened(layout: bytes) -> Docx:
    """The file, if it is a plain DOCX without macros, links to other files or bombs."""
    try:
        with zipfile.ZipFile(io.BytesIO(layout)) as archive:
            _judged(archive)
        file = docx.Document(io.BytesIO(layout))
    except (zipfile.BadZipFile, KeyError, ValueError, SyntaxError) as error:
        raise BadLayout(_NO_DOCX) from error
    if file.element.tag != qn("w:document"):
        raise BadLayout(_NO_DOCUMENT)
    return file


def _judged(archive: zipfile.ZipFile) -> None:
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if len(entries) > MOST_PARTS or size > LARGEST or size > HIGHEST_RATIO * max(packed, 1):
        raise BadLayout(_TOO_LARGE)
    for entry in entries:
        if "vbaproject" in entry.filename.lower() or "/embeddings/" in entry.filename:
            raise BadLayout(_HOLDS.fixed(part=entry.filename))
        if entry.filename.endswith(".rels"):
            for relation in ElementTree.fromstring(archive.read(entry), forbid_dtd=True):
                if relation.get("TargetMode") == "External" and not str(relation.get("Type")).endswith(
                    "/hyperlink"
                ):
                    raise BadLayout(_REFERS.fixed(part=str(relation.get("Target"))[:100]))
        elif entry.filename.endswith(".xml"):
            ElementTree.fromstring(archive.read(entry), forbid_dtd=True)


def marks_of(layout: bytes) -> set[str]:
    """Names of all marked fields."""
    return {name for paragraph in _paragraphs(opened(layout)) for name in MARK.findall(_text(paragraph))}


def fill_marks(file: Docx, shown: Mapping[str, str], open_text: str) -> Any | None:
    """Fill every mark; the paragraph that makes room for the sections, if there is one."""
    room: Any | None = None
    for paragraph in list(_paragraphs(file)):
        text = _text(paragraph)
        if not MARK.search(text):
            continue
        if text.strip() == f"{{{{{SECTIONS}}}}}":
            room = paragraph
            continue
        _say(paragraph, MARK.sub(lambda found: shown.get(found[1], open_text), text))
    return room


def _paragraphs(file: Docx) -> Iterator[Any]:
    roots: list[Any] = [file.element.body]
    for section in file.sections:
        parts = (section.header, section.footer, section.first_page_header, section.first_page_footer)
        own = [part for part in parts if not part.is_linked_to_previous]
        roots += [part._element for part in own]  # pyright: ignore[reportPrivateUsage]
    for root in roots:
        yield from root.iter(qn("w:p"))


def _text(paragraph: Any) -> str:
    return "".join(each.text or "" for each in paragraph.iter(qn("w:t")))


def _say(paragraph: Any, text: str) -> None:
    """Put the text into the paragraph's first run of text; a mark may have been written in several."""
    parts = list(paragraph.iter(qn("w:t")))
    for at, part in enumerate(parts):
        part.text = text if at == 0 else ""
        part.set(qn("xml:space"), "preserve")
