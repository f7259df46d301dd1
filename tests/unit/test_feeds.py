"""Feeds of sessions under any order of commits, looks and readers: each reader reads every event once, in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, cast
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from metaagent.ports import Json, Turn, User
from metaagent.sessions import watching
from metaagent.sessions.watching import Cursor, SessionFeeds
from tests.support.examples import examples

SESSION = "s1"


@dataclass
class Store:
    """Committed events of one session. An answer may be older than the moment at which it arrives."""

    events: list[tuple[Cursor, Json]] = field(default_factory=list[tuple[Cursor, Json]])

    async def session_events(
        self, session_id: str, after: tuple[int, int], *, limit: int
    ) -> list[tuple[int, Json]]:
        found = [(place.turn, event) for place, event in self.events if place > after][:limit]
        await asyncio.sleep(0)
        return found

    async def newest_event(self, session_id: str) -> tuple[int, Json] | None:
        newest = self.events[-1] if self.events else None
        await asyncio.sleep(0)
        return (newest[0].turn, newest[1]) if newest else None

    async def newest_places(self, session_ids: list[str]) -> dict[str, tuple[int, int]]:
        newest = self.events[-1][0] if self.events else Cursor(0, 0)
        await asyncio.sleep(0)
        return dict.fromkeys(session_ids, newest)

    async def session(self, session_id: str, *, unread: bool) -> object:
        return object()


@dataclass
class World:
    """A session that this process and another work on by turns."""

    store: Store = field(default_factory=Store)
    number: int = 1
    seq: int = 0

    def commit(self, kind: str) -> tuple[Turn, list[Json]]:
        """One event more; after a response or an error, the next one is of the next turn."""
        self.seq += 1
        event: Json = {"type": kind, "seq": self.seq, "turn_id": f"t{self.number}"}
        self.store.events.append((Cursor(self.number, self.seq), event))
        turn = Turn(
            f"t{self.number}", SESSION, self.number, "running", "q", "en", User(), "2025-01-10T03:00:00.000Z"
        )
        if kind != "todo_updated":
            self.number, self.seq = self.number + 1, 0
        return turn, [event]


@dataclass
class Reader:
    events: AsyncGenerator[Json]
    begun_after: Cursor
    read: list[Cursor] = field(default_factory=list[Cursor])
    task: asyncio.Task[None] | None = None

    async def run(self, pauses: list[int]) -> None:
        async for event in self.events:
            self.read.append(Cursor.parse(event["cursor"]))
            for _ in range(pauses[len(self.read) % len(pauses)]):
                await asyncio.sleep(0)


KINDS = st.sampled_from(("todo_updated", "response", "error"))
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("here"), KINDS),
        st.tuples(st.just("elsewhere"), KINDS),
        st.tuples(st.just("tell"), st.just("")),
        st.tuples(st.just("look"), st.just("")),
        st.tuples(st.just("wait"), st.integers(1, 4)),
        st.tuples(st.just("reader"), st.lists(st.integers(0, 6), min_size=1, max_size=3)),
        st.tuples(st.just("leaves"), st.integers(0, 5)),
    ),
    min_size=8,
    max_size=40,
)


class Story:
    """One order of things: what happens in the session, and who reads."""

    def __init__(self) -> None:
        self.world = World()
        self.feeds = SessionFeeds(cast("Any", self.world.store))
        self.readers: list[Reader] = []
        self.untold: list[tuple[Turn, list[Json]]] = []
        self.looks: list[asyncio.Task[None]] = []

    async def do(self, action: str, value: Any) -> None:
        match action:
            case "here":
                self.untold.append(self.world.commit(value))
            case "tell":
                self.tell()
            case "elsewhere":
                self.world.commit(value)
            case "look":
                self.looks.append(asyncio.create_task(self.feeds.look()))
            case "wait":
                await self.rest(value)
            case "reader":
                self.join(value)
            case _:
                self.leave(value)

    async def rest(self, steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)

    def tell(self) -> None:
        """A commit is told of a while after it was made."""
        while self.untold:
            self.feeds.tell(*self.untold.pop(0))

    def join(self, pauses: list[int]) -> None:
        places = [Cursor(0, 0), *(place for place, _ in self.world.store.events)]
        after = places[len(places) * pauses[0] // 7]
        events = self.feeds.watch(SESSION, str(after))
        reader = Reader(events, after)
        reader.task = asyncio.create_task(reader.run(pauses))
        self.readers.append(reader)

    def leave(self, which: int) -> None:
        if self.readers and (task := self.readers[which % len(self.readers)].task):
            task.cancel()

    def check(self, reader: Reader, *, stayed: bool) -> None:
        whole = [place for place, _ in self.world.store.events if place > reader.begun_after]
        assert reader.read == (whole if stayed else whole[: len(reader.read)])

    async def end(self) -> None:
        tasks = [reader.task for reader in self.readers if reader.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for reader in self.readers:
            await reader.events.aclose()
        assert vars(self.feeds)["_feeds"] == {}


async def _told(actions: list[tuple[str, Any]]) -> None:
    story = Story()
    story.join([0])
    for action, value in actions:
        await story.do(action, value)
    stayed = [reader.task is not None and not reader.task.cancelling() for reader in story.readers]
    story.tell()
    await asyncio.gather(*story.looks, story.feeds.look())
    await story.rest(400)
    for reader, stays in zip(story.readers, stayed, strict=True):
        story.check(reader, stayed=stays)
    await story.end()


@settings(max_examples=examples(300))
@given(ACTIONS)
def test_every_reader_reads_everything_once_and_in_order(actions: list[tuple[str, Any]]):
    with patch.object(watching, "NEWEST", 3), patch.object(watching, "PAGE", 2):
        asyncio.run(_told(actions))
