"""Doors: what every part of the server is given."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from metaagent.acting import Acting
from metaagent.config import Settings
from metaagent.ports import User
from metaagent.runtime import MetaAgent
from metaagent.web.metrics import Metrics

OWNER = User()
"""The very object that `person` gives for whoever started the server; an account of that name is somebody else."""


PROGRAMS = ("/api/", "/v1/", "/mcp", "/ag-ui", "/a2a", "/metrics")
"""Paths at which programs call: nobody is led to a page there."""


class Stopping(asyncio.Event):
    """Set once. `listeners` are called then: thousands of readers wait for it, and a task for each would cost more than what
    most of them read."""

    def __init__(self) -> None:
        super().__init__()
        self.listeners: set[Callable[[], None]] = set()

    def set(self) -> None:
        super().set()
        for listener in [*self.listeners]:
            listener()


@dataclass(frozen=True)
class Doors:
    """The application, its settings, and `person`: who makes a request or opens a WebSocket. It raises NotLoggedIn where
    nobody is known; there is no default person."""

    meta: MetaAgent
    settings: Settings
    person: Callable[[HTTPConnection], Awaitable[User]]
    metrics: Metrics = field(default_factory=Metrics)
    stopping: Stopping = field(default_factory=Stopping)
    """Set when the server is about to stop: whoever follows something without an end leaves."""

    async def acting(self, connection: HTTPConnection) -> Acting:
        """The calls of whoever makes this request."""
        return self.acting_as(await self.person(connection))

    def acting_as(self, person: User) -> Acting:
        """The calls of somebody that `person` gave."""
        return self.meta.acting_as_owner() if person is OWNER else self.meta.acting_for(person)
