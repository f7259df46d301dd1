"""Bodies of programs' requests: bounded, JSON, and nothing that a form of another site could send."""

from __future__ import annotations

from typing import Any, cast

import orjson
from starlette.requests import Request

from metaagent.errors import InputRefused, MetaAgentError, Text, TooLarge, UnknownMedia
from metaagent.web import problems

LARGEST_BODY = 8_000_000
"""Bytes: clients that send the whole conversation send long bodies."""

_NOT_JSON = Text(
    en="The body is not JSON ({problem}): send a JSON object with `Content-Type: application/json`.",
    ko="본문이 JSON이 아닙니다({problem}). `Content-Type: application/json`으로 JSON 객체를 보내세요.",
)
_TOO_LARGE = Text(
    en="The body has more than {most} bytes: send less at once.",
    ko="본문이 {most}바이트를 넘습니다. 나누어 보내세요.",
)


def status_of(error: MetaAgentError) -> int:
    """The HTTP status of a refusal: clients of these protocols know 400 where our own API says 422."""
    status = problems.status_of(error)
    return 400 if status == 422 else status


def headers_of(error: MetaAgentError) -> dict[str, str]:
    """Headers that say how to log in, or when to come back."""
    if status_of(error) == 401:
        return {"WWW-Authenticate": 'Bearer realm="metaagent"'}
    after = getattr(error, "retry_after", None) or error.params.get("retry_after")
    return {} if after is None else {"Retry-After": str(max(1, round(after)))}


async def bytes_of(request: Request) -> bytes:
    """The body of a JSON request, bounded."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise UnknownMedia(_NOT_JSON, problem=f"Content-Type: {kind[:60] or '-'}")
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > LARGEST_BODY:
            raise TooLarge(_TOO_LARGE, most=LARGEST_BODY)
        pieces.append(piece)
    return b"".join(pieces)


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request."""
    try:
        found: object = orjson.loads(await bytes_of(request))
    except orjson.JSONDecodeError as error:
        raise InputRefused(_NOT_JSON, problem=str(error)[:100]) from error
    if not isinstance(found, dict):
        raise InputRefused(_NOT_JSON, problem="no object")
    return cast("dict[str, Any]", found)
