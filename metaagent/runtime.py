"""MetaAgent: the one object that users hold. Each call names the operation that it needs, and hands over to who does it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from metaagent.access.rights import denied, visitor
from metaagent.errors import RowRefused, TurnRunning
from metaagent.global_state import GlobalSessionState, Verdict
from metaagent.graph import build_graph, entered_directly
from metaagent.input_checks import admit_id, admit_question, admit_user
from metaagent.inspection.inspector import StateInspector
from metaagent.journal import decode_artifact
from metaagent.memory.notes import read_note
from metaagent.memory.recall import as_changed
from metaagent.monitor import StateMonitor
from metaagent.plugin import AgentSpec
from metaagent.ports import AnalysisInput, ArtifactRef, Clock, Json, Reasoner, SessionInfo, Turn, User
from metaagent.sessions.accounts import AccountService
from metaagent.sessions.approvals import WaitingDecisions
from metaagent.sessions.assembly import Config, Parts, assemble
from metaagent.sessions.bundle import without_artifacts
from metaagent.sessions.clock import SystemClock
from metaagent.sessions.context_factory import ContextFactory
from metaagent.sessions.control import Control
from metaagent.sessions.downloads import Download, download_artifact
from metaagent.sessions.guard import SessionGuard, unknown
from metaagent.sessions.lifecycle import Migrated, Pruned, SessionLifecycle, refused_warning
from metaagent.sessions.replies import Replies
from metaagent.sessions.runner import TurnRunner
from metaagent.sessions.session_reader import SessionReader
from metaagent.sessions.topics import Topics
from metaagent.sessions.turn import TurnWorker
from metaagent.sessions.turn_input import first_input
from metaagent.sessions.turn_service import OnWaiting, Reply, TurnService
from metaagent.sessions.watching import SessionFeeds
from metaagent.state.manager import StateManager
from metaagent.storage.checkpoints.copying import Copied, copy_thread
from metaagent.storage.checkpoints.retention import CheckpointInfo
from metaagent.storage.checkpoints.serde import default_serde
from metaagent.storage.checkpoints.turn_saver import OwnedCheckpoints
from metaagent.storage.vault import acting_for
from metaagent.telemetry.spans import Telemetry
from metaagent.values import iso

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from metaagent.acting import Acting
    from metaagent.sessions.compliance import ComplianceService
    from metaagent.sessions.documents import DocumentService
    from metaagent.sessions.knowledge import KnowledgeService
    from metaagent.sessions.marking import SessionMarking
    from metaagent.sessions.stored import StoredThings

T = TypeVar("T")

MOST_FORMS = 1_000
"""Newest artifacts of a session among which another form of a document is looked for."""

CALLS = {
    "ask": "session.ask",
    "begin": "session.ask",
    "stream": "session.ask",
    "attach": "session.ask",
    "resume": "session.resume",
    "begin_resume": "session.resume",
    "begin_approve": "session.approve",
    "begin_override": "compliance.override",
    "stream_resume": "session.resume",
    "approve": "session.approve",
    "approvals": "session.approve",
    "topics": "session.ask",
    "follow_ups": "session.ask",
    "approval_input": "session.approve",
    "approval_effect": "session.approve",
    "override": "compliance.override",
    "events": "session.read",
    "watch": "session.read",
    "cancel": "session.control",
    "pause": "session.control",
    "unpause": "session.control",
    "state": "session.read",
    "answer": "session.read",
    "session": "session.read",
    "sessions": "session.read",
    "turns": "session.read",
    "inspect": "session.read",
    "history": "session.read",
    "search_history": "session.read",
    "search_sessions": "session.read",
    "rename_session": "session.control",
    "pin_session": "session.read",
    "pinned_sessions": "session.read",
    "share_session": "session.share",
    "unshare_session": "session.share",
    "session_shares": "session.share",
    "shared_sessions": "session.read",
    "memories": "memory.read",
    "remember": "memory.change",
    "forget": "memory.change",
    "erase_memories": "memory.change",
    "stored_list": "stored.read",
    "stored_show": "stored.read",
    "stored_file": "stored.read",
    "stored_preview": "session.ask",
    "stored_undo": "stored.undo",
    "artifact": "artifact.read",
    "artifact_ref": "artifact.read",
    "artifact_file": "artifact.read",
    "record_export": "artifact.read",
    "delete_session": "session.delete",
    "checkpoints": "session.read",
    "save_checkpoint": "session.control",
    "restore": "session.control",
    "fork": "session.control",
    "export_session": "session.read",
    "import_session": "session.ask",
    "copy_thread": "session.read",
    "prune_session": "session.control",
    "ingest": "knowledge.publish",
    "ingest_domain": "knowledge.publish",
    "knowledge_add": "knowledge.publish",
    "knowledge_list": "knowledge.read",
    "knowledge_show": "knowledge.read",
    "knowledge_places": "knowledge.read",
    "knowledge_remove": "knowledge.change",
    "index_status": "knowledge.read",
    "index_verify": "index.manage",
    "index_rebuild": "index.manage",
    "judge_file": "session.ask",
    "judge_expenses": "session.ask",
    "disable": "agents.switch",
    "enable": "agents.switch",
}
"""The operation (see `metaagent.access.rights`) that each public call needs. There is no call without one."""


@dataclass(frozen=True)
class Answer:
    """The standing of a turn: answered, waiting for the person, failed or cancelled."""

    status: str
    content: Json

    @property
    def text(self) -> str:
        return self.content.get("answer") or ""

    @property
    def session_id(self) -> str:
        return self.content["session_id"]

    @property
    def turn_id(self) -> str:
        return self.content["turn_id"]

    @property
    def question(self) -> Json | None:
        """The question that the turn waits with, if it does."""
        return next(iter(self.content.get("waiting") or ()), None)


@dataclass(frozen=True)
class Begun:
    """A turn that runs now."""

    session_id: str
    turn_id: str
    number: int


class MetaAgent:
    """Open with `async with MetaAgent.open(...) as app`."""

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
        self._guard = SessionGuard(parts.store, parts.vault, parts.gatekeeper)
        self._reader = SessionReader(parts.settings, parts.store, self._guard, parts.vault.ring)
        self._contexts = ContextFactory(parts)
        worker = TurnWorker(self._graph, parts, self._contexts)
        self._feeds = SessionFeeds(parts.store)
        self._runner = TurnRunner(parts, worker, self._feeds.tell)
        self._control = Control(parts, self._contexts, self._runner, self._feeds.look)
        self._lifecycle = SessionLifecycle(parts, self._graph)
        self._turn_service = TurnService(parts, self._guard, self._runner, self._lifecycle)

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

    # --- asking -----------------------------------------------------------------------------------------

    async def ask(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> Answer:
        """Answer a question. An unfinished turn of the session is finished first, one that waits is never overrun;
        `on_waiting="discard"` drops either. `attachments` are files that `attach` was given."""
        turn = await self._turn_service.begin(text, session_id, user or User(), on_waiting, attachments)
        return _answer(await self._runner.wait(turn.turn_id))

    async def begin(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> Begun:
        """Ask without waiting for the answer: `events` follows the turn, `answer` says how it stands."""
        return _begun(
            await self._turn_service.begin(text, session_id, user or User(), on_waiting, attachments)
        )

    async def stream(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
        attachments: Sequence[str | Json] = (),
    ) -> AsyncIterator[Json]:
        """The turn's events as they happen, until it has ended or waits."""
        turn = await self._turn_service.begin(text, session_id, user or User(), on_waiting, attachments)
        async for event in self._runner.events(turn.turn_id):
            yield event

    async def attach(self, name: str, content: bytes, *, user: User | None = None) -> Json:
        """Keep a file to be asked about: its `id` goes into `attachments` of a question. It is sealed for this person and
        searched in that conversation alone. Raises FileRefused where it cannot be read."""
        who = await self._guard.admitted(CALLS["attach"], user)
        return await self._parts.ports.attachments.keep(name, content, who)

    async def resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> Answer:
        """Go on with a turn that waits for an answer, or that a crash left unfinished (no answer then). `reason` is why
        a plan is approved or rejected."""
        reply = Reply(answer, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["resume"])
        return _answer(await self._runner.wait(turn.turn_id))

    async def stream_resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> AsyncIterator[Json]:
        reply = Reply(answer, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["resume"])
        seen = len(await self._store.event_keys(turn.turn_id)) if answer is not None and turn.answers else 0
        async for event in self._runner.events(turn.turn_id, seen):
            yield event

    async def begin_resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> Begun:
        """Like `resume`, without waiting for what comes of it."""
        reply = Reply(answer, question_id, reason)
        return _begun(
            await self._turn_service.go_on(session_id, reply, user or User(), CALLS["begin_resume"])
        )

    async def begin_approve(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> Begun:
        """Like `approve`, without waiting for what comes of it."""
        reply = Reply(decision, question_id, reason)
        return _begun(
            await self._turn_service.go_on(session_id, reply, user or User(), CALLS["begin_approve"])
        )

    async def begin_override(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        reason: str,
        question_id: str | None = None,
        user: User | None = None,
    ) -> Begun:
        """Like `override`, without waiting for what comes of it."""
        reply = Reply(decision, question_id, reason)
        return _begun(
            await self._turn_service.go_on(session_id, reply, user or User(), CALLS["begin_override"])
        )

    async def approve(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> str:
        """Decide on a plan that waits, one's own or (`session.approve:any`) another's; how the turn stands then. What it
        answers is for the one who asked."""
        reply = Reply(decision, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["approve"])
        return _answer(await self._runner.wait(turn.turn_id)).status

    async def override(
        self,
        session_id: str,
        decision: Any = "approve",
        *,
        reason: str,
        question_id: str | None = None,
        user: User | None = None,
    ) -> str:
        """Decide on a gate that a verdict closed in another person's turn, for that verdict and those inputs alone; how
        the turn stands then."""
        reply = Reply(decision, question_id, reason)
        turn = await self._turn_service.go_on(session_id, reply, user or User(), CALLS["override"])
        return _answer(await self._runner.wait(turn.turn_id)).status

    async def approvals(self, *, user: User | None = None) -> list[Json]:
        """List what waits and what this person may decide on: plans, with who asked what and when, and closed gates, with
        what the check found."""
        return await WaitingDecisions(self._parts).listed(user or User())

    async def approval_input(self, session_id: str, artifact_id: str, *, user: User | None = None) -> Any:
        """The content of an artifact that a waiting plan would use, for whoever may decide on that plan."""
        who = await self._guard.admitted(CALLS["approval_input"], user)
        named = (admit_id(session_id, "session"), admit_id(artifact_id, "artifact"))
        return (await WaitingDecisions(self._parts).input(*named, who))[1]

    async def approval_effect(
        self, session_id: str, step_id: str, *, language: str = "en", user: User | None = None
    ) -> Json | None:
        """Say what a step of a waiting plan would store, as it would be, for whoever may decide on that plan; None where the
        step stores nothing, or what it would store is not made yet."""
        who = await self._guard.admitted(CALLS["approval_effect"], user)
        decisions = WaitingDecisions(self._parts)
        return await decisions.effect(admit_id(session_id, "session"), step_id, who, language)

    async def topics(self, *, language: str = "en", most: int = 5, user: User | None = None) -> Topics | None:
        """Figures, what they split by, how far the data goes, and questions that work; None where no data is connected."""
        who = await self._guard.admitted(CALLS["topics"], user)
        parts = self._parts
        given = AnalysisInput(
            parts.clock.now(), self.settings.timezone, language, who, self.registry.capabilities()
        )
        return await parts.domain.topics(given, most=most)

    async def follow_ups(self, turn_id: str, *, most: int = 3, user: User | None = None) -> list[str]:
        """Questions that lead on from the answer of a turn and that this installation can answer, in the turn's language."""
        from metaagent.sessions.follow_ups import follow_ups_of

        who = await self._guard.admitted(CALLS["follow_ups"], user)
        turn, parts, rights = await self._guard.turn(turn_id, who), self._parts, self._gatekeeper.rights(who)
        given = AnalysisInput(
            parts.clock.now(), self.settings.timezone, turn.language, who, self.registry.capabilities()
        )
        verdicts = [each["id"] for each in turn.outcome.get("artifacts") or () if each["kind"] == "verdict"]
        judged = [await self._store.artifact(turn.session_id, each) for each in verdicts]
        findings = [one for each in judged if each for one in decode_artifact(each).get("findings") or ()]
        library = self._knowledge.port(who, rights) if rights.may("knowledge.read") else None
        return await follow_ups_of(turn.outcome, findings, parts.domain, library, given, most)

    async def events(self, turn_id: str, *, after: int = 0, user: User | None = None) -> AsyncIterator[Json]:
        """Stream the events after the last seq that a late or reconnecting reader saw."""
        who, running = user or User(), self._runner.running(turn_id)
        if running is None or not await self._guard.own_turn(running, who):
            await self._guard.turn(turn_id, who)
        async for event in self._runner.events(turn_id, after):
            yield event

    async def watch(
        self, session_id: str, *, after: str | None = None, user: User | None = None
    ) -> AsyncGenerator[Json]:
        """The events of all turns of a session, in order, as they happen: those that were, those of turns that wait and go
        on, and those of turns to come, whichever process runs them, until the reader leaves. Each has a `cursor`;
        `after` goes on behind the one that a reader saw last (`<turn's number>.0` begins with that turn)."""
        await self._guard.session(session_id, user or User(), CALLS["watch"])
        async with aclosing(self._feeds.watch(session_id, after)) as events:
            async for event in events:
                yield event

    async def cancel(self, session_id: str, *, user: User | None = None) -> bool:
        """Stop the session's running or waiting turn, whichever process it runs in. What it finished is kept."""
        await self._guard.session(session_id, user or User(), CALLS["cancel"])
        turn = await self._store.last_turn(session_id)
        if turn is None:
            return False
        drop = self._turn_service.cancel_idle
        if await self._runner.cancel(turn.turn_id) or await drop(turn):
            return True
        return await self._control.cancel_elsewhere(turn, drop)

    async def pause(self, session_id: str, *, user: User | None = None) -> bool:
        """Steps under way finish; no other starts until `unpause`. False if no turn is running."""
        await self._guard.session(session_id, user or User(), CALLS["pause"])
        return await self._control.hold(await self._store.last_turn(session_id), "pause")

    async def unpause(self, session_id: str, *, user: User | None = None) -> bool:
        await self._guard.session(session_id, user or User(), CALLS["unpause"])
        return await self._control.hold(await self._store.last_turn(session_id), "unpause")

    async def judge_file(
        self,
        name: str,
        content: bytes,
        *,
        packs: Sequence[str] = (),
        language: str = "en",
        user: User | None = None,
    ) -> Verdict:
        """Judge a document, or rows of expenses in CSV or JSON, by the rule packs."""
        who = await self._guard.admitted(CALLS["judge_file"], user)
        return await self._compliance().file(name, content, user=who, language=language, packs=packs)

    async def judge_expenses(
        self,
        first: date,
        last: date,
        *,
        packs: Sequence[str] = (),
        language: str = "en",
        user: User | None = None,
    ) -> Verdict:
        """Judge the expense book of these days by the rule packs."""
        who = await self._guard.admitted(CALLS["judge_expenses"], user)
        return await self._compliance().expenses((first, last), user=who, language=language, packs=packs)

    def _compliance(self) -> ComplianceService:
        from metaagent.sessions.compliance import ComplianceService

        return ComplianceService(self._parts.ports, self._gatekeeper, self._clock)

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

    # --- looking ----------------------------------------------------------------------------------------

    async def state(self, session_id: str, *, user: User | None = None) -> GlobalSessionState:
        """The session's state at its newest sound checkpoint; a warning in it says if that is not the newest."""
        info = await self._guard.session(session_id, user or User(), CALLS["state"])
        await self._settle_pending(session_id)
        turn = await self._store.last_turn(session_id)
        owner = turn.user if turn else user or User()
        with acting_for(owner):
            try:
                snapshot = await self._graph.aget_state({"configurable": {"thread_id": session_id}})
            except RowRefused as error:
                return await self._sound_state(session_id, error)
        begun = StateManager().create_session_state(session_id, owner.user_id, info.company_id)
        return cast("GlobalSessionState", {**begun, **snapshot.values})

    async def answer(self, turn_id: str, *, user: User | None = None) -> Answer:
        """Say how a turn stands, whoever ran it. One that waits here for its start has its `place`; one that is paused
        says so (`paused`)."""
        turn = await self._guard.turn(turn_id, user or User())
        content = {"session_id": turn.session_id, "turn_id": turn.turn_id, **turn.outcome}
        place = self._runner.place_of(turn_id)
        if place is not None:
            return Answer("queued", {**content, "place": place})
        return Answer(
            turn.status, {**content, "paused": True} if await self._control.is_held(turn) else content
        )

    async def sessions(
        self, *, user: User | None = None, limit: int = 100, before: str | None = None
    ) -> list[SessionInfo]:
        return await self._reader.sessions(user=user, limit=limit, before=before)

    async def session(self, session_id: str, *, user: User | None = None) -> SessionInfo:
        return await self._reader.session(session_id, user=user)

    async def turns(
        self,
        session_id: str,
        *,
        user: User | None = None,
        limit: int = 100,
        before: int | None = None,
    ) -> list[Turn]:
        """The newest first; `before` pages on from a turn's number. One that cannot be read has no question, and its
        refusal among its errors."""
        return await self._reader.turns(session_id, user=user, limit=limit, before=before)

    async def inspect(self, session_id: str, *, user: User | None = None) -> StateInspector:
        """Snapshots, field histories, differences and pictures of the session's turns."""
        await self._guard.session(session_id, user or User(), CALLS["inspect"])
        turn = await self._store.last_turn(session_id)
        checkpoints = OwnedCheckpoints(self._checkpointer, turn.user if turn else user or User())
        return StateInspector(
            session_id,
            self._store,
            checkpoints,
            StateMonitor(default_serde()),
            lambda turn, fresh: first_input(turn, fresh=fresh),
        )

    async def history(
        self, session_id: str, *, before: int | None = None, limit: int = 50, user: User | None = None
    ) -> list[Json]:
        """Everything that was said, the newest first; `before` pages on from a message's position."""
        return await self._reader.history(session_id, before=before, limit=limit, user=user)

    async def search_history(
        self,
        session_id: str,
        text: str,
        *,
        before: int | None = None,
        limit: int = 50,
        user: User | None = None,
    ) -> list[Json]:
        """Find messages that hold the text, the newest first."""
        return await self._reader.search_history(session_id, text, before=before, limit=limit, user=user)

    async def search_sessions(
        self, text: str, *, limit: int = 100, user: User | None = None
    ) -> list[SessionInfo]:
        """Sessions that began with a question which holds the text."""
        return await self._reader.search_sessions(text, limit=limit, user=user)

    # --- marks on sessions ----------------------------------------------------------------------------------

    async def rename_session(self, session_id: str, title: str, *, user: User | None = None) -> SessionInfo:
        """Give a session another title."""
        return await self._marking.rename(session_id, title, user or User())

    async def pin_session(self, session_id: str, *, pinned: bool = True, user: User | None = None) -> None:
        """Keep a session on top of the person's list, or no longer."""
        await self._marking.pin(session_id, user or User(), pinned=pinned)

    async def pinned_sessions(self, *, user: User | None = None) -> list[SessionInfo]:
        """Sessions that the person pinned, the last pinned first."""
        return await self._marking.pinned(user or User())

    async def share_session(
        self, session_id: str, person: str | None = None, *, user: User | None = None
    ) -> list[Json]:
        """Let a colleague, or everybody of the company, read a session; who may then. They need the right to read their own,
        and no smaller rights to data than whoever shares it."""
        return await self._marking.share(session_id, person, user or User())

    async def unshare_session(
        self, session_id: str, person: str | None = None, *, user: User | None = None
    ) -> list[Json]:
        """End what `share_session` began for this colleague, or for everybody; who may still read it."""
        return await self._marking.unshare(session_id, person, user or User())

    async def session_shares(self, session_id: str, *, user: User | None = None) -> list[Json]:
        """People who may read a session: `person`, null for everybody of the company."""
        return await self._marking.shares(session_id, user or User())

    async def shared_sessions(self, *, limit: int = 100, user: User | None = None) -> list[SessionInfo]:
        """Sessions of colleagues that the person may read, the last shared first."""
        return await self._marking.shared_with(user or User(), limit)

    @property
    def _marking(self) -> SessionMarking:
        from metaagent.sessions.marking import SessionMarking

        knows = self._parts.vault.ring.knows_person
        return SessionMarking(self._store, self._guard, self._reader, self._clock, knows)

    # --- what is remembered of a person -------------------------------------------------------------------

    async def memories(self, *, user: User | None = None) -> list[Json]:
        who = await self._guard.admitted(CALLS["memories"], user)
        return [memory.as_json() for memory in await self._memory.all(who)]

    async def remember(self, text: str, *, user: User | None = None) -> Json:
        """Keep a fact or preference, said as to the agent: '내 담당 지역은 부산', 'answer in English'."""
        who = await self._guard.admitted(CALLS["remember"], user)
        said = admit_question(text, self.settings.limits.question_bytes)
        moment = self._clock.now().astimezone(self.settings.zone)
        ((made, old),) = await self._memory.remember(who, [read_note(said, moment)], {})
        return as_changed(made, old, self._turn_service.language(said))

    async def forget(self, about: str, *, user: User | None = None) -> list[Json]:
        """Forget memories by id, name or words; returns them."""
        memory, who = self._memory, await self._guard.admitted(CALLS["forget"], user)
        found = await memory.find(who, about)
        await memory.forget(who, [each.id for each in found])
        return [each.as_json() for each in found]

    async def erase_memories(self, user: User | None = None) -> int:
        """Everything that is remembered of this person; how many things that were."""
        return await self._memory.erase(await self._guard.admitted(CALLS["erase_memories"], user))

    # --- what was stored for good -------------------------------------------------------------------------

    async def stored_list(self, *, user: User | None = None) -> list[Json]:
        """Receipts, the oldest first: one's own, or (`stored.read:any`) the company's."""
        return await self._stored.listed(user or User(), CALLS["stored_list"])

    async def stored_show(self, receipt: str, *, user: User | None = None) -> Json:
        """A receipt by its id or link, and whether what it names is still as it was stored."""
        return await self._stored.shown(receipt, user or User(), CALLS["stored_show"])

    async def stored_file(
        self, receipt: str, name: str | None = None, *, user: User | None = None
    ) -> tuple[str, bytes]:
        return await self._stored.file(receipt, name, user or User(), CALLS["stored_file"])

    async def stored_preview(
        self,
        name: str,
        content: bytes,
        *,
        table: str | None = None,
        answers: Sequence[str] = (),
        language: str = "en",
        user: User | None = None,
    ) -> Json:
        """Preview storing this file: the decision, the mapping, the rows as they would be and those replaced; questions
        and reasons in this language."""
        from metaagent.level2.storage.material import of_file

        who = await self._guard.admitted(CALLS["stored_preview"], user)
        port = self._parts.ports.records_of(who, language, {})
        thing = await of_file(name, content)
        return await self._stored.preview(thing, table, answers, who, CALLS["stored_preview"], port, language)

    async def stored_undo(
        self, receipt: str, *, reason: str, dry: bool = False, user: User | None = None
    ) -> Json:
        """Restore what was there before it was stored. Refused where somebody has changed it since. `dry` only gives the
        receipt that would be undone."""
        return await self._stored.undo(receipt, reason, user or User(), CALLS["stored_undo"], dry=dry)

    @property
    def documents(self) -> DocumentService:
        """Versions, comments, approvals and releases of documents, each with the right that it needs."""
        from metaagent.level1.planning.gate import CHECK
        from metaagent.sessions.documents import DocumentService

        parts = self._parts

        async def check(document: Json, digest: str, user: User, language: str) -> Verdict | None:
            agents = parts.registry.agents
            if CHECK not in agents or parts.registry.is_disabled(CHECK):
                return None
            return await self._compliance().document(document, digest, user=user, language=language)

        settings = parts.settings.documents
        return DocumentService(parts.ports.documents, parts.gatekeeper, parts.vault, settings, check)

    @property
    def accounts(self) -> AccountService:
        """Accounts, API keys and log-ins, each with the right that it needs."""
        parts = self._parts
        return AccountService(parts.credentials, parts.gatekeeper, parts.clock, parts.vault.ring.keyed_hash)

    @property
    def replies(self) -> Replies:
        """Answers that a door gave, for requests that are sent twice."""
        parts = self._parts
        return Replies(parts.credentials, parts.clock, parts.vault.ring.keyed_hash)

    @property
    def _stored(self) -> StoredThings:
        from metaagent.sessions.stored import StoredThings

        ports = self._parts.ports
        return StoredThings(ports.records, ports.model, self._gatekeeper)

    # --- documents that are searched ----------------------------------------------------------------------

    async def ingest(
        self,
        paths: Sequence[Path],
        *,
        collection: str = "documents",
        label: str | None = None,
        mine: bool = False,
        dry_run: bool = False,
        tell: Callable[[int, int, str], None] = lambda _done, _all, _name: None,
        user: User | None = None,
    ) -> Json:
        """Make a collection what these files and folders are: new and changed files are added, gone ones removed, renamed
        ones moved. For the company (`knowledge.publish`), or `mine` for oneself."""
        return await self._knowledge.ingest(
            paths, user or User(), collection=collection, label=label, mine=mine, dry_run=dry_run, tell=tell
        )

    async def ingest_domain(self, *, user: User | None = None) -> int:
        """Add the documents that come with the domain, for the company; how many are there then."""
        return await self._knowledge.ingest_domain(user or User())

    async def knowledge_add(
        self,
        name: str,
        content: bytes,
        *,
        collection: str = "documents",
        label: str | None = None,
        mine: bool = False,
        user: User | None = None,
    ) -> Json:
        """Add one file to a collection, in the place of the one of the same name that was added so. For the company
        (`knowledge.publish`), or `mine` for oneself. Raises FileRefused where it cannot be read."""
        return await self._knowledge.add(
            name, content, user or User(), collection=collection, label=label, mine=mine
        )

    async def knowledge_list(self, collection: str | None = None, *, user: User | None = None) -> list[Json]:
        """Documents that the person may search."""
        return await self._knowledge.listed(user or User(), collection)

    async def knowledge_show(
        self, document_id: str, *, start: int = 0, end: int | None = None, user: User | None = None
    ) -> Json:
        """A document and its text between these offsets, as a citation gives them."""
        return await self._knowledge.shown(document_id, user or User(), start=start, end=end)

    async def knowledge_places(self, document_id: str, *, user: User | None = None) -> list[Json]:
        """Chunks of a document with their places, in order."""
        return await self._knowledge.places(document_id, user or User())

    async def knowledge_remove(self, document_id: str, *, user: User | None = None) -> Json:
        """Remove a document with its text, terms and vectors. The company's needs `knowledge.publish`."""
        return await self._knowledge.remove(document_id, user or User())

    async def index_status(self, *, user: User | None = None) -> list[Json]:
        """Collections that the person may see, with the indexes that serve them or are being built."""
        return await self._knowledge.status(user or User())

    async def index_verify(self, collection: str | None = None, *, user: User | None = None) -> Json:
        """Check that texts, chunks, terms and vectors belong together."""
        return await self._knowledge.verify(user or User(), collection)

    async def index_rebuild(
        self,
        collection: str | None = None,
        *,
        tell: Callable[[int, int], None] = lambda _done, _all: None,
        user: User | None = None,
    ) -> list[str]:
        """Make terms and vectors anew beside those that serve, then swap; names of the collections."""
        return await self._knowledge.rebuild(user or User(), collection, tell)

    @property
    def _knowledge(self) -> KnowledgeService:
        from metaagent.sessions.knowledge import KnowledgeService

        parts = self._parts
        return KnowledgeService(
            parts.ports.library, parts.vault, self._gatekeeper, parts.settings, parts.holds
        )

    async def artifact(self, session_id: str, artifact_id: str, *, user: User | None = None) -> Any:
        """The content of an artifact: plain data, or the bytes of a file."""
        ref = await self.artifact_ref(session_id, artifact_id, user=user)
        content = await self._store.artifact(session_id, ref.id)
        if content is None:
            raise unknown(f"{session_id}/{artifact_id}")
        return decode_artifact(content)

    async def artifact_file(
        self, session_id: str, artifact_id: str, *, form: str | None = None, user: User | None = None
    ) -> Download:
        """An artifact as a file: name, media type, size, and its bytes in pieces or in a range, of any size. What is no file
        is its JSON; with `form`, it is the same document in that format."""
        ref = await self.artifact_ref(session_id, artifact_id, form=form, user=user)
        return await download_artifact(self._store, session_id, ref)

    async def artifact_ref(
        self, session_id: str, artifact_id: str, *, user: User | None = None, form: str | None = None
    ) -> ArtifactRef:
        """An artifact's kind, name, media type and group; with `form`, those of the same document in that format."""
        who = user or User()
        await self._guard.session(session_id, who, CALLS["artifact_ref"])
        ref = await self._store.artifact_ref(session_id, admit_id(artifact_id, "artifact"))
        if ref is not None and not self._gatekeeper.rights(who).sees(ref.kind):
            told = {"reason": "kind", "what": f"artifact:{ref.kind}"}
            await self._gatekeeper.refused(who, CALLS["artifact_ref"], **told)
            raise denied(f"artifact:{ref.kind}", who.roles)
        if ref is None:
            raise unknown(f"{session_id}/{artifact_id}")
        if form is None or ref.group is None or ref.group.format == form:
            return ref
        wanted = replace(ref.group, format=admit_id(form, "format"))
        forms = await self._store.artifact_refs(session_id, limit=MOST_FORMS)
        found = next((each for each in forms if each.group == wanted), None)
        return ref if found is None else await self.artifact_ref(session_id, found.id, user=user)

    async def record_export(
        self, session_id: str, artifact_id: str, form: str, content: bytes | str, *, user: User | None = None
    ) -> None:
        """An artifact leaves as a file: the trail can tell by the file's hash where it came from. `content` is the file, or
        its SHA-256 in hexadecimal digits."""
        who = user or User()
        await self._guard.session(session_id, who, CALLS["record_export"])
        digest = content if isinstance(content, str) else hashlib.sha256(content).hexdigest()
        told = {
            "artifact": admit_id(artifact_id, "artifact"),
            "format": admit_id(form, "format"),
            "file_hash": self._store.keyed_hash(who.company_id, digest.encode()),
        }
        await self._gatekeeper.note(who, "artifact.exported", told, session=session_id)

    async def delete_session(self, session_id: str, *, user: User | None = None) -> dict[str, int]:
        """Everything that belongs to the session, in every store; what was removed, by kind."""
        who = user or User()
        async with self._held(session_id, who, CALLS["delete_session"], unread=True) as (info, _):
            removed = await self._lifecycle.delete(info, who)
        await self._feeds.look(session_id)
        return removed

    # --- whole sessions ---------------------------------------------------------------------------------

    async def checkpoints(self, session_id: str, *, user: User | None = None) -> list[CheckpointInfo]:
        """List where `restore` and `fork` can go to, the newest first."""
        await self._guard.session(session_id, user or User(), CALLS["checkpoints"])
        return await self._lifecycle.checkpoints(session_id)

    async def save_checkpoint(self, session_id: str, name: str, *, user: User | None = None) -> str:
        """Give the session's present checkpoint a name, which keeps it until the session is deleted."""
        async with self._held(session_id, user or User(), CALLS["save_checkpoint"]):
            return await self._checkpointer.save(session_id, name)

    async def restore(
        self,
        session_id: str,
        *,
        turn: int | None = None,
        name: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
    ) -> int:
        """Go back to the end of a turn. Later turns stay in the history, marked as undone; how many were."""
        who = user or User()
        async with self._held(session_id, who, CALLS["restore"]) as (_, owner):
            place = await self._lifecycle.restore_point(session_id, owner, turn, name)
            await self._turn_service.drop_last(session_id, on_waiting)
            return await self._lifecycle.restore(session_id, who, place)

    async def fork(
        self, session_id: str, *, turn: int | None = None, name: str | None = None, user: User | None = None
    ) -> SessionInfo:
        """A new session that continues from the end of a turn of this one."""
        who = user or User()
        async with self._held(session_id, who, CALLS["fork"]) as (info, owner):
            place = await self._lifecycle.restore_point(session_id, owner, turn, name)
            return await self._lifecycle.fork(info, who, place)

    async def export_session(
        self,
        session_id: str,
        *,
        full: bool = False,
        passphrase: str | None = None,
        user: User | None = None,
    ) -> bytes:
        """The session with its turns, events, artifacts and newest state as an archive: without personal data, or
        `full`, which a passphrase seals."""
        who = user or User()
        sees = self._gatekeeper.rights(who).sees
        async with self._held(session_id, who, CALLS["export_session"]) as (info, owner):
            bundle = without_artifacts(await self._lifecycle.current_bundle(info, owner), sees)
            return await self._lifecycle.export(bundle, who, full=full, passphrase=passphrase)

    async def copy_thread(
        self,
        session_id: str,
        target: BaseCheckpointSaver[Any],
        *,
        as_thread: str | None = None,
        user: User | None = None,
    ) -> Copied:
        """Copy the checkpoints of a session into any LangGraph saver. What is sealed here is there as that saver writes it."""
        who = user or User()
        async with self._held(session_id, who, CALLS["copy_thread"]) as (_, owner):
            with acting_for(owner):
                return await copy_thread(self._parts.saver, target, session_id, as_thread=as_thread)

    async def import_session(
        self, archive: bytes, *, passphrase: str | None = None, user: User | None = None
    ) -> SessionInfo:
        """An exported session as a new one of this person. A damaged or hostile archive changes nothing."""
        return await self._lifecycle.import_archive(
            archive, await self._guard.admitted(CALLS["import_session"], user), passphrase
        )

    async def prune_session(self, session_id: str, *, user: User | None = None) -> Pruned:
        """Checkpoints beyond the retention, and artifacts that nothing kept refers to."""
        who = user or User()
        async with self._held(session_id, who, CALLS["prune_session"]) as (info, owner):
            await self._lifecycle.holds.refuse_owner(info.company_id, info.owner)
            return await self._lifecycle.prune(session_id, owner)

    # --- inside -----------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _held(
        self, session_id: str, user: User, operation: str, *, unread: bool = False
    ) -> AsyncGenerator[tuple[SessionInfo, User]]:
        """The session and whose it is, with nobody else at work on it. `unread` looks at nothing that may be damaged."""
        await self._guard.session(session_id, user, operation, unread=unread)
        with self._parts.claimed(session_id):
            await self._lifecycle.settle(session_id)
            last = None if unread else await self._store.last_turn(session_id)
            yield (
                await self._guard.session(session_id, user, operation, unread=unread),
                last.user if last else user,
            )

    async def _settle_pending(self, session_id: str) -> None:
        """Finish what a killed process left to do. Whoever works on the session has done it already."""
        if await self._store.pending(session_id) is None:
            return
        with suppress(TurnRunning), self._parts.claimed(session_id):
            await self._lifecycle.settle(session_id)

    async def _sound_state(self, session_id: str, error: RowRefused) -> GlobalSessionState:
        found = await self._checkpointer.look(session_id)
        warning = refused_warning(error, found.warnings, iso(self._clock.now()))
        values = found.saved.checkpoint["channel_values"]
        return cast("GlobalSessionState", {**values, "warnings": [*values.get("warnings", ()), warning]})


def _answer(turn: Turn | None) -> Answer:
    assert turn is not None, "a turn that ran is stored"
    return Answer(turn.status, turn.outcome)


def _begun(turn: Turn) -> Begun:
    return Begun(turn.session_id, turn.turn_id, turn.number)


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
