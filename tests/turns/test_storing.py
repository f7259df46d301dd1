"""A turn that stores: from the dataset to the receipt, who may undo it, and what erasure and new keys do to it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from metaagent.errors import AccessDenied, StoreRefused
from metaagent.level2.storage.agent import storage_decision
from metaagent.plugin import AgentSpec, Artifact, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock, FakeReasoner
from tests.support.record_world import MODEL, WRITABLE, make_database

KIM = User("kim", "a", ("employee",))
BOSS = User("boss", "a", ("approver",))


def visits() -> AgentSpec:
    @agent(name="visits", capabilities=["visits"], produces=["dataset"])
    async def visits(task: Task, ctx: Context) -> Result:
        rows = [["2026-03-05", 1, 30, "call"]]
        table = {"title": "visits", "columns": ["day", "shop_id", "cost", "note"], "rows": rows}
        return Result("visits", 1.0, [Artifact("dataset", table, "visits")])

    return visits


def settings_in(folder: Path) -> dict[str, Any]:
    model = folder / "semantic.yaml"
    model.write_text(yaml.safe_dump(MODEL.model_dump(mode="json", by_alias=True, exclude_defaults=True)))
    url = make_database(folder / "shop.db")
    return {
        "data_dir": folder / "data",
        "domain": None,
        "data": {"model": model, "url": url, "write_url": url, "writable": WRITABLE, "tenants": {}},
        "approval": {"mode": "never"},
    }


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[MetaAgent]:
    reasoner = FakeReasoner({"required_capabilities": ["visits", "storage_decision"]})
    agents = [visits(), storage_decision]
    async with MetaAgent.open(settings_in(tmp_path), agents=agents, reasoner=reasoner) as opened:
        yield opened


async def test_question_about_what_is_kept_reads_own_receipts(tmp_path: Path):
    settings, agents = settings_in(tmp_path), [visits(), storage_decision]
    storing = FakeReasoner({"required_capabilities": ["visits", "storage_decision"]})
    async with MetaAgent.open(settings, agents=agents, reasoner=storing) as opened:
        stored = await opened.ask("store the visits", user=KIM)
    asking = FakeReasoner({"required_capabilities": [], "small_talk": "kept"})
    async with MetaAgent.open(settings, agents=agents, reasoner=asking) as opened:
        (receipt,) = await opened.stored_list(user=KIM)
        here = await opened.ask("did you save it?", session_id=stored.session_id, user=KIM)
        elsewhere = await opened.ask("did you save it?", user=KIM)
        other = await opened.ask("did you save it?", user=User("park", "a", ("employee",)))
    asker = {"operations": ["session.ask", "session.read"], "agents": ["*"], "capabilities": ["*"]}
    settings["access"] = {"policies": {"asker": asker}}
    async with MetaAgent.open(settings, agents=agents, reasoner=asking) as opened:
        unseen = await opened.ask("did you save it?", user=User("kim", "a", ("asker",)))
    assert "You may not see what is stored" in unseen.text
    assert receipt["stored_location"] not in unseen.text
    assert here.text.startswith("Stored in this conversation:")
    assert receipt["stored_location"] in here.text
    assert elsewhere.text.startswith("Nothing was stored in this conversation. Stored last:")
    assert other.text == "You have stored nothing yet."


async def test_turn_stores_rows_and_gives_a_receipt(app: MetaAgent):
    answer = await app.ask("store the visits", user=KIM)
    assert answer.status == "completed", answer.content
    (receipt,) = await app.stored_list(user=KIM)
    assert receipt["receipt"] in answer.text
    shown = await app.stored_show(receipt["stored_location"], user=KIM)
    assert shown["holds"]
    assert shown["where"]["table"] == "visits"
    again = await app.ask("store the visits", user=KIM)
    assert "stored already" in again.text
    assert len(await app.stored_list(user=KIM)) == 1


def _workbook(rows: list[list[Any]]) -> bytes:
    from openpyxl import Workbook

    book, out = Workbook(), BytesIO()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


ROWS: list[list[Any]] = [["day", "shop", "cost", "note"], ["2026-03-05", "North", 30, "첫 방문"]]
FILES = {
    "visits.csv": "\n".join(",".join(map(str, row)) for row in ROWS).encode(),
    "excel.csv": "\n".join(",".join(map(str, row)) for row in ROWS).encode("cp949"),
    "visits.xlsx": _workbook(ROWS),
    "visits.json": json.dumps([dict(zip(ROWS[0], ROWS[1], strict=True))]).encode(),
}


@pytest.mark.parametrize("name", FILES)
async def test_a_given_table_becomes_rows(name: str, app: MetaAgent):
    file = await app.attach(name, FILES[name], user=KIM)
    reader = FakeReasoner({"required_capabilities": ["storage_decision"]})
    async with MetaAgent.open(app.settings, agents=[storage_decision], reasoner=reader) as storing:
        answer = await storing.ask("store this file in visits", attachments=[file], user=KIM)
        assert answer.status == "completed", answer.content
        (receipt,) = await storing.stored_list(user=KIM)
        assert (await storing.stored_show(receipt["receipt"], user=KIM))["where"]["table"] == "visits"


async def test_who_approves_sees_the_rows_as_they_will_be(tmp_path: Path):
    settings = {**settings_in(tmp_path), "approval": {"mode": "always"}}
    reader = FakeReasoner({"required_capabilities": ["storage_decision"]})
    table = b"visit_id,day,shop_id,cost,note\n1,2026-01-05,1,777,first\n10,2026-02-01,1,50,new\n"
    async with MetaAgent.open(settings, agents=[storage_decision], reasoner=reader) as opened:
        file = await opened.attach("visits.csv", table, user=KIM)
        waiting = await opened.ask("store this file", attachments=[file], user=KIM)
        (step,) = waiting.content["approval"]["steps"]
        seen = await opened.approval_effect(waiting.session_id, step["step_id"], language="en", user=KIM)
        assert seen is not None
        shown = seen["preview"]
        assert shown["rows"] == [[10, "2026-02-01", 1, 50, "new"]]
        (replaced,) = shown["replaces"]
        assert (replaced["before"][3], replaced["after"][3]) == (100, 777)
        assert await opened.stored_list(user=KIM) == []


async def test_undo_needs_the_right_and_is_on_record(app: MetaAgent):
    await app.ask("store the visits", user=KIM)
    (receipt,) = await app.stored_list(user=KIM)
    with pytest.raises(AccessDenied):
        await app.stored_undo(receipt["receipt"], reason="mistake", user=KIM)
    with pytest.raises(StoreRefused, match="no receipt"):
        await app.stored_undo(receipt["receipt"], reason="mistake", user=User("eve", "b", ("approver",)))
    with pytest.raises(StoreRefused, match="why"):
        await app.stored_undo(receipt["receipt"], reason=" ", user=BOSS)
    done = await app.stored_undo(receipt["receipt"], reason="mistake", user=BOSS)
    assert done["status"] == "undone"
    entries = await app.governance.audit_list(user=User("rev", "a", ("reviewer",)))
    assert {"records.stored", "records.undone"} <= {entry["event"] for entry in entries}


async def test_others_receipts_look_unknown(app: MetaAgent):
    await app.ask("store the visits", user=KIM)
    (receipt,) = await app.stored_list(user=KIM)
    lee = User("lee", "a", ("employee",))
    assert await app.stored_list(user=lee) == []
    with pytest.raises(StoreRefused, match="no receipt"):
        await app.stored_show(receipt["receipt"], user=lee)


async def test_undo_is_refused_under_a_legal_hold(app: MetaAgent):
    await app.ask("store the visits", user=KIM)
    (receipt,) = await app.stored_list(user=KIM)
    officer = User("sec", "a", ("security_officer",))
    await app.governance.hold_place("h1", reason="inquiry", person="kim", user=officer)
    with pytest.raises(AccessDenied, match="legal hold"):
        await app.stored_undo(receipt["receipt"], reason="mistake", user=BOSS)


async def test_erasure_counts_what_was_stored(app: MetaAgent):
    await app.ask("store the visits", user=KIM)
    officer = User("sec", "a", ("security_officer",))
    receipt = await app.governance.erase("kim", user=officer)
    counted = receipt["receipt"]["stores"]
    assert (counted["stored"], counted["stored_rows_kept"]) == (1, 1)


async def test_applied_retention_drops_what_was_stored(tmp_path: Path):
    @agent(name="keeper", capabilities=["keep"], produces=["stored"], needs=["records"], side_effects=True)
    async def keeper(task: Task, ctx: Context) -> Result:
        file = {"name": "a.txt", "media_type": "text/plain", "content": b"kept for a day"}
        made = await ctx.records.store("k1", {"files": [file], "what": "a", "retention_days": 1}, None)
        return Result("stored", 1.0, [Artifact("stored", made)])

    clock, office = FakeClock(), User("sec", "a", ("security_officer",))
    keeping = FakeReasoner({"required_capabilities": ["keep"]})
    async with MetaAgent.open(settings_in(tmp_path), agents=[keeper], reasoner=keeping, clock=clock) as app:
        await app.ask("keep it", user=KIM)
        await app.governance.retain(before="2020-01-01", user=office)
        assert len(await app.stored_list(user=KIM)) == 1
        clock.advance(2 * 86_400)
        await app.governance.retain(before="2020-01-01", user=office)
        assert await app.stored_list(user=KIM) == []


async def test_receipts_are_sealed_again_with_new_keys(app: MetaAgent, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("metaagent.governance.rekeying.SETTLE_SECONDS", 0.0)
    await app.ask("store the visits", user=KIM)
    officer = User("sec", "a", ("security_officer",))
    await app.governance.keys_rotate(user=officer)
    done = await app.governance.keys_rewrap(user=officer)
    assert done["refused"] == []
    assert done["rows"]["receipts (data.write_url)"] == 1
    (receipt,) = await app.stored_list(user=KIM)
    assert receipt["what"] == "visits"


async def test_preview_shows_rows_and_stores_nothing(app: MetaAgent):
    table = b"visit_id,day,shop,cost,mood\n1,2026-01-05,North,777,good\n"
    asked = await app.stored_preview("visits.csv", table, user=KIM)
    assert "mood" in asked["asks"]
    in_korean = await app.stored_preview("visits.csv", table, language="ko", user=KIM)
    assert re.search(r"[가-힣]", in_korean["asks"])
    assert not re.search(r"[가-힣]", asked["asks"])
    seen = await app.stored_preview("visits.csv", table, answers=["note"], user=KIM)
    assert seen["preview"]["replaces"][0]["before"][:2] == [1, "2026-01-05"]
    assert any(line.startswith("~ visit_id=1") and "cost=777" in line for line in seen["lines"])
    assert await app.stored_list(user=KIM) == []


@pytest.mark.parametrize(
    "asked",
    [
        'store this note: "{}"',
        "이 메모 저장해줘: '{}'",
        "‘{}’ 이 글을 보관해줘",
        "메모 보관해줘: {}",
    ],
)
async def test_a_quoted_text_is_stored_with_a_receipt(tmp_path: Path, asked: str):
    said = "North 매장 방문, 담당자와 진열 상태를 확인하고 다음 일정을 잡음"
    reasoner = FakeReasoner({"required_capabilities": ["storage_decision"]})
    settings = {**settings_in(tmp_path), "compliance": {"require": {"kinds": []}}}
    async with MetaAgent.open(settings, agents=[visits(), storage_decision], reasoner=reasoner) as opened:
        answer = await opened.ask(asked.format(said), user=KIM)
        assert answer.status == "completed", answer.content
        (receipt,) = await opened.stored_list(user=KIM)
        assert receipt["receipt"] in answer.text
        assert receipt["what"] == said
        again = await opened.ask(asked.format(said), user=KIM)
        assert "stored already" in again.text or "이미 저장" in again.text
        nothing = await opened.ask("store it please", user=KIM)
    assert nothing.status != "completed" or not nothing.content["steps"]


async def test_a_quotation_is_no_thing_where_one_is_made(app: MetaAgent):
    answer = await app.ask('store the visits as "the monthly visits of the north shop"', user=KIM)
    assert answer.status == "completed", answer.content
    (receipt,) = await app.stored_list(user=KIM)
    assert receipt["where"]["table"] == "visits"
    assert receipt["where"]["files"] == []
