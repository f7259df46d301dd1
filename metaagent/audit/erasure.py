"""Erasure of a person, as the trail records it: begun, done, and done again where an old key file brought keys back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from metaagent.audit.holds import refuse_if_held
from metaagent.audit.trail import AuditEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metaagent.audit.store import AuditStore

BEGUN = "person.erasure_begun"
ERASED = "person.erased"
ERASED_AGAIN = "person.erased_again"

log = logging.getLogger(__name__)


def begin_erasure(store: AuditStore, tenant: str, person: str, *, actor: str) -> None:
    """Record the intent before anything is destroyed: what a crash leaves is finished at the next start."""
    alias = store.keys.alias(tenant, person)
    refuse_if_held(store, tenant, alias)
    data = {"subject": alias, "keys": store.keys.person_kids(tenant, person)}
    store.append(AuditEvent(tenant=tenant, event=BEGUN, actor=actor, data=data)).result()


def erase_person(
    store: AuditStore, tenant: str, person: str, *, actor: str, stores: Mapping[str, int] | None = None
) -> list[str]:
    """Destroy the person's key and record it. The trail still verifies; what was sealed for them is gone."""
    alias = store.keys.alias(tenant, person)
    refuse_if_held(store, tenant, alias)
    kids = store.keys.destroy_person(tenant, person)
    _record(store, tenant, {"subject": alias, "keys": kids, "stores": dict(stores or {})}, actor)
    return kids


def _record(store: AuditStore, tenant: str, data: dict[str, Any], actor: str | None) -> None:
    entry = AuditEvent(tenant=tenant, event=ERASED, actor=actor, outcome="done", data=data)
    store.append(entry).result()
    store.checkpoint(tenant)


def finish_erasures(store: AuditStore, tenant: str) -> list[str]:
    """Record erasures whose key was destroyed by a program that died before it could say so; their subjects."""
    done = {entry["data"]["subject"] for entry in store.sealed(tenant, ERASED)}
    finished: list[str] = []
    for entry in store.sealed(tenant, BEGUN):
        subject, keys = entry["data"]["subject"], entry["data"]["keys"]
        if subject not in done and keys and not any(map(store.keys.is_usable, keys)):
            data = {"subject": subject, "keys": keys, "stores": {}, "finished": True}
            _record(store, tenant, data, entry["actor"])
            done.add(subject)
            finished.append(subject)
    return finished


def keep_erased(store: AuditStore, tenant: str) -> list[str]:
    """Destroy again the keys that the trail says were destroyed, and that came back with an old key file. Erasures that
    the key file cannot know of, because they are younger than its newest signature, are read from sealed bodies."""
    told = store.sealed(tenant, ERASED) + store.since_signed(tenant, (ERASED,))
    back = store.keys.destroy_again(tenant, [kid for entry in told for kid in entry["data"]["keys"]])
    if back:
        log.warning(
            "an old key file brought %d keys of erased people of %s back: destroyed again", len(back), tenant
        )
        data = {"keys": back}
        store.append(AuditEvent(tenant=tenant, event=ERASED_AGAIN, outcome="done", data=data)).result()
    return back
