"""Receipts of an erasure as an outsider checks them: with the public keys alone."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature

from metaagent.audit.notes import trusted_keys
from metaagent.audit.trail import canonical


def receipt_is_signed(receipt: Mapping[str, Any], public_keys: str) -> bool:
    """Tells whether one of these keys (PEM) signed exactly this receipt."""
    key = trusted_keys(public_keys).get(receipt["key"])
    if key is None:
        return False
    try:
        key.verify(b64decode(receipt["signature"]), canonical(receipt["receipt"]))
    except InvalidSignature:
        return False
    return True
