"""Events as they happen: server-sent, or through a WebSocket; the same events, in the same order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
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
        async for event in paced(socket, None, events):
            if leaving.done():
                return
            if event is not None:
                await socket.send_text(orjson.dumps(event).decode())
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


def _streamed(request: Request, first: Json | None, events: AsyncIterator[Json]) -> Response:
    return StreamingResponse(
        _lines(request, first, events),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


async def _lines(request: Request, first: Json | None, events: AsyncIterator[Json]) -> AsyncGenerator[bytes]:
    with doors_of(request).metrics.readers.labels("sse").track_inprogress():
        yield b"retry: 1000\n\n"
        try:
            async for event in paced(request, first, events):
                yield b": still here\n\n" if event is None else line(event)
        except TurnAbandoned as error:
            told = {"code": error.code, "detail": error.say(language_of(request))}
            yield b"event: abandoned\ndata: " + orjson.dumps(told) + b"\n\n"


def line(event: Json) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (
        str(event.get("cursor", event["seq"])).encode(),
        str(event["type"]).encode(),
        orjson.dumps(event),
    )


async def paced(
    connection: HTTPConnection, first: Json | None, events: AsyncIterator[Json]
) -> AsyncGenerator[Json | None]:
    """Events, and None now and then where there are none for long. Ends when the server stops, or the log-in does."""
    doors = doors_of(connection)
    if first is not None:
        yield first
    stopping = asyncio.ensure_future(doors.stopping.wait())
    waiting: asyncio.Future[Any] | None = None
    try:
        while not stopping.done():
            waiting = waiting or asyncio.ensure_future(anext(events, None))
            await asyncio.wait(
                [waiting, stopping], timeout=QUIET_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if waiting.done():
                event, waiting = waiting.result(), None
                if event is None:
                    return
                yield event
            elif not stopping.done():
                try:
                    await doors.person(connection)
                except MetaAgentError:
                    return
                yield None
    finally:
        for each in (stopping, waiting):
            if each is not None and not each.done():
                each.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration):
                    await each


def _number(given: str | None) -> int:
    return int(given) if given and given.isascii() and given.isdecimal() and len(given) < 16 else 0
