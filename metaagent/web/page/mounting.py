"""`mount`: the page, its files and its downloads on the server's application."""

from __future__ import annotations

import logging
from collections.abc import Callable
from copy import copy
from typing import Any

from fastapi import FastAPI
from nicegui import app, background_tasks, ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from metaagent.errors import NotLoggedIn
from metaagent.ports import User
from metaagent.web.doors import PROGRAMS, Doors
from metaagent.web.login import log_in_path
from metaagent.web.page import (
    agents,
    approvals,
    ask,
    documents,
    files,
    knowledge,
    memory,
    review,
    sessions,
)
from metaagent.web.page.elements import ASSETS, box, link, missing
from metaagent.web.page.page_context import ROOT, Visit
from metaagent.web.page.page_middleware import Protecting
from metaagent.web.page.shell import Shell
from metaagent.web.page.words import Words, language_of

PATHS: dict[str, Callable[..., object]] = {
    "/": ask.new,
    "/s/{session_id}": ask.conversation,
    "/sessions": sessions.page,
    "/approvals": approvals.page,
    "/documents": documents.page,
    "/documents/{document_id}": documents.one,
    "/knowledge": knowledge.page,
    "/knowledge/{document_id}": knowledge.one,
    "/memory": memory.page,
    "/agents": agents.page,
    "/review": review.page,
    "/review/{session_id}": review.one,
}
"""Every page, and what builds it."""

STILL_SECONDS = 10.0
"""Between two looks at whether the person is still logged in, while a page is open."""
RECONNECT_SECONDS = 120.0
"""A page that was asleep for less goes on where it was; after longer it loads anew, from the store."""


def mount(web: FastAPI, doors: Doors) -> None:
    """Add the page to the application."""
    web.mount(f"{ROOT}/assets", Assets(directory=ASSETS), name="page_assets")
    library = files.mount(web, doors)

    async def show(request: Request) -> Response | None:
        try:
            user = await doors.person(request)
        except NotLoggedIn:
            return RedirectResponse(log_in_path(request), 303)
        library.prepare()
        await _build(_visit(doors, user, request))
        ui.timer(STILL_SECONDS, lambda: _still_here(doors, request))
        return None

    for path in PATHS:
        ui.page(path, title="metaagent", response_timeout=20.0)(_same_page(show))
    _forget_earlier_mounts()
    app.add_middleware(Protecting, doors=doors)
    ui.run_with(
        web,
        root=_same_page(show),  # our own page for an address that is none
        title="metaagent",
        dark=None,
        favicon=ASSETS / "favicon.svg",
        tailwind=False,
        reconnect_timeout=RECONNECT_SECONDS,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    _keep_to_pages(web)
    logging.getLogger("nicegui").addFilter(_names_no_address)


def _forget_earlier_mounts() -> None:
    """The library has one application in a process. An earlier mount has put its wrapper round it, and pages that were shown
    before a server ran have left what was to begin with it: begun a second time, that would break."""
    app.user_middleware.clear()
    app.middleware_stack = None
    background_tasks.reset()
    for handlers in (app._startup_handlers, app._shutdown_handlers):  # pyright: ignore[reportPrivateUsage]
        handlers.clear()


def _names_no_address(record: logging.LogRecord) -> bool:
    """Tell whether a record of the library may be logged: an unknown address may hold anything, a mistyped secret too."""
    return not record.getMessage().endswith(" not found")


def _keep_to_pages(web: FastAPI) -> None:
    """The library stands at the root and would answer every unknown path, and every wrong method, with a page of its own:
    also where programs call, beside our files, and where nobody started it, as an application inside another is not."""
    mounted = next(route for route in reversed(web.routes) if isinstance(route, Mount) and not route.path)
    matches = mounted.matches

    def pages_only(scope: Scope) -> tuple[Match, Scope]:
        path = str(scope.get("path", "")).removeprefix(scope.get("root_path", ""))
        if not app.is_started or path.startswith((*PROGRAMS, f"{ROOT}/")):
            return Match.NONE, {}
        return matches(scope)

    mounted.matches = pages_only


async def _still_here(doors: Doors, request: Request) -> None:
    """Lead whoever was logged out meanwhile, here or elsewhere, to the log-in."""
    try:
        await doors.person(request)
    except NotLoggedIn:
        ui.navigate.reload()


class Assets(StaticFiles):
    """Our own files: kept by browsers, and asked for anew when they have changed."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _same_page(show: Callable[[Request], object]) -> Callable[[Request], object]:
    """A function of its own for each path: the library knows pages by their function."""

    async def page(request: Request) -> object:
        return await show(request)  # pyright: ignore[reportGeneralTypeIssues]

    return page


def _visit(doors: Doors, user: User, request: Request) -> Visit:
    chosen = request.cookies.get(files.LANGUAGE, "")
    language = (
        chosen if chosen in files.LANGUAGES else language_of(request.headers.get("accept-language", ""))
    )
    theme = request.cookies.get(files.THEME, "")
    return Visit(
        doors.acting_as(user),
        Words(language),
        doors.settings,
        doors.meta.registry,
        doors.meta.rule_titles,
        theme if theme in files.THEMES else "",
    )


async def _build(visit: Visit) -> None:
    client = ui.context.client
    client.page = copy(client.page)  # this visit's own: language and theme are the person's
    client.page.language = "ko-KR" if visit.language == "ko" else "en-US"
    client.page.dark = {"dark": True, "light": False}.get(visit.theme)
    ui.add_head_html(
        f'<link rel="stylesheet" href="{ROOT}/assets/page.css"><script type="module" src="{ROOT}/assets/page.js"></script>'
    )

    def pages() -> None:
        Pages(PATHS, data={"visit": visit})

    await Shell(visit).build(pages)


class Pages(ui.sub_pages):
    """The page that the path names."""

    def _render_404(self) -> None:
        visit: Visit = self._data["visit"]
        with box("div", "page stack"):
            missing(visit.words("not_found"), visit.words("not_found_hint"))
            link(visit.words("to_start"), "/", "button")
