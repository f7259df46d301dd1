"""The log-in: a one-time address, a name with its password, or an OpenID provider become a cookie."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

from fastapi import FastAPI
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from metaagent.errors import AccessDenied, MetaAgentError, NotLoggedIn, Text, TooManyRequests
from metaagent.ports import User
from metaagent.sessions.accounts import LONGEST_PASSWORD
from metaagent.web.doors import OWNER
from metaagent.web.identity import ONE_TIME, Identity
from metaagent.web.problems import language_of, status_of
from metaagent.web.server_address import neighbourhood
from metaagent.web.throttle import Throttle

PATH = "/login"
OIDC_COOKIE = "metaagent-oidc"
DEVICE_COOKIE = "metaagent-device"
DEVICE_DAYS = 180
WAIT_SECONDS = 15 * 60
TRIES_OF_STRANGERS = 20
"""Times `web.login_tries` that all unfamiliar browsers together have for one account."""
FAILURES_OF_ADDRESS = 100
"""Wrong passwords from one address, for whichever accounts."""

_HERE = Path(__file__).parent

_WRONG = Text(en="Name or password is wrong.", ko="이름이나 비밀번호가 맞지 않습니다.")
_USED = Text(
    en="This address was used already, or is an old one. The program prints a new one in its terminal each time it is started.",
    ko="이미 사용했거나 오래된 주소입니다. 프로그램을 시작할 때마다 터미널에 새 주소가 나옵니다.",
)
_WAIT = Text(
    en="Too many wrong passwords from here. Try again in {minutes} minutes; other browsers and addresses can still log in.",
    ko="여기서 비밀번호를 여러 번 틀렸습니다. {minutes}분 뒤에 다시 시도하세요. 다른 브라우저와 주소에서는 로그인할 수 있습니다.",
)
_FOREIGN = Text(
    en="This form was sent from another site. Open /login here and log in again.",
    ko="다른 사이트에서 보낸 양식입니다. 여기 /login을 열어 다시 로그인하세요.",
)
_TEXTS = {
    "title": Text(en="Log in", ko="로그인"),
    "name": Text(en="Name", ko="이름"),
    "password": Text(en="Password", ko="비밀번호"),
    "enter": Text(en="Log in", ko="로그인"),
    "provider": Text(en="Log in with your organisation", ko="조직 계정으로 로그인"),
    "printed": Text(
        en="Open the address that the program printed in its terminal when it started. It works once, in one browser.",
        ko="프로그램을 시작한 터미널에 나온 주소를 여세요. 한 브라우저에서 한 번만 쓸 수 있습니다.",
    ),
    "proxy": Text(
        en="People come in through your organisation's proxy: use its address.",
        ko="조직의 프록시 주소로 들어오세요.",
    ),
}


class LogIn:
    """The routes of the log-in. `announce` is told the path of each new one-time address."""

    def __init__(self, identity: Identity, announce: Callable[[str], None] = lambda _path: None) -> None:
        web = identity.settings.web
        self._identity = identity
        self._announce = announce
        self._one_time = ""
        self._tries = Throttle(web.login_tries, WAIT_SECONDS)
        self._strangers = Throttle(web.login_tries * TRIES_OF_STRANGERS, WAIT_SECONDS)
        self._addresses = Throttle(FAILURES_OF_ADDRESS, WAIT_SECONDS)
        self._ways = web.auth

    def mount(self, web: FastAPI) -> None:
        web.add_route(PATH, self._page, methods=["GET"], include_in_schema=False)
        web.add_route("/login.css", self._style, methods=["GET"], include_in_schema=False)
        web.add_route("/logout", self._log_out, methods=["POST"], include_in_schema=False)
        if "accounts" in self._ways:
            web.add_route(PATH, self._by_password, methods=["POST"], include_in_schema=False)
        if "oidc" in self._ways:
            from metaagent.web.oidc import Provider

            self._provider = Provider(self._identity.settings)
            web.add_route("/login/oidc", self._to_provider, methods=["GET"], include_in_schema=False)
            web.add_route(
                "/login/oidc/callback", self._from_provider, methods=["GET"], include_in_schema=False
            )

    def new_address(self) -> str:
        """Make the path that logs in whoever opens it first; the one before is void."""
        token = secrets.token_urlsafe(32)
        self._one_time = _digest(token)
        path = f"{PATH}?token={token}"
        self._announce(path)
        return path

    # --- routes -----------------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        if "token" in request.query_params and ONE_TIME in self._ways:
            return await self._by_address(request)
        return self._shown(request)

    async def _style(self, _request: Request) -> Response:
        return FileResponse(_HERE / "login.css", media_type="text/css")

    async def _by_address(self, request: Request) -> Response:
        given = _digest(request.query_params["token"])
        if not self._one_time or not secrets.compare_digest(given, self._one_time):
            if not self._strangers.wait("address"):
                self._strangers.count("address")
                await self._identity.accounts.refused("used", ONE_TIME)
            return self._shown(request, NotLoggedIn(_USED))
        self.new_address()
        return await self._begun(request, OWNER, ONE_TIME, request.query_params.get("next", "/"))

    async def _by_password(self, request: Request) -> Response:
        if not self._identity.place.is_own_origin(request):
            return self._shown(request, AccessDenied(_FOREIGN))
        async with request.form(max_files=0, max_fields=5, max_part_size=4_096) as form:
            name, password = str(form.get("name", ""))[:200], str(form.get("password", ""))
            target = str(form.get("next", "/"))
        account = name.casefold()
        familiar = self._is_familiar(request, account)
        keys = self._counted(request, account, familiar)
        wait = max(throttle.wait(key) for throttle, key in keys)
        if wait:
            minutes = max(1, round(wait / 60))
            return self._shown(request, TooManyRequests(_WAIT, minutes=minutes, retry_after=wait), name)
        person = None
        if len(password) <= LONGEST_PASSWORD:
            person = await self._identity.accounts.check_password(name, password)
        if person is None:
            for throttle, key in keys:
                throttle.count(key)
            return self._shown(request, NotLoggedIn(_WRONG), name)
        for throttle, key in keys[:1]:
            throttle.forget(key)
        response = await self._begun(request, person, "password", target, account=name)
        if not familiar:
            nonce = secrets.token_urlsafe(12)
            mark = f"{nonce}.{self._device(account, nonce)}"
            self._set_cookie(response, DEVICE_COOKIE, mark, int(DEVICE_DAYS * 86_400))
        return response

    async def _to_provider(self, request: Request) -> Response:
        target = inside(request.query_params.get("next", "/"))
        address, state = await self._provider.begin(self._callback(request), target)
        response = RedirectResponse(address, 303)
        self._set_cookie(response, OIDC_COOKIE, state, self._provider.SECONDS)
        return response

    async def _from_provider(self, request: Request) -> Response:
        try:
            person, target = await self._provider.finish(
                self._callback(request), str(request.url.query), request.cookies.get(OIDC_COOKIE, "")
            )
        except MetaAgentError as error:
            await self._identity.accounts.refused(error.code, "oidc")
            response = self._shown(request, error)
        else:
            response = await self._begun(request, person, "oidc", target)
        response.delete_cookie(OIDC_COOKIE, path="/")
        return response

    async def _log_out(self, request: Request) -> Response:
        await self._identity.logged_in(request)
        await self._identity.accounts.log_out(request.cookies.get(self._identity.cookie, ""))
        response = RedirectResponse(PATH, 303)
        response.delete_cookie(self._identity.cookie, path="/", secure=self._identity.place.secure)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    # --- inside -----------------------------------------------------------------------------------------

    async def _begun(
        self, request: Request, person: User, by: str, target: str, *, account: str = ""
    ) -> Response:
        """Set a new cookie, whatever one came with the request, and lead to the page that was wanted."""
        hours = self._identity.settings.web.login_hours
        client = request.headers.get("user-agent", "")
        secret = await self._identity.accounts.log_in(person, by, hours, client=client, account=account)
        response = RedirectResponse(inside(target), 303)
        self._set_cookie(response, self._identity.cookie, secret, int(hours * 3600))
        return response

    def _set_cookie(self, response: Response, name: str, value: str, seconds: int) -> None:
        secure = self._identity.place.secure
        response.set_cookie(name, value, seconds, path="/", secure=secure, httponly=True, samesite="lax")

    def _shown(self, request: Request, error: MetaAgentError | None = None, given: str = "") -> HTMLResponse:
        """The page, with what went wrong before and the name that was given."""
        from jinja2 import Environment, FileSystemLoader

        language = language_of(request)
        pages = Environment(loader=FileSystemLoader(_HERE), autoescape=True)
        target = inside(request.query_params.get("next", "/"))
        html = pages.get_template("login.html").render(
            language=language,
            ways=self._ways,
            next=target,
            oidc=f"/login/oidc?next={quote(target)}",
            said=error.say(language) if error else "",
            given=given,
            **{name: text.say(language) for name, text in _TEXTS.items()},
        )
        headers = {"Cache-Control": "no-store"}
        if isinstance(error, TooManyRequests):
            headers["Retry-After"] = str(round(error.params["retry_after"]))
        return HTMLResponse(html, status_of(error) if error else 200, headers)

    def _counted(self, request: Request, account: str, familiar: str) -> list[tuple[Throttle, object]]:
        """Counts that a wrong password adds to. A browser that logged in before has its own, which nobody else can fill."""
        if familiar:
            return [(self._tries, (account, familiar))]
        address = neighbourhood(self._identity.place.client(request))
        return [
            (self._tries, (account, address)),
            (self._strangers, account),
            (self._addresses, address),
        ]

    def _is_familiar(self, request: Request, account: str) -> str:
        nonce, _, mark = request.cookies.get(DEVICE_COOKIE, "").partition(".")
        return nonce if mark and secrets.compare_digest(mark, self._device(account, nonce)) else ""

    def _device(self, account: str, nonce: str) -> str:
        return self._identity.accounts.mark(f"device\0{account}\0{nonce}")

    def _callback(self, request: Request) -> str:
        return f"{self._identity.place.origin(request)}/login/oidc/callback"


def inside(target: str) -> str:
    """The address if it is a path of this server, else its root."""
    sound = target.startswith("/") and target.isascii() and target.isprintable() and "\\" not in target
    parts = urlsplit(target) if sound and not target.startswith("//") else None
    return target if parts is not None and not parts.scheme and not parts.netloc else "/"


def log_in_path(request: HTTPConnection) -> str:
    """The log-in, which comes back to this request's page afterwards."""
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{PATH}?next={quote(request.url.path + query)}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
