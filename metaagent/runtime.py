"""MetaAgent: the one object that users hold. Puts the parts together and guards the door to each session."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast
from weakref import WeakValueDictionary

from metaagent.access import DENIED, policies_of
from metaagent.adapters.audit_files import NoteFiles
from metaagent.adapters.audit_sql import SqlAuditLog
from metaagent.adapters.checkpoints import OwnedCheckpoints, Saver
from metaagent.adapters.child import ChildHost, isolated
from metaagent.adapters.clock import SystemClock
from metaagent.adapters.compressed_serde import default_serde
from metaagent.adapters.ports import AgentPorts, refusals
from metaagent.adapters.reserve import check_room, keep_reserve
from metaagent.adapters.sealed_checkpoints import SealedCheckpoints
from metaagent.adapters.sealed_logs import SealedLogs
from metaagent.adapters.sealed_rows import SealedRows
from metaagent.adapters.sql_store import SqlStore, sqlite_url
from metaagent.adapters.vault import Vault, acting_for
from metaagent.admission import admit_answer, admit_id, admit_question, admit_user
from metaagent.audit.review import guard_erasure, keep_erased
from metaagent.bundle import without_artifacts
from metaagent.checkpoint import CheckpointInfo, Retention, StateCheckpointer
from metaagent.config import Settings, load_settings
from metaagent.domains import OpenDomain
from metaagent.engine import InProcessEngine
from metaagent.errors import (
    AccessDenied,
    ConfigInvalid,
    InputRefused,
    KeyUnavailable,
    NewerSchema,
    NothingToResume,
    RowRefused,
    StorageError,
    Text,
    TurnRunning,
    TurnWaiting,
    UnknownSession,
)
from metaagent.gatekeeper import Gatekeeper
from metaagent.global_state import GlobalSessionState
from metaagent.governance import Governance, Stores, note_configuration
from metaagent.graph import build_graph
from metaagent.inspector import StateInspector
from metaagent.journal import Journal, decode_artifact
from metaagent.keeping import Keeping, Migrated, Pruned, refused_warning
from metaagent.keys import KeyRing, missing_kek, provider
from metaagent.level1.budget import Budget
from metaagent.level1.desk import Desk
from metaagent.level1.execution_manager.breaker import CircuitBreaker
from metaagent.level1.memory_requests import read_requests
from metaagent.level1.reasoner import detect_language
from metaagent.memory import as_changed, preferences_of
from metaagent.migrations import STATES
from metaagent.monitor import StateMonitor
from metaagent.plugin import AgentSpec
from metaagent.ports import (
    ENDED,
    ArtifactRef,
    Clock,
    Json,
    Reasoner,
    Run,
    SessionInfo,
    Teachable,
    TrackRecord,
    Turn,
    User,
)
from metaagent.redaction import Redactor
from metaagent.registry import Registry, load_registry
from metaagent.state_manager import StateManager
from metaagent.telemetry import SILENT, Telemetry, endpoint_of, traced_turn
from metaagent.times import iso
from metaagent.turns import TurnWorker

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from metaagent.adapters.chat_model import ChatModelSource, TurnModel

logger = logging.getLogger(__name__)

OnWaiting = Literal["refuse", "discard"]
COLLECT_EVERY = 16
"""Turns after which artifacts that are no longer kept are removed: looking for them costs more than one turn should."""

T = TypeVar("T")

CALLS = {
    "ask": "session.ask",
    "stream": "session.ask",
    "resume": "session.resume",
    "stream_resume": "session.resume",
    "approve": "session.approve",
    "approvals": "session.approve",
    "events": "session.read",
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
    "memories": "memory.read",
    "remember": "memory.change",
    "forget": "memory.change",
    "erase_memories": "memory.change",
    "artifact": "artifact.read",
    "record_export": "artifact.read",
    "delete_session": "session.delete",
    "checkpoints": "session.read",
    "save_checkpoint": "session.control",
    "restore": "session.control",
    "fork": "session.control",
    "export_session": "session.read",
    "import_session": "session.ask",
    "prune_session": "session.control",
    "disable": "agents.switch",
    "enable": "agents.switch",
}
"""The operation (see `metaagent.access`) that each public call needs. There is no call without one."""

_UNKNOWN_SESSION = Text(
    en="There is no session {session_id!r} of yours. `metaagent sessions list` shows yours; name none to begin a new one.",
    ko="세션 {session_id!r}을(를) 찾을 수 없습니다. `metaagent sessions list`로 확인하거나, 지정하지 않으면 새 세션이 시작됩니다.",
)
_WAITING = Text(
    en="Session {session_id} waits for your answer to: {question} Answer it with `metaagent resume {session_id} ANSWER`, "
    "or drop that question with `--discard`.",
    ko="세션 {session_id}에서 답을 기다리고 있습니다: {question} `metaagent resume {session_id} 답`으로 답하거나 "
    "`--discard`로 그 질문을 버리세요.",
)
_NOTHING = Text(
    en="Session {session_id} has nothing to resume: its last question is {status}.",
    ko="세션 {session_id}에는 이어서 할 것이 없습니다(마지막 질문: {status}).",
)
_NO_ANSWER = Text(
    en="Session {session_id} waits for an answer to: {question} Give one.",
    ko="세션 {session_id}에서 답을 기다리고 있습니다: {question} 답을 적어 주세요.",
)
_WHICH = Text(
    en="Session {session_id} waits for {count} answers; name the question: {ids}.",
    ko="세션 {session_id}에서 {count}개의 답을 기다립니다. 어느 질문인지 지정하세요: {ids}.",
)
_NO_PLAN = Text(
    en="Session {session_id} has no plan to approve; it waits for an answer to: {question}",
    ko="세션 {session_id}에는 승인할 계획이 없습니다. 다음 질문의 답을 기다립니다: {question}",
)
_NO_TELEMETRY = Text(
    en="`telemetry` is configured, but its packages are missing ({problem}): pip install 'metaagent[telemetry]'.",
    ko="`telemetry`가 설정되었지만 필요한 패키지가 없습니다({problem}): pip install 'metaagent[telemetry]'.",
)
_NEWER_SESSION = Text(
    en="Session {session_id} was written by a newer metaagent (schema {found}; this one knows {known}). "
    "Update metaagent, or ask in a new session.",
    ko="세션 {session_id}은(는) 더 새로운 metaagent가 쓴 것입니다(스키마 {found}, 이 버전은 {known}까지 압니다). "
    "metaagent를 업데이트하거나 새 세션에서 물어보세요.",
)
_NOT_WRITABLE = Text(
    en="The data directory {path} cannot be used: {problem}. Choose another with --data-dir or METAAGENT_DATA_DIR.",
    ko="데이터 디렉터리 {path}을(를) 쓸 수 없습니다: {problem}. --data-dir 또는 METAAGENT_DATA_DIR로 다른 곳을 지정하세요.",
)


@dataclass(frozen=True)
class Answer:
    """How a turn stands: answered, waiting for the person, failed or cancelled."""

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
        """What the person is asked, if the turn waits."""
        return next(iter(self.content.get("waiting") or ()), None)


@dataclass(frozen=True)
class _Given:
    """An answer, and who gave it by which call."""

    answer: Any
    question_id: str | None
    reason: str
    user: User
    call: str
    own: bool

    @property
    def decision(self) -> Json:
        """On a plan. Whatever the answer says about it, it was made by this person."""
        said = cast("Json", self.answer) if isinstance(self.answer, dict) else {"decision": self.answer}
        why = {"reason": self.reason} if self.reason else {}
        return {**said, **why, "by": self.user.user_id}


class MetaAgent:
    """Open with `async with MetaAgent.open(...) as app`."""

    def __init__(
        self,
        settings: Settings,
        vault: Vault,
        store: SqlStore,
        registry: Registry,
        ports: AgentPorts,
        graph: Any,
        checkpointer: StateCheckpointer,
        saver: Saver,
        reasoner: Reasoner,
        clock: Clock,
        records: Mapping[str, TrackRecord],
        gatekeeper: Gatekeeper,
        governance: Governance,
        telemetry: Telemetry = SILENT,
        model: ChatModelSource | None = None,
        rules: Teachable | None = None,
    ) -> None:
        self.settings = settings
        self.registry = registry
        self.governance = governance
        self._gatekeeper = gatekeeper
        self._vault = vault
        self._store = store
        self._ports = ports
        self._graph = graph
        self._writes = saver.steps
        self._reasoner = reasoner
        self._clock = clock
        self._checkpointer = checkpointer
        self._records = dict(records)
        self._telemetry = telemetry
        self._model = model
        self._rules = rules
        self._recalled: dict[str, list[Json]] = {}
        self._redactor = Redactor()
        self._gates: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        limits = settings.limits
        self._breaker = CircuitBreaker(limits.breaker_failures, limits.breaker_seconds)
        self._worker = TurnWorker(
            graph,
            store,
            checkpointer,
            saver.running,
            clock,
            self._desk,
            lambda turn_id: self._engine.was_cancelled(turn_id),
            self._learn,
            ports.memory.learning,
            4 * settings.limits.iterations + 10,
        )
        self._run_turn = traced_turn(self._worker.run, telemetry)
        self._engine = InProcessEngine(
            store,
            settings.data_dir / "locks",
            self._run_turn,
            self._worker.cancel,
            self._open_journal,
            settings.limits.running_turns,
        )
        self._keeping = Keeping(
            settings,
            store,
            checkpointer,
            graph,
            vault,
            clock,
            lambda session_id: self._engine.claim(session_id),
        )

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        config: Settings | Path | str | Mapping[str, Any] | None = None,
        *,
        agents: Sequence[AgentSpec] = (),
        reasoner: Reasoner | None = None,
        clock: Clock | None = None,
        telemetry: Telemetry | None = None,
        model: BaseChatModel | None = None,
    ) -> AsyncGenerator[MetaAgent]:
        """`agents` are added to the installed ones; reasoner, clock, telemetry and model take the place of the defaults
        or of what is configured. A given reasoner does without the model; agents may use it."""
        settings = _settings(config)
        source = _model(settings, model)
        _prepare(settings.data_dir)
        async with AsyncExitStack() as stack:
            url = settings.storage.url or sqlite_url(settings.data_dir / "metaagent.db")
            policies = policies_of(settings.access)
            vault = Vault(await asyncio.to_thread(open_ring, settings))
            store = SqlStore(url, vault)
            stack.push_async_callback(store.close)
            await store.open()
            audit = await asyncio.to_thread(
                SqlAuditLog, url, vault.ring, NoteFiles(settings.data_dir / "audit")
            )
            stack.callback(audit.close)
            guard_erasure(audit)
            for tenant in vault.ring.tenants():
                await asyncio.to_thread(keep_erased, audit, tenant)
            store.tell(audit)
            registry = _with_agents(load_registry(settings.agents), agents)
            gatekeeper = Gatekeeper(policies, audit)
            if settings.agents.isolate:
                host = ChildHost()
                stack.push_async_callback(host.close)
                registry = isolated(registry, settings.agents.isolate, host)
                if settings.agents.isolate.keys() & registry.agents.keys():
                    await host.start()
            domain = OpenDomain(settings)
            rules = domain.reasoner()
            ports = AgentPorts(settings, store, vault, clock or SystemClock(), domain.data)
            stack.push_async_callback(ports.close)
            checkpoints = settings.data_dir / "checkpoints.db"
            saver = await stack.enter_async_context(Saver.open(checkpoints, serde=vault.serde()))
            checkpointer = StateCheckpointer(saver, _retention(settings), cascade=[store.delete_session])
            own = [SealedRows(store), SealedCheckpoints(saver), SealedLogs(settings.data_dir)]
            stores = Stores(
                settings, vault, store, checkpointer, audit, ports.erase, lambda: [*own, *ports.sealed()]
            )
            app = cls(
                settings,
                vault,
                store,
                registry,
                ports,
                build_graph(saver),
                checkpointer,
                saver,
                reasoner or rules,
                clock or SystemClock(),
                await store.records(),
                gatekeeper,
                Governance(stores, gatekeeper, clock or SystemClock()),
                telemetry or _telemetry(settings, stack),
                source,
                None if reasoner else rules,
            )
            stack.push_async_callback(app._engine.close)
            await note_configuration(settings, vault.ring, store, audit)
            await app._keeping.settle_all()
            yield app

    # --- asking -----------------------------------------------------------------------------------------

    async def ask(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
    ) -> Answer:
        """Answer a question. An unfinished turn of the session is finished first; one that waits is never overrun."""
        turn = await self._begin(text, session_id, user or User(), on_waiting)
        return await self._outcome(turn.turn_id)

    async def stream(
        self,
        text: str,
        *,
        session_id: str | None = None,
        user: User | None = None,
        on_waiting: OnWaiting = "refuse",
    ) -> AsyncIterator[Json]:
        """The turn's events as they happen, until it has ended or waits."""
        turn = await self._begin(text, session_id, user or User(), on_waiting)
        async for event in self._engine.events(turn.turn_id):
            yield event

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
        turn = await self._continue(session_id, answer, question_id, user or User(), "resume", reason)
        return await self._outcome(turn.turn_id)

    async def stream_resume(
        self,
        session_id: str,
        answer: Any = None,
        *,
        question_id: str | None = None,
        reason: str = "",
        user: User | None = None,
    ) -> AsyncIterator[Json]:
        turn = await self._continue(session_id, answer, question_id, user or User(), "resume", reason)
        seen = len(await self._store.event_keys(turn.turn_id)) if answer is not None else 0
        async for event in self._engine.events(turn.turn_id, seen):
            yield event

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
        turn = await self._continue(session_id, decision, question_id, user or User(), "approve", reason)
        return (await self._outcome(turn.turn_id)).status

    async def approvals(self, *, user: User | None = None) -> list[Json]:
        """Plans that wait and that this person may decide on: who asked, since when, and the plan as a question."""
        who = await self._admitted("approvals", user)
        everyones = self._gatekeeper.rights(who).may(CALLS["approvals"], own=False)
        return [
            {
                "session_id": turn.session_id,
                "turn_id": turn.turn_id,
                "asked_by": turn.user.user_id,
                "since": turn.started_at,
                **question,
            }
            for turn in await self._store.waiting(who.company_id)
            for question in turn.waiting
            if question["kind"] == "approval" and (everyones or turn.user.user_id == who.user_id)
        ]

    async def events(self, turn_id: str, *, after: int = 0, user: User | None = None) -> AsyncIterator[Json]:
        """For a late or reconnecting reader: everything after the last seq it saw."""
        await self._turn(turn_id, user or User())
        async for event in self._engine.events(turn_id, after):
            yield event

    async def cancel(self, session_id: str, *, user: User | None = None) -> bool:
        """Stop the session's running or waiting turn. What it finished is kept."""
        await self._session(session_id, user or User(), CALLS["cancel"])
        turn = await self._store.last_turn(session_id)
        if turn is None:
            return False
        return await self._engine.cancel(turn.turn_id) or await self._cancel_idle(turn)

    async def pause(self, session_id: str, *, user: User | None = None) -> bool:
        """Steps under way finish; no other starts until `unpause`. False if no turn is running here."""
        await self._session(session_id, user or User(), CALLS["pause"])
        gate = self._gates.get(session_id)
        if gate is not None:
            gate.clear()
        return gate is not None

    async def unpause(self, session_id: str, *, user: User | None = None) -> bool:
        await self._session(session_id, user or User(), CALLS["unpause"])
        gate = self._gates.get(session_id)
        if gate is not None:
            gate.set()
        return gate is not None

    async def disable(self, name: str, *, user: User | None = None) -> None:
        """The kill switch: from now on this agent or capability is not started again, in running turns neither."""
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS["disable"], what=name)
        self.registry.disabled.add(name)  # first of all, whatever becomes of the entry
        await self._gatekeeper.note(who, "agent.disabled", {"name": name[:128]})

    async def enable(self, name: str, *, user: User | None = None) -> None:
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS["enable"], what=name)
        await self._gatekeeper.note(who, "agent.enabled", {"name": name[:128]})
        self.registry.disabled.discard(name)

    # --- looking ----------------------------------------------------------------------------------------

    async def state(self, session_id: str, *, user: User | None = None) -> GlobalSessionState:
        """The session's state at its newest sound checkpoint; a warning in it says if that is not the newest."""
        info = await self._session(session_id, user or User(), CALLS["state"])
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
        """How a turn stands, whoever ran it."""
        turn = await self._turn(turn_id, user or User())
        return Answer(turn.status, turn.outcome)

    async def sessions(
        self, *, user: User | None = None, limit: int = 100, before: str | None = None
    ) -> list[SessionInfo]:
        who = await self._admitted("sessions", user)
        return self._with_status(await self._store.list_sessions(who, limit=limit, before=before))

    async def session(self, session_id: str, *, user: User | None = None) -> SessionInfo:
        (info,) = self._with_status([await self._session(session_id, user or User(), CALLS["session"])])
        return info

    async def turns(self, session_id: str, *, user: User | None = None, limit: int = 100) -> list[Turn]:
        """The newest first. One that cannot be read has no question, and its refusal among its errors."""
        await self._session(session_id, user or User())
        return await self._store.show_turns(session_id, limit=limit)

    async def inspect(self, session_id: str, *, user: User | None = None) -> StateInspector:
        """Snapshots, field histories, differences and pictures of the session's turns."""
        await self._session(session_id, user or User(), CALLS["inspect"])
        turn = await self._store.last_turn(session_id)
        checkpoints = OwnedCheckpoints(self._checkpointer, turn.user if turn else user or User())
        return StateInspector(session_id, self._store, checkpoints, StateMonitor(default_serde()))

    async def history(
        self, session_id: str, *, before: int | None = None, limit: int = 50, user: User | None = None
    ) -> list[Json]:
        """Everything that was said, the newest first; `before` pages on from a message's position."""
        await self._session(session_id, user or User())
        return await self._store.history(session_id, before=before, limit=limit)

    async def search_history(
        self,
        session_id: str,
        text: str,
        *,
        before: int | None = None,
        limit: int = 50,
        user: User | None = None,
    ) -> list[Json]:
        """What was said that holds the text, the newest first."""
        await self._session(session_id, user or User())
        admit_question(text, self.settings.limits.question_bytes)
        return await self._store.search_history(session_id, text, before=before, limit=limit)

    async def search_sessions(
        self, text: str, *, limit: int = 100, user: User | None = None
    ) -> list[SessionInfo]:
        """Sessions that began with a question which holds the text."""
        admit_question(text, self.settings.limits.question_bytes)
        who = await self._admitted("search_sessions", user)
        return self._with_status(await self._store.search_sessions(who, text, limit=limit))

    def _with_status(self, found: Sequence[SessionInfo]) -> list[SessionInfo]:
        """A turn that runs, but that nobody works on, was cut off."""
        return [
            replace(info, status="interrupted")
            if info.status in {"queued", "running"} and not self._engine.is_at_work(info.session_id)
            else info
            for info in found
        ]

    # --- what is remembered of a person -------------------------------------------------------------------

    async def memories(self, *, user: User | None = None) -> list[Json]:
        who = await self._admitted("memories", user)
        return [memory.as_json() for memory in await self._ports.memory.all(who)]

    async def remember(self, text: str, *, user: User | None = None) -> Json:
        """Keep a fact or preference, said as to the agent: '내 담당 지역은 부산', 'answer in English'."""
        who = await self._admitted("remember", user)
        said = admit_question(text, self.settings.limits.question_bytes)
        moment = self._clock.now().astimezone(self.settings.zone)
        (note,) = read_requests(said, (), moment, explicit=True).requests
        ((made, old),) = await self._ports.memory.remember(who, [note], {})
        return as_changed(made, old, self._language(said))

    async def forget(self, about: str, *, user: User | None = None) -> list[Json]:
        """By id, name or words; what was forgotten."""
        memory, who = self._ports.memory, await self._admitted("forget", user)
        found = await memory.find(who, about)
        await memory.forget(who, [each.id for each in found])
        return [each.as_json() for each in found]

    async def erase_memories(self, user: User) -> int:
        """Everything that is remembered of this person; how many things that were."""
        return await self._ports.memory.erase(await self._admitted("erase_memories", user))

    async def artifact(self, session_id: str, artifact_id: str, *, user: User | None = None) -> Any:
        who = user or User()
        await self._session(session_id, who, CALLS["artifact"])
        kind = await self._store.artifact_kind(session_id, admit_id(artifact_id, "artifact"))
        if kind is not None and not self._gatekeeper.rights(who).sees(kind):
            await self._gatekeeper.refused(who, CALLS["artifact"], reason="kind", what=kind)
            raise AccessDenied(DENIED, operation=f"artifact:{kind}", roles=", ".join(who.roles))
        content = await self._store.artifact(session_id, admit_id(artifact_id, "artifact"))
        if content is None:
            raise UnknownSession(_UNKNOWN_SESSION, session_id=f"{session_id}/{artifact_id}")
        return decode_artifact(content)

    async def record_export(
        self, session_id: str, artifact_id: str, form: str, content: bytes, *, user: User | None = None
    ) -> None:
        """An artifact leaves as a file: the trail can tell by the file's hash where it came from."""
        who = user or User()
        await self._session(session_id, who, CALLS["record_export"])
        told = {
            "artifact": admit_id(artifact_id, "artifact"),
            "format": admit_id(form, "format"),
            "file_sha256": hashlib.sha256(content).hexdigest(),
        }
        await self._gatekeeper.note(who, "artifact.exported", told, session=session_id)

    async def delete_session(self, session_id: str, *, user: User | None = None) -> dict[str, int]:
        """Everything that belongs to the session, in every store; what was removed, by kind."""
        async with self._held(session_id, user or User(), CALLS["delete_session"], unread=True):
            removed = await self._keeping.delete(session_id)
            await self._gatekeeper.note(user or User(), "session.deleted", removed, session=session_id)
            return removed

    # --- whole sessions ---------------------------------------------------------------------------------

    async def checkpoints(self, session_id: str, *, user: User | None = None) -> list[CheckpointInfo]:
        """Where `restore` and `fork` can go to, the newest first."""
        await self._session(session_id, user or User(), CALLS["checkpoints"])
        return await self._keeping.checkpoints(session_id)

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
            place = await self._keeping.place(session_id, owner, turn, name)
            await self._drop_last(session_id, on_waiting)
            return await self._keeping.restore(session_id, who, place)

    async def fork(
        self, session_id: str, *, turn: int | None = None, name: str | None = None, user: User | None = None
    ) -> SessionInfo:
        """A new session that continues from the end of a turn of this one."""
        who = user or User()
        async with self._held(session_id, who, CALLS["fork"]) as (info, owner):
            place = await self._keeping.place(session_id, owner, turn, name)
            return await self._keeping.fork(info, who, place)

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
            bundle = without_artifacts(await self._keeping.present(info, owner), sees)
            return await self._keeping.export(bundle, who, full=full, passphrase=passphrase)

    async def import_session(
        self, archive: bytes, *, passphrase: str | None = None, user: User | None = None
    ) -> SessionInfo:
        """An exported session as a new one of this person. A damaged or hostile archive changes nothing."""
        return await self._keeping.take_in(archive, await self._admitted("import_session", user), passphrase)

    async def prune_session(self, session_id: str, *, user: User | None = None) -> Pruned:
        """Checkpoints beyond the retention, and artifacts that nothing kept refers to."""
        who = user or User()
        async with self._held(session_id, who, CALLS["prune_session"]) as (_, owner):
            return await self._keeping.prune(session_id, owner)

    # --- inside -----------------------------------------------------------------------------------------

    async def _begin(self, text: str, session_id: str | None, user: User, on_waiting: OnWaiting) -> Turn:
        question = admit_question(text, self.settings.limits.question_bytes)
        await self._gatekeeper.require(admit_user(user), CALLS["ask"])
        check_room(self.settings.data_dir)
        known = await self._ports.memory.recall(user, question)
        language = self._language(question, preferences_of(known).get("language"))
        now = iso(self._clock.now())
        new: SessionInfo | None = None
        if session_id is None:
            session_id = f"s{secrets.token_hex(8)}"
            title = " ".join(question.split())[:80]
            new = SessionInfo(
                session_id,
                user.company_id,
                self._vault.alias(user),
                title,
                now,
                now,
                0,
                "new",
                STATES.newest,
            )
        else:
            await self._session(session_id, user, CALLS["ask"])
        claim = self._engine.claim(session_id)
        try:
            number, follows = (1, 0) if new else await self._next_number(session_id, user, on_waiting)
            turn_id = f"t{secrets.token_hex(8)}"
            turn = Turn(
                turn_id, session_id, number, "running", question, language, user, now, follows=follows
            )
            await self._store.add_turn(turn, new)
            self._recalled[turn_id] = known
            await self._engine.submit(turn, claim, fresh=True)
        except BaseException:
            claim.release()
            raise
        return turn

    @asynccontextmanager
    async def _held(
        self, session_id: str, user: User, operation: str, *, unread: bool = False
    ) -> AsyncGenerator[tuple[SessionInfo, User]]:
        """The session and whose it is, with nobody else at work on it. `unread` looks at nothing that may be damaged."""
        await self._session(session_id, user, operation, unread=unread)
        claim = self._engine.claim(session_id)
        try:
            await self._keeping.settle(session_id)
            last = None if unread else await self._store.last_turn(session_id)
            yield await self._session(session_id, user, operation, unread=unread), last.user if last else user
        finally:
            claim.release()

    async def _settle_pending(self, session_id: str) -> None:
        """What a killed process left to do. Whoever works on the session has done it already."""
        if await self._store.pending(session_id) is None:
            return
        with suppress(TurnRunning):
            claim = self._engine.claim(session_id)
            try:
                await self._keeping.settle(session_id)
            finally:
                claim.release()

    async def _sound_state(self, session_id: str, error: RowRefused) -> GlobalSessionState:
        found = await self._checkpointer.look(session_id)
        warning = refused_warning(error, found.warnings, iso(self._clock.now()))
        values = found.saved.checkpoint["channel_values"]
        return cast("GlobalSessionState", {**values, "warnings": [*values.get("warnings", ()), warning]})

    async def _drop_last(self, session_id: str, on_waiting: OnWaiting) -> None:
        """A turn that is going to be undone is not finished first; one that waits only goes if that is meant."""
        last = await self._store.last_turn(session_id)
        if last is None or last.status in ENDED:
            return
        if last.status == "waiting" and on_waiting == "refuse":
            raise TurnWaiting(_WAITING, session_id=session_id, question=last.waiting[0]["question"])
        await self._discard(last)

    async def _next_number(self, session_id: str, user: User, on_waiting: OnWaiting) -> tuple[int, int]:
        """The number of the turn that begins, and of the one that it follows."""
        await self._keeping.settle(session_id)
        last = await self._settle_last(session_id, on_waiting)
        if self.settings.retention.artifact_turns and last % COLLECT_EVERY == 0:
            try:
                await self._keeping.collect(session_id, user)
            except (RowRefused, KeyUnavailable) as error:
                # What a damaged row refers to is not known: nothing goes, and the question is answered.
                logger.error("artifacts of session %s were not collected: %s", session_id, error)
        return last + 1, await self._store.live_turn(session_id)

    async def _settle_last(self, session_id: str, on_waiting: OnWaiting) -> int:
        """Finish or discard what an earlier question left behind; its number."""
        last = await self._store.last_turn(session_id)
        if last is None:
            return 0
        if last.status in {"queued", "running"}:
            await self._run_turn(last, await self._open_journal(last))
            last = await self._store.turn(last.turn_id) or last
        if last.status == "waiting":
            if on_waiting == "refuse":
                raise TurnWaiting(_WAITING, session_id=session_id, question=last.waiting[0]["question"])
            await self._discard(last)
        return last.number

    async def _continue(
        self, session_id: str, answer: Any, question_id: str | None, user: User, call: str, reason: str
    ) -> Turn:
        info = await self._session(session_id, user, CALLS[call])
        given = _Given(answer, question_id, reason, user, call, own=info.owner == self._vault.alias(user))
        check_room(self.settings.data_dir)
        claim = self._engine.claim(session_id)
        try:
            await self._keeping.settle(session_id)
            turn = await self._store.last_turn(session_id)
            if turn is None or turn.status not in {"queued", "running", "waiting"}:
                raise NothingToResume(_NOTHING, session_id=session_id, status=turn.status if turn else "new")
            if given.own:  # as they are now; who decides on another's plan lends them nothing
                turn = replace(turn, user=replace(turn.user, roles=user.roles))
            if turn.status == "waiting":
                turn = replace(turn, status="running", answers=await self._answers(turn, given))
                await self._store.save_turn(turn)
            elif answer is not None:
                turn = await self._answered_after_crash(turn, given)
            await self._engine.submit(turn, claim)
        except BaseException:
            claim.release()
            raise
        return turn

    async def _answered_after_crash(self, turn: Turn, given: _Given) -> Turn:
        """An answer to a turn that was left unfinished: it is finished first; then the answer counts if it waits."""
        await self._run_turn(turn, await self._open_journal(turn))
        turn = await self._store.turn(turn.turn_id) or turn
        if turn.status != "waiting":
            raise NothingToResume(_NOTHING, session_id=turn.session_id, status=turn.status)
        turn = replace(turn, status="running", answers=await self._answers(turn, given))
        await self._store.save_turn(turn)
        return turn

    async def _answers(self, turn: Turn, given: _Given) -> dict[str, Any]:
        answer = given.answer
        if answer is None or (isinstance(answer, str) and not answer.strip()):
            raise InputRefused(_NO_ANSWER, session_id=turn.session_id, question=turn.waiting[0]["question"])
        limits = self.settings.limits
        for said in (answer, given.reason):
            admit_answer(said, limit=limits.question_bytes, depth=limits.nesting_depth)
        asked = {question["id"]: question for question in turn.waiting}
        chosen = given.question_id or (next(iter(asked)) if len(asked) == 1 else None)
        if chosen is None or chosen not in asked:
            raise InputRefused(_WHICH, session_id=turn.session_id, count=len(asked), ids=", ".join(asked))
        if asked[chosen]["kind"] != "approval":
            if given.call == "approve" or given.reason:
                raise InputRefused(_NO_PLAN, session_id=turn.session_id, question=asked[chosen]["question"])
            return {chosen: answer}
        if given.call != "approve":
            await self._gatekeeper.require(given.user, CALLS["approve"], own=given.own, what=turn.session_id)
        return {chosen: given.decision}

    async def _cancel_idle(self, turn: Turn) -> bool:
        """A turn that waits, or that a crash left behind. False if it has ended or if someone else works on it."""
        try:
            claim = self._engine.claim(turn.session_id)
        except TurnRunning:
            return False
        try:
            now = await self._store.turn(turn.turn_id)
            if now is None or now.status in ENDED:
                return False
            await self._discard(now)
            return True
        finally:
            claim.release()

    async def _discard(self, turn: Turn) -> None:
        await self._worker.cancel(turn, await self._open_journal(turn))

    async def _admitted(self, call: str, user: User | None) -> User:
        """For what is the person's own, whatever it is about."""
        who = admit_user(user or User())
        await self._gatekeeper.require(who, CALLS[call])
        return who

    async def _session(
        self,
        session_id: str,
        user: User,
        operation: str = "session.read",
        *,
        asked_for: str = "",
        unread: bool = False,
    ) -> SessionInfo:
        """Another person's session looks exactly like one that does not exist, in the audit trail too."""
        what = asked_for or admit_id(session_id, "session")
        rights = await self._gatekeeper.require(admit_user(user), operation, what=what)
        info = await self._store.session(admit_id(session_id, "session"), unread=unread)
        if info is None or not self._may_touch(info, user, anyones=rights.may(operation, own=False)):
            await self._gatekeeper.refused(user, operation, reason="unknown", what=what)
            raise UnknownSession(_UNKNOWN_SESSION, session_id=session_id)
        if info.schema_version > STATES.newest:
            found, known = info.schema_version, STATES.newest
            raise NewerSchema(_NEWER_SESSION, session_id=session_id, found=found, known=known)
        return info

    def _may_touch(self, info: SessionInfo, user: User, *, anyones: bool) -> bool:
        return info.company_id == user.company_id and (anyones or info.owner == self._vault.alias(user))

    async def _turn(self, turn_id: str, user: User) -> Turn:
        """The refusal names what was asked for, never the session that it belongs to."""
        turn = await self._store.turn(admit_id(turn_id, "turn"))
        try:
            await self._session(turn.session_id if turn else turn_id, user, asked_for=turn_id)
        except UnknownSession as error:
            raise UnknownSession(_UNKNOWN_SESSION, session_id=turn_id) from error
        assert turn is not None, "an id that names no turn names no session"
        return turn

    async def _outcome(self, turn_id: str) -> Answer:
        turn = await self._engine.wait(turn_id)
        assert turn is not None, "a turn that ran is stored"
        return Answer(turn.status, turn.outcome)

    def _language(self, text: str, preferred: str | None = None) -> str:
        """The configuration's, else the one that the person asked for, else the question's own."""
        chosen = self.settings.language
        return (preferred or detect_language(text)) if chosen == "auto" else chosen

    async def _open_journal(self, turn: Turn, fresh: bool = False) -> Journal:
        written = None if fresh else await self._store.event_keys(turn.turn_id)
        return Journal(self._store, turn, self._clock, written)

    def _desk(self, turn: Turn, journal: Journal) -> Desk:
        limits = self.settings.limits
        earlier = turn.outcome.get("usage") or {}
        budget = Budget(limits.turn_seconds, limits.calls, limits.tokens, earlier)
        model = self._model.for_turn(budget) if self._model else None
        warned: list[Json] = []
        rights = self._gatekeeper.rights(turn.user)
        return Desk(
            turn=turn,
            journal=journal,
            settings=self.settings,
            registry=self.registry,
            reasoner=self._thinking(turn, journal, model, warned),
            clock=self._clock,
            budget=budget,
            writes=self._writes.of(turn.session_id),
            ports_for=self._ports.for_turn(turn, rights, refusals(turn, journal), model),
            rights=rights,
            records=self._records,
            redactor=self._redactor,
            breaker=self._breaker,
            gate=self._gate(turn.session_id),
            artifacts=self._earlier_artifacts(turn),
            telemetry=self._telemetry,
            recall=self._recall(turn),
            warned=warned,
        )

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

    def _recall(self, turn: Turn) -> Callable[[], Awaitable[list[Json]]]:
        """What the turn's beginning has looked up already; a resumed turn looks again."""
        known = self._recalled.pop(turn.turn_id, None)

        async def recall() -> list[Json]:
            nonlocal known
            if known is None:
                known = await self._ports.memory.recall(turn.user, turn.question)
            return known

        return recall

    def _learn(self, runs: Sequence[Run]) -> None:
        for run in runs:
            self._records[run.agent] = self._records.get(run.agent, TrackRecord()).plus(run)

    def _gate(self, session_id: str) -> asyncio.Event:
        """Lives as long as the turn that waits at it."""
        gate = self._gates[session_id] = asyncio.Event()
        gate.set()
        return gate

    def _earlier_artifacts(self, turn: Turn) -> Callable[[], Awaitable[list[ArtifactRef]]]:
        """What earlier turns made; looked up once. A first turn has none."""
        found: list[ArtifactRef] | None = [] if turn.number == 1 else None

        async def artifacts() -> list[ArtifactRef]:
            nonlocal found
            if found is None:
                refs = await self._store.artifact_refs(turn.session_id, not_of=turn.turn_id)
                rights = self._gatekeeper.rights(turn.user)
                found = [ref for ref in refs if rights.sees(ref.kind)]
            return found

        return artifacts


async def migrate_sessions(app: MetaAgent) -> Migrated:
    """Write every idle session's state as this version does, where it is older. For the operator, not for users."""
    return await app._keeping.migrate()  # pyright: ignore[reportPrivateUsage]


class SyncMetaAgent:
    """The same for code without an event loop: `with SyncMetaAgent(config) as app: app.ask(...)`."""

    def __init__(
        self, config: Settings | Path | str | Mapping[str, Any] | None = None, **options: Any
    ) -> None:
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


def _settings(config: Settings | Path | str | Mapping[str, Any] | None) -> Settings:
    if isinstance(config, Settings):
        return config
    if isinstance(config, Mapping):
        return load_settings(overrides=config)
    return load_settings(Path(config) if config is not None else None)


def _model(settings: Settings, given: BaseChatModel | None) -> ChatModelSource | None:
    if given is None and settings.model.name is None:
        return None
    from metaagent.adapters.chat_model import ChatModelSource

    source = ChatModelSource(settings.model, given)
    source.check_installed()
    return source


def _telemetry(settings: Settings, stack: AsyncExitStack) -> Telemetry:
    endpoint = endpoint_of(settings.telemetry, os.environ)
    if endpoint is None:
        return SILENT
    try:
        from metaagent.adapters.otlp import Otlp
    except ImportError as error:
        raise ConfigInvalid(_NO_TELEMETRY, problem=error) from error
    sending = Otlp.to(endpoint)
    stack.push_async_callback(sending.close)
    return sending


def open_ring(settings: Settings) -> KeyRing:
    """The keys of this installation; made at the first start, and never again where keys are already."""
    setting = settings.keys.provider or f"file:{settings.data_dir / 'kek'}"
    path = settings.data_dir / "keys.json"
    try:
        ring = KeyRing(path, provider(setting, create=not path.exists()))
        ring.check()
    except KeyUnavailable as error:
        raise missing_kek(error, path) from error
    return ring


def _retention(settings: Settings) -> Retention:
    return Retention(newest=settings.storage.checkpoints, turn_ends=settings.storage.turn_ends)


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(_NOT_WRITABLE, path=folder, problem=error.strerror) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StorageError(_NOT_WRITABLE, path=folder, problem="it is not writable")
    keep_reserve(folder)


def _with_agents(registry: Registry, agents: Sequence[AgentSpec]) -> Registry:
    added = {spec.name: spec for spec in agents}
    packages = {**registry.packages, **dict.fromkeys(added, "this program")}
    targets = {name: target for name, target in registry.targets.items() if name not in added}
    return replace(registry, agents={**registry.agents, **added}, packages=packages, targets=targets)
