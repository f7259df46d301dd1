"""Messages between the service and an isolated agent: frames of JSON.

A frame is its length, the length of the JSON in it, the JSON, and the bytes that the JSON refers to. Values that JSON
does not know, and the ports' own records, travel as a mapping with one marked key. Reading a frame makes nothing but
plain values and those records, whoever wrote it.
"""

from __future__ import annotations

import builtins
import struct
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, cast

import orjson

from metaagent.errors import AgentSignal, Failed, MetaAgentError, NeedsInput, Text, TryAgain, literal
from metaagent.ports import ArtifactRef, DataResult, Effect, Group, Match, ModelReply, QueryResult, User

MAX_FRAME = 64 * 1024 * 1024
CALLS_AT_ONCE = 16
"""Port calls that one agent has under way; more wait in the child."""

CALLS: Mapping[str, frozenset[str]] = {
    "db": frozenset({"run", "ask", "breakdowns", "attributes"}),
    "vectors": frozenset({"add", "search", "get", "ids", "count", "remove"}),
    "library": frozenset({"collections", "lexical", "nearest", "chunks", "text", "headings"}),
    "web": frozenset({"search"}),
    "effects": frozenset({"begin", "done", "withdraw"}),
    "memory": frozenset({"remember", "find", "forget", "all"}),
    "rules": frozenset({"files", "waivers"}),
    "templates": frozenset({"files"}),
    "records": frozenset({"describe", "lookup", "preview", "store", "receipt"}),
    "llm": frozenset({"complete"}),
    "files": frozenset({"write", "read", "remove"}),
    "artifacts": frozenset({"read"}),
    "progress": frozenset({"__call__"}),
    "log": frozenset({"info", "warning"}),
    "clock": frozenset({"now"}),
}
"""Methods that may be called, port by port."""

HEADER = struct.Struct(">I")
REQUEST = struct.Struct(">I")
"""A child is wanted whose processes may use this many MB together; its two sockets come along."""
READY = struct.Struct(">???")
"""The process that forks is there: whether children have no network, and whether they have files of their own only."""

_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
_MARK = "\0"
_MARK_ESCAPED = b"\\u0000"
_RECORDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (ArtifactRef, DataResult, Effect, Group, Match, ModelReply, QueryResult, User)
}
_TUPLES = frozenset({"made_from", "roles"})


class BadFrame(Exception):
    """A frame that cannot be written or read; says why."""


def encode(message: Mapping[str, Any]) -> bytes:
    blobs = bytearray()
    try:
        text = orjson.dumps(message, default=lambda value: _marked(value, blobs), option=_OPTIONS)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadFrame(str(error)) from error
    size = HEADER.size + len(text) + len(blobs)
    if size > MAX_FRAME:
        raise BadFrame(f"{size} bytes are more than the allowed {MAX_FRAME}")
    return b"".join((HEADER.pack(size), HEADER.pack(len(text)), text, blobs))


def decode_length(header: bytes) -> int:
    length: int = HEADER.unpack(header)[0]
    if length > MAX_FRAME:
        raise BadFrame(f"a frame of {length} bytes is more than the allowed {MAX_FRAME}")
    return length


def decode(body: bytes) -> dict[str, Any]:
    end = HEADER.size + (HEADER.unpack_from(body)[0] if len(body) >= HEADER.size else 0)
    text = body[HEADER.size : end]
    try:
        message: object = orjson.loads(text)
        # Most frames hold nothing marked: they are not walked through.
        message = _unmarked(message, memoryview(body)[end:]) if _MARK_ESCAPED in text else message
    except (TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise BadFrame(str(error)) from error
    if not isinstance(message, dict):
        raise BadFrame(f"{type(message).__name__} instead of a mapping")
    return cast("dict[str, Any]", message)


def _marked(value: Any, blobs: bytearray) -> Any:
    kind = type(value).__name__
    if isinstance(value, bytes | bytearray | memoryview):
        start = len(blobs)
        blobs.extend(value)
        return {f"{_MARK}bytes": [start, len(blobs)]}
    for moment in (datetime, date, time):
        if isinstance(value, moment):
            return {f"{_MARK}{moment.__name__}": value.isoformat()}
    if isinstance(value, Decimal):
        return {f"{_MARK}Decimal": str(value)}
    if type(value) is _RECORDS.get(kind):
        return {f"{_MARK}{kind}": vars(value)}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Any, Any]", value))
    raise TypeError(f"Type is not JSON serializable: {kind}")


_READERS: dict[str, Callable[[Any], Any]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "Decimal": Decimal,
}


def _unmarked(value: Any, blobs: memoryview) -> Any:
    if isinstance(value, list):
        return [_unmarked(item, blobs) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = {key: _unmarked(item, blobs) for key, item in cast("dict[str, Any]", value).items()}
    key = next(iter(fields), "")
    if len(fields) != 1 or not key.startswith(_MARK):
        return fields
    name = key.removeprefix(_MARK)
    if name == "bytes":
        start, end = fields[key]
        return bytes(blobs[start:end])
    if name in _READERS:
        return _READERS[name](fields[key])
    return _record(_RECORDS[name], fields[key]) if name in _RECORDS else fields


def _record(kind: type, fields: dict[str, Any]) -> Any:
    return kind(**{key: tuple(item) if key in _TUPLES else item for key, item in fields.items()})


# --- errors ----------------------------------------------------------------------------------------------


def describe(error: BaseException) -> dict[str, Any]:
    """An error as plain data. Texts are worded here: a template is never taken from the other side."""
    if isinstance(error, MetaAgentError):
        params = {key: plain_or_text(value) for key, value in error.params.items()}
        return {
            "code": error.code,
            "en": _utf8(error.say("en")),
            "ko": _utf8(error.say("ko")),
            "params": params,
        }
    described: dict[str, Any] = {"raised": type(error).__name__, "message": _utf8(str(error))}
    if isinstance(error, TryAgain):
        described["after"] = error.after
    if isinstance(error, NeedsInput):
        described["options"] = error.options
        described["field"] = error.field
    return described


def rebuild(described: Mapping[str, Any]) -> Exception:
    """The error that was described; what only the other side knows becomes a RuntimeError."""
    if "code" in described:
        text = Text(en=literal(described["en"]), ko=literal(described["ko"]))
        return _by_code().get(described["code"], MetaAgentError)(text, **described["params"])
    name, message = described["raised"], described["message"]
    if name in SIGNALS:
        return SIGNALS[name](described)
    known: object = getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, Exception) and known not in _NEED_MORE:
        return known(message)
    return RuntimeError(f"{name}: {message}")


_NEED_MORE = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError, ExceptionGroup)
"""Cannot be made from a message alone."""

SIGNALS: dict[str, Callable[[Mapping[str, Any]], AgentSignal]] = {
    "TryAgain": lambda described: TryAgain(described["message"], after=described.get("after")),
    "Failed": lambda described: Failed(described["message"]),
    "NeedsInput": lambda described: NeedsInput(
        described["message"], options=described.get("options"), field=described.get("field") or ""
    ),
}


def _by_code() -> dict[str, type[MetaAgentError]]:
    found: dict[str, type[MetaAgentError]] = {}
    waiting: list[type[MetaAgentError]] = [MetaAgentError]
    while waiting:
        kind = waiting.pop()
        found.setdefault(kind.code, kind)
        waiting += kind.__subclasses__()
    return found


def plain_or_text(value: Any) -> Any:
    try:
        encode({"value": value})
    except BadFrame:
        return _utf8(str(value))
    return value


def _utf8(text: str) -> str:
    """Lone surrogates cannot be sent."""
    return text.encode("utf-8", "replace").decode()
