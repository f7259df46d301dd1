"""Things that a browser shows: pictures of a PDF's first pages, and the chart library as one script.

Both are made in a child process; the pictures are held in memory by the hash of the file, never written to disk.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import orjson

from metaagent.child import Limits, call
from metaagent.errors import InputRefused, Text

PAGES = 3
WIDTH = 900
"""Pixels: enough to read a page on a screen."""
HELD_BYTES = 32_000_000
_LIMITS = Limits(seconds=60.0, memory_mb=1024, result_mb=64)
_NOT_READ = Text(en="The PDF cannot be read.", ko="PDF를 읽을 수 없습니다.")
_held: OrderedDict[str, Preview] = OrderedDict()


@dataclass(frozen=True)
class Preview:
    """The first pages of a PDF as PNG, and how many it has."""

    count: int
    pages: tuple[bytes, ...]


async def preview(content: bytes) -> Preview:
    """The preview of a PDF."""
    key = hashlib.sha256(content).hexdigest()
    if key not in _held:
        made = orjson.loads(await call(first_pages, content, what="PDF", limits=_LIMITS))
        _hold(key, Preview(made["count"], tuple(base64.b64decode(each) for each in made["pages"])))
    _held.move_to_end(key)
    return _held[key]


def _hold(key: str, made: Preview) -> None:
    _held[key] = made
    while len(_held) > 1 and sum(len(page) for each in _held.values() for page in each.pages) > HELD_BYTES:
        _held.popitem(last=False)


def first_pages(content: bytes) -> bytes:
    """Render the pictures, as JSON: runs in the child."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise InputRefused(_NOT_READ) from error
    pages: list[str] = []
    for number in range(min(PAGES, len(document))):
        page: Any = document[number]  # its types know whole scales only
        made = io.BytesIO()
        page.render(scale=min(4.0, WIDTH / max(1.0, page.get_width()))).to_pil().save(made, "PNG")
        pages.append(base64.b64encode(made.getvalue()).decode())
    return orjson.dumps({"count": len(document), "pages": pages})


async def chart_library() -> bytes:
    """Vega-Lite with all that it needs, for a browser: out of the wheel that also draws our pictures. It takes seconds."""
    return await call(
        bundled, b"", what="vega.js", limits=Limits(seconds=120.0, memory_mb=4096, result_mb=16)
    )


def bundled(_payload: bytes) -> bytes:
    """Bundle the script: runs in the child."""
    import vl_convert

    return vl_convert.javascript_bundle().encode()  # pyright: ignore[reportCallIssue] - its types know no defaults
