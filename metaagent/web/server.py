"""The server: one FastAPI application of parts, and the process that serves it."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from metaagent import __version__
from metaagent.config import Settings
from metaagent.errors import AccessDenied, ConfigInvalid, MetaAgentError, NotLoggedIn, Text
from metaagent.runtime import MetaAgent, drain_turns, take_up_turns
from metaagent.web import api, page, protocols
from metaagent.web.connections import ImpatientProtocol
from metaagent.web.doors import PROGRAMS, Doors
from metaagent.web.identity import ONE_TIME, Identity
from metaagent.web.login import PATH, LogIn, log_in_path
from metaagent.web.metrics import Metrics
from metaagent.web.middleware import Guarding
from metaagent.web.problems import on_defect, on_error, on_http_error, on_invalid
from metaagent.web.server_address import Place, is_loopback

logger = logging.getLogger(__name__)

IDLE_SECONDS = 65
"""The time between two requests of one connection: longer than a proxy keeps one."""

NOT_TRACED: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework's own telemetry holds what people sent; ours (docs/observing.md) does not."""

_OPEN_TO_ALL = Text(
    en="{host} can be reached from other machines, and everybody there would be the owner. Choose how people log in: "
    "web.auth: [accounts], [oidc] or [proxy] (docs/serving.md), or listen on 127.0.0.1.",
    ko="{host}은(는) 다른 컴퓨터에서 접근할 수 있어 누구나 소유자가 됩니다. 로그인 방법을 정하세요: web.auth: [accounts], "
    "[oidc] 또는 [proxy](docs/serving.md). 아니면 127.0.0.1에서 여세요.",
)
_NO_AUTH = Text(
    en="web.auth is empty: nobody could log in.", ko="web.auth가 비어 있어 아무도 로그인할 수 없습니다."
)
_NO_PROXY = Text(
    en="web.auth names proxy: set web.proxies to the proxy's own address.",
    ko="web.auth에 proxy가 있습니다. web.proxies에 프록시의 주소를 설정하세요.",
)
_ONLY_HERE = Text(
    en="Figures are given to programs on this machine only.", ko="지표는 이 컴퓨터의 프로그램에만 제공합니다."
)


def create_app(
    meta: MetaAgent,
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    announce: Callable[[str], None] = lambda _path: None,
) -> FastAPI:
    """Put the parts together into one application. `announce` is told the path of each new one-time address."""
    check_place(settings, host)
    place, metrics = Place(settings.web, host), Metrics()
    identity = Identity(meta, settings, place)
    log_in = LogIn(identity, announce)
    web = FastAPI(
        title="metaagent",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        telemetry=NOT_TRACED,
    )
    doors = Doors(meta, settings, identity.person, metrics=metrics)
    web.state.log_in, web.state.doors = log_in, doors
    log_in.mount(web)
    _mount_health(web, doors)
    for kind, handler in (
        (NotLoggedIn, _not_logged_in),
        (MetaAgentError, on_error),
        (RequestValidationError, on_invalid),
        (HTTPException, on_http_error),
        (Exception, on_defect),
    ):
        web.add_exception_handler(kind, handler)
    for part in (api, protocols, page):  # in the order in which their routes are looked at
        part.mount(web, doors)
    web.add_middleware(Guarding, place=place, metrics=metrics)
    return web


def check_place(settings: Settings, host: str) -> None:
    """Refuse to listen where people could come in whom nobody asked who they are."""
    web = settings.web
    if not web.auth:
        raise ConfigInvalid(_NO_AUTH)
    if ONE_TIME in web.auth and (not is_loopback(host) or web.public_url):
        raise ConfigInvalid(_OPEN_TO_ALL, host=web.public_url or host)
    if "proxy" in web.auth and not web.proxies:
        raise ConfigInvalid(_NO_PROXY)


def _mount_health(web: FastAPI, doors: Doors) -> None:
    async def alive(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(_request: Request) -> Response:
        """Ready if the store answers and the server is not about to stop."""
        if doors.stopping.is_set():
            return JSONResponse({"status": "stopping"}, 503)
        await doors.meta.accounts.logged_in("")
        return JSONResponse({"status": "ready"})

    async def figures(request: Request) -> Response:
        peer = request.client.host if request.client else ""
        passed_on = "x-forwarded-for" in request.headers or not is_loopback(request.url.hostname or "")
        if not is_loopback(peer) or passed_on:
            raise AccessDenied(_ONLY_HERE)
        return doors.metrics.response()

    for path, answer in (("/healthz", alive), ("/readyz", ready), ("/metrics", figures)):
        web.add_route(path, answer, methods=["GET"], include_in_schema=False)


async def _not_logged_in(request: Request, error: Exception) -> Response:
    """People are led to the log-in, programs are told."""
    wants_page = "text/html" in request.headers.get("accept", "") and request.method in ("GET", "HEAD")
    if wants_page and not request.url.path.startswith((*PROGRAMS, PATH)):
        return RedirectResponse(log_in_path(request), 303)
    return await on_error(request, error)


class Server(uvicorn.Server):
    """Tells the parts that it is about to stop, so that those who follow events are let go."""

    def __init__(
        self, config: uvicorn.Config, stopping: asyncio.Event, started: Callable[[int], None]
    ) -> None:
        super().__init__(config)
        self._stopping = stopping
        self._tell_started = started

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self._tell_started(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._stopping.set()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Take the signals on the loop: whoever waits on it is woken at once. They are not raised again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for sig in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sig, self.handle_exit, sig, None)
        try:
            yield
        finally:
            for sig in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(sig)


async def serve(
    web: FastAPI, host: str, port: int, started: Callable[[int], None] = lambda _port: None
) -> None:
    """Serve until the process is told to stop. Turns that a killed server left go on first; those at work when it stops
    get a while to end, and go on at the next start otherwise. `started` is told the port."""
    doors: Doors = web.state.doors
    config = uvicorn.Config(
        web,
        host=host,
        port=port,
        http=ImpatientProtocol,
        ws="websockets-sansio",
        ws_max_size=1_000_000,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=5,
    )
    with _logged_together():
        taken = await take_up_turns(doors.meta)
        if taken:
            logger.warning("%d turns that were cut off go on", taken)
        await Server(config, doors.stopping, started).serve()
        await drain_turns(doors.meta, doors.settings.web.stop_seconds)


@contextmanager
def _logged_together() -> Generator[None]:
    """Let the framework's loggers write where ours do: redacted, sealed."""
    ours = logging.getLogger("metaagent")
    theirs = [logging.getLogger(name) for name in ("uvicorn", "fastapi", "nicegui", "asyncio")]
    before = [(each.handlers, each.propagate, each.level) for each in theirs]
    for each in theirs:
        each.handlers, each.propagate = [*ours.handlers], not ours.handlers
        each.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for each, (handlers, propagate, level) in zip(theirs, before, strict=True):
            each.handlers, each.propagate = handlers, propagate
            each.setLevel(level)
