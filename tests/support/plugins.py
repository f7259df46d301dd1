"""Installs small packages the way that pip leaves them: a module, and a dist-info with entry points."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, package: str, code: str, **agents: str) -> None:
    """`agents` maps entry point names to attributes of the package's one module."""
    module = package.replace("-", "_")
    sys.modules.pop(module, None)  # one of the same name that another test installed elsewhere
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points(module, agents))


def entry_points(module: str, agents: Mapping[str, str]) -> str:
    lines = [f"{name} = {module}:{attribute}" for name, attribute in agents.items()]
    return "\n".join(["[metaagent.agents]", *lines, ""])


AGENTS = """
import asyncio
from pathlib import Path
from metaagent.plugin import Artifact, Capability, Failed, NeedsInput, Result, agent


def declare(name, ko, en):
    return agent(name=name, capabilities=[Capability(name, ko=(ko,), en=(en,))], produces=[f"{name}_made"])


@declare("echo", "메아리", "echo")
async def echo(task, ctx):
    return Result(ctx.shared["user_query"], 1.0, [Artifact("echo_made", {"ok": True})])


@declare("asker", "물어", "ask me")
async def asker(task, ctx):
    if not task.answers:
        raise NeedsInput("Left or right? :smile: [red]", options=["left", "right"])
    return Result(f"You said {task.answers[0]}.", 1.0, [Artifact("asker_made", task.answers[0])])


@declare("broken", "고장", "broken")
async def broken(task, ctx):
    raise Failed("the source is gone")


@declare("hanging", "기다려", "hang")
async def hanging(task, ctx):
    await asyncio.Event().wait()
"""


def install_agents(folder: Path) -> None:
    """Four agents in the package `demo-agents`; the words are in AGENTS."""
    install(folder, "demo-agents", AGENTS, echo="echo", asker="asker", broken="broken", hanging="hanging")
