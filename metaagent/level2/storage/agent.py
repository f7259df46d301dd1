"""The declaration of the storage agent. Its work is imported when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from metaagent.global_state import StorageDecisionAgentState
from metaagent.level2.storage.decision import Sensitivity, Use
from metaagent.plugin import Capability, Context, Result, Task, Text, agent


@dataclass(frozen=True)
class StorageParams:
    """Everything that a plan may say about storing. What it leaves open is decided by the data and the domain's rules."""

    table: str | None = None
    uses: list[Use] | None = None
    sensitivity: Sensitivity | None = None
    retention_days: int | None = None
    label: str = ""
    record: dict[str, Any] = field(default_factory=dict[str, Any])


@agent(
    name="storage_decision",
    description=Text(en="Store it where it belongs", ko="알맞은 곳에 저장"),
    capabilities=[
        Capability(
            "storage_decision",
            ko=("저장", "보관", "적재", "등록"),
            en=("store", "save", "archive", "file it"),
        )
    ],
    produces={"stored": dict},
    consumes=["document|dataset|file"],
    needs=["records", "effects", "artifacts", "progress"],
    params=StorageParams,
    state=StorageDecisionAgentState,
    side_effects=True,
    risk="medium",
    timeout=120.0,
    seconds=1.0,
)
async def storage_decision(task: Task, ctx: Context) -> Result:
    from metaagent.level2.storage.work import store

    return await store(task, ctx)
