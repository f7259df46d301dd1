"""The web source against a SearxNG server on this machine."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from subprocess import run
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from metaagent.config import load_settings
from metaagent.errors import ConfigInvalid, Failed, TryAgain
from metaagent.web_search import SearxWeb, is_public, opened

HIT = {
    "title": "A  page\nof news",
    "url": "https://example.org/a",
    "content": "about gifts",
    "engines": ["x"],
    "category": "general",
}


@dataclass
class Searx:
    status: int = 200
    body: bytes = b""
    url: str = ""
    asked: list[str] = field(default_factory=list[str])


@contextmanager
def searx(*hits: dict[str, Any], status: int = 200, body: bytes | None = None) -> Generator[Searx]:
    server = Searx(status, body if body is not None else json.dumps({"results": hits}).encode())

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.asked.append(parse_qs(urlsplit(self.path).query)["q"][0])
            self.send_response(server.status)
            if server.status == 302:
                self.send_header("location", "http://127.0.0.1:1/")
            self.end_headers()
            self.wfile.write(server.body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of its base
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{listening.server_port}/search"
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()


def on_this_machine(server: Searx) -> SearxWeb:
    return SearxWeb(server.url, private=True, language="en")


async def test_pages_come_with_title_address_and_text():
    with searx(HIT) as server:
        found = await on_this_machine(server).search("limit for gifts")
    assert found == [{"title": "A page of news", "url": "https://example.org/a", "text": "about gifts"}]
    assert server.asked == ["limit for gifts"]


async def test_personal_data_does_not_leave():
    with searx(HIT) as server:
        await on_this_machine(server).search("gifts for kim99@naver.com 010-1234-5678")
    assert "kim99" not in server.asked[0]
    assert "1234" not in server.asked[0]


async def test_a_private_address_is_refused_unless_it_is_meant():
    with searx(HIT) as server:
        with pytest.raises(Failed, match=r"retrieval\.web_private"):
            await SearxWeb(server.url, private=False, language="en").search("gifts")
        assert server.asked == []


async def test_hits_that_point_inside_are_left_out():
    inside = [
        {**HIT, "url": url}
        for url in (
            "http://127.0.0.1/a", "http://10.0.0.1/", "http://[::1]/", "http://localhost/", "file:///etc/passwd",
            "http://printer.local/", "javascript:alert(1)", "http://169.254.169.254/latest",
        )
    ]  # fmt: skip
    with searx(*inside, HIT) as server:
        found = await on_this_machine(server).search("gifts", limit=20)
    assert [page["url"] for page in found] == ["https://example.org/a"]


@pytest.mark.parametrize(
    ("status", "body"), [(500, b""), (302, b""), (200, b"no json"), (200, b"[]"), (200, b" " * 2_100_000)]
)
async def test_bad_answers_are_a_passing_fault(status: int, body: bytes):
    with searx(status=status, body=body) as server:
        with pytest.raises(TryAgain):
            await on_this_machine(server).search("gifts")
        assert len(server.asked) == 1


def test_addresses_of_this_machine_are_not_public():
    assert not is_public("127.0.0.1")
    assert not is_public("localhost")
    assert not is_public("no-such-host.invalid")
    assert is_public("8.8.8.8")


def test_the_web_is_off_by_default():
    assert opened(load_settings(env={}).retrieval, "ko") is None


def test_an_address_with_a_secret_is_refused():
    with pytest.raises(ConfigInvalid):
        load_settings(env={}, overrides={"retrieval": {"web_url": "https://user:secret@example.org"}})


def test_the_package_is_loaded_at_first_use():
    code = "import sys, metaagent.web_search; print('langchain_community' in sys.modules, 'requests' in sys.modules)"
    assert (
        run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "False False"
    )
