"""Puts the protocols into the server. Those whose package is not installed answer with the command that installs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from metaagent.web.doors import Doors


def mount(web: FastAPI, doors: Doors) -> None:
    from metaagent.web.protocols import a2a_http, ag_ui_api, mcp_http, openai_api
    from metaagent.web.protocols.threads import Threads

    threads = Threads(doors.settings.data_dir, doors.meta.governance.ring)
    openai_api.mount(web, doors, threads)
    mcp = mcp_http.mount(web, doors)
    ag_ui_api.mount(web, doors, threads)
    a2a_http.mount(web, doors, threads)
    around = web.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncGenerator[Any]:
        async with around(app) as state:
            try:
                yield state
            finally:
                await mcp.close()
                threads.close()

    web.router.lifespan_context = lifespan
