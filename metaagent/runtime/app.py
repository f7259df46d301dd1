"""MetaAgent: the one object that users hold."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from metaagent.access.rights import visitor
from metaagent.global_state import GlobalSessionState
from metaagent.input_checks import admit_user
from metaagent.plugin import AgentSpec
from metaagent.ports import Clock, Reasoner, User
from metaagent.runtime.calls import CALLS, Answer
from metaagent.runtime.record_calls import RecordCalls
from metaagent.runtime.session_calls import SessionCalls
from metaagent.runtime.turn_calls import TurnCalls
from metaagent.sessions.assembly import Config, assemble
from metaagent.sessions.clock import SystemClock
from metaagent.sessions.lifecycle import Migrated
from metaagent.telemetry.spans import Telemetry

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from metaagent.acting import Acting


T = TypeVar("T")


class MetaAgent(TurnCalls, SessionCalls, RecordCalls):
    """Open with `async with MetaAgent.open(...) as app`."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        config: Config = None,
        *,
        agents: Sequence[AgentSpec] = (),
        reasoner: Reasoner | None = None,
        clock: Clock | None = None,
        telemetry: Telemetry | None = None,
        model: BaseChatModel | None = None,
    ) -> AsyncGenerator[MetaAgent]:
        """Open an installation. `agents` are added to the installed ones; reasoner, clock, telemetry and model take the
        place of the defaults or of what is configured. A given reasoner does without the model; agents may use it."""
        async with assemble(
            config,
            agents=agents,
            reasoner=reasoner,
            clock=clock or SystemClock(),
            telemetry=telemetry,
            model=model,
        ) as parts:
            app = cls(parts)
            try:
                await app._lifecycle.settle_all()
                await app._control.start()
                yield app
            finally:
                await app._control.close()
                await app._runner.close()

    def acting_for(self, user: User) -> Acting:
        """The calls of a person who comes through a door: none can be made for nobody, and none as the installation's
        owner, whatever the person is called and whatever roles are claimed. This object is for code that owns the
        installation; a door uses no other call of it."""
        from metaagent.acting import Acting

        return Acting(self, visitor(user))

    def acting_as_owner(self) -> Acting:
        """The calls of the installation's owner. For the door on one's own machine, once it knows that whoever came
        started it."""
        from metaagent.acting import Acting

        return Acting(self, User())

    async def disable(self, name: str, *, user: User | None = None) -> None:
        """The kill switch: from now on this agent or capability is not started again, in running turns neither, whichever
        process they run in, until it is enabled. For the company of whoever asks; for every company if they run the
        installation."""
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS["disable"], what=name)
        await self._control.switch("disable", name, who)  # first of all, whatever becomes of the entry
        await self._note_switch(who, "agent.disabled", name)

    async def enable(self, name: str, *, user: User | None = None) -> None:
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS["enable"], what=name)
        await self._note_switch(who, "agent.enabled", name)
        await self._control.switch("enable", name, who)

    async def _note_switch(self, who: User, event: str, name: str) -> None:
        if not self._control.switches.knows(name):
            await self._gatekeeper.note(who, event, {}, private={"name": name[:128]})
        elif self._gatekeeper.runs_installation(who):
            await self._gatekeeper.note_installation(who, event, {"name": name})
        else:
            await self._gatekeeper.note(who, event, {"name": name})


async def take_up_turns(app: MetaAgent) -> int:
    """Go on with the turns that a process left when it ended; how many. For the operator, not for users."""
    return await app._turn_service.take_up()  # pyright: ignore[reportPrivateUsage]


async def drain_turns(app: MetaAgent, seconds: float) -> None:
    """Wait for the turns that run here, so long at most. For the operator, not for users."""
    await app._runner.drain(seconds)  # pyright: ignore[reportPrivateUsage]


async def migrate_sessions(app: MetaAgent) -> Migrated:
    """Write every idle session's state as this version does, where it is older. For the operator, not for users."""
    return await app._lifecycle.migrate()  # pyright: ignore[reportPrivateUsage]


class SyncMetaAgent:
    """A MetaAgent for code without an event loop: `with SyncMetaAgent(config) as app: app.ask(...)`."""

    def __init__(self, config: Config = None, **options: Any) -> None:
        self._runner = asyncio.Runner()
        self._opening = MetaAgent.open(config, **options)

    def __enter__(self) -> SyncMetaAgent:
        try:
            self._app = self._run(self._opening.__aenter__())
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self._run(self._opening.__aexit__(None, None, None))
        self._runner.close()

    def ask(self, text: str, **options: Any) -> Answer:
        return self._run(self._app.ask(text, **options))

    def resume(self, session_id: str, answer: Any = None, **options: Any) -> Answer:
        return self._run(self._app.resume(session_id, answer, **options))

    def state(self, session_id: str, **options: Any) -> GlobalSessionState:
        return self._run(self._app.state(session_id, **options))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)
