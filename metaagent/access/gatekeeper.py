"""The one place where a call is allowed or refused, and where a refusal is written into the audit trail."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from metaagent.access.rights import INSTALLATION_RIGHT, OF_THE_INSTALLATION, Rights, denied, rights_of
from metaagent.audit import REFUSED, AuditEvent, Receipt, refusal
from metaagent.config import Policy
from metaagent.errors import AccessDenied, StorageError
from metaagent.ports import User


class Records(Protocol):
    async def record(self, event: AuditEvent) -> Receipt: ...

    def tenants(self) -> list[str]: ...


MOST_KNOWN = 1_000
"""Sets of roles whose rights are kept at hand: the policies of an installation do not change while it is open."""
READING_THE_TRAIL = frozenset(("audit.read", "audit.verify", "audit.export"))


class Gatekeeper:
    def __init__(
        self, policies: Mapping[str, Policy], audit: Records, closed: Mapping[str, StorageError] | None = None
    ) -> None:
        """`closed` are companies whose trail cannot be believed, with the reason: all that they may do is to look into it."""

        @lru_cache(MOST_KNOWN)
        def rights(roles: tuple[str, ...], scopes: tuple[str, ...] | None) -> Rights:
            return rights_of(policies, User(roles=roles, scopes=scopes))

        self._rights = rights
        self._audit = audit
        self._closed = closed or {}

    def rights(self, user: User) -> Rights:
        return self._rights(user.roles, user.scopes)

    async def require(self, user: User, operation: str, *, own: bool = True, what: str = "") -> Rights:
        """The person's rights, if these allow it; else AccessDenied, once the refusal is on record."""
        rights = self.rights(user)
        broken = self._closed.get(user.tenant)
        if broken is not None and operation not in READING_THE_TRAIL:
            raise StorageError(broken.text, **broken.params)
        if rights.may(operation, own=own):
            return rights
        await self.refused(user, operation, what=what, reason="not_granted")
        raise denied(operation, user.roles, rights.roles)

    async def require_installation(self, user: User, operation: str) -> None:
        """Refuse what concerns every company to everybody who is not of the installation's own."""
        rights = await self.require(user, operation)
        if not self.runs_installation(user, rights):
            await self.refused(user, INSTALLATION_RIGHT, reason="not_granted")
            raise AccessDenied(OF_THE_INSTALLATION, company=User().company_id)

    def runs_installation(self, user: User, rights: Rights | None = None) -> bool:
        own = user.company_id == User().company_id and not user.visiting
        return own and (rights or self.rights(user)).may(INSTALLATION_RIGHT)

    async def record(self, event: AuditEvent) -> None:
        """Record what no person of the company did, or somebody whom another acts for."""
        await self._audit.record(event)

    async def note(
        self,
        user: User,
        event: str,
        data: Mapping[str, Any],
        session: str | None = None,
        private: Mapping[str, str] | None = None,
    ) -> None:
        """Record something that this person did outside a turn."""
        await self._audit.record(
            AuditEvent(
                tenant=user.tenant,
                event=event,
                person=user.user_id,
                session=session,
                outcome="done",
                data=dict(data),
                private=dict(private or {}),
            )
        )

    async def note_everywhere(self, who: User, event: str, told: Mapping[str, Mapping[str, Any]]) -> None:
        """Record it in the trail of each company concerned; for others than the actor's, the installation did it."""
        known = {who.tenant, *await asyncio.to_thread(self._audit.tenants)}
        for tenant in sorted(known & told.keys()):
            person = who.user_id if tenant == who.tenant else None
            entry = AuditEvent(
                tenant=tenant, event=event, person=person, outcome="done", data=dict(told[tenant])
            )
            await self._audit.record(entry)

    async def note_installation(self, who: User, event: str, data: Mapping[str, Any]) -> None:
        """Record what was done to the installation in the trail of every company."""
        tenants = {who.tenant, *await asyncio.to_thread(self._audit.tenants)}
        await self.note_everywhere(who, event, dict.fromkeys(tenants, data))

    async def refused(self, user: User, operation: str, *, reason: str, what: str = "") -> None:
        details = refusal(operation, what, reason, self.rights(user).roles)
        await self._audit.record(
            AuditEvent(tenant=user.tenant, event=REFUSED, person=user.user_id, **details)
        )
