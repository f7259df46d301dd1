"""Plain text in any of the encodings that Korean offices use, and text as paragraphs."""

from __future__ import annotations

import codecs
import re

from metaagent.errors import Text
from metaagent.knowledge.extracted import BlockWriter, Parsed, clean, refused

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B}) + b"\x7f"
_SAMPLE = 65_536
_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_MARKED_LINE = re.compile(
    r"\s*(?:[-*•◦▪‣○●■□※·]\s|\(?\d{1,3}[.)]\s|\(\d{1,3}\)|[가-하][.)]\s|[①-⑳]|제\s?\d{1,4}\s?[조항호장절])"
)

BINARY = Text(
    en="{name}: this is not text: it holds bytes that no text has. Save it as text, PDF, DOCX, XLSX or HWPX.",
    ko="{name}: 글이 아닌 이진 데이터입니다. 텍스트, PDF, DOCX, XLSX, HWPX로 저장해 주세요.",
)


def decoded(content: bytes, *, name: str, declared: str | None = None) -> str:
    """The text of some bytes: by their mark, as UTF-8, as the encoding that they declare, or as CP949 (EUC-KR)."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _as(content[len(mark) :], encoding, name)
    if wide := _unmarked_utf16(content):
        return _as(content, wide, name)
    if looks_binary(content):
        raise refused(name, BINARY)
    for encoding in ("utf-8", declared, "cp949"):
        text = _strictly(content, encoding) if encoding else None
        if text is not None:
            return text
    # One damaged letter does not make a text unreadable; a text of another encoding is mostly damage.
    lenient = content.decode("utf-8", "replace")
    if lenient.count("�") * 50 <= len(lenient):
        return lenient
    korean = content.decode("cp949", "replace")
    if korean.count("�") * 50 <= len(korean):
        return korean
    return content.decode("cp1252", "replace")


def _as(content: bytes, encoding: str, name: str) -> str:
    text = content.decode(encoding, "replace")
    if text.count("�") * 20 > len(text) or text.count("\0") * 100 > len(text):
        raise refused(name, BINARY)
    return text


def _strictly(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _unmarked_utf16(content: bytes) -> str | None:
    """UTF-16 without a mark: nearly every second byte of a text with Latin letters, digits or spaces is zero."""
    sample = content[:_SAMPLE]
    if len(sample) < 4 or len(content) % 2:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if even + odd == 0 or min(even, odd) * 20 > max(even, odd):
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    text = sample[: len(sample) // 2 * 2].decode(encoding, "replace")
    strange = sum(1 for letter in text if letter == "�" or (letter < " " and letter not in "\t\n\r\f"))
    return encoding if strange * 50 <= len(text) else None


def looks_binary(content: bytes) -> bool:
    sample = content[:_SAMPLE]
    if b"\0" in sample:
        return True
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > 4 and controls * 100 > len(sample)


def parse(content: bytes, name: str, writer: BlockWriter) -> Parsed:
    """Read plain text."""
    add_paragraphs(decoded(content, name=name), writer)
    return Parsed()


def add_paragraphs(text: str, writer: BlockWriter) -> None:
    """Add the paragraphs of a text, which blank lines separate. Lines stay lines."""
    for part in _BLANK_LINES.split(clean(writer.within_limit(text))):
        lines = [line.strip() for line in part.split("\n") if line.strip()]
        if lines:
            listed = sum(1 for line in lines if _MARKED_LINE.match(line))
            writer.add("list" if listed == len(lines) > 1 else "paragraph", "\n".join(lines))
        if writer.full:
            return
