"""Lookup of a sealer's keys, by purpose, in the key ring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaagent.errors import KeyUnavailable
from metaagent.protection.keys.records import NO_KEY

if TYPE_CHECKING:
    from metaagent.protection.keys.records import Record
    from metaagent.protection.keys.ring import KeyRing
    from metaagent.protection.sealing import SealingKey

MOST_KEYS = 1_000
"""Keys of people that a reader keeps at hand."""


class PurposeKeys:
    """The keys of one purpose, cached until the ring changes: sealing costs a clock reading more than AES."""

    def __init__(self, ring: KeyRing, tenant: str, purpose: str, person: str | None) -> None:
        self._ring = ring
        self._tenant = tenant
        self._purpose = purpose
        self._person = person
        self._cache: tuple[int, SealingKey | None, dict[str, SealingKey]] = (-1, None, {})

    def newest(self) -> SealingKey:
        self._ring.refresh()
        generation, newest, found = self._cache
        if newest is None or generation != self._ring.generation:
            generation, _, found = self._fresh()
            record = self._newest_record()
            newest = found.get(record["kid"]) or self._ring.derived(record, self._tenant, self._purpose)
            self._cache = (generation, newest, found)
        return newest

    def find(self, kid: str, row: str) -> SealingKey:
        found = self._fresh()[2]
        key = found.get(kid)
        if key is None:
            record = self._record(kid, row)
            key = found[kid] = self._ring.derived(record, self._tenant, self._purpose)
        return key

    def _newest_record(self) -> Record:
        return self._ring.newest_record(self._tenant, self._person)

    def _record(self, kid: str, row: str) -> Record:
        return self._ring.find_record(self._tenant, self._person, kid, row, self._purpose)

    def _fresh(self) -> tuple[int, SealingKey | None, dict[str, SealingKey]]:
        ring = self._ring
        ring.refresh()
        if self._cache[0] != ring.generation:
            self._cache = (ring.generation, None, {})
        return self._cache


class OwnerKeys(PurposeKeys):
    """The same for someone who is known by their label alone, so that what is theirs can be sealed again."""

    def __init__(self, ring: KeyRing, tenant: str, purpose: str, label: str | None) -> None:
        super().__init__(ring, tenant, purpose, None)
        self._label = label

    def _newest_record(self) -> Record:
        return self._ring.newest_of(self._tenant, self._label)

    def _record(self, kid: str, row: str) -> Record:
        return self._ring.find_of(self._tenant, self._label, kid, row, self._purpose)


class AnyPersonKeys:
    """Finds the key of any person of one tenant, for reading. Cached until the ring changes: deriving costs more than AES."""

    def __init__(self, ring: KeyRing, tenant: str, purpose: str) -> None:
        self._ring = ring
        self._tenant = tenant
        self._purpose = purpose
        self._cache: tuple[int, dict[str, SealingKey]] = (-1, {})

    def newest(self) -> SealingKey:
        raise KeyUnavailable(NO_KEY, kid="any", row=f"{self._tenant}/{self._purpose}")

    def find(self, kid: str, row: str) -> SealingKey:
        ring = self._ring
        ring.refresh()
        if self._cache[0] != ring.generation or len(self._cache[1]) >= MOST_KEYS:
            self._cache = (ring.generation, {})
        found = self._cache[1]
        key = found.get(kid)
        if key is None:
            record = ring.find_anyones(self._tenant, kid, row, self._purpose)
            key = found[kid] = ring.derived(record, self._tenant, self._purpose)
        return key
