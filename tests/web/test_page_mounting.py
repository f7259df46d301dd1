"""The page on the server: who gets it, what its scripts may do, and who gets pictures of whose documents."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from nicegui import background_tasks

from metaagent.web.page.mounting import PATHS
from tests.support.agents import Runs, worker
from tests.support.web import KIM, LEE, ORIGIN, Site, listening, site


@asynccontextmanager
async def visiting(data: Path, runs: Runs, **headers: str) -> AsyncGenerator[tuple[Site, httpx.AsyncClient]]:
    """A server on a port, and a client that asks for pages as a browser does."""
    given = {"Accept": "text/html", **headers}
    async with (
        site(data, worker(runs, "figures")) as here,
        listening(here.web) as address,
        httpx.AsyncClient(base_url=address, headers=given, timeout=60) as client,
    ):
        yield here, client


async def logged_in(here: Site, client: httpx.AsyncClient) -> None:
    answer = await client.get(here.web.state.log_in.new_address())
    assert answer.status_code == 303, answer.text


async def test_page_is_for_people_who_are_logged_in(data: Path, runs: Runs):
    async with visiting(data, runs) as (_, client):
        for path in PATHS:
            answer = await client.get(path.replace("{", "").replace("}", ""))
            assert (answer.status_code, answer.headers["location"][:6]) == (303, "/login"), path


async def test_scripts_of_the_page_carry_its_nonce(data: Path, runs: Runs):
    async with visiting(data, runs) as (here, client):
        await logged_in(here, client)
        answer = await client.get("/")
        again = await client.get("/")
    policy = answer.headers["content-security-policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert answer.status_code == 200
    assert nonce is not None
    assert nonce[1] not in again.text
    scripts = re.findall(r"<script\b[^>]*>", answer.text)
    assert scripts
    assert all(f'nonce="{nonce[1]}"' in each for each in scripts)
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    assert not re.search(r"(src|href)=\"https?:", answer.text)


async def test_servers_of_one_process_start_one_after_another(
    data: Path, runs: Runs, caplog: pytest.LogCaptureFixture
):
    async def outbox() -> None:
        """The part of a page that the library lets begin with the next server, if none runs when the page is made."""

    background_tasks.create_or_defer(outbox())
    for _ in range(2):
        async with visiting(data, runs) as (here, client):
            await logged_in(here, client)
    assert [each.getMessage() for each in caplog.records if each.name == "nicegui"] == []


async def test_socket_is_closed_to_strangers_and_other_sites(data: Path, runs: Runs):
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    async with visiting(data, runs) as (here, client):
        assert (await client.get(path)).status_code == 403
        await logged_in(here, client)
        foreign = await client.get(path, headers={"Origin": "https://evil.example"})
        own = await client.get(path, headers={"Origin": str(client.base_url).rstrip("/")})
    assert foreign.status_code == 403
    assert own.status_code == 200


async def test_unknown_address_gets_our_own_page(data: Path, runs: Runs):
    async with visiting(data, runs, **{"Accept-Language": "en"}) as (here, client):
        assert (await client.get("/nowhere")).status_code == 303
        await logged_in(here, client)
        answer = await client.get("/nowhere")
        client.cookies.set("metaagent-language", "ko")
        korean = await client.get("/nowhere")
        client.cookies.clear()
        told = await client.get("/login", headers={"Cookie": "metaagent-language=ko"})
    assert (answer.status_code, "There is no such page." in answer.text) == (404, True)
    assert "그런 페이지가 없습니다." in korean.text
    assert "로그인" in told.text, "the choice counts before anybody is known, too"


HOSTILE = (
    "/page/artifacts/..%2f..%2fkeys.json/..%2f..%2fkeys.json/pages/1.png",
    "/page/documents/..%2f..%2fkeys.json/1/pages/1.png",
    "/page/assets/..%2f..%2fmounting.py",
    "/page/nothing",
)
BESIDE_PAGES = ("/nowhere", "/s/..%2f..%2fkeys.json", "/_nicegui/9.9/static/x", "/..%2fkeys.json")


async def test_hostile_addresses_of_files_are_not_found(data: Path, runs: Runs):
    async with visiting(data, runs) as (here, client):
        await logged_in(here, client)
        answers = [await client.get(path) for path in HOSTILE]
        pages = [(await client.get(path)).status_code for path in BESIDE_PAGES]
    assert [(each.status_code, each.json()["code"]) for each in answers] == [(404, "not_found")] * len(
        HOSTILE
    )
    assert pages == [404] * len(BESIDE_PAGES)


def inside_another(here: Site, **headers: str) -> httpx.AsyncClient:
    """A client of an application that has ours below a path of its own, and starts nothing of it."""
    outer = FastAPI()
    outer.mount("/inside", here.web)
    transport = httpx.ASGITransport(outer, raise_app_exceptions=False, client=("127.0.0.1", 5000))
    return httpx.AsyncClient(transport=transport, base_url=f"{ORIGIN}/inside", headers=headers)


async def test_unknown_address_is_not_found_unstarted(data: Path, runs: Runs):
    async with (
        site(data, worker(runs, "figures")) as here,
        await here.of(KIM) as kim,
        inside_another(here, **kim.headers) as mounted,
    ):
        for path in (*HOSTILE, *BESIDE_PAGES):
            assert (await kim.get(path)).status_code == 404, path
            assert (await mounted.get(path)).status_code == 404, path


async def test_files_and_programs_have_no_pages_below_a_path(data: Path, runs: Runs):
    async with (
        visiting(data, runs) as (here, _),
        await here.of(KIM) as kim,
        inside_another(here, **kim.headers) as mounted,
    ):
        answers = [await mounted.get(path) for path in (*HOSTILE, "/api/v1/nothing", "/v1/nothing")]
    assert {(each.status_code, each.json()["code"]) for each in answers} == {(404, "not_found")}


async def test_settings_lead_back_to_this_server_alone(data: Path, runs: Runs):
    async with visiting(data, runs, Referer="https://evil.example//evil.example/x") as (_, client):
        answer = await client.get("/page/settings?language=ko&theme=purple")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    assert answer.cookies["metaagent-language"] == "ko"
    assert "metaagent-theme" not in answer.cookies


async def test_pictures_of_pages_are_the_owners(data: Path, runs: Runs):
    async with (
        site(data, worker(runs, "figures")) as here,
        await here.of(KIM) as kim,
        await here.of(LEE) as lee,
    ):
        begun = (await kim.post("/api/v1/questions", json={"text": "figures"})).json()
        path = f"/page/artifacts/{begun['session_id']}/a0/pages/1.png"
        unknown = await kim.get("/page/artifacts/s0000000000000000/a0/pages/1.png")
        foreign = await lee.get(path)
        nobody = await here.client().get(path)
    assert (foreign.status_code, nobody.status_code) == (unknown.status_code, 401)
    assert foreign.json()["code"] == unknown.json()["code"]


async def test_second_application_of_a_process_works(runs: Runs, tmp_path: Path):
    for name in ("first", "second"):
        async with visiting(tmp_path / name, runs) as (here, client):
            await logged_in(here, client)
            assert (await client.get("/memory")).status_code == 200
