"""All protocols together: keys and their scopes, packages that are missing, and what is imported when."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from metaagent.ports import User
from tests.support.agents import Runs, figures
from tests.support.web import KIM, site
from tests.support.web_doors import listening

QUESTION = "figures"
CALLS: dict[str, Any] = {
    "/v1/chat/completions": {"model": "metaagent", "messages": [{"role": "user", "content": QUESTION}]},
    "/v1/responses": {"model": "metaagent", "input": QUESTION},
    "/mcp": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "ask", "arguments": {"question": QUESTION}},
    },
    "/ag-ui": {
        "threadId": "t",
        "runId": "r",
        "messages": [{"id": "m", "role": "user", "content": QUESTION}],
    },
    "/a2a": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "SendMessage",
        "params": {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": QUESTION}]}},
    },
}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "A2A-Version": "1.0",
    "MCP-Protocol-Version": "2025-06-18",
}


async def test_a_key_reaches_as_far_as_its_scopes(tmp_path: Path, runs: Runs):
    async with site(tmp_path / "data", figures(runs)) as opened, listening(opened.web) as url:
        keys = {
            "all": await opened.key(KIM),
            "reads": await opened.key(KIM, scopes=("session.read",)),
            "revoked": await opened.key(KIM),
        }
        await opened.app.accounts.revoke_key(keys["revoked"].split("_")[1], user=User())
        for path in ("/v1/chat/completions", "/v1/responses", "/ag-ui", "/a2a"):
            got = {}
            for name, key in keys.items():
                headers = {**HEADERS, "Authorization": f"Bearer {key}"}
                async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as web:
                    got[name] = await web.post(path, json=CALLS[path])
            assert got["all"].status_code == 200, got["all"].text
            assert got["revoked"].status_code == 401
            refused = got["reads"].status_code == 403 or "TASK_STATE_REJECTED" in got["reads"].text
            assert refused, got["reads"].text


@pytest.mark.parametrize("path", list(CALLS))
async def test_a_page_of_another_site_cannot_call(tmp_path: Path, runs: Runs, path: str):
    """A browser sends its cookie along; without a page of ours as its origin it is nobody's call."""
    async with site(tmp_path / "data", figures(runs)) as opened:
        browser = await opened.owner()
        async with browser:
            browser.headers.update({**HEADERS, "Origin": "http://evil.example"})
            got = await browser.post(path, json=CALLS[path])
            form = await browser.post(path, content=b"a=b", headers={"Content-Type": "text/plain"})
    assert (got.status_code, form.status_code) == (403, 403)


@pytest.mark.parametrize(("path", "package"), [("/mcp", "mcp"), ("/ag-ui", "ag_ui"), ("/a2a", "a2a")])
async def test_a_missing_package_is_named(
    tmp_path: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch, path: str, package: str
):
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("mcp_server", "a2a_agent"):
        monkeypatch.delitem(sys.modules, f"metaagent.web.protocols.{name}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    async with site(tmp_path / "data", figures(runs)) as opened, await opened.of(KIM, **HEADERS) as client:
        got = await client.post(path, json=CALLS[path])
    assert (got.status_code, "pip install 'metaagent[protocols]'" in got.json()["error"]) == (501, True)


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=dict(os.environ)
    )


def test_the_command_names_its_missing_package(tmp_path: Path):
    code = "import sys; sys.modules['mcp'] = None; sys.argv[1:] = ['mcp', '--data-dir', {!r}]"
    done = python(code.format(str(tmp_path)) + "; from metaagent.cli.main import main; main()")
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'metaagent[protocols]'" in done.stderr


def test_packages_of_protocols_are_imported_when_used():
    done = python(
        "import sys, metaagent.web.protocols, metaagent.web.protocols.openai_api, metaagent.web.protocols.mcp_http, "
        "metaagent.web.protocols.ag_ui_api, metaagent.web.protocols.a2a_http; "
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'mcp', 'a2a', 'ag_ui', 'openai', 'nicegui'}))"
    )
    assert done.stdout.strip() == "[]", done.stderr
