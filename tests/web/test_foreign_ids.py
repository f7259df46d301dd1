"""Ids of one person used by another, on every route: the table is compared with the routes, so that none is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from metaagent.ports import User
from metaagent.web.api import PARTS
from tests.support.agents import Runs, asking, figures
from tests.support.web import EVE, KIM, LEE, Site, site

NOTHING_OF_OTHERS = "answers about the caller alone"
"""Routes that name nothing that could be somebody else's."""


@dataclass(frozen=True)
class Line:
    """A request with ids of another person. `status`: what strangers get; those of the same company and of another alike."""

    path: str
    body: dict[str, Any] | None = None
    file: bool = False
    status: int = 404
    params: dict[str, Any] | None = None


_DECISION = {"decision": "approve", "reason": "because"}
FOREIGN: dict[str, Line | str] = {
    "POST /questions": Line("/questions", {"text": "figures", "session_id": "{session}"}),
    "POST /attachments": NOTHING_OF_OTHERS,
    "GET /turns/{turn_id}": Line("/turns/{turn}"),
    "GET /turns/{turn_id}/events": Line("/turns/{turn}/events"),
    "GET /sessions/{session_id}/events": Line("/sessions/{session}/events"),
    "POST /sessions/{session_id}/answers": Line("/sessions/{waiting}/answers", {"answer": "left"}),
    "POST /sessions/{session_id}/resume": Line("/sessions/{session}/resume"),
    "GET /approvals": NOTHING_OF_OTHERS,
    "POST /sessions/{session_id}/approval": Line("/sessions/{session}/approval", _DECISION),
    "POST /sessions/{session_id}/override": Line("/sessions/{session}/override", _DECISION, status=403),
    "GET /sessions": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}": Line("/sessions/{session}"),
    "DELETE /sessions/{session_id}": Line("/sessions/{session}"),
    "PATCH /sessions/{session_id}": Line("/sessions/{session}", {"title": "mine now"}),
    "POST /sessions/{session_id}/pin": Line("/sessions/{session}/pin", {}),
    "GET /sessions/{session_id}/shares": Line("/sessions/{session}/shares"),
    "POST /sessions/{session_id}/shares": Line("/sessions/{session}/shares", {}),
    "DELETE /sessions/{session_id}/shares": Line("/sessions/{session}/shares"),
    "GET /sessions/{session_id}/turns": Line("/sessions/{session}/turns"),
    "GET /sessions/{session_id}/messages": Line("/sessions/{session}/messages"),
    "GET /sessions/{session_id}/state": Line("/sessions/{session}/state"),
    "GET /sessions/{session_id}/checkpoints": Line("/sessions/{session}/checkpoints"),
    "POST /sessions/{session_id}/fork": Line("/sessions/{session}/fork", {}),
    "POST /sessions/{session_id}/restore": Line("/sessions/{session}/restore", {"turn": 1}),
    "POST /sessions/{session_id}/cancel": Line("/sessions/{waiting}/cancel"),
    "POST /sessions/{session_id}/pause": Line("/sessions/{session}/pause"),
    "POST /sessions/{session_id}/unpause": Line("/sessions/{session}/unpause"),
    "GET /sessions/{session_id}/export": Line("/sessions/{session}/export"),
    "POST /sessions/{session_id}/export": Line("/sessions/{session}/export", {"passphrase": "long enough"}),
    "POST /sessions/import": NOTHING_OF_OTHERS,
    "GET /topics": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}/artifacts/{artifact_id}": Line("/sessions/{session}/artifacts/{artifact}"),
    "GET /sessions/{session_id}/artifacts/{artifact_id}/content": Line(
        "/sessions/{session}/artifacts/{artifact}/content"
    ),
    "GET /documents": NOTHING_OF_OTHERS,
    "GET /documents/{document_id}": Line("/documents/{document}"),
    "GET /documents/{document_id}/diff": Line("/documents/{document}/diff", params={"before": 1, "after": 1}),
    "GET /documents/{document_id}/file": Line("/documents/{document}/file"),
    "POST /documents/{document_id}/versions": Line("/documents/{document}/versions", file=True),
    "POST /documents/{document_id}/comments": Line("/documents/{document}/comments", {"text": "hm"}),
    "POST /documents/{document_id}/restore": Line("/documents/{document}/restore", {"version": 1}),
    "POST /documents/{document_id}/approve": Line("/documents/{document}/approve", {}),
    "POST /documents/{document_id}/release": Line("/documents/{document}/release", {}),
    "POST /documents/{document_id}/withdraw": Line("/documents/{document}/withdraw", {"reason": "r"}),
    "GET /memories": NOTHING_OF_OTHERS,
    "POST /memories": NOTHING_OF_OTHERS,
    "DELETE /memories/{memory_id}": Line("/memories/{memory}", status=200),
    "DELETE /memories": NOTHING_OF_OTHERS,
    "GET /knowledge": NOTHING_OF_OTHERS,
    "POST /knowledge": NOTHING_OF_OTHERS,
    "GET /knowledge/indexes": NOTHING_OF_OTHERS,
    "POST /knowledge/indexes/verify": Line(
        "/knowledge/indexes/verify", params={"collection": "mine"}, status=404
    ),
    "POST /knowledge/indexes/rebuild": Line("/knowledge/indexes/rebuild", params={"collection": "mine"}),
    "GET /knowledge/{document_id}": Line("/knowledge/{known}"),
    "GET /knowledge/{document_id}/places": Line("/knowledge/{known}/places"),
    "DELETE /knowledge/{document_id}": Line("/knowledge/{known}"),
    "GET /stored": NOTHING_OF_OTHERS,
    "GET /stored/{receipt}": Line("/stored/r-0123456789abcdef"),
    "GET /stored/{receipt}/file": Line("/stored/r-0123456789abcdef/file"),
    "POST /stored/{receipt}/undo": Line("/stored/r-0123456789abcdef/undo", {"reason": "r"}),
    "GET /agents": NOTHING_OF_OTHERS,
    "POST /agents/{name}/disable": NOTHING_OF_OTHERS,
    "POST /agents/{name}/enable": NOTHING_OF_OTHERS,
    "GET /audit": NOTHING_OF_OTHERS,
    "GET /audit/{seq}": NOTHING_OF_OTHERS,
    "GET /sessions/{session_id}/report": NOTHING_OF_OTHERS,
    "POST /audit/verify": NOTHING_OF_OTHERS,
    "POST /audit/export": NOTHING_OF_OTHERS,
    "GET /holds": NOTHING_OF_OTHERS,
    "POST /holds": NOTHING_OF_OTHERS,
    "POST /holds/{hold_id}/release": NOTHING_OF_OTHERS,
    "POST /erasures": NOTHING_OF_OTHERS,
    "POST /readmissions": NOTHING_OF_OTHERS,
    "GET /me": NOTHING_OF_OTHERS,
    "GET /me/logins": NOTHING_OF_OTHERS,
    "DELETE /me/logins/{login_id}": Line("/me/logins/{login}"),
    "GET /api-keys": NOTHING_OF_OTHERS,
    "POST /api-keys": NOTHING_OF_OTHERS,
    "DELETE /api-keys/{key_id}": NOTHING_OF_OTHERS,
}
"""Each route with the line that tries it. What officers may do within their company is tried with another company below."""

OF_A_COMPANY: dict[str, Line] = {
    "GET /sessions/{session_id}/report": Line("/sessions/{session}/report", status=200),
    "GET /audit/{seq}": Line("/audit/3", status=200),
    "POST /holds/{hold_id}/release": Line("/holds/case-1/release", {"reason": "r"}),
    "POST /erasures": Line("/erasures", {"person": "kim"}, status=422),  # nobody of that name is theirs
    "DELETE /api-keys/{key_id}": Line("/api-keys/{key}"),
    "POST /agents/{name}/disable": Line("/agents/figures/disable", status=200),
}
"""Calls of officers with names of another company: they reach their own company, whatever they name."""


def routes() -> Iterator[str]:
    for part in PARTS:
        for route in part.routes.routes:
            for method in getattr(route, "methods", ()):
                yield f"{method} {route.path.removeprefix('/api/v1')}"  # pyright: ignore[reportAttributeAccessIssue]


def test_every_route_has_its_line():
    assert sorted(FOREIGN) == sorted(routes())
    assert OF_A_COMPANY.keys() <= FOREIGN.keys()
    tried = [name for name, line in FOREIGN.items() if line != NOTHING_OF_OTHERS]
    named = [name for name in FOREIGN if "_id}" in name or "{receipt}" in name]
    assert {*named} <= {*tried, *OF_A_COMPANY}


async def things(here: Site, client: httpx.AsyncClient) -> dict[str, str]:
    """Something of everything that KIM can have."""
    app = here.app.acting_for(KIM)
    answer = await app.ask("figures")
    waiting = await app.ask("asking")
    await app.remember("my region is Busan")
    await app.governance.hold_place("case-1", reason="r", person="kim")
    keys = await here.app.accounts.keys(user=User())
    login = await here.app.accounts.log_in(KIM, "oidc", 1)
    assert login
    (logged_in,) = await here.app.accounts.logins(user=KIM)
    return {
        "session": answer.session_id,
        "turn": answer.turn_id,
        "waiting": waiting.session_id,
        "artifact": answer.content["artifacts"][0]["id"],
        "document": "d0123456789abcdef",
        "known": "k0123456789abcdef",
        "memory": (await app.memories())[0]["id"],
        "login": logged_in["login_id"],
        "key": keys[0]["key_id"],
    }


async def sent(client: httpx.AsyncClient, name: str, line: Line, known: dict[str, str]) -> httpx.Response:
    method = name.split(" ")[0]
    body = {
        key: value.format(**known) if isinstance(value, str) else value
        for key, value in (line.body or {}).items()
    }
    given: dict[str, Any] = {"files": {"file": ("a.docx", b"x")}} if line.file else {}
    if line.body is not None:
        given = {"json": body}
    path = "/api/v1" + line.path.format(**known)
    return await client.request(method, path, params=line.params, **given)


async def standing(here: Site) -> tuple[Any, ...]:
    """What KIM has."""
    app = here.app.acting_for(KIM)
    sessions = [(each.session_id, each.turns, each.status) for each in await app.sessions()]
    return sessions, await app.memories(), await app.governance.hold_list(), here.app.registry.disabled


@pytest.mark.parametrize("stranger", [LEE, EVE], ids=["colleague", "other company"])
async def test_ids_of_others_open_nothing(stranger: User, data: Path, runs: Runs):
    async with (
        site(data, figures(runs), asking(runs)) as here,
        await here.of(KIM) as own,
        await here.of(stranger) as client,
    ):
        known = await things(here, own)
        before = await standing(here)
        for name, line in FOREIGN.items():
            if isinstance(line, str):
                continue
            answer = await sent(client, name, line, known)
            assert answer.status_code == line.status, (name, answer.text)
            assert "figures done" not in answer.text
            assert "Busan" not in answer.text
        assert await standing(here) == before


async def test_officers_reach_their_own_company_only(data: Path, runs: Runs):
    async with site(data, figures(runs), asking(runs)) as here, await here.of(KIM) as own:
        known = await things(here, own)
        before = await standing(here)
        async with await here.of(EVE) as officer:
            for name, line in OF_A_COMPANY.items():
                answer = await sent(officer, name, line, known)
                assert answer.status_code == line.status, (name, answer.text)
                assert "figures" not in answer.text
                assert "acme" not in answer.text
        assert await standing(here) == before
        assert (await own.get("/api/v1/me")).status_code == 200
        assert (await here.app.acting_for(KIM).ask("figures")).status == "completed"


async def test_nobody_gets_anything_without_logging_in(data: Path, runs: Runs):
    async with (
        site(data, figures(runs), asking(runs)) as here,
        await here.of(KIM) as own,
        here.client() as nobody,
    ):
        known = await things(here, own)
        for name, line in FOREIGN.items():
            tried = line if isinstance(line, Line) else Line(name.split(" ")[1], {})
            path = tried.path.format(
                **known, name="figures", seq=1, hold_id="case-1", key_id="k", session_id="s"
            )
            answer = await nobody.request(name.split(" ")[0], f"/api/v1{path}", json=tried.body or {})
            assert answer.status_code == 401, name
