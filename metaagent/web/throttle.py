"""Counts of what somebody did lately, bounded in number: who does too much is told when to come back."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable


class Throttle:
    """Lets so many through in so many seconds for each key. The keys that were counted longest ago are forgotten first."""

    def __init__(
        self, most: int, seconds: float, *, size: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._size = size
        self._clock = clock
        self._counts: OrderedDict[Hashable, tuple[float, int]] = OrderedDict()

    def wait(self, key: Hashable) -> float:
        """Seconds until one more is taken; 0 if it is now."""
        begun, count = self._counts.get(key, (0.0, 0))
        left = begun + self._seconds - self._clock()
        return left if count >= self._most and left > 0 else 0.0

    def count(self, key: Hashable) -> None:
        now = self._clock()
        begun, count = self._counts.pop(key, (now, 0))
        if begun + self._seconds <= now:
            begun, count = now, 0
        self._counts[key] = begun, count + 1
        while len(self._counts) > self._size:
            self._counts.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        self._counts.pop(key, None)
