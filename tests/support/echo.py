"""An agent that gives back what it was asked."""

from __future__ import annotations

from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent


@agent(
    name="echo",
    capabilities=[Capability("echo", ko=("메아리",), en=("echo",))],
    produces={"text": dict[str, str]},
)
async def echo(task: Task, ctx: Context) -> Result:
    return Result(task.description[:100], 1.0, [Artifact("text", {"text": task.description})])
