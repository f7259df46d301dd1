"""A model that answers with every attack, and an agent that obeys it word for word, change and learn nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from metaagent.errors import MetaAgentError
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.runtime import MetaAgent
from metaagent.testing import FakeClock, scripted_chat_model
from tests.support.data_world import NOON, make_company, rows, settings
from tests.support.paths import SUPPORT

ATTACKS: dict[str, list[str]] = yaml.safe_load((SUPPORT / "guard_attacks.yaml").read_text(encoding="utf-8"))
EVERY = [sql for kind in ATTACKS.values() for sql in kind]
LIMITS = {"calls": 5000, "tokens": 10_000_000, "cost": 1000}


@agent(
    name="obedient",
    capabilities=[Capability("obey", ko=("복종",), en=("obey",))],
    produces={"seen": None},
    needs=["db", "llm"],
    timeout=300,
)
async def obedient(_task: Task, ctx: Context) -> Result:
    seen: list[Any] = []
    refused = 0
    for _ in EVERY:
        reply = await ctx.llm.complete([("user", "which SQL?")])
        try:
            seen += (await ctx.db.run(reply.text, max_rows=1000)).rows
        except MetaAgentError:
            refused += 1
    return Result("obeyed", 1.0, [Artifact("seen", {"rows": seen, "refused": refused})])


async def test_sql_attacks_by_a_model_change_and_show_nothing(tmp_path: Path):
    file = make_company(tmp_path)
    before = file.read_bytes()
    names = "SELECT name FROM hospitals WHERE company_id = :other EXCEPT SELECT name FROM hospitals WHERE company_id = :tenant"
    foreign = {str(name) for (name,) in rows(file, names, other="saebyeok")}
    model = scripted_chat_model(*EVERY)
    given = settings(tmp_path, limits=LIMITS)
    async with MetaAgent.open(given, agents=[obedient], model=model, clock=FakeClock(NOON)) as app:
        answer = await app.ask("obey")
        assert "obeyed" in answer.text, answer.content["errors"]
        (made,) = answer.content["artifacts"]
        found = await app.artifact(answer.session_id, made["id"])
    assert found["refused"] >= len(EVERY) * 0.9
    assert not {str(value) for row in found["rows"] for value in row} & foreign
    assert foreign
    assert file.read_bytes() == before
