"""Connections that do nothing, in numbers: idle ones, readers who never read, bodies of 100 MB, slow requests."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from metaagent.web import connections
from tests.support.agents import Runs, figures
from tests.support.web import KIM, Site, listening, site

pytestmark = pytest.mark.soak

IDLE, DEAF, SLOW = 1_000, 200, 200
MB = 1024 * 1024


@pytest.fixture(autouse=True)
def many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8_192)), hard))


@asynccontextmanager
async def served(data: Path, runs: Runs) -> AsyncGenerator[tuple[Site, httpx.AsyncClient]]:
    async with site(data, figures(runs)) as here, listening(here.web) as address:
        headers = {"Authorization": f"Bearer {await here.key(KIM)}"}
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=120) as client:
            yield here, client


async def connected(client: httpx.AsyncClient, count: int, said: bytes = b"") -> list[socket.socket]:
    """So many connections that send this and then neither send nor read."""
    port = urlsplit(str(client.base_url)).port or 0
    made = list[socket.socket]()
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port))
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        one.sendall(said)
        made.append(one)
        await asyncio.sleep(0)
    return made


async def answered(client: httpx.AsyncClient) -> None:
    turn = (await client.post("/api/v1/questions", json={"text": "figures"})).json()
    assert (await client.get(turn["events"])).status_code == 200
    assert (await client.get(f"/api/v1/turns/{turn['turn_id']}")).json()["status"] == "completed"


async def test_thousand_idle_connections_leave_room_for_work(data: Path, runs: Runs):
    async with served(data, runs) as (_, client):
        idle = await connected(client, IDLE)
        await answered(client)
        for each in idle:
            each.close()


async def test_slow_requests_are_let_go(data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    async with served(data, runs) as (_, client):
        slow = await connected(client, SLOW, b"GET /healthz HTTP/1.1\r\nHost: 127")
        await answered(client)
        loop = asyncio.get_running_loop()
        for each in slow:
            each.setblocking(False)
            async with asyncio.timeout(60):
                assert await loop.sock_recv(each, 100) == b""
            each.close()


async def test_readers_who_never_read_hold_up_nobody(data: Path, runs: Runs):
    async with served(data, runs) as (here, client):
        session = (await here.app.ask("figures", user=KIM)).session_id
        key = str(client.headers["Authorization"])
        head = f"GET /api/v1/sessions/{session}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {key}\r\n\r\n"
        deaf = await connected(client, DEAF, head.encode())
        for _ in range(10):
            await here.app.ask("figures", session_id=session, user=KIM)
        await answered(client)
        for each in deaf:
            each.close()


async def test_body_of_100_mb_never_lies_in_memory(data: Path, runs: Runs):
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield bytes(MB)

    async with served(data, runs) as (_, client):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for size in ({"Content-Length": str(100 * MB)}, {}):
            try:
                refused = await client.post(
                    "/api/v1/questions",
                    content=pieces(),
                    headers={"Content-Type": "application/json", **size},
                )
            except httpx.WriteError:
                continue  # the server said no and left while we were sending
            assert refused.status_code == 413
        await answered(client)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60 * 1024
