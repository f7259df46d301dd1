"""What a question asks for by the name of its kind is planned for, whoever makes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import Failed
from metaagent.level1.planning import PlanRequest, make_plan
from metaagent.level1.requested_kinds import requested_kinds
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef
from tests.support.execution_world import Calls, make_agent, opened, raising

KINDS = {
    "chart": ("graph", "차트", "그래프"),
    "document": ("문서",),
    "visit_report": (),
    "slides": (),
}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("서울 매출을 차트로 보여줘", ["chart"]),
        ("지난달 매출 그래프도 하나 그려 주세요", ["chart"]),
        ("Show last month's sales as a chart", ["chart"]),
        ("draw me a bar chart of sales", ["chart"]),
        ("make slides and give me a visit report", ["visit_report", "slides"]),
        ("문서로 정리해 줘", ["document"]),
        ("차트 수가 몇 개야?", []),
        ("how many documents were written last month?", []),
        ("sales per visit report", []),
        ("charter flights last year", []),
        ("", []),
    ],
)
def test_kind_is_requested_when_made_not_when_mentioned(question: str, asked: list[str]) -> None:
    assert list(requested_kinds(question, KINDS)) == asked


def plan(agents: list[AgentSpec], *kinds: str, capabilities: tuple[str, ...] = (), **more: Any) -> Any:
    analysis = {"required_capabilities": list(capabilities), "requested_kinds": list(kinds)}
    return make_plan(PlanRequest(analysis, agents, **more))


def agents_of(planning: Any) -> list[str]:
    return [step["agents"][0] for step in planning["execution_plan"]]


def test_a_maker_joins_with_whatever_it_needs() -> None:
    source = make_agent("source", makes=["data"])
    drawer = make_agent("drawer", makes=["chart"], takes=["data"])
    assert agents_of(plan([source, drawer], "chart")) == ["source", "drawer"]


def test_no_agent_joins_for_an_output_already_made() -> None:
    cheap = make_agent("cheap", makes=["chart"], cost=0.1)
    asked = make_agent("asked", makes=["chart"], cost=9.0)
    assert agents_of(plan([cheap, asked], "chart", capabilities=("asked",))) == ["asked"]


def test_requested_kind_of_an_earlier_turn_is_made_again() -> None:
    drawer = make_agent("drawer", makes=["chart"])
    old = ArtifactRef("a1", "chart", "", 1, "")
    assert agents_of(plan([drawer], "chart", artifacts=[old])) == ["drawer"]
    assert agents_of(plan([drawer], "chart", made=[old])) == [], "unless this turn made it"


def test_kind_without_a_producer_is_unmet() -> None:
    drawer = make_agent("drawer", makes=["chart"], takes=["data"])
    planning = plan([drawer], "chart", "song")
    assert agents_of(planning) == []
    assert planning["unmet"] == [
        {"capability": "chart", "reason": "no_input"},
        {"capability": "song", "reason": "no_agent"},
    ]


async def test_optional_kind_is_left_out_when_it_fails(tmp_path: Path) -> None:
    agents = [
        make_agent("sales", makes=["data"]),
        make_agent("presenter", raising(Failed("no screen")), does="unrelated", makes=["slides"]),
    ]
    async with opened(tmp_path, *agents) as app:
        answer = await app.ask("sales, and if possible, make slides")
        wanted = await app.ask("sales, and make slides")
    assert [step["status"] for step in answer.content["steps"]] == ["completed", "skipped"]
    assert "only if possible" in answer.text
    assert [step["status"] for step in wanted.content["steps"]] == ["completed", "failed"]


async def test_a_plugin_joins_by_what_it_makes_alone(tmp_path: Path) -> None:
    calls = Calls()
    agents = [
        make_agent("sales", makes=["data"], calls=calls),
        make_agent("presenter", does="unrelated", makes=["slides"], takes=["data"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        both = await app.ask("sales, and make slides")
        alone = await app.ask("please make slides")
        neither = await app.ask("sales of slides")
    assert [step["agent_name"] for step in both.content["steps"]] == ["sales", "presenter"]
    assert [step["agent_name"] for step in alone.content["steps"]] == ["sales", "presenter"]
    assert [step["agent_name"] for step in neither.content["steps"]] == ["sales"]
    assert 0 < alone.content["confidence"] < 1, "one word among many was understood"
    told = {each["conclusion"]: each["evidence"] for each in alone.content["analysis"]["explanations"]}
    assert told == {"kind=slides": "make slides"}
