"""A serializer that deflates what is worth it. It goes inside a sealing one: ciphertext does not compress."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from metaagent.storage.deflating import deflated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from langgraph.checkpoint.serde.base import SerializerProtocol

_MARK = "+z"
_WORTH = 4096  # bytes, a page of the database; below it deflating costs more time than the space is worth
_MOST = 256 * 1024 * 1024  # a row that inflates beyond this was not written by us


class CompressedSerde:
    def __init__(self, inner: SerializerProtocol) -> None:
        self._inner = inner

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = self._inner.dumps_typed(obj)
        if len(data) < _WORTH:
            return kind, data
        return kind + _MARK, deflated(data)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, raw = data
        if not kind.endswith(_MARK):
            return self._inner.loads_typed(data)
        inflater = zlib.decompressobj()
        plain = inflater.decompress(raw, _MOST)
        if not inflater.eof:
            raise ValueError(f"deflated value is cut short or larger than {_MOST} bytes")
        return self._inner.loads_typed((kind.removesuffix(_MARK), plain))

    def with_msgpack_allowlist(self, extra: Collection[tuple[str, ...]]) -> CompressedSerde:
        inner = self._inner
        return (
            CompressedSerde(inner.with_msgpack_allowlist(extra))
            if isinstance(inner, JsonPlusSerializer)
            else self
        )


def default_serde(allowed: Iterable[tuple[str, ...] | type] = ()) -> CompressedSerde:
    """No pickle, no type beyond LangGraph's safe ones and `allowed`: a row never names what is imported."""
    modules = tuple(allowed) or None  # None means: the safe types only
    return CompressedSerde(JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=modules))
