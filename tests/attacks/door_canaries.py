"""A word in everything that comes through the doors; then every file, log, figure and answer to others is searched for it."""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx

from metaagent.ports import User
from metaagent.web.protocols.mcp_tools import OFFERS
from tests.attacks.doors import OPEN, OTHERS, POLICIES, Caller, Try, api
from tests.attacks.world import noter, written
from tests.support.agents import Runs, asking
from tests.support.web import EVE, KIM, LEE, Site, site
from tests.support.writing_world import Written, writing

PLACES = (
    *(
        "question",
        "attachment",
        "filename",
        "memory",
        "hold",
        "comment",
        "edit",
        "reason",
        "knowledge",
        "title",
    ),
    *(
        "key",
        "account",
        "password",
        "path",
        "query",
        "header",
        "agent",
        "cookie",
        "body",
        "thread",
        "metadata",
    ),
    *("tool", "client", "idempotency"),
)
LISTS = [one for one in api() if not one.same]


class _Heard(logging.Handler):
    """Every record of every logger, with its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.text = io.StringIO()
        self.setFormatter(logging.Formatter("%(name)s %(message)s %(args)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.text.write(self.format(record) + "\n")


async def told(folder: Path, words: Mapping[str, str]) -> dict[str, bytes]:
    """Say all words through the doors; everything that others, logs, figures and files then show."""
    heard, out, err = _Heard(), io.StringIO(), io.StringIO()
    root = logging.getLogger()
    root.addHandler(heard)
    outputs: dict[str, bytes] = {}
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    try:
        async with AsyncExitStack() as stack:
            stack.enter_context(redirect_stdout(out))
            stack.enter_context(redirect_stderr(err))
            agents = (noter, asking(Runs(folder / "runs")), writing(Written()))
            here = await stack.enter_async_context(site(folder / "data", *agents, **OPEN, **POLICIES))
            client = await stack.enter_async_context(await here.of(KIM))
            await _said(here, client, words, folder)
            await _said_to_protocols(client, words)
            await _said_wrongly(client, words)
            outputs |= await _seen(here)
    finally:
        root.removeHandler(heard)
    outputs |= {
        "logs": heard.text.getvalue().encode(),
        "terminal": (out.getvalue() + err.getvalue()).encode(),
    }
    for path in (folder / "data").rglob("*"):
        outputs[path.name] = path.name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"")
    return outputs


async def _said(here: Site, client: httpx.AsyncClient, words: Mapping[str, str], folder: Path) -> None:
    """What people say and send in the way that it is meant."""
    app = here.app.acting_for(KIM)
    sent = await client.post(
        "/api/v1/attachments", files={"file": (f"{words['filename']}.txt", words["attachment"].encode())}
    )
    assert sent.is_success, sent.text
    asked = {"text": f"note {words['question']}", "attachments": [sent.json()["id"]]}
    headers = {"Idempotency-Key": words["idempotency"]}
    assert (await client.post("/api/v1/questions", json=asked, headers=headers)).is_success
    await app.ask(f"note {words['title']}")
    await client.post("/api/v1/memories", json={"text": f"my region is {words['memory']}"})
    await client.post("/api/v1/holds", json={"hold_id": "case-1", "person": "kim", "reason": words["hold"]})
    document = await written(here.app, KIM)
    await client.post(f"/api/v1/documents/{document}/comments", json={"text": words["comment"]})
    await client.post(f"/api/v1/documents/{document}/withdraw", json={"reason": words["reason"]})
    paper = folder / "paper.md"
    paper.write_text(f"# {words['knowledge']}\n\n{words['knowledge']}\n")
    await here.app.ingest([paper], mine=True, user=KIM)
    await here.app.accounts.create_key(words["key"], KIM, scopes=(), days=1, user=User())
    waiting = await app.ask("asking")
    await client.post(f"/api/v1/sessions/{waiting.session_id}/answers", json={"answer": words["edit"]})


async def _said_to_protocols(client: httpx.AsyncClient, words: Mapping[str, str]) -> None:
    asked = [{"role": "user", "content": f"note {words['body']}"}]
    body = {"model": "metaagent", "messages": asked, "metadata": {"note": words["metadata"]}}
    await client.post("/v1/chat/completions", json=body)
    thread: Any = {**(OTHERS["POST /ag-ui"] or [])[0].body, "threadId": words["thread"]}
    await client.post("/ag-ui", json=thread)
    caller = Caller(KIM, client)
    for name in OFFERS:
        given = {"session_id": words["tool"], "question": f"note {words['tool']}", "text": words["tool"]}
        await caller.send(Try("", "tools/call", "/mcp", {"name": name, "arguments": given}), {})
    begun = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": words["client"], "version": "0"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begun}
    await client.post("/mcp", json=message, headers={"Accept": "application/json, text/event-stream"})


async def _said_wrongly(client: httpx.AsyncClient, words: Mapping[str, str]) -> None:
    """What is sent in every place where nobody expects it: it is refused, and kept nowhere."""
    await client.get(f"/api/v1/{words['path']}")
    await client.get(f"/{words['path']}")
    await client.get(f"/api/v1/sessions/{words['path']}")
    await client.get("/api/v1/sessions", params={"cursor": words["query"], words["query"]: "1"})
    odd = {"User-Agent": words["agent"], "X-Odd": words["header"], "Cookie": f"session={words['cookie']}"}
    await client.get("/api/v1/me", headers=odd)
    await client.post("/api/v1/questions", content=f'{{"text": "{words["body"]}'.encode())
    await client.post("/api/v1/questions", json={"text": 5, words["body"]: words["body"]})
    form = {"user": words["account"], "password": words["password"]}
    await client.post("/login", data=form, headers={"Authorization": "", "Origin": "http://127.0.0.1:8080"})


async def _seen(here: Site) -> dict[str, bytes]:
    """What a colleague, another company and a passer-by get from every list, and the figures of the server."""
    shown: dict[str, bytes] = {}
    for user in (LEE, EVE):
        async with await here.of(user) as client:
            for one in LISTS:
                # Officers see why something is held, and which keys their company has.
                if one.name not in {"GET /holds", "GET /api-keys"} or user is EVE:
                    shown[f"{one.name} for {user.user_id}"] = (
                        await client.request(one.method, one.path)
                    ).content
    async with here.client() as nobody:
        for path in ("/metrics", "/healthz", "/readyz", "/login", "/.well-known/agent-card.json"):
            shown[path] = (await nobody.get(path)).content
    async with await here.of(User("root", "local", ("security_officer",))) as officer:
        shown["/metrics for an officer"] = (await officer.get("/metrics")).content
    return shown
