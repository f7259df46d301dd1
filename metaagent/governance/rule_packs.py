"""The rule packs as the audit trail records them: which were loaded, changed or taken away, by version and hash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaagent.audit import AuditEvent
from metaagent.storage.session_store import SqlStore

EVENTS = {(False, True): "rules.loaded", (True, True): "rules.changed", (True, False): "rules.removed"}
"""Words for the change, by whether a pack was there before and is there now."""


async def note_packs(store: SqlStore, tenant: str, packs: Mapping[str, Mapping[str, str]]) -> None:
    """Put on record what differs from the packs that were noted last. `packs` are {hash} by name, with {version} where it
    is known."""

    def told(before: Mapping[str, Any]) -> Sequence[AuditEvent]:
        return [
            AuditEvent(
                tenant=tenant,
                event=EVENTS[name in before, name in packs],
                outcome="done",
                data={"pack": name, "from": before.get(name, {}), "to": dict(packs.get(name, {}))},
            )
            for name in sorted({*before, *packs})
            if before.get(name) != packs.get(name)
        ]

    now = {name: dict(pack) for name, pack in packs.items()}
    await store.note_changed(f"rule_packs:{tenant}", now, told, first={})
