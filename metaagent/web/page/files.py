"""The page's own routes: settings of the browser, the chart library, attachments, downloads and pictures of pages."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from urllib.parse import quote

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from metaagent.acting import Acting
from metaagent.documents.files import FORMATS
from metaagent.documents.files import MEDIA_TYPES as DOCUMENT_TYPES
from metaagent.documents.previews import chart_library, preview
from metaagent.errors import AccessDenied, InputRefused, MetaAgentError, NotLoggedIn, Text
from metaagent.sessions.artifact_files import MEDIA_TYPES, as_file, own_form
from metaagent.web.doors import Doors
from metaagent.web.identity import inside
from metaagent.web.page.visit import ROOT
from metaagent.web.page.words import language_of

LANGUAGE, THEME = "metaagent_language", "metaagent_theme"
LANGUAGES, THEMES = ("ko", "en"), ("light", "dark", "auto")
YEAR = 365 * 24 * 3600
LARGEST = 50_000_000
_PRIVATE = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
_NOT_THIS = Text(en="It cannot be given as {form}.", ko="{form} 형식으로는 줄 수 없습니다.")
_LARGE = Text(en="The file has more than {most:,} bytes.", ko="파일이 {most:,}바이트를 넘습니다.")

Made = Callable[[Acting, Request], Awaitable[Response]]


def mount(web: FastAPI, doors: Doors) -> ChartLibrary:
    """Add the routes. Each that shows something of a person is made for the one who asks."""
    library = ChartLibrary()

    def add(path: str, made: Made, method: str = "GET") -> None:
        async def route(request: Request) -> Response:
            return await _answered(doors, request, made)

        web.add_route(f"{ROOT}{path}", route, methods=[method], include_in_schema=False)

    web.add_route(f"{ROOT}/settings", _settings, include_in_schema=False)
    web.add_route(f"{ROOT}/vega.js", library.served, include_in_schema=False)
    add("/attachments", _attach, "POST")
    add("/artifacts/{session}/{artifact}", _artifact)
    add("/artifacts/{session}/{artifact}/pages/{page:int}.png", _artifact_page)
    add("/documents/{document}/{version:int}/pages/{page:int}.png", _document_page)
    add("/documents/{document}/{version:int}", _document)
    add("/sessions/{session}", _session)
    add("/trail", _trail)
    return library


async def _answered(doors: Doors, request: Request, made: Made) -> Response:
    """What was asked for, or why not: as words for the page, never with anything of another person."""
    language = request.cookies.get(LANGUAGE) or language_of(request.headers.get("accept-language", ""))
    try:
        return await made(await doors.acting(request), request)
    except NotLoggedIn as error:
        return _refused(error, language, 401)
    except AccessDenied as error:
        return _refused(error, language, 403)
    except MetaAgentError as error:
        return _refused(error, language, 404 if request.method == "GET" else 422)


def _refused(error: MetaAgentError, language: str, status: int) -> Response:
    said = error.say("ko" if language == "ko" else "en")
    return JSONResponse(
        {"title": said, "detail": said, "status": status, "code": error.code},
        status,
        _PRIVATE,
        "application/problem+json",
    )


async def _settings(request: Request) -> Response:
    """Keep the language or the theme in the browser, and go back."""
    given = request.query_params
    response = RedirectResponse(inside(given.get("next", "/")), 303)
    for name, cookie, known in (("language", LANGUAGE, LANGUAGES), ("theme", THEME, THEMES)):
        if given.get(name) in known:
            response.set_cookie(cookie, given[name], max_age=YEAR, httponly=True, samesite="lax", path="/")
    return response


class ChartLibrary:
    """Vega and Vega-Lite out of the wheel that also draws our pictures: put together once, when a page first needs it."""

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


async def _attach(me: Acting, request: Request) -> Response:
    """Keep a file that is going to be asked about. The name comes beside the bytes, which are counted as they come."""
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > LARGEST:
            raise InputRefused(_LARGE, most=LARGEST)
    kept = await me.attach(request.query_params.get("name", "")[:200], bytes(content))
    return JSONResponse({"id": kept["id"], "name": kept.get("name", "")}, 201, _PRIVATE)


async def _artifact(me: Acting, request: Request) -> Response:
    """An artifact as a file, on record as every export."""
    session, artifact = request.path_params["session"], request.path_params["artifact"]
    wanted = request.query_params.get("form") or None
    ref = await me.artifact_ref(session, artifact, form=wanted)
    data = await me.artifact(session, ref.id)
    own = own_form(ref) if isinstance(data, bytes) else "json"
    form = wanted or own
    content = data if isinstance(data, bytes) and form == own else await as_file(data, form)
    if content is None:
        raise InputRefused(_NOT_THIS, form=form)
    await me.record_export(session, ref.id, form, content)
    name = ref.name if isinstance(data, bytes) and ref.name else f"{ref.kind}-{ref.id[:8]}.{form}"
    return _file(content, name, form)


async def _artifact_page(me: Acting, request: Request) -> Response:
    session, artifact = request.path_params["session"], request.path_params["artifact"]
    return await _picture(await me.artifact(session, artifact), request.path_params["page"])


async def _document_page(me: Acting, request: Request) -> Response:
    path = request.path_params
    return await _picture(await me.documents.export(path["document"], "pdf", path["version"]), path["page"])


async def _document(me: Acting, request: Request) -> Response:
    path, form = request.path_params, request.query_params.get("form", "pdf")
    if form not in FORMATS:
        raise InputRefused(_NOT_THIS, form=form[:20])
    content = await me.documents.export(path["document"], form, path["version"])
    return _file(content, f"{path['document']}-{path['version']}.{form}", form)


async def _picture(content: object, page: int) -> Response:
    shown = (await preview(content)).pages if isinstance(content, bytes) else ()
    if not 1 <= page <= len(shown):
        raise InputRefused(_NOT_THIS, form="png")
    headers = {**_PRIVATE, "Cache-Control": "private, max-age=300"}
    return Response(shown[page - 1], media_type="image/png", headers=headers)


async def _session(me: Acting, request: Request) -> Response:
    session = request.path_params["session"]
    return _file(await me.export_session(session), f"{session}.zip", "zip")


async def _trail(me: Acting, request: Request) -> Response:
    """The whole audit trail: lines that can be verified, or a table for a spreadsheet."""
    import io

    if request.query_params.get("form") == "csv":
        text = io.StringIO(newline="")
        await me.governance.audit_export(text, form="csv")
        return _file(text.getvalue().encode(), "audit.csv", "csv")
    raw = io.BytesIO()
    await me.governance.audit_export(raw, form="jsonl")
    return _file(raw.getvalue(), "audit.jsonl", "jsonl")


def _file(content: bytes, name: str, form: str) -> Response:
    """To be saved, never to be shown: what people and models wrote is not run in this page's name."""
    media = MEDIA_TYPES.get(form) or DOCUMENT_TYPES.get(form) or "application/octet-stream"
    headers = {**_PRIVATE, "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=media, headers=headers)
