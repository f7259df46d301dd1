"""The declaration of the compliance agent. Its work is imported when it is first asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from metaagent.global_state import ComplianceValidationAgentState, Verdict
from metaagent.plugin import Capability, Context, Result, Task, Text, agent

KINDS = ("document", "dataset", "file")
"""Kinds of artifacts that can be judged."""


@agent(
    name="compliance_validation",
    description=Text(en="Check against the rules", ko="규정 위반 확인"),
    capabilities=[
        Capability(
            "compliance_validation",
            ko=("규정 확인", "규정 위반", "규정 검토", "준법 검토", "컴플라이언스", "리베이트 점검"),
            en=("compliance check", "check against the rules", "compliance", "rule violation"),
        )
    ],
    produces={"verdict": Verdict},
    also_called={"verdict": ("판정",)},
    consumes=["|".join(KINDS) + "?"],
    needs=["artifacts", "rules", "db", "llm", "clock", "progress"],
    state=ComplianceValidationAgentState,
    timeout=120.0,
    seconds=0.6,
)
async def compliance_validation(task: Task, ctx: Context) -> Result:
    validate = await asyncio.to_thread(_work)
    return await validate(task, ctx)


def _work() -> Callable[[Task, Context], Awaitable[Result]]:
    """Import the work beside the loop: it takes half a second, in which others go on."""
    from metaagent.level2.compliance.work import validate

    return validate
