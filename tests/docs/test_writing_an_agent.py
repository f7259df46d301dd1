"""The guide for agents: its code runs, and it names everything there is."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from metaagent.config import load_settings
from metaagent.level1.execution_manager.quality import form_misfit
from metaagent.level2.data_analysis.charts import validate
from metaagent.plugin import AgentSpec
from metaagent.ports import PORTS
from tests.support.command_line import run_cli
from tests.support.paths import ROOT
from tests.support.plugins import install

GUIDE = (ROOT / "docs" / "writing-an-agent.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, flags=re.DOTALL)


def run_blocks() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "guide"}
    for code in blocks("python"):
        exec(compile(code, "docs/writing-an-agent.md", "exec", dont_inherit=True), names)
    return names


def test_the_sample_agent_has_at_most_25_lines():
    assert 5 < len(blocks("python")[0].strip().splitlines()) <= 25


def test_the_code_of_the_guide_runs():
    assert isinstance(run_blocks()["text_statistics"], AgentSpec)


async def test_the_web_application_of_the_guide_answers(tmp_path: Path):
    """Served as an ASGI server would: startup, two requests, shutdown."""
    settings = load_settings(env={}, overrides={"data_dir": tmp_path, "agents": {"allow": []}})
    web = (await asyncio.to_thread(run_blocks))["Web"](settings)
    lives: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    lived: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    server = asyncio.create_task(web({"type": "lifespan"}, lives.get, lived.put))
    async with asyncio.timeout(60):
        await lives.put({"type": "lifespan.startup"})
        assert (await lived.get())["type"] == "lifespan.startup.complete"
        status, content = await posted(web, {"question": "count words of this"})
        assert (status, content["answer"]) == (200, "4 words, 19 characters.")
        status, content = await posted(web, {"question": "count words", "session": "s0"})
        assert (status, content["code"]) == (409, "unknown_session")
        await lives.put({"type": "lifespan.shutdown"})
        assert (await lived.get())["type"] == "lifespan.shutdown.complete"
        await server


async def posted(web: Any, content: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    body, sent = json.dumps(content).encode(), list[dict[str, Any]]()
    parts = iter([{"body": body[:5], "more_body": True}, {"body": body[5:]}])

    async def receive() -> dict[str, Any]:
        return next(parts)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await web({"type": "http"}, receive, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


async def test_the_chart_of_the_guide_can_be_drawn():
    names = await asyncio.to_thread(run_blocks)
    validate(names["chart"]["spec"])
    assert not form_misfit("chart", names["chart"])
    assert not form_misfit("dataset", names["dataset"])


def test_sample_agent_is_installed_planned_and_run(tmp_path: Path):
    point = re.search(r'^(\w+) = "(\w+):(\w+)"', blocks("toml")[0], flags=re.MULTILINE)
    assert point is not None
    name, module, attribute = point.groups()
    site, config = tmp_path / "site", tmp_path / "settings.yaml"
    install(site, module.replace("_", "-"), blocks("python")[0], **{name: attribute})
    config.write_text(blocks("yaml")[0])
    assert module.replace("_", "-") in yaml.safe_load(blocks("yaml")[0])["agents"]["allow"]
    options = ("--config", str(config))
    listed = run_cli("agents", *options, site=site)
    assert (listed.returncode, "text_statistics" in listed.stdout) == (0, True), listed.stderr
    asked = run_cli("ask", "이 문장의 글자 수는?", *options, "--data-dir", str(tmp_path / "d"), site=site)
    assert (asked.returncode, asked.stdout) == (0, "단어 4개, 글자 12자입니다.\n")
    assert "1/1 단어와 글자 수 세기" in asked.stderr


@pytest.mark.parametrize(
    "column", ["name", "capabilities", "produces", "consumes", "needs", "params", "state"]
)
def test_guide_describes_every_field(column: str):
    assert f"`{column}`" in GUIDE


def test_the_guide_names_every_port():
    row = next(line for line in GUIDE.splitlines() if line.startswith("| `needs`"))
    assert [name for name in re.findall(r"`(\w+)`", row) if name != "needs"] == list(PORTS)
