"""The budget of a turn: what it may spend on agents and the chat model, over all versions of its plan and across its waits."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from metaagent.ports import MODEL, Json, ModelUse


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass
class Budget:
    """The time, calls and tokens that a turn may still spend. Enforced before each start."""

    seconds: float
    calls: int
    tokens: int = 0
    earlier: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The `usage` with which the turn was left to wait, and what the chat model used since, where a crash ended that run."""
    started: float = field(default_factory=lambda: _now())
    used: dict[str, int] = field(default_factory=dict[str, int])
    tokens_used: int = 0
    record: ModelUse | None = None
    _told: tuple[int, int] = (0, 0)
    _kept: tuple[int, int] = (0, 0)
    queries: dict[str, int] = field(default_factory=dict[str, int])
    """Queries of each step that reached a database."""
    _settled: set[str] = field(default_factory=set[str])
    _restored: int = 0
    _holding: int = 0
    _held_since: float = 0.0

    @property
    def seconds_left(self) -> float:
        return self.seconds - self._seconds_used

    @property
    def calls_left(self) -> int:
        return self.calls - self._calls_made

    def spend(self, name: str) -> None:
        self.used[name] = self.used.get(name, 0) + 1

    def queried(self, step_id: str, count: int) -> None:
        if count:
            self.queries[step_id] = self.queries.get(step_id, 0) + count

    def settle(self, step_id: str, outcome: Mapping[str, Any], *, ran_here: bool) -> None:
        """A step has ended. What it spent counts once: as it went, or now, if a crashed run had finished it."""
        if not ran_here and step_id not in self._settled_steps:
            self._restored += sum(outcome.get("calls", {}).values()) + outcome.get("db_queries", 0)
        self._settled.add(step_id)

    @contextmanager
    def held(self) -> Generator[None]:
        """Time in which a step may not start because the turn is paused is no working time."""
        if not self._holding:
            self._held_since = _now()
        self._holding += 1
        try:
            yield
        finally:
            self._holding -= 1
            if not self._holding:
                self.started += _now() - self._held_since

    @property
    def tokens_left(self) -> int:
        return self.tokens - self._tokens_spent

    def spend_tokens(self, tokens: int) -> None:
        self.tokens_used += tokens

    async def keep(self) -> None:
        now = (self.tokens_used, self.used.get(MODEL, 0))
        new = (now[0] - self._kept[0], now[1] - self._kept[1])
        self._kept = now
        if self.record is not None and new != (0, 0):
            await self.record.add(*new)

    def model_use(self) -> tuple[int, int]:
        """Tokens and calls of the chat model since this was asked last: what the state does not know yet."""
        now = (self.tokens_used, self.used.get(MODEL, 0))
        new = (now[0] - self._told[0], now[1] - self._told[1])
        self._told = now
        return new

    def usage(self) -> Json:
        """The spending of the turn so far. `steps` are those that had ended: their calls are in it."""
        return {
            "calls": self._calls_made,
            "tokens": self._tokens_spent,
            "seconds": round(self._seconds_used, 3),
            "steps": sorted(self._settled_steps),
        }

    @property
    def _calls_made(self) -> int:
        now = sum(self.used.values()) + sum(self.queries.values()) + self._restored
        return self.earlier.get("calls", 0) + now

    @property
    def _tokens_spent(self) -> int:
        return self.earlier.get("tokens", 0) + self.tokens_used

    @property
    def _seconds_used(self) -> float:
        now = self._held_since if self._holding else _now()
        return self.earlier.get("seconds", 0.0) + now - self.started

    @property
    def _settled_steps(self) -> set[str]:
        return self._settled | set(self.earlier.get("steps", ()))


def with_model_use(state: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """The session's counters with what the chat model used since the last node; nothing if it used nothing."""
    tokens, calls = budget.model_use()
    if not tokens and not calls:
        return {}
    made = dict(state.get("api_calls_made") or {})
    made[MODEL] = made.get(MODEL, 0) + calls
    return {"total_tokens_used": (state.get("total_tokens_used") or 0) + tokens, "api_calls_made": made}
