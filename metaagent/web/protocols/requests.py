"""Requests of programs: who makes them, and their bodies, bounded and plain."""

from __future__ import annotations

from typing import Any, cast

import orjson
from starlette.requests import HTTPConnection, Request

from metaagent.acting.person import Acting
from metaagent.errors import (
    AccessDenied,
    DataUnavailable,
    InputRefused,
    MetaAgentError,
    NotLoggedIn,
    SessionError,
    StorageError,
    Text,
    UnknownSession,
)
from metaagent.web.doors import Doors

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

_STATUS: tuple[tuple[type[MetaAgentError], int], ...] = (
    (NotLoggedIn, 401),
    (AccessDenied, 403),
    (UnknownSession, 404),
    (SessionError, 409),
    (InputRefused, 400),
    (DataUnavailable, 503),
    (StorageError, 503),
)


class BodyRefused(InputRefused):
    """A body that is not taken; `status` is the answer's."""

    def __init__(self, status: int, text: Text, **params: Any) -> None:
        super().__init__(text, **params)
        self.status = status


def status_of(error: MetaAgentError) -> int:
    """The HTTP status that says what kind of refusal this is."""
    if isinstance(error, BodyRefused):
        return error.status
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def language_of(connection: HTTPConnection) -> str:
    """The language of refusals: Korean where the client prefers it."""
    return "ko" if connection.headers.get("accept-language", "").lower().startswith("ko") else "en"


async def acting(doors: Doors, connection: HTTPConnection) -> Acting:
    """The application for whoever makes this request. Raises NotLoggedIn where nobody is known."""
    return doors.meta.acting_for(await doors.person(connection))


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request. A form of another site cannot send one: its content type is refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BodyRefused(415, _NOT_JSON, problem=f"Content-Type: {kind[:60] or '-'}")
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > LARGEST_BODY:
            raise BodyRefused(413, _TOO_LARGE, most=LARGEST_BODY)
        pieces.append(piece)
    try:
        found: object = orjson.loads(b"".join(pieces))
    except orjson.JSONDecodeError as error:
        raise BodyRefused(400, _NOT_JSON, problem=str(error)[:100]) from error
    if not isinstance(found, dict):
        raise BodyRefused(400, _NOT_JSON, problem="no object")
    return cast("dict[str, Any]", found)
