"""Nothing happens outside behind a closed gate: a verdict on exactly what a step is given opens it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaagent.audit.store import Where
from metaagent.errors import AccessDenied, Failed, InputRefused, UnknownSession
from metaagent.governance.rule_packs import note_packs
from metaagent.level1.planning.gate import UNGATED
from metaagent.level1.planning.problems import TEXTS
from metaagent.runtime import Answer
from metaagent.testing import FakeClock
from tests.support.execution_world import events_of, make_agent, never, opened, raising, statuses
from tests.support.gate_world import (
    ASKER,
    BOSS,
    FINDING,
    OFFICER,
    REVIEWER,
    World,
    checking,
    storing,
    verdict,
    writing,
)

ALL = "write a report, check it and store it"


def blocked(answer: Answer) -> list[dict[str, Any]]:
    return answer.content["blocked"]


async def test_an_open_gate_lets_the_step_start(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), checking(world), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert statuses(answer) == {"writing": "completed", "checking": "completed", "storing": "completed"}
    assert (world.stored, blocked(answer)) == (1, [])
    assert world.judged == [world.effects[0]["inputs"]]


async def test_a_blocking_verdict_stops_what_changes_something(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
        events = await events_of(app, answer, user=ASKER)
    assert (answer.status, world.stored) == ("waiting", 0)
    (held,) = blocked(answer)
    assert (held["agent"], held["rules"], held["opened_by"]) == (
        "storing",
        ["fair_trade/gift_limit"],
        "compliance_officer",
    )
    (closed,) = [event for event in events if event["type"] == "gate_closed"]
    assert closed["findings"] == [FINDING]
    assert str(FINDING["message"]) in closed["question"]


@pytest.mark.parametrize("trouble", ["failed", "timeout", "defect", "no_verdict"])
async def test_a_check_that_came_to_nothing_keeps_it_closed(tmp_path: Path, trouble: str):
    world = World()
    ways: dict[str, Any] = {
        "failed": {"before": raising(Failed("the rules cannot be read"))},
        "timeout": {"before": never, "timeout": 0.01},
        "defect": {"before": raising(ValueError("broken"))},
        "no_verdict": {"judges": str},
    }
    async with opened(tmp_path, writing(), checking(world, **ways[trouble]), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert world.stored == 0
    assert blocked(answer)
    assert answer.status == "completed"


async def test_unknown_is_not_in_order(tmp_path: Path):
    world = World()
    unknown = {**FINDING, "status": "unknown"}
    async with opened(tmp_path, writing(), checking(world, findings=[unknown]), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert (answer.status, world.stored) == ("waiting", 0)


async def test_a_verdict_on_something_else_opens_nothing(tmp_path: Path):
    world = World()

    def of_another(task: Any) -> Any:
        said = verdict(task.inputs, blocks=False)
        said["target"]["hashes"] = ["f" * 64]
        return said

    async with opened(tmp_path, writing(), checking(world, judges=of_another), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert world.stored == 0
    assert blocked(answer)


async def test_without_anybody_to_check_nothing_is_stored(tmp_path: Path):
    world = World()
    async with opened(
        tmp_path, writing(), storing(world), compliance={"require": {"kinds": ["document"]}}
    ) as app:
        answer = await app.ask("write and store", user=ASKER)
    assert statuses(answer) == {"writing": "completed"}
    assert world.stored == 0
    assert [part["capability"] for part in blocked(answer)] == ["store"]
    assert "check" in answer.text


async def test_a_check_that_is_switched_off_is_still_asked_for(tmp_path: Path):
    world = World()
    off = {"disabled": ["checking"]}
    async with opened(tmp_path, writing(), checking(world), storing(world), agents=off) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert world.stored == 0
    assert [part["capability"] for part in blocked(answer)] == ["store"]


@pytest.mark.parametrize("require", [{"kinds": ["document"]}, {"agents": ["storing"], "kinds": []}])
async def test_policy_requires_a_check_that_nobody_asked_for(tmp_path: Path, require: dict[str, Any]):
    world = World()
    agents = (writing(), checking(world, blocks=True), storing(world))
    async with opened(tmp_path, *agents, compliance={"require": require}) as app:
        answer = await app.ask("write and store", user=ASKER)
    planned = [step["agents"] for step in answer.content["plan"]["execution_plan"]]
    assert planned == [["writing"], ["checking"], ["storing"]]
    assert (answer.status, world.stored) == ("waiting", 0)


async def test_nothing_is_gated_where_the_settings_say_so(tmp_path: Path):
    world = World()
    none: dict[str, Any] = {"require": {"kinds": []}}
    agents = (writing(), checking(world, blocks=True), storing(world))
    async with opened(tmp_path, *agents, compliance=none) as app:
        answer = await app.ask("write and store", user=ASKER)
    assert (statuses(answer)["storing"], world.judged) == ("completed", [])


async def test_documents_are_judged_by_default(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        answer = await app.ask("write and store", user=ASKER)
    assert (answer.status, world.stored, len(world.judged)) == ("waiting", 0, 1)


async def test_a_check_that_is_off_still_guards_documents(tmp_path: Path):
    world = World()
    off = {"disabled": ["checking"]}
    async with opened(tmp_path, writing(), checking(world), storing(world), agents=off) as app:
        answer = await app.ask("write and store", user=ASKER)
    assert world.stored == 0
    assert [part["capability"] for part in blocked(answer)] == ["store"]


async def test_nobody_judges_where_no_check_is_installed(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), storing(world)) as app:
        answer = await app.ask("write and store", user=ASKER)
    assert (statuses(answer)["storing"], world.stored) == ("completed", 1)


async def test_a_fallback_leads_round_no_gate(tmp_path: Path):
    world = World()
    agents = (
        checking(world, blocks=True),
        checking(world, "second", blocks=False, cost=2.0),
        storing(world),
        storing(world, "other", cost=2.0),
    )
    async with opened(tmp_path, writing(), *agents) as app:
        answer = await app.ask(ALL, user=ASKER)
        assert (answer.status, world.stored) == ("waiting", 0)
        await app.override(answer.session_id, "reject", reason="not this one", user=OFFICER)
        done = await app.answer(answer.turn_id, user=ASKER)
    assert (done.status, world.stored) == ("completed", 0)
    assert "not this one" in done.text


async def test_a_poor_verdict_stands_though_another_judges_after_it(tmp_path: Path):
    world = World()
    kinds = ("note", "table", "chart")
    poor = checking(world, blocks=True, confidence=0.0, promises=kinds)
    second = checking(world, "second", cost=2.0, promises=kinds)
    async with opened(tmp_path, writing(), poor, second, storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert len(world.judged) == 2
    assert (answer.status, world.stored) == ("waiting", 0)


async def test_another_checker_is_tried_before_the_gate_stays_closed(tmp_path: Path):
    world = World()
    first = checking(world, before=raising(Failed("no rules")))
    async with opened(tmp_path, writing(), first, checking(world, "second", cost=2.0), storing(world)) as app:
        answer = await app.ask(ALL, user=ASKER)
    assert (answer.status, world.stored, blocked(answer)) == ("completed", 1, [])


async def test_an_edit_cannot_drop_the_check(tmp_path: Path):
    world = World()
    agents = (writing(), checking(world), storing(world))
    async with opened(tmp_path, *agents, approval={"mode": "always"}) as app:
        waiting = await app.ask(ALL, user=ASKER)
        check = next(s["step_id"] for s in waiting.content["approval"]["steps"] if s["agent"] == "checking")
        again = await app.resume(waiting.session_id, f"drop {check}", user=ASKER)
        assert (again.status, world.stored) == ("waiting", 0)
        assert "nobody has judged" in again.content["approval"]["problems"][0]
        said = {"step": check, "value": "storing"}
        assert "판정받지 않은" in TEXTS[UNGATED].say("ko", **said)
        done = await app.resume(waiting.session_id, "approve", user=ASKER)
    assert (done.status, world.stored) == ("completed", 1)


@pytest.mark.parametrize("require", [{}, {"require": {"kinds": []}}])
async def test_a_blocking_verdict_of_an_earlier_turn_still_blocks(tmp_path: Path, require: dict[str, Any]):
    """Also where nothing need be judged, and so nobody judges it again."""
    world = World()
    agents = (writing(), checking(world, blocks=True), storing(world))
    async with opened(tmp_path, *agents, compliance=require) as app:
        first = await app.ask("write it and check it", user=ASKER)
        assert first.status == "completed"
        later = await app.ask("store", session_id=first.session_id, user=ASKER)
        assert (later.status, world.stored) == ("waiting", 0)
        assert len(world.judged) == (1 if require else 2)
        assert await app.override(first.session_id, reason="seen", user=OFFICER) == "completed"
    assert world.stored == 1


async def test_every_input_must_be_judged(tmp_path: Path):
    world = World()
    numbers = make_agent("numbers", makes=["dataset"])
    agents = (numbers, writing(), checking(world), storing(world, takes=("document", "dataset")))
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("numbers, " + ALL, user=ASKER)
        assert (answer.status, world.stored) == ("completed", 1)
        assert [len(each) for each in world.judged] == [2]


# --- override -------------------------------------------------------------------------------------------


async def test_an_officer_lets_it_through_with_a_reason(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        waiting = await app.ask(ALL, user=ASKER)
        (shown,) = await app.approvals(user=OFFICER)
        assert shown["findings"] == [FINDING]
        assert "asked" not in shown
        assert await app.override(waiting.session_id, reason="agreed by counsel", user=OFFICER) == "completed"
        assert world.stored == 1
        entries = await app.governance.audit_list(Where(event="gate.overridden"), user=REVIEWER)
        (entry,) = [
            await app.governance.audit_show(each["seq"], reveal=True, user=REVIEWER) for each in entries
        ]
        assert entry["pii"] == {"by": "cho", "reason": "agreed by counsel"}
        assert entry["actor"] == app.governance.ring.alias("acme", "cho")
        assert len(entry["data"]["verdicts"]) == len(entry["data"]["inputs"]) == 1
        assert await app.approvals(user=OFFICER) == []
        assert blocked(await app.answer(waiting.turn_id, user=ASKER)) == []


async def test_nobody_else_opens_it(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        waiting = await app.ask(ALL, user=ASKER)
        session = waiting.session_id
        for attempt in (app.resume, app.approve, app.override):
            with pytest.raises((AccessDenied, InputRefused)):
                await attempt(session, "approve", reason="mine", user=ASKER)
        for attempt in (app.approve, app.override):
            with pytest.raises((AccessDenied, InputRefused)):
                await attempt(session, "approve", reason="mine", user=BOSS)
        with pytest.raises(AccessDenied):
            await app.resume(session, "approve", reason="mine", user=OFFICER)
        assert await app.approvals(user=BOSS) == []
        refused = await app.governance.audit_list(Where(event="access.refused"), user=REVIEWER)
        assert "compliance.override" in {entry["data"]["operation"] for entry in refused}
    assert world.stored == 0


async def test_an_officer_does_not_override_their_own(tmp_path: Path):
    world = World()
    both = type(ASKER)("cho", "acme", ("employee", "compliance_officer"))
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        waiting = await app.ask(ALL, user=both)
        for attempt in (app.resume, app.override):
            with pytest.raises(AccessDenied):
                await attempt(waiting.session_id, "approve", reason="mine", user=both)
        assert await app.approvals(user=both) == []
    assert world.stored == 0


@pytest.mark.parametrize(("said", "reason"), [("approve", ""), ("maybe", "why"), ("drop s2", "why")])
async def test_an_override_is_plain_and_has_a_reason(tmp_path: Path, said: str, reason: str):
    world = World()
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        waiting = await app.ask(ALL, user=ASKER)
        with pytest.raises(InputRefused):
            await app.override(waiting.session_id, said, reason=reason, user=OFFICER)
    assert world.stored == 0


async def test_an_override_survives_a_restart(tmp_path: Path):
    world = World()
    agents = (writing(), checking(world, blocks=True), storing(world))
    async with opened(tmp_path, *agents) as app:
        waiting = await app.ask(ALL, user=ASKER)
    async with opened(tmp_path, *agents) as app:
        assert await app.override(waiting.session_id, reason="agreed", user=OFFICER) == "completed"
    assert (world.stored, len(world.judged)) == (1, 1)


async def test_an_officer_of_another_company_sees_nothing(tmp_path: Path):
    world = World()
    stranger = type(ASKER)("cho", "evil", ("compliance_officer",))
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        waiting = await app.ask(ALL, user=ASKER)
        assert await app.approvals(user=stranger) == []
        with pytest.raises(UnknownSession):
            await app.override(waiting.session_id, reason="mine", user=stranger)
    assert world.stored == 0


# --- on record ------------------------------------------------------------------------------------------


async def test_a_judging_step_writes_which_rules_judged(tmp_path: Path):
    world = World()
    async with opened(tmp_path, writing(), checking(world, blocks=True), storing(world)) as app:
        waiting = await app.ask(ALL, user=ASKER)
        (entry,) = await app.governance.audit_list(Where(event="rules.judged"), user=REVIEWER)
        shown = await app.governance.audit_show(entry["seq"], reveal=True, user=REVIEWER)
        assert (entry["outcome"], entry["data"]["findings"]) == ("blocked", 1)
        (rule,) = shown["pii"]["rules"]
        assert rule.split()[:6] == ["fair_trade", "1", "0" * 64, "gift_limit", "violated", "high"]
        assert all(str(value).startswith("h:") for value in entry["data"]["rules"])
        assert "30000" not in str(entry)
        await app.override(waiting.session_id, reason="agreed by counsel", user=OFFICER)
        report = await app.governance.audit_report(waiting.session_id, reveal=True, user=REVIEWER)
        told = "\n".join(report)
        assert "LET THROUGH by cho" in told
        assert "reason: agreed by counsel" in told
        assert "fair_trade 1" in told


async def test_packs_that_are_loaded_changed_and_removed_are_entries(tmp_path: Path):
    async with opened(tmp_path, writing()) as app:
        store: Any = app._store  # pyright: ignore[reportPrivateUsage]
        one, two = {"version": "1", "hash": "a" * 64}, {"version": "2", "hash": "b" * 64}
        for packs in ({"law": one}, {"law": one}, {"law": two}, {}):
            await note_packs(store, "acme", packs)
        entries = await app.governance.audit_list(Where(), user=REVIEWER)
        told = [(e["event"], e["data"]["from"], e["data"]["to"]) for e in entries if "pack" in e["data"]]
    assert told == [("rules.loaded", {}, one), ("rules.changed", one, two), ("rules.removed", two, {})]


async def test_a_waiver_is_kept_until_it_expires_or_ends(tmp_path: Path):
    clock = FakeClock()
    async with opened(tmp_path, writing(), clock=clock) as app:
        office = app.governance
        made = await office.waive("gift_limit", scope="*", until="2025-01-12", reason="fair", user=OFFICER)
        other = await office.waive("meals", scope="a" * 64, until="2025-02-01", reason="so", user=OFFICER)
        assert await office.waivers(user=OFFICER) == [made, other]
        await office.waiver_end(other.id, reason="over", user=OFFICER)
        assert await office.waivers(user=OFFICER) == [made]
        clock.advance(3 * 86_400)
        assert await office.waivers(user=OFFICER) == []
        events = {e["event"] for e in await office.audit_list(Where(), user=REVIEWER)}
        assert {"rules.waived", "rules.waiver_ended"} <= events


@pytest.mark.parametrize(
    "wrong",
    [
        {"rule": "no such rule!"},
        {"scope": "everything"},
        {"until": "2024-12-31"},
        {"until": "2030-01-01"},
        {"until": "soon"},
        {"reason": " "},
    ],
)
async def test_a_waiver_that_is_not_plain_is_refused(tmp_path: Path, wrong: dict[str, str]):
    given = {"rule": "gift_limit", "scope": "*", "until": "2025-01-12", "reason": "fair", **wrong}
    async with opened(tmp_path, writing(), clock=FakeClock()) as app:
        rule = given.pop("rule")
        with pytest.raises(InputRefused):
            await app.governance.waive(rule, **given, user=OFFICER)
        assert await app.governance.waivers(user=OFFICER) == []
