"""A2A over JSON-RPC at `/a2a`, with the agent card where others look for it. The package is imported with the first request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message

from metaagent.errors import MetaAgentError, Text
from metaagent.web.doors import Doors
from metaagent.web.problems import language_of, problem_of
from metaagent.web.protocols.requests import bytes_of
from metaagent.web.protocols.threads import Threads

if TYPE_CHECKING:
    from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher

PATH = "/a2a"
CARD = "/.well-known/agent-card.json"
IDLE_SECONDS = 60 * 60
MOST_WORDS = 20

_NOT_INSTALLED = Text(
    en="A2A needs a package that is not installed ({missing}): pip install 'metaagent[protocols]'",
    ko="A2A에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[protocols]'",
)


def mount(web: FastAPI, doors: Doors, threads: Threads) -> None:
    door = A2aHttp(doors, threads)
    web.add_api_route(PATH, door.call, methods=["POST"], include_in_schema=False)
    web.add_api_route(CARD, door.card, methods=["GET"], include_in_schema=False)


class A2aHttp:
    def __init__(self, doors: Doors, threads: Threads) -> None:
        self._doors = doors
        self._threads = threads
        self._dispatcher: JsonRpcDispatcher | None = None

    async def card(self, request: Request) -> Response:
        """The card is for everybody, as the protocol wants it."""
        try:
            from a2a.server.request_handlers.response_helpers import agent_card_to_dict
        except ModuleNotFoundError as error:
            return _missing(request, error)
        return JSONResponse(agent_card_to_dict(self._card(f"{str(request.base_url).rstrip('/')}{PATH}")))

    async def call(self, request: Request) -> Response:
        try:
            person = await self._doors.person(request)
            body = _strict(await bytes_of(request))
        except MetaAgentError as error:
            return problem_of(error, language_of(request))
        try:
            from metaagent.web.protocols.a2a_agent import PERSON

            dispatcher = self._made()
        except ModuleNotFoundError as error:
            return _missing(request, error)

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        return await dispatcher.handle_requests(Request({**request.scope, PERSON: person}, receive))

    def _made(self) -> JsonRpcDispatcher:
        if self._dispatcher is None:
            from a2a.server.request_handlers.default_request_handler_v2 import DefaultRequestHandlerV2
            from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher

            from metaagent.web.protocols.a2a_agent import Callers, Tasks, TurnExecutor

            handler = DefaultRequestHandlerV2(
                TurnExecutor(self._doors, self._threads),
                Tasks(),
                self._card(PATH),
                interrupted_task_timeout=IDLE_SECONDS,
            )
            self._dispatcher = JsonRpcDispatcher(handler, context_builder=Callers(), enable_v0_3_compat=True)
        return self._dispatcher

    def _card(self, url: str) -> Any:
        from metaagent.web.protocols.a2a_agent import agent_card

        skills = [
            (spec.name, spec.description.say("en"), words)
            for spec in self._doors.meta.registry.enabled()
            for words in [[word for each in spec.capabilities for word in (*each.ko, *each.en)][:MOST_WORDS]]
        ]
        return agent_card(url, skills)


def _strict(body: bytes) -> bytes:
    """The body if it is JSON; else nothing, which the dispatcher says is none: it would read half characters and fail on them."""
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError:
        return b""
    return body


def _missing(request: Request, error: ModuleNotFoundError) -> Response:
    return JSONResponse({"error": _NOT_INSTALLED.say(language_of(request), missing=error.name)}, 501)
