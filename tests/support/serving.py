"""Run in a process of its own: a server whose agent works as long as a file is there. `python serving.py DATA RUNS HOLD`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from metaagent.plugin import Context, Task
from metaagent.web import server
from tests.support.agents import Runs, opened, worker
from tests.support.web import KIM, POLICIES, Site


async def main(data: Path, runs: Path, hold: Path) -> None:
    async def wait(_task: Task, _ctx: Context) -> None:
        while hold.exists():  # noqa: ASYNC110 - another process lets it go
            await asyncio.sleep(0.02)

    agents = [worker(Runs(runs), "figures", before=wait)]
    async with opened(data, *agents, access=POLICIES, web={"stop_seconds": 20}) as app:
        web = server.create_app(app, app.settings)
        key = await Site(app, web, []).key(KIM)
        await server.serve(web, "127.0.0.1", 0, lambda port: say(f"{port} {key}"))
    say("stopped")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*map(Path, sys.argv[1:4])))
