"""The audit trail: forged, rewritten and cut entries, exports that prove nothing, and what stands in it in clear."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from metaagent.audit import verifier
from metaagent.audit.store import Where
from metaagent.errors import MetaAgentError, StorageError
from metaagent.global_state import BaseAgentState
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from tests.attacks.forged import REVIEWER, exported, forgeries, leaf
from tests.attacks.second_verifier import verified
from tests.attacks.world import BOSS, EVE, KIM, LEE, OFFICER, opened

RRN = "880512-1345677"


def append_forged(
    database: Path, *, tenant: str = "acme", event: str = "plan.approved", data: dict[str, Any] | None = None
) -> None:
    """As someone who may write the database, and has no key: a correctly chained approval by a person who gave none."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT seq, body FROM audit_entries WHERE tenant = ? ORDER BY seq", (tenant,)
        )
        *_, (seq, body) = rows
        entry = {**json.loads(body), "seq": seq + 1, "prev": leaf(body).hex(), "event": event}
        entry |= {"outcome": "approved", "data": data or {"version": 1, "hash": "0" * 64}}
        entry.pop("pii", None)
        forged = orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)
        columns = [entry[name] for name in ("ts", "actor", "event", "session", "turn")]
        connection.execute(
            "INSERT INTO audit_entries (tenant, seq, body, hash, ts, actor, event, session, turn, mac) SELECT ?,?,?,?,?,?,?,?,?,"
            " mac FROM audit_entries WHERE tenant = ? AND seq = ?",
            (tenant, seq + 1, forged, leaf(forged), *columns, tenant, seq),
        )
    connection.close()


def standalone(export: bytes, pem: str, anchor: bytes = b"") -> bool:
    anchors = [json.loads(line) for line in anchor.splitlines()]
    return not verifier.verify(export.strip().split(b"\n"), anchors, verifier.load_keys(pem))[0]


async def test_a_forged_entry_is_found_and_never_signed(tmp_path: Path):
    async with opened(tmp_path) as app:
        await app.ask("note one", user=KIM)
    append_forged(tmp_path / "metaagent.db")
    async with opened(tmp_path) as app:
        await app.ask("note two", user=KIM)
        checked = await app.governance.audit_verify(user=REVIEWER)
        assert [finding.kind for finding in checked.findings][:1] == ["forged"]
        export, pem = await exported(app)
    assert not standalone(export, pem)
    assert not verified(export, pem)
    sizes = [
        json.loads(line)["size"] for line in (tmp_path / "audit" / "acme.notes").read_bytes().splitlines()
    ]
    assert max(sizes) < checked.findings[0].seq


@pytest.mark.parametrize("name", ["!bad name", b"\x00"])
async def test_a_forged_company_keeps_no_trail_unsigned(tmp_path: Path, name: str | bytes):
    async with opened(tmp_path) as app:
        await app.ask("note one", user=KIM)
    with sqlite3.connect(tmp_path / "metaagent.db") as connection:
        connection.execute(
            "INSERT INTO audit_entries (tenant, seq, body, hash, ts, actor, event, session, turn, mac) SELECT ?, seq, body, hash,"
            " ts, actor, event, session, turn, mac FROM audit_entries WHERE tenant = 'acme' AND seq = 1",
            (name,),
        )
    connection.close()
    async with opened(tmp_path) as app:
        await app.ask("note two", user=KIM)
    with sqlite3.connect(tmp_path / "metaagent.db") as connection:
        (entries,) = connection.execute("SELECT count(*) FROM audit_entries WHERE tenant = 'acme'").fetchone()
    connection.close()
    newest = (tmp_path / "audit" / "acme.notes").read_bytes().splitlines()[-1]
    assert json.loads(newest)["size"] == entries


FORGED = {
    "hold": ("legal_hold.placed", {"hold": "h9", "subject": None}),
    "release": ("legal_hold.released", {"hold": "h1"}),
    "erasure": ("person.erased", {"subject": "p-0", "keys": [], "stores": {}}),
}


@pytest.mark.parametrize("name", FORGED)
async def test_a_forged_hold_or_erasure_leaves_the_trail_readable(tmp_path: Path, name: str):
    """Only the company whose trail was changed is closed; a reviewer of it finds out what is wrong."""
    async with opened(tmp_path) as app:
        await app.ask("note one", user=KIM)
        await app.ask("note of another company", user=EVE)
    event, data = FORGED[name]
    append_forged(tmp_path / "metaagent.db", event=event, data=data)
    async with opened(tmp_path) as app:
        checked = await app.governance.audit_verify(user=REVIEWER)
        assert [finding.kind for finding in checked.findings][:1] == ["forged"]
        assert await app.governance.audit_list(user=REVIEWER)
        for refused in (app.ask("note two", user=KIM), app.sessions(user=KIM), app.approvals(user=BOSS)):
            with pytest.raises(StorageError, match="audit verify"):
                await refused
        assert (await app.ask("note two", user=EVE)).status == "completed"


async def test_a_forged_erasure_destroys_nobodys_key(tmp_path: Path):
    """In the place of an entry that was signed long ago, so that no signature is younger."""
    async with opened(tmp_path) as app:
        await app.ask("note of lee", user=LEE)
        kids = app.governance.ring.person_kids("acme", "lee")
    with sqlite3.connect(tmp_path / "metaagent.db") as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        (body,) = connection.execute(
            "SELECT body FROM audit_entries WHERE tenant = 'acme' AND seq = 2"
        ).fetchone()
        entry = {**json.loads(body), "event": "person.erased", "data": {"subject": "p-0", "keys": kids}}
        forged = orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)
        connection.execute(
            "UPDATE audit_entries SET body = ?, hash = ?, event = 'person.erased' WHERE tenant = 'acme' AND seq = 2",
            (forged, leaf(forged)),
        )
    connection.close()
    async with opened(tmp_path) as app:
        assert all(map(app.governance.ring.is_usable, kids))


async def test_what_a_company_does_is_in_its_own_trail(tmp_path: Path):
    """Companies whose id looks like a digest of another are named by a digest in the trail."""
    kim = User("kim", "x-corp", ("owner",))
    async with opened(tmp_path) as app:
        answer = await app.ask("note one", user=kim)
        await app.export_session(answer.session_id, user=kim)
        found = await app.governance.audit_list(Where(event="session.exported"), user=kim)
        assert len(found) == 1
        assert kim.tenant != kim.company_id
        assert kim.company_id not in app.governance.ring.tenants()


async def test_a_cut_tail_with_its_notes_is_found(tmp_path: Path):
    async with opened(tmp_path) as app:
        await app.ask("note one", user=KIM)
    with sqlite3.connect(tmp_path / "metaagent.db") as connection:
        connection.execute("DROP TRIGGER audit_no_delete")
        connection.execute("DELETE FROM audit_entries WHERE tenant = 'acme' AND seq > 3")
    connection.close()
    (tmp_path / "audit" / "acme.notes").unlink()
    async with opened(tmp_path) as app:
        checked = await app.governance.audit_verify(user=REVIEWER)
    assert "cut_tail" in {finding.kind for finding in checked.findings}


async def test_two_verifiers_agree_on_true_and_forged_exports(tmp_path: Path):
    async with opened(tmp_path) as app:
        await app.ask("note one", user=KIM)
    anchor = (tmp_path / "audit" / "acme.notes").read_bytes()
    async with opened(tmp_path) as app:
        await app.ask("note two", user=KIM)
        export, pem = await exported(app)
    assert standalone(export, pem, anchor)
    assert verified(export, pem, anchor)
    for seed in range(5):
        for name, forged in forgeries(export, anchor, seed).items():
            assert not standalone(forged, pem, anchor), name
            assert not verified(forged, pem, anchor), name


class Anything(BaseAgentState, total=False):
    """A state by which an agent may say whatever it likes in every field that the trail is told of."""

    applied_rules: Any
    storage_decision: Any
    generated_queries: Any


def teller(state: dict[str, Any]) -> Any:
    @agent(
        name="teller",
        capabilities=[Capability("telling", ko=("전달",), en=("tell",))],
        produces={"contact": dict[str, Any]},
        state=Anything,
    )
    async def tell(task: Task, ctx: Context) -> Result:
        return Result("told", 1.0, [Artifact("contact", {"phone": "010-7392-4815"})], [{"title": "x"}], state)

    return tell


STATES: list[dict[str, Any]] = [
    {"applied_rules": [f"rule zqcanary {RRN}"], "storage_decision": {"why": "zqcanary", "of": RRN}},
    {"applied_rules": [0.5, {"id": f"zqcanary{RRN}"}], "storage_decision": 0.25},
    {"applied_rules": "zqcanary", "storage_decision": "zqcanary", "generated_queries": [RRN]},
    {"applied_rules": ["zqcanary"], "generated_queries": ["zqcanary"]},
]


@pytest.mark.parametrize("state", STATES)
async def test_what_an_agent_says_is_not_in_clear_in_the_trail(tmp_path: Path, state: dict[str, Any]):
    async with opened(tmp_path, teller({"execution_context": {}, **state})) as app:
        answer = await app.ask("tell me", user=KIM)
        assert answer.status == "completed"
        (ran,) = await app.governance.audit_list(Where(event="agent.ran"), user=OFFICER)
        export, _ = await exported(app)
    assert ran["outcome"] == "completed", "what is refused before it is recorded proves nothing of the record"
    assert b"zqcanary" not in export
    assert RRN.encode() not in export


async def test_names_and_filters_are_not_in_clear_in_the_trail(tmp_path: Path):
    canary = f"zqcanary{RRN}"

    async def tried(call: Callable[[], Any]) -> None:
        try:
            await call()
        except MetaAgentError:
            return  # refused or not, it leaves an entry

    async with opened(tmp_path) as app:
        office = app.governance
        await app.ask("note one", user=KIM)
        await tried(lambda: app.disable(canary, user=BOSS))
        await tried(lambda: app.session("zqcanary1", user=KIM))
        await tried(lambda: app.session("s" + "0" * 16, user=User("eve", "acme", (canary,))))
        await tried(lambda: office.audit_list(Where(actor=canary, event=canary), text=canary, user=REVIEWER))
        await tried(lambda: office.hold_place("h1", reason=canary, person="kim", user=OFFICER))
        await tried(lambda: office.hold_place(RRN, reason="x", person="kim", user=OFFICER))
        export, _ = await exported(app)
    assert b"zqcanary" not in export
    assert RRN.encode() not in export


async def test_no_hash_in_the_trail_can_be_found_by_trying(tmp_path: Path):
    async with opened(tmp_path, teller({"execution_context": {}})) as app:
        answer = await app.ask("tell me", user=KIM)
        (made,) = answer.content["artifacts"]
        (ran,) = await app.governance.audit_list(Where(event="agent.ran"), user=REVIEWER)
        (found, *_) = await app.governance.audit_list(text=made["hash"], user=REVIEWER)
        assert found["seq"] == ran["seq"]
        export, _ = await exported(app)
    guess = hashlib.sha256(b'{"phone":"010-7392-4815"}').hexdigest()
    assert made["hash"] == guess
    place = hashlib.sha256("\0".join((answer.session_id, "contact", guess)).encode()).hexdigest()
    assert guess.encode() not in export
    assert place[:31].encode() not in export
    assert hashlib.sha256(answer.text.encode()).hexdigest().encode() not in export
