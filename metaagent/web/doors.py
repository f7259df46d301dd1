"""Doors: what every part of the server is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from metaagent.config import Settings
from metaagent.ports import User
from metaagent.runtime import MetaAgent


@dataclass(frozen=True)
class Doors:
    """The application, its settings, and `person`: who makes a request or opens a WebSocket. It raises NotLoggedIn where
    nobody is known; there is no default person."""

    meta: MetaAgent
    settings: Settings
    person: Callable[[HTTPConnection], Awaitable[User]]
