"""A server for tests: its application behind a client without sockets, or on a port of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from metaagent.plugin import AgentSpec
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.web import server
from metaagent.web.connections import ImpatientProtocol
from tests.support.agents import opened

ORIGIN = "http://127.0.0.1:8080"
ALL = ["*"]
STAFF = {
    "operations": ["*", "erase:any"],
    "agents": ALL,
    "capabilities": ALL,
    "data": ALL,
    "artifacts": ALL,
    "ports": ALL,
    "collections": ALL,
}
"""A role that may do everything, and is not the owner's."""
KIM, LEE = User("kim", "acme", ("staff",)), User("lee", "acme", ("staff",))
EVE = User("eve", "evilco", ("staff",))
POLICIES = {"policies": {"staff": STAFF}}


@dataclass(frozen=True)
class Site:
    """An open installation and its web application."""

    app: MetaAgent
    web: FastAPI
    addresses: list[str]

    async def key(self, user: User = KIM, *, scopes: tuple[str, ...] = (), days: int = 1) -> str:
        made = await self.app.accounts.create_key("test", user, scopes=scopes, days=days, user=User())
        return made["secret"]

    def client(self, key: str | None = None, **headers: str) -> httpx.AsyncClient:
        given = {"Authorization": f"Bearer {key}"} if key else {}
        transport = httpx.ASGITransport(self.web, raise_app_exceptions=False, client=("127.0.0.1", 5000))
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={**given, **headers})

    async def of(self, user: User, **headers: str) -> httpx.AsyncClient:
        return self.client(await self.key(user), **headers)

    async def owner(self) -> httpx.AsyncClient:
        """A browser that opened the one-time address."""
        async with self.client() as client:
            answer = await client.get(self.web.state.log_in.new_address())
            assert answer.status_code == 303
            browser = self.client(Origin=ORIGIN)
            browser.cookies = client.cookies
        return browser


@asynccontextmanager
async def site(
    data: Path, *agents: AgentSpec, web: Mapping[str, Any] | None = None, **settings: Any
) -> AsyncGenerator[Site]:
    given: dict[str, Any] = {"access": POLICIES, "web": dict(web or {}), **settings}
    async with opened(data, *agents, **given) as app:
        addresses: list[str] = []
        yield Site(app, server.create_app(app, app.settings, announce=addresses.append), addresses)


@asynccontextmanager
async def listening(web: FastAPI) -> AsyncGenerator[str]:
    """Serve it on a free port of this machine; its address."""
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    config = uvicorn.Config(
        web,
        host="127.0.0.1",
        port=0,
        http=ImpatientProtocol,
        ws="websockets-sansio",
        proxy_headers=False,
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    serving = server.Server(config, web.state.doors.stopping, port.set_result)
    task = asyncio.ensure_future(serving.serve())
    await asyncio.wait([task, port], timeout=30, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield f"http://127.0.0.1:{port.result()}"
    finally:
        web.state.doors.stopping.set()
        serving.should_exit = True
        await task
