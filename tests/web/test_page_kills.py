"""A server that is killed with ten turns at work: it goes on with them when it starts again, and the page comes back by itself."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import httpx
import pytest
import yaml
from selenium.webdriver.common.keys import Keys

from metaagent.ports import User
from metaagent.runtime import MetaAgent
from tests.support.browser import Chromium, browser_or_skip
from tests.support.data_world import make_company
from tests.support.page_world import PEOPLE, SETTINGS, kill_server, prepare, served

TURNS = 10


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    browser_or_skip()
    folder = tmp_path_factory.mktemp("killed") / "data"
    folder.mkdir()
    make_company(folder)
    given = {"data_dir": str(folder), **SETTINGS}
    asyncio.run(prepare(given))
    path = folder.parent / "settings.yaml"
    path.write_text(yaml.safe_dump(given, allow_unicode=True))
    return path


def free_port() -> int:
    with socket.socket() as given:
        given.bind(("127.0.0.1", 0))
        return int(given.getsockname()[1])


async def a_key(config: Path) -> str:
    async with MetaAgent.open(yaml.safe_load(config.read_text())) as app:
        made = await app.accounts.create_key("t", User("kim", "local", PEOPLE["kim"]), user=User())
    return made["secret"]


def test_page_and_turns_come_back_after_a_kill(config: Path, browser: Chromium):
    port, key = free_port(), asyncio.run(a_key(config))
    headers = {"Authorization": f"Bearer {key}"}
    with served(config, port) as address:
        page = browser.page(address).log_in("kim")
        page.ask("Sales by region in October 2026").find(".actions")
        page.find(".composer textarea").send_keys("half a question")
        with httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=60) as client:
            turns = [
                client.post("/questions", json={"text": "Sales in May 2026"}).json()["turn_id"]
                for _ in range(TURNS)
            ]
        page.run("window.beforeTheKill = true")
        kill_server(address)
        page.until(lambda: page.run("return document.body.dataset.gone"), "the page does not know")
        page.find(".composer textarea").send_keys(Keys.ENTER)
        page.reads("Not connected to the server")
    with served(config, port) as address:
        page.until(lambda: page.run("return !window.beforeTheKill"), "the page did not come back")
        page.find(".actions")
        draft = "return document.querySelector('.composer textarea').value"
        page.until(lambda: page.run(draft) == "half a question", "the draft is gone")
        page.find(".composer textarea").clear()
        page.ask("Sales in April 2026").until(lambda: len(page.all(".actions")) == 2, "no second answer")
        with httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=60) as client:
            for turn in turns:
                with client.stream("GET", f"/turns/{turn}/events") as events:
                    said = [line for line in events.iter_lines() if line.startswith("id: ")]
                assert said == [f"id: {number}" for number in range(1, len(said) + 1)]
                assert client.get(f"/turns/{turn}").json()["status"] == "completed"
        page.leave()
