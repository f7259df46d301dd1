"""A draft that a verdict holds back is corrected as far as a program may, judged again, and only then somebody is asked."""

from __future__ import annotations

from pathlib import Path

from metaagent.global_state import Verdict
from metaagent.plugin import AgentSpec, Task
from metaagent.ports import Json
from metaagent.runtime import Answer
from tests.support.execution_world import events_of, opened
from tests.support.gate_world import ASKER, FINDING, OFFICER, World, checking, storing, verdict
from tests.support.writing_world import Written, asked_as, writing

QUESTION = "방문 보고서 작성하고 규정 확인한 뒤 저장해줘"


def judging(
    world: World, bad: tuple[str, ...], *, action: str = "remove_text", never: bool = False
) -> AgentSpec:
    """Blocks versions while one of these words is in them; says which passage must go."""

    def judges(task: Task) -> Verdict:
        number = max(ref.group.version for ref in task.inputs if ref.group)
        blocks = never or number <= len(bad)
        made: Json = dict(verdict(task.inputs, blocks=blocks, findings=[FINDING] if blocks else []))
        if blocks:
            change = {"rule": "gift_limit", "action": action, "span": [7, 9], "replacement": "fixed"}
            made["required_modifications"] = [change]
        return made  # pyright: ignore[reportReturnType]

    return asked_as(checking(world, "compliance_validation", judges=judges, takes=["document?"]))


def steps(answer: Answer) -> list[tuple[str, str]]:
    return [(step["agent_name"], step["status"]) for step in answer.content["steps"]]


def store(world: World) -> AgentSpec:
    return asked_as(storing(world, "storage_decision", takes=["document"]))


async def test_a_mechanical_change_is_applied_and_judged_again(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), judging(world, ("x",)), store(world)) as app:
        answer = await app.ask(QUESTION, user=ASKER)
        assert answer.status == "completed", answer.content
        versions = [ref["group"]["version"] for ref in answer.content["artifacts"] if ref.get("group")]
        second = [
            ref["hash"]
            for ref in answer.content["artifacts"]
            if ref.get("group") and ref["group"]["version"] == 2
        ]
        events = [event["type"] for event in await events_of(app, answer, ASKER)]
    assert sorted(set(versions)) == [1, 2]
    assert world.effects == [{"by": "storage_decision", "inputs": sorted(second)}]
    assert events.count("replan") == 1
    assert "gate_closed" not in events
    assert {kind for kind, _ in seen.inputs()} == {"document", "verdict"}
    assert len(world.judged) == 2


async def test_a_change_for_a_person_is_not_applied(tmp_path: Path):
    seen, world = Written(), World()
    check = judging(world, ("x",), action="set_to_limit")
    async with opened(tmp_path, writing(seen), check, store(world)) as app:
        answer = await app.ask(QUESTION, user=ASKER)
    assert answer.status == "waiting"
    assert answer.question is not None
    assert answer.question["kind"] == "override"
    assert len(seen.tasks) == 1
    assert world.stored == 0


async def test_the_loop_ends_at_the_bound_and_asks_the_officer(tmp_path: Path):
    seen, world = Written(), World()
    check = judging(world, (), never=True)
    async with opened(tmp_path, writing(seen), check, store(world), limits={"replans": 2}) as app:
        answer = await app.ask(QUESTION, user=ASKER)
        assert answer.status == "waiting", answer.content
        assert [ref.group.version for ref in seen.tasks[-1].inputs if ref.group] == [2, 2, 2]
        assert len(seen.tasks) == 3
        assert world.stored == 0
        status = await app.override(answer.session_id, reason="checked by hand", user=OFFICER)
        assert status == "completed"
    assert world.stored == 1


async def test_a_check_alone_changes_nothing(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), judging(world, ("x",))) as app:
        first = await app.ask("방문 보고서 작성해줘", user=ASKER)
        answer = await app.ask("규정 위반이 없는지 확인해줘", session_id=first.session_id, user=ASKER)
    assert answer.status == "completed"
    assert len(seen.tasks) == 1


async def test_draft_check_and_revision_end_by_themselves(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), judging(world, ("x",))) as app:
        answer = await app.ask("방문 보고서 작성하고 규정 확인해줘", user=ASKER)
    assert answer.status == "completed", answer.content
    agents = [name for name, status in steps(answer) if status == "completed"]
    assert agents == ["document_generation", "compliance_validation"] * 2
