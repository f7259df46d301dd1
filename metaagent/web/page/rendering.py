"""Work for a child process: pictures of PDF pages, and the chart library as one script."""

from __future__ import annotations

import io

from metaagent.errors import InputRefused, Text

WIDTH = 900
"""Pixels: enough to read a page on a screen."""

_NO_PAGE = Text(en="There is no page {page}.", ko="{page}쪽이 없습니다.")
_NOT_READ = Text(en="The PDF cannot be read.", ko="PDF를 읽을 수 없습니다.")


def page_picture(payload: bytes) -> bytes:
    """A page, counted from 1 in the first four bytes, of the PDF that follows, as PNG."""
    import pypdfium2 as pdfium

    number = int.from_bytes(payload[:4], "big")
    try:
        document = pdfium.PdfDocument(payload[4:])
    except pdfium.PdfiumError as error:
        raise InputRefused(_NOT_READ) from error
    if not 1 <= number <= len(document):
        raise InputRefused(_NO_PAGE, page=number)
    page = document[number - 1]
    made = io.BytesIO()
    page.render(scale=min(4.0, WIDTH / max(1.0, page.get_width()))).to_pil().save(made, "PNG", optimize=True)
    return made.getvalue()


def page_count(content: bytes) -> bytes:
    import pypdfium2 as pdfium

    try:
        return str(len(pdfium.PdfDocument(content))).encode()
    except pdfium.PdfiumError as error:
        raise InputRefused(_NOT_READ) from error


def chart_library(_payload: bytes) -> bytes:
    import vl_convert

    return vl_convert.javascript_bundle().encode()
