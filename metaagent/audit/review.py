"""Work of a reviewer on an audit trail (verify, read, export) and duties by law (hold, retain,
erase.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import orjson

from metaagent.audit.holds import holds, refuse
from metaagent.audit.notes import Note, make_note, origin_of, trusted_keys
from metaagent.audit.store import AuditStore, Where
from metaagent.audit.trail import AuditEvent, StoredEntry, Verification, verify
from metaagent.errors import InputRefused, KeyUnavailable, RowRefused, Text, Unknown
from metaagent.protection.escaping import for_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import BinaryIO, TextIO


DROPPED = "retention.dropped"
FOR_EVERYONE = ("config.changed", "agent.disabled", "agent.enabled")
EXPORT_FORMAT = "metaagent-audit-export-v1"
CSV_FIELDS = ("seq", "ts", "actor", "event", "session", "turn", "agent", "outcome", "data", "pii", "hash")

NO_ENTRY = Text(
    "Audit entry {seq} of tenant '{tenant}' is not there.",
    "테넌트 '{tenant}'의 감사 항목 {seq}이(가) 없습니다.",
)
NOT_SOUND = Text(
    "The audit trail of tenant '{tenant}' does not verify ({kind} at entry {seq}: {detail}): "
    "nothing was dropped.",
    "테넌트 '{tenant}'의 감사 기록이 검증되지 않습니다(항목 {seq}, {kind}: {detail}): 아무것도 "
    "삭제하지 않았습니다.",
)


def verify_trail(
    store: AuditStore, tenant: str, *, public_keys: str | None = None, anchors: Iterable[Note] = ()
) -> Verification:
    """`public_keys` (PEM) should come from elsewhere: the key ring's own would follow a replaced key file."""
    trusted = trusted_keys(public_keys or store.keys.public_key())
    # Notes first: what is signed while we read is then at worst an entry more than we ask for.
    notes = store.notes.read(tenant)
    known = store.keys.trail(tenant)
    anchors = [*anchors, *([Note.from_json(known)] if known else ())]
    mac = store.keys.entry_mac(tenant)
    return verify(store.rows(tenant), notes, tenant=tenant, trusted=trusted, anchors=anchors, mac=mac)


def find(
    store: AuditStore,
    tenant: str,
    where: Where | None = None,
    *,
    text: str | None = None,
    holding: Mapping[str, str] | None = None,
    rule: str | None = None,
    limit: int = 100,
) -> list[dict[str, Any]]:
    """The newest entries, in order, with `hash`; page back with `before`. With `after`, those that follow it. `text` is looked
    for in the whole entry, `holding` in its fields of these names, `rule` among the rules that found something: they are
    sealed, and opened for it."""
    newest_first = not (where and where.after)
    found: list[dict[str, Any]] = []
    wanted = () if text is None else _spellings(store, tenant, text)
    for row in store.rows(tenant, where, newest_first=newest_first):
        if wanted and not any(each in row.body for each in wanted):
            continue
        entry = _readable(row)
        if _holds(entry, holding or {}) and (not rule or _rests_on(store, tenant, entry, rule)):
            found.append(entry)
            if len(found) >= limit:
                break
    return found[::-1] if newest_first else found


def _holds(entry: Mapping[str, Any], holding: Mapping[str, str]) -> bool:
    return all(
        said.casefold() in str(entry.get(name) or "").casefold() for name, said in holding.items() if said
    )


def _rests_on(store: AuditStore, tenant: str, entry: dict[str, Any], rule: str) -> bool:
    """Tell whether this rule, or one of this pack, found something. An entry has `pack version hash rule status …`."""
    if entry["event"] == "agent.ran" or "rules" not in entry["data"]:
        return False
    shown = _opened(store, tenant, entry)
    told = {**shown["data"], **(shown.get("pii") or {})}.get("rules") or ()
    wanted = set(rule.split("/"))
    return any(wanted <= set(one.split()) and " passed " not in one for one in map(str, told))


def _spellings(store: AuditStore, tenant: str, text: str) -> tuple[bytes, ...]:
    """A text as it may stand in an entry: itself, or its keyed hash. The SHA-256 of content is looked for the same way."""
    return orjson.dumps(text)[1:-1], store.keys.company_hash(tenant, text.encode("utf-8", "replace")).encode()


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
        raise Unknown(NO_ENTRY, tenant=tenant, seq=seq)
    entry = _readable(row)
    return _opened(store, tenant, entry) if reveal else entry


def _opened(store: AuditStore, tenant: str, entry: dict[str, Any]) -> dict[str, Any]:
    if "pii" in entry:
        entry = {**entry, "pii": _revealed(store, tenant, int(entry["seq"]), entry["pii"])}
    return store.opened(entry)


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
    header = {
        "export": EXPORT_FORMAT,
        "tenant": tenant,
        "made": store.timestamp(),
        "hashes": "HMAC-SHA-256 of the SHA-256 (hex) of content, by a key of the company: `metaagent audit list --find SHA256`",
    }
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


def retain(store: AuditStore, tenant: str, *, before: str, actor: str) -> int:
    """Drops the whole signed segments in which all is older than `before` (ISO time). Returns the count.

    The trail is verified first; the newest checkpoint's segment always stays.
    """
    refuse(holds(store, tenant), tenant)
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
