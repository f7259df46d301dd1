"""The context that the nodes of one turn work with. Never stored: made anew each time that a turn is run or resumed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from metaagent.access.rights import Rights
from metaagent.audit import REFUSED, refusal
from metaagent.config import Settings
from metaagent.errors import Text
from metaagent.global_state import StepOutcome
from metaagent.journal import Journal
from metaagent.level1.breaker import CircuitBreaker
from metaagent.level1.budget import Budget
from metaagent.monitor import TrackRecord
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef, Clock, Effects, GrantedPorts, Json, Reasoner, Turn
from metaagent.protection.redaction import Redactor
from metaagent.registry import Registry
from metaagent.state.transitions import Limits
from metaagent.telemetry.spans import SILENT, Telemetry
from metaagent.values import iso

_BOUND = Text(
    en="The turn reached its bound limits.{bound} and ends with what was achieved. Raise that setting if you need more.",
    ko="이번 턴이 한도 limits.{bound}에 이르러 여기까지의 결과로 마칩니다. 더 필요하면 그 설정을 늘리세요.",
)

PortsFor = Callable[[AgentSpec, str, Sequence[ArtifactRef]], GrantedPorts]


@dataclass(eq=False)
class LateVerdicts:
    """The verdicts of a turn that block and came after the time of their check, as `Judged` writes them. One for a turn in this
    process, however often it is taken up: a check that was left behind tells the runs that follow."""

    judged: list[Json] = field(default_factory=list[Json])
    acted_on: set[str] = field(default_factory=set[str])
    """Hashes of what agents with side effects were started with."""


class StepWrites(Protocol):
    """The outcomes of steps beside the checkpoint that their node began at."""

    def kept(self, step_id: str) -> StepOutcome | None:
        """The outcome of a step that finished before this process took the turn up."""
        ...

    async def store(self, step_id: str, outcome: StepOutcome) -> None: ...
    def waits(self) -> bool:
        """Say whether steps have become LangGraph tasks, because one of them asked a person."""
        ...

    # For those: `expect` before the step works, `stored` when its outcome is in the file.
    def expect(self, step_id: str) -> None: ...
    async def stored(self, step_id: str) -> None: ...
    def forget(self, step_id: str) -> None: ...
    def joined(self, node: str, followed_by: str, phase: str, fields: Sequence[str]) -> None:
        """Note that a node did its work within the superstep of the next: what it wrote, and the phase that it led to."""
        ...


class StepStarts(Protocol):
    """Counts the starts of agents before they run: those without an end are crashes of their process."""

    async def begin(self, step_id: str, agent: str) -> None: ...
    async def crashes(self) -> dict[tuple[str, str], int]: ...


@dataclass(frozen=True)
class TurnContext:
    turn: Turn
    journal: Journal
    settings: Settings
    registry: Registry
    reasoner: Reasoner
    clock: Clock
    budget: Budget
    writes: StepWrites
    ports_for: PortsFor
    records: Mapping[str, TrackRecord]
    redactor: Redactor
    """Redacts all that leaves the turn: audit, logs, and what a chat model is told."""
    rights: Rights
    breaker: CircuitBreaker
    gate: asyncio.Event
    """Closed while the turn is paused: no step starts until it opens again."""
    artifacts: Callable[[], Awaitable[list[ArtifactRef]]]
    """The session's artifacts, the newest last."""
    verdicts: Callable[[], Awaitable[list[tuple[ArtifactRef, Any]]]]
    """The verdicts of earlier turns and those that this one has stored, with their content."""
    effects: Effects
    """Notes the runs of agents that change something outside and keep no keys of their own."""
    starts: StepStarts
    recall: Callable[[], Awaitable[list[Json]]]
    """Looks up the memories of the person that matter for this question."""
    receipts: Callable[[], Awaitable[list[Json] | None]]
    """Reads the receipts of the person, with `here` where this conversation stored it; None where they may not see them."""
    telemetry: Telemetry = SILENT
    warned: list[Json] = field(default_factory=list[Json])
    """Warnings of the reasoner that no node has written into the state yet."""
    late: LateVerdicts = field(default_factory=lambda: LateVerdicts())
    usable: dict[frozenset[str], list[AgentSpec]] = field(
        default_factory=dict[frozenset[str], list[AgentSpec]]
    )
    """The agents that this turn may use, by what is switched off: found out once, asked for by every node."""

    described: dict[frozenset[str], tuple[Json, ...]] = field(
        default_factory=dict[frozenset[str], tuple[Json, ...]]
    )

    def capabilities(self) -> tuple[Json, ...]:
        """The capabilities as the reasoner reads them: put together once for each state of the switches."""
        off = self.registry.off()
        if off not in self.described:
            self.described[off] = self.registry.capabilities()
        return self.described[off]

    def warning(self, code: str, text: str, key: str = "", **more: Any) -> Json:
        """Make a warning as the state holds it; `key` tells apart those of one code within the turn."""
        told = f"{self.turn.turn_id}-{key or code}"
        return {"id": told, "code": code, **more, "text": text, "timestamp": iso(self.clock.now())}

    def bound_warning(self, bound: str) -> Json:
        """The warning that a bound ends the turn; `bound` is the name of the setting under `limits`."""
        said = _BOUND.say(self.turn.language, bound=bound)
        return self.warning("bound_reached", said, bound, bound=bound)

    @property
    def phase_limits(self) -> Limits:
        limits = self.settings.limits
        return Limits(limits.iterations, limits.replans, limits.clarifications)

    def refuse(self, key: str, lacking: str) -> None:
        """Put on record that this person lacks a right which the turn needs."""
        self.journal.audit(REFUSED, key, **refusal(key, lacking, "not_granted", self.rights.roles))

    def take_warnings(self) -> list[Json]:
        taken = list(self.warned)
        self.warned.clear()
        return taken
