"""The installed agents as the configuration wants them."""

from __future__ import annotations

from metaagent.config import Settings
from metaagent.registry import Registry, load_registry


def load_agents(settings: Settings) -> Registry:
    """Load the installed agents. Those that the configuration isolates are declared in a process of their own."""
    if not settings.agents.isolate:
        return load_registry(settings.agents)
    from metaagent.isolation.host import declared_elsewhere

    return load_registry(settings.agents, declared=declared_elsewhere(settings))
