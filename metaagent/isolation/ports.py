"""The ports as an isolated agent sees them: each use is a call over the one socket to the service."""

from __future__ import annotations

import asyncio
import itertools
import select
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import Any

from metaagent.isolation.frames import (
    CALLS,
    CALLS_AT_ONCE,
    HEADER,
    decode,
    decode_length,
    encode,
    plain_or_text,
    rebuild,
)


class Channel:
    """Calls over one socket. Any thread may call; whoever waits reads for all."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._sending = threading.Lock()
        self._receiving = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Future[Any]] = {}
        self._slots = asyncio.Semaphore(CALLS_AT_ONCE)

    def send(self, frame: bytes) -> None:
        with self._sending:
            self._socket.sendall(frame)

    def receive(self) -> dict[str, Any]:
        return decode(self._exactly(decode_length(self._exactly(HEADER.size))))

    def receive_ready(self) -> None:
        """Another thread may have read what was announced: look again before reading."""
        with self._receiving:
            if select.select([self._socket], [], [], 0)[0]:
                self._deliver(self.receive())

    async def call(self, port: str, method: str, *args: Any, **kwargs: Any) -> Any:
        async with self._slots:
            return await asyncio.wrap_future(self._begin(port, method, args, kwargs))

    def call_now(self, port: str, method: str) -> Any:
        future = self._begin(port, method, (), {})
        while not future.done():
            with self._receiving:
                if not future.done():
                    self._deliver(self.receive())
        return future.result()

    def tell(self, port: str, method: str, message: object, fields: Mapping[str, Any]) -> None:
        """Without an answer. A log takes anything: what cannot be sent goes as its text."""
        kwargs = {key: plain_or_text(value) for key, value in fields.items()}
        call = {"port": port, "method": method, "args": [plain_or_text(message)], "kwargs": kwargs}
        self.send(encode(call))

    def _begin(self, port: str, method: str, args: Any, kwargs: Any) -> Future[Any]:
        number = next(self._numbers)
        call = {"call": number, "port": port, "method": method, "args": args, "kwargs": kwargs}
        frame = encode(call)
        future: Future[Any] = Future()
        self._waiting[number] = future
        self.send(frame)
        return future

    def _deliver(self, reply: Mapping[str, Any]) -> None:
        future = self._waiting.pop(reply["reply"], None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "error" in reply:
            future.set_exception(rebuild(reply["error"]))
        else:
            future.set_result(reply["value"])

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = self._socket.recv(min(size - len(data), 1 << 20))
            if not part:
                raise SystemExit(1)  # the service is gone: nobody waits for an outcome
            data += part
        return bytes(data)


class _Proxy:
    """Each method of the port is a call."""

    def __init__(self, channel: Channel, port: str) -> None:
        self._channel = channel
        self._port = port

    def __getattr__(self, method: str) -> Callable[..., Any]:
        if method not in CALLS[self._port]:
            raise AttributeError(f"ctx.{self._port} has no {method}")

        def call(*args: Any, **kwargs: Any) -> Any:
            return self._channel.call(self._port, method, *args, **kwargs)

        return call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._channel.call(self._port, "__call__", *args, **kwargs)


class _Log:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def info(self, message: str, **fields: Any) -> None:
        self._channel.tell("log", "info", message, fields)

    def warning(self, message: str, **fields: Any) -> None:
        self._channel.tell("log", "warning", message, fields)


class _Clock:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def now(self) -> datetime:
        return self._channel.call_now("clock", "now")


PROXIES: dict[str, Callable[[Channel], Any]] = {
    "db": lambda channel: _Proxy(channel, "db"),
    "vectors": lambda channel: _Proxy(channel, "vectors"),
    "llm": lambda channel: _Proxy(channel, "llm"),
    "files": lambda channel: _Proxy(channel, "files"),
    "artifacts": lambda channel: _Proxy(channel, "artifacts"),
    "progress": lambda channel: _Proxy(channel, "progress"),
    "memory": lambda channel: _Proxy(channel, "memory"),
    "rules": lambda channel: _Proxy(channel, "rules"),
    "templates": lambda channel: _Proxy(channel, "templates"),
    "records": lambda channel: _Proxy(channel, "records"),
    "effects": lambda channel: _Proxy(channel, "effects"),
    "library": lambda channel: _Proxy(channel, "library"),
    "web": lambda channel: _Proxy(channel, "web"),
    "log": _Log,
    "clock": _Clock,
}
