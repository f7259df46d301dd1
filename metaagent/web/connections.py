"""The connections of the server: heads of a bounded size that come in time, and nothing after a body that counts as a head."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

LARGEST_HEAD = 64_000
"""Bytes of a request that may come without one of its body: its line and headers, or what follows the body."""
HEAD_SECONDS = 20.0
"""The time in which the head of a request must come."""

GATHERED_BYTES = 32_000
"""Bytes of an answer that are gathered before they are written."""

_REFUSED = "The head of the request is too large."


class _Gathering:
    """A transport that writes what comes in one round of the loop at once: the head of an answer goes out with the beginning
    of its body. A write wakes the other side, and costs more than what most answers hold."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.bare = transport
        self._loop = loop
        self._held: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)

    def write(self, data: bytes) -> None:
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)
        self._size += len(data)
        if self._size > GATHERED_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._held:
            held, self._held, self._size = self._held, [], 0
            self.bare.write(b"".join(held))

    def close(self) -> None:
        self.flush()
        self.bare.close()


class ImpatientProtocol(HttpToolsProtocol):
    """Ends a connection whose request does not come, or comes without an end: somebody who sends a byte a minute holds
    nothing open, and nobody fills the memory with headers."""

    _timer: asyncio.TimerHandle | None = None
    _unread = 0
    """Bytes that came since the parser last told of a head, a piece of a body or an end."""
    _in_head = True

    @property
    def awaits(self) -> bool:
        """True while a request is awaited, after which the connection ends if it does not come."""
        return self._timer is not None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._gathering = _Gathering(transport, self.loop)
        self.transport = cast("asyncio.Transport", self._gathering)
        self._watch()

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._unread > LARGEST_HEAD:
            self._refuse()
        self._watch()

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. One that follows the body is none: a proxy that says who somebody is does not look there."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._unread, self._in_head = 0, False
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > LARGEST_HEAD:
            raise ValueError(_REFUSED)  # the parser makes it a request that cannot be read
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_watching()
        self._gathering.flush()
        self.transport = self._gathering.bare
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        super().connection_lost(exc)

    def _refuse(self) -> None:
        if not self.transport.is_closing():
            self.send_400_response(_REFUSED)

    def _watch(self) -> None:
        """Run a timer while a request is awaited that was not begun, or not sent to its end. Between two requests the
        framework's own timer runs."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        at_work = cycle is not None and not cycle.response_complete
        if at_work or self.transport.get_protocol() is not self:
            self._stop_watching()
        elif self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_watching(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()
