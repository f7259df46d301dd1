"""The page's own routes: settings of the browser, the chart library, and pictures of pages. Files come from the API."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from urllib.parse import quote, urlsplit

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from metaagent.acting import Acting
from metaagent.documents.previews import chart_library, preview
from metaagent.errors import InputRefused, Text
from metaagent.web.doors import Doors
from metaagent.web.login import inside
from metaagent.web.page.page_context import ROOT
from metaagent.web.problems import LANGUAGE_COOKIE

LANGUAGE, THEME = LANGUAGE_COOKIE, "metaagent-theme"
LANGUAGES, THEMES = ("ko", "en"), ("light", "dark", "auto")
YEAR = 365 * 24 * 3600
API = "/api/v1"
_NO_PAGE = Text(en="There is no picture of page {page}.", ko="{page}쪽의 그림이 없습니다.")


def artifact_address(session: str, artifact: str, form: str = "") -> str:
    query = f"?form={quote(form)}" if form else ""
    return f"{API}/sessions/{quote(session, safe='')}/artifacts/{quote(artifact, safe='')}/content{query}"


def document_address(document: str, version: int, form: str) -> str:
    return f"{API}/documents/{quote(document, safe='')}/file?form={form}&version={version}"


def session_address(session: str) -> str:
    return f"{API}/sessions/{quote(session, safe='')}/export"


def artifact_pages(session: str, artifact: str) -> str:
    return f"{ROOT}/artifacts/{quote(session, safe='')}/{quote(artifact, safe='')}"


def document_pages(document: str, version: int) -> str:
    return f"{ROOT}/documents/{quote(document, safe='')}/{version}"


def mount(web: FastAPI, doors: Doors) -> ChartLibrary:
    """Add the routes. Each that shows something of a person is made for the one who asks."""
    library = ChartLibrary()

    def add(path: str, made: Callable[[Acting, Request], Awaitable[Response]]) -> None:
        async def route(request: Request) -> Response:
            return await made(await doors.acting(request), request)

        web.add_route(f"{ROOT}{path}", route, include_in_schema=False)

    web.add_route(f"{ROOT}/settings", _settings, include_in_schema=False)
    web.add_route(f"{ROOT}/vega.js", library.served, include_in_schema=False)
    add("/artifacts/{session}/{artifact}/pages/{page:int}.png", _artifact_page)
    add("/documents/{document}/{version:int}/pages/{page:int}.png", _document_page)
    return library


async def _settings(request: Request) -> Response:
    """Keep the language or the theme in the browser, and go back."""
    given, came = request.query_params, urlsplit(request.headers.get("referer", ""))
    response = RedirectResponse(inside(came.path or "/"), 303)
    for name, cookie, known in (("language", LANGUAGE, LANGUAGES), ("theme", THEME, THEMES)):
        if given.get(name) in known:
            response.set_cookie(cookie, given[name], max_age=YEAR, httponly=True, samesite="lax", path="/")
    return response


class ChartLibrary:
    """Vega and Vega-Lite as one script: put together once, when somebody opens the page."""

    def __init__(self) -> None:
        self._made: asyncio.Task[bytes] | None = None

    def prepare(self) -> asyncio.Task[bytes]:
        """Begin, or begin again where it failed; it takes seconds."""
        if self._made is None or (self._made.done() and (self._made.cancelled() or self._made.exception())):
            self._made = asyncio.create_task(self._make())
        return self._made

    async def served(self, _request: Request) -> Response:
        packed = await asyncio.shield(self.prepare())
        headers = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=86400"}
        return Response(packed, media_type="text/javascript", headers=headers)

    async def _make(self) -> bytes:
        return gzip.compress(await chart_library(), 6, mtime=0)


async def _artifact_page(me: Acting, request: Request) -> Response:
    path = request.path_params
    return await _picture(await me.artifact(path["session"], path["artifact"]), path["page"])


async def _document_page(me: Acting, request: Request) -> Response:
    path = request.path_params
    return await _picture(await me.documents.export(path["document"], "pdf", path["version"]), path["page"])


async def _picture(content: object, page: int) -> Response:
    shown = (await preview(content)).pages if isinstance(content, bytes) else ()
    if not 1 <= page <= len(shown):
        raise InputRefused(_NO_PAGE, page=page)
    headers = {"Cache-Control": "private, max-age=300"}
    return Response(shown[page - 1], media_type="image/png", headers=headers)
