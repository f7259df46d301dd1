"""Protection of plain data that leaves the sealed stores: shown without what is sensitive, or with just that sealed.

Sensitive is a field by its name, in any spelling (`userId`, `USER-ID`, `openai_api_key`), and a text by its content
(a telephone number, a key). Names and contents are judged by the same detector as logs, prompts and exports.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol, cast

from metaagent.errors import InputRefused, KeyUnavailable, RowRefused, Text
from metaagent.protection.redaction import Redactor, find
from metaagent.protection.sealing import is_sealed_text, kid_of_text, refused
from metaagent.values import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from metaagent.protection.sealing import Sealer

TOO_DEEP = Text(
    "The state is nested deeper than {limit} levels at '{path}': it cannot be sealed.",
    "상태가 '{path}'에서 {limit}단계보다 깊게 중첩되어 봉인할 수 없습니다.",
)
NOT_PLAIN = Text(
    "Field '{path}' holds a {kind}: only plain data (text, numbers, lists, maps with text keys) can "
    "be sealed.",
    "'{path}' 필드에 {kind}이(가) 있습니다: 일반 데이터(글, 숫자, 목록, 글 키의 맵)만 봉인할 수 있습니다.",
)
NO_KEYS = Text("This program was started without keys.", "키 없이 시작된 프로그램입니다.")

Place = tuple[str, ...]


class SealerSource(Protocol):
    """The part of a KeyRing that is used here."""

    def sealer(self, tenant: str, purpose: str, person: str | None = None) -> Sealer: ...

    def reader(self, tenant: str, purpose: str) -> Sealer: ...


class StateSecurityManager:
    """Hides, seals and opens what is sensitive in plain data. `purpose` names the derived key that seals."""

    def __init__(
        self, *, redactor: Redactor | None = None, keys: SealerSource | None = None, purpose: str = "state"
    ) -> None:
        self._redactor = redactor or Redactor()
        self._keys = keys
        self._purpose = purpose

    def is_sensitive(self, name: object) -> bool:
        return name in self._redactor.fields

    def sanitize_state_for_logging(self, state: Any) -> Any:
        """Return a copy that may be shown. Never raises for its input."""
        return self._redactor.sanitize(state)

    def encrypt_sensitive_fields(
        self, state: Mapping[str, Any], *, tenant: str, session: str, person: str | None = None
    ) -> dict[str, Any]:
        """Return a copy with every sensitive value sealed to tenant, session and its place. Repeatable."""
        source = self._source()
        if self._is_harmless(state):
            return dict(state)
        sealer = source.sealer(tenant, self._purpose, person)

        def seal(path: Place, value: Any, named: bool) -> Any:
            if not named and not _has_sensitive_content(value):
                return value
            aad = (session, *path)
            if is_sealed_text(value) and _opens(sealer, value, aad):
                return value
            _check_plain(value, path)
            return sealer.seal_text(json.dumps(value, separators=(",", ":")), aad)

        return self._walk(state, seal, ())

    def decrypt_sensitive_fields(
        self, state: Mapping[str, Any], *, tenant: str, session: str
    ) -> dict[str, Any]:
        """Return what `encrypt_sensitive_fields` was given. A sensitive value that is not sealed, or sealed for another
        place, is refused."""
        source = self._source()

        def unseal(path: Place, value: Any, named: bool) -> Any:
            if not named and not _has_sensitive_content(value):
                return value
            row = "/".join((tenant, session, *path))
            if not isinstance(value, str) or not is_sealed_text(value):
                raise refused(row, "unsealed")
            of_a_person = kid_of_text(value).startswith("p")
            sealer = (source.reader if of_a_person else source.sealer)(tenant, self._purpose)
            return json.loads(sealer.open_text(value, (session, *path), row=row))

        return self._walk(state, unseal, ())

    def _is_harmless(self, value: Any) -> bool:
        """Tells whether nothing in it has to be sealed, as in most data of the audit trail: looking costs less than copying."""
        hides = self._redactor.fields.__contains__
        level: list[Any] = [value]
        for _ in range(MAX_DEPTH):
            below: list[Any] = []
            for item in level:
                if isinstance(item, dict):
                    if any(map(hides, cast("dict[Any, Any]", item))):
                        return False
                    below += cast("dict[Any, Any]", item).values()
                elif isinstance(item, (list, tuple)):
                    below += cast("list[Any]", item)
                elif item is not None and _has_sensitive_content(item):
                    return False
            if not below:
                return True
            level = below
        return False

    def _source(self) -> SealerSource:
        if self._keys is None:
            raise KeyUnavailable(NO_KEYS)
        return self._keys

    def _walk(self, value: Any, act: Callable[[Place, Any, bool], Any], path: Place) -> Any:
        """Positions in lists are not part of a path: lists of the state are trimmed and grow."""
        if len(path) > MAX_DEPTH:
            raise InputRefused(TOO_DEEP, limit=MAX_DEPTH, path="/".join(path[:4]))
        if isinstance(value, dict):
            return {
                key: act((*path, key), item, True)
                if self.is_sensitive(key)
                else self._walk(item, act, (*path, str(key)))
                for key, item in cast("dict[Any, Any]", value).items()
            }
        if isinstance(value, list | tuple):
            made = [self._walk(item, act, (*path, "[]")) for item in cast("list[Any]", value)]
            return made if isinstance(value, list) else tuple(made)
        return act(path, value, False)


def _has_sensitive_content(value: Any) -> bool:
    """A text that only looks sealed counts as well: a reader could not tell it from one that is."""
    return isinstance(value, str) and (is_sealed_text(value) or bool(find(value)))


def _opens(sealer: Sealer, value: str, aad: Place) -> bool:
    try:
        sealer.open_text(value, aad)
    except (RowRefused, KeyUnavailable):
        return False
    return True


def _check_plain(value: Any, path: Place, depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise InputRefused(TOO_DEEP, limit=MAX_DEPTH, path="/".join(path))
    if isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            if not isinstance(key, str):
                raise InputRefused(NOT_PLAIN, path="/".join(path), kind=f"map key of {type(key).__name__}")
            _check_plain(item, path, depth + 1)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            _check_plain(item, path, depth + 1)
    elif value is not None and not isinstance(value, str | int | float | bool):
        raise InputRefused(NOT_PLAIN, path="/".join(path), kind=type(value).__name__)
