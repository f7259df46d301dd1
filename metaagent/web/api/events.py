"""Events as they happen: server-sent, or through a WebSocket; the same events, in the same order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from metaagent.errors import AccessDenied, MetaAgentError, NotLoggedIn, TurnAbandoned
from metaagent.ports import Json
from metaagent.sessions.watching import START, Cursor
from metaagent.web.api.base import PREFIX, Caller, Id, doors_of, router
from metaagent.web.problems import language_of

routes = router("events")
sockets = APIRouter(prefix=PREFIX)

FIRST_SECONDS = 1.0
"""The answer begins with the first event, or after so long without one."""
QUIET_SECONDS = 15.0
"""After so long without an event, a line says that the connection lives; it is also looked whether the log-in does."""
READ_AHEAD = 64
"""Events that are read for somebody who has not taken those before them."""

After = Annotated[int, Query(ge=0, le=2**53, description="The last `seq` that was seen.")]
LastEventId = Annotated[str | None, Header(max_length=40)]
_STREAM: Any = {
    "response_class": StreamingResponse,
    "responses": {
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}},
        204: {"description": "It has ended, and everything was seen."},
    },
}


@routes.get("/turns/{turn_id}/events", **_STREAM)
async def follow_turn(
    turn_id: Id, request: Request, who: Caller, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """The events of a turn, until it has ended or waits for a person. `id` is the `seq`: with `Last-Event-ID`, or `after`,
    nothing is missed and nothing comes twice."""
    seen = max(after, _number(last_event_id))
    events: AsyncIterator[Json] = who.events(turn_id, after=seen)
    waiting = asyncio.ensure_future(anext(events, None))
    await asyncio.wait([waiting], timeout=FIRST_SECONDS)
    if not waiting.done():
        return _streamed(request, None, _after(waiting, events))
    first = waiting.result()
    if first is None:
        return Response(status_code=204)  # an EventSource does not come back after this
    return _streamed(request, first, events)


async def _after(waiting: asyncio.Future[Json | None], events: AsyncIterator[Json]) -> AsyncGenerator[Json]:
    first = await waiting
    if first is not None:
        yield first
        async for event in events:
            yield event


@routes.get("/sessions/{session_id}/events", **_STREAM)
async def watch_session(
    session_id: Id,
    request: Request,
    who: Caller,
    after: Annotated[str | None, Query(max_length=40, description="The last `cursor` that was seen.")] = None,
    last_event_id: LastEventId = None,
) -> Response:
    """The events of all turns of a session, those to come too, until the reader leaves. `id` is the `cursor`."""
    await who.session(session_id)
    place = last_event_id or after
    Cursor.parse(place or str(START))
    return _streamed(request, None, who.watch(session_id, after=place))


@sockets.websocket("/turns/{turn_id}/socket")
async def follow_turn_by_socket(socket: WebSocket, turn_id: str, after: int = 0) -> None:
    """The same events as JSON messages; closes when the turn has ended or waits."""
    try:
        who = await doors_of(socket).acting(socket)
        await who.answer(turn_id)
    except MetaAgentError as error:
        await _refuse(socket, error)
        return
    await socket.accept()
    await _sent(socket, who.events(turn_id, after=max(after, 0)))


@sockets.websocket("/sessions/{session_id}/socket")
async def watch_session_by_socket(socket: WebSocket, session_id: str, after: str | None = None) -> None:
    """The events of all turns of a session as JSON messages, until the reader leaves."""
    try:
        who = await doors_of(socket).acting(socket)
        await who.session(session_id)
        Cursor.parse(after or str(START))
    except MetaAgentError as error:
        await _refuse(socket, error)
        return
    await socket.accept()
    await _sent(socket, who.watch(session_id, after=after))


async def _sent(socket: WebSocket, events: AsyncIterator[Json]) -> None:
    leaving = asyncio.ensure_future(_left(socket))
    try:
        async for found in paced(socket, events, leaving):
            for event in found:
                await socket.send_text(orjson.dumps(event).decode())
        if not leaving.done():
            await socket.close(1000)
    except TurnAbandoned as error:
        await socket.close(1011, error.code)
    except (WebSocketDisconnect, RuntimeError):
        return
    finally:
        leaving.cancel()
        with suppress(asyncio.CancelledError):
            await leaving


async def _left(socket: WebSocket) -> None:
    """Wait until the other side leaves; nothing that it says is read."""
    with suppress(WebSocketDisconnect):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass


async def _refuse(socket: WebSocket, error: MetaAgentError) -> None:
    """Close before anything is said; browsers learn no more than that."""
    code = 4401 if isinstance(error, NotLoggedIn) else 4403 if isinstance(error, AccessDenied) else 4404
    await socket.close(code, error.code)


class _Lines(StreamingResponse):
    """A stream whose content ends by itself when the reader leaves: it needs no second task that watches."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.stream_response(send)


async def _gone(request: Request) -> None:
    """Wait until the reader has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _streamed(request: Request, first: Json | None, events: AsyncIterator[Json]) -> Response:
    return _Lines(
        _lines(request, first, events),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def _lines(request: Request, first: Json | None, events: AsyncIterator[Json]) -> AsyncGenerator[bytes]:
    with doors_of(request).metrics.readers.labels("sse").track_inprogress():
        yield b"retry: 1000\n\n" + (line(first) if first is not None else b"")
        leaving = asyncio.ensure_future(_gone(request))
        try:
            async for found in paced(request, events, leaving):
                yield b"".join(map(line, found)) or b": still here\n\n"
        except TurnAbandoned as error:
            told = {"code": error.code, "detail": error.say(language_of(request))}
            yield b"event: abandoned\ndata: " + orjson.dumps(told) + b"\n\n"
        finally:
            leaving.cancel()


def line(event: Json) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (
        str(event.get("cursor", event["seq"])).encode(),
        str(event["type"]).encode(),
        orjson.dumps(event),
    )


async def paced(
    connection: HTTPConnection, events: AsyncIterator[Json], leaving: asyncio.Future[None]
) -> AsyncGenerator[Sequence[Json]]:
    """Events as they come, those that are there together, and none now and then where there are none for long. Ends when the
    reader leaves, the server stops, or the log-in does."""
    stopping, ahead = doors_of(connection).stopping, _Ahead(events)
    reading = asyncio.ensure_future(ahead.read())
    for each in (reading, leaving):
        each.add_done_callback(ahead.wake)
    stopping.listeners.add(ahead.wake)
    try:
        while not (stopping.is_set() or leaving.done()):
            if not await ahead.comes(QUIET_SECONDS):
                if not await _is_logged_in(connection):
                    return
                yield ()
            elif found := ahead.taken():
                yield found
            elif reading.done():
                reading.result()
                return
    finally:
        stopping.listeners.discard(ahead.wake)
        if not reading.done():
            reading.cancel()
            await asyncio.wait([reading])
        if not reading.cancelled():
            reading.exception()  # looked at: whoever leaves is told of nothing any more


async def _is_logged_in(connection: HTTPConnection) -> bool:
    try:
        await doors_of(connection).person(connection)
    except MetaAgentError:
        return False
    return True


class _Ahead:
    """Events that were read for somebody who has not taken them yet; no more than so many, however slow that is."""

    def __init__(self, events: AsyncIterator[Json]) -> None:
        self._events = events
        self._found: list[Json] = []
        self._room = asyncio.Event()
        self.news = asyncio.Event()

    def wake(self, _: object = None) -> None:
        self.news.set()

    async def read(self) -> None:
        async for event in self._events:
            self._found.append(event)
            self.news.set()
            while len(self._found) >= READ_AHEAD:
                self._room.clear()
                await self._room.wait()

    def taken(self) -> Sequence[Json]:
        found, self._found = self._found, []
        self._room.set()
        if not found:
            self.news.clear()
        return found

    async def comes(self, seconds: float) -> bool:
        """Wait for news; False if there were none for so long."""
        if self.news.is_set():
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.news.wait()
        return self.news.is_set()


def _number(given: str | None) -> int:
    return int(given) if given and given.isascii() and given.isdecimal() and len(given) < 16 else 0
