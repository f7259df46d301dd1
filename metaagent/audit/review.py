"""Work of a reviewer on an audit trail (verify, read, export) and duties by law (hold, retain,
erase.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import orjson

from metaagent.audit.notes import Note, make_note, origin_of, trusted_keys
from metaagent.audit.trail import AuditEvent, Receipt, StoredEntry, Verification, verify
from metaagent.errors import AccessDenied, InputRefused, KeyUnavailable, RowRefused, Text
from metaagent.protection.escaping import for_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from concurrent.futures import Future
    from typing import BinaryIO, TextIO

    from metaagent.protection.sealing import Sealer

HOLD_PLACED = "legal_hold.placed"
HOLD_RELEASED = "legal_hold.released"
ERASED = "person.erased"
ERASED_AGAIN = "person.erased_again"
DROPPED = "retention.dropped"
FOR_EVERYONE = ("config.changed", "agent.disabled", "agent.enabled")
EXPORT_FORMAT = "metaagent-audit-export-v1"
CSV_FIELDS = ("seq", "ts", "actor", "event", "session", "turn", "agent", "outcome", "data", "pii", "hash")

HELD = Text(
    "Tenant '{tenant}' is under legal hold '{hold}' ({reason}): release it first.",
    "테넌트 '{tenant}'에 법적 보존 '{hold}'이(가) 걸려 있습니다({reason}): 먼저 해제하세요.",
)
NO_ENTRY = Text(
    "Audit entry {seq} of tenant '{tenant}' is not there.",
    "테넌트 '{tenant}'의 감사 항목 {seq}이(가) 없습니다.",
)
NO_HOLD = Text("Legal hold '{hold}' is not in force.", "법적 보존 '{hold}'이(가) 걸려 있지 않습니다.")
NOT_SOUND = Text(
    "The audit trail of tenant '{tenant}' does not verify ({kind} at entry {seq}: {detail}): "
    "nothing was dropped.",
    "테넌트 '{tenant}'의 감사 기록이 검증되지 않습니다(항목 {seq}, {kind}: {detail}): 아무것도 "
    "삭제하지 않았습니다.",
)


class Where(NamedTuple):
    """A choice of entries.

    `since` and `until` are ISO times, inclusive and exclusive; `after` is a seq, for paging.
    """

    session: str | None = None
    turn: str | None = None
    actor: str | None = None
    event: str | None = None
    since: str | None = None
    until: str | None = None
    after: int = 0


class Notes(Protocol):
    def append(self, tenant: str, note: Note) -> None: ...

    def read(self, tenant: str) -> list[Note | None]: ...


class AuditKeys(Protocol):
    """The part of a KeyRing that the audit trail uses."""

    guards: list[Callable[[str, str], None]]

    def sealer(self, tenant: str, purpose: str, person: str | None = None) -> Sealer: ...

    def reader(self, tenant: str, purpose: str) -> Sealer: ...

    def alias(self, tenant: str, person: str) -> str: ...

    def destroy_person(self, tenant: str, person: str) -> list[str]: ...

    def destroy_again(self, tenant: str, kids: Collection[str]) -> list[str]: ...

    def sign(self, message: bytes) -> tuple[str, bytes]: ...

    def public_key(self) -> str: ...


class AuditStore(Protocol):
    @property
    def keys(self) -> AuditKeys: ...

    @property
    def notes(self) -> Notes: ...

    def append(self, event: AuditEvent) -> Future[Receipt]: ...

    def rows(self, tenant: str, where: Where | None = None) -> Iterator[StoredEntry]: ...

    def checkpoint(self, tenant: str) -> Note | None: ...

    def drop(self, tenant: str, upto: int) -> int: ...

    def timestamp(self) -> str: ...


def verify_trail(
    store: AuditStore, tenant: str, *, public_keys: str | None = None, anchors: Iterable[Note] = ()
) -> Verification:
    """`public_keys` (PEM) should come from elsewhere: the key ring's own would follow a replaced key file."""
    trusted = trusted_keys(public_keys or store.keys.public_key())
    # Notes first: what is signed while we read is then at worst an entry more than we ask for.
    notes = store.notes.read(tenant)
    return verify(store.rows(tenant), notes, tenant=tenant, trusted=trusted, anchors=anchors)


def find(
    store: AuditStore, tenant: str, where: Where | None = None, *, text: str | None = None, limit: int = 100
) -> list[dict[str, Any]]:
    """Entries in order, with `hash`; `text` is looked for in the whole entry. Page on with `after`."""
    found: list[dict[str, Any]] = []
    wanted = None if text is None else orjson.dumps(text)[1:-1]
    for row in store.rows(tenant, where):
        if wanted is None or wanted in row.body:
            found.append(_readable(row))
            if len(found) >= limit:
                break
    return found


def with_what_happened_meanwhile(
    store: AuditStore, tenant: str, entries: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Add what changed for everyone between the first and the last of these entries, in its place among them."""
    if not entries:
        return []
    first, last = entries[0]["seq"], entries[-1]["seq"]
    found = [
        entry for event in FOR_EVERYONE for entry in find(store, tenant, Where(event=event, after=first))
    ]
    return sorted([*entries, *(e for e in found if e["seq"] < last)], key=lambda entry: entry["seq"])


def show(store: AuditStore, tenant: str, seq: int, *, reveal: bool = False) -> dict[str, Any]:
    """One entry. With `reveal`, `pii` is opened, or says why it cannot be."""
    row = next(store.rows(tenant, Where(after=seq - 1)), None)
    if row is None or row.seq != seq:
        raise InputRefused(NO_ENTRY, tenant=tenant, seq=seq)
    entry = _readable(row)
    if reveal and "pii" in entry:
        entry["pii"] = _revealed(store, tenant, seq, entry["pii"])
    return entry


def _readable(row: StoredEntry) -> dict[str, Any]:
    return orjson.loads(row.body) | {"hash": row.hash.hex()}


def _revealed(store: AuditStore, tenant: str, seq: int, sealed: str) -> dict[str, Any]:
    try:
        return orjson.loads(store.keys.reader(tenant, "audit").open_text(sealed, (str(seq),)))
    except (KeyUnavailable, RowRefused) as error:
        return {"unreadable": str(error)}


def export_jsonl(store: AuditStore, tenant: str, file: BinaryIO) -> int:
    """A header, the signed notes, then each entry's exact bytes: what the standalone verifier reads."""
    store.checkpoint(tenant)
    notes = [note for note in store.notes.read(tenant) if note is not None]
    header = {"export": EXPORT_FORMAT, "tenant": tenant, "made": store.timestamp()}
    file.write(orjson.dumps(header) + b"\n")
    file.writelines(orjson.dumps({"note": note.as_json()}) + b"\n" for note in notes)
    count = 0
    for row in store.rows(tenant):
        file.write(row.body + b"\n")
        count += 1
    return count


def export_csv(store: AuditStore, tenant: str, file: TextIO, where: Where | None = None) -> int:
    """Write a table for a spreadsheet; it cannot be verified. Cells that a spreadsheet would run are quoted."""
    writer = csv.writer(file)
    writer.writerow(CSV_FIELDS)
    count = 0
    for row in store.rows(tenant, where):
        entry = _readable(row)
        entry["data"] = orjson.dumps(entry["data"]).decode()
        writer.writerow([for_csv(_text(entry.get(name))) for name in CSV_FIELDS])
        count += 1
    return count


def _text(value: object) -> str:
    return "" if value is None else str(value)


class LegalHold(NamedTuple):
    id: str
    reason: str
    subject: str | None  # a person's alias; None holds the whole tenant


def holds(store: AuditStore, tenant: str) -> list[LegalHold]:
    """Holds that are in force now. The trail itself is the register, so a hold cannot be removed without a trace."""
    placed: dict[str, LegalHold] = {}
    for row in store.rows(tenant, Where(event=HOLD_PLACED)):
        data = orjson.loads(row.body)["data"]
        placed[data["hold"]] = LegalHold(data["hold"], data["reason"], data["subject"])
    for row in store.rows(tenant, Where(event=HOLD_RELEASED)):
        placed.pop(orjson.loads(row.body)["data"]["hold"], None)
    return list(placed.values())


def place_hold(
    store: AuditStore, tenant: str, hold: str, *, reason: str, actor: str, person: str | None = None
) -> Receipt:
    subject = None if person is None else store.keys.alias(tenant, person)
    data = {"hold": hold, "reason": reason, "subject": subject}
    return store.append(AuditEvent(tenant=tenant, event=HOLD_PLACED, actor=actor, data=data)).result()


def release_hold(store: AuditStore, tenant: str, hold: str, *, reason: str, actor: str) -> Receipt:
    if all(one.id != hold for one in holds(store, tenant)):
        raise InputRefused(NO_HOLD, hold=hold)
    data = {"hold": hold, "reason": reason}
    return store.append(AuditEvent(tenant=tenant, event=HOLD_RELEASED, actor=actor, data=data)).result()


def guard_erasure(store: AuditStore) -> None:
    """Make the key ring itself refuse to destroy the key of a person who is held, whoever asks."""

    store.keys.guards.append(lambda tenant, person: refuse_if_held(store, tenant, person))


def refuse_if_held(store: AuditStore, tenant: str, person: str) -> None:
    in_force = holds(store, tenant)
    if in_force:
        alias = store.keys.alias(tenant, person)
        _refuse([one for one in in_force if one.subject in (None, alias)], tenant)


def _refuse(in_force: list[LegalHold], tenant: str) -> None:
    if in_force:
        raise AccessDenied(HELD, tenant=tenant, hold=in_force[0].id, reason=in_force[0].reason)


def erase_person(store: AuditStore, tenant: str, person: str, *, actor: str) -> list[str]:
    """Destroys the person's key and records it.

    The trail still verifies; what was sealed for them is gone.
    """
    alias = store.keys.alias(tenant, person)
    _refuse([one for one in holds(store, tenant) if one.subject in (None, alias)], tenant)
    kids = store.keys.destroy_person(tenant, person)
    data = {"subject": alias, "keys": kids}
    store.append(AuditEvent(tenant=tenant, event=ERASED, actor=actor, outcome="done", data=data)).result()
    return kids


def keep_erased(store: AuditStore, tenant: str) -> list[str]:
    """Keys that the trail says were destroyed, and that came back with an old key file, are destroyed again."""
    told = (orjson.loads(row.body)["data"]["keys"] for row in store.rows(tenant, Where(event=ERASED)))
    back = store.keys.destroy_again(tenant, [kid for kids in told for kid in kids])
    if back:
        data = {"keys": back}
        store.append(AuditEvent(tenant=tenant, event=ERASED_AGAIN, outcome="done", data=data)).result()
    return back


def retain(store: AuditStore, tenant: str, *, before: str, actor: str) -> int:
    """Drops the whole signed segments in which all is older than `before` (ISO time). Returns the count.

    The trail is verified first; the newest checkpoint's segment always stays.
    """
    _refuse(holds(store, tenant), tenant)
    checked = verify_trail(store, tenant)
    if not checked.ok:
        raise InputRefused(NOT_SOUND, tenant=tenant, **checked.findings[0]._asdict())
    note = _last_droppable(store, tenant, before)
    if note is None:
        return 0
    tree = note.tree()
    assert tree is not None
    data = {"upto": note.size, "root": note.root.hex(), "before": before}
    store.append(AuditEvent(tenant=tenant, event=DROPPED, actor=actor, outcome="done", data=data)).result()
    store.checkpoint(tenant)
    store.notes.append(tenant, make_note(tree, tenant, store.timestamp(), store.keys.sign, retention=True))
    return store.drop(tenant, note.size)


def _last_droppable(store: AuditStore, tenant: str, before: str) -> Note | None:
    young = next(store.rows(tenant, Where(since=before)), None)
    first = next(store.rows(tenant), None)
    if first is None:
        return None
    notes = [
        note for note in store.notes.read(tenant) if note is not None and note.origin == origin_of(tenant)
    ]
    newest = max((note.size for note in notes), default=0)
    limit = newest - 1 if young is None else min(newest - 1, young.seq - 1)
    fitting = [note for note in notes if first.seq <= note.size <= limit and note.tree() is not None]
    return max(fitting, key=lambda note: note.size, default=None)
