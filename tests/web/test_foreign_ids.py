"""Ids of one person used by another, on every route: the table is compared with the routes, so that none is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from metaagent.errors import UnknownSession
from metaagent.ports import User
from tests.support.agents import Runs, asking, figures, opened
from tests.support.foreign_ids import FOREIGN, NOTHING_OF_OTHERS, OF_A_COMPANY, Line, routes
from tests.support.web import EVE, KIM, LEE, STAFF, Site, listening, site


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


@pytest.mark.parametrize("other", [LEE, EVE], ids=["colleague", "another company"])
async def test_sockets_of_another_person_are_refused(data: Path, runs: Runs, other: User):
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    async with site(data, figures(runs)) as here, listening(here.web) as address:
        answer = await here.app.ask("figures", user=KIM)
        head = {"Authorization": f"Bearer {await here.key(other)}"}
        for path in (f"turns/{answer.turn_id}", f"sessions/{answer.session_id}"):
            with pytest.raises(InvalidStatus):
                async with connect(
                    f"{address.replace('http', 'ws')}/api/v1/{path}/socket", additional_headers=head
                ):
                    pass


async def test_right_to_anyones_conversations_ends_at_the_company(data: Path, runs: Runs):
    reads = {"operations": ["session.read:any"]}
    async with opened(data, figures(runs), access={"policies": {"staff": STAFF, "reads": reads}}) as app:
        asked = await app.ask("figures", user=KIM)
        found = await app.session(asked.session_id, user=User("park", "acme", ("reads",)))
        assert found.session_id == asked.session_id
        with pytest.raises(UnknownSession):
            await app.session(asked.session_id, user=User("park", "evilco", ("reads",)))
