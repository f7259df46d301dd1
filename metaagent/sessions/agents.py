"""The installed agents and the configured tools, as the configuration wants them."""

from __future__ import annotations

from metaagent.config import Isolation, Settings
from metaagent.registry import Registry, load_registry


def load_agents(settings: Settings) -> Registry:
    """Load the installed agents. Those that the configuration isolates are declared in a process of their own."""
    declared = None
    if settings.agents.isolate:
        from metaagent.isolation.host import declared_elsewhere

        declared = declared_elsewhere(settings)
    registry = load_registry(settings.agents, declared=declared)
    if not settings.tools:
        return registry
    from metaagent.tools.agents import with_tools

    return with_tools(registry, settings)


def isolation_rules(settings: Settings, registry: Registry) -> dict[str, Isolation]:
    """The limits of every agent that runs in a process of its own, by its name."""
    if not settings.tools:
        return settings.agents.isolate
    from metaagent.tools.agents import isolation_of

    return isolation_of(settings, registry)


def preloaded_modules(settings: Settings) -> list[str]:
    """Packages that calls of the configured tools need: importing them takes longer than most calls."""
    tools = settings.tools.values()
    packages = {
        "metaagent.tools.agents": bool(tools),
        "mcp": any(tool.mcp for tool in tools),
        "httpx": any(tool.openapi for tool in tools),
        "langchain_core.tools": any(tool.langchain for tool in tools),
    }
    return [name for name, needed in packages.items() if needed]
