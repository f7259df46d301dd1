"""The server: one FastAPI application of parts, and the process that serves it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from metaagent import __version__
from metaagent.config import Settings
from metaagent.errors import NotLoggedIn
from metaagent.runtime import MetaAgent
from metaagent.web.doors import Doors
from metaagent.web.identity import Identity, log_in_path

PARTS = ("metaagent.web.api", "metaagent.web.protocols", "metaagent.web.page")
"""Packages with `mount(web, doors)`, in the order in which their routes are looked at."""


def create_app(meta: MetaAgent, settings: Settings, identity: Identity) -> FastAPI:
    """Put the parts together into one application."""
    web = FastAPI(title="metaagent", version=__version__, docs_url=None, redoc_url=None)
    doors = Doors(meta, settings, identity.person)
    identity.mount(web)
    web.add_exception_handler(NotLoggedIn, _not_logged_in)
    for name in PARTS:
        if find_spec(name) is not None:
            mount: Callable[[FastAPI, Doors], None] = import_module(name).mount
            mount(web, doors)
    return web


async def _not_logged_in(request: Request, error: Exception) -> Response:
    """People are led to the log-in, programs are told."""
    assert isinstance(error, NotLoggedIn)
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/login"):
        return RedirectResponse(log_in_path(request), 303)
    return JSONResponse({"title": str(error), "status": 401}, 401, {"WWW-Authenticate": "Bearer"})


async def serve(web: FastAPI, host: str, port: int) -> None:
    """Serve until the process is told to stop."""
    config = uvicorn.Config(web, host=host, port=port, log_config=None, server_header=False)
    await uvicorn.Server(config).serve()
