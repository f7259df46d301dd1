from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.base.id import uuid6
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from metaagent.errors import InputRefused, RowRefused, SessionError, StorageError, UnknownSession
from metaagent.storage.checkpoints.retention import (
    Retention,
    StateCheckpointer,
    Stored,
    choose_kept,
    created_at,
)
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from tests.support.checkpoints import (
    BoundSerde,
    Counting,
    at,
    change,
    counting_graph,
    take_turns,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

DATABASE = "checkpoints.db"


@pytest.fixture(params=[None, BoundSerde()], ids=["default serde", "sealing serde"])
async def saver(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncGenerator[SqliteCheckpointSaver]:
    async with SqliteCheckpointSaver.open(tmp_path / DATABASE, serde=request.param) as opened:
        yield opened


@pytest.fixture
def checkpointer(saver: SqliteCheckpointSaver) -> StateCheckpointer:
    return StateCheckpointer(saver, Retention(newest=3, turn_ends=5))


def chain(count: int, ns: str = "") -> list[Stored]:
    return [Stored(ns, f"{n:04}", f"{n - 1:04}" if n else None, 0) for n in range(count)]


def test_pruning_keeps_newest_turn_ends_named_and_current_only():
    kept = choose_kept(
        chain(20),
        Retention(newest=2, turn_ends=2),
        turn_ends={1: "0003", 2: "0007", 3: "0011", 4: "0015"},
        named={"0001"},
        head="0005",
    )
    assert {checkpoint for _, checkpoint in kept} == {"0019", "0018", "0015", "0011", "0001", "0005"}


def test_subgraph_run_is_pruned_and_subgraph_memory_stays():
    stored = [*chain(20), Stored("run:1", "0002", None, 0), Stored("run:2", "0019", None, 0)]
    stored += [Stored("memory", "0004", None, 0), Stored("memory", "0010", None, 0)]
    kept = choose_kept(stored, Retention(newest=1, turn_ends=1), turn_ends={1: "0006"}, named=(), head=None)
    below = {key for key in kept if key[0]}
    assert below == {("run:2", "0019"), ("memory", "0004"), ("memory", "0010")}


def test_sources_of_a_delta_are_kept():
    stored = [row._replace(depth=3 if row.checkpoint_id == "0009" else 0) for row in chain(10)]
    kept = choose_kept(stored, Retention(newest=1, turn_ends=0), turn_ends={}, named=(), head=None)
    assert {checkpoint for _, checkpoint in kept} == {"0009", "0008", "0007", "0006"}


@given(
    st.integers(1, 30),
    st.integers(1, 5),
    st.integers(0, 5),
    st.dictionaries(st.integers(1, 9), st.integers(0, 29)),
)
def test_pruning_twice_is_pruning_once(count: int, newest: int, ends: int, turns: dict[int, int]):
    stored = chain(count)
    marks = {turn: f"{position:04}" for turn, position in turns.items() if position < count}
    retention = Retention(newest, ends)
    once = choose_kept(stored, retention, turn_ends=marks, named=(), head=None)
    left = [row for row in stored if row[:2] in once]
    still = {turn: checkpoint for turn, checkpoint in marks.items() if ("", checkpoint) in once}
    assert choose_kept(left, retention, turn_ends=still, named=(), head=None) == once
    assert ("", f"{count - 1:04}") in once


def test_a_retention_that_keeps_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        Retention(newest=0)


def test_an_id_tells_its_time():
    before = datetime.now(UTC) - timedelta(seconds=1)
    told = created_at(str(uuid6()))
    assert told is not None
    assert told.endswith("Z")
    assert before < datetime.fromisoformat(told) < before + timedelta(seconds=3)
    assert created_at("no id") is None
    assert created_at("00000000-0000-4000-8000-000000000000") is None


async def test_pruning_as_it_goes_keeps_the_session_small(
    saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer
):
    await take_turns(saver, checkpointer, 1, 20)
    await checkpointer.save("s", "before-review")
    graph = await take_turns(saver, checkpointer, 21, 40)
    listed = await checkpointer.list("s")
    assert [info.turn for info in listed if info.turn] == [40, 39, 38, 37, 36, 20]
    assert [info.names for info in listed if info.names] == [("before-review",)]
    assert len(listed) == 3 + 4 + 1
    assert listed[0].current
    assert listed[0].created_at is not None
    rows = await saver.count_rows("s")
    assert rows["checkpoints"] == 8
    assert rows["turn_ends"] == 6
    assert rows["blobs"] < 8 * 4
    assert len((await graph.aget_state(at("s"))).values["said"]) == 80


async def test_a_restored_session_continues_from_that_turn(
    saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer, tmp_path: Path
):
    graph = await take_turns(saver, checkpointer, 1, 5)
    restored = await checkpointer.restore("s", turn=2)
    assert restored.turn == 2
    assert restored.warnings == ()
    assert len((await graph.aget_state(at("s"))).values["said"]) == 4
    assert [info.turn for info in await checkpointer.list("s") if info.current] == [2]
    await checkpointer.restore("s", turn=5)
    assert len((await graph.aget_state(at("s"))).values["said"]) == 10
    await checkpointer.restore("s", turn=2)
    await take_turns(saver, checkpointer, 3, 3)
    values = (await graph.aget_state(at("s"))).values
    assert values["said"][4:] == ["question 3", "answer 3"]
    assert {info.turn for info in await checkpointer.list("s")} - {None} == {1, 2, 3}
    with pytest.raises(SessionError, match="turn 5"):
        await checkpointer.restore("s", turn=5)


async def test_restored_position_survives_reopening(tmp_path: Path):
    path = tmp_path / "again.db"
    async with SqliteCheckpointSaver.open(path) as saver:
        checkpointer = StateCheckpointer(saver)
        await take_turns(saver, checkpointer, 1, 3)
        await checkpointer.restore("s", turn=1)
        await checkpointer.prune("s", Retention(newest=1, turn_ends=1))
    async with SqliteCheckpointSaver.open(path) as saver:
        graph = counting_graph(saver)
        assert len((await graph.aget_state(at("s"))).values["said"]) == 2


async def test_a_waiting_turn_is_resumed_after_reopening_the_file(tmp_path: Path):
    def ask(state: Counting) -> Counting:
        return {"said": [interrupt("which?")]}

    def build(saver: SqliteCheckpointSaver) -> Any:
        inner = StateGraph(Counting).add_node("ask", ask).add_edge(START, "ask").add_edge("ask", END)
        outer = StateGraph(Counting).add_node("inner", inner.compile()).add_edge(START, "inner")
        return outer.add_edge("inner", END).compile(checkpointer=saver)

    path = tmp_path / "waiting.db"
    async with SqliteCheckpointSaver.open(path) as saver:
        await build(saver).ainvoke({"total": 1}, at("s"), durability="sync")
    async with SqliteCheckpointSaver.open(path) as saver:
        checkpointer = StateCheckpointer(saver, Retention(newest=1, turn_ends=1))
        await checkpointer.prune("s")
        done = await build(saver).ainvoke(Command(resume="this"), at("s"), durability="sync")
        assert done == {"said": ["this"], "total": 1}
        await checkpointer.mark_turn_end("s", 1)
        assert (await saver.count_rows("s"))["checkpoints"] <= 3


async def test_a_name_restores_what_turns_no_longer_do(
    saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer
):
    await take_turns(saver, checkpointer, 1, 1)
    await checkpointer.save("s", "first")
    graph = await take_turns(saver, checkpointer, 2, 9)
    with pytest.raises(SessionError, match="turn 2"):
        await checkpointer.restore("s", turn=2)
    await checkpointer.restore("s", name="first")
    assert len((await graph.aget_state(at("s"))).values["said"]) == 2
    with pytest.raises(InputRefused):
        await checkpointer.save("s", "../etc")
    with pytest.raises(SessionError, match="name 'none'"):
        await checkpointer.restore("s", name="none")


async def test_a_fork_is_its_own_session(saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer):
    graph = await take_turns(saver, checkpointer, 1, 4)
    forked = await checkpointer.fork("s", "f", at=3)
    assert forked.turn == 3
    assert [info.turn for info in await checkpointer.list("f")] == [3]
    await graph.ainvoke({"said": ["elsewhere"]}, at("f"), durability="sync")
    assert (await graph.aget_state(at("f"))).values["said"][6:] == ["elsewhere", "answer 4"]
    assert (await graph.aget_state(at("s"))).values["said"][6:] == ["question 4", "answer 4"]
    await checkpointer.delete("s")
    assert len((await graph.aget_state(at("f"))).values["said"]) == 8
    with pytest.raises(UnknownSession):
        await checkpointer.fork("s", "g")
    with pytest.raises(SessionError, match="name 'nowhere'"):
        await checkpointer.fork("f", "g", at="nowhere")


async def test_a_fork_of_now_takes_the_newest(saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer):
    graph = await take_turns(saver, checkpointer, 1, 2)
    await checkpointer.fork("s", "f")
    assert (await graph.aget_state(at("f"))).values == (await graph.aget_state(at("s"))).values
    with pytest.raises(SessionError, match="already exists"):
        await checkpointer.fork("s", "f")


async def test_a_copy_has_the_turns_and_names(saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer):
    graph = await take_turns(saver, checkpointer, 1, 3)
    await checkpointer.save("s", "here")
    await checkpointer.restore("s", turn=2)
    await checkpointer.copy("s", "c")
    assert await checkpointer.list("c") == await checkpointer.list("s")
    assert (await graph.aget_state(at("c"))).values == (await graph.aget_state(at("s"))).values
    with pytest.raises(UnknownSession):
        await checkpointer.copy("nobody", "d")


async def test_deleting_reaches_every_store_and_may_be_repeated(saver: SqliteCheckpointSaver):
    forgotten: list[str] = []

    async def forget(session: str) -> None:
        forgotten.append(session)

    checkpointer = StateCheckpointer(saver, cascade=[forget])
    await take_turns(saver, checkpointer, 1, 2)
    await checkpointer.delete("s")
    await checkpointer.delete("s")
    assert forgotten == ["s", "s"]
    assert not any((await saver.count_rows("s")).values())
    with pytest.raises(UnknownSession):
        await checkpointer.restore("s")
    for call in (checkpointer.save("s", "x"), checkpointer.mark_turn_end("s", 1)):
        with pytest.raises(UnknownSession):
            await call


async def test_corrupt_checkpoint_falls_back_to_the_newest_sound_one(
    saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer, tmp_path: Path
):
    graph = await take_turns(saver, checkpointer, 1, 3)
    bad = (await checkpointer.list("s"))[0].checkpoint_id
    change(tmp_path / DATABASE, "UPDATE checkpoints SET body=x'c1' WHERE checkpoint_id=?", bad)
    with pytest.raises(RowRefused):
        await graph.aget_state(at("s"))
    opened = await checkpointer.restore("s")
    assert opened.checkpoint_id < bad
    assert "1 newer" in opened.warnings[0]
    assert bad in opened.warnings[1]
    assert opened.refused[0].params["checkpoint"] == bad
    await graph.aget_state(at("s"))
    assert (await checkpointer.restore("s")).warnings == ()
    with pytest.raises(RowRefused):
        await checkpointer.restore("s", turn=3)


async def test_a_session_with_nothing_sound_says_that(
    saver: SqliteCheckpointSaver, checkpointer: StateCheckpointer, tmp_path: Path
):
    await take_turns(saver, checkpointer, 1, 2)
    change(tmp_path / DATABASE, "UPDATE checkpoints SET metadata=x'00'")
    with pytest.raises(StorageError, match="backup"):
        await checkpointer.restore("s")
