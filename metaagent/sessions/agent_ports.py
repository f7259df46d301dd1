"""Gives each agent the ports that it declared, and says why one is withheld."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent import web_search
from metaagent.access.rights import Rights
from metaagent.audit import REFUSED, refusal
from metaagent.audit.waivers import waivers
from metaagent.config import LIBRARY_FILE, Settings
from metaagent.data.no_data_texts import NO_DATABASE, NOT_OF_COMPANY
from metaagent.errors import Failed, Text
from metaagent.governance.rule_packs import note_packs
from metaagent.journal import Journal, decode_artifact
from metaagent.plugin import AgentSpec
from metaagent.ports import ArtifactRef, ChatModel, Clock, GrantedPorts, Turn, User
from metaagent.security import StateSecurityManager
from metaagent.sessions.attachments import Attachments
from metaagent.sessions.domain import OpenDomain
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.documents import DocumentStore
from metaagent.storage.effects import EffectsOfTurn
from metaagent.storage.files import Folder, SealedFiles
from metaagent.storage.holds import HoldCheck
from metaagent.storage.library.database import LibraryDatabase
from metaagent.storage.memory_store import MemoryOfTurn, MemoryStore, index_opener
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.vault import Owner, Vault

if TYPE_CHECKING:
    from metaagent.data.semantic.model import Model
    from metaagent.governance.rekeying import SealedStore
    from metaagent.storage.chroma import ChromaFolder, ChromaIndex
    from metaagent.storage.library.engine import Engine
    from metaagent.storage.library.port import LibraryOfPerson
    from metaagent.storage.records.blobs import Blobs, Remote
    from metaagent.storage.records.port import RecordsOfPerson
    from metaagent.storage.records.record_store import RecordStore

Refuse = Callable[[str, str, str, str], None]
"""Called with a refusal: the agent, the step, what it reached for, and why it may not."""

_FORBIDDEN = Text(
    en="Agent '{agent}' needs ctx.{port}, which access.policies do not allow to the person who asks.",
    ko="에이전트 '{agent}'에 필요한 ctx.{port}을(를) access.policies가 질문한 사람에게 허용하지 않습니다.",
)
_HELD = Text(
    en="Agent '{agent}' needs ctx.{port}, which agents.withhold.{agent} in the configuration keeps from it.",
    ko="에이전트 '{agent}'에 필요한 ctx.{port}을(를) 설정의 agents.withhold.{agent}이(가) 막아 두었습니다.",
)
_NOT_CONFIGURED = Text(
    en="Agent '{agent}' needs ctx.{port}, which is not configured here.",
    ko="에이전트 '{agent}'에 필요한 ctx.{port}이(가) 설정되어 있지 않습니다.",
)
_SECURITY = StateSecurityManager()


class AgentPorts:
    """Holds what is opened once and shared by all turns. Heavy parts are opened when first asked for."""

    def __init__(
        self,
        settings: Settings,
        store: SqlStore,
        vault: Vault,
        clock: Clock,
        domain: OpenDomain,
        holds: HoldCheck,
        audit: SqlAuditLog,
    ) -> None:
        self._settings = settings
        self._domain = domain
        self._store = store
        self._vault = vault
        self._clock = clock
        self._database = LibraryDatabase(settings.data_dir / LIBRARY_FILE)
        shutil.rmtree(
            settings.data_dir / "memory", ignore_errors=True
        )  # vectors of an earlier version, without a key
        vectors = index_opener(settings.data_dir / "recall", vault, self._database)
        self.memory = MemoryStore(store, settings.memory, clock, vectors, holds)
        self.documents = DocumentStore(store, clock)
        self._holds = holds
        self._audit = audit

    async def close(self) -> None:
        if "_vectors" in self.__dict__:
            self._vectors.close()
        if "library" in self.__dict__:
            self.library.chroma.folder.close()
        self._database.close()
        if "records" in self.__dict__:
            self.records.close()

    @cached_property
    def records(self) -> RecordStore:
        from metaagent.storage.records.database import WritableDatabase
        from metaagent.storage.records.ledger import Ledger
        from metaagent.storage.records.receipts import Places
        from metaagent.storage.records.record_store import RecordStore

        data, vault = self._settings.data, self._vault
        own = WritableDatabase(sqlite_url(self._stored_file))
        places = Places(
            Ledger("data.write_url", WritableDatabase(data.write_url), vault) if data.write_url else None,
            Ledger("stored.db", own, vault),
            self._stored_files,
            self._index,
        )
        return RecordStore(
            data, places, vault=vault, clock=self._clock, holds=self._holds, record=self._audit.record
        )

    @property
    def _stored_file(self) -> Path:
        return self._settings.data_dir / "stored.db"

    def _stored_files(self, user: User) -> Blobs:
        if self._remote is None:
            return self._files(user)
        from metaagent.storage.records.blobs import RemoteFolder

        return RemoteFolder(self._remote, self._vault, user)

    @cached_property
    def _remote(self) -> Remote | None:
        if self._settings.data.files_url is None:
            return None
        from metaagent.storage.records.blobs import Remote

        return Remote(self._settings.data.files_url)

    @property
    def model(self) -> Model | None:
        return self._domain.model

    def records_of(self, user: User, language: str, source: dict[str, str]) -> RecordsOfPerson:
        from metaagent.storage.records.port import RecordsOfPerson

        rules = {**self._domain.storage_rules, "confirm": self._settings.data.confirm}
        return RecordsOfPerson(
            self.records, user, model=self.model, rules=rules, language=language, source=source
        )

    def for_turn(
        self, turn: Turn, rights: Rights, refuse: Refuse, model: ChatModel | None = None
    ) -> Callable[[AgentSpec, str, Sequence[ArtifactRef]], GrantedPorts]:
        rules = self.rules(turn.user)

        def given(spec: AgentSpec, step_id: str, inputs: Sequence[ArtifactRef]) -> GrantedPorts:
            def why(text: Text, port: str) -> str:
                return text.say(turn.language, agent=spec.name, port=port, company=turn.user.company_id)

            held = self._settings.agents.withhold.get(spec.name, [])
            withheld = {name: why(_HELD, name) for name in held}
            withheld |= {name: why(_FORBIDDEN, name) for name in spec.needs if not rights.port(name)}
            reasons = dict.fromkeys(withheld, "not_granted")

            def refused(port: str) -> None:
                """Report a refusal. A port that is not configured is missing, not refused."""
                reason = reasons.get(port) if port in spec.needs else "not_declared"
                if reason is not None:
                    refuse(spec.name, step_id, f"port:{port}", reason)

            makers = {
                **self._makers(turn, spec, step_id, inputs, refuse),
                "llm": lambda: model,
                "library": lambda: self._library_of(turn, rights),
                "rules": lambda: rules,
                "web": lambda: web_search.opened(self._settings.retrieval, turn.language),
            }
            ports: dict[str, Any] = {}
            for name in spec.needs - set(withheld):
                port = makers[name]() if name in makers else None
                if port is None:
                    withheld[name] = why(self._no_data if name == "db" else _NOT_CONFIGURED, name)
                else:
                    ports[name] = port
            return GrantedPorts(ports, withheld, refused)

        return given

    def _makers(
        self, turn: Turn, spec: AgentSpec, step_id: str, inputs: Sequence[ArtifactRef], refuse: Refuse
    ) -> dict[str, Callable[[], Any]]:
        def not_an_input() -> None:
            refuse(spec.name, step_id, "artifact", "not_an_input")

        return {
            "db": lambda: self.database(turn.user, turn.language),
            "artifacts": lambda: _Artifacts(self._store, turn.session_id, inputs, not_an_input),
            "log": lambda: _Log(f"metaagent.agents.{spec.name}", turn.turn_id, step_id),
            "clock": lambda: self._clock,
            "user": lambda: turn.user,
            "files": lambda: self._files(turn.user),
            "vectors": lambda: self._index(turn.user),
            "progress": lambda: True,
            "memory": lambda: MemoryOfTurn(self.memory, turn) if self._settings.memory.enabled else None,
            "records": lambda: self.records_of(
                turn.user, turn.language, {"session": turn.session_id, "turn": turn.turn_id}
            ),
            "templates": lambda: TemplatesOfDomain(self._domain.template_files),
            "effects": lambda: self.effects(turn),
        }

    def effects(self, turn: Turn) -> EffectsOfTurn:
        return EffectsOfTurn(self._store, self._clock, turn)

    def database(self, user: User, language: str) -> Any:
        source = self._domain.data()
        return None if source is None else source.open(user, language)

    @property
    def _no_data(self) -> Text:
        return NO_DATABASE if self._domain.data() is None else NOT_OF_COMPANY

    def rules(self, user: User) -> RulesOfTurn:
        def in_force() -> list[dict[str, Any]]:
            today = self._clock.now().astimezone(self._settings.zone).date()
            return [w._asdict() for w in waivers(self._audit, user.tenant, today)]

        return RulesOfTurn(self._domain.rule_files, in_force, partial(self._note_packs, user))

    async def _note_packs(self, user: User, files: Mapping[str, str]) -> None:
        """Put on record which packs are used, where they differ from before. Packs that cannot be loaded judge nothing."""
        from metaagent.level2.compliance.packs import RulesInvalid, load_rules

        try:
            book = await asyncio.to_thread(load_rules, files)
        except RulesInvalid:
            return
        versions = {
            f"{pack.pack} {pack.version}": {
                "version": pack.version,
                "hash": book.hashes[f"{pack.pack} {pack.version}"],
            }
            for pack in book.packs
        }
        await note_packs(self._store, user.tenant, versions)

    async def erase(self, user: User, alias: str) -> dict[str, int]:
        """Erase what is kept for this person outside the sessions, by store; their key must still exist."""
        kids = self._vault.ring.person_kids(user.tenant, user.user_id)
        stored = await self.records.erase(user, alias) if self._stored_anything else {}
        files = await self._files(user).erase(kids)
        if self._remote is not None:
            files += await self._stored_files(user).erase(kids)
        vectors = await self._index(user).erase() if self._vectors.exists else 0
        memories = await self.memory.erase(user)
        knowledge = await self.library.erase(Owner.of(user)) if self._database.exists else {}
        written = await self.documents.erase(user, alias)
        counts = {"files": files, "vectors": vectors, "memories": memories, "written_documents": written}
        return {**counts, **stored, **knowledge}

    async def forget_session(self, session_id: str) -> None:
        """Remove what was attached to a conversation that is deleted."""
        if self._database.exists:
            await self.library.forget_session(session_id)

    @property
    def _stored_anything(self) -> bool:
        return self._settings.data.write_url is not None or self._stored_file.exists()

    async def expire(self, user: User, now: datetime) -> int:
        """Drop what was stored for the company and is to be kept no longer."""
        return await self.records.expire(user, now) if self._stored_anything else 0

    def sealed(self) -> list[SealedStore]:
        """List the stores outside the sessions that are to be sealed again."""
        from metaagent.storage.chroma import SealedVectors
        from metaagent.storage.library.rekeying import SealedLibrary
        from metaagent.storage.records.ledger import SealedReceipts

        receipts = [SealedReceipts(self.records.places.ledgers)] if self._stored_anything else []
        remote = [self._remote] if self._remote is not None else []
        files = SealedFiles(self._settings.data_dir / "files")
        library = [SealedLibrary(self._database)] if self._database.exists else []
        return [files, SealedVectors(self._vectors), *receipts, *remote, *library]

    def _files(self, user: User) -> Folder:
        # Names of tenants are free text: the folder's name is made from a digest, as Chroma's collections are.
        digest = hashlib.sha256(user.company_id.encode()).hexdigest()[:32]
        return Folder(self._settings.data_dir / "files" / digest, self._vault, Owner.of(user))

    def _index(self, user: User) -> ChromaIndex:
        from metaagent.storage.chroma import ChromaIndex

        return ChromaIndex(self._vectors, self._vault, Owner.of(user))

    @cached_property
    def library(self) -> Engine:
        """The documents that are searched: opened by whoever first searches or adds one."""
        from metaagent.storage.chroma import ChromaFolder
        from metaagent.storage.library.embedders import EmbedderSource
        from metaagent.storage.library.engine import Engine

        folder = ChromaFolder(self._settings.data_dir / "library", self._database)
        embedders = EmbedderSource(self._settings.embeddings)
        morphemes = self._settings.retrieval.morphemes
        return Engine(
            self._database,
            folder,
            vault=self._vault,
            embedders=embedders,
            clock=self._clock,
            analyser=morphemes,
        )

    @cached_property
    def attachments(self) -> Attachments:
        return Attachments(
            self._files,
            lambda: self.library,
            store=self._store,
            clock=self._clock,
            settings=self._settings,
            holds=self._holds,
        )

    def _library_of(self, turn: Turn, rights: Rights) -> LibraryOfPerson:
        from metaagent.storage.library.port import LibraryOfPerson

        return LibraryOfPerson(self.library, turn.user, rights.searches, turn.session_id)

    @cached_property
    def _vectors(self) -> ChromaFolder:
        from metaagent.storage.chroma import ChromaFolder

        return ChromaFolder(self._settings.data_dir / "vectors", self._database)


class _Artifacts:
    def __init__(
        self, store: SqlStore, session_id: str, inputs: Sequence[ArtifactRef], refused: Callable[[], None]
    ) -> None:
        self._store = store
        self._refused = refused
        self._session_id = session_id
        self._allowed = {ref.id for ref in inputs}

    async def read(self, ref: ArtifactRef) -> Any:
        if ref.id not in self._allowed:
            self._refused()
        content = await self._store.artifact(self._session_id, ref.id) if ref.id in self._allowed else None
        if content is None:
            raise Failed(f"artifact {ref.id!r} is not an input of this step")
        return decode_artifact(content)


class TemplatesOfDomain:
    """The `templates` port."""

    def __init__(self, read: Callable[[], dict[str, bytes]]) -> None:
        self._read = read

    async def files(self) -> dict[str, bytes]:
        return await asyncio.to_thread(self._read)


class RulesOfTurn:
    """The `rules` port: packs are read when the turn first asks for them, and stay the same until it ends. Packs that were
    not there the last time, or were others, are on record before anything is judged by them."""

    def __init__(
        self,
        read: Callable[[], dict[str, str]],
        in_force: Callable[[], list[dict[str, Any]]] = list,
        note: Callable[[Mapping[str, str]], Awaitable[None]] | None = None,
    ) -> None:
        self._read = read
        self._in_force = in_force
        self._note = note
        self._files: dict[str, str] | None = None

    async def files(self) -> dict[str, str]:
        if self._files is None:
            self._files = await asyncio.to_thread(self._read)
            if self._note is not None:
                await self._note(self._files)
        return dict(self._files)

    async def waivers(self) -> list[dict[str, Any]]:
        """Waivers of the person's company that are in force now: one that was ended counts no more, even in this turn."""
        return await asyncio.to_thread(self._in_force)


class _Log:
    """The `log` port: writes to the standard logging, redacted, with the turn and the step."""

    def __init__(self, name: str, turn_id: str, step_id: str) -> None:
        self._logger = logging.getLogger(name)
        self._place = {"turn_id": turn_id, "step_id": step_id}

    def info(self, message: str, **fields: Any) -> None:
        self._logger.info("%s %s", *self._clean(message, fields))

    def warning(self, message: str, **fields: Any) -> None:
        self._logger.warning("%s %s", *self._clean(message, fields))

    def _clean(self, message: str, fields: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        return (
            _SECURITY.sanitize_state_for_logging(str(message)),
            {**_SECURITY.sanitize_state_for_logging(dict(fields)), **self._place},
        )


def refusals(rights: Rights, journal: Journal) -> Refuse:
    """An agent that reached for something it may not have is on record: once for each step and thing, or it could fill
    the trail."""
    told: set[str] = set()
    loop = asyncio.get_running_loop()

    def refuse(agent: str, step_id: str, what: str, reason: str) -> None:
        key = f"step:{step_id}:{agent}:{what}"
        if key not in told:
            told.add(key)
            details = refusal("port.use", what, reason, rights.roles, step=step_id)
            entry = partial(journal.audit, REFUSED, key, agent=agent, **details)
            entry() if _runs_here(loop) else loop.call_soon_threadsafe(entry)

    return refuse


def _runs_here(loop: asyncio.AbstractEventLoop) -> bool:
    """An agent may use what it was given in a thread of its own."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False
