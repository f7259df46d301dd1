"""The door to protection of the state: hide it for logs, seal what is sensitive in it, open it again."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from metaagent.errors import InputRefused, KeyUnavailable, RowRefused, Text
from metaagent.protection.sealing import is_sealed_text, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from metaagent.protection.sealing import Sealer

HIDDEN = "[hidden]"
MAX_DEPTH = 64

TOO_DEEP = Text(
    "The state is nested deeper than {limit} levels at '{path}': it cannot be sealed.",
    "상태가 '{path}'에서 {limit}단계보다 깊게 중첩되어 봉인할 수 없습니다.",
)
NOT_PLAIN = Text(
    "Field '{path}' holds a {kind}: only plain data (text, numbers, lists, maps with text keys) can "
    "be sealed.",
    "'{path}' 필드에 {kind}이(가) 있습니다: 일반 데이터(글, 숫자, 목록, 글 키의 맵)만 봉인할 수 있습니다.",
)

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[^0-9a-z가-힣]+")


class Sanitizes(Protocol):
    """What redaction by content looks like from here."""

    def sanitize(self, value: Any) -> Any: ...


class SealerSource(Protocol):
    """What a KeyRing looks like from here."""

    def sealer(self, tenant: str, purpose: str, person: str | None = None) -> Sealer: ...


class StateSecurityManager:
    """Sensitive is a field whose name is in `fields`, in any spelling (`userId`, `USER-ID`), at any depth.

    A name also counts as the end of a longer one: `api_keys` covers `openai_api_key`.
    """

    def __init__(
        self, fields: Iterable[str], *, redactor: Sanitizes | None = None, keys: SealerSource | None = None
    ) -> None:
        self._names = frozenset(_normal(name) for name in fields)
        self._ends = tuple(f"_{name}" for name in self._names)
        self._redactor = redactor
        self._keys = keys

    def is_sensitive(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        normal = _normal(name)
        return normal in self._names or normal.endswith(self._ends)

    def sanitize_state_for_logging(self, state: Any) -> Any:
        """A copy that may be shown:

        sensitive fields hidden, the rest redacted by content. Never raises for its input.
        """
        shown = self._hide(state, 0)
        return shown if self._redactor is None else self._redactor.sanitize(shown)

    def encrypt_sensitive_fields(
        self, state: dict[str, Any], *, tenant: str, session: str, person: str | None = None
    ) -> dict[str, Any]:
        """A copy with every sensitive field sealed to tenant, session and its place. Repeatable."""
        sealer = self._sealer(tenant, person)

        def seal(path: tuple[str, ...], value: Any) -> Any:
            aad = (session, *path)
            if is_sealed_text(value) and _opens(sealer, value, aad):
                return value
            _check_plain(value, path)
            return sealer.seal_text(json.dumps(value, separators=(",", ":")), aad)

        return self._walk(state, seal, ())

    def decrypt_sensitive_fields(
        self, state: dict[str, Any], *, tenant: str, session: str, person: str | None = None
    ) -> dict[str, Any]:
        """The inverse. A sensitive field that is not sealed, or sealed for another place, is refused."""
        sealer = self._sealer(tenant, person)

        def unseal(path: tuple[str, ...], value: Any) -> Any:
            row = "/".join((tenant, session, *path))
            if not isinstance(value, str):
                raise refused(row, "unsealed")
            return json.loads(sealer.open_text(value, (session, *path), row=row))

        return self._walk(state, unseal, ())

    def _sealer(self, tenant: str, person: str | None) -> Sealer:
        if self._keys is None:
            raise KeyUnavailable(
                Text("This program was started without keys.", "키 없이 시작된 프로그램입니다.")
            )
        return self._keys.sealer(tenant, "state", person)

    def _walk(self, value: Any, act: Callable[[tuple[str, ...], Any], Any], path: tuple[str, ...]) -> Any:
        """Positions in lists are not part of a path: lists of the state are trimmed and grow."""
        if len(path) > MAX_DEPTH:
            raise InputRefused(TOO_DEEP, limit=MAX_DEPTH, path="/".join(path[:4]))
        if isinstance(value, dict):
            items: dict[Any, Any] = value
            return {
                key: act((*path, key), item)
                if self.is_sensitive(key)
                else self._walk(item, act, (*path, str(key)))
                for key, item in items.items()
            }
        if isinstance(value, list | tuple):
            sequence: list[Any] | tuple[Any, ...] = value
            made = [self._walk(item, act, (*path, "[]")) for item in sequence]
            return made if isinstance(value, list) else tuple(made)
        return value

    def _hide(self, value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            return "[too deep]"
        if hasattr(value, "model_dump"):  # LangChain messages
            value = value.model_dump()
        if isinstance(value, dict):
            items: dict[Any, Any] = value
            return {
                key: HIDDEN if self.is_sensitive(key) else self._hide(item, depth + 1)
                for key, item in items.items()
            }
        if isinstance(value, list | tuple | set | frozenset):
            members: Iterable[Any] = value
            return [self._hide(item, depth + 1) for item in members]
        if value is None or isinstance(value, str | int | float | bool):
            return HIDDEN if is_sealed_text(value) else value
        return f"[{type(value).__name__}]"


@lru_cache(4096)
def _normal(name: str) -> str:
    words = _SEPARATORS.sub("_", _CAMEL.sub("_", name).lower()).strip("_").split("_")
    last = words[-1]
    if len(last) > 2 and last.endswith("s") and not last.endswith("ss"):
        words[-1] = last[:-1]  # api_keys is api_key
    return "_".join(words)


def _opens(sealer: Sealer, value: str, aad: tuple[str, ...]) -> bool:
    try:
        sealer.open_text(value, aad)
    except (RowRefused, KeyUnavailable):
        return False
    return True


def _check_plain(value: Any, path: tuple[str, ...], depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise InputRefused(TOO_DEEP, limit=MAX_DEPTH, path="/".join(path))
    if isinstance(value, dict):
        items: dict[Any, Any] = value
        for key, item in items.items():
            if not isinstance(key, str):
                raise InputRefused(NOT_PLAIN, path="/".join(path), kind=f"map key of {type(key).__name__}")
            _check_plain(item, path, depth + 1)
    elif isinstance(value, list):
        members: list[Any] = value
        for item in members:
            _check_plain(item, path, depth + 1)
    elif value is not None and not isinstance(value, str | int | float | bool):
        raise InputRefused(NOT_PLAIN, path="/".join(path), kind=type(value).__name__)
