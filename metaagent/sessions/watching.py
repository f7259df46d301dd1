"""Watching sessions: the events of all turns of a session in order, for as long as a reader stays.

Readers of a session share one feed, which keeps its newest events; whoever is further behind reads the store, page by
page. So a late reader misses nothing, and a slow one holds up nobody and no memory."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import AsyncGenerator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from metaagent.errors import InputRefused, MetaAgentError, Text
from metaagent.language.patterns import regex
from metaagent.ports import Json, Turn
from metaagent.sessions.guard import unknown

if TYPE_CHECKING:
    from collections.abc import Generator

    from metaagent.storage.session_store import SqlStore

NEWEST = 256
"""Events that a feed keeps for those who read along."""
LAST = "response"
"""The event after which a turn tells nothing more."""
PAGE = 200
"""Events that are read from the store at once."""

_CURSOR = regex(r"([0-9]{1,9})\.([0-9]{1,9})")
_NO_CURSOR = Text(
    en="{value!r} is no place in a session: give the `cursor` of the last event that you saw, or nothing to begin at the start.",
    ko="{value!r}은(는) 세션 안의 위치가 아닙니다. 마지막으로 본 이벤트의 `cursor`를 주거나, 처음부터 보려면 비워 두세요.",
)


class Cursor(NamedTuple):
    """A place in the events of a session: after an event of one of its turns."""

    turn: int
    seq: int

    def __str__(self) -> str:
        return f"{self.turn}.{self.seq}"

    @classmethod
    def parse(cls, value: object) -> Cursor:
        found = _CURSOR.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            raise InputRefused(_NO_CURSOR, value=value)
        return cls(int(found[1]), int(found[2]))


START = Cursor(0, 0)
GONE = Cursor(1_000_000_000, 0)
"""Stands for the newest place of a session that is not there any more: beyond every other."""


@dataclass(eq=False)
class _Feed:
    """The newest events of one session: all that lie after `base`, up to `end`."""

    session_id: str
    readers: int = 0
    base: Cursor | None = None
    places: list[Cursor] = field(default_factory=list[Cursor])
    events: list[Json] = field(default_factory=list[Json])
    stale: bool = True
    """The store may have more than is here."""
    gone: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    refreshing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def end(self) -> Cursor | None:
        return self.places[-1] if self.places else self.base

    def is_followed_by(self, place: Cursor) -> bool:
        """Tells whether nothing can lie between the last event that is here and this one."""
        if self.end is None:
            return False
        if place == (self.end.turn, self.end.seq + 1):
            return True
        # A turn that has answered tells nothing more. Of others that ended, somebody else may have told the end.
        answered = bool(self.events) and self.events[-1]["type"] == LAST
        return answered and place == (self.end.turn + 1, 1)

    def wake(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def add(self, found: Sequence[tuple[Cursor, Json]]) -> None:
        for place, event in found:
            if self.end is None or place > self.end:
                self.places.append(place)
                self.events.append({**event, "cursor": str(place)})
        if len(self.places) > 2 * NEWEST:
            self.base = self.places[-NEWEST - 1]
            del self.places[:-NEWEST], self.events[:-NEWEST]

    def after(self, cursor: Cursor) -> list[Json] | None:
        """Events after this place; None if some of them are in the store alone."""
        if self.base is None or cursor < self.base:
            return None
        return self.events[bisect_right(self.places, cursor) :]


class SessionFeeds:
    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._feeds: dict[str, _Feed] = {}

    async def watch(self, session_id: str, after: str | None = None) -> AsyncGenerator[Json]:
        """Each event with its `cursor`, from after this one on, until the reader leaves or the session is deleted."""
        cursor = START if after is None else Cursor.parse(after)
        with self._reading(session_id) as feed:
            while True:
                changed = feed.changed
                if feed.stale:
                    await self._refresh(feed)
                found = feed.after(cursor)
                if found is None:
                    page = await self._store.session_events(session_id, cursor, limit=PAGE)
                    found = [{**event, "cursor": f"{turn}.{event['seq']}"} for turn, event in page]
                for event in found:
                    yield event
                if found:
                    cursor = Cursor.parse(found[-1]["cursor"])
                elif feed.gone:
                    raise unknown(session_id)
                elif changed is feed.changed:
                    await changed.wait()

    def tell(self, turn: Turn, events: Sequence[Json]) -> None:
        """Events of a turn that runs here, once they are committed."""
        feed = self._feeds.get(turn.session_id)
        if feed is None:
            return
        found = [(Cursor(turn.number, event["seq"]), event) for event in events]
        if feed.is_followed_by(found[0][0]):
            feed.add(found)
        else:
            feed.stale = True
        feed.wake()

    async def look(self, session_id: str | None = None) -> None:
        """Look at what the store has that was not told here: of one session, or of all that are watched."""
        watched = [name for name in self._feeds if session_id in {None, name}]
        newest = await self._store.newest_places(watched)
        for feed in [self._feeds[name] for name in watched if name in self._feeds]:
            if feed.end is not None and newest.get(feed.session_id, GONE) <= feed.end:
                continue
            feed.stale = True
            try:
                await self._refresh(feed)
            except MetaAgentError:
                feed.wake()  # it is still stale: each reader comes upon the same, and hears of it

    @contextmanager
    def _reading(self, session_id: str) -> Generator[_Feed]:
        feed = self._feeds.setdefault(session_id, _Feed(session_id))
        feed.readers += 1
        try:
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers:
                self._feeds.pop(session_id, None)

    async def _refresh(self, feed: _Feed) -> None:
        """Bring the feed up to what the store has. One reader does it for all."""
        async with feed.refreshing:
            if not feed.stale:
                return
            feed.stale = False
            try:
                await self._read_on(feed)
            except BaseException:
                feed.stale = True
                raise

    async def _read_on(self, feed: _Feed) -> None:
        if feed.base is None:
            newest = await self._store.newest_event(feed.session_id)
            if newest is None:
                feed.base = START
            else:
                number, event = newest
                feed.base = Cursor(number, event["seq"] - 1)
                feed.add([(Cursor(number, event["seq"]), event)])
                return
        page = await self._store.session_events(feed.session_id, feed.end or START, limit=PAGE)
        feed.add([(Cursor(turn, event["seq"]), event) for turn, event in page])
        if len(page) == PAGE:
            feed.stale = True
        if not page:
            feed.gone = await self._store.session(feed.session_id, unread=True) is None
        if page or feed.gone:
            feed.wake()
