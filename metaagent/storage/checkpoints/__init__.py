"""Checkpoints: a LangGraph checkpoint saver on SQLite that stores each value once and prunes as it goes.

Usable alone: `from metaagent.storage.checkpoints import SqliteCheckpointSaver`. See docs/checkpointer.md.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaagent.storage.checkpoints.copying import copy_thread, threads_of
    from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver

__all__ = ["SqliteCheckpointSaver", "copy_thread", "threads_of"]


def __getattr__(name: str) -> Any:
    """Import the saver when it is asked for: those who only read the tables need no LangGraph."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from metaagent.storage.checkpoints import copying, saver

    return getattr(saver if name == "SqliteCheckpointSaver" else copying, name)
