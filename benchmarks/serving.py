"""The server beside `MetaAgent.ask` in process and beside bare FastAPI: `python -m benchmarks.serving`.

A question with one small agent, asked in the server's process and over HTTP by a client in its own, sides alternating; then
many readers of many turns at once, with every event counted; then the CPU until a server listens, each in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import uvicorn

from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.web import server
from metaagent.web.connections import ImpatientProtocol

ALL = ["*"]
STAFF = dict.fromkeys(
    ("operations", "agents", "capabilities", "data", "artifacts", "ports", "collections"), ALL
)
PERSON = User("kim", "acme", ("staff",))


@agent(
    name="figures",
    capabilities=[Capability("figures", ko=("figures",), en=("figures",))],
    produces={"dataset": dict[str, Any]},
)
async def figures(_task: Task, _ctx: Context) -> Result:
    return Result("figures done", 1.0, [Artifact("dataset", {"figures": [1, 2, 3]})])


@asynccontextmanager
async def serving(folder: Path) -> AsyncGenerator[tuple[MetaAgent, httpx.AsyncClient]]:
    """An installation, and a client of its server on this machine."""
    settings: dict[str, Any] = {
        "data_dir": str(folder),
        "domain": None,
        "agents": {"allow": []},
        "access": {"policies": {"staff": STAFF}},
        "web": {"requests_per_minute": 10_000_000},
    }
    async with MetaAgent.open(settings, agents=[figures]) as meta:
        web = server.create_app(meta, meta.settings)
        made = await meta.accounts.create_key("bench", PERSON, user=User())
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        config = uvicorn.Config(
            web,
            port=0,
            http=ImpatientProtocol,
            log_config=None,
            proxy_headers=False,
            timeout_keep_alive=300,
        )
        serve = server.Server(config, web.state.doors.stopping, port.set_result)
        task = asyncio.ensure_future(serve.serve())
        address = f"http://127.0.0.1:{await port}"
        limits = httpx.Limits(max_connections=None)
        headers = {"Authorization": f"Bearer {made['secret']}"}
        async with httpx.AsyncClient(base_url=address, headers=headers, limits=limits, timeout=300) as client:
            yield meta, client
        web.state.doors.stopping.set()
        serve.should_exit = True
        await task


async def over_http(client: httpx.AsyncClient) -> tuple[float, float]:
    """Seconds from the POST to the first event, and to the answer."""
    began, first = time.perf_counter(), 0.0
    turn = (await client.post("/api/v1/questions", json={"text": "figures"})).json()
    async with client.stream("GET", turn["events"]) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("id: ") and not first:
                first = time.perf_counter() - began
    return first, time.perf_counter() - began


async def in_one_request(client: httpx.AsyncClient) -> tuple[float, float]:
    """The same, with the events as the answer of the POST."""
    began, first = time.perf_counter(), 0.0
    headers = {"Accept": "text/event-stream"}
    async with client.stream(
        "POST", "/api/v1/questions", json={"text": "figures"}, headers=headers
    ) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("id: ") and not first:
                first = time.perf_counter() - began
    return first, time.perf_counter() - began


async def in_process(meta: MetaAgent) -> tuple[float, float]:
    """Seconds until the answer, and of CPU."""
    began, used = time.perf_counter(), time.process_time()
    await meta.acting_for(PERSON).ask("figures")
    return time.perf_counter() - began, time.process_time() - used


WAYS = {"by POST and GET": over_http, "by one POST": in_one_request}


async def asked_on_demand(address: str, authorization: str) -> None:
    """Ask once for each line of the input, in the way that it names, and print how long it took and how much of that was
    work of this process: the client that `one_by_one` starts."""
    headers = {"Authorization": authorization}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=300) as client:
        while way := (await asyncio.to_thread(sys.stdin.readline)).strip():
            began = time.process_time()
            taken = await WAYS[way](client)
            print(json.dumps((*taken, time.process_time() - began)), flush=True)


async def elsewhere(client: asyncio.subprocess.Process, way: str) -> tuple[float, float, float, float]:
    """Seconds that the client saw, until the first event and the answer; its CPU, and that of this process."""
    assert client.stdin is not None
    assert client.stdout is not None
    began = time.process_time()
    client.stdin.write(f"{way}\n".encode())
    first, whole, theirs = json.loads(await client.stdout.readline())
    return first, whole, theirs, time.process_time() - began


async def one_by_one(rounds: int) -> None:
    """Ask in each way and in process, in turn; the first rounds are for warming up."""
    taken: dict[str, list[tuple[float, ...]]] = {way: [] for way in (*WAYS, "")}
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder)) as (meta, near):
            words = ("--ask", str(near.base_url), "--as", near.headers["Authorization"])
            pipe = asyncio.subprocess.PIPE
            program = (sys.executable, "-m", "benchmarks.serving", *words)
            client = await asyncio.create_subprocess_exec(*program, stdin=pipe, stdout=pipe)
            for _ in range(rounds + 5):
                for way in WAYS:
                    taken[way].append(await elsewhere(client, way))
                taken[""].append(await in_process(meta))
            assert client.stdin is not None
            client.stdin.close()
            await client.wait()
    alone, cpu_alone = (median(side) for side in zip(*taken[""][5:], strict=True))
    print(f"MetaAgent.ask           {alone * 1e3:7.1f} ms p50, CPU {cpu_alone * 1e3:.1f} ms")
    for way in WAYS:
        first, whole, theirs, ours = (median(side) for side in zip(*taken[way][5:], strict=True))
        print(
            f"{way:15} {whole * 1e3:15.1f} ms p50, {whole / alone:.2f} x, without the client's own CPU "
            f"{(whole - theirs) / alone:.2f} x (target 1.3); CPU of the server {ours * 1e3:.1f} ms, {ours / cpu_alone:.2f} x; "
            f"first event {first * 1e3:.1f} ms (target 50)"
        )


async def crowd(readers: int, turns: int) -> None:
    """Every reader follows one of the turns from its start; each must see what the store has, in order, once."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder)) as (meta, client):

            async def ask() -> dict[str, Any]:
                return (await client.post("/api/v1/questions", json={"text": "figures"})).json()

            begun = await asyncio.gather(*(ask() for _ in range(turns)))

            async def read(turn: dict[str, Any]) -> list[int]:
                text = (await client.get(turn["events"])).text
                return [
                    json.loads(line[6:])["seq"] for line in text.splitlines() if line.startswith("data: ")
                ]

            seen = await asyncio.gather(*(read(begun[n % turns]) for n in range(readers)))
            stored = [
                [event["seq"] async for event in meta.acting_for(PERSON).events(turn["turn_id"])]
                for turn in begun
            ]
            wrong = sum(seqs != stored[n % turns] for n, seqs in enumerate(seen))
            events = sum(map(len, seen))
            print(
                f"{readers} readers of {turns} turns: {events} events, {wrong} readers missed, doubled or misordered one"
            )
            await idle(client, begun[0]["session_id"], readers)


async def idle(client: httpx.AsyncClient, session: str, readers: int) -> None:
    """Memory of readers that wait for what comes next; client and server are one process here."""
    before = resident()
    streams = [client.stream("GET", f"/api/v1/sessions/{session}/events") for _ in range(readers)]
    opened = await asyncio.gather(*(stream.__aenter__() for stream in streams))
    await asyncio.gather(*(anext(stream.aiter_bytes()) for stream in opened))
    print(f"idle reader             {(resident() - before) / readers / 1024:7.1f} KB, its client included")
    for stream in streams:
        await stream.__aexit__(None, None, None)


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


BARE = """
import asyncio, uvicorn
from fastapi import FastAPI
class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        self.should_exit = True
asyncio.run(Server(uvicorn.Config(FastAPI(), port=0, log_config=None)).serve())
"""
OURS = """
import asyncio, sys
from metaagent.runtime import MetaAgent
from metaagent.web import server
async def main():
    async with MetaAgent.open({"data_dir": sys.argv[1]}) as meta:
        web = server.create_app(meta, meta.settings)
        import os, signal
        await server.serve(web, "127.0.0.1", 0, lambda _port: os.kill(os.getpid(), signal.SIGTERM))
asyncio.run(main())
"""


def cpu(program: str, *words: str) -> float:
    process = subprocess.Popen([sys.executable, "-c", program, *words], stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, program
    return used.ru_utime + used.ru_stime


def start(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cpu(OURS, folder)
        taken = [(cpu(BARE), cpu(OURS, folder)) for _ in range(rounds)]
    bare, ours = (min(side) for side in zip(*taken, strict=True))
    print(
        f"start: bare FastAPI     {bare * 1e3:7.0f} ms CPU; this server {ours * 1e3:.0f} ms CPU, {ours / bare:.1f} x"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--ask", help="only ask a server at this address, once for each line of the input")
    parser.add_argument("--as", dest="authorization", default="", help="with this authorization")
    given = parser.parse_args()
    if given.ask:
        asyncio.run(asked_on_demand(given.ask, given.authorization))
        return
    asyncio.run(one_by_one(given.rounds))
    asyncio.run(crowd(given.readers, given.turns))
    start(3)


if __name__ == "__main__":
    main()
