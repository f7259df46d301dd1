"""Whoever opens a data directory with another configuration than the one before leaves an entry in the audit trail."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from metaagent.access.rights import BUILT_IN
from metaagent.audit.store import Where
from metaagent.cli.main import app as command_line
from metaagent.config import load_settings
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from tests.support.agents import Runs, figures, gate, opened
from tests.support.paths import ROOT

OWNER = User()
PASSWORD = "hunter2-pw"


async def changes(folder: Path, runs: Runs, user: User = OWNER, **settings: Any) -> list[dict[str, Any]]:
    """What the trail says of changes, once the directory was opened with these settings."""
    overrides = {"data_dir": folder, "agents": {"allow": []}, **settings}
    async with MetaAgent.open(load_settings(env={}, overrides=overrides), agents=[figures(runs)]) as app:
        entries = await app.governance.audit_list(Where(event="config.changed"), user=user)
        assert (await app.governance.audit_verify(user=user)).ok
        return [entry["data"] for entry in entries]


async def test_change_is_reported_once_with_name_and_hashes(data: Path, runs: Runs):
    assert await changes(data, runs) == []
    assert await changes(data, runs) == []
    for _ in range(2):
        (told,) = await changes(data, runs, approval={"mode": "never"}, domain=None)
        names = {name for name in told["changed"] if not name.startswith("file:")}
        assert names == {"approval.mode", "domain"}
        mode = told["changed"]["approval.mode"]
        assert (mode["from"]["value"], mode["to"]["value"]) == ("rule", "never")
        assert mode["from"]["hash"] != mode["to"]["hash"]
        assert told["from"] != told["to"]
    back = await changes(data, runs)
    assert len(back) == 2
    assert (back[1]["from"], back[1]["to"]) == (back[0]["to"], back[0]["from"])


async def test_secrets_and_people_in_settings_are_never_recorded(data: Path, runs: Runs):
    await changes(data, runs)
    secret: dict[str, Any] = {
        "data": {"url": f"postgresql://kim:{PASSWORD}@db/x", "people": {"kim-minsu": {"rep_id": 7}}},
        "access": {"users": {"acme/lee-person": ["owner"]}},
    }
    (told,) = await changes(data, runs, **secret)
    assert set(told["changed"]) == {"data.url", "data.people", "access.users"}
    other: dict[str, Any] = {**secret, "data": {**secret["data"], "url": "postgresql://kim:another@db/x"}}
    *_, last = await changes(data, runs, **other)
    assert set(last["changed"]) == {"data.url"}, "a new password is a change, too"
    stored = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    for word in (PASSWORD, "another@db", "kim-minsu", "lee-person"):
        assert word.encode() not in stored


async def test_an_edited_policy_or_domain_file_is_a_change(data: Path, runs: Runs, tmp_path: Path):
    domains = tmp_path / "domains"
    shutil.copytree(ROOT / "configs" / "domains" / "pharma", domains / "pharma")
    policies = tmp_path / "access.yaml"
    policies.write_text("policies: {}\n")
    settings: dict[str, Any] = {"domains_dir": str(domains), "access": {"file": str(policies)}}
    assert await changes(data, runs, **settings) == []
    with (domains / "pharma" / "intents.yaml").open("a") as file:
        file.write("# edited\n")
    (told,) = await changes(data, runs, **settings)
    assert set(told["changed"]) == {"file:pharma/intents.yaml"}
    policies.write_text(json.dumps({"policies": {"guest": BUILT_IN["employee"].model_dump()}}))
    *_, last = await changes(data, runs, **settings)
    assert set(last["changed"]) == {"file:access.file", "access.policies"}


async def test_config_change_is_audited_for_every_company(data: Path, runs: Runs):
    ann, lee = User("ann", "acme"), User("lee", "globex")
    async with opened(data, figures(runs)) as app:
        for user in (ann, lee):
            await app.ask("figures", user=user)
    for user in (ann, lee):
        (told,) = await changes(data, runs, user, limits={"calls": 7})
        assert told["changed"]["limits.calls"]["to"]["value"] == "7"


async def test_keys_that_rotate_do_not_look_like_a_change(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        await app.governance.keys_rotate()
        await app.governance.keys_rewrap()
    assert await changes(data, runs) == []


def _open_once(data: Path, runs: Runs, barrier: Any) -> None:
    async def work() -> None:
        barrier.wait(30)
        async with opened(data, figures(runs), limits={"calls": 9}):
            pass

    asyncio.run(work())


def test_processes_that_open_at_once_tell_it_once(data: Path, runs: Runs):
    asyncio.run(changes(data, runs))
    context = multiprocessing.get_context("forkserver")
    barrier = context.Barrier(4)
    children = [context.Process(target=_open_once, args=(data, runs, barrier)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert len(asyncio.run(changes(data, runs, limits={"calls": 9}))) == 1


async def test_kill_switch_is_audited_and_in_the_session_account(data: Path, runs: Runs):
    held = gate()
    async with opened(data, figures(runs, before=held)) as app:
        asking = asyncio.ensure_future(app.ask("figures"))
        await held.arrived.wait()
        (session,) = await app.sessions()
        (turn,) = await app.turns(session.session_id)
        async for event in app.events(turn.turn_id):
            if event["type"] == "plan_ready":  # from here on the question is on record
                break
        await app.disable("figures")
        await app.enable("figures")
        held.opened.set()
        answer = await asking
        events = [entry["event"] for entry in await app.governance.audit_list()]
        assert events.count("agent.disabled") == events.count("agent.enabled") == 1
        report = "\n".join(await app.governance.audit_report(answer.session_id))
        assert "SWITCHED OFF: figures" in report
        korean = "\n".join(await app.governance.audit_report(answer.session_id, language="ko"))
        assert "끔: figures" in korean


async def test_config_change_between_turns_is_in_the_session_account(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures")
    async with opened(data, figures(runs), approval={"mode": "never"}) as app:
        await app.ask("figures", session_id=answer.session_id)
        lines = await app.governance.audit_report(answer.session_id)
    (line,) = [number for number, line in enumerate(lines) if "CONFIGURATION CHANGED" in line]
    assert "approval.mode rule → never" in lines[line]
    heads = [number for number, text in enumerate(lines) if text.startswith("Turn ")]
    assert heads[0] < line < heads[1]


def test_config_changes_are_listed_on_the_command_line(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    folder = ["--data-dir", str(data)]
    CliRunner().invoke(command_line, ["ask", "hello", *folder])
    monkeypatch.setenv("METAAGENT_APPROVAL__MODE", "never")
    listed = CliRunner().invoke(command_line, ["audit", "list", *folder])
    assert listed.output.count("config.changed") == 1
    again = CliRunner().invoke(command_line, ["audit", "list", "--event", "config.changed", *folder])
    assert len(again.output.splitlines()) == 1
    newest = CliRunner().invoke(command_line, ["audit", "list", "--limit", "2", *folder]).output.splitlines()
    assert newest[1].endswith("audit.read done ")
    assert newest[2].split("--before ")[1].startswith(newest[0].split()[0])
