"""The one boundary: values of any shape go in, the same without personal data come out. None is mutated."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import hashlib
import hmac
import traceback
import uuid
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from metaagent.errors import ConfigInvalid, Text
from metaagent.protection.redaction.detect import find
from metaagent.protection.redaction.fields import sensitive_fields
from metaagent.protection.redaction.finding import TYPES, Finding
from metaagent.values import MAX_DEPTH

if TYPE_CHECKING:
    from metaagent.protection.redaction.known import KnownNames
    from metaagent.protection.redaction.pseudonyms import Pseudonyms

FIELD = "FIELD"
_AS_THEY_ARE = (
    bool,
    float,
    complex,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    decimal.Decimal,
    uuid.UUID,
    type(None),
)
_MESSAGE_FIELDS = (
    "content",
    "additional_kwargs",
    "response_metadata",
    "tool_calls",
    "invalid_tool_calls",
    "artifact",
    "name",
)
_SHORT = 400
_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
_UNKNOWN_MODE = Text(
    "Redaction mode {mode!r} for {kind!r} is not known: types are {types}, modes are {modes}.",
    "'{kind}'에 대한 비식별 방식 {mode!r}을(를) 알 수 없습니다. 유형: {types}, 방식: {modes}.",
)
_NO_KEY = Text(
    "Redaction mode 'hash' needs a key of at least 16 bytes: pass key=..., or choose mask, pseudonym or "
    "drop.",
    "비식별 방식 'hash'에는 16바이트 이상의 키가 필요합니다. key=...를 주거나 mask, pseudonym, drop 중에서 "
    "고르세요.",
)


class Mode(enum.StrEnum):
    MASK = "mask"
    HASH = "hash"
    PSEUDONYM = "pseudonym"
    DROP = "drop"


@dataclasses.dataclass
class _Walk:
    """The budget left for one value, and the containers around it."""

    items: int
    inside: set[int] = dataclasses.field(default_factory=set[int])


class Redactor:
    """Holds the configuration: sensitive fields, a mode for each type, the key, the session's pseudonyms."""

    def __init__(
        self,
        *,
        fields: Iterable[str] = (),
        mode: Mode | str = Mode.MASK,
        modes: Mapping[str, Mode | str] | None = None,
        key: bytes | None = None,
        pseudonyms: Pseudonyms | None = None,
        names: KnownNames | None = None,
        max_depth: int = MAX_DEPTH,
        max_items: int = 100_000,
        max_text: int = 4_000_000,
    ) -> None:
        self.fields = sensitive_fields(tuple(fields))
        self._modes = _modes(mode, tuple((modes or {}).items()))
        if Mode.HASH in self._modes.values() and len(key or b"") < 16:
            raise ConfigInvalid(_NO_KEY)
        self._key = key or b""
        self._pseudonyms = pseudonyms
        self._names = names
        self._max_depth, self._max_items, self._max_text = max_depth, max_items, max_text

    def redact_text(self, text: str) -> str:
        return self._cut(self._replace(text, find(text, self._names)))

    def redact_exception(self, exc: BaseException) -> str:
        """The whole traceback with causes, groups and notes, redacted."""
        return self.redact_text("".join(traceback.format_exception(exc)).rstrip("\n"))

    def sanitize(self, value: Any) -> Any:
        return self._any(value, 0, _Walk(self._max_items), "")

    def _replace(self, text: str, findings: list[Finding], offset: int = 0) -> str:
        pieces: list[str] = []
        at = offset
        for finding in findings:
            if finding.end <= offset:
                continue
            start = max(finding.start, offset)
            pieces += (text[at:start], self._stand_in(finding.type, text[start : finding.end]))
            at = finding.end
        pieces.append(text[at:])
        return "".join(pieces)

    def _stand_in(self, kind: str, value: str) -> str:
        match self._modes[kind]:
            case Mode.DROP:
                return ""
            case Mode.HASH:
                digest = hmac.new(
                    self._key, f"{kind}\0{value}".encode("utf-8", "surrogatepass"), hashlib.sha256
                ).hexdigest()
                # Letters only, so that a hash is never taken for a number again.
                return f"[{kind}#{digest[:12].translate(_LETTERS)}]"
            case Mode.PSEUDONYM if self._pseudonyms is not None:
                return self._pseudonyms.token(kind, value)
            case _:
                return f"[{kind}]"

    def _cut(self, text: str) -> str:
        # Cut after redaction: cut before, half a number would pass.
        return (
            text
            if len(text) <= self._max_text
            else f"{text[: self._max_text]}[… {len(text) - self._max_text} more]"
        )

    def _any(self, value: Any, depth: int, walk: _Walk, label: str) -> Any:
        walk.items -= 1
        if walk.items < 0:
            return "[TOO MANY]"
        if isinstance(value, enum.Enum):
            return self._any(value.value, depth, walk, label)
        if isinstance(value, str):
            return self._labelled(value, label)
        if isinstance(value, int) and not isinstance(value, bool):
            if abs(value) < 10_000_000 or abs(value) >= 10**20:
                return value
            text = str(value)
            clean = self._labelled(text, label)
            return value if clean == text else clean
        if isinstance(value, _AS_THEY_ARE):
            return value
        if isinstance(value, bytes | bytearray | memoryview):
            return f"[BYTES {len(value)}]"
        return self._inside(value, depth, walk, label)

    def _inside(self, value: Any, depth: int, walk: _Walk, label: str) -> Any:
        if depth >= self._max_depth:
            return "[TOO DEEP]"
        if id(value) in walk.inside:
            return "[CYCLE]"
        walk.inside.add(id(value))
        try:
            return self._container(value, depth + 1, walk, label)
        except Exception as exc:  # noqa: BLE001 - whatever a foreign object does, logging it must neither fail nor leak
            return f"[UNREADABLE {type(value).__name__}: {type(exc).__name__}]"
        finally:
            walk.inside.discard(id(value))

    def _container(self, value: Any, depth: int, walk: _Walk, label: str) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[Any, Any]", value), depth, walk)
        if isinstance(value, list | tuple | set | frozenset):
            return self._sequence(cast("Iterable[Any]", value), depth, walk, label)
        if isinstance(value, BaseException):
            return self.redact_exception(value)
        if hasattr(value, "content") and not isinstance(value, type):
            return self._message(value, depth, walk)
        return self._object(value, depth, walk)

    def _mapping(self, value: Mapping[Any, Any], depth: int, walk: _Walk) -> dict[Any, Any]:
        clean: dict[Any, Any] = {}
        for key, item in value.items():
            if walk.items <= 0:
                clean["[TOO MANY]"] = len(value) - len(clean)
                break
            name = self._any(key, depth, walk, "") if not isinstance(key, str) else self.redact_text(key)
            if key in self.fields:
                if self._modes[FIELD] is Mode.DROP:
                    continue
                item = self._field(item)
            else:
                item = self._any(item, depth, walk, key if isinstance(key, str) else "")
            clean[_free(name, clean)] = item
        return clean

    def _field(self, value: Any) -> Any:
        """A sensitive field's value, whole. That nothing is there may be seen."""
        if value is None or value in ("", [], {}, ()):
            return value
        text = value if isinstance(value, str) else _shown(value)
        return "[REDACTED]" if self._modes[FIELD] is Mode.MASK else self._stand_in(FIELD, text)

    def _sequence(self, value: Iterable[Any], depth: int, walk: _Walk, label: str) -> Any:
        items: list[Any] = []
        for item in value:
            if walk.items <= 0:
                items.append("[TOO MANY]")
                break
            items.append(self._any(item, depth, walk, label))
        if isinstance(value, list):
            return items
        if isinstance(value, tuple):
            make = getattr(cast("Any", value), "_make", tuple)
            return make(items) if len(items) == len(value) else tuple(items)
        return frozenset(items) if isinstance(value, frozenset) else set(items)

    def _message(self, value: Any, depth: int, walk: _Walk) -> Any:
        """A chat message keeps its class: a copy with every field that carries text made clean."""
        clean = {
            name: self._any(getattr(value, name), depth, walk, "")
            for name in _MESSAGE_FIELDS
            if hasattr(value, name)
        }
        if hasattr(value, "model_copy"):
            return value.model_copy(update=clean)
        if dataclasses.is_dataclass(value):
            return self._object(value, depth, walk)
        return {"type": type(value).__name__, **self._mapping({**vars(value), **clean}, depth, walk)}

    def _object(self, value: Any, depth: int, walk: _Walk) -> Any:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._mapping(
                {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}, depth, walk
            )
        if hasattr(value, "model_fields_set") and not isinstance(value, type):
            return self._mapping(dict(value), depth, walk)
        return self.redact_text(repr(value))

    def _labelled(self, value: str, label: str) -> str:
        """A field's name is context too: {"계좌": "110…"}, {"order_no": "4111…"}."""
        if not label or len(value) > _SHORT or len(label) > _SHORT:
            return self.redact_text(value)
        head = f"{label.replace('_', ' ')}: "
        text = head + value
        return self._cut(self._replace(text, find(text, self._names), len(head)))


def redact_exception(exc: BaseException, redactor: Redactor | None = None) -> str:
    return (redactor or Redactor()).redact_exception(exc)


@lru_cache(maxsize=64)
def _modes(mode: Mode | str, chosen: tuple[tuple[str, Mode | str], ...]) -> Mapping[str, Mode]:
    """Each turn has a redactor of its own, and its modes are the same."""
    return {kind: _mode(kind, mode) for kind in (*TYPES, FIELD)} | {
        kind: _mode(kind, own) for kind, own in chosen
    }


def _mode(kind: str, mode: Mode | str) -> Mode:
    if kind in (*TYPES, FIELD) and mode in tuple(Mode):
        return Mode(mode)
    known = ", ".join((*TYPES, FIELD))
    raise ConfigInvalid(_UNKNOWN_MODE, mode=str(mode), kind=kind, types=known, modes=", ".join(Mode))


def _free(name: Any, taken: Mapping[Any, Any]) -> Any:
    """Two keys may become one when redacted: neither value is lost."""
    if not isinstance(name, str) or name not in taken:
        return name
    number = 2
    while f"{name}#{number}" in taken:
        number += 1
    return f"{name}#{number}"


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a foreign __repr__ may do anything
        return type(value).__name__
