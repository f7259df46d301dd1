"""States stay within their bounds through whole turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metaagent.global_state import DataAnalysisAgentState
from metaagent.level1.reasoner import RuleReasoner
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.state.optimizer import is_summary, size_of
from metaagent.state.validation import StateValidator


@agent(
    name="bulky",
    description="Bulky",
    capabilities=[Capability("bulky", ko=("덩어리",), en=("bulk",))],
    produces={"lump": None},
    state=DataAnalysisAgentState,
)
async def bulky(task: Task, ctx: Context) -> Result:
    rows = {f"c{n}": "x" * 9_000 for n in range(100)}
    return Result("done", 1.0, [Artifact("lump", {"n": 1})], state={"raw_data": rows})


async def test_large_agent_state_moves_to_the_artifact_store(data: Path) -> None:
    config = {"data_dir": data, "state": {"value_bytes": 8_000, "warn_bytes": 2_000}}
    async with MetaAgent.open(config, agents=[bulky], reasoner=RuleReasoner()) as app:
        answer = await app.ask("bulk please")
        state: dict[str, Any] = {**await app.state(answer.session_id)}
        raw = state["agent_states"]["bulky"]["raw_data"]
        assert size_of(state["agent_states"]) < 10_000
        whole = await app.artifact(answer.session_id, raw["artifact_id"])
        assert whole == {f"c{n}": "x" * 9_000 for n in range(100)}
        assert [warning["code"] for warning in answer.content["warnings"]] == ["state_large"]
        assert StateValidator().validate({**state, "messages": []}) == []


async def test_unanswered_question_stays_in_a_long_sessions_summary(data: Path) -> None:
    config = {"data_dir": data, "state": {"messages": 6, "messages_kept": 4}}
    async with MetaAgent.open(config, agents=[bulky], reasoner=RuleReasoner()) as app:
        answer = await app.ask("bulk number 1")
        await app.ask("what is the meaning of 42?", session_id=answer.session_id)
        for number in range(5):
            await app.ask(f"bulk number {number}", session_id=answer.session_id)
        messages = (await app.state(answer.session_id)).get("messages") or []
        assert len(messages) < 6
        (told,) = [str(message.content) for message in messages if is_summary(message)]
        assert "?: what is the meaning of 42?" in told
