"""docs/protocols.md: its clients connect to a server as they stand there."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from metaagent.cli.main import app
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from metaagent.web import server
from tests.support.data_world import NOON, make_company, settings
from tests.support.documents import DOCS
from tests.support.web import listening

PAGE = (DOCS / "protocols.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
NAMES = ["openai", "mcp", "ag_ui", "a2a"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[str, str]]:
    """An address and a key of a server that knows the demonstration company."""
    folder = tmp_path_factory.mktemp("protocols")
    await asyncio.to_thread(make_company, folder)
    given = settings(folder, data={"tenants": {"acme": "hanbit"}})
    async with MetaAgent.open(given, agents=[data_analysis], clock=FakeClock(NOON)) as meta:
        kim = User("kim", "acme", ("employee",))
        made = await meta.accounts.create_key("docs", kim, days=1, user=User())
        async with listening(server.create_app(meta, given)) as url:
            yield url, made["secret"]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", NAMES)
async def test_the_client_of_each_protocol_connects(
    name: str, served: tuple[str, str], capsys: pytest.CaptureFixture[str]
):
    url, key = served
    code = BLOCKS[NAMES.index(name)].replace("http://127.0.0.1:8080", url).replace("ma_KEY", key)
    assert url in code
    compiled = compile(code, "docs/protocols.md", "exec", dont_inherit=True)
    await asyncio.to_thread(exec, compiled, {"__name__": "page"})
    if name != "ag_ui":
        assert "서울" in capsys.readouterr().out


def test_the_page_has_a_block_for_each_protocol():
    assert len(BLOCKS) == len(NAMES)


def test_the_key_of_the_page_is_made(tmp_path: Path):
    command = re.findall(r"^\$ metaagent (api-keys .*)$", PAGE, re.MULTILINE)[0]
    done = CliRunner().invoke(app, [*shlex.split(command), "--data-dir", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "ma_" in done.output
