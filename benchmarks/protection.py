"""The cost of protection in a real turn: the CPU of the same turns with the real vault and with one that only passes on."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol

from metaagent.config import load_settings
from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.sessions import assembly as opening
from metaagent.storage.checkpoints.serde import default_serde
from metaagent.storage.vault import Vault

TURNS = 100
WARM_UP = 5
LIMIT = 0.10
ROWS = [{"region": f"region-{number % 17}", "sales": number * 1000} for number in range(400)]


class PassThrough(Vault):
    """Stores what it is given. Only here, to see what sealing adds."""

    def seal(self, user: User, content: bytes, row: tuple[str, ...]) -> bytes:
        return content

    def open(self, company_id: str, content: bytes, row: tuple[str, ...]) -> bytes:
        return content

    def serde(self) -> SerializerProtocol:
        return default_serde()


@agent(
    name="figures", capabilities=[Capability("figures", ko=("수치",), en=("figures",))], produces=["dataset"]
)
async def figures(_task: Task, _ctx: Context) -> Result:
    return Result("figures done", 1.0, [Artifact("dataset", {"rows": ROWS})])


@agent(
    name="drawing",
    capabilities=[Capability("drawing", ko=("그림",), en=("drawing",))],
    produces=["chart"],
    consumes=["dataset"],
    needs=["artifacts"],
)
async def drawing(task: Task, ctx: Context) -> Result:
    data: Any = await ctx.artifacts.read(task.inputs[0])
    return Result(
        "drawing done", 1.0, [Artifact("chart", {"points": [row["sales"] for row in data["rows"]]})]
    )


async def opened(stack: AsyncExitStack, vault: type[Vault]) -> MetaAgent:
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    settings = load_settings(env={}, overrides={"data_dir": Path(folder), "agents": {"allow": []}})
    real, opening.Vault = opening.Vault, vault
    try:
        return await stack.enter_async_context(MetaAgent.open(settings, agents=[figures, drawing]))
    finally:
        opening.Vault = real


async def turn_cpu(app: MetaAgent) -> float:
    """CPU seconds of one turn, in all threads."""
    begun = time.process_time()
    assert (await app.ask("drawing")).status == "completed"
    return time.process_time() - begun


async def measure() -> tuple[list[float], list[float]]:
    """Turn by turn beside each other: what disturbs one disturbs the other."""
    async with AsyncExitStack() as stack:
        apps = [await opened(stack, vault) for vault in (Vault, PassThrough)]
        spent: tuple[list[float], list[float]] = ([], [])
        for number in range(TURNS + WARM_UP):
            for app, times in zip(apps, spent, strict=True):
                seconds = await turn_cpu(app)
                if number >= WARM_UP:
                    times.append(seconds)
        return spent


def main() -> None:
    sealed, plain = asyncio.run(measure())
    with_seal, without = statistics.median(sealed), statistics.median(plain)
    share = (with_seal - without) / with_seal
    print(f"{'':>14} {'CPU ms a turn':>14} {'best':>8}")
    print(f"{'sealed':>14} {with_seal * 1000:>14.1f} {min(sealed) * 1000:>8.1f}")
    print(f"{'passed on':>14} {without * 1000:>14.1f} {min(plain) * 1000:>8.1f}")
    print(f"sealing is {share:.1%} of a turn's CPU (at most {LIMIT:.0%}); {TURNS} turns each")


if __name__ == "__main__":
    main()
