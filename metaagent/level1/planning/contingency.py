"""Contingencies: what follows when a step does not go well. The plan's `contingency_triggers` decide, and nothing else
does. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from metaagent.level1.planning.problems import shown
from metaagent.values import mapping, number, rows, sequence, text

Trigger = Literal["failed", "timeout", "low_quality"]
Action = Literal["fallback", "replan", "partial_answer", "keep"]

TRIGGERS: tuple[Trigger, ...] = ("failed", "timeout", "low_quality")
ACTIONS: tuple[Action, ...] = ("fallback", "replan", "partial_answer", "keep")
ANY = "any"
"""The trigger of a fallback that takes over whatever the trouble is."""

GOOD_ENOUGH = 0.5
"""A result of lower quality is trouble."""


def usual_triggers() -> list[dict[str, Any]]:
    """Another agent first, then another way, at last an answer without it. A poor result is better than none."""
    lost = ["fallback", "replan", "partial_answer"]
    return [
        {"trigger": "failed", "then": list(lost)},
        {"trigger": "timeout", "then": list(lost)},
        {"trigger": "low_quality", "below": GOOD_ENOUGH, "then": ["fallback", "replan", "keep"]},
    ]


@dataclass(frozen=True)
class Contingency:
    then: Mapping[str, frozenset[str]]
    below: float = GOOD_ENOUGH

    @classmethod
    def of(cls, plan: Mapping[str, Any]) -> Contingency:
        """Read a plan's contingencies; an action that it does not name does not happen."""
        said = rows(plan.get("contingency_triggers"))
        poor = next((each for each in said if each.get("trigger") == "low_quality"), {})
        below = number(poor["below"]) if "below" in poor else GOOD_ENOUGH
        return cls({text(each.get("trigger")): frozenset(sequence(each.get("then"))) for each in said}, below)

    def trouble(self, outcome: Mapping[str, Any]) -> Trigger | None:
        """Classify the trouble of a step that ran; None if its result is good enough, or if it was not to run at all."""
        if outcome.get("status") == "failed":
            return "timeout" if outcome.get("error_type") == "timeout" else "failed"
        if outcome.get("status") == "completed" and number(outcome.get("quality")) < self.below:
            return "low_quality"
        return None

    def allows(self, action: Action, outcome: Mapping[str, Any]) -> bool:
        trouble = self.trouble(outcome)
        return trouble is not None and action in self.then.get(trouble, ())


def meaningless(plan: Mapping[str, Any]) -> Iterator[str]:
    """Name everything in a plan's triggers that means nothing, as a person reads it."""
    said = plan.get("contingency_triggers")
    if said is not None and not isinstance(said, list):
        yield type(said).__name__
    for each in map(mapping, sequence(said)):
        trigger, then = each.get("trigger"), each.get("then")
        if not isinstance(trigger, str) or trigger not in TRIGGERS:
            yield f"trigger {shown(trigger)!r}"
        elif not isinstance(then, list):
            yield f"{trigger}: {type(then).__name__}"
        else:
            yield from (f"{trigger}: {shown(action)!r}" for action in then if action not in ACTIONS)
        if "below" in each and not (type(each["below"]) in {int, float} and 0 <= each["below"] <= 1):
            yield f"below {shown(each['below'])}"
    for fallback in rows(plan.get("fallback_plans")):
        trigger = fallback.get("trigger", ANY)
        if trigger != ANY and trigger not in TRIGGERS:
            yield f"trigger {shown(trigger)!r}"
