"""Files on the way out: as attachments that no browser runs, whole or in part."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from metaagent.sessions.downloads import UNKNOWN_BYTES, Download, download_of

SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"
"""Lets a file do nothing in a browser that shows it all the same."""
_ANY = {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}
FILE: Any = {
    "response_class": Response,
    "responses": {
        200: {"description": "The file.", **_ANY},
        206: {"description": "The range that was asked for.", **_ANY},
        416: {"description": "There is no such range."},
    },
}
"""The description of a route that answers with a file."""
_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def disposition(name: str) -> str:
    """The header that names the file: plain for every client, whole for those that read Unicode."""
    last = PurePosixPath(name.replace("\\", "/")).name or "file"
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", last)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(last, safe='')}"


def attachment(content: bytes, name: str, media_type: str, asked: str | None = None) -> Response:
    """A file that lies in memory, or the part of it that a `Range` header asks for."""
    return download(download_of(name, media_type or UNKNOWN_BYTES, content), asked)


def download(file: Download, asked: str | None = None, name: str = "") -> Response:
    """A file in pieces, whole or the range that is asked for."""
    headers = {
        "Content-Disposition": disposition(name or file.name),
        "Content-Security-Policy": SANDBOX,
        "Accept-Ranges": "bytes",
        "ETag": f'"{file.hash}"',
    }
    span = part(asked, file.size) if asked else None
    first, last = span or (0, file.size - 1)
    if span is not None and first > last:
        return Response(status_code=416, headers={**headers, "Content-Range": f"bytes */{file.size}"})
    headers["Content-Length"] = str(last - first + 1)
    if span is not None:
        headers["Content-Range"] = f"bytes {first}-{last}/{file.size}"
    status = 200 if span is None else 206
    return StreamingResponse(
        file.read(first, last + 1), status, headers, media_type=file.media_type or UNKNOWN_BYTES
    )


def part(asked: str, size: int) -> tuple[int, int] | None:
    """First and last byte of a single range; None if it is none (then the whole is sent), first > last if it cannot be met."""
    found = _RANGE.fullmatch(asked.strip())
    if found is None or found[0] == "bytes=-":
        return None
    if not found[1]:
        wanted = int(found[2])
        return (max(0, size - wanted), size - 1) if wanted else (1, 0)
    first, last = int(found[1]), int(found[2]) if found[2] else size - 1
    if found[2] and last < first:
        return None
    return (first, min(last, size - 1)) if first < size else (1, 0)
