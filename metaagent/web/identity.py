"""The person of a request: who a cookie stands for, and how a one-time address becomes such a cookie."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from urllib.parse import quote, urlsplit

from fastapi import FastAPI
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from metaagent.errors import NotLoggedIn, Text
from metaagent.ports import User
from metaagent.web.doors import OWNER

COOKIE = "metaagent"
LOG_IN = "/login"

_NOBODY = Text(
    en="Nobody is logged in. Open the address that `metaagent serve` printed, or send an API key as a bearer token.",
    ko="로그인되어 있지 않습니다. `metaagent serve`가 출력한 주소를 열거나 API 키를 bearer 토큰으로 보내세요.",
)


class Identity:
    """Logs people in and says who they are."""

    def __init__(self, announce: Callable[[str], None] = lambda _path: None) -> None:
        """`announce` is told the path of each new one-time address."""
        self._announce = announce
        self._one_time = ""
        self._logged_in: dict[str, User] = {}

    def new_address(self) -> str:
        """Make the path that logs in whoever opens it first; the one before is void."""
        token = secrets.token_urlsafe(32)
        self._one_time = _digest(token)
        path = f"{LOG_IN}?token={token}"
        self._announce(path)
        return path

    async def person(self, connection: HTTPConnection) -> User:
        found = self._logged_in.get(_digest(connection.cookies.get(COOKIE, "")))
        if found is None:
            raise NotLoggedIn(_NOBODY)
        return found

    def mount(self, web: FastAPI) -> None:
        web.add_api_route(LOG_IN, self._log_in, methods=["GET"], include_in_schema=False)

    async def _log_in(self, request: Request) -> Response:
        token = request.query_params.get("token", "")
        if not self._one_time or not secrets.compare_digest(_digest(token), self._one_time):
            raise NotLoggedIn(_NOBODY)
        self.new_address()
        cookie = secrets.token_urlsafe(32)
        self._logged_in[_digest(cookie)] = OWNER
        response = RedirectResponse(inside(request.query_params.get("next", "/")), 303)
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="lax", path="/")
        return response


def inside(target: str) -> str:
    """The path and query of an address if it is one of this server, else its root."""
    parts = urlsplit(target)
    local = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if local and not parts.scheme and not parts.netloc else "/"


def log_in_path(request: HTTPConnection) -> str:
    """The log-in, which comes back to this request's page afterwards."""
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{LOG_IN}?next={quote(request.url.path + query)}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
