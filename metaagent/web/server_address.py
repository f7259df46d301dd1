"""The place at which the server is reached: its names, its origin, and the address of whoever asks. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from metaagent.config import Web

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True)
class Place:
    settings: Web
    host: str = "127.0.0.1"

    @property
    def secure(self) -> bool:
        """True if people reach the server by TLS, which a proxy before it speaks."""
        return (self.settings.public_url or "").startswith("https:")

    @cached_property
    def _names(self) -> frozenset[str]:
        public = urlsplit(self.settings.public_url).hostname if self.settings.public_url else None
        own = () if self.host in _ANYWHERE else (self.host,)
        named = (*LOOPBACK, *own, *self.settings.hosts, *((public,) if public else ()))
        return frozenset(name.lower() for name in named)

    def is_named(self, host_header: str) -> bool:
        """Tell whether this server may be addressed so: a name that is not ours is somebody else's, pointed at us."""
        return _host_of(host_header) in self._names

    def origin(self, connection: HTTPConnection) -> str:
        """The origin that our own pages have."""
        if self.settings.public_url:
            return self.settings.public_url
        return f"http://{connection.headers.get('host', '')}"

    def is_own_origin(self, connection: HTTPConnection) -> bool:
        """Tell whether a browser says that a page of ours makes this request. One that does not say it does not count."""
        given = connection.headers.get("origin")
        if given is not None:
            return given.rstrip("/") == self.origin(connection)
        return connection.headers.get("sec-fetch-site") == "same-origin"

    def is_proxy(self, connection: HTTPConnection) -> bool:
        return within(connection.client.host if connection.client else "", self.settings.proxies)

    def client(self, connection: HTTPConnection) -> str:
        """The address of whoever asks: behind proxies of ours, the last one that none of them has."""
        peer = connection.client.host if connection.client else ""
        if not within(peer, self.settings.proxies):
            return peer
        passed = [each.strip() for each in connection.headers.get("x-forwarded-for", "").split(",")]
        foreign = (each for each in reversed(passed) if each and not within(each, self.settings.proxies))
        return next(foreign, peer)


@lru_cache(1_000)
def _host_of(header: str) -> str | None:
    """The name in a `Host` header; the same few come with every request."""
    try:
        name = urlsplit(f"//{header}").hostname
    except ValueError:
        return None
    return None if name is None else name.lower()


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def within(address: str, networks: list[str]) -> bool:
    if not networks:
        return False
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in ip_network(each, strict=False) for each in networks)


@lru_cache(10_000)
def neighbourhood(address: str) -> str:
    """The addresses that one person is likely to have: of IPv6, the network of a household."""
    try:
        found = ip_address(address)
    except ValueError:
        return "?"
    return str(ip_network(f"{found}/64", strict=False)) if found.version == 6 else str(found)
