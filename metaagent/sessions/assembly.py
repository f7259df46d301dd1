"""Opens the parts of a MetaAgent and puts them together; they are closed in the opposite order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import policies_of
from metaagent.audit.erasure import finish_erasures, keep_erased
from metaagent.audit.holds import guard_erasure
from metaagent.config import Settings, load_settings
from metaagent.errors import ConfigInvalid, KeyUnavailable, StorageError, Text
from metaagent.governance.governance import Governance, Stores, note_configuration
from metaagent.isolation.host import ChildHost, declared_elsewhere, isolated
from metaagent.plugin import AgentSpec
from metaagent.ports import Claim, Clock, Reasoner, Teachable, TrackRecord
from metaagent.protection.keys import KeyRing, missing_kek, provider
from metaagent.registry import Registry, load_registry
from metaagent.sessions.agent_ports import AgentPorts
from metaagent.sessions.domain import OpenDomain
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.audit_notes import NoteFiles
from metaagent.storage.checkpoints.retention import Retention, StateCheckpointer
from metaagent.storage.checkpoints.turn_saver import Saver
from metaagent.storage.disk_reserve import keep_reserve
from metaagent.storage.holds import HoldCheck
from metaagent.storage.locks import lock_session
from metaagent.storage.logs import SealedLogs
from metaagent.storage.rekey_checkpoints import SealedCheckpoints
from metaagent.storage.rekey_rows import SealedRows
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.vault import Vault
from metaagent.telemetry.spans import SILENT, Telemetry, endpoint_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from metaagent.models import ChatModelSource

_NO_TELEMETRY = Text(
    en="`telemetry` is configured, but its packages are missing ({problem}): pip install 'metaagent[telemetry]'.",
    ko="`telemetry`가 설정되었지만 필요한 패키지가 없습니다({problem}): pip install 'metaagent[telemetry]'.",
)
_NO_KEY_FILE = Text(
    en="The key file {path} is missing, and what lies beside it was sealed with its keys. Restore it from a backup: with new "
    "keys, nothing of it could be read. To begin anew, use an empty data directory.",
    ko="키 파일 {path}이(가) 없고, 같은 폴더의 자료는 그 키로 봉인되어 있습니다. 백업에서 복구하세요. 새 키로는 아무것도 "
    "읽을 수 없습니다. 새로 시작하려면 빈 데이터 디렉터리를 쓰세요.",
)
_NOT_WRITABLE = Text(
    en="The data directory {path} cannot be used: {problem}. Choose another with --data-dir or METAAGENT_DATA_DIR.",
    ko="데이터 디렉터리 {path}을(를) 쓸 수 없습니다: {problem}. --data-dir 또는 METAAGENT_DATA_DIR로 다른 곳을 지정하세요.",
)

Config = Settings | Path | str | Mapping[str, Any] | None
"""Settings, where they are written, or what differs from the defaults."""


@dataclass(frozen=True)
class Parts:
    """The open parts that a MetaAgent is made of."""

    settings: Settings
    vault: Vault
    store: SqlStore
    registry: Registry
    ports: AgentPorts
    domain: OpenDomain
    saver: Saver
    checkpointer: StateCheckpointer
    reasoner: Reasoner
    rules: Teachable | None
    """The rules that a model helps; none where a reasoner was given."""
    model: ChatModelSource | None
    clock: Clock
    records: Mapping[str, TrackRecord]
    gatekeeper: Gatekeeper
    governance: Governance
    telemetry: Telemetry
    holds: HoldCheck

    @property
    def locks(self) -> Path:
        return self.settings.data_dir / "locks"

    def claim(self, session_id: str) -> Claim:
        """Take the right to run a turn of this session; raises TurnRunning if another has it."""
        return lock_session(self.locks, session_id)

    @contextmanager
    def claimed(self, session_id: str) -> Generator[None]:
        claim = self.claim(session_id)
        try:
            yield
        finally:
            claim.release()


@asynccontextmanager
async def assemble(
    config: Config,
    *,
    agents: Sequence[AgentSpec],
    reasoner: Reasoner | None,
    clock: Clock,
    telemetry: Telemetry | None,
    model: BaseChatModel | None,
) -> AsyncGenerator[Parts]:
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
        audit = await asyncio.to_thread(SqlAuditLog, url, vault.ring, NoteFiles(settings.data_dir / "audit"))
        stack.callback(audit.close)
        guard_erasure(audit)
        for tenant in vault.ring.tenants():
            await asyncio.to_thread(finish_erasures, audit, tenant)
            await asyncio.to_thread(keep_erased, audit, tenant)
        holds = HoldCheck(audit, vault)
        store.tell(audit)
        found = await asyncio.to_thread(load_registry, settings.agents, declared=declared_elsewhere)
        registry = _with_agents(found, agents)
        gatekeeper = Gatekeeper(policies, audit)
        if settings.agents.isolate:
            host = ChildHost()
            stack.push_async_callback(host.close)
            registry = isolated(registry, settings.agents.isolate, host)
            if settings.agents.isolate.keys() & registry.agents.keys():
                await host.start()
        domain = OpenDomain(settings)
        rules = domain.reasoner()
        ports = AgentPorts(settings, store, vault, clock, domain, holds, audit)
        stack.push_async_callback(ports.close)
        checkpoints = settings.data_dir / "checkpoints.db"
        saver = await stack.enter_async_context(Saver.open(checkpoints, serde=vault.serde()))
        retention = Retention(newest=settings.storage.checkpoints, turn_ends=settings.storage.turn_ends)
        checkpointer = StateCheckpointer(saver, retention, cascade=[store.delete_session])
        own = [SealedRows(store), SealedCheckpoints(saver), SealedLogs(settings.data_dir)]
        stores = Stores(
            settings=settings,
            vault=vault,
            store=store,
            checkpointer=checkpointer,
            audit=audit,
            erase_ports=ports.erase,
            expire=ports.expire,
            sealed=lambda: [*own, *ports.sealed()],
        )
        parts = Parts(
            settings=settings,
            vault=vault,
            store=store,
            registry=registry,
            ports=ports,
            domain=domain,
            saver=saver,
            checkpointer=checkpointer,
            reasoner=reasoner or rules,
            rules=None if reasoner else rules,
            model=source,
            clock=clock,
            records=await store.records(),
            gatekeeper=gatekeeper,
            governance=Governance(stores, gatekeeper, clock),
            telemetry=telemetry or _telemetry(settings, stack),
            holds=holds,
        )
        await note_configuration(settings, vault.ring, store, audit)
        yield parts


def _settings(config: Config) -> Settings:
    if isinstance(config, Settings):
        return config
    if isinstance(config, Mapping):
        return load_settings(overrides=config)
    return load_settings(Path(config) if config is not None else None)


def _model(settings: Settings, given: BaseChatModel | None) -> ChatModelSource | None:
    if given is None and settings.model.name is None:
        return None
    from metaagent.models import ChatModelSource

    source = ChatModelSource(settings.model, given)
    source.check_installed()
    return source


def _telemetry(settings: Settings, stack: AsyncExitStack) -> Telemetry:
    endpoint = endpoint_of(settings.telemetry, os.environ)
    if endpoint is None:
        return SILENT
    try:
        from metaagent.telemetry.otlp import Otlp
    except ImportError as error:
        raise ConfigInvalid(_NO_TELEMETRY, problem=error) from error
    sending = Otlp.to(endpoint)
    stack.push_async_callback(sending.close)
    return sending


def open_ring(settings: Settings) -> KeyRing:
    """The keys of this installation; made at the first start, and never again where keys are already."""
    setting = settings.keys.provider or f"file:{settings.data_dir / 'kek'}"
    path = settings.data_dir / "keys.json"
    sealed = [settings.data_dir / "metaagent.db", *(settings.data_dir / "audit").glob("*.notes")]
    if not path.exists() and any(each.exists() for each in sealed):
        raise KeyUnavailable(_NO_KEY_FILE, path=path)
    try:
        ring = KeyRing(path, provider(setting, create=not path.exists()))
        ring.check()
    except KeyUnavailable as error:
        raise missing_kek(error, path) from error
    return ring


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
