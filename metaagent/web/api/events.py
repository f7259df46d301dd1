"""Events as they happen: server-sent, or through a WebSocket; the same events, in the same order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import suppress
from time import monotonic
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from metaagent.acting import Acting
from metaagent.errors import AccessDenied, MetaAgentError, NotLoggedIn, TurnAbandoned, UnknownSession
from metaagent.ports import Json
from metaagent.sessions.watching import START, Cursor
from metaagent.web.api.base import PREFIX, REQUEST, Answer, Caller, Id, Route, doors_of, is_plain, router
from metaagent.web.api.replies import REPLAYED
from metaagent.web.problems import language_of


class _EventsRoute(Route):
    """A route that is mostly asked for from the beginning: then there is nothing but the path to read."""

    def reading(self) -> Answer:
        read = super().reading()

        async def answer(request: Request) -> Response:
            if not is_plain(request) or "last-event-id" in request.headers:
                return await read(request)
            return await self.endpoint(**request.path_params, **{REQUEST: request})

        return answer


routes = router("events", _EventsRoute)
sockets = APIRouter(prefix=PREFIX)

STREAM = "text/event-stream"
FIRST_SECONDS = 1.0
"""The answer begins with the first event, or after so long without one; so long a pause makes it worth a look whether
somebody still reads."""
QUIET_SECONDS = 15.0
"""After so long without an event, a line says that the connection lives; so often it is also looked whether the log-in does."""
READ_AHEAD = 64
"""Events that are read for somebody who has not taken those before them."""

After = Annotated[int, Query(ge=0, le=2**53, description="The last `seq` that was seen.")]
LastEventId = Annotated[str | None, Header(max_length=40)]
STREAM_CONTENT: Any = {STREAM: {"schema": {"type": "string"}}}
_STREAM: Any = {
    "response_class": StreamingResponse,
    "responses": {
        200: {"content": STREAM_CONTENT},
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
    ahead = _Ahead(who.events(turn_id, after=seen))
    if await ahead.comes(FIRST_SECONDS) and ahead.is_over():
        return Response(status_code=204)  # an EventSource does not come back after this
    return _streamed(request, ahead)


async def following(request: Request, who: Acting, turn_id: str, begun: Response) -> Response:
    """The events of a turn as the answer of the request that began it. `Content-Location` is where the same go on for
    somebody who lost the connection. Who may ask and not read is told what everybody is: the turn runs."""
    ahead = _Ahead(who.events(turn_id, after=_number(request.headers.get("last-event-id"))))
    try:
        if await ahead.comes(FIRST_SECONDS):
            ahead.is_over()
    except AccessDenied:
        return begun
    answer = _streamed(request, ahead)
    answer.status_code = begun.status_code
    answer.headers["Content-Location"] = events_of(turn_id)
    if REPLAYED in begun.headers:
        answer.headers[REPLAYED] = begun.headers[REPLAYED]
    return answer


def events_of(turn_id: str) -> str:
    return f"{PREFIX}/turns/{turn_id}/events"


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
    return _streamed(request, _Ahead(who.watch(session_id, after=place)))


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
    try:
        async for found in paced(socket, _Ahead(events), lambda: _left(socket)):
            for event in found:
                await socket.send_text(orjson.dumps(event).decode())
        if socket.client_state is WebSocketState.CONNECTED:
            await socket.close(1000)
    except TurnAbandoned as error:
        await socket.close(1011, error.code)
    except UnknownSession as error:  # deleted meanwhile, or no longer shared
        await socket.close(4404, error.code)
    except (WebSocketDisconnect, RuntimeError):
        return


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


def _streamed(request: Request, ahead: _Ahead) -> _Lines:
    return _Lines(_lines(request, ahead), media_type=STREAM, headers={"X-Accel-Buffering": "no"})


async def _lines(request: Request, ahead: _Ahead) -> AsyncGenerator[bytes]:
    with doors_of(request).metrics.reader("sse"):
        try:
            yield b"retry: 1000\n\n" + b"".join(map(line, ahead.taken()))
            async for found in paced(request, ahead, lambda: _gone(request)):
                yield b"".join(map(line, found)) or b": still here\n\n"
        except TurnAbandoned as error:
            told = {"code": error.code, "detail": error.say(language_of(request))}
            yield b"event: abandoned\ndata: " + orjson.dumps(told) + b"\n\n"
        except UnknownSession:  # deleted meanwhile, or no longer shared: whoever comes back is told so
            return


def line(event: Json) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (
        str(event.get("cursor", event["seq"])).encode(),
        str(event["type"]).encode(),
        orjson.dumps(event),
    )


async def paced(
    connection: HTTPConnection, ahead: _Ahead, gone: Callable[[], Coroutine[Any, Any, None]]
) -> AsyncGenerator[Sequence[Json]]:
    """Events as they come, those that are there together, and none now and then where there are none for long. Ends when the
    reader leaves, the server stops, or the log-in does. `gone` waits until the reader has left: that is looked at from
    the first pause on, for most turns are over before there is one."""
    stopping, leaving = doors_of(connection).stopping, None
    stopping.listeners.add(ahead.wake)
    looked = monotonic()
    try:
        while not (stopping.is_set() or (leaving is not None and leaving.done())):
            if await ahead.comes(FIRST_SECONDS if leaving is None else QUIET_SECONDS):
                if monotonic() - looked > QUIET_SECONDS:
                    looked = monotonic()
                    if not await _is_logged_in(connection):
                        return
                if found := ahead.taken():
                    yield found
                elif ahead.is_over():
                    return
            elif leaving is None:
                leaving = asyncio.ensure_future(gone())
                leaving.add_done_callback(ahead.wake)
            elif await _is_logged_in(connection):
                yield ()
            else:
                return
    finally:
        stopping.listeners.discard(ahead.wake)
        if leaving is not None:
            leaving.cancel()
        await ahead.close()


async def _is_logged_in(connection: HTTPConnection) -> bool:
    try:
        await doors_of(connection).person(connection)
    except MetaAgentError:
        return False
    return True


class _Ahead:
    """Events that are read for somebody who has not taken them yet; no more than so many, however slow that is."""

    def __init__(self, events: AsyncIterator[Json]) -> None:
        self._events = events
        self._found: list[Json] = []
        self._news = False
        self._waiting: asyncio.Future[None] | None = None
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._room = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._reading = asyncio.ensure_future(self._read())
        self._reading.add_done_callback(self.wake)

    def wake(self, _: object = None) -> None:
        self._news = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _read(self) -> None:
        async for event in self._events:
            self._found.append(event)
            self.wake()
            while len(self._found) >= READ_AHEAD:
                self._room.clear()
                await self._room.wait()

    def taken(self) -> Sequence[Json]:
        found, self._found = self._found, []
        self._room.set()
        if not found:
            self._news = False
        return found

    def is_over(self) -> bool:
        """Tell whether everything was read and taken; raises what ended the reading early."""
        if self._found or not self._reading.done():
            return False
        self._reading.result()
        return True

    async def comes(self, seconds: float) -> bool:
        """Wait for news; False if there were none for so long."""
        if not self._news:
            self._until = self._loop.time() + seconds
            if self._timer is None:
                self._timer = self._loop.call_at(self._until, self._late)
            self._waiting = self._loop.create_future()
            await self._waiting
        return self._news

    def _late(self) -> None:
        """Wake who waits, if it is time: one timer serves one wait after the other, for most end long before it goes off."""
        self._timer = None
        if self._waiting is None or self._waiting.done():
            return
        if self._loop.time() < self._until:
            self._timer = self._loop.call_at(self._until, self._late)
        else:
            self._waiting.set_result(None)

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._reading.done():
            self._reading.cancel()
            await asyncio.wait([self._reading])
        if not self._reading.cancelled():
            self._reading.exception()  # looked at: whoever leaves is told of nothing any more


def _number(given: str | None) -> int:
    return int(given) if given and given.isascii() and given.isdecimal() and len(given) < 16 else 0
