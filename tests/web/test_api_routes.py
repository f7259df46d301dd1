"""Routes of the API, each called for what it is there for: sessions, decisions, memory, agents, the trail, documents."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx

from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.web import server
from tests.support.agents import Runs, asking, figures, gate, worker
from tests.support.data_world import make_company
from tests.support.gate_world import World, checking, storing, writing
from tests.support.page_world import SETTINGS
from tests.support.web import KIM, Site, site

API = "/api/v1"
HAN = User("han", "acme", ("compliance_officer", "approver"))
OFFICER = User("oh", "acme", ("staff", "compliance_officer", "security_officer", "reviewer"))


async def done(client: httpx.AsyncClient, path: str, **body: Any) -> list[dict[str, Any]]:
    """Begin a turn, or go on with it; its events until it has ended or waits."""
    answer = await client.post(f"{API}{path}", json=body, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 202, answer.text
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]


async def got(client: httpx.AsyncClient, path: str, **params: Any) -> Any:
    answer = await client.get(f"{API}{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json() if "json" in answer.headers["content-type"] else answer.content


async def posted(client: httpx.AsyncClient, path: str, **body: Any) -> Any:
    answer = await client.post(f"{API}{path}", json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json() if answer.headers["content-type"] == "application/json" else answer.content


async def test_session_is_read_branched_and_taken_back(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        session = (await done(client, "/questions", text="figures"))[0]["session_id"]
        await done(client, "/questions", text="figures once more", session_id=session)
        path = f"/sessions/{session}"
        said = (await got(client, f"{path}/messages", q="once more"))["items"]
        assert [each["content"] for each in said] == ["figures once more"]
        assert (await got(client, f"{path}/state"))["current_phase"] == "completed"
        assert {each["turn"] for each in await got(client, f"{path}/checkpoints")} >= {1, 2}
        branch = await posted(client, f"{path}/fork", turn=1)
        assert branch["session_id"] != session
        assert len((await got(client, f"/sessions/{branch['session_id']}/turns"))["items"]) == 1
        assert await posted(client, f"{path}/restore", turn=1) == {"undone": 1}
        assert "figures" in (await got(client, "/sessions", q="figures"))["items"][0]["title"]


async def test_session_is_exported_and_taken_up_again(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        session = (await done(client, "/questions", text="figures"))[0]["session_id"]
        path = f"/sessions/{session}/export"
        assert (await got(client, path))[:2] == b"PK"
        sealed = await posted(client, path, passphrase="correct horse")
        assert b"figures" not in sealed
        file = {"file": ("session.zip", sealed)}
        wrong = await client.post(f"{API}/sessions/import", files=file, data={"passphrase": "another one"})
        assert wrong.status_code == 422, wrong.text
        made = await client.post(f"{API}/sessions/import", files=file, data={"passphrase": "correct horse"})
        assert made.status_code == 201, made.text
        turns = (await got(client, f"/sessions/{made.json()['session_id']}/turns"))["items"]
        assert [each["question"] for each in turns] == ["figures"]


async def test_turn_is_paused_resumed_and_cancelled(data: Path, runs: Runs):
    held = gate()
    agents = worker(runs, "first", before=held), worker(runs, "second", takes=("first_result",))
    async with site(data, *agents) as here, await here.of(KIM) as client:
        begun = (await client.post(f"{API}/questions", json={"text": "first and second"})).json()
        path = f"/sessions/{begun['session_id']}"
        await asyncio.wait_for(held.arrived.wait(), 60)
        assert await posted(client, f"{path}/pause") == {"done": True}
        held.opened.set()
        assert await posted(client, f"{path}/unpause") == {"done": True}
        await client.get(begun["events"])
        assert (runs.of("first"), runs.of("second")) == (1, 1)
        held.arrived.clear()
        held.opened.clear()
        begun = (await client.post(f"{API}/questions", json={"text": "first and second"})).json()
        await asyncio.wait_for(held.arrived.wait(), 60)
        assert await posted(client, f"/sessions/{begun['session_id']}/cancel") == {"done": True}
        assert (await got(client, f"/turns/{begun['turn_id']}"))["status"] == "cancelled"
        assert await posted(client, f"/sessions/{begun['session_id']}/cancel") == {"done": False}


async def test_gate_is_opened_by_an_officer_with_a_reason(data: Path):
    world = World()
    agents = (writing(), checking(world, blocks=True), storing(world))
    async with (
        site(data, *agents, approval={"mode": "never"}) as here,
        await here.of(KIM) as client,
        await here.of(HAN) as officer,
    ):
        events = await done(client, "/questions", text="write a report, check it and store it")
        path = f"/sessions/{events[0]['session_id']}/override"
        without = await officer.post(f"{API}{path}", json={"decision": "approve"})
        assert (without.status_code, world.stored) == (422, 0)
        assert (
            await client.post(f"{API}{path}", json={"decision": "approve", "reason": "x"})
        ).status_code == 403
        begun = await officer.post(f"{API}{path}", json={"decision": "approve", "reason": "agreed"})
        assert begun.status_code == 202, begun.text
        await client.get(begun.json()["events"])
        assert world.stored == 1


async def test_memory_is_kept_listed_and_forgotten(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(KIM) as client:
        for said in ("my region is Busan", "my team is sales"):
            await posted(client, "/memories", text=said)
        kept = (await got(client, "/memories"))["items"]
        assert len(kept) == 2
        gone = await client.delete(f"{API}/memories/{kept[0]['id']}")
        assert [each["id"] for each in gone.json()] == [kept[0]["id"]]
        assert (await client.delete(f"{API}/memories")).json() == {"forgotten": 1}
        assert (await got(client, "/memories"))["items"] == []


async def test_agent_is_switched_off_and_on_for_all_turns(data: Path, runs: Runs):
    async with (
        site(data, figures(runs)) as here,
        await here.of(KIM) as client,
        await here.of(OFFICER) as officer,
    ):
        await posted(officer, "/agents/figures/disable")
        (listed,) = (await got(client, "/agents"))["agents"]
        assert (listed["name"], listed["enabled"]) == ("figures", False)
        await done(client, "/questions", text="figures")
        assert runs.of("figures") == 0
        await posted(officer, "/agents/figures/enable")
        await done(client, "/questions", text="figures")
        assert runs.of("figures") == 1
        assert "region" in (await got(client, "/topics"))["dimensions"]


async def test_officer_reads_verifies_and_takes_the_trail_away(data: Path, runs: Runs):
    async with (
        site(data, figures(runs)) as here,
        await here.of(KIM) as client,
        await here.of(OFFICER) as officer,
    ):
        session = (await done(client, "/questions", text="figures"))[0]["session_id"]
        entries = (await got(officer, "/audit", session=session))["items"]
        one = await got(officer, f"/audit/{entries[0]['seq']}")
        assert (one["seq"], one["session"]) == (entries[0]["seq"], session)
        report = await got(officer, f"/sessions/{session}/report")
        assert any("figures" in line for line in report["lines"])
        assert (await got(officer, "/audit", q="nowhere at all"))["items"] == [], "no search finds itself"
        found = await posted(officer, "/audit/verify")
        assert (found["verified"], found["findings"]) == (True, [])
        lines = (await posted(officer, "/audit/export")).splitlines()
        assert len(lines) >= found["entries"]
        table = await officer.post(f"{API}/audit/export", params={"form": "csv"})
        assert "session" in table.text.splitlines()[0]


async def test_held_person_is_erased_only_after_the_release(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(OFFICER) as officer:
        async with await here.of(KIM) as client:
            await done(client, "/questions", text="figures")
        await posted(officer, "/holds", id="case-1", reason="a claim", person="kim")
        assert [each["id"] for each in await got(officer, "/holds")] == ["case-1"]
        held = await officer.post(f"{API}/erasures", json={"person": "kim"})
        assert held.status_code == 403
        assert "case-1" in held.json()["detail"]
        await posted(officer, "/holds/case-1/release", reason="settled")
        assert await got(officer, "/holds") == []
        await posted(officer, "/erasures", person="kim")
        await posted(officer, "/readmissions", person="kim")


async def test_api_key_is_made_used_and_revoked(data: Path, runs: Runs):
    async with site(data, figures(runs)) as here, await here.of(OFFICER) as officer:
        made = await posted(
            officer, "/api-keys", name="nightly", user_id="kim", roles=["staff"], scopes=["session.ask"]
        )
        async with here.client(made["secret"]) as program:
            assert (await got(program, "/me"))["scopes"] == ["session.ask"]
            listed = (await got(officer, "/api-keys"))["items"]
            assert made["key_id"] in [each["key_id"] for each in listed]
            assert made["secret"] not in json.dumps(listed)
            assert (await officer.delete(f"{API}/api-keys/{made['key_id']}")).json() == {"done": True}
            assert (await program.get(f"{API}/me")).status_code == 401


async def test_turn_that_waits_takes_an_answer_and_nothing_else(data: Path, runs: Runs):
    async with site(data, asking(runs)) as here, await here.of(KIM) as client:
        events = await done(client, "/questions", text="asking")
        path = f"/sessions/{events[0]['session_id']}"
        waits = await client.post(f"{API}{path}/resume")
        assert (waits.status_code, waits.json()["code"]) == (422, "input_refused"), waits.text
        assert (await done(client, f"{path}/answers", answer="right"))[-1]["type"] == "response"


async def test_plan_document_and_stored_file_are_looked_at(tmp_path: Path):
    (tmp_path / "data").mkdir()
    make_company(tmp_path / "data")
    given = {**SETTINGS, "data_dir": str(tmp_path / "data"), "approval": {"mode": "always"}}
    ada = User("ada", "local", ("employee", "analyst", "approver"))
    async with MetaAgent.open(given) as app:
        here = Site(app, server.create_app(app, app.settings), [])
        async with await here.of(ada, **{"Accept-Language": "en"}) as client:
            events = await done(client, "/questions", text="Sales by region in October 2026")
            session = events[0]["session_id"]
            await done(client, f"/sessions/{session}/approval")
            await done(client, "/questions", text="Save that", session_id=session)
            (waiting,) = (await got(client, "/approvals"))["items"]
            (step,) = waiting["steps"]
            seen = await got(client, f"/sessions/{session}/approval/{step['step_id']}")
            assert seen["would_store"]["files"]
            (used,) = [each["artifact_id"] for each in step["inputs"]]
            assert "rows" in await got(client, f"/sessions/{session}/approval/inputs/{used}")
            assert (await got(client, "/stored"))["items"] == []
            await done(client, f"/sessions/{session}/approval")
            (receipt,) = (await got(client, "/stored"))["items"]
            stored = f"/stored/{receipt['receipt']}"
            assert json.loads(await got(client, f"{stored}/file"))
            await posted(client, f"{stored}/undo", reason="not needed")
            assert (await client.get(f"{API}{stored}/file")).status_code == 404
