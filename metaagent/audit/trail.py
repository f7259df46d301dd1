"""The audit trail's format and its verification. Pure: no clock, no files, no database.

An entry is canonical JSON; its hash is an RFC 6962 leaf, SHA-256(0x00 ‖ "metaagent-audit-v1\\0" ‖ body),
and the next entry names it as `prev`. Signed checkpoints (Ed25519 over origin, size, RFC 6962 root) are
kept outside the database: the chain finds an edited, removed or inserted entry, the checkpoints find a
chain that was made anew or cut at its end. What is younger than the newest checkpoint is protected by the
chain alone; `Verification.unsigned` says how much that is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import orjson

from metaagent.audit.findings import Finding
from metaagent.audit.notes import ORIGIN, MerkleRange, Note, origin_of
from metaagent.errors import InputRefused, Text
from metaagent.language.patterns import regex
from metaagent.protection.keys.records import checked_tenant
from metaagent.values import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

GENESIS = "0" * 64
MAX_FINDINGS = 100
_LEAF = b"\x00" + ORIGIN.encode() + b"\x00"
_SAFE_INTEGER = 2**53

NOT_CANONICAL = Text(
    "Audit data '{path}' holds {found}. Use text, whole numbers below 2^53, true, false, null, "
    "lists and maps.",
    "감사 데이터 '{path}'에 {found}이(가) 있습니다. 글, 2^53 미만의 정수, true, false, null, 목록, "
    "맵만 쓰세요.",
)
NOBODYS_PII = Text(
    "Event '{event}' has personal data but no person whose key could seal it: give person=.",
    "'{event}' 이벤트에 개인정보가 있지만 봉인할 키의 주인이 없습니다: person=을 지정하세요.",
)


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """An event, as the one who did it describes it.

    `person` is whose key seals `pii`; the entry then names them by alias unless `actor` is given. `data` is in clear for
    good, so it holds ids, counts and words of closed lists only. `private` is text from elsewhere: its keyed hash joins
    `data`, by which it can be found, and the text itself `pii`. `key` makes a repeat after a crash a no-op: use
    (session, turn, plan version, step, event).
    """

    tenant: str
    event: str
    actor: str | None = None
    session: str | None = None
    turn: str | None = None
    agent: str | None = None
    outcome: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    person: str | None = None
    pii: Mapping[str, Any] | None = None
    private: Mapping[str, str | list[str]] = field(default_factory=dict[str, "str | list[str]"])
    key: str | None = None

    def __post_init__(self) -> None:
        checked_tenant(self.tenant)


REFUSED = "access.refused"


_OWN_ID = regex(
    r"artifact|[ast][0-9a-f]{15,31}|(?:agent|capability|data|artifact|port):[A-Za-z0-9_.:-]{1,64}"
)


def refusal(operation: str, what: str, reason: str, roles: Iterable[str], **more: str) -> dict[str, Any]:
    """Details of an `access.refused` entry, as keyword arguments of whoever writes it. `what` is an id or a kind as it
    was asked for: the entry does not tell whether it exists."""
    data = {"operation": operation, "reason": reason, "roles": list(roles), **more}
    if _OWN_ID.fullmatch(what) or not what:
        return {"outcome": "refused", "data": {**data, "what": what}}
    return {"outcome": "refused", "data": data, "private": {"what": what[:128]}}


HASHED = "h:"
"""Begins a keyed hash that stands for a text in clear data."""


def with_private(event: AuditEvent, hashed: Callable[[bytes], str]) -> AuditEvent:
    """Put the keyed hashes of private texts into the clear data, and the texts into the sealed part."""
    if not event.private:
        return event
    data, pii = dict(event.data), dict(event.pii or {})
    for name, value in event.private.items():
        texts = value if isinstance(value, list) else [value]
        hashes = [HASHED + hashed(text.encode("utf-8", "replace")) for text in texts]
        data[name] = hashes if isinstance(value, list) else hashes[0]
        if value:
            pii[name] = value
    return replace(event, data=data, pii=pii or None if event.person is not None else event.pii, private={})


class Receipt(NamedTuple):
    """The place of an acknowledged entry. `repeated`: it was there already."""

    tenant: str
    seq: int
    hash: str
    repeated: bool = False


class StoredEntry(NamedTuple):
    """A row as it lies in the store: the exact body, and copies of some of its fields to search by."""

    seq: int
    body: bytes
    hash: bytes
    ts: str
    actor: str
    event: str
    session: str | None
    turn: str | None
    mac: bytes | None = None


Mac = Callable[[bytes], bytes]
"""The seal of an entry from its hash. It takes a key that only the program has."""


def canonical(value: Any) -> bytes:
    """RFC 8785, restricted to what has one spelling everywhere: no floats, ASCII keys, small integers."""
    _check(value, "", 0)
    return _dumps(value)


def _dumps(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _check(value: Any, path: str, depth: int) -> None:
    kind = type(value)
    if kind is str:
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise InputRefused(NOT_CANONICAL, path=path, found="U+D800–DFFF") from None
    elif kind is int:
        if not -_SAFE_INTEGER < value < _SAFE_INTEGER:
            raise InputRefused(NOT_CANONICAL, path=path, found="2^53")
    elif kind is dict or kind is list or kind is tuple:
        _check_inside(value, path, depth + 1)
    elif value is not None and kind is not bool:
        raise InputRefused(NOT_CANONICAL, path=path, found=kind.__name__)


def _check_inside(value: Any, path: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise InputRefused(NOT_CANONICAL, path=path, found=f"depth > {MAX_DEPTH}")
    if type(value) is not dict:
        for item in value:
            if not (item is None or (type(item) is str and item.isascii())):  # most are
                _check(item, path, depth)
        return
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            raise InputRefused(NOT_CANONICAL, path=path, found=f"key {key!r}")
        if not (item is None or (type(item) is str and item.isascii())):
            _check(item, f"{path}/{key}", depth)


class Prepared(NamedTuple):
    """An event that was checked and copied: what its author does to its data afterwards changes nothing."""

    event: AuditEvent
    actor: str
    ts: str
    data: bytes
    pii: str | None  # canonical JSON, not sealed yet


def prepare(event: AuditEvent, *, actor: str, ts: str, data: Mapping[str, Any] | None = None) -> Prepared:
    """Refuses what could not be written later. `data` goes into the entry instead of the event's own."""
    _check([actor, event.event, event.session, event.turn, event.agent, event.outcome, event.key], "", 0)
    if event.pii is not None and event.person is None:
        raise InputRefused(NOBODYS_PII, event=event.event)
    pii = None if event.pii is None else canonical(dict(event.pii)).decode()
    return Prepared(event, actor, ts, canonical(dict(event.data if data is None else data)), pii)


def entry_body(ready: Prepared, *, seq: int, prev: str, pii: str | None = None) -> bytes:
    event = ready.event
    entry: dict[str, Any] = {
        "v": 1,
        "tenant": event.tenant,
        "seq": seq,
        "ts": ready.ts,
        "actor": ready.actor,
        "event": event.event,
        "session": event.session,
        "turn": event.turn,
        "agent": event.agent,
        "outcome": event.outcome,
        "data": orjson.Fragment(ready.data),
        "prev": prev,
    }
    if pii is not None:
        entry["pii"] = pii
    return _dumps(entry)


def entry_hash(body: bytes) -> bytes:
    return hashlib.sha256(_LEAF + body).digest()


@dataclass(frozen=True)
class Verification:
    tenant: str
    first: int
    last: int
    signed: int
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        return not self.findings

    @property
    def entries(self) -> int:
        return self.last - self.first + 1

    @property
    def unsigned(self) -> int:
        return max(0, self.last - self.signed)


class Chain:
    """Follows a chain entry by entry, from its beginning or from a tree that is known to be good."""

    def __init__(
        self,
        tenant: str,
        tree: MerkleRange | None = None,
        prev: str | None = GENESIS,
        mac: Mac | None = None,
    ) -> None:
        self.tenant = tenant
        self.mac = mac  # None: seals cannot be checked here
        self.tree = tree or MerkleRange()
        self.expected = self.tree.size + 1
        self.prev = prev  # None: the entry before was dropped by retention
        self.findings: list[Finding] = []

    def follow(self, row: StoredEntry) -> None:
        body = row.body
        digest = hashlib.sha256(_LEAF + body).digest()
        try:
            entry: dict[str, Any] = orjson.loads(body)
            good = (
                row.seq == self.expected == entry["seq"]
                and (self.prev is None or entry["prev"] == self.prev)
                and digest == row.hash
                and entry["tenant"] == self.tenant
                and (entry["ts"], entry["actor"], entry["event"], entry["session"], entry["turn"]) == row[3:8]
                and entry["v"] == 1
                and self._is_sealed(row, digest)
                and orjson.dumps(entry, option=orjson.OPT_SORT_KEYS) == body
            )
        except (ValueError, KeyError, TypeError):
            good, entry = False, {}
        if not good and len(self.findings) < MAX_FINDINGS:
            self.findings.append(self._diagnose(row, entry, digest))
        seq = cast("object", row.seq)  # SQLite keeps what it is given
        self.expected = (seq if isinstance(seq, int) else self.expected) + 1
        self.prev = digest.hex()
        self.tree.append(digest)

    def _diagnose(self, row: StoredEntry, entry: dict[str, Any], digest: bytes) -> Finding:
        place = self._misplaced(row)
        if place is not None:
            return place
        seq = self.expected
        if not entry or entry.get("v") != 1 or _dumps(entry) != row.body:
            return Finding("edited", seq, "spelling")
        if digest != row.hash:
            return Finding("edited", seq, "hash")
        if entry["tenant"] != self.tenant:
            return Finding("swapped_tenant", seq, str(entry["tenant"]))
        if entry["seq"] != row.seq:
            return Finding("reordered", seq, str(entry["seq"]))
        if self.prev is not None and entry["prev"] != self.prev:
            return Finding("broken_link", seq, str(seq - 1))
        if not self._is_sealed(row, digest):
            return Finding("forged", seq, "missing" if row.mac is None else "wrong")
        return Finding("edited", seq, "search columns")

    def _is_sealed(self, row: StoredEntry, digest: bytes) -> bool:
        if self.mac is None:
            return True
        return isinstance(row.mac, bytes) and compare_digest(row.mac, self.mac(digest))

    def _misplaced(self, row: StoredEntry) -> Finding | None:
        if row.seq == self.expected:
            return None
        if type(row.seq) is int and row.seq > self.expected:
            return Finding("deleted", self.expected, _span(self.expected, row.seq - 1))
        return Finding("inserted", self.expected, str(row.seq))


def verify(
    rows: Iterable[StoredEntry],
    notes: Iterable[Note | None],
    *,
    tenant: str,
    trusted: Mapping[str, Ed25519PublicKey],
    anchors: Iterable[Note] = (),
    mac: Mac | None = None,
) -> Verification:
    """Check rows in order of seq against notes as kept beside them (None: an unreadable one) and anchors from elsewhere;
    with `mac`, also that the program wrote each."""
    findings, sound = _sound_notes([*notes, *anchors], tenant, trusted)
    roots = _roots(sound, origin_of(tenant))
    dropped = {note.size: note for note in sound if note.origin == origin_of(tenant, retention=True)}
    stream = iter(rows)
    row = next(stream, None)
    start = max(dropped, default=0) if row is None else max(row.seq - 1, 0)
    chain = _start(tenant, start, dropped, mac)
    proven = _follow(chain, _rejoin(row, stream), roots)
    last = chain.expected - 1
    findings += chain.findings
    findings += [Finding("rehashed", size, _span(1, size)) for size in roots if len(roots[size]) > 1]
    newest = max((*roots, *dropped), default=0)
    if newest > last:
        findings.append(Finding("cut_tail", last + 1, f"{last} < {newest}"))
    return Verification(tenant, start + 1, last, proven, tuple(findings[:MAX_FINDINGS]))


def _rejoin(first: StoredEntry | None, rest: Iterable[StoredEntry]) -> Iterator[StoredEntry]:
    if first is not None:
        yield first
        yield from rest


def _follow(chain: Chain, rows: Iterable[StoredEntry], roots: Mapping[int, set[bytes]]) -> int:
    """Returns up to where the entries are proven by a signature."""
    proven = chain.tree.size
    for row in rows:
        chain.follow(row)
        if row.seq in roots and not chain.findings:
            if chain.tree.root() in roots[row.seq]:
                proven = row.seq
            else:
                chain.findings.append(Finding("rehashed", proven + 1, _span(proven + 1, row.seq)))
    return proven


def _start(tenant: str, start: int, dropped: Mapping[int, Note], mac: Mac | None) -> Chain:
    if start == 0:
        return Chain(tenant, mac=mac)
    tree = dropped[start].tree() if start in dropped else None
    if tree is not None:
        return Chain(tenant, tree, None, mac)
    chain = Chain(tenant, prev=None, mac=mac)
    chain.expected = start + 1
    chain.findings.append(Finding("cut_head", 1, _span(1, start)))
    return chain


def _roots(notes: Iterable[Note], origin: str) -> dict[int, set[bytes]]:
    roots: dict[int, set[bytes]] = {}
    for note in notes:
        if note.origin == origin:
            roots.setdefault(note.size, set()).add(note.root)
    return roots


def _sound_notes(
    notes: Sequence[Note | None], tenant: str, trusted: Mapping[str, Ed25519PublicKey]
) -> tuple[list[Finding], list[Note]]:
    findings: list[Finding] = []
    sound: list[Note] = []
    for note in notes:
        problem = _problem(note, tenant, trusted)
        if problem is not None:
            findings.append(problem)
        elif note is not None:
            sound.append(note)
    return findings, sound


def _problem(note: Note | None, tenant: str, trusted: Mapping[str, Ed25519PublicKey]) -> Finding | None:
    if note is None:
        return Finding("forged_checkpoint", 0, "?")
    if note.origin not in (origin_of(tenant), origin_of(tenant, retention=True)):
        return Finding("forged_checkpoint", note.size, note.origin)
    key = trusted.get(note.key)
    if key is None:
        return Finding("replaced_key", note.size, note.key)
    if not note.is_signed_by(key):
        return Finding("forged_checkpoint", note.size, note.key)
    return None


def _span(first: int, last: int) -> str:
    """The numbers of entries from one to another; one alone by itself."""
    return str(first) if first == last else f"{first}–{last}"
