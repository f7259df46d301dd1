"""`metaagent agents`: the execution agents that are installed, and those that could not be loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply
from metaagent.cli.options import CONFIG, JSON, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text

if TYPE_CHECKING:
    from metaagent.config import Settings
    from metaagent.plugin import AgentSpec
    from metaagent.registry import Registry

_NO_AGENTS = Text(
    en="No agent is installed. docs/writing-an-agent.md shows how to write one in 25 lines.",
    ko="설치된 에이전트가 없습니다. docs/writing-an-agent.md에 25줄로 만드는 방법이 있습니다.",
)


def add_to(app: typer.Typer, panel: str) -> None:
    command(app, "agents", (CONFIG, JSON), panel=panel)(agents)


async def agents(door: Door) -> Reply:
    """List the installed agents and those that failed to load."""
    language = ui_language()
    registry = installed(door.settings)
    found = [_agent(spec, registry) for spec in registry.agents.values()]
    problems = [
        {"name": p.name, "package": p.package, "refused": p.refused, "message": p.say(language)}
        for p in registry.problems
    ]
    lines = [*_lines(found, problems)] or [_NO_AGENTS.say(language)]
    failed = any(not problem["refused"] for problem in problems)
    return Reply({"agents": found, "problems": problems}, lines, FAILED if failed else ANSWERED)


def installed(settings: Settings) -> Registry:
    from metaagent.isolation.host import ChildHost, declared_elsewhere, isolated
    from metaagent.registry import load_registry

    return isolated(
        load_registry(settings.agents, declared=declared_elsewhere), settings.agents.isolate, ChildHost()
    )


def _agent(spec: AgentSpec, registry: Registry) -> dict[str, Any]:
    return {
        "name": spec.name,
        "package": registry.packages.get(spec.name, ""),
        "description": spec.description.say(ui_language()),
        "capabilities": [c.name for c in spec.capabilities],
        "consumes": list(spec.consumes),
        "produces": list(spec.produces),
        "needs": sorted(spec.needs),
        "permissions": list(spec.permissions),
        "side_effects": spec.side_effects,
        "enabled": not registry.is_disabled(spec.name),
    }


def _lines(found: list[dict[str, Any]], problems: list[dict[str, Any]]) -> Iterator[Any]:
    from rich.text import Text as RichText

    for agent in found:
        mark = "●" if agent["enabled"] else "○"
        flow = f"{', '.join(agent['consumes']) or '·'} → {', '.join(agent['produces'])}"
        yield RichText.assemble(
            (f"{mark} {agent['name']} ", "bold"), (f"({agent['package']}) ", "dim"), agent["description"]
        )
        yield RichText.assemble("   ", (", ".join(agent["capabilities"]), "cyan"), "  ", (flow, "dim"))
    for problem in problems:
        style = "yellow" if problem["refused"] else "red"
        yield RichText.assemble(
            (f"✗ {problem['name']} ", style), (f"({problem['package']}) ", "dim"), problem["message"]
        )
