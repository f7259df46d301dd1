"""People, agents and a running program for the attacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent

KIM, LEE = User("kim", "acme", ("employee",)), User("lee", "acme", ("employee",))
BOSS = User("boss", "acme", ("owner",))
OFFICER = User("officer", "acme", ("security_officer", "reviewer"))
EVE = User("eve", "evilco", ("owner",))
STRANGER = User("officer", "evilco", ("security_officer", "reviewer"))


@agent(
    name="notes_agent",
    capabilities=[Capability("noting", ko=("메모",), en=("note",))],
    produces={"memo": dict[str, Any]},
    needs=["user"],
)
async def noter(task: Task, ctx: Context) -> Result:
    asked = ctx.shared.get("user_query", "")
    return Result(f"noted {asked}", 1.0, [Artifact("memo", {"t": asked})], [{"title": "x"}])


def configured(folder: Path, **more: Any) -> dict[str, Any]:
    return {"data_dir": str(folder), "domain": None, **more}


def opened(
    folder: Path,
    *agents: AgentSpec,
    model: Any = None,
    agents_: tuple[AgentSpec, ...] = (noter,),
    **more: Any,
) -> Any:
    """The program, with these agents of its own (one that notes, if none is named)."""
    return MetaAgent.open(configured(folder, **more), agents=list(agents or agents_), model=model)
