"""What a turn may spend on agents, over all versions of its plan."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass
class Budget:
    """What a turn may still spend. Enforced before each start."""

    seconds: float
    calls: int
    started: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    used: dict[str, int] = field(default_factory=dict[str, int])
    queries: dict[str, int] = field(default_factory=dict[str, int])
    """Queries of each step that reached a database."""

    @property
    def seconds_left(self) -> float:
        return self.seconds - (asyncio.get_running_loop().time() - self.started)

    @property
    def calls_left(self) -> int:
        return self.calls - sum(self.used.values()) - sum(self.queries.values())

    def spend(self, name: str) -> None:
        self.used[name] = self.used.get(name, 0) + 1

    def queried(self, step_id: str, count: int) -> None:
        if count:
            self.queries[step_id] = self.queries.get(step_id, 0) + count
