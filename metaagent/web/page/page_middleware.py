"""The wrapper round the library that serves the page: a policy for its scripts, and nobody at its socket but who may be."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from metaagent.errors import MetaAgentError
from metaagent.web.doors import Doors

SOCKET = "/_nicegui_ws"


def policy(nonce: str) -> str:
    """Scripts run if they come from this server or carry the answer's own nonce: text of people and models has neither.
    `unsafe-eval` is for the library alone: its client evaluates the commands that its own server part sends (`runJavascript`), and
    its build of Vue compiles templates of components in the browser. Charts need none: Vega interprets its expressions."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


class Protecting:
    """Gives each page its nonce, and lets only people who are logged in, from this site, to the page's socket."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self._app = app
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif SOCKET in scope["path"] and not await self._may(scope):
            await _refuse(scope, receive, send)
        else:
            await self._app(scope, receive, _Page(send) if scope["type"] == "http" else send)

    async def _may(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origin, public = headers.get("origin"), self._doors.settings.web.public_url
        own = {headers.get("host"), urlsplit(public or "").netloc}
        if origin is not None and urlsplit(origin).netloc not in own:
            return False
        try:
            await self._doors.person(HTTPConnection(scope))
        except MetaAgentError:
            return False
        return True


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await PlainTextResponse("", 403)(scope, receive, send)


class _Page:
    """The way back of an answer. HTML is held until it is whole, and its scripts get the nonce: all of them are the
    library's and ours, since it escapes whatever else is in the page."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if "text/html" in Headers(raw=message["headers"]).get("content-type", ""):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self._start)
            return
        await self._send(message)

    async def _finish(self, start: Message) -> None:
        nonce = secrets.token_urlsafe(18)
        body = bytes(self._body).replace(b"<script", f'<script nonce="{nonce}"'.encode())
        headers = MutableHeaders(raw=start["headers"])
        headers["content-length"] = str(len(body))
        headers["content-security-policy"] = policy(nonce)
        headers["cache-control"] = "no-store"
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})
