"""The difficulty of a question, 0..1: the mean of six components, each 0..1 and counted, none of them judged.

- intents: each intent after the first counts a half
- agents: each agent after the first counts a half
- filters: filters and dimensions, six make 1
- time: periods and a comparison, three make 1
- conditions: ranks and numeric conditions, two make 1
- uncertainty: open ambiguities, two make 1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def components(request: dict[str, Any], intents: int, agents: int, ambiguities: int) -> dict[str, float]:
    filters: Sequence[dict[str, Any]] = request["filters"]
    numeric = sum(1 for item in filters if "value" in item)
    times = max(len(request["periods"]), int(request["period"] is not None)) + int(
        request["comparison"] is not None
    )
    counted = {
        "intents": (intents - 1) / 2,
        "agents": (agents - 1) / 2,
        "filters": (len(filters) + len(request["dimensions"])) / 6,
        "time": times / 3,
        "conditions": (numeric + int(request["rank"] is not None)) / 2,
        "uncertainty": ambiguities / 2,
    }
    return {name: round(min(1.0, max(0.0, value)), 3) for name, value in counted.items()}


def score(parts: dict[str, float]) -> float:
    return round(sum(parts.values()) / len(parts), 3)
