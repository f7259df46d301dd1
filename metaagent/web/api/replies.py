"""`Idempotency-Key`: the same POST sent twice is done once and answered the same."""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from metaagent.errors import InputRefused, MetaAgentError, SessionError, Text
from metaagent.ports import User
from metaagent.sessions.replies import Replies
from metaagent.web.problems import language_of, problem_of

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST_KEY = 200
NOT_KEPT = (401, 429)
"""Answers that say nothing of what was asked."""
KEPT_HEADERS = ("content-type", "content-disposition", "location")

_BAD_KEY = Text(
    en="An Idempotency-Key is 1 to {most} printable ASCII characters.",
    ko="Idempotency-Key는 1~{most}자의 보이는 ASCII 문자여야 합니다.",
)
_OTHER = Text(
    en="This Idempotency-Key was used for another request. Use a new one.",
    ko="다른 요청에 사용한 Idempotency-Key입니다. 새 키를 쓰세요.",
)
_UNDER_WAY = Text(
    en="The same request is under way, or was cut off when the server stopped: look what came of it before you send it again "
    "with a new Idempotency-Key.",
    ko="같은 요청이 처리 중이거나 서버가 멈추면서 끊겼습니다. 결과를 확인한 뒤 새 Idempotency-Key로 다시 보내세요.",
)


async def answered_once(
    request: Request,
    replies: Replies,
    user: User,
    answer: Callable[[Request], Coroutine[Any, Any, Response]],
) -> Response:
    """Answer a request; if it has a key, from what was answered before."""
    key = request.headers.get(HEADER)
    if key is None:
        return await answer(request)
    if not 1 <= len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise InputRefused(_BAD_KEY, most=LONGEST_KEY)
    digest = _digest(request, await request.body())
    known = await replies.begin(user, key, digest)
    if known is not None:
        return _again(known, digest)
    try:
        made = await _answered(request, answer)
    except BaseException:
        await asyncio.shield(replies.drop(user, key))
        raise
    # A file comes in pieces: it is made again rather than kept.
    if made.status_code in NOT_KEPT or made.status_code >= 500 or isinstance(made, StreamingResponse):
        await replies.drop(user, key)
    else:
        await replies.keep(user, key, digest, _packed(made))
    return made


async def _answered(request: Request, answer: Callable[[Request], Coroutine[Any, Any, Response]]) -> Response:
    try:
        return await answer(request)
    except MetaAgentError as error:
        return problem_of(error, language_of(request))


def _again(known: dict[str, Any], digest: str) -> Response:
    if known["request"] != digest:
        raise InputRefused(_OTHER)
    if "status" not in known:
        raise SessionError(_UNDER_WAY)
    headers = {**known["headers"], REPLAYED: "true"}
    return Response(b64decode(known["body"]), known["status"], headers)


def _packed(response: Response) -> dict[str, Any]:
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    body = b64encode(bytes(response.body)).decode()
    return {"status": response.status_code, "headers": headers, "body": body}


def _digest(request: Request, body: bytes) -> str:
    """A form's boundary differs each time it is sent: the same file twice is two requests unless its bytes are the same."""
    head = f"{request.method}\0{request.url.path}\0{request.url.query}\0".encode()
    return hashlib.sha256(head + body).hexdigest()
