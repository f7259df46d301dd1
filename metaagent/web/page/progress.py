"""A turn as its events tell it: which steps there are, how far they are, and what the page should say. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from metaagent.ports import Json
from metaagent.web.page.views import planned_steps
from metaagent.web.page.words import Words

ASKS = frozenset({"clarification_needed", "approval_needed", "gate_closed"})
"""Events with which a turn comes to wait: as soon as what else is under way has ended, and then without another event."""
ENDS = frozenset({"response", "error"})


@dataclass
class Progress:
    """Follows one turn. Events that were seen already change nothing."""

    seq: int = 0
    plan: list[Json] = field(default_factory=list[Json])
    steps: list[Json] = field(default_factory=list[Json])
    tries: dict[str, int] = field(default_factory=dict[str, int])
    replans: list[str] = field(default_factory=list[str])
    words: str = ""
    stage: str = "queued"
    place: int = 0
    asks: bool = False
    over: bool = False
    _errors: dict[str, str] = field(default_factory=dict[str, str])

    def take(self, event: Json) -> bool:
        """Fold an event in; False if it was seen before."""
        if event["seq"] <= self.seq:
            return False
        self.seq = event["seq"]
        self.asks = event["type"] in ASKS or (self.asks and event["type"] == "todo_updated")
        self.over = event["type"] in ENDS
        match event["type"]:
            case "queued":
                self.stage, self.place = "queued", int(event.get("place") or 0)
            case "planning_start":
                self.stage = "understanding"
            case "plan_ready":
                self.stage, self.plan, self.steps = "planning", event["steps"], planned_steps(event["steps"])
            case "execution_start" | "todo_updated":
                self.stage = "working"
                self._count_tries(event["steps"])
                self.steps = event["steps"]
            case "replan":
                self.replans.append(str(event.get("reason") or ""))
            case "token":
                self.stage = "writing"
                self.words = event["text"] if event.get("restart") else self.words + event["text"]
            case _:
                pass
        return True

    def _count_tries(self, steps: list[Json]) -> None:
        """A step that names another error while it goes on is tried again."""
        for step in steps:
            name, error = step["step_id"], step.get("error") or ""
            if error and step["status"] == "in_progress" and self._errors.get(name) != error:
                self.tries[name] = self.tries.get(name, 1) + 1
                self._errors[name] = error

    def said(self, words: Words) -> str:
        if self.stage == "queued":
            return words("queued_at", place=self.place) if self.place else words("queued")
        if self.stage == "working":
            states = [step["status"] for step in self.steps]
            failed = states.count("failed")
            told = {"done": states.count("completed"), "all": len(states), "failed": failed}
            return words("working_failed" if failed else "working", **told)
        return words(self.stage)
