"""The process of the server: started, stopped in the middle, killed with turns at work, and started again."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.support.agents import Runs
from tests.support.paths import ROOT

TURNS = 10


@asynccontextmanager
async def process(*command: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    made = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env=env,
    )
    try:
        yield made
    finally:
        if made.returncode is None:
            made.kill()
        await made.wait()


@asynccontextmanager
async def serving(
    data: Path, runs: Runs, hold: Path
) -> AsyncGenerator[tuple[asyncio.subprocess.Process, httpx.AsyncClient]]:
    async with process("-m", "tests.support.serving", str(data), str(runs.folder), str(hold)) as made:
        assert made.stdout is not None
        port, key = (await asyncio.wait_for(made.stdout.readline(), 60)).decode().split()
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60
        ) as client:
            yield made, client


async def ran(runs: Runs, times: int) -> None:
    for _ in range(2_000):
        if runs.of("figures") >= times:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{runs.of('figures')} of {times} began")


async def asked(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    answers = [await client.post("/api/v1/questions", json={"text": "figures"}) for _ in range(TURNS)]
    return [answer.json() for answer in answers]


async def ended(client: httpx.AsyncClient, turn: dict[str, Any]) -> list[int]:
    answer = await client.get(turn["events"])
    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
    assert [event["type"] for event in events][-1:] == ["response"], (answer.status_code, answer.text)
    return [event["seq"] for event in events]


async def test_killed_with_turns_at_work_it_goes_on_at_the_next_start(data: Path, runs: Runs, tmp_path: Path):
    hold = tmp_path / "hold"
    hold.touch()
    async with serving(data, runs, hold) as (made, client):
        turns = await asked(client)
        await ran(runs, TURNS)
        made.send_signal(signal.SIGKILL)
        await made.wait()
    hold.unlink()
    async with serving(data, runs, hold) as (_, client):
        for turn in turns:
            seqs = await ended(client, turn)
            assert seqs == [*range(1, len(seqs) + 1)]
    assert runs.of("figures") <= 2 * TURNS


async def test_stopped_it_lets_turns_at_work_end(data: Path, runs: Runs, tmp_path: Path):
    hold = tmp_path / "hold"
    hold.touch()
    async with serving(data, runs, hold) as (made, client):
        turns = await asked(client)
        await ran(runs, TURNS)
        following = asyncio.ensure_future(client.get(turns[0]["events"]))
        made.send_signal(signal.SIGTERM)
        answer = await following
        assert "response" not in answer.text, "who follows is let go"
        hold.unlink()
        assert await asyncio.wait_for(made.wait(), 60) == 0
        assert made.stdout is not None
        assert b"stopped" in await made.stdout.read()
    async with serving(data, runs, hold) as (_, client):
        for turn in turns:
            await ended(client, turn)
    assert runs.of("figures") == TURNS, "nothing was done twice"


async def test_command_prints_an_address_that_logs_in(tmp_path: Path):
    command = ("-m", "metaagent.cli", "serve", "--port", "0", "--data-dir", str(tmp_path / "data"))
    async with process(*command) as made:
        assert made.stderr is not None
        address = ""
        while not address:
            line = (await asyncio.wait_for(made.stderr.readline(), 60)).decode().strip()
            address = line if line.startswith("http://127.0.0.1:") else ""
        async with httpx.AsyncClient(follow_redirects=False) as browser:
            assert (await browser.get(address)).status_code == 303
            me = await browser.get(address.split("/login")[0] + "/api/v1/me")
            assert me.json()["roles"] == ["owner"]
        made.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(made.wait(), 60) == 0


async def test_command_refuses_to_be_open_to_all(tmp_path: Path):
    command = ("-m", "metaagent.cli", "serve", "--host", "0.0.0.0", "--data-dir", str(tmp_path / "data"))
    async with process(*command) as made:
        _, said = await asyncio.wait_for(made.communicate(), 60)
        assert made.returncode == 1
        assert b"web.auth" in said


async def test_missing_packages_are_named_with_the_remedy(tmp_path: Path):
    hidden = "import sys; sys.modules['uvicorn'] = None; from metaagent.cli.main import main; main()"
    async with process("-c", hidden, "serve", "--data-dir", str(tmp_path / "data")) as made:
        _, said = await asyncio.wait_for(made.communicate(), 60)
        assert made.returncode == 1
        assert b"pip install 'metaagent[web]'" in said
