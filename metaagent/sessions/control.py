"""Control from any process: what is commanded here reaches the process that works on the turn through the store.

Each process looks at the store on a schedule of its own, which no turn pays for: one statement, which tells whether
anyone else has written at all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.errors import StorageError
from metaagent.ports import ENDED, Turn, User
from metaagent.registry import Registry
from metaagent.sessions.assembly import Parts
from metaagent.sessions.context_factory import ContextFactory
from metaagent.sessions.runner import TurnRunner
from metaagent.storage.commands import SWITCHES, Command, Commands, Kind

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
"""The pause between two looks at what other processes have written."""
OBEYED_SECONDS = 10.0
"""The longest wait for another process to stop a turn."""


class Switches:
    """The kill switch: agents and capabilities that are not started, of one company or of the whole installation."""

    def __init__(self, registry: Registry, gatekeeper: Gatekeeper) -> None:
        self._registry = registry
        self._gatekeeper = gatekeeper

    def scope_of(self, who: User) -> str:
        """The company whose switches this person turns; none for those who run the installation."""
        return "" if self._gatekeeper.runs_installation(who) else who.company_id

    def knows(self, name: str) -> bool:
        """Tells whether it is the name of an agent or a capability, and not any text."""
        return name in self._registry.names()

    def turn(self, command: Command) -> None:
        if command.kind == "disable":
            self._off(command.company_id).add(command.name)
        else:
            self._off(command.company_id).discard(command.name)

    def _off(self, scope: str) -> set[str]:
        return self._registry.switched_off.setdefault(scope, set()) if scope else self._registry.disabled


class Control:
    def __init__(
        self,
        parts: Parts,
        contexts: ContextFactory,
        runner: TurnRunner,
        changed: Callable[[], Awaitable[None]],
    ) -> None:
        """`changed` is awaited when another process may have written something."""
        self.switches = Switches(parts.registry, parts.gatekeeper)
        self._commands = Commands(parts.store, parts.clock)
        self._store = parts.store
        self._contexts = contexts
        self._runner = runner
        self._changed = changed
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        for command in await self._commands.switched_off():
            self.switches.turn(command)
        self._looking = asyncio.get_running_loop().create_task(self._look_on())

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def switch(self, kind: Kind, name: str, who: User) -> None:
        """Turn a switch here and in every other process."""
        command = Command(kind, company_id=self.switches.scope_of(who), name=name)
        if kind == "disable":
            self.switches.turn(command)  # first of all, whatever becomes of the rest
        if self.switches.knows(name):
            await self._commands.give(command)
        self.switches.turn(command)

    async def hold(self, turn: Turn | None, kind: Kind) -> bool:
        """Let a turn pause before its next step, or go on. False if no process works on it."""
        if turn is None or turn.status in {*ENDED, "waiting"} or not self._runner.is_at_work(turn.session_id):
            return False
        command = Command(kind, turn.session_id, turn.user.company_id, turn.turn_id)
        await self._commands.give(command)
        self._carry_out(command)
        return True

    async def is_held(self, turn: Turn) -> bool:
        """Say whether a turn is paused, whichever process works on it."""
        if turn.status != "running":
            return False
        if self._runner.runs(turn.turn_id):
            gate = self._contexts.gate(turn.session_id)
            return gate is not None and not gate.is_set()
        at_work = self._runner.is_at_work(turn.session_id)
        return at_work and await self._commands.last_hold(turn.turn_id) == "pause"

    async def cancel_elsewhere(self, turn: Turn, drop: Callable[[Turn], Awaitable[bool]]) -> bool:
        """Have the process that works on a turn stop it; `drop` ends what nobody works on any more. False if it has ended
        otherwise, or if nobody obeys."""
        if turn.status in ENDED:
            return False
        await self._commands.give(Command("cancel", turn.session_id, turn.user.company_id, turn.turn_id))
        deadline = asyncio.get_running_loop().time() + OBEYED_SECONDS
        while asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(LOOK_SECONDS / 2)
            now = await self._store.turn(turn.turn_id)
            if now is None or now.status in ENDED:
                return now is not None and now.status == "cancelled"
            if not self._runner.is_at_work(turn.session_id) and await drop(now):
                return True
        return False

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                changed, commands = await self._commands.new()
                for command in commands:
                    self._carry_out(command)
                if changed:
                    await self._changed()
            except StorageError as error:
                logger.error("what other processes wrote could not be read: %s", error)

    def _carry_out(self, command: Command) -> None:
        if command.kind in SWITCHES:
            self.switches.turn(command)
        elif command.kind == "cancel":
            self._runner.request_cancel(command.name)
        elif self._runner.runs(command.name):
            gate = self._contexts.gate(command.session_id)
            if gate is not None:
                gate.clear() if command.kind == "pause" else gate.set()
