"""The row that a serializer is working on: the saver knows, LangGraph's serializer protocol cannot say.

A sealing serializer reads `current_row()` and binds its ciphertext to it: a row moved elsewhere is refused.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol

BODY = "__checkpoint__"
METADATA = "__metadata__"


class Row(NamedTuple):
    """A checkpoint's body and metadata have their own channel names. A channel's value belongs to its version
    and to no checkpoint (`checkpoint_id` is empty), because later checkpoints carry it unchanged. A pending
    write has a `task` ("task id/index")."""

    thread_id: str
    checkpoint_ns: str
    checkpoint_id: str
    channel: str
    version: str = ""
    task: str = ""


_ROW: ContextVar[Row | None] = ContextVar("metaagent_checkpoint_row", default=None)


class row_context:  # noqa: N801 - used like a function
    """`with row_context(*row):` - a class, because a generator costs more than the serializer's work on a small value."""

    __slots__ = ("_row", "_token")

    def __init__(
        self,
        thread_id: str,
        checkpoint_ns: str,
        checkpoint_id: str,
        channel: str,
        version: str = "",
        task: str = "",
    ) -> None:
        self._row = Row(
            thread_id, checkpoint_ns, checkpoint_id=checkpoint_id, channel=channel, version=version, task=task
        )

    def __enter__(self) -> Row:
        self._token = _ROW.set(self._row)
        return self._row

    def __exit__(self, *exc: object) -> None:
        _ROW.reset(self._token)


def dumped(row: Row, serde: SerializerProtocol, value: Any) -> tuple[str, bytes]:
    """Serialize a value for its row, which is what a turn does most often."""
    token = _ROW.set(row)
    try:
        return serde.dumps_typed(value)
    finally:
        _ROW.reset(token)


def current_row() -> Row | None:
    return _ROW.get()
