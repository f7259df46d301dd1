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
from metaagent.config import Settings, load_settings
from metaagent.errors import ConfigInvalid, Text
from metaagent.governance.config_audit import note_configuration
from metaagent.governance.governance import Governance, Stores
from metaagent.monitor import TrackRecord
from metaagent.plugin import AgentSpec
from metaagent.ports import Claim, Clock, Reasoner, Teachable, User
from metaagent.registry import Registry
from metaagent.sessions.agent_ports import AgentPorts
from metaagent.sessions.agents import isolation_rules, load_agents, preloaded_modules
from metaagent.sessions.domain import OpenDomain
from metaagent.sessions.opening import Opened, open_stores
from metaagent.storage.checkpoints.retention import Retention, StateCheckpointer
from metaagent.storage.checkpoints.turn_saver import Saver
from metaagent.storage.credentials import CredentialStore
from metaagent.storage.holds import HoldCheck
from metaagent.storage.locks import lock_session
from metaagent.storage.logs import SealedLogs
from metaagent.storage.rekey_checkpoints import SealedCheckpoints
from metaagent.storage.rekey_rows import SealedRows
from metaagent.storage.session_marks import SessionMarks
from metaagent.storage.session_store import SqlStore
from metaagent.storage.vault import Vault
from metaagent.telemetry.spans import SILENT, Telemetry, endpoint_of

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from metaagent.models import ChatModelSource


_NO_TELEMETRY = Text(
    en="`telemetry` is configured, but its packages are missing ({problem}): pip install 'metaagent[telemetry]'.",
    ko="`telemetry`가 설정되었지만 필요한 패키지가 없습니다({problem}): pip install 'metaagent[telemetry]'.",
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
    credentials: CredentialStore

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
    _check_embeddings(settings)
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(open_stores(settings))
        vault, store, audit = opened.vault, opened.store, opened.audit
        holds = HoldCheck(audit, vault)
        registry = _with_agents(await asyncio.to_thread(load_agents, settings), agents)
        registry = await _isolated(registry, settings, stack)
        domain = OpenDomain(settings)
        rules = domain.reasoner()
        ports = AgentPorts(settings, store, vault=vault, clock=clock, domain=domain, holds=holds, audit=audit)
        stack.push_async_callback(ports.close)
        checkpoints = settings.data_dir / "checkpoints.db"
        saver = await stack.enter_async_context(Saver.open(checkpoints, serde=vault.serde()))
        retention = Retention(newest=settings.storage.checkpoints, turn_ends=settings.storage.turn_ends)
        checkpointer = StateCheckpointer(
            saver, retention, cascade=[store.delete_session, ports.forget_session]
        )
        credentials = CredentialStore(store, clock)
        stores = _stores(
            settings, opened, ports=ports, saver=saver, checkpointer=checkpointer, credentials=credentials
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
            gatekeeper=opened.gatekeeper,
            governance=Governance(
                stores,
                opened.gatekeeper,
                clock,
                lambda: {name: spec.description for name, spec in registry.agents.items()},
            ),
            telemetry=telemetry or _telemetry(settings, stack),
            holds=holds,
            credentials=credentials,
        )
        await note_configuration(settings, vault.ring, store, audit)
        yield parts


async def _isolated(registry: Registry, settings: Settings, stack: AsyncExitStack) -> Registry:
    """Agents that the configuration isolates run in processes of their own, from here on."""
    apart = isolation_rules(settings, registry)
    if not apart:
        return registry
    from metaagent.isolation.host import ChildHost, hidden_from_agents, isolated

    host = ChildHost(hidden_from_agents(settings), preloaded_modules(settings))
    stack.push_async_callback(host.close)
    registry = isolated(registry, apart, host)
    if apart.keys() & registry.agents.keys():
        await host.start()
    return registry


def _stores(
    settings: Settings,
    opened: Opened,
    *,
    ports: AgentPorts,
    saver: Saver,
    checkpointer: StateCheckpointer,
    credentials: CredentialStore,
) -> Stores:
    """The stores as governance needs them: what erasing, expiring and rekeying reach."""
    own = [
        SealedRows(opened.store),
        opened.files.sealed,
        SealedCheckpoints(saver),
        SealedLogs(settings.data_dir),
    ]
    kept = (ports, credentials, SessionMarks(opened.store))

    async def erase(user: User, alias: str) -> dict[str, int]:
        return {kind: count for each in kept for kind, count in (await each.erase(user, alias)).items()}

    return Stores(
        settings=settings,
        vault=opened.vault,
        store=opened.store,
        checkpointer=checkpointer,
        audit=opened.audit,
        erase_ports=erase,
        expire=ports.expire,
        sealed=lambda: [*own, *ports.sealed()],
    )


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


def _check_embeddings(settings: Settings) -> None:
    """Refuse a provider whose package is missing at the start; its model is opened when the first document needs it."""
    if settings.embeddings.name is not None:
        from metaagent.storage.library.embedders import EmbedderSource

        EmbedderSource(settings.embeddings).check_installed()


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


def _with_agents(registry: Registry, agents: Sequence[AgentSpec]) -> Registry:
    added = {spec.name: spec for spec in agents}
    packages = {**registry.packages, **dict.fromkeys(added, "this program")}
    targets = {name: target for name, target in registry.targets.items() if name not in added}
    return replace(registry, agents={**registry.agents, **added}, packages=packages, targets=targets)
