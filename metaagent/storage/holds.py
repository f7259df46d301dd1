"""The question that every deletion asks first: is this person under a legal hold?"""

from __future__ import annotations

import asyncio

from metaagent.audit.holds import holds, refuse_if_held
from metaagent.ports import User, tenant_of
from metaagent.storage.audit_log import SqlAuditLog
from metaagent.storage.vault import Vault


class HoldCheck:
    def __init__(self, audit: SqlAuditLog, vault: Vault) -> None:
        self._audit = audit
        self._vault = vault

    async def refuse(self, user: User) -> None:
        """Raises AccessDenied where something of this person is held."""
        await self.refuse_owner(user.company_id, self._vault.alias(user))

    async def refuse_owner(self, company_id: str, alias: str) -> None:
        await asyncio.to_thread(refuse_if_held, self._audit, tenant_of(company_id), alias)

    async def is_held(self, user: User) -> bool:
        alias = self._vault.alias(user)
        in_force = await asyncio.to_thread(holds, self._audit, user.tenant)
        return any(one.subject in (None, alias) for one in in_force)
