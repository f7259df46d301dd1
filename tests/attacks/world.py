"""People, agents and a running program for the attacks."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from metaagent.level2.storage.agent import storage_decision
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeReasoner
from tests.support.record_world import MODEL, WRITABLE, make_database

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


async def own_document(app: MetaAgent, user: User) -> str:
    """The id of a document that this person keeps for themselves."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "secret.md"
        path.write_text("# TOPSECRET")
        await app.ingest([path], mine=True, user=user)
    (document,) = await app.knowledge_list(user=user)
    return document["id"]


async def written(app: MetaAgent, user: User) -> str:
    """The id of a document on record that this person had written, in a program that has the agent `writing`."""
    answer = await app.ask("문서 작성해줘", user=user)
    assert answer.status == "completed", answer.content
    return answer.content["artifacts"][0]["group"]["document_id"]


def storing(folder: Path, **more: Any) -> Any:
    """The program with an agent that finds visits and one that stores them in a database of the company."""
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "semantic.yaml"
    model.write_text(yaml.safe_dump(MODEL.model_dump(mode="json", by_alias=True, exclude_defaults=True)))
    url = make_database(folder / "shop.db")
    data = {"model": model, "url": url, "write_url": url, "writable": WRITABLE, "tenants": {}}
    settings = {**configured(folder / "data"), "data": data, "approval": {"mode": "never"}, **more}
    asked = FakeReasoner({"required_capabilities": ["visits", "storage_decision"]})
    return MetaAgent.open(settings, agents=[visits, storage_decision], reasoner=asked)


@agent(name="visits", capabilities=["visits"], produces=["dataset"])
async def visits(task: Task, ctx: Context) -> Result:
    rows = [["2026-03-05", 1, 30, "call"]]
    table = {"title": "visits", "columns": ["day", "shop_id", "cost", "note"], "rows": rows}
    return Result("visits", 1.0, [Artifact("dataset", table, "visits")])


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
