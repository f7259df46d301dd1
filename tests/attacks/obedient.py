"""Scripted models that obey, and agents that they may bring in."""

from __future__ import annotations

import re
from typing import Any

from metaagent.plugin import Artifact, Capability, Context, Result, Task, agent

NOTHING: dict[str, Any] = {"intents": [], "entities": []}


def heard(model: Any) -> str:
    """Everything that the model was sent, also with the marks of numbers taken out again."""
    said = "\n".join(text for call in model.heard for _, text in call)
    return said + "\n" + re.sub(r"\{\{n\d+=([^{}]*)\}\}", r"\1", said)


def crm(finding: str) -> Any:
    @agent(
        name="crm_agent",
        capabilities=[Capability("crm", ko=("고객카드",), en=("crm card",))],
        produces={"card": dict[str, Any]},
    )
    async def card(task: Task, ctx: Context) -> Result:
        return Result(finding, 1.0, [Artifact("card", {"a": 1})], [{"title": "x"}])

    return card


def works(ran: list[str], name: str, word: str, **options: Any) -> Any:
    @agent(
        name=name,
        capabilities=[Capability(name, ko=(word,), en=(name,))],
        produces={f"{name}_out": dict[str, Any]},
        **options,
    )
    async def work(task: Task, ctx: Context) -> Result:
        ran.append(name)
        return Result(f"{name} done", 1.0, [Artifact(f"{name}_out", {"a": 1})], [{"title": "x"}])

    return work


def suggests(*named: tuple[str, str]) -> dict[str, Any]:
    return {"intents": [{"intent": name, "quote": quote} for name, quote in named], "entities": []}
