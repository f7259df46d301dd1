"""MCP over streamable HTTP at `/mcp`, for the person of each request. The package is imported with the first one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from metaagent.acting import Acting
from metaagent.errors import MetaAgentError, Text
from metaagent.ports import User
from metaagent.web.doors import Doors
from metaagent.web.problems import language_of
from metaagent.web.protocols.requests import LARGEST_BODY, headers_of, status_of

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
PERSON = "metaagent.person"
IDLE_SECONDS = 30 * 60
MOST_SESSIONS = 1_000

NOT_INSTALLED = Text(
    en="MCP needs a package that is not installed ({missing}): pip install 'metaagent[protocols]'",
    ko="MCP에 필요한 패키지가 설치되어 있지 않습니다({missing}): pip install 'metaagent[protocols]'",
)


def mount(web: FastAPI, doors: Doors) -> McpHttp:
    """Add the route; what is given back must be closed when the server stops."""
    door = McpHttp(doors)
    web.router.routes.append(Route(PATH, endpoint=door, include_in_schema=False))
    return door


class McpHttp:
    """Says who makes each request, and hands it to the server, which starts with the first."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self._lock = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            person = await self._doors.person(request)
        except MetaAgentError as error:
            told = {"error": error.say(language_of(request))}
            await JSONResponse(told, status_of(error), headers_of(error))(scope, receive, send)
            return
        try:
            manager = await self._started()
        except ModuleNotFoundError as error:
            told = NOT_INSTALLED.say(language_of(request), missing=error.name)
            await JSONResponse({"error": told}, 501)(scope, receive, send)
            return
        await manager.handle_request({**scope, PERSON: person, "user": _as_owner(person)}, receive, send)

    async def close(self) -> None:
        self._ending.set()
        if self._running is not None:
            await self._running

    async def _started(self) -> StreamableHTTPSessionManager:
        async with self._lock:
            if self._manager is None:
                from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

                from metaagent.web.protocols.mcp_server import make_server

                manager = StreamableHTTPSessionManager(
                    make_server(self._acting),
                    session_idle_timeout=IDLE_SECONDS,
                    max_request_body_size=LARGEST_BODY,
                    max_sessions=MOST_SESSIONS,
                )
                ready = asyncio.Event()
                self._running = asyncio.create_task(self._run(manager, ready))
                await ready.wait()
                self._manager = manager
            return self._manager

    async def _run(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        async with manager.run():
            ready.set()
            await self._ending.wait()

    async def _acting(self, ctx: Any) -> Acting:
        """The person of the message itself, not of the request that opened the session."""
        person = ctx.request.scope[PERSON]
        assert isinstance(person, User)
        return self._doors.acting_as(person)


def _as_owner(person: User) -> Any:
    """The person as the session of the protocol knows who opened it: nobody else can use it."""
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    return AuthenticatedUser(
        AccessToken(token="", client_id=person.company_id, scopes=[], subject=person.user_id)
    )
