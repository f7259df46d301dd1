"""Compression of what is stored, before it is sealed."""

from __future__ import annotations

import zlib


def deflated(data: bytes) -> bytes:
    """Does as zlib.compress(data, 1), with tables for the small values that most are: zlib's own take longer to clear than
    a kilobyte takes to deflate."""
    deflate = zlib.compressobj(1, zlib.DEFLATED, wbits=14, memLevel=6)
    return deflate.compress(data) + deflate.flush()
