"""Chat models: what reaches them, what they give back, what they may add to a plan."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from metaagent.config import load_settings
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import AnalysisInput
from metaagent.sessions.domain import OpenDomain
from metaagent.testing import scripted_chat_model
from tests.attacks.generators import personal_items
from tests.attacks.obedient import NOTHING, crm, heard, suggests, works
from tests.attacks.world import BOSS, KIM, opened

ITEMS = {name: (text, tell) for name, text, tell in personal_items(seed=7, count=1)}


@pytest.mark.parametrize("name", ITEMS)
async def test_no_personal_data_reaches_the_model(tmp_path: Path, name: str):
    text, tell = ITEMS[name]
    for question, finding in (
        (f"고객카드 보여줘, {text}", "완료"),
        ("고객카드 보여줘", f"고객 정보: {text}"),
    ):
        model = scripted_chat_model(NOTHING, "완료했습니다.")
        async with opened(tmp_path / str(len(question)), crm(finding), model=model) as app:
            await app.ask(question, user=BOSS)
        said = heard(model)
        assert tell not in said
        pieces = [piece for piece in re.findall(r"\d{4,}", text) if re.search(rf'"{piece}"', said)]
        assert pieces == []


async def test_no_word_inside_personal_data_is_sent_singly(tmp_path: Path):
    """Neither what the rules read in it, here a region, nor what they did not."""
    model = scripted_chat_model(NOTHING, "완료했습니다.")
    async with opened(tmp_path, crm("완료"), model=model, domain="pharma") as app:
        await app.ask("고객카드 보여줘, 배송지 부산광역시 해운대구 센텀중앙로 97, 흐물흐물하게", user=BOSS)
    assert "흐물흐물하게" in heard(model)
    assert [piece for piece in ("부산광역시", "해운대구", "센텀", "97") if f'"{piece}' in heard(model)] == []


async def test_a_call_restores_only_its_own_stand_ins(tmp_path: Path):
    got: dict[str, str] = {}

    @agent(
        name="reader",
        capabilities=[Capability("reading", ko=("읽기",), en=("reading",))],
        produces={"card": dict[str, Any]},
        needs=["llm"],
    )
    async def reader(task: Task, ctx: Context) -> Result:
        reply = await ctx.llm.complete([("human", "연락처 010-7392-4815, 주민번호 880512-1345677")])
        got["reader"] = reply.text
        return Result("read", 1.0, [Artifact("card", {"a": 1})], [{"title": "x"}])

    @agent(
        name="poet",
        capabilities=[Capability("poem", ko=("시쓰기",), en=("poem",))],
        produces={"poem": dict[str, Any]},
        needs=["llm"],
        consumes=["card"],
    )
    async def poet(task: Task, ctx: Context) -> Result:
        reply = await ctx.llm.complete([("human", "write a poem about [PHONE_1] and [RRN_1]")])
        got["poet"] = reply.text
        return Result("poem", 1.0, [Artifact("poem", {"a": 1})], [{"title": "x"}])

    echo = "[PHONE_1] and [RRN_1]"
    model = scripted_chat_model(NOTHING, echo, echo, "좋습니다.")
    async with opened(tmp_path, reader, poet, model=model) as app:
        await app.ask("읽기 하고 시쓰기 해줘", user=KIM)
    assert got == {"reader": "010-7392-4815 and 880512-1345677", "poet": echo}


@pytest.mark.parametrize("quote", ["메모", "해", "해줘"])
async def test_a_model_adds_no_agent_to_a_question_that_names_one(tmp_path: Path, quote: str):
    ran: list[str] = []
    agents = [works(ran, "noteit", "메모"), works(ran, "wiper", "초기화")]
    model = scripted_chat_model(suggests(("wiper", quote)), suggests(("wiper", quote)), "끝.")
    async with opened(tmp_path, *agents, model=model) as app:
        await app.ask("메모 해줘", user=BOSS)
    assert ran == ["noteit"]


async def test_a_suggestion_is_said_as_an_assumption(tmp_path: Path):
    ran: list[str] = []
    model = scripted_chat_model(suggests(("wiper", "정리")), "끝.")
    async with opened(tmp_path, works(ran, "wiper", "초기화"), model=model) as app:
        answer = await app.ask("정리 좀 부탁드립니다", user=BOSS)
    assert ran == ["wiper"]
    assert any("채팅 모델" in said and "정리" in said for said in answer.content["analysis"]["assumptions"])
    assert "채팅 모델" in answer.text


async def test_a_model_never_brings_in_side_effects(tmp_path: Path):
    ran: list[str] = []
    model = scripted_chat_model(suggests(("mailer", "정리")), suggests(("mailer", "정리")), "끝.")
    mailer = works(ran, "mailer", "메일발송", side_effects=True)
    async with opened(tmp_path, mailer, works(ran, "noteit", "메모"), model=model) as app:
        answer = await app.ask("정리 좀 부탁드립니다", user=BOSS)
    plan = answer.content.get("plan") or {}
    assert [step["agents"] for step in plan.get("execution_plan") or ()] == []
    assert ran == []
    assert "mailer" not in heard(model).split("offers")[1].split("</data")[0]


def offer(name: str, *, side_effects: bool = False) -> dict[str, Any]:
    about = {"words": {"ko": [], "en": []}, "permissions": [], "produces": [], "seconds": 1.0}
    return {"name": name, "agent": name, "side_effects": side_effects, **about}


@pytest.mark.parametrize(
    ("question", "intent", "quote"),
    [
        ("지난달 서울 매출을 분석해줘", "document", "매출"),
        ("지난달 서울 매출을 분석해줘", "document", "해줘"),
        ("이것 좀 챙겨 주세요", "store", "챙겨"),
    ],
)
async def test_with_a_domain_a_model_widens_no_question(
    tmp_path: Path, question: str, intent: str, quote: str
):
    """Where the words name an intent a model adds none; where they name none it brings in no side effects."""
    offered = (
        offer("data_analysis"),
        offer("document_generation"),
        offer("storage_decision", side_effects=True),
    )
    settings = load_settings(env={}, overrides={"data_dir": tmp_path, "agents": {"allow": []}})
    reasoner = OpenDomain(settings).reasoner()
    alone = AnalysisInput(datetime(2026, 11, 16, 3, tzinfo=UTC), "Asia/Seoul", "ko", BOSS, offered)
    before = await reasoner.analyze(question, alone)
    after = await reasoner.analyze(question, replace(alone, proposed=suggests((intent, quote))))
    assert after["required_capabilities"] == before["required_capabilities"]
    assert intent not in [each["intent"] for each in after["parsed_intents"]]
