"""A verifier of audit exports, written from docs/audit-review.md alone: it shares no code with the program's."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

NAME = "metaagent-audit-v1"


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def root(leaves: list[bytes]) -> bytes:
    """RFC 6962, by its recursive definition."""
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\x01", root(leaves[:k]), root(leaves[k:]))


def trusted(pem: str) -> dict[str, Any]:
    end = "-----END PUBLIC KEY-----"
    keys: list[Any] = [load_pem_public_key((part + end).encode()) for part in pem.split(end)[:-1]]
    return {sha(b"metaagent-audit-key\x00", key.public_bytes_raw()).hex()[:16]: key for key in keys}


def signed(note: dict[str, Any], keys: dict[str, Any]) -> bool:
    try:
        text = f"{note['origin']}\n{note['size']}\n{note['root']}\n".encode()
        keys[note["key"]].verify(base64.b64decode(note["signature"]), text)
    except (KeyError, InvalidSignature):
        return False
    return True


def verified(export: bytes, pem: str, anchor: bytes = b"") -> bool:
    """Whether every entry is covered by a signature. Exports without their beginning are not handled here."""
    header, *lines = export.rstrip(b"\n").split(b"\n")
    tenant, keys = json.loads(header)["tenant"], trusted(pem)
    notes = [json.loads(line)["note"] for line in lines if line.startswith(b'{"note":')]
    notes += [json.loads(line) for line in anchor.splitlines() if line.strip()]
    bodies = [line for line in lines if not line.startswith(b'{"note":')]
    leaves: list[bytes] = []
    before = "0" * 64
    for at, body in enumerate(bodies, 1):
        entry = json.loads(body)
        again = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        if again != body or (entry["v"], entry["tenant"], entry["seq"], entry["prev"]) != (
            1,
            tenant,
            at,
            before,
        ):
            return False
        leaves.append(sha(b"\x00", NAME.encode(), b"\x00", body))
        before = leaves[-1].hex()
    reach = 0
    for note in notes:
        if not signed(note, keys) or note["origin"] != f"{NAME}/{tenant}" or note["size"] > len(leaves):
            return False
        if root(leaves[: note["size"]]) != base64.b64decode(note["root"]):
            return False
        reach = max(reach, note["size"])
    return bool(bodies) and reach == len(leaves)
