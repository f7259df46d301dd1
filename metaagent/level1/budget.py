"""What a turn may spend on agents and the chat model, over all versions of its plan."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from metaagent.ports import MODEL


@dataclass
class Budget:
    """What a turn may still spend. Enforced before each start."""

    seconds: float
    calls: int
    tokens: int = 0
    started: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    used: dict[str, int] = field(default_factory=dict[str, int])
    tokens_used: int = 0
    _told: tuple[int, int] = (0, 0)
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

    @property
    def tokens_left(self) -> int:
        return self.tokens - self.tokens_used

    def spend_tokens(self, tokens: int) -> None:
        self.tokens_used += tokens

    def model_use(self) -> tuple[int, int]:
        """Tokens and calls of the chat model since this was asked last: what the state does not know yet."""
        now = (self.tokens_used, self.used.get(MODEL, 0))
        new = (now[0] - self._told[0], now[1] - self._told[1])
        self._told = now
        return new


def with_model_use(state: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """The session's counters with what the chat model used since the last node; nothing if it used nothing."""
    tokens, calls = budget.model_use()
    if not tokens and not calls:
        return {}
    made = dict(state.get("api_calls_made") or {})
    made[MODEL] = made.get(MODEL, 0) + calls
    return {"total_tokens_used": (state.get("total_tokens_used") or 0) + tokens, "api_calls_made": made}
