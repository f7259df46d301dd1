"""Clocks: the system's, and one set to another moment that goes on from there."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class ClockSetTo:
    def __init__(self, moment: datetime) -> None:
        self._moment = moment.astimezone(UTC)
        self._since = time.monotonic()

    def now(self) -> datetime:
        return self._moment + timedelta(seconds=time.monotonic() - self._since)
