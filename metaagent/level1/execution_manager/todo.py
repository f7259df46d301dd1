"""The to-do list that a person watches: `todo_updated` has all steps. Steps that move together share one event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

from metaagent.global_state import ExecutionStepState, PlanStep, StepOutcome, StepStatus
from metaagent.journal import Journal
from metaagent.plugin import AgentSpec
from metaagent.state.manager import StateManager
from metaagent.state.progress import progress_of

ENDED = frozenset({"completed", "failed", "skipped"})


def new_steps(plan: Sequence[PlanStep], agents: Mapping[str, AgentSpec]) -> list[ExecutionStepState]:
    return [_new_step(step, agents.get(next(iter(step.get("agents", ())), ""))) for step in plan]


def _new_step(step: PlanStep, spec: AgentSpec | None) -> ExecutionStepState:
    return {
        "step_id": step.get("step_id", ""),
        "step_type": step.get("capability", ""),
        "agent_name": spec.name if spec else "",
        "team": spec.team if spec else "",
        "task": step.get("capability", ""),
        "description": step.get("task", ""),
        "status": "pending",
        "progress_percentage": 0,
        "started_at": None,
        "completed_at": None,
        "result": None,
        "error": None,
    }


class TodoList:
    """Holds the steps of the turn, of all plan versions, and tells the journal of its changes."""

    def __init__(self, steps: Sequence[ExecutionStepState], journal: Journal, reached: int = 0) -> None:
        self._steps = {step.get("step_id", ""): step for step in steps}
        self._journal = journal
        self._reached = reached
        self._manager = StateManager()
        self._untold: Mapping[str, str] = {}
        self._working: set[str] = set()

    @property
    def steps(self) -> list[ExecutionStepState]:
        return list(self._steps.values())

    @property
    def percentage(self) -> int:
        """The progress of all steps. It never goes back, though a new plan adds steps."""
        self._reached = max(self._reached, progress_of(self.steps))
        return self._reached

    @contextmanager
    def working(self, step_id: str, at: str) -> Generator[None]:
        """The step is under way."""
        self._move(step_id, "in_progress", at)
        self._working.add(step_id)
        try:
            yield
        finally:
            self._working.discard(step_id)

    def progress_port(self, step_id: str) -> Callable[..., Awaitable[None]]:
        """Make the `progress` port of a step's agent. Nothing is shown of a step that the agent has left."""

        async def progress(percentage: int, note: str = "") -> None:
            if step_id in self._working:
                reached = max(0, min(99, percentage), self._steps[step_id].get("progress_percentage", 0))
                self._change(step_id, f"at{reached}", progress_percentage=reached, result=note or None)

        return progress

    def hand_over(self, step_id: str, agent: str, lost: Mapping[str, Any]) -> None:
        """Hand the step over to a fallback, with what happened to the one before it."""
        error = f"{lost['agent']}: {lost['error']}"
        self._change(step_id, f"to_{agent}", agent_name=agent, error=error)

    def again(self, step_id: str, attempt: int, why: str) -> None:
        """An attempt failed and another one follows."""
        agent = self._steps[step_id].get("agent_name", "")
        self._change(step_id, f"after_{agent}_{attempt}", error=why)

    def ended_in_journal(self) -> set[str]:
        """Steps that someone may have seen end, in this process or before."""
        changes = [each for key in self._journal.event_keys("todo_updated") for each in key.split("+")]
        return {each.partition(":")[0] for each in changes if each.partition(":")[2] in ENDED}

    def finish(self, outcome: StepOutcome) -> None:
        step_id, status = outcome["step_id"], outcome["status"]
        if status != "skipped":
            # A step that a resumed turn finds done did not start in this process.
            self._steps[step_id] = {
                **self._steps[step_id],
                "status": "in_progress",
                "started_at": outcome["started_at"],
            }
        agent = outcome["agent"] or self._steps[step_id].get("agent_name", "")
        said = {"agent_name": agent, "result": outcome["summary"] or None, "error": outcome["error"]}
        self._move(step_id, status, outcome["ended_at"], progress=0, **said)

    def _move(
        self, step_id: str, status: StepStatus, at: str, *, progress: float | None = None, **said: str | None
    ) -> None:
        moved = self._manager.update_step(self._steps[step_id], status, at, progress=progress)
        if moved is not None:
            self._change(step_id, status, **{**moved, **said})

    def _change(self, step_id: str, key: str, /, **changes: Any) -> None:
        self._steps[step_id] = cast("ExecutionStepState", {**self._steps[step_id], **changes})
        self._untold = {**self._taken_back(step_id), step_id: f"{step_id}:{key}"}
        self._journal.emit(
            "todo_updated",
            "+".join(self._untold.values()),
            steps=self.steps,
            progress_percentage=self.percentage,
        )

    def _taken_back(self, step_id: str) -> Mapping[str, str]:
        """Changes of other steps that were told but not written yet: they go into the next event. Each change of one
        step is in an event of its own."""
        taken_back = step_id not in self._untold and self._journal.withdraw("todo_updated")
        return self._untold if taken_back else {}
