"""The wrapper round everything that the server answers: names and sizes of requests, headers of answers, figures, the log."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metaagent.errors import InputRefused, MetaAgentError, Text, TooLarge, TooSlow
from metaagent.web.metrics import Metrics
from metaagent.web.problems import language_of, problem_of
from metaagent.web.server_address import Place

logger = logging.getLogger(__name__)

LARGEST_JSON = 8_000_000
"""A question of the longest kind with each character escaped, and something on top."""

BODY_SECONDS = 60.0
"""The time in which each piece of a body must come."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Sequence[tuple[str, str]] = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),  # with no-referrer, browsers name no origin in a form that they send
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("Cache-Control", "no-store"),
)
"""Headers of every answer that does not set them itself."""
SECURE: Sequence[tuple[str, str]] = (*HEADERS, ("Strict-Transport-Security", "max-age=31536000"))
"""Headers of every answer of a server that is reached by TLS."""

_OTHER_NAME = Text(
    en="This server is not called {host!r}. Name it in web.hosts or web.public_url if it is.",
    ko="이 서버의 이름은 {host!r}이(가) 아닙니다. 맞다면 web.hosts나 web.public_url에 적으세요.",
)
_TOO_LARGE = Text(
    en="The body has more than {most:,} bytes. Send less, or attach a file (web.upload_mb says how large it may be).",
    ko="본문이 {most:,}바이트보다 큽니다. 줄이거나 파일로 첨부하세요(크기 제한은 web.upload_mb).",
)
_TOO_SLOW = Text(
    en="Nothing of the body came for {seconds:.0f} seconds. Send it again.",
    ko="{seconds:.0f}초 동안 본문이 오지 않았습니다. 다시 보내 주세요.",
)


class Guarding:
    """Refuses what is addressed to another name or too large before anything reads it."""

    def __init__(self, app: ASGIApp, place: Place, metrics: Metrics) -> None:
        self._app = app
        self._place = place
        self._metrics = metrics
        self._headers = [
            (name.lower().encode(), value.encode()) for name, value in (SECURE if place.secure else HEADERS)
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        self._metrics.under_way += 1
        try:
            if scope["type"] == "websocket":
                await self._socket(scope, receive, send)
            else:
                await self._request(scope, receive, send)
        finally:
            self._metrics.under_way -= 1

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._place.is_named(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 1008})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        answered = _Answer(send, self._headers)
        headers = Headers(scope=scope)
        most = self._most(headers)
        refused = self._refused(headers, most)
        try:
            if refused is not None:
                await problem_of(refused, language_of(HTTPConnection(scope)))(scope, receive, answered)
            else:
                await self._served(scope, _Body(receive, most), answered)
        finally:
            self._note(scope, answered.status, (answered.began or time.perf_counter()) - began)

    async def _served(self, scope: Scope, body: _Body, answered: _Answer) -> None:
        """Say that a body was too large, unless whoever read it has said something already."""
        try:
            await self._app(scope, body, answered)
        except (TooLarge, TooSlow) as error:
            if answered.began:
                raise
            await problem_of(error, language_of(Request(scope)))(scope, body, answered)

    def _refused(self, headers: Headers, most: int) -> MetaAgentError | None:
        if not self._place.is_named(headers.get("host", "")):
            return InputRefused(_OTHER_NAME, host=headers.get("host", "")[:100])
        declared = headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared[:20]) > most:
            return TooLarge(_TOO_LARGE, most=most)
        return None

    def _most(self, headers: Headers) -> int:
        """A form may bring a file; everything else is read as JSON, whatever it calls itself."""
        is_form = headers.get("content-type", "").split(";")[0].strip().lower() == "multipart/form-data"
        return self._place.settings.upload_mb * 1_000_000 + 100_000 if is_form else LARGEST_JSON

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Routes, not paths: an id is nobody's business here."""
        route = getattr(scope.get("route"), "path", None) or "-"
        self._metrics.answered(scope["method"] if route != "-" else "-", route, status, seconds)
        told = {"method": scope["method"][:20], "route": route, "status": status, "ms": round(seconds * 1000)}
        logger.info("request", extra=told)


class _Body:
    """The body of a request, up to so many bytes, none of which takes too long."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._size = 0
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:  # what still can come is that the client leaves
            return await self._receive()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await self._receive()
        except TimeoutError as error:
            raise TooSlow(_TOO_SLOW, seconds=BODY_SECONDS) from error
        self._whole = not message.get("more_body", False)
        self._size += len(message.get("body", b""))
        if self._size > self._most:
            raise TooLarge(_TOO_LARGE, most=self._most)
        return message


class _Answer:
    """The way back: adds the headers that every answer has, and sees when it begins."""

    def __init__(self, send: Send, headers: Sequence[tuple[bytes, bytes]]) -> None:
        self._send = send
        self._headers = headers
        self.status = 500
        self.began: float | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.began = time.perf_counter()
            self.status = message["status"]
            given = list(message.get("headers", ()))
            there = {bytes(name).lower() for name, _ in given}
            given += [each for each in self._headers if each[0] not in there]
            message = {**message, "headers": given}
        await self._send(message)
