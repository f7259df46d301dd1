"""docs/serving.md: its commands run, its configuration serves a team with a provider, its request is answered."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import yaml
from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.config import Settings, load_settings
from metaagent.runtime import MetaAgent
from metaagent.web.problems import STATUS
from metaagent.web.server import create_app
from tests.support.documents import DOCS
from tests.support.oidc import provider_process

TEXT = (DOCS / "serving.md").read_text(encoding="utf-8")
PUBLIC = "https://ask.example.com"


def configuration() -> dict[str, Any]:
    (found,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    return yaml.safe_load(found)


def commands() -> list[str]:
    return re.findall(r"^\$ metaagent (.*)$", TEXT, re.MULTILINE)


def client_of(web: Any, **headers: str) -> httpx.AsyncClient:
    """Comes as the proxy would pass it on."""
    transport = httpx.ASGITransport(web, client=("127.0.0.1", 5000))
    passed = {"X-Forwarded-For": "203.0.113.9", **headers}
    return httpx.AsyncClient(transport=transport, base_url=PUBLIC, headers=passed)


def settings(place: Path, issuer: str) -> Settings:
    given = configuration()
    given["data_dir"] = place / "data"
    given["web"]["oidc"]["issuer"] = issuer
    return load_settings(env={}, overrides=given)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METAAGENT_OIDC_SECRET", "of-the-client")
    (tmp_path / "team.yaml").write_text(yaml.safe_dump(configuration()))
    return tmp_path


async def test_person_of_the_provider_logs_in(place: Path):
    async with provider_process(sub="kim", org="acme-corp", groups=["sales"]) as issuer:
        given = settings(place, issuer)
        async with MetaAgent.open(given) as meta, client_of(create_app(meta, given)) as browser:
            sent = await browser.get("/login/oidc", params={"next": "/"})
            async with httpx.AsyncClient() as elsewhere:
                back = await elsewhere.post(sent.headers["location"], data={"sub": "kim"})
            assert back.headers["location"].startswith(f"{PUBLIC}/login/oidc/callback?")
            parts = urlsplit(back.headers["location"])
            entered = await browser.get(f"{parts.path}?{parts.query}")
            assert entered.status_code == 303, entered.text
            me = (await browser.get("/api/v1/me")).json()
            assert (me["user_id"], me["company_id"], me["roles"]) == ("kim", "acme", ["sales"])


async def test_question_of_a_program_is_answered(place: Path):
    key = _made_key(await asyncio.to_thread(_run_all))
    body = re.findall(r"-d '(\{.*\})'", TEXT)[0]
    given = settings(place, "http://127.0.0.1:9")
    async with (
        MetaAgent.open(given) as meta,
        client_of(create_app(meta, given), Authorization=f"Bearer {key}") as client,
    ):
        begun = await client.post(
            "/api/v1/questions", json=json.loads(body), headers={"Idempotency-Key": "nightly-1"}
        )
        assert begun.status_code == 202, begun.text
        events = (await client.get(begun.json()["events"])).text
        assert "event: response" in events
        assert (await client.get("/api/v1/memories")).status_code == 403, "the key is limited"


def _run_all() -> list[str]:
    runner = CliRunner()
    said: list[str] = []
    assert len(commands()) == 7
    for command in commands():
        done = runner.invoke(app, shlex.split(command), input="correct horse battery\n")
        assert done.exit_code == 0, f"{command}\n{done.output}"
        said.append(done.output)
    return said


def _made_key(said: list[str]) -> str:
    (key,) = {word for text in said for word in text.split() if word.startswith("ma_k")}
    return key


def test_proxy_passes_on_what_the_server_needs():
    (nginx,) = re.findall(r"```nginx\n(.*?)```", TEXT, re.DOTALL)
    for needed in ("Host $host", "X-Forwarded-For", "Upgrade", "proxy_buffering off"):
        assert needed in nginx


def test_every_refusal_has_a_status():
    assert {401, 403, 404, 408, 409, 413, 415, 422, 429, 503} == {status for _, status in STATUS}
