"""Files on the way out: as attachments that no browser runs, whole or in part."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import quote

from starlette.responses import Response

SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'"
"""What an answer's file may do in a browser that shows it all the same: nothing."""
_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def disposition(name: str) -> str:
    """The header that names the file: plain for every client, whole for those that read Unicode."""
    last = PurePosixPath(name.replace("\\", "/")).name or "file"
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", last)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(last, safe='')}"


def attachment(
    content: bytes, name: str, media_type: str, asked: str | None = None, etag: str = ""
) -> Response:
    """A file, or the part of it that a `Range` header asks for."""
    headers = {
        "Content-Disposition": disposition(name),
        "Content-Security-Policy": SANDBOX,
        "Accept-Ranges": "bytes",
        **({"ETag": f'"{etag}"'} if etag else {}),
    }
    span = part(asked, len(content)) if asked else None
    if span is None:
        return Response(content, 200, headers, media_type or "application/octet-stream")
    first, last = span
    if first > last:
        return Response(status_code=416, headers={**headers, "Content-Range": f"bytes */{len(content)}"})
    headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
    return Response(content[first : last + 1], 206, headers, media_type or "application/octet-stream")


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
