"""Hostile clients: huge heads and bodies, broken text, traversal, half requests; and what every answer carries."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from metaagent.web import connections, middleware
from tests.support.agents import Runs, figures
from tests.support.web import KIM, listening, site


async def raw(address: str, *parts: bytes, wait: float = 20) -> bytes:
    """What comes back for these bytes, until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(address).port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), wait)
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_head_of_a_megabyte_is_refused(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        head = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 1_000_000 + b"\r\n\r\n"
        answer = await raw(address, head)
        assert b" 200 " not in answer
        async with httpx.AsyncClient(base_url=address) as client:
            assert (await client.get("/healthz")).status_code == 200


async def test_head_that_comes_at_once_is_bounded_too(data: Path, runs: Runs):
    head = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    many = b"".join(b"X-%d: %s\r\n" % (n, b"a" * 90) for n in range(700))
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        for more in (many, b"X-Long: " + b"a" * connections.LARGEST_HEAD + b"\r\n"):
            assert (await raw(address, head + more + b"\r\n")).startswith(b"HTTP/1.1 400 ")


async def test_headers_after_a_body_are_none(data: Path, runs: Runs):
    web = {"auth": ["proxy"], "proxies": ["127.0.0.1"], "roles": ["staff"]}
    start = b"POST /api/v1/questions HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
    kind = b"Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
    body = b'13\r\n{"text": "figures"}\r\n0\r\n'
    named = b"X-Remote-User: kim\r\n"
    async with site(data, figures(runs), web=web) as here, listening(here.web) as address:
        before = await raw(address, start + kind + named + b"\r\n" + body + b"\r\n")
        assert before.startswith(b"HTTP/1.1 202 ")
        after = await raw(address, start + kind + b"\r\n" + body + named + b"\r\n")
        assert after.startswith(b"HTTP/1.1 401 ")


async def test_what_follows_a_body_is_bounded(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        key = await here.key(KIM)
        head = (
            f"POST /api/v1/questions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        answer = await raw(address, head.encode(), b"1\r\n{\r\n0\r\nX-Long: " + b"a" * 1_000_000)
        assert b" 202 " not in answer
        assert answer.count(b"HTTP/1.1") <= 1


async def test_body_too_large_is_refused_with_what_to_do(data: Path, runs: Runs):
    async with site(data, figures(runs), web={"upload_mb": 1}) as here, listening(here.web) as address:
        key = await here.key(KIM)
        head = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(base_url=address, headers=head, timeout=60) as client:
            declared = await client.post("/api/v1/attachments", files={"file": ("a.txt", b"x" * 3_000_000)})
            assert (declared.status_code, declared.json()["code"]) == (413, "too_large")
            assert "web.upload_mb" in declared.json()["detail"]

            async def endless():
                for _ in range(200):
                    yield b" " * 100_000

            streamed = await client.post(
                "/api/v1/questions", content=endless(), headers={"Content-Type": "application/json"}
            )
            assert streamed.status_code == 413
            assert (await client.get("/api/v1/me")).status_code == 200


@pytest.mark.parametrize(
    "kind", ["Application/JSON", "text/plain", "application/problem+json", "nonsense", "x/y;application/json"]
)
async def test_no_name_of_a_kind_makes_json_larger(kind: str, data: Path, runs: Runs):
    async with site(data, figures(runs), web={"upload_mb": 50}) as here, listening(here.web) as address:
        head = {"Authorization": f"Bearer {await here.key(KIM)}", "Content-Type": kind}
        async with httpx.AsyncClient(base_url=address, headers=head, timeout=60) as client:
            large = b'{"text": "figures", "x": "' + b"x" * middleware.LARGEST_JSON + b'"}'
            assert (await client.post("/api/v1/questions", content=large)).status_code == 413


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b'{"text": "\xff\xfe"}', 400),
        (b"\x00\x01\x02", 400),
        (b"{", 400),
        (b"[]", 422),
        (b"null", 422),
        (b'{"text": "\\ud800"}', 422),
        (b'{"text": 7}', 422),
        (b'{"text": ""}', 422),
        (b'{"text": "x", "session_id": "../../etc/passwd"}', 422),
        (b"[" * 100_000, 400),
        (b'{"text": "figures", "attachments": ["../keys.json"]}', 422),
    ],
)
async def test_broken_body_is_refused(content: bytes, status: int, data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        answer = await client.post(
            "/api/v1/questions", content=content, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]


async def test_other_kinds_of_content_are_told_what_is_taken(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        for kind in ("text/plain", "application/xml", "application/x-www-form-urlencoded"):
            answer = await client.post(
                "/api/v1/questions", content=b'{"text": "figures"}', headers={"Content-Type": kind}
            )
            assert (answer.status_code, answer.json()["code"]) == (415, "unknown_media")
        answer = await client.post("/api/v1/attachments", json={"file": "x"})
        assert answer.status_code == 415


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><text>figures</text></svg>"),
        ("a.html", b"<html><script>alert(1)</script><p>figures</p></html>"),
    ],
)
async def test_uploaded_markup_is_never_shown_as_a_page(name: str, content: bytes, data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        given = await client.post("/api/v1/attachments", files={"file": (name, content)})
        assert given.status_code == 201, given.text
        question = {"text": "figures", "attachments": [given.json()["id"]]}
        begun = (await client.post("/api/v1/questions", json=question)).json()
        await client.get(begun["events"])
        (turn,) = await here.app.acting_for(KIM).turns(begun["session_id"])
        (kept,) = turn.attached
        path = f"/api/v1/sessions/{begun['session_id']}/artifacts/{kept}/content"
        answer = await client.get(path)
        assert answer.content == content
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "'unsafe-inline'" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/sessions/..%2f..%2fkeys.json",
        "/api/v1/sessions/%2e%2e/%2e%2e/kek",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/login.css/../../keys.json",
        "/api/v1/documents/%00",
        "/api/v1/knowledge/%ff%fe",
        "/api/v1/sessions/" + "a" * 10_000,
        "/api/v1/stored/..%5c..%5ckek",
        "/api/v1/turns/%F0%9F%98%80",
    ],
)
async def test_traversal_finds_nothing(path: str, data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        key = await here.key(KIM)
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n"
        answer = await raw(address, request.encode())
        status = int(answer.split(b" ", 2)[1])
        assert status in (400, 404, 422), answer
        assert b"root:" not in answer
        assert b"kid" not in answer


async def test_every_answer_carries_the_headers_that_protect(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        for path in (
            "/healthz",
            "/login",
            "/login.css",
            "/api/v1/me",
            "/api/v1/nothing",
            "/api/v1/openapi.json",
        ):
            headers = (await client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert "default-src 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "same-origin"
            assert "server" not in headers


async def test_log_in_page_has_no_script_and_escapes_what_it_shows(data: Path, runs: Runs):
    async with site(data, figures(runs), web={"auth": ["accounts"]}) as here, here.client() as client:
        attack = '/"><script>alert(1)</script>'
        page = await client.get("/login", params={"next": attack})
        assert "<script" not in page.text
        assert "style=" not in page.text


async def test_half_a_request_holds_nothing_open(data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        assert await raw(address, b"GET /healthz HTTP/1.1\r\nHost: 127") == b""
        assert await raw(address, b"") == b""


async def test_open_socket_is_not_taken_for_half_a_request(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    from websockets.asyncio.client import connect

    made: list[connections.ImpatientProtocol] = []
    began = connections.ImpatientProtocol.connection_made

    def connection_made(self: connections.ImpatientProtocol, transport: asyncio.Transport) -> None:
        began(self, transport)
        made.append(self)

    monkeypatch.setattr(connections.ImpatientProtocol, "connection_made", connection_made)
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        key = await here.key(KIM)
        session = (await here.app.ask("figures", user=KIM)).session_id
        place = f"{address.replace('http', 'ws')}/api/v1/sessions/{session}/socket"
        async with connect(place, additional_headers={"Authorization": f"Bearer {key}"}) as reader:
            assert json.loads(await asyncio.wait_for(reader.recv(), 20))["seq"] == 1
            assert [each.awaits for each in made] == [False]


async def test_half_a_body_is_not_waited_for(data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.3)
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        key = await here.key(KIM)
        head = (
            f"POST /api/v1/questions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n{"
        )
        answer = await raw(address, head.encode())
        assert answer.startswith(b"HTTP/1.1 408 ")


async def test_many_idle_connections_leave_room_for_work(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        port = urlsplit(address).port
        idle = [socket.create_connection(("127.0.0.1", port or 0)) for _ in range(300)]
        try:
            async with httpx.AsyncClient(base_url=address) as client:
                assert (await client.get("/healthz")).status_code == 200
        finally:
            for each in idle:
                each.close()


async def test_defect_tells_the_client_nothing_of_its_cause(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:

        async def broken(*_args: object, **_more: object) -> None:
            raise RuntimeError("secret-path /home/kim")

        monkeypatch.setattr(here.app, "memories", broken)
        answer = await client.get("/api/v1/memories")
        assert (answer.status_code, answer.json()["code"]) == (500, "defect")
        assert "secret-path" not in json.dumps(answer.json())
