"""Exports of a trail, true and forged."""

from __future__ import annotations

import hashlib
import io
import json
import random
from base64 import b64encode
from typing import Any

import orjson

from metaagent.audit import verifier
from metaagent.ports import User

REVIEWER = User("rev", "acme", ("reviewer",))


def leaf(body: bytes) -> bytes:
    return hashlib.sha256(b"\0metaagent-audit-v1\0" + body).digest()


async def exported(app: Any) -> tuple[bytes, str]:
    file = io.BytesIO()
    await app.governance.audit_export(file, user=REVIEWER)
    return file.getvalue(), await app.governance.keys_public(user=REVIEWER)


def rewritten(bodies: list[bytes], start: int) -> list[bytes]:
    out = bodies[:start]
    before = leaf(out[-1]).hex() if out else "0" * 64
    for body in bodies[start:]:
        entry = {**json.loads(body), "prev": before, "actor": "u-ffffffffffffffff"}
        out.append(orjson.dumps(entry, option=orjson.OPT_SORT_KEYS))
        before = leaf(out[-1]).hex()
    return out


def unsigned_note(note: bytes, bodies: list[bytes]) -> bytes:
    """A note over these entries whose signature was made for others."""
    tree = verifier.Tree()
    for body in bodies:
        tree.append(leaf(body))
    claimed = {"size": len(bodies), "root": b64encode(tree.root()).decode()}
    return orjson.dumps({"note": {**json.loads(note)["note"], **claimed}})


def forgeries(export: bytes, anchor: bytes, seed: int) -> dict[str, bytes]:
    """Exports that were changed on their way."""
    rng = random.Random(seed)
    header, *lines = export.rstrip(b"\n").split(b"\n")
    notes = [line for line in lines if line.startswith(b'{"note":')]
    bodies = [line for line in lines if not line.startswith(b'{"note":')]
    kept = max(json.loads(line)["size"] for line in anchor.splitlines())
    old = [line for line in notes if json.loads(line)["note"]["size"] <= kept]
    at = rng.randrange(1, len(bodies) - 1)
    changed = {
        "no signatures": (header, *bodies),
        "younger notes gone, entries after the anchor rewritten": (header, *old, *rewritten(bodies, kept)),
        "everything rewritten, no signatures": (header, *rewritten(bodies, 0)),
        "entries after the anchor rewritten, a note nobody signed": (
            header,
            *old,
            unsigned_note(notes[-1], rewritten(bodies, kept)),
            *rewritten(bodies, kept),
        ),
        "one entry removed": (header, *notes, *bodies[:at], *bodies[at + 1 :]),
        "two entries swapped": (
            header,
            *notes,
            *bodies[: at - 1],
            bodies[at],
            bodies[at - 1],
            *bodies[at + 1 :],
        ),
        "one entry twice": (header, *notes, *bodies, bodies[-1]),
        "rewritten from the middle": (header, *notes, *rewritten(bodies, at)),
        "the tail cut": (header, *notes, *bodies[:-1]),
        "no entries": (header, *notes),
    }
    return {name: b"\n".join(parts) + b"\n" for name, parts in changed.items()}
