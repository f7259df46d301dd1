"""The document agent, the compliance agent and the version store together: what a person gets."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import orjson
import pytest

from metaagent.documents.model import Document, lines
from metaagent.errors import Failed
from metaagent.level2.compliance.agent import compliance_validation
from metaagent.level2.document.agent import document_generation
from metaagent.plugin import AgentSpec, Artifact, Context, Group, Result, Task
from metaagent.testing import FakeClock, run_agent
from tests.support.execution_world import make_agent, opened
from tests.support.gate_world import World, storing
from tests.support.writing_world import asked_as
from tests.support.written_documents import TEMPLATES

GOLF = "지난주 골프 접대를 제공했다."


def figures(*sentences: str) -> AgentSpec:
    dataset = {
        "title": "서울 매출액",
        "columns": [{"name": "group", "label": "제품군", "type": "text"}],
        "rows": [["신경계"]],
        "row_count": 1,
        "sentences": list(sentences),
    }

    async def work(task: Task, ctx: Context) -> Result:
        return Result("figures", 1.0, [Artifact("dataset", dataset, "서울 매출액")])

    return make_agent("figures", work, makes=["dataset"])


async def test_a_passage_against_the_rules_goes_and_the_rest_is_stored(tmp_path: Path):
    world = World()
    store = asked_as(storing(world, "storage_decision", takes=["document"]))
    agents = (figures("서울 매출이 늘었다.", GOLF), document_generation, compliance_validation, store)
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("figures로 방문 보고서 작성하고 규정 확인한 뒤 저장해줘")
        assert answer.status == "completed", answer.content
        (listed,) = await app.documents.listed()
        name = listed["document_id"]
        assert [each["version"] for each in (await app.documents.shown(name))["versions"]] == [1, 2]
        changes = await app.documents.diff(name, 1, 2)
        assert len(changes) == 1
        assert GOLF in changes[0].before
        assert GOLF not in changes[0].after
        forms = {
            ref["hash"]
            for ref in answer.content["artifacts"]
            if ref.get("group") and ref["group"]["version"] == 2
        }
    assert world.effects == [{"by": "storage_decision", "inputs": sorted(forms)}]
    assert len(forms) == 3


async def test_a_follow_up_makes_version_two_of_that_document(tmp_path: Path):
    async with opened(
        tmp_path, figures("서울 매출이 늘었다.", "부산 매출은 줄었다."), document_generation
    ) as app:
        first = await app.ask("figures로 방문 보고서 작성해줘")
        second = await app.ask("2번 항목을 더 짧게", session_id=first.session_id)
        assert second.status == "completed", second.content
        (listed,) = await app.documents.listed()
        assert listed["version"] == 2, second.text
        changes = await app.documents.diff(listed["document_id"], 1, 2)
        (change,) = [each for each in changes if each.block != "notes"]
        assert change.after == "서울 매출이 늘었다."


async def test_a_still_clock_changes_nothing_about_follow_ups(tmp_path: Path):
    agents = (figures("하나.", "둘.", "셋.", "넷.", "다섯."), document_generation)
    async with opened(tmp_path, *agents, clock=FakeClock()) as app:
        for _ in range(3):  # ids are made anew in each session
            first = await app.ask("figures로 방문 보고서 작성해줘")
            await app.ask("2번 항목을 더 짧게", session_id=first.session_id)
            third = await app.ask("2번 항목을 한 문장으로 줄여줘", session_id=first.session_id)
            assert "3판" in third.text
        assert [each["version"] for each in await app.documents.listed()] == [3, 3, 3]


def verdict(document: Document, hashes: list[str], *changes: dict[str, Any]) -> dict[str, Any]:
    return {"target": {"hashes": hashes}, "required_modifications": list(changes), "blocks": True}


async def mended(document: Document, *changes: dict[str, Any], about: str | None = None) -> Result:
    plain = document.as_json()
    digest = hashlib.sha256(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS)).hexdigest()
    said = verdict(document, [about or digest], *changes)
    group = Group(document.document_id, 1, "json")
    inputs = [Artifact("document", plain, group=group), Artifact("verdict", said)]
    request = {"mends": True, "revises": "a0", "resolved": {}}
    return await run_agent(
        document_generation,
        "작성하고 확인해줘",
        inputs=inputs,
        request=request,
        language="ko",
        templates=TEMPLATES,
    )


async def drafted() -> Document:
    result = await run_agent(
        document_generation,
        "방문 보고서",
        inputs=[
            Artifact("dataset", {"title": "매출", "columns": [], "rows": [], "sentences": [GOLF, "늘었다."]})
        ],
        request={"resolved": {"document_type": "visit_report"}},
        language="ko",
        templates=TEMPLATES,
    )
    return Document.from_json(result.artifacts[0].data)


async def test_the_agent_says_what_it_took_out_and_what_is_left():
    document = await drafted()
    start = "\n".join(lines(document)).index(GOLF)
    cut = {"rule": "golf", "action": "remove_text", "span": [start, start + 4]}
    result = await mended(document, cut, {"rule": "limit", "action": "set_to_limit", "field": "amount"})
    made = Document.from_json(result.artifacts[0].data)
    assert GOLF not in "\n".join(lines(made))
    assert result.artifacts[0].group == Group(document.document_id, 2, "json")
    assert "golf" in result.summary
    assert "limit" in result.summary


async def test_nothing_mechanical_is_a_failure_that_says_so():
    document = await drafted()
    with pytest.raises(Failed, match="limit"):
        await mended(document, {"rule": "limit", "action": "set_to_limit", "field": "amount"})
