"""The person of a request: by a bearer key, a proxy's header or a cookie, in this order. Nobody is a person by default."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import HTTPConnection

from metaagent.config import Settings
from metaagent.errors import AccessDenied, NotLoggedIn, Text, TooManyRequests
from metaagent.input_checks import admit_user
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.sessions.accounts import AccountService, LoggedIn, roles_at_door
from metaagent.web.doors import OWNER
from metaagent.web.server_address import Place, neighbourhood
from metaagent.web.throttle import Throttle

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
ONE_TIME = "one_time"
FAILURES_PER_MINUTE = 30

_NOBODY = Text(
    en="Log in at /login, or send an API key as a bearer token (`metaagent api-keys create` makes one).",
    ko="/login에서 로그인하거나 API 키를 bearer 토큰으로 보내세요(`metaagent api-keys create`로 만들 수 있습니다).",
)
_BAD_KEY = Text(
    en="This API key is unknown, has expired or was revoked. `metaagent api-keys create` makes a new one.",
    ko="알 수 없거나 만료되었거나 폐기된 API 키입니다. `metaagent api-keys create`로 새로 만드세요.",
)
_FOREIGN = Text(
    en="This request comes from another site than this server's own pages ({origin}). Programs use an API key instead of a "
    "cookie.",
    ko="이 서버의 페이지({origin})가 아닌 다른 사이트에서 온 요청입니다. 프로그램은 쿠키 대신 API 키를 쓰세요.",
)
_SLOW_DOWN = Text(
    en="Too many failed attempts from this address. Come back in {retry_after:.0f} seconds.",
    ko="이 주소에서 실패한 시도가 너무 많습니다. {retry_after:.0f}초 뒤에 다시 시도하세요.",
)


class Identity:
    """Says who makes a request. A cookie or a proxy speaks for whoever sits at the browser: what changes something, and every
    WebSocket, must then come from a page of ours."""

    def __init__(self, meta: MetaAgent, settings: Settings, place: Place) -> None:
        self.accounts: AccountService = meta.accounts
        self.settings = settings
        self.place = place
        self._failures = Throttle(FAILURES_PER_MINUTE, 60)

    @property
    def cookie(self) -> str:
        """A name that, with TLS, no neighbouring site can set a cookie of."""
        return "__Host-metaagent" if self.place.secure else "metaagent"

    async def person(self, connection: HTTPConnection) -> User:
        found = await self.logged_in(connection)
        return OWNER if found.means == ONE_TIME else found.user

    async def logged_in(self, connection: HTTPConnection) -> LoggedIn:
        """The person and how they came; raises NotLoggedIn."""
        given = connection.headers.get("authorization")
        if given is not None:
            return await self._by_key(connection, given)
        found = self._by_proxy(connection) or await self._by_cookie(connection)
        if found is None:
            raise NotLoggedIn(_NOBODY)
        await self._require_own_page(connection)
        return found

    async def _by_key(self, connection: HTTPConnection, given: str) -> LoggedIn:
        scheme, _, key = given.partition(" ")
        found = None
        if scheme.lower() == "bearer":
            found = await self._tried(connection, lambda: self.accounts.by_key(key.strip()))
        if found is None:
            raise NotLoggedIn(_BAD_KEY)
        return found

    def _by_proxy(self, connection: HTTPConnection) -> LoggedIn | None:
        web = self.settings.web
        if "proxy" not in web.auth or not self.place.is_proxy(connection):
            return None
        named = connection.headers.getlist(web.user_header)
        if len(named) != 1 or not named[0].strip():
            return None
        name = named[0].strip().encode("latin-1", "replace").decode("utf-8", "replace")
        roles = roles_at_door(self.settings.access.users, name, web.company, web.roles)
        return LoggedIn(admit_user(User(name, web.company, roles)), "proxy", "proxy")

    async def _by_cookie(self, connection: HTTPConnection) -> LoggedIn | None:
        secret = connection.cookies.get(self.cookie)
        if not secret:
            return None
        found = await self.accounts.logged_in(secret)
        ways = (
            (*self.settings.web.auth, "password")
            if "accounts" in self.settings.web.auth
            else self.settings.web.auth
        )
        return found if found is not None and found.means in ways else None

    async def _tried(
        self, connection: HTTPConnection, attempt: Callable[[], Awaitable[LoggedIn | None]]
    ) -> LoggedIn | None:
        """Make an attempt unless too many failed before; failures fill neither the trail nor anybody's time."""
        who = neighbourhood(self.place.client(connection))
        wait = self._failures.wait(who)
        if wait:
            raise TooManyRequests(_SLOW_DOWN, retry_after=wait)
        found = await attempt()
        if found is None:
            self._failures.count(who)
        return found

    async def _require_own_page(self, connection: HTTPConnection) -> None:
        changes = connection.scope["type"] == "websocket" or connection.scope["method"] not in SAFE
        if changes and not self.place.is_own_origin(connection):
            who = neighbourhood(self.place.client(connection))
            if not self._failures.wait(who):
                self._failures.count(who)
                await self.accounts.refused("origin", "cookie")
            raise AccessDenied(_FOREIGN, origin=self.place.origin(connection))
