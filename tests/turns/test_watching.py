"""Watching a session: all events of all turns in order, whoever runs them, for as long as a reader stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaagent.errors import InputRefused, KeyUnavailable, UnknownSession
from metaagent.ports import Json, User
from metaagent.runtime import MetaAgent
from metaagent.sessions import control, watching
from tests.support.agents import Runs, asking, figures, opened, worker
from tests.support.elsewhere import agents, at_work, is_released, until

ANN = User("ann", "acme", ("employee",))
BOB = User("bob", "acme", ("approver",))
EVE = User("eve", "acme", ("employee",))
SECONDS = 60


async def _read(events: AsyncGenerator[Json], ends: Callable[[Json], bool]) -> list[Json]:
    """Events up to one at which the reader leaves."""
    read: list[Json] = []
    async with asyncio.timeout(SECONDS), aclosing(events):
        async for event in events:
            read.append(event)
            if ends(event):
                break
    return read


def _response(number: int) -> Callable[[Json], bool]:
    return lambda event: event["type"] == "response" and event["cursor"].startswith(f"{number}.")


def _is_whole(read: list[Json]) -> bool:
    """No event is lost, doubled or out of order."""
    places = [watching.Cursor.parse(event["cursor"]) for event in read]
    turns = list(dict.fromkeys(place.turn for place in places))
    of_turns = [[place.seq for place in places if place.turn == turn] for turn in turns]
    return (
        places == sorted(places)
        and turns == list(range(1, len(turns) + 1))
        and all(seqs == list(range(1, len(seqs) + 1)) for seqs in of_turns)
        and all(event["seq"] == place.seq for event, place in zip(read, places, strict=True))
    )


async def test_watching_goes_on_across_an_approval_and_the_next_turn(data: Path, runs: Runs):
    async with opened(data, worker(runs, "mailing", side_effects=True), figures(runs)) as app:
        waiting = await app.ask("mailing", user=ANN)
        reading = asyncio.create_task(_read(app.watch(waiting.session_id, user=ANN), _response(2)))
        assert (await app.approve(waiting.session_id, user=BOB)) == "completed"
        await app.ask("figures", session_id=waiting.session_id, user=ANN)
        read = await reading
    assert _is_whole(read)
    types = [event["type"] for event in read]
    assert types.index("approval_needed") < types.index("execution_start") < types.index("response")
    assert len({event["turn_id"] for event in read}) == 2


async def test_late_reader_goes_on_where_it_was(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        first = await app.ask("figures")
        await app.ask("figures", session_id=first.session_id)
        whole = await _read(app.watch(first.session_id), _response(2))
        assert _is_whole(whole)
        for place, seen in enumerate(whole[:-1]):
            rest = await _read(app.watch(first.session_id, after=seen["cursor"]), _response(2))
            assert rest == whole[place + 1 :]
        second = await _read(app.watch(first.session_id, after="2.0"), _response(2))
        assert second == [event for event in whole if event["turn_id"] == whole[-1]["turn_id"]]


async def test_event_after_a_gap_is_looked_up_in_the_store(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        first = await app.ask("figures")
        events = app.watch(first.session_id)
        read = [await anext(events)]
        while read[-1]["type"] != "response":
            read.append(await anext(events))
        (turn,) = await app.turns(first.session_id)
        ahead = replace(turn, number=3)
        app._feeds.tell(ahead, [{**read[-1], "seq": 7}])  # pyright: ignore[reportPrivateUsage]
        await app.ask("figures", session_id=first.session_id)
        async with asyncio.timeout(30):
            assert _is_whole([*read, *await _read(events, _response(2))])


async def test_turn_of_another_process_is_watched(data: Path, runs: Runs):
    async with opened(data, *agents(runs)) as app:
        with at_work(data, runs, is_released):
            await until(lambda: runs.of("figures") == 1)
            (info,) = await app.sessions()
            reading = asyncio.create_task(_read(app.watch(info.session_id), _response(2)))
            (data / "go").touch()
        await app.ask("drawing", session_id=info.session_id)
        assert _is_whole(await reading)


async def test_slow_reader_misses_nothing_and_holds_nothing(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(watching, "NEWEST", 4)
    monkeypatch.setattr(watching, "PAGE", 3)
    async with opened(data, figures(runs)) as app:
        first = await app.ask("figures")
        events = app.watch(first.session_id)
        read = [await anext(events)]
        for _ in range(4):
            await app.ask("figures", session_id=first.session_id)
            quick = await _read(app.watch(first.session_id, after=read[0]["cursor"]), _response(2))
            assert _is_whole([*read, *quick])
        feeds = app._feeds._feeds  # pyright: ignore[reportPrivateUsage]
        assert len(feeds[first.session_id].events) <= 8
        read += await _read(events, _response(5))
        assert _is_whole(read)
        assert feeds == {}, "nothing is kept of those who left"


async def test_discarded_question_is_seen_to_end_before_the_next(data: Path, runs: Runs):
    async with opened(data, asking(runs), figures(runs)) as app:
        waiting = await app.ask("asking")
        reading = asyncio.create_task(_read(app.watch(waiting.session_id), _response(2)))
        await app.ask("figures", session_id=waiting.session_id, on_waiting="discard")
        read = await reading
    assert _is_whole(read)
    of_first = [event for event in read if event["turn_id"] == waiting.turn_id]
    assert of_first[-1]["code"] == "cancelled"


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_watching_ends_with_the_session(
    elsewhere: bool, data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(control, "LOOK_SECONDS", 0.01)
    async with opened(data, figures(runs)) as app, opened(data, figures(runs)) as other:
        answer = await app.ask("figures")
        events = app.watch(answer.session_id)
        await anext(events)
        await (other if elsewhere else app).delete_session(answer.session_id)
        with pytest.raises(UnknownSession):
            await _read(events, lambda _event: False)


async def test_watching_ends_when_the_person_is_erased(
    data: Path, runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(control, "LOOK_SECONDS", 0.01)
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=ANN)
        events = app.acting_for(ANN).watch(answer.session_id)
        await anext(events)
        await app.governance.erase("ann", user=User("boss", "acme", ("security_officer",)))
        with pytest.raises((UnknownSession, KeyUnavailable)):
            await _read(events, lambda _event: False)


@pytest.mark.parametrize("after", ["", "1", "1.", ".1", "-1.1", "1.1.1", "1.1 ", "1.1\n", "9" * 99, "٣.١"])
async def test_place_that_is_none_is_refused(after: str, data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures")
        with pytest.raises(InputRefused):
            await anext(app.watch(answer.session_id, after=after))


async def test_session_of_another_is_not_watched(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app:
        answer = await app.ask("figures", user=ANN)
        with pytest.raises(UnknownSession):
            await anext(app.acting_for(EVE).watch(answer.session_id))


async def _asks(app: MetaAgent, session_id: str, turns: int) -> None:
    for _ in range(turns):
        await app.ask("figures", session_id=session_id)


async def test_many_readers_beside_many_turns_read_the_same(data: Path, runs: Runs):
    async with opened(data, figures(runs)) as app, opened(data, figures(runs)) as other:
        sessions = [(await app.ask("figures")).session_id for _ in range(6)]
        readers = [
            asyncio.create_task(_read(where.watch(session_id), _response(4)))
            for session_id in sessions
            for where in (app, other)
            for _ in range(5)
        ]
        works = [
            _asks(app if place % 2 else other, session_id, 3) for place, session_id in enumerate(sessions)
        ]
        await asyncio.gather(*works)
        read: list[list[Any]] = await asyncio.gather(*readers)
    assert all(map(_is_whole, read))
    assert len({repr(events) for events in read}) == len(sessions)
