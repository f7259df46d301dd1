from __future__ import annotations

import asyncio
import operator
import random
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from metaagent.errors import KeyUnavailable, NewerSchema, RowRefused, SessionError, StorageError, Text
from metaagent.protection.keys import KeyRing, provider
from metaagent.protection.row_context import current_row, row_context
from metaagent.protection.sealing import SealedSerde
from metaagent.storage.checkpoints.retention import Retention, StateCheckpointer
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from metaagent.storage.checkpoints.serde import CompressedSerde, default_serde
from metaagent.storage.checkpoints.turn_saver import Saver
from metaagent.storage.checkpoints.writer import SqliteWriter
from tests.support.checkpoints import (
    BoundSerde,
    at,
    bytes_of,
    change,
    counting_graph,
    put,
    run_python,
    size_of,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path


def joined(left: list[str], writes: Sequence[list[str]]) -> list[str]:
    return [*left, *(item for write in writes for item in write)]


class Saying(TypedDict, total=False):
    said: Annotated[list[str], DeltaChannel(joined, snapshot_frequency=4)]
    other: Annotated[int, operator.add]


def reply(state: Saying) -> Saying:
    return {"said": [f"re {state.get('said', [''])[-1]}"], "other": 1}


@dataclass
class Foreign:
    name: str


@pytest.fixture
async def saver(tmp_path: Path) -> AsyncGenerator[SqliteCheckpointSaver]:
    async with SqliteCheckpointSaver.open(tmp_path / "checkpoints.db") as opened:
        yield opened


def sealed(folder: Path) -> SealedSerde:
    ring = KeyRing(folder / "keys.json", provider(f"file:{folder / 'kek'}", create=True))
    return SealedSerde(default_serde(), lambda thread: ring.sealer("company", "checkpoint", "person"))


@pytest.mark.parametrize("kind", [SqliteCheckpointSaver, Saver], ids=["alone", "as turns use it"])
@pytest.mark.parametrize("serde", ["default", "bound to rows", "sealed"])
async def test_the_public_conformance_suite_passes_whole(
    tmp_path: Path, kind: type[SqliteCheckpointSaver], serde: str
):
    serdes: dict[str, Any] = {"default": None, "bound to rows": BoundSerde(), "sealed": sealed(tmp_path)}
    opened = 0

    @checkpointer_test(name="SqliteCheckpointSaver")
    async def factory() -> AsyncGenerator[SqliteCheckpointSaver]:
        nonlocal opened
        opened += 1
        async with kind.open(tmp_path / f"{opened}.db", serde=serdes[serde]) as made:
            yield made

    report = await validate(factory)
    assert len(report.results) == 8
    for capability, result in report.results.items():
        assert result.detected, capability
        assert result.passed, (capability, result.failures)


async def test_value_is_stored_once_for_all_its_checkpoints(saver: SqliteCheckpointSaver):
    versions = {"big": 1, "steps": 1}
    config = await put(saver, at("t"), {"big": "x" * 5000, "steps": [1]}, versions)
    for step in range(2, 12):
        values = {"big": "x" * 5000, "steps": [step]}
        config = await put(saver, config, values, {"big": 1, "steps": step}, {"steps": step})
    assert (await saver.count_rows("t"))["blobs"] == 12
    found = await saver.aget_tuple(config)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"big": "x" * 5000, "steps": [11]}


async def test_small_values_need_no_row_of_their_own(saver: SqliteCheckpointSaver):
    small = {"none": None, "yes": True, "many": 7, "half": 0.5, "word": "서울"}
    first = await put(saver, at("t"), small, dict.fromkeys(small, 1))
    second = await put(
        saver, first, {**small, "many": 8}, {**dict.fromkeys(small, 1), "many": 2}, {"many": 2}
    )
    assert (await saver.count_rows("t"))["blobs"] == 0
    found = await saver.aget_tuple(second)
    assert found is not None
    assert found.checkpoint["channel_values"] == {**small, "many": 8}


async def test_writes_of_a_task_are_one_row_in_order(saver: SqliteCheckpointSaver):
    config = await put(saver, at("t"), {"a": [1]}, {"a": 1})
    await saver.aput_writes(config, [("a", [1]), ("b", None), ("a", "again")], "first")
    await saver.aput_writes(config, [("c", b"raw"), ("a", 2)], "second")
    await saver.aput_writes(config, [("__error__", "first try")], "third")
    await saver.aput_writes(config, [("__error__", "second try")], "third")
    found = await saver.aget_tuple(config)
    assert found is not None
    assert found.pending_writes == [
        ("first", "a", [1]),
        ("first", "b", None),
        ("first", "a", "again"),
        ("second", "c", b"raw"),
        ("second", "a", 2),
        ("third", "__error__", "second try"),
    ]
    assert (await saver.count_rows("t"))["writes"] == 4


async def test_first_of_two_equal_task_writes_counts(saver: SqliteCheckpointSaver):
    config = await put(saver, at("t"), {"a": [1]}, {"a": 1})
    for writes in ([("a", 1), ("b", 2)], [("a", 9), ("b", 9)], [("a", 9), ("b", 9), ("c", 3)]):
        await saver.aput_writes(config, writes, "task")
    found = await saver.aget_tuple(config)
    assert found is not None
    assert found.pending_writes == [("task", "a", 1), ("task", "b", 2), ("task", "c", 3)]


async def test_a_checkpoint_whose_parent_is_gone_stores_all_its_values(saver: SqliteCheckpointSaver):
    first = await put(saver, at("t"), {"a": "carried"}, {"a": 1})
    await saver.adelete_thread("t")
    second = await put(saver, first, {"a": "carried", "b": 2}, {"a": 1, "b": 1}, {"b": 1})
    found = await saver.aget_tuple(second)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"a": "carried", "b": 2}


async def test_two_branches_never_share_a_version(saver: SqliteCheckpointSaver):
    parent = saver.get_next_version(None, None)
    children = {saver.get_next_version(parent, None) for _ in range(1000)}
    assert len(children) == 1000
    assert min(children) > parent
    assert max(children) < 2**63


async def test_a_graph_ends_in_the_same_state_as_in_memory(saver: SqliteCheckpointSaver):
    ours, theirs = counting_graph(saver), counting_graph(InMemorySaver())
    for question in ("one", "two", "three"):
        for graph in (ours, theirs):
            await graph.ainvoke({"said": [question]}, at("t"), durability="sync")
    histories = [
        [state.values async for state in graph.aget_state_history(at("t"))] for graph in (ours, theirs)
    ]
    assert histories[0] == histories[1]
    assert len(histories[0]) == 12


async def test_delta_channels_survive_pruning_forking_and_copying(saver: SqliteCheckpointSaver):
    graph = StateGraph(Saying)
    graph.add_node("answer", reply)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    app = graph.compile(checkpointer=saver)
    checkpointer = StateCheckpointer(saver, Retention(newest=1, turn_ends=2))
    expected: list[str] = []
    for turn in range(1, 12):
        await app.ainvoke({"said": [str(turn)]}, at("t"), durability="sync")
        await checkpointer.mark_turn_end("t", turn)
        expected += [str(turn), f"re {turn}"]
        assert (await app.aget_state(at("t"))).values["said"] == expected
    await checkpointer.fork("t", "forked", at=10)
    await checkpointer.copy("t", "copied")
    await saver.aprune(["t"])
    assert (await app.aget_state(at("t"))).values["said"] == expected
    assert (await app.aget_state(at("copied"))).values["said"] == expected
    assert (await app.aget_state(at("forked"))).values["said"] == expected[:-2]
    sync = await asyncio.to_thread(saver.get_delta_channel_history, config=at("t"), channels=["said"])
    assert sync == await saver.aget_delta_channel_history(config=at("t"), channels=["said"])


async def test_sealing_serde_leaves_no_state_in_clear(tmp_path: Path):
    canary = "canary-7f3a"
    async with SqliteCheckpointSaver.open(tmp_path / "sealed.db", serde=BoundSerde()) as saver:
        config = await put(saver, at("t"), {"a": canary}, {"a": 1}, note=canary)
        await saver.aput_writes(config, [("a", canary)], "task")
        await saver.acopy_thread("t", "u")
        found = await saver.aget_tuple(at("u"))
        assert found is not None
        assert found.metadata.get("note") == canary
        assert canary.encode() not in bytes_of(tmp_path)


async def test_a_row_moved_to_another_thread_is_refused(tmp_path: Path):
    path = tmp_path / "sealed.db"
    async with SqliteCheckpointSaver.open(path, serde=BoundSerde()) as saver:
        await put(saver, at("mine"), {"a": [1]}, {"a": 1})
        await put(saver, at("theirs"), {"a": [2]}, {"a": 1})
        theirs = "(SELECT {} FROM blobs WHERE thread_id='theirs')"
        moved = f"value={theirs.format('value')}, crc={theirs.format('crc')}"
        change(path, f"UPDATE blobs SET {moved} WHERE thread_id='mine'")
        with pytest.raises(RowRefused, match="another row"):
            await saver.aget_tuple(at("mine"))


@pytest.mark.parametrize(
    ("statement", "channel"),
    [
        ("UPDATE blobs SET value=substr(value, 1, 3) WHERE channel='a'", "a"),
        ("UPDATE blobs SET type='null' WHERE channel='a'", "a"),
        ("UPDATE blobs SET version=9 WHERE channel='a'", "a"),
        ("DELETE FROM blobs WHERE channel='a'", "a"),
        ("UPDATE checkpoints SET body=x'80'", "__checkpoint__"),
        ("UPDATE checkpoints SET refs='{}'", "__checkpoint__"),
        ("UPDATE checkpoints SET refs='nonsense'", "__checkpoint__"),
        ("UPDATE checkpoints SET metadata=x'00'", "__metadata__"),
        ("UPDATE writes SET value=x'00'", "w"),
    ],
)
async def test_a_corrupt_row_is_one_error_that_names_it(
    saver: SqliteCheckpointSaver, tmp_path: Path, statement: str, channel: str
):
    config = await put(saver, at("t"), {"a": ["value"], "b": 2}, {"a": 1, "b": 1})
    await saver.aput_writes(config, [("w", "pending")], "task")
    change(tmp_path / "checkpoints.db", statement)
    with pytest.raises(RowRefused) as refused:
        await saver.aget_tuple(at("t"))
    assert refused.value.params["thread"] == "t"
    assert refused.value.params["checkpoint"] == config.get("configurable", {})["checkpoint_id"]
    assert refused.value.params["channel"] == channel
    assert channel in str(refused.value)


async def test_a_missing_key_is_not_mistaken_for_a_corrupt_row(tmp_path: Path):
    class Keyless(CompressedSerde):
        def loads_typed(self, data: tuple[str, bytes]) -> Any:
            raise KeyUnavailable(Text("no key", "키 없음"))

    async with SqliteCheckpointSaver.open(tmp_path / "k.db", serde=Keyless(default_serde())) as saver:
        await put(saver, at("t"), {"a": 1}, {"a": 1})
        with pytest.raises(KeyUnavailable):
            await saver.aget_tuple(at("t"))


async def test_writes_that_come_together_share_a_commit(saver: SqliteCheckpointSaver):
    config = await put(saver, at("t"), {"a": 1}, {"a": 1})
    before = saver.writer.commits
    await asyncio.gather(*(saver.aput_writes(config, [("a", n)], f"task{n}") for n in range(20)))
    assert saver.writer.commits - before <= 2
    found = await saver.aget_tuple(config)
    assert found is not None
    assert len(found.pending_writes or []) == 20


async def test_failing_write_does_not_undo_others_in_its_commit(tmp_path: Path):
    writer = SqliteWriter(tmp_path / "w.db", lambda: sqlite3.connect(tmp_path / "w.db", isolation_level=None))
    writer.call(lambda c: c.execute("CREATE TABLE t (x INTEGER PRIMARY KEY)"), writes=True)

    def insert(number: int):
        return writer.acall(lambda c: c.execute("INSERT INTO t VALUES (?)", (number,)).rowcount, writes=True)

    done = await asyncio.gather(insert(1), insert(1), insert(2), return_exceptions=True)
    assert [isinstance(result, StorageError) for result in done] == [False, True, False]
    assert writer.call(lambda c: c.execute("SELECT x FROM t").fetchall(), writes=False) == [(1,), (2,)]
    writer.close()
    with pytest.raises(StorageError, match="closed"):
        await insert(3)


async def test_a_cancelled_caller_does_not_undo_its_write(saver: SqliteCheckpointSaver):
    config = await put(saver, at("t"), {"a": 1}, {"a": 1})
    task = asyncio.create_task(saver.aput_writes(config, [("a", 1)], "task"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert (await saver.count_rows("t"))["writes"] == 1


async def test_full_disk_loses_no_acknowledged_write(saver: SqliteCheckpointSaver):
    noise = random.Random(7)
    saver.writer.call(lambda c: c.execute("PRAGMA max_page_count=60").fetchall(), writes=False)
    acknowledged = [await put(saver, at("t"), {"a": "first"}, {"a": 0})]

    async def fill() -> None:
        for number in range(1, 200):
            values = {"a": noise.randbytes(20_000)}
            acknowledged.append(await put(saver, acknowledged[-1], values, {"a": number}))

    with pytest.raises(StorageError, match="Free space") as full:
        await fill()
    assert "SQLITE_FULL" in str(full.value)
    assert len(acknowledged) > 3
    for config in acknowledged:
        assert await saver.aget_tuple(config) is not None
    saver.writer.call(lambda c: c.execute("PRAGMA max_page_count=100000").fetchall(), writes=False)
    await put(saver, acknowledged[-1], {"a": "room again"}, {"a": 999})


_FULL_DISK = """
import asyncio, os, resource, sys
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from metaagent.errors import StorageError
from tests.support.checkpoints import at, put

async def main(path):
    async with SqliteCheckpointSaver.open(path) as saver:
        config = await put(saver, at("t"), {"a": b""}, {"a": 0})
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        for number in range(1, 100):
            try:
                config = await put(saver, config, {"a": os.urandom(20_000)}, {"a": number})
            except StorageError as error:
                print(number, "Free space" in str(error), flush=True)
                os._exit(0)

asyncio.run(main(sys.argv[1]))
"""


async def test_a_file_that_may_not_grow_loses_nothing_acknowledged(tmp_path: Path):
    path = tmp_path / "limited.db"
    refused_at, says_what_to_do = (await run_python("-c", _FULL_DISK, str(path))).split()
    assert says_what_to_do == "True"
    async with SqliteCheckpointSaver.open(path) as saver:
        kept = [found async for found in saver.alist(at("t"))]
    assert len(kept) >= int(refused_at) > 3


async def test_deleting_returns_the_space_and_overwrites_the_rest(
    saver: SqliteCheckpointSaver, tmp_path: Path
):
    noise = random.Random(7)
    config = at("t")
    await put(saver, at("other"), {"a": 1}, {"a": 1})
    for number in range(40):
        config = await put(saver, config, {"a": noise.randbytes(20_000)}, {"a": number})
    await put(saver, config, {"a": "canary-1234"}, {"a": 99})
    await saver.adelete_thread("t")
    assert not any((await saver.count_rows("t")).values())
    assert size_of(tmp_path) < 200_000
    assert b"canary-1234" not in bytes_of(tmp_path)
    assert await saver.aget_tuple(at("other")) is not None


async def test_values_go_with_the_last_checkpoint_that_refers_to_them(saver: SqliteCheckpointSaver):
    first = await put(saver, at("t"), {"a": [1], "b": [1]}, {"a": 1, "b": 1}, run_id="r1")
    second = await put(saver, first, {"a": [1], "b": [2]}, {"a": 1, "b": 2}, {"b": 2}, run_id="r2")
    await saver.adelete_for_runs(["r1"])
    found = await saver.aget_tuple(second)
    assert found is not None
    assert found.checkpoint["channel_values"] == {"a": [1], "b": [2]}
    assert (await saver.count_rows("t"))["blobs"] == 2


async def test_pruning_sweeps_what_nothing_refers_to(saver: SqliteCheckpointSaver):
    first = await put(saver, at("t"), {"a": [1]}, {"a": 1})
    second = await put(saver, first, {"a": [2]}, {"a": 2})
    saver.writer.call(
        lambda c: c.execute("UPDATE blobs SET channel='left behind' WHERE version=1"), writes=True
    )
    await saver.aput_writes(at("t", "00000000"), [("a", "late")], "task")
    await saver.aput_writes(second, [("a", "pending")], "task")
    await saver.apply_retention("t", Retention(newest=1))
    rows = await saver.count_rows("t")
    assert (rows["checkpoints"], rows["blobs"], rows["writes"]) == (1, 1, 1)


async def test_copying_onto_an_existing_session_is_refused(saver: SqliteCheckpointSaver):
    await put(saver, at("a"), {"x": 1}, {"x": 1})
    await put(saver, at("b"), {"x": 2}, {"x": 1})
    with pytest.raises(SessionError, match="already exists"):
        await saver.acopy_thread("a", "b")


def test_the_blocking_methods_do_the_same(tmp_path: Path):
    saver = SqliteCheckpointSaver(tmp_path / "sync.db")
    graph = counting_graph(saver)
    graph.invoke({"said": ["hello"]}, at("t"), durability="sync")
    assert graph.get_state(at("t")).values == {"said": ["hello", "answer 1"], "total": 1}
    assert len(list(saver.list(at("t"), filter={"source": "loop"}, limit=2))) == 2
    assert len(list(saver.list(None))) == 4
    saver.copy_thread("t", "u")
    saver.prune(["u"])
    assert len(list(saver.list(at("u")))) == 1
    saver.delete_for_runs(["none"])
    saver.delete_thread("t")
    assert saver.get_tuple(at("t")) is None
    assert saver.get_tuple(at("u")) is not None
    with pytest.raises(ValueError, match="strategy"):
        saver.prune(["u"], strategy="sometimes")
    saver.close()


def test_a_newer_or_foreign_file_is_refused(tmp_path: Path):
    newer, foreign, junk = tmp_path / "newer.db", tmp_path / "foreign.db", tmp_path / "junk.db"
    SqliteCheckpointSaver(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(NewerSchema, match="99"):
        SqliteCheckpointSaver(newer)
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with pytest.raises(StorageError, match="another program"):
        SqliteCheckpointSaver(foreign)
    junk.write_bytes(b"not a database" * 1000)
    with pytest.raises(StorageError, match="cannot be used"):
        SqliteCheckpointSaver(junk)


def test_a_row_never_names_what_is_imported():
    serde = default_serde()
    assert not isinstance(serde.loads_typed(serde.dumps_typed(Foreign("x"))), Foreign)
    allowing = default_serde([Foreign])
    assert allowing.loads_typed(allowing.dumps_typed(Foreign("x"))) == Foreign("x")
    with pytest.raises(NotImplementedError):
        serde.loads_typed(("pickle", b"cos\nsystem\n(S'true'\ntR."))


def test_large_values_are_deflated_and_a_cut_one_is_refused():
    serde = default_serde()
    kind, data = serde.dumps_typed(["가나다라"] * 1000)
    assert len(data) < 500
    assert serde.loads_typed((kind, data)) == ["가나다라"] * 1000
    with pytest.raises(ValueError, match="cut short"):
        serde.loads_typed((kind, data[:-20]))


def test_the_row_is_known_only_inside_its_context():
    assert current_row() is None
    with row_context("t", "", "c", "channel") as row:
        assert current_row() == row
    assert current_row() is None


async def test_allow_list_is_widened_on_a_clone_of_the_saver(saver: SqliteCheckpointSaver):
    wider = saver.with_allowlist({(Foreign.__module__, Foreign.__name__)})
    config = await put(wider, at("t"), {"a": Foreign("x")}, {"a": 1})
    theirs, ours = await wider.aget_tuple(config), await saver.aget_tuple(config)
    assert theirs is not None
    assert ours is not None
    assert theirs.checkpoint["channel_values"]["a"] == Foreign("x")
    assert not isinstance(ours.checkpoint["channel_values"]["a"], Foreign)


async def test_a_serde_that_has_no_allow_list_is_left_as_it_is(tmp_path: Path):
    async with SqliteCheckpointSaver.open(tmp_path / "sealed.db", serde=BoundSerde()) as saver:
        assert saver.with_allowlist({("x", "Y")}) is saver


def made(value: Any, version: int) -> Any:
    return {**empty_checkpoint(), "channel_values": {"a": value}, "channel_versions": {"a": version}}


async def test_a_checkpoint_put_soon_is_stored_with_what_comes_next(saver: SqliteCheckpointSaver):
    first = await put(saver, at("t"), {"a": [1]}, {"a": 1})
    commits = saver.writer.commits
    soon = saver.put_soon(first, made([2], 2), {}, {"a": 2})
    assert saver.writer.commits == commits
    second = await put(saver, soon, {"a": [2]}, {"a": 2}, {})
    assert saver.writer.commits == commits + 1
    found = [saved.config async for saved in saver.alist(at("t"))]
    assert found == [second, soon, first]


async def test_closing_the_saver_stores_a_deferred_checkpoint(tmp_path: Path):
    path = tmp_path / "soon.db"
    async with SqliteCheckpointSaver.open(path) as saver:
        saver.put_soon(at("t"), made([2], 2), {}, {"a": 2})
    async with SqliteCheckpointSaver.open(path) as saver:
        found = await saver.aget_tuple(at("t"))
    assert found is not None
    assert found.checkpoint["channel_values"] == {"a": [2]}


async def test_a_write_that_fails_takes_no_other_with_it(saver: SqliteCheckpointSaver):
    runs: list[str] = []

    def fails(connection: sqlite3.Connection) -> None:
        runs.append("fails")
        connection.execute("INSERT INTO names VALUES ('t', 'half', 'c')")
        connection.execute("INSERT INTO nowhere VALUES (1)")

    def holds(connection: sqlite3.Connection) -> None:
        runs.append("holds")
        connection.execute("INSERT INTO names VALUES ('t', 'whole', 'c')")

    write = saver.writer.acall
    done = await asyncio.gather(write(holds, writes=True), write(fails, writes=True), return_exceptions=True)
    names = await write(lambda c: c.execute("SELECT name FROM names").fetchall(), writes=False)
    assert (type(done[0]), type(done[1])) == (type(None), StorageError)
    assert names == [("whole",)]
    assert runs == ["holds", "fails", "holds", "fails"]  # together at first, then each alone
