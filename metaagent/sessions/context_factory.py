"""Makes the context of each turn, from the parts that all turns share."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from metaagent.journal import Journal, decode_artifact
from metaagent.level1.breaker import CircuitBreaker
from metaagent.level1.budget import Budget
from metaagent.level1.planning.gate import VERDICT
from metaagent.level1.turn_context import LateVerdicts, TurnContext
from metaagent.monitor import NO_RECORD, Run
from metaagent.ports import ArtifactRef, Json, Reasoner, Turn
from metaagent.protection.redaction import Redactor
from metaagent.sessions.agent_ports import refusals
from metaagent.sessions.assembly import Parts
from metaagent.sessions.attachments import FILE
from metaagent.storage.model_use import ModelUseOfTurn
from metaagent.storage.step_starts import StartsOfTurn
from metaagent.values import iso

if TYPE_CHECKING:
    from metaagent.access.rights import Rights
    from metaagent.models import TurnModel


MOST_VERDICTS = 10_000
"""Verdicts of one session that are looked at: more than its turns make."""


class ContextFactory:
    def __init__(self, parts: Parts) -> None:
        self._settings = parts.settings
        self._store = parts.store
        self._registry = parts.registry
        self._ports = parts.ports
        self._writes = parts.saver.steps
        self._reasoner = parts.reasoner
        self._rules = parts.rules
        self._model = parts.model
        self._clock = parts.clock
        self._gatekeeper = parts.gatekeeper
        self._records = dict(parts.records)
        self._telemetry = parts.telemetry
        self._domain = parts.domain
        self._gates: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        self._late: WeakValueDictionary[str, LateVerdicts] = WeakValueDictionary()
        self._breakers: dict[str, CircuitBreaker] = {}

    def gate(self, session_id: str) -> asyncio.Event | None:
        """The event that the session's running turn waits for before each step; None if none runs here."""
        return self._gates.get(session_id)

    def learn(self, runs: Sequence[Run]) -> None:
        for run in runs:
            self._records[run.agent] = self._records.get(run.agent, NO_RECORD).plus(run)

    def _breaker_of(self, company: str) -> CircuitBreaker:
        """One for each company: what fails for one of them is no reason to keep it from the others."""
        limits = self._settings.limits
        return self._breakers.setdefault(
            company, CircuitBreaker(limits.breaker_failures, limits.breaker_seconds)
        )

    def for_turn(self, turn: Turn, journal: Journal, recalled: list[Json] | None = None) -> TurnContext:
        """Make the context of a turn. `recalled` are the memories that its beginning has looked up already."""
        limits = self._settings.limits
        earlier = turn.outcome.get("usage") or {}
        record = ModelUseOfTurn(self._store, turn) if self._model else None
        budget = Budget(limits.turn_seconds, limits.calls, limits.tokens, earlier, record=record)
        names = self._domain.people(turn.user)
        model = self._model.for_turn(budget, names=names) if self._model else None
        warned: list[Json] = []
        # Lives as long as the turn that waits at it.
        gate = self._gates[turn.session_id] = asyncio.Event()
        gate.set()
        rights = self._gatekeeper.rights(turn.user)
        return TurnContext(
            turn=turn,
            journal=journal,
            settings=self._settings,
            registry=self._registry.for_company(turn.user.company_id),
            reasoner=self._thinking(turn, journal, model, warned),
            clock=self._clock,
            budget=budget,
            writes=self._writes.of(turn.session_id),
            ports_for=self._ports.for_turn(turn, rights, refusals(rights, journal), model),
            rights=rights,
            records=self._records,
            redactor=Redactor(names=names),
            breaker=self._breaker_of(turn.user.company_id),
            gate=gate,
            artifacts=self._earlier_artifacts(turn),
            verdicts=partial(self._earlier_verdicts, turn, again=journal.resumed),
            telemetry=self._telemetry,
            effects=self._ports.effects(turn),
            starts=StartsOfTurn(self._store, turn),
            recall=self._recall(turn, recalled),
            receipts=partial(self._receipts, turn, rights),
            warned=warned,
            late=self._late.setdefault(turn.turn_id, LateVerdicts()),
        )

    async def _receipts(self, turn: Turn, rights: Rights) -> list[Json] | None:
        """The person's own receipts, read only."""
        if not rights.may("stored.read"):
            return None
        return await self._ports.records.listed(turn.user, session=turn.session_id)

    def _thinking(
        self, turn: Turn, journal: Journal, model: TurnModel | None, warned: list[Json]
    ) -> Reasoner:
        """The rules, helped by the model where there is one."""
        if model is None or self._rules is None:
            return self._reasoner
        from metaagent.level1.model_reasoner import ChatModelReasoner

        def warn(code: str, text: str) -> None:
            told = f"{turn.turn_id}-{code}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
            warned.append({"id": told, "code": code, "text": text, "timestamp": iso(self._clock.now())})

        def emit(index: int, text: str, restart: bool) -> None:
            # A run that is repeated after a crash words anew: its pieces are others.
            journal.emit("token", f"{journal.first_seq}.{index}", index=index, text=text, restart=restart)

        return ChatModelReasoner(self._rules, model, warn=warn, emit=emit)

    def _recall(self, turn: Turn, known: list[Json] | None) -> Callable[[], Awaitable[list[Json]]]:
        async def recall() -> list[Json]:
            nonlocal known
            if known is None:
                known = await self._ports.memory.recall(turn.user, turn.question)
            return known

        return recall

    async def _earlier_verdicts(self, turn: Turn, *, again: bool) -> list[tuple[ArtifactRef, Any]]:
        """Read every verdict of the session, whoever may see it: it can only hold something back. A turn that is taken up again
        may have made some that came too late for their step."""
        if turn.number == 1 and not again:
            return []
        refs = await self._store.artifact_refs(turn.session_id, kind=VERDICT, limit=MOST_VERDICTS)
        found: list[tuple[ArtifactRef, Any]] = []
        for ref in refs:
            content = await self._store.artifact(turn.session_id, ref.id)
            if content is not None:
                found.append((ref, decode_artifact(content)))
        return found

    def _earlier_artifacts(self, turn: Turn) -> Callable[[], Awaitable[list[ArtifactRef]]]:
        """Look up what earlier turns made and what was given with the question, once. A first turn has no earlier one."""
        found: list[ArtifactRef] | None = [] if turn.number == 1 and not turn.attached else None

        async def artifacts() -> list[ArtifactRef]:
            nonlocal found
            if found is None:
                refs = await self._store.artifact_refs(turn.session_id, not_of=turn.turn_id)
                given = await self._store.artifact_refs(turn.session_id, kind=FILE) if turn.attached else []
                refs += [ref for ref in given if ref.id in turn.attached and ref not in refs]
                rights = self._gatekeeper.rights(turn.user)
                found = [ref for ref in refs if rights.sees(ref.kind)]
            return found

        return artifacts
