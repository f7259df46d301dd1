"""A circuit breaker per agent: after failures in a row it is left alone for a while, then tried once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

FAULTS = frozenset({"try_again", "timeout", "defect", "bad_output", "crashed", "data_unavailable"})
"""Kinds of trouble that speak against an agent. Failing for good on one task does not."""


@dataclass
class CircuitBreaker:
    failures: int
    seconds: float
    _in_a_row: dict[str, int] = field(default_factory=dict[str, int])
    _open_until: dict[str, datetime] = field(default_factory=dict[str, datetime])
    _deciding: set[str] = field(default_factory=set[str])

    def allows(self, agent: str, now: datetime) -> bool:
        """Open until its time is over; then one attempt decides whether it closes or opens again."""
        until = self._open_until.get(agent)
        if until is None:
            return True
        if now < until:
            return False
        self._open_until[agent] = now + timedelta(seconds=self.seconds)
        self._deciding.add(agent)
        return True

    def record(self, agent: str, trouble: str | None, now: datetime) -> None:
        if trouble is None:
            self._in_a_row.pop(agent, None)
            self._open_until.pop(agent, None)
            self._deciding.discard(agent)
        elif trouble in FAULTS:
            self._deciding.discard(agent)
            self._in_a_row[agent] = self._in_a_row.get(agent, 0) + 1
            if self._in_a_row[agent] >= self.failures:
                self._open_until[agent] = now + timedelta(seconds=self.seconds)
        else:
            self.undecided(agent, now)

    def undecided(self, agent: str, now: datetime) -> None:
        """An attempt said nothing for or against the agent: the next one decides."""
        if agent in self._deciding:
            self._deciding.discard(agent)
            self._open_until[agent] = now
