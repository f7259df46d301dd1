"""The thing that a question means is the one that is given to the agent: new, revised, several at once, or long ago."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.level1.planning import PlanRequest, make_plan
from metaagent.plugin import AgentSpec, Artifact, Context, Group, Result, Task
from metaagent.ports import ArtifactRef
from metaagent.runtime import Answer, MetaAgent
from tests.support.execution_world import Calls, make_agent, opened
from tests.support.gate_world import World, checking, storing
from tests.support.writing_world import Written, asked_as, writing

ALL_FORMS = [("document", "docx"), ("document", "json"), ("document", "pdf")]


def store(world: World) -> AgentSpec:
    return asked_as(storing(world, "storage_decision", takes=["document|dataset|file"]))


def figures(calls: Calls | None = None) -> AgentSpec:
    return make_agent("figures", makes=["dataset"], calls=calls)


async def talk(app: MetaAgent, *questions: str) -> list[Answer]:
    answers: list[Answer] = []
    for question in questions:
        session = answers[0].session_id if answers else None
        answers.append(await app.ask(question, session_id=session))
        assert answers[-1].status == "completed", answers[-1].content
    return answers


def groups(answer: Answer) -> list[tuple[str, int]]:
    made = [ref["group"] for ref in answer.content["artifacts"] if ref.get("group")]
    return sorted({(group["document_id"], group["version"]) for group in made})


def agents(answer: Answer) -> list[str]:
    return [step["agent_name"] for step in answer.content["steps"]]


# --- an agent twice in a plan ----------------------------------------------------------------------------


async def test_two_documents_in_one_question_are_two(tmp_path: Path):
    seen = Written()
    async with opened(tmp_path, writing(seen)) as app:
        answer = await app.ask("방문 보고서랑 지출 보고서 둘 다 만들어줘")
    assert agents(answer) == ["document_generation"] * 2
    types = [task.request["resolved"]["document_type"] for task in seen.tasks]
    assert sorted(types) == ["expense_report", "visit_report"]
    assert len(groups(answer)) == 2


async def test_both_documents_are_stored_together(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), store(world)) as app:
        await app.ask("방문 보고서와 지출 보고서를 만들고 저장해줘")
    assert len(world.effects[0]["inputs"]) == 6


async def test_only_the_part_that_failed_is_tried_another_way(tmp_path: Path):
    seen = Written()

    first = writing(seen, cost=1.0)

    async def sometimes(task: Task, ctx: Context) -> Result:
        if task.request["resolved"]["document_type"] == "expense_report":
            raise RuntimeError("no expense reports here")
        return await first.run(task, ctx)

    other = Written()
    backup = replace(writing(other, cost=9.0), name="backup")
    async with opened(tmp_path, replace(first, run=sometimes), backup) as app:
        answer = await app.ask("방문 보고서랑 지출 보고서 둘 다 만들어줘")
    assert [task.request["resolved"]["document_type"] for task in seen.tasks] == ["visit_report"]
    assert [task.request["resolved"]["document_type"] for task in other.tasks] == ["expense_report"]
    assert len(groups(answer)) == 2


def ref(name: str, kind: str, group: Group | None = None, made_by: str = "") -> ArtifactRef:
    return ArtifactRef(name, kind, name, 1, name, group=group, made_by=made_by)


def steps(request: PlanRequest) -> list[Any]:
    return make_plan(request)["execution_plan"]  # pyright: ignore[reportTypedDictNotRequiredAccess]


def test_each_part_gets_a_step_and_followers_take_all():
    parts = {"write": [{"document_type": "a"}, {"document_type": "b"}]}
    made = make_agent("write", makes=["document"], takes=["document?"])
    check = make_agent("check", makes=["verdict"], takes=["document"])
    analysis = {"required_capabilities": ["write", "check"], "parts": parts}
    plan = steps(PlanRequest(analysis, [made, check]))
    assert [step["agents"] for step in plan] == [["write"], ["write"], ["check"]]
    assert [step.get("part") for step in plan[:2]] == parts["write"]
    assert [source["from_step"] for source in plan[2]["inputs"]] == ["s1", "s2"]
    assert plan[0]["inputs"] == plan[1]["inputs"] == []


# --- a result that can be revised ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "보고서 2번 항목을 더 짧게",
        "2번 항목을 더 짧게 해줘",
        "제목을 바꿔줘",
        "그 보고서를 영어로 바꿔줘",
        "Make the second paragraph shorter",
        "Translate that report into English",
    ],
)
async def test_a_change_gives_the_document_to_who_changes_it(tmp_path: Path, change: str):
    seen = Written()
    async with opened(tmp_path, writing(seen)) as app:
        first, second = await talk(app, "방문 보고서 작성해줘", change)
    assert sorted(seen.inputs()) == ALL_FORMS
    (name, version), (again, next_version) = groups(first)[0], groups(second)[0]
    assert (again, next_version) == (name, version + 1)


async def test_a_change_after_storing_goes_to_the_writer(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), store(world)) as app:
        *_, last = await talk(app, "방문 보고서 작성해줘", "저장해줘", "그 보고서를 영어로 바꿔줘")
    assert agents(last) == ["document_generation"]
    assert sorted(seen.inputs()) == ALL_FORMS
    assert world.stored == 1


async def test_a_new_document_is_not_made_from_the_old_one(tmp_path: Path):
    seen = Written()
    async with opened(tmp_path, writing(seen)) as app:
        first, second = await talk(app, "방문 보고서 작성해줘", "새 방문 보고서를 작성해줘")
    assert seen.inputs() == []
    assert groups(first) != groups(second)


async def test_the_named_document_is_changed_not_the_newest(tmp_path: Path):
    seen = Written()
    async with opened(tmp_path, writing(seen)) as app:
        first, _, third = await talk(
            app, "방문 보고서 작성해줘", "지출 보고서 작성해줘", "방문 보고서를 더 짧게 줄여줘"
        )
    assert groups(third) == [(groups(first)[0][0], 2)]


async def test_a_changed_document_is_what_is_stored(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), store(world)) as app:
        _, second = await talk(app, "방문 보고서 작성해줘", "2번 항목을 더 짧게 고치고 저장해줘")
    hashes = sorted(ref["hash"] for ref in second.content["artifacts"] if ref["kind"] == "document")
    assert world.effects[0]["inputs"] == hashes


# --- the thing that was meant ----------------------------------------------------------------------------


async def test_what_one_sentence_makes_is_checked_and_stored(tmp_path: Path):
    seen, world = Written(), World()
    check = asked_as(checking(world, "compliance_validation"))
    async with opened(tmp_path, writing(seen), check, store(world)) as app:
        answer = await app.ask("write a report, check it and store it")
    assert answer.status == "completed", answer.content
    assert agents(answer) == ["document_generation", "compliance_validation", "storage_decision"]
    made = sorted(ref["hash"] for ref in answer.content["artifacts"] if ref["kind"] == "document")
    assert sorted(world.judged[0]) == world.effects[0]["inputs"] == made


async def test_the_artifact_that_is_pointed_at_is_stored(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, figures(), writing(seen), store(world)) as app:
        first, _, _ = await talk(app, "figures", "방문 보고서 작성해줘", "이 표 저장해줘")
    (dataset,) = [ref["hash"] for ref in first.content["artifacts"]]
    assert world.effects[0]["inputs"] == [dataset]


async def test_both_documents_of_a_turn_are_meant_by_both(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, writing(seen), store(world)) as app:
        first, _ = await talk(app, "방문 보고서랑 지출 보고서 둘 다 만들어줘", "둘 다 저장해줘")
    assert world.effects[0]["inputs"] == sorted(ref["hash"] for ref in first.content["artifacts"])
    assert len(world.effects[0]["inputs"]) == 6


async def test_without_a_reference_the_newest_is_stored(tmp_path: Path):
    seen, world = Written(), World()
    async with opened(tmp_path, figures(), writing(seen), store(world)) as app:
        _, second, _ = await talk(app, "방문 보고서 작성해줘", "figures", "저장해줘")
    assert world.effects[0]["inputs"] == [ref["hash"] for ref in second.content["artifacts"]]


def test_what_was_made_together_is_handed_on_together():
    forms = [ref(f"a{form}", "document", Group("d1", 1, form)) for form in ("json", "pdf", "docx")]
    other = ref("b", "document", Group("d2", 1, "json"))
    charts = [ref(name, "chart", made_by="t1/s1/data") for name in ("c1", "c2")]
    keep = make_agent("keep", takes=["document", "chart?"])
    analysis: dict[str, Any] = {"required_capabilities": ["keep"]}
    (step,) = steps(PlanRequest(analysis, [keep], artifacts=[*forms, *charts]))
    assert [source["artifact_id"] for source in step["inputs"]] == ["ajson", "apdf", "adocx", "c1", "c2"]
    analysis["resolved"] = {"artifacts": ["apdf"]}
    (step,) = steps(PlanRequest(analysis, [keep], artifacts=[*forms, other]))
    assert [source["artifact_id"] for source in step["inputs"]] == ["ajson", "apdf", "adocx"]


async def test_an_old_document_is_found_behind_many_artifacts(tmp_path: Path):
    seen, world = Written(), World()

    async def many(task: Task, ctx: Context) -> Result:
        return Result("many", 1.0, [Artifact("dataset", {"n": n}) for n in range(60)])

    async with opened(
        tmp_path, writing(seen), make_agent("many", many, makes=["dataset"]), store(world)
    ) as app:
        first, *_ = await talk(app, "방문 보고서 작성해줘", "many", "그 보고서 저장해줘")
    made = sorted(ref["hash"] for ref in first.content["artifacts"])
    assert world.effects[0]["inputs"] == made
    assert len(seen.tasks) == 1
