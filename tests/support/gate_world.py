"""Agents that write, judge and store, for the tests of the gate."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from metaagent.global_state import Verdict
from metaagent.plugin import AgentSpec, Artifact, Capability, Context, Result, Task, agent
from metaagent.ports import Json, User

ASKER = User("ann", "acme", ("employee",))
OFFICER = User("cho", "acme", ("compliance_officer",))
BOSS = User("boss", "acme", ("approver",))
REVIEWER = User("rev", "acme", ("reviewer",))

FINDING: Json = {
    "rule": "gift_limit",
    "pack": "fair_trade",
    "pack_version": "1",
    "pack_hash": "0" * 64,
    "severity": "high",
    "status": "violated",
    "message": "a gift of 30,000 won is above 10,000 won",
    "evidence": [{"field": "amount", "value": 30000, "threshold": 10000}],
    "law": "Fair Competition Code, Article 10",
}


@dataclass
class World:
    """A record of what was judged and what happened outside."""

    effects: list[Json] = field(default_factory=list[Json])
    judged: list[list[str]] = field(default_factory=list[list[str]])

    @property
    def stored(self) -> int:
        return len(self.effects)


def verdict(inputs: Sequence[Any], *, blocks: bool, findings: Sequence[Json] | None = None) -> Verdict:
    body: Json = {
        "blocks": blocks,
        "risk_level": "high" if blocks else "low",
        "target": {
            "kind": inputs[0].kind if inputs else "",
            "artifact_ids": [ref.id for ref in inputs],
            "hashes": [ref.hash for ref in inputs],
        },
        "findings": list(findings if findings is not None else [FINDING] if blocks else []),
        "checked": ["gift_limit"],
        "required_modifications": [],
        "recommendations": [],
        "confidence": 1.0,
    }
    digest = hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return {**body, "hash": digest}  # pyright: ignore[reportReturnType]


def writing(name: str = "writing", text: str = "a report", **options: Any) -> AgentSpec:
    @agent(
        name=name,
        capabilities=[Capability("write", ko=("작성",), en=("write",))],
        produces={"document": dict[str, Any]},
        **options,
    )
    async def write(task: Task, ctx: Context) -> Result:
        return Result("written", 1.0, [Artifact("document", {"text": text, "by": name})], [{"title": name}])

    return write


def checking(
    world: World,
    name: str = "checking",
    *,
    blocks: bool = False,
    before: Any = None,
    judges: Any = None,
    findings: Sequence[Json] | None = None,
    takes: Sequence[str] = ("document|dataset|file",),
    confidence: float = 1.0,
    promises: Sequence[str] = (),
    **options: Any,
) -> AgentSpec:
    """Judges what it is given. `before` may raise; `judges` makes the verdict another way; of what it `promises` it makes
    nothing, which makes for a poor result."""
    options.setdefault("retries", 0)

    @agent(
        name=name,
        capabilities=[Capability("check", ko=("규정 확인",), en=("check",))],
        produces=dict.fromkeys(["verdict", *promises]),
        consumes=takes,
        **options,
    )
    async def check(task: Task, ctx: Context) -> Result:
        if before is not None:
            await before(task, ctx)
        world.judged.append([ref.hash for ref in task.inputs])
        said = judges(task) if judges else verdict(task.inputs, blocks=blocks, findings=findings)
        return Result("judged", confidence, [Artifact("verdict", said)])

    return check


def storing(
    world: World,
    name: str = "storing",
    *,
    before: Any = None,
    after: Any = None,
    takes: Sequence[str] = ("document|dataset|file",),
    **options: Any,
) -> AgentSpec:
    """Has an effect outside. `before` and `after` may raise or hold it."""
    options.setdefault("retries", 0)

    @agent(
        name=name,
        capabilities=[Capability("store", ko=("저장",), en=("store",))],
        produces={"stored": dict[str, Any]},
        consumes=takes,
        side_effects=True,
        **options,
    )
    async def store(task: Task, ctx: Context) -> Result:
        if before is not None:
            await before(task, ctx)
        world.effects.append({"by": name, "inputs": sorted(ref.hash for ref in task.inputs)})
        if after is not None:
            await after(task, ctx)
        return Result("stored", 1.0, [Artifact("stored", {"by": name})])

    return store
