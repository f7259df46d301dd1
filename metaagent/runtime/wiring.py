"""The parts that the calls of MetaAgent hand over to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from metaagent.errors import ConfigInvalid, Text
from metaagent.graph import build_graph, entered_directly
from metaagent.sessions.assembly import Parts
from metaagent.sessions.context_factory import ContextFactory
from metaagent.sessions.control import Control
from metaagent.sessions.guard import SessionGuard
from metaagent.sessions.lifecycle import SessionLifecycle
from metaagent.sessions.runner import TurnRunner
from metaagent.sessions.session_reader import SessionReader
from metaagent.sessions.turn import TurnWorker
from metaagent.sessions.turn_service import TurnService
from metaagent.sessions.watching import SessionFeeds

if TYPE_CHECKING:
    from metaagent.sessions.compliance import ComplianceService
    from metaagent.sessions.knowledge import KnowledgeService


class Wired:
    """Everything that the groups of calls share, made once from the parts of an installation."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.settings = parts.settings
        self.registry = parts.registry
        self.governance = parts.governance
        self._gatekeeper = parts.gatekeeper
        self._store = parts.store
        self._memory = parts.ports.memory
        self._clock = parts.clock
        self._checkpointer = parts.checkpointer
        self._graph = entered_directly(build_graph(parts.saver))
        self._guard = SessionGuard(parts.store, parts.vault, parts.gatekeeper, parts.domain.reads_no_less)
        self.reader = SessionReader(parts.settings, parts.store, self._guard, parts.vault.ring)
        self._contexts = ContextFactory(parts)
        worker = TurnWorker(self._graph, parts, self._contexts)
        self._feeds = SessionFeeds(parts.store)
        self._runner = TurnRunner(parts, worker, self._feeds.tell)
        self._control = Control(parts, self._contexts, self._runner, self._feeds.look)
        self._lifecycle = SessionLifecycle(parts, self._graph)
        self._turn_service = TurnService(parts, self._guard, self._runner, self._lifecycle)

    def rule_titles(self) -> Mapping[str, Text]:
        """The titles of the rules that are installed, by `pack/rule`, and of their packs; none where they cannot be read.
        They are no secret, and are read anew each time: not for the event loop."""
        from metaagent.level2.compliance.packs import load_rules

        try:
            return load_rules(self._parts.domain.rule_files()).titles()
        except ConfigInvalid:
            return {}

    def _compliance(self) -> ComplianceService:
        from metaagent.sessions.compliance import ComplianceService

        return ComplianceService(self._parts.ports, self._gatekeeper, self._clock)

    @property
    def _knowledge(self) -> KnowledgeService:
        from metaagent.sessions.knowledge import KnowledgeService

        parts = self._parts
        return KnowledgeService(
            parts.ports.library, parts.vault, self._gatekeeper, parts.settings, parts.holds
        )
