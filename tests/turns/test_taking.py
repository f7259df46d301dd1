"""An agent takes the sentences of a question that are for it alone; the rest is read without them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from metaagent.level1.reasoner import RuleReasoner
from metaagent.level2.memory.agent import memory
from metaagent.plugin import AgentSpec, Artifact, Asking, Capability, Context, Result, Taken, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock

REMINDER = re.compile(r"[^.]*(?:알림|remind me)[^.]*[.]?")


def take_reminders(question: str, asking: Asking) -> Taken:
    found = [match for match in REMINDER.finditer(question) if match[0].strip()]
    rest = REMINDER.sub(lambda match: " " * len(match[0]), question)
    return Taken(tuple({"text": match[0].strip(), "day": asking.now.day} for match in found), rest)


def reminder(takes: Any) -> AgentSpec:
    @agent(
        name="reminder",
        description="Reminders",
        capabilities=[Capability("reminder", ko=("알림",), en=("remind me",))],
        produces={"reminders": None},
        takes=takes,
    )
    async def run(task: Task, ctx: Context) -> Result:
        mine = (task.request.get("taken") or {}).get("reminder") or []
        said = "; ".join(f"{each['text']} ({each['day']})" for each in mine)
        return Result(f"noted: {said}", 1.0, [Artifact("reminders", mine)])

    return run


@agent(
    name="sales",
    description="Sales",
    capabilities=[Capability("sales", ko=("매출",), en=("sales",))],
    produces={"figures": None},
)
async def sales(task: Task, ctx: Context) -> Result:
    return Result("total: 10", 1.0, [Artifact("figures", {"total": 10})])


@pytest.fixture
async def app(data: Path) -> AsyncIterator[MetaAgent]:
    agents = [memory, sales, reminder(take_reminders)]
    async with MetaAgent.open(
        {"data_dir": data}, agents=agents, clock=FakeClock(), reasoner=RuleReasoner()
    ) as opened:
        yield opened


async def test_question_for_one_agent_needs_no_reasoner(app: MetaAgent) -> None:
    reply = await app.ask("내일 회의 알림 부탁해.")
    assert "noted: 내일 회의 알림 부탁해." in reply.text
    assert reply.content["analysis"]["required_capabilities"] == ["reminder"]


async def test_rest_of_the_question_is_read_by_others(app: MetaAgent) -> None:
    reply = await app.ask("sales please. remind me of the meeting.")
    assert "noted: remind me of the meeting." in reply.text
    assert "total: 10" in reply.text


async def test_two_agents_take_their_own_sentences(app: MetaAgent) -> None:
    reply = await app.ask("remind me of the meeting. Remember that my region is Busan.")
    assert {*reply.content["analysis"]["taken"]} == {"memory", "reminder"}
    assert [each["value"] for each in await app.memories()] == ["Busan"]


async def test_taken_turn_is_no_answer_to_remember(app: MetaAgent) -> None:
    first = await app.ask("sales please")
    await app.ask("remind me of the meeting.", session_id=first.session_id)
    await app.ask("방금 결과 기억해줘", session_id=first.session_id)
    kept = {each["key"]: each["value"] for each in await app.memories()}
    assert "total: 10" in kept["sales please"]


async def test_defect_in_one_taker_stops_no_question(data: Path) -> None:
    def broken(question: str, asking: Asking) -> Taken:
        raise KeyError("gone")

    async with MetaAgent.open(
        {"data_dir": data}, agents=[sales, reminder(broken)], reasoner=RuleReasoner()
    ) as app:
        reply = await app.ask("sales please")
        assert "total: 10" in reply.text
        assert any(
            "'reminder'" in each["text"] and "KeyError" in each["text"] for each in reply.content["warnings"]
        )
