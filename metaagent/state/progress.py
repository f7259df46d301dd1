"""The progress of a turn, by the one formula that the to-do list, the state manager and the merge share. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from metaagent.values import number


def progress_of(steps: Iterable[Mapping[str, Any]]) -> int:
    """Compute the percentage of all steps: those with nothing left to do count whole, those under way by their own
    progress, those that failed not at all. Without steps there is no progress."""
    points = [_points(step) for step in steps]
    return int(sum(points) // len(points)) if points else 0


def _points(step: Mapping[str, Any]) -> float:
    status = step.get("status")
    if status in ("completed", "skipped"):
        return 100
    return 0 if status == "failed" else min(100, max(0, number(step.get("progress_percentage"))))
