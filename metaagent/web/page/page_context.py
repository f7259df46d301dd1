"""One person's visit: who it is, in which language, and what the parts of the page are built with."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from metaagent.access.rights import Rights, policies_of, rights_of
from metaagent.acting import Acting
from metaagent.config import Settings
from metaagent.errors import MetaAgentError, Text
from metaagent.registry import Registry
from metaagent.web.page.account import agent_said
from metaagent.web.page.elements import notice, toast
from metaagent.web.page.plain import told
from metaagent.web.page.words import Words

ROOT = "/page"
"""The path of the page's own files and pictures."""


@dataclass(frozen=True)
class Visit:
    """Everything is read and done through `me`, which stands for the person and nobody else."""

    me: Acting
    words: Words
    settings: Settings
    registry: Registry
    titles: Callable[[], Mapping[str, Text]]
    """Reads the titles of rules by `pack/rule`, and of packs."""
    theme: str = ""
    changed: list[Callable[[], Awaitable[None]]] = field(default_factory=list[Callable[[], Awaitable[None]]])
    """Called when the conversations or what waits may have changed."""

    @cached_property
    def _rights(self) -> Rights:
        return rights_of(policies_of(self.settings.access), self.me.user)

    def may(self, operation: str, *, own: bool = True) -> bool:
        """Tell if it is worth asking the core, which decides: a look that nobody asked for should not be on record as refused."""
        return self._rights.may(operation, own=own)

    @property
    def language(self) -> str:
        return self.words.language

    def time(self, moment: str | None) -> str:
        """A time of the store as this installation's clocks show it, to the minute."""
        if not moment:
            return ""
        then = datetime.fromisoformat(moment).astimezone(self.settings.zone)
        return then.strftime("%Y-%m-%d %H:%M")

    def agent(self, name: str) -> str:
        """An agent by what it does, or by its name where it is not here."""
        return agent_said(name, self.registry, self.language)

    def told(self, error: MetaAgentError) -> str:
        """Say what the core refused, in the person's language and without internal names."""
        return told(error, self.words)

    async def rule_titles(self) -> dict[str, str]:
        """The titles of rules and packs as they are now, in the person's language."""
        found = await asyncio.to_thread(self.titles)
        return {name: title.say(self.language) for name, title in found.items()}

    async def tell(self) -> None:
        for call in self.changed:
            await call()


async def attempt(visit: Visit, work: Awaitable[Any], *, done: str = "") -> Any | None:
    """Do it and say so, or say why not: what the core refuses is shown in the person's language, and is no defect."""
    try:
        made = await work
    except MetaAgentError as error:
        toast(visit.told(error))
        return None
    if done:
        toast(done)
    return made if made is not None else True


async def shown(visit: Visit, build: Awaitable[None]) -> None:
    """Build a part of a page; what the core refuses stands in its place."""
    try:
        await build
    except MetaAgentError as error:
        notice(visit.told(error), "warn", role="alert")
