"""Real turns of the demonstration company leave states in which the validator finds nothing at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from metaagent.global_state import (
    ExecutionManagerState,
    ExecutionStepState,
    GlobalSessionState,
    PlanningState,
    QueryAnalyzerState,
    ResponseMetadata,
)
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.level2.memory.agent import memory
from metaagent.plugin import AgentSpec
from metaagent.runtime import Answer, MetaAgent
from metaagent.state.manager import StateValidator
from metaagent.testing import FakeClock
from tests.support.data_world import NOON, make_company, settings

AGENTS: Mapping[str, AgentSpec] = {spec.name: spec for spec in (data_analysis, memory)}
CONVERSATION = (
    "지난달 서울 매출을 분석해줘",
    "부산은?",
    "올해 지역별 매출 순위 상위 3개를 차트로 보여줘",
    "top 5 products by sales this year",
    "compare sales in Seoul and Busan last quarter",
    "최근 6개월 매출 추이",
    "1999년 매출 알려줘",
    "내 관심 지역은 부산이야. 관심 지역 지난달 매출 알려줘",
    "뭘 기억하고 있어?",
    "오늘 점심 뭐 먹지?",
    "매출",
    "이번 분기 목표 달성률과 방문 건수",
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("company")
    make_company(folder)
    return folder


def problems(state: GlobalSessionState) -> list[Any]:
    """Of the whole state, and of each part by its own type: a field that nobody declared is one, too."""
    parts: list[tuple[Any, Any]] = [
        (GlobalSessionState, state),
        (QueryAnalyzerState, state.get("query_analyzer_state")),
        (PlanningState, state.get("planning_state")),
        (ExecutionManagerState, state.get("execution_manager_state")),
        (ResponseMetadata, state.get("response_metadata")),
        *((ExecutionStepState, step) for step in state.get("execution_steps") or ()),
        *((AGENTS[name].state, own) for name, own in (state.get("agent_states") or {}).items()),
    ]
    return [
        problem for kind, part in parts if part is not None for problem in StateValidator(kind).validate(part)
    ]


async def settled(app: MetaAgent, answer: Answer) -> tuple[Answer, list[Any]]:
    """The turn's end, and every problem on the way there: questions back are answered with the first option."""
    found: list[Any] = []
    while answer.status == "waiting" and answer.question is not None:
        found += problems(await app.state(answer.session_id))
        answer = await app.resume(answer.session_id, (answer.question.get("options") or ["지난달 매출"])[0])
    return answer, [*found, *problems(await app.state(answer.session_id))]


async def test_states_of_real_turns_are_valid_and_fully_declared(world: Path):
    statuses: list[str] = []
    used: set[str] = set()
    async with MetaAgent.open(settings(world), agents=list(AGENTS.values()), clock=FakeClock(NOON)) as app:
        session_id = None
        for question in CONVERSATION:
            answer, found = await settled(app, await app.ask(question, session_id=session_id))
            assert found == [], question
            session_id = answer.session_id
            statuses.append(answer.status)
            used |= set((await app.state(session_id)).get("agent_states") or {})
    assert set(statuses) == {"completed"}
    assert used == set(AGENTS), "every agent was at work"
