"""Promises about what is stored: nothing in clear, nothing that was swapped, nothing left of an erased person."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.audit import AuditEvent
from metaagent.audit.notes import trusted_keys
from metaagent.audit.store import Where
from metaagent.cli.door import log_to
from metaagent.errors import (
    AccessDenied,
    InputRefused,
    KeyUnavailable,
    RowRefused,
    TurnRunning,
    UnknownSession,
)
from metaagent.plugin import Artifact, Context, Result, Task
from metaagent.ports import User
from metaagent.runtime import Answer, MetaAgent
from metaagent.storage.vault import Vault
from tests.support import killing
from tests.support.agents import Runs, figures, gate, opened, worker
from tests.support.canaries import CANARY, PERSON, breaking, full_of_canaries, traces
from tests.support.paths import ROOT
from tests.support.processes import exit_code
from tests.support.receipts import receipt_is_signed


async def test_no_field_of_a_turn_is_stored_in_clear(data: Path, runs: Runs):
    async with opened(data, full_of_canaries(runs), breaking(runs), approval={"mode": "always"}) as app:
        with log_to(app.settings, app.governance.ring):
            await app.remember(f"my region is {CANARY}", user=PERSON)
            asked = await app.ask(f"singing and breaking {CANARY}", user=PERSON)
            approval = {"decision": "approve", "reason": f"{CANARY} reason"}
            waiting = await app.resume(asked.session_id, approval, user=PERSON)
            answer = await app.resume(waiting.session_id, f"{CANARY} answer", user=PERSON)
            assert CANARY in answer.text
            assert traces(data) == [], "while the program runs: database, WAL, journals, temporary files"
            logged = "\n".join(await app.governance.logs())
            assert f"{CANARY} logged" in logged
            assert f"{CANARY} broke" in logged
    assert traces(data) == []
    assert {path.name for path in data.iterdir()} >= {
        "metaagent.db",
        "checkpoints.db",
        "files",
        "vectors",
        "logs",
    }
    async with opened(data, full_of_canaries(runs), breaking(runs)) as app:
        state = await app.state(answer.session_id, user=PERSON)
        assert CANARY in json.dumps(state, default=str, ensure_ascii=False)


async def test_personal_data_in_an_agents_error_is_told_nobody(
    data: Path, runs: Runs, caplog: pytest.LogCaptureFixture
):
    async def fail(_task: Task, ctx: Context) -> None:
        raise RuntimeError("no account 010-1234-5678 of kim99@naver.com에게")

    with caplog.at_level(logging.INFO, "metaagent"):
        async with opened(data, worker(runs, "breaking", before=fail)) as app:
            answer = await app.ask("breaking")
    assert "kim99" not in str(answer.content)
    assert "RuntimeError" in caplog.text
    assert "kim99" not in caplog.text
    assert "1234-5678" not in caplog.text


# --- rows -----------------------------------------------------------------------------------------------

ROWS: dict[str, tuple[str, str, Callable[[MetaAgent, Answer], Awaitable[Any]]]] = {
    "turns": ("turn_id", "body", lambda app, a: app.answer(a.turn_id, user=PERSON)),
    "events": ("seq", "body", lambda app, a: _events(app, a.turn_id)),
    "artifacts": (
        "artifact_id",
        "body",
        lambda app, a: app.artifact(a.session_id, a.content["artifacts"][0]["id"], user=PERSON),
    ),
}


async def _events(app: MetaAgent, turn_id: str) -> list[Any]:
    return [event async for event in app.events(turn_id, user=PERSON)]


def _plain(bodies: list[bytes]) -> list[bytes]:
    return [b'{"title": "plain"}' for _ in bodies]


def _truncated(bodies: list[bytes]) -> list[bytes]:
    return [body[:-3] for body in bodies]


def _swapped(bodies: list[bytes]) -> list[bytes]:
    return [*bodies[1:], bodies[0]]


@pytest.mark.parametrize("attack", [_plain, _truncated, _swapped], ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("table", ROWS)
async def test_a_plain_truncated_or_swapped_row_is_refused_by_name(
    table: str, attack: Any, data: Path, runs: Runs
):
    key, column, read = ROWS[table]
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=PERSON)
        await app.ask("figures again", user=PERSON)
    with sqlite3.connect(data / "metaagent.db") as db:
        where = "WHERE turn_id = ?" if table == "events" else ""
        given = (answer.turn_id,) if where else ()
        rows = db.execute(f"SELECT rowid, {column} FROM {table} {where} ORDER BY rowid", given).fetchall()
        for (rowid, _), body in zip(rows, attack([body for _, body in rows]), strict=True):
            db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (body, rowid))
        names = [str(name) for (name,) in db.execute(f"SELECT {key} FROM {table} {where}", given)]
    async with opened(data, figures(runs)) as app:
        with pytest.raises(RowRefused) as refusal:
            await read(app, answer)
        assert table in str(refusal.value)
        assert any(name in str(refusal.value) for name in names)


@pytest.mark.parametrize("attack", [_plain, _truncated, _swapped], ids=lambda attack: attack.__name__)
async def test_plain_truncated_or_swapped_title_is_refused_by_name(attack: Any, data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        names = {(await app.ask("figures", user=PERSON)).session_id for _ in range(2)}
    with sqlite3.connect(data / "metaagent.db") as db:
        rows = db.execute("SELECT rowid, body FROM sessions ORDER BY rowid").fetchall()
        for (rowid, _), body in zip(rows, attack([body for _, body in rows]), strict=True):
            db.execute("UPDATE sessions SET body = ? WHERE rowid = ?", (body, rowid))
    async with opened(data, figures(runs)) as app:
        found = await app.sessions(user=PERSON)
        assert {info.session_id for info in found} == names, "each can still be used or deleted"
        assert all(info.title == "" and f"sessions/{info.session_id}" in info.refused for info in found)


async def test_plain_or_renamed_file_is_refused(data: Path, runs: Runs):
    async def run(_task: Task, ctx: Context) -> Result:
        if runs.add("keeping") == 1:
            await ctx.files.write("one", b"first")
            await ctx.files.write("two", b"second")
        return Result((await ctx.files.read("one")).decode(), 1.0, [Artifact("kept", {})])

    spec = replace(worker(runs, "keeping", makes="kept"), run=run, needs=frozenset({"files"}))
    async with opened(data, spec) as app:
        assert (await app.ask("keeping", user=PERSON)).text == "first"
        (folder,) = (data / "files").iterdir()
        (folder / "one").write_bytes((folder / "two").read_bytes())
        swapped = await app.ask("keeping", user=PERSON)
        assert "files/one" in swapped.content["steps"][0]["error"]
        (folder / "one").write_bytes(b"in clear")
        plain = await app.ask("keeping", user=PERSON)
        assert "files/one" in plain.content["steps"][0]["error"]


# --- keys -----------------------------------------------------------------------------------------------


async def test_keys_are_rotated_and_rewrapped_while_turns_run(data: Path, runs: Runs, tmp_path: Path):
    async with opened(data, figures(runs)) as app:
        office = app.governance
        answers: list[Any] = [await app.ask("figures", user=PERSON)]
        for round_ in range(3):
            asking = [asyncio.ensure_future(app.ask("figures", user=PERSON)) for _ in range(4)]
            await office.keys_rotate(signing=round_ == 1, everyone=True, user=User())
            assert office.ring.version("acme") == round_ + 2
            answers += await asyncio.gather(*asking)
        made = await office.keys_rewrap(f"file:{tmp_path / 'other' / 'kek'}", everyone=True, user=User())
        assert made["keys"] > 0
        assert made["rows"]["turns"] > 0
        answers.append(await app.ask("figures", user=PERSON))
        for answer in answers:
            assert answer.status == "completed"
            assert await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=PERSON)
        assert (await office.audit_verify(user=PERSON)).ok
        told = [entry["event"] for entry in await office.audit_list(user=PERSON, limit=1000)]
        assert told.count("keys.rotated") == 3
        assert told.count("keys.rewrapped") == 1
    with pytest.raises(KeyUnavailable, match=r"acme \(k4-.*\) \+ 1"):
        async with opened(data, figures(runs)):
            pass
    keys = {"provider": f"file:{tmp_path / 'other' / 'kek'}"}
    async with opened(data, figures(runs), keys=keys) as app:
        assert len(await app.sessions(user=PERSON)) == len(answers)


async def test_lost_key_is_not_replaced_and_names_what_is_unreadable(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.ask("figures", user=PERSON)
    (data / "kek").unlink()
    with pytest.raises(KeyUnavailable) as lost:
        async with opened(data, figures(runs)):
            pass
    assert not (data / "kek").exists()
    for part in ("kek", "acme (k1-", "+ 1"):
        assert part in str(lost.value)
    assert "복구" in lost.value.say("ko")


# --- erasure --------------------------------------------------------------------------------------------


async def test_erased_person_is_unreadable_and_the_chain_verifies(data: Path, runs: Runs):
    other = User("other", "acme")
    async with opened(data, full_of_canaries(runs), figures(runs)) as app:
        waiting = await app.ask("singing", user=PERSON)
        theirs = await app.resume(waiting.session_id, "yes", user=PERSON)
        kept = await app.ask("figures", user=other)
        office = app.governance
        await app.remember(f"my region is {CANARY}", user=PERSON)
        receipt = await office.erase(PERSON.user_id, user=other)
        stores = receipt["receipt"]["stores"]
        assert stores["files"] == stores["vectors"] == stores["sessions"] == stores["turns"] == 1
        assert stores["memories"] == 1
        assert stores["events"] > 5
        assert stores["artifacts"] == 2
        assert stores["checkpoints"] > 0
        assert CANARY not in json.dumps(receipt)
        pem = await office.keys_public(user=other)
        assert receipt_is_signed(receipt, pem)
        forged = {**receipt, "receipt": {**receipt["receipt"], "stores": {**stores, "files": 0}}}
        assert not receipt_is_signed(forged, pem)
        with pytest.raises(UnknownSession):
            await app.turns(theirs.session_id, user=other)
        with pytest.raises(KeyUnavailable):
            await app.ask("figures", user=PERSON)
        assert (await office.audit_verify(user=other)).ok
        for entry in await office.audit_list(Where(session=theirs.session_id), user=other):
            shown = await office.audit_show(entry["seq"], reveal=True, user=other)
            assert set(shown.get("pii") or {"unreadable": ""}) == {"unreadable"}
        report = "\n".join(await office.audit_report(theirs.session_id, reveal=True, user=other))
        assert "(erased)" in report
        assert CANARY not in report
        assert await app.artifact(kept.session_id, kept.content["artifacts"][0]["id"], user=other)
        assert list((data / "files").glob("*/*")) == []
        tables = {"sessions", "turns", "events", "artifacts"}
        with sqlite3.connect(data / "metaagent.db") as db:
            for table in tables:
                left = db.execute(f"SELECT count(*) FROM {table} WHERE session_id = ?", (theirs.session_id,))
                assert left.fetchone() == (0,)
    assert traces(data) == []


async def test_an_erased_person_comes_back_as_someone_new(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        before = await app.ask("figures")
        await app.governance.erase("owner")
        await app.governance.readmit("owner")
        assert await app.sessions() == []
        after = await app.ask("figures")
        assert after.status == "completed"
        with pytest.raises(UnknownSession):
            await app.turns(before.session_id)


async def test_legal_hold_blocks_erasure_and_retention_until_released(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=PERSON)
        office = app.governance
        await office.hold_place("case-1", reason="court", person=PERSON.user_id, user=PERSON)
        with pytest.raises(AccessDenied, match="case-1"):
            await office.erase(PERSON.user_id, user=PERSON)
        with pytest.raises(AccessDenied, match="case-1"):
            await office.retain(before="2999-01-01", user=PERSON)
        assert await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=PERSON)
        assert [hold.id for hold in await office.hold_list(user=PERSON)] == ["case-1"]
        await office.hold_release("case-1", reason="settled", user=PERSON)
        assert await office.hold_list(user=PERSON) == []
        assert (await office.erase(PERSON.user_id, user=PERSON))["receipt"]["stores"]["sessions"] == 1


async def test_nobody_is_erased_while_their_turn_runs(data: Path, runs: Runs):
    held = gate()
    async with opened(data, figures(runs, before=held)) as app:
        asking = asyncio.ensure_future(app.ask("figures", user=PERSON))
        await held.arrived.wait()
        with pytest.raises(TurnRunning):
            await app.governance.erase(PERSON.user_id, user=PERSON)
        held.opened.set()
        answer = await asking
        assert await app.artifact(answer.session_id, answer.content["artifacts"][0]["id"], user=PERSON)


async def test_retention_needs_a_limit_and_keeps_the_trail_verifiable(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.ask("figures")
        with pytest.raises(InputRefused, match="audit_days"):
            await app.governance.retain()
    async with opened(data, figures(runs)) as app:
        await app.ask("figures")  # each run of the program ends with a signed checkpoint
    async with opened(data, figures(runs), retention={"audit_days": 1}) as app:
        await app.ask("figures")
        assert await app.governance.retain() == 0
        assert await app.governance.retain(before="2999-01-01") > 0
        assert (await app.governance.audit_verify()).ok


# --- evidence -------------------------------------------------------------------------------------------


async def test_standalone_verifier_accepts_the_export_of_real_turns(data: Path, runs: Runs, tmp_path: Path):
    export, pem = tmp_path / "export.jsonl", tmp_path / "key.pem"
    async with opened(data, figures(runs)) as app:
        await app.ask("figures", user=PERSON)
        with export.open("wb") as file:
            count = await app.governance.audit_export(file, user=PERSON)
        pem.write_text(await app.governance.keys_public(user=PERSON))
        assert trusted_keys(pem.read_text())
    assert CANARY.encode() not in export.read_bytes()
    verifier = ROOT / "metaagent" / "audit" / "verifier.py"

    def verified() -> tuple[int, str]:
        command = [sys.executable, "-I", str(verifier), str(export), str(pem)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stdout

    code, said = verified()
    assert code == 0, said
    assert f"entries 1 to {count} of tenant acme" in said
    export.write_bytes(export.read_bytes().replace(b'"outcome":"completed"', b'"outcome":"cancelled"', 1))
    code, said = verified()
    assert code == 1
    assert "NOT VERIFIED" in said


async def test_reading_the_trail_leaves_a_trace(data: Path, runs: Runs):
    reviewer = User("rev", "acme", ("reviewer",))
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=PERSON)
        office = app.governance
        await office.audit_list(Where(event="plan.made"), text="secret word", user=reviewer)
        await office.audit_show(1, reveal=True, user=reviewer)
        await office.audit_report(answer.session_id, user=reviewer)
        reads = await office.audit_list(Where(event="audit.read"), user=reviewer)
        assert [set(entry["data"]) for entry in reads[:3]] == [
            {"event", "text", "filters", "reveal"},
            {"seq", "reveal"},
            {"session", "filters", "reveal"},
        ]
        assert "secret word" not in str(reads)
        assert {entry["actor"] for entry in reads} == {Vault(office.ring).alias(reviewer)}


async def test_a_session_that_is_deleted_is_on_record(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures")
        await app.delete_session(answer.session_id)
        (entry,) = await app.governance.audit_list(Where(event="session.deleted"))
        assert entry["session"] == answer.session_id
        assert entry["data"]["turns"] == 1


def test_every_promise_names_a_test_that_exists():
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    named = re.findall(r"`(test_\w+)`", page)
    assert len(named) > 20
    for name in named:
        assert any(re.search(rf"^(async )?def {name}\b", source, re.MULTILINE) for source in sources), name
    for path in re.findall(r"`((?:metaagent|configs|tests)/[\w./]+)`", page):
        assert (ROOT / path).exists(), path


async def test_entries_of_turns_and_of_others_keep_their_places(data: Path, runs: Runs):
    """A turn's batch may hold nothing but entries, while reviewers and refusals write theirs."""
    async with opened(data, figures(runs)) as app:
        inside: Any = app

        def entry(key: str) -> AuditEvent:
            return AuditEvent(tenant="acme", event="tried", actor="u-1", key=key)

        for round_ in range(5):
            work = [inside._store.commit([entry(f"turn{round_}-{n}")]) for n in range(60)]
            work += [inside.governance._audit.record(entry(f"other{round_}-{n}")) for n in range(60)]
            await asyncio.gather(*work)
        assert len(await app.governance.audit_list(Where(event="tried"), limit=1000, user=PERSON)) == 600
        assert (await app.governance.audit_verify(user=PERSON)).ok


# --- exactly once ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["after executing", "write 6", "settling", "step drawing"])
def test_an_audit_entry_survives_a_kill_exactly_once(moment: str, data: Path, runs: Runs):
    """Killed in the middle and resumed: no entry twice, none missing, and the chain verifies."""
    assert exit_code(killing.run, data, runs, moment) == -signal.SIGKILL
    asyncio.run(_resumed(data, runs))


async def _resumed(data: Path, runs: Runs) -> None:
    async with opened(data, *killing.agents(runs), reasoner=killing.reasoner()) as app:
        (session,) = await app.sessions()
        await killing.finish(app, session.session_id)
        entries = await app.governance.audit_list(Where(session=session.session_id), limit=1000)
        told = Counter((entry["event"], entry["data"].get("step")) for entry in entries)
        once = ["question.asked", "plan.made", "turn.ended"]
        steps = {("agent.ran", step): 1 for step in ("s1", "s2", "s3", "s4")}
        # Analysed before and after the question back to the person.
        assert told == {**steps, **{(event, None): 1 for event in once}, ("analysis.done", None): 2}
        assert (await app.governance.audit_verify()).ok
