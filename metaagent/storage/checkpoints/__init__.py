"""Checkpoints: a LangGraph checkpoint saver on SQLite that stores each value once and prunes as it goes.

Usable alone: `from metaagent.storage.checkpoints import SqliteCheckpointSaver`. See docs/checkpointer.md.
"""

from metaagent.storage.checkpoints.saver import SqliteCheckpointSaver

__all__ = ["SqliteCheckpointSaver"]
