"""Which row a serializer is working on: the saver knows, LangGraph's serializer protocol cannot say.

A sealing serializer reads `current_row()` and binds its ciphertext to it: a row moved elsewhere is refused.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator

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


@contextmanager
def row_context(
    thread_id: str, checkpoint_ns: str, checkpoint_id: str, channel: str, version: str = "", task: str = ""
) -> Generator[Row]:
    row = Row(thread_id, checkpoint_ns, checkpoint_id, channel, version, task)
    token = _ROW.set(row)
    try:
        yield row
    finally:
        _ROW.reset(token)


def current_row() -> Row | None:
    return _ROW.get()
