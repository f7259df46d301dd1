"""Signed statements about an audit trail: its RFC 6962 tree, and Ed25519 over origin, size and root."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from metaagent.errors import InputRefused, Text
from metaagent.protection.keys.records import public_key_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ORIGIN = "metaagent-audit-v1"
_END_KEY = "-----END PUBLIC KEY-----"

BAD_KEY_FILE = Text("This is not an Ed25519 public key in PEM.", "PEM 형식의 Ed25519 공개 키가 아닙니다.")


class MerkleRange:
    """The RFC 6962 tree of the first `size` leaves, kept as its O(log n) complete subtrees, largest first."""

    __slots__ = ("nodes", "size")

    def __init__(self, size: int = 0, nodes: Sequence[bytes] = ()) -> None:
        self.size = size
        self.nodes = list(nodes)

    def append(self, leaf: bytes) -> None:
        full = self.size
        while full & 1:
            leaf = _node(self.nodes.pop(), leaf)
            full >>= 1
        self.nodes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        if not self.nodes:
            return hashlib.sha256(b"").digest()
        root = self.nodes[-1]
        for left in reversed(self.nodes[:-1]):
            root = _node(left, root)
        return root


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True)
class Note:
    """A signed statement about the first `size` entries: a checkpoint, or that retention dropped them."""

    origin: str
    size: int
    root: bytes
    key: str
    signature: bytes
    nodes: tuple[bytes, ...] = ()
    ts: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "origin": self.origin,
            "size": self.size,
            "root": b64encode(self.root).decode(),
            "key": self.key,
            "signature": b64encode(self.signature).decode(),
            "nodes": [b64encode(node).decode() for node in self.nodes],
            "ts": self.ts,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Note:
        """Raises ValueError, KeyError or TypeError for what is not a note."""
        return cls(
            origin=str(raw["origin"]),
            size=int(raw["size"]),
            root=b64decode(raw["root"], validate=True),
            key=str(raw["key"]),
            signature=b64decode(raw["signature"], validate=True),
            nodes=tuple(b64decode(node, validate=True) for node in raw["nodes"]),
            ts=str(raw["ts"]),
        )

    def is_signed_by(self, key: Ed25519PublicKey) -> bool:
        try:
            key.verify(self.signature, note_text(self.origin, self.size, self.root))
        except InvalidSignature:
            return False
        return True

    def tree(self) -> MerkleRange | None:
        """The tree to go on from, if the subtrees kept beside the signature really give the signed root."""
        tree = MerkleRange(self.size, self.nodes)
        sound = len(self.nodes) == self.size.bit_count() and tree.root() == self.root
        return tree if sound else None


def note_text(origin: str, size: int, root: bytes) -> bytes:
    return f"{origin}\n{size}\n{b64encode(root).decode()}\n".encode()


def origin_of(tenant: str, *, retention: bool = False) -> str:
    return f"{ORIGIN}/{tenant}/retention" if retention else f"{ORIGIN}/{tenant}"


def make_note(
    tree: MerkleRange,
    tenant: str,
    ts: str,
    sign: Callable[[bytes], tuple[str, bytes]],
    *,
    retention: bool = False,
) -> Note:
    origin, root = origin_of(tenant, retention=retention), tree.root()
    key, signature = sign(note_text(origin, tree.size, root))
    return Note(origin, tree.size, root=root, key=key, signature=signature, nodes=tuple(tree.nodes), ts=ts)


def trusted_keys(pem: str) -> dict[str, Ed25519PublicKey]:
    """Public keys of one or several PEM blocks, by key id."""
    keys: dict[str, Ed25519PublicKey] = {}
    for block in pem.split(_END_KEY)[:-1]:
        try:
            key = load_pem_public_key((block + _END_KEY).encode())
        except ValueError as error:
            raise InputRefused(BAD_KEY_FILE) from error
        if not isinstance(key, Ed25519PublicKey):
            raise InputRefused(BAD_KEY_FILE)
        keys[public_key_id(key.public_bytes_raw())] = key
    if not keys:
        raise InputRefused(BAD_KEY_FILE)
    return keys
