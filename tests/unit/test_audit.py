from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import orjson
import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from metaagent.audit.findings import FINDINGS, Finding
from metaagent.audit.notes import MerkleRange, Note, make_note, trusted_keys
from metaagent.audit.report import account
from metaagent.audit.trail import (
    GENESIS,
    AuditEvent,
    StoredEntry,
    canonical,
    entry_body,
    entry_hash,
    prepare,
    verify,
)
from metaagent.errors import ConfigInvalid, InputRefused
from metaagent.protection.keys.records import public_key_id
from tests.support.audit_world import unhurried

TS = "2026-01-01T00:00:00.000Z"
KEY = Ed25519PrivateKey.generate()
TRUSTED = {public_key_id(KEY.public_key().public_bytes_raw()): KEY.public_key()}

keys = st.text(st.characters(max_codepoint=127), max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def sign(message: bytes) -> tuple[str, bytes]:
    return next(iter(TRUSTED)), KEY.sign(message)


@unhurried
@given(value=values)
def test_canonical_json_is_rfc_8785(value: Any):
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
        ({"aa": 1, "a": {"z": None, "Z": True}, "A": False}, '{"A":false,"a":{"Z":true,"z":null},"aa":1}'),
        ({"": [], "10": {}, "9": "", "~": 0}, '{"":[],"10":{},"9":"","~":0}'),
        ([[], {}, [[]], "", 0, -1], '[[],{},[[]],"",0,-1]'),
        ([2**53 - 1, -(2**53) + 1], "[9007199254740991,-9007199254740991]"),
        ("tab\tline\nfeed\fback\breturn\r", '"tab\\tline\\nfeed\\fback\\breturn\\r"'),
        ("\x00\x01\x1f\x7f\x80", '"\\u0000\\u0001\\u001f\x7f\x80"'),
        ('quote " back \\ slash /', '"quote \\" back \\\\ slash /"'),
        ("매출 \U0001f4c8 é e\u0301 \u2028", '"매출 \U0001f4c8 é e\u0301 \u2028"'),
        ({"nested": [{"list": [1, "둘", None]}]}, '{"nested":[{"list":[1,"둘",null]}]}'),
    ],
)
def test_canonical_json_has_one_spelling(value: Any, expected: str):
    assert canonical(value) == rfc8785.dumps(value) == expected.encode()


@pytest.mark.public_data("jcs")
@pytest.mark.parametrize("name", ["arrays", "unicode"])
def test_the_published_vectors_are_reproduced(name: str, public: Path):
    value = json.loads((public / "testdata" / "input" / f"{name}.json").read_text("utf-8"))
    assert canonical(value) == (public / "testdata" / "output" / f"{name}.json").read_bytes()


@pytest.mark.public_data("jcs")
@pytest.mark.parametrize("name", ["french", "structures", "values", "weird"])
def test_published_vectors_with_floats_or_other_keys_are_refused(name: str, public: Path):
    with pytest.raises(InputRefused):
        canonical(json.loads((public / "testdata" / "input" / f"{name}.json").read_text("utf-8")))


@pytest.mark.parametrize(
    "value",
    [1.0, 2**53, -(2**53), {"키": 1}, {1: 1}, b"x", "\ud800", object(), {"a": [float("nan")]}, {1, 2}],
)
def test_values_with_two_spellings_are_refused(value: Any):
    with pytest.raises(InputRefused):
        canonical(value)


def test_nesting_is_bounded():
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    with pytest.raises(InputRefused, match="depth"):
        canonical(deep)


def test_an_entry_has_exactly_the_designed_fields_and_hash():
    event = AuditEvent(
        tenant="acme", event="plan.approved", session="s", turn="t", agent="a", outcome="ok", data={"n": 1}
    )
    body = entry_body(prepare(event, actor="u-1", ts=TS), seq=1, prev=GENESIS)
    assert body == rfc8785.dumps(
        {
            "v": 1,
            "tenant": "acme",
            "seq": 1,
            "ts": TS,
            "actor": "u-1",
            "event": "plan.approved",
            "session": "s",
        }
        | {"turn": "t", "agent": "a", "outcome": "ok", "data": {"n": 1}, "prev": GENESIS}
    )
    assert entry_hash(body) == hashlib.sha256(b"\x00metaagent-audit-v1\x00" + body).digest()


@unhurried
@given(data=st.dictionaries(keys, values, max_size=4))
def test_an_entrys_body_is_canonical_whatever_its_data(data: dict[str, Any]):
    body = entry_body(
        prepare(AuditEvent(tenant="t", event="e", data=data), actor="a", ts=TS), seq=1, prev=GENESIS
    )
    assert body == rfc8785.dumps(json.loads(body))


def test_data_changed_after_recording_has_no_effect():
    data = {"a": [1]}
    ready = prepare(AuditEvent(tenant="t", event="e", data=data), actor="a", ts=TS)
    data["a"].append(2)
    assert orjson.loads(entry_body(ready, seq=1, prev=GENESIS))["data"] == {"a": [1]}


def test_personal_data_needs_a_person():
    with pytest.raises(InputRefused, match="person="):
        prepare(AuditEvent(tenant="t", event="e", pii={"name": "x"}), actor="a", ts=TS)
    with pytest.raises(ConfigInvalid):
        AuditEvent(tenant="../t", event="e")


def merkle(leaves: list[bytes]) -> bytes:
    """RFC 6962 §2.1, word for word (over leaves that are hashed already)."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + merkle(leaves[:k]) + merkle(leaves[k:])).digest()


@unhurried
@given(leaves=st.lists(st.binary(min_size=32, max_size=32), max_size=70))
def test_the_tree_is_rfc_6962(leaves: list[bytes]):
    tree = MerkleRange()
    for count, leaf in enumerate(leaves):
        assert tree.root() == merkle(leaves[:count])
        tree.append(leaf)
    assert tree.root() == merkle(leaves)
    assert len(tree.nodes) == len(leaves).bit_count()


Trail = tuple[list[StoredEntry], list[Note]]


def trail(count: int, every: int, tenant: str = "acme") -> Trail:
    rows: list[StoredEntry] = []
    notes: list[Note] = []
    tree, prev = MerkleRange(), GENESIS
    for seq in range(1, count + 1):
        ready = prepare(AuditEvent(tenant=tenant, event="e", session="s", data={"n": seq}), actor="a", ts=TS)
        rows.append(stored(entry_body(ready, seq=seq, prev=prev), seq))
        prev = rows[-1].hash.hex()
        tree.append(rows[-1].hash)
        if seq % every == 0 or seq == count:
            notes.append(make_note(tree, tenant, TS, sign))
    return rows, notes


def stored(body: bytes, seq: int) -> StoredEntry:
    entry = orjson.loads(body)
    return StoredEntry(
        seq,
        body,
        entry_hash(body),
        entry["ts"],
        entry["actor"],
        entry["event"],
        entry["session"],
        entry["turn"],
    )


def rehash(rows: list[StoredEntry]) -> list[StoredEntry]:
    made: list[StoredEntry] = []
    prev = GENESIS
    for seq, row in enumerate(rows, 1):
        entry = orjson.loads(row.body) | {"seq": seq, "prev": prev}
        made.append(stored(orjson.dumps(entry, option=orjson.OPT_SORT_KEYS), seq))
        prev = made[-1].hash.hex()
    return made


def check(rows: list[StoredEntry], notes: list[Note]) -> Any:
    return verify(rows, notes, tenant="acme", trusted=TRUSTED)


@unhurried
@given(count=st.integers(0, 40), every=st.integers(1, 10))
def test_an_untouched_trail_verifies(count: int, every: int):
    result = check(*trail(count, every))
    assert result.ok
    assert (result.last, result.signed, result.unsigned) == (count, count, 0)


@unhurried
@given(data=st.data(), count=st.integers(2, 30), every=st.integers(1, 8))
def test_any_attack_is_found_at_or_before_its_place(data: st.DataObject, count: int, every: int):
    rows, notes = trail(count, every)
    place = data.draw(st.integers(0, count - 1), "place")
    attack = data.draw(st.sampled_from(["edit", "delete", "insert", "swap", "cut"]), "attack")
    again = data.draw(st.booleans(), "rehash") or attack == "insert"
    if attack == "edit":
        body = rows[place].body.replace(b'"event":"e"', b'"event":"x"')
        rows[place] = stored(body, place + 1) if again else rows[place]._replace(body=body)
    elif attack == "delete":
        del rows[place]
    elif attack == "insert":
        rows.insert(place, stored(rows[place].body.replace(b'"actor":"a"', b'"actor":"b"'), place + 1))
    elif attack == "swap":
        other = (place + 1) % count
        rows[place], rows[other] = rows[other]._replace(seq=place + 1), rows[place]._replace(seq=other + 1)
    else:
        rows = rows[:place]
    result = check(rehash(rows) if again else rows, notes)
    assert not result.ok
    assert result.signed <= place + 1
    assert min(result.signed + 1, *(finding.seq for finding in result.findings)) <= place + 2


def test_a_trail_made_anew_is_placed_between_two_checkpoints():
    rows, notes = trail(30, 10)
    rows[14] = stored(rows[14].body.replace(b'"event":"e"', b'"event":"x"'), 15)
    (finding,) = check(rehash(rows), notes).findings
    assert (finding.kind, finding.seq) == ("rehashed", 11)


def test_two_signed_histories_contradict_each_other():
    rows, notes = trail(10, 10)
    other = make_note(MerkleRange(10, [b"x" * 32, b"y" * 32]), "acme", TS, sign)
    assert "rehashed" in {finding.kind for finding in check(rows, [*notes, other]).findings}


def test_an_anchor_catches_what_cut_checkpoints_hide():
    rows, notes = trail(30, 10)
    assert check(rows[:20], notes[:2]).ok
    result = verify(rows[:20], notes[:2], tenant="acme", trusted=TRUSTED, anchors=notes[2:])
    assert [(finding.kind, finding.seq) for finding in result.findings] == [("cut_tail", 21)]


def test_a_forged_or_foreign_note_is_named():
    rows, notes = trail(10, 10)
    _, foreign = trail(10, 10, tenant="globex")
    forged = Note.from_json(notes[0].as_json() | {"size": 11})
    kinds = [
        finding.kind
        for finding in verify(
            rows, [*notes, foreign[0], forged, None], tenant="acme", trusted=TRUSTED
        ).findings
    ]
    assert kinds == ["forged_checkpoint"] * 3


def test_a_note_survives_its_json_form():
    note = trail(7, 7)[1][0]
    assert Note.from_json(json.loads(json.dumps(note.as_json()))) == note
    assert note.tree() is not None
    assert Note(note.origin, note.size, note.root, note.key, note.signature, note.nodes[:-1]).tree() is None


@pytest.mark.parametrize("pem", ["", "no key", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"])
def test_a_file_without_a_key_is_refused(pem: str):
    with pytest.raises(InputRefused):
        trusted_keys(pem)


@pytest.mark.parametrize("kind", FINDINGS)
def test_every_finding_names_its_place_in_both_languages(kind: str):
    finding = Finding(kind, 7, "7–9")
    for language in ("en", "ko"):
        assert "7" in finding.say(language)
    assert finding.say("ko") != finding.say("en")


def test_sealed_rules_are_counted_and_opened_ones_named():
    entry: Any = {
        "event": "rules.judged",
        "seq": 1,
        "ts": "2026-11-17T13:00:00.000Z",
        "session": "s1",
        "turn": "t1",
        "actor": "u1",
        "agent": "check",
        "outcome": "blocked",
        "data": {"step": "s3", "verdict": "v", "inputs": [], "rules": ["h:aa", "h:bb"]},
    }
    assert "2 rule(s), sealed (--reveal names them)" in account([entry])[-1]
    opened = {**entry, "pii": {"rules": ["rebate_law 2024.3 aa cash violated high ee"]}}
    assert "rebate_law 2024.3 aa cash violated" in account([opened])[-1]
