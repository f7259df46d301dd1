"""Doors: what every part of the server is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from metaagent.acting import Acting
from metaagent.config import Settings
from metaagent.ports import User
from metaagent.runtime import MetaAgent

OWNER = User()
"""The very object that `person` gives for whoever started the server; an account of that name is somebody else."""


@dataclass(frozen=True)
class Doors:
    """The application, its settings, and `person`: who makes a request or opens a WebSocket. It raises NotLoggedIn where
    nobody is known; there is no default person."""

    meta: MetaAgent
    settings: Settings
    person: Callable[[HTTPConnection], Awaitable[User]]

    async def acting(self, connection: HTTPConnection) -> Acting:
        """The calls of whoever makes this request."""
        return self.acting_as(await self.person(connection))

    def acting_as(self, person: User) -> Acting:
        """The calls of somebody that `person` gave."""
        return self.meta.acting_as_owner() if person is OWNER else self.meta.acting_for(person)
