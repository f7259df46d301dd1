"""A plan that waits for approval shows which data goes in, by its title, period and filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metaagent.cli.questions import plan_lines
from metaagent.level2.data_analysis.agent import data_analysis
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock
from tests.support.data_world import NOON, settings


@agent(
    name="memo",
    capabilities=[Capability("memo", ko=("메모",), en=("memo",))],
    consumes=["dataset"],
    produces={"note": None},
    side_effects=True,
)
async def memo(task: Task, ctx: Context) -> Result:
    dataset = task.input("dataset")
    assert dataset is not None
    return Result("noted", 1.0, [Artifact("note", {"about": dataset.summary}, "note")])


def shown(waiting: Any) -> dict[str, Any]:
    step = next(step for step in waiting.content["approval"]["steps"] if step["agent"] == "memo")
    return next(source for source in step["inputs"] if source["kind"] == "dataset")


async def test_approval_shows_the_data_that_goes_in(made: Path):
    async with MetaAgent.open(settings(made), agents=[data_analysis, memo], clock=FakeClock(NOON)) as app:
        first = await app.ask("지난달 서울 매출 알려줘")
        old = await app.ask("그걸 메모로 남겨줘", session_id=first.session_id)
        assert old.status == "waiting"
        assert "artifact_id" in shown(old)
        assert "서울" in shown(old)["title"]
        assert "2026년 10월" in shown(old)["title"]
        assert shown(old)["title"] in "\n".join(plan_lines(old.content["approval"], "ko"))
        await app.resume(first.session_id, "reject")
        new = await app.ask("대구 매출도 메모로 남겨줘", session_id=first.session_id)
        assert new.status == "waiting"
        assert "from_step" in shown(new)
        assert "대구" in shown(new)["title"]
        assert "2026-10-01~2026-10-31" in shown(new)["title"]
