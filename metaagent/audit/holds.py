"""Legal holds: placed and released in the trail itself, so that none can be lifted without a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from metaagent.audit.trail import AuditEvent, Receipt
from metaagent.errors import AccessDenied, InputRefused, KeyUnavailable, RowRefused, Text, Unknown
from metaagent.protection.redaction import find as find_personal

if TYPE_CHECKING:
    from metaagent.audit.store import AuditStore

HOLD_PLACED = "legal_hold.placed"
HOLD_RELEASED = "legal_hold.released"

HELD = Text(
    "Tenant '{tenant}' is under legal hold '{hold}': nothing that it covers can be deleted until it is released.",
    "테넌트 '{tenant}'에 법적 보존 '{hold}'이(가) 걸려 있습니다. 해제될 때까지 대상 자료를 삭제할 수 없습니다.",
)
NO_HOLD = Text("Legal hold '{hold}' is not in force.", "법적 보존 '{hold}'이(가) 걸려 있지 않습니다.")
USED = Text(
    "Legal hold '{hold}' was placed before: each hold needs an id of its own.",
    "법적 보존 '{hold}'은(는) 이미 사용된 id입니다: 보존마다 새 id를 쓰세요.",
)
PERSONAL = Text(
    "The id of a legal hold stays in clear for good: leave personal data out of it.",
    "법적 보존 id는 평문으로 영구히 남습니다: 개인정보를 넣지 마세요.",
)


class LegalHold(NamedTuple):
    id: str
    reason: str
    subject: str | None  # a person's alias; None holds the whole tenant


def holds(store: AuditStore, tenant: str) -> list[LegalHold]:
    """Holds that are in force now, replayed in order from entries that the program wrote."""
    placed: list[LegalHold] = []
    for entry in store.entries_of(tenant, (HOLD_PLACED, HOLD_RELEASED)):
        data = entry["data"]
        if entry["event"] == HOLD_PLACED:
            placed.append(LegalHold(data["hold"], _reason(store, entry), data["subject"]))
        else:
            placed = [one for one in placed if one.id != data["hold"]]
    return placed


def _reason(store: AuditStore, entry: dict[str, Any]) -> str:
    """Sealed for whoever placed it; an earlier version kept it in clear."""
    if "pii" not in entry:
        return str(entry["data"].get("reason", ""))
    try:
        sealer = store.keys.reader(entry["tenant"], "audit")
        return orjson.loads(sealer.open_text(entry["pii"], (str(entry["seq"]),)))["reason"]
    except (KeyUnavailable, RowRefused):
        return ""


def place_hold(
    store: AuditStore, tenant: str, hold: str, *, reason: str, by: str, person: str | None = None
) -> Receipt:
    """`by` places it. An id is used once: a second hold of the same id could lift the first."""
    if find_personal(hold):
        raise InputRefused(PERSONAL)
    used = store.entries_of(tenant, (HOLD_PLACED, HOLD_RELEASED))
    if any(entry["data"]["hold"] == hold for entry in used):
        raise InputRefused(USED, hold=hold)
    subject = None if person is None else store.keys.alias(tenant, person)
    data = {"hold": hold, "subject": subject}
    return _record(store, tenant, HOLD_PLACED, data, reason, by)


def release_hold(store: AuditStore, tenant: str, hold: str, *, reason: str, by: str) -> Receipt:
    if all(one.id != hold for one in holds(store, tenant)):
        raise Unknown(NO_HOLD, hold=hold)
    return _record(store, tenant, HOLD_RELEASED, {"hold": hold}, reason, by)


def _record(
    store: AuditStore, tenant: str, event: str, data: dict[str, Any], reason: str, by: str
) -> Receipt:
    """Signed at once: the key file then knows that it cannot be missing."""
    entry = AuditEvent(tenant=tenant, event=event, person=by, data=data, pii={"reason": reason})
    receipt = store.append(entry).result()
    store.checkpoint(tenant)
    return receipt


def guard_erasure(store: AuditStore) -> None:
    """Make the key ring itself refuse to destroy the key of a person who is held, whoever asks."""

    def guard(tenant: str, person: str) -> None:
        if holds(store, tenant):
            refuse_if_held(store, tenant, store.keys.alias(tenant, person))

    store.keys.guards.append(guard)


def refuse_if_held(store: AuditStore, tenant: str, alias: str) -> None:
    refuse([one for one in holds(store, tenant) if one.subject in (None, alias)], tenant)


def refuse(in_force: list[LegalHold], tenant: str) -> None:
    if in_force:
        raise AccessDenied(HELD, tenant=tenant, hold=in_force[0].id)
