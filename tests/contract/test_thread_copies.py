"""Threads move between this saver and LangGraph's own, both ways, and can be gone on with on either side."""

from __future__ import annotations

import operator
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from metaagent.errors import InputRefused
from metaagent.storage.checkpoints import SqliteCheckpointSaver, copy_thread, threads_of
from metaagent.storage.checkpoints.copying import version_as
from metaagent.storage.checkpoints.saver import RANDOM_BITS

THREAD: Any = {"configurable": {"thread_id": "one"}}


class State(TypedDict, total=False):
    steps: Annotated[list[str], operator.add]
    answer: str


def first(state: State) -> State:
    return {"steps": ["first"]}


def asks(state: State) -> State:
    return {"steps": ["asked"], "answer": interrupt("which one?")}


def beside(state: State) -> State:
    return {"steps": ["beside"]}


def graph(saver: BaseCheckpointSaver[Any]) -> Any:
    built = StateGraph(State)
    built.add_node("first", first)
    built.add_node("asks", asks)
    built.add_node("beside", beside)
    built.add_edge(START, "first")
    built.add_edge("first", "asks")
    built.add_edge("first", "beside")
    built.add_edge(["asks", "beside"], END)
    return built.compile(checkpointer=saver)


@pytest.fixture
async def savers(tmp_path: Path) -> AsyncGenerator[dict[str, BaseCheckpointSaver[Any]]]:
    async with (
        SqliteCheckpointSaver.open(tmp_path / "ours.db") as ours,
        AsyncSqliteSaver.from_conn_string(str(tmp_path / "theirs.db")) as theirs,
        SqliteCheckpointSaver.open(tmp_path / "back.db") as back,
        AsyncSqliteSaver.from_conn_string(str(tmp_path / "their-back.db")) as their_back,
    ):
        yield {"ours": ours, "theirs": theirs, "back": back, "their back": their_back}


async def history(saver: BaseCheckpointSaver[Any]) -> list[tuple[Any, ...]]:
    found = [
        (
            each.config.get("configurable", {})["checkpoint_id"],
            (each.parent_config or {}).get("configurable", {}).get("checkpoint_id"),
            each.checkpoint["channel_values"],
            each.metadata.get("step"),
            sorted((task, channel, repr(value)) for task, channel, value in each.pending_writes or ()),
        )
        async for each in saver.alist(THREAD)
    ]
    return sorted(found, key=lambda row: row[0])


async def waiting_with_a_fork(saver: BaseCheckpointSaver[Any]) -> None:
    """A thread that waits at a question, with a second branch from its first step."""
    app = graph(saver)
    await app.ainvoke({"steps": ["begin"]}, THREAD)
    early = [each async for each in app.aget_state_history(THREAD)][-1]
    await app.aupdate_state(early.config, {"steps": ["forked"]}, as_node="first")
    await app.ainvoke(None, THREAD)


@pytest.mark.parametrize(
    ("start", "there", "back"), [("ours", "theirs", "back"), ("theirs", "ours", "their back")]
)
async def test_history_writes_and_forks_are_equal_there_and_back(
    savers: dict[str, BaseCheckpointSaver[Any]], start: str, there: str, back: str
):
    await waiting_with_a_fork(savers[start])
    before = await history(savers[start])
    assert any(row[4] for row in before)
    assert len({row[1] for row in before}) < len(before), "two checkpoints have one parent"
    await copy_thread(savers[start], savers[there], "one")
    await copy_thread(savers[there], savers[back], "one")
    assert await history(savers[there]) == before
    assert await history(savers[back]) == before
    assert await threads_of(savers[back]) == {"one": len(before)}


@pytest.mark.parametrize(("start", "there"), [("ours", "theirs"), ("theirs", "ours")])
async def test_a_waiting_thread_goes_on_after_the_copy(
    savers: dict[str, BaseCheckpointSaver[Any]], start: str, there: str
):
    await waiting_with_a_fork(savers[start])
    await copy_thread(savers[start], savers[there], "one")
    state = await graph(savers[there]).ainvoke(Command(resume="this one"), THREAD)
    assert state["answer"] == "this one"
    assert state["steps"].count("asked") == state["steps"].count("beside") == 1
    again = await graph(savers[there]).ainvoke({"steps": ["again"]}, THREAD)
    assert "again" in again["steps"]


async def test_nothing_is_overwritten(savers: dict[str, BaseCheckpointSaver[Any]]):
    await waiting_with_a_fork(savers["ours"])
    await copy_thread(savers["ours"], savers["theirs"], "one")
    with pytest.raises(InputRefused, match="has checkpoints in the target already"):
        await copy_thread(savers["ours"], savers["theirs"], "one")
    await copy_thread(savers["ours"], savers["theirs"], "one", as_thread="two")
    assert set(await threads_of(savers["theirs"])) == {"one", "two"}


async def test_a_thread_that_is_not_there_is_named(savers: dict[str, BaseCheckpointSaver[Any]]):
    with pytest.raises(InputRefused, match="no thread 'nobody'"):
        await copy_thread(savers["ours"], savers["theirs"], "nobody")


VERSIONS = st.integers(min_value=1 << RANDOM_BITS, max_value=(1 << 62) - 1)


@given(one=VERSIONS, two=VERSIONS)
def test_versions_keep_their_order_in_words(one: int, two: int):
    in_words = version_as(one, True), version_as(two, True)
    assert (in_words[0] < in_words[1]) == (one < two)
    assert version_as(in_words[0], False) == one


@given(
    counters=st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)),
    parts=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_versions_keep_their_order_as_numbers(counters: tuple[int, int], parts: tuple[float, float]):
    one, two = (f"{counter:032}.{part:016}" for counter, part in zip(counters, parts, strict=True))
    if counters[0] != counters[1]:
        assert (version_as(one, False) < version_as(two, False)) == (one < two)
