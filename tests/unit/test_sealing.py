from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from metaagent.errors import KeyUnavailable, RowRefused
from metaagent.protection.row_context import Row, row_context
from metaagent.protection.sealing import (
    REFUSALS,
    SealedSerde,
    Sealer,
    frame,
    refused,
)
from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver
from metaagent.storage.checkpoints.serde import default_serde
from tests.support.audit_world import make_ring, unhurried

if TYPE_CHECKING:
    from pathlib import Path

    from langchain_core.runnables import RunnableConfig

    from metaagent.protection.keys.ring import KeyRing

AAD = ("session-1", "personal_info")
parts = st.lists(st.text(), max_size=5)


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> KeyRing:
    return make_ring(tmp_path_factory.mktemp("ring"))


@pytest.fixture(scope="module")
def sealer(ring: KeyRing) -> Sealer:
    return ring.sealer("acme", "state")


def kind_of(error: pytest.ExceptionInfo[RowRefused]) -> str:
    return error.value.params["kind"]


@unhurried
@given(data=st.binary(), aad=parts)
def test_sealed_value_opens_for_its_own_row(sealer: Sealer, data: bytes, aad: list[str]):
    assert sealer.open(sealer.seal(data, tuple(aad)), tuple(aad)) == data


@unhurried
@given(value=st.text(), aad=parts)
def test_text_survives_whatever_it_holds(sealer: Sealer, value: str, aad: list[str]):
    assert sealer.open_text(sealer.seal_text(value, tuple(aad)), tuple(aad)) == value


@unhurried
@given(one=parts, other=parts)
def test_no_two_rows_share_an_aad(one: list[str], other: list[str]):
    assert (frame(one) == frame(other)) == (one == other)


@unhurried
@given(data=st.binary(max_size=50), place=st.integers(min_value=0), bit=st.integers(0, 7))
def test_a_flipped_bit_anywhere_is_refused(sealer: Sealer, data: bytes, place: int, bit: int):
    sealed = bytearray(sealer.seal(data, AAD))
    sealed[place % len(sealed)] ^= 1 << bit
    with pytest.raises((RowRefused, KeyUnavailable)):
        sealer.open(bytes(sealed), AAD)


@unhurried
@given(value=st.text(max_size=20), place=st.integers(min_value=0), new=st.characters())
def test_a_changed_character_anywhere_is_refused(sealer: Sealer, value: str, place: int, new: str):
    sealed = sealer.seal_text(value, AAD)
    place %= len(sealed)
    changed = sealed[:place] + new + sealed[place + 1 :]
    if changed != sealed:
        with pytest.raises((RowRefused, KeyUnavailable)):
            sealer.open_text(changed, AAD)


@unhurried
@given(data=st.binary(max_size=50), length=st.integers(min_value=0))
def test_a_truncated_value_is_refused(sealer: Sealer, data: bytes, length: int):
    sealed = sealer.seal(data, AAD)
    with pytest.raises(RowRefused):
        sealer.open(sealed[: length % len(sealed)], AAD)
    text = sealer.seal_text("text", AAD)
    with pytest.raises(RowRefused):
        sealer.open_text(text[: length % len(text)], AAD)


@unhurried
@given(junk=st.binary())
def test_plaintext_is_refused(sealer: Sealer, junk: bytes):
    with pytest.raises((RowRefused, KeyUnavailable)):
        sealer.open(junk, AAD)


def test_the_refusal_names_row_and_reason(sealer: Sealer):
    with pytest.raises(RowRefused, match="acme/state/session-1/personal_info") as error:
        sealer.open(b'{"name": "Kim"}', AAD)
    assert kind_of(error) == "unsealed"
    assert "거부" in error.value.say("ko")


@unhurried
@given(
    values=st.lists(st.tuples(st.binary(max_size=20), parts, st.booleans()), max_size=6),
    cut=st.integers(0, 80),
    at=st.integers(0, 5),
)
def test_opening_many_is_like_opening_each(
    ring: KeyRing, values: list[tuple[bytes, list[str], bool]], cut: int, at: int
):
    people = {True: ring.sealer("acme", "state", "kim"), False: ring.sealer("acme", "state", "lee")}
    reader = ring.reader("acme", "state")
    sealed = [(people[who].seal(data, tuple(aad)), tuple(aad)) for data, aad, who in values]
    assert list(reader.open_many(sealed)) == [data for data, _, _ in values]
    if at < len(sealed) and cut < len(sealed[at][0]):
        sealed[at] = (sealed[at][0][:cut], sealed[at][1])
        opened = reader.open_many(sealed)
        assert [next(opened) for _ in range(at)] == [data for data, _, _ in values[:at]]
        with pytest.raises((RowRefused, KeyUnavailable)) as many:
            next(opened)
        with pytest.raises((RowRefused, KeyUnavailable)) as one:
            reader.open(*sealed[at])
        assert str(many.value) == str(one.value)


@pytest.mark.parametrize("aad", [("session-2", "personal_info"), ("session-1", "other"), ("session-1",), ()])
def test_a_value_moved_to_another_row_is_refused(sealer: Sealer, aad: tuple[str, ...]):
    with pytest.raises(RowRefused) as error:
        sealer.open(sealer.seal(b"x", AAD), aad)
    assert kind_of(error) == "changed"


def test_another_tenants_or_persons_value_is_foreign(ring: KeyRing, sealer: Sealer):
    for other in (ring.sealer("globex", "state"), ring.sealer("acme", "state", "kim")):
        with pytest.raises(RowRefused) as error:
            sealer.open(other.seal(b"x", AAD), AAD)
        assert kind_of(error) == "foreign"


def test_another_purposes_value_is_refused(ring: KeyRing, sealer: Sealer):
    with pytest.raises(RowRefused):
        sealer.open(ring.sealer("acme", "artifact").seal(b"x", AAD), AAD)


def test_another_algorithm_or_version_is_a_downgrade(sealer: Sealer):
    sealed, text = sealer.seal(b"x", AAD), sealer.seal_text("x", AAD)
    with pytest.raises(RowRefused) as error:
        sealer.open(sealed[:3] + b"\x00" + sealed[4:], AAD)
    assert kind_of(error) == "downgraded"
    with pytest.raises(RowRefused) as error:
        sealer.open_text(text.replace("a256gcm", "none"), AAD)
    assert kind_of(error) == "downgraded"
    with pytest.raises(RowRefused) as error:
        sealer.open_text(text.replace("ma1.", "ma0."), AAD)
    assert kind_of(error) == "unsealed"


def test_the_text_form_is_the_documented_one(sealer: Sealer):
    value = sealer.seal_text("x", AAD)
    assert re.fullmatch(r"ma1\.a256gcm\.k[0-9]+-[0-9a-f]{16}\.[\w-]{16}\.[\w-]{23}", value)


def test_resealing_moves_a_value_to_the_newest_key(tmp_path: Path):
    ring = make_ring(tmp_path)
    sealer = ring.sealer("acme", "state")
    old = sealer.seal(b"x", AAD)
    assert sealer.reseal(old, AAD) is old
    ring.rotate("acme")
    new = sealer.reseal(old, AAD)
    assert not sealer.is_current(old)
    assert sealer.is_current(new)
    assert sealer.open(new, AAD) == sealer.open(old, AAD) == b"x"


@pytest.fixture
def serde(ring: KeyRing) -> SealedSerde:
    return SealedSerde(default_serde(), lambda thread: ring.sealer("acme", "checkpoint"))


ROW = Row("t1", "", "c1", "messages", "1", "t")


@pytest.mark.parametrize(
    "value", [None, b"raw", {"a": [1, "두", 3.5, None]}, [HumanMessage("hi", id="1")], "long " * 1000]
)
def test_a_checkpoint_value_comes_back_for_its_own_row(serde: SealedSerde, value: Any):
    with row_context(*ROW):
        kind, data = serde.dumps_typed(value)
        assert kind.endswith("+ma1")
        assert serde.loads_typed((kind, data)) == value


@pytest.mark.parametrize("field", Row._fields)
def test_a_checkpoint_value_of_any_other_row_is_refused(serde: SealedSerde, field: str):
    with row_context(*ROW):
        sealed = serde.dumps_typed({"x": 1})
    with row_context(*ROW._replace(**{field: "other"})), pytest.raises(RowRefused) as error:
        serde.loads_typed(sealed)
    assert kind_of(error) == "changed"
    with row_context(*ROW):
        assert serde.loads_typed(sealed) == {"x": 1}


def test_a_checkpoint_value_of_another_tenant_is_refused(serde: SealedSerde, ring: KeyRing):
    with row_context(*ROW):
        sealed = SealedSerde(default_serde(), lambda thread: ring.sealer("other", "checkpoint")).dumps_typed(
            1
        )
        with pytest.raises(RowRefused) as error:
            serde.loads_typed(sealed)
    assert kind_of(error) == "foreign"


def test_an_unsealed_or_relabelled_checkpoint_value_is_refused(serde: SealedSerde):
    with row_context(*ROW):
        kind, data = serde.dumps_typed({"x": 1})
        for forged in [
            ("msgpack", b"\x80"),
            ("msgpack", data),
            ("json+ma1", data),
            ("msgpack+z+ma1", data),
            ("msgpack+aes", data),
            ("null", b""),
        ]:
            with pytest.raises(RowRefused):
                serde.loads_typed(forged)
        assert kind == "msgpack+ma1"


def test_without_a_row_nothing_is_sealed_or_opened(serde: SealedSerde):
    with pytest.raises(RowRefused) as error:
        serde.dumps_typed(1)
    assert kind_of(error) == "context"
    with pytest.raises(RowRefused):
        serde.loads_typed(("msgpack+ma1", b""))


@dataclass
class Danger:
    """Its constructor would do something when a row is read."""

    name: str
    made: ClassVar[list[str]] = []

    def __post_init__(self) -> None:
        self.made.append(self.name)


def test_a_type_that_is_not_allowed_is_not_built(serde: SealedSerde):
    with row_context(*ROW):
        sealed = serde.dumps_typed(Danger("x"))
        made = len(Danger.made)
        assert not isinstance(serde.loads_typed(sealed), Danger)
        assert len(Danger.made) == made


@pytest.mark.parametrize("kind", REFUSALS)
def test_every_refusal_names_its_row_in_both_languages(kind: str):
    error = refused("acme/s1", kind, "x")
    assert "acme/s1" in error.say("en")
    assert "acme/s1" in error.say("ko") != error.say("en")


class Asked(TypedDict, total=False):
    question: dict[str, str]
    answer: dict[str, str]


def answer(state: Asked) -> Asked:
    return {"answer": {"text": state.get("question", {})["text"][::-1]}}


async def test_checkpoints_of_a_graph_are_sealed_and_bound_to_rows(tmp_path: Path, serde: SealedSerde):
    path = tmp_path / "checkpoints.db"
    one, two = (cast("RunnableConfig", {"configurable": {"thread_id": name}}) for name in ("one", "two"))
    async with SqliteCheckpointSaver.open(path, serde=serde) as saver:
        graph = StateGraph(Asked)
        graph.add_node("answer", answer)
        graph.add_edge(START, "answer")
        app = graph.compile(checkpointer=saver)
        for config in (one, two):
            await app.ainvoke({"question": {"text": "canary-7319"}}, config, durability="sync")
        assert (await app.aget_state(one)).values["answer"] == {"text": "9137-yranac"}
        stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        assert b"canary-7319" not in stored
        assert b"9137-yranac" not in stored
        with sqlite3.connect(path) as connection:
            foreign = "SELECT value FROM blobs WHERE thread_id = 'two' AND channel = 'answer'"
            connection.execute(
                f"UPDATE blobs SET value = ({foreign}) WHERE thread_id = 'one' AND channel = 'answer'"
            )
        connection.close()
        with pytest.raises(RowRefused):
            await app.aget_state(one)
