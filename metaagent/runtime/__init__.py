"""MetaAgent, the one object that users hold: its calls, in groups, each with the right that it needs."""

from metaagent.runtime.app import MetaAgent, SyncMetaAgent, drain_turns, migrate_sessions, take_up_turns
from metaagent.runtime.calls import CALLS, Answer, Begun

__all__ = [
    "CALLS",
    "Answer",
    "Begun",
    "MetaAgent",
    "SyncMetaAgent",
    "drain_turns",
    "migrate_sessions",
    "take_up_turns",
]
