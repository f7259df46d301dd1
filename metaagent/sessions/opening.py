"""Opens what every command needs: keys, the store, the audit trail, and who may do what. No graph, no agents."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from metaagent.access.gatekeeper import Gatekeeper
from metaagent.access.rights import policies_of
from metaagent.audit.erasure import finish_erasures, keep_erased
from metaagent.audit.holds import guard_erasure
from metaagent.config import Settings
from metaagent.errors import StorageError, Text, os_problem
from metaagent.sessions.key_ring import open_ring
from metaagent.storage.artifact_files import ArtifactFiles
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.audit_notes import NoteFiles
from metaagent.storage.disk_reserve import keep_reserve
from metaagent.storage.session_store import SqlStore
from metaagent.storage.sql_base import sqlite_url
from metaagent.storage.vault import Vault

logger = logging.getLogger(__name__)

_NO_WRITING = Text(en="it is not writable", ko="쓰기 권한이 없습니다")
_NOT_WRITABLE = Text(
    en="The data directory {path} cannot be used: {problem}. Choose another with --data-dir or METAAGENT_DATA_DIR.",
    ko="데이터 디렉터리 {path}을(를) 쓸 수 없습니다: {problem}. --data-dir 또는 METAAGENT_DATA_DIR로 다른 곳을 지정하세요.",
)


@dataclass(frozen=True)
class Opened:
    """The stores of an installation, open, and who may do what with them."""

    settings: Settings
    vault: Vault
    files: ArtifactFiles
    store: SqlStore
    audit: SqlAuditLog
    gatekeeper: Gatekeeper


@asynccontextmanager
async def open_stores(settings: Settings) -> AsyncGenerator[Opened]:
    """Open the stores of the data directory, and finish erasures that were cut off."""
    _prepare(settings.data_dir)
    async with AsyncExitStack() as stack:
        url = settings.storage.url or sqlite_url(settings.data_dir / "metaagent.db")
        policies = policies_of(settings.access)
        vault = Vault(await asyncio.to_thread(open_ring, settings))
        files = ArtifactFiles(settings.data_dir / "artifacts", vault)
        store = SqlStore(url, vault, files)
        stack.push_async_callback(store.close)
        await store.open()
        audit = await asyncio.to_thread(SqlAuditLog, url, vault.ring, NoteFiles(settings.data_dir / "audit"))
        stack.callback(audit.close)
        guard_erasure(audit)
        closed = await asyncio.to_thread(_keep_erased, audit, vault.ring.tenants())
        store.tell(audit)
        yield Opened(
            settings,
            vault,
            files=files,
            store=store,
            audit=audit,
            gatekeeper=Gatekeeper(policies, audit, closed),
        )


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(_NOT_WRITABLE, path=folder, problem=os_problem(error)) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StorageError(_NOT_WRITABLE, path=folder, problem=_NO_WRITING)
    keep_reserve(folder)


def _keep_erased(audit: SqlAuditLog, tenants: Iterable[str]) -> dict[str, StorageError]:
    """Finish what erasures left undone; the companies whose trail cannot be believed are closed, with the reason."""
    closed: dict[str, StorageError] = {}
    for tenant in tenants:
        try:
            finish_erasures(audit, tenant)
            keep_erased(audit, tenant)
        except StorageError as error:
            logger.error("the company %s is closed: %s", tenant, error)
            closed[tenant] = error
    return closed
