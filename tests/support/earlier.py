"""Makes a data directory with something of everything: python tests/support/earlier.py FOLDER.

It runs with an earlier version of the package, too: `tests/support/fixtures/earlier.tar.xz` was made with the version before
entries of the trail had seals, keys of persons had proofs and vectors had keys.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent

KIM, LEE = User("kim", "acme", ("employee",)), User("lee", "acme", ("employee",))
GONE, EVE = User("gone", "acme", ("employee",)), User("eve", "evilco", ("owner",))
OFFICER = User("officer", "acme", ("security_officer", "reviewer"))


@agent(
    name="notes_agent",
    capabilities=[Capability("noting", ko=("메모",), en=("note",))],
    produces={"memo": dict[str, Any]},
    needs=["user"],
)
async def noter(task: Task, ctx: Context) -> Result:
    asked = ctx.shared.get("user_query", "")
    return Result(f"noted {asked}", 1.0, [Artifact("memo", {"t": asked})], [{"title": "x"}])


def configured(folder: Path) -> dict[str, Any]:
    return {"data_dir": str(folder), "memory": {"index_above": 2}}


async def make(folder: Path) -> None:
    async with MetaAgent.open(configured(folder), agents=[noter]) as app:
        for user in (KIM, LEE, GONE, EVE):
            answer = await app.ask(f"note first of {user.user_id}", user=user)
            await app.ask(f"note second of {user.user_id}", session_id=answer.session_id, user=user)
        for at in range(4):
            await app.remember(f"내 항목{at}은 kim-memory-{at}", user=KIM)
        await app.governance.hold_place("h-kept", reason="case 1", person="lee", user=OFFICER)
        await app.governance.hold_place("h-gone", reason="case 2", person="kim", user=OFFICER)
        await app.governance.hold_release("h-gone", reason="closed", user=OFFICER)
        await app.governance.erase("gone", user=OFFICER)
        await app.governance.keys_rotate(user=OFFICER)
        await app.ask("note third of kim", user=KIM)


if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1])))
