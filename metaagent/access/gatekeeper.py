"""The one place where a call is allowed or refused, and where a refusal is written into the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from metaagent.access.rights import DENIED, Rights, rights_of
from metaagent.audit import REFUSED, AuditEvent, Receipt, refusal
from metaagent.config import Policy
from metaagent.errors import AccessDenied
from metaagent.ports import User


class Records(Protocol):
    async def record(self, event: AuditEvent) -> Receipt: ...


class Gatekeeper:
    def __init__(self, policies: Mapping[str, Policy], audit: Records) -> None:
        self._policies = policies
        self._audit = audit

    def rights(self, user: User) -> Rights:
        return rights_of(self._policies, user)

    async def require(self, user: User, operation: str, *, own: bool = True, what: str = "") -> Rights:
        """The person's rights, if these allow it; else AccessDenied, once the refusal is on record."""
        rights = self.rights(user)
        if rights.may(operation, own=own):
            return rights
        await self.refused(user, operation, what=what, reason="not_granted")
        raise AccessDenied(DENIED, operation=operation, roles=", ".join(user.roles) or "-")

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

    async def refused(self, user: User, operation: str, *, reason: str, what: str = "") -> None:
        details = refusal(operation, what, reason, self.rights(user).roles)
        await self._audit.record(
            AuditEvent(tenant=user.tenant, event=REFUSED, person=user.user_id, **details)
        )
