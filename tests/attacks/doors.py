"""Every door, by everybody: each route and tool of the server with ids of others, ids that do not exist and ids that are
none. Made from the routes and tools themselves: one that nobody has thought of here fails the suite."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from metaagent.access.rights import BUILT_IN
from metaagent.ports import User
from metaagent.web.protocols.mcp_tools import ARTIFACT, DOCUMENT, OFFERS
from tests.attacks.world import noter, own_document, storing, written
from tests.support.agents import Runs, asking
from tests.support.foreign_ids import FOREIGN, NOTHING_OF_OTHERS, OF_A_COMPANY, Line, routes
from tests.support.web import KIM, STAFF, Site, server, site
from tests.support.writing_world import Written, writing

SECRET = "zqTOPSECRETzq"
PATIENCE = 5.0
"""Seconds after which a stream of events counts as open: it is shown to whoever reads on."""
STILL_OPEN = (200, "still open")
OPEN: dict[str, Any] = {"web": {"requests_per_minute": 1_000_000}, "domain": None}
POLICIES = {"access": {"policies": {"staff": STAFF, "viewer": {"operations": []}}}}
ROLES = (*BUILT_IN, "viewer", "staff")
MALFORMED = ("..%2f..%2fkeys.json", "' OR 1=1 --", "s" + "0" * 400, "s%00", "*", "null", "가나다")
NOBODYS = {
    "session": "s" + "f" * 16,
    "turn": "t" + "f" * 16,
    "waiting": "s" + "e" * 16,
    "artifact": "a" + "f" * 31,
    "document": "d" + "f" * 24,
    "known": "k" + "f" * 24,
    "memory": "m" + "f" * 24,
    "login": "l" + "f" * 16,
    "key": "k" + "f" * 16,
    "thread": "thread-of-nobody",
    "response": "resp_" + "f" * 32,
    "task": "f" * 32,
    "receipt": "r" + "f" * 24,
}
_READING = frozenset(
    {
        "GET /documents/{document_id}",
        "GET /documents/{document_id}/diff",
        "GET /documents/{document_id}/file",
        "POST /documents/{document_id}/comments",
        "GET /page/documents/{document}/{version:int}/pages/{page:int}.png",
        "resource document",
    }
)
_RELEASING = frozenset({"POST /documents/{document_id}/release", "POST /documents/{document_id}/withdraw"})
_HOLDING = frozenset({"GET /holds"})
MAY: Mapping[str, frozenset[str]] = {
    "approver": _READING
    | _RELEASING
    | {
        "POST /sessions/{session_id}/approval",
        "POST /documents/{document_id}/approve",
        "POST /stored/{receipt}/undo",
    },
    "compliance_officer": _READING | _RELEASING | {"POST /sessions/{session_id}/override"},
    "security_officer": _HOLDING,
    "owner": _HOLDING,
    "staff": _HOLDING,
}
"""What a role may do with what belongs to a colleague: see SECURITY.md, *Who may do what*."""

_HEX = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[a-z]{0,5}_?[0-9a-f]{8,64}\b")
_TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z?|\"?(?:created|created_at|timestamp|seconds)\"?: ?[\d.]+")


@dataclass(frozen=True)
class Try:
    """One request at a door. `same`: it must come to the same as with an id that does not exist."""

    name: str
    method: str
    path: str
    body: Any = None
    params: Mapping[str, Any] | None = None
    file: bool = False
    same: bool = True
    only_outside: bool = False


def filled(value: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for name, each in ids.items():
            value = value.replace("{" + name + "}", each)
        return value
    if isinstance(value, dict):
        return {key: filled(each, ids) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return [filled(each, ids) for each in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]


def api() -> Iterator[Try]:
    """Every route of the API: with ids where it takes some, and as it is where it answers about the caller."""
    for name in routes():
        line, method = FOREIGN[name], name.split(" ")[0]
        if isinstance(line, Line):
            path = line.path.replace("r-0123456789abcdef", "{receipt}")
            yield Try(name, method, f"/api/v1{path}", line.body, line.params, line.file)
        elif line == NOTHING_OF_OTHERS and method == "GET" and "{" not in name:
            yield Try(name, method, f"/api/v1{name.split(' ')[1]}", same=False)
        # An erasure would be of the caller, who has the same name in a company of their own.
        if name in OF_A_COMPANY and name != "POST /erasures":
            line = OF_A_COMPANY[name]
            yield Try(name, method, f"/api/v1{line.path}", line.body, same=False, only_outside=True)


_ASKED = [{"role": "user", "content": "note hello"}]
_MESSAGE = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "note hello"}]}
OTHERS: dict[str, list[Try] | None] = {
    "GET /api/v1/openapi.json": None,
    "ANY /api/v1/sessions/{session_id}/socket": None,  # sockets: tests/web/test_foreign_ids.py
    "ANY /api/v1/turns/{turn_id}/socket": None,
    "GET /login": None,
    "GET /login.css": None,
    "POST /logout": None,
    "GET /healthz": None,
    "GET /readyz": None,
    "GET /metrics": [Try("GET /metrics", "GET", "/metrics", same=False)],
    "POST /v1/chat/completions": [
        Try(
            "POST /v1/chat/completions",
            "POST",
            "/v1/chat/completions",
            {"model": "metaagent", "messages": _ASKED, "metadata": {"session_id": "{session}"}},
        )
    ],
    "POST /v1/responses": [
        Try(
            "POST /v1/responses",
            "POST",
            "/v1/responses",
            {"model": "metaagent", "input": "note hello", "previous_response_id": "{response}"},
        )
    ],
    "GET /v1/models": [Try("GET /v1/models", "GET", "/v1/models", same=False)],
    "GET /v1/models/{model}": [Try("GET /v1/models/{model}", "GET", "/v1/models/{session}")],
    "ANY /mcp": None,  # its tools and resources are tried one by one
    "POST /ag-ui": [
        Try(
            "POST /ag-ui",
            "POST",
            "/ag-ui",
            {
                "threadId": "{thread}",
                "runId": "r1",
                "messages": [{"id": "m1", "role": "user", "content": "what did I say?"}],
                "state": {},
                "tools": [],
                "context": [],
                "forwardedProps": {},
            },
            same=False,  # threads have names of their person's own: a foreign one begins a new conversation
        )
    ],
    "POST /a2a": [
        Try(
            f"POST /a2a {method}",
            "POST",
            "/a2a",
            {"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
        )
        for method, params in (
            ("GetTask", {"id": "{task}"}),
            ("CancelTask", {"id": "{task}"}),
            ("SubscribeToTask", {"id": "{task}"}),
            ("SendMessage", {"message": {**_MESSAGE, "taskId": "{task}"}}),
        )
    ],
    "GET /.well-known/agent-card.json": [
        Try("GET /.well-known/agent-card.json", "GET", "/.well-known/agent-card.json", same=False)
    ],
    "GET /page/settings": None,
    "GET /page/vega.js": None,
    "GET /page/artifacts/{session}/{artifact}/pages/{page:int}.png": [
        Try(
            "GET /page/artifacts/{session}/{artifact}/pages/{page:int}.png",
            "GET",
            "/page/artifacts/{session}/{artifact}/pages/1.png",
        )
    ],
    "GET /page/documents/{document}/{version:int}/pages/{page:int}.png": [
        Try(
            "GET /page/documents/{document}/{version:int}/pages/{page:int}.png",
            "GET",
            "/page/documents/{document}/1/pages/1.png",
        )
    ],
}
"""Every route beside the API; None for one that knows no ids and shows nothing of anybody."""

_ARGUMENTS: dict[str, Any] = {
    "session_id": "{session}",
    "question": "note hello",
    "answer": "left",
    "plan_hash": "0" * 64,
    "decision": "approve",
    "text": "note",
}


def tools() -> Iterator[Try]:
    """Every tool and every kind of resource of MCP. KeyError for an argument that nobody has thought of."""
    for name, offer in OFFERS.items():
        fields = offer.arguments.model_fields
        given = {
            each: _ARGUMENTS[each]
            for each, about in fields.items()
            if about.is_required() or each == "session_id"
        }
        yield Try(f"tool {name}", "tools/call", "/mcp", {"name": name, "arguments": given})
    for kind, address in (("artifact", ARTIFACT), ("document", DOCUMENT)):
        uri = re.sub(r"\{(\w+)_id\}", r"{\1}", address)
        yield Try(f"resource {kind}", "resources/read", "/mcp", {"uri": uri})


def known_routes(web: Any) -> set[str]:
    """The routes of the application beside the API, as `OTHERS` names them."""
    found: set[str] = set()
    of_api = {f"{method} /api/v1{path}" for method, path in (name.split(" ", 1) for name in routes())}
    for route in web.routes:
        path = getattr(route, "path", None)
        if not path or path.startswith("/page/assets") or type(route).__name__ == "Mount":
            continue
        methods = set(getattr(route, "methods", None) or ()) - {"HEAD"} or {"ANY"}
        found |= {f"{method} {path}" for method in methods}
    return found - of_api


def tries() -> list[Try]:
    return [*api(), *(each for some in OTHERS.values() for each in some or ()), *tools()]


@dataclass
class Caller:
    """Somebody with a key of their own, and a session of MCP."""

    user: User
    client: httpx.AsyncClient
    mcp: dict[str, str] | None = None

    async def send(self, one: Try, ids: Mapping[str, str]) -> tuple[int, str]:
        try:
            async with asyncio.timeout(PATIENCE if one.path.endswith("/events") else None):
                return await self._sent(one, ids)
        except TimeoutError:
            return STILL_OPEN

    async def _sent(self, one: Try, ids: Mapping[str, str]) -> tuple[int, str]:
        if one.path == "/mcp":
            return await self._call(one.method, filled(one.body, ids))
        given: dict[str, Any] = {"json": filled(one.body, ids)} if one.body is not None else {}
        if one.file:
            given = {"files": {"file": ("a.docx", b"x")}}
        headers = {"A2A-Version": "1.0"} if one.path == "/a2a" else {}
        path = filled(one.path, ids)
        answer = await self.client.request(one.method, path, params=one.params, headers=headers, **given)
        return answer.status_code, answer.text

    async def _call(self, method: str, params: Any) -> tuple[int, str]:
        if self.mcp is None:
            client = {"name": "attacker", "version": "0"}
            begun = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
            opened = await self._posted("initialize", begun, {})
            if "mcp-session-id" not in opened.headers:
                return opened.status_code, opened.text
            self.mcp = {
                "Mcp-Session-Id": opened.headers["mcp-session-id"],
                "MCP-Protocol-Version": "2025-06-18",
            }
            await self._posted("notifications/initialized", None, self.mcp)
        answer = await self._posted(method, params, self.mcp)
        return answer.status_code, answer.text

    async def _posted(self, method: str, params: Any, headers: Mapping[str, str]) -> httpx.Response:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message |= {"params": params, "id": 1}
        accepts = {"Accept": "application/json, text/event-stream"}
        return await self.client.post("/mcp", json=message, headers={**accepts, **headers})


def plain(answer: tuple[int, str]) -> tuple[int, str]:
    """An answer without ids and times, which differ by themselves."""
    return answer[0], _HEX.sub("ID", _TIMES.sub("TIME", answer[1]))


SAMPLED = [User("c-employee", "acme", ("employee",)), User("kim", "evilco", ROLES)]


def callers(size: int) -> list[User]:
    """Everybody who may not: each role, as a colleague and, under the same name, in another company. In a sample a colleague,
    and one person of another company who has every role there."""
    if size == 1:
        return SAMPLED
    inside = [User(f"c-{role}", "acme", (role,)) for role in ROLES]
    outside = [User("kim", "evilco", (role,)) for role in ROLES]
    return [*inside, *outside, *SAMPLED[1:]]


async def belongings(here: Site, client: httpx.AsyncClient) -> dict[str, str]:
    """Something of everything that KIM can have, through every door; all of it holds the secret."""
    app = here.app.acting_for(KIM)
    answer = await app.ask(f"note {SECRET}")
    waiting = await app.ask("asking")
    await app.remember(f"my region is {SECRET}")
    await app.governance.hold_place("case-1", reason=SECRET, person="kim")
    keys = await here.app.accounts.keys(user=User())
    await here.app.accounts.log_in(KIM, "oidc", 1)
    (logged_in,) = await here.app.accounts.logins(user=KIM)
    mine = Caller(KIM, client)
    told = await client.post("/v1/responses", json={"model": "metaagent", "input": f"note {SECRET}"})
    asked = {"message": {**_MESSAGE, "parts": [{"text": f"note {SECRET}"}]}}
    sent = await client.post(
        "/a2a",
        json={"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": asked},
        headers={"A2A-Version": "1.0"},
    )
    thread: Any = {**(OTHERS["POST /ag-ui"] or [])[0].body, "threadId": "thread-of-kim"}
    thread["messages"] = [{"id": "m1", "role": "user", "content": f"note {SECRET}"}]
    await client.post("/ag-ui", json=thread)
    await mine.send(
        Try("", "tools/call", "/mcp", {"name": "ask", "arguments": {"question": f"note {SECRET}"}}), {}
    )
    return {
        "session": answer.session_id,
        "turn": answer.turn_id,
        "waiting": waiting.session_id,
        "artifact": answer.content["artifacts"][0]["id"],
        "document": await written(here.app, KIM),
        "known": await own_document(here.app, KIM),
        "memory": (await app.memories())[0]["id"],
        "login": logged_in["login_id"],
        "key": keys[0]["key_id"],
        "thread": "thread-of-kim",
        "response": told.json()["id"],
        "task": json.loads(sent.text)["result"]["task"]["id"],
        "receipt": NOBODYS["receipt"],
    }


async def standing(here: Site) -> tuple[Any, ...]:
    """What KIM has."""
    app = here.app.acting_for(KIM)
    sessions = sorted((each.session_id, each.turns, each.status) for each in await app.sessions())
    found = await app.memories(), await app.governance.hold_list(), await app.knowledge_list()
    return sessions, *found, [each["status"] for each in await here.app.documents.listed(user=KIM)]


async def attacked(score: Any, folder: Path, seed: int, size: int) -> None:
    """Try all doors: everybody and everything in full, some of both in a sample."""
    rng = random.Random(seed)
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(
            site(folder / "data", noter, asking(Runs(runs)), writing(Written()), **OPEN, **POLICIES)
        )
        own = await stack.enter_async_context(await here.of(KIM))
        theirs = await belongings(here, own)
        score.held(
            f"routes: {known_routes(here.web) ^ OTHERS.keys()}", known_routes(here.web) == OTHERS.keys()
        )
        await _own(score, Caller(KIM, own), theirs)
        before = await standing(here)
        for user in callers(size):
            client = await stack.enter_async_context(await here.of(user))
            await _tried(score, Caller(user, client), tries(), theirs, rng)
        score.held("what the person has is as it was", await standing(here) == before)
    await _receipts(score, folder / "stored", rng, size)


async def _own(score: Any, caller: Caller, theirs: Mapping[str, str]) -> None:
    """Ask for everything as the person it belongs to: what is refused to its owner, too, would prove nothing of others."""
    # Receipts have a place of their own; what an effect would use is there only while it waits (tests/web/test_foreign_ids.py).
    elsewhere = ("{receipt}", "/approval/")
    reading = [
        one for one in api() if one.method == "GET" and one.same and not any(e in one.path for e in elsewhere)
    ]
    for one in reading:
        status, _ = await caller.send(one, theirs)
        score.held(f"{one.name} by its owner: {status}", status < 400)


async def _tried(
    score: Any, caller: Caller, some: list[Try], theirs: Mapping[str, str], rng: random.Random
) -> None:
    user = caller.user
    for one in some:
        inside = user.company_id == KIM.company_id
        if inside and (one.only_outside or one.name in MAY.get(user.roles[0], ())):
            continue
        found = await caller.send(one, theirs)
        what = f"{one.name} by {user.roles[0]}@{user.company_id}"
        score.held(f"{what}: shows the secret", SECRET not in found[1])
        score.held(f"{what}: {found[0]}", found[0] < 500)
        if not one.same:
            continue
        missing = await caller.send(one, NOBODYS)
        score.held(f"{what}: {found} / {missing}", plain(found) == plain(missing))
        bad = await caller.send(one, dict.fromkeys(NOBODYS, rng.choice(MALFORMED)))
        score.held(f"{what} with nonsense: {bad[0]}", bad[0] < 500 and SECRET not in bad[1])


async def _receipts(score: Any, folder: Path, rng: random.Random, size: int) -> None:
    """Receipts of what was stored, on a server of their own: storing takes a database of a company."""
    async with storing(folder, **OPEN, **POLICIES) as app, AsyncExitStack() as stack:
        here = Site(app, server.create_app(app, app.settings, announce=lambda _: None), [])
        await app.ask("store the visits", user=KIM)
        (mine,) = await app.stored_list(user=KIM)
        theirs = {**NOBODYS, "receipt": mine["receipt"]}
        routes_of = [one for one in api() if "{receipt}" in one.path]
        for user in callers(size):
            client = await stack.enter_async_context(await here.of(user))
            await _tried(score, Caller(user, client), routes_of, theirs, rng)
        holds = (await app.stored_show(mine["receipt"], user=KIM))["holds"]
        score.held("what was stored still stands", holds)
