"""After a rotation: everything that is stored goes under the newest keys, then the older ones are destroyed.

Each store works in short transactions of its own, in which a row is sealed with the old key or with the new one and
never with neither. So turns go on meanwhile, and a run that is killed is simply begun again. See
docs/adr/resealing.md.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from metaagent.protection.keys import KeyRing
from metaagent.protection.keys.renewal import Batch, Renewal, version_of

SETTLE_SECONDS = 2.0
"""After a rotation, every program that runs seals with the new keys by then: it looks at the key file each second."""

Tell = Callable[[str, int, int], None]
"""A callback after each transaction: the part, how many of its rows are done, how many there were to do."""


class SealedStore(Protocol):
    """One place where sealed values are kept; `parts` are its tables, by the names that a person is told."""

    @property
    def parts(self) -> Sequence[str]: ...

    async def kids(self, part: str) -> Counter[str]:
        """Count the rows that each key sealed."""
        ...

    async def renew(self, part: str, renewal: Renewal, after: Any) -> Batch:
        """Seal again some rows after this place (None: from the start), in one transaction."""
        ...

    async def refuse(self, kids: Collection[str]) -> None:
        """Take in nothing that one of these keys sealed, from now on."""
        ...

    async def scrub(self) -> None:
        """Leave nothing of what was overwritten, as far as the technology can do that."""
        ...


@dataclass
class Resealed:
    rows: Counter[str] = field(default_factory=Counter[str])
    refused: list[str] = field(default_factory=list[str])
    """Rows that cannot be opened. As long as there are any, no key is destroyed."""
    old: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The keys that were not the newest when it began, by tenant."""
    free: bool = False
    """No row is under one of them, and none can come: they can be destroyed."""


class Resealing:
    def __init__(self, stores: Sequence[SealedStore], ring: KeyRing) -> None:
        self._stores = stores
        self._ring = ring

    async def by_version(self, tenant: str) -> dict[int, dict[str, int]]:
        """Count the tenant's rows that each version of its keys sealed, by part."""
        found: dict[int, dict[str, int]] = {}
        for store in self._stores:
            for part in store.parts:
                for kid, count in (await store.kids(part)).items():
                    if self._ring.tenant_of(kid) == tenant:
                        rows = found.setdefault(version_of(kid), {})
                        rows[part] = rows.get(part, 0) + count
        return dict(sorted(found.items()))

    async def run(self, tenants: Collection[str], tell: Tell, *, to_retire: bool) -> Resealed:
        """Seals with the newest keys whatever older ones sealed; `to_retire` until there is nothing left to seal."""
        self._ring.reload_if_changed()
        done = Resealed(old={tenant: self._ring.older(tenant) for tenant in tenants})
        kids = [kid for each in done.old.values() for kid in each]
        renewal = Renewal(self._ring, tenants)
        if kids:
            await self._renew_all(renewal, await self._left(kids), done, tell)
        if not kids or not to_retire or done.refused:
            return done
        await asyncio.sleep(max(0.0, SETTLE_SECONDS - min(map(self._ring.age, tenants))))
        for store in self._stores:
            await store.refuse(kids)
        # What others committed with the old keys until now; nobody can any more.
        while not done.refused and (left := await self._left(kids)):
            before = done.rows.total()
            await self._renew_all(renewal, left, done, tell)
            done.refused += left if done.rows.total() == before and not done.refused else ()
        for store in self._stores if not done.refused else ():
            await store.scrub()
        done.free = not done.refused
        return done

    async def _left(self, kids: Collection[str]) -> dict[str, int]:
        """The parts that have rows under these keys, and how many."""
        wanted = frozenset(kids)
        counts = {part: await store.kids(part) for store in self._stores for part in store.parts}
        left = {part: sum(found[kid] for kid in wanted & found.keys()) for part, found in counts.items()}
        return {part: count for part, count in left.items() if count}

    async def _renew_all(self, renewal: Renewal, left: dict[str, int], done: Resealed, tell: Tell) -> None:
        for store in self._stores:
            for part in [part for part in store.parts if part in left]:
                after: Any = None
                so_far = 0
                while True:
                    batch = await store.renew(part, renewal, after)
                    so_far += batch.done
                    done.rows[part] += batch.done
                    done.refused += batch.refused
                    tell(part, so_far, left[part])
                    if batch.after is None:
                        break
                    after = batch.after
