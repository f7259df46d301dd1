"""An agent that makes files, and where they lie."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from metaagent.plugin import Artifact, Context, Result, Task
from metaagent.runtime import MetaAgent
from tests.support.execution_world import make_agent, statuses

LARGE = b"canary-of-a-large-file " + random.Random(7).randbytes(1_400_000)


def files(*artifacts: Artifact) -> Any:
    async def work(task: Task, ctx: Context) -> Result:
        return Result("made", 1.0, list(artifacts))

    return make_agent("files", work, makes=["document"])


def on_disk(data: Path) -> list[Path]:
    return [path for path in (data / "artifacts").glob("*/*") if path.is_file()]


async def made(app: MetaAgent) -> tuple[str, list[dict[str, Any]]]:
    answer = await app.ask("files")
    assert statuses(answer)["files"] == "completed", answer.content
    return answer.session_id, answer.content["artifacts"]
