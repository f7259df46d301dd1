"""A plan that loses an agent mid-way still delivers, and its events tell the whole story."""

from __future__ import annotations

import asyncio
from pathlib import Path

from metaagent.errors import Failed
from metaagent.plugin import Context, Result, Task
from tests.support.execution_world import (
    Calls,
    Gate,
    events_of,
    make_agent,
    opened,
    running_session,
    statuses,
)


async def test_plan_that_loses_an_agent_delivers_by_its_fallback(tmp_path: Path) -> None:
    calls, gate = Calls(), Gate()

    async def lost(task: Task, ctx: Context) -> Result | None:
        await gate.hold(task, ctx)
        raise Failed("the connection to the warehouse is gone")

    agents = [
        make_agent("collect", makes=["dataset"], calls=calls),
        make_agent("warehouse", lost, does="analyse", makes=["findings"], takes=["dataset"], calls=calls),
        make_agent(
            "spreadsheet", does="analyse", makes=["findings"], takes=["dataset"], cost=5.0, calls=calls
        ),
        make_agent("report", makes=["document"], takes=["findings"], calls=calls),
    ]
    async with opened(tmp_path, *agents) as app:
        asked = asyncio.ensure_future(app.ask("analyse, then report"))
        await gate.reached.wait()
        session, _ = await running_session(app)
        gate.opened.set()
        answer = await asked
        events = await events_of(app, answer)
        made = {ref["kind"]: await app.artifact(session, ref["id"]) for ref in answer.content["artifacts"]}
        state = await app.state(session)

    assert answer.status == "completed"
    assert calls.names == ["collect", "warehouse", "spreadsheet", "report"]
    assert state.get("api_calls_made") == dict.fromkeys(("collect", "warehouse", "spreadsheet", "report"), 1)
    assert statuses(answer) == dict.fromkeys(("collect", "spreadsheet", "report"), "completed")
    assert made["document"] == {"by": "report"}
    assert made["findings"] == {"by": "spreadsheet"}
    assert "spreadsheet stepped in for warehouse" in answer.text
    assert "the connection to the warehouse is gone" in answer.text

    kinds = [event["type"] for event in events]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert kinds[:3] == ["planning_start", "plan_ready", "execution_start"]
    assert kinds[-1] == "response"
    assert kinds.count("artifact_ready") == 3
    assert "replan" not in kinds
    story = [
        [(step["agent_name"], step["status"]) for step in event["steps"]]
        for event in events
        if event["type"] == "todo_updated"
    ]
    second = [steps[1] for steps in story]
    assert [stage for i, stage in enumerate(second) if i == 0 or stage != second[i - 1]] == [
        ("warehouse", "pending"),
        ("warehouse", "in_progress"),
        ("spreadsheet", "in_progress"),
        ("spreadsheet", "completed"),
    ]
    progress = [event["progress_percentage"] for event in events if event["type"] == "todo_updated"]
    assert progress == sorted(progress)
    assert progress[-1] == 100
    taken_over = next(
        event["steps"][1]
        for event in events
        if event["type"] == "todo_updated" and event["steps"][1]["agent_name"] == "spreadsheet"
    )
    assert taken_over["error"] == "warehouse: the connection to the warehouse is gone"
