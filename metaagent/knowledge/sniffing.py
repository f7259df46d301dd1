"""The kind of a file by its content. A name can lie; it decides only between kinds of text that look alike."""

from __future__ import annotations

import re
import unicodedata
import zipfile
from io import BytesIO
from pathlib import PurePosixPath

from metaagent.errors import Text
from metaagent.knowledge.extracted import refused
from metaagent.knowledge.parsing.archive import BAD_ZIP, BROKEN, ENCRYPTED

MEDIA_TYPES = {
    "markdown": "text/markdown",
    "text": "text/plain",
    "html": "text/html",
    "csv": "text/csv",
    "mail": "message/rfc822",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "hwpx": "application/hwp+zip",
}
"""The kinds of files that are read, and their media types."""

EXTENSIONS = {
    **dict.fromkeys(("md", "markdown", "mdx"), "markdown"),
    **dict.fromkeys(("txt", "text", "log"), "text"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    **dict.fromkeys(("csv", "tsv"), "csv"),
    **dict.fromkeys(("docx", "docm", "dotx"), "docx"),
    **dict.fromkeys(("xlsx", "xlsm", "xltx"), "xlsx"),
    "pdf": "pdf",
    "hwpx": "hwpx",
    "eml": "mail",
}
"""The kind that an extension promises."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM", b"8BPS")
_OTHERS = (
    b"Rar!",
    b"7z\xbc\xaf",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"\x7fELF",
    b"MZ",
    b"SQLite format 3",
    b"{\\rtf",
)
_PARTS = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("Contents/section0.xml", "hwpx"),
    ("Contents/content.hpf", "hwpx"),
)
_HTML = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)?(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAIL = re.compile(
    rb"(?:From |(?:From|To|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|Delivered-To|X-[\w-]+):\s)",
    re.IGNORECASE,
)

_LEGACY = Text(
    en="{name}: this is an old binary {format} file. Save it as {instead} and try again.",
    ko="{name}: 예전 {format} 형식입니다. {instead}(으)로 저장한 뒤 다시 시도해 주세요.",
)
_PICTURE = Text(
    en="{name}: this is a picture; text in pictures is not read.",
    ko="{name}: 그림 파일입니다. 그림 속 글은 읽지 않습니다.",
)
_OTHER = Text(
    en="{name}: files of this kind are not read. Use Markdown, text, HTML, PDF, DOCX, XLSX, CSV, HWPX or .eml.",
    ko="{name}: 읽지 않는 형식입니다. Markdown, 텍스트, HTML, PDF, DOCX, XLSX, CSV, HWPX, .eml을 쓸 수 있습니다.",
)


def kind_of(name: str, content: bytes) -> str:
    """One of `MEDIA_TYPES`. Raises FileRefused for what is not read, saying what it is."""
    if b"%PDF-" in content[:1_024]:
        return "pdf"
    if content.startswith(b"PK\x03\x04"):
        return _zip_kind(name, content)
    if content.startswith(_OLE):
        raise _ole_refusal(name, content)
    if content.startswith(_PICTURES) or content[8:12] == b"WEBP":
        raise refused(name, _PICTURE)
    if content.startswith((*_OTHERS, b"PK\x05\x06")):
        raise refused(name, _OTHER)
    return _text_kind(name, content)


def _zip_kind(name: str, content: bytes) -> str:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            names = set(archive.namelist())
    except BAD_ZIP as error:
        raise refused(name, BROKEN, why=type(error).__name__) from error
    for part, kind in _PARTS:
        if part in names:
            return kind
    raise refused(name, _OTHER)


def _ole_refusal(name: str, content: bytes) -> Exception:
    """Old office files, and new ones with a password, share one container."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        return refused(name, ENCRYPTED)
    if b"HWP Document File" in content or "HwpSummaryInformation".encode("utf-16-le") in content:
        return refused(name, _LEGACY, format="HWP", instead="HWPX")
    if "Workbook".encode("utf-16-le") in content:
        return refused(name, _LEGACY, format="XLS", instead="XLSX")
    if "WordDocument".encode("utf-16-le") in content:
        return refused(name, _LEGACY, format="DOC", instead="DOCX")
    return refused(name, _OTHER)


def _text_kind(name: str, content: bytes) -> str:
    promised = EXTENSIONS.get(extension(name), "text")
    if promised in ("markdown", "csv"):
        return promised
    if _HTML.match(content):
        return "html"
    if promised == "html" or (promised == "mail" and _MAIL.match(content)):
        return promised
    lines = content[:2_000].splitlines()[:6]
    if (
        promised == "text"
        and extension(name) not in ("txt", "text", "log")
        and sum(bool(_MAIL.match(line)) for line in lines) > 2
    ):
        return "mail"
    return "text"


def extension(name: str) -> str:
    """The ending of a name, in small letters and without the dot."""
    return PurePosixPath(unicodedata.normalize("NFC", name)).suffix.lower().lstrip(".").strip()
