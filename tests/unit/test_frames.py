"""What crosses the border between the service and an isolated agent comes through unchanged, or not at all."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent import ports
from metaagent.errors import Failed, MetaAgentError, NeedsInput, PortNotGranted, SqlRefused, Text, TryAgain
from metaagent.isolation.frames import (
    CALLS,
    HEADER,
    MAX_FRAME,
    BadFrame,
    decode,
    decode_length,
    describe,
    encode,
    rebuild,
)
from metaagent.ports import ArtifactRef, Match, ModelReply, QueryResult, User

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.binary()
    | st.dates()
    | st.datetimes(timezones=st.just(UTC))
    | st.times()
    | st.decimals(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(plain)
def test_plain_values_come_through_unchanged(value: object) -> None:
    frame = encode({"value": value})
    assert decode_length(frame[: HEADER.size]) == len(frame) - HEADER.size
    assert decode(frame[HEADER.size :]) == {"value": value}


@given(st.binary(max_size=200))
def test_any_bytes_are_a_mapping_or_refused(body: bytes) -> None:
    try:
        found: object = decode(HEADER.pack(len(body)) + body + b"more")
    except BadFrame:
        return
    assert isinstance(found, dict)


RECORDS = [
    QueryResult(["a", "b"], [[1, Decimal("1.10")], [date(2024, 1, 2), b"\xff"]], 2, truncated=True),
    Match("m", "text", 0.5, {"page": 1}),
    ModelReply("text", 3),
    ArtifactRef("a1", "kind", "summary", 1, "hash", "by", ("from",)),
    User("u", "c", ("r1", "r2")),
    datetime(2025, 1, 10, tzinfo=UTC),
    time(12, 30),
    {"\0": 1, "other": {"\0nothing": b""}},
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_records_of_the_ports_come_through_unchanged(record: object) -> None:
    assert decode(encode({"value": record})[HEADER.size :]) == {"value": record}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'{"v": {"\\u0000User": {"no": 1}}}',
        b'{"v": {"\\u0000User": []}}',
        b'{"v": {"\\u0000Decimal": "x"}}',
        b'{"v": {"\\u0000bytes": "?"}}',
        b'{"v": {"\\u0000bytes": [0, "1"]}}',
        b'{"v": {"\\u0000date": 5}}',
        b'{"v":' + b"[" * 900 + b'"\\u0000"' + b"]" * 900 + b"}",
    ],
    ids=lambda body: body[:24].decode(),
)
def test_forged_frames_are_refused(body: bytes) -> None:
    with pytest.raises(BadFrame):
        decode(HEADER.pack(len(body)) + body)


def test_a_frame_has_a_largest_size() -> None:
    with pytest.raises(BadFrame):
        encode({"value": bytes(MAX_FRAME)})
    with pytest.raises(BadFrame):
        decode_length(HEADER.pack(MAX_FRAME + 1))


ERRORS = [
    TryAgain("later", after=1.5),
    Failed("for {good}"),
    NeedsInput("which?", options=["a", "b"]),
    SqlRefused(Text(en="no {what}", ko="{what} 안 됨"), what="DROP {x}"),
    PortNotGranted(Text(en="no {port}", ko="{port} 없음"), port={1, 2}),
    FileNotFoundError("there"),
    ValueError("that"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_come_through_as_what_they_were(error: Exception) -> None:
    again = rebuild(decode(encode(describe(error))[HEADER.size :]))
    assert type(again) is type(error)
    assert str(again) == str(error)
    if isinstance(error, MetaAgentError) and isinstance(again, MetaAgentError):
        assert again.say("ko") == error.say("ko")
    for name in ("after", "options", "question"):
        assert getattr(again, name, None) == getattr(error, name, None)


def test_an_error_that_only_the_other_side_knows_keeps_its_name() -> None:
    class Peculiar(Exception): ...

    again = rebuild(describe(Peculiar("\ud800 odd")))
    assert (type(again), str(again)) == (RuntimeError, "Peculiar: ? odd")


PROTOCOLS = {
    "db": ports.Database,
    "vectors": ports.VectorIndex,
    "llm": ports.ChatModel,
    "files": ports.FileStore,
    "artifacts": ports.ArtifactReader,
    "progress": ports.Progress,
    "log": ports.Log,
    "clock": ports.Clock,
    "memory": ports.PersonalMemory,
    "rules": ports.Rules,
    "templates": ports.Templates,
    "records": ports.Records,
    "effects": ports.Effects,
    "library": ports.Library,
    "web": ports.WebSearch,
}


def test_an_isolated_agent_can_call_every_method_of_every_port() -> None:
    declared = {
        port: {name for name in vars(protocol) if name == "__call__" or not name.startswith("_")}
        for port, protocol in PROTOCOLS.items()
    }
    assert declared == CALLS
    assert {*CALLS, "user"} == set(ports.PORTS)
