"""A document as files: every format is rendered in one child process, with limits on time and memory."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import orjson

from metaagent.child import Limits, call
from metaagent.documents.model import Document, in_order
from metaagent.documents.render.pdf import Standard
from metaagent.errors import InputRefused, Text

Format: TypeAlias = Literal["pdf", "docx", "hwpx", "xlsx", "md", "html"]
FORMATS: tuple[Format, ...] = get_args(Format)
MEDIA_TYPES: dict[str, str] = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "hwpx": "application/hwp+zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
LIMITS = Limits(seconds=120.0, memory_mb=3072, result_mb=256)
_UNKNOWN = Text(
    en="There is no format {format!r}: choose among {known}.",
    ko="{format!r} 형식은 없습니다. {known} 중에서 고르세요.",
)


def render(document: Document, form: str, *, layout: bytes = b"", standard: Standard = "") -> bytes:
    """One format, in this process."""
    if form not in FORMATS:
        raise InputRefused(_UNKNOWN, format=form, known=", ".join(FORMATS))
    given, document = document, in_order(document)
    match form:
        case "pdf":
            from metaagent.documents.render.pdf import render_pdf

            return render_pdf(document, standard)
        case "docx":
            from metaagent.documents.render.docx import render_docx

            # Not in order: an edited file comes back with the numbers of the version that it was made from.
            return render_docx(given, layout)
        case "hwpx":
            from metaagent.documents.render.hwpx import render_hwpx

            return render_hwpx(document)
        case "xlsx":
            from metaagent.documents.render.xlsx import render_xlsx

            return render_xlsx(document)
        case "md":
            from metaagent.documents.render.markdown import render_markdown

            return render_markdown(document)
        case _:
            from metaagent.documents.render.html import render_html

            return render_html(document)


async def render_files(
    document: Document, formats: Sequence[str], *, layout: bytes = b"", standard: Standard = ""
) -> dict[str, bytes]:
    """All formats in one child process. Raises ChildFailed where it took too long, used too much or died."""
    for form in formats:
        if form not in FORMATS:
            raise InputRefused(_UNKNOWN, format=form, known=", ".join(FORMATS))
    asked = {
        "document": document.as_json(),
        "formats": list(formats),
        "layout": base64.b64encode(layout).decode(),
        "standard": standard,
    }
    made = await call(render_all, orjson.dumps(asked), what=document.title[:80] or "document", limits=LIMITS)
    return _unpacked(made)


def render_all(asked: bytes) -> bytes:
    """Run in the child: the formats one after the other, each behind its length."""
    data = orjson.loads(asked)
    document = Document.from_json(data["document"])
    layout = base64.b64decode(data["layout"])
    made = {
        form: render(document, form, layout=layout, standard=data["standard"]) for form in data["formats"]
    }
    head = orjson.dumps({form: len(content) for form, content in made.items()})
    return head + b"\n" + b"".join(made.values())


def _unpacked(made: bytes) -> dict[str, bytes]:
    head, _, content = made.partition(b"\n")
    files: dict[str, bytes] = {}
    at = 0
    for form, length in orjson.loads(head).items():
        files[form] = content[at : at + length]
        at += length
    return files
