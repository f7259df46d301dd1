"""Stored values under the newest keys: which ones are not, and how they are sealed again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from metaagent.errors import KeyUnavailable, RowRefused
from metaagent.protection.sealing import HEAD, kid_of, kid_of_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from metaagent.protection.keys.ring import KeyRing
    from metaagent.protection.sealing import Sealer

__all__ = ["HEAD", "Batch", "Renewal", "claimed_kid", "version_of"]


class Batch(NamedTuple):
    """The outcome of one short transaction: rows sealed again, names of rows that could not be opened, and after which
    place to go on (None: this was the end)."""

    done: int
    refused: tuple[str, ...] = ()
    after: Any = None


class Renewal:
    """Seals values of these tenants again, for the same owners."""

    def __init__(self, ring: KeyRing, tenants: Collection[str]) -> None:
        self._ring = ring
        self._tenants = frozenset(tenants)
        self._sealers: dict[tuple[str, str], Sealer] = {}

    def wants(self, head: bytes) -> bool:
        """Tells whether a value that begins so (its first HEAD bytes) is sealed with a key that a newer one has replaced."""
        kid = claimed_kid(head)
        return kid is not None and self.wants_kid(kid)

    def wants_kid(self, kid: str) -> bool:
        return self._ring.superseded(kid) in self._tenants

    def again(self, purpose: str, sealed: bytes, aad: tuple[str, ...]) -> bytes | None:
        """The same value under its owner's newest key; None if it cannot be opened."""
        try:
            return self._sealer(purpose, kid_of(sealed)).reseal(sealed, aad)
        except (RowRefused, KeyUnavailable):
            return None

    def again_text(self, purpose: str, sealed: str, aad: tuple[str, ...]) -> str | None:
        try:
            return self._sealer(purpose, kid_of_text(sealed)).reseal_text(sealed, aad)
        except (RowRefused, KeyUnavailable):
            return None

    def _sealer(self, purpose: str, kid: str) -> Sealer:
        found = self._sealers.get((purpose, kid))
        if found is None:
            tenant = self._ring.tenant_of(kid) or ""
            found = self._sealers[purpose, kid] = self._ring.resealer(tenant, purpose, kid)
        return found


def claimed_kid(head: bytes) -> str | None:
    """The key that a value which begins so names; None for what is not sealed, which is for its reader to refuse."""
    try:
        return kid_of(head)
    except RowRefused:
        return None


def version_of(kid: str) -> int:
    return int(kid[1 : kid.index("-")])
