"""OpenTelemetry of a turn: spans with the GenAI conventions, for turns and for the agents' steps.

Nothing is told unless a destination is configured; then only ids, names, sizes, times and statuses, never what was
asked, found or answered. `metaagent.telemetry.otlp` does the sending and is not even imported otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from metaagent.config import Telemetry as TelemetrySettings
from metaagent.global_state import StepOutcome
from metaagent.ports import Turn

Attributes = Mapping[str, str | int | float | bool]

ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
WORKFLOW = "metaagent"

Note = Callable[[Attributes], None]
"""Adds attributes to a span while it is open. `error.type` makes it a failed one."""


class Telemetry(Protocol):
    def span(self, name: str, attributes: Attributes) -> AbstractContextManager[Note]:
        """Open until left; those opened inside are its children. Its duration is recorded as a metric."""
        ...


class Silent:
    def span(self, name: str, attributes: Attributes) -> AbstractContextManager[Note]:
        return nullcontext(_forget)


def _forget(attributes: Attributes) -> None:
    return None


SILENT = Silent()


def endpoint_of(settings: TelemetrySettings, env: Mapping[str, str]) -> str | None:
    """The address to send to; None if there is none. The environment alone, which other programs share, is not enough."""
    if settings.enabled is False:
        return None
    return settings.endpoint or (env.get(ENDPOINT_VARIABLE) or None if settings.enabled else None)


def turn_span(telemetry: Telemetry, turn: Turn) -> AbstractContextManager[Note]:
    """The span of a turn until it ends or waits; one that goes on gets another."""
    return telemetry.span(f"invoke_workflow {WORKFLOW}", turn_begins(turn))


def step_span(telemetry: Telemetry, turn: Turn, step: Mapping[str, Any]) -> AbstractContextManager[Note]:
    """The span of a step until it ends or waits. Nothing is made for nobody."""
    return nullcontext(_forget) if telemetry is SILENT else _step_span(telemetry, turn, step)


@contextmanager
def _step_span(telemetry: Telemetry, turn: Turn, step: Mapping[str, Any]) -> Generator[Note]:
    from langgraph.errors import GraphBubbleUp

    agent = next(iter(step.get("agents") or ()), "")
    with telemetry.span(f"invoke_agent {agent}", step_begins(turn, step, agent)) as note:
        try:
            yield note
        except GraphBubbleUp:
            note({"metaagent.step.status": "waiting"})
            raise


def turn_begins(turn: Turn) -> Attributes:
    return {
        **_common("invoke_workflow", turn),
        "gen_ai.workflow.name": WORKFLOW,
        "metaagent.turn.number": turn.number,
        "metaagent.turn.language": turn.language,
        "metaagent.question.bytes": len(turn.question.encode("utf-8", "replace")),
    }


def turn_ends(turn: Turn) -> Attributes:
    outcome = turn.outcome
    counts = {name: len(outcome.get(name) or ()) for name in ("steps", "artifacts", "warnings", "errors")}
    said: dict[str, str | int | float | bool] = {
        "metaagent.turn.status": turn.status,
        "metaagent.answer.bytes": len((outcome.get("answer") or "").encode("utf-8", "replace")),
        **{f"metaagent.turn.{name}": count for name, count in counts.items()},
    }
    if turn.status == "failed":
        said["error.type"] = next(
            (str(error.get("code")) for error in outcome.get("errors") or ()), "internal"
        )
    return said


def step_begins(turn: Turn, step: Mapping[str, Any], agent: str) -> Attributes:
    return {
        **_common("invoke_agent", turn),
        "gen_ai.agent.name": agent,
        "metaagent.step.id": step.get("step_id", ""),
        "metaagent.step.capability": step.get("capability", ""),
    }


def step_ends(outcome: StepOutcome) -> Attributes:
    """The agent is the one that did it: a fallback, if the first one failed."""
    artifacts = outcome["artifacts"]
    said: dict[str, str | int | float | bool] = {
        "metaagent.step.status": outcome["status"],
        "metaagent.step.attempts": outcome["attempts"],
        "metaagent.step.quality": outcome["quality"],
        "metaagent.step.artifacts": len(artifacts),
        "metaagent.step.artifact_bytes": sum(ref["size"] for ref in artifacts),
    }
    if outcome["agent"]:
        said["gen_ai.agent.name"] = outcome["agent"]
    if outcome["error_type"]:
        said["error.type"] = outcome["error_type"]
    return said


def _common(operation: str, turn: Turn) -> dict[str, str | int | float | bool]:
    return {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": WORKFLOW,
        "gen_ai.conversation.id": turn.session_id,
        "metaagent.turn.id": turn.turn_id,
    }
