"""Checks an audit export without the program that wrote it: python verifier.py EXPORT KEY [ANCHOR]

EXPORT is what `audit export --format jsonl` wrote, KEY the public key (PEM) that you were given when the
system was set up, ANCHOR a notes file that you kept. Needs Python 3.11 and `cryptography`. Exit code: 0
verified, 1 not, 2 cannot be read. Every problem is printed with the number of the entry, and the last line
says what is proved: VERIFIED means that every entry of the export is covered by a signature. Without an
anchor, nobody can tell whether later entries were left out.
"""
# ruff: noqa: T201 - printing is what it is for

import json
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

ORIGIN = "metaagent-audit-v1"
END = "-----END PUBLIC KEY-----"
Json = dict[str, Any]
Keys = dict[str, Ed25519PublicKey]


def load_keys(pem: str) -> Keys:
    keys: Keys = {}
    for block in pem.split(END)[:-1]:
        key = load_pem_public_key((block + END).encode())
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError("not an Ed25519 key")
        keys[sha256(b"metaagent-audit-key\0" + key.public_bytes_raw()).hexdigest()[:16]] = key
    if not keys:
        raise ValueError("no public key in the file")
    return keys


def check_note(note: Json, tenant: str, keys: Keys) -> str | None:
    if note["origin"] not in (f"{ORIGIN}/{tenant}", f"{ORIGIN}/{tenant}/retention"):
        return f"checkpoint {note['size']}: signed for {note['origin']}"
    if note["key"] not in keys:
        return f"checkpoint {note['size']}: signed by the unknown key {note['key']}"
    text = f"{note['origin']}\n{note['size']}\n{note['root']}\n".encode()
    try:
        keys[note["key"]].verify(b64decode(note["signature"]), text)
    except InvalidSignature:
        return f"checkpoint {note['size']}: wrong signature"
    return None


class Tree:
    """RFC 6962, kept as its complete subtrees."""

    def __init__(self, size: int = 0, nodes: list[bytes] | None = None) -> None:
        self.size, self.nodes = size, list(nodes or [])

    def append(self, leaf: bytes) -> None:
        full = self.size
        while full & 1:
            leaf = sha256(b"\x01" + self.nodes.pop() + leaf).digest()
            full >>= 1
        self.nodes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        root = self.nodes[-1] if self.nodes else sha256(b"").digest()
        for left in reversed(self.nodes[:-1]):
            root = sha256(b"\x01" + left + root).digest()
        return root


def check_entry(body: bytes, tenant: str, seq: int, prev: str | None) -> list[str]:
    try:
        entry: Json = json.loads(body)
        again = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        claims = (entry["tenant"], entry["seq"], entry["prev"], entry["v"])
    except (ValueError, KeyError, TypeError) as error:
        return [f"entry {seq}: unreadable ({error})"]
    problems = {
        "not canonical, so it was edited": again != body or claims[3] != 1,
        f"written for tenant {claims[0]}": claims[0] != tenant,
        f"numbered {claims[1]}: entries were removed, inserted or moved": claims[1] != seq,
        f"does not follow entry {seq - 1}, which was edited or removed": prev is not None
        and claims[2] != prev,
    }
    return [f"entry {seq}: {problem}" for problem, found in problems.items() if found]


def start_of(bodies: list[bytes], notes: list[Json], tenant: str, problems: list[str]) -> tuple[Tree, int]:
    try:
        first = int(json.loads(bodies[0])["seq"]) if bodies else 1
    except (ValueError, KeyError, TypeError):
        first = 1
    if first == 1:
        return Tree(), 1
    for note in notes:
        if note["origin"] == f"{ORIGIN}/{tenant}/retention" and note["size"] == first - 1:
            tree = Tree(first - 1, [b64decode(node) for node in note["nodes"]])
            if len(tree.nodes) == tree.size.bit_count() and tree.root() == b64decode(note["root"]):
                return tree, first
    problems.append(f"entries 1 to {first - 1} are missing, and no signed note says that they were dropped")
    return Tree(), first


def against(anchors: list[Json], tenant: str, name: str) -> str:
    sizes = [note["size"] for note in anchors if note["origin"] == f"{ORIGIN}/{tenant}"]
    if not sizes:
        return "against no anchor: later entries may have been left out"
    return f"against {name}, whose newest note covers entries 1 to {max(sizes)}"


def verify(lines: list[bytes], anchors: list[Json], keys: Keys) -> tuple[list[str], str]:
    tenant = str(json.loads(lines[0])["tenant"])
    notes = [json.loads(line)["note"] for line in lines[1:] if line.startswith(b'{"note":')] + anchors
    bodies = [line for line in lines[1:] if not line.startswith(b'{"note":')]
    problems = [problem for note in notes if (problem := check_note(note, tenant, keys))]
    notes = [note for note in notes if check_note(note, tenant, keys) is None]
    tree, seq = start_of(bodies, notes, tenant, problems)
    roots: dict[int, set[bytes]] = {}
    for note in notes:
        if not note["origin"].endswith("/retention"):
            roots.setdefault(note["size"], set()).add(b64decode(note["root"]))
    prev, signed = None if seq > 1 else "0" * 64, seq - 1
    for body in bodies:
        problems += check_entry(body, tenant, seq, prev)
        leaf = sha256(b"\x00" + ORIGIN.encode() + b"\x00" + body).digest()
        tree.append(leaf)
        if seq in roots and not problems:
            if roots[seq] != {tree.root()}:
                problems.append(f"entries {signed + 1} to {seq}: not what was signed (a chain made anew)")
            signed = seq
        prev, seq = leaf.hex(), seq + 1
    newest = max((note["size"] for note in notes), default=0)
    if newest > seq - 1:
        problems.append(f"entries {seq} to {newest} were signed and are missing (the tail was cut)")
    if not bodies:
        problems.append("there are no entries: nothing is proved")
    elif signed < seq - 1 and not problems:
        problems.append(f"entries {signed + 1} to {seq - 1} are covered by no signature")
    return problems, f"entries {seq - len(bodies)} to {seq - 1} of tenant {tenant}"


def main(arguments: list[str]) -> int:
    if len(arguments) not in (2, 3):
        print(__doc__)
        return 2
    try:
        keys = load_keys(Path(arguments[1]).read_text())
        files = [Path(path).read_bytes().strip().split(b"\n") for path in (arguments[0], *arguments[2:])]
        anchors = [json.loads(line) for lines in files[1:] for line in lines]
        problems, covered = verify(files[0], anchors, keys)
        anchored = against(anchors, str(json.loads(files[0][0])["tenant"]), "".join(arguments[2:]))
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        print(f"cannot be read: {type(error).__name__}: {error}")
        return 2
    proved = f"VERIFIED: {covered} are exactly what was signed; {anchored}"
    print("\n".join([*problems, f"NOT VERIFIED: {covered}" if problems else proved]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
