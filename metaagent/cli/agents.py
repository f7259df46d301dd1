"""`metaagent agents`: the execution agents that are installed, and those that could not be loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from metaagent.cli.door import ANSWERED, FAILED, Door, Reply, run
from metaagent.cli.new_agent import new
from metaagent.cli.options import JSON, command
from metaagent.cli.startup import ui_language
from metaagent.errors import Text
from metaagent.values import nearest

if TYPE_CHECKING:
    from metaagent.config import Settings
    from metaagent.plugin import AgentSpec
    from metaagent.registry import Registry

_NO_AGENTS = Text(
    en="No agent is installed. `metaagent agents new NAME` makes one that works; docs/writing-an-agent.md explains it.",
    ko="설치된 에이전트가 없습니다. `metaagent agents new 이름`으로 하나 만들어 보세요. 설명: docs/writing-an-agent.md",
)


_UNKNOWN = Text(
    en="No agent or capability is called {name}{near}; `metaagent agents` lists them. Nothing was switched.",
    ko="{name}(이)라는 에이전트나 기능이 없습니다{near}. `metaagent agents`로 확인하세요. 아무것도 바꾸지 않았습니다.",
)
_OFF = Text(
    en="{name} is off: nothing starts it until `metaagent agents on {name}`.",
    ko="{name}을(를) 껐습니다. `metaagent agents on {name}` 전에는 시작되지 않습니다.",
)
_ON = Text(en="{name} is on again.", ko="{name}을(를) 다시 켰습니다.")

agents_app = typer.Typer(
    help="List the installed agents, make a new one, or switch one off.", invoke_without_command=True
)


@agents_app.callback()
def top(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="YAML file with settings.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        raise typer.Exit(run(Door(config=config, as_json=as_json), agents, {}))


command(agents_app, "new", (JSON,))(new)


@command(agents_app, "off")
async def off(door: Door, name: Annotated[str, typer.Argument(help="An agent or a capability.")]) -> Reply:
    """Switch an agent or a capability off at once, in running turns too, whichever process they run in."""
    return await _switch(door, name, on=False)


@command(agents_app, "on")
async def on(door: Door, name: Annotated[str, typer.Argument(help="An agent or a capability.")]) -> Reply:
    """Switch an agent or a capability on again."""
    return await _switch(door, name, on=True)


async def _switch(door: Door, name: str, *, on: bool) -> Reply:
    language = ui_language()
    registry = installed(door.settings)
    known = registry.names()
    if name not in known:
        near = nearest(name, known)
        said = _UNKNOWN.say(language, name=name, near=f" ({near}?)" if near else "")
        return Reply({"switched": None}, [said], FAILED)
    async with door.open() as app:
        await (app.enable if on else app.disable)(name, user=door.user)
    return Reply({"switched": name, "on": on}, [(_ON if on else _OFF).say(language, name=name)])


async def agents(door: Door) -> Reply:
    """List the installed agents, those that failed to load, and what looks wrong about the others."""
    from metaagent.registry import flags

    language = ui_language()
    registry = installed(door.settings)
    found = [_agent(spec, registry) for spec in registry.agents.values()]
    problems = [
        {"name": p.name, "package": p.package, "refused": p.refused, "message": p.say(language)}
        for p in registry.problems
    ]
    flagged = [
        {"name": p.name, "package": p.package, "message": p.say(language)}
        for p in flags(registry, door.settings.agents)
    ]
    lines = [*_lines(found, problems, flagged)] or [_NO_AGENTS.say(language)]
    failed = any(not problem["refused"] for problem in problems)
    content = {"agents": found, "problems": problems, "flags": flagged}
    return Reply(content, lines, FAILED if failed else ANSWERED)


def installed(settings: Settings) -> Registry:
    from metaagent.isolation.host import ChildHost, isolated
    from metaagent.sessions.agents import isolation_rules, load_agents

    registry = load_agents(settings)
    return isolated(registry, isolation_rules(settings, registry), ChildHost())


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


def _lines(
    found: list[dict[str, Any]], problems: list[dict[str, Any]], flagged: list[dict[str, Any]]
) -> Iterator[Any]:
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
    for flag in flagged:
        place = f"({flag['package']}) " if flag["package"] else ""
        yield RichText.assemble((f"! {flag['name']} ", "yellow"), (place, "dim"), flag["message"])
