"""OpenAI's HTTP API: `/v1/chat/completions`, `/v1/responses` and `/v1/models`, so that its clients work unchanged.

A streamed answer begins when the answer has been checked: a draft that is taken back cannot be taken back from a program.
Whoever leaves in the middle does not stop the turn; its answer is in the session.
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from metaagent.acting import Acting
from metaagent.errors import MetaAgentError, Text
from metaagent.ports import Json
from metaagent.protection.redaction import redact_exception
from metaagent.web.doors import Doors
from metaagent.web.problems import language_of
from metaagent.web.protocols import openai_wire as wire
from metaagent.web.protocols.exchange import Exchange, Reply, begin
from metaagent.web.protocols.requests import body_of, headers_of, status_of
from metaagent.web.protocols.threads import Said, Threads

logger = logging.getLogger(__name__)

WORKING = b": working\n\n"
"""A comment of the stream for each event of the turn: whoever listens knows that somebody works."""

_DEFECT = Text(
    en="Something went wrong here; the log names the cause. Try again, or tell whoever runs this server.",
    ko="서버에 문제가 생겼으며 원인은 로그에 있습니다. 다시 시도하거나 서버 운영자에게 알려 주세요.",
)

Route = Callable[[Request], Awaitable[Response]]


def mount(web: FastAPI, doors: Doors, threads: Threads) -> None:
    api = OpenAiApi(doors, threads)
    for path, work, method in (
        ("/v1/chat/completions", api.chat, "POST"),
        ("/v1/responses", api.responses, "POST"),
        ("/v1/models", api.models, "GET"),
        ("/v1/models/{model}", api.model, "GET"),
    ):
        web.add_api_route(path, _told(work), methods=[method], include_in_schema=False)


class OpenAiApi:
    def __init__(self, doors: Doors, threads: Threads) -> None:
        self._doors = doors
        self._threads = threads

    async def models(self, request: Request) -> Response:
        await self._doors.person(request)
        return JSONResponse({"object": "list", "data": [wire.model_object()]})

    async def model(self, request: Request) -> Response:
        await self._doors.person(request)
        wire.check_model(str(request.path_params["model"]))
        return JSONResponse(wire.model_object())

    async def chat(self, request: Request) -> Response:
        app = await self._doors.acting(request)
        given: wire.ChatRequest = wire.read(wire.ChatRequest, await body_of(request))
        said = given.said
        under_way = await self._begin(app, said, given.metadata)
        created = int(time.time())
        if not given.stream:
            return JSONResponse(wire.chat_completion(await self._finished(under_way, said), created))
        usage = bool(given.stream_options and given.stream_options.include_usage)

        def told(reply: Reply) -> Iterator[bytes]:
            for chunk in wire.chat_chunks(reply, created, usage=usage):
                yield b"data: " + orjson.dumps(chunk) + b"\n\n"
            yield b"data: [DONE]\n\n"

        return _stream(self._streamed(under_way, said, told, language_of(request)))

    async def responses(self, request: Request) -> Response:
        app = await self._doors.acting(request)
        given: wire.ResponsesRequest = wire.read(wire.ResponsesRequest, await body_of(request))
        said = given.said
        if given.previous_response_id:
            turn = await app.answer(wire.turn_of(given.previous_response_id))
            under_way = await begin(app, said[-1][1], turn.session_id)
        else:
            under_way = await self._begin(app, said, given.metadata)
        created = int(time.time())
        if not given.stream:
            return JSONResponse(wire.response_object(await self._finished(under_way, said), created, given))

        def told(reply: Reply) -> Iterator[bytes]:
            for event in wire.response_events(reply, created, given):
                yield f"event: {event['type']}\n".encode() + b"data: " + orjson.dumps(event) + b"\n\n"

        return _stream(self._streamed(under_way, said, told, language_of(request)))

    async def _begin(self, app: Acting, said: list[Said], metadata: wire.Metadata | None) -> Exchange:
        named = metadata.session_id if metadata else None
        return await begin(app, said[-1][1], named or await self._threads.session_of(app, said[:-1]))

    async def _finished(self, under_way: Exchange, said: list[Said]) -> Reply:
        async for _ in under_way.events():
            pass
        return await self._kept(under_way, said)

    async def _kept(self, under_way: Exchange, said: list[Said]) -> Reply:
        """The reply, known from now on as what this conversation ends with."""
        reply = await under_way.reply()
        history = [*said, ("assistant", reply.text)]
        await self._threads.keep(under_way.app, history, reply.session_id, reply.turn_id)
        return reply

    async def _streamed(
        self, under_way: Exchange, said: list[Said], told: Callable[[Reply], Iterator[bytes]], language: str
    ) -> AsyncIterator[bytes]:
        try:
            async for _ in under_way.events():
                yield WORKING
            for piece in told(await self._kept(under_way, said)):
                yield piece
        except MetaAgentError as error:  # the status is sent already: the client reads it from the stream
            yield b"data: " + orjson.dumps(_error(error, language)) + b"\n\n"


def _stream(pieces: AsyncIterator[bytes]) -> Response:
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(pieces, media_type="text/event-stream", headers=headers)


def _error(error: MetaAgentError, language: str) -> Json:
    param = error.param if isinstance(error, wire.ParamRefused) else None
    status = status_of(error)
    code = "invalid_api_key" if status == 401 else error.code
    return wire.error_object(status, error.say(language), code, param)


def _told(work: Route) -> Route:
    """Answer refusals in OpenAI's shape."""

    async def answered(request: Request) -> Response:
        try:
            return await work(request)
        except MetaAgentError as error:
            return JSONResponse(_error(error, language_of(request)), status_of(error), headers_of(error))
        except Exception as error:  # noqa: BLE001 - logged without personal data; the client gets the shape that it knows
            logger.error("a request of a program broke\n%s", redact_exception(error))
            told = wire.error_object(500, _DEFECT.say(language_of(request)), "internal_error")
            return JSONResponse(told, 500)

    return answered
