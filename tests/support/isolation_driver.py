"""A service to be killed: prints the process id of its isolated agent and goes on.

python -m tests.support.isolation_driver FOLDER
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from metaagent.runtime import MetaAgent
from metaagent.testing import FakeReasoner
from tests.support import isolated_agents


async def main(folder: Path) -> None:
    config = {"data_dir": folder, "agents": {"isolate": {"waits": {}}}}
    reasoner = FakeReasoner({"required_capabilities": ["waits"]})
    async with MetaAgent.open(config, agents=[isolated_agents.waits], reasoner=reasoner) as app:
        async for event in app.stream("waits"):
            for step in event.get("steps", ()):
                if step.get("result"):
                    sys.stdout.write(f"{step['result']}\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
