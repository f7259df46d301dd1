"""Testing: for authors of agents. Fakes of every port, a clock that stands still, a scripted chat model, and the conformance
suite `check_agent`.
"""

from metaagent.testing.conformance import check_agent, run_agent
from metaagent.testing.fake_library import FakeLibrary
from metaagent.testing.fakes import (
    NOON,
    FakeArtifacts,
    FakeClock,
    FakeDatabase,
    FakeEffects,
    FakeFiles,
    FakeLog,
    FakeMemory,
    FakeModel,
    FakeProgress,
    FakeReasoner,
    FakeRecords,
    FakeRules,
    FakeTemplates,
    FakeVectors,
    FakeWeb,
    fake_ports,
    scripted_chat_model,
)

__all__ = [
    "NOON",
    "FakeArtifacts",
    "FakeClock",
    "FakeDatabase",
    "FakeEffects",
    "FakeFiles",
    "FakeLibrary",
    "FakeLog",
    "FakeMemory",
    "FakeModel",
    "FakeProgress",
    "FakeReasoner",
    "FakeRecords",
    "FakeRules",
    "FakeTemplates",
    "FakeVectors",
    "FakeWeb",
    "check_agent",
    "fake_ports",
    "run_agent",
    "scripted_chat_model",
]
