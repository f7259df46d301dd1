"""The web through a SearxNG server that the operator set up: the `web` port, off unless `retrieval.web_url` names one.

The one adapter of langchain-community's search. Questions are redacted before they leave, the server may not be at a private
address unless `retrieval.web_private` says so, it is not followed elsewhere, and no page is opened: titles and snippets come back.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from metaagent.config import Retrieval
from metaagent.errors import Failed, Text, TryAgain
from metaagent.ports import Json
from metaagent.protection.redaction import Redactor

SECONDS = 8.0
LARGEST = 2_000_000
"""Bytes of an answer that are read."""
LONGEST_QUERY, LONGEST_TEXT = 300, 500

_PRIVATE = Text(
    en="retrieval.web_url is at a private address; set retrieval.web_private if that is meant",
    ko="retrieval.web_url이 사설 주소입니다. 의도한 것이면 retrieval.web_private를 설정하세요",
)
_SILENT = Text(
    en="the search server did not answer: {problem}", ko="검색 서버가 답하지 않았습니다: {problem}"
)


class SearxWeb:
    """The `web` port."""

    def __init__(self, url: str, *, private: bool, language: str) -> None:
        self._url = url
        self._private = private
        self._language = language
        self._redactor = Redactor()

    async def search(self, text: str, *, limit: int = 5) -> list[Json]:
        query = self._redactor.redact_text(" ".join(text.split()))[:LONGEST_QUERY]
        return await asyncio.to_thread(self._search, query, max(1, min(limit, 20)))

    def _search(self, query: str, limit: int) -> list[Json]:
        if not self._private and not is_public(urlsplit(self._url).hostname or ""):
            raise Failed(_PRIVATE.say(self._language))
        try:
            found = _wrapper()(searx_host=self._url).results(query, num_results=limit)
        except (OSError, LookupError, ValueError, TypeError, AttributeError) as error:
            problem = self._redactor.redact_text(f"{type(error).__name__}: {error}")[:200]
            raise TryAgain(_SILENT.say(self._language, problem=problem)) from error
        return [page for each in found[:limit] if (page := _page(each)) is not None]


def opened(settings: Retrieval, language: str) -> SearxWeb | None:
    if settings.web_url is None:
        return None
    return SearxWeb(settings.web_url, private=settings.web_private, language=language)


def _page(found: Mapping[str, Any]) -> Json | None:
    """A hit as plain data; one that points to a private address or to no web page is left out."""
    url = str(found.get("link") or "")[:2_000]
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not _looks_public(parts.hostname):
        return None
    title, text = (" ".join(str(found.get(key) or "").split()) for key in ("title", "snippet"))
    return {"title": title[:200] or parts.hostname, "url": url, "text": text[:LONGEST_TEXT]}


def _looks_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith((".local", ".internal", ".localhost"))


def is_public(host: str) -> bool:
    """Say whether every address of a host is reachable by anybody."""
    try:
        found = socket.getaddrinfo(host, None, proto=socket.IPPROTO_TCP)
    except OSError:
        return False
    return bool(found) and all(ipaddress.ip_address(address[4][0]).is_global for address in found)


@lru_cache(1)
def _wrapper() -> Any:
    """The class that asks SearxNG, made at first use: the package warns that it is no longer developed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import requests
        from langchain_community.utilities.searx_search import SearxResults, SearxSearchWrapper

    class Bounded(SearxSearchWrapper):
        """Asks once, at one address, for a bounded time and answer."""

        def _searx_api_query(self, params: dict[str, Any]) -> Any:
            with requests.get(
                self.searx_host, params=params, timeout=SECONDS, allow_redirects=False, stream=True
            ) as reply:
                if reply.status_code != 200:
                    raise ValueError(f"status {reply.status_code}")
                body = reply.raw.read(LARGEST + 1, decode_content=True)
            if len(body) > LARGEST:
                raise ValueError("the answer is too long")
            self._result = SearxResults(body.decode("utf-8", "replace"))
            return self._result

    return Bounded
